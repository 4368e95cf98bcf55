// SPDX-License-Identifier: MIT
// BRANCH IN SUBSPACE GROUP and BRANCH AND SET AUTHORITY: changes that the dispatchable-unit control
// table keeps account of. (Principles of Operation, "Control Instructions", "General
// Instructions".)
#include "cpu/art.h"
#include "cpu/operands.h"
#include "cpu/trace_table.h"

// The table is about to be stored into, at a real address that low-address protection may cover.
static uint32_t writable_duct(struct cpu *cpu)
{
    uint32_t duct = duct_origin(cpu);
    uint32_t low = cpu->arch == ARCH_Z ? duct & ~0x1000u : duct;
    if (cpu->cr[0] & CR0_LOW_PROTECTION && low < 512) {
        cpu->fault.teid = duct & PAGE_MASK;
        cpu->fault.access_id = 0;
        cpu_program_interruption(cpu, PIC_PROTECTION);
    }
    table_word(cpu, duct); // there at all
    return duct;
}

// The (updated) instruction address as these instructions save it in a register.
static uint64_t link_address(const struct cpu *cpu)
{
    return cpu->psw.address | (!cpu->psw.ea && cpu->psw.ba ? 0x80000000u : 0);
}

static void set_link(struct cpu *cpu, unsigned r)
{
    if (r == 0)
        return;
    if (cpu->psw.ea)
        cpu->gr[r] = link_address(cpu);
    else
        set_low(cpu, r, (uint32_t)link_address(cpu));
}

// Branches to a register's value: outside of 64-bit mode its bit 32 sets the mode.
static void branch_in_mode(struct cpu *cpu, uint64_t value)
{
    cpu->breaking_event = cpu->instruction_address;
    if (cpu->psw.ea) {
        cpu->psw.address = value;
        return;
    }
    cpu->psw.ba = value >> 31 & 1;
    cpu->psw.address = value & (cpu->psw.ba ? 0x7FFFFFFF : 0xFFFFFF);
}

static uint64_t trace_branch_in_mode(struct cpu *cpu, uint64_t cr12, uint64_t value)
{
    bool ba = cpu->psw.ea || value >> 31 & 1;
    uint64_t address = cpu->psw.ea ? value : value & (ba ? 0x7FFFFFFF : 0xFFFFFF);
    return trace_branch(cpu, cr12, address, cpu->psw.ea, ba);
}

// --- BRANCH IN SUBSPACE GROUP ---------------------------------------------------------------

static _Noreturn void refuse_space(struct cpu *cpu, unsigned r, uint16_t code)
{
    cpu->fault.access_id = (uint8_t)r;
    cpu_program_interruption(cpu, code);
}

// The subspace that had control last.
static void last_subspace(struct cpu *cpu, uint32_t duct, unsigned r, struct aste *aste)
{
    uint32_t origin = table_word(cpu, duct + 4) & ASTE_ORIGIN;
    check(cpu, origin != 0, PIC_SPECIAL_OPERATION);
    aste_fetch(cpu, origin, aste);
    if (aste->word[0] & ASTE_INVALID)
        refuse_space(cpu, r, PIC_ASTE_VALIDITY);
    if (aste->word[5] != table_word(cpu, duct + 12))
        refuse_space(cpu, r, PIC_ASTE_SEQUENCE);
}

// Where the ALET leads: 0 the base space, 1 the last subspace, others by the access list to a space
// of this group.
static void destination(struct cpu *cpu, uint32_t duct, uint32_t base, uint32_t alet, unsigned r,
                        struct aste *aste)
{
    struct art_result result;
    if (alet == 0) {
        aste_fetch(cpu, base, aste);
        return;
    }
    if (alet == 1) {
        last_subspace(cpu, duct, r, aste);
        return;
    }
    uint16_t code = art_lookup(cpu, alet, ART_ANY_AUTHORITY, &result);
    if (code)
        refuse_space(cpu, r, code);
    *aste = result.aste;
    bool in_group = aste_asce(aste) & ASCE_GROUP && !(aste->word[0] & ASTE_BASE);
    check(cpu, aste->origin == base || in_group, PIC_SPECIAL_OPERATION);
}

// The table remembers which subspace is active.
static void note_space(struct cpu *cpu, uint32_t duct, uint32_t base, uint32_t alet,
                       const struct aste *aste)
{
    uint32_t active = table_word(cpu, duct + 4);
    if (alet != 1 && aste->origin == base) {
        table_word_store(cpu, duct + 4, active & ~DUCT_ACTIVE);
        return;
    }
    table_word_store(cpu, duct + 4, DUCT_ACTIVE | (alet == 1 ? active : aste->origin));
    if (alet != 1)
        table_word_store(cpu, duct + 12, aste->word[5]);
}

