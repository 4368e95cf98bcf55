// SPDX-License-Identifier: MIT
// TRACE: explicit entries in the trace table. (Principles of Operation, "Tracing".)
#include "cpu/operands.h"
#include "cpu/trace_table.h"

// CR12: where the next entry goes, and in its last bit whether TRACE makes one. An entry:
//
//   TRACE  7n 00 | clock bits 16-63           | operand | registers, 4 bytes each
//   TRACG  7n 80 | clock bits 0-63 | 0 0      | operand | registers, 8 bytes each
//
// n is the number of registers less one. It is always checked whether the longest entry has room.
#define LONGEST_TRACE 76u
#define LONGEST_TRACG 144u

static unsigned put_registers(const struct cpu *cpu, const struct insn *insn, unsigned size,
                              uint8_t *out)
{
    unsigned n = ((insn->r2 - insn->r1) & 15u) + 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned r = (insn->r1 + i) & 15;
        if (size == 8)
            be64_store(out + i * 8, cpu->gr[r]);
        else
            be32_store(out + i * 4, low(cpu, r));
    }
    return n;
}

// The operand's leftmost bit on: no entry.
static void trace(struct cpu *cpu, const struct insn *insn, unsigned size)
{
    uint8_t entry[LONGEST_TRACG] = {0};
    uint64_t address = address_bd(cpu, insn);
    if (!(cpu->cr[12] & CR12_EXPLICIT))
        return;
    check(cpu, !(address & 3), PIC_SPECIFICATION);
    uint32_t operand = guest_read32(cpu, NULL, insn->b, address);
    if (operand >> 31)
        return;
    uint64_t at = trace_place(cpu, cpu->cr[12], size == 8 ? LONGEST_TRACG : LONGEST_TRACE);
    uint64_t tod = (uint64_t)cpu_tod(cpu);
    unsigned head = size == 8 ? 16 : 12;
    be64_store(entry, tod);
    if (size == 8)
        be64_store(entry + 2, tod);
    be32_store(entry + head - 4, operand);
    unsigned n = put_registers(cpu, insn, size, entry + head);
    entry[0] = (uint8_t)(0x70 | (n - 1));
    entry[1] = size == 8 ? 0x80 : 0;
    cpu_store_real(cpu, at, entry, head + n * size);
    cpu->cr[12] += head + n * size;
}

PLAIN(do_trace)
{
    trace(cpu, insn, 4);
}

PLAIN(do_tracg)
{
    trace(cpu, insn, 8);
}
