// SPDX-License-Identifier: MIT
// Decimal floating-point arithmetic on unpacked numbers; see dfp.h.
#include "cpu/dfp.h"

#define TEN19 UINT64_C(10000000000000000000)

// --- NaNs ---------------------------------------------------------------------------------------

struct dfp dfp_default_nan(void)
{
    return (struct dfp){.class = DFP_QNAN};
}

struct dfp dfp_quiet(struct dfp x)
{
    if (x.class == DFP_SNAN)
        x.class = DFP_QNAN;
    return x;
}

void dfp_note_signal(struct dfp_context *c, struct dfp x)
{
    if (x.class == DFP_SNAN)
        c->raised |= DFP_INVALID;
}

static bool is_nan(struct dfp x)
{
    return x.class >= DFP_QNAN;
}

// The NaN that goes through: signalling before quiet, the first operand before the second.
static struct dfp propagate(struct dfp_context *c, struct dfp a, struct dfp b)
{
    dfp_note_signal(c, a);
    dfp_note_signal(c, b);
    if (a.class == DFP_SNAN || (is_nan(a) && b.class != DFP_SNAN))
        return dfp_quiet(a);
    return dfp_quiet(b);
}

static struct dfp invalid(struct dfp_context *c)
{
    c->raised = DFP_INVALID;
    return dfp_default_nan();
}

static struct dfp infinity(bool negative)
{
    return (struct dfp){.class = DFP_INFINITY, .negative = negative};
}

// --- addition -----------------------------------------------------------------------------------

// Neither is zero. With 38 digits of the larger one, what the other loses is below the last digit
// of any format.
static struct dfp add_finite(struct dfp_context *c, struct dfp a, struct dfp b)
{
    if (a.exponent < b.exponent) {
        struct dfp t = a;
        a = b;
        b = t;
    }
    int preferred = b.exponent, distance = a.exponent - b.exponent;
    int room = 38 - dfp_digits(a.coefficient), shift = distance < room ? distance : room;
    a.coefficient *= dfp_power(shift);
    a.exponent -= shift;
    dfp_drop(&b, distance - shift);
    struct dfp r = {
        .negative = a.negative, .rest = b.rest, .exponent = a.exponent, .preferred = preferred};
    if (a.negative == b.negative) {
        r.coefficient = a.coefficient + b.coefficient;
    } else if (a.coefficient < b.coefficient) { // both exact
        r.coefficient = b.coefficient - a.coefficient;
        r.negative = b.negative;
    } else {
        r.coefficient = a.coefficient - b.coefficient;
        if (b.rest != DFP_EXACT) { // one unit less, and what is missing to it
            r.coefficient--;
            r.rest = (enum dfp_rest)(DFP_BELOW_HALF + DFP_ABOVE_HALF - b.rest);
        }
    }
    if (r.coefficient == 0)
        r.negative = c->mode == DFP_DOWN;
    return r;
}

struct dfp dfp_add(struct dfp_context *c, struct dfp a, struct dfp b)
{
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    if (a.class == DFP_INFINITY && b.class == DFP_INFINITY && a.negative != b.negative)
        return invalid(c);
    if (a.class == DFP_INFINITY || b.class == DFP_INFINITY)
        return infinity(a.class == DFP_INFINITY ? a.negative : b.negative);
    if (a.coefficient && b.coefficient)
        return add_finite(c, a, b);
    struct dfp r = a.coefficient ? a : b;
    if (!a.coefficient && !b.coefficient && a.negative != b.negative)
        r.negative = c->mode == DFP_DOWN;
    r.preferred = a.exponent < b.exponent ? a.exponent : b.exponent;
    return r;
}

// --- multiplication
// -------------------------------------------------------------------------------

// 256 bits, the least significant word first.
struct product {
    uint64_t word[4];
};

static struct product multiply(uint128 a, uint128 b)
{
    uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a, bh = (uint64_t)(b >> 64), bl = (uint64_t)b;
    uint128 hh = (uint128)ah * bh, hl = (uint128)ah * bl, lh = (uint128)al * bh;
    uint128 ll = (uint128)al * bl;
    uint128 middle = (ll >> 64) + (uint64_t)hl + (uint64_t)lh;
    uint128 high = hh + (hl >> 64) + (lh >> 64) + (middle >> 64);
    return (struct product){
        {(uint64_t)ll, (uint64_t)middle, (uint64_t)high, (uint64_t)(high >> 64)}};
}

