// SPDX-License-Identifier: MIT
// Local time, TOD clock, CPU timer and clock comparator of one CPU.
// (Principles of Operation, "Timing".)
#include "cpu/codes.h"
#include "cpu/cpu.h"
#include "cpu/measurement.h"
#include "cpu/sampling.h"
#include "cpu/timing.h"

tod_t cpu_time(const struct cpu *cpu)
{
    if (cpu->clock->mode == CLOCK_REAL)
        return clock_now(cpu->clock);
    if (!cpu->timing) {
        tod_t now = clock_now(cpu->clock);
        return now > cpu->time_base ? now : cpu->time_base;
    }
    return cpu->time_base + (cpu->instructions - cpu->instructions_base) * cpu->instruction_cost +
           cpu->charged;
}

tod_t cpu_tod(const struct cpu *cpu)
{
    return cpu_time(cpu) + (uint64_t)cpu->epoch;
}

int64_t cpu_timer(const struct cpu *cpu)
{
    if (!cpu->timing)
        return cpu->timer_value;
    return (int64_t)((uint64_t)cpu->timer_value - (cpu_time(cpu) - cpu->timer_base));
}

void cpu_set_timer(struct cpu *cpu, int64_t value)
{
    cpu->timer_value = value;
    cpu->timer_base = cpu_time(cpu);
}

void cpu_time_begin(struct cpu *cpu, tod_t now)
{
    cpu->time_base = now;
    cpu->instructions_base = cpu->instructions;
    cpu->charged = 0;
    cpu->timing = true;
    cpu->timer_base = cpu_time(cpu);
    if (cpu->counters.active)
        measurement_begin(cpu);
    if (cpu->sampling.active)
        sampling_begin(cpu);
}

tod_t cpu_time_end(struct cpu *cpu)
{
    tod_t now = cpu_time(cpu);
    if (cpu->counters.active)
        measurement_end(cpu);
    if (cpu->sampling.active)
        sampling_end(cpu);
    cpu->timer_value = cpu_timer(cpu);
    cpu->timer_base = now;
    cpu->timing = false;
    cpu->time_base = now;
    cpu->instructions_base = cpu->instructions;
    cpu->charged = 0;
    return now;
}

bool clock_comparator_due(const struct cpu *cpu)
{
    return cpu_tod(cpu) > cpu->clock_comparator;
}

bool cpu_timer_due(const struct cpu *cpu)
{
    return cpu_timer(cpu) < 0;
}

tod_t cpu_next_timer(const struct cpu *cpu)
{
    tod_t next = TOD_NEVER;
    if (cpu->cr[0] & CR0_CLOCK_COMPARATOR && cpu->clock_comparator != TOD_NEVER) {
        tod_t tod = cpu_tod(cpu);
        tod_t wait = tod > cpu->clock_comparator ? 0 : cpu->clock_comparator - tod + 1;
        tod_t now = cpu_time(cpu);
        next = now + wait < now ? TOD_NEVER : now + wait;
    }
    if (cpu->cr[0] & CR0_CPU_TIMER) {
        int64_t timer = cpu_timer(cpu);
        // It stands still outside of a run, so only a negative one can matter there.
        if (timer < 0 && cpu_time(cpu) < next)
            next = cpu_time(cpu);
        else if (timer >= 0 && cpu->timing && cpu_time(cpu) + (uint64_t)timer + 1 < next)
            next = cpu_time(cpu) + (uint64_t)timer + 1;
    }
    return next;
}
