// SPDX-License-Identifier: MIT
// Hexadecimal floating-point arithmetic instructions.
// (Principles of Operation, "Hexadecimal-Floating-Point Instructions".)
#include "cpu/float_hfp.h"

#include "cpu/float.h"

// --- operands and results -----------------------------------------------------------------------

void hfp_check(struct cpu *cpu, enum hfp_format format, unsigned r)
{
    if (format == HFP_EXTENDED)
        check_pair(cpu, r);
    if (r & 9 && !(cpu->cr[0] & CR0_AFP))
        data_exception(cpu, NULL, DXC_AFP_REGISTER);
}

struct hfp hfp_register(struct cpu *cpu, enum hfp_format format, unsigned r)
{
    uint128 bits = cpu->vr[r].high;
    if (format == HFP_SHORT)
        bits >>= 32;
    else if (format == HFP_EXTENDED)
        bits = bits << 64 | cpu->vr[r + 2].high;
    return hfp_unpack(format, bits);
}

static void set_bits(struct cpu *cpu, enum hfp_format format, unsigned r, uint128 bits)
{
    if (format == HFP_SHORT) {
        cpu->vr[r].high = (cpu->vr[r].high & 0xFFFFFFFF) | (uint64_t)bits << 32;
    } else if (format == HFP_LONG) {
        cpu->vr[r].high = (uint64_t)bits;
    } else {
        cpu->vr[r].high = (uint64_t)(bits >> 64);
        cpu->vr[r + 2].high = (uint64_t)bits;
    }
}

void hfp_set_register(struct cpu *cpu, enum hfp_format format, unsigned r, struct hfp x)
{
    set_bits(cpu, format, r, hfp_pack(format, x));
}

struct hfp hfp_operand(struct cpu *cpu, enum hfp_format format, unsigned r)
{
    hfp_check(cpu, format, r);
    return hfp_register(cpu, format, r);
}

struct hfp hfp_memory(struct cpu *cpu, const struct insn *insn, enum hfp_format format)
{
    uint64_t address = address_bxd(cpu, insn);
    return hfp_unpack(format, format == HFP_SHORT ? guest_read32(cpu, NULL, insn->b, address)
                                                  : guest_read64(cpu, NULL, insn->b, address));
}

uint8_t hfp_sign(struct hfp x)
{
    return x.fraction == 0 ? 0 : x.negative ? 1 : 2;
}

void hfp_deliver(struct cpu *cpu, enum hfp_format format, unsigned r, struct hfp x, bool cc)
{
    uint16_t code = 0;
    x = hfp_truncate(x, hfp_digits(format));
    if (x.fraction && x.exponent > 127)
        code = PIC_HFP_OVERFLOW;
    else if (x.fraction && x.exponent < 0 && cpu->psw.mask & MASK_UNDERFLOW)
        code = PIC_HFP_UNDERFLOW;
    else if (x.exponent < 0)
        x.fraction = 0;
    set_bits(cpu, format, r, x.fraction ? hfp_pack(format, x) : 0);
    if (cc)
        cpu->psw.cc = hfp_sign(x);
    if (code)
        cpu_program_interruption(cpu, code);
}

// --- addition, comparison ---------------------------------------------------------------------

// A zero sum: true zero, or with the significance mask a zero that keeps its characteristic.
static void deliver_zero(struct cpu *cpu, enum hfp_format format, unsigned r, struct hfp x)
{
    x.fraction = 0;
    x.negative = false;
    bool significance = cpu->psw.mask & MASK_SIGNIFICANCE;
    set_bits(cpu, format, r, significance ? hfp_pack(format, x) : 0);
    cpu->psw.cc = 0;
    if (significance)
        cpu_program_interruption(cpu, PIC_HFP_SIGNIFICANCE);
}

// Normalizes an intermediate sum; its guard digit becomes the last digit.
static struct hfp normalize_sum(struct hfp x, unsigned digits, unsigned guard)
{
    if (x.fraction >> (HFP_BITS - 4))
        return x;
    x.fraction = x.fraction << 4 | (uint128)guard << (HFP_BITS - 4 * digits);
    x.exponent--;
    return hfp_normalize(x);
}

