// SPDX-License-Identifier: MIT
// Vector floating-point conversions, minimum and maximum, signs and classes.
// (Principles of Operation, "Vector Floating-Point Instructions".)
#include "cpu/vector_float.h"

#define NO_INEXACT 4u // the bit of a mask that suppresses the inexact exception

// --- conversions --------------------------------------------------------------------------------

// M4 (at 28) and the rounding mode M5 (at 24) of conversions.
static void begin_conversion(struct cpu *cpu, const struct insn *insn, struct vector_float *w)
{
    check(cpu, !(MASK28 & 3), PIC_SPECIFICATION);
    w->context = float_context_m3(cpu, MASK24);
}

static void drop_inexact(const struct insn *insn, struct vector_float *w)
{
    if (MASK28 & NO_INEXACT)
        w->context.raised &= (uint8_t)~BFP_INEXACT;
}

// Integers have the size of the numbers: 64 bits, and 32 with enhancements 2.
static unsigned least_size(const struct cpu *cpu)
{
    return cpu_facility(cpu, 148) ? 2 : 3;
}

static void from_integer(struct cpu *cpu, const struct insn *insn, bool logical)
{
    unsigned es = MASK32;
    struct vector_float w = vector_float_begin(cpu, es, least_size(cpu), 3, MASK28);
    begin_conversion(cpu, insn, &w);
    for (unsigned i = 0; i < w.count; i++) {
        uint64_t v = element(V2, es, i);
        bool negative = !logical && element_signed(v, es) < 0;
        struct bfp x =
            bfp_from_integer(negative, negative ? 0 - (uint64_t)element_signed(v, es) : v);
        set_float_element(w.format, &w.result, i, bfp_round(&w.context, w.format, x));
        drop_inexact(insn, &w);
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
}

PLAIN(do_vcdg)
{
    from_integer(cpu, insn, false);
}

PLAIN(do_vcdlg)
{
    from_integer(cpu, insn, true);
}

// The integer, or the nearest bound with *fits false; a NaN gives the least.
static uint64_t integer(struct bfp x, struct bfp rounded, unsigned es, bool logical, bool *fits)
{
    bool low = x.class >= BFP_QNAN || x.negative;
    uint64_t sign = UINT64_C(1) << (element_bits(es) - 1);
    uint64_t least = logical ? 0 : sign, most = logical ? element_ones(es) : sign - 1;
    *fits = false;
    if (x.class > BFP_FINITE || (rounded.class == BFP_FINITE && rounded.exponent > 64))
        return low ? least : most;
    uint128 m = bfp_magnitude(rounded), limit = low ? least : most;
    if (m > limit)
        return low ? least : most;
    *fits = true;
    return low ? 0 - (uint64_t)m : (uint64_t)m;
}

static void to_integer(struct cpu *cpu, const struct insn *insn, bool logical)
{
    unsigned es = MASK32;
    struct vector_float w = vector_float_begin(cpu, es, least_size(cpu), 3, MASK28);
    begin_conversion(cpu, insn, &w);
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp x = float_element(w.format, V2, i);
        bool fits;
        uint64_t v = integer(x, bfp_integral(&w.context, x), es, logical, &fits);
        if (!fits)
            w.context.raised = BFP_INVALID | BFP_INEXACT; // as CGDBR has it, NaNs included
        set_element(&w.result, es, i, v);
        drop_inexact(insn, &w);
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
}

PLAIN(do_vcgd)
{
    to_integer(cpu, insn, false);
}

PLAIN(do_vclgd)
{
    to_integer(cpu, insn, true);
}

PLAIN(do_vfi)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    begin_conversion(cpu, insn, &w);
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp x = float_element(w.format, V2, i);
        if (x.class == BFP_SNAN)
            w.context.raised = BFP_INVALID;
        x = bfp_integral(&w.context, bfp_quiet(x));
        drop_inexact(insn, &w);
        vector_float_deliver(cpu, &w, i, x);
    }
    vector_float_end(cpu, insn, &w);
}

static struct bfp quiet(struct vector_float *w, struct bfp x)
{
    if (x.class == BFP_SNAN)
        w->context.raised = BFP_INVALID;
    return bfp_quiet(x);
}

// LOAD LENGTHENED: the even elements; an exception names the source element.
PLAIN(do_vfll)
{
    unsigned from = element_size(cpu, MASK32, 2, cpu_facility(cpu, 135) ? 3 : 2);
    check(cpu, !(MASK28 & 7), PIC_SPECIFICATION);
    struct vector_float w = vector_float_begin(cpu, 3, 3, 3, MASK28);
    const struct bfp_format *source = from == 2 ? &bfp_short : &bfp_long;
    if (from == 3) {
        w.format = &bfp_extended;
        w.count = 1;
    }
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp x = quiet(&w, float_element(source, V2, 2 * i));
        set_float_element(w.format, &w.result, i, bfp_round(&w.context, w.format, x));
        vector_float_signal(cpu, &w, 2 * i);
    }
    vector_float_end(cpu, insn, &w);
}

// LOAD ROUNDED: to the even elements.
PLAIN(do_vflr)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 3, 4, MASK28);
    begin_conversion(cpu, insn, &w);
    const struct bfp_format *to = MASK32 == 3 ? &bfp_short : &bfp_long;
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp x = quiet(&w, float_element(w.format, V2, i));
        set_float_element(to, &w.result, 2 * i, bfp_round(&w.context, to, x));
        drop_inexact(insn, &w);
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
}

