// SPDX-License-Identifier: MIT
// Hexadecimal floating point: known results, one line a case, and random operands against a second
// arithmetic that works on arrays of hexadecimal digits, as one does it on paper.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"
#include "cpu/snippets.h"

static struct bare *rig;

// Puts one instruction in place and runs it, with the program mask in `mask`.
static unsigned run(const char *code, unsigned mask)
{
    rig_hex(rig, rig_hex(rig, CODE, code), "B222 00F0 B2B2 0E00"); // IPM keeps the condition code
    rig->cpu->psw =
        (struct psw){.address = CODE, .ea = true, .ba = true, .mask = (uint8_t)mask, .cc = 3};
    rig->cpu->instructions = 0;
    cpu_state_changed(rig->cpu);
    unsigned fault = rig_fault(rig);
    return fault;
}

// The condition code when the instruction was over: of the old PSW, or as it went on to the end.
static unsigned cc_now(void)
{
    return rig->cpu->psw.address == 0xBAD ? bare_get32(rig, 0x150) >> 12 & 3
                                          : (unsigned)rig->cpu->gr[15] >> 28 & 3;
}

// --- known results ------------------------------------------------------------------------------

// FPR 0 and 2, 4 and 6 before; 0 and 2 after. cc 3 is what was there before.
struct hfp_case {
    const char *code;
    uint64_t f0, f2, f4, f6, r0, r2;
    unsigned mask, cc, fault;
};
#define C(x) UINT64_C(0x##x)

