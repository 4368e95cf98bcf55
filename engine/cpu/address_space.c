// SPDX-License-Identifier: MIT
// Address-space numbers and authority in control registers: extracting them, loading all of them,
// testing an access register. (Principles of Operation, "Control Instructions".)
#include "cpu/art.h"
#include "cpu/asn.h"
#include "cpu/operands.h"

static void check_extraction(struct cpu *cpu)
{
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    check(cpu, !cpu->psw.problem || cpu->cr[0] & CR0_EXTRACTION_AUTHORITY, PIC_PRIVILEGED);
}

PLAIN(do_epar)
{
    check_extraction(cpu);
    set_low(cpu, insn->r1, primary_asn(cpu));
}

PLAIN(do_esar)
{
    check_extraction(cpu);
    set_low(cpu, insn->r1, secondary_asn(cpu));
}

PLAIN(do_epair)
{
    check_extraction(cpu);
    G1 = (cpu->cr[4] & ~UINT64_C(0xFFFFFFFF)) | primary_asn(cpu);
}

PLAIN(do_esair)
{
    check_extraction(cpu);
    G1 = (cpu->cr[3] & ~UINT64_C(0xFFFFFFFF)) | secondary_asn(cpu);
}

// EXTRACT AND SET EXTENDED AUTHORITY: the index goes to bits 32-47, bits 48-63 become it.
PLAIN(do_esea)
{
    uint64_t eax = cpu->cr[8] >> 16 & 0xFFFF, new = G1 & 0xFFFF;
    set_low(cpu, insn->r1, (uint32_t)(eax << 16 | new));
    cpu->cr[8] = (cpu->cr[8] & ~UINT64_C(0xFFFF0000)) | new << 16;
}

// --- TEST ACCESS --------------------------------------------------------------------------

// cc 0: ALET 0; 1 or 2: by the dispatchable unit's or the primary space's access list; 3: not to be
// used, or ALET 1. R2 has the extended authorization index to try.
PLAIN(do_tar)
{
    uint32_t alet = cpu->ar[insn->r1];
    struct art_result result;
    if (cpu->arch == ARCH_ESA390)
        check(cpu, cpu->cr[0] & CR0_ASF, PIC_SPECIAL_OPERATION);
    if (alet < 2) {
        cpu->psw.cc = alet ? 3 : 0;
        return;
    }
    uint16_t code = art_lookup(cpu, alet, (uint16_t)(G2 >> 16), &result);
    check(cpu, code != PIC_ADDRESSING, code);
    cpu->psw.cc = code ? 3 : alet >> 24 & 1 ? 2 : 1;
}

// --- LOAD ADDRESS SPACE PARAMETERS ----------------------------------------------------------

// The first operand: a doubleword with PKM, SASN, AX, PASN; with ASN-and-LX reuse two, with the
// instance numbers ahead of SASN's and PASN's halves.
struct parameters {
    uint16_t pkm, sasn, ax, pasn;
    uint32_t sastein, pastein;
};

// Function bits of the second operand's address.
#define FORCE_TRANSLATION 4u // of both ASNs
#define USE_AX            2u // the operand's AX, not the ASTE's
#define SKIP_AUTHORITY    1u // no secondary authorization

static struct parameters fetch_parameters(struct cpu *cpu, const struct insn *insn)
{
    uint8_t b[16];
    uint64_t address = address_bd(cpu, insn);
    bool reuse = asn_reuse(cpu);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    guest_fetch(cpu, insn->b, address, b, reuse ? 16 : 8);
    if (!reuse)
        return (struct parameters){
            be16_load(b), be16_load(b + 2), be16_load(b + 4), be16_load(b + 6), 0, 0};
    return (struct parameters){be16_load(b + 4),  be16_load(b + 6), be16_load(b + 12),
                               be16_load(b + 14), be32_load(b),     be32_load(b + 8)};
}

// A space by number and instance, its ASCE after subspace replacement; false when there is none.
static bool load_space(struct cpu *cpu, uint16_t asn, uint32_t instance, struct aste *aste,
                       uint64_t *asce)
{
    if (asn_translate(cpu, asn, aste) || (asn_reuse(cpu) && aste->word[11] != instance))
        return false;
    *asce = aste_asce(aste);
    return subspace_replace(cpu, aste, asce) == 0;
}

// What the control registers become.
struct spaces {
    uint64_t cr1, cr7;
    uint32_t pasteo, pastein, sastein;
    uint16_t ax;
};

// Condition code: 0, 1 (no such primary), 3 (space-switch event: software must do it).
static unsigned load_primary(struct cpu *cpu, const struct parameters *p, unsigned function,
                             struct spaces *to)
{
    struct aste aste;
    if (!(function & FORCE_TRANSLATION) && p->pasn == primary_asn(cpu))
        return 0;
    if (!load_space(cpu, p->pasn, p->pastein, &aste, &to->cr1))
        return 1;
    if ((cpu->cr[1] | aste_asce(&aste)) & ASCE_SPACE_SWITCH)
        return 3;
    to->pasteo = aste.origin;
    to->pastein = asn_reuse(cpu) ? p->pastein : to->pastein;
    to->ax = (uint16_t)(aste.word[1] >> 16);
    return 0;
}

static unsigned load_secondary(struct cpu *cpu, const struct parameters *p, unsigned function,
                               struct spaces *to)
{
    struct aste aste;
    if (p->sasn == p->pasn) {
        to->cr7 = to->cr1;
        to->sastein = asn_reuse(cpu) ? to->pastein : to->sastein;
        return 0;
    }
    bool skip = function & SKIP_AUTHORITY;
    if (!(function & FORCE_TRANSLATION) && skip && p->sasn == secondary_asn(cpu))
        return 0;
    if (!load_space(cpu, p->sasn, p->sastein, &aste, &to->cr7))
        return 2;
    to->sastein = asn_reuse(cpu) ? p->sastein : to->sastein;
    return skip || asn_authorized(cpu, to->ax, &aste, true) ? 0 : 2;
}

PLAIN(do_lasp)
{
    asn_translation_required(cpu);
    struct parameters p = fetch_parameters(cpu, insn);
    unsigned function = address_bd2(cpu, insn) & 7;
    uint64_t *cr = cpu->cr;
    struct spaces to = {cr[1],
                        cr[7],
                        (uint32_t)cr[5],
                        (uint32_t)(cr[4] >> 32),
                        (uint32_t)(cr[3] >> 32),
                        (uint16_t)(cr[4] >> 16)};
    cpu->psw.cc = (uint8_t)load_primary(cpu, &p, function, &to);
    if (cpu->psw.cc)
        return;
    if (function & USE_AX)
        to.ax = p.ax;
    cpu->psw.cc = (uint8_t)load_secondary(cpu, &p, function, &to);
    if (cpu->psw.cc)
        return;
    cr[1] = to.cr1;
    cr[3] = (uint64_t)to.sastein << 32 | (uint32_t)p.pkm << 16 | p.sasn;
    cr[4] = (uint64_t)to.pastein << 32 | (uint32_t)to.ax << 16 | p.pasn;
    cr[5] = (cr[5] & ~UINT64_C(0xFFFFFFFF)) | to.pasteo;
    cr[7] = to.cr7;
}
