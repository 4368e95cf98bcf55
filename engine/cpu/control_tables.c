// SPDX-License-Identifier: MIT
// Translation tables: looking translations up, invalidating and replacing entries, purging.
// (Principles of Operation, "Control Instructions".)
#include "cpu/dat.h"
#include "cpu/derive.h"
#include "cpu/operands.h"

// All CPUs of the configuration forget translations and key checks.
void cpu_flush_all(struct cpu *cpu)
{
    cpu_flush(cpu);
    cpu_state_changed(cpu);
    if (cpu->host->flush_all)
        cpu->host->flush_all(cpu);
}

// M4's local-clearing control (facility 51) spares the others.
static void clear_translations(struct cpu *cpu, const struct insn *insn)
{
    if (!(insn->m4 & 1) || !cpu_facility(cpu, 51)) {
        cpu_flush_all(cpu);
        return;
    }
    cpu_flush(cpu);
    cpu_state_changed(cpu);
}

// --- LOAD REAL ADDRESS ------------------------------------------------------------------------

// How a translation ended: condition code and value, an address or (cc 3) an exception code.
struct lookup {
    uint8_t cc;
    uint64_t value;
};

// DAT counts as on. cc 1: segment entry invalid, 2: page entry invalid, each with its address; 3:
// anything before.
static struct lookup look_up(struct cpu *cpu, unsigned b, uint64_t address)
{
    struct space space;
    struct translation t;
    uint16_t code = space_find(cpu, b, cpu->psw.as, &space);
    if (!code)
        code = dat_translate(cpu, space.asce, address, &t);
    check(cpu, code != PIC_TRANSLATION_SPECIFICATION && code != PIC_ADDRESSING, code);
    if (!code)
        return (struct lookup){0, t.real};
    if (code == PIC_PAGE || (code == PIC_SEGMENT && !t.beyond))
        return (struct lookup){code == PIC_PAGE ? 2 : 1, t.entry};
    return (struct lookup){3, code};
}

PLAIN(do_lra)
{
    struct lookup l = look_up(cpu, insn->b, address_bxd(cpu, insn));
    check(cpu, cpu->psw.ea || l.value >> 31 == 0, PIC_SPECIAL_OPERATION);
    cpu->psw.cc = l.cc;
    if (l.cc == 3)
        set_low(cpu, insn->r1, 0x80000000u | (uint32_t)l.value);
    else if (cpu->psw.ea)
        G1 = l.value;
    else
        set_low(cpu, insn->r1, (uint32_t)l.value);
}

PLAIN(do_lrag)
{
    struct lookup l = look_up(cpu, insn->b, address_bxd(cpu, insn));
    cpu->psw.cc = l.cc;
    if (l.cc == 3)
        set_low(cpu, insn->r1, 0x80000000u | (uint32_t)l.value);
    else
        G1 = l.value;
}

// STORE REAL ADDRESS: where the second operand lies goes to the first.
PLAIN(do_strag)
{
    uint64_t to = address_bd(cpu, insn);
    check(cpu, !(to & 7), PIC_SPECIFICATION);
    struct space space = space_operand(cpu, insn->b2);
    struct translation t;
    uint64_t address = address_bd2(cpu, insn);
    uint16_t code = dat_translate(cpu, space.asce, address, &t);
    if (code) {
        cpu->fault.teid = (address & PAGE_MASK) | space.id;
        cpu->fault.access_id = space.ar;
        cpu_program_interruption(cpu, code);
    }
    guest_write64(cpu, NULL, insn->b, to, t.real);
}

// LOAD PAGE-TABLE-ENTRY ADDRESS: of R2's address in the space that M4 selects. cc 0 and 1: the page
// entry's address, 1 where an entry above protects the page; 2: an entry above is invalid or has a
// frame of its own, its address; 3: none, an exception code.
PLAIN(do_lptea)
{
    static const uint8_t space_of[5] = {0, 1, 2, 3};
    unsigned m4 = insn->m4;
    check(cpu, m4 <= 4, PIC_SPECIFICATION);
    struct space space;
    struct translation t;
    unsigned as = m4 == 4 ? cpu->psw.as : space_of[m4];
    uint16_t code = space_find(cpu, insn->r2 ? insn->r2 : NO_REGISTER, as, &space);
    if (!code)
        code = dat_translate(cpu, space.asce, cpu_wrap(cpu, G2), &t);
    check(cpu, code != PIC_ADDRESSING, code);
    if (code == PIC_TRANSLATION_SPECIFICATION && t.level > 0)
        cpu_program_interruption(cpu, code);
    bool found =
        t.level == 0 && (!code || code == PIC_PAGE || code == PIC_TRANSLATION_SPECIFICATION);
    if (found || !code || (code <= PIC_REGION3 && !t.beyond && t.level < 5)) {
        cpu->psw.cc = found ? t.protected_above : 2;
        G1 = t.entry;
        return;
    }
    cpu->psw.cc = 3;
    G1 = code;
}

// --- invalidating and replacing entries
// -----------------------------------------------------------

PLAIN(do_ptlb)
{
    (void)insn;
    cpu_flush(cpu);
}

PLAIN(do_palb)
{
    (void)cpu;
    (void)insn; // access-register translations are not remembered beyond an access
}

