// SPDX-License-Identifier: MIT
// Decimal floating point: operands, exceptions, and the instructions that compute or compare.
// (Principles of Operation, "Decimal-Floating-Point Instructions".)
#include "cpu/float_dfp.h"

#include "cpu/float.h"
#include "cpu/operands.h"

// --- registers --------------------------------------------------------------------------------

void dfp_check_register(struct cpu *cpu, const struct dfp_format *f, unsigned r)
{
    if (f == &dfp_extended)
        check_pair(cpu, r);
}

struct dfp dfp_operand(struct cpu *cpu, const struct dfp_format *f, unsigned r)
{
    dfp_check_register(cpu, f, r);
    uint64_t high = cpu->vr[r].high;
    if (f == &dfp_long)
        return dfp_unpack(f, high);
    if (f == &dfp_short)
        return dfp_unpack(f, high >> 32);
    return dfp_unpack(f, (uint128)high << 64 | cpu->vr[r + 2].high);
}

void dfp_set_register(struct cpu *cpu, const struct dfp_format *f, unsigned r, struct dfp x)
{
    dfp_check_register(cpu, f, r);
    uint128 bits = dfp_pack(f, x);
    if (f == &dfp_long) {
        cpu->vr[r].high = (uint64_t)bits;
    } else if (f == &dfp_short) {
        cpu->vr[r].high = (cpu->vr[r].high & 0xFFFFFFFF) | (uint64_t)bits << 32;
    } else {
        cpu->vr[r].high = (uint64_t)(bits >> 64);
        cpu->vr[r + 2].high = (uint64_t)bits;
    }
}

// --- rounding and exceptions ------------------------------------------------------------------

struct dfp_context dfp_context_fpc(const struct cpu *cpu)
{
    return (struct dfp_context){.mode = (enum dfp_rounding)(cpu->fpc >> 4 & 7),
                                .masks = (uint8_t)(cpu->fpc >> 24)};
}

// Methods below 8 but 0 came with the floating-point extension; 2 is not assigned.
struct dfp_context dfp_context_method(const struct cpu *cpu, unsigned method)
{
    static const int8_t extension[8] = {-1,       DFP_NEAR_AWAY, -1,     DFP_SHORTER,
                                        DFP_EVEN, DFP_TO_ZERO,   DFP_UP, DFP_DOWN};
    struct dfp_context c = dfp_context_fpc(cpu);
    if (method & 8)
        c.mode = (enum dfp_rounding)(method & 7);
    else if (extension[method] >= 0 && cpu_facility(cpu, 37))
        c.mode = (enum dfp_rounding)extension[method];
    return c;
}

void dfp_apply_control(const struct cpu *cpu, struct dfp_context *c, unsigned control)
{
    if (control & 4 && cpu_facility(cpu, 37))
        c->raised &= (uint8_t)~DFP_INEXACT;
}

static struct bfp_context ieee(const struct dfp_context *c)
{
    return (struct bfp_context){
        .masks = c->masks, .raised = c->raised, .incremented = c->incremented};
}

void dfp_signal_before(struct cpu *cpu, const struct dfp_context *c)
{
    struct bfp_context same = ieee(c);
    float_signal_before(cpu, &same);
}

// The quantum exception comes last, if no other one has trapped.
void dfp_signal_after(struct cpu *cpu, const struct dfp_context *c)
{
    struct bfp_context same = ieee(c);
    float_signal_after(cpu, &same);
    if (!(c->raised & DFP_QUANTUM) || !cpu_facility(cpu, 37))
        return;
    if (c->masks & DFP_QUANTUM)
        data_exception(cpu, NULL, DFP_QUANTUM);
    cpu->fpc |= (uint32_t)DFP_QUANTUM << 16;
}

uint8_t dfp_cc(struct dfp x)
{
    if (x.class >= DFP_QNAN)
        return 3;
    if (x.class == DFP_FINITE && x.coefficient == 0)
        return 0;
    return x.negative ? 1 : 2;
}

struct dfp dfp_deliver(struct cpu *cpu, struct dfp_context *c, const struct dfp_format *f,
                       unsigned r, struct dfp x, unsigned control)
{
    dfp_check_register(cpu, f, r);
    dfp_signal_before(cpu, c);
    x = dfp_round(c, f, x);
    dfp_apply_control(cpu, c, control);
    dfp_set_register(cpu, f, r, x);
    return x;
}

// --- arithmetic -------------------------------------------------------------------------------

// M4 is a rounding method with the floating-point extension, and nothing without.
static struct dfp_context arithmetic_context(const struct cpu *cpu, const struct insn *insn)
{
    return cpu_facility(cpu, 37) ? dfp_context_method(cpu, insn->m4) : dfp_context_fpc(cpu);
}