enum sum { NORMALIZED, UNNORMALIZED };

static void add(struct cpu *cpu, const struct insn *insn, enum hfp_format f, enum sum kind,
                bool subtract, struct hfp b)
{
    unsigned guard, digits = hfp_digits(f);
    b.negative ^= subtract;
    struct hfp r = hfp_add(hfp_register(cpu, f, insn->r1), b, digits, &guard);
    // The guard digit of an unnormalized sum is not looked at.
    if (r.fraction == 0 && (kind == UNNORMALIZED || guard == 0))
        deliver_zero(cpu, f, insn->r1, r);
    else
        hfp_deliver(cpu, f, insn->r1, kind == NORMALIZED ? normalize_sum(r, digits, guard) : r,
                    true);
}

static void compare(struct cpu *cpu, const struct insn *insn, enum hfp_format f, struct hfp b)
{
    cpu->psw.cc = hfp_compare(hfp_register(cpu, f, insn->r1), b, hfp_digits(f));
}

// An instruction with its second operand in a register (R) or in storage (X). The first operand's
// register is looked at before storage is.
#define HFP_R(name, from, to, work)                           \
    PLAIN(name)                                               \
    {                                                         \
        hfp_check(cpu, to, insn->r1);                         \
        struct hfp second = hfp_operand(cpu, from, insn->r2); \
        work;                                                 \
    }
#define HFP_X(name, from, to, work)                      \
    PLAIN(name)                                          \
    {                                                    \
        hfp_check(cpu, to, insn->r1);                    \
        struct hfp second = hfp_memory(cpu, insn, from); \
        work;                                            \
    }
#define HFP_RX(name_r, name_x, from, to, work) \
    HFP_R(name_r, from, to, work)              \
    HFP_X(name_x, from, to, work)

#define ADD_(f, kind, subtract) add(cpu, insn, f, kind, subtract, second)
HFP_RX(do_aer, do_ae, HFP_SHORT, HFP_SHORT, ADD_(HFP_SHORT, NORMALIZED, false))
HFP_RX(do_adr, do_ad, HFP_LONG, HFP_LONG, ADD_(HFP_LONG, NORMALIZED, false))
HFP_R(do_axr, HFP_EXTENDED, HFP_EXTENDED, ADD_(HFP_EXTENDED, NORMALIZED, false))
HFP_RX(do_aur, do_au, HFP_SHORT, HFP_SHORT, ADD_(HFP_SHORT, UNNORMALIZED, false))
HFP_RX(do_awr, do_aw, HFP_LONG, HFP_LONG, ADD_(HFP_LONG, UNNORMALIZED, false))
HFP_RX(do_ser, do_se, HFP_SHORT, HFP_SHORT, ADD_(HFP_SHORT, NORMALIZED, true))
HFP_RX(do_sdr, do_sd, HFP_LONG, HFP_LONG, ADD_(HFP_LONG, NORMALIZED, true))
HFP_R(do_sxr, HFP_EXTENDED, HFP_EXTENDED, ADD_(HFP_EXTENDED, NORMALIZED, true))
HFP_RX(do_sur, do_su, HFP_SHORT, HFP_SHORT, ADD_(HFP_SHORT, UNNORMALIZED, true))
HFP_RX(do_swr, do_sw, HFP_LONG, HFP_LONG, ADD_(HFP_LONG, UNNORMALIZED, true))
HFP_RX(do_cer, do_ce, HFP_SHORT, HFP_SHORT, compare(cpu, insn, HFP_SHORT, second))
HFP_RX(do_cdr, do_cd, HFP_LONG, HFP_LONG, compare(cpu, insn, HFP_LONG, second))
HFP_R(do_cxr, HFP_EXTENDED, HFP_EXTENDED, compare(cpu, insn, HFP_EXTENDED, second))

// --- multiplication, division, square root, halving
// -----------------------------------------------