// Host place of a table entry at a real address, about to be stored into.
static uint8_t *entry_place(struct cpu *cpu, uint64_t real, unsigned n)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    struct storage_extent *extent = storage_find(cpu->storage, absolute, n);
    check(cpu, extent != NULL, PIC_ADDRESSING);
    uint64_t offset = absolute - extent->start;
    __atomic_fetch_or(&extent->keys[offset >> FRAME_SHIFT], KEY_R | KEY_C, __ATOMIC_RELAXED);
    return extent->bytes + offset;
}

// Sets a bit of an entry as the hardware does: interlocked.
static void entry_or(struct cpu *cpu, uint64_t real, unsigned byte, uint8_t bit, unsigned n)
{
    uint8_t *place = entry_place(cpu, real, n);
    __atomic_fetch_or(place + byte, bit, __ATOMIC_SEQ_CST);
    storage_code_changed(cpu->storage, cpu_real_to_absolute(cpu, real), n);
}

// R1 has the page-table origin, R2 the virtual address, R3 (IPTE range) further entries.
PLAIN(do_ipte)
{
    unsigned more = insn->r3 && cpu_facility(cpu, 13) ? (unsigned)cpu->gr[insn->r3] & 0xFF : 0;
    unsigned px = (unsigned)(G2 >> 12) & 0xFF;
    check(cpu, px + more < 256, PIC_SPECIFICATION);
    for (unsigned i = 0; i <= more; i++, px++) {
        if (cpu->arch == ARCH_Z)
            entry_or(cpu, (G1 & ~UINT64_C(0x7FF)) + px * 8, 6, 0x04, 8);
        else
            entry_or(cpu, (W1 & 0x7FFFFFC0) + px * 4, 2, 0x04, 4);
    }
    clear_translations(cpu, insn);
}

#define CLEAR_BY_ASCE 0x800u // R2 bit 52: entries stay

// R1 has the table's origin and type, R2 the effective index and how many more entries, R3 an ASCE
// to clear by. The index wraps within the table.
PLAIN(do_idte)
{
    check(cpu, !(G2 & 0xFF000), PIC_SPECIFICATION);
    if (!(G2 & CLEAR_BY_ASCE)) {
        unsigned type = (unsigned)(G1 >> 2) & 3, more = (unsigned)G2 & 0x7FF;
        unsigned index = (unsigned)(G2 >> (20 + type * 11)) & 0x7FF;
        for (unsigned i = 0; i <= more; i++)
            entry_or(cpu, (G1 & PAGE_MASK) + ((index + i) & 0x7FF) * 8, 7, 0x20, 8);
    }
    clear_translations(cpu, insn);
}

// Where COMPARE AND REPLACE DAT TABLE ENTRY finds its entry: R2 has the origin and, in bits 59-61,
// the table's type (0 page, 4-7 segment to region first), R2 + 1 the virtual address.
static uint64_t table_entry(struct cpu *cpu, uint64_t table, uint64_t address)
{
    unsigned type = (unsigned)table >> 2 & 7;
    check(cpu, type == 0 || type >= 4, PIC_SPECIFICATION);
    if (type == 0)
        return (table & ~UINT64_C(0x7FF)) + (address >> 12 & 0xFF) * 8;
    return (table & PAGE_MASK) + (address >> (20 + (type - 4) * 11) & 0x7FF) * 8;
}

// R1 is compared with the entry, which R1 + 1 replaces when equal; then translations are cleared.
PLAIN(do_crdte)
{
    check(cpu, !(insn->r1 & 1) && !(insn->r2 & 1), PIC_SPECIFICATION);
    uint64_t real = table_entry(cpu, G2, cpu->gr[insn->r2 + 1]);
    uint64_t *place = (uint64_t *)(void *)entry_place(cpu, real, 8);
    uint64_t old = __builtin_bswap64(G1), new = __builtin_bswap64(cpu->gr[insn->r1 + 1]);
    bool same =
        __atomic_compare_exchange_n(place, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    cpu->psw.cc = !same;
    if (!same) {
        G1 = __builtin_bswap64(old);
        return;
    }
    storage_code_changed(cpu->storage, cpu_real_to_absolute(cpu, real), 8);
    clear_translations(cpu, insn);
}

// COMPARE AND SWAP AND PURGE: R2's last bit asks for the purge.
PLAIN(do_csp)
{
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION);
    uint64_t address = cpu_wrap(cpu, G2) & ~UINT64_C(3);
    uint32_t *p = (uint32_t *)(void *)access_pointer(cpu, NULL, insn->r2 ? insn->r2 : NO_REGISTER,
                                                     address, 4, ACCESS_WRITE);
    uint32_t old = __builtin_bswap32(W1), new = __builtin_bswap32(low(cpu, insn->r1 + 1u));
    bool same =
        __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!same)
        set_low(cpu, insn->r1, __builtin_bswap32(old));
    cpu->psw.cc = !same;
    if (same && G2 & 1)
        cpu_flush_all(cpu);
}

PLAIN(do_cspg)
{
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION);
    uint64_t address = cpu_wrap(cpu, G2) & ~UINT64_C(7);
    uint64_t *p = (uint64_t *)(void *)access_pointer(cpu, NULL, insn->r2 ? insn->r2 : NO_REGISTER,
                                                     address, 8, ACCESS_WRITE);
    uint64_t old = __builtin_bswap64(G1), new = __builtin_bswap64(cpu->gr[insn->r1 + 1]);
    bool same =
        __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!same)
        G1 = __builtin_bswap64(old);
    cpu->psw.cc = !same;
    if (same && G2 & 1)
        cpu_flush_all(cpu);
}
