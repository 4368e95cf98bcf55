// SPDX-License-Identifier: MIT
// Software binary floating point; see bfp.h.
#include "cpu/bfp.h"

#define TOP ((uint128)1 << 127)

const struct bfp_format bfp_short = {23, 127, 192};
const struct bfp_format bfp_long = {52, 1023, 1536};
const struct bfp_format bfp_extended = {112, 16383, 24576};

static int leading_zeros(uint128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)v);
}

// Shift right; what falls out leaves its trace in the last bit.
static uint128 shift_sticky(uint128 v, int n)
{
    if (n <= 0)
        return v;
    if (n >= 128)
        return v != 0;
    return v >> n | ((v << (128 - n)) != 0);
}

static struct bfp normalise(struct bfp x)
{
    if (x.significand == 0) {
        x.class = BFP_ZERO;
        return x;
    }
    int n = leading_zeros(x.significand);
    x.significand <<= n;
    x.exponent -= n;
    return x;
}

struct bfp bfp_unpack(const struct bfp_format *f, uint128 bits)
{
    int exponent_bits = f->bias == 127 ? 8 : f->bias == 1023 ? 11 : 15;
    struct bfp x = {.negative = bits >> (f->fraction + exponent_bits) & 1};
    int biased = (int)(bits >> f->fraction) & ((1 << exponent_bits) - 1);
    uint128 fraction = bits & (((uint128)1 << f->fraction) - 1);
    uint128 left = fraction << (127 - f->fraction); // below the implied bit
    if (biased == (1 << exponent_bits) - 1) {
        x.significand = left;
        if (fraction == 0)
            x.class = BFP_INFINITY;
        else
            x.class = left >> 126 & 1 ? BFP_QNAN : BFP_SNAN;
    } else if (biased == 0) {
        x.class = BFP_FINITE;
        x.significand = left;
        x.exponent = 1 - f->bias;
        x = normalise(x);
    } else {
        x.class = BFP_FINITE;
        x.significand = left | TOP;
        x.exponent = biased - f->bias;
    }
    return x;
}

static uint128 pack(const struct bfp_format *f, bool negative, int biased, uint128 fraction)
{
    int exponent_bits = f->bias == 127 ? 8 : f->bias == 1023 ? 11 : 15;
    return (uint128)negative << (f->fraction + exponent_bits) | (uint128)biased << f->fraction |
           (fraction & (((uint128)1 << f->fraction) - 1));
}

bool bfp_rounds_up(enum bfp_rounding mode, bool negative, bool odd, int half)
{
    switch (mode) {
    case BFP_EVEN:
        return half > 0 || (half == 0 && odd);
    case BFP_AWAY:
        return half >= 0;
    case BFP_NEAR_ZERO:
        return half > 0;
    case BFP_UP:
        return !negative;
    case BFP_DOWN:
        return negative;
    case BFP_ODD:
        return !odd;
    default:
        return false;
    }
}

// `rest` are the bits below the unit, left-aligned, not zero.
static bool rounds_up(enum bfp_rounding mode, bool negative, bool odd, uint128 rest)
{
    return bfp_rounds_up(mode, negative, odd, (rest > TOP) - (rest < TOP));
}

static uint128 overflow(struct bfp_context *c, const struct bfp_format *f, bool negative)
{
    c->raised |= BFP_OVERFLOW | BFP_INEXACT;
    bool infinity = c->mode == BFP_EVEN || c->mode == BFP_AWAY || c->mode == BFP_NEAR_ZERO ||
                    (c->mode == BFP_UP && !negative) || (c->mode == BFP_DOWN && negative);
    c->incremented = infinity;
    if (infinity)
        return pack(f, negative, 2 * f->bias + 1, 0);
    return pack(f, negative, 2 * f->bias, ~(uint128)0);
}

// Cuts the significand to `keep` bits at its left; may carry out to exponent + 1.
static uint128 cut(struct bfp_context *c, struct bfp *x, int keep)
{
    uint128 kept = keep > 0 ? x->significand >> (128 - keep) : 0;
    uint128 rest = keep > 0 ? x->significand << keep : shift_sticky(x->significand, -keep);
    if (rest == 0)
        return kept;
    c->raised |= BFP_INEXACT;
    if (rounds_up(c->mode, x->negative, kept & 1, rest)) {
        c->incremented = true;
        kept++;
    }
    return kept;
}

static uint128 round_normal(struct bfp_context *c, const struct bfp_format *f, struct bfp x)
{
    int p = f->fraction + 1;
    uint128 kept = cut(c, &x, p);
    if (kept >> p) { // all ones became a power of two
        kept >>= 1;
        x.exponent++;
    }
    if (x.exponent > f->bias) {
        if (!(c->masks & BFP_OVERFLOW))
            return overflow(c, f, x.negative);
        c->raised |= BFP_OVERFLOW;
        x.exponent -= f->scale;
    }
    return pack(f, x.negative, x.exponent + f->bias, kept);
}

