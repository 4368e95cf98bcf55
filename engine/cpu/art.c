// SPDX-License-Identifier: MIT
// Access-register translation.
#include "cpu/art.h"

#include "base/bytes.h"
#include "cpu/codes.h"

// ALET: zeros 0-6, P 7 (primary list), sequence 8-15, number 16-31.
//
// Access-list entry, 4 words: I 0, fetch only 6, P (private) 7, sequence 8-15, authorization index
// 16-31 | - | ASTE origin | ASTE sequence number.
#define ALE_INVALID    0x80000000u
#define ALE_FETCH_ONLY 0x02000000u
#define ALE_PRIVATE    0x01000000u

static bool fetch(const struct cpu *cpu, uint32_t real, uint32_t *word)
{
    uint8_t bytes[4];
    uint64_t absolute = cpu_real_to_absolute(cpu, real & 0x7FFFFFFF);
    if (!storage_read(cpu->storage, absolute, bytes, 4))
        return false;
    *word = be32_load(bytes);
    return true;
}

// Extended authority: the entry is public, names our index, or the space's authority table has the
// secondary bit of it on.
static uint16_t check_authority(struct cpu *cpu, uint32_t entry, int eax, const struct aste *aste)
{
    if (eax == ART_ANY_AUTHORITY || !(entry & ALE_PRIVATE) || (entry & 0xFFFF) == (uint32_t)eax)
        return 0;
    return asn_authorized(cpu, (uint16_t)eax, aste, true) ? 0 : PIC_EXTENDED_AUTHORITY;
}

static uint16_t follow_entry(struct cpu *cpu, uint32_t alet, const uint32_t ale[4], int eax,
                             struct art_result *out)
{
    if (ale[0] & ALE_INVALID)
        return PIC_ALEN_TRANSLATION;
    if ((ale[0] >> 16 & 0xFF) != (alet >> 16 & 0xFF))
        return PIC_ALE_SEQUENCE;
    out->fetch_only = ale[0] & ALE_FETCH_ONLY;
    out->aste.origin = ale[2] & ASTE_ORIGIN;
    for (unsigned i = 0; i < 16; i++) {
        if (!fetch(cpu, out->aste.origin + i * 4, &out->aste.word[i]))
            return PIC_ADDRESSING;
    }
    if (out->aste.word[0] & ASTE_INVALID)
        return PIC_ASTE_VALIDITY;
    if (out->aste.word[5] != ale[3])
        return PIC_ASTE_SEQUENCE;
    return check_authority(cpu, ale[0], eax, &out->aste);
}

// The access list hangs off the dispatchable-unit control table (CR2) or the primary ASTE (CR5).
uint16_t art_lookup(struct cpu *cpu, uint32_t alet, int eax, struct art_result *out)
{
    if (alet >> 25)
        return PIC_ALET_SPECIFICATION;
    uint32_t holder = (uint32_t)cpu->cr[alet >> 24 & 1 ? 5 : 2] & 0x7FFFFFC0;
    uint32_t list, ale[4], number = alet & 0xFFFF;
    if (!fetch(cpu, holder + 16, &list))
        return PIC_ADDRESSING;
    if (number >> 3 > (list & 0x7F))
        return PIC_ALEN_TRANSLATION;
    for (unsigned i = 0; i < 4; i++) {
        if (!fetch(cpu, (list & 0x7FFFFF80) + number * 16 + i * 4, &ale[i]))
            return PIC_ADDRESSING;
    }
    return follow_entry(cpu, alet, ale, eax, out);
}

uint16_t art_translate(struct cpu *cpu, uint32_t alet, uint64_t *asce, bool *fetch_only)
{
    struct art_result result;
    *fetch_only = false;
    if (alet < 2) {
        *asce = cpu->cr[alet ? 7 : 1];
        return 0;
    }
    uint16_t code = art_lookup(cpu, alet, (uint16_t)(cpu->cr[8] >> 16), &result);
    if (code)
        return code;
    *fetch_only = result.fetch_only;
    if (cpu->arch == ARCH_ESA390) {
        *asce = result.aste.word[2];
        return 0;
    }
    *asce = aste_asce(&result.aste);
    return subspace_replace(cpu, &result.aste, asce);
}
