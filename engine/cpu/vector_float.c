// SPDX-License-Identifier: MIT
// Vector floating-point arithmetic and comparison; the numbers themselves are bfp.c's.
// (Principles of Operation, "Vector Floating-Point Instructions".)
#include "cpu/vector_float.h"

// --- elements, exceptions -----------------------------------------------------------------------

struct vector_float vector_float_begin(struct cpu *cpu, unsigned m, unsigned least, unsigned most,
                                       unsigned modifier)
{
    static const struct bfp_format *const formats[] = {&bfp_short, &bfp_long, &bfp_extended};
    element_size(cpu, m, least, most);
    check(cpu, m == 3 || cpu_facility(cpu, 135), PIC_SPECIFICATION);
    struct vector_float w = {.format = formats[m - 2], .context = float_context(cpu)};
    w.count = modifier & SINGLE ? 1 : vector_count(m);
    return w;
}

void vector_float_end(struct cpu *cpu, const struct insn *insn, const struct vector_float *w)
{
    *V1 = w->result;
    cpu->fpc |= (uint32_t)w->raised << 16;
}

uint128 float_element_bits(const struct bfp_format *f, const struct vector_register *v, unsigned i)
{
    if (f == &bfp_extended)
        return vector_wide(v);
    return element(v, f == &bfp_long ? 3 : 2, i);
}

struct bfp float_element(const struct bfp_format *f, const struct vector_register *v, unsigned i)
{
    return bfp_unpack(f, float_element_bits(f, v, i));
}

void set_float_element(const struct bfp_format *f, struct vector_register *v, unsigned i,
                       uint128 bits)
{
    if (f == &bfp_extended)
        *v = vector_of(bits);
    else
        set_element(v, f == &bfp_long ? 3 : 2, i, (uint64_t)bits);
}

// The vector exception code: element and cause, the most urgent one.
static uint8_t exception_code(unsigned i, uint8_t trapped)
{
    unsigned cause = 1;
    for (uint8_t bit = BFP_INVALID; !(trapped & bit); bit >>= 1)
        cause++;
    return (uint8_t)(i << 4 | cause);
}

void vector_float_signal(struct cpu *cpu, struct vector_float *w, unsigned i)
{
    uint8_t trapped = w->context.raised & w->context.masks & 0xF8;
    if (trapped)
        vector_exception(cpu, exception_code(i, trapped));
    w->raised |= w->context.raised;
    w->context.raised = 0;
    w->context.incremented = false;
}

void vector_float_deliver(struct cpu *cpu, struct vector_float *w, unsigned i, struct bfp x)
{
    set_float_element(w->format, &w->result, i, bfp_round(&w->context, w->format, x));
    vector_float_signal(cpu, w, i);
}

// --- arithmetic ---------------------------------------------------------------------------------

static struct bfp subtract(struct bfp_context *c, struct bfp a, struct bfp b)
{
    if (b.class < BFP_QNAN)
        b.negative = !b.negative;
    return bfp_add(c, a, b);
}

static void arithmetic(struct cpu *cpu, const struct insn *insn,
                       struct bfp (*op)(struct bfp_context *c, struct bfp a, struct bfp b))
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    check(cpu, !(MASK28 & 7), PIC_SPECIFICATION);
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp a = float_element(w.format, V2, i), b = float_element(w.format, V3, i);
        vector_float_deliver(cpu, &w, i, op(&w.context, a, b));
    }
    vector_float_end(cpu, insn, &w);
}

PLAIN(do_vfa)
{
    arithmetic(cpu, insn, bfp_add);
}

PLAIN(do_vfs)
{
    arithmetic(cpu, insn, subtract);
}

PLAIN(do_vfm)
{
    arithmetic(cpu, insn, bfp_multiply);
}

PLAIN(do_vfd)
{
    arithmetic(cpu, insn, bfp_divide);
}

