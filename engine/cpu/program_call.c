// SPDX-License-Identifier: MIT
// PROGRAM CALL: the PC number by way of linkage and entry tables to a program, in the current
// primary space or another one, basic or stacking.
// (Principles of Operation, "PC-Number Translation", "PROGRAM CALL".)
#include "cpu/asn.h"
#include "cpu/linkage_stack.h"
#include "cpu/operands.h"
#include "cpu/trace_table.h"

// The PC number, bits 32-63 of the operand address:
//
//            32       43 44 45    50 51   55 56   63
//  20 bits  |            |      LX          |  EX    |   LX: bits 44-55
//  reuse    |   LFX1    | 1|  LFX2  |  LSX  |  EX    |   bit 44 zero: LFX1 is zero
#define LONG_NUMBER 0x00080000u

// Designations and table entries.
#define LINKAGE_VALID 0x80000000u // subsystem-linkage control
#define ENTRY_INVALID 0x80000000u

// An entry-table entry, 8 words.
struct entry {
    uint64_t address; // words 0, 1
    uint32_t word[8];
};
#define ETE_31       0x80000000u // word 1: addressing mode
#define ETE_PROBLEM  0x00000001u // word 1
#define ETE_STACKING 0x80000000u // word 4
#define ETE_64       0x40000000u
#define ETE_KEY      0x10000000u // replace the key
#define ETE_MASK     0x08000000u // replace the key mask
#define ETE_EAX      0x04000000u // replace the extended authorization index
#define ETE_AR       0x02000000u // access-register mode
#define ETE_SECOND   0x01000000u // the new space becomes secondary, too

static _Noreturn void refuse_number(struct cpu *cpu, uint32_t number, uint16_t code)
{
    cpu->fault.teid = number;
    cpu_program_interruption(cpu, code);
}

// The word that designates an entry table: origin, and length in units of four entries.
static uint32_t by_linkage_table(struct cpu *cpu, uint32_t designation, uint32_t number)
{
    uint32_t lx = number >> 8 & 0xFFF;
    if (lx >> 5 > (designation & 0x7F))
        refuse_number(cpu, number, PIC_LX_TRANSLATION);
    uint32_t entry = table_word(cpu, (designation & 0x7FFFFF80) + lx * 4);
    if (entry & ENTRY_INVALID)
        refuse_number(cpu, number, PIC_LX_TRANSLATION);
    return entry;
}

static uint32_t by_reused_tables(struct cpu *cpu, uint32_t designation, uint32_t number)
{
    uint32_t lfx1 = number & LONG_NUMBER ? number >> 20 : 0;
    if (lfx1 > (designation & 0xFF))
        refuse_number(cpu, number, PIC_LFX_TRANSLATION);
    uint32_t lfx = lfx1 << 6 | (number >> 13 & 0x3F);
    uint32_t first = table_word(cpu, (designation & 0x7FFFFF00) + lfx * 4);
    if (first & ENTRY_INVALID)
        refuse_number(cpu, number, PIC_LFX_TRANSLATION);
    uint32_t second = (first & 0x7FFFFF00) + (number >> 8 & 0x1F) * 8;
    uint32_t entry = table_word(cpu, second), sequence = table_word(cpu, second + 4);
    if (entry & ENTRY_INVALID)
        refuse_number(cpu, number, PIC_LSX_TRANSLATION);
    if (sequence && sequence != high(cpu, 15))
        refuse_number(cpu, number, PIC_LSTE_SEQUENCE);
    return entry;
}

static void fetch_entry(struct cpu *cpu, uint32_t table, uint32_t number, struct entry *ete)
{
    uint32_t ex = number & 0xFF;
    if (ex >> 2 > (table & 0x3F))
        refuse_number(cpu, number, PIC_EX_TRANSLATION);
    for (unsigned i = 0; i < 8; i++)
        ete->word[i] = table_word(cpu, (table & 0x7FFFFFC0) + ex * 32 + i * 4);
    ete->address = ete->word[1] & 0x7FFFFFFE;
    if (ete->word[4] & ETE_64)
        ete->address = (uint64_t)ete->word[0] << 32 | (ete->word[1] & 0xFFFFFFFE);
}

// May this entry be called from here?
static void check_entry(struct cpu *cpu, const struct entry *ete)
{
    bool to64 = ete->word[4] & ETE_64;
    if (!(ete->word[4] & ETE_STACKING)) // basic: neither in access-register mode nor to or from 64
        check(cpu, cpu->psw.as == 0 && to64 == cpu->psw.ea, PIC_SPECIAL_OPERATION);
    check(cpu, to64 || ete->word[1] & ETE_31 || ete->address <= 0xFFFFFF, PIC_PC_TRANSLATION);
    check(cpu, !cpu->psw.problem || key_mask(cpu) & ete->word[2] >> 16, PIC_PRIVILEGED);
}

// The space of a space-switching call.
static uint64_t find_space(struct cpu *cpu, const struct entry *ete, uint16_t asn,
                           struct aste *aste)
{
    asn_translation_required(cpu);
    aste_fetch(cpu, ete->word[5] & ASTE_ORIGIN, aste);
    if (aste->word[0] & ASTE_INVALID) {
        cpu->fault.teid = asn;
        cpu_program_interruption(cpu, PIC_ASX_TRANSLATION);
    }
    return subspace_asce(cpu, aste);
}

