// SPDX-License-Identifier: MIT
// A CPU's life: making, resetting, switching architecture, store status.
// (Principles of Operation, "Resets", "Store Status", "Architectural-Mode".)
#include "cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cpu/block.h"
#include "cpu/codes.h"
#include "cpu/derive.h"
#include "cpu/lookaside.h"
#include "cpu/measurement.h"
#include "cpu/opcode.h"
#include "cpu/psw.h"
#include "cpu/sampling.h"

struct cpu *cpu_new(uint16_t address, struct storage *storage, const struct clock *clock,
                    const struct cpu_host *host, void *owner)
{
    struct cpu *cpu = mem_zero(1, sizeof *cpu);
    cpu->address = address;
    cpu->storage = storage;
    cpu->clock = clock;
    cpu->host = host;
    cpu->owner = owner;
    cpu->instruction_cost = 20;
    cpu->lookaside = lookaside_new();
    cpu->blocks = block_cache_new();
    opcode_default_facilities(cpu);
    cpu_reset(cpu, CPU_RESET_CLEAR);
    return cpu;
}

void cpu_free(struct cpu *cpu)
{
    if (!cpu)
        return;
    lookaside_free(cpu->lookaside);
    block_cache_free(cpu->blocks);
    free(cpu);
}

static void reset_initial(struct cpu *cpu)
{
    memset(&cpu->psw, 0, sizeof cpu->psw);
    cpu->psw.bit12 = cpu->arch == ARCH_ESA390;
    memset(cpu->cr, 0, sizeof cpu->cr);
    cpu->cr[0] = 0xE0;
    cpu->cr[14] = 0xC2000000;
    cpu->prefix = 0;
    cpu->fpc = 0;
    cpu->clock_comparator = 0;
    cpu->tod_programmable = 0;
    cpu->breaking_event = 1;
    memset(&cpu->counters, 0, sizeof cpu->counters);
    memset(&cpu->sampling, 0, sizeof cpu->sampling);
    cpu->program_parameter = 0;
    cpu_set_timer(cpu, 0);
}

void cpu_reset(struct cpu *cpu, enum cpu_reset kind)
{
    atomic_store(&cpu->state, CPU_STOPPED);
    atomic_store(&cpu->emergency[0], 0);
    atomic_store(&cpu->external_call, 0);
    atomic_store(&cpu->malfunction_alert, 0);
    atomic_store(&cpu->measurement_alert, 0);
    atomic_store(&cpu->pending, 0);
    cpu->current = NULL;
    if (kind == CPU_RESET_CLEAR) {
        memset(cpu->gr, 0, sizeof cpu->gr);
        memset(cpu->ar, 0, sizeof cpu->ar);
        memset(cpu->vr, 0, sizeof cpu->vr);
        memset(&cpu->guarded, 0, sizeof cpu->guarded);
        cpu->arch = ARCH_ESA390;
        block_cache_flush(cpu->blocks);
    }
    if (kind != CPU_RESET_NORMAL)
        reset_initial(cpu);
    cpu_flush(cpu);
    cpu_state_changed(cpu);
}

void cpu_set_architecture(struct cpu *cpu, enum architecture arch)
{
    if (arch == cpu->arch)
        return;
    cpu->arch = arch;
    cpu->psw.bit12 = arch == ARCH_ESA390;
    cpu->psw.ea = false;
    cpu->prefix &= arch == ARCH_Z ? 0x7FFFE000 : 0x7FFFF000;
    // Decoding depends on the mode, and nothing of a block that runs may go away under it: the
    // blocks are dropped before the next one is entered.
    cpu_pend(cpu, PEND_FLUSH | PEND_DECODE);
}

void cpu_facility_set(struct cpu *cpu, unsigned bit, bool on)
{
    if (bit >= 256)
        return;
    uint64_t mask = UINT64_C(1) << (63 - bit % 64);
    if (on)
        cpu->facilities[bit / 64] |= mask;
    else
        cpu->facilities[bit / 64] &= ~mask;
    cpu_pend(cpu, PEND_FLUSH | PEND_DECODE);
}

void cpu_flush(struct cpu *cpu)
{
    lookaside_flush(cpu->lookaside);
    cpu->context = cpu->context_fetch = 0;
}

