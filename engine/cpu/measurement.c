// SPDX-License-Identifier: MIT
// The CPU-measurement counter facility. A cycle is one unit of the TOD clock, so that the machine
// seems to have 4,096 MHz; there is no cache, so nothing ever counts for one.
#include "cpu/measurement.h"

#include "cpu/operands.h"

// Counter sets, as the control bits have them.
#define SET_BASIC 2u
#define SET_USER  4u // problem state
#define SETS      (SET_BASIC | SET_USER)

#define CR0_COUNTER_AUTHORITY    (UINT64_C(1) << 48) // ECCTR in the problem state
#define CR0_PERIPHERAL_AUTHORITY (UINT64_C(1) << 49)

// Counter numbers: where the sets begin. The first and second version numbers say that the
// problem-state set has two counters, and which model's other sets there would be.
#define FIRST_BASIC    0u
#define FIRST_USER     32u
#define FIRST_VERSION  3
#define SECOND_VERSION 5

void measurement_account(struct cpu *cpu)
{
    tod_t now = cpu_time(cpu);
    uint64_t cycles = now - cpu->counters.time;
    uint64_t instructions = cpu->instructions - cpu->counters.instructions;
    if (cpu->counters.running && cpu->counters.active & SET_BASIC) {
        cpu->counters.basic[0] += cycles;
        cpu->counters.basic[1] += instructions;
    }
    if (cpu->counters.running && cpu->counters.active & SET_USER && cpu->counters.problem) {
        cpu->counters.user[0] += cycles;
        cpu->counters.user[1] += instructions;
    }
    cpu->counters.time = now;
    cpu->counters.instructions = cpu->instructions;
    cpu->counters.problem = cpu->psw.problem;
}

void measurement_begin(struct cpu *cpu)
{
    cpu->counters.running = false;
    measurement_account(cpu);
    cpu->counters.running = true;
}

void measurement_end(struct cpu *cpu)
{
    measurement_account(cpu);
    cpu->counters.running = false;
}

// The counter of this number, or NULL: there is none, or its set is not authorized.
static uint64_t *counter(struct cpu *cpu, uint64_t number, unsigned *set)
{
    if (number - FIRST_BASIC < 6) {
        *set = SET_BASIC;
        return &cpu->counters.basic[number - FIRST_BASIC];
    }
    if (number - FIRST_USER < 2) {
        *set = SET_USER;
        return &cpu->counters.user[number - FIRST_USER];
    }
    return NULL;
}

// The operand: enabled sets, active sets, zeros. Sets that are disabled lose their contents.
PLAIN(do_lcctl)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    uint64_t control = guest_read64(cpu, NULL, insn->b, address);
    uint16_t enable = (uint16_t)(control >> 48), activate = (uint16_t)(control >> 32);
    if ((enable | activate) & ~SETS || (uint32_t)control) {
        cpu->psw.cc = 3;
        return;
    }
    measurement_account(cpu);
    for (unsigned i = 0; i < 6 && !(enable & SET_BASIC); i++)
        cpu->counters.basic[i] = 0;
    for (unsigned i = 0; i < 2 && !(enable & SET_USER); i++)
        cpu->counters.user[i] = 0;
    cpu->counters.enabled = enable;
    cpu->counters.active = enable & activate;
    cpu->counters.running = cpu->timing;
    cpu->psw.cc = 0;
}

// Versions, authorized, enabled and active sets.
PLAIN(do_qctri)
{
    uint8_t block[64] = {0};
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    be16_store(block, FIRST_VERSION);
    be16_store(block + 2, SETS);
    be16_store(block + 4, cpu->counters.enabled);
    be16_store(block + 6, cpu->counters.active);
    be16_store(block + 10, SECOND_VERSION);
    guest_store(cpu, insn->b, address, block, sizeof block);
    cpu->psw.cc = 0;
}

// EXTRACT CPU COUNTER: R2 has the number. A set that is not enabled has nothing to give (cc 2).
PLAIN(do_ecctr)
{
    unsigned set;
    check(cpu, !cpu->psw.problem || cpu->cr[0] & CR0_COUNTER_AUTHORITY, PIC_PRIVILEGED);
    const uint64_t *place = counter(cpu, G2, &set);
    if (!place || !(cpu->counters.enabled & set)) {
        cpu->psw.cc = place ? 2 : 3;
        return;
    }
    measurement_account(cpu);
    G1 = *place;
    cpu->psw.cc = 0;
}

// SET CPU COUNTER: the value is in R1.
PLAIN(do_scctr)
{
    unsigned set;
    uint64_t *place = counter(cpu, G2, &set);
    if (!place || !(cpu->counters.enabled & set)) {
        cpu->psw.cc = place ? 2 : 3;
        return;
    }
    measurement_account(cpu);
    *place = G1;
    cpu->psw.cc = 0;
}

// There are no coprocessor groups: no peripheral counter sets, no addresses of groups.
PLAIN(do_lpctl)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    guest_read64(cpu, NULL, insn->b, address);
    cpu->psw.cc = 3;
}

PLAIN(do_epctr)
{
    (void)insn;
    check(cpu, !cpu->psw.problem || cpu->cr[0] & CR0_PERIPHERAL_AUTHORITY, PIC_PRIVILEGED);
    cpu->psw.cc = 3;
}

PLAIN(do_spctr)
{
    (void)insn;
    cpu->psw.cc = 3;
}

PLAIN(do_ecpga)
{
    (void)insn;
    cpu->psw.cc = 3;
}
