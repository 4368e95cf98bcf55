// SPDX-License-Identifier: MIT
// Address-space numbers: ASN-second-table entries, ASN translation and authorization, subspace
// replacement. (Principles of Operation, "ASN Translation", "ASN Authorization", "Subspace-Group
// Facility".) z/Architecture forms.
#ifndef ENDICOTT_CPU_ASN_H
#define ENDICOTT_CPU_ASN_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

// An ASN-second-table entry, 16 words:
//
//   0  I, authority-table origin 1-29, B 31     1  AX 0-15, ATL 16-27, CA 30, RA 31
//   2  ASCE, two words                          4  access-list designation
//   5  sequence number (ASTESN)                 6  linkage-table designation
//  11  instance number (ASTEIN)
struct aste {
    uint32_t origin; // real address
    uint32_t word[16];
};

#define ASTE_INVALID    0x80000000u // word 0
#define ASTE_BASE       0x00000001u // word 0: base space of a subspace group
#define ASTE_CONTROLLED 0x00000002u // word 1, CA
#define ASTE_REUSABLE   0x00000001u // word 1, RA
#define ASTE_ORIGIN     0x7FFFFFC0u // where a word or CR5 holds an ASTE origin

#define ASCE_GROUP        UINT64_C(0x200)
#define ASCE_ALTERATION   UINT64_C(0x80) // storage-alteration event
#define ASCE_SPACE_SWITCH UINT64_C(0x40)

// Dispatchable-unit control table, by CR2: word 0 base ASTE, 1 subspace active and subspace ASTE, 3
// its sequence number, 4 access list, 5 key mask, key, RA and P, 8-9 return address, 11 trap
// control block.
#define DUCT_ACTIVE 0x80000000u // word 1
static inline uint32_t duct_origin(const struct cpu *cpu)
{
    return (uint32_t)cpu->cr[2] & 0x7FFFFFC0;
}

// A word of a table in real storage; raises an addressing exception when it is not there. Table
// addresses are 31 bits wide; a carry beyond is dropped.
uint32_t table_word(struct cpu *cpu, uint32_t real);
void table_word_store(struct cpu *cpu, uint32_t real, uint32_t value);

// Reads the entry at `origin`, valid or not; raises an addressing exception.
void aste_fetch(struct cpu *cpu, uint32_t origin, struct aste *aste);
static inline uint64_t aste_asce(const struct aste *aste)
{
    return (uint64_t)aste->word[2] << 32 | aste->word[3];
}

// Is the ASN-and-LX-reuse facility there and enabled (CR0 bit 44)?
bool asn_reuse(const struct cpu *cpu);
// Special-operation exception unless the ASN-translation control (CR14 bit 44) is one.
void asn_translation_required(struct cpu *cpu);
// Looks `asn` up by the first table: 0, or AFX or ASX translation with cpu->fault.teid set.
uint16_t asn_translate(struct cpu *cpu, uint16_t asn, struct aste *aste);
// As above, but raises the exception.
void asn_require(struct cpu *cpu, uint16_t asn, struct aste *aste);
// Does the authority table let `ax` in as primary or as secondary space?
bool asn_authorized(struct cpu *cpu, uint16_t ax, const struct aste *aste, bool secondary);

// Where the dispatchable unit is in a subspace of `aste`'s base space, *asce becomes the
// subspace's. 0, or ASTE validity or sequence.
uint16_t subspace_replace(struct cpu *cpu, const struct aste *aste, uint64_t *asce);
// The ASCE of `aste` after subspace replacement; raises its exceptions.
uint64_t subspace_asce(struct cpu *cpu, const struct aste *aste);
// ASCE `to` but with the event bits of `from`, as a subspace takes them over.
uint64_t subspace_events(uint64_t from, uint64_t to);

// The control registers' fields.
static inline uint16_t primary_asn(const struct cpu *cpu)
{
    return (uint16_t)cpu->cr[4];
}

static inline uint16_t secondary_asn(const struct cpu *cpu)
{
    return (uint16_t)cpu->cr[3];
}

static inline uint16_t key_mask(const struct cpu *cpu)
{
    return (uint16_t)(cpu->cr[3] >> 16);
}

static inline void set_key_mask(struct cpu *cpu, uint16_t mask)
{
    cpu->cr[3] = (cpu->cr[3] & ~UINT64_C(0xFFFF0000)) | (uint64_t)mask << 16;
}

// ASN and, when `instance` is to be kept, instance number in CR3 or CR4.
void set_secondary(struct cpu *cpu, uint16_t asn, uint64_t asce);
void set_secondary_instance(struct cpu *cpu, uint32_t instance);
// Secondary becomes what primary is now.
void secondary_from_primary(struct cpu *cpu);
// New primary space: CR1, CR4 (AX, ASN and instance number, the latter if `instance`), CR5.
void set_primary(struct cpu *cpu, uint16_t asn, const struct aste *aste, uint64_t asce,
                 bool instance);

// Raises a space-switch event for a change from primary `asn` and `before` to CR1 when one is due:
// an event bit is on, or a PER event is to be indicated.
void space_switch_event(struct cpu *cpu, uint16_t asn, uint64_t before);
// The same after the PSW's address-space control went from `before` into or out of home space.
void home_space_event(struct cpu *cpu, unsigned before);

#endif
