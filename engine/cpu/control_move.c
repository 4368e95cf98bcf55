// SPDX-License-Identifier: MIT
// Moves between address spaces and under other keys.
// (Principles of Operation, "Control Instructions", "General Instructions": MVCOS, MVPG.)
#include <string.h>

#include "cpu/derive.h"
#include "cpu/operands.h"

static bool key_permitted(const struct cpu *cpu, unsigned key)
{
    return !cpu->psw.problem || cpu->cr[3] >> (31 - key) & 1;
}

// n bytes between spaces, in parts within a page of each; all of it is checked first.
static void move(struct cpu *cpu, const struct space *to_space, uint64_t to,
                 const struct space *from_space, uint64_t from, unsigned n)
{
    for (unsigned at = 0; at < n;) { // checks
        unsigned part = page_rest(from + at) < n - at ? page_rest(from + at) : n - at;
        access_host(cpu, from_space, cpu_wrap(cpu, from + at), part, ACCESS_READ);
        at += part;
    }
    for (unsigned at = 0; at < n;) {
        unsigned part = page_rest(to + at) < n - at ? page_rest(to + at) : n - at;
        access_host(cpu, to_space, cpu_wrap(cpu, to + at), part, ACCESS_WRITE);
        at += part;
    }
    while (n > 0) {
        unsigned part = n;
        if (part > page_rest(to))
            part = page_rest(to);
        if (part > page_rest(from))
            part = page_rest(from);
        const uint8_t *source = access_host(cpu, from_space, from, part, ACCESS_READ);
        uint8_t *target = access_host(cpu, to_space, to, part, ACCESS_WRITE);
        if (target <= source || target >= source + part)
            memmove(target, source, part);
        else
            for (unsigned i = 0; i < part; i++)
                target[i] = source[i];
        to = cpu_wrap(cpu, to + part);
        from = cpu_wrap(cpu, from + part);
        n -= part;
    }
}

// The true length in R1: at most `most` bytes are moved, cc 3 tells that there were more. The
// condition code comes last, since an access exception leaves it alone.
static void move_true_length(struct cpu *cpu, const struct insn *insn, unsigned most,
                             const struct space *to, const struct space *from)
{
    uint64_t n = cpu->psw.ea ? G1 : W1;
    move(cpu, to, address_bd(cpu, insn), from, address_bd2(cpu, insn),
         n > most ? most : (unsigned)n);
    cpu->psw.cc = n > most ? 3 : 0;
}

// MOVE TO PRIMARY and MOVE TO SECONDARY: R3 (in r2) has the key for the secondary space.
static void move_between(struct cpu *cpu, const struct insn *insn, bool to_primary)
{
    check(cpu,
          cpu->psw.dat && cpu->cr[0] & CR0_SECONDARY_SPACE && cpu->psw.as != 1 && cpu->psw.as != 3,
          PIC_SPECIAL_OPERATION);
    unsigned key = G2 >> 4 & 15;
    check(cpu, key_permitted(cpu, key), PIC_PRIVILEGED);
    struct space primary = space_select(cpu, 0, cpu->psw.key);
    struct space secondary = space_select(cpu, 2, (uint8_t)key);
    if (to_primary)
        move_true_length(cpu, insn, 256, &primary, &secondary);
    else
        move_true_length(cpu, insn, 256, &secondary, &primary);
}

PLAIN(do_mvcp)
{
    move_between(cpu, insn, true);
}

PLAIN(do_mvcs)
{
    move_between(cpu, insn, false);
}

static struct space with_key(struct cpu *cpu, unsigned b, unsigned key)
{
    struct space space = space_operand(cpu, b);
    space.key = (uint8_t)key;
    space.context = space_context(cpu, space.asce, space.key);
    return space;
}

// MOVE WITH KEY: the second operand is fetched under the key in R3.
PLAIN(do_mvck)
{
    unsigned key = G2 >> 4 & 15;
    check(cpu, key_permitted(cpu, key), PIC_PRIVILEGED);
    struct space to = space_operand(cpu, insn->b), from = with_key(cpu, insn->b2, key);
    move_true_length(cpu, insn, 256, &to, &from);
}

