// SPDX-License-Identifier: MIT
// Hexadecimal floating point in whole numbers of any length (GMP): a number is an integer times a
// power of sixteen, and every operation is what the manual says of its digits.
#ifndef ENDICOTT_TESTS_CPU_HFP_REFERENCE_H
#define ENDICOTT_TESTS_CPU_HFP_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

#include "cpu/wide.h"

enum { SHORT, LONG, EXTENDED };

static const int hex_digits[] = {6, 14, 28};

// value = (-1)^negative * n * 16^power. The characteristic is that of the operand.
struct hex {
    bool negative;
    int characteristic, power;
    mpz_t n;
};

struct hex_outcome {
    uint64_t high, low;
    unsigned fault; // program-interruption code; the result is there all the same
    int cc;         // -1: not set
};

enum hex_mask { SIGNIFICANCE = 1, UNDERFLOWS = 2 }; // of the program mask

// --- operands and results
// -------------------------------------------------------------------------

static inline void hex_set64(mpz_t n, uint64_t v)
{
    mpz_import(n, 1, -1, sizeof v, 0, 0, &v);
}

static inline uint64_t hex_get64(const mpz_t n) // the right 64 bits
{
    mpz_t t;
    mpz_init(t);
    mpz_fdiv_r_2exp(t, n, 64);
    uint64_t v = 0;
    mpz_export(&v, NULL, -1, sizeof v, 0, 0, t);
    mpz_clear(t);
    return v;
}

// Short and long numbers stand at the left of `high`.
static inline void hex_read(struct hex *x, int format, uint64_t high, uint64_t low)
{
    uint64_t fraction = high & UINT64_C(0x00FFFFFFFFFFFFFF);
    mpz_init(x->n);
    hex_set64(x->n, format == SHORT ? fraction >> 32 : fraction);
    if (format == EXTENDED) {
        mpz_t right;
        mpz_init(right);
        hex_set64(right, low & UINT64_C(0x00FFFFFFFFFFFFFF));
        mpz_mul_2exp(x->n, x->n, 56);
        mpz_add(x->n, x->n, right);
        mpz_clear(right);
    }
    x->negative = high >> 63;
    x->characteristic = high >> 56 & 127;
    x->power = x->characteristic - 64 - hex_digits[format];
}

static inline uint64_t hex_half(bool negative, int characteristic, uint64_t fraction)
{
    return (uint64_t)negative << 63 | (uint64_t)(characteristic & 127) << 56 |
           (fraction & UINT64_C(0x00FFFFFFFFFFFFFF));
}

// A fraction of exactly the format's digits.
static inline void hex_write(struct hex_outcome *o, int format, bool negative, int characteristic,
                             const mpz_t fraction)
{
    mpz_t left;
    mpz_init(left);
    if (format == EXTENDED) {
        o->low = hex_half(negative, characteristic - 14, hex_get64(fraction));
        mpz_fdiv_q_2exp(left, fraction, 56);
        o->high = hex_half(negative, characteristic, hex_get64(left));
    } else {
        mpz_mul_2exp(left, fraction, format == SHORT ? 32 : 0);
        o->high = hex_half(negative, characteristic, hex_get64(left));
    }
    mpz_clear(left);
}

// n * 16^d, cut towards zero when d is negative.
static inline void hex_shift(mpz_t n, int d)
{
    if (d >= 0)
        mpz_mul_2exp(n, n, 4 * (unsigned)d);
    else
        mpz_fdiv_q_2exp(n, n, 4 * (unsigned)-d);
}

static inline int hex_length(const mpz_t n) // in digits
{
    return mpz_sgn(n) ? (int)mpz_sizeinbase(n, 16) : 0;
}

