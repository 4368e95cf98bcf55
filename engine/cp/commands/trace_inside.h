// SPDX-License-Identifier: MIT
// What the TRACE command and the trace hook share.
#ifndef ENDICOTT_CP_COMMANDS_TRACE_INSIDE_H
#define ENDICOTT_CP_COMMANDS_TRACE_INSIDE_H

#include "cp/command.h"
#include "cp/trace.h"

#define TRACE_TRAPS 255 // in a set

enum trap_type { TRAP_INSTRUCTION, TRAP_BRANCH };

struct trap {
    enum trap_type type;
    bool run;          // go on after showing; else CP READ
    bool ranged, into; // only from (INTO: to) addresses first to last
    uint64_t first, last;
    unsigned skip, pass, stop, step;       // as given; 0 = not
    unsigned skipped, passed, shown, hits; // so far
    char *command;                         // CMD, NULL: none
};

// What the first storage operand is to an instruction.
enum operand_kind { OPERAND_NONE, OPERAND_FETCH, OPERAND_STORE, OPERAND_COMPUTED, OPERAND_BRANCH };
struct traced_operand {
    enum operand_kind kind;
    uint64_t address;
};

// An instruction that was begun on one CPU; shown when the next one begins.
struct traced {
    bool valid;
    bool first; // after each entry into the guest
    bool branch, dat;
    uint64_t address;
    uint8_t text[6];
    struct traced_operand operand;
};

struct trace {
    struct trap trap[TRACE_TRAPS];
    unsigned traps;
    bool on;
    struct traced pending[MACHINE_MAX_CPUS];
};

// Sets cpu->tracing of all CPUs to whether any trap is there and on. The machine is quiet.
void trace_apply(struct vm *vm);
// Deletes trap `n` (from 0).
void trace_delete(struct trace *trace, unsigned n);
// Storage operand of an instruction that is about to execute.
struct traced_operand trace_operand(const struct cpu *cpu, uint64_t address, const uint8_t *text,
                                    bool branch);
// " -> 00020000  ST      50E0C01C >> 0002001C    CC 1": `next` is where the CPU went.
void trace_format(struct text *text, const struct cpu *cpu, const struct traced *traced,
                  uint64_t next);

#endif
