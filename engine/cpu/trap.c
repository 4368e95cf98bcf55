// SPDX-License-Identifier: MIT
// TRAP and RESUME PROGRAM: leaving for a trap program with the state saved in the home space, and
// coming back. (Principles of Operation, "TRAP", "RESUME PROGRAM".)
#include <string.h>

#include "cpu/asn.h"
#include "cpu/block.h"
#include "cpu/operands.h"
#include "cpu/per.h"
#include "cpu/psw.h"
#include "cpu/trace_table.h"

// The EXECUTE that `insn` is the target of, or NULL.
static const struct insn *executed_from(const struct cpu *cpu, const struct insn *insn)
{
    const struct execute_slot *slots = cpu->blocks->execute;
    for (unsigned i = 0; i < EXECUTE_SLOTS; i++) {
        if (insn == slots[i].insn)
            return slots[i].from;
    }
    return NULL;
}

// --- TRAP ---------------------------------------------------------------------------------
//
// Word 11 of the dispatchable-unit control table: trap control block 1-28, E 31. The control block:
// word 0 P 13 (PSW in z/Architecture form), R 14 (64-bit registers); word 3 save area; word 5
// program.
//
// Save area: 0 flags (EXECUTE 0, TRAP4 1, ILC 13-14), 8 operand address, 12 access register 15,
// 16 PSW, 32 general registers.
#define TCB_P    0x00040000u
#define TCB_R    0x00020000u
#define BY_EX    0x80000000u
#define BY_TRAP4 0x40000000u

// Reads a word of the control block in the home space under the PSW key.
static uint32_t control_word(struct cpu *cpu, uint32_t address)
{
    struct space space = space_select(cpu, 3, cpu->psw.key);
    uint8_t bytes[4];
    space_read(cpu, &space, address, bytes, 4);
    return be32_load(bytes);
}

// Fills the save area as the control block's first word wants it; gives its length.
static unsigned save_state(const struct cpu *cpu, uint8_t *area, uint32_t options, uint32_t flags,
                           uint32_t operand)
{
    struct psw psw = cpu->psw;
    bool wide = options & TCB_R;
    be32_store(area, flags);
    be32_store(area + 8, operand);
    be32_store(area + 12, cpu->ar[15]);
    if (options & TCB_P) {
        psw_pack_z(&psw, area + 16);
    } else {
        psw.bit12 = true;
        psw_pack_esa(&psw, area + 16);
    }
    for (unsigned i = 0; i < 16; i++) {
        if (wide)
            be64_store(area + 32 + i * 8, cpu->gr[i]);
        else
            be32_store(area + 32 + i * 4, low(cpu, i));
    }
    return wide ? 160 : 96;
}

static void trap(struct cpu *cpu, const struct insn *insn, uint32_t flags, uint32_t operand)
{
    check(cpu, cpu->psw.dat && cpu->psw.as < 2, PIC_SPECIAL_OPERATION);
    uint32_t word = table_word(cpu, duct_origin(cpu) + 44), block = word & 0x7FFFFFF8;
    check(cpu, word & 1, PIC_SPECIAL_OPERATION);
    uint32_t options = control_word(cpu, block);
    uint64_t save = control_word(cpu, block + 12) & 0x7FFFFFF8;
    uint64_t to = control_word(cpu, block + 20) & 0x7FFFFFFE, cr12 = cpu->cr[12];
    check(cpu, options & TCB_P || !cpu->psw.ea, PIC_SPECIAL_OPERATION);
    if (trace_branches(cpu))
        cr12 = trace_branch(cpu, cr12, to, cpu->psw.ea, true);
    uint8_t area[160] = {0};
    flags |= (uint32_t)insn->ilc << 16 | (executed_from(cpu, insn) ? BY_EX : 0);
    unsigned n = save_state(cpu, area, options, flags, operand);
    struct space space = space_select(cpu, 3, cpu->psw.key);
    space_write(cpu, &space, save, area, n);
    cpu->cr[12] = cr12;
    cpu->breaking_event = cpu->instruction_address;
    if (cpu->psw.ea)
        cpu->gr[15] = block;
    else
        set_low(cpu, 15, block);
    cpu->psw.ba = true;
    cpu->psw.as = 0;
    cpu->psw.address = to;
}

PLAIN(do_trap2)
{
    trap(cpu, insn, 0, 0);
}

PLAIN(do_trap4)
{
    trap(cpu, insn, BY_TRAP4, (uint32_t)address_bd(cpu, insn) & 0x7FFFFFFF);
}

