// SPDX-License-Identifier: MIT
// What the files of engine/machine share among themselves.
#ifndef ENDICOTT_MACHINE_INTERNAL_H
#define ENDICOTT_MACHINE_INTERNAL_H

#include "machine/machine.h"

// Enters the operating state and tells the owner.
void machine_start_cpu(struct machine *machine, struct cpu *cpu);
// Restart interruption, also of a stopped CPU. Lock held.
void machine_restart_cpu(struct machine *machine, struct cpu *cpu);
// Pends `conditions` (0 allowed) and tells the owner.
void machine_wake_cpu(struct machine *machine, struct cpu *cpu, uint32_t conditions);
// Asks for `action` once all CPUs have left cpu_run(); stops them.
void machine_request(struct machine *machine, struct cpu *cpu, enum machine_action action);

// Starts the initial channel program of a machine that was reset; -1 and *reason.
int machine_ipl_start(struct machine *machine, uint16_t devno, const char **reason);
// The 8-byte PSW at absolute 0, operating state; ESA/390 mode unless that PSW is a 64-bit one.
void machine_load_short_psw(struct machine *machine, struct cpu *cpu);

// The CPU on which an IPL or a loaded image starts: the lowest address there is, or NULL.
struct cpu *machine_first_cpu(struct machine *machine);

#endif