// A characteristic out of range: an interruption with the characteristic wrapped, or true zero for
// an underflow that is masked.
static inline void hex_store(struct hex_outcome *o, int format, unsigned mask, bool negative,
                             int characteristic, const mpz_t fraction)
{
    o->high = o->low = 0;
    if (mpz_sgn(fraction) == 0)
        return;
    if (characteristic > 127)
        o->fault = 0xC;
    else if (characteristic < 0 && mask & UNDERFLOWS)
        o->fault = 0xD;
    else if (characteristic < 0)
        return;
    hex_write(o, format, negative, characteristic, fraction);
}

// n * 16^power normalized and cut to the format's digits.
static inline void hex_normalized(struct hex_outcome *o, int format, unsigned mask, bool negative,
                                  mpz_t n, int power)
{
    int length = hex_length(n);
    hex_shift(n, hex_digits[format] - length);
    hex_store(o, format, mask, negative, 64 + length + power, n);
}

static inline int hex_cc(bool negative, const mpz_t n)
{
    return mpz_sgn(n) == 0 ? 0 : negative ? 1 : 2;
}

// --- sums
// -----------------------------------------------------------------------------------------

struct hex_sum {
    mpz_t n; // with the guard digit at its right
    bool negative;
    int characteristic;
};

// One digit more than `digits` is kept of the operand that moves.
static inline void hex_aligned(mpz_t v, const struct hex *x, int characteristic, int digits)
{
    mpz_set(v, x->n);
    hex_shift(v, x->power - (x->characteristic - 64 - digits) + 1);
    hex_shift(v, x->characteristic - characteristic);
    if (x->negative)
        mpz_neg(v, v);
}

static inline void hex_add(struct hex_sum *s, const struct hex *a, const struct hex *b, int digits)
{
    mpz_t va, vb;
    mpz_inits(va, vb, s->n, NULL);
    s->characteristic =
        a->characteristic > b->characteristic ? a->characteristic : b->characteristic;
    hex_aligned(va, a, s->characteristic, digits);
    hex_aligned(vb, b, s->characteristic, digits);
    mpz_add(s->n, va, vb);
    s->negative = mpz_sgn(s->n) < 0;
    mpz_abs(s->n, s->n);
    mpz_clears(va, vb, NULL);
}

static inline void hex_zero_sum(struct hex_outcome *o, int format, unsigned mask,
                                int characteristic, mpz_t zero)
{
    o->high = o->low = 0;
    if (!(mask & SIGNIFICANCE))
        return;
    o->fault = 0xE;
    mpz_set_ui(zero, 0);
    hex_write(o, format, false, characteristic, zero);
}

static inline bool hex_is_zero(const struct hex_outcome *o, int format)
{
    return o->high << 8 == 0 && (format != EXTENDED || o->low << 8 == 0);
}

static inline void hex_sum(struct hex_outcome *o, int format, unsigned mask, const struct hex *a,
                           const struct hex *b, bool normalize)
{
    int digits = hex_digits[format];
    struct hex_sum s;
    hex_add(&s, a, b, digits);
    bool carry = hex_length(s.n) > digits + 1;
    if (!normalize) {
        hex_shift(s.n, carry ? -2 : -1);
        s.characteristic += carry;
    }
    bool negative = s.negative;
    if (mpz_sgn(s.n) == 0)
        hex_zero_sum(o, format, mask, s.characteristic, s.n);
    else if (normalize)
        hex_normalized(o, format, mask, s.negative, s.n, s.characteristic - 64 - digits - 1);
    else
        hex_store(o, format, mask, s.negative, s.characteristic, s.n);
    o->cc = hex_is_zero(o, format) ? 0 : negative ? 1 : 2; // of what is stored
    mpz_clear(s.n);
}

