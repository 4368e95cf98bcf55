// SPDX-License-Identifier: MIT
// Decimal floating point against the host compiler's library: arithmetic, comparison, conversions
// between formats, to and from integers, and to and from binary floating point (PFPO), in the five
// rounding modes that both have. Values, their quanta, and flags.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/dfp_rig.h"

#if defined(__GNUC__) && !defined(__clang__)

#include "cpu/host_decimal.h"

static struct bare *rig;
static struct random seed = {4711};
static unsigned bad;

static void complain(const char *code, int mode, uint128 a, uint128 b, uint128 got, uint128 want,
                     unsigned flags)
{
    if (bad++ >= 12)
        return;
    printf("# %s mode %d %016llX%016llX %016llX%016llX: got %016llX%016llX fpc %08X want "
           "%016llX%016llX flags %02X\n",
           code, mode, (unsigned long long)(a >> 64), (unsigned long long)a,
           (unsigned long long)(b >> 64), (unsigned long long)b, (unsigned long long)(got >> 64),
           (unsigned long long)got, rig->cpu->fpc, (unsigned long long)(want >> 64),
           (unsigned long long)want, flags);
}

// A finite number; exponents around `middle`, or anywhere.
static uint128 random_decimal(const struct paper_format *f, int middle)
{
    static struct paper x;
    memset(&x, 0, sizeof x);
    int lowest = -f->bias, highest = f->largest - f->bias;
    unsigned n = random_below(&seed, (unsigned)f->digits + 1), style = random_below(&seed, 4);
    x.negative = random_below(&seed, 2);
    for (unsigned i = 0; i < n; i++)
        x.digit[i] = (uint8_t)(style == 0   ? 9
                               : style == 1 ? 5 * random_below(&seed, 2)
                                            : random_below(&seed, 10));
    x.exponent = random_below(&seed, 4)
                     ? middle + (int)random_below(&seed, 50) - 25
                     : lowest + (int)random_below(&seed, (unsigned)f->largest + 1);
    if (x.exponent < lowest)
        x.exponent = lowest;
    if (x.exponent > highest)
        x.exponent = highest;
    return paper_pack(f, &x);
}

static unsigned flags_now(void)
{
    return rig->cpu->fpc >> 16 & 0xF8; // without the quantum exception
}

// --- arithmetic ---------------------------------------------------------------------------------

#define ARITHMETIC(name, type, format, codes)                                                  \
    static void name(void **state)                                                             \
    {                                                                                          \
        (void)state;                                                                           \
        static const char *const code[] = codes;                                               \
        bad = 0;                                                                               \
        for (unsigned i = 0; i < 20000; i++) {                                                 \
            int mode = (int)random_below(&seed, 5);                                            \
            uint128 a = random_decimal(&format, 0);                                            \
            uint128 b = random_decimal(&format, random_below(&seed, 2) ? 0 : format.bias / 2); \
            volatile host_##type x = host_get_##type(a), y = host_get_##type(b), r;            \
            host_mode(mode);                                                                   \
            r = i % 4 == 0 ? x + y : i % 4 == 1 ? x - y : i % 4 == 2 ? x * y : x / y;          \
            unsigned raised = host_raised();                                                   \
            dfp_rig_set(rig, format.width, 0, a);                                              \
            dfp_rig_set(rig, format.width, 1, b);                                              \
            dfp_rig_run(rig, code[i % 4], (uint32_t)mode << 4);                                \
            uint128 got = dfp_rig_get(rig, format.width, 4), want = host_put_##type(r);        \
            if (got != want || flags_now() != raised)                                          \
                complain(code[i % 4], mode, a, b, got, want, raised);                          \
        }                                                                                      \
        assert_int_equal(bad, 0);                                                              \
    }
#define LONG_CODES                                     \
    {                                                  \
        "B3D21040", "B3D31040", "B3D01040", "B3D11040" \
    }
#define EXTENDED_CODES                                 \
    {                                                  \
        "B3DA1040", "B3DB1040", "B3D81040", "B3D91040" \
    }
ARITHMETIC(test_long, long, paper_long, LONG_CODES)
ARITHMETIC(test_extended, extended, paper_extended, EXTENDED_CODES)

static void test_compare(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 20000; i++) {
        uint128 a = random_decimal(&paper_long, 0), b = random_decimal(&paper_long, 0);
        host_long x = host_get_long(a), y = host_get_long(b);
        dfp_rig_set(rig, 64, 0, a);
        dfp_rig_set(rig, 64, 1, b);
        dfp_rig_run(rig, "B3E40001", 0);
        unsigned want = x < y ? 1 : x > y ? 2 : 0;
        if (dfp_rig_cc(rig) != want)
            complain("CDTR", 0, a, b, dfp_rig_cc(rig), want, 0);
    }
    assert_int_equal(bad, 0);
}

