// SPDX-License-Identifier: MIT
// Packed-decimal arithmetic, and conversion between packed and binary.
// (Principles of Operation, "Decimal Instructions".)
//
// A packed number of up to 31 digits fits 128 bits; operands are taken whole, computed with, and
// stored whole.
#include <string.h>

#include "cpu/bcd.h"
#include "cpu/operands.h"
#include "cpu/wide.h"

struct decimal {
    uint128 magnitude;
    bool negative;
};

static bool sign_is_negative(unsigned sign)
{
    return sign == 0xB || sign == 0xD;
}

// Packed bytes to a number; false on an invalid digit or sign.
static bool unpack(const uint8_t *bytes, unsigned n, struct decimal *out)
{
    struct packed p = packed_load(bytes, n);
    unsigned sign = p.right & 15;
    out->negative = sign_is_negative(sign);
    out->magnitude = packed_magnitude(p);
    return bcd_valid(p.left) && bcd_valid(p.right & ~UINT64_C(15)) && sign >= 10;
}

// The rightmost digits that fit, with a preferred sign. True when others were lost.
static bool pack(const struct decimal *d, uint8_t *bytes, unsigned n)
{
    struct packed p;
    bool lost = packed_make(d->magnitude, d->negative ? 0x0D : 0x0C, &p);
    return packed_store(p, bytes, n) | lost;
}

static struct decimal operand(struct cpu *cpu, unsigned b, uint64_t address, unsigned n)
{
    uint8_t bytes[16];
    struct decimal d;
    guest_fetch(cpu, b, address, bytes, n);
    if (!unpack(bytes, n, &d))
        data_exception(cpu, NULL, DXC_DECIMAL);
    return d;
}

static struct decimal operand1(struct cpu *cpu, const struct insn *insn)
{
    return operand(cpu, insn->b, address_bd(cpu, insn), insn->r1 + 1u);
}

static struct decimal operand2(struct cpu *cpu, const struct insn *insn)
{
    return operand(cpu, insn->b2, address_bd2(cpu, insn), insn->r2 + 1u);
}

static uint8_t cc_decimal(const struct decimal *d)
{
    return d->magnitude == 0 ? 0 : d->negative ? 1 : 2;
}

// Stores the result in the first operand, sets the condition code, raises decimal overflow. A zero
// is positive unless digits were lost.
static void finish(struct cpu *cpu, const struct insn *insn, struct decimal d)
{
    uint8_t bytes[16];
    unsigned n = insn->r1 + 1u;
    if (d.magnitude == 0)
        d.negative = false;
    bool lost = pack(&d, bytes, n);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n);
    cpu->psw.cc = lost ? 3 : cc_decimal(&d);
    if (lost && cpu->psw.mask & 4)
        cpu_program_interruption(cpu, PIC_DECIMAL_OVERFLOW);
}

static struct decimal sum(struct decimal a, struct decimal b)
{
    if (a.negative == b.negative)
        a.magnitude += b.magnitude;
    else if (a.magnitude >= b.magnitude)
        a.magnitude -= b.magnitude;
    else
        a = (struct decimal){b.magnitude - a.magnitude, b.negative};
    return a;
}

static void add(struct cpu *cpu, const struct insn *insn, bool subtract)
{
    guest_probe_store(cpu, insn->b, address_bd(cpu, insn), insn->r1 + 1u);
    struct decimal b = operand2(cpu, insn), a = operand1(cpu, insn);
    b.negative ^= subtract;
    finish(cpu, insn, sum(a, b));
}

PLAIN(do_ap)
{
    add(cpu, insn, false);
}

PLAIN(do_sp)
{
    add(cpu, insn, true);
}

PLAIN(do_zap)
{
    guest_probe_store(cpu, insn->b, address_bd(cpu, insn), insn->r1 + 1u);
    finish(cpu, insn, operand2(cpu, insn));
}

PLAIN(do_cp)
{
    struct decimal b = operand2(cpu, insn), a = operand1(cpu, insn);
    b.negative = !b.negative;
    struct decimal difference = sum(a, b);
    cpu->psw.cc = cc_decimal(&difference);
}

// The multiplier has at most 15 digits and fewer bytes than the multiplicand, whose left bytes
// must be zero for as long as the multiplier is.
PLAIN(do_mp)
{
    unsigned n1 = insn->r1 + 1u, n2 = insn->r2 + 1u;
    check(cpu, n2 <= 8 && n2 < n1, PIC_SPECIFICATION);
    guest_probe_store(cpu, insn->b, address_bd(cpu, insn), n1);
    struct decimal b = operand2(cpu, insn), a = operand1(cpu, insn);
    if (a.magnitude >= power_of_ten(2 * (n1 - n2) - 1))
        data_exception(cpu, NULL, DXC_DECIMAL);
    struct decimal product = {a.magnitude * b.magnitude, a.negative != b.negative};
    uint8_t bytes[16];
    pack(&product, bytes, n1); // signed by the rules of algebra even when zero
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n1);
}

