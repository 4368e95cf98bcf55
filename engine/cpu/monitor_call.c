// SPDX-License-Identifier: MIT
// MONITOR CALL: a program interruption, or with the enhanced-monitor facility a counter that goes
// up. (Principles of Operation, "Monitoring".)
#include "cpu/operands.h"

// Lowcore: where the counters are in the home space and how many, and how often one could not be
// reached. The array holds a halfword for each code and, behind all of them, a word for each, which
// takes what overflows.
#define COUNTER_ORIGIN     0x100u
#define COUNTER_LENGTH     0x108u
#define COUNTER_EXCEPTIONS 0x10Cu

static uint8_t *counter(struct cpu *cpu, uint64_t address, unsigned n)
{
    struct space space = space_select(cpu, 3, 0);
    uint8_t *host;
    return access_try(cpu, &space, address, n, ACCESS_WRITE, &host) ? NULL : host;
}

static bool count(struct cpu *cpu, uint64_t origin, uint32_t length, uint64_t code)
{
    uint8_t *half = code < length ? counter(cpu, origin + code * 2, 2) : NULL;
    if (!half)
        return false;
    uint16_t value = (uint16_t)(be16_load(half) + 1);
    if (value == 0) {
        uint8_t *word = counter(cpu, origin + (uint64_t)length * 2 + code * 4, 4);
        if (!word)
            return false;
        be32_store(word, be32_load(word) + 1);
    }
    be16_store(half, value);
    return true;
}

static void count_event(struct cpu *cpu, uint64_t code)
{
    uint8_t area[16];
    cpu_fetch_real(cpu, COUNTER_ORIGIN, area, sizeof area);
    uint64_t origin = be64_load(area) & ~UINT64_C(7);
    if (count(cpu, origin, be32_load(area + 8), code))
        return;
    be32_store(area + 12, be32_load(area + 12) + 1);
    cpu_store_real(cpu, COUNTER_EXCEPTIONS, area + 12, 4);
}

// CR8 has a bit for each class: bits 48-63 let it through, 16-31 make it count instead.
PLAIN(do_mc)
{
    check(cpu, insn->r1 < 16, PIC_SPECIFICATION);
    unsigned class = insn->r1;
    if (!(cpu->cr[8] >> (15 - class) & 1))
        return;
    uint64_t code = address_bd(cpu, insn);
    if (cpu->arch == ARCH_Z && cpu_facility(cpu, 36) && cpu->cr[8] >> (47 - class) & 1) {
        count_event(cpu, code);
        return;
    }
    cpu->fault.monitor_class = (uint16_t) class;
    cpu->fault.monitor_code = code;
    cpu_program_interruption(cpu, PIC_MONITOR);
}