// --- conversions --------------------------------------------------------------------------------

// The library's narrowing looks for underflow after rounding, the architecture before.
static bool same_flags(uint128 result, uint128 smallest, unsigned raised)
{
    bool edge = (result & ~((uint128)1 << (smallest >> 32 ? 63 : 31))) == smallest;
    return ((flags_now() ^ raised) & ~(edge ? 0x10u : 0)) == 0;
}

static void test_shorter(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 20000; i++) {
        int mode = (int)random_below(&seed, 5);
        uint128 a = random_decimal(&paper_long, i % 2 ? -90 : 80);
        host_mode(mode);
        uint128 want = host_put_short((host_short)host_get_long(a));
        unsigned raised = host_raised();
        dfp_rig_set(rig, 64, 0, a);
        dfp_rig_run(rig, "B3D50010", (uint32_t)mode << 4);
        uint128 got = dfp_rig_get(rig, 32, 1);
        if (got != want || !same_flags(got, 0x04000000, raised))
            complain("LEDTR", mode, a, 0, got, want, raised);
        a = random_decimal(&paper_extended, i % 2 ? -390 : 360);
        host_mode(mode);
        want = host_put_long((host_long)host_get_extended(a));
        raised = host_raised();
        dfp_rig_set(rig, 128, 4, a);
        dfp_rig_run(rig, "B3DD0014", (uint32_t)mode << 4);
        got = dfp_rig_get(rig, 64, 1);
        if (got != want || !same_flags(got, UINT64_C(0x0400000000000000), raised))
            complain("LDXTR", mode, a, 0, got, want, raised);
    }
    assert_int_equal(bad, 0);
}

static void test_longer(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 5000; i++) {
        uint128 a = random_decimal(&paper_short, 0), want = host_put_long(host_get_short(a));
        dfp_rig_set(rig, 32, 0, a);
        dfp_rig_run(rig, "B3D40010", 0);
        uint128 got = dfp_rig_get(rig, 64, 1);
        if (got != want)
            complain("LDETR", 0, a, 0, got, want, 0);
        a = random_decimal(&paper_long, 0);
        want = host_put_extended(host_get_long(a));
        dfp_rig_set(rig, 64, 0, a);
        dfp_rig_run(rig, "B3DC0010", 0);
        got = dfp_rig_get(rig, 128, 1);
        if (got != want)
            complain("LXDTR", 0, a, 0, got, want, 0);
    }
    assert_int_equal(bad, 0);
}

static void test_integers(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 20000; i++) {
        int mode = (int)random_below(&seed, 5);
        uint64_t n = random64(&seed) >> random_below(&seed, 64);
        bool is_signed = i % 2;
        host_mode(mode);
        uint128 want =
            is_signed ? host_put_long((host_long)(int64_t)n) : host_put_long((host_long)n);
        unsigned raised = host_raised();
        rig->cpu->gr[2] = n;
        dfp_rig_run(rig, is_signed ? "B3F10012" : "B9520012", (uint32_t)mode << 4);
        uint128 got = dfp_rig_get(rig, 64, 1);
        if (got != want || flags_now() != raised)
            complain("CDGTR, CDLGTR", mode, n, 0, got, want, raised);
        // Back, truncating: what the language does.
        uint128 a = random_decimal(&paper_extended, -20);
        host_extended x = host_get_extended(a), top = (host_extended)0x1p63;
        bool fits = x > -top - 1 && x < top;
        dfp_rig_set(rig, 128, 4, a);
        dfp_rig_run(rig, "B3E99024", 0);
        uint64_t back = fits ? (uint64_t)(int64_t)x : x < 0 ? 1ull << 63 : ~0ull >> 1;
        if (rig->cpu->gr[2] != back || (dfp_rig_cc(rig) == 3) == fits)
            complain("CGXTR", 1, a, 0, rig->cpu->gr[2], back, 0);
    }
    assert_int_equal(bad, 0);
}

// --- binary floating point ----------------------------------------------------------------------

static uint128 bits_of(const void *value, size_t n)
{
    uint128 bits = 0;
    memcpy(&bits, value, n);
    return bits;
}

// FPR 4 to FPR 0; `kinds`: target and source format. An exact decimal result has the quantum that
// is next to one.
static uint128 convert(unsigned kinds, int mode, uint128 from, int from_width, int to_width)
{
    bool decimal = kinds >> 8 >= 8;
    rig->cpu->gr[0] = 0x01000008u | kinds << 8 | (decimal ? 0x10u : 0) | (unsigned)mode;
    rig->cpu->gr[1] = 0x1234567800000001;
    dfp_rig_set(rig, from_width, 4, from);
    dfp_rig_run(rig, "010A", 0);
    return dfp_rig_get(rig, to_width, 0);
}

