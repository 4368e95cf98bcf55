// SPDX-License-Identifier: MIT
// A configuration: making it, resetting it, and the ways in which its CPUs are told things.
#include "machine/machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/internal.h"
#include "machine/sclp.h"
#include "machine/watchdog.h"

// What STIDP tells of a bare machine (Principles of Operation, "STORE CPU ID"); the model gives the
// type:
//
//   | version 00 | LPAR 01 | serial, 16 bits | type, 16 bits | format 1, 15 bits |
#define BARE_CPU_ID UINT64_C(0x0001E1C000000000)

static void io_interruption(void *arg, unsigned isc)
{
    (void)isc;
    machine_pend_all(arg, PEND_IO);
}

static void channel_report(void *arg)
{
    machine_pend_all(arg, PEND_MCHECK);
}

struct machine *machine_new(struct machine_world *world, const struct machine_config *config)
{
    struct machine *machine;
    struct storage *storage = storage_new(config->storage);

    INVARIANT(config->cpus <= MACHINE_MAX_CPUS);
    if (!storage)
        return NULL;
    machine = mem_zero(1, sizeof *machine);
    machine->world = world;
    machine->storage = storage;
    machine->owner = config->owner;
    machine->host = config->host ? config->host : &machine_cpu_host;
    machine->cpu_owner = config->cpu_owner ? config->cpu_owner : machine;
    machine->instruction_cost = config->instruction_cost;
    snprintf(machine->name, sizeof machine->name, "%s", config->name ? config->name : "ENDICOTT");
    if (config->model)
        machine->model = *config->model;
    else
        cpu_model_default(&machine->model);
    if (config->identity)
        machine->identity = *config->identity;
    memset(machine->loadparm, 0x40, sizeof machine->loadparm);
    machine->sclp = sclp_new(machine);
    machine->css = css_new(&(struct css_host){
        .storage = storage,
        .clock = &world->clock,
        .events = &world->events,
        .interruption = io_interruption,
        .channel_report = channel_report,
        .arg = machine,
    });
    for (unsigned i = 0; i < config->cpus; i++)
        machine_add_cpu(machine, i);
    return machine;
}

void machine_free(struct machine *machine)
{
    if (!machine)
        return;
    watchdog_cancel(machine);
    css_free(machine->css);
    sclp_free(machine->sclp);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        cpu_free(machine->cpu[i]);
    storage_free(machine->storage);
    free(machine);
}

int machine_add_cpu(struct machine *machine, unsigned address)
{
    struct cpu *cpu;

    if (address >= MACHINE_MAX_CPUS || machine->cpu[address])
        return -1;
    cpu = cpu_new((uint16_t)address, machine->storage, &machine->world->clock, machine->host,
                  machine->cpu_owner);
    cpu->cpu_id = BARE_CPU_ID | cpu_model_identification(&machine->model);
    cpu_model_apply(cpu, &machine->model);
    if (machine->instruction_cost)
        cpu->instruction_cost = machine->instruction_cost;
    machine->cpu_local[address] = clock_now(&machine->world->clock);
    machine->cpu[address] = cpu;
    machine->cpus++;
    return 0;
}

int machine_remove_cpu(struct machine *machine, unsigned address)
{
    if (address >= MACHINE_MAX_CPUS || !machine->cpu[address])
        return -1;
    cpu_free(machine->cpu[address]);
    machine->cpu[address] = NULL;
    machine->deferred[address] = 0;
    machine->cpus--;
    return 0;
}

void machine_set_model(struct machine *machine, const struct cpu_model *model)
{
    machine->model = *model;
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!machine->cpu[i])
            continue;
        cpu_model_apply(machine->cpu[i], model);
        if (machine->cpu[i]->owner == machine)
            machine->cpu[i]->cpu_id = BARE_CPU_ID | cpu_model_identification(model);
    }
}

// Each CPU stops and is reset; storage and channels are left to the caller.
static void reset_cpus(struct machine *machine, enum cpu_reset kind)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!machine->cpu[i])
            continue;
        atomic_store(&machine->cpu[i]->state, CPU_STOPPED);
        cpu_reset(machine->cpu[i], kind);
        machine->deferred[i] = 0;
    }
}

void machine_reset(struct machine *machine, bool clear)
{
    machine->action = MACHINE_ACTION_NONE;
    machine->ipl_pending = false;
    machine->ipl_failed = false;
    watchdog_cancel(machine);
    css_reset(machine->css);
    sclp_reset(machine->sclp);
    reset_cpus(machine, clear ? CPU_RESET_CLEAR : CPU_RESET_NORMAL);
    if (clear)
        storage_clear(machine->storage);
}

// Subsystem reset and a CPU reset of all, then CPU `address` goes on at the short PSW in absolute
// storage 0, in ESA/390 mode (what DIAGNOSE X'308' subcodes 0 and 1 ask for). Storage is kept.
static void restart_after_reset(struct machine *machine, unsigned address, enum cpu_reset kind)
{
    machine_reset(machine, false);
    reset_cpus(machine, kind);
    machine_load_short_psw(machine, machine->cpu[address]);
}

// The CPU that will run the program gets an initial reset in either case (Principles of Operation,
// "CCW-Type IPL": load normal). A device that is gone is told of as a failed IPL.
static void ipl_again(struct machine *machine)
{
    struct cpu *cpu = machine_first_cpu(machine);
    const char *reason;

    if (!cpu)
        return;
    cpu_reset(cpu, CPU_RESET_INITIAL);
    if (machine_ipl_start(machine, machine->ipl_device, &reason) == 0)
        return;
    machine->ipl_failed = true;
    snprintf(machine->ipl_reason, sizeof machine->ipl_reason, "%s", reason);
    if (machine->owner.stopped)
        machine->owner.stopped(machine, cpu, CPU_EXIT_STOPPED);
}

