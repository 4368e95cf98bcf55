// SPDX-License-Identifier: MIT
// Storage keys: inserting and setting them, one frame or many, and clearing frames with them.
// (Principles of Operation, "Control Instructions".) Other CPUs note references meanwhile, so a key
// changes in one step.
#include "cpu/dat.h"
#include "cpu/derive.h"
#include "cpu/operands.h"

static uint8_t *key_place(struct cpu *cpu, uint64_t absolute)
{
    const struct storage_extent *extent = storage_find(cpu->storage, absolute, 1);
    check(cpu, extent != NULL, PIC_ADDRESSING);
    return &extent->keys[(absolute - extent->start) >> FRAME_SHIFT];
}

// The frame that a register designates by a real address.
static uint8_t *key_by_register(struct cpu *cpu, unsigned r)
{
    return key_place(cpu, cpu_real_to_absolute(cpu, cpu_wrap(cpu, cpu->gr[r]) & PAGE_MASK));
}

// True when it was another one: then translations must be forgotten.
static bool set_key(uint8_t *place, uint8_t key)
{
    return __atomic_exchange_n(place, key & 0xFE, __ATOMIC_SEQ_CST) != (key & 0xFE);
}

PLAIN(do_iske)
{
    const uint8_t *place = key_by_register(cpu, insn->r2);
    set_low(cpu, insn->r1, (W1 & 0xFFFFFF00) | __atomic_load_n(place, __ATOMIC_RELAXED));
}

PLAIN(do_rrbe)
{
    uint8_t *place = key_by_register(cpu, insn->r2);
    uint8_t old = __atomic_fetch_and(place, (uint8_t)~KEY_R, __ATOMIC_SEQ_CST);
    cpu->psw.cc = old >> 1 & 3; // reference and change bits as they were
    if (old & KEY_R)
        cpu_flush_all(cpu);
}

// The reference bits of 64 frames, an aligned block of absolute storage, come to R1.
static void reference_bits(struct cpu *cpu, const struct insn *insn, bool reset)
{
    uint64_t at = cpu_wrap(cpu, G2) & ~UINT64_C(0x3FFFF), bits = 0;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t *place = key_place(cpu, at + (uint64_t)i * FRAME_SIZE);
        uint8_t old = reset ? __atomic_fetch_and(place, (uint8_t)~KEY_R, __ATOMIC_SEQ_CST)
                            : __atomic_load_n(place, __ATOMIC_RELAXED);
        bits = bits << 1 | (old & KEY_R ? 1 : 0);
    }
    G1 = bits;
    if (reset && bits)
        cpu_flush_all(cpu);
}

PLAIN(do_rrbm)
{
    reference_bits(cpu, insn, true);
}

PLAIN(do_irbm)
{
    reference_bits(cpu, insn, false);
}

// --- SET STORAGE KEY EXTENDED -----------------------------------------------------------------

// Conditional forms (facility 10): the key need not be set where it differs at most in the bits
// that M3's MR (4) and MC (2) leave aside. cc 0: left, 1: set; the old key goes to R1.
static bool must_set(struct cpu *cpu, const struct insn *insn, uint8_t old, uint8_t new)
{
    uint8_t aside = (insn->m3 & 4 ? KEY_R : 0) | (insn->m3 & 2 ? KEY_C : 0);
    set_low(cpu, insn->r1, (W1 & 0xFFFF00FF) | (uint32_t)old << 8);
    cpu->psw.cc = ((old ^ new) & 0xFE & ~aside) != 0;
    return cpu->psw.cc;
}

static bool set_one(struct cpu *cpu, const struct insn *insn, uint8_t *place)
{
    uint8_t old = __atomic_load_n(place, __ATOMIC_RELAXED), new = (uint8_t)W1;
    if (insn->m3 & 6 && cpu_facility(cpu, 10) && !must_set(cpu, insn, old, new))
        return false;
    return set_key(place, new);
}