PLAIN(do_bsg)
{
    struct aste aste;
    uint64_t value = G2, cr12 = cpu->cr[12];
    uint32_t alet = insn->r2 ? cpu->ar[insn->r2] : 0;
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    if (trace_asns(cpu))
        cr12 = trace_subspace(cpu, cr12, alet, value);
    else if (trace_branches(cpu))
        cr12 = trace_branch_in_mode(cpu, cr12, value);
    uint32_t duct = writable_duct(cpu), base = table_word(cpu, duct) & ASTE_ORIGIN;
    check(cpu, ((uint32_t)cpu->cr[5] & ASTE_ORIGIN) == base, PIC_SPECIAL_OPERATION);
    destination(cpu, duct, base, alet, insn->r2, &aste);
    bool to_base = alet != 1 && aste.origin == base;
    uint64_t asce = aste_asce(&aste);
    note_space(cpu, duct, base, alet, &aste);
    cpu->cr[1] = to_base ? asce : subspace_events(cpu->cr[1], asce);
    cpu->cr[12] = cr12;
    secondary_from_primary(cpu);
    set_link(cpu, insn->r1);
    branch_in_mode(cpu, value);
}

// --- BRANCH AND SET AUTHORITY ---------------------------------------------------------------
//
// Word 5 of the table: key mask 0-15, key 24-27, reduced authority 28, problem state 31; words 8
// and 9 the address to return to.
#define DUCT_REDUCED 8u
#define DUCT_PROBLEM 1u

static void reduce_authority(struct cpu *cpu, const struct insn *insn, uint32_t duct)
{
    uint64_t value = G2, cr12 = cpu->cr[12];
    unsigned key = W1 >> 4 & 15;
    check(cpu, insn->r2 != 0, PIC_SPECIAL_OPERATION);
    if (trace_branches(cpu))
        cr12 = trace_branch_in_mode(cpu, cr12, value);
    check(cpu, !cpu->psw.problem || cpu->cr[3] >> (31 - key) & 1, PIC_PRIVILEGED);
    uint64_t back = link_address(cpu);
    table_word_store(cpu, duct + 20,
                     (uint32_t)key_mask(cpu) << 16 | (uint32_t)cpu->psw.key << 4 | DUCT_REDUCED |
                         (cpu->psw.problem ? DUCT_PROBLEM : 0));
    table_word_store(cpu, duct + 32, (uint32_t)(back >> 32));
    table_word_store(cpu, duct + 36, (uint32_t)back);
    cpu->cr[12] = cr12;
    cpu->psw.key = (uint8_t)key;
    cpu->psw.problem = true;
    set_key_mask(cpu, (uint16_t)(key_mask(cpu) & W1 >> 16));
    branch_in_mode(cpu, value);
}

static void restore_authority(struct cpu *cpu, const struct insn *insn, uint32_t duct,
                              uint32_t kept)
{
    uint64_t back = (uint64_t)table_word(cpu, duct + 32) << 32 | table_word(cpu, duct + 36);
    uint64_t cr12 = cpu->cr[12];
    check(cpu, insn->r2 == 0, PIC_SPECIAL_OPERATION);
    if (trace_branches(cpu))
        cr12 = trace_branch_in_mode(cpu, cr12, back);
    table_word_store(cpu, duct + 20, kept & ~DUCT_REDUCED);
    cpu->cr[12] = cr12;
    set_link(cpu, insn->r1);
    cpu->breaking_event = cpu->instruction_address;
    if (!cpu->psw.ea)
        cpu->psw.ba = back >> 31 & 1;
    // An address that does not fit the mode is found when the PSW is looked at next.
    cpu->psw.address = cpu->psw.ea ? back : back & 0x7FFFFFFF;
    cpu->psw.key = kept >> 4 & 15;
    cpu->psw.problem = kept & DUCT_PROBLEM;
    set_key_mask(cpu, (uint16_t)(kept >> 16));
    cpu->ilc = 0;
}

PLAIN(do_bsa)
{
    uint32_t duct = writable_duct(cpu), kept = table_word(cpu, duct + 20);
    if (kept & DUCT_REDUCED)
        restore_authority(cpu, insn, duct, kept);
    else
        reduce_authority(cpu, insn, duct);
}
