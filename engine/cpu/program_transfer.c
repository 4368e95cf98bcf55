// SPDX-License-Identifier: MIT
// PROGRAM TRANSFER and SET SECONDARY ASN, each also with instance: to another space by its number,
// when the authority tables allow it. (Principles of Operation, "Control Instructions".)
#include "cpu/asn.h"
#include "cpu/operands.h"
#include "cpu/trace_table.h"

// Which byte of the exception access identification an instance exception shows.
#define OF_PRIMARY   0x20
#define OF_SECONDARY 0x10

// Finds the space `asn`, which must be the one that its user means: without an instance number it
// must not be reusable, with one it must be that instance and not be kept from problem programs.
static void find_instance(struct cpu *cpu, uint16_t asn, bool instance, uint32_t number,
                          uint8_t which, struct aste *aste)
{
    asn_translation_required(cpu);
    asn_require(cpu, asn, aste);
    if (!instance) {
        check(cpu, !(asn_reuse(cpu) && aste->word[1] & ASTE_REUSABLE), PIC_SPECIAL_OPERATION);
        return;
    }
    check(cpu, !(cpu->psw.problem && aste->word[1] & ASTE_CONTROLLED), PIC_SPECIAL_OPERATION);
    if (aste->word[11] != number) {
        cpu->fault.access_id = which;
        cpu_program_interruption(cpu, PIC_ASTE_INSTANCE);
    }
}

static void authorize(struct cpu *cpu, uint16_t asn, const struct aste *aste, bool secondary)
{
    if (asn_authorized(cpu, (uint16_t)(cpu->cr[4] >> 16), aste, secondary))
        return;
    cpu->fault.teid = asn;
    cpu_program_interruption(cpu, secondary ? PIC_SECONDARY_AUTHORITY : PIC_PRIMARY_AUTHORITY);
}

// --- PROGRAM TRANSFER ---------------------------------------------------------------------

// R2: the address, in 24- and 31-bit mode with the mode in bit 32; the last bit is the problem
// state.
static struct psw transfer_psw(struct cpu *cpu, uint64_t value)
{
    struct psw psw = cpu->psw;
    if (psw.ea) {
        psw.address = value & ~UINT64_C(1);
    } else {
        psw.ba = value >> 31 & 1;
        psw.address = value & 0x7FFFFFFE;
    }
    psw.problem = value & 1;
    check(cpu, !cpu->psw.problem || psw.problem, PIC_PRIVILEGED);
    check(cpu, psw.ba || psw.address <= 0xFFFFFF, PIC_SPECIFICATION);
    return psw;
}

static void transfer(struct cpu *cpu, const struct insn *insn, bool instance)
{
    struct aste aste;
    uint16_t asn = (uint16_t)G1, mask = (uint16_t)(G1 >> 16), old = primary_asn(cpu);
    uint64_t before = cpu->cr[1], asce = before, cr12 = cpu->cr[12];
    check(cpu, cpu->psw.dat && cpu->psw.as == 0, PIC_SPECIAL_OPERATION);
    uint32_t designation = table_word(cpu, ((uint32_t)cpu->cr[5] & ASTE_ORIGIN) + 24);
    check(cpu, designation >> 31, PIC_SPECIAL_OPERATION);
    if (trace_asns(cpu))
        cr12 = trace_transfer(cpu, cr12, asn, G2, instance);
    struct psw psw = transfer_psw(cpu, G2);
    if (asn != old) {
        find_instance(cpu, asn, instance, H1, OF_PRIMARY, &aste);
        authorize(cpu, asn, &aste, false);
        asce = subspace_asce(cpu, &aste);
        set_primary(cpu, asn, &aste, asce, instance || asn_reuse(cpu));
    }
    cpu->cr[12] = cr12;
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw = psw;
    set_key_mask(cpu, key_mask(cpu) & mask);
    set_secondary(cpu, asn, asce);
    if (instance || asn_reuse(cpu))
        set_secondary_instance(cpu, (uint32_t)(cpu->cr[4] >> 32));
    if (asn != old)
        space_switch_event(cpu, old, before);
}

PLAIN(do_pt)
{
    transfer(cpu, insn, false);
}

PLAIN(do_pti)
{
    transfer(cpu, insn, true);
}

// --- SET SECONDARY ASN --------------------------------------------------------------------

static void set_secondary_asn(struct cpu *cpu, const struct insn *insn, bool instance)
{
    struct aste aste;
    uint16_t asn = (uint16_t)G1;
    uint64_t asce = cpu->cr[1], cr12 = cpu->cr[12];
    uint32_t number = (uint32_t)(cpu->cr[4] >> 32);
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    asn_translation_required(cpu);
    if (trace_asns(cpu))
        cr12 = trace_secondary(cpu, cr12, asn, instance);
    if (asn != primary_asn(cpu)) {
        find_instance(cpu, asn, instance, H1, OF_SECONDARY, &aste);
        authorize(cpu, asn, &aste, true);
        asce = subspace_asce(cpu, &aste);
        number = aste.word[11];
    }
    cpu->cr[12] = cr12;
    set_secondary(cpu, asn, asce);
    if (instance || asn_reuse(cpu))
        set_secondary_instance(cpu, number);
}

PLAIN(do_ssar)
{
    set_secondary_asn(cpu, insn, false);
}

PLAIN(do_ssair)
{
    set_secondary_asn(cpu, insn, true);
}
