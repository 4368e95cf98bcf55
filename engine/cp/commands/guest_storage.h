// SPDX-License-Identifier: MIT
// Guest storage and registers as DISPLAY, STORE and TRACE address them.
#ifndef ENDICOTT_CP_COMMANDS_GUEST_STORAGE_H
#define ENDICOTT_CP_COMMANDS_GUEST_STORAGE_H

#include "cp/command.h"

enum space {
    SPACE_PSW,  // as the PSW says: virtual with DAT on, else real
    SPACE_REAL, // prefixing applies
    SPACE_ABSOLUTE,
};

// The CPU that commands without a CPU address go to. It does not execute until the lock is given
// up.
struct cpu *call_cpu(struct command_call *call);
// False when the address does not translate or the byte is not there.
bool guest_absolute(const struct cpu *cpu, enum space space, uint64_t address, uint64_t *absolute);
// Across pages; nothing is written unless all of it can be.
bool guest_read(struct cpu *cpu, enum space space, uint64_t address, void *to, unsigned n);
bool guest_write(struct cpu *cpu, enum space space, uint64_t address, const void *from, unsigned n);

// "a", "a-b", "a:b", "a.length", "a-END": false when it is none of these. A lone address has
// *last == *first.
enum range_fault { RANGE_OK, RANGE_HEXLOC, RANGE_REVERSED };
enum range_fault parse_storage_range(const char *word, uint64_t end, uint64_t *first,
                                     uint64_t *last);
// Gives message 004 or 009; returns its number.
int range_error(struct command_call *call, enum range_fault fault, const char *word);
// Register ranges after the letters: "" (all), "5", "0-3", "4.2".
bool parse_register_range(const char *word, unsigned *first, unsigned *last);

#endif
