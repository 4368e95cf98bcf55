// SPDX-License-Identifier: MIT
// BRANCH AND STACK, PROGRAM RETURN, and what looks at or changes the current state entry.
// (Principles of Operation, "Control Instructions", "General Instructions".)
#include <string.h>

#include "cpu/asn.h"
#include "cpu/linkage_stack.h"
#include "cpu/operands.h"
#include "cpu/psw.h"
#include "cpu/trace_table.h"

// A register's return address: the last bit says 64-bit mode, otherwise bit 32 31-bit mode.
static void set_return(struct psw *psw, uint64_t value)
{
    psw->ea = value & 1;
    psw->ba = psw->ea || value >> 31 & 1;
    psw->address = psw->ea ? value & ~UINT64_C(1) : value & (psw->ba ? 0x7FFFFFFF : 0xFFFFFF);
}

static uint64_t with_mode(const struct psw *psw, uint64_t address)
{
    return psw->ea ? address | 1 : psw->ba ? address | 0x80000000u : address;
}

PLAIN(do_bakr)
{
    check(cpu, cpu->psw.dat && cpu->psw.as < 2, PIC_SPECIAL_OPERATION);
    struct psw back = cpu->psw;
    uint64_t to = (insn->r2 ? G2 : cpu->psw.address) & cpu->address_mask, cr12 = cpu->cr[12];
    if (insn->r1)
        set_return(&back, G1);
    if (insn->r2 && trace_branches(cpu))
        cr12 = trace_branch(cpu, cr12, to, cpu->psw.ea, cpu->psw.ba);
    stack_push(cpu, STACK_BRANCH, &back, with_mode(&cpu->psw, to));
    cpu->cr[12] = cr12;
    if (!insn->r2)
        return;
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw.address = to;
}

// --- extraction ---------------------------------------------------------------------------

static void extract_registers(struct cpu *cpu, const struct insn *insn, bool whole)
{
    struct stack_entry at = stack_find(cpu, false);
    uint8_t entry[STACK_ENTRY];
    stack_read(cpu, at.start, entry, sizeof entry);
    for (unsigned r = insn->r1;; r = (r + 1) & 15) {
        uint64_t value = be64_load(entry + (size_t)r * 8);
        if (whole)
            cpu->gr[r] = value;
        else
            set_low(cpu, r, (uint32_t)value);
        cpu->ar[r] = be32_load(entry + STACK_ARS + (size_t)r * 4);
        if (r == insn->r2)
            break;
    }
}

PLAIN(do_ereg)
{
    extract_registers(cpu, insn, false);
}

PLAIN(do_eregg)
{
    extract_registers(cpu, insn, true);
}

// R2 says what comes into the pair R1: a doubleword of the status (0, 2, 3), the PSW in short (1)
// or full form (4), the instance numbers (5).
static void extract_status(struct cpu *cpu, unsigned r1, unsigned code, const uint8_t *entry)
{
    const uint8_t *status = entry + STACK_STATUS + code * 8;
    uint64_t address = be64_load(entry + STACK_ADDRESS);
    switch (code) {
    case 1:
        set_low(cpu, r1, be32_load(entry + STACK_PSW) | 0x00080000);
        set_low(cpu, r1 + 1,
                (be32_load(entry + STACK_PSW + 4) & 0x80000000u) |
                    ((uint32_t)address & 0x7FFFFFFF) | (address >> 31 != 0));
        break;
    case 4:
        cpu->gr[r1] = be64_load(entry + STACK_PSW);
        cpu->gr[r1 + 1] = address;
        break;
    case 5:
        set_high(cpu, r1, be32_load(entry + STACK_INSTANCES));
        set_high(cpu, r1 + 1, be32_load(entry + STACK_INSTANCES + 4));
        break;
    default:
        set_low(cpu, r1, be32_load(status));
        set_low(cpu, r1 + 1, be32_load(status + 4));
        break;
    }
}

PLAIN(do_esta)
{
    unsigned code = (unsigned)G2 & 0xFF;
    check(cpu, cpu->psw.dat && cpu->psw.as != 2, PIC_SPECIAL_OPERATION);
    check(cpu, !(insn->r1 & 1) && code <= (cpu_facility(cpu, 6) ? 5 : 4), PIC_SPECIFICATION);
    struct stack_entry at = stack_find(cpu, false);
    uint8_t entry[STACK_ENTRY];
    stack_read(cpu, at.start, entry, sizeof entry);
    extract_status(cpu, insn->r1, code, entry);
    cpu->psw.cc = at.type == STACK_CALL;
}

PLAIN(do_msta)
{
    uint8_t bytes[8];
    check(cpu, cpu->psw.dat && cpu->psw.as != 2, PIC_SPECIAL_OPERATION);
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION);
    struct stack_entry at = stack_find(cpu, false);
    be32_store(bytes, W1);
    be32_store(bytes + 4, low(cpu, insn->r1 + 1u));
    stack_write(cpu, at.start + STACK_MODIFIABLE, bytes, 8);
}

// --- PROGRAM RETURN -----------------------------------------------------------------------
//
// Any exception leaves everything as it was: the new contents are made in a copy of the control
// registers and come into effect together.

