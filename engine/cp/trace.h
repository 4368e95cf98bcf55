// SPDX-License-Identifier: MIT
// CP TRACE: the traps of a virtual machine, and the hook that the CPUs call while it traces
// (cpu->tracing). Code: cp/commands/trace*.c.
#ifndef ENDICOTT_CP_TRACE_H
#define ENDICOTT_CP_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu;
struct vm;

// cpu_host.trace: an instruction of a virtual machine's CPU is about to execute. Takes the system
// lock. Shows the one before it, whose effect is known by now, if a trap wants that, and may stop
// the virtual machine before this one.
void trace_instruction(struct cpu *cpu, uint64_t address, const uint8_t *text, bool branch);
// The machine was reset or IPLed: what was about to be shown is not.
void trace_vm_reset(struct vm *vm);
void trace_vm_free(struct vm *vm);

#endif
