// SPDX-License-Identifier: MIT
// Hexadecimal floating-point numbers: packing, arithmetic, conversion.
#include "cpu/hfp.h"

#define FRACTION_MASK (((uint128)1 << HFP_BITS) - 1)
#define TOP_DIGIT     ((uint128)15 << (HFP_BITS - 4))

// Packed:
//
//  0 1      8         31          63
// |S|charac.|fraction  | more      |
// |S|low ch.| fraction, digits 15 to 28    |   extended: a second doubleword
#define LONG_FRACTION ((UINT64_C(1) << 56) - 1)

unsigned hfp_digits(enum hfp_format format)
{
    static const uint8_t digits[] = {6, 14, 28};
    return digits[format];
}

struct hfp hfp_unpack(enum hfp_format format, uint128 bits)
{
    if (format != HFP_EXTENDED)
        bits <<= format == HFP_SHORT ? 96 : 64;
    uint64_t high = (uint64_t)(bits >> 64);
    return (struct hfp){
        .negative = high >> 63,
        .exponent = high >> 56 & 127,
        .fraction = (uint128)(high & LONG_FRACTION) << 56 | ((uint64_t)bits & LONG_FRACTION),
    };
}

static uint64_t half(bool negative, int exponent, uint64_t fraction)
{
    return (uint64_t)negative << 63 | (uint64_t)(exponent & 127) << 56 | fraction;
}

uint128 hfp_pack(enum hfp_format format, struct hfp x)
{
    uint64_t high = half(x.negative, x.exponent, (uint64_t)(x.fraction >> 56));
    if (format == HFP_SHORT)
        return high >> 32;
    if (format == HFP_LONG)
        return high;
    // The low-order characteristic is 14 less, modulo 128.
    uint64_t low = half(x.negative, x.exponent - 14, (uint64_t)x.fraction & LONG_FRACTION);
    return (uint128)high << 64 | low;
}

struct hfp hfp_normalize(struct hfp x)
{
    if (x.fraction == 0)
        return (struct hfp){0};
    while (!(x.fraction & TOP_DIGIT)) {
        x.fraction <<= 4;
        x.exponent--;
    }
    return x;
}

struct hfp hfp_truncate(struct hfp x, unsigned digits)
{
    x.fraction &= FRACTION_MASK << (HFP_BITS - 4 * digits);
    return x;
}

// --- addition ---------------------------------------------------------------------------------

// Fractions as integers of `digits` + 1 digits, the last one the guard digit.
static uint128 aligned(struct hfp x, unsigned digits, unsigned shift)
{
    uint128 v = x.fraction >> (HFP_BITS - 4 * digits) << 4;
    return shift > digits ? 0 : v >> 4 * shift;
}

struct hfp hfp_add(struct hfp a, struct hfp b, unsigned digits, unsigned *guard)
{
    int exponent = a.exponent > b.exponent ? a.exponent : b.exponent;
    uint128 va = aligned(a, digits, (unsigned)(exponent - a.exponent));
    uint128 vb = aligned(b, digits, (unsigned)(exponent - b.exponent));
    struct hfp r = {.exponent = exponent};
    uint128 sum;
    if (a.negative == b.negative) {
        sum = va + vb;
        r.negative = a.negative;
    } else {
        sum = va >= vb ? va - vb : vb - va;
        r.negative = va >= vb ? a.negative : b.negative;
    }
    if (sum == 0)
        r.negative = false;
    if (sum >> (4 * digits + 4)) { // carry: one digit to the right
        sum >>= 4;
        r.exponent++;
    }
    *guard = (unsigned)sum & 15;
    r.fraction = sum >> 4 << (HFP_BITS - 4 * digits);
    return r;
}

uint8_t hfp_compare(struct hfp a, struct hfp b, unsigned digits)
{
    unsigned guard;
    b.negative = !b.negative;
    struct hfp r = hfp_add(a, b, digits, &guard);
    if (r.fraction == 0 && guard == 0)
        return 0;
    return r.negative ? 1 : 2;
}

// --- multiplication and division ------------------------------------------------------------

// The upper bits of a 256-bit product, from bit `shift` (64-127) on.
static uint128 product_from(uint128 a, uint128 b, unsigned shift)
{
    uint64_t a1 = (uint64_t)(a >> 64), a0 = (uint64_t)a;
    uint64_t b1 = (uint64_t)(b >> 64), b0 = (uint64_t)b;
    uint128 low = (uint128)a0 * b0, mid1 = (uint128)a1 * b0, mid2 = (uint128)a0 * b1;
    uint128 middle = (low >> 64) + (uint64_t)mid1 + (uint64_t)mid2;
    uint128 high = (uint128)a1 * b1 + (mid1 >> 64) + (mid2 >> 64) + (middle >> 64);
    low = middle << 64 | (uint64_t)low;
    return high << (128 - shift) | low >> shift;
}