// Everything that follows from PSW and control registers and that handlers want at hand.
void cpu_state_changed(struct cpu *cpu)
{
    if (cpu->counters.active)
        measurement_account(cpu);
    if (cpu->sampling.active)
        sampling_look(cpu);
    cpu->address_mask = psw_address_mask(&cpu->psw);
    uint64_t data = SPACE_REAL, fetch = SPACE_REAL;
    if (cpu->psw.dat) {
        data = dat_space(cpu, cpu->psw.as);
        fetch = dat_space(cpu, cpu->psw.as == 3 ? 3 : 0);
    }
    bool slow = (cpu->psw.dat && cpu->psw.as == 1) || cpu->psw.per;
    cpu->context_fetch = space_context(cpu, fetch, cpu->psw.key);
    cpu->context = slow ? 0 : space_context(cpu, data, cpu->psw.key);
    cpu->notice = PEND_EXIT | PEND_RESTART | PEND_STOP | PEND_FLUSH | PEND_DECODE | PEND_TIMER;
    if (cpu->psw.external)
        cpu->notice |= PEND_EXTERNAL;
    if (cpu->psw.io)
        cpu->notice |= PEND_IO;
    if (cpu->psw.machine_check)
        cpu->notice |= PEND_MCHECK;
}

// What of control register 0 the lookaside entries were made with.
#define CR0_OF_ACCESS \
    (CR0_LOW_PROTECTION | CR0_FETCH_OVERRIDE | CR0_STORAGE_OVERRIDE | CR0_EDAT | CR0_IEP | 0xF80000)

void cpu_control_changed(struct cpu *cpu, unsigned first, unsigned last, uint64_t before)
{
    bool ask = false;
    for (unsigned r = first;; r = (r + 1) & 15) {
        ask |= r == 0 || r == 6 || r == 14;
        if (r == last)
            break;
    }
    if ((before ^ cpu->cr[0]) & CR0_OF_ACCESS)
        cpu_flush(cpu);
    if (ask)
        cpu_pend(cpu, PEND_EXTERNAL | PEND_IO | PEND_MCHECK | PEND_TIMER);
}

static void status_z(struct cpu *cpu, uint8_t *area)
{
    for (unsigned i = 0; i < 16; i++) {
        be64_store(area + i * 8, cpu->vr[i].high);
        be64_store(area + 0x80 + i * 8, cpu->gr[i]);
        be32_store(area + 0x140 + i * 4, cpu->ar[i]);
        be64_store(area + 0x180 + i * 8, cpu->cr[i]);
    }
    cpu_psw_pack(cpu, area + 0x100);
    be32_store(area + 0x118, (uint32_t)cpu->prefix);
    be32_store(area + 0x11C, cpu->fpc);
    be32_store(area + 0x124, cpu->tod_programmable);
    be64_store(area + 0x128, (uint64_t)cpu_timer(cpu));
    be64_store(area + 0x130, cpu->clock_comparator >> 8);
}

static void status_esa(struct cpu *cpu, uint8_t *area)
{
    be64_store(area + 0xD8, (uint64_t)cpu_timer(cpu));
    be64_store(area + 0xE0, cpu->clock_comparator);
    cpu_psw_pack(cpu, area + 0x100);
    be32_store(area + 0x108, (uint32_t)cpu->prefix);
    for (unsigned i = 0; i < 16; i++) {
        be32_store(area + 0x120 + i * 4, cpu->ar[i]);
        be32_store(area + 0x180 + i * 4, (uint32_t)cpu->gr[i]);
        be32_store(area + 0x1C0 + i * 4, (uint32_t)cpu->cr[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        be64_store(area + 0x160 + i * 8, cpu->vr[i * 2].high);
}

// In z/Architecture `absolute` stands for the 512 bytes that the lowcore has at X'1200'.
void cpu_store_status(struct cpu *cpu, uint64_t absolute)
{
    uint8_t area[0x200];
    if (!storage_read(cpu->storage, absolute, area, sizeof area))
        return;
    if (cpu->arch == ARCH_Z)
        status_z(cpu, area);
    else
        status_esa(cpu, area);
    storage_write(cpu->storage, absolute, area, sizeof area);
}

bool cpu_store_vectors(const struct cpu *cpu, uint64_t absolute)
{
    uint8_t area[512];
    for (unsigned i = 0; i < 32; i++) {
        be64_store(area + (size_t)i * 16, cpu->vr[i].high);
        be64_store(area + (size_t)i * 16 + 8, cpu->vr[i].low);
    }
    return storage_write(cpu->storage, absolute, area, sizeof area);
}
