// SPDX-License-Identifier: MIT
// Binary floating point by MPFR: exact results, rounded here by MPFR's integer functions to what a
// format holds, with the exceptions and the scaled results of the architecture.
#ifndef ENDICOTT_TESTS_CPU_BFP_REFERENCE_H
#define ENDICOTT_TESTS_CPU_BFP_REFERENCE_H

#include "cpu/float_ways.h"

// Needs its own types for 64 bits.
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#define PRECISION 512 // far more than twice the longest format

enum ieee { INVALID = 0x80, DIVIDE = 0x40, OVERFLOW = 0x20, UNDERFLOW = 0x10, INEXACT = 0x08 };

struct reference {
    uint128 result;
    enum kind kind;
    uint8_t raised; // enum ieee
    bool incremented;
};

// --- numbers
// --------------------------------------------------------------------------------------

static inline void set_wide(mpfr_t x, uint128 v)
{
    mpfr_set_uj(x, (uint64_t)(v >> 64), MPFR_RNDN);
    mpfr_mul_2ui(x, x, 64, MPFR_RNDN);
    mpfr_t low;
    mpfr_init2(low, 64);
    mpfr_set_uj(low, (uint64_t)v, MPFR_RNDN);
    mpfr_add(x, x, low, MPFR_RNDN);
    mpfr_clear(low);
}

static inline uint128 get_wide(mpfr_t x) // integral, not negative, below 2^128
{
    mpfr_t high, low;
    mpfr_init2(high, PRECISION);
    mpfr_init2(low, PRECISION);
    mpfr_div_2ui(high, x, 64, MPFR_RNDN);
    mpfr_trunc(high, high);
    uint128 v = (uint128)mpfr_get_uj(high, MPFR_RNDN) << 64;
    mpfr_mul_2ui(high, high, 64, MPFR_RNDN);
    mpfr_sub(low, x, high, MPFR_RNDN);
    v |= mpfr_get_uj(low, MPFR_RNDN);
    mpfr_clear(high);
    mpfr_clear(low);
    return v;
}

static inline void set_number(mpfr_t x, enum kind k, uint128 bits)
{
    if (!is_float(k)) {
        if (k == I32 || k == I64)
            mpfr_set_sj(x, k == I32 ? (int32_t)(uint32_t)bits : (int64_t)(uint64_t)bits, MPFR_RNDN);
        else
            mpfr_set_uj(x, (uint64_t)bits, MPFR_RNDN);
        return;
    }
    int sign = sign_of(k, bits) ? -1 : 1, exponent = exponent_of(k, bits);
    if (is_nan(k, bits)) {
        mpfr_set_nan(x);
    } else if (is_special(k, bits)) {
        mpfr_set_inf(x, sign);
    } else if (is_zero(k, bits)) {
        mpfr_set_zero(x, sign);
    } else {
        uint128 hidden = exponent ? (uint128)1 << kinds[k].fraction : 0;
        set_wide(x, fraction_of(k, bits) | hidden);
        mpfr_mul_2si(x, x, (exponent ? exponent : 1) - kinds[k].bias - kinds[k].fraction,
                     MPFR_RNDN);
        mpfr_setsign(x, x, sign < 0, MPFR_RNDN);
    }
}

// --- rounding
// -------------------------------------------------------------------------------------

// Makes x an integer; true when it was not one. *incremented: away from zero.
static inline bool round_integral(mpfr_t x, enum rounding mode, bool *incremented)
{
    mpfr_t r;
    mpfr_init2(r, PRECISION);
    switch (mode) {
    case NEAR_EVEN:
        mpfr_roundeven(r, x);
        break;
    case NEAR_MAX_MAG:
        mpfr_round(r, x);
        break;
    case MAX:
        mpfr_ceil(r, x);
        break;
    case MIN:
        mpfr_floor(r, x);
        break;
    default:
        mpfr_trunc(r, x);
        break;
    }
    bool inexact = !mpfr_equal_p(r, x);
    if (mode == ODD && inexact) {
        mpfr_t half;
        mpfr_init2(half, PRECISION);
        mpfr_div_2ui(half, r, 1, MPFR_RNDN);
        if (mpfr_integer_p(half)) { // even
            int sign = mpfr_signbit(x) ? -1 : 1;
            mpfr_add_si(r, r, sign, MPFR_RNDN);
        }
        mpfr_clear(half);
    }
    *incremented = inexact && mpfr_cmpabs(r, x) > 0;
    mpfr_set(x, r, MPFR_RNDN);
    mpfr_clear(r);
    return inexact;
}

static inline bool overflows_to_infinity(enum rounding mode, bool negative)
{
    return mode == NEAR_EVEN || mode == NEAR_MAX_MAG || (mode == MAX && !negative) ||
           (mode == MIN && negative);
}

