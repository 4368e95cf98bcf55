// SPDX-License-Identifier: MIT
// A full-screen program on a 3270 that Linux' fs3270 driver gives it raw: a form with a name and a
// number, shown again with what was entered until PF3 is pressed.
//
//   full_screen /dev/3270/tub1 LOG
//
// Writes what it got to LOG: "AID cursor-address NAME NUMBER" a line.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// <asm/...> does not export these: the commands of the next read and write.
#define TUBICMD _IO('3', 3)
#define TUBOCMD _IO('3', 4)

enum { ERASE_WRITE = 0x05, READ_MODIFIED = 0x06, AID_PF3 = 0xF3 };
enum {
    SBA = 0x11,
    SF = 0x1D,
    IC = 0x13,
    PROTECTED = 0x60,
    SKIPPED = 0xF0,
    BRIGHT = 0xE8,
    ENTRY = 0x40
};
enum { AT_TITLE = 20, AT_NAME = 2 * 80 + 10, AT_NUMBER = 4 * 80 + 10, AT_ECHO = 8 * 80 + 4 };

// Digits, capital letters and the blank; anything else is a question mark.
static const char letters[] = "ABCDEFGHI"
                              "JKLMNOPQR"
                              "STUVWXYZ"
                              "0123456789 ";
static const uint8_t codes[] = "\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9"
                               "\xD1\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9"
                               "\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9"
                               "\xF0\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9\x40";
// 12-bit addresses: six bits in a byte.
static const uint8_t six[] = "\x40\xC1\xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\x4A\x4B\x4C\x4D\x4E\x4F"
                             "\x50\xD1\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\x5A\x5B\x5C\x5D\x5E\x5F"
                             "\x60\x61\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\x6A\x6B\x6C\x6D\x6E\x6F"
                             "\xF0\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xF9\x7A\x7B\x7C\x7D\x7E\x7F";

static uint8_t out[2048];
static size_t used;
static char name[32], number[32];

static void put(uint8_t byte)
{
    out[used++] = byte;
}

static void text(const char *s)
{
    for (; *s; s++) {
        const char *at = strchr(letters, *s);
        put(at ? codes[at - letters] : 0x6F);
    }
}

static void field(unsigned address, uint8_t attribute, const char *s)
{
    put(SBA);
    put(six[address >> 6 & 63]);
    put(six[address & 63]);
    put(SF);
    put(attribute);
    text(s);
}

static int show(int fd)
{
    used = 0;
    put(0xC3); // restores the keyboard, resets modified data tags
    field(AT_TITLE, BRIGHT, "FULL SCREEN");
    field(AT_NAME - 8, PROTECTED, "NAME");
    field(AT_NAME, ENTRY, name);
    if (!name[0])
        put(IC);
    field(AT_NAME + 16, SKIPPED, ""); // the cursor goes on to the next field
    field(AT_NUMBER - 8, SKIPPED, "NUMBER");
    field(AT_NUMBER, ENTRY, number);
    field(AT_NUMBER + 16, PROTECTED, "");
    field(AT_ECHO, PROTECTED, "ENTERED ");
    text(name);
    text(" ");
    text(number);
    return ioctl(fd, TUBOCMD, ERASE_WRITE) || write(fd, out, used) != (ssize_t)used;
}

static unsigned address_of(const uint8_t *at)
{
    return (unsigned)(at[0] & 63) << 6 | (at[1] & 63);
}

static void take_field(unsigned address, const uint8_t *from, size_t n)
{
    char *to = address < AT_NUMBER ? name : number;
    size_t length = 0;
    for (size_t i = 0; i < n && length < sizeof name - 1; i++) {
        const uint8_t *at = from[i] ? memchr(codes, from[i], sizeof codes - 1) : NULL;
        if (from[i])
            to[length++] = at ? letters[at - codes] : '?';
    }
    to[length] = 0;
}

static void take(const uint8_t *in, size_t n)
{
    for (size_t i = 3; i + 3 <= n && in[i] == SBA;) {
        size_t end = i + 3;
        while (end < n && in[end] != SBA)
            end++;
        take_field(address_of(in + i + 1), in + i + 3, end - i - 3);
        i = end;
    }
}

int main(int argc, char **argv)
{
    static uint8_t in[4096];
    FILE *log = argc == 3 ? fopen(argv[2], "w") : NULL;
    int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
    if (fd < 0 || !log) {
        perror("full_screen");
        return 1;
    }
    while (show(fd) == 0 && ioctl(fd, TUBICMD, READ_MODIFIED) == 0) {
        ssize_t n = read(fd, in, sizeof in);
        if (n < 3)
            break;
        take(in, (size_t)n);
        fprintf(log, "%02X %u %s %s\n", in[0], address_of(in + 1), name, number);
        fflush(log);
        if (in[0] == AID_PF3)
            return 0;
    }
    perror("full_screen");
    return 1;
}
