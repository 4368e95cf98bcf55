// SPDX-License-Identifier: MIT
// Control instructions on storage: keys, prefix, real-address operands, translation tables.
// (Principles of Operation, "Control Instructions".)
#include <string.h>

#include "cpu/dat.h"
#include "cpu/derive.h"
#include "cpu/interlocked.h"
#include "cpu/operands.h"
#include "cpu/per.h"

// All CPUs of the configuration forget translations and key checks.
static void flush_all(struct cpu *cpu)
{
    cpu_flush(cpu);
    cpu_state_changed(cpu);
    if (cpu->host->flush_all)
        cpu->host->flush_all(cpu);
}

// --- prefix -------------------------------------------------------------------------------

void sim_spx(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[4];
    check(cpu, !(call->address2 & 3), PIC_SPECIFICATION);
    cpu_fetch(cpu, call->address2, bytes, 4);
    uint64_t prefix = be32_load(bytes) & (cpu->arch == ARCH_Z ? 0x7FFFE000 : 0x7FFFF000);
    uint64_t size = cpu->arch == ARCH_Z ? 0x2000 : 0x1000;
    check(cpu, storage_find(cpu->storage, prefix, size) != NULL, PIC_ADDRESSING);
    cpu->prefix = prefix;
    cpu_flush(cpu);
}

void sim_stpx(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[4];
    check(cpu, !(call->address2 & 3), PIC_SPECIFICATION);
    be32_store(bytes, (uint32_t)cpu->prefix);
    cpu_store(cpu, call->address2, bytes, 4);
}

// --- storage keys -------------------------------------------------------------------------

// Absolute address of the frame that a register designates by a real address.
static uint64_t key_frame(struct cpu *cpu, unsigned r)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, cpu_wrap(cpu, cpu->gr[r]) & PAGE_MASK);
    check(cpu, storage_key(cpu->storage, absolute) >= 0, PIC_ADDRESSING);
    return absolute;
}

static void change_key(struct cpu *cpu, uint64_t absolute, uint8_t key)
{
    if (storage_key(cpu->storage, absolute) == (key & 0xFE))
        return;
    storage_set_key(cpu->storage, absolute, key);
    flush_all(cpu);
}

PLAIN(do_iske)
{
    uint64_t frame = key_frame(cpu, insn->r2);
    set_low(cpu, insn->r1, (W1 & 0xFFFFFF00) | (uint32_t)storage_key(cpu->storage, frame));
}

PLAIN(do_rrbe)
{
    uint64_t frame = key_frame(cpu, insn->r2);
    uint8_t key = (uint8_t)storage_key(cpu->storage, frame);
    cpu->psw.cc = key >> 1 & 3; // reference and change bits as they were
    change_key(cpu, frame, key & (uint8_t)~KEY_R);
}

// Conditional forms (facility 10): may the set be left out? cc 0 set in full, 1 fetched key
// differed in R or C only..., as M3's MR (4) and MC (2) bits allow. Returns whether to set.
static bool conditional_key(struct cpu *cpu, const struct insn *insn, uint8_t old, uint8_t new)
{
    bool mr = insn->m3 & 4, mc = insn->m3 & 2;
    set_low(cpu, insn->r1, (W1 & 0xFFFF00FF) | (uint32_t)old << 8);
    if ((old & (KEY_ACC | KEY_F)) != (new &(KEY_ACC | KEY_F))) {
        cpu->psw.cc = 1;
        return true;
    }
    if ((mr || (old & KEY_R) == (new &KEY_R)) && (mc || (old & KEY_C) == (new &KEY_C))) {
        cpu->psw.cc = 0;
        return false;
    }
    cpu->psw.cc = 1;
    return true;
}

static void set_one_key(struct cpu *cpu, const struct insn *insn, uint64_t absolute)
{
    uint8_t old = (uint8_t)storage_key(cpu->storage, absolute), new = (uint8_t)W1 & 0xFE;
    if (insn->m3 & 6 && cpu_facility(cpu, 10) && !conditional_key(cpu, insn, old, new))
        return;
    change_key(cpu, absolute, new);
}

