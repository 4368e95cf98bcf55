// SPDX-License-Identifier: MIT
// Decimal floating-point numbers: packing, rounding, the preferred quantum; see dfp.h.
#include "cpu/dfp.h"

#include "cpu/dpd.h"

const struct dfp_format dfp_short = {7, -101, 90, 6, 144};
const struct dfp_format dfp_long = {16, -398, 369, 8, 576};
const struct dfp_format dfp_extended = {34, -6176, 6111, 12, 9216};

// --- powers of ten ----------------------------------------------------------------------------

#define TEN16           UINT64_C(10000000000000000)
#define TEN18           UINT64_C(1000000000000000000)
#define WIDE(ten, ten_) ((uint128)(ten) * (ten_))

static const uint128 powers[39] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    TEN16,
    TEN16 * 10,
    TEN18,
    WIDE(TEN18, 10),
    WIDE(TEN18, 100),
    WIDE(TEN18, 1000),
    WIDE(TEN18, 10000),
    WIDE(TEN18, 100000),
    WIDE(TEN18, 1000000),
    WIDE(TEN18, 10000000),
    WIDE(TEN18, 100000000),
    WIDE(TEN18, 1000000000),
    WIDE(TEN18, 10000000000),
    WIDE(TEN18, 100000000000),
    WIDE(TEN18, 1000000000000),
    WIDE(TEN18, 10000000000000),
    WIDE(TEN18, 100000000000000),
    WIDE(TEN18, 1000000000000000),
    WIDE(TEN18, TEN16),
    WIDE(TEN18, TEN16 * 10),
    WIDE(TEN18, TEN18),
    WIDE(TEN18, TEN18) * 10,
    WIDE(TEN18, TEN18) * 100,
};

uint128 dfp_power(int n)
{
    return powers[n];
}

int dfp_digits(uint128 coefficient)
{
    uint64_t high = (uint64_t)(coefficient >> 64), low = (uint64_t)coefficient;
    if (coefficient == 0)
        return 0;
    int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll(low);
    int digits = bits * 1233 >> 12; // log10(2)
    return digits + (coefficient >= powers[digits]);
}

// --- packing ----------------------------------------------------------------------------------
//
//  0 1           6              6 + continuation
// |S|combination | continuation | declets of three digits        |
//
// The combination has the exponent's first two bits (0-2) and the leftmost digit.

static int declets(const struct dfp_format *f)
{
    return f->digits / 3;
}

// The value of up to six declets.
static uint64_t declets_value(uint64_t bits, int n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value * 1000 + dpd_value[bits >> 10 * n & 0x3FF];
    return value;
}

static uint64_t declets_bits(uint64_t value, int n)
{
    uint64_t bits = 0;
    for (int i = 0; i < n; i++) {
        bits |= (uint64_t)dpd_declet[value % 1000] << 10 * i;
        value /= 1000;
    }
    return bits;
}

static uint128 trailing_value(const struct dfp_format *f, uint128 bits)
{
    if (declets(f) <= 6)
        return declets_value((uint64_t)bits, declets(f));
    return (uint128)declets_value((uint64_t)(bits >> 60), declets(f) - 6) * TEN18 +
           declets_value((uint64_t)bits, 6);
}

static uint128 trailing_bits(const struct dfp_format *f, uint128 value)
{
    if (declets(f) <= 6)
        return declets_bits((uint64_t)value, declets(f));
    uint64_t left = (uint64_t)(value / TEN18), right = (uint64_t)(value - (uint128)left * TEN18);
    return (uint128)declets_bits(left, declets(f) - 6) << 60 | declets_bits(right, 6);
}

