// SPDX-License-Identifier: MIT
// The trace hook. It is called before each instruction; one is shown when the next begins, since
// only then its condition code and where it led are known.
#include "cp/commands/trace_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static unsigned length_of(const uint8_t *text)
{
    return text[0] < 0x40 ? 2 : text[0] < 0xC0 ? 4 : 6;
}

static bool in_range(const struct trap *trap, uint64_t address)
{
    return !trap->ranged || (address >= trap->first && address <= trap->last);
}

static bool trap_matches(const struct cpu *cpu, const struct trap *trap, const struct traced *done,
                         uint64_t next)
{
    bool taken = done->branch && next != cpu_wrap(cpu, done->address + length_of(done->text));
    if (trap->type == TRAP_BRANCH && !taken)
        return false;
    return in_range(trap, trap->into ? next : done->address);
}

// Counts a hit; true when this one is to be shown.
static bool trap_counts(struct trap *trap)
{
    trap->hits++;
    if (trap->skipped < trap->skip) {
        trap->skipped++;
        return false;
    }
    if (trap->passed < trap->pass) {
        trap->passed++;
        return false;
    }
    trap->passed = 0;
    trap->shown++;
    return true;
}

static bool trap_stops(const struct trap *trap)
{
    return !trap->run || (trap->stop && trap->shown == trap->stop) ||
           (trap->step && trap->shown % trap->step == 0);
}

static void show(struct vm *vm, struct cpu *cpu, const struct traced *done, uint64_t next)
{
    struct text line = {0};
    struct response out = response_to_vm(vm);
    out.cpu = (uint8_t)cpu->address;
    trace_format(&line, cpu, done, next);
    response_line(&out, "%s", text_get(&line));
    text_free(&line);
}

// The instruction that ended: shown once however many traps want it. True when one of them stops
// the machine. A trap's command may change the traps, so it runs last.
static bool complete(struct vm *vm, struct cpu *cpu, const struct traced *done, uint64_t next)
{
    struct trace *trace = vm->trace;
    bool shown = false, stops = false;
    char *command = NULL;
    for (unsigned i = 0; i < trace->traps; i++) {
        struct trap *trap = &trace->trap[i];
        if (!trap_matches(cpu, trap, done, next) || !trap_counts(trap))
            continue;
        if (!shown)
            show(vm, cpu, done, next);
        shown = true;
        stops |= trap_stops(trap);
        if (trap->command && !command)
            command = mem_string(trap->command);
    }
    if (command) {
        struct response out = response_to_vm(vm);
        command_execute(vm->cp, vm, NULL, command, &out);
        free(command);
    }
    return stops;
}

static void begin(const struct cpu *cpu, struct traced *traced, uint64_t address,
                  const uint8_t *text, bool branch)
{
    bool first = !traced->valid; // nothing was being traced: an entry into the guest
    *traced = (struct traced){
        .valid = true, .first = first, .branch = branch, .dat = cpu->psw.dat, .address = address};
    memcpy(traced->text, text, length_of(text));
    traced->operand = trace_operand(cpu, address, text, branch);
}

static void traced_instruction(struct vm *vm, struct cpu *cpu, uint64_t address,
                               const uint8_t *text, bool branch)
{
    struct traced *traced = &vm->trace->pending[cpu->address];
    if (traced->valid) {
        struct traced done = *traced;
        if (complete(vm, cpu, &done, address) && !vm->logging_off) {
            traced->valid = false;
            vm_stop(vm);
            cpu_request_exit(cpu);
            return;
        }
        if (!vm->trace || !vm->trace->on)
            return; // the trap's command ended the trace
    }
    begin(cpu, traced, address, text, branch);
}

void trace_instruction(struct cpu *cpu, uint64_t address, const uint8_t *text, bool branch)
{
    struct vcpu *vcpu = cpu->owner;
    struct vm *vm = vcpu->vm;
    struct machine *machine = vm->machine;
    // Whoever holds the lock may be waiting for this CPU to be outside.
    bool inside = (atomic_load(&machine->inside) >> cpu->address & 1) != 0;
    if (inside)
        machine_leave(machine, cpu);
    world_lock(vm->cp->world);
    if (vm->trace && vm->trace->on)
        traced_instruction(vm, cpu, address, text, branch);
    if (inside)
        machine_enter(machine, cpu);
    world_unlock(vm->cp->world);
}

void trace_apply(struct vm *vm)
{
    bool on = vm->trace && vm->trace->on && vm->trace->traps > 0;
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!vm->vcpu[i])
            continue;
        vm->vcpu[i]->cpu->tracing = on;
        if (!on && vm->trace)
            vm->trace->pending[i].valid = false;
    }
}

void trace_delete(struct trace *trace, unsigned n)
{
    free(trace->trap[n].command);
    trace->traps--;
    memmove(&trace->trap[n], &trace->trap[n + 1], (trace->traps - n) * sizeof *trace->trap);
}

void trace_vm_reset(struct vm *vm)
{
    for (unsigned i = 0; vm->trace && i < MACHINE_MAX_CPUS; i++)
        vm->trace->pending[i].valid = false;
}

void trace_vm_free(struct vm *vm)
{
    while (vm->trace && vm->trace->traps)
        trace_delete(vm->trace, vm->trace->traps - 1);
    free(vm->trace);
    vm->trace = NULL;
}