static const struct hfp_case cases[] = {
    // ADR: 1 + 1; the guard digit; carry; zero with and without significance
    {"2A04", C(4110000000000000), 0, C(4110000000000000), 0, C(4120000000000000), 0, 0, 2, 0},
    {"2B04", C(4110000000000000), 0, C(40FFFFFFFFFFFFFF), 0, C(3310000000000000), 0, 0, 2, 0},
    {"2A04", C(41F0000000000000), 0, C(4110000000000000), 0, C(4210000000000000), 0, 0, 2, 0},
    {"2B04", C(4512345600000000), 0, C(4512345600000000), 0, 0, 0, 0, 0, 0},
    {"2B04", C(4512345600000000), 0, C(4512345600000000), 0, C(4500000000000000), 0, 1, 0, 0xE},
    {"2A04", C(7FFFFFFFFFFFFFFF), 0, C(7FFFFFFFFFFFFFFF), 0, C(001FFFFFFFFFFFFF), 0, 0, 2, 0xC},
    {"2A04", C(FFFFFFFFFFFFFFFF), 0, C(FFFFFFFFFFFFFFFF), 0, C(801FFFFFFFFFFFFF), 0, 0, 1, 0xC},
    // underflow: true zero, or the characteristic 128 larger
    {"2B04", C(0010000000000001), 0, C(0010000000000000), 0, 0, 0, 0, 0, 0},
    {"2B04", C(0010000000000001), 0, C(0010000000000000), 0, C(7310000000000000), 0, 2, 2, 0xD},
    // AER leaves the right half alone; AUR, AWR do not normalize
    {"3A04", C(41100000DEADBEEF), 0, C(C120000099999999), 0, C(C1100000DEADBEEF), 0, 0, 1, 0},
    {"3E04", C(4110000000000000), 0, C(C10FFFFF00000000), 0, C(4100000100000000), 0, 0, 2, 0},
    {"2E04", C(4110000000000000), 0, C(C10FFFFFFFFFFFFF), 0, C(4100000000000001), 0, 0, 2, 0},
    {"2F04", C(4100000000000001), 0, C(4100000000000001), 0, C(4100000000000000), 0, 1, 0, 0xE},
    {"3F04", C(4110000000000000), 0, C(40FFFFFF00000000), 0, 0, 0, 0, 0, 0}, // guard digit only
    // AXR: a 28-digit sum, low-order characteristic 14 less
    {"3604", C(4110000000000000), 0, C(4110000000000000), C(3300000000000001), C(4120000000000000),
     C(3300000000000001), 0, 2, 0},
    {"3704", C(4110000000000000), C(3300000000000000), C(4110000000000000), C(3300000000000000), 0,
     0, 0, 0, 0},
    {"3704", C(0210000000000000), 0, C(0210000000000000), 0, C(0200000000000000),
     C(7400000000000000), 1, 0, 0xE},
    // compare
    {"2904", C(4110000000000000), 0, C(4201000000000000), 0, C(4110000000000000), 0, 0, 0, 0},
    {"3904", C(C110000000000000), 0, C(4110000000000000), 0, C(C110000000000000), 0, 0, 1, 0},
    {"2904", C(8000000000000000), 0, C(4500000000000000), 0, C(8000000000000000), 0, 0, 0, 0},
    // multiply: MDER, MEER, MDR, MXDR; zero; overflow; underflow
    {"3C04", C(4130000000000000), 0, C(C150000000000000), 0, C(C1F0000000000000), 0, 0, 3, 0},
    {"3C04", C(41FFFFFF00000000), 0, C(41FFFFFF00000000), 0, C(42FFFFFE00000100), 0, 0, 3, 0},
    {"B3370004", C(41FFFFFF11111111), 0, C(41FFFFFF00000000), 0, C(42FFFFFE11111111), 0, 0, 3, 0},
    {"2C04", C(4120000000000000), 0, C(4080000000000000), 0, C(4110000000000000), 0, 0, 3, 0},
    {"2704", C(4010000000000001), 0, C(4010000000000001), 0, C(3F10000000000002),
     C(3100000000000010), 0, 3, 0},
    {"2C04", C(7F10000000000000), 0, C(FF00000000000000), 0, 0, 0, 0, 3, 0},
    {"2C04", C(7F10000000000000), 0, C(4210000000000000), 0, C(0010000000000000), 0, 0, 3, 0xC},
    {"2C04", C(0010000000000000), 0, C(4010000000000000), 0, 0, 0, 0, 3, 0},
    {"2C04", C(0010000000000000), 0, C(4010000000000000), 0, C(7F10000000000000), 0, 2, 3, 0xD},
    // divide
    {"2D04", C(4110000000000000), 0, C(4130000000000000), 0, C(4055555555555555), 0, 0, 3, 0},
    {"3D04", C(4110000077777777), 0, C(C130000000000000), 0, C(C055555577777777), 0, 0, 3, 0},
    {"B22D0004", C(4110000000000000), 0, C(4130000000000000), 0, C(4055555555555555),
     C(3255555555555555), 0, 3, 0},
    {"2D04", C(4110000000000000), 0, C(4100000000000000), 0, C(4110000000000000), 0, 0, 3, 0xF},
    {"2D04", 0, 0, C(8110000000000000), 0, 0, 0, 0, 3, 0},
    // square roots of 2, 16, -4, -0
    {"B2440004", 0, 0, C(4120000000000000), 0, C(4116A09E667F3BCD), 0, 0, 3, 0},
    {"B2450004", 0, 0, C(4210000000000000), 0, C(4140000000000000), 0, 0, 3, 0},
    {"B3360004", 0, 0, C(4120000000000000), 0, C(4116A09E667F3BCC), C(33908B2FB1366EA9), 0, 3, 0},
    {"B2440004", C(4110000000000000), 0, C(C140000000000000), 0, C(4110000000000000), 0, 0, 3,
     0x1D},
    {"B2440004", C(4110000000000000), 0, C(C100000000000000), 0, 0, 0, 0, 3, 0},
    // halve
    {"2404", 0, 0, C(4110000000000000), 0, C(4080000000000000), 0, 0, 3, 0},
    {"3404", C(0000000012345678), 0, C(C100000100000000), 0, C(BB80000012345678), 0, 0, 3, 0},
    // signs
    {"2004", 0, 0, C(C100000000000000), 0, C(4100000000000000), 0, 0, 0, 0},
    {"2104", 0, 0, C(4110000000000000), 0, C(C110000000000000), 0, 0, 1, 0},
    {"3204", C(0000000012345678), 0, C(C111111100000000), 0, C(C111111112345678), 0, 0, 1, 0},
    {"2304", 0, 0, C(C110000000000000), 0, C(4110000000000000), 0, 0, 2, 0},
    {"B3620004", 0, 0, C(4110000000000000), C(0100000000000005), C(4110000000000000),
     C(3300000000000005), 0, 2, 0},
    {"B3630004", 0, 0, C(4500000000000000), C(3700000000000000), C(8000000000000000),
     C(8000000000000000), 0, 0, 0},
    // load rounded, lengthened
    {"3504", C(0000000012345678), 0, C(41FFFFFF80000000), 0, C(4210000012345678), 0, 0, 3, 0},
    {"3504", 0, 0, C(7FFFFFFF80000000), 0, C(0010000000000000), 0, 0, 3, 0xC},
    {"2504", 0, 0, C(4112345678ABCDEF), C(3380000000000000), C(4112345678ABCDF0), 0, 0, 3, 0},
    {"B3660004", 0, 0, C(C112345677FFFFFF), C(33FFFFFFFFFFFFFF), C(C112345600000000), 0, 0, 3, 0},
    {"B3240004", C(5555555555555555), 0, C(4112345699999999), 0, C(4112345600000000), 0, 0, 3, 0},
    {"B3250004", 0, 0, C(4112345699999999), 0, C(4112345699999999), C(3300000000000000), 0, 3, 0},
    {"B3260004", 0, 0, C(C100000099999999), 0, C(8000000000000000), C(8000000000000000), 0, 3, 0},
    // integers
    {"B37F0004", 0, 0, C(C11FFFFFFFFFFFFF), 0, C(C110000000000000), 0, 0, 3, 0},
    {"B37F0004", 0, 0, C(C0FFFFFFFFFFFFFF), 0, 0, 0, 0, 3, 0},
    // multiply and add: all digits of the product count
    {"B33E0044", C(C110000000000000), 0, C(4110000000000001), 0, C(3420000000000001), 0, 0, 3, 0},
    {"B33F0044", C(4110000000000000), 0, C(4110000000000000), 0, 0, 0, 0, 3, 0},
    {"B32E0044", C(4110000012345678), 0, C(4120000000000000), 0, C(4150000012345678), 0, 0, 3, 0},
    // unnormalized products: all, high, low; plus an addend
    {"B33B0044", 0, 0, C(4100000000000003), 0, C(4200000000000000), C(3400000000000009), 0, 3, 0},
    {"B33D0044", 0, 7, C(4110000000000000), 0, C(4201000000000000), 7, 0, 3, 0},
    {"B3390044", 0, 7, C(4100000000000003), 0, C(3400000000000009), 7, 0, 3, 0},
    {"B33A0044", C(4200000000000001), 7, C(4100000000000003), 0, C(4200000000000001),
     C(3400000000000009), 0, 3, 0},
    // binary numbers: 1.0, -0, infinity, NaN, 2^300; back: 1/16, too large for short
    {"B3590004", 0, 0, C(3FF0000000000000), 0, C(4110000000000000), 0, 0, 2, 0},
    {"B3590004", 0, 0, C(8000000000000000), 0, C(8000000000000000), 0, 0, 0, 0},
    {"B3590004", 0, 0, C(FFF0000000000000), 0, C(FFFFFFFFFFFFFFFF), 0, 0, 3, 0},
    {"B3590004", 0, 0, C(FFF8000000000000), 0, C(7FFFFFFFFFFFFFFF), 0, 0, 3, 0},
    {"B3590004", 0, 0, C(52B0000000000000), 0, C(7FFFFFFFFFFFFFFF), 0, 0, 3, 0},
    {"B3580004", 0, 0, C(C049000000000000), 0, C(C132400000000000), 0, 0, 1, 0},
    {"B3510004", 0, 0, C(4010000000000000), 0, C(3FB0000000000000), 0, 0, 2, 0},
    {"B3504004", 0, 0, C(7F10000000000000), 0, C(7F80000000000000), 0, 0, 3, 0},
    {"B3505004", 0, 0, C(FF10000000000000), 0, C(FF7FFFFF00000000), 0, 0, 3, 0},
    {"B3503004", C(1), 0, C(FF10000000000000), 0, C(1), 0, 0, 3, 6},
    // not a register pair
    {"3624", 5, 0, 0, 0, 5, 0, 0, 3, 6},
};

