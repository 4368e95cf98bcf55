// SPDX-License-Identifier: MIT
// The run loop of a bare machine: events and CPUs on one time line.
//
// Each CPU has its own local time. The loop always serves what comes first: the event or timer that
// is due, else the CPU that is furthest behind, for one slice. So no CPU runs ahead of another by
// more than a slice, and in virtual mode equal inputs give equal runs.
#include "machine/internal.h"

#define SLICE_ALONE  TOD_MILLISECOND
#define SLICE_SHARED (25 * TOD_MICROSECOND) // CPUs that talk to each other must not drift apart
#define SLICE_REAL   100000u                // instructions, in real mode

#define CR0_CPU_TIMER 0x400u // control register 0 bit 53

// Pending conditions that reach a CPU whatever its PSW says.
#define ALWAYS (PEND_STOP | PEND_RESTART)

static tod_t earlier(tod_t a, tod_t b)
{
    return a < b ? a : b;
}

static bool is_virtual(const struct machine *machine)
{
    return machine->world->clock.mode == CLOCK_VIRTUAL;
}

static tod_t now(const struct machine *machine)
{
    return clock_now(&machine->world->clock);
}

static bool runnable(const struct machine *machine, const struct cpu *cpu)
{
    if (!cpu || atomic_load(&cpu->state) != CPU_OPERATING)
        return false;
    if (!cpu->psw.wait || (atomic_load(&cpu->pending) & ALWAYS))
        return true;
    return !machine->cpu_quiet[cpu->address] && cpu_may_run(cpu);
}

// Local time at which a runnable CPU goes on: one that waited comes from its wait now.
static tod_t resume_time(const struct machine *machine, const struct cpu *cpu)
{
    tod_t local = machine->cpu_local[cpu->address];
    return cpu->psw.wait && local < now(machine) ? now(machine) : local;
}

// The runnable CPU that is furthest behind, or NULL; among equals they take turns. *slice: how long
// it may run.
static struct cpu *next_cpu(const struct machine *machine, tod_t *slice)
{
    struct cpu *best = NULL;
    unsigned candidates = 0;

    for (unsigned i = 1; i <= MACHINE_MAX_CPUS; i++) {
        struct cpu *cpu = machine->cpu[(machine->last_run + i) % MACHINE_MAX_CPUS];
        if (!runnable(machine, cpu))
            continue;
        candidates++;
        if (!best || resume_time(machine, cpu) < resume_time(machine, best))
            best = cpu;
    }
    *slice = candidates > 1 ? SLICE_SHARED : SLICE_ALONE;
    return best;
}

static bool in_enabled_wait(const struct cpu *cpu)
{
    return cpu && atomic_load(&cpu->state) == CPU_OPERATING && cpu->psw.wait && cpu->psw.external;
}

// When the clock comparator or CPU timer of `cpu` comes due. A machine of its own counts the CPU
// timer down in the wait state too, so that it is due at a known time (cpu_next_timer() does not
// say so).
static tod_t timer_due(const struct machine *machine, const struct cpu *cpu)
{
    tod_t due = cpu_next_timer(cpu);
    int64_t timer = cpu_timer(cpu);

    if ((cpu->cr[0] & CR0_CPU_TIMER) && timer >= 0)
        due = earlier(due, machine->cpu_local[cpu->address] + (uint64_t)timer + 1);
    return due;
}

// Earliest timer of the CPUs in a wait that it can end.
static tod_t next_timer(const struct machine *machine)
{
    tod_t next = TOD_NEVER;

    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (in_enabled_wait(machine->cpu[i]))
            next = earlier(next, timer_due(machine, machine->cpu[i]));
    return next;
}

// The CPU timer of a machine of its own goes on in the wait state: accounts for the wait up to
// `to`.
static void pass_wait(struct machine *machine, struct cpu *cpu, tod_t to)
{
    tod_t *local = &machine->cpu_local[cpu->address];

    if (to <= *local)
        return;
    cpu_set_timer(cpu, (int64_t)((uint64_t)cpu_timer(cpu) - (to - *local)));
    *local = to;
}

