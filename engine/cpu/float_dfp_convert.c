// SPDX-License-Identifier: MIT
// Decimal floating-point numbers to and from other formats, binary integers, and packed decimal in
// general registers. (Principles of Operation, "Decimal-Floating-Point Instructions".)
#include "cpu/bcd.h"
#include "cpu/float.h"
#include "cpu/float_dfp.h"
#include "cpu/float_integer.h"
#include "cpu/operands.h"

// --- between formats --------------------------------------------------------------------------

// An infinity keeps its digits and a signalling NaN stays one if M4's first bit says so.
static struct dfp prepare(struct dfp_context *c, struct dfp x, unsigned m4)
{
    if (m4 & 8)
        return x;
    dfp_note_signal(c, x);
    if (x.class == DFP_INFINITY)
        x.coefficient = 0;
    return dfp_quiet(x);
}

static void lengthen(struct cpu *cpu, const struct insn *insn, const struct dfp_format *from,
                     const struct dfp_format *to)
{
    struct dfp_context c = dfp_context_fpc(cpu);
    struct dfp x = prepare(&c, dfp_operand(cpu, from, insn->r2), insn->m4);
    dfp_deliver(cpu, &c, to, insn->r1, x, 0);
}

// A trapped overflow or underflow delivers the rounded number in the source's format, scaled so
// that its exponent fits there.
static bool deliver_scaled(struct cpu *cpu, const struct insn *insn, struct dfp_context c,
                           const struct dfp_format *from, const struct dfp_format *to, struct dfp x)
{
    if (x.class != DFP_FINITE)
        return false;
    bool tiny = dfp_is_tiny(to, x);
    struct dfp r = dfp_round_precision(&c, to, x);
    if (!(tiny ? c.masks & DFP_UNDERFLOW : dfp_is_huge(to, r) && c.masks & DFP_OVERFLOW))
        return false;
    int scale = from == &dfp_long ? 192 : 3072;
    r.exponent += tiny ? scale : -scale;
    r.preferred += tiny ? scale : -scale;
    struct dfp_format both = *from;
    both.digits = to->digits;
    c.raised |= tiny ? DFP_UNDERFLOW : DFP_OVERFLOW;
    r = dfp_round(&c, &both, r);
    dfp_apply_control(cpu, &c, insn->m4);
    dfp_set_register(cpu, from, insn->r1, r);
    dfp_signal_after(cpu, &c);
    return true;
}

// LOAD ROUNDED. From the extended format R1 names a pair, too.
static void shorten(struct cpu *cpu, const struct insn *insn, const struct dfp_format *from,
                    const struct dfp_format *to)
{
    struct dfp x = dfp_operand(cpu, from, insn->r2);
    dfp_check_register(cpu, from, insn->r1);
    struct dfp_context c = dfp_context_method(cpu, insn->m3);
    x = prepare(&c, x, insn->m4);
    dfp_signal_before(cpu, &c);
    if (deliver_scaled(cpu, insn, c, from, to, x))
        return;
    dfp_deliver(cpu, &c, to, insn->r1, x, insn->m4);
    dfp_signal_after(cpu, &c);
}

PLAIN(do_ldetr)
{
    lengthen(cpu, insn, &dfp_short, &dfp_long);
}

PLAIN(do_lxdtr)
{
    lengthen(cpu, insn, &dfp_long, &dfp_extended);
}

PLAIN(do_ledtr)
{
    shorten(cpu, insn, &dfp_long, &dfp_short);
}

PLAIN(do_ldxtr)
{
    shorten(cpu, insn, &dfp_extended, &dfp_long);
}

// --- binary integers --------------------------------------------------------------------------

// M3 and M4 came with the floating-point extension.
static void from_integer(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                         bool negative, uint64_t magnitude)
{
    bool extension = cpu_facility(cpu, 37);
    struct dfp_context c = dfp_context_method(cpu, extension ? insn->m3 : 0);
    dfp_deliver(cpu, &c, f, insn->r1, dfp_from_integer(negative, magnitude), insn->m4);
    dfp_signal_after(cpu, &c);
}

