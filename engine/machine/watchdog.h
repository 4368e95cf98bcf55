// SPDX-License-Identifier: MIT
// The watchdog of DIAGNOSE X'288': a program that does not speak up in time is restarted.
#ifndef ENDICOTT_MACHINE_WATCHDOG_H
#define ENDICOTT_MACHINE_WATCHDOG_H

#include "machine/machine.h"

// DIAGNOSE X'288' of a machine without CP. False: specification exception.
bool watchdog_diagnose(struct machine *machine, struct cpu *cpu, const struct door_call *call);
// Stops it; a system reset does that. Lock held.
void watchdog_cancel(struct machine *machine);

#endif
