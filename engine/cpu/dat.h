// SPDX-License-Identifier: MIT
// Dynamic address translation: table walks, without side effects.
// (Principles of Operation, "Dynamic Address Translation".)
#ifndef ENDICOTT_CPU_DAT_H
#define ENDICOTT_CPU_DAT_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

#define SPACE_REAL UINT64_MAX // in place of an ASCE: DAT off, the address is real

struct translation {
    uint64_t real;   // the translated address (not yet prefixed)
    uint64_t entry;  // table entry that ended the walk badly, real address (for LRA)
    unsigned level;  // where it ended: 4-2 region first-third, 1 segment, 0 page
    bool protected;  // DAT protection at some level
    bool no_execute; // instruction-execution protection
    bool large;      // a segment or region frame
    bool beyond;     // the walk ended at an index outside of the table, not at an invalid entry
    bool protected_above; // DAT protection by an entry above the page's
};

// Walks the tables of `asce` for `address`: 0, or the program-interruption code.
uint16_t dat_translate(struct cpu *cpu, uint64_t asce, uint64_t address, struct translation *out);

// ASCE (or SPACE_REAL) for an address-space selector as in the PSW: 0 primary, 2 secondary, 3 home.
uint64_t dat_space(const struct cpu *cpu, unsigned as);
// Private-space bit of an ASCE in the present architecture mode.
bool dat_private(const struct cpu *cpu, uint64_t asce);

#endif