// --- signs and classes --------------------------------------------------------------------------

static uint128 sign_bit(const struct vector_float *w)
{
    return w->format == &bfp_extended ? (uint128)1 << 127
           : w->format == &bfp_long   ? SIGN64
                                      : (uint128)1 << 31;
}

PLAIN(do_vfpso)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    check(cpu, !(MASK28 & 7) && MASK24 <= 2, PIC_SPECIFICATION);
    for (unsigned i = 0; i < w.count; i++) {
        uint128 bits = float_element_bits(w.format, V2, i), sign = sign_bit(&w);
        bits = MASK24 == 0 ? bits ^ sign : MASK24 == 1 ? bits | sign : bits & ~sign;
        set_float_element(w.format, &w.result, i, bits);
    }
    vector_float_end(cpu, insn, &w);
}

// The class as a bit number of the 12-bit mask, from the left.
static unsigned class_number(const struct vector_float *w, struct bfp x)
{
    unsigned kind = x.class == BFP_ZERO                ? 0
                    : x.class == BFP_INFINITY          ? 3
                    : x.class == BFP_QNAN              ? 4
                    : x.class == BFP_SNAN              ? 5
                    : x.exponent < 1 - w->format->bias ? 2
                                                       : 1;
    return 2 * kind + x.negative;
}

PLAIN(do_vftci)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    check(cpu, !(MASK28 & 7), PIC_SPECIFICATION);
    unsigned matches = 0;
    for (unsigned i = 0; i < w.count; i++) {
        unsigned class = class_number(&w, float_element(w.format, V2, i));
        bool match = insn->i >> (11 - class) & 1;
        matches += match;
        set_float_element(w.format, &w.result, i, match ? ~(uint128)0 : 0);
    }
    vector_float_end(cpu, insn, &w);
    cpu->psw.cc = cc_elements(matches, w.count);
}

// --- minimum and maximum ------------------------------------------------------------------------

// M6; with the bit ABSOLUTE the operands are taken without their signs, but IEEE's function of
// magnitudes returns them with them.
enum extremum { AS_IEEE, AS_JAVA, AS_C_MACRO, AS_CPP, AS_FMIN, ABSOLUTE = 8 };

static bool is_nan(struct bfp x)
{
    return x.class >= BFP_QNAN;
}

// One of a and b is a NaN.
static struct bfp extremum_nan(struct bfp_context *c, struct bfp a, struct bfp b, unsigned how)
{
    bool signalling = a.class == BFP_SNAN || b.class == BFP_SNAN;
    if (signalling || how == AS_C_MACRO || how == AS_CPP)
        c->raised |= BFP_INVALID;
    switch (how) {
    case AS_C_MACRO:
        return b;
    case AS_CPP:
        return a;
    case AS_JAVA:
    case AS_IEEE:
        if (a.class == BFP_SNAN)
            return bfp_quiet(a);
        if (b.class == BFP_SNAN)
            return bfp_quiet(b);
        if (how == AS_JAVA)
            return is_nan(a) ? a : b;
        return is_nan(b) ? a : b;
    default:
        return bfp_quiet(is_nan(b) ? a : b);
    }
}

static struct bfp extremum(struct bfp_context *c, struct bfp a, struct bfp b, unsigned how,
                           bool max)
{
    if (is_nan(a) || is_nan(b))
        return extremum_nan(c, a, b, how);
    if (a.class == BFP_ZERO && b.class == BFP_ZERO && how != AS_C_MACRO && how != AS_CPP)
        return a.negative != max ? a : b;
    unsigned order = bfp_compare(c, a, b, false);
    bool first = order == (max ? 2u : 1u) || (order == 0 && how != AS_C_MACRO);
    return first ? a : b;
}

static struct bfp magnitude(struct bfp x)
{
    x.negative = false;
    return x;
}

static struct bfp extremum_of_magnitudes(struct bfp_context *c, struct bfp a, struct bfp b,
                                         unsigned how, bool max)
{
    if (how != AS_IEEE)
        return extremum(c, magnitude(a), magnitude(b), how, max);
    unsigned order = is_nan(a) || is_nan(b) ? 0 : bfp_compare(c, magnitude(a), magnitude(b), false);
    if (order == 0)
        return extremum(c, a, b, how, max);
    return order == (max ? 2u : 1u) ? a : b;
}

static void extrema(struct cpu *cpu, const struct insn *insn, bool max)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    unsigned how = MASK24 & 7;
    check(cpu, !(MASK28 & 7) && how <= AS_FMIN, PIC_SPECIFICATION);
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp a = float_element(w.format, V2, i), b = float_element(w.format, V3, i);
        struct bfp_context exact = {.mode = BFP_EVEN}; // nothing is rounded, nothing underflows
        struct bfp x = MASK24 & ABSOLUTE ? extremum_of_magnitudes(&w.context, a, b, how, max)
                                         : extremum(&w.context, a, b, how, max);
        set_float_element(w.format, &w.result, i, bfp_round(&exact, w.format, x));
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
}

PLAIN(do_vfmin)
{
    extrema(cpu, insn, false);
}

PLAIN(do_vfmax)
{
    extrema(cpu, insn, true);
}
