// SPDX-License-Identifier: MIT
// Program-event recording: which events an instruction brings, and their interruption.
// (Principles of Operation, "Program-Event Recording".)
//
// While the PSW has PER on, instructions are executed one by one and every storage access takes the
// slow path, which calls per_note_access(). Events gather in cpu->fault.per_code.
#ifndef ENDICOTT_CPU_PER_H
#define ENDICOTT_CPU_PER_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/block.h"
#include "cpu/lookaside.h"

// PER code, lowcore X'96'.
#define PER_BRANCH     0x80
#define PER_FETCH      0x40
#define PER_STORE      0x20
#define PER_STORE_REAL 0x08 // with PER_STORE
#define PER_ZERO       0x04
#define PER_NULLIFIED  0x01 // with PER_FETCH

// Before the instruction `text`, decoded in the single block `block`, is executed at the PSW's
// address. True: the fetch event nullified it, and the interruption was taken.
bool per_begin(struct cpu *cpu, const struct block *block, const uint8_t *text);
// After it (it was at `at`); takes the interruption when there was an event.
void per_end(struct cpu *cpu, const struct block *block, uint64_t at);
// It ends with a program interruption: leaves the events that go with `code`.
void per_at_interruption(struct cpu *cpu, uint16_t code);

// EXECUTE's target at `address` was fetched and decoded into `target`.
void per_note_target(struct cpu *cpu, uint64_t address, const struct insn *target,
                     const uint8_t *text);
// An access to bytes of `space` under PER.
void per_note_access(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                     enum access kind);
// STORE USING REAL ADDRESS stored.
void per_note_store_real(struct cpu *cpu);

// Is an event pending, or will one be when the instruction, having branched, completes?
bool per_event_due(const struct cpu *cpu);

#endif