static void test_cases(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct hfp_case *c = &cases[i];
        struct vector_register *vr = rig->cpu->vr;
        vr[0].high = c->f0;
        vr[2].high = c->f2;
        vr[4].high = c->f4;
        vr[6].high = c->f6;
        rig->cpu->cr[0] |= 0x40000;
        unsigned fault = run(c->code, c->mask);
        if (fault == c->fault && vr[0].high == c->r0 && vr[2].high == c->r2 && cc_now() == c->cc)
            continue;
        bad++;
        printf("# %s line %u: %016llX %016llX cc %u fault %X\n", c->code, i,
               (unsigned long long)vr[0].high, (unsigned long long)vr[2].high, cc_now(), fault);
    }
    assert_int_equal(bad, 0);
}

static const struct {
    const char *code;
    uint64_t f, result;
    unsigned cc;
} to_fixed[] = {
    {"B3B91014", C(4118000000000000), 2, 2},
    {"B3B90014", C(C11FFFFFFFFFFFFF), 0xFFFFFFFF, 1},
    {"B3B94014", C(4128000000000000), 2, 2},
    {"B3B94014", C(4138000000000000), 4, 2},
    {"B3B96014", C(4010000000000000), 1, 2},
    {"B3B97014", C(B000000000000001), 0xFFFFFFFF, 1},
    {"B3B90014", C(4880000000000000), 0x7FFFFFFF, 3},
    {"B3B90014", C(C880000000000000), 0x80000000, 1},
    {"B3B90014", C(C880000000100000), 0x80000000, 1},
    {"B3B97014", C(C880000000100000), 0x80000000, 3},
    {"B3B90014", C(4500000000000000), 0, 0},
    {"B3C90014", C(5080000000000000), C(7FFFFFFFFFFFFFFF), 3},
    {"B3C90014", C(D080000000000000), C(8000000000000000), 1},
    {"B3C90014", C(7F10000000000000), C(7FFFFFFFFFFFFFFF), 3},
    {"B3C90014", C(4F123456789ABCDE), C(0123456789ABCDE0), 2},
};