// Most numbers are short enough for one division of the host's.
static void divide(struct decimal a, struct decimal b, struct decimal *quotient,
                   struct decimal *remainder)
{
    if (a.magnitude >> 64)
        quotient->magnitude = a.magnitude / b.magnitude;
    else
        quotient->magnitude = (uint64_t)a.magnitude / (uint64_t)b.magnitude;
    quotient->negative = a.negative != b.negative;
    remainder->magnitude = a.magnitude - quotient->magnitude * b.magnitude;
    remainder->negative = a.negative;
}

PLAIN(do_dp)
{
    unsigned n1 = insn->r1 + 1u, n2 = insn->r2 + 1u;
    check(cpu, n2 <= 8 && n2 < n1, PIC_SPECIFICATION);
    guest_probe_store(cpu, insn->b, address_bd(cpu, insn), n1);
    struct decimal b = operand2(cpu, insn), a = operand1(cpu, insn);
    check(cpu, b.magnitude != 0, PIC_DECIMAL_DIVIDE);
    struct decimal quotient, remainder;
    divide(a, b, &quotient, &remainder);
    check(cpu, quotient.magnitude < power_of_ten(2 * (n1 - n2) - 1), PIC_DECIMAL_DIVIDE);
    uint8_t bytes[16];
    pack(&quotient, bytes, n1 - n2);
    pack(&remainder, bytes + (n1 - n2), n2);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n1);
}

// SHIFT AND ROUND: positive amounts shift left; right shifts round with the digit I3 (in r2).
PLAIN(do_srp)
{
    unsigned amount = (unsigned)address_bd2(cpu, insn) & 63, n = insn->r1 + 1u;
    guest_probe_store(cpu, insn->b, address_bd(cpu, insn), n);
    struct decimal d = operand1(cpu, insn);
    if (insn->r2 > 9)
        data_exception(cpu, NULL, DXC_DECIMAL);
    if (amount < 32) {
        // Digits beyond 31 places are lost whatever happens: keep the number within 128 bits.
        bool lost = d.magnitude / power_of_ten(31 - amount) != 0;
        uint128 keep = d.magnitude % power_of_ten(31 - amount);
        d.magnitude = keep * power_of_ten(amount);
        if (lost) // a digit beyond any field, so that finish() sees the loss
            d.magnitude += power_of_ten(31);
    } else {
        unsigned right = 64 - amount;
        if (right > 1)
            d.magnitude /= power_of_ten(right - 1 < 32 ? right - 1 : 32);
        d.magnitude = (d.magnitude + insn->r2) / 10;
    }
    finish(cpu, insn, d);
}

// cc: 1 the sign is invalid, 2 a digit, 3 both.
PLAIN(do_tp)
{
    uint8_t bytes[16];
    unsigned n = insn->r1 + 1u;
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes, n);
    bool digits = true;
    for (unsigned i = 0; i < 2 * n - 1; i++)
        digits &= ((bytes[i / 2] >> (i % 2 ? 0 : 4)) & 15) < 10;
    cpu->psw.cc = (uint8_t)(((bytes[n - 1] & 15) < 10) | !digits << 1);
}

// --- binary -----------------------------------------------------------------------------------

static struct decimal packed_source(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    return operand(cpu, insn->b, address_bxd(cpu, insn), n);
}

PLAIN(do_cvb)
{
    struct decimal d = packed_source(cpu, insn, 8);
    uint64_t m = (uint64_t)d.magnitude;
    set_low(cpu, insn->r1, (uint32_t)(d.negative ? 0 - m : m)); // the operation is completed
    check(cpu, m <= (d.negative ? UINT64_C(0x80000000) : 0x7FFFFFFF), PIC_FIXED_DIVIDE);
}

PLAIN(do_cvbg)
{
    struct decimal d = packed_source(cpu, insn, 16);
    uint128 limit = d.negative ? (uint128)1 << 63 : ((uint128)1 << 63) - 1;
    check(cpu, d.magnitude <= limit, PIC_FIXED_DIVIDE);
    uint64_t m = (uint64_t)d.magnitude;
    G1 = d.negative ? 0 - m : m;
}

static void convert_to_decimal(struct cpu *cpu, const struct insn *insn, int64_t value, unsigned n)
{
    uint8_t bytes[16];
    struct decimal d = {value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0};
    pack(&d, bytes, n);
    guest_store(cpu, insn->b, address_bxd(cpu, insn), bytes, n);
}

PLAIN(do_cvd)
{
    convert_to_decimal(cpu, insn, SW1, 8);
}

PLAIN(do_cvdg)
{
    convert_to_decimal(cpu, insn, SG1, 16);
}
