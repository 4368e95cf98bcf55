// SPDX-License-Identifier: MIT
// Floating point by the host's arithmetic against the full computation: with the inexact flag on,
// instructions may go the short way; with it off they go the long one. Results, condition codes and
// all other flags must be the same.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#include "cpu/bfp.h"

#define INEXACT 0x00080000u

static const uint64_t edges[] = {
    0,
    UINT64_C(0x8000000000000000),
    UINT64_C(0x0000000000000001),
    UINT64_C(0x800FFFFFFFFFFFFF),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x0010000000000001),
    UINT64_C(0x001FFFFFFFFFFFFF),
    UINT64_C(0x0020000000000000),
    UINT64_C(0x3FEFFFFFFFFFFFFF),
    UINT64_C(0x3FF0000000000000),
    UINT64_C(0x3FF0000000000001),
    UINT64_C(0xBFF0000000000000),
    UINT64_C(0x4000000000000000),
    UINT64_C(0x4008000000000000),
    UINT64_C(0x41DFFFFFFFC00000),
    UINT64_C(0x41E0000000000000),
    UINT64_C(0xC1E0000000000000),
    UINT64_C(0xC1E0000000200000),
    UINT64_C(0x43DFFFFFFFFFFFFF),
    UINT64_C(0x43E0000000000000),
    UINT64_C(0x7FDFFFFFFFFFFFFF),
    UINT64_C(0x7FEFFFFFFFFFFFFF),
    UINT64_C(0xFFEFFFFFFFFFFFFF),
    UINT64_C(0x7FF0000000000000),
    UINT64_C(0xFFF0000000000000),
    UINT64_C(0x7FF8000000000000),
    UINT64_C(0x7FF0000000000001),
    UINT64_C(0xFFF8000000000123),
    UINT64_C(0x380FFFFFFFFFFFFF),
    UINT64_C(0x3810000000000000),
    UINT64_C(0x47EFFFFFEFFFFFFF),
    UINT64_C(0x47EFFFFFF0000000),
    UINT64_C(0x3FD5555555555555),
    // The left half alone is a short number.
    UINT64_C(0x0000000100000000),
    UINT64_C(0x0080000000000000),
    UINT64_C(0x00FFFFFF00000000),
    UINT64_C(0x0100000000000000),
    UINT64_C(0x3F80000000000000),
    UINT64_C(0x3F80000100000000),
    UINT64_C(0x7F7FFFFF00000000),
    UINT64_C(0x7F80000000000000),
    UINT64_C(0x7F80000100000000),
    UINT64_C(0x7FC0000000000000),
    UINT64_C(0xBF80000000000000),
    UINT64_C(0x4B800000DEADBEEF),
};
#define EDGES (sizeof edges / sizeof edges[0])

// R1 is FPR 1, R2 FPR 2 (or GR 2), R3 FPR 3, the storage operand is at X'4000'.
static const struct {
    const char *name, *text;
} instructions[] = {
    {"AEBR", "B30A 0012"},      {"AEB", "ED10 4000 000A"},  {"ADBR", "B31A 0012"},
    {"ADB", "ED10 4000 001A"},  {"SEBR", "B30B 0012"},      {"SEB", "ED10 4000 000B"},
    {"SDBR", "B31B 0012"},      {"SDB", "ED10 4000 001B"},  {"MEEBR", "B317 0012"},
    {"MEEB", "ED10 4000 0017"}, {"MDBR", "B31C 0012"},      {"MDB", "ED10 4000 001C"},
    {"DEBR", "B30D 0012"},      {"DEB", "ED10 4000 000D"},  {"DDBR", "B31D 0012"},
    {"DDB", "ED10 4000 001D"},  {"SQEBR", "B314 0012"},     {"SQEB", "ED10 4000 0014"},
    {"SQDBR", "B315 0012"},     {"SQDB", "ED10 4000 0015"}, {"MAEBR", "B30E 1032"},
    {"MSEBR", "B30F 1032"},     {"MADBR", "B31E 1032"},     {"MSDBR", "B31F 1032"},
    {"MAEB", "ED30 4000 100E"}, {"MSEB", "ED30 4000 100F"}, {"MADB", "ED30 4000 101E"},
    {"MSDB", "ED30 4000 101F"}, {"LEDBR", "B344 0012"},     {"CFDBR", "B399 5012"},
    {"CGDBR", "B3A9 5012"},
};

struct outcome {
    uint64_t f1, g1;
    uint32_t fpc;
    unsigned cc; // kept by the IPM behind the instruction
};