static void test_fixed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof to_fixed / sizeof to_fixed[0]; i++) {
        rig->cpu->vr[4].high = to_fixed[i].f;
        rig->cpu->gr[1] = 0;
        assert_int_equal(run(to_fixed[i].code, 0), 0);
        assert_int_equal(rig->cpu->gr[1], to_fixed[i].result);
        assert_int_equal(cc_now(), to_fixed[i].cc);
    }
    rig->cpu->gr[1] = (uint64_t)-255;
    run("B3B50001", 0); // CDFR
    assert_int_equal(rig->cpu->vr[0].high, C(C2FF000000000000));
    rig->cpu->gr[1] = C(8000000000000000);
    run("B3C40001", 0); // CEGR
    assert_int_equal(rig->cpu->vr[0].high >> 32, 0xD0800000);
    rig->cpu->gr[1] = C(7FFFFFFFFFFFFFFF);
    run("B3C60001", 0); // CXGR
    assert_int_equal(rig->cpu->vr[0].high, C(507FFFFFFFFFFFFF));
    assert_int_equal(rig->cpu->vr[2].high, C(42FF000000000000));
}

static void test_registers(void **state)
{
    (void)state;
    rig->cpu->cr[0] &= ~UINT64_C(0x40000);
    assert_int_equal(run("2A01", 0), 7); // no FPR 1 without AFP-register control
    assert_int_equal(bare_get32(rig, 0x90), 1);
    assert_int_equal(run("2A02", 0), 0);
    rig->cpu->cr[0] |= 0x40000;
    assert_int_equal(run("2A01", 0), 0);
    bare_put64(rig, 0xF00, C(4130000000000000)); // storage forms
    rig->cpu->vr[0].high = C(4120000000000000);
    run("6A000F00", 0);
    assert_int_equal(rig->cpu->vr[0].high, C(4150000000000000));
    run("ED0000000035", 0); // SQD of what is at 0: true zero
    run("ED000F000035", 0);
    assert_int_equal(rig->cpu->vr[0].high, C(411BB67AE8584CAA));
    rig->cpu->vr[2].high = C(4120000000000000);
    run("ED200F00003E", 0); // MAD: f0 + f2 * 3
    assert_int_equal(rig->cpu->vr[0].high, C(417BB67AE8584CAA));
}

