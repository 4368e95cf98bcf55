// SPDX-License-Identifier: MIT
// Operands of interruptible instructions: an address in a register, perhaps with its length in the
// next one, both updated as the work goes on.
#ifndef ENDICOTT_CPU_OPERAND_STRING_H
#define ENDICOTT_CPU_OPERAND_STRING_H

#include "cpu/operands.h"

// The most that one execution does before it pauses with condition code 3.
#define STRING_LIMIT (1u << 20)

static inline void check_even_pair(struct cpu *cpu, unsigned r)
{
    check(cpu, !(r & 1), PIC_SPECIFICATION);
}

static inline uint64_t string_address(const struct cpu *cpu, unsigned r)
{
    return cpu->gr[r] & cpu->address_mask;
}

// Lengths are 64 bits in the 64-bit mode, else 32.
static inline uint64_t string_length(const struct cpu *cpu, unsigned r)
{
    return cpu->psw.ea ? cpu->gr[r] : low(cpu, r);
}

static inline void set_string_length(struct cpu *cpu, unsigned r, uint64_t n)
{
    if (cpu->psw.ea)
        cpu->gr[r] = n;
    else
        set_low(cpu, r, (uint32_t)n);
}

// The smallest of what is wanted and what the page at `address` still holds.
static inline unsigned string_part(uint64_t wanted, uint64_t address)
{
    unsigned rest = page_rest(address);
    return wanted < rest ? (unsigned)wanted : rest;
}

#endif
