// SPDX-License-Identifier: MIT
// Every instruction that an independent CPU (qemu-system-s390x) can judge, with generated operands:
// the same image runs on both, and registers, storage, condition code and interruption must agree.
// ENDICOTT_SEED and ENDICOTT_CASES change seed and number of cases for each instruction.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/log.h"
#include "cpu/bare.h"
#include "cpu/tool.h"
#include "cpu/qemu.h"
#include "cpu/snippets.h"

static uint8_t image[SNIPPET_BASE];

// Instructions that qemu does not have, gets wrong, or that depend on time, on the machine, or on
// more than one case block shows. By code.
// Hexadecimal floating point, which qemu does not have: test_hfp.c judges it.
static bool hexadecimal(const struct opcode *row)
{
    uint8_t first = (uint8_t)(row->code >> 8), second = (uint8_t)row->code;
    if (first == 0xED)
        return second >= 0x20 && second < 0x40;
    if (first != 0xB3)
        return (first >= 0x20 && first < 0x40 && (first & 0xF) != 8) ||
               (first >= 0x60 && first < 0x80 && (first & 7) != 0);
    return (second >= 0x24 && second < 0x40) || (second >= 0x50 && second < 0x5A) ||
           (second >= 0x60 && second < 0x6A) || second == 0x77 || second == 0x7F ||
           (second >= 0xB4 && second < 0xBB) || (second >= 0xC4 && second < 0xCB);
}

static bool left_out(const struct opcode *row)
{
    if (hexadecimal(row) || row->facility == 17 || row->facility == 57 || row->facility == 77 ||
        row->facility == 146)
        return true; // test_crypto.c judges the message-security assist
    static const uint16_t codes[] = {
        0x0A00, 0x4400, 0xC600, // SVC, EX, EXRL: how cases are made
        0x0101, 0x0102, 0xB21A, // PR, UPT, CFC
        0x0104, 0x0107,         // PTFF, SCKPF
        0x0B00, 0x0C00, 0x010C, 0x010D,
        0x010E, // modes: the save routine wants 64 bits
        0x9300, 0x4F00, 0xE306, 0xE30E,
        0xE32E,                         // TS, CVB, CVBY, CVBG, CVDG
        0xEC54, 0xEC56, 0xEC57,         // RNSBG, ROSBG, RXSBG: some ranges end qemu
        0xB205, 0xB27C, 0xB278, 0xC801, // clocks
        0xEB4C, 0xB2B0, 0xE502, 0xEB26,
        0xE50A,         // ECAG, STFLE, STRAG; MVCRL ends qemu; STMH: qemu stores zeros
        0xEE00, 0xC802, // PLO, CSST: blocks of their own
        0xB263,         // CMPSC: not in qemu, and its random output reaches other blocks
        0xB353, 0xB35B, 0xB24C, 0xB225,
        0xB99F,                         // DIEBR, DIDBR, TAR, SSAR, SSAIR
        0xC804, 0xC805,                 // LPD, LPDG: cc depends on luck
        0xAF00, 0xB24D, 0xB24F,         // MC; CPYA, EAR: no access registers in a block
        0xB302, 0xB312, 0xB342,         // LTEBR...: signalling NaNs
        0xB9BD, 0xB9BF,                 // TRTRE, TRTE
        0xB30C, 0xED0C, 0xB307, 0xED07, // MDEBR, MDEB, MXDBR, MXDB: qemu takes the longer operand
        0xE900, 0xE100, 0xEA00, 0xE200,
        0xF300, // PKA, PKU, UNPKA, UNPKU, UNPK: digits lost
    };
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (row->code == codes[i])
            return true;
    }
    uint8_t first = (uint8_t)(row->code >> 8);
    if (first >= 0xF0 && first != 0xF1 && first != 0xF2 && first != 0xF3)
        return true; // decimal
    if (first == 0xDE || first == 0xDF)
        return true; // ED, EDMK
    return row->flags & (OP_PRIVILEGED | OP_END | OP_VECTOR) || row->simulate;
}

