// SPDX-License-Identifier: MIT
// Binary floating-point instructions: operands, rounding modes, exceptions; the numbers themselves
// are bfp.c's, or the host's where its result is certainly the same.
// (Principles of Operation, "Binary-Floating-Point Instructions".)
#include <string.h>

#include "cpu/bfp.h"
#include "cpu/float.h"
#include "cpu/operands.h"

// --- registers ------------------------------------------------------------------------------

static void check_registers(struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    if (f == &bfp_extended)
        check_pair(cpu, r);
}

static uint128 register_bits(const struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    if (f == &bfp_short)
        return cpu->vr[r].high >> 32;
    if (f == &bfp_long)
        return cpu->vr[r].high;
    return (uint128)cpu->vr[r].high << 64 | cpu->vr[r + 2].high;
}

static void set_register(struct cpu *cpu, const struct bfp_format *f, unsigned r, uint128 bits)
{
    if (f == &bfp_short) {
        cpu->vr[r].high = (cpu->vr[r].high & 0xFFFFFFFF) | (uint64_t)bits << 32;
    } else if (f == &bfp_long) {
        cpu->vr[r].high = (uint64_t)bits;
    } else {
        cpu->vr[r].high = (uint64_t)(bits >> 64);
        cpu->vr[r + 2].high = (uint64_t)bits;
    }
}

static struct bfp number(struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    check_registers(cpu, f, r);
    return bfp_unpack(f, register_bits(cpu, f, r));
}

static struct bfp memory_number(struct cpu *cpu, const struct insn *insn,
                                const struct bfp_format *f)
{
    uint64_t address = address_bxd(cpu, insn);
    return bfp_unpack(f, f == &bfp_short ? guest_read32(cpu, NULL, insn->b, address)
                                         : guest_read64(cpu, NULL, insn->b, address));
}

// --- rounding modes and exceptions --------------------------------------------------------------

static enum bfp_rounding current_mode(const struct cpu *cpu)
{
    static const uint8_t modes[8] = {BFP_EVEN, BFP_TO_ZERO, BFP_UP,   BFP_DOWN,
                                     BFP_EVEN, BFP_EVEN,    BFP_EVEN, BFP_ODD};
    return modes[cpu->fpc & 7];
}

static struct bfp_context context(const struct cpu *cpu)
{
    return (struct bfp_context){.mode = current_mode(cpu), .masks = (uint8_t)(cpu->fpc >> 24)};
}

// The M3 field of conversions: 0 as the FPC says, 1 nearest away, 3 prepare for shorter precision,
// 4-7 the four directions.
static struct bfp_context context_m3(struct cpu *cpu, unsigned m3)
{
    static const int8_t modes[16] = {-1,     BFP_AWAY, -2, BFP_ODD, BFP_EVEN, BFP_TO_ZERO,
                                     BFP_UP, BFP_DOWN, -2, -2,      -2,       -2,
                                     -2,     -2,       -2, -2};
    struct bfp_context c = context(cpu);
    check(cpu, modes[m3] != -2 && (m3 != 3 || cpu_facility(cpu, 37)), PIC_SPECIFICATION);
    if (modes[m3] >= 0)
        c.mode = (enum bfp_rounding)modes[m3];
    return c;
}

// M4's second bit: no inexact exception.
static void apply_m4(struct cpu *cpu, struct bfp_context *c, unsigned m4)
{
    if (m4 & 4 && cpu_facility(cpu, 37))
        c->raised &= (uint8_t)~BFP_INEXACT;
}

// Invalid operation and division by zero suppress when their mask is on: before the result is
// stored.
static void signal_before(struct cpu *cpu, const struct bfp_context *c)
{
    uint8_t early = c->raised & (BFP_INVALID | BFP_DIVIDE);
    if (early & c->masks)
        data_exception(cpu, NULL, early & c->masks);
    cpu->fpc |= (uint32_t)early << 16;
}

// The others complete: the result is there when the interruption comes. A trapped exception leaves
// its flag alone.
static void signal_after(struct cpu *cpu, const struct bfp_context *c)
{
    uint8_t late = c->raised & (BFP_OVERFLOW | BFP_UNDERFLOW | BFP_INEXACT);
    uint8_t range = late & (BFP_OVERFLOW | BFP_UNDERFLOW);
    unsigned inexact = !(late & BFP_INEXACT) ? 0 : c->incremented ? 0x0C : 0x08;
    if (range & c->masks)
        data_exception(cpu, NULL, (uint8_t)((range & c->masks) | inexact));
    cpu->fpc |= (uint32_t)range << 16;
    if (late & BFP_INEXACT & c->masks)
        data_exception(cpu, NULL, (uint8_t)inexact);
    cpu->fpc |= (uint32_t)(late & BFP_INEXACT) << 16;
}

