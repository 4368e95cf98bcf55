// SPDX-License-Identifier: MIT
// TOD clock, clock comparator and CPU timer instructions.
// (Principles of Operation, "Timing", "General Instructions", "Control Instructions".)
#include <string.h>

#include "cpu/interlocked.h"
#include "cpu/operands.h"

static uint64_t doubleword(struct cpu *cpu, const struct insn *insn)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    return address;
}

// STORE CLOCK and its fast form; no boundary is asked.
PLAIN(do_stck)
{
    serialize(cpu);
    guest_write64(cpu, NULL, insn->b, address_bd(cpu, insn), cpu_tod(cpu));
    cpu->psw.cc = 0;
}

// Epoch index, 104 bits of clock, programmable field.
PLAIN(do_stcke)
{
    uint8_t block[16] = {0};
    serialize(cpu);
    be64_store(block + 1, cpu_tod(cpu));
    be16_store(block + 14, cpu->tod_programmable);
    guest_store(cpu, insn->b, address_bd(cpu, insn), block, sizeof block);
    cpu->psw.cc = 0;
}

PLAIN(do_sckc)
{
    cpu->clock_comparator = guest_read64(cpu, NULL, insn->b, doubleword(cpu, insn));
    cpu_pend(cpu, PEND_TIMER);
}

PLAIN(do_stckc)
{
    guest_write64(cpu, NULL, insn->b, doubleword(cpu, insn), cpu->clock_comparator);
}

PLAIN(do_spt)
{
    cpu_set_timer(cpu, (int64_t)guest_read64(cpu, NULL, insn->b, doubleword(cpu, insn)));
    cpu_pend(cpu, PEND_TIMER);
}

PLAIN(do_stpt)
{
    guest_write64(cpu, NULL, insn->b, doubleword(cpu, insn), (uint64_t)cpu_timer(cpu));
}

PLAIN(do_sckpf)
{
    (void)insn;
    check(cpu, !(low(cpu, 0) >> 16), PIC_SPECIFICATION);
    cpu->tod_programmable = (uint16_t)cpu->gr[0];
}

// This CPU's epoch; a host that shares the clock among CPUs sets the others'.
void sim_sck(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[8];
    check(cpu, !(call->address2 & 7), PIC_SPECIFICATION);
    cpu_fetch(cpu, call->address2, bytes, 8);
    cpu->epoch = (int64_t)(be64_load(bytes) - cpu_time(cpu));
    cpu->psw.cc = 0;
    cpu_pend(cpu, PEND_TIMER);
}

// EXTRACT CPU TIME: first operand minus the timer to R0, second operand to R1, and the doubleword
// that R3 (in r1) addresses to R3.
PLAIN(do_ectg)
{
    uint64_t first = guest_read64(cpu, NULL, insn->b, address_bd(cpu, insn));
    uint64_t second = guest_read64(cpu, NULL, insn->b2, address_bd2(cpu, insn));
    uint64_t third = guest_read64(cpu, NULL, insn->r1 ? insn->r1 : NO_REGISTER,
                                  cpu_wrap(cpu, cpu->gr[insn->r1]));
    cpu->gr[0] = first - (uint64_t)cpu_timer(cpu);
    cpu->gr[1] = second;
    cpu->gr[insn->r1] = third;
}

// PERFORM TIMING FACILITY FUNCTION: function code in R0, parameter block by R1. The queries are
// there, and say that nothing steers the clock; a configuration that has its time from another, as
// a logical partition's is, has no control functions.
PLAIN(do_ptff)
{
    (void)insn;
    enum { QUERY_FUNCTIONS, QUERY_TOD_OFFSET, QUERY_STEERING, QUERY_PHYSICAL, FIRST_CONTROL = 64 };
    static const uint8_t sizes[] = {16, 32, 56, 8};
    unsigned function = cpu->gr[0] & 0x7F;
    check(cpu, function < FIRST_CONTROL || !cpu->psw.problem, PIC_PRIVILEGED);
    check(cpu, !(low(cpu, 0) & 0x80), PIC_SPECIFICATION);
    uint8_t block[56] = {0};
    cpu->psw.cc = 3;
    if (function >= sizeof sizes)
        return;
    if (function == QUERY_FUNCTIONS)
        block[0] = 0xF0;
    else
        be64_store(block, cpu_time(cpu));
    if (function == QUERY_TOD_OFFSET)
        be64_store(block + 24, (uint64_t)cpu->epoch);
    guest_store(cpu, 1, cpu_wrap(cpu, cpu->gr[1]), block, sizes[function]);
    cpu->psw.cc = 0;
}