struct hfp hfp_multiply(struct hfp a, struct hfp b)
{
    a = hfp_normalize(a);
    b = hfp_normalize(b);
    if (a.fraction == 0 || b.fraction == 0)
        return (struct hfp){0};
    struct hfp r = {.negative = a.negative != b.negative, .exponent = a.exponent + b.exponent - 64};
    r.fraction = product_from(a.fraction, b.fraction, HFP_BITS);
    if (!(r.fraction & TOP_DIGIT)) { // at most one leading zero digit
        r.fraction = product_from(a.fraction, b.fraction, HFP_BITS - 4);
        r.exponent--;
    }
    return r;
}

struct hfp hfp_multiply_unnormalized(struct hfp a, struct hfp b)
{
    return (struct hfp){.negative = a.negative != b.negative,
                        .exponent = a.exponent + b.exponent - 64,
                        .fraction = (a.fraction >> 56) * (b.fraction >> 56)};
}

struct hfp hfp_divide(struct hfp a, struct hfp b, unsigned digits)
{
    a = hfp_normalize(a);
    b = hfp_normalize(b);
    if (a.fraction == 0)
        return (struct hfp){0};
    struct hfp r = {.negative = a.negative != b.negative, .exponent = a.exponent - b.exponent + 64};
    uint128 rest = a.fraction;
    if (rest >= b.fraction)
        r.exponent++;
    else
        rest <<= 4;
    for (unsigned i = 0; i < digits; i++) {
        r.fraction = r.fraction << 4 | rest / b.fraction;
        rest = rest % b.fraction << 4;
    }
    r.fraction <<= HFP_BITS - 4 * digits;
    return r;
}

// Bit by bit; an odd exponent shifts the radicand one digit to the right. One bit more than the
// format has decides the rounding; a tie cannot be, its square would need more digits.
struct hfp hfp_square_root(struct hfp a, unsigned digits)
{
    a = hfp_normalize(a);
    if (a.fraction == 0)
        return a;
    int power = a.exponent - 64, odd = power & 1;
    uint128 radicand = a.fraction << 16 >> (odd ? 4 : 0), root = 0, rest = 0;
    for (unsigned i = 0; i < 4 * digits + 1; i++) {
        rest = rest << 2 | radicand >> 126;
        radicand <<= 2;
        uint128 trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    return (struct hfp){.exponent = (power + odd) / 2 + 64,
                        .fraction = (root + 1) >> 1 << (HFP_BITS - 4 * digits)};
}

// --- integers -----------------------------------------------------------------------------------

struct hfp hfp_integral(struct hfp x)
{
    if (x.exponent <= 64)
        return (struct hfp){0};
    unsigned before = (unsigned)x.exponent - 64;
    return hfp_normalize(before < 28 ? hfp_truncate(x, before) : x);
}

struct hfp hfp_from_integer(bool negative, uint64_t magnitude)
{
    struct hfp x = {
        .negative = negative, .exponent = 64 + 16, .fraction = (uint128)magnitude << 48};
    return hfp_normalize(x);
}

static bool rounds_up(bool negative, enum bfp_rounding mode, bool odd, int against_half)
{
    switch (mode) { // against_half: -1 below, 0 a tie, 1 above; the remainder is not zero
    case BFP_EVEN:
        return against_half > 0 || (against_half == 0 && odd);
    case BFP_AWAY:
        return against_half >= 0;
    case BFP_UP:
        return !negative;
    case BFP_DOWN:
        return negative;
    default:
        return false;
    }
}

bool hfp_to_integer(struct hfp x, enum bfp_rounding mode, uint64_t *magnitude)
{
    x = hfp_normalize(x);
    int before = x.exponent - 64; // digits before the point
    *magnitude = 0;
    if (x.fraction == 0)
        return true;
    if (before > 16)
        return false;
    uint128 whole = 0, rest = x.fraction, middle = 0;
    if (before >= 0) {
        unsigned behind = HFP_BITS - 4 * (unsigned)before;
        whole = x.fraction >> behind;
        rest = x.fraction & (((uint128)1 << behind) - 1);
        middle = (uint128)1 << (behind - 1);
    }
    int against_half = before < 0 || rest < middle ? -1 : rest > middle;
    if (rest && rounds_up(x.negative, mode, whole & 1, against_half))
        whole++;
    *magnitude = (uint64_t)whole;
    return whole >> 64 == 0;
}

// --- binary numbers -----------------------------------------------------------------------------

struct bfp hfp_to_bfp(struct hfp x)
{
    int shift = 0;
    while (!(x.fraction >> 127)) {
        x.fraction <<= 1;
        shift++;
    }
    return (struct bfp){.class = BFP_FINITE,
                        .negative = x.negative,
                        .exponent = 4 * (x.exponent - 64) + 15 - shift,
                        .significand = x.fraction};
}

struct hfp hfp_from_bfp(struct bfp x)
{
    // 0.1... * 2^(exponent + 1): up to three zero bits make the power of two one of sixteen.
    int power = x.exponent + 1, digits = (power + 3) >> 2;
    return (struct hfp){.negative = x.negative,
                        .exponent = digits + 64,
                        .fraction = x.significand >> 16 >> (4 * digits - power)};
}
