// SPDX-License-Identifier: MIT
// CPU-measurement counters: cycles and instructions of one CPU, all of them and those of the
// problem state. ("The Load-Program-Parameter and the CPU-Measurement Facilities", SA23-2260.)
#ifndef ENDICOTT_CPU_MEASUREMENT_H
#define ENDICOTT_CPU_MEASUREMENT_H

#include "cpu/cpu.h"

// Adds what has been executed since the last call to the counters that are active; from here on it
// counts for the PSW as it now is. Cheap, but not for every block: only while counters are active.
void measurement_account(struct cpu *cpu);
// The CPU begins and ends to run: what lies between is not counted.
void measurement_begin(struct cpu *cpu);
void measurement_end(struct cpu *cpu);

#endif
