// SPDX-License-Identifier: MIT
// Every hexadecimal floating-point instruction against exact arithmetic: results, condition codes
// and interruptions, with both masks, registers and storage; conversions to and from binary numbers
// against MPFR. ENDICOTT_SEED and ENDICOTT_CASES change seed and cases for each instruction.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/bfp_reference.h"
#include "cpu/hfp_reference.h"
#include "cpu/snippets.h"

// Where the result is: FPR 0, its pair 0 and 2, GR 1, or the condition code alone.
enum work {
    ADD_,
    SUB,
    ADD_UNNORMALIZED,
    SUB_UNNORMALIZED,
    COMPARE,
    MULTIPLY,
    DIVIDE_,
    ROOT,
    HALVE,
    MULTIPLY_ADD,
    MULTIPLY_SUB,
    WHOLE,
    HIGH,
    LOW,
    ADD_WHOLE,
    ADD_HIGH,
    ADD_LOW,
    PLUS,
    MINUS,
    TEST,
    COMPLEMENT,
    SHORTEN,
    LENGTHEN,
    INTEGRAL,
    TO_32,
    TO_64,
    FROM_32,
    FROM_64,
    FROM_BINARY,
    TO_BINARY,
};

// R1 is FPR 0, R2 FPR 4, R3 FPR 8; the storage operand at 0(R4). `m` is the digit of M3.
static const struct instruction {
    const char *name, *code;
    enum work work;
    int from, to;
    bool stored;
} instructions[] = {
#define BOTH(name, rr, name_x, rx, work, from, to) \
    {name, rr, work, from, to, false},             \
    {                                              \
        name_x, rx, work, from, to, true           \
    }
#define ONE(name, code, work, from, to)   \
    {                                     \
        name, code, work, from, to, false \
    }
    // clang-format off
    BOTH("AER", "3A04", "AE", "7A004000", ADD_, SHORT, SHORT),
    BOTH("ADR", "2A04", "AD", "6A004000", ADD_, LONG, LONG),
    ONE("AXR", "3604", ADD_, EXTENDED, EXTENDED),
    BOTH("SER", "3B04", "SE", "7B004000", SUB, SHORT, SHORT),
    BOTH("SDR", "2B04", "SD", "6B004000", SUB, LONG, LONG),
    ONE("SXR", "3704", SUB, EXTENDED, EXTENDED),
    BOTH("AUR", "3E04", "AU", "7E004000", ADD_UNNORMALIZED, SHORT, SHORT),
    BOTH("AWR", "2E04", "AW", "6E004000", ADD_UNNORMALIZED, LONG, LONG),
    BOTH("SUR", "3F04", "SU", "7F004000", SUB_UNNORMALIZED, SHORT, SHORT),
    BOTH("SWR", "2F04", "SW", "6F004000", SUB_UNNORMALIZED, LONG, LONG),
    BOTH("CER", "3904", "CE", "79004000", COMPARE, SHORT, SHORT),
    BOTH("CDR", "2904", "CD", "69004000", COMPARE, LONG, LONG),
    ONE("CXR", "B3690004", COMPARE, EXTENDED, EXTENDED),
    BOTH("MEER", "B3370004", "MEE", "ED0040000037", MULTIPLY, SHORT, SHORT),
    BOTH("MDER", "3C04", "MDE", "7C004000", MULTIPLY, SHORT, LONG),
    BOTH("MDR", "2C04", "MD", "6C004000", MULTIPLY, LONG, LONG),
    BOTH("MXDR", "2704", "MXD", "67004000", MULTIPLY, LONG, EXTENDED),
    ONE("MXR", "2604", MULTIPLY, EXTENDED, EXTENDED),
    BOTH("DER", "3D04", "DE", "7D004000", DIVIDE_, SHORT, SHORT),
    BOTH("DDR", "2D04", "DD", "6D004000", DIVIDE_, LONG, LONG),
    ONE("DXR", "B22D0004", DIVIDE_, EXTENDED, EXTENDED),
    BOTH("SQER", "B2450004", "SQE", "ED0040000034", ROOT, SHORT, SHORT),
    BOTH("SQDR", "B2440004", "SQD", "ED0040000035", ROOT, LONG, LONG),
    ONE("SQXR", "B3360004", ROOT, EXTENDED, EXTENDED),
    ONE("HER", "3404", HALVE, SHORT, SHORT),
    ONE("HDR", "2404", HALVE, LONG, LONG),
    BOTH("MAER", "B32E0084", "MAE", "ED804000002E", MULTIPLY_ADD, SHORT, SHORT),
    BOTH("MADR", "B33E0084", "MAD", "ED804000003E", MULTIPLY_ADD, LONG, LONG),
    BOTH("MSER", "B32F0084", "MSE", "ED804000002F", MULTIPLY_SUB, SHORT, SHORT),
    BOTH("MSDR", "B33F0084", "MSD", "ED804000003F", MULTIPLY_SUB, LONG, LONG),
    BOTH("MYR", "B33B0084", "MY", "ED804000003B", WHOLE, LONG, EXTENDED),
    BOTH("MYHR", "B33D0084", "MYH", "ED804000003D", HIGH, LONG, LONG),
    BOTH("MYLR", "B3390084", "MYL", "ED8040000039", LOW, LONG, LONG),
    BOTH("MAYR", "B33A0084", "MAY", "ED804000003A", ADD_WHOLE, LONG, EXTENDED),
    BOTH("MAYHR", "B33C0084", "MAYH", "ED804000003C", ADD_HIGH, LONG, LONG),
    BOTH("MAYLR", "B3380084", "MAYL", "ED8040000038", ADD_LOW, LONG, LONG),
    ONE("LPER", "3004", PLUS, SHORT, SHORT),
    ONE("LPDR", "2004", PLUS, LONG, LONG),
    ONE("LPXR", "B3600004", PLUS, EXTENDED, EXTENDED),
    ONE("LNER", "3104", MINUS, SHORT, SHORT),
    ONE("LNDR", "2104", MINUS, LONG, LONG),
    ONE("LNXR", "B3610004", MINUS, EXTENDED, EXTENDED),
    ONE("LTER", "3204", TEST, SHORT, SHORT),
    ONE("LTDR", "2204", TEST, LONG, LONG),
    ONE("LTXR", "B3620004", TEST, EXTENDED, EXTENDED),
    ONE("LCER", "3304", COMPLEMENT, SHORT, SHORT),
    ONE("LCDR", "2304", COMPLEMENT, LONG, LONG),
    ONE("LCXR", "B3630004", COMPLEMENT, EXTENDED, EXTENDED),
    ONE("LEDR", "3504", SHORTEN, LONG, SHORT),
    ONE("LDXR", "2504", SHORTEN, EXTENDED, LONG),
    ONE("LEXR", "B3660004", SHORTEN, EXTENDED, SHORT),
    BOTH("LDER", "B3240004", "LDE", "ED0040000024", LENGTHEN, SHORT, LONG),
    BOTH("LXDR", "B3250004", "LXD", "ED0040000025", LENGTHEN, LONG, EXTENDED),
    BOTH("LXER", "B3260004", "LXE", "ED0040000026", LENGTHEN, SHORT, EXTENDED),
    ONE("FIER", "B3770004", INTEGRAL, SHORT, SHORT),
    ONE("FIDR", "B37F0004", INTEGRAL, LONG, LONG),
    ONE("FIXR", "B3670004", INTEGRAL, EXTENDED, EXTENDED),
    ONE("CFER", "B3B8m014", TO_32, SHORT, 0),
    ONE("CFDR", "B3B9m014", TO_32, LONG, 0),
    ONE("CFXR", "B3BAm014", TO_32, EXTENDED, 0),
    ONE("CGER", "B3C8m014", TO_64, SHORT, 0),
    ONE("CGDR", "B3C9m014", TO_64, LONG, 0),
    ONE("CGXR", "B3CAm014", TO_64, EXTENDED, 0),
    ONE("CEFR", "B3B40001", FROM_32, 0, SHORT),
    ONE("CDFR", "B3B50001", FROM_32, 0, LONG),
    ONE("CXFR", "B3B60001", FROM_32, 0, EXTENDED),
    ONE("CEGR", "B3C40001", FROM_64, 0, SHORT),
    ONE("CDGR", "B3C50001", FROM_64, 0, LONG),
    ONE("CXGR", "B3C60001", FROM_64, 0, EXTENDED),
    ONE("THDER", "B3580004", FROM_BINARY, SHORT, LONG),
    ONE("THDR", "B3590004", FROM_BINARY, LONG, LONG),
    ONE("TBEDR", "B350m004", TO_BINARY, LONG, SHORT),
    ONE("TBDR", "B351m004", TO_BINARY, LONG, LONG),
    // clang-format on
};
#define INSTRUCTIONS (sizeof instructions / sizeof instructions[0])