// With the multiple-block control (M3 bit 3, EDAT-1) the frames up to the next 1 MiB boundary.
PLAIN(do_sske)
{
    if (!(insn->m3 & 1) || !cpu_facility(cpu, 8)) {
        set_one_key(cpu, insn, key_frame(cpu, insn->r2));
        return;
    }
    uint64_t at = cpu_wrap(cpu, G2) & PAGE_MASK;
    uint64_t end = (at | 0xFFFFF) + 1;
    struct insn plain = *insn;
    plain.m3 = insn->m3 & 6;
    for (; at < end; at += FRAME_SIZE) {
        check(cpu, storage_key(cpu->storage, at) >= 0, PIC_ADDRESSING);
        set_one_key(cpu, &plain, at);
        set_address(cpu, insn->r2, (at + FRAME_SIZE) | (G2 & (FRAME_SIZE - 1)));
    }
    if (insn->m3 & 6 && cpu_facility(cpu, 10))
        cpu->psw.cc = 3; // all blocks done, each as the conditions had it
}

// IVSK: access control and fetch bit of the frame behind a virtual address.
PLAIN(do_ivsk)
{
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    check(cpu, !cpu->psw.problem || cpu->cr[0] & CR0_EXTRACTION_AUTHORITY, PIC_PRIVILEGED);
    struct space space = space_operand(cpu, insn->r2 ? insn->r2 : NO_REGISTER);
    struct translation t;
    uint64_t address = cpu_wrap(cpu, G2);
    uint16_t code = dat_translate(cpu, space.asce, address, &t);
    if (code) {
        cpu->fault.teid = (address & PAGE_MASK) | space.id;
        cpu_program_interruption(cpu, code);
    }
    int key = storage_key(cpu->storage, cpu_real_to_absolute(cpu, t.real));
    check(cpu, key >= 0, PIC_ADDRESSING);
    set_low(cpu, insn->r1, (W1 & 0xFFFFFF00) | ((uint32_t)key & 0xF8));
}

// --- test protection, test block -------------------------------------------------------------

// cc 0 store and fetch, 1 fetch only, 2 neither, 3 translation not available.
PLAIN(do_tprot)
{
    struct space space = space_operand(cpu, insn->b);
    uint64_t address = address_bd(cpu, insn);
    space.key = address_bd2(cpu, insn) >> 4 & 15;
    space.context = space_context(cpu, space.asce, space.key);
    uint8_t *host;
    uint16_t fetch = access_try(cpu, &space, address, 1, ACCESS_READ, &host);
    struct translation t;
    uint16_t translated = dat_translate(cpu, space.asce, address, &t);
    if (translated == PIC_TRANSLATION_SPECIFICATION || translated == PIC_ADDRESSING)
        cpu_program_interruption(cpu, translated);
    if (translated) {
        cpu->psw.cc = 3;
        return;
    }
    if (fetch == PIC_ADDRESSING)
        cpu_program_interruption(cpu, fetch);
    if (fetch) {
        cpu->psw.cc = 2;
        return;
    }
    cpu->psw.cc = access_may_store(cpu, &space, address) ? 0 : 1;
}

PLAIN(do_tb)
{
    uint64_t real = cpu_wrap(cpu, G2) & PAGE_MASK;
    if (cpu->cr[0] & CR0_LOW_PROTECTION && real < 0x2000 && (real & 0x1000) <= 0x1000 &&
        (real == 0 || (real == 0x1000 && cpu->arch == ARCH_Z))) {
        cpu->fault.teid = real | (cpu_facility(cpu, 131) ? 0x80 : 0);
        cpu_program_interruption(cpu, PIC_PROTECTION);
    }
    static const uint8_t zeros[FRAME_SIZE];
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    check(cpu, storage_write(cpu->storage, absolute, zeros, FRAME_SIZE), PIC_ADDRESSING);
    cpu->gr[0] = 0;
    cpu->psw.cc = 0;
}

// --- real-address operands ---------------------------------------------------------------------