static void put_image(uint64_t seed, unsigned each, uint8_t **blocks, unsigned *count)
{
    struct random r = {seed};
    unsigned rows = 0;
    for (unsigned i = 0; i < opcode_count; i++)
        rows += !left_out(&opcode_table[i]);
    *count = rows * each;
    *blocks = calloc(*count, SNIPPET_SIZE);
    unsigned n = 0;
    for (unsigned i = 0; i < opcode_count; i++) {
        for (unsigned k = 0; k < each && !left_out(&opcode_table[i]); k++, n++)
            snippet_make(&r, &opcode_table[i], SNIPPET_BASE + n * SNIPPET_SIZE,
                         *blocks + (size_t)n * SNIPPET_SIZE);
    }
}

// --- ours ----------------------------------------------------------------------------------

static void run_ours(uint8_t *blocks, unsigned count)
{
    struct bare *bare = bare_new(32);
    bare_put(bare, 0, image, sizeof image);
    bare_put(bare, SNIPPET_BASE, blocks, count * SNIPPET_SIZE);
    for (unsigned bit = 0; bit < 256; bit++) { // qemu checks none of them
        if (bit != 3 && bit != 10)
            cpu_facility_set(bare->cpu, bit, true);
    }
    if (getenv("ENDICOTT_LOG"))
        log_enable("cpu", NULL);
    bare->cpu->psw.address = 0x2010;
    assert_int_equal(cpu_run(bare->cpu, (uint64_t)count * 400 + 100000), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0xFFF);
    storage_read(bare->storage, SNIPPET_BASE, blocks, (uint64_t)count * SNIPPET_SIZE);
    bare_free(bare);
}

// --- comparison --------------------------------------------------------------------------------

static bool same_result(const uint8_t *a, const uint8_t *b)
{
    if (memcmp(a, b, 0x118) != 0 || memcmp(a + 0x118, b + 0x118, 4) != 0)
        return false;
    bool data = !(a[0x118] & 0x80) && be16_load(a + 0x11A) == 7;
    if (data && memcmp(a + 0x11C, b + 0x11C, 4) != 0)
        return false;
    return memcmp(a + SNIPPET_AREA, b + SNIPPET_AREA, 256) == 0;
}

