// SPDX-License-Identifier: MIT
// ASN translation, authorization and subspace replacement.
#include "cpu/asn.h"

#include "base/bytes.h"
#include "cpu/codes.h"
#include "cpu/execute.h"
#include "cpu/per.h"

#define TABLE_ADDRESS 0x7FFFFFFFu

uint32_t table_word(struct cpu *cpu, uint32_t real)
{
    uint8_t bytes[4];
    cpu_fetch_real(cpu, real & TABLE_ADDRESS, bytes, 4);
    return be32_load(bytes);
}

void table_word_store(struct cpu *cpu, uint32_t real, uint32_t value)
{
    uint8_t bytes[4];
    be32_store(bytes, value);
    cpu_store_real(cpu, real & TABLE_ADDRESS, bytes, 4);
}

void aste_fetch(struct cpu *cpu, uint32_t origin, struct aste *aste)
{
    aste->origin = origin & TABLE_ADDRESS;
    for (unsigned i = 0; i < 16; i++)
        aste->word[i] = table_word(cpu, aste->origin + i * 4);
}

bool asn_reuse(const struct cpu *cpu)
{
    return cpu->cr[0] & CR0_ASN_LX_REUSE && cpu_facility(cpu, 6);
}

void asn_translation_required(struct cpu *cpu)
{
    check(cpu, cpu->cr[14] & CR14_ASN_TRANSLATION, PIC_SPECIAL_OPERATION);
}

// The ASN's ten high bits index the first table (CR14), its six low bits the second.
uint16_t asn_translate(struct cpu *cpu, uint16_t asn, struct aste *aste)
{
    uint32_t first = (uint32_t)cpu->cr[14] << 12;
    uint32_t entry = table_word(cpu, first + (asn >> 6) * 4u);
    cpu->fault.teid = asn;
    if (entry >> 31)
        return PIC_AFX_TRANSLATION;
    aste_fetch(cpu, (entry & ASTE_ORIGIN) + (asn & 63u) * 64, aste);
    return aste->word[0] & ASTE_INVALID ? PIC_ASX_TRANSLATION : 0;
}

void asn_require(struct cpu *cpu, uint16_t asn, struct aste *aste)
{
    uint16_t code = asn_translate(cpu, asn, aste);
    check(cpu, code == 0, code);
}

// Two bits for each index: primary, secondary.
bool asn_authorized(struct cpu *cpu, uint16_t ax, const struct aste *aste, bool secondary)
{
    if (ax >> 4 > (aste->word[1] >> 4 & 0xFFF))
        return false;
    uint8_t byte;
    cpu_fetch_real(cpu, ((aste->word[0] & 0x7FFFFFFC) + (ax >> 2)) & TABLE_ADDRESS, &byte, 1);
    unsigned bit = (ax & 3u) * 2 + secondary;
    return byte << bit & 0x80;
}

uint64_t subspace_events(uint64_t from, uint64_t to)
{
    uint64_t events = ASCE_ALTERATION | ASCE_SPACE_SWITCH;
    return (to & ~events) | (from & events);
}

uint16_t subspace_replace(struct cpu *cpu, const struct aste *aste, uint64_t *asce)
{
    if (!(*asce & ASCE_GROUP))
        return 0;
    uint32_t duct = duct_origin(cpu), active = table_word(cpu, duct + 4);
    if (!(active & DUCT_ACTIVE) || (table_word(cpu, duct) & ASTE_ORIGIN) != aste->origin)
        return 0;
    struct aste subspace;
    aste_fetch(cpu, active & ASTE_ORIGIN, &subspace);
    cpu->fault.access_id = 0;
    if (subspace.word[0] & ASTE_INVALID)
        return PIC_ASTE_VALIDITY;
    if (subspace.word[5] != table_word(cpu, duct + 12))
        return PIC_ASTE_SEQUENCE;
    *asce = subspace_events(*asce, aste_asce(&subspace));
    return 0;
}

uint64_t subspace_asce(struct cpu *cpu, const struct aste *aste)
{
    uint64_t asce = aste_asce(aste);
    uint16_t code = subspace_replace(cpu, aste, &asce);
    check(cpu, code == 0, code);
    return asce;
}

void set_secondary(struct cpu *cpu, uint16_t asn, uint64_t asce)
{
    cpu->cr[3] = (cpu->cr[3] & ~UINT64_C(0xFFFF)) | asn;
    cpu->cr[7] = asce;
}

void set_secondary_instance(struct cpu *cpu, uint32_t instance)
{
    cpu->cr[3] = (uint64_t)instance << 32 | (uint32_t)cpu->cr[3];
}

void secondary_from_primary(struct cpu *cpu)
{
    set_secondary(cpu, primary_asn(cpu), cpu->cr[1]);
    if (asn_reuse(cpu))
        set_secondary_instance(cpu, (uint32_t)(cpu->cr[4] >> 32));
}

void set_primary(struct cpu *cpu, uint16_t asn, const struct aste *aste, uint64_t asce,
                 bool instance)
{
    uint64_t number = instance ? (uint64_t)aste->word[11] << 32 : cpu->cr[4] >> 32 << 32;
    cpu->cr[1] = asce;
    cpu->cr[4] = number | (aste->word[1] & 0xFFFF0000) | asn;
    cpu->cr[5] = (cpu->cr[5] & ~UINT64_C(0xFFFFFFFF)) | aste->origin;
}

void space_switch_event(struct cpu *cpu, uint16_t asn, uint64_t before)
{
    if (!((before | cpu->cr[1]) & ASCE_SPACE_SWITCH) && !per_event_due(cpu))
        return;
    cpu->fault.teid = asn | (before & ASCE_SPACE_SWITCH ? 0x80000000u : 0);
    cpu_program_interruption(cpu, PIC_SPACE_SWITCH);
}

// Into home space the primary space is told, out of it the home space, which has no number here.
void home_space_event(struct cpu *cpu, unsigned before)
{
    bool home = cpu->psw.as == 3;
    uint64_t bit = cpu->arch == ARCH_Z ? ASCE_SPACE_SWITCH : UINT64_C(0x80000000);
    if ((before == 3) == home || (!((cpu->cr[1] | cpu->cr[13]) & bit) && !per_event_due(cpu)))
        return;
    bool control = cpu->cr[home ? 1 : 13] & bit;
    cpu->fault.teid = (home ? primary_asn(cpu) : 0u) | (control ? 0x80000000u : 0);
    cpu_program_interruption(cpu, PIC_SPACE_SWITCH);
}