PLAIN(do_lra)
{
    struct space space = space_operand(cpu, insn->b);
    uint64_t asce = space.asce, address = address_bxd(cpu, insn);
    if (!cpu->psw.dat) { // translated all the same, by the address-space control
        asce = dat_space(cpu, cpu->psw.as);
    }
    struct translation t;
    uint16_t code = dat_translate(cpu, asce, address, &t);
    if (code == PIC_TRANSLATION_SPECIFICATION || code == PIC_ADDRESSING)
        cpu_program_interruption(cpu, code);
    if (code) {
        cpu->psw.cc = code == PIC_SEGMENT ? 1 : code == PIC_PAGE ? 2 : 3;
        uint64_t value = cpu->psw.cc == 3 ? code : t.entry;
        set_low(cpu, insn->r1, cpu->psw.cc == 3 ? 0x80000000u | code : (uint32_t)value);
        if (cpu->psw.cc != 3 && cpu->psw.ea)
            G1 = t.entry;
        return;
    }
    cpu->psw.cc = 0;
    if (cpu->psw.ea) {
        G1 = t.real;
    } else if (t.real >> 31) { // does not fit
        cpu->psw.cc = 3;
        set_low(cpu, insn->r1, 0x80000000u | 0x3A);
    } else {
        set_low(cpu, insn->r1, (uint32_t)t.real);
    }
}

PLAIN(do_lrag)
{
    struct space space = space_operand(cpu, insn->b);
    uint64_t asce = cpu->psw.dat ? space.asce : dat_space(cpu, cpu->psw.as);
    struct translation t;
    uint16_t code = dat_translate(cpu, asce, address_bxd(cpu, insn), &t);
    if (code == PIC_TRANSLATION_SPECIFICATION || code == PIC_ADDRESSING)
        cpu_program_interruption(cpu, code);
    cpu->psw.cc = code == 0 ? 0 : code == PIC_SEGMENT ? 1 : code == PIC_PAGE ? 2 : 3;
    if (cpu->psw.cc == 3)
        set_low(cpu, insn->r1, 0x80000000u | code);
    else
        G1 = code ? t.entry : t.real;
}

// A store by real address is no storage alteration; it is an event of its own.
static void store_real(struct cpu *cpu, const struct insn *insn, unsigned n, uint64_t value)
{
    uint8_t events = cpu->fault.per_code;
    uint64_t address = cpu_wrap(cpu, G2);
    check(cpu, !(address & (n - 1)), PIC_SPECIFICATION);
    struct space space = space_real(cpu);
    space.key = cpu->psw.key;
    space.context = space_context(cpu, space.asce, space.key);
    uint8_t *host = access_host(cpu, &space, address, n, ACCESS_WRITE);
    if (n == 4)
        be32_store(host, (uint32_t)value);
    else
        be64_store(host, value);
    cpu->fault.per_code = events;
    per_note_store_real(cpu);
}

PLAIN(do_stura)
{
    store_real(cpu, insn, 4, W1);
}

PLAIN(do_sturg)
{
    store_real(cpu, insn, 8, G1);
}

static uint64_t load_real(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint64_t address = cpu_wrap(cpu, G2);
    check(cpu, !(address & (n - 1)), PIC_SPECIFICATION);
    struct space space = space_real(cpu);
    space.key = cpu->psw.key;
    space.context = space_context(cpu, space.asce, space.key);
    const uint8_t *host = access_host(cpu, &space, address, n, ACCESS_READ);
    return n == 4 ? be32_load(host) : be64_load(host);
}

PLAIN(do_lura)
{
    set_low(cpu, insn->r1, (uint32_t)load_real(cpu, insn, 4));
}

PLAIN(do_lurag)
{
    G1 = load_real(cpu, insn, 8);
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
        cpu_program_interruption(cpu, code);
    }
    guest_write64(cpu, NULL, insn->b, to, t.real);
}

// --- translation tables -------------------------------------------------------------------------

PLAIN(do_ptlb)
{
    (void)insn;
    cpu_flush(cpu);
}

