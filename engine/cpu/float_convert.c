// SPDX-License-Identifier: MIT
// Binary floating-point conversions: between formats, to integral values, to and from integers.
// (Principles of Operation, "Binary-Floating-Point Instructions".)
#include "cpu/float.h"
#include "cpu/float_integer.h"
#include "cpu/operands.h"

// --- between formats ----------------------------------------------------------------------------

static void lengthen(struct cpu *cpu, const struct insn *insn, const struct bfp_format *to,
                     struct bfp x)
{
    struct bfp_context c = float_context(cpu);
    float_check_registers(cpu, to, insn->r1);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    float_deliver(cpu, &c, to, insn->r1, bfp_quiet(x), false);
}

#define LENGTHEN(name, from, to)                                                             \
    PLAIN(do_##name##r)                                                                      \
    {                                                                                        \
        lengthen(cpu, insn, to, bfp_unpack(from, float_register_bits(cpu, from, insn->r2))); \
    }                                                                                        \
    PLAIN(do_##name)                                                                         \
    {                                                                                        \
        float_check_registers(cpu, to, insn->r1);                                            \
        lengthen(cpu, insn, to, float_memory_number(cpu, insn, from));                       \
    }
LENGTHEN(ldeb, &bfp_short, &bfp_long)
LENGTHEN(lxdb, &bfp_long, &bfp_extended)
LENGTHEN(lxeb, &bfp_short, &bfp_extended)

// A trapped overflow or underflow delivers the rounded number in the source's format, scaled so
// that its exponent fits there.
static bool deliver_scaled(struct cpu *cpu, const struct insn *insn, struct bfp_context c,
                           const struct bfp_format *from, const struct bfp_format *to, struct bfp x)
{
    if (x.class != BFP_FINITE)
        return false;
    bool tiny = x.exponent < 1 - to->bias;
    struct bfp r = bfp_round_precision(&c, to, x);
    bool trapped = tiny ? c.masks & BFP_UNDERFLOW : r.exponent > to->bias && c.masks & BFP_OVERFLOW;
    if (!trapped)
        return false;
    int scale = from == &bfp_long ? 512 : 8192;
    r.exponent += tiny ? scale : -scale;
    float_apply_m4(cpu, &c, insn->m4);
    float_set_register(cpu, from, insn->r1, bfp_round(&c, from, r));
    c.raised |= tiny ? BFP_UNDERFLOW : BFP_OVERFLOW;
    float_signal_after(cpu, &c);
    return true;
}

// LOAD ROUNDED. RRF-e: M3 stands in m3, M4 in m4. From the extended format R1 names a pair, too.
static void shorten(struct cpu *cpu, const struct insn *insn, const struct bfp_format *from,
                    const struct bfp_format *to)
{
    struct bfp x = float_number(cpu, from, insn->r2);
    float_check_registers(cpu, from, insn->r1);
    bool extended = cpu_facility(cpu, 37);
    struct bfp_context c = float_context_m3(cpu, extended ? insn->m3 : 0);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    float_signal_before(cpu, &c);
    if (deliver_scaled(cpu, insn, c, from, to, x))
        return;
    uint128 bits = bfp_round(&c, to, bfp_quiet(x));
    float_apply_m4(cpu, &c, insn->m4);
    float_set_register(cpu, to, insn->r1, bits);
    float_signal_after(cpu, &c);
}

PLAIN(do_ledbr)
{
    shorten(cpu, insn, &bfp_long, &bfp_short);
}

PLAIN(do_ldxbr)
{
    shorten(cpu, insn, &bfp_extended, &bfp_long);
}

PLAIN(do_lexbr)
{
    shorten(cpu, insn, &bfp_extended, &bfp_short);
}

static void load_integer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    struct bfp x = float_number(cpu, f, insn->r2);
    float_check_registers(cpu, f, insn->r1);
    struct bfp_context c = float_context_m3(cpu, insn->m3);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    float_signal_before(cpu, &c);
    struct bfp r = bfp_integral(&c, bfp_quiet(x));
    float_apply_m4(cpu, &c, insn->m4);
    float_set_register(cpu, f, insn->r1, bfp_round(&c, f, r));
    float_signal_after(cpu, &c);
}

PLAIN(do_fiebr)
{
    load_integer(cpu, insn, &bfp_short);
}

PLAIN(do_fidbr)
{
    load_integer(cpu, insn, &bfp_long);
}

PLAIN(do_fixbr)
{
    load_integer(cpu, insn, &bfp_extended);
}

// --- to and from integers
// -------------------------------------------------------------------------

static void from_integer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                         bool negative, uint64_t magnitude)
{
    float_check_registers(cpu, f, insn->r1);
    bool extended = cpu_facility(cpu, 37);
    struct bfp_context c = float_context_m3(cpu, extended ? insn->m3 : 0);
    uint128 bits = bfp_round(&c, f, bfp_from_integer(negative, magnitude));
    float_apply_m4(cpu, &c, insn->m4);
    float_set_register(cpu, f, insn->r1, bits);
    float_signal_after(cpu, &c);
}

