// SPDX-License-Identifier: MIT
// The linkage stack: state entries in the home space, made by BRANCH AND STACK and stacking PROGRAM
// CALL, taken off by PROGRAM RETURN. (Principles of Operation, "Linkage-Stack Operations".)
#ifndef ENDICOTT_CPU_LINKAGE_STACK_H
#define ENDICOTT_CPU_LINKAGE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

// A state entry, 296 bytes:
//
//     0  general registers, 64 bits each        152  modifiable area
//   128  PKM, SASN, EAX, PASN                   168  PSW bits 64-127
//   136  PSW bits 0-63                          176  SASTEIN, PASTEIN
//   144  branch address, or called-space        224  access registers
//        identification and PC number           288  entry descriptor
#define STACK_ENTRY      296u
#define STACK_STATUS     128u // authority, PSW, target, modifiable area: 8 bytes each
#define STACK_PSW        136u
#define STACK_TARGET     144u
#define STACK_MODIFIABLE 152u
#define STACK_ADDRESS    168u
#define STACK_INSTANCES  176u
#define STACK_ARS        224u

// The descriptor, at the end of each entry: type, section identification, remaining free space,
// next entry's size.
enum stack_type { STACK_BRANCH = 0x0C, STACK_CALL = 0x0D };

// A state entry that was found.
struct stack_entry {
    uint64_t start; // its first byte, home virtual
    enum stack_type type;
};

// Stores a state entry for `back`, the PSW to return to, and the eight bytes `target`. All of it is
// checked before anything changes; then CR15 designates it.
void stack_push(struct cpu *cpu, enum stack_type type, const struct psw *back, uint64_t target);

// Finds the current state entry; `unstack` for PROGRAM RETURN, which respects suppression bits.
struct stack_entry stack_find(struct cpu *cpu, bool unstack);
// CR15 as it becomes when `entry` is taken off; raises what the store into the entry before would.
uint64_t stack_probe_pop(struct cpu *cpu, const struct stack_entry *entry);
// Clears the next-entry size there and sets CR15.
void stack_pop(struct cpu *cpu, uint64_t cr15);

// Bytes of an entry, in the home space, 64-bit addresses whatever the mode.
void stack_read(struct cpu *cpu, uint64_t address, void *to, unsigned n);
void stack_write(struct cpu *cpu, uint64_t address, const void *from, unsigned n);

#endif