bool machine_attend(struct machine *machine)
{
    enum machine_action action = machine->action;

    if (action == MACHINE_ACTION_NONE || atomic_load(&machine->inside))
        return false;
    machine->action = MACHINE_ACTION_NONE;
    switch (action) {
    case MACHINE_ACTION_NONE:
        break;
    case MACHINE_ACTION_CLEAR:
        restart_after_reset(machine, machine->action_cpu, CPU_RESET_CLEAR);
        break;
    case MACHINE_ACTION_RESTART:
        restart_after_reset(machine, machine->action_cpu, CPU_RESET_INITIAL);
        break;
    case MACHINE_ACTION_IPL:
    case MACHINE_ACTION_IPL_NORMAL:
        machine_reset(machine, action == MACHINE_ACTION_IPL);
        ipl_again(machine);
        break;
    }
    return true;
}

void machine_request(struct machine *machine, struct cpu *cpu, enum machine_action action)
{
    machine->action = action;
    machine->action_cpu = cpu->address;
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i])
            cpu_pend(machine->cpu[i], PEND_STOP);
}

// Absolute locations (Principles of Operation, "Store Status").
#define STATUS_AREA_Z     0x1200u
#define STATUS_AREA_ESA   0u
#define ARCHITECTURE_MODE 0xA3u // 1 when the status is in z/Architecture format

static void store_status(struct machine *machine, struct cpu *cpu)
{
    uint8_t mode = cpu->arch == ARCH_Z;

    cpu_store_status(cpu, mode ? STATUS_AREA_Z : STATUS_AREA_ESA);
    storage_write(machine->storage, ARCHITECTURE_MODE, &mode, 1);
}

static void carry_out_deferred(struct machine *machine, struct cpu *cpu)
{
    uint8_t orders = machine->deferred[cpu->address];

    machine->deferred[cpu->address] = 0;
    if (orders & DEFER_STORE_STATUS)
        store_status(machine, cpu);
    if (orders & DEFER_INITIAL_RESET)
        cpu_reset(cpu, CPU_RESET_INITIAL);
    else if (orders & DEFER_RESET)
        cpu_reset(cpu, CPU_RESET_NORMAL);
}

void machine_cpu_exit(struct machine *machine, struct cpu *cpu, enum cpu_exit why)
{
    if (why == CPU_EXIT_STOPPED)
        carry_out_deferred(machine, cpu);
    if ((why == CPU_EXIT_STOPPED || why == CPU_EXIT_DISABLED_WAIT) && machine->owner.stopped)
        machine->owner.stopped(machine, cpu, why);
}

void machine_start_cpu(struct machine *machine, struct cpu *cpu)
{
    tod_t now = clock_now(&machine->world->clock);

    if (machine->cpu_local[cpu->address] < now)
        machine->cpu_local[cpu->address] = now;
    atomic_store(&cpu->state, CPU_OPERATING);
    machine_wake_cpu(machine, cpu, 0);
}

void machine_wake_cpu(struct machine *machine, struct cpu *cpu, uint32_t conditions)
{
    machine->cpu_quiet[cpu->address] = false;
    if (conditions)
        cpu_pend(cpu, conditions);
    if (machine->owner.wake)
        machine->owner.wake(machine, cpu);
    world_wake(machine->world);
}

void machine_pend_all(struct machine *machine, uint32_t conditions)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i])
            machine_wake_cpu(machine, machine->cpu[i], conditions);
}

bool cpu_at_rest(const struct cpu *cpu)
{
    const struct psw *psw = &cpu->psw;

    if (atomic_load(&cpu->state) != CPU_OPERATING)
        return true;
    return psw->wait && !psw->io && !psw->external && !psw->machine_check &&
           !(atomic_load(&cpu->pending) & (PEND_RESTART | PEND_STOP));
}

bool machine_at_rest(const struct machine *machine)
{
    if (machine->ipl_pending || machine->action != MACHINE_ACTION_NONE)
        return false;
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i] && !cpu_at_rest(machine->cpu[i]))
            return false;
    return true;
}

void machine_enter(struct machine *machine, struct cpu *cpu)
{
    atomic_fetch_or(&machine->inside, UINT64_C(1) << cpu->address);
}

void machine_leave(struct machine *machine, struct cpu *cpu)
{
    atomic_fetch_and(&machine->inside, ~(UINT64_C(1) << cpu->address));
}

// Is CPU `other` inside cpu_run() without having seen the request yet?
static bool flush_outstanding(struct machine *machine, const struct cpu *other)
{
    return (atomic_load(&machine->inside) >> other->address & 1) != 0 &&
           (atomic_load(&other->pending) & PEND_FLUSH) != 0;
}

void machine_flush_all(struct machine *machine, struct cpu *cpu)
{
    INVARIANT((atomic_load(&machine->inside) >> cpu->address & 1) == 0);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i] && machine->cpu[i] != cpu)
            cpu_pend(machine->cpu[i], PEND_FLUSH);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        while (machine->cpu[i] && machine->cpu[i] != cpu &&
               flush_outstanding(machine, machine->cpu[i]))
            sched_yield();
}
