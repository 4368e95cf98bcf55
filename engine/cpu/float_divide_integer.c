// SPDX-License-Identifier: MIT
// DIVIDE TO INTEGER: an integral quotient, or as much of it as the format holds, and the exact
// remainder. (Principles of Operation, "Binary-Floating-Point Instructions".)
#include "cpu/float.h"
#include "cpu/operands.h"

struct division {
    struct bfp quotient, remainder;
    bool partial; // more bits than the format: a program goes on with the remainder
};

// A number `value` * 2^`exponent`; a zero keeps its sign.
static struct bfp number(bool negative, uint128 value, int exponent)
{
    struct bfp r = {.class = value ? BFP_FINITE : BFP_ZERO, .negative = negative};
    if (!value)
        return r;
    r.exponent = exponent + 127;
    r.significand = value;
    while (!(r.significand >> 127)) {
        r.significand <<= 1;
        r.exponent--;
    }
    return r;
}

// The dividend is smaller than the divisor in magnitude: the quotient is 0 or 1.
static struct division divide_small(struct bfp_context *c, enum bfp_rounding mode, struct bfp a,
                                    struct bfp b)
{
    struct bfp twice = a, positive = b;
    twice.exponent++;
    twice.negative = positive.negative = false;
    struct bfp_context none = {0};
    static const int8_t order[] = {0, -1, 1, 0};
    int half = order[bfp_compare(&none, twice, positive, false)];
    bool negative = a.negative != b.negative;
    struct division d = {.quotient = number(negative, 0, 0), .remainder = a};
    if (bfp_rounds_up(mode, negative, false, half)) {
        d.quotient = number(negative, 1, 0);
        b.negative = !a.negative;
        d.remainder = bfp_add(c, a, b);
    }
    return d;
}

// Two finite numbers, not zero. The quotient's rounding mode is `mode`; the remainder, inexact only
// when a rounded-up quotient is 1, is computed in `c`'s.
static struct division divide(struct bfp_context *c, const struct bfp_format *f,
                              enum bfp_rounding mode, struct bfp a, struct bfp b)
{
    int precision = f->fraction + 1;
    uint128 rest = a.significand >> (128 - precision), divisor = b.significand >> (128 - precision);
    int bits = a.exponent - b.exponent + (rest >= divisor); // of the quotient's integer part
    if (bits <= 0)
        return divide_small(c, mode, a, b);
    struct division d = {.partial = bits > precision};
    int steps = d.partial ? precision : bits;
    if (rest < divisor)
        rest <<= 1;
    uint128 quotient = 0;
    for (int i = 0; i < steps; i++) {
        if (i > 0)
            rest <<= 1;
        quotient <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            quotient |= 1;
        }
    }
    bool negative = a.negative != b.negative, sign = a.negative;
    int half = 2 * rest < divisor ? -1 : 2 * rest > divisor;
    if (!d.partial && rest && bfp_rounds_up(mode, negative, quotient & 1, half)) {
        quotient++;
        rest = divisor - rest;
        sign = !sign;
    }
    d.quotient = number(negative, quotient, bits - steps);
    d.remainder = number(sign, rest, b.exponent - f->fraction + bits - steps);
    d.partial = d.partial && rest;
    return d;
}

// What is not two finite numbers with a divisor that is not zero.
static struct division divide_special(struct bfp_context *c, struct bfp a, struct bfp b)
{
    struct division d = {.remainder = a};
    if (a.class >= BFP_QNAN || b.class >= BFP_QNAN) {
        d.quotient = d.remainder = bfp_add(c, a, b); // the NaN that goes through
    } else if (a.class == BFP_INFINITY || b.class == BFP_ZERO) {
        c->raised |= BFP_INVALID;
        d.quotient = d.remainder = bfp_default_nan();
    } else {
        d.quotient = number(a.negative != b.negative, 0, 0);
    }
    return d;
}

// R1: dividend and remainder; R2: divisor; R3: quotient; M4: the quotient's rounding mode.
static void divide_to_integer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    check(cpu, insn->r1 != insn->r2 && insn->r1 != insn->r3 && insn->r2 != insn->r3,
          PIC_SPECIFICATION);
    enum bfp_rounding mode = float_context_m3(cpu, insn->m4).mode;
    struct bfp_context c = float_context(cpu), exact = {0};
    struct bfp a = float_number(cpu, f, insn->r1), b = float_number(cpu, f, insn->r2);
    struct division d = a.class == BFP_FINITE && b.class == BFP_FINITE ? divide(&c, f, mode, a, b)
                                                                       : divide_special(&c, a, b);
    float_signal_before(cpu, &c);
    bool overflow = d.quotient.class == BFP_FINITE && d.quotient.exponent > f->bias;
    if (overflow)
        d.quotient.exponent -= f->scale;
    uint8_t cc = (uint8_t)(2 * d.partial + overflow);
    float_set_register(cpu, f, insn->r3, bfp_round(&exact, f, d.quotient));
    float_set_register(cpu, f, insn->r1, bfp_round(&c, f, d.remainder));
    cpu->psw.cc = d.remainder.class >= BFP_QNAN ? 1 : cc;
    float_signal_after(cpu, &c);
}

PLAIN(do_diebr)
{
    divide_to_integer(cpu, insn, &bfp_short);
}

PLAIN(do_didbr)
{
    divide_to_integer(cpu, insn, &bfp_long);
}