static uint64_t divide_product(struct product *p, uint64_t by)
{
    uint64_t rest = 0;
    for (int i = 3; i >= 0; i--) {
        uint128 part = (uint128)rest << 64 | p->word[i];
        p->word[i] = (uint64_t)(part / by);
        rest = (uint64_t)(part % by);
    }
    return rest;
}

// n digits, at most 19, off a product; `below` tells that something was lost before.
static enum dfp_rest shorten(struct product *p, int n, bool below)
{
    uint64_t unit = (uint64_t)dfp_power(n), gone = divide_product(p, unit);
    if (gone < unit / 2)
        return gone || below ? DFP_BELOW_HALF : DFP_EXACT;
    return gone > unit / 2 || below ? DFP_ABOVE_HALF : DFP_HALF;
}

static struct dfp multiply_finite(struct dfp a, struct dfp b)
{
    struct dfp r = {.negative = a.negative != b.negative,
                    .exponent = a.exponent + b.exponent,
                    .preferred = a.exponent + b.exponent};
    int excess = dfp_digits(a.coefficient) + dfp_digits(b.coefficient) - 38;
    if (excess <= 0) {
        r.coefficient = a.coefficient * b.coefficient;
        return r;
    }
    struct product p = multiply(a.coefficient, b.coefficient);
    r.exponent += excess;
    if (excess > 19)
        r.rest = shorten(&p, 19, false);
    if (excess % 19)
        r.rest = shorten(&p, excess % 19, r.rest != DFP_EXACT);
    else if (excess == 19)
        r.rest = shorten(&p, 19, false);
    r.coefficient = (uint128)p.word[1] << 64 | p.word[0];
    return r;
}

struct dfp dfp_multiply(struct dfp_context *c, struct dfp a, struct dfp b)
{
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    if (a.class == DFP_FINITE && b.class == DFP_FINITE)
        return multiply_finite(a, b);
    const struct dfp *other = a.class == DFP_INFINITY ? &b : &a;
    if (other->class == DFP_FINITE && other->coefficient == 0)
        return invalid(c);
    return infinity(a.negative != b.negative);
}

// --- division
// -------------------------------------------------------------------------------------

// Digits come in steps for which the remainder has room.
static struct dfp divide_finite(struct dfp a, struct dfp b, int digits)
{
    struct dfp r = {.negative = a.negative != b.negative,
                    .exponent = a.exponent - b.exponent,
                    .preferred = a.exponent - b.exponent};
    int step = 38 - dfp_digits(b.coefficient);
    uint128 rest;
    r.coefficient = a.coefficient / b.coefficient;
    rest = a.coefficient % b.coefficient;
    while (rest != 0 && dfp_digits(r.coefficient) < digits) {
        int n = digits - dfp_digits(r.coefficient);
        n = n < step ? n : step;
        rest *= dfp_power(n);
        r.coefficient = r.coefficient * dfp_power(n) + rest / b.coefficient;
        rest %= b.coefficient;
        r.exponent -= n;
    }
    if (rest)
        r.rest = 2 * rest < b.coefficient   ? DFP_BELOW_HALF
                 : 2 * rest > b.coefficient ? DFP_ABOVE_HALF
                                            : DFP_HALF;
    return r;
}

struct dfp dfp_divide(struct dfp_context *c, const struct dfp_format *f, struct dfp a, struct dfp b)
{
    bool negative = a.negative != b.negative;
    if (is_nan(a) || is_nan(b))
        return propagate(c, a, b);
    if (a.class == DFP_INFINITY)
        return b.class == DFP_INFINITY ? invalid(c) : infinity(negative);
    if (b.class == DFP_INFINITY) // zero with the smallest quantum, which is what is preferred
        return (struct dfp){.negative = negative, .exponent = f->lowest, .preferred = f->lowest};
    if (b.coefficient == 0) {
        if (a.coefficient == 0)
            return invalid(c);
        c->raised |= DFP_DIVIDE;
        return infinity(negative);
    }
    return divide_finite(a, b, f->digits);
}

