// SPDX-License-Identifier: MIT
// Exact conversion between binary and decimal numbers, by integers as long as the widest exponents
// need; see radix.h.
#include "cpu/radix.h"

#include <string.h>

#include "base/memory.h"

// The longest: 5^6176 (14,341 bits) times a significand or a quotient.
#define LIMBS 232

// The least significant first; limbs from `count` on are zero.
struct natural {
    int count;
    uint64_t limb[LIMBS];
};

static void set(struct natural *n, uint128 value)
{
    memset(n, 0, sizeof *n);
    n->limb[0] = (uint64_t)value;
    n->limb[1] = (uint64_t)(value >> 64);
    n->count = n->limb[1] ? 2 : n->limb[0] != 0;
}

static int bits(const struct natural *n)
{
    return n->count == 0 ? 0 : 64 * n->count - __builtin_clzll(n->limb[n->count - 1]);
}

static void multiply(struct natural *n, uint64_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        uint128 product = (uint128)n->limb[i] * by + carry;
        n->limb[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry) {
        INVARIANT(n->count < LIMBS);
        n->limb[n->count++] = carry;
    }
}

static void multiply_by_power_of_five(struct natural *n, int power)
{
    const uint64_t five27 = UINT64_C(7450580596923828125);
    for (; power >= 27; power -= 27)
        multiply(n, five27);
    for (; power > 0; power--)
        multiply(n, 5);
}

static void shift_left(struct natural *n, int by)
{
    int limbs = by / 64, rest = by % 64, count = n->count;
    if (count == 0)
        return;
    INVARIANT(count + limbs + 1 <= LIMBS);
    for (int i = count; i >= 0; i--) { // the limb above the last one is zero
        uint64_t low = i > 0 && rest ? n->limb[i - 1] >> (64 - rest) : 0;
        n->limb[i + limbs] = (i < count ? n->limb[i] << rest : 0) | low;
    }
    memset(n->limb, 0, (size_t)limbs * sizeof n->limb[0]);
    n->count = count + limbs + (n->limb[count + limbs] != 0);
}

// 128 bits from bit `at` on; `at` may be negative.
static uint128 extract(const struct natural *n, int at)
{
    uint128 value = 0;
    for (int i = 127; i >= 0; i--) {
        int bit = at + i, limb = bit / 64;
        bool one = bit >= 0 && limb < n->count && n->limb[limb] >> (bit % 64) & 1;
        value = value << 1 | one;
    }
    return value;
}

static bool any_below(const struct natural *n, int at)
{
    for (int i = 0; i < n->count && 64 * i < at; i++) {
        uint64_t mask = at - 64 * i >= 64 ? UINT64_MAX : (UINT64_C(1) << (at - 64 * i)) - 1;
        if (n->limb[i] & mask)
            return true;
    }
    return false;
}

static int compare(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

// a >= b.
static void subtract(struct natural *a, const struct natural *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t limb = a->limb[i], less = i < b->count ? b->limb[i] : 0;
        a->limb[i] = limb - less - borrow;
        borrow = limb < less || (limb == less && borrow);
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

// n / by, less than 2^128; n keeps the remainder. Bit by bit: the quotient is short.
static uint128 divide(struct natural *n, const struct natural *by)
{
    static const int quotient_bits = 128;
    struct natural rest = {0};
    uint128 quotient = 0, last = extract(n, 0);
    for (int i = 2; i < n->count; i++)
        rest.limb[i - 2] = n->limb[i];
    rest.count = n->count > 2 ? n->count - 2 : 0;
    for (int i = quotient_bits - 1; i >= 0; i--) {
        shift_left(&rest, 1);
        rest.limb[0] |= (uint64_t)(last >> i & 1);
        if (rest.count == 0)
            rest.count = rest.limb[0] != 0;
        quotient <<= 1;
        if (compare(&rest, by) >= 0) {
            subtract(&rest, by);
            quotient |= 1;
        }
    }
    *n = rest;
    return quotient;
}

// What is left of a division, beside half of the divisor.
static enum dfp_rest rest_of(struct natural *remainder, const struct natural *by)
{
    if (remainder->count == 0)
        return DFP_EXACT;
    shift_left(remainder, 1);
    int order = compare(remainder, by);
    return order < 0 ? DFP_BELOW_HALF : order > 0 ? DFP_ABOVE_HALF : DFP_HALF;
}

static int floor_log10_of_power_of_two(int n)
{
    int64_t product = (int64_t)n * 30103; // log10(2) is 0.3010300 - 4.4E-9
    return (int)(product >= 0 ? product / 100000 : -((99999 - product) / 100000));
}

// 36 digits, or 37.
struct dfp radix_to_decimal(bool negative, uint128 significand, int exponent)
{
    struct natural n, by;
    struct dfp r = {.class = DFP_FINITE, .negative = negative};
    set(&n, significand);
    set(&by, 1);
    r.exponent = floor_log10_of_power_of_two(bits(&n) - 1 + exponent) - 35;
    // significand * 2^exponent / 10^r.exponent
    int twos = exponent - r.exponent;
    if (r.exponent > 0)
        multiply_by_power_of_five(&by, r.exponent);
    else
        multiply_by_power_of_five(&n, -r.exponent);
    if (twos > 0)
        shift_left(&n, twos);
    else
        shift_left(&by, -twos);
    r.coefficient = divide(&n, &by);
    r.rest = rest_of(&n, &by);
    return r;
}

// 127 or 128 bits, the last one sticky.
struct bfp radix_to_binary(struct dfp x)
{
    struct natural n, by;
    struct bfp r = {.class = BFP_FINITE, .negative = x.negative};
    uint128 value;
    int low; // the exponent of the value's last bit
    set(&n, x.coefficient);
    if (x.exponent >= 0) {
        multiply_by_power_of_five(&n, x.exponent);
        low = bits(&n) - 128;
        value = extract(&n, low) | any_below(&n, low);
        low += x.exponent;
    } else {
        set(&by, 1);
        multiply_by_power_of_five(&by, -x.exponent);
        int shift = bits(&by) - bits(&n) + 127; // then the quotient has 127 or 128 bits
        shift_left(&n, shift);
        value = divide(&n, &by);
        value |= n.count != 0;
        low = x.exponent - shift;
    }
    int zeros = value >> 127 ? 0 : 1;
    while (!(value << zeros >> 127))
        zeros++;
    r.significand = value << zeros;
    r.exponent = low + 127 - zeros;
    return r;
}
