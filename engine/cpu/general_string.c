// SPDX-License-Identifier: MIT
// Long moves, comparisons, searches and checksums with operands in registers.
// (Principles of Operation, "General Instructions", "Interruptible Instructions".)
//
// Registers are updated after every part, so an access exception in the middle leaves a state from
// which the instruction can be executed again.
#include <string.h>

#include "cpu/operand_string.h"

// --- MOVE LONG and its extended forms -------------------------------------------------------

struct move {
    unsigned r1, r2; // even registers
    uint64_t to_n, from_n;
    uint8_t pad[2];
    unsigned unit; // bytes of a character
};

static uint8_t cc_lengths(uint64_t a, uint64_t b)
{
    return a == b ? 0 : a < b ? 1 : 2;
}

static void pad_bytes(uint8_t *to, unsigned n, const struct move *m, uint64_t left)
{
    if (m->unit == 1) {
        memset(to, m->pad[0], n);
        return;
    }
    for (unsigned i = 0; i < n; i++) // `left` bytes remain: its parity says which half is next
        to[i] = m->pad[(left - i) & 1];
}

// One part, within a page of each operand. False when nothing is left to move.
static bool move_part(struct cpu *cpu, struct move *m, const struct space *to_space,
                      const struct space *from_space)
{
    if (m->to_n == 0)
        return false;
    uint64_t to = string_address(cpu, m->r1), from = string_address(cpu, m->r2);
    unsigned n = string_part(m->to_n, to);
    if (m->from_n == 0) {
        pad_bytes(access_host(cpu, to_space, to, n, ACCESS_WRITE), n, m, m->to_n);
    } else {
        n = string_part(n < m->from_n ? n : m->from_n, from);
        const uint8_t *source = access_host(cpu, from_space, from, n, ACCESS_READ);
        uint8_t *target = access_host(cpu, to_space, to, n, ACCESS_WRITE);
        if (target <= source || target >= source + n)
            memmove(target, source, n);
        else
            for (unsigned i = 0; i < n; i++)
                target[i] = source[i];
        m->from_n -= n;
        set_address(cpu, m->r2, cpu_wrap(cpu, from + n));
    }
    m->to_n -= n;
    set_address(cpu, m->r1, cpu_wrap(cpu, to + n));
    return true;
}

// Would the first operand's bytes be used as a source after they were stored? Then nothing moves.
static bool destructive_overlap(const struct cpu *cpu, const struct move *m)
{
    uint64_t n = m->to_n < m->from_n ? m->to_n : m->from_n;
    uint64_t to = string_address(cpu, m->r1), from = string_address(cpu, m->r2);
    uint64_t distance = (to - from) & cpu->address_mask;
    return n > 1 && distance > 0 && distance < n;
}

static void set_length24(struct cpu *cpu, unsigned r, uint64_t n)
{
    set_low(cpu, r, (low(cpu, r) & 0xFF000000) | (uint32_t)n);
}

PLAIN(do_mvcl)
{
    check_even_pair(cpu, insn->r1 | insn->r2);
    struct move m = {.r1 = insn->r1, .r2 = insn->r2, .unit = 1};
    m.to_n = low(cpu, m.r1 + 1) & 0xFFFFFF;
    m.from_n = low(cpu, m.r2 + 1) & 0xFFFFFF;
    m.pad[0] = (uint8_t)(low(cpu, m.r2 + 1) >> 24);
    uint8_t cc = cc_lengths(m.to_n, m.from_n);
    if (destructive_overlap(cpu, &m)) {
        cpu->psw.cc = 3;
        return;
    }
    struct space to = space_operand(cpu, m.r1), from = space_operand(cpu, m.r2);
    set_address(cpu, m.r1, string_address(cpu, m.r1));
    set_address(cpu, m.r2, string_address(cpu, m.r2));
    for (unsigned parts = 0; move_part(cpu, &m, &to, &from); parts++) {
        set_length24(cpu, m.r1 + 1, m.to_n);
        set_length24(cpu, m.r2 + 1, m.from_n);
        if (m.to_n && interruption_waits(cpu, parts)) {
            cpu->unfinished = true;
            return;
        }
    }
    cpu->psw.cc = cc; // not before: an access exception leaves it alone
}