#define FROM_SIGNED(d, x, value)                                                              \
    PLAIN(do_##d)                                                                             \
    {                                                                                         \
        int64_t v = (value);                                                                  \
        from_integer(cpu, insn, &dfp_long, v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);     \
    }                                                                                         \
    PLAIN(do_##x)                                                                             \
    {                                                                                         \
        int64_t v = (value);                                                                  \
        from_integer(cpu, insn, &dfp_extended, v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v); \
    }
#define FROM_UNSIGNED(d, x, value)                            \
    PLAIN(do_##d)                                             \
    {                                                         \
        from_integer(cpu, insn, &dfp_long, false, value);     \
    }                                                         \
    PLAIN(do_##x)                                             \
    {                                                         \
        from_integer(cpu, insn, &dfp_extended, false, value); \
    }
FROM_SIGNED(cdftr, cxftr, SW2)
FROM_SIGNED(cdgtr, cxgtr, SG2)
FROM_UNSIGNED(cdlftr, cxlftr, W2)
FROM_UNSIGNED(cdlgtr, cxlgtr, G2)

static bool fits(struct dfp x, struct integer kind, uint128 *magnitude)
{
    return dfp_magnitude(x, magnitude) && integer_fits(kind, x.negative, *magnitude);
}

static void to_integer(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                       struct integer kind)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2), r = x;
    struct dfp_context c = dfp_context_method(cpu, insn->m3);
    uint128 magnitude;
    if (x.class == DFP_FINITE)
        r = dfp_integral(&c, x);
    if (!fits(r, kind, &magnitude)) {
        c.raised = DFP_INVALID;
        dfp_signal_before(cpu, &c);
        integer_set(cpu, insn->r1, kind, integer_bound(kind, x.class >= DFP_QNAN || x.negative));
        cpu->psw.cc = 3;
        c.raised = DFP_INEXACT; // as well: what is stored is not the source
        c.incremented = false;
        dfp_apply_control(cpu, &c, insn->m4);
        dfp_signal_after(cpu, &c);
        return;
    }
    dfp_apply_control(cpu, &c, insn->m4);
    uint64_t m = (uint64_t)magnitude;
    integer_set(cpu, insn->r1, kind, r.negative ? 0 - m : m);
    cpu->psw.cc = dfp_cc(x);
    dfp_signal_after(cpu, &c);
}

#define TO_INTEGER(d, x, is_signed, bits)                                        \
    PLAIN(do_##d)                                                                \
    {                                                                            \
        to_integer(cpu, insn, &dfp_long, (struct integer){is_signed, bits});     \
    }                                                                            \
    PLAIN(do_##x)                                                                \
    {                                                                            \
        to_integer(cpu, insn, &dfp_extended, (struct integer){is_signed, bits}); \
    }
TO_INTEGER(cfdtr, cfxtr, true, 32)
TO_INTEGER(cgdtr, cgxtr, true, 64)
TO_INTEGER(clfdtr, clfxtr, false, 32)
TO_INTEGER(clgdtr, clgxtr, false, 64)

// --- packed decimal in registers --------------------------------------------------------------
//
// The long format goes with one register of 15 digits and a sign or 16 digits, the extended one
// with an even-odd pair of 31 digits and a sign or 32 digits.

static void check_digits(struct cpu *cpu, bool good)
{
    if (!good)
        data_exception(cpu, NULL, DXC_DECIMAL);
}

static void from_packed(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                        bool is_signed)
{
    dfp_check_register(cpu, f, insn->r1);
    check(cpu, f == &dfp_long || !(insn->r2 & 1), PIC_SPECIFICATION);
    uint64_t left = f == &dfp_long ? 0 : G2;
    uint64_t right = f == &dfp_long ? G2 : cpu->gr[insn->r2 + 1];
    unsigned sign = right & 15;
    struct packed p = {left, right};
    struct dfp x = {.class = DFP_FINITE};
    if (is_signed) {
        check_digits(cpu, bcd_valid(left) && bcd_valid(right & ~UINT64_C(15)) && sign >= 10);
        x.coefficient = packed_magnitude(p);
        x.negative = sign == 0xB || sign == 0xD;
    } else {
        check_digits(cpu, bcd_valid(left) && bcd_valid(right));
        x.coefficient = (uint128)bcd_to_binary(left) * TEN_TO_16 + bcd_to_binary(right);
    }
    dfp_set_register(cpu, f, insn->r1, x);
}

// The last digits whatever the class; M4's last bit: plus is F.
static void to_packed(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                      bool is_signed)
{
    struct dfp x = dfp_operand(cpu, f, insn->r2);
    check(cpu, f == &dfp_long || !(insn->r1 & 1), PIC_SPECIFICATION);
    uint128 value = x.coefficient % dfp_power(is_signed ? 31 : 32);
    unsigned sign = x.negative ? 0xD : insn->m4 & 1 ? 0xF : 0xC;
    struct packed p;
    if (is_signed) {
        packed_make(value, sign, &p);
    } else {
        p.left = bcd_from_binary((uint64_t)(value / TEN_TO_16));
        p.right = bcd_from_binary((uint64_t)(value % TEN_TO_16));
    }
    if (f == &dfp_long) {
        G1 = p.right;
    } else {
        G1 = p.left;
        cpu->gr[insn->r1 + 1] = p.right;
    }
}

#define PACKED(name, direction, f, is_signed) \
    PLAIN(do_##name)                          \
    {                                         \
        direction(cpu, insn, f, is_signed);   \
    }
PACKED(cdstr, from_packed, &dfp_long, true)
PACKED(cdutr, from_packed, &dfp_long, false)
PACKED(cxstr, from_packed, &dfp_extended, true)
PACKED(cxutr, from_packed, &dfp_extended, false)
PACKED(csdtr, to_packed, &dfp_long, true)
PACKED(cudtr, to_packed, &dfp_long, false)
PACKED(csxtr, to_packed, &dfp_extended, true)
PACKED(cuxtr, to_packed, &dfp_extended, false)
