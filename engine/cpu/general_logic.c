// SPDX-License-Identifier: MIT
// AND, OR, XOR, shifts, rotates, bit selection and bit counting.
// (Principles of Operation, "General Instructions".)
#include "cpu/operands.h"

// --- and, or, exclusive or -----------------------------------------------------------

#define LOGIC32(name, value) \
    CC_OPERATION(name, uint32_t r = (value); set_low(cpu, insn->r1, r); unsigned cc = r != 0)
#define LOGIC64(name, value) CC_OPERATION(name, uint64_t r = (value); G1 = r; unsigned cc = r != 0)
#define LOGIC_FAMILY(letter, op)        \
    LOGIC32(op_##letter##r, W1 op W2)   \
    LOGIC32(op_##letter##rk, W2 op W3)  \
    LOGIC32(op_##letter, W1 op MEM(32)) \
    LOGIC64(op_##letter##gr, G1 op G2)  \
    LOGIC64(op_##letter##grk, G2 op G3) \
    LOGIC64(op_##letter##g, G1 op MEM(64))
LOGIC_FAMILY(n, &)
LOGIC_FAMILY(o, |)
LOGIC_FAMILY(x, ^)

// With a complement (miscellaneous-instruction-extensions facility 3).
#define LOGIC_COMPLEMENT(name, expression)                 \
    LOGIC32(op_##name##rk, (uint32_t)(expression(W2, W3))) \
    LOGIC64(op_##name##grk, expression(G2, G3))
#define AND_NOT(a, b) ((a) & ~(b))
#define OR_NOT(a, b)  ((a) | ~(b))
#define NOT_AND(a, b) (~((a) & (b)))
#define NOT_OR(a, b)  (~((a) | (b)))
#define NOT_XOR(a, b) (~((a) ^ (b)))
LOGIC_COMPLEMENT(nc, AND_NOT)
LOGIC_COMPLEMENT(oc, OR_NOT)
LOGIC_COMPLEMENT(nn, NOT_AND)
LOGIC_COMPLEMENT(no, NOT_OR)
LOGIC_COMPLEMENT(nx, NOT_XOR)

// Immediate forms on a part of the register; the condition code looks at that part only.
#define LOGIC_PART(name, type, shift, op, fill)                           \
    CC_OPERATION(name, uint64_t operand = (uint64_t)(type)IMM << (shift); \
                 uint64_t part = (uint64_t)(type) ~(type)0 << (shift);    \
                 uint64_t r = G1 op(operand | ((fill) & ~part)); G1 = r;  \
                 unsigned cc = (r & part) != 0)
#define ONES ~UINT64_C(0)
LOGIC_PART(op_nihh, uint16_t, 48, &, ONES)
LOGIC_PART(op_nihl, uint16_t, 32, &, ONES)
LOGIC_PART(op_nilh, uint16_t, 16, &, ONES)
LOGIC_PART(op_nill, uint16_t, 0, &, ONES)
LOGIC_PART(op_nihf, uint32_t, 32, &, ONES)
LOGIC_PART(op_nilf, uint32_t, 0, &, ONES)
LOGIC_PART(op_oihh, uint16_t, 48, |, 0)
LOGIC_PART(op_oihl, uint16_t, 32, |, 0)
LOGIC_PART(op_oilh, uint16_t, 16, |, 0)
LOGIC_PART(op_oill, uint16_t, 0, |, 0)
LOGIC_PART(op_oihf, uint32_t, 32, |, 0)
LOGIC_PART(op_oilf, uint32_t, 0, |, 0)
LOGIC_PART(op_xihf, uint32_t, 32, ^, 0)
LOGIC_PART(op_xilf, uint32_t, 0, ^, 0)

// --- test under mask ------------------------------------------------------------------

static inline uint8_t cc_test16(uint16_t value, uint16_t mask)
{
    uint16_t selected = value & mask;
    if (selected == 0)
        return 0;
    if (selected == mask)
        return 3;
    // Mixed: is the leftmost bit of the mask on in the value?
    uint32_t leftmost = 0x80000000u >> __builtin_clz(mask);
    return selected & leftmost ? 2 : 1;
}

#define TEST16(name, shift) \
    CC_OPERATION(name, unsigned cc = cc_test16((uint16_t)(G1 >> (shift)), (uint16_t)IMM))
TEST16(op_tmhh, 48)
TEST16(op_tmhl, 32)
TEST16(op_tmlh, 16)
TEST16(op_tmll, 0)

CC_OPERATION(op_tm, uint8_t selected = MEM_BD(8) & insn->r1; unsigned cc = selected == 0 ? 0
                                                                           : selected == insn->r1
                                                                               ? 3
                                                                               : 1)

// --- shifts ---------------------------------------------------------------------------

#define AMOUNT (address_bd(cpu, insn) & 63)

// RS-a: R1 is source and target.
OPERATION(op_sll)
{
    set_low(cpu, insn->r1, (uint32_t)((uint64_t)W1 << AMOUNT));
    NEXT;
}

OPERATION(op_srl)
{
    set_low(cpu, insn->r1, (uint32_t)((uint64_t)W1 >> AMOUNT));
    NEXT;
}

// RSY-a: R3 (in r2) is the source.
OPERATION(op_sllk)
{
    set_low(cpu, insn->r1, (uint32_t)((uint64_t)W2 << AMOUNT));
    NEXT;
}

OPERATION(op_srlk)
{
    set_low(cpu, insn->r1, (uint32_t)((uint64_t)W2 >> AMOUNT));
    NEXT;
}

OPERATION(op_sllg)
{
    G1 = G2 << AMOUNT;
    NEXT;
}

OPERATION(op_srlg)
{
    G1 = G2 >> AMOUNT;
    NEXT;
}

#define SHIFT_RIGHT_SIGNED32(name, source)                                 \
    CC_OPERATION(name, int32_t r = (int32_t)((int64_t)(source) >> AMOUNT); \
                 set_low(cpu, insn->r1, (uint32_t)r); unsigned cc = cc_sign(r))
SHIFT_RIGHT_SIGNED32(op_sra, SW1)
SHIFT_RIGHT_SIGNED32(op_srak, SW2)

CC_OPERATION(op_srag, int64_t r = SG2 >> AMOUNT; G1 = (uint64_t)r; unsigned cc = cc_sign(r))

// Left: the sign stays; a bit unlike it shifted out is an overflow. `bits` 31 or 63 are numeric.
static inline uint64_t shift_left_signed(uint64_t value, unsigned amount, unsigned bits,
                                         bool *overflow)
{
    uint64_t numeric = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << bits;
    bool negative = value & sign;
    uint64_t v = value & numeric;
    uint64_t lost = amount == 0 ? 0 : amount > bits ? v : v >> (bits - amount);
    // Beyond the width zeros come through as well: unlike a negative sign.
    *overflow = negative ? amount > bits || lost != (UINT64_C(1) << amount) - 1 : lost != 0;
    return ((v << amount) & numeric) | (negative ? sign : 0);
}

static inline void set_shift_cc(struct cpu *cpu, const struct insn *insn, int64_t r, bool overflow)
{
    cpu->psw.cc = overflow ? 3 : cc_sign(r);
    if (UNLIKELY(overflow))
        fixed_overflow(cpu, insn);
}

#define SHIFT_LEFT_SIGNED32(name, source)                                        \
    OPERATION(name)                                                              \
    {                                                                            \
        bool overflow;                                                           \
        uint32_t r = (uint32_t)shift_left_signed(source, AMOUNT, 31, &overflow); \
        set_low(cpu, insn->r1, r);                                               \
        set_shift_cc(cpu, insn, (int32_t)r, overflow);                           \
        NEXT;                                                                    \
    }
SHIFT_LEFT_SIGNED32(op_sla, W1)
SHIFT_LEFT_SIGNED32(op_slak, W2)

OPERATION(op_slag)
{
    bool overflow;
    uint64_t r = shift_left_signed(G2, AMOUNT, 63, &overflow);
    G1 = r;
    set_shift_cc(cpu, insn, (int64_t)r, overflow);
    NEXT;
}

// Doubles: the low halves of an even-odd pair.
static uint64_t pair(struct cpu *cpu, const struct insn *insn)
{
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION);
    return (uint64_t)W1 << 32 | low(cpu, insn->r1 + 1u);
}

static void set_pair(struct cpu *cpu, const struct insn *insn, uint64_t value)
{
    set_low(cpu, insn->r1, (uint32_t)(value >> 32));
    set_low(cpu, insn->r1 + 1u, (uint32_t)value);
}

PLAIN(do_sldl)
{
    set_pair(cpu, insn, pair(cpu, insn) << AMOUNT);
}

PLAIN(do_srdl)
{
    set_pair(cpu, insn, pair(cpu, insn) >> AMOUNT);
}

PLAIN(do_srda)
{
    int64_t r = (int64_t)pair(cpu, insn) >> AMOUNT;
    set_pair(cpu, insn, (uint64_t)r);
    cpu->psw.cc = cc_sign(r);
}

PLAIN(do_slda)
{
    bool overflow;
    uint64_t r = shift_left_signed(pair(cpu, insn), AMOUNT, 63, &overflow);
    set_pair(cpu, insn, r);
    set_shift_cc(cpu, insn, (int64_t)r, overflow);
}

// --- rotates and selected bits ----------------------------------------------------------

static inline uint64_t rotate64(uint64_t value, unsigned amount)
{
    return value << amount | value >> ((64 - amount) & 63);
}

OPERATION(op_rll)
{
    unsigned amount = (unsigned)AMOUNT & 31;
    uint32_t v = W2;
    set_low(cpu, insn->r1, v << amount | v >> ((32 - amount) & 31));
    NEXT;
}

OPERATION(op_rllg)
{
    G1 = rotate64(G2, (unsigned)AMOUNT);
    NEXT;
}

// m4: 1 = zero the remaining bits, 2 = test results only (see decode.c).
static inline uint64_t insert_selected(struct cpu *cpu, const struct insn *insn)
{
    uint64_t keep = insn->m4 & 1 ? 0 : G1 & ~insn->mask;
    return keep | (rotate64(G2, insn->x) & insn->mask);
}

CC_OPERATION(op_risbg, uint64_t r = insert_selected(cpu, insn); G1 = r;
             unsigned cc = cc_sign((int64_t)r))

OPERATION(op_risbgn)
{
    G1 = insert_selected(cpu, insn);
    NEXT;
}

#define SELECTED(name, op, fill)                                               \
    CC_OPERATION(name, uint64_t selected = rotate64(G2, insn->x) & insn->mask; \
                 uint64_t r = G1 op(selected | ((fill) & ~insn->mask));        \
                 if (!(insn->m4 & 2)) G1 = r; unsigned cc = (r & insn->mask) != 0)
SELECTED(op_rnsbg, &, ONES)
SELECTED(op_rosbg, |, 0)
SELECTED(op_rxsbg, ^, 0)

// High and low word forms: the other word stays.
static inline uint32_t word_mask(const struct insn *insn, bool to_high)
{
    return to_high ? (uint32_t)(insn->mask >> 32) : (uint32_t)insn->mask;
}

OPERATION(op_risbhg)
{
    uint32_t mask = word_mask(insn, true);
    uint32_t from = (uint32_t)(rotate64(G2, insn->x) >> 32);
    set_high(cpu, insn->r1, (insn->m4 & 1 ? 0 : H1 & ~mask) | (from & mask));
    NEXT;
}

OPERATION(op_risblg)
{
    uint32_t mask = word_mask(insn, false);
    uint32_t from = (uint32_t)rotate64(G2, insn->x);
    set_low(cpu, insn->r1, (insn->m4 & 1 ? 0 : W1 & ~mask) | (from & mask));
    NEXT;
}

// --- counting --------------------------------------------------------------------------

OPERATION(op_flogr)
{
    if (UNLIKELY(insn->r1 & 1))
        program_check(cpu, insn, PIC_SPECIFICATION);
    uint64_t v = G2;
    if (v == 0) {
        G1 = 64;
        cpu->gr[insn->r1 + 1] = 0;
        cpu->psw.cc = 0;
    } else {
        unsigned n = (unsigned)__builtin_clzll(v);
        G1 = n;
        cpu->gr[insn->r1 + 1] = v & ~(UINT64_C(1) << (63 - n));
        cpu->psw.cc = 2;
    }
    NEXT;
}

// Each byte of the result counts the ones of its byte.
OPERATION(op_popcnt)
{
    uint64_t v = G2;
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    if (insn->m3 & 8 && cpu_facility(cpu, 61)) // all bits in one count
        v = (v * UINT64_C(0x0101010101010101)) >> 56;
    G1 = v;
    cpu->psw.cc = v != 0;
    NEXT;
}