#define FROM_SIGNED(name, f, value)                                               \
    PLAIN(name)                                                                   \
    {                                                                             \
        int64_t v = (value);                                                      \
        from_integer(cpu, insn, f, v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v); \
    }
#define FROM_UNSIGNED(name, f, value)             \
    PLAIN(name)                                   \
    {                                             \
        from_integer(cpu, insn, f, false, value); \
    }
FROM_SIGNED(do_cefbr, &bfp_short, SW2)
FROM_SIGNED(do_cdfbr, &bfp_long, SW2)
FROM_SIGNED(do_cxfbr, &bfp_extended, SW2)
FROM_SIGNED(do_cegbr, &bfp_short, SG2)
FROM_SIGNED(do_cdgbr, &bfp_long, SG2)
FROM_SIGNED(do_cxgbr, &bfp_extended, SG2)
FROM_UNSIGNED(do_celfbr, &bfp_short, W2)
FROM_UNSIGNED(do_cdlfbr, &bfp_long, W2)
FROM_UNSIGNED(do_cxlfbr, &bfp_extended, W2)
FROM_UNSIGNED(do_celgbr, &bfp_short, G2)
FROM_UNSIGNED(do_cdlgbr, &bfp_long, G2)
FROM_UNSIGNED(do_cxlgbr, &bfp_extended, G2)

static bool fits(struct bfp r, struct integer kind)
{
    if (r.class == BFP_ZERO)
        return true;
    if (r.class != BFP_FINITE || r.exponent > 64)
        return false;
    return integer_fits(kind, r.negative, bfp_magnitude(r));
}

static void to_integer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                       struct integer kind)
{
    struct bfp x = float_number(cpu, f, insn->r2);
    struct bfp_context c = float_context_m3(cpu, insn->m3);
    struct bfp r = bfp_integral(&c, x);
    if (!fits(r, kind)) {
        c.raised = BFP_INVALID;
        float_signal_before(cpu, &c);
        integer_set(cpu, insn->r1, kind, integer_bound(kind, x.class >= BFP_QNAN || x.negative));
        cpu->psw.cc = 3;
        c.raised = BFP_INEXACT; // as well: what is stored is not the source
        c.incremented = false;
        float_apply_m4(cpu, &c, insn->m4);
        float_signal_after(cpu, &c);
        return;
    }
    float_apply_m4(cpu, &c, insn->m4);
    uint64_t m = (uint64_t)bfp_magnitude(r);
    integer_set(cpu, insn->r1, kind, r.negative ? 0 - m : m);
    cpu->psw.cc = float_cc(x);
    float_signal_after(cpu, &c);
}

#define TO_INTEGER(name, f, is_signed, bits)                         \
    PLAIN(name)                                                      \
    {                                                                \
        to_integer(cpu, insn, f, (struct integer){is_signed, bits}); \
    }
TO_INTEGER(do_cfebr, &bfp_short, true, 32)
TO_INTEGER(do_cfdbr, &bfp_long, true, 32)
TO_INTEGER(do_cfxbr, &bfp_extended, true, 32)
TO_INTEGER(do_cgebr, &bfp_short, true, 64)
TO_INTEGER(do_cgdbr, &bfp_long, true, 64)
TO_INTEGER(do_cgxbr, &bfp_extended, true, 64)
TO_INTEGER(do_clfebr, &bfp_short, false, 32)
TO_INTEGER(do_clfdbr, &bfp_long, false, 32)
TO_INTEGER(do_clfxbr, &bfp_extended, false, 32)
TO_INTEGER(do_clgebr, &bfp_short, false, 64)
TO_INTEGER(do_clgdbr, &bfp_long, false, 64)
TO_INTEGER(do_clgxbr, &bfp_extended, false, 64)