static struct outcome compute(struct bare *bare, uint64_t a, uint64_t b, uint64_t c, uint32_t fpc)
{
    struct cpu *cpu = bare->cpu;
    cpu->psw.address = CODE;
    cpu->psw.wait = false;
    cpu->psw.cc = 0;
    cpu->cr[0] |= 0x40000;
    cpu->fpc = fpc;
    cpu->vr[1].high = a;
    cpu->vr[2].high = b;
    cpu->vr[3].high = c;
    cpu->gr[4] = 0x4000;
    cpu->gr[1] = 0;
    bare_put64(bare, 0x4000, b);
    rig_run(bare);
    assert_int_equal(cpu->psw.address, 0x600D);
    return (struct outcome){cpu->vr[1].high, cpu->gr[1], cpu->fpc,
                            (unsigned)(cpu->gr[0] >> 28) & 3};
}

static void same(struct bare *bare, const char *name, uint64_t a, uint64_t b, uint64_t c)
{
    struct outcome fast = compute(bare, a, b, c, INEXACT), full = compute(bare, a, b, c, 0);
    full.fpc |= INEXACT;
    if (fast.f1 != full.f1 || fast.fpc != full.fpc || fast.g1 != full.g1 || fast.cc != full.cc) {
        print_error("%s %016llX %016llX %016llX: %016llX %08X, in full %016llX %08X\n", name,
                    (unsigned long long)a, (unsigned long long)b, (unsigned long long)c,
                    (unsigned long long)fast.f1, fast.fpc, (unsigned long long)full.f1, full.fpc);
        fail();
    }
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state >> 33 ^ *state;
    // Half of them of a size that meets others.
    return *state >> 62 & 1 ? x
                            : (x & UINT64_C(0x800FFFFFFFFFFFFF)) | (1000 + (x >> 40) % 60) << 52;
}

static void test_arithmetic(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        char code[64];
        snprintf(code, sizeof code, "%s B222 0000", instructions[i].text); // IPM 0
        struct bare *bare = rig_new(code);
        for (unsigned a = 0; a < EDGES; a++)
            for (unsigned b = 0; b < EDGES; b++)
                same(bare, instructions[i].name, edges[a], edges[b], edges[(a * 7 + b) % EDGES]);
        for (unsigned n = 0; n < 500; n++) {
            uint64_t a = random_bits(&seed), b = random_bits(&seed);
            same(bare, instructions[i].name, a, b, random_bits(&seed));
        }
        bare_free(bare);
    }
}

// Comparisons go the short way whatever the FPC holds; the full one is asked directly.
static void test_comparison(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const struct bfp_format *format;
        bool signal;
    } compares[] = {
        {"B309 0012", &bfp_short, false},      {"B319 0012", &bfp_long, false},
        {"ED10 4000 0009", &bfp_short, false}, {"ED10 4000 0019", &bfp_long, false},
        {"B308 0012", &bfp_short, true},       {"B318 0012", &bfp_long, true},
        {"ED10 4000 0008", &bfp_short, true},  {"ED10 4000 0018", &bfp_long, true},
    };
    for (unsigned i = 0; i < sizeof compares / sizeof compares[0]; i++) {
        char code[64];
        snprintf(code, sizeof code, "%s B222 0000", compares[i].text);
        struct bare *bare = rig_new(code);
        const struct bfp_format *f = compares[i].format;
        unsigned shift = f == &bfp_short ? 32 : 0;
        for (unsigned n = 0; n < EDGES * EDGES; n++) {
            uint64_t a = edges[n / EDGES], b = edges[n % EDGES];
            struct bfp_context c = {0};
            unsigned cc = bfp_compare(&c, bfp_unpack(f, a >> shift), bfp_unpack(f, b >> shift),
                                      compares[i].signal);
            struct outcome o = compute(bare, a, b, 0, 0);
            assert_int_equal(o.cc, cc);
            assert_int_equal(o.fpc, (uint32_t)c.raised << 16);
        }
        bare_free(bare);
    }
}

// Without AFP-register control they are data exceptions with the code for that.
static void test_afp(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        struct bare *bare = rig_new(instructions[i].text);
        bare->cpu->cr[0] &= ~UINT64_C(0x40000);
        bare->cpu->gr[4] = 0x4000;
        assert_int_equal(rig_fault(bare), 7);
        assert_int_equal(bare_get32(bare, 0x90), 2);
        bare_free(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_afp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
