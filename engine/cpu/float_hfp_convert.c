// SPDX-License-Identifier: MIT
// Hexadecimal floating-point numbers loaded with a sign or in another format, and converted to and
// from integers and binary numbers.
// (Principles of Operation, "Hexadecimal-Floating-Point Instructions", "Floating-Point Overview".)
#include "cpu/float.h"
#include "cpu/float_hfp.h"

// --- signs --------------------------------------------------------------------------------------

enum sign { SIGN_KEEP, SIGN_PLUS, SIGN_MINUS, SIGN_OTHER };

// The extended format's zero comes out as true zero with the sign; the others keep every bit but
// the sign.
static void load_signed(struct cpu *cpu, const struct insn *insn, enum hfp_format f, enum sign sign)
{
    hfp_check(cpu, f, insn->r1);
    struct hfp x = hfp_operand(cpu, f, insn->r2);
    x.negative = sign == SIGN_MINUS || (sign == SIGN_KEEP && x.negative) ||
                 (sign == SIGN_OTHER && !x.negative);
    cpu->psw.cc = hfp_sign(x);
    hfp_set_register(cpu, f, insn->r1, x);
    if (f == HFP_EXTENDED && x.fraction == 0)
        cpu->vr[insn->r1].high = cpu->vr[insn->r1 + 2].high = x.negative ? SIGN64 : 0;
}

