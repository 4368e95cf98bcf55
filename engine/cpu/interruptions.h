// SPDX-License-Identifier: MIT
// Taking interruptions. The order of the classes is that of cpu->interruptions[].
#ifndef ENDICOTT_CPU_INTERRUPTIONS_H
#define ENDICOTT_CPU_INTERRUPTIONS_H

#include "cpu/cpu.h"

enum interruption_class {
    INTERRUPTION_EXTERNAL,
    INTERRUPTION_SVC,
    INTERRUPTION_PROGRAM,
    INTERRUPTION_MACHINE_CHECK,
    INTERRUPTION_IO,
    INTERRUPTION_RESTART,
    INTERRUPTION_CLASSES
};

// Stores the old PSW and loads the new one.
void interruption_swap(struct cpu *cpu, enum interruption_class class);
// A program interruption without unwinding (the caller is the run loop).
void interruption_program(struct cpu *cpu, uint16_t code);
void interruption_svc(struct cpu *cpu, uint8_t number);
void interruption_restart(struct cpu *cpu);
// These take one pending interruption if the control registers allow one; the PSW was looked at.
bool interruption_external(struct cpu *cpu);
bool interruption_io(struct cpu *cpu);
bool interruption_machine_check(struct cpu *cpu);

#endif
