// SPDX-License-Identifier: MIT
// Packed decimal in vector registers: to and from binary and zoned, and loads and stores of the
// rightmost bytes.
// (Principles of Operation, "Vector Decimal Instructions".)
#include <string.h>

#include "cpu/vector_decimal.h"

// --- rightmost bytes ----------------------------------------------------------------------------

// I3 of the immediate forms (in r2): bytes less one.
static unsigned length_immediate(struct cpu *cpu, const struct insn *insn)
{
    check(cpu, insn->r2 < 16, PIC_SPECIFICATION);
    return insn->r2 + 1u;
}

static unsigned length_register(const struct cpu *cpu, const struct insn *insn)
{
    return W2 > 15 ? 16 : W2 + 1;
}

static void load_rightmost(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint8_t bytes[16] = {0};
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes + 16 - n, n);
    *V1 = vector_load(bytes);
}

static void store_rightmost(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint8_t bytes[16];
    vector_store(bytes, V1);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes + 16 - n, n);
}

PLAIN(do_vlrl)
{
    load_rightmost(cpu, insn, length_immediate(cpu, insn));
}

PLAIN(do_vlrlr)
{
    load_rightmost(cpu, insn, length_register(cpu, insn));
}

PLAIN(do_vstrl)
{
    store_rightmost(cpu, insn, length_immediate(cpu, insn));
}

PLAIN(do_vstrlr)
{
    store_rightmost(cpu, insn, length_register(cpu, insn));
}

// --- zoned --------------------------------------------------------------------------------------

// I3 (in r2): digits less one, at most 31 digits.
static unsigned zoned_length(struct cpu *cpu, const struct insn *insn)
{
    check(cpu, insn->r2 < DIGITS_MOST, PIC_SPECIFICATION);
    return insn->r2 + 1u;
}

// Neither digits nor sign are checked.
PLAIN(do_vpkz)
{
    uint8_t zoned[DIGITS_MOST];
    unsigned n = zoned_length(cpu, insn);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), zoned, n);
    uint128 packed = 0;
    for (unsigned i = 0; i < n; i++)
        packed = packed << 4 | (zoned[i] & 15u);
    *V1 = vector_of(packed << 4 | zoned[n - 1] >> 4);
}

PLAIN(do_vupkz)
{
    uint8_t zoned[DIGITS_MOST];
    unsigned n = zoned_length(cpu, insn);
    uint128 packed = vector_wide(V1);
    unsigned zone = packed & 15; // the sign, in the last byte
    for (unsigned i = n; i-- > 0; zone = 0xF) {
        packed >>= 4;
        zoned[i] = (uint8_t)(zone << 4 | (packed & 15));
    }
    guest_store(cpu, insn->b, address_bd(cpu, insn), zoned, n);
}

// I3: sign, and how many zeros stand behind the four digits.
PLAIN(do_vlip)
{
    uint64_t digits = (uint64_t)insn->i;
    if (!bcd_valid(digits))
        data_exception(cpu, NULL, DXC_DECIMAL);
    unsigned zeros = MASK32 & 7;
    *V1 = (struct vector_register){0, digits << 4 << 4 * zeros};
    V1->low |= MASK32 & 8 ? SIGN_MINUS : SIGN_PLUS;
}

// --- binary -------------------------------------------------------------------------------------

// M3 of CONVERT TO BINARY.
#define UNSIGNED   (MASK24 & 2)
#define MASKED     (MASK28 & 8 && cpu_facility(cpu, FACILITY_DECIMAL_ENHANCEMENT))
#define BINARY_CC  (MASK24 & 1)
#define BINARY_POS (MASK24 & 8)

// The number's last 64 bits; *lost when it does not fit `bits`.
static uint64_t to_binary(struct cpu *cpu, const struct insn *insn, unsigned bits, bool *lost)
{
    struct vector_decimal d = vector_decimal_operand(cpu, V2, BINARY_POS);
    if (UNSIGNED) {
        *lost = d.magnitude >> bits != 0;
        return (uint64_t)d.magnitude;
    }
    uint128 half = (uint128)1 << (bits - 1);
    *lost = d.magnitude > half - !d.negative;
    return d.negative ? 0 - (uint64_t)d.magnitude : (uint64_t)d.magnitude;
}

// The operation is completed before fixed-point overflow is recognized.
static void finish_binary(struct cpu *cpu, const struct insn *insn, bool lost)
{
    if (BINARY_CC)
        cpu->psw.cc = lost ? 3 : 0;
    if (lost && !MASKED && cpu->psw.mask & 8)
        cpu_program_interruption(cpu, PIC_FIXED_OVERFLOW);
}

PLAIN(do_vcvb)
{
    bool lost;
    set_low(cpu, insn->r1, (uint32_t)to_binary(cpu, insn, 32, &lost));
    finish_binary(cpu, insn, lost);
}

PLAIN(do_vcvbg)
{
    bool lost;
    G1 = to_binary(cpu, insn, 64, &lost);
    finish_binary(cpu, insn, lost);
}

// M4 of CONVERT TO DECIMAL: bit 0 an unsigned source, bit 2 a positive result, bit 3 the condition
// code, which tells overflow only.
static void to_decimal(struct cpu *cpu, const struct insn *insn, uint64_t value, bool negative)
{
    bool masked;
    unsigned digits = vector_decimal_count(cpu, (unsigned)insn->i, &masked);
    check(cpu, digits != 0, PIC_SPECIFICATION);
    uint128 magnitude = negative ? 0 - value : value, limit = power_of_ten(digits);
    struct packed p;
    packed_make(magnitude % limit, MASK24 & 2 ? SIGN_ZONE : negative ? SIGN_MINUS : SIGN_PLUS, &p);
    *V1 = (struct vector_register){p.left, p.right};
    bool lost = magnitude >= limit;
    if (MASK24 & 1)
        cpu->psw.cc = lost ? 3 : 0;
    if (lost)
        vector_decimal_overflow(cpu, masked);
}

PLAIN(do_vcvd)
{
    if (MASK24 & 8)
        to_decimal(cpu, insn, W2, false);
    else
        to_decimal(cpu, insn, (uint64_t)(int64_t)SW2, SW2 < 0);
}

PLAIN(do_vcvdg)
{
    to_decimal(cpu, insn, G2, !(MASK24 & 8) && SG2 < 0);
}
