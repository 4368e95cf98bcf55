// SPDX-License-Identifier: MIT
// Decimal floating point as one does it on paper: numbers are rows of digits, sums keep all of
// them, and each format's rules are applied digit by digit. What the instructions are compared
// with.
#ifndef ENDICOTT_TESTS_CPU_PAPER_H
#define ENDICOTT_TESTS_CPU_PAPER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cpu/wide.h"

#define PAPER_DIGITS 12500 // the longest exact sum of two extended numbers

struct paper_format {
    int width, digits, exponent_bits, bias, largest; // `largest` biased exponent
    int scale;                                       // of trapped results
};

static const struct paper_format paper_short = {32, 7, 6, 101, 191, 144};
static const struct paper_format paper_long = {64, 16, 8, 398, 767, 576};
static const struct paper_format paper_extended = {128, 34, 12, 6176, 12287, 9216};

enum paper_class { PAPER_FINITE, PAPER_INFINITY, PAPER_QUIET, PAPER_SIGNAL };

// digit[0] is the last one. `sticky`: something not zero below it. `count` may include zeros left.
struct paper {
    enum paper_class class;
    bool negative, sticky;
    int exponent, preferred, count;
    uint8_t digit[PAPER_DIGITS + 80];
};

enum {
    PAPER_INVALID = 128,
    PAPER_DIVIDE = 64,
    PAPER_OVER = 32,
    PAPER_UNDER = 16,
    PAPER_INEXACT = 8
};
enum { PAPER_QUANTUM = 4 };

struct paper_flags {
    int mode; // as in the FPC
    unsigned masks, raised;
    bool incremented;
};

// --- encoding ---------------------------------------------------------------------------------

// The boolean equations of the encoding's inventor.
static inline unsigned paper_declet(unsigned d1, unsigned d2, unsigned d3)
{
    unsigned a = d1 >> 3, b = d1 >> 2 & 1, c = d1 >> 1 & 1, d = d1 & 1;
    unsigned e = d2 >> 3, f = d2 >> 2 & 1, g = d2 >> 1 & 1, h = d2 & 1;
    unsigned i = d3 >> 3, j = d3 >> 2 & 1, k = d3 >> 1 & 1, m = d3 & 1;
    unsigned na = !a, ne = !e, ni = !i;
    unsigned p = b | (a & j) | (a & f & i), q = c | (a & k) | (a & g & i), r = d;
    unsigned s = (f & (na | ni)) | (na & e & j) | (e & i), t = g | (na & e & k) | (a & i), u = h;
    unsigned v = a | e | i, w = a | (e & i) | (ne & j), x = e | (a & i) | (na & k), y = m;
    return p << 9 | q << 8 | r << 7 | s << 6 | t << 5 | u << 4 | v << 3 | w << 2 | x << 1 | y;
}

static inline uint128 paper_pack(const struct paper_format *f, const struct paper *x)
{
    uint128 bits = (uint128)x->negative << (f->width - 1);
    for (int i = 0; i < f->digits / 3; i++)
        bits |= (uint128)paper_declet(x->digit[3 * i + 2], x->digit[3 * i + 1], x->digit[3 * i])
                << 10 * i;
    if (x->class != PAPER_FINITE) {
        unsigned kind = x->class == PAPER_INFINITY ? 0x3C : x->class == PAPER_QUIET ? 0x3E : 0x3F;
        return bits | (uint128)kind << (f->width - 7);
    }
    unsigned biased = (unsigned)(x->exponent + f->bias), left = x->digit[f->digits - 1];
    unsigned top = biased >> f->exponent_bits;
    unsigned rest = biased & ((1u << f->exponent_bits) - 1);
    unsigned g = left < 8 ? top * 8 + left : 24 + top * 2 + (left - 8);
    return bits | (uint128)g << (f->width - 6) | (uint128)rest << (f->width - 6 - f->exponent_bits);
}