static void add(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f, bool subtract)
{
    struct dfp a = dfp_operand(cpu, f, insn->r2), b = dfp_operand(cpu, f, insn->r3);
    struct dfp_context c = arithmetic_context(cpu, insn);
    if (subtract && b.class < DFP_QNAN)
        b.negative = !b.negative;
    struct dfp r = dfp_deliver(cpu, &c, f, insn->r1, dfp_add(&c, a, b), 0);
    cpu->psw.cc = dfp_cc(r);
    dfp_signal_after(cpu, &c);
}

static void multiply(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp a = dfp_operand(cpu, f, insn->r2), b = dfp_operand(cpu, f, insn->r3);
    struct dfp_context c = arithmetic_context(cpu, insn);
    dfp_deliver(cpu, &c, f, insn->r1, dfp_multiply(&c, a, b), 0);
    dfp_signal_after(cpu, &c);
}

static void divide(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp a = dfp_operand(cpu, f, insn->r2), b = dfp_operand(cpu, f, insn->r3);
    struct dfp_context c = arithmetic_context(cpu, insn);
    dfp_deliver(cpu, &c, f, insn->r1, dfp_divide(&c, f, a, b), 0);
    dfp_signal_after(cpu, &c);
}

static void compare(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                    bool signal)
{
    struct dfp a = dfp_operand(cpu, f, insn->r1), b = dfp_operand(cpu, f, insn->r2);
    struct dfp_context c = dfp_context_fpc(cpu);
    unsigned cc = dfp_compare(&c, a, b, signal);
    dfp_signal_before(cpu, &c);
    cpu->psw.cc = (uint8_t)cc;
}

static void load_and_test(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2);
    struct dfp_context c = dfp_context_fpc(cpu);
    dfp_check_register(cpu, f, insn->r1);
    dfp_note_signal(&c, x);
    dfp_signal_before(cpu, &c);
    if (x.class == DFP_INFINITY)
        x.coefficient = 0;
    dfp_set_register(cpu, f, insn->r1, dfp_quiet(x));
    cpu->psw.cc = dfp_cc(x);
}

static void load_integer(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2);
    struct dfp_context c = dfp_context_method(cpu, insn->m3);
    dfp_note_signal(&c, x);
    if (x.class == DFP_FINITE)
        x = dfp_integral(&c, x);
    else if (x.class == DFP_INFINITY)
        x.coefficient = 0;
    dfp_deliver(cpu, &c, f, insn->r1, dfp_quiet(x), insn->m4);
    dfp_signal_after(cpu, &c);
}

// R3 with the quantum of R2.
static void quantize(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp model = dfp_operand(cpu, f, insn->r2), x = dfp_operand(cpu, f, insn->r3);
    struct dfp_context c = dfp_context_method(cpu, insn->m4);
    dfp_check_register(cpu, f, insn->r1);
    struct dfp r = dfp_quantize(&c, f, model, x);
    dfp_signal_before(cpu, &c);
    dfp_set_register(cpu, f, insn->r1, r);
    dfp_signal_after(cpu, &c);
}

// R3 with the number of digits that bits 58-63 of general register R2 tell.
static void reround(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    struct dfp x = dfp_operand(cpu, f, insn->r3);
    struct dfp_context c = dfp_context_method(cpu, insn->m4);
    dfp_check_register(cpu, f, insn->r1);
    struct dfp r = dfp_reround(&c, f, x, (int)(G2 & 63));
    dfp_signal_before(cpu, &c);
    dfp_set_register(cpu, f, insn->r1, r);
    dfp_signal_after(cpu, &c);
}

#define BOTH(d, x, call)                            \
    PLAIN(do_##d)                                   \
    {                                               \
        const struct dfp_format *f = &dfp_long;     \
        call;                                       \
    }                                               \
    PLAIN(do_##x)                                   \
    {                                               \
        const struct dfp_format *f = &dfp_extended; \
        call;                                       \
    }
BOTH(adtr, axtr, add(cpu, insn, f, false))
BOTH(sdtr, sxtr, add(cpu, insn, f, true))
BOTH(mdtr, mxtr, multiply(cpu, insn, f))
BOTH(ddtr, dxtr, divide(cpu, insn, f))
BOTH(cdtr, cxtr, compare(cpu, insn, f, false))
BOTH(kdtr, kxtr, compare(cpu, insn, f, true))
BOTH(ltdtr, ltxtr, load_and_test(cpu, insn, f))
BOTH(fidtr, fixtr, load_integer(cpu, insn, f))
BOTH(qadtr, qaxtr, quantize(cpu, insn, f))
BOTH(rrdtr, rrxtr, reround(cpu, insn, f))

// SET DFP ROUNDING MODE: bits 61-63 of the address.
PLAIN(do_srnmt)
{
    cpu->fpc = (cpu->fpc & ~UINT32_C(0x70)) | (uint32_t)(address_bd(cpu, insn) & 7) << 4;
}
