// SPDX-License-Identifier: MIT
// Initial program loading: from a device, and the start of a loaded image (Principles of Operation,
// "Initial Program Loading").
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "machine/internal.h"

#define REAL_SUBCHANNEL_ID \
    0xB8u // the subsystem-identification word, 4 bytes, then
          // 4 bytes of interruption parameter (zero after an IPL)

struct cpu *machine_first_cpu(struct machine *machine)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i])
            return machine->cpu[i];
    return NULL;
}

// A short PSW for 64-bit addressing (bit 31) only means something in z/Architecture mode.
#define SHORT_PSW_EA 0x01u

void machine_load_short_psw(struct machine *machine, struct cpu *cpu)
{
    uint8_t psw[8] = {0};

    storage_read(machine->storage, 0, psw, sizeof psw);
    cpu_set_architecture(cpu, psw[3] & SHORT_PSW_EA ? ARCH_Z : ARCH_ESA390);
    cpu_psw_unpack_short(cpu, psw);
    machine_start_cpu(machine, cpu);
}

bool machine_set_ipl_parm(struct machine *machine, const char *utf8)
{
    uint8_t parm[IPL_PARM_BYTES + 1];
    size_t n = utf8 ? ebcdic_from_utf8(codepage_default(), utf8, parm, sizeof parm) : 0;

    if (n > IPL_PARM_BYTES)
        return false;
    memcpy(machine->ipl_parm, parm, n);
    machine->ipl_parm_length = (unsigned)n;
    return true;
}

// Four bytes of the parameters in each register.
static void parm_to_registers(const struct machine *machine, struct cpu *cpu)
{
    uint8_t parm[IPL_PARM_BYTES] = {0};

    memcpy(parm, machine->ipl_parm, machine->ipl_parm_length);
    for (unsigned i = 0; i < 16 && machine->ipl_parm_length; i++)
        cpu->gr[i] = be32_load(parm + 4 * (size_t)i);
}

static void ipl_done(void *arg, bool ok, const char *reason)
{
    struct machine *machine = arg;
    struct cpu *cpu = machine_first_cpu(machine);
    uint8_t id[8] = {0};

    machine->ipl_pending = false;
    machine->ipl_failed = !ok;
    snprintf(machine->ipl_reason, sizeof machine->ipl_reason, "%s", ok ? "" : reason);
    if (!cpu)
        return;
    if (!ok) {
        atomic_store(&cpu->state, CPU_STOPPED);
        if (machine->owner.stopped)
            machine->owner.stopped(machine, cpu, CPU_EXIT_STOPPED);
        world_wake(machine->world);
        return;
    }
    be32_store(id, machine->ipl_subchannel);
    storage_write(machine->storage, REAL_SUBCHANNEL_ID, id, sizeof id);
    parm_to_registers(machine, cpu);
    machine_load_short_psw(machine, cpu);
}

int machine_ipl_start(struct machine *machine, uint16_t devno, const char **reason)
{
    int number = css_subchannel_number(machine->css, devno);
    struct cpu *cpu = machine_first_cpu(machine);

    machine->ipl_device = devno;
    machine->ipl_device_valid = true;
    if (number < 0 || !cpu) {
        *reason = cpu ? "no such device" : "no CPU";
        return -1;
    }
    machine->ipl_subchannel = 0x00010000u | (uint32_t)number;
    machine->ipl_pending = true;
    atomic_store(&cpu->state, CPU_LOAD);
    if (css_ipl(machine->css, devno, ipl_done, machine)) {
        machine->ipl_pending = false;
        atomic_store(&cpu->state, CPU_STOPPED);
        *reason = "the device cannot start a channel program";
        return -1;
    }
    return 0;
}

int machine_ipl_device(struct machine *machine, uint16_t devno, const char **reason)
{
    machine_reset(machine, true);
    return machine_ipl_start(machine, devno, reason);
}

int machine_start_at(struct machine *machine, uint64_t entry, bool zarch)
{
    struct cpu *cpu = machine_first_cpu(machine);

    if (!cpu || (!zarch && entry > 0x7FFFFFFF))
        return -1;
    cpu_reset(cpu, CPU_RESET_INITIAL);
    cpu_set_architecture(cpu, zarch ? ARCH_Z : ARCH_ESA390);
    cpu->psw = (struct psw){.address = entry, .ba = true, .ea = zarch, .bit12 = !zarch};
    machine_start_cpu(machine, cpu);
    return 0;
}