// MOVE WITH SOURCE KEY, MOVE WITH DESTINATION KEY: length - 1 in R0, key in R1.
static void move_with_key(struct cpu *cpu, const struct insn *insn, bool destination)
{
    unsigned key = cpu->gr[1] >> 4 & 15, n = ((unsigned)cpu->gr[0] & 0xFF) + 1;
    check(cpu, key_permitted(cpu, key), PIC_PRIVILEGED);
    struct space to = destination ? with_key(cpu, insn->b, key) : space_operand(cpu, insn->b);
    struct space from = destination ? space_operand(cpu, insn->b2) : with_key(cpu, insn->b2, key);
    move(cpu, &to, address_bd(cpu, insn), &from, address_bd2(cpu, insn), n);
}

PLAIN(do_mvcsk)
{
    move_with_key(cpu, insn, false);
}

PLAIN(do_mvcdk)
{
    move_with_key(cpu, insn, true);
}

// --- MOVE WITH OPTIONAL SPECIFICATIONS --------------------------------------------------------
//
// R0 bits 32-47 for the first operand, 48-63 for the second:
//
//  0    3 4   7 8  9 10   13 14 15
// | key  |     | AS |       | K | A |   K: the key is meant, A: the space is meant

static struct space by_access_register(struct cpu *cpu, unsigned b, unsigned key)
{
    struct space space;
    uint16_t code = space_find(cpu, b, 1, &space);
    check(cpu, code == 0, code);
    space.key = (uint8_t)key;
    space.context = space_context(cpu, space.asce, space.key);
    return space;
}

static struct space specified(struct cpu *cpu, unsigned b, unsigned control)
{
    unsigned key = control & 2 ? control >> 12 & 15 : cpu->psw.key;
    unsigned as = control >> 6 & 3;
    if (!(control & 1)) // as the PSW says
        return with_key(cpu, b, key);
    return as == 1 ? by_access_register(cpu, b, key) : space_select(cpu, as, (uint8_t)key);
}

PLAIN(do_mvcos)
{
    uint32_t control = low(cpu, 0);
    unsigned c1 = control >> 16, c2 = control & 0xFFFF;
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    // Home space in the problem state, or a key that the mask forbids.
    check(cpu, !(cpu->psw.problem && c1 & 1 && (c1 >> 6 & 3) == 3), PIC_SPECIAL_OPERATION);
    if (cpu->psw.problem) {
        check(cpu, !(c1 & 2) || key_permitted(cpu, c1 >> 12 & 15), PIC_PRIVILEGED);
        check(cpu, !(c2 & 2) || key_permitted(cpu, c2 >> 12 & 15), PIC_PRIVILEGED);
    }
    struct space to = specified(cpu, insn->b, c1), from = specified(cpu, insn->b2, c2);
    move_true_length(cpu, insn, 4096, &to, &from); // length in R3, which stands in r1
}

// --- MOVE PAGE ----------------------------------------------------------------------------------

// cc 0 moved; 1 the first, 2 the second page is not there (only with the condition-code option in
// R0 bit 55, and never for protection).
PLAIN(do_mvpg)
{
    uint32_t control = low(cpu, 0);
    check(cpu, !(control & 0xF000) && (control & 0x0C00) != 0x0C00, PIC_SPECIFICATION);
    unsigned key = control >> 4 & 15, to_key = cpu->psw.key, from_key = cpu->psw.key;
    if (control & 0x0C00) {
        check(cpu, key_permitted(cpu, key), PIC_PRIVILEGED);
        if (control & 0x0800)
            to_key = key;
        else
            from_key = key;
    }
    uint64_t to = cpu_wrap(cpu, G1) & PAGE_MASK, from = cpu_wrap(cpu, G2) & PAGE_MASK;
    struct space to_space = with_key(cpu, insn->r1, to_key);
    struct space from_space = with_key(cpu, insn->r2, from_key);
    uint8_t *target, *source;
    uint16_t code = access_try(cpu, &from_space, from, FRAME_SIZE, ACCESS_READ, &source);
    bool first = false;
    if (code != PIC_PAGE) { // the first operand's exceptions come first unless only the page lacks
        uint16_t other = access_try(cpu, &to_space, to, FRAME_SIZE, ACCESS_WRITE, &target);
        if (other && !code) {
            code = other;
            first = true;
        }
    }
    if (code == PIC_PAGE && control & 0x100) {
        cpu->psw.cc = first ? 1 : 2;
        return;
    }
    if (code) {
        cpu->fault.operand_id = (uint8_t)(insn->r1 << 4 | insn->r2);
        cpu_program_interruption(cpu, code);
    }
    memmove(target, source, FRAME_SIZE);
    cpu->psw.cc = 0;
}