// A number that the format holds, as its bits.
static inline uint128 get_bits(enum kind k, mpfr_t x)
{
    bool negative = mpfr_signbit(x);
    if (mpfr_inf_p(x))
        return pack(k, negative, 2 * kinds[k].bias + 1, 0);
    if (mpfr_zero_p(x))
        return pack(k, negative, 0, 0);
    int exponent = (int)mpfr_get_exp(x) - 1, least = 1 - kinds[k].bias;
    bool tiny = exponent < least;
    mpfr_t m;
    mpfr_init2(m, PRECISION);
    mpfr_mul_2si(m, x, kinds[k].fraction - (tiny ? least : exponent), MPFR_RNDN);
    mpfr_abs(m, m, MPFR_RNDN);
    uint128 bits = pack(k, negative, tiny ? 0 : exponent + kinds[k].bias, get_wide(m));
    mpfr_clear(m);
    return bits;
}

// The exponents by which trapped results are scaled; LOAD ROUNDED has smaller ones, since it
// delivers them in the source's format.
static inline int scale_of(enum kind from, enum kind to)
{
    if (from != to && is_float(from))
        return from == F64 ? 512 : 8192;
    return to == F32 ? 192 : to == F64 ? 1536 : 24576;
}

static inline void overflow(struct reference *r, bool negative, enum rounding mode)
{
    enum kind k = r->kind;
    r->raised |= OVERFLOW | INEXACT;
    r->incremented = overflows_to_infinity(mode, negative);
    r->result = r->incremented ? pack(k, negative, 2 * kinds[k].bias + 1, 0)
                               : pack(k, negative, 2 * kinds[k].bias, ~(uint128)0);
}

// A finite number other than zero to format r->kind, from one of format `from` (LOAD ROUNDED) or
// from an exact result. A trapped result is scaled.
static inline void round_number(struct reference *r, mpfr_t x, enum kind from, enum rounding mode,
                                uint8_t masks)
{
    enum kind to = r->kind;
    int fraction = kinds[to].fraction, bias = kinds[to].bias, scale = scale_of(from, to);
    int exponent = (int)mpfr_get_exp(x) - 1;
    bool tiny = exponent < 1 - bias, scaled = tiny && masks & UNDERFLOW;
    int unit = (tiny && !scaled ? 1 - bias : exponent) - fraction;
    mpfr_t y;
    mpfr_init2(y, PRECISION);
    mpfr_mul_2si(y, x, -unit, MPFR_RNDN);
    if (round_integral(y, mode, &r->incremented))
        r->raised |= INEXACT;
    mpfr_setsign(y, y, mpfr_signbit(x), MPFR_RNDN);
    mpfr_mul_2si(y, y, unit, MPFR_RNDN);
    if (scaled || (tiny && r->raised & INEXACT))
        r->raised |= UNDERFLOW;
    bool large = !mpfr_zero_p(y) && (int)mpfr_get_exp(y) - 1 > bias;
    if (large && !(masks & OVERFLOW)) {
        overflow(r, mpfr_signbit(x), mode);
    } else {
        if (large)
            r->raised |= OVERFLOW;
        if (large || scaled) {
            mpfr_mul_2si(y, y, large ? -scale : scale, MPFR_RNDN);
            r->kind = is_float(from) && from != to ? from : to;
        }
        r->result = get_bits(r->kind, y);
    }
    mpfr_clear(y);
}

static inline void round_any(struct reference *r, mpfr_t x, enum kind from, enum rounding mode,
                             uint8_t masks)
{
    if (mpfr_zero_p(x) || mpfr_inf_p(x))
        r->result = get_bits(r->kind, x);
    else
        round_number(r, x, from, mode, masks);
}

// --- operations
// -----------------------------------------------------------------------------------

// x = t, which was rounded towards zero to PRECISION - 8 bits; when something was cut, with half a
// unit of its last place added, to the side where the exact result is.
static inline void with_trace(mpfr_t x, mpfr_t t, int cut)
{
    mpfr_set(x, t, MPFR_RNDN);
    if (!cut)
        return;
    mpfr_set_si_2exp(t, cut < 0 ? 1 : -1, mpfr_get_exp(t) - (PRECISION - 8) - 1, MPFR_RNDN);
    mpfr_add(x, x, t, MPFR_RNDN);
}

// Computes towards zero and leaves a trace of what was cut below all digits that count; a zero has
// the sign that the rounding mode gives it.
static inline void compute(mpfr_t x, const char *op, mpfr_t a, mpfr_t b, mpfr_t c,
                           enum rounding mode)
{
    mpfr_rnd_t rnd = mode == MIN ? MPFR_RNDD : MPFR_RNDZ;
    mpfr_t t;
    mpfr_init2(t, PRECISION - 8);
    int cut = 0;
    if (strcmp(op, "add") == 0)
        cut = mpfr_add(t, a, b, rnd);
    else if (strcmp(op, "sub") == 0)
        cut = mpfr_sub(t, a, b, rnd);
    else if (strncmp(op, "mulTo", 5) == 0 || strcmp(op, "mul") == 0)
        cut = mpfr_mul(t, a, b, rnd);
    else if (strcmp(op, "div") == 0)
        cut = mpfr_div(t, a, b, rnd);
    else if (strcmp(op, "sqrt") == 0)
        cut = mpfr_sqrt(t, a, rnd);
    else if (strcmp(op, "rem") == 0)
        cut = mpfr_remainder(t, a, b, rnd);
    else if (strcmp(op, "mulAdd") == 0 || strcmp(op, "negMulAdd") == 0)
        cut = mpfr_fma(t, a, b, c, rnd);
    else if (strcmp(op, "mulSub") == 0 || strcmp(op, "negMulSub") == 0)
        cut = mpfr_fms(t, a, b, c, rnd);
    else
        mpfr_set(t, a, rnd); // a conversion
    with_trace(x, t, cut);
    mpfr_clear(t);
}