// MOVE LONG EXTENDED and UNICODE: R3 (in r2) is the source, the pad is in the address bits.
static void move_extended(struct cpu *cpu, const struct insn *insn, unsigned unit)
{
    check_even_pair(cpu, insn->r1 | insn->r2);
    uint64_t pad = address_bd(cpu, insn);
    struct move m = {.r1 = insn->r1, .r2 = insn->r2, .unit = unit};
    m.to_n = string_length(cpu, m.r1 + 1);
    m.from_n = string_length(cpu, m.r2 + 1);
    check(cpu, unit == 1 || !((m.to_n | m.from_n) & 1), PIC_SPECIFICATION);
    m.pad[0] = unit == 1 ? (uint8_t)pad : (uint8_t)(pad >> 8);
    m.pad[1] = (uint8_t)pad;
    uint8_t cc = cc_lengths(m.to_n, m.from_n);
    struct space to = space_operand(cpu, m.r1), from = space_operand(cpu, m.r2);
    uint64_t start = m.to_n;
    while (start - m.to_n < STRING_LIMIT && move_part(cpu, &m, &to, &from)) {
        set_string_length(cpu, m.r1 + 1, m.to_n);
        set_string_length(cpu, m.r2 + 1, m.from_n);
    }
    cpu->psw.cc = m.to_n ? 3 : cc;
}

PLAIN(do_mvcle)
{
    move_extended(cpu, insn, 1);
}

PLAIN(do_mvclu)
{
    move_extended(cpu, insn, 2);
}

// --- COMPARE LOGICAL LONG and its extended forms -----------------------------------------------

struct compare {
    unsigned r1, r2;
    uint64_t n1, n2;
    uint8_t pad[2];
    unsigned unit;
};

// A part of one operand as host bytes: from storage, or pad characters when it is used up.
static const uint8_t *compare_side(struct cpu *cpu, const struct space *space, unsigned r,
                                   uint64_t n, unsigned part, const uint8_t *padding)
{
    return n ? access_host(cpu, space, string_address(cpu, r), part, ACCESS_READ) : padding;
}

static void advance(struct cpu *cpu, unsigned r, uint64_t *n, unsigned by)
{
    if (*n == 0)
        return;
    *n -= by;
    set_address(cpu, r, cpu_wrap(cpu, string_address(cpu, r) + by));
}

// Compares one part: 0 equal so far (*more says whether anything is left), 1 low, 2 high.
static uint8_t compare_part(struct cpu *cpu, struct compare *c, const struct space *s1,
                            const struct space *s2, bool *more)
{
    uint8_t padding[256];
    *more = c->n1 || c->n2;
    if (!*more)
        return 0;
    unsigned n = 4096;
    if (c->n1)
        n = string_part(c->n1 < n ? c->n1 : n, string_address(cpu, c->r1));
    if (c->n2)
        n = string_part(c->n2 < n ? c->n2 : n, string_address(cpu, c->r2));
    if (!c->n1 || !c->n2) {
        if (n > sizeof padding)
            n = sizeof padding;
        for (unsigned i = 0; i < n; i++) // an odd rest begins with the second half
            padding[i] = c->pad[c->unit == 1 ? 0 : ((c->n1 | c->n2) - i) & 1];
    }
    const uint8_t *a = compare_side(cpu, s1, c->r1, c->n1, n, padding);
    const uint8_t *b = compare_side(cpu, s2, c->r2, c->n2, n, padding);
    unsigned same = 0;
    if (memcmp(a, b, n) == 0)
        same = n;
    else
        while (a[same] == b[same])
            same++;
    uint8_t cc = same == n ? 0 : a[same] < b[same] ? 1 : 2;
    if (c->unit == 2) // stop before the character that differs
        same &= ~1u;
    advance(cpu, c->r1, &c->n1, same);
    advance(cpu, c->r2, &c->n2, same);
    return cc;
}

