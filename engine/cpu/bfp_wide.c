// SPDX-License-Identifier: MIT
// Multiply and add of extended numbers: the product of two significands of 113 bits is kept whole.
#include "cpu/bfp.h"

// 256 bits; the number's leftmost one is at the left of `high`.
struct wide {
    uint128 high, low;
};

static struct wide multiply(uint128 a, uint128 b)
{
    uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a, bh = (uint64_t)(b >> 64), bl = (uint64_t)b;
    uint128 hh = (uint128)ah * bh, hl = (uint128)ah * bl, lh = (uint128)al * bh;
    uint128 ll = (uint128)al * bl;
    uint128 middle = (ll >> 64) + (uint64_t)hl + (uint64_t)lh;
    return (struct wide){hh + (hl >> 64) + (lh >> 64) + (middle >> 64),
                         middle << 64 | (uint64_t)ll};
}

static struct wide left(struct wide v, int n)
{
    if (n == 0)
        return v;
    if (n >= 128)
        return (struct wide){v.low << (n - 128), 0};
    return (struct wide){v.high << n | v.low >> (128 - n), v.low << n};
}

// To the right; what falls out leaves its trace in the last bit.
static struct wide right_sticky(struct wide v, int n)
{
    if (n == 0)
        return v;
    if (n >= 256)
        return (struct wide){0, (v.high | v.low) != 0};
    bool lost;
    struct wide r;
    if (n >= 128) {
        lost = v.low != 0 || (n > 128 && v.high << (256 - n) != 0);
        r = (struct wide){0, n == 255 ? v.high >> 127 : v.high >> (n - 128)};
    } else {
        lost = v.low << (128 - n) != 0;
        r = (struct wide){v.high >> n, v.low >> n | v.high << (128 - n)};
    }
    r.low |= lost;
    return r;
}

static int leading_zeros(uint128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)v);
}

static bool less(struct wide a, struct wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static struct wide add(struct wide a, struct wide b)
{
    uint128 low = a.low + b.low;
    return (struct wide){a.high + b.high + (low < a.low), low};
}

static struct wide subtract(struct wide a, struct wide b)
{
    return (struct wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

// A sum of 256 bits as a number: the right half is sticky.
static struct bfp number(struct bfp_context *c, bool negative, int exponent, struct wide v)
{
    if (v.high == 0 && v.low == 0)
        return (struct bfp){.class = BFP_ZERO, .negative = c->mode == BFP_DOWN};
    int n = v.high ? leading_zeros(v.high) : 128 + leading_zeros(v.low);
    v = left(v, n);
    return (struct bfp){.class = BFP_FINITE,
                        .negative = negative,
                        .exponent = exponent - n,
                        .significand = v.high | (v.low != 0)};
}

struct bfp bfp_multiply_add_extended(struct bfp_context *c, struct bfp a, struct bfp b,
                                     struct bfp addend)
{
    if (a.class != BFP_FINITE || b.class != BFP_FINITE || addend.class != BFP_FINITE)
        return bfp_multiply_add(c, a, b, addend);
    // One bit of room for the carry on both sides; 256 bits leave 29 zeros right of the product.
    bool p_negative = a.negative != b.negative;
    struct wide p = right_sticky(multiply(a.significand, b.significand), 1);
    struct wide s = right_sticky((struct wide){addend.significand, 0}, 1);
    int p_exponent = a.exponent + b.exponent + 2, s_exponent = addend.exponent + 1;
    int exponent = p_exponent > s_exponent ? p_exponent : s_exponent;
    p = right_sticky(p, exponent - p_exponent);
    s = right_sticky(s, exponent - s_exponent);
    if (p_negative == addend.negative)
        return number(c, p_negative, exponent, add(p, s));
    if (less(p, s))
        return number(c, addend.negative, exponent, subtract(s, p));
    return number(c, p_negative, exponent, subtract(p, s));
}