static void show(const uint8_t *in, const uint8_t *ours, const uint8_t *theirs, uint64_t at)
{
    char text[80];
    cpu_disassemble(in + SNIPPET_CODE, at + SNIPPET_CODE, text, sizeof text);
    printf("# %s   block %llX psw %016llX\n", text, (unsigned long long)at,
           (unsigned long long)be64_load(in + 0x108));
    for (unsigned i = 0; i < 0x120; i += 8) {
        uint64_t x = be64_load(in + i), o = be64_load(ours + i), t = be64_load(theirs + i);
        if (i >= 0x80 && i < 0x100 && (in[SNIPPET_CODE + 3] & 15) == (i - 0x80) / 8 && o == t)
            printf("#   +%03X in %016llX\n", i, (unsigned long long)x);
        if (o != t)
            printf("#   +%03X in %016llX ours %016llX qemu %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)o, (unsigned long long)t);
        else if (i < 0x80 &&
                 (in[SNIPPET_CODE + 1] >> 4 == i / 8 || (in[SNIPPET_CODE + 1] & 15) == i / 8 ||
                  in[SNIPPET_CODE + 3] >> 4 == i / 8 || (in[SNIPPET_CODE + 3] & 15) == i / 8))
            printf("#   +%03X in %016llX both %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)o);
    }
    for (unsigned i = SNIPPET_AREA; i < SNIPPET_AREA + 256; i += 8) {
        if (memcmp(ours + i, theirs + i, 8) != 0)
            printf("#   +%03X in %016llX ours %016llX qemu %016llX\n", i,
                   (unsigned long long)be64_load(in + i), (unsigned long long)be64_load(ours + i),
                   (unsigned long long)be64_load(theirs + i));
    }
}

// Where qemu 7.2 is known to be wrong or the architecture leaves freedom.
static bool excused(const uint8_t *in, const uint8_t *ours, const uint8_t *theirs)
{
    const uint8_t *t = in + SNIPPET_CODE;
    const struct opcode *row = opcode_find(t);
    bool relative = row->format == FORMAT_RIL_B && (t[0] == 0xC4 || t[0] == 0xC6);
    if (relative && be16_load(ours + 0x11A) == 6)
        return true; // alignment of relative operands
    // An odd branch address is found at the fetch; qemu fetches there.
    if (row->flags & OP_BRANCH && be16_load(ours + 0x11A) == 6 && ours[0x117] & 1)
        return true;
    if (row->code == 0xEB3E && be16_load(ours + 0x11A) == 6) // CDSG: odd R3
        return true;
    // LOAD ADDRESS in the smaller modes keeps bits 0-31; qemu clears them.
    bool address = row->code == 0x4100 || row->code == 0x5100 || row->code == 0xE371 ||
                   row->code == 0xE375 || row->code == 0xC000;
    if (address && !(in[0x10B] & 1))
        return true;
    // IEEE traps: qemu keeps the old result, does not tell how it was rounded, and knows no exact
    // underflow.
    if (in[0x100] && !(ours[0x118] & 0x80) && be16_load(ours + 0x11A) == 7)
        return true;
    // Multiply and add: qemu does not prefer signalling NaNs.
    bool multiply_add = row->code == 0xB30E || row->code == 0xB30F || row->code == 0xB31E ||
                        row->code == 0xB31F || row->code == 0xED0E || row->code == 0xED0F ||
                        row->code == 0xED1E || row->code == 0xED1F;
    if (multiply_add && ours[0x101] & 0x80)
        return true;
    // Conversion of a NaN to an integer is inexact, too; not so in qemu.
    if (row->code >= 0xB398 && row->code <= 0xB3AE && ours[0x101] & 0x80)
        return true;
    // LDXBR, LEXBR: the target must be a register pair, too.
    if ((row->code == 0xB345 || row->code == 0xB346) && be16_load(ours + 0x11A) == 6)
        return true;
    // LOC, LOCG: an operand that is not wanted need not be there.
    if ((row->code == 0xEBF2 || row->code == 0xEBE2 || row->code == 0xEBE0) && ours[0x118] & 0x80)
        return true;
    // Not in qemu at all.
    return !(theirs[0x118] & 0x80) && be16_load(theirs + 0x11A) == 1;
}

static void test_against_qemu(void **state)
{
    (void)state;
    const char *seed_text = getenv("ENDICOTT_SEED"), *each_text = getenv("ENDICOTT_CASES");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : 1;
    unsigned each = each_text ? (unsigned)strtoul(each_text, NULL, 0) : 12;
    uint8_t *in, *ours, *theirs;
    unsigned count;
    put_image(seed, each, &in, &count);
    if (count > 30 * 1024) {
        printf("# too many cases for 30 MiB\n");
        fail();
    }
    size_t size = (size_t)count * SNIPPET_SIZE;
    ours = malloc(size);
    theirs = malloc(size);
    memcpy(ours, in, size);
    memcpy(theirs, in, size);
    assert_true(qemu_load_driver("snippets", image, sizeof image, count));
    run_ours(ours, count);
    assert_true(qemu_run(image, sizeof image, theirs, count * SNIPPET_SIZE));
    unsigned bad = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *a = in + (size_t)i * SNIPPET_SIZE;
        const uint8_t *o = ours + (size_t)i * SNIPPET_SIZE, *t = theirs + (size_t)i * SNIPPET_SIZE;
        if (same_result(o, t) || excused(a, o, t))
            continue;
        if (bad++ < 300)
            show(a, o, t, SNIPPET_BASE + i * SNIPPET_SIZE);
    }
    printf("# seed %llu: %u cases, %u differences\n", (unsigned long long)seed, count, bad);
    free(in);
    free(ours);
    free(theirs);
    assert_int_equal(bad, 0);
}

int main(void)
{
    if (tool_missing(QEMU))
        return 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_qemu)};
    return cmocka_run_group_tests_name("instructions against qemu", tests, NULL, NULL);
}