// Tiny before rounding: underflow if inexact, or if the trap is enabled, which scales.
static uint128 round_tiny(struct bfp_context *c, const struct bfp_format *f, struct bfp x)
{
    if (c->masks & BFP_UNDERFLOW) {
        c->raised |= BFP_UNDERFLOW;
        x.exponent += f->scale;
        return round_normal(c, f, x);
    }
    int keep = f->fraction + 1 - (1 - f->bias - x.exponent);
    if (keep < -1) { // below half of the smallest number
        x.significand = 1;
        keep = -1;
    }
    uint8_t before = c->raised;
    c->raised = 0;
    uint128 kept = cut(c, &x, keep);
    if (c->raised & BFP_INEXACT)
        c->raised |= BFP_UNDERFLOW;
    c->raised |= before;
    // A carry into the implied bit makes the exponent field one by itself.
    return pack(f, x.negative, 0, 0) | kept;
}

struct bfp bfp_round_precision(struct bfp_context *c, const struct bfp_format *f, struct bfp x)
{
    int p = f->fraction + 1;
    uint128 kept = cut(c, &x, p);
    x.significand = kept;
    x.exponent += 128 - p;
    return normalise(x);
}

uint128 bfp_round(struct bfp_context *c, const struct bfp_format *f, struct bfp x)
{
    switch (x.class) {
    case BFP_ZERO:
        return pack(f, x.negative, 0, 0);
    case BFP_INFINITY:
        return pack(f, x.negative, 2 * f->bias + 1, 0);
    case BFP_QNAN:
    case BFP_SNAN:
        return pack(f, x.negative, 2 * f->bias + 1, x.significand >> (127 - f->fraction));
    default:
        return x.exponent < 1 - f->bias ? round_tiny(c, f, x) : round_normal(c, f, x);
    }
}

struct bfp bfp_default_nan(void)
{
    return (struct bfp){.class = BFP_QNAN, .significand = TOP >> 1};
}

struct bfp bfp_quiet(struct bfp x)
{
    if (x.class == BFP_SNAN) {
        x.class = BFP_QNAN;
        x.significand |= TOP >> 1;
    }
    return x;
}

static bool is_nan(struct bfp x)
{
    return x.class >= BFP_QNAN;
}

// The NaN that goes through: signalling before quiet, the first operand before the second.
static struct bfp propagate(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (a.class == BFP_SNAN || b.class == BFP_SNAN)
        c->raised |= BFP_INVALID;
    if (a.class == BFP_SNAN)
        return bfp_quiet(a);
    if (b.class == BFP_SNAN)
        return bfp_quiet(b);
    return is_nan(a) ? a : b;
}

static struct bfp invalid(struct bfp_context *c)
{
    c->raised |= BFP_INVALID;
    return bfp_default_nan();
}

static struct bfp add_finite(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        struct bfp t = a;
        a = b;
        b = t;
    }
    // One bit of room for the carry; every format leaves fifteen zeros at the right.
    uint128 x = shift_sticky(a.significand, 1);
    uint128 y = shift_sticky(shift_sticky(b.significand, 1), a.exponent - b.exponent);
    struct bfp r = a;
    r.exponent++;
    if (a.negative == b.negative) {
        r.significand = x + y;
    } else {
        r.significand = x - y;
        if (r.significand == 0)
            r.negative = c->mode == BFP_DOWN;
    }
    return normalise(r);
}

struct bfp bfp_add(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    if (a.class == BFP_INFINITY)
        return b.class == BFP_INFINITY && a.negative != b.negative ? invalid(c) : a;
    if (b.class == BFP_INFINITY)
        return b;
    if (a.class == BFP_ZERO && b.class == BFP_ZERO) {
        if (a.negative != b.negative)
            a.negative = c->mode == BFP_DOWN;
        return a;
    }
    if (a.class == BFP_ZERO)
        return b;
    return b.class == BFP_ZERO ? a : add_finite(c, a, b);
}

// 128 x 128 bits, the left half; the right half is sticky.
static uint128 multiply_high(uint128 a, uint128 b)
{
    uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a, bh = (uint64_t)(b >> 64), bl = (uint64_t)b;
    uint128 hh = (uint128)ah * bh, hl = (uint128)ah * bl, lh = (uint128)al * bh;
    uint128 ll = (uint128)al * bl;
    uint128 middle = (ll >> 64) + (uint64_t)hl + (uint64_t)lh;
    uint128 high = hh + (hl >> 64) + (lh >> 64) + (middle >> 64);
    return high | ((uint64_t)middle != 0 || (uint64_t)ll != 0);
}

struct bfp bfp_multiply(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    struct bfp r = {.class = BFP_FINITE, .negative = a.negative != b.negative};
    if (a.class == BFP_INFINITY || b.class == BFP_INFINITY) {
        if (a.class == BFP_ZERO || b.class == BFP_ZERO)
            return invalid(c);
        r.class = BFP_INFINITY;
        return r;
    }
    if (a.class == BFP_ZERO || b.class == BFP_ZERO) {
        r.class = BFP_ZERO;
        return r;
    }
    r.significand = multiply_high(a.significand, b.significand);
    r.exponent = a.exponent + b.exponent + 1;
    return normalise(r); // by one place at most: the sticky bit stays below every format's last
}