struct dfp dfp_unpack(const struct dfp_format *f, uint128 bits)
{
    int trailing = 10 * declets(f);
    unsigned fields = (unsigned)(bits >> trailing); // sign, combination, continuation
    unsigned combination = fields >> f->continuation & 31;
    struct dfp x = {.negative = fields >> (f->continuation + 5) & 1,
                    .coefficient = trailing_value(f, bits)};
    if (combination >= 30) {
        bool signalling = fields >> (f->continuation - 1) & 1;
        x.class = combination == 30 ? DFP_INFINITY : signalling ? DFP_SNAN : DFP_QNAN;
        return x;
    }
    bool large = combination >= 24; // 8 or 9
    unsigned exponent = large ? combination >> 1 & 3 : combination >> 3;
    unsigned leftmost = large ? 8 + (combination & 1) : combination & 7;
    unsigned continuation = fields & ((1u << f->continuation) - 1);
    x.coefficient += leftmost * powers[f->digits - 1];
    x.exponent = (int)(exponent << f->continuation | continuation) + f->lowest;
    x.preferred = x.exponent;
    return x;
}

static uint128 assemble(const struct dfp_format *f, bool negative, unsigned combination,
                        unsigned continuation, uint128 trailing)
{
    unsigned fields = (unsigned)negative << 5 | combination;
    return (uint128)(fields << f->continuation | continuation) << 10 * declets(f) |
           trailing_bits(f, trailing);
}

uint128 dfp_pack(const struct dfp_format *f, struct dfp x)
{
    uint128 unit = powers[f->digits - 1];
    unsigned leftmost = (unsigned)(x.coefficient / unit);
    uint128 trailing = x.coefficient % unit;
    if (x.class == DFP_INFINITY)
        return assemble(f, x.negative, 30, 0, trailing);
    if (x.class != DFP_FINITE)
        return assemble(f, x.negative, 31, x.class == DFP_SNAN ? 1u << (f->continuation - 1) : 0,
                        trailing);
    unsigned biased = (unsigned)(x.exponent - f->lowest), high = biased >> f->continuation;
    unsigned combination = leftmost < 8 ? high << 3 | leftmost : 0x18 | high << 1 | (leftmost & 1);
    return assemble(f, x.negative, combination, biased & ((1u << f->continuation) - 1), trailing);
}

bool dfp_leftmost_zero(const struct dfp_format *f, struct dfp x)
{
    return x.coefficient < powers[f->digits - 1];
}

// --- rounding ---------------------------------------------------------------------------------

void dfp_drop(struct dfp *x, int n)
{
    if (n == 0)
        return;
    x->exponent += n;
    if (n > 38) { // less than half of the new unit, whatever it was
        x->rest = x->coefficient || x->rest ? DFP_BELOW_HALF : DFP_EXACT;
        x->coefficient = 0;
        return;
    }
    uint128 unit = powers[n], kept = x->coefficient / unit, gone = x->coefficient - kept * unit;
    if (gone < unit / 2)
        x->rest = gone || x->rest ? DFP_BELOW_HALF : DFP_EXACT;
    else
        x->rest = gone > unit / 2 || x->rest ? DFP_ABOVE_HALF : DFP_HALF;
    x->coefficient = kept;
}

static bool rounds_up(enum dfp_rounding mode, bool negative, unsigned last, enum dfp_rest rest)
{
    switch (mode) {
    case DFP_EVEN:
        return rest == DFP_ABOVE_HALF || (rest == DFP_HALF && last & 1);
    case DFP_UP:
        return !negative;
    case DFP_DOWN:
        return negative;
    case DFP_NEAR_AWAY:
        return rest >= DFP_HALF;
    case DFP_NEAR_ZERO:
        return rest == DFP_ABOVE_HALF;
    case DFP_AWAY:
        return true;
    case DFP_SHORTER:
        return last == 0 || last == 5;
    default:
        return false;
    }
}

void dfp_cut(struct dfp_context *c, struct dfp *x, int n)
{
    dfp_drop(x, n);
    if (x->rest == DFP_EXACT)
        return;
    c->raised |= DFP_INEXACT;
    if (rounds_up(c->mode, x->negative, (unsigned)(x->coefficient % 10), x->rest)) {
        x->coefficient++;
        c->incremented = true;
    }
    x->rest = DFP_EXACT;
}

// The exponent of the leftmost digit.
static int adjusted(struct dfp x)
{
    return x.exponent + dfp_digits(x.coefficient) - 1;
}