// a + b * c: the product has 14 digits for short numbers, else 28, and so has the sum.
static inline void hex_multiply_add(struct hex_outcome *o, int format, unsigned mask,
                                    const struct hex *a, const struct hex *b, const struct hex *c)
{
    int digits = format == SHORT ? 14 : 28;
    struct hex p = {.negative = b->negative != c->negative, .characteristic = -1000};
    mpz_init(p.n);
    mpz_mul(p.n, b->n, c->n);
    int length = hex_length(p.n);
    if (length)
        p.characteristic = b->power + c->power + 64 + length;
    hex_shift(p.n, digits - length);
    p.power = p.characteristic - 64 - digits;
    struct hex_sum s;
    hex_add(&s, a, &p, digits);
    if (mpz_sgn(s.n) == 0)
        hex_zero_sum(o, format, mask, s.characteristic, s.n);
    else
        hex_normalized(o, format, mask, s.negative, s.n, s.characteristic - 64 - digits - 1);
    mpz_clears(s.n, p.n, NULL);
}

// The product of two long fractions, 28 digits, plus a long number or nothing; never normalized,
// the characteristic wraps.
static inline void hex_unnormalized(struct hex_outcome *o, const struct hex *a, const struct hex *b,
                                    const struct hex *c)
{
    struct hex p = {.negative = b->negative != c->negative,
                    .characteristic = b->characteristic + c->characteristic - 64};
    mpz_init(p.n);
    mpz_mul(p.n, b->n, c->n);
    p.power = p.characteristic - 64 - 28;
    if (a) {
        struct hex_sum s;
        hex_add(&s, a, &p, 28);
        bool carry = hex_length(s.n) > 29;
        hex_shift(s.n, carry ? -2 : -1);
        p.characteristic = s.characteristic + carry;
        p.negative = s.negative;
        mpz_set(p.n, s.n);
        mpz_clear(s.n);
    }
    hex_write(o, EXTENDED, p.negative, p.characteristic, p.n);
    mpz_clear(p.n);
}

// --- products, quotients, roots
// -------------------------------------------------------------------

static inline void hex_multiply(struct hex_outcome *o, int format, unsigned mask,
                                const struct hex *a, const struct hex *b)
{
    mpz_t n;
    mpz_init(n);
    mpz_mul(n, a->n, b->n);
    hex_normalized(o, format, mask, a->negative != b->negative, n, a->power + b->power);
    mpz_clear(n);
}

static inline void hex_divide(struct hex_outcome *o, int format, unsigned mask, const struct hex *a,
                              const struct hex *b)
{
    if (mpz_sgn(b->n) == 0) {
        o->fault = 0xF;
        return;
    }
    mpz_t n;
    mpz_init(n);
    mpz_mul_2exp(n, a->n, 4 * 64);
    mpz_fdiv_q(n, n, b->n);
    hex_normalized(o, format, mask, a->negative != b->negative, n, a->power - b->power - 64);
    mpz_clear(n);
}

// Rounded: one bit more than the format has is computed and one added to it.
static inline void hex_square_root(struct hex_outcome *o, int format, unsigned mask,
                                   const struct hex *a)
{
    if (a->negative && mpz_sgn(a->n)) {
        o->fault = 0x1D;
        return;
    }
    o->high = o->low = 0;
    if (mpz_sgn(a->n) == 0)
        return;
    mpz_t n;
    mpz_init_set(n, a->n);
    int odd = a->power & 1, digits = hex_digits[format];
    mpz_mul_2exp(n, n, 4 * (64 + (unsigned)odd)); // an even power of sixteen is left
    int power = (a->power - odd - 64) / 2;
    mpz_sqrt(n, n);
    int length = hex_length(n); // at least 32, so that 57 bits and more can be cut
    unsigned surplus = 4 * (unsigned)(length - digits);
    mpz_fdiv_q_2exp(n, n, surplus - 1);
    mpz_add_ui(n, n, 1);
    mpz_fdiv_q_2exp(n, n, 1);
    hex_normalized(o, format, mask, false, n, power + length - digits);
    mpz_clear(n);
}

static inline void hex_halve(struct hex_outcome *o, int format, unsigned mask, const struct hex *a)
{
    mpz_t n;
    mpz_init_set(n, a->n);
    mpz_mul_2exp(n, n, 3); // of a digit more
    hex_normalized(o, format, mask, a->negative, n, a->power - 1);
    mpz_clear(n);
}