// With the multiple-block control (M3 bit 3, EDAT-1) the frames up to the next 1 MiB boundary,
// which are absolute.
PLAIN(do_sske)
{
    bool changed = false;
    if (!(insn->m3 & 1) || !cpu_facility(cpu, 8)) {
        if (set_one(cpu, insn, key_by_register(cpu, insn->r2)))
            cpu_flush_all(cpu);
        return;
    }
    uint64_t at = cpu_wrap(cpu, G2) & PAGE_MASK, end = (at | 0xFFFFF) + 1;
    for (; at != end; at += FRAME_SIZE) {
        if (!storage_find(cpu->storage, at, 1))
            break;
        changed |= set_one(cpu, insn, key_place(cpu, at));
        set_address(cpu, insn->r2, (at + FRAME_SIZE) | (G2 & (FRAME_SIZE - 1)));
    }
    if (changed)
        cpu_flush_all(cpu);
    check(cpu, at == end, PIC_ADDRESSING);
    if (insn->m3 & 6 && cpu_facility(cpu, 10))
        cpu->psw.cc = 3; // all of them, each as the conditions had it
}

// --- INSERT VIRTUAL STORAGE KEY -----------------------------------------------------------------

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
        cpu->fault.access_id = space.ar;
        cpu_program_interruption(cpu, code);
    }
    const uint8_t *place = key_place(cpu, cpu_real_to_absolute(cpu, t.real));
    uint32_t key = __atomic_load_n(place, __ATOMIC_RELAXED) & (KEY_ACC | KEY_F);
    set_low(cpu, insn->r1, (W1 & 0xFFFFFF00) | key);
}

// --- PERFORM FRAME MANAGEMENT FUNCTION
// ------------------------------------------------------------
//
// R1: SK (set the key), CF (clear), frame size 49-51, MR, MC, key.
#define SET_KEY     0x20000u
#define CLEAR_FRAME 0x10000u

// True when the key changed.
static bool manage_frame(struct cpu *cpu, uint64_t absolute, uint32_t control)
{
    static const uint8_t zeros[FRAME_SIZE];
    uint8_t *place = key_place(cpu, absolute);
    if (control & CLEAR_FRAME)
        storage_write(cpu->storage, absolute, zeros, FRAME_SIZE);
    if (!(control & SET_KEY))
        return false;
    uint8_t key = (uint8_t)control & 0xFE, old = __atomic_load_n(place, __ATOMIC_RELAXED);
    // MR and MC: a difference in the reference or change bit alone is no reason to set the key.
    uint8_t aside = (control & 0x400 ? KEY_R : 0) | (control & 0x200 ? KEY_C : 0);
    return ((key ^ old) & ~(unsigned)aside) && set_key(place, key);
}

static void protect_low(struct cpu *cpu, uint64_t at, uint32_t control)
{
    if (!(control & CLEAR_FRAME) || !(cpu->cr[0] & CR0_LOW_PROTECTION) || at >= 0x2000)
        return;
    cpu->fault.teid = at | (cpu_facility(cpu, 131) ? 0x80 : 0);
    cpu->fault.access_id = 0;
    cpu_program_interruption(cpu, PIC_PROTECTION);
}

PLAIN(do_pfmf)
{
    uint32_t control = W1;
    unsigned size = control >> 12 & 7;
    check(cpu, !(control & 0xFFFC8101) && size < (cpu_facility(cpu, 78) ? 3 : 2),
          PIC_SPECIFICATION);
    uint64_t at = cpu_wrap(cpu, G2) & PAGE_MASK;
    bool changed = false;
    if (size == 0) {
        protect_low(cpu, at, control);
        if (manage_frame(cpu, cpu_real_to_absolute(cpu, at), control))
            cpu_flush_all(cpu);
        return;
    }
    uint64_t end = (at | ((UINT64_C(1) << (size == 1 ? 20 : 31)) - 1)) + 1;
    bool unfinished = false;
    for (unsigned n = 0; at != end && storage_find(cpu->storage, at, 1) && !unfinished; n++) {
        changed |= manage_frame(cpu, at, control);
        at += FRAME_SIZE;
        set_address(cpu, insn->r2, at | (G2 & (FRAME_SIZE - 1)));
        unfinished = at != end && interruption_waits(cpu, n);
    }
    if (changed)
        cpu_flush_all(cpu);
    if (unfinished)
        cpu->psw.address = cpu->instruction_address; // it goes on after the interruption
    else
        check(cpu, at == end, PIC_ADDRESSING);
}