static void multiply(struct cpu *cpu, const struct insn *insn, enum hfp_format from,
                     enum hfp_format to, struct hfp b)
{
    struct hfp a = hfp_register(cpu, from, insn->r1);
    hfp_deliver(cpu, to, insn->r1, hfp_multiply(a, b), false);
}

#define MULTIPLY_(from, to) multiply(cpu, insn, from, to, second)
HFP_RX(do_meer, do_mee, HFP_SHORT, HFP_SHORT, MULTIPLY_(HFP_SHORT, HFP_SHORT))
HFP_RX(do_mder, do_mde, HFP_SHORT, HFP_LONG, MULTIPLY_(HFP_SHORT, HFP_LONG))
HFP_RX(do_mdr, do_md, HFP_LONG, HFP_LONG, MULTIPLY_(HFP_LONG, HFP_LONG))
HFP_RX(do_mxdr, do_mxd, HFP_LONG, HFP_EXTENDED, MULTIPLY_(HFP_LONG, HFP_EXTENDED))
HFP_R(do_mxr, HFP_EXTENDED, HFP_EXTENDED, MULTIPLY_(HFP_EXTENDED, HFP_EXTENDED))

static void divide(struct cpu *cpu, const struct insn *insn, enum hfp_format f, struct hfp b)
{
    check(cpu, b.fraction != 0, PIC_HFP_DIVIDE);
    struct hfp a = hfp_register(cpu, f, insn->r1);
    hfp_deliver(cpu, f, insn->r1, hfp_divide(a, b, hfp_digits(f)), false);
}

HFP_RX(do_der, do_de, HFP_SHORT, HFP_SHORT, divide(cpu, insn, HFP_SHORT, second))
HFP_RX(do_ddr, do_dd, HFP_LONG, HFP_LONG, divide(cpu, insn, HFP_LONG, second))
HFP_R(do_dxr, HFP_EXTENDED, HFP_EXTENDED, divide(cpu, insn, HFP_EXTENDED, second))

static void square_root(struct cpu *cpu, const struct insn *insn, enum hfp_format f, struct hfp b)
{
    check(cpu, !b.negative || b.fraction == 0, PIC_HFP_SQUARE_ROOT);
    hfp_deliver(cpu, f, insn->r1, hfp_square_root(b, hfp_digits(f)), false);
}

HFP_RX(do_sqer, do_sqe, HFP_SHORT, HFP_SHORT, square_root(cpu, insn, HFP_SHORT, second))
HFP_RX(do_sqdr, do_sqd, HFP_LONG, HFP_LONG, square_root(cpu, insn, HFP_LONG, second))
HFP_R(do_sqxr, HFP_EXTENDED, HFP_EXTENDED, square_root(cpu, insn, HFP_EXTENDED, second))

static void halve(struct cpu *cpu, const struct insn *insn, enum hfp_format f, struct hfp x)
{
    x.fraction >>= 1;
    hfp_deliver(cpu, f, insn->r1, hfp_normalize(x), false);
}

HFP_R(do_her, HFP_SHORT, HFP_SHORT, halve(cpu, insn, HFP_SHORT, second))
HFP_R(do_hdr, HFP_LONG, HFP_LONG, halve(cpu, insn, HFP_LONG, second))

// --- multiply and add ---------------------------------------------------------------------------

// Below every characteristic: a zero product does not shift the addend.
#define NO_EXPONENT (-1000)

// The product keeps all its digits; the sum is formed with as many and then truncated.
static void multiply_add(struct cpu *cpu, enum hfp_format f, unsigned r1, unsigned r3, struct hfp b,
                         bool subtract)
{
    unsigned guard, digits = f == HFP_SHORT ? 14 : 28;
    struct hfp addend = hfp_register(cpu, f, r1);
    struct hfp product = hfp_multiply(hfp_register(cpu, f, r3), b);
    addend.negative ^= subtract;
    if (product.fraction == 0)
        product.exponent = NO_EXPONENT;
    struct hfp r = hfp_add(product, addend, digits, &guard);
    uint8_t cc = cpu->psw.cc; // not set by these
    if (r.fraction == 0 && guard == 0) {
        r.negative = false;
        bool significance = cpu->psw.mask & MASK_SIGNIFICANCE;
        set_bits(cpu, f, r1, significance ? hfp_pack(f, r) : 0);
        check(cpu, !significance, PIC_HFP_SIGNIFICANCE);
    } else {
        hfp_deliver(cpu, f, r1, normalize_sum(r, digits, guard), false);
    }
    cpu->psw.cc = cc;
}