// --- comparison
// -----------------------------------------------------------------------------------

// Magnitudes of finite numbers that are not zero: less than, equal to, greater than zero.
static int compare_magnitudes(struct dfp a, struct dfp b)
{
    int top_a = a.exponent + dfp_digits(a.coefficient);
    int top_b = b.exponent + dfp_digits(b.coefficient);
    if (top_a != top_b)
        return top_a < top_b ? -1 : 1;
    if (a.exponent > b.exponent)
        a.coefficient *= dfp_power(a.exponent - b.exponent);
    else
        b.coefficient *= dfp_power(b.exponent - a.exponent);
    return (a.coefficient > b.coefficient) - (a.coefficient < b.coefficient);
}

// -1, 0, 1: minus, zero, plus; 2 is infinity.
static int rank(struct dfp x)
{
    int magnitude = x.class == DFP_INFINITY ? 2 : x.coefficient != 0;
    return x.negative ? -magnitude : magnitude;
}

unsigned dfp_compare(struct dfp_context *c, struct dfp a, struct dfp b, bool signal)
{
    if (is_nan(a) || is_nan(b)) {
        if (signal || a.class == DFP_SNAN || b.class == DFP_SNAN)
            c->raised |= DFP_INVALID;
        return 3;
    }
    int order = rank(a) - rank(b);
    if (order == 0 && (rank(a) == 1 || rank(a) == -1))
        order = rank(a) * compare_magnitudes(a, b);
    return order == 0 ? 0 : order < 0 ? 1 : 2;
}

// --- the quantum
// ----------------------------------------------------------------------------------

struct dfp dfp_quantize(struct dfp_context *c, const struct dfp_format *f, struct dfp model,
                        struct dfp x)
{
    if (is_nan(model) || is_nan(x))
        return propagate(c, model, x);
    if (model.class != x.class)
        return invalid(c);
    if (x.class == DFP_INFINITY)
        return infinity(x.negative);
    int more = x.exponent - model.exponent;
    if (x.coefficient == 0) {
        more = 0;
    } else if (more > 0) {
        if (dfp_digits(x.coefficient) + more > f->digits)
            return invalid(c);
        x.coefficient *= dfp_power(more);
    } else {
        dfp_cut(c, &x, -more);
        if (dfp_digits(x.coefficient) > f->digits)
            return invalid(c);
    }
    x.exponent = x.preferred = model.exponent;
    return x;
}

struct dfp dfp_reround(struct dfp_context *c, const struct dfp_format *f, struct dfp x,
                       int significance)
{
    if (x.class != DFP_FINITE) {
        dfp_note_signal(c, x);
        return x.class == DFP_INFINITY ? infinity(x.negative) : dfp_quiet(x);
    }
    int excess = dfp_digits(x.coefficient) - significance;
    if (significance == 0 || excess <= 0)
        return x;
    dfp_cut(c, &x, excess);
    if (dfp_digits(x.coefficient) > significance) { // all nines became a power of ten
        x.coefficient /= 10;
        x.exponent++;
    }
    if (x.exponent > f->highest)
        return invalid(c);
    x.preferred = x.exponent;
    return x;
}

// --- integers
// -------------------------------------------------------------------------------------

struct dfp dfp_integral(struct dfp_context *c, struct dfp x)
{
    if (x.exponent >= 0)
        return x;
    dfp_cut(c, &x, -x.exponent);
    x.preferred = 0;
    return x;
}

struct dfp dfp_from_integer(bool negative, uint128 magnitude)
{
    return (struct dfp){.negative = negative && magnitude, .coefficient = magnitude};
}

bool dfp_magnitude(struct dfp x, uint128 *magnitude)
{
    *magnitude = 0;
    if (x.class != DFP_FINITE)
        return false;
    if (x.coefficient == 0)
        return true;
    if (dfp_digits(x.coefficient) + x.exponent > 38)
        return false;
    *magnitude = x.coefficient * dfp_power(x.exponent);
    return true;
}