struct operands {
    uint64_t high[3], low[3]; // first, second, third
    unsigned mask, m3;
};

// --- what must come out
// ---------------------------------------------------------------------------

static void signs(struct hex_outcome *o, const struct instruction *i, const struct hex *b)
{
    bool negative = i->work == MINUS || (i->work == TEST && b->negative) ||
                    (i->work == COMPLEMENT && !b->negative);
    hex_write(o, i->to, negative, b->characteristic, b->n);
    hex_zero_halves(o, i->to, b);
    o->cc = hex_cc(negative, b->n);
}

static void compare(struct hex_outcome *o, const struct instruction *i, const struct hex *a,
                    struct hex *b)
{
    struct hex_sum s;
    b->negative = !b->negative;
    hex_add(&s, a, b, hex_digits[i->from]);
    o->cc = hex_cc(s.negative, s.n);
    mpz_clear(s.n);
}

// THDER, THDR: 56 bits hold every binary number; too large is the largest number with cc 3.
static void from_binary(struct hex_outcome *o, const struct instruction *i, uint64_t bits)
{
    enum kind k = i->from == SHORT ? F32 : F64;
    uint128 number = k == F32 ? bits >> 32 : bits;
    bool negative = sign_of(k, number);
    o->cc = is_zero(k, number) ? 0 : negative ? 1 : 2;
    o->high = (uint64_t)negative << 63;
    if (is_special(k, number)) {
        o->cc = 3;
        o->high = is_nan(k, number) ? UINT64_MAX >> 1 : o->high | UINT64_MAX >> 1;
        return;
    }
    int exponent = exponent_of(k, number), power;
    mpz_t n;
    mpz_init(n);
    hex_set64(n, (uint64_t)fraction_of(k, number));
    if (exponent)
        mpz_setbit(n, (mp_bitcnt_t)kinds[k].fraction);
    power = (exponent ? exponent : 1) - kinds[k].bias - kinds[k].fraction;
    mpz_mul_2exp(n, n, (mp_bitcnt_t)(power & 3));
    struct hex_outcome r = {0};
    hex_normalized(&r, LONG, 0, negative, n, (power - (power & 3)) / 4);
    mpz_clear(n);
    if (r.fault) {
        o->cc = 3;
        o->high |= UINT64_MAX >> 1;
    } else {
        o->high |= r.high;
    }
}