#define LOAD_SIGNED(letter, f)                 \
    PLAIN(do_lp##letter##r)                    \
    {                                          \
        load_signed(cpu, insn, f, SIGN_PLUS);  \
    }                                          \
    PLAIN(do_ln##letter##r)                    \
    {                                          \
        load_signed(cpu, insn, f, SIGN_MINUS); \
    }                                          \
    PLAIN(do_lt##letter##r)                    \
    {                                          \
        load_signed(cpu, insn, f, SIGN_KEEP);  \
    }                                          \
    PLAIN(do_lc##letter##r)                    \
    {                                          \
        load_signed(cpu, insn, f, SIGN_OTHER); \
    }
LOAD_SIGNED(e, HFP_SHORT)
LOAD_SIGNED(d, HFP_LONG)
LOAD_SIGNED(x, HFP_EXTENDED)

// --- between formats
// ------------------------------------------------------------------------------

static void lengthen(struct cpu *cpu, const struct insn *insn, enum hfp_format to, struct hfp x)
{
    hfp_set_register(cpu, to, insn->r1, x);
    if (to == HFP_EXTENDED && x.fraction == 0) // true zero, the sign stays
        cpu->vr[insn->r1].high = cpu->vr[insn->r1 + 2].high = x.negative ? SIGN64 : 0;
}

#define LENGTHEN(name_r, name_x, from, to)                         \
    PLAIN(name_r)                                                  \
    {                                                              \
        hfp_check(cpu, to, insn->r1);                              \
        lengthen(cpu, insn, to, hfp_operand(cpu, from, insn->r2)); \
    }                                                              \
    PLAIN(name_x)                                                  \
    {                                                              \
        hfp_check(cpu, to, insn->r1);                              \
        lengthen(cpu, insn, to, hfp_memory(cpu, insn, from));      \
    }
LENGTHEN(do_lder, do_lde, HFP_SHORT, HFP_LONG)
LENGTHEN(do_lxdr, do_lxd, HFP_LONG, HFP_EXTENDED)
LENGTHEN(do_lxer, do_lxe, HFP_SHORT, HFP_EXTENDED)

// LOAD ROUNDED: one is added to the first bit that goes. Not normalized; the sign stays even when
// the fraction is zero.
static void shorten(struct cpu *cpu, const struct insn *insn, enum hfp_format from,
                    enum hfp_format to)
{
    hfp_check(cpu, to, insn->r1);
    struct hfp x = hfp_operand(cpu, from, insn->r2);
    x.fraction += (uint128)1 << (HFP_BITS - 4 * hfp_digits(to) - 1);
    if (x.fraction >> HFP_BITS) {
        x.fraction >>= 4;
        x.exponent++;
    }
    hfp_set_register(cpu, to, insn->r1, hfp_truncate(x, hfp_digits(to)));
    check(cpu, x.exponent <= 127, PIC_HFP_OVERFLOW);
}

PLAIN(do_ledr)
{
    shorten(cpu, insn, HFP_LONG, HFP_SHORT);
}

PLAIN(do_ldxr)
{
    shorten(cpu, insn, HFP_EXTENDED, HFP_LONG);
}

PLAIN(do_lexr)
{
    shorten(cpu, insn, HFP_EXTENDED, HFP_SHORT);
}

// --- integers
// -------------------------------------------------------------------------------------

static void load_integer(struct cpu *cpu, const struct insn *insn, enum hfp_format f)
{
    hfp_check(cpu, f, insn->r1);
    struct hfp x = hfp_operand(cpu, f, insn->r2);
    hfp_deliver(cpu, f, insn->r1, hfp_integral(x), false);
}

PLAIN(do_fier)
{
    load_integer(cpu, insn, HFP_SHORT);
}

PLAIN(do_fidr)
{
    load_integer(cpu, insn, HFP_LONG);
}

PLAIN(do_fixr)
{
    load_integer(cpu, insn, HFP_EXTENDED);
}

static void from_integer(struct cpu *cpu, const struct insn *insn, enum hfp_format f, int64_t v)
{
    hfp_check(cpu, f, insn->r1);
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    hfp_deliver(cpu, f, insn->r1, hfp_from_integer(v < 0, magnitude), false);
}

#define FROM_INTEGER(name, f, value)       \
    PLAIN(name)                            \
    {                                      \
        from_integer(cpu, insn, f, value); \
    }
FROM_INTEGER(do_cefr, HFP_SHORT, SW2)
FROM_INTEGER(do_cdfr, HFP_LONG, SW2)
FROM_INTEGER(do_cxfr, HFP_EXTENDED, SW2)
FROM_INTEGER(do_cegr, HFP_SHORT, SG2)
FROM_INTEGER(do_cdgr, HFP_LONG, SG2)
FROM_INTEGER(do_cxgr, HFP_EXTENDED, SG2)

// M3: 0 and 5 to zero, 1 nearest away, 4 nearest even, 6 up, 7 down.
static enum bfp_rounding rounding(struct cpu *cpu, unsigned m3)
{
    static const uint8_t modes[8] = {BFP_TO_ZERO, BFP_AWAY,    0,      0,
                                     BFP_EVEN,    BFP_TO_ZERO, BFP_UP, BFP_DOWN};
    check(cpu, m3 < 8 && m3 != 2 && m3 != 3, PIC_SPECIFICATION);
    return (enum bfp_rounding)modes[m3];
}

// Out of range: the nearest bound, cc 3.
static void to_integer(struct cpu *cpu, const struct insn *insn, enum hfp_format f, unsigned bits)
{
    enum bfp_rounding mode = rounding(cpu, insn->m3);
    struct hfp x = hfp_operand(cpu, f, insn->r2);
    uint64_t magnitude, top = UINT64_C(1) << (bits - 1);
    bool fits = hfp_to_integer(x, mode, &magnitude);
    cpu->psw.cc = hfp_sign(x);
    if (!fits || magnitude > top - !x.negative) {
        cpu->psw.cc = 3;
        magnitude = top - !x.negative;
    }
    uint64_t value = x.negative ? 0 - magnitude : magnitude;
    if (bits == 32)
        set_low(cpu, insn->r1, (uint32_t)value);
    else
        G1 = value;
}

#define TO_INTEGER(name, f, bits)       \
    PLAIN(name)                         \
    {                                   \
        to_integer(cpu, insn, f, bits); \
    }
TO_INTEGER(do_cfer, HFP_SHORT, 32)
TO_INTEGER(do_cfdr, HFP_LONG, 32)
TO_INTEGER(do_cfxr, HFP_EXTENDED, 32)
TO_INTEGER(do_cger, HFP_SHORT, 64)
TO_INTEGER(do_cgdr, HFP_LONG, 64)
TO_INTEGER(do_cgxr, HFP_EXTENDED, 64)

// --- binary numbers -----------------------------------------------------------------------------

// Infinity, NaN and what is too large become the largest number, with cc 3; what is too small zero.
static void from_binary(struct cpu *cpu, const struct insn *insn, struct bfp x)
{
    const struct hfp largest = {x.negative && x.class <= BFP_INFINITY, 127,
                                ((uint128)1 << HFP_BITS) - 1};
    struct hfp r = {.negative = x.negative};
    if (x.class == BFP_FINITE)
        r = hfp_from_bfp(x);
    cpu->psw.cc = x.class == BFP_ZERO ? 0 : x.negative ? 1 : 2;
    if (x.class >= BFP_INFINITY || r.exponent > 127) {
        r = largest;
        cpu->psw.cc = 3;
    } else if (r.exponent < 0) {
        r = (struct hfp){.negative = x.negative};
    }
    hfp_set_register(cpu, HFP_LONG, insn->r1, r);
}

PLAIN(do_thder)
{
    hfp_check(cpu, HFP_LONG, insn->r1);
    hfp_check(cpu, HFP_LONG, insn->r2);
    from_binary(cpu, insn, bfp_unpack(&bfp_short, cpu->vr[insn->r2].high >> 32));
}

PLAIN(do_thdr)
{
    hfp_check(cpu, HFP_LONG, insn->r1);
    hfp_check(cpu, HFP_LONG, insn->r2);
    from_binary(cpu, insn, bfp_unpack(&bfp_long, cpu->vr[insn->r2].high));
}

// No IEEE exceptions: cc 3 tells that the number was too large.
static void to_binary(struct cpu *cpu, const struct insn *insn, const struct bfp_format *to)
{
    struct bfp_context c = {.mode = rounding(cpu, insn->m3)};
    hfp_check(cpu, HFP_LONG, insn->r1);
    struct hfp x = hfp_operand(cpu, HFP_LONG, insn->r2);
    struct bfp r = {.class = BFP_ZERO, .negative = x.negative};
    if (x.fraction)
        r = hfp_to_bfp(x);
    uint64_t bits = (uint64_t)bfp_round(&c, to, r);
    cpu->psw.cc = c.raised & BFP_OVERFLOW ? 3 : hfp_sign(x);
    if (to == &bfp_short)
        cpu->vr[insn->r1].high = (cpu->vr[insn->r1].high & 0xFFFFFFFF) | bits << 32;
    else
        cpu->vr[insn->r1].high = bits;
}

PLAIN(do_tbedr)
{
    to_binary(cpu, insn, &bfp_short);
}

PLAIN(do_tbdr)
{
    to_binary(cpu, insn, &bfp_long);
}