#define MULTIPLY_ADD(name, f, subtract)                             \
    PLAIN(do_##name##r)                                             \
    {                                                               \
        hfp_check(cpu, f, insn->r1);                                \
        hfp_check(cpu, f, insn->r3);                                \
        struct hfp second = hfp_operand(cpu, f, insn->r2);          \
        multiply_add(cpu, f, insn->r1, insn->r3, second, subtract); \
    }                                                               \
    PLAIN(do_##name)                                                \
    {                                                               \
        hfp_check(cpu, f, insn->r1);                                \
        hfp_check(cpu, f, insn->r2);                                \
        struct hfp second = hfp_memory(cpu, insn, f);               \
        multiply_add(cpu, f, insn->r1, insn->r2, second, subtract); \
    }
MULTIPLY_ADD(mae, HFP_SHORT, false)
MULTIPLY_ADD(mad, HFP_LONG, false)
MULTIPLY_ADD(mse, HFP_SHORT, true)
MULTIPLY_ADD(msd, HFP_LONG, true)

// --- unnormalized products
// ------------------------------------------------------------------------

enum part { WHOLE, HIGH, LOW };

// Neither normalized nor checked for the exponent's range: characteristics wrap.
static void deliver_part(struct cpu *cpu, unsigned r1, enum part part, struct hfp x)
{
    uint128 bits = hfp_pack(HFP_EXTENDED, x);
    if (part == WHOLE)
        set_bits(cpu, HFP_EXTENDED, r1 & ~2u, bits);
    else
        cpu->vr[r1].high = (uint64_t)(part == HIGH ? bits >> 64 : bits);
}

static void multiply_unnormalized(struct cpu *cpu, unsigned r1, unsigned r3, struct hfp b,
                                  enum part part, bool with_addend)
{
    struct hfp r = hfp_multiply_unnormalized(hfp_register(cpu, HFP_LONG, r3), b);
    unsigned guard;
    if (with_addend)
        r = hfp_add(r, hfp_register(cpu, HFP_LONG, r1), 28, &guard);
    deliver_part(cpu, r1, part, r);
}

// The whole product needs a register pair; with an addend either register of it may be named.
#define UNNORMALIZED_(name, part, addend)                                                 \
    PLAIN(do_##name##r)                                                                   \
    {                                                                                     \
        hfp_check(cpu, (part) == WHOLE && !(addend) ? HFP_EXTENDED : HFP_LONG, insn->r1); \
        hfp_check(cpu, HFP_LONG, insn->r3);                                               \
        struct hfp second = hfp_operand(cpu, HFP_LONG, insn->r2);                         \
        multiply_unnormalized(cpu, insn->r1, insn->r3, second, part, addend);             \
    }                                                                                     \
    PLAIN(do_##name)                                                                      \
    {                                                                                     \
        hfp_check(cpu, (part) == WHOLE && !(addend) ? HFP_EXTENDED : HFP_LONG, insn->r1); \
        hfp_check(cpu, HFP_LONG, insn->r2);                                               \
        struct hfp second = hfp_memory(cpu, insn, HFP_LONG);                              \
        multiply_unnormalized(cpu, insn->r1, insn->r2, second, part, addend);             \
    }
UNNORMALIZED_(my, WHOLE, false)
UNNORMALIZED_(myh, HIGH, false)
UNNORMALIZED_(myl, LOW, false)
UNNORMALIZED_(may, WHOLE, true)
UNNORMALIZED_(mayh, HIGH, true)
UNNORMALIZED_(mayl, LOW, true)