// TBEDR, TBDR.
static void to_binary(struct hex_outcome *o, const struct instruction *i, const struct hex *b,
                      unsigned m3)
{
    static const enum rounding by_m3[] = {MIN_MAG,   NEAR_MAX_MAG, 0,   0,
                                          NEAR_EVEN, MIN_MAG,      MAX, MIN};
    struct reference r = {.kind = i->to == SHORT ? F32 : F64};
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    mpfr_set_z_2exp(x, b->n, 4 * b->power, MPFR_RNDN);
    mpfr_setsign(x, x, b->negative, MPFR_RNDN);
    round_any(&r, x, r.kind, by_m3[m3], 0);
    mpfr_clear(x);
    o->high = (uint64_t)r.result << (i->to == SHORT ? 32 : 0);
    o->cc = r.raised & OVERFLOW ? 3 : hex_cc(b->negative, b->n);
}

static void expected(struct hex_outcome *o, const struct instruction *i, const struct operands *in)
{
    struct hex a, b, c;
    *o = (struct hex_outcome){.high = in->high[0], .low = in->low[0], .cc = -1};
    hex_read(&a, i->from, in->high[0], in->low[0]);
    hex_read(&b, i->from, in->high[1], in->low[1]);
    hex_read(&c, i->from, in->high[2], in->low[2]);
    switch (i->work) {
    case SUB:
    case SUB_UNNORMALIZED:
        b.negative = !b.negative;
        hex_sum(o, i->to, in->mask, &a, &b, i->work == SUB);
        break;
    case ADD_:
    case ADD_UNNORMALIZED:
        hex_sum(o, i->to, in->mask, &a, &b, i->work == ADD_);
        break;
    case COMPARE:
        compare(o, i, &a, &b);
        break;
    case MULTIPLY:
        hex_multiply(o, i->to, in->mask, &a, &b);
        break;
    case DIVIDE_:
        hex_divide(o, i->to, in->mask, &a, &b);
        break;
    case ROOT:
        hex_square_root(o, i->to, in->mask, &b);
        break;
    case HALVE:
        hex_halve(o, i->to, in->mask, &b);
        break;
    case MULTIPLY_SUB:
        a.negative = !a.negative;
        hex_multiply_add(o, i->to, in->mask, &a, &b, &c);
        break;
    case MULTIPLY_ADD:
        hex_multiply_add(o, i->to, in->mask, &a, &b, &c);
        break;
    case WHOLE:
    case HIGH:
    case LOW:
        hex_unnormalized(o, NULL, &b, &c);
        break;
    case ADD_WHOLE:
    case ADD_HIGH:
    case ADD_LOW:
        hex_unnormalized(o, &a, &b, &c);
        break;
    case SHORTEN:
        hex_shorten(o, i->from, i->to, &b);
        break;
    case LENGTHEN:
        hex_lengthen(o, i->from, i->to, &b);
        break;
    case INTEGRAL:
        hex_integral(o, i->to, in->mask, &b);
        break;
    case TO_32:
    case TO_64:
        hex_to_integer(o, i->work == TO_32 ? 32 : 64, in->m3, &b);
        break;
    case FROM_32:
    case FROM_64:
        hex_from_integer(
            o, i->to, i->work == FROM_32 ? (int32_t)(uint32_t)in->high[1] : (int64_t)in->high[1]);
        break;
    case FROM_BINARY:
        from_binary(o, i, in->high[1]);
        break;
    case TO_BINARY:
        to_binary(o, i, &b, in->m3);
        break;
    default:
        signs(o, i, &b);
        break;
    }
    if (i->work == LOW || i->work == ADD_LOW)
        o->high = o->low;
    mpz_clears(a.n, b.n, c.n, NULL);
}

