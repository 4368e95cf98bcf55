// SPDX-License-Identifier: MIT
// The two timer conditions, as the external interruptions see them.
#ifndef ENDICOTT_CPU_TIMING_H
#define ENDICOTT_CPU_TIMING_H

#include <stdbool.h>

struct cpu;

bool clock_comparator_due(const struct cpu *cpu);
bool cpu_timer_due(const struct cpu *cpu);

#endif
