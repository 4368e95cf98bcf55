// SPDX-License-Identifier: MIT
// Writes application monitor data through /dev/monwriter: an event record, and a sample record that
// it changes once a second, for SECONDS; then ends the sample.
//
//   monitor_records SECONDS
#include <asm/monwriter.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// In EBCDIC, so that it can be seen in a dump: ENDICOTT.
static const unsigned char mark[8] = {0xC5, 0xD5, 0xC4, 0xC9, 0xC3, 0xD6, 0xE3, 0xE3};

struct message {
    struct monwrite_hdr header;
    unsigned char mark[8];
    char kind[8];
    uint32_t number;
} __attribute__((packed));

static int put(int fd, unsigned char function, unsigned char record, const char *kind,
               uint32_t number)
{
    struct message m = {.header = {.mon_function = function,
                                   .applid = 0x1234,
                                   .record_num = record,
                                   .version = 1,
                                   .release = 2,
                                   .mod_level = 3,
                                   .datalen = sizeof m - sizeof m.header,
                                   .hdrlen = sizeof m.header},
                        .number = number};
    memcpy(m.mark, mark, sizeof mark);
    memcpy(m.kind, kind, strlen(kind));
    size_t size = function == MONWRITE_STOP_INTERVAL ? sizeof m.header : sizeof m;
    if (write(fd, &m, size) == (ssize_t)size)
        return 0;
    perror(kind);
    return 1;
}

int main(int argc, char **argv)
{
    int fd = open("/dev/monwriter", O_EXCL | O_RDWR);
    unsigned seconds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10;
    if (fd < 0) {
        perror("/dev/monwriter");
        return 1;
    }
    int bad =
        put(fd, MONWRITE_START_CONFIG, 1, "CONFIG", 1) + put(fd, MONWRITE_GEN_EVENT, 2, "EVENT", 2);
    for (unsigned i = 0; i < seconds; i++) {
        bad += put(fd, MONWRITE_START_INTERVAL, 3, "SAMPLE", 100 + i);
        sleep(1);
    }
    bad += put(fd, MONWRITE_STOP_INTERVAL, 3, "END", 0);
    printf("monitor records written, %d failed\n", bad);
    return bad != 0;
}
