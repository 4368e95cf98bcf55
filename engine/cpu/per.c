// SPDX-License-Identifier: MIT
// Program-event recording.
#include "cpu/per.h"

#include "cpu/asn.h"
#include "cpu/codes.h"
#include "cpu/dat.h"
#include "cpu/execute.h"
#include "cpu/interruptions.h"
#include "cpu/opcode.h"

// No instruction is at an odd address: tells whether the breaking-event address was set.
#define NOT_BRANCHED UINT64_C(1)

static bool in_range(const struct cpu *cpu, uint64_t address)
{
    uint64_t first = cpu->cr[10], last = cpu->cr[11];
    if (cpu->arch == ARCH_ESA390) {
        first &= 0x7FFFFFFF;
        last &= 0x7FFFFFFF;
    }
    return first <= last ? address >= first && address <= last
                         : address >= first || address <= last;
}

// --- one instruction ------------------------------------------------------------------------

// Which general registers are zero, as far as the addressing mode looks at them.
static uint32_t zero_registers(const struct cpu *cpu)
{
    uint32_t zero = 0;
    for (unsigned r = 0; r < 16; r++) {
        if ((cpu->gr[r] & cpu->address_mask) == 0)
            zero |= 1u << r;
    }
    return zero;
}

static bool indexed(const struct opcode *row)
{
    switch (row->format) {
    case FORMAT_RX_A:
    case FORMAT_RXE:
    case FORMAT_RXF:
    case FORMAT_RXY_A:
    case FORMAT_RXY_B:
    case FORMAT_VRX:
        return true;
    default:
        return false;
    }
}

// With an index register, base and index together count, too.
static void note_registers(struct cpu *cpu, const struct insn *insn, const uint8_t *text)
{
    const struct opcode *row = opcode_for_cpu(cpu, text);
    cpu->per.zero = zero_registers(cpu);
    cpu->per.may_branch = row && row->flags & OP_BRANCH;
    if (!row || !indexed(row) || insn->x == NO_REGISTER)
        return;
    uint64_t sum = cpu->base[insn->b] + cpu->base[insn->x];
    if ((sum & cpu->address_mask) == 0)
        cpu->per.zero |= 1u << insn->b;
}

static void note_fetch(struct cpu *cpu, uint64_t address)
{
    if (cpu->cr[9] & CR9_FETCH && in_range(cpu, address))
        cpu->fault.per_code |= PER_FETCH;
}

static void interrupt(struct cpu *cpu, const struct block *block, uint64_t at)
{
    cpu->current = NULL;
    cpu->instruction_address = at;
    cpu->ilc = (uint8_t)block->bytes;
    interruption_program(cpu, 0); // the PER bit comes from per_code
}

bool per_begin(struct cpu *cpu, const struct block *block, const uint8_t *text)
{
    uint64_t at = cpu->psw.address;
    cpu->fault.per_code = 0;
    cpu->fault.per_access_id = 0;
    cpu->fault.per_atmid = (uint8_t)(cpu->psw.ea << 7 | 0x40 | cpu->psw.ba << 5 |
                                     cpu->psw.dat << 4 | cpu->psw.as << 2);
    cpu->per.breaking_event = cpu->breaking_event;
    cpu->breaking_event = NOT_BRANCHED;
    cpu->per.active = true;
    note_registers(cpu, &block->insn[0], text);
    note_fetch(cpu, at);
    if (!cpu->fault.per_code || !(cpu->cr[9] & CR9_NULLIFY))
        return false;
    cpu->fault.per_code |= PER_NULLIFIED;
    cpu->instructions++; // it counts, or a loop of such interruptions never ends
    interrupt(cpu, block, at);
    return true;
}

static bool branch_event(const struct cpu *cpu)
{
    return cpu->per.may_branch && cpu->breaking_event != NOT_BRANCHED && cpu->cr[9] & CR9_BRANCH &&
           (!(cpu->cr[9] & CR9_BRANCH_ADDRESS) || in_range(cpu, cpu->psw.address));
}

static void finish(struct cpu *cpu)
{
    cpu->per.active = false;
    if (cpu->breaking_event == NOT_BRANCHED)
        cpu->breaking_event = cpu->per.breaking_event;
}

void per_end(struct cpu *cpu, const struct block *block, uint64_t at)
{
    if (branch_event(cpu))
        cpu->fault.per_code |= PER_BRANCH;
    finish(cpu);
    if (cpu->fault.per_code)
        interrupt(cpu, block, at);
}

bool per_event_due(const struct cpu *cpu)
{
    return cpu->per.active && (cpu->fault.per_code || branch_event(cpu));
}

// Interruptions after which the instruction has completed all the same.
static bool completes(uint16_t code)
{
    static const uint16_t codes[] = {PIC_FIXED_OVERFLOW,
                                     PIC_DECIMAL_OVERFLOW,
                                     PIC_HFP_OVERFLOW,
                                     PIC_HFP_UNDERFLOW,
                                     PIC_HFP_SIGNIFICANCE,
                                     PIC_SPACE_SWITCH,
                                     PIC_MONITOR,
                                     PIC_DATA,
                                     PIC_VECTOR};
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i] == code)
            return true;
    }
    return code == 0;
}

// What did not happen is not told: neither branch nor store. That a zero address was used is, since
// it may be the reason.
void per_at_interruption(struct cpu *cpu, uint16_t code)
{
    if (!cpu->per.active)
        return;
    if (!completes(code))
        cpu->fault.per_code &= PER_FETCH | PER_NULLIFIED | PER_ZERO;
    else if (branch_event(cpu))
        cpu->fault.per_code |= PER_BRANCH;
    finish(cpu);
}

// --- accesses -------------------------------------------------------------------------------

void per_note_target(struct cpu *cpu, uint64_t address, const struct insn *target,
                     const uint8_t *text)
{
    note_fetch(cpu, address);
    note_registers(cpu, target, text);
}

static void note_store(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n)
{
    if (!(cpu->cr[9] & CR9_STORE) || (space->asce == SPACE_REAL && cpu->psw.dat))
        return;
    if (cpu->cr[9] & CR9_ALTERATION_SPACE && cpu->psw.dat && !(space->asce & ASCE_ALTERATION))
        return;
    for (unsigned i = 0; i < n; i++) {
        if (!in_range(cpu, cpu_wrap(cpu, address + i)))
            continue;
        cpu->fault.per_code |= PER_STORE;
        cpu->fault.per_atmid = (uint8_t)((cpu->fault.per_atmid & 0xFC) | (space->id & 3));
        cpu->fault.per_access_id = space->ar;
        return;
    }
}

void per_note_store_real(struct cpu *cpu)
{
    if (cpu->psw.per && (cpu->cr[9] & CR9_STORE) && cpu->cr[9] & CR9_STORE_REAL)
        cpu->fault.per_code |= PER_STORE | PER_STORE_REAL;
}

// The operand's address was made with a register that holds zero.
static void note_zero(struct cpu *cpu, unsigned b)
{
    if (!(cpu->cr[9] & CR9_ZERO_ADDRESS) || !(cpu->per.zero >> b & 1))
        return;
    cpu->fault.per_code |= PER_ZERO;
    if (cpu->psw.dat && cpu->psw.as == 1)
        cpu->fault.per_access_id = b & 15;
}

void per_note_access(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                     enum access kind)
{
    if (!cpu->per.active)
        return;
    if (space->operand)
        note_zero(cpu, space->operand - 1u);
    if (kind == ACCESS_WRITE)
        note_store(cpu, space, address, n);
}
