// SPDX-License-Identifier: MIT
// Decimal floating-point numbers taken apart and put together: exponents, shifts of the
// significand, data classes and groups. None of these signals anything.
// (Principles of Operation, "Decimal-Floating-Point Instructions".)
#include "cpu/float_dfp.h"
#include "cpu/operands.h"

// The special numbers that stand for a biased exponent or a significance.
static int64_t special_code(struct dfp x)
{
    return x.class == DFP_INFINITY ? -1 : x.class == DFP_QNAN ? -2 : -3;
}

// Infinities are alike, and so are NaNs; other pairs with one of them are unordered.
static void compare_exponents(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp a = dfp_operand(cpu, f, insn->r1), b = dfp_operand(cpu, f, insn->r2);
    if (a.class == DFP_FINITE && b.class == DFP_FINITE)
        cpu->psw.cc = (uint8_t)((a.exponent > b.exponent) * 2 + (a.exponent < b.exponent));
    else if (a.class >= DFP_QNAN && b.class >= DFP_QNAN)
        cpu->psw.cc = 0;
    else
        cpu->psw.cc = a.class == b.class ? 0 : 3;
}

static void extract_exponent(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2);
    G1 = (uint64_t)(x.class == DFP_FINITE ? x.exponent - f->lowest : special_code(x));
}

static void extract_significance(struct cpu *cpu, const struct insn *insn,
                                 const struct dfp_format *f)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2);
    G1 = (uint64_t)(x.class == DFP_FINITE ? dfp_digits(x.coefficient) : special_code(x));
}

// R3's sign and digits with the biased exponent in general register R2. An infinity or a NaN has no
// leftmost digit, whether it comes or goes.
static void insert_exponent(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    static const uint8_t classes[] = {DFP_QNAN, DFP_SNAN, DFP_QNAN, DFP_INFINITY}; // -4 to -1
    struct dfp x = dfp_operand(cpu, f, insn->r3);
    int64_t biased = SG2;
    if (biased < -4 || biased > f->highest - f->lowest)
        biased = -4;
    if (biased >= 0) {
        x.class = DFP_FINITE;
        x.exponent = (int)biased + f->lowest;
    } else {
        x.class = (enum dfp_class)classes[biased + 4];
    }
    dfp_set_register(cpu, f, insn->r1, x);
}

// By bits 58-63 of the address. Digits that leave at either side are lost.
static void shift(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f, bool left)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2); // R3 of the format
    int n = (int)(address_bxd(cpu, insn) & 63), digits = f->digits - (x.class != DFP_FINITE);
    if (n >= digits)
        x.coefficient = 0;
    else if (left)
        x.coefficient = x.coefficient % dfp_power(digits - n) * dfp_power(n);
    else
        x.coefficient /= dfp_power(n);
    dfp_set_register(cpu, f, insn->r1, x);
}

// Bits 52-63 of the address, two for each class: plus and minus.
static void test(struct cpu *cpu, const struct insn *insn, struct dfp x, unsigned class)
{
    unsigned mask = (unsigned)address_bxd(cpu, insn) & 0xFFF;
    cpu->psw.cc = mask >> (11 - 2 * class - x.negative) & 1;
}

static void test_class(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    enum { ZERO, SUBNORMAL, NORMAL, INFINITE, QUIET, SIGNALLING };
    static const uint8_t classes[] = {
        [DFP_INFINITY] = INFINITE, [DFP_QNAN] = QUIET, [DFP_SNAN] = SIGNALLING};
    struct dfp x = dfp_operand(cpu, f, insn->r1);
    unsigned class = classes[x.class];
    if (x.class == DFP_FINITE)
        class = x.coefficient == 0 ? ZERO : dfp_is_tiny(f, x) ? SUBNORMAL : NORMAL;
    test(cpu, insn, x, class);
}

static void test_group(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    enum { SAFE_ZERO, EXTREME_ZERO, EXTREME, SAFE_SHORT, SAFE_FULL, SPECIAL };
    struct dfp x = dfp_operand(cpu, f, insn->r1);
    bool extreme = x.exponent == f->lowest || x.exponent == f->highest;
    unsigned group = SPECIAL;
    if (x.class == DFP_FINITE && x.coefficient == 0)
        group = extreme ? EXTREME_ZERO : SAFE_ZERO;
    else if (x.class == DFP_FINITE)
        group = extreme ? EXTREME : dfp_leftmost_zero(f, x) ? SAFE_SHORT : SAFE_FULL;
    test(cpu, insn, x, group);
}

#define EACH(name, format, call)             \
    PLAIN(do_##name)                         \
    {                                        \
        const struct dfp_format *f = format; \
        call;                                \
    }
EACH(cedtr, &dfp_long, compare_exponents(cpu, insn, f))
EACH(cextr, &dfp_extended, compare_exponents(cpu, insn, f))
EACH(eedtr, &dfp_long, extract_exponent(cpu, insn, f))
EACH(eextr, &dfp_extended, extract_exponent(cpu, insn, f))
EACH(esdtr, &dfp_long, extract_significance(cpu, insn, f))
EACH(esxtr, &dfp_extended, extract_significance(cpu, insn, f))
EACH(iedtr, &dfp_long, insert_exponent(cpu, insn, f))
EACH(iextr, &dfp_extended, insert_exponent(cpu, insn, f))
EACH(sldt, &dfp_long, shift(cpu, insn, f, true))
EACH(slxt, &dfp_extended, shift(cpu, insn, f, true))
EACH(srdt, &dfp_long, shift(cpu, insn, f, false))
EACH(srxt, &dfp_extended, shift(cpu, insn, f, false))
EACH(tdcet, &dfp_short, test_class(cpu, insn, f))
EACH(tdcdt, &dfp_long, test_class(cpu, insn, f))
EACH(tdcxt, &dfp_extended, test_class(cpu, insn, f))
EACH(tdget, &dfp_short, test_group(cpu, insn, f))
EACH(tdgdt, &dfp_long, test_group(cpu, insn, f))
EACH(tdgxt, &dfp_extended, test_group(cpu, insn, f))