// --- RESUME PROGRAM -----------------------------------------------------------------------
//
// A parameter list follows the instruction (or, under EXECUTE, the target): flags, and halfword
// offsets from the second operand to a PSW, the access register and the general register of the
// base. Flags: P 13 (PSW of 16 bytes), 14 (64-bit register), 15 (its halves lie apart).
#define RESUME_P     4u
#define RESUME_WIDE  2u
#define RESUME_APART 1u

struct resume {
    uint16_t flags, psw, ar, gr, gr_high;
};

static uint16_t instruction_half(struct cpu *cpu, uint64_t address)
{
    address &= cpu->address_mask;
    return be16_load(access_fetch(cpu, address)->host + (address & 0xFFF));
}

static struct resume parameters(struct cpu *cpu, const struct insn *insn)
{
    uint64_t at = cpu->psw.address;
    const struct insn *from = executed_from(cpu, insn);
    if (from)
        at = (from->run == op_ex ? address_bxd(cpu, from) : address_relative(cpu, from)) + 4;
    struct resume list = {.flags = instruction_half(cpu, at)};
    check(cpu, !(list.flags & (cpu->arch == ARCH_Z ? 0xFFF8 : 0xFFFF)), PIC_SPECIFICATION);
    list.psw = instruction_half(cpu, at + 2);
    list.ar = instruction_half(cpu, at + 4);
    list.gr = instruction_half(cpu, at + 6);
    if ((list.flags & (RESUME_WIDE | RESUME_APART)) == (RESUME_WIDE | RESUME_APART))
        list.gr_high = instruction_half(cpu, at + 8);
    return list;
}

static uint64_t fetch_field(struct cpu *cpu, const struct insn *insn, unsigned offset, unsigned n)
{
    uint8_t bytes[8] = {0};
    guest_fetch(cpu, insn->b, cpu_wrap(cpu, address_bd(cpu, insn) + offset), bytes + 8 - n, n);
    return be64_load(bytes);
}

static uint64_t fetch_register(struct cpu *cpu, const struct insn *insn, const struct resume *list)
{
    if (!(list->flags & RESUME_WIDE))
        return fetch_field(cpu, insn, list->gr, 4);
    if (!(list->flags & RESUME_APART))
        return fetch_field(cpu, insn, list->gr, 8);
    uint64_t value = fetch_field(cpu, insn, list->gr, 4);
    return fetch_field(cpu, insn, list->gr_high, 4) << 32 | value;
}

// Space and condition, masks, modes and address come from the operand; the rest stays.
static struct psw resumed_psw(struct cpu *cpu, const struct insn *insn, const struct resume *list)
{
    struct psw psw = cpu->psw, new;
    uint8_t image[16];
    guest_fetch(cpu, insn->b, cpu_wrap(cpu, address_bd(cpu, insn) + list->psw), image,
                list->flags & RESUME_P ? 16 : 8);
    if (list->flags & RESUME_P)
        psw_unpack_z(&new, image);
    else
        psw_unpack_esa(&new, image);
    psw.as = new.as;
    psw.cc = new.cc;
    psw.mask = new.mask;
    psw.ea = new.ea;
    psw.ba = new.ba;
    psw.address = new.address;
    check(cpu, !(psw.dat && psw.problem && psw.as == 3), PIC_PRIVILEGED);
    check(cpu, !(psw.address & 1) && psw_valid(&psw, cpu->arch), PIC_SPECIFICATION);
    return psw;
}

static uint64_t trace_resume(struct cpu *cpu, const struct psw *to)
{
    uint64_t cr12 = cpu->cr[12];
    if (trace_modes(cpu) && cpu->psw.ea != to->ea)
        return trace_branches(cpu) ? trace_mode_branch(cpu, cr12, to->address, to->ea, to->ba)
                                   : trace_mode(cpu, cr12);
    return trace_branches(cpu) ? trace_branch(cpu, cr12, to->address, to->ea, to->ba) : cr12;
}

PLAIN(do_rp)
{
    struct resume list = parameters(cpu, insn);
    struct psw psw = resumed_psw(cpu, insn, &list);
    uint32_t ar = (uint32_t)fetch_field(cpu, insn, list.ar, 4);
    uint64_t gr = fetch_register(cpu, insn, &list);
    unsigned r = insn->b & 15, old = cpu->psw.as;
    cpu->cr[12] = trace_resume(cpu, &psw);
    cpu->ar[r] = ar;
    if (list.flags & RESUME_WIDE)
        cpu->gr[r] = gr;
    else
        set_low(cpu, r, (uint32_t)gr);
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw = psw;
    if (psw.dat)
        home_space_event(cpu, old);
}
