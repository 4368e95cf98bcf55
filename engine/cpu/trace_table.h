// SPDX-License-Identifier: MIT
// The trace table: what CR12 asks for, and the entries that instructions make implicitly.
// (Principles of Operation, "Tracing".)
//
// An entry is stored first; CR12 takes the new address only when the instruction completes. So the
// functions give CR12's new contents, which the instruction keeps until it cannot fail any more.
#ifndef ENDICOTT_CPU_TRACE_TABLE_H
#define ENDICOTT_CPU_TRACE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

#define CR12_MODE     (UINT64_C(1) << 62)
#define CR12_ASN      2u
#define CR12_EXPLICIT 1u

static inline bool trace_branches(const struct cpu *cpu)
{
    return cpu->cr[12] >> (cpu->arch == ARCH_Z ? 63 : 31) & 1;
}

static inline bool trace_modes(const struct cpu *cpu)
{
    return cpu->arch == ARCH_Z && cpu->cr[12] & CR12_MODE;
}

static inline bool trace_asns(const struct cpu *cpu)
{
    return cpu->cr[12] & CR12_ASN;
}

// Real address of the next entry for CR12 contents `cr12`, having checked that `n` bytes may be
// stored there; raises protection, addressing and trace-table exceptions.
uint64_t trace_place(struct cpu *cpu, uint64_t cr12, unsigned n);
// Stores an entry and gives CR12 behind it.
uint64_t trace_put(struct cpu *cpu, uint64_t cr12, const uint8_t *entry, unsigned n);

// Branch to `address` in the mode ea/ba.
uint64_t trace_branch(struct cpu *cpu, uint64_t cr12, uint64_t address, bool ea, bool ba);
// As trace_branch(), and CR12 is set: for a branch that nothing can stop any more.
void trace_taken(struct cpu *cpu, uint64_t address);
// The extended addressing mode changes at the (updated) instruction address.
uint64_t trace_mode(struct cpu *cpu, uint64_t cr12);
// It changes by a branch to `address` in the mode ea/ba.
uint64_t trace_mode_branch(struct cpu *cpu, uint64_t cr12, uint64_t address, bool ea, bool ba);
// SET SECONDARY ASN (WITH INSTANCE).
uint64_t trace_secondary(struct cpu *cpu, uint64_t cr12, uint16_t asn, bool instance);
// PROGRAM TRANSFER (WITH INSTANCE); `value` is what R2 held.
uint64_t trace_transfer(struct cpu *cpu, uint64_t cr12, uint16_t asn, uint64_t value,
                        bool instance);
// PROGRAM CALL; `number` has 20 bits, or 32 bits when `long_number` (with ASN-and-LX reuse).
uint64_t trace_call(struct cpu *cpu, uint64_t cr12, uint32_t number, bool long_number);
// PROGRAM RETURN from the PSW as it is to `to`.
uint64_t trace_return(struct cpu *cpu, uint64_t cr12, uint16_t asn, const struct psw *to);
// BRANCH IN SUBSPACE GROUP.
uint64_t trace_subspace(struct cpu *cpu, uint64_t cr12, uint32_t alet, uint64_t address);

#endif