static void instance_matches(struct cpu *cpu, uint32_t instance, const struct aste *aste,
                             uint8_t which)
{
    if (!asn_reuse(cpu) || aste->word[11] == instance)
        return;
    cpu->fault.access_id = which;
    cpu_program_interruption(cpu, PIC_ASTE_INSTANCE);
}

// The primary space of the entry, if it is another one: true when it was changed.
static bool return_primary(struct cpu *cpu, uint16_t pasn, uint32_t instance, uint64_t cr[16])
{
    struct aste aste;
    if (pasn == primary_asn(cpu))
        return false;
    asn_translation_required(cpu);
    asn_require(cpu, pasn, &aste);
    instance_matches(cpu, instance, &aste, 0x20);
    uint64_t number = asn_reuse(cpu) ? (uint64_t)instance << 32 : cpu->cr[4] >> 32 << 32;
    cr[4] = number | (aste.word[1] & 0xFFFF0000) | pasn;
    cr[5] = (cpu->cr[5] & ~UINT64_C(0xFFFFFFFF)) | aste.origin;
    cr[1] = subspace_asce(cpu, &aste);
    return true;
}

static uint64_t return_secondary(struct cpu *cpu, uint16_t sasn, uint32_t instance, uint16_t ax)
{
    struct aste aste;
    asn_translation_required(cpu);
    asn_require(cpu, sasn, &aste);
    instance_matches(cpu, instance, &aste, 0x10);
    if (!asn_authorized(cpu, ax, &aste, true)) {
        cpu->fault.teid = sasn;
        cpu_program_interruption(cpu, PIC_SECONDARY_AUTHORITY);
    }
    return subspace_asce(cpu, &aste);
}

// What a call state entry restores beyond a branch state entry. True: the primary space changed.
static bool return_from_call(struct cpu *cpu, const uint8_t *entry, uint64_t cr[16])
{
    uint32_t keys_and_sasn = be32_load(entry + STACK_STATUS);
    uint16_t sasn = (uint16_t)keys_and_sasn, pasn = be16_load(entry + STACK_STATUS + 6);
    uint32_t sastein = be32_load(entry + STACK_INSTANCES);
    bool switched = return_primary(cpu, pasn, be32_load(entry + STACK_INSTANCES + 4), cr);
    uint64_t number = asn_reuse(cpu) ? (uint64_t)sastein << 32 : cpu->cr[3] >> 32 << 32;
    cr[3] = number | keys_and_sasn;
    cr[7] = sasn == pasn ? cr[1] : return_secondary(cpu, sasn, sastein, (uint16_t)(cr[4] >> 16));
    uint64_t eax = be16_load(entry + STACK_STATUS + 4);
    cr[8] = (cr[8] & ~UINT64_C(0xFFFF0000)) | eax << 16;
    return switched;
}

static void load_registers(struct cpu *cpu, const uint8_t *entry)
{
    for (unsigned r = 2; r <= 14; r++) {
        cpu->gr[r] = be64_load(entry + (size_t)r * 8);
        cpu->ar[r] = be32_load(entry + STACK_ARS + (size_t)r * 4);
    }
}

// The PSW of the entry; PER stays as it is.
static struct psw stacked_psw(const struct cpu *cpu, const uint8_t *entry)
{
    uint8_t image[16];
    struct psw psw;
    memcpy(image, entry + STACK_PSW, 8);
    memcpy(image + 8, entry + STACK_ADDRESS, 8);
    psw_unpack_z(&psw, image);
    psw.per = cpu->psw.per;
    return psw;
}

static uint64_t trace_unstack(struct cpu *cpu, const struct stack_entry *at, const uint8_t *entry,
                              const struct psw *to)
{
    if (at->type == STACK_CALL && trace_asns(cpu))
        return trace_return(cpu, cpu->cr[12], be16_load(entry + STACK_STATUS + 6), to);
    if (trace_modes(cpu) && cpu->psw.ea != to->ea)
        return trace_mode(cpu, cpu->cr[12]);
    return cpu->cr[12];
}

PLAIN(do_pr)
{
    (void)insn;
    uint8_t entry[STACK_ENTRY];
    uint64_t cr[16], asce = cpu->cr[1];
    uint16_t pasn = primary_asn(cpu);
    bool switched = false;
    struct stack_entry at = stack_find(cpu, true);
    stack_read(cpu, at.start, entry, sizeof entry);
    uint64_t cr15 = stack_probe_pop(cpu, &at);
    struct psw psw = stacked_psw(cpu, entry);
    memcpy(cr, cpu->cr, sizeof cr);
    cr[12] = trace_unstack(cpu, &at, entry, &psw);
    if (at.type == STACK_CALL)
        switched = return_from_call(cpu, entry, cr);
    stack_pop(cpu, cr15); // in the home space as it is now, and the last that may fail
    cr[15] = cr15;
    memcpy(cpu->cr, cr, sizeof cr);
    load_registers(cpu, entry);
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw = psw;
    if (switched)
        space_switch_event(cpu, pasn, asce);
    cpu->ilc = 0; // should the new PSW be invalid
}