static uint8_t cc_of(struct bfp x)
{
    if (x.class >= BFP_QNAN)
        return 3;
    return x.class == BFP_ZERO ? 0 : x.negative ? 1 : 2;
}

// Rounds, stores, signals. `cc` when the instruction sets the condition code.
static void deliver(struct cpu *cpu, struct bfp_context *c, const struct bfp_format *f, unsigned r,
                    struct bfp x, bool cc)
{
    signal_before(cpu, c);
    uint128 bits = bfp_round(c, f, x);
    set_register(cpu, f, r, bits);
    if (cc)
        cpu->psw.cc = cc_of(bfp_unpack(f, bits));
    signal_after(cpu, c);
}

// --- the host's arithmetic
// ------------------------------------------------------------------------

// With no trap enabled, rounding to nearest and the inexact flag already on, a normal result of
// finite operands is all there is to an operation, and the host's is the same bit for bit. The
// smallest normal number is left out: it may be a tiny one rounded up.
static bool host_may(const struct cpu *cpu)
{
    return (cpu->fpc & 0xF8080007) == 0x00080000;
}

static bool host_result(double r)
{
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    unsigned exponent = bits >> 52 & 0x7FF;
    return exponent > 1 && exponent < 0x7FF;
}

static double host_long(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

enum arithmetic { ADD, SUBTRACT, MULTIPLY, DIVIDE };

static bool host_arithmetic(struct cpu *cpu, enum arithmetic op, unsigned r, uint64_t b_bits)
{
    double a = host_long(cpu->vr[r].high), b = host_long(b_bits), result;
    switch (op) {
    case ADD:
        result = a + b;
        break;
    case SUBTRACT:
        result = a - b;
        break;
    case MULTIPLY:
        result = a * b;
        break;
    default:
        if (b == 0)
            return false;
        result = a / b;
        break;
    }
    if (!host_result(result))
        return false; // infinities and NaNs among the operands end here, too, or give zero
    memcpy(&cpu->vr[r].high, &result, sizeof result);
    if (op == ADD || op == SUBTRACT)
        cpu->psw.cc = result < 0 ? 1 : 2;
    return true;
}

// --- arithmetic -------------------------------------------------------------------------------

static void arithmetic(struct cpu *cpu, const struct insn *insn, enum arithmetic op,
                       const struct bfp_format *f, struct bfp b)
{
    struct bfp_context c = context(cpu);
    struct bfp a = number(cpu, f, insn->r1), r;
    switch (op) {
    case ADD:
        r = bfp_add(&c, a, b);
        break;
    case SUBTRACT:
        if (b.class < BFP_QNAN)
            b.negative = !b.negative;
        r = bfp_add(&c, a, b);
        break;
    case MULTIPLY:
        r = bfp_multiply(&c, a, b);
        break;
    default:
        r = bfp_divide(&c, a, b);
        break;
    }
    deliver(cpu, &c, f, insn->r1, r, op == ADD || op == SUBTRACT);
}

static void arithmetic_long(struct cpu *cpu, const struct insn *insn, enum arithmetic op,
                            uint64_t b)
{
    if (!host_may(cpu) || !host_arithmetic(cpu, op, insn->r1, b))
        arithmetic(cpu, insn, op, &bfp_long, bfp_unpack(&bfp_long, b));
}

#define ARITHMETIC(short_, long_, extended, op)                                                   \
    PLAIN(short_##r)                                                                              \
    {                                                                                             \
        arithmetic(cpu, insn, op, &bfp_short, number(cpu, &bfp_short, insn->r2));                 \
    }                                                                                             \
    PLAIN(short_)                                                                                 \
    {                                                                                             \
        arithmetic(cpu, insn, op, &bfp_short, memory_number(cpu, insn, &bfp_short));              \
    }                                                                                             \
    PLAIN(long_##r)                                                                               \
    {                                                                                             \
        arithmetic_long(cpu, insn, op, cpu->vr[insn->r2].high);                                   \
    }                                                                                             \
    PLAIN(long_)                                                                                  \
    {                                                                                             \
        arithmetic_long(cpu, insn, op, guest_read64(cpu, NULL, insn->b, address_bxd(cpu, insn))); \
    }                                                                                             \
    PLAIN(extended)                                                                               \
    {                                                                                             \
        check_pair(cpu, insn->r1);                                                                \
        arithmetic(cpu, insn, op, &bfp_extended, number(cpu, &bfp_extended, insn->r2));           \
    }
ARITHMETIC(do_aeb, do_adb, do_axbr, ADD)
ARITHMETIC(do_seb, do_sdb, do_sxbr, SUBTRACT)
ARITHMETIC(do_meeb, do_mdb, do_mxbr, MULTIPLY)
ARITHMETIC(do_deb, do_ddb, do_dxbr, DIVIDE)

// Products of the next longer format.
static void multiply_longer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *from,
                            const struct bfp_format *to, struct bfp b)
{
    struct bfp_context c = context(cpu);
    check_registers(cpu, to, insn->r1);
    struct bfp r = bfp_multiply(&c, bfp_unpack(from, register_bits(cpu, from, insn->r1)), b);
    deliver(cpu, &c, to, insn->r1, r, false);
}

PLAIN(do_mdebr)
{
    multiply_longer(cpu, insn, &bfp_short, &bfp_long, number(cpu, &bfp_short, insn->r2));
}

PLAIN(do_mdeb)
{
    multiply_longer(cpu, insn, &bfp_short, &bfp_long, memory_number(cpu, insn, &bfp_short));
}

PLAIN(do_mxdbr)
{
    multiply_longer(cpu, insn, &bfp_long, &bfp_extended, number(cpu, &bfp_long, insn->r2));
}

PLAIN(do_mxdb)
{
    check_pair(cpu, insn->r1);
    multiply_longer(cpu, insn, &bfp_long, &bfp_extended, memory_number(cpu, insn, &bfp_long));
}

// R3 times the second operand, plus or minus R1.
static void multiply_add(struct cpu *cpu, const struct bfp_format *f, unsigned r1, unsigned r3,
                         struct bfp b, bool subtract)
{
    struct bfp_context c = context(cpu);
    struct bfp addend = number(cpu, f, r1);
    if (subtract && addend.class < BFP_QNAN)
        addend.negative = !addend.negative;
    struct bfp r = bfp_multiply_add(&c, b, number(cpu, f, r3), addend);
    deliver(cpu, &c, f, r1, r, false);
}

#define MULTIPLY_ADD(name, f, subtract)                                                  \
    PLAIN(do_##name##r)                                                                  \
    {                                                                                    \
        multiply_add(cpu, f, insn->r1, insn->r3, number(cpu, f, insn->r2), subtract);    \
    }                                                                                    \
    PLAIN(do_##name)                                                                     \
    {                                                                                    \
        multiply_add(cpu, f, insn->r1, insn->r2, memory_number(cpu, insn, f), subtract); \
    }
MULTIPLY_ADD(maeb, &bfp_short, false)
MULTIPLY_ADD(madb, &bfp_long, false)
MULTIPLY_ADD(mseb, &bfp_short, true)
MULTIPLY_ADD(msdb, &bfp_long, true)

static void square_root(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                        struct bfp b)
{
    struct bfp_context c = context(cpu);
    check_registers(cpu, f, insn->r1);
    deliver(cpu, &c, f, insn->r1, bfp_square_root(&c, b), false);
}

PLAIN(do_sqebr)
{
    square_root(cpu, insn, &bfp_short, number(cpu, &bfp_short, insn->r2));
}

PLAIN(do_sqdbr)
{
    square_root(cpu, insn, &bfp_long, number(cpu, &bfp_long, insn->r2));
}

PLAIN(do_sqxbr)
{
    square_root(cpu, insn, &bfp_extended, number(cpu, &bfp_extended, insn->r2));
}

PLAIN(do_sqeb)
{
    square_root(cpu, insn, &bfp_short, memory_number(cpu, insn, &bfp_short));
}

PLAIN(do_sqdb)
{
    square_root(cpu, insn, &bfp_long, memory_number(cpu, insn, &bfp_long));
}

// --- comparison ---------------------------------------------------------------------------------

static void compare(struct cpu *cpu, struct bfp a, struct bfp b, bool signal)
{
    struct bfp_context c = context(cpu);
    unsigned cc = bfp_compare(&c, a, b, signal);
    signal_before(cpu, &c);
    cpu->psw.cc = (uint8_t)cc;
}

#define COMPARE(letter, signal)                                                                   \
    PLAIN(do_##letter##ebr)                                                                       \
    {                                                                                             \
        compare(cpu, number(cpu, &bfp_short, insn->r1), number(cpu, &bfp_short, insn->r2),        \
                signal);                                                                          \
    }                                                                                             \
    PLAIN(do_##letter##dbr)                                                                       \
    {                                                                                             \
        compare(cpu, number(cpu, &bfp_long, insn->r1), number(cpu, &bfp_long, insn->r2), signal); \
    }                                                                                             \
    PLAIN(do_##letter##xbr)                                                                       \
    {                                                                                             \
        compare(cpu, number(cpu, &bfp_extended, insn->r1), number(cpu, &bfp_extended, insn->r2),  \
                signal);                                                                          \
    }                                                                                             \
    PLAIN(do_##letter##eb)                                                                        \
    {                                                                                             \
        struct bfp b = memory_number(cpu, insn, &bfp_short);                                      \
        compare(cpu, number(cpu, &bfp_short, insn->r1), b, signal);                               \
    }                                                                                             \
    PLAIN(do_##letter##db)                                                                        \
    {                                                                                             \
        struct bfp b = memory_number(cpu, insn, &bfp_long);                                       \
        compare(cpu, number(cpu, &bfp_long, insn->r1), b, signal);                                \
    }
COMPARE(c, false)
COMPARE(k, true)

// --- signs, tests
// ----------------------------------------------------------------------------------

// Load complement, negative, positive: the sign bit alone, NaNs included; no exception.
static void change_sign(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                        bool keep, bool sign)
{
    struct bfp x = number(cpu, f, insn->r2);
    check_registers(cpu, f, insn->r1);
    uint128 bits = register_bits(cpu, f, insn->r2);
    unsigned place = f == &bfp_short ? 31 : f == &bfp_long ? 63 : 127;
    bool negative = keep ? !(bits >> place & 1) : sign;
    bits = (bits & ~((uint128)1 << place)) | (uint128)negative << place;
    x.negative = negative;
    set_register(cpu, f, insn->r1, bits);
    cpu->psw.cc = cc_of(x);
}

#define SIGNS(letter, f)                         \
    PLAIN(do_lc##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, true, false);  \
    }                                            \
    PLAIN(do_ln##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, false, true);  \
    }                                            \
    PLAIN(do_lp##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, false, false); \
    }                                            \
    PLAIN(do_lt##letter##br)                     \
    {                                            \
        load_and_test(cpu, insn, f);             \
    }

static void load_and_test(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    struct bfp_context c = context(cpu);
    struct bfp x = number(cpu, f, insn->r2);
    check_registers(cpu, f, insn->r1);
    if (x.class != BFP_SNAN) {
        set_register(cpu, f, insn->r1, register_bits(cpu, f, insn->r2));
        cpu->psw.cc = cc_of(x);
        return;
    }
    c.raised = BFP_INVALID;
    deliver(cpu, &c, f, insn->r1, bfp_quiet(x), true);
}

SIGNS(e, &bfp_short)
SIGNS(d, &bfp_long)
SIGNS(x, &bfp_extended)

// TEST DATA CLASS: twelve bits of the second operand's address: zero, normal, subnormal, infinity,
// quiet and signalling NaN, each plus and minus.
static void test_class(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    struct bfp x = number(cpu, f, insn->r1);
    unsigned kind = x.class == BFP_ZERO        ? 0
                    : x.class == BFP_INFINITY  ? 3
                    : x.class == BFP_QNAN      ? 4
                    : x.class == BFP_SNAN      ? 5
                    : x.exponent < 1 - f->bias ? 2
                                               : 1;
    unsigned bit = 11 - kind * 2 - x.negative;
    cpu->psw.cc = address_bxd(cpu, insn) >> bit & 1;
}

PLAIN(do_tceb)
{
    test_class(cpu, insn, &bfp_short);
}

PLAIN(do_tcdb)
{
    test_class(cpu, insn, &bfp_long);
}

PLAIN(do_tcxb)
{
    test_class(cpu, insn, &bfp_extended);
}

// --- between formats ----------------------------------------------------------------------------

static void lengthen(struct cpu *cpu, const struct insn *insn, const struct bfp_format *to,
                     struct bfp x)
{
    struct bfp_context c = context(cpu);
    check_registers(cpu, to, insn->r1);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    deliver(cpu, &c, to, insn->r1, bfp_quiet(x), false);
}

#define LENGTHEN(name, from, to)                                                       \
    PLAIN(do_##name##r)                                                                \
    {                                                                                  \
        lengthen(cpu, insn, to, bfp_unpack(from, register_bits(cpu, from, insn->r2))); \
    }                                                                                  \
    PLAIN(do_##name)                                                                   \
    {                                                                                  \
        check_registers(cpu, to, insn->r1);                                            \
        lengthen(cpu, insn, to, memory_number(cpu, insn, from));                       \
    }
LENGTHEN(ldeb, &bfp_short, &bfp_long)
LENGTHEN(lxdb, &bfp_long, &bfp_extended)
LENGTHEN(lxeb, &bfp_short, &bfp_extended)

// LOAD ROUNDED. RRF-e: M3 stands in m3, M4 in m4. From the extended format R1 names a pair, too.
static void shorten(struct cpu *cpu, const struct insn *insn, const struct bfp_format *from,
                    const struct bfp_format *to)
{
    struct bfp x = number(cpu, from, insn->r2);
    check_registers(cpu, from, insn->r1);
    bool extended = cpu_facility(cpu, 37);
    struct bfp_context c = context_m3(cpu, extended ? insn->m3 : 0);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    signal_before(cpu, &c);
    uint128 bits = bfp_round(&c, to, bfp_quiet(x));
    apply_m4(cpu, &c, insn->m4);
    set_register(cpu, to, insn->r1, bits);
    signal_after(cpu, &c);
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
    struct bfp x = number(cpu, f, insn->r2);
    check_registers(cpu, f, insn->r1);
    struct bfp_context c = context_m3(cpu, insn->m3);
    if (x.class == BFP_SNAN)
        c.raised = BFP_INVALID;
    signal_before(cpu, &c);
    struct bfp r = bfp_integral(&c, bfp_quiet(x));
    apply_m4(cpu, &c, insn->m4);
    set_register(cpu, f, insn->r1, bfp_round(&c, f, r));
    signal_after(cpu, &c);
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
    check_registers(cpu, f, insn->r1);
    bool extended = cpu_facility(cpu, 37);
    struct bfp_context c = context_m3(cpu, extended ? insn->m3 : 0);
    uint128 bits = bfp_round(&c, f, bfp_from_integer(negative, magnitude));
    apply_m4(cpu, &c, insn->m4);
    set_register(cpu, f, insn->r1, bits);
    signal_after(cpu, &c);
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

struct integer {
    bool is_signed;
    unsigned bits;
};

static void set_integer(struct cpu *cpu, unsigned r, unsigned bits, uint64_t value)
{
    if (bits == 32)
        set_low(cpu, r, (uint32_t)value);
    else
        cpu->gr[r] = value;
}

// The nearest bound, or for a NaN the smallest, with cc 3 and the invalid exception.
static uint64_t out_of_range(struct bfp x, struct integer kind)
{
    uint64_t top = UINT64_C(1) << (kind.bits - 1);
    bool least = x.class >= BFP_QNAN || x.negative;
    if (kind.is_signed)
        return least ? top : top - 1;
    return least ? 0 : top - 1 + top;
}

static bool fits(struct bfp r, struct integer kind)
{
    if (r.class == BFP_ZERO)
        return true;
    if (r.class != BFP_FINITE || r.exponent > 64)
        return false;
    uint128 m = bfp_magnitude(r), top = (uint128)1 << (kind.bits - 1);
    if (kind.is_signed)
        return r.negative ? m <= top : m < top;
    return !r.negative && m < top << 1;
}

static void to_integer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                       struct integer kind)
{
    struct bfp x = number(cpu, f, insn->r2);
    struct bfp_context c = context_m3(cpu, insn->m3);
    struct bfp r = bfp_integral(&c, x);
    if (!fits(r, kind)) {
        c.raised = BFP_INVALID;
        signal_before(cpu, &c);
        set_integer(cpu, insn->r1, kind.bits, out_of_range(x, kind));
        cpu->psw.cc = 3;
        c.raised =
            x.class < BFP_QNAN ? BFP_INEXACT : 0; // as well: what is stored is not the source
        c.incremented = false;
        apply_m4(cpu, &c, insn->m4);
        signal_after(cpu, &c);
        return;
    }
    apply_m4(cpu, &c, insn->m4);
    uint64_t m = (uint64_t)bfp_magnitude(r);
    set_integer(cpu, insn->r1, kind.bits, r.negative ? 0 - m : m);
    cpu->psw.cc = cc_of(x);
    signal_after(cpu, &c);
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