// --- on paper
// -------------------------------------------------------------------------------------

#define DIGITS 64

// Digits below the point, the most significant first.
struct paper {
    bool negative;
    int exponent;
    uint8_t d[DIGITS];
};

static struct paper paper(uint64_t high, uint64_t low, unsigned digits)
{
    struct paper p = {.negative = high >> 63, .exponent = high >> 56 & 127};
    for (unsigned i = 0; i < digits; i++)
        p.d[i] = (uint8_t)((i < 14 ? high >> (52 - 4 * i) : low >> (52 - 4 * (i - 14))) & 15);
    return p;
}

static bool blank(const struct paper *p)
{
    for (unsigned i = 0; i < DIGITS; i++)
        if (p->d[i])
            return false;
    return true;
}

static void shift_left(struct paper *p)
{
    memmove(p->d, p->d + 1, DIGITS - 1);
    p->d[DIGITS - 1] = 0;
    p->exponent--;
}

static void shift_right(struct paper *p, unsigned keep)
{
    memmove(p->d + 1, p->d, DIGITS - 1);
    p->d[0] = 0;
    memset(p->d + keep, 0, DIGITS - keep);
    p->exponent++;
}

static void normalize(struct paper *p)
{
    if (blank(p))
        *p = (struct paper){0};
    else
        while (p->d[0] == 0)
            shift_left(p);
}

static struct paper add_on_paper(struct paper a, struct paper b, unsigned digits)
{
    while (a.exponent < b.exponent)
        shift_right(&a, digits + 1);
    while (b.exponent < a.exponent)
        shift_right(&b, digits + 1);
    bool same = a.negative == b.negative;
    if (!same && memcmp(a.d, b.d, DIGITS) < 0) {
        struct paper t = a;
        a = b;
        b = t;
    }
    int carry = 0;
    for (unsigned i = DIGITS; i-- > 0;) {
        int v = a.d[i] + carry + (same ? b.d[i] : -b.d[i]);
        carry = v < 0 ? -1 : v > 15;
        a.d[i] = (uint8_t)(v & 15);
    }
    if (carry > 0) {
        shift_right(&a, digits + 1);
        a.d[0] = 1;
    }
    normalize(&a);
    return a;
}

static struct paper multiply_on_paper(struct paper a, struct paper b, unsigned digits)
{
    normalize(&a);
    normalize(&b);
    struct paper r = {.negative = a.negative != b.negative,
                      .exponent = a.exponent + b.exponent - 64};
    unsigned columns[DIGITS + 1] = {0};
    for (unsigned i = 0; i < digits; i++)
        for (unsigned k = 0; k < digits; k++)
            columns[i + k + 1] += a.d[i] * b.d[k];
    for (unsigned i = DIGITS; i-- > 1;)
        columns[i - 1] += columns[i] / 16;
    for (unsigned i = 0; i < DIGITS; i++)
        r.d[i] = columns[i] % 16;
    if (blank(&a) || blank(&b))
        return (struct paper){0};
    normalize(&r);
    return r;
}

// How often b goes into a, one digit of the quotient after the other.
static struct paper divide_on_paper(struct paper a, struct paper b, unsigned digits)
{
    normalize(&a);
    normalize(&b);
    struct paper r = {.negative = a.negative != b.negative,
                      .exponent = a.exponent - b.exponent + 65};
    if (blank(&a))
        return (struct paper){0};
    uint8_t rest[DIGITS + 1] = {0}, divisor[DIGITS + 1] = {0};
    memcpy(rest + 1, a.d, DIGITS);
    memcpy(divisor + 1, b.d, DIGITS);
    for (unsigned i = 0; i < digits + 1; i++) {
        while (memcmp(rest, divisor, sizeof rest) >= 0) {
            int borrow = 0;
            for (unsigned k = sizeof rest; k-- > 0;) {
                int v = rest[k] - divisor[k] - borrow;
                borrow = v < 0;
                rest[k] = (uint8_t)(v & 15);
            }
            r.d[i]++;
        }
        memmove(rest, rest + 1, DIGITS);
        rest[DIGITS] = 0;
    }
    normalize(&r);
    return r;
}