struct bfp bfp_divide(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    struct bfp r = {.class = BFP_FINITE, .negative = a.negative != b.negative};
    if (a.class == BFP_INFINITY && b.class == BFP_INFINITY)
        return invalid(c);
    if (a.class == BFP_ZERO && b.class == BFP_ZERO)
        return invalid(c);
    if (b.class == BFP_ZERO && a.class != BFP_INFINITY)
        c->raised |= BFP_DIVIDE;
    if (a.class == BFP_INFINITY || b.class == BFP_ZERO) {
        r.class = BFP_INFINITY;
        return r;
    }
    if (a.class == BFP_ZERO || b.class == BFP_INFINITY) {
        r.class = BFP_ZERO;
        return r;
    }
    uint128 rest = a.significand >> 1, divisor = b.significand >> 1, quotient = 0;
    for (int i = 0; i < 120; i++) { // seven more than the longest format has
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
        rest <<= 1;
    }
    r.significand = quotient << 8 | (rest != 0);
    r.exponent = a.exponent - b.exponent;
    return normalise(r);
}

struct bfp bfp_square_root(struct bfp_context *c, struct bfp a)
{
    if (is_nan(a))
        return propagate(c, a, a);
    if (a.class == BFP_ZERO)
        return a;
    if (a.negative)
        return invalid(c);
    if (a.class == BFP_INFINITY)
        return a;
    bool odd = a.exponent & 1;
    uint128 stream = odd ? a.significand : a.significand >> 1, rest = 0, root = 0;
    for (int i = 0; i < 116; i++) { // two bits of the radicand for one of the root
        rest = rest << 2 | stream >> 126;
        stream <<= 2;
        uint128 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    struct bfp r = {.class = BFP_FINITE, .significand = root << 12 | (rest != 0)};
    r.exponent = (a.exponent - odd) / 2;
    return r;
}

struct bfp bfp_multiply_add(struct bfp_context *c, struct bfp a, struct bfp b, struct bfp addend)
{
    bool zero_times_infinity = (a.class == BFP_ZERO && b.class == BFP_INFINITY) ||
                               (a.class == BFP_INFINITY && b.class == BFP_ZERO);
    if (is_nan(a) || is_nan(b) || is_nan(addend)) {
        if (zero_times_infinity)
            return invalid(c);
        if (a.class == BFP_SNAN || b.class == BFP_SNAN || addend.class == BFP_SNAN)
            c->raised |= BFP_INVALID;
        const struct bfp *order[] = {&a, &b, &addend};
        for (enum bfp_class class = BFP_SNAN; class >= BFP_QNAN; class --) {
            for (int i = 0; i < 3; i++) {
                if (order[i]->class == class)
                    return bfp_quiet(*order[i]);
            }
        }
    }
    // The product of two significands of at most 53 bits is exact in 128.
    struct bfp product = bfp_multiply(c, a, b);
    return is_nan(product) ? product : bfp_add(c, product, addend);
}

unsigned bfp_compare(struct bfp_context *c, struct bfp a, struct bfp b, bool signal)
{
    if (is_nan(a) || is_nan(b)) {
        if (signal || a.class == BFP_SNAN || b.class == BFP_SNAN)
            c->raised |= BFP_INVALID;
        return 3;
    }
    if (a.class == BFP_ZERO && b.class == BFP_ZERO)
        return 0;
    bool a_negative = a.class != BFP_ZERO && a.negative,
         b_negative = b.class != BFP_ZERO && b.negative;
    if (a.class == BFP_ZERO)
        return b_negative ? 2 : 1;
    if (b.class == BFP_ZERO)
        return a_negative ? 1 : 2;
    if (a_negative != b_negative)
        return a_negative ? 1 : 2;
    int order; // of the magnitudes
    if (a.class != b.class)
        order = a.class == BFP_INFINITY ? 1 : -1;
    else if (a.class == BFP_INFINITY)
        order = 0;
    else if (a.exponent != b.exponent)
        order = a.exponent < b.exponent ? -1 : 1;
    else
        order = (a.significand > b.significand) - (a.significand < b.significand);
    if (a_negative)
        order = -order;
    return order == 0 ? 0 : order < 0 ? 1 : 2;
}

struct bfp bfp_integral(struct bfp_context *c, struct bfp x)
{
    if (x.class != BFP_FINITE || x.exponent >= 127)
        return x;
    int keep = x.exponent + 1; // bits before the point
    if (keep < -1) {
        x.significand = 1;
        keep = -1;
    }
    uint128 kept = cut(c, &x, keep);
    struct bfp r = {
        .class = BFP_FINITE, .negative = x.negative, .significand = kept, .exponent = 127};
    return normalise(r);
}

struct bfp bfp_from_integer(bool negative, uint64_t magnitude)
{
    struct bfp r = {
        .class = BFP_FINITE, .negative = negative, .significand = magnitude, .exponent = 127};
    if (magnitude == 0)
        r.negative = false;
    return normalise(r);
}

uint128 bfp_magnitude(struct bfp x)
{
    return x.class == BFP_ZERO || x.exponent < 0 ? 0 : x.significand >> (127 - x.exponent);
}