#define TO_BINARY(kinds, decimal, format, binary, size, middle)                                  \
    do {                                                                                         \
        uint128 a = random_decimal(&format, middle);                                             \
        host_mode(mode);                                                                         \
        binary r = (binary)host_get_##decimal(a);                                                \
        unsigned raised = host_raised();                                                         \
        uint128 want = bits_of(&r, sizeof r), got = convert(kinds, mode, a, format.width, size); \
        unsigned cc = raised != 0;                                                               \
        if (got != want || flags_now() != raised || dfp_rig_cc(rig) != cc ||                     \
            rig->cpu->gr[1] != 0x1234567800000000)                                               \
            complain(#kinds, mode, a, 0, got, want, raised);                                     \
    } while (0)

static void test_to_binary(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 2000; i++) {
        int mode = (int)random_below(&seed, 5);
        TO_BINARY(0x0508, short, paper_short, float, 32, i % 2 ? 30 : -40);
        TO_BINARY(0x0608, short, paper_short, double, 64, 0);
        TO_BINARY(0x0509, long, paper_long, float, 32, i % 2 ? 22 : -50);
        TO_BINARY(0x0609, long, paper_long, double, 64, i % 2 ? 290 : -330);
        TO_BINARY(0x0709, long, paper_long, host_quad, 128, 0);
        TO_BINARY(0x060A, extended, paper_extended, double, 64, i % 2 ? 270 : -340);
        TO_BINARY(0x070A, extended, paper_extended, host_quad, 128, i % 2 ? 4900 : -4970);
    }
    assert_int_equal(bad, 0);
}

#define TO_DECIMAL(kinds, binary, size, decimal, format, cut)         \
    do {                                                              \
        uint128 a = (uint128)random64(&seed) << 64 | random64(&seed); \
        a = cut;                                                      \
        binary x;                                                     \
        memcpy(&x, &a, sizeof x);                                     \
        host_mode(mode);                                              \
        uint128 want = host_put_##decimal((host_##decimal)x);         \
        unsigned raised = host_raised();                              \
        uint128 got = convert(kinds, mode, a, size, format.width);    \
        if (got != want || flags_now() != raised)                     \
            complain(#kinds, mode, a, 0, got, want, raised);          \
    } while (0)

static void test_to_decimal(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 2000; i++) {
        int mode = (int)random_below(&seed, 5);
        // No NaNs; half of them short fractions near one, which are exact.
        bool easy = i % 2;
        TO_DECIMAL(0x0805, float, 32, short, paper_short,
                   easy ? 0x3F000000 | (a & 0xFFF000) : a & 0xBFFFFFFF);
        TO_DECIMAL(0x0905, float, 32, long, paper_long, a & 0xBFFFFFFF);
        TO_DECIMAL(0x0806, double, 64, short, paper_short, a & 0xBFFFFFFFFFFFFFFF);
        TO_DECIMAL(0x0906, double, 64, long, paper_long,
                   easy ? 0x3FD0000000000000 | (a & 0x7FF80000000000) : a & 0xBFFFFFFFFFFFFFFF);
        TO_DECIMAL(0x0A06, double, 64, extended, paper_extended, a & 0xBFFFFFFFFFFFFFFF);
        TO_DECIMAL(0x0907, host_quad, 128, long, paper_long,
                   (a & ~((uint128)0x7FFF << 112)) | (uint128)(0x3800 + (a >> 117 & 0xFFF)) << 112);
        TO_DECIMAL(0x0A07, host_quad, 128, extended, paper_extended, a & ~((uint128)1 << 126));
        TO_DECIMAL(0x0A07, host_quad, 128, extended, paper_extended, a & ~((uint128)0x3FF << 116));
    }
    assert_int_equal(bad, 0);
}

static int start(void **state)
{
    (void)state;
    rig = rig_new("");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    bare_free(rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long),      cmocka_unit_test(test_extended),
        cmocka_unit_test(test_compare),   cmocka_unit_test(test_shorter),
        cmocka_unit_test(test_longer),    cmocka_unit_test(test_integers),
        cmocka_unit_test(test_to_binary), cmocka_unit_test(test_to_decimal),
    };
    return cmocka_run_group_tests_name("decimal floating point and the host", tests, start, stop);
}

#else

static void test_no_host(void **state)
{
    (void)state;
    skip(); // this compiler has no decimal floating point
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_host)};
    return cmocka_run_group_tests_name("decimal floating point and the host", tests, NULL, NULL);
}

#endif