static void wake_due_timers(struct machine *machine)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        struct cpu *cpu = machine->cpu[i];
        if (!in_enabled_wait(cpu) || timer_due(machine, cpu) > now(machine))
            continue;
        pass_wait(machine, cpu, now(machine));
        machine_wake_cpu(machine, cpu, PEND_TIMER);
    }
}

// Runs `cpu` for at most `budget` instructions from local time `start`; the lock is given up for
// it.
static void run_cpu(struct machine *machine, struct cpu *cpu, tod_t start, uint64_t budget)
{
    uint64_t before = cpu->instructions;
    bool waited = cpu->psw.wait;
    enum cpu_exit why;

    machine->last_run = cpu->address;
    pass_wait(machine, cpu, start);
    if (cpu_next_timer(cpu) <= start)
        cpu_pend(cpu, PEND_TIMER);
    world_unlock(machine->world);
    cpu_time_begin(cpu, start);
    machine_enter(machine, cpu);
    why = cpu_run(cpu, budget);
    machine_leave(machine, cpu);
    tod_t local = cpu_time_end(cpu);
    world_lock(machine->world);
    machine->cpu_local[cpu->address] = local;
    machine->cpu_busy[cpu->address] += local - start;
    machine->cpu_quiet[cpu->address] =
        waited && why == CPU_EXIT_WAIT && cpu->instructions == before;
    machine_cpu_exit(machine, cpu, why);
}

static void run_virtual_slice(struct machine *machine, struct cpu *cpu, tod_t slice, tod_t until)
{
    tod_t start = resume_time(machine, cpu);
    tod_t end = earlier(start + slice, until);
    tod_t timer = timer_due(machine, cpu);

    end = earlier(end, events_next(&machine->world->events));
    if (timer > start)
        end = earlier(end, timer);
    machine->slice_end = end;
    tod_t span = end > start ? end - start : 1;
    run_cpu(machine, cpu, start, (span + cpu->instruction_cost - 1) / cpu->instruction_cost);
    machine->slice_end = 0;
}

static void advance(struct machine *machine, tod_t to)
{
    if (to > now(machine))
        clock_set(&machine->world->clock, to);
}

// Virtual time stands where the last CPU came to rest.
static void settle(struct machine *machine)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (machine->cpu[i])
            advance(machine, machine->cpu_local[i]);
}

// One step in virtual mode; false when nothing can happen any more or `until` has come.
static bool step_virtual(struct machine *machine, tod_t until)
{
    tod_t slice, event = events_next(&machine->world->events), timer = next_timer(machine);
    struct cpu *cpu = next_cpu(machine, &slice);
    tod_t next = earlier(event, timer);
    // At the same time events come first, then CPUs: a timer that is due has made its CPU runnable.
    bool run = cpu && resume_time(machine, cpu) < event && resume_time(machine, cpu) <= timer;

    if (run)
        next = resume_time(machine, cpu);
    if (next == TOD_NEVER)
        return false;
    if (next >= until) {
        advance(machine, until);
        return false;
    }
    if (run) {
        run_virtual_slice(machine, cpu, slice, until);
        return true;
    }
    advance(machine, next);
    events_fire(&machine->world->events, next);
    wake_due_timers(machine);
    return true;
}

static bool step_real(struct machine *machine, tod_t until)
{
    tod_t slice, next;
    struct cpu *cpu;

    if (now(machine) >= until)
        return false;
    events_fire(&machine->world->events, now(machine));
    wake_due_timers(machine);
    cpu = next_cpu(machine, &slice);
    if (cpu) {
        run_cpu(machine, cpu, now(machine), SLICE_REAL);
        return true;
    }
    next = earlier(events_next(&machine->world->events), next_timer(machine));
    if (!machine_at_rest(machine))
        world_wait(machine->world, earlier(next, until));
    return true;
}

bool machine_run(struct machine *machine, tod_t until)
{
    bool more = true, rest;

    world_lock(machine->world);
    while (more && !machine_at_rest(machine)) {
        if (!machine_attend(machine))
            more = is_virtual(machine) ? step_virtual(machine, until) : step_real(machine, until);
    }
    rest = machine_at_rest(machine);
    if (rest && is_virtual(machine))
        settle(machine);
    // What has not come by `until` may still come.
    more = !rest && (now(machine) >= until || events_next(&machine->world->events) != TOD_NEVER);
    world_unlock(machine->world);
    return more;
}