PLAIN(do_vfsq)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    check(cpu, !(MASK28 & 7), PIC_SPECIFICATION);
    for (unsigned i = 0; i < w.count; i++)
        vector_float_deliver(cpu, &w, i,
                             bfp_square_root(&w.context, float_element(w.format, V2, i)));
    vector_float_end(cpu, insn, &w);
}

// V2 * V3 plus or minus V4, perhaps negated after rounding; the sign of a NaN stays.
static void multiply_add(struct cpu *cpu, const struct insn *insn, bool minus, bool negate)
{
    struct vector_float w = vector_float_begin(cpu, MASK20, 2, 4, MASK28);
    check(cpu, !(MASK28 & 7), PIC_SPECIFICATION);
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp a = float_element(w.format, V2, i), b = float_element(w.format, V3, i);
        struct bfp c = float_element(w.format, V4, i);
        if (minus && c.class < BFP_QNAN)
            c.negative = !c.negative;
        struct bfp r = w.format == &bfp_extended ? bfp_multiply_add_extended(&w.context, a, b, c)
                                                 : bfp_multiply_add(&w.context, a, b, c);
        uint128 bits = bfp_round(&w.context, w.format, r);
        if (negate && r.class < BFP_QNAN)
            bits ^= (uint128)1 << (element_bits(MASK20) - 1);
        set_float_element(w.format, &w.result, i, bits);
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
}

PLAIN(do_vfma)
{
    multiply_add(cpu, insn, false, false);
}

PLAIN(do_vfms)
{
    multiply_add(cpu, insn, true, false);
}

PLAIN(do_vfnma)
{
    multiply_add(cpu, insn, false, true);
}

PLAIN(do_vfnms)
{
    multiply_add(cpu, insn, true, true);
}

// --- comparison ---------------------------------------------------------------------------------

static void compare_scalar(struct cpu *cpu, const struct insn *insn, bool signal)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, SINGLE);
    check(cpu, MASK28 == 0, PIC_SPECIFICATION);
    unsigned cc = bfp_compare(&w.context, float_element(w.format, V1, 0),
                              float_element(w.format, V2, 0), signal);
    vector_float_signal(cpu, &w, 0);
    cpu->fpc |= (uint32_t)w.raised << 16;
    cpu->psw.cc = (uint8_t)cc;
}

PLAIN(do_wfc)
{
    compare_scalar(cpu, insn, false);
}

PLAIN(do_wfk)
{
    compare_scalar(cpu, insn, true);
}

// `accepted`: one bit for each outcome of the comparison, bit n for condition code n.
static void compare(struct cpu *cpu, const struct insn *insn, unsigned accepted)
{
    struct vector_float w = vector_float_begin(cpu, MASK32, 2, 4, MASK28);
    bool signal = MASK28 & 4;
    check(cpu, !(MASK28 & 3) && !(MASK24 & 14), PIC_SPECIFICATION);
    check(cpu, !signal || cpu_facility(cpu, 135), PIC_SPECIFICATION);
    unsigned matches = 0;
    for (unsigned i = 0; i < w.count; i++) {
        struct bfp a = float_element(w.format, V2, i), b = float_element(w.format, V3, i);
        unsigned outcome = bfp_compare(&w.context, a, b, signal);
        bool match = accepted >> outcome & 1;
        matches += match;
        set_float_element(w.format, &w.result, i, match ? ~(uint128)0 : 0);
        vector_float_signal(cpu, &w, i);
    }
    vector_float_end(cpu, insn, &w);
    if (MASK24 & 1)
        cpu->psw.cc = cc_elements(matches, w.count);
}

PLAIN(do_vfce)
{
    compare(cpu, insn, 1u << 0);
}

PLAIN(do_vfch)
{
    compare(cpu, insn, 1u << 2);
}

PLAIN(do_vfche)
{
    compare(cpu, insn, 1u << 0 | 1u << 2);
}