static inline bool signalling(const struct function *f, const uint128 *operand)
{
    for (unsigned i = 0; i < f->operands; i++)
        if (is_nan(f->operand, operand[i]) && !is_quiet(f->operand, operand[i]))
            return true;
    return false;
}

static inline bool any_nan(const struct function *f, const uint128 *operand)
{
    for (unsigned i = 0; i < f->operands; i++)
        if (is_nan(f->operand, operand[i]))
            return true;
    return false;
}

static inline void reference_compare(struct reference *r, const struct function *f,
                                     const uint128 *operand, mpfr_t a, mpfr_t b)
{
    const char *rest = strchr(f->name, '_') + 1;
    if (any_nan(f, operand)) {
        bool quiet = strcmp(rest, "eq") == 0 || strstr(rest, "quiet");
        r->raised = !quiet || signalling(f, operand) ? INVALID : 0;
        return;
    }
    int order = mpfr_cmp(a, b);
    r->result = rest[0] == 'e' ? order == 0 : rest[1] == 'e' ? order <= 0 : order < 0;
}

static inline void reference_to_integer(struct reference *r, const struct function *f,
                                        const uint128 *operand, mpfr_t x, enum rounding mode)
{
    mpfr_t least, most;
    mpfr_inits2(PRECISION, least, most, (mpfr_ptr)0);
    set_number(least, f->result,
               f->result == I32   ? (uint128)1 << 31
               : f->result == I64 ? (uint128)1 << 63
                                  : 0);
    uint128 ones = ((uint128)1 << kinds[f->result].bits) - 1;
    set_number(most, f->result, f->result == I32 || f->result == I64 ? ones >> 1 : ones);
    if (mpfr_number_p(x) && round_integral(x, mode, &r->incremented))
        r->raised |= INEXACT;
    if (mpfr_nan_p(x) || mpfr_cmp(x, least) < 0 || mpfr_cmp(x, most) > 0) {
        r->raised = INVALID | INEXACT;
        r->incremented = false;
        r->result = out_of_range(f, operand[0]);
    } else {
        bool negative = mpfr_sgn(x) < 0;
        mpfr_abs(x, x, MPFR_RNDN);
        uint128 magnitude = get_wide(x);
        r->result = (negative ? 0 - magnitude : magnitude) & ones;
    }
    mpfr_clears(least, most, (mpfr_ptr)0);
}

static inline void reference_number(struct reference *r, const struct function *f,
                                    const uint128 *operand, mpfr_t *n, enum rounding mode,
                                    uint8_t masks)
{
    const char *op = strchr(f->name, '_') + 1;
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    mpfr_clear_flags();
    compute(x, op, n[0], n[1], n[2], mode);
    if (mpfr_divby0_p())
        r->raised |= DIVIDE;
    if (mpfr_nan_p(x)) {
        bool product = f->operands == 3 && zero_and_infinity(f->operand, operand[0], operand[1]);
        bool invalid = signalling(f, operand) || product || !any_nan(f, operand);
        r->raised = invalid ? INVALID : 0;
        r->result = nan_that_goes_through(f, operand);
    } else if (f->integral) {
        if (mpfr_number_p(x) && round_integral(x, mode, &r->incremented))
            r->raised |= INEXACT;
        mpfr_setsign(x, x, mpfr_signbit(n[0]), MPFR_RNDN);
        r->result = get_bits(f->result, x);
    } else if (strcmp(op, "test") == 0) {
        r->result = operand[0]; // tiny or not
    } else {
        bool converts = strncmp(op, "to_", 3) == 0;
        round_any(r, x, converts ? f->operand : f->result, mode, masks);
        if (strncmp(op, "neg", 3) == 0)
            r->result ^= (uint128)1 << (kinds[r->kind].bits - 1);
    }
    mpfr_clear(x);
}

// What the function gives for the operands, in that rounding mode and with those traps enabled.
static inline struct reference reference(const struct function *f, const uint128 *operand,
                                         enum rounding mode, uint8_t masks)
{
    struct reference r = {.kind = f->result};
    mpfr_t n[3];
    for (unsigned i = 0; i < 3; i++) {
        mpfr_init2(n[i], 128);
        set_number(n[i], f->operand, operand[i < f->operands ? i : 0]);
    }
    if (f->result == BOOL)
        reference_compare(&r, f, operand, n[0], n[1]);
    else if (f->to_integer)
        reference_to_integer(&r, f, operand, n[0], mode);
    else
        reference_number(&r, f, operand, n, mode, masks);
    for (unsigned i = 0; i < 3; i++)
        mpfr_clear(n[i]);
    return r;
}

#endif