// --- the comparison
// -------------------------------------------------------------------------------

static struct bare *rig;

static unsigned run(const struct instruction *i, const struct operands *in)
{
    struct cpu *cpu = rig->cpu;
    for (unsigned k = 0; k < 3; k++) {
        cpu->vr[4 * k].high = in->high[k];
        cpu->vr[4 * k + 2].high = in->low[k];
    }
    cpu->gr[1] = i->work == FROM_32 || i->work == FROM_64 ? in->high[1] : 0;
    bare_put64(rig, 0x40000, in->high[1]);
    uint64_t at = CODE + 0x20 * (uint64_t)(i - instructions) + 0x1000 * in->m3;
    cpu->psw =
        (struct psw){.address = at, .ea = true, .ba = true, .mask = (uint8_t)in->mask, .cc = 3};
    cpu_state_changed(cpu);
    return rig_fault(rig);
}

static bool right(const struct instruction *i, const struct hex_outcome *want, unsigned fault)
{
    const struct cpu *cpu = rig->cpu;
    unsigned cc = fault ? bare_get32(rig, 0x150) >> 12 & 3 : (unsigned)cpu->gr[15] >> 28 & 3;
    if (fault != want->fault || (int)cc != (want->cc < 0 ? 3 : want->cc))
        return false;
    if (i->work == COMPARE)
        return true;
    if (i->work == TO_32 || i->work == TO_64)
        return cpu->gr[1] == want->high;
    unsigned shift = i->to == SHORT ? 32 : 0;
    return cpu->vr[0].high >> shift == want->high >> shift &&
           (i->to != EXTENDED || cpu->vr[2].high == want->low);
}

static void show(const struct instruction *i, const struct operands *in,
                 const struct hex_outcome *want, unsigned fault)
{
    const struct cpu *cpu = rig->cpu;
    printf("# %s mask %X M3 %u\n", i->name, in->mask, in->m3);
    for (unsigned k = 0; k < 3; k++)
        printf("#   %016llX %016llX\n", (unsigned long long)in->high[k],
               (unsigned long long)in->low[k]);
    printf("#   want %016llX %016llX fault %X cc %d\n", (unsigned long long)want->high,
           (unsigned long long)want->low, want->fault, want->cc);
    printf("#   have %016llX %016llX fault %X GR1 %016llX cc %u\n",
           (unsigned long long)cpu->vr[0].high, (unsigned long long)cpu->vr[2].high, fault,
           (unsigned long long)cpu->gr[1], (unsigned)cpu->gr[15] >> 28 & 3);
}