// Sets a bit of a table entry at a real address, as the hardware does: interlocked.
static void entry_or(struct cpu *cpu, uint64_t real, unsigned byte, uint8_t bit, unsigned n)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    struct storage_extent *extent = storage_find(cpu->storage, absolute, n);
    check(cpu, extent != NULL, PIC_ADDRESSING);
    uint64_t offset = absolute - extent->start;
    __atomic_fetch_or(&extent->bytes[offset + byte], bit, __ATOMIC_SEQ_CST);
    extent->keys[offset >> FRAME_SHIFT] |= KEY_R | KEY_C;
    storage_code_changed(cpu->storage, absolute, n);
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
    if (insn->m4 & 1 && cpu_facility(cpu, 51)) { // local clearing
        cpu_flush(cpu);
        cpu_state_changed(cpu);
    } else {
        flush_all(cpu);
    }
}

// R1 has the table origin and type, R2 the effective index and options, R3 an ASCE to clear by.
PLAIN(do_idte)
{
    if (!(G2 & 0x800)) { // invalidate table entries
        unsigned type = (unsigned)(G1 >> 2) & 3, more = (unsigned)G2 & 0x7FF;
        unsigned index = (unsigned)(G2 >> (20 + type * 11)) & 0x7FF;
        check(cpu, index + more < 2048 && !(G2 & 0x700 & ~(uint64_t)more), PIC_SPECIFICATION);
        for (unsigned i = 0; i <= more; i++)
            entry_or(cpu, (G1 & PAGE_MASK) + (index + i) * 8, 7, 0x20, 8);
    }
    if (insn->m4 & 1 && cpu_facility(cpu, 51)) {
        cpu_flush(cpu);
        cpu_state_changed(cpu);
    } else {
        flush_all(cpu);
    }
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
        flush_all(cpu);
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
        flush_all(cpu);
}

PLAIN(do_palb)
{
    (void)cpu;
    (void)insn; // access-register translations are not remembered beyond an access
}

// PERFORM FRAME MANAGEMENT FUNCTION. R1: SK (0x20000), CF (0x10000), FSC (0x7000), key.
static void manage_frame(struct cpu *cpu, uint64_t absolute, uint32_t control)
{
    static const uint8_t zeros[FRAME_SIZE];
    check(cpu, storage_key(cpu->storage, absolute) >= 0, PIC_ADDRESSING);
    if (control & 0x10000)
        storage_write(cpu->storage, absolute, zeros, FRAME_SIZE);
    if (!(control & 0x20000))
        return;
    uint8_t key = (uint8_t)control & 0xFE, old = (uint8_t)storage_key(cpu->storage, absolute);
    // MR and MC: a difference in the reference or change bit alone is no reason to set the key.
    uint8_t ignored = (control & 0x400 ? KEY_R : 0) | (control & 0x200 ? KEY_C : 0);
    if ((key ^ old) & ~(unsigned)ignored)
        storage_set_key(cpu->storage, absolute, key);
}

PLAIN(do_pfmf)
{
    uint32_t control = W1;
    unsigned size = control >> 12 & 7;
    check(cpu, !(control & 0xFFFC8101) && size < (cpu_facility(cpu, 78) ? 3 : 2),
          PIC_SPECIFICATION);
    uint64_t at = cpu_wrap(cpu, G2) & PAGE_MASK;
    if (size == 0) {
        uint64_t absolute = cpu_real_to_absolute(cpu, at);
        if (control & 0x10000 && cpu->cr[0] & CR0_LOW_PROTECTION && at < 0x2000) {
            cpu->fault.teid = at | (cpu_facility(cpu, 131) ? 0x80 : 0);
            cpu_program_interruption(cpu, PIC_PROTECTION);
        }
        manage_frame(cpu, absolute, control);
    } else {
        uint64_t unit = size == 1 ? UINT64_C(1) << 20 : UINT64_C(1) << 31;
        uint64_t end = (at | (unit - 1)) + 1;
        for (; at != end; at += FRAME_SIZE) {
            manage_frame(cpu, at, control);
            set_address(cpu, insn->r2, (at + FRAME_SIZE) | (G2 & (FRAME_SIZE - 1)));
        }
    }
    if (control & 0x20000)
        flush_all(cpu);
}