bool dfp_is_tiny(const struct dfp_format *f, struct dfp x)
{
    return (x.coefficient || x.rest) && adjusted(x) < f->lowest + f->digits - 1;
}

bool dfp_is_huge(const struct dfp_format *f, struct dfp x)
{
    return x.coefficient && adjusted(x) > f->highest + f->digits - 1;
}

struct dfp dfp_round_precision(struct dfp_context *c, const struct dfp_format *f, struct dfp x)
{
    int excess = dfp_digits(x.coefficient) - f->digits;
    dfp_cut(c, &x, excess > 0 ? excess : 0);
    if (x.coefficient == powers[f->digits]) { // all nines became a power of ten
        x.coefficient /= 10;
        x.exponent++;
    }
    return x;
}

// As many zeros at the right as there are, but no more than n, are taken away.
static void strip(struct dfp *x, int n)
{
    for (int step = 32; step > 0; step /= 2) {
        while (step <= n && x->coefficient % powers[step] == 0) {
            x->coefficient /= powers[step];
            x->exponent += step;
            n -= step;
        }
    }
}

// An exact value with the exponent that is next to the preferred one.
static void settle(const struct dfp_format *f, struct dfp *x)
{
    if (x->coefficient == 0) {
        x->exponent = x->preferred;
        if (x->exponent < f->lowest)
            x->exponent = f->lowest;
        if (x->exponent > f->highest)
            x->exponent = f->highest;
        return;
    }
    int wanted = x->preferred > f->highest ? f->highest : x->preferred;
    if (wanted < f->lowest)
        wanted = f->lowest;
    if (x->exponent < wanted)
        strip(x, wanted - x->exponent);
    int more = x->exponent - wanted, room = f->digits - dfp_digits(x->coefficient);
    if (more > room)
        more = room;
    if (more > 0) {
        x->coefficient *= powers[more];
        x->exponent -= more;
    }
}

static struct dfp overflow(struct dfp_context *c, const struct dfp_format *f, bool negative)
{
    static const uint8_t to_infinity[] = {
        [DFP_EVEN] = 3,      [DFP_TO_ZERO] = 0,   [DFP_UP] = 1,   [DFP_DOWN] = 2,
        [DFP_NEAR_AWAY] = 3, [DFP_NEAR_ZERO] = 3, [DFP_AWAY] = 3, [DFP_SHORTER] = 0}; // 1: plus
    c->raised |= DFP_OVERFLOW | DFP_INEXACT;
    c->incremented = to_infinity[c->mode] & (negative ? 2 : 1);
    if (c->incremented)
        return (struct dfp){.class = DFP_INFINITY, .negative = negative};
    return (struct dfp){.negative = negative,
                        .exponent = f->highest,
                        .preferred = f->highest,
                        .coefficient = powers[f->digits] - 1};
}

struct dfp dfp_round(struct dfp_context *c, const struct dfp_format *f, struct dfp x)
{
    if (x.class != DFP_FINITE)
        return x;
    uint8_t before = c->raised;
    c->raised = 0;
    if (dfp_is_tiny(f, x)) {
        // Before rounding: underflow if inexact, or if the trap is enabled, which scales.
        if (c->masks & DFP_UNDERFLOW) {
            c->raised = DFP_UNDERFLOW;
            x.exponent += f->scale;
            x.preferred += f->scale;
        } else if (x.exponent < f->lowest) {
            dfp_cut(c, &x, f->lowest - x.exponent);
            if (c->raised & DFP_INEXACT)
                c->raised |= DFP_UNDERFLOW;
        }
    }
    x = dfp_round_precision(c, f, x);
    if (dfp_is_huge(f, x)) {
        if (!(c->masks & DFP_OVERFLOW)) {
            x = overflow(c, f, x.negative);
            c->raised |= before;
            return x;
        }
        c->raised |= DFP_OVERFLOW;
        x.exponent -= f->scale;
        x.preferred -= f->scale;
    }
    if (!(c->raised & DFP_INEXACT))
        settle(f, &x);
    if (x.exponent != x.preferred)
        c->raised |= DFP_QUANTUM;
    c->raised |= before;
    return x;
}