// --- formats and integers
// -------------------------------------------------------------------------

// Not normalized; half a unit is added.
static inline void hex_shorten(struct hex_outcome *o, int from, int to, const struct hex *a)
{
    mpz_t n;
    mpz_init_set(n, a->n);
    unsigned cut = 4 * (unsigned)(hex_digits[from] - hex_digits[to]);
    mpz_fdiv_q_2exp(n, n, cut - 1);
    mpz_add_ui(n, n, 1);
    mpz_fdiv_q_2exp(n, n, 1);
    int characteristic = a->characteristic;
    if (hex_length(n) > hex_digits[to]) {
        hex_shift(n, -1);
        characteristic++;
    }
    if (characteristic > 127)
        o->fault = 0xC;
    hex_write(o, to, a->negative, characteristic, n);
    mpz_clear(n);
}

// An extended zero has no characteristic, only the sign.
static inline void hex_zero_halves(struct hex_outcome *o, int format, const struct hex *a)
{
    if (format == EXTENDED && mpz_sgn(a->n) == 0)
        o->high = o->low = (o->high >> 63) << 63;
}

static inline void hex_lengthen(struct hex_outcome *o, int from, int to, const struct hex *a)
{
    mpz_t n;
    mpz_init_set(n, a->n);
    hex_shift(n, hex_digits[to] - hex_digits[from]);
    hex_write(o, to, a->negative, a->characteristic, n);
    hex_zero_halves(o, to, a);
    mpz_clear(n);
}

static inline void hex_integral(struct hex_outcome *o, int format, unsigned mask,
                                const struct hex *a)
{
    mpz_t n;
    mpz_init_set(n, a->n);
    if (a->power < 0)
        hex_shift(n, a->power);
    hex_normalized(o, format, mask, a->negative, n, a->power < 0 ? 0 : a->power);
    mpz_clear(n);
}

// M3: 0 and 5 to zero, 1 nearest and away, 4 nearest and even, 6 up, 7 down.
static inline void hex_round(mpz_t n, int power, bool negative, unsigned m3)
{
    if (power >= 0) {
        hex_shift(n, power);
        return;
    }
    mpz_t unit, rest;
    mpz_inits(unit, rest, NULL);
    mpz_ui_pow_ui(unit, 16, (unsigned long)-power);
    mpz_fdiv_qr(n, rest, n, unit);
    bool inexact = mpz_sgn(rest) != 0;
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, unit);
    bool up = m3 == 1   ? half >= 0
              : m3 == 4 ? half > 0 || (half == 0 && mpz_odd_p(n))
              : m3 == 6 ? inexact && !negative
              : m3 == 7 ? inexact && negative
                        : false;
    if (up)
        mpz_add_ui(n, n, 1);
    mpz_clears(unit, rest, NULL);
}

// The integer in `high`; out of range: the nearest bound and condition code 3.
static inline void hex_to_integer(struct hex_outcome *o, unsigned bits, unsigned m3,
                                  const struct hex *a)
{
    mpz_t n, most;
    mpz_init_set(n, a->n);
    mpz_init_set_ui(most, 1);
    hex_round(n, a->power, a->negative, m3);
    mpz_mul_2exp(most, most, bits - 1);
    if (!a->negative)
        mpz_sub_ui(most, most, 1);
    o->cc = hex_cc(a->negative, a->n);
    if (mpz_cmp(n, most) > 0) {
        mpz_set(n, most);
        o->cc = 3;
    }
    uint64_t v = hex_get64(n);
    v = a->negative ? 0 - v : v;
    o->high = bits == 32 ? (uint32_t)v : v;
    mpz_clears(n, most, NULL);
}

static inline void hex_from_integer(struct hex_outcome *o, int format, int64_t v)
{
    mpz_t n;
    mpz_init(n);
    hex_set64(n, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
    hex_normalized(o, format, 0, v < 0, n, 0);
    mpz_clear(n);
}

#endif
