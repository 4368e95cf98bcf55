// SPDX-License-Identifier: MIT
// The disassembler against s390x-linux-gnu-objdump: every row of the instruction table with random
// fields must come out with the same mnemonic (or the base of an extended one) and operands.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <unistd.h>

#include "cpu/bare.h"
#include "cpu/tool.h"
#include "cpu/snippets.h"
#include "cpu/vectors.h"

#define OBJDUMP "s390x-linux-gnu-objdump"
#define EACH    6

static void set_code(uint8_t *t, const struct opcode *row)
{
    uint8_t extension = (uint8_t)row->code;
    t[0] = (uint8_t)(row->code >> 8);
    static const uint8_t nibble_first[] = {0xA5, 0xA7, 0xC0, 0xC2, 0xC4, 0xC6, 0xC8, 0xCC};
    if (memchr(nibble_first, t[0], sizeof nibble_first))
        t[1] = (uint8_t)((t[1] & 0xF0) | extension);
    else if (t[0] == 0x01 || t[0] == 0xB2 || t[0] == 0xB3 || t[0] == 0xB9 || t[0] == 0xE5)
        t[1] = extension;
    else if (t[0] == 0xE3 || t[0] == 0xE6 || t[0] == 0xE7 || t[0] == 0xEB || t[0] == 0xEC ||
             t[0] == 0xED)
        t[5] = extension;
}

// Upper-case mnemonic, operands without blanks, register prefixes dropped.
static void squeeze(char *out, const char *mnemonic, const char *operands)
{
    for (; *mnemonic && !isspace((unsigned char)*mnemonic); mnemonic++)
        *out++ = (char)toupper((unsigned char)*mnemonic);
    *out++ = ' ';
    for (; *operands && *operands != '<' && *operands != '\n'; operands++) {
        if (*operands == '%') {
            operands++; // and its letter
            continue;
        }
        if (!isspace((unsigned char)*operands))
            *out++ = *operands;
    }
    *out = 0;
}

static bool same_operands(const char *ours, const char *theirs)
{
    const char *a = strchr(ours, ' '), *b = strchr(theirs, ' ');
    return a && b && strcmp(a, b) == 0;
}

// objdump prints some forms under an extended mnemonic and leaves its mask out, or leaves out a
// last operand that is zero. Then its operands must all be among ours, in order.
static bool compatible(const char *ours, const char *theirs)
{
    size_t name = strcspn(ours, " ");
    if (same_operands(ours, theirs) && strncmp(ours, theirs, name) == 0 && theirs[name] == ' ')
        return true;
    const char *a = strchr(ours, ' '), *b = strchr(theirs, ' ');
    while (*b) { // each operand of theirs in turn
        size_t n = strcspn(b + 1, ",");
        const char *at = a;
        bool found = false;
        while (*at && !found) {
            size_t m = strcspn(at + 1, ",");
            found = m == n && strncmp(at + 1, b + 1, n) == 0;
            if (!found)
                at += 1 + m;
        }
        if (n && !found)
            return false;
        b += 1 + n;
    }
    return true;
}

static void test_against_objdump(void **state)
{
    (void)state;
    char path[64], command[256], line[256];
    snprintf(path, sizeof path, "/tmp/endicott-dis-%d.bin", (int)getpid());
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    struct random r = {7};
    static uint8_t image[EACH * 2048 * 6];
    unsigned size = 0;
    for (unsigned i = 0; i < opcode_count * EACH; i++) {
        uint8_t text[8];
        be64_store(text, random64(&r));
        set_code(text, &opcode_table[i / EACH]);
        vector_reserved_zero(&opcode_table[i / EACH], text);
        unsigned n = opcode_length(text[0]);
        memcpy(image + size, text, n);
        size += n;
    }
    fwrite(image, 1, size, f);
    fclose(f);
    snprintf(command, sizeof command, OBJDUMP " -D -b binary -m s390:64-bit -Mzarch %s", path);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    unsigned compared = 0, bad = 0;
    while (fgets(line, sizeof line, in)) {
        char *end, ours[128], squeezed[128], theirs[128];
        unsigned long at = strtoul(line, &end, 16);
        if (*end != ':' || end[1] != '\t')
            continue;
        char *mnemonic = strchr(end + 2, '\t'); // behind the bytes
        if (!mnemonic || strstr(mnemonic, ".long") || strstr(mnemonic, ".short") ||
            strstr(mnemonic, ".insn"))
            continue; // fields that objdump does not accept
        mnemonic++;
        squeeze(theirs, mnemonic, mnemonic + strcspn(mnemonic, "\t \n"));
        cpu_disassemble(image + at, at, ours, sizeof ours);
        squeeze(squeezed, ours, ours + strcspn(ours, " "));
        if (strncmp(ours, "DC ", 3) == 0 || strncmp(theirs, "RIS", 3) == 0)
            continue; // objdump lost step behind bytes it refused; RISBGZ folds a bit
        if (strncmp(theirs, "W", 1) == 0 || (strncmp(theirs, "VFAE", 4) == 0 && theirs[4] != ' ') ||
            (strncmp(theirs, "VSTRC", 5) == 0 && theirs[5] != ' '))
            continue; // the name stands for bits of a mask
        if ((strncmp(ours, "VSCE", 4) == 0 || strncmp(ours, "VGE", 3) == 0) &&
            strstr(squeezed, "(0,"))
            continue; // objdump leaves vector register 0 out where it is an index
        compared++;
        if (!compatible(squeezed, theirs) && bad++ < 30)
            printf("# %lX: ours \"%s\" objdump \"%s\"\n", at, squeezed, theirs);
    }
    pclose(in);
    remove(path);
    printf("# %u instructions compared\n", compared);
    assert_in_range(compared, opcode_count * 4, opcode_count * EACH);
    assert_int_equal(bad, 0);
}

static void test_unknown(void **state)
{
    (void)state;
    char out[40];
    assert_int_equal(cpu_disassemble((const uint8_t[6]){0x00, 0x01}, 0, out, sizeof out), 2);
    assert_string_equal(out, "DC X'0001'");
    assert_int_equal(cpu_disassemble((const uint8_t[6]){0xE3, 1, 2, 3, 4, 0xFF}, 0, out, 6), 6);
    assert_string_equal(out, "DC X'");
}

int main(void)
{
    if (tool_missing(OBJDUMP))
        return 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_objdump),
                                       cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests_name("disassembler", tests, NULL, NULL);
}