static inline void paper_unpack(const struct paper_format *f, uint128 bits, struct paper *x)
{
    static uint16_t table[1024];
    static bool made;
    for (unsigned n = 0; n < 1000 && !made; n++)
        table[paper_declet(n / 100, n / 10 % 10, n % 10)] = (uint16_t)n;
    made = true;
    memset(x, 0, sizeof *x);
    for (int i = 0; i < f->digits / 3; i++) {
        unsigned n = table[(unsigned)(bits >> 10 * i) & 0x3FF];
        x->digit[3 * i] = (uint8_t)(n % 10);
        x->digit[3 * i + 1] = (uint8_t)(n / 10 % 10);
        x->digit[3 * i + 2] = (uint8_t)(n / 100);
    }
    x->count = f->digits;
    x->negative = bits >> (f->width - 1) & 1;
    unsigned g = (unsigned)(bits >> (f->width - 6)) & 31, top, left;
    if (g >= 30) {
        x->class = g == 30                      ? PAPER_INFINITY
                   : bits >> (f->width - 7) & 1 ? PAPER_SIGNAL
                                                : PAPER_QUIET;
        return;
    }
    top = g < 24 ? g / 8 : (g - 24) / 2;
    left = g < 24 ? g % 8 : 8 + g % 2;
    x->digit[f->digits - 1] = (uint8_t)left;
    unsigned rest =
        (unsigned)(bits >> (f->width - 6 - f->exponent_bits)) & ((1u << f->exponent_bits) - 1);
    x->exponent = x->preferred = (int)(top << f->exponent_bits | rest) - f->bias;
}

// --- rounding ---------------------------------------------------------------------------------

static inline int paper_length(const struct paper *x)
{
    int n = x->count;
    while (n > 0 && x->digit[n - 1] == 0)
        n--;
    return n;
}

// One digit off the right: what it was, and whether anything below.
static inline void paper_away(struct paper *x, unsigned *last, bool *below)
{
    *below |= *last != 0;
    *last = x->digit[0];
    memmove(x->digit, x->digit + 1, (size_t)x->count);
    if (x->count > 0)
        x->count--;
    x->digit[x->count] = 0;
    x->exponent++;
}

static inline bool paper_up(const struct paper_flags *f, bool negative, unsigned digit,
                            unsigned last, bool below)
{
    bool more = last > 5 || (last == 5 && below), half = last == 5 && !below;
    switch (f->mode) {
    case 0:
        return more || (half && digit % 2);
    case 2:
        return !negative;
    case 3:
        return negative;
    case 4:
        return more || half;
    case 5:
        return more;
    case 6:
        return true;
    case 7:
        return digit % 5 == 0;
    default:
        return false;
    }
}

static inline void paper_one_more(struct paper *x)
{
    int i = 0;
    while (x->digit[i] == 9)
        x->digit[i++] = 0;
    x->digit[i]++;
    if (i >= x->count)
        x->count = i + 1;
}

// Rounds n digits away.
static inline void paper_cut(struct paper_flags *f, struct paper *x, int n)
{
    unsigned last = 0;
    bool below = x->sticky;
    x->sticky = false;
    for (int i = 0; i < n; i++)
        paper_away(x, &last, &below);
    if (!last && !below)
        return;
    f->raised |= PAPER_INEXACT;
    if (paper_up(f, x->negative, x->digit[0], last, below)) {
        f->incremented = true;
        paper_one_more(x);
    }
}

static inline void paper_left(struct paper *x)
{
    memmove(x->digit + 1, x->digit, (size_t)x->count);
    x->digit[0] = 0;
    x->count++;
    x->exponent--;
}

static inline void paper_nines(const struct paper_format *f, struct paper_flags *flags,
                               struct paper *x)
{
    bool nearest = flags->mode == 0 || flags->mode == 4 || flags->mode == 5;
    bool infinite = nearest || flags->mode == 6 || flags->mode == (x->negative ? 3 : 2);
    flags->raised |= PAPER_OVER | PAPER_INEXACT;
    flags->incremented = infinite;
    memset(x->digit, infinite ? 0 : 9, (size_t)f->digits);
    x->class = infinite ? PAPER_INFINITY : PAPER_FINITE;
    x->count = f->digits;
    x->exponent = x->preferred = f->largest - f->bias;
}

