// SPDX-License-Identifier: MIT
// Short names for operands, for the files that define many small handlers. Each stands for an
// expression over `cpu` and `insn` of a fast handler.
#ifndef ENDICOTT_CPU_OPERANDS_H
#define ENDICOTT_CPU_OPERANDS_H

#include "cpu/execute.h"
#include "cpu/handlers.h"

// 64-bit, low and high halves of the register operands, as unsigned and signed numbers.
#define G1  (cpu->gr[insn->r1])
#define G2  (cpu->gr[insn->r2])
#define G3  (cpu->gr[insn->r3])
#define W1  low(cpu, insn->r1)
#define W2  low(cpu, insn->r2)
#define W3  low(cpu, insn->r3)
#define H1  high(cpu, insn->r1)
#define H2  high(cpu, insn->r2)
#define H3  high(cpu, insn->r3)
#define SG1 ((int64_t)G1)
#define SG2 ((int64_t)G2)
#define SW1 ((int32_t)W1)
#define SW2 ((int32_t)W2)

// Immediates.
#define IMM   (insn->i)
#define IMM_U ((uint32_t)insn->i)

// Storage operands: D(X,B), D(B), relative; `n` is the width in bits.
#define MEM(n)      guest_read##n(cpu, insn, insn->b, address_bxd(cpu, insn))
#define STORE(n, v) guest_write##n(cpu, insn, insn->b, address_bxd(cpu, insn), v)
#define MEM_BD(n)   guest_read##n(cpu, insn, insn->b, address_bd(cpu, insn))
#define MEM_REL(n)  guest_read##n(cpu, insn, NO_REGISTER, aligned_relative(cpu, insn, (n) / 8))

// A relative operand on its boundary, or a specification exception.
static inline uint64_t aligned_relative(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint64_t address = address_relative(cpu, insn);
    if (UNLIKELY(address & (n - 1)))
        program_check(cpu, insn, PIC_SPECIFICATION);
    return address;
}

// Signed overflow after the result was stored.
static inline void fixed_overflow(struct cpu *cpu, const struct insn *insn)
{
    if (cpu->psw.mask & 8)
        program_check(cpu, insn, PIC_FIXED_OVERFLOW);
}

#endif