static bool matches(struct paper p, unsigned digits, bool *left_range)
{
    *left_range = p.exponent < 0 || p.exponent > 127;
    if (p.exponent < 0)
        return rig->cpu->vr[0].high >> (digits == 6 ? 32 : 0) == 0;
    p.exponent &= 127;
    memset(p.d + digits, 0, DIGITS - digits);
    struct paper got = paper(rig->cpu->vr[0].high, rig->cpu->vr[2].high, digits);
    return got.negative == p.negative && got.exponent == p.exponent &&
           memcmp(got.d, p.d, DIGITS) == 0;
}

static uint64_t random_half(struct random *r)
{
    uint64_t v = random64(r);
    if (random_below(r, 2)) // close exponents
        v = (v & C(80FFFFFFFFFFFFFF)) | (uint64_t)(0x40 + random_below(r, 6)) << 56;
    if (random_below(r, 8) == 0)
        v &= ~(UINT64_MAX >> 8 >> random_below(r, 56));
    if (random_below(r, 8) == 0)
        v |= C(00FFFFFFFFFFFF00);
    return v;
}

static const struct {
    const char *code[3]; // short, long, extended
    struct paper (*on_paper)(struct paper a, struct paper b, unsigned digits);
} operations[] = {
    {{"3A04", "2A04", "3604"}, add_on_paper},
    {{"B3370004", "2C04", "2604"}, multiply_on_paper},
    {{"3D04", "2D04", "B22D0004"}, divide_on_paper},
};

static void test_random(void **state)
{
    (void)state;
    static const unsigned digits[3] = {6, 14, 28};
    struct random r = {11};
    for (unsigned n = 0; n < 9000; n++) {
        unsigned op = n % 3, format = n / 3 % 3;
        struct vector_register *vr = rig->cpu->vr;
        uint64_t a = random_half(&r), a2 = random_half(&r), b = random_half(&r),
                 b2 = random_half(&r);
        vr[0].high = a;
        vr[2].high = a2;
        vr[4].high = b;
        vr[6].high = b2;
        struct paper pa = paper(a, a2, digits[format]), pb = paper(b, b2, digits[format]);
        if (op == 2 && blank(&pb))
            continue;
        unsigned fault = run(operations[op].code[format], 0);
        bool left;
        struct paper want = operations[op].on_paper(pa, pb, digits[format]);
        if (format == 0)
            vr[2].high = 0;
        if (!matches(want, digits[format], &left))
            fail_msg("%s %016llX %016llX, %016llX %016llX: %016llX %016llX",
                     operations[op].code[format], (unsigned long long)a, (unsigned long long)a2,
                     (unsigned long long)b, (unsigned long long)b2, (unsigned long long)vr[0].high,
                     (unsigned long long)vr[2].high);
        assert_int_equal(fault, left && want.exponent > 127 ? 0xC : 0);
    }
}

// The square of a root that is half a unit less, or more, must not reach, or pass, the operand.
static void test_roots(void **state)
{
    (void)state;
    struct random r = {5};
    for (unsigned n = 0; n < 500; n++) {
        struct vector_register *vr = rig->cpu->vr;
        vr[4].high = (random_half(&r) & ~(C(8) << 60)) | C(0010000000000000);
        struct paper x = paper(vr[4].high, 0, 14);
        assert_int_equal(run("B2440004", 0), 0);
        normalize(&x);
        for (unsigned up = 0; up < 2; up++) {
            struct paper root = paper(vr[0].high, 0, 14);
            struct paper unit = {.negative = !up, .exponent = root.exponent};
            unit.d[14] = 8;
            root = add_on_paper(root, unit, 20);
            struct paper square = multiply_on_paper(root, root, 20);
            x.negative = true;
            struct paper difference = add_on_paper(square, x, 45);
            assert_int_equal(difference.negative, !up);
        }
    }
}

static int start(void **state)
{
    (void)state;
    rig = rig_new("");
    rig->cpu->cr[0] |= 0x40000;
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
        cmocka_unit_test(test_cases),     cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_registers), cmocka_unit_test(test_random),
        cmocka_unit_test(test_roots),
    };
    return cmocka_run_group_tests_name("hexadecimal floating point", tests, start, stop);
}
