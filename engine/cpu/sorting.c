// SPDX-License-Identifier: MIT
// Help for sorting and searching: COMPARE AND FORM CODEWORD, UPDATE TREE, COMPARE UNTIL SUBSTRING
// EQUAL. (Principles of Operation, "General Instructions".)
#include "cpu/operand_string.h"

// --- COMPARE AND FORM CODEWORD
// --------------------------------------------------------------------

// Strings at GR1 and GR3 are compared from the index in GR2 on, in units of 2 or (64-bit mode) 6
// bytes. The codeword tells where and by what the one that comes later differs.
static uint64_t unit_at(struct cpu *cpu, uint64_t address, unsigned unit)
{
    uint8_t bytes[8] = {0};
    guest_fetch(cpu, 1, cpu_wrap(cpu, address), bytes, unit);
    return be64_load(bytes) >> (64 - 8 * unit);
}

static void swap_pointers(struct cpu *cpu)
{
    uint64_t a = cpu->gr[1], b = cpu->gr[3];
    if (cpu->psw.ea) {
        cpu->gr[1] = b;
        cpu->gr[3] = a;
    } else {
        set_low(cpu, 1, (uint32_t)b);
        set_low(cpu, 3, (uint32_t)a);
    }
}

static void set_codeword(struct cpu *cpu, uint64_t value, unsigned index)
{
    if (cpu->psw.ea)
        cpu->gr[2] = value << 16 | index;
    else
        set_low(cpu, 2, (uint32_t)(value << 16 | index));
}

// To the limit without a difference: cc 0.
static void codeword_equal(struct cpu *cpu)
{
    if (cpu->psw.ea)
        cpu->gr[2] = cpu->gr[3] | UINT64_C(1) << 63;
    else
        set_low(cpu, 2, low(cpu, 3) | 0x80000000);
    cpu->psw.cc = 0;
}

PLAIN(do_cfc)
{
    uint64_t control = address_bd(cpu, insn);
    unsigned limit = control & 0x7FFE, unit = cpu->psw.ea ? 6 : 2;
    bool descending = control & 1;
    check(cpu, !((cpu->gr[1] | cpu->gr[2] | cpu->gr[3]) & 1), PIC_SPECIFICATION);
    unsigned index = cpu->gr[2] & 0xFFFF;
    uint64_t mask = (UINT64_C(1) << 8 * unit) - 1;
    for (;;) {
        if (index > limit) {
            codeword_equal(cpu);
            return;
        }
        uint64_t first = unit_at(cpu, string_address(cpu, 1) + index, unit);
        uint64_t third = unit_at(cpu, string_address(cpu, 3) + index, unit);
        index += unit;
        if (first == third)
            continue;
        bool swap = (first > third) != descending; // the first operand comes later
        uint64_t later = swap ? first : third;
        set_codeword(cpu, descending ? ~later & mask : later, index & 0xFFFF);
        if (swap)
            swap_pointers(cpu);
        cpu->psw.cc = swap ? 2 : 1;
        return;
    }
}

// --- UPDATE TREE
// ----------------------------------------------------------------------------------

static uint64_t word_at(struct cpu *cpu, uint64_t address, unsigned n)
{
    address = cpu_wrap(cpu, address);
    return n == 8 ? guest_read64(cpu, NULL, 4, address) : guest_read32(cpu, NULL, 4, address);
}

static void set_word(struct cpu *cpu, unsigned r, unsigned n, uint64_t value)
{
    if (n == 8)
        cpu->gr[r] = value;
    else
        set_low(cpu, r, (uint32_t)value);
}

// From the node at GR5 to the root of the tree at GR4: the highest codeword stays in GR0, with its
// pointer in GR1. cc 0 an equal one was met, 1 at the root, 3 GR0 is negative.
PLAIN(do_upt)
{
    (void)insn;
    unsigned n = cpu->psw.ea ? 8 : 4;
    uint64_t align = 2 * n - 1;
    check(cpu, !((cpu->gr[4] | cpu->gr[5]) & align), PIC_SPECIFICATION);
    for (;;) {
        uint64_t index = (n == 8 ? cpu->gr[5] : low(cpu, 5)) >> 1 & ~align;
        uint64_t mine = n == 8 ? cpu->gr[0] : low(cpu, 0);
        if (index == 0 || mine >> (8 * n - 1)) {
            set_word(cpu, 5, n, index);
            cpu->psw.cc = index == 0 ? 1 : 3;
            return;
        }
        uint64_t at = cpu_wrap(cpu, string_address(cpu, 4) + index);
        uint64_t node = word_at(cpu, at, n), pointer = word_at(cpu, at + n, n);
        if (node == mine) {
            set_word(cpu, 5, n, index);
            set_word(cpu, 2, n, node);
            set_word(cpu, 3, n, pointer);
            cpu->psw.cc = 0;
            return;
        }
        if (node > mine) {
            uint8_t bytes[16];
            be64_store(bytes + 8 - n, mine);
            be64_store(bytes + 8, n == 8 ? cpu->gr[1] : (uint64_t)low(cpu, 1) << 32);
            guest_store(cpu, 4, at, bytes + 8 - n, 2 * n);
            set_word(cpu, 0, n, node);
            set_word(cpu, 1, n, pointer);
        }
        set_word(cpu, 5, n, index); // here it could be interrupted
    }
}

// --- COMPARE UNTIL SUBSTRING EQUAL
// ------------------------------------------------------------------

struct place {
    uint64_t address, left;
};

static struct place place_of(const struct cpu *cpu, unsigned r)
{
    return (struct place){string_address(cpu, r), string_length(cpu, r + 1)};
}

static void set_place(struct cpu *cpu, unsigned r, struct place p)
{
    set_address(cpu, r, p.address);
    set_string_length(cpu, r + 1, p.left);
}

static uint8_t next_byte(struct cpu *cpu, unsigned r, const struct place *p, uint8_t pad)
{
    return p->left ? guest_read8(cpu, NULL, r, p->address) : pad;
}

static void advance(struct cpu *cpu, struct place *p)
{
    if (p->left) {
        p->address = cpu_wrap(cpu, p->address + 1);
        p->left--;
    }
}

// GR0 has the substring's length, GR1 the byte that lengthens the shorter operand. The registers
// come out at the beginning of the equal run, if there is one. cc 0 long enough, 1 the last bytes
// were equal, 2 they were not, 3 there is more.
PLAIN(do_cuse)
{
    check_even_pair(cpu, insn->r1);
    check_even_pair(cpu, insn->r2);
    unsigned wanted = cpu->gr[0] & 0xFF, run = 0, done = 0;
    uint8_t pad = (uint8_t)cpu->gr[1];
    struct place a = place_of(cpu, insn->r1), b = place_of(cpu, insn->r2);
    struct place run_a = a, run_b = b;
    while (run < wanted && (a.left || b.left) && done < 4096) {
        bool same = next_byte(cpu, insn->r1, &a, pad) == next_byte(cpu, insn->r2, &b, pad);
        if (same && run == 0) {
            run_a = a;
            run_b = b;
        }
        run = same ? run + 1 : 0;
        advance(cpu, &a);
        advance(cpu, &b);
        done++;
    }
    set_place(cpu, insn->r1, run || !wanted ? run_a : a);
    set_place(cpu, insn->r2, run || !wanted ? run_b : b);
    if (run == wanted)
        cpu->psw.cc = 0;
    else if (a.left || b.left)
        cpu->psw.cc = 3;
    else
        cpu->psw.cc = run ? 1 : 2;
}
