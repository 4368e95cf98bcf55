// SPDX-License-Identifier: MIT
// Access-register translation: from an ALET by way of access lists to an address space.
// (Principles of Operation, "Access-Register Translation".) Nothing of it is remembered beyond an
// access, so there is no lookaside buffer to purge.
#ifndef ENDICOTT_CPU_ART_H
#define ENDICOTT_CPU_ART_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/asn.h"

struct art_result {
    struct aste aste;
    bool fetch_only; // the access-list entry allows no stores
};

#define ART_ANY_AUTHORITY (-1) // in place of an extended authorization index: no check

// Follows an ALET other than 0 and 1 for the extended authorization index `eax`: 0, or the
// program-interruption code.
uint16_t art_lookup(struct cpu *cpu, uint32_t alet, int eax, struct art_result *out);

// ASCE for an ALET, subspace replacement included: 0, or the program-interruption code.
uint16_t art_translate(struct cpu *cpu, uint32_t alet, uint64_t *asce, bool *fetch_only);

#endif
