// SPDX-License-Identifier: MIT
// CPU-measurement sampling: where the CPU is, every so many cycles, into the program's buffers.
// ("The Load-Program-Parameter and the CPU-Measurement Facilities", SA23-2260.)
#ifndef ENDICOTT_CPU_SAMPLING_H
#define ENDICOTT_CPU_SAMPLING_H

#include "cpu/cpu.h"

// Takes the sample that is due, if any; the PSW is exact. Only while sampling is active.
void sampling_look(struct cpu *cpu);
// The CPU begins and ends to run: the interval stands still in between.
void sampling_begin(struct cpu *cpu);
void sampling_end(struct cpu *cpu);

#endif
