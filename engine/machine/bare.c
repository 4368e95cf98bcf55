// SPDX-License-Identifier: MIT
// The door of a bare machine: what leaves a CPU meets the architecture's own semantics.
#include "cpu/opcode.h"
#include "machine/internal.h"

#define LEVEL_PARTITION       2
#define LEVEL_VIRTUAL_MACHINE 3

struct machine *machine_of(struct cpu *cpu)
{
    return cpu->owner;
}

static void bare_intercept(struct cpu *cpu, const struct door_call *call)
{
    call->row->simulate(cpu, call);
}

// What a CPU asks of others happens at its own time, not at the beginning of its slice.
static void bare_begin(struct cpu *cpu)
{
    struct machine_world *world = machine_of(cpu)->world;

    world_lock(world);
    if (world->clock.mode == CLOCK_VIRTUAL && cpu_time(cpu) > clock_now(&world->clock))
        clock_set(&world->clock, cpu_time(cpu));
}

// And the slice ends early when that brought an event which comes sooner.
static void bare_end(struct cpu *cpu)
{
    struct machine *machine = machine_of(cpu);

    if (events_next(&machine->world->events) < machine->slice_end)
        cpu_request_exit(cpu);
    world_unlock(machine->world);
}

static int bare_io(struct cpu *cpu, enum io_instruction op, uint32_t sid, uint64_t address,
                   uint8_t *block)
{
    int cc;

    bare_begin(cpu);
    cc = machine_io(machine_of(cpu), cpu, op, sid, address, block);
    bare_end(cpu);
    return cc;
}

static bool bare_take_external(struct cpu *cpu, uint32_t mask, struct external_interruption *out)
{
    return machine_take_external(machine_of(cpu), cpu, mask, out);
}

static bool bare_take_io(struct cpu *cpu, uint8_t isc_mask, struct io_interruption *out)
{
    return machine_take_io(machine_of(cpu), cpu, isc_mask, out);
}

static bool bare_take_machine_check(struct cpu *cpu, uint64_t *code)
{
    return machine_take_machine_check(machine_of(cpu), cpu, code);
}

static int bare_sigp(struct cpu *cpu, uint8_t order, uint16_t address, uint64_t parameter,
                     uint32_t *status)
{
    int cc;

    bare_begin(cpu);
    cc = machine_sigp(machine_of(cpu), cpu, order, address, parameter, status);
    cpu_request_exit(cpu); // the other one may have become able to run
    bare_end(cpu);
    return cc;
}

static int bare_service_call(struct cpu *cpu, uint32_t command, uint64_t absolute)
{
    return machine_service_call(machine_of(cpu), cpu, command, absolute);
}

static int bare_stsi(struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2, uint8_t *block)
{
    return machine_stsi(machine_of(cpu), cpu, fc, s1, s2, block);
}

static unsigned bare_level(struct cpu *cpu)
{
    return machine_of(cpu)->identity.hypervisor[0] ? LEVEL_VIRTUAL_MACHINE : LEVEL_PARTITION;
}

static bool bare_diagnose(struct cpu *cpu, const struct door_call *call)
{
    return machine_diagnose(machine_of(cpu), cpu, call);
}

static void bare_flush_all(struct cpu *cpu)
{
    struct machine *machine = machine_of(cpu);

    machine_leave(machine, cpu);
    world_lock(machine->world);
    machine_flush_all(machine, cpu);
    machine_enter(machine, cpu);
    world_unlock(machine->world);
}

const struct cpu_host machine_cpu_host = {
    .intercept = bare_intercept,
    .io = bare_io,
    .take_external = bare_take_external,
    .take_io = bare_take_io,
    .take_machine_check = bare_take_machine_check,
    .sigp = bare_sigp,
    .service_call = bare_service_call,
    .stsi = bare_stsi,
    .current_level = bare_level,
    .diagnose = bare_diagnose,
    .flush_all = bare_flush_all,
};