// Often with close characteristics, leading zeros, zeros and ones at the right.
static uint64_t random_half(struct random *r)
{
    uint64_t v = random64(r);
    switch (random_below(r, 4)) {
    case 0:
        v = (v & UINT64_C(0x80FFFFFFFFFFFFFF)) | (uint64_t)(0x3C + random_below(r, 16)) << 56;
        break;
    case 1:
        v = (v & UINT64_C(0x80FFFFFFFFFFFFFF)) |
            (uint64_t)((random_below(r, 2) ? 0x7C : 0) + random_below(r, 4)) << 56;
        break;
    default:
        v = (v & UINT64_C(0x80FFFFFFFFFFFFFF)) | (uint64_t)(0x40 + random_below(r, 8)) << 56;
        break;
    }
    if (random_below(r, 4) == 0)
        v &= ~(UINT64_MAX >> 8 >> random_below(r, 56));
    if (random_below(r, 4) == 0)
        v |= UINT64_MAX >> 8 >> random_below(r, 56);
    if (random_below(r, 4) == 0)
        v &= ~(UINT64_C(0x00FFFFFFFFFFFFFF) << random_below(r, 56)) | UINT64_C(0xFF) << 56;
    return v;
}

static struct operands random_operands(struct random *r, const struct instruction *i)
{
    struct operands in = {.mask = random_below(r, 4)};
    for (unsigned k = 0; k < 3; k++) {
        in.high[k] = random_half(r);
        in.low[k] = random_below(r, 8) ? random_half(r) : 0;
    }
    if (random_below(r, 6) == 0) // nearly the same number
        in.high[1] = in.high[0] ^ (uint64_t)random_below(r, 2) << 63 ^ random_below(r, 3);
    if (i->work == FROM_BINARY)
        in.high[1] = random_below(r, 2) ? random_float(r) : random64(r);
    if (i->work == FROM_32 || i->work == FROM_64)
        in.high[1] = random_number(r) >> (random_below(r, 2) ? random_below(r, 64) : 0);
    if (strchr(i->code, 'm'))
        in.m3 = (unsigned)"\0\1\4\5\6\7"[random_below(r, 6)];
    return in;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : otherwise;
}

static void test_exact(void **state)
{
    (void)state;
    struct random r = {setting("ENDICOTT_SEED", 1)};
    unsigned long cases = setting("ENDICOTT_CASES", 2000), bad = 0;
    for (unsigned i = 0; i < INSTRUCTIONS; i++) {
        unsigned shown = 0;
        for (unsigned long n = 0; n < cases; n++) {
            struct operands in = random_operands(&r, &instructions[i]);
            struct hex_outcome want;
            expected(&want, &instructions[i], &in);
            unsigned fault = run(&instructions[i], &in);
            if (right(&instructions[i], &want, fault))
                continue;
            bad++;
            if (shown++ < 3)
                show(&instructions[i], &in, &want, fault);
        }
    }
    assert_int_equal(bad, 0);
}

// Each instruction has its own place, and one for every M3: CODE + X'1000' times M3.
static void put_code(unsigned i, unsigned m3)
{
    char code[16], *out = code;
    for (const char *c = instructions[i].code; *c; c++)
        *out++ = (char)(*c == 'm' ? '0' + (int)m3 : *c);
    *out = 0;
    uint64_t at = CODE + 0x20 * i + 0x1000 * m3;
    rig_hex(rig, rig_hex(rig, at, code), "B222 00F0 B2B2 0E00");
}

static int start(void **state)
{
    (void)state;
    rig = rig_new("");
    rig->cpu->cr[0] |= 0x40000;
    rig->cpu->gr[4] = 0x40000;
    for (unsigned i = 0; i < INSTRUCTIONS; i++)
        for (unsigned m3 = 0; m3 < 8; m3++)
            put_code(i, m3);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact)};
    return cmocka_run_group_tests_name("hexadecimal floating point, exactly", tests, start, stop);
}