PLAIN(do_clcl)
{
    check_even_pair(cpu, insn->r1 | insn->r2);
    struct compare c = {.r1 = insn->r1, .r2 = insn->r2, .unit = 1};
    c.n1 = low(cpu, c.r1 + 1) & 0xFFFFFF;
    c.n2 = low(cpu, c.r2 + 1) & 0xFFFFFF;
    c.pad[0] = (uint8_t)(low(cpu, c.r2 + 1) >> 24);
    struct space s1 = space_operand(cpu, c.r1), s2 = space_operand(cpu, c.r2);
    set_address(cpu, c.r1, string_address(cpu, c.r1));
    set_address(cpu, c.r2, string_address(cpu, c.r2));
    bool more = true;
    uint8_t cc = 0;
    for (unsigned parts = 0; more && cc == 0; parts++) {
        if (parts && interruption_waits(cpu, parts)) {
            cpu->unfinished = true;
            return;
        }
        cc = compare_part(cpu, &c, &s1, &s2, &more);
        set_length24(cpu, c.r1 + 1, c.n1);
        set_length24(cpu, c.r2 + 1, c.n2);
    }
    cpu->psw.cc = cc;
}

static void compare_extended(struct cpu *cpu, const struct insn *insn, unsigned unit)
{
    check_even_pair(cpu, insn->r1 | insn->r2);
    uint64_t pad = address_bd(cpu, insn);
    struct compare c = {.r1 = insn->r1, .r2 = insn->r2, .unit = unit};
    c.n1 = string_length(cpu, c.r1 + 1);
    c.n2 = string_length(cpu, c.r2 + 1);
    check(cpu, unit == 1 || !((c.n1 | c.n2) & 1), PIC_SPECIFICATION);
    c.pad[0] = unit == 1 ? (uint8_t)pad : (uint8_t)(pad >> 8);
    c.pad[1] = (uint8_t)pad;
    struct space s1 = space_operand(cpu, c.r1), s2 = space_operand(cpu, c.r2);
    bool more = true;
    uint8_t cc = 0;
    for (unsigned done = 0; more && cc == 0; done++) {
        if (done == STRING_LIMIT / 4096) {
            cc = 3;
            break;
        }
        cc = compare_part(cpu, &c, &s1, &s2, &more);
        set_string_length(cpu, c.r1 + 1, c.n1);
        set_string_length(cpu, c.r2 + 1, c.n2);
    }
    cpu->psw.cc = cc;
}

PLAIN(do_clcle)
{
    compare_extended(cpu, insn, 1);
}

PLAIN(do_clclu)
{
    compare_extended(cpu, insn, 2);
}

// --- strings with an ending character (in R0) ---------------------------------------------------

// How many bytes one execution looks at before it pauses with condition code 3: what the page of
// the first operand still holds, or 256 when that is less. The architecture leaves the number to
// the model, from 256 on; programs that count the pauses expect this one.
#define STRING_LEAST 256u

static unsigned string_pause(unsigned rest)
{
    return rest < STRING_LEAST ? STRING_LEAST : rest;
}

static uint8_t ending_character(struct cpu *cpu)
{
    check(cpu, !(low(cpu, 0) & 0xFFFFFF00), PIC_SPECIFICATION);
    return (uint8_t)cpu->gr[0];
}

// Pauses at each page border, of either operand.
PLAIN(do_mvst)
{
    uint8_t end = ending_character(cpu);
    struct space to_space = space_operand(cpu, insn->r1), from_space = space_operand(cpu, insn->r2);
    uint64_t to = string_address(cpu, insn->r1), from = string_address(cpu, insn->r2);
    unsigned n = string_part(page_rest(to), from);
    const uint8_t *source = access_host(cpu, &from_space, from, n, ACCESS_READ);
    const uint8_t *found = memchr(source, end, n);
    unsigned part = found ? (unsigned)(found - source) + 1 : n;
    uint8_t *target = access_host(cpu, &to_space, to, part, ACCESS_WRITE);
    for (unsigned i = 0; i < part; i++)
        target[i] = source[i];
    if (found) {
        set_address(cpu, insn->r1, cpu_wrap(cpu, to + part - 1));
        cpu->psw.cc = 1;
        return;
    }
    set_address(cpu, insn->r1, cpu_wrap(cpu, to + part));
    set_address(cpu, insn->r2, cpu_wrap(cpu, from + part));
    cpu->psw.cc = 3;
}