static void enter_program(struct cpu *cpu, const struct entry *ete)
{
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw.ea = ete->word[4] & ETE_64;
    cpu->psw.ba = cpu->psw.ea || ete->word[1] & ETE_31;
    cpu->psw.address = ete->address;
    cpu->psw.problem = ete->word[1] & ETE_PROBLEM;
    if (cpu->psw.ea) // the entry parameter
        cpu->gr[4] = (uint64_t)ete->word[6] << 32 | ete->word[7];
    else
        set_low(cpu, 4, ete->word[7]);
}

static void call_basic(struct cpu *cpu, const struct entry *ete)
{
    uint64_t back = cpu->psw.address | cpu->psw.problem;
    if (cpu->psw.ea)
        cpu->gr[14] = back;
    else
        set_low(cpu, 14, (uint32_t)back | (uint32_t)cpu->psw.ba << 31);
    set_low(cpu, 3, (uint32_t)key_mask(cpu) << 16 | primary_asn(cpu));
    set_key_mask(cpu, (uint16_t)(key_mask(cpu) | ete->word[3] >> 16));
    enter_program(cpu, ete);
}

// Called-space identification and number: beside them, whether 64-bit mode results.
static uint64_t stacked_number(const struct cpu *cpu, uint16_t asn, const struct aste *aste,
                               const struct entry *ete, uint32_t number)
{
    uint32_t space = 0;
    if (asn)
        space = (uint32_t)asn << 16 | (aste->word[asn_reuse(cpu) ? 11 : 5] & 0xFFFF);
    if (number & LONG_NUMBER && asn_reuse(cpu)) // the marking bit is taken out
        number = (number & 0xFFF00000) >> 1 | (number & 0x7FFFF);
    if (ete->word[4] & ETE_64)
        number |= 0x80000000u;
    return (uint64_t)space << 32 | number;
}

static void call_stacking(struct cpu *cpu, const struct entry *ete, uint64_t target)
{
    uint32_t options = ete->word[4];
    stack_push(cpu, STACK_CALL, &cpu->psw, target);
    if (options & ETE_KEY)
        cpu->psw.key = options >> 20 & 15;
    uint16_t kept = options & ETE_MASK ? 0 : key_mask(cpu);
    set_key_mask(cpu, (uint16_t)(kept | ete->word[3] >> 16));
    if (options & ETE_EAX)
        cpu->cr[8] = (cpu->cr[8] & ~UINT64_C(0xFFFF0000)) | (uint64_t)(options & 0xFFFF) << 16;
    cpu->psw.as = options & ETE_AR ? 1 : 0;
    enter_program(cpu, ete);
}

static uint64_t trace_program_call(struct cpu *cpu, const struct entry *ete, uint64_t cr12)
{
    bool changes = cpu->psw.ea != ((ete->word[4] & ETE_64) != 0);
    return trace_modes(cpu) && changes ? trace_mode(cpu, cr12) : cr12;
}

PLAIN(do_pc)
{
    struct entry ete;
    struct aste aste = {0};
    uint32_t number = (uint32_t)address_bd(cpu, insn);
    bool reuse = asn_reuse(cpu);
    if (!reuse || !(number & LONG_NUMBER))
        number &= 0xFFFFF;
    check(cpu, cpu->psw.dat && cpu->psw.as < 2, PIC_SPECIAL_OPERATION);
    uint32_t designation = table_word(cpu, ((uint32_t)cpu->cr[5] & ASTE_ORIGIN) + 24);
    check(cpu, designation & LINKAGE_VALID, PIC_SPECIAL_OPERATION);
    uint64_t cr12 = cpu->cr[12];
    if (trace_asns(cpu))
        cr12 = trace_call(cpu, cr12, number, reuse && number & LONG_NUMBER);
    uint32_t table = reuse ? by_reused_tables(cpu, designation, number)
                           : by_linkage_table(cpu, designation, number);
    fetch_entry(cpu, table, number, &ete);
    check_entry(cpu, &ete);
    uint16_t asn = (uint16_t)ete.word[2], old = primary_asn(cpu);
    uint64_t before = cpu->cr[1];
    uint64_t asce = asn ? find_space(cpu, &ete, asn, &aste) : before;
    if (ete.word[4] & ETE_STACKING) {
        cr12 = trace_program_call(cpu, &ete, cr12);
        call_stacking(cpu, &ete, stacked_number(cpu, asn, &aste, &ete, number));
    } else {
        call_basic(cpu, &ete);
    }
    cpu->cr[12] = cr12;
    secondary_from_primary(cpu);
    if (!asn)
        return;
    set_primary(cpu, asn, &aste, asce, reuse);
    if ((ete.word[4] & (ETE_STACKING | ETE_SECOND)) == (ETE_STACKING | ETE_SECOND))
        secondary_from_primary(cpu);
    space_switch_event(cpu, old, before);
}