static inline void paper_round(const struct paper_format *f, struct paper_flags *flags,
                               struct paper *x)
{
    if (x->class != PAPER_FINITE)
        return;
    unsigned before = flags->raised;
    int low = -f->bias, high = f->largest - f->bias, normal = low + f->digits - 1;
    bool zero = paper_length(x) == 0;
    flags->raised = 0;
    if (!zero && x->exponent + paper_length(x) - 1 < normal) {
        if (flags->masks & PAPER_UNDER) {
            flags->raised |= PAPER_UNDER;
            x->exponent += f->scale;
            x->preferred += f->scale;
        } else if (x->exponent < low) {
            paper_cut(flags, x, low - x->exponent);
            if (flags->raised)
                flags->raised |= PAPER_UNDER;
        }
    }
    if (paper_length(x) > f->digits)
        paper_cut(flags, x, paper_length(x) - f->digits);
    if (paper_length(x) > f->digits) // carried
        paper_cut(flags, x, 1);
    if (!zero && x->exponent + paper_length(x) - 1 > high + f->digits - 1) {
        if (!(flags->masks & PAPER_OVER)) {
            paper_nines(f, flags, x);
            flags->raised |= before;
            return;
        }
        flags->raised |= PAPER_OVER;
        x->exponent -= f->scale;
        x->preferred -= f->scale;
    }
    if (!(flags->raised & PAPER_INEXACT)) {
        while ((x->exponent < x->preferred || x->exponent < low) && x->exponent < high &&
               x->digit[0] == 0) {
            unsigned last = 0;
            bool below = false;
            paper_away(x, &last, &below);
        }
        while ((x->exponent > x->preferred || x->exponent > high) && x->exponent > low &&
               paper_length(x) < f->digits)
            paper_left(x);
    }
    if (x->exponent != x->preferred)
        flags->raised |= PAPER_QUANTUM;
    flags->raised |= before;
}

// --- arithmetic -------------------------------------------------------------------------------

// Both with the same exponent; returns the sign of |a| - |b|.
static inline int paper_order(const struct paper *a, const struct paper *b)
{
    for (int i = PAPER_DIGITS - 1; i >= 0; i--)
        if (a->digit[i] != b->digit[i])
            return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

static inline void paper_align(struct paper *a, int exponent)
{
    int n = a->exponent - exponent;
    memmove(a->digit + n, a->digit, (size_t)a->count);
    memset(a->digit, 0, (size_t)n);
    a->count += n;
    a->exponent = exponent;
}

static inline void paper_add(struct paper *a, struct paper *b, int mode)
{
    int exponent = a->exponent < b->exponent ? a->exponent : b->exponent;
    paper_align(a, exponent);
    paper_align(b, exponent);
    int order = paper_order(a, b), carry = 0;
    bool add = a->negative == b->negative;
    const struct paper *large = order < 0 ? b : a, *small = order < 0 ? a : b;
    int count = large->count > small->count ? large->count : small->count;
    bool negative = large->negative;
    for (int i = 0; i <= count; i++) {
        int d = large->digit[i] + (add ? small->digit[i] : -small->digit[i]) + carry;
        carry = d < 0 ? -1 : d > 9;
        a->digit[i] = (uint8_t)((d + 10) % 10);
    }
    a->count = count + 1;
    a->negative = !add && order == 0 ? mode == 3 : negative;
    a->preferred = a->exponent = exponent;
}

static inline void paper_multiply(struct paper *a, const struct paper *b)
{
    unsigned sum[160] = {0};
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            sum[i + j] += a->digit[i] * b->digit[j];
    a->count += b->count;
    for (int i = 0; i < a->count; i++) {
        sum[i + 1] += sum[i] / 10;
        a->digit[i] = (uint8_t)(sum[i] % 10);
    }
    a->exponent += b->exponent;
    a->preferred = a->exponent;
    a->negative ^= b->negative;
}

// b is not zero. 80 digits, then the rest is sticky.
static inline void paper_divide(struct paper *a, const struct paper *b)
{
    uint8_t rest[40] = {0}, quotient[160];
    int n = a->count, steps = n + 80;
    for (int i = 0; i < steps; i++) { // digits of a from the left, then zeros
        memmove(rest + 1, rest, 38);
        rest[0] = i < n ? a->digit[n - 1 - i] : 0;
        quotient[i] = 0;
        for (;;) {
            int k = 38, borrow = 0;
            while (k >= 0 && rest[k] == (k < b->count ? b->digit[k] : 0))
                k--;
            if (k >= 0 && rest[k] < (k < b->count ? b->digit[k] : 0))
                break;
            for (int j = 0; j < 39; j++) {
                int d = rest[j] - (j < b->count ? b->digit[j] : 0) - borrow;
                borrow = d < 0;
                rest[j] = (uint8_t)(d + 10 * borrow);
            }
            quotient[i]++;
        }
    }
    for (int i = 0; i < steps; i++)
        a->digit[i] = quotient[steps - 1 - i];
    for (int j = 0; j < 39; j++)
        a->sticky |= rest[j] != 0;
    a->count = steps;
    a->preferred = a->exponent - b->exponent;
    a->exponent = a->preferred - 80;
    a->negative ^= b->negative;
}

#endif