PLAIN(do_clst)
{
    uint8_t end = ending_character(cpu);
    struct space s1 = space_operand(cpu, insn->r1), s2 = space_operand(cpu, insn->r2);
    uint64_t a = string_address(cpu, insn->r1), b = string_address(cpu, insn->r2);
    unsigned pause = string_pause(string_part(page_rest(a), b));
    for (unsigned seen = 0; seen < pause;) {
        unsigned n = string_part(string_part(pause - seen, a), b);
        const uint8_t *first = access_host(cpu, &s1, a, n, ACCESS_READ);
        const uint8_t *second = access_host(cpu, &s2, b, n, ACCESS_READ);
        for (unsigned i = 0; i < n; i++) {
            if (first[i] == second[i] && first[i] != end)
                continue;
            if (first[i] == second[i]) {
                cpu->psw.cc = 0; // registers stay
                return;
            }
            // An operand that ended is the shorter one, whatever the character's value.
            bool is_low = first[i] == end || (second[i] != end && first[i] < second[i]);
            set_address(cpu, insn->r1, cpu_wrap(cpu, a + i));
            set_address(cpu, insn->r2, cpu_wrap(cpu, b + i));
            cpu->psw.cc = is_low ? 1 : 2;
            return;
        }
        a = cpu_wrap(cpu, a + n);
        b = cpu_wrap(cpu, b + n);
        seen += n;
    }
    set_address(cpu, insn->r1, a);
    set_address(cpu, insn->r2, b);
    cpu->psw.cc = 3;
}

// Searches from R2 to before R1.
PLAIN(do_srst)
{
    uint8_t wanted = ending_character(cpu);
    struct space space = space_operand(cpu, insn->r2);
    uint64_t end = string_address(cpu, insn->r1), at = string_address(cpu, insn->r2);
    unsigned pause = string_pause(page_rest(at));
    for (unsigned seen = 0; at != end && seen < pause;) {
        uint64_t rest = (end - at) & cpu->address_mask;
        unsigned n = string_part(rest < pause - seen ? rest : pause - seen, at);
        const uint8_t *host = access_host(cpu, &space, at, n, ACCESS_READ);
        const uint8_t *found = memchr(host, wanted, n);
        if (found) {
            set_address(cpu, insn->r1, cpu_wrap(cpu, at + (uint64_t)(found - host)));
            cpu->psw.cc = 1; // R2 stays
            return;
        }
        at = cpu_wrap(cpu, at + n);
        seen += n;
    }
    if (at != end)
        set_address(cpu, insn->r2, at);
    cpu->psw.cc = at == end ? 2 : 3;
}

// Two-byte characters; the end is met at its address and one byte behind it.
PLAIN(do_srstu)
{
    check(cpu, !(low(cpu, 0) >> 16), PIC_SPECIFICATION);
    uint16_t wanted = (uint16_t)cpu->gr[0];
    uint64_t end = string_address(cpu, insn->r1), at = string_address(cpu, insn->r2);
    for (unsigned seen = 0; seen < 4096; seen++, at = cpu_wrap(cpu, at + 2)) {
        if (at == end || at == cpu_wrap(cpu, end + 1)) {
            cpu->psw.cc = 2;
            return;
        }
        if (guest_read16(cpu, NULL, insn->r2, at) == wanted) {
            set_address(cpu, insn->r1, at);
            cpu->psw.cc = 1;
            return;
        }
    }
    set_address(cpu, insn->r2, at);
    cpu->psw.cc = 3;
}

// --- CHECKSUM: words summed with the carry brought round -----------------------------------------

PLAIN(do_cksm)
{
    check_even_pair(cpu, insn->r2);
    struct space space = space_operand(cpu, insn->r2);
    uint64_t sum = W1, left = string_length(cpu, insn->r2 + 1);
    for (unsigned done = 0; left && done < STRING_LIMIT; done += 4) {
        uint64_t at = string_address(cpu, insn->r2);
        unsigned n = left < 4 ? (unsigned)left : 4;
        uint8_t word[4] = {0};
        if (n <= page_rest(at))
            memcpy(word, access_host(cpu, &space, at, n, ACCESS_READ), n);
        else
            space_read(cpu, &space, at, word, n);
        sum += be32_load(word);
        sum = (sum & 0xFFFFFFFF) + (sum >> 32);
        left -= n;
        set_low(cpu, insn->r1, (uint32_t)sum);
        set_address(cpu, insn->r2, cpu_wrap(cpu, at + n));
        set_string_length(cpu, insn->r2 + 1, left);
    }
    cpu->psw.cc = left ? 3 : 0;
}
