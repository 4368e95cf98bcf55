// SPDX-License-Identifier: MIT
// What other files of the CPU must call when control registers change.
#ifndef ENDICOTT_CPU_DERIVE_H
#define ENDICOTT_CPU_DERIVE_H

#include "cpu/cpu.h"
#include "cpu/dat.h"

// Control registers `first` to `last` (wrapping from 15 to 0) were loaded; `before` is what control
// register 0 held.
void cpu_control_changed(struct cpu *cpu, unsigned first, unsigned last, uint64_t before);
// All CPUs of the configuration forget translations and key checks (control_tables.c).
void cpu_flush_all(struct cpu *cpu);

#endif
