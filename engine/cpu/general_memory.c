// SPDX-License-Identifier: MIT
// Storage-to-storage operations of one instruction, storage with immediates, multiple registers.
// (Principles of Operation, "General Instructions".)
#include <string.h>

#include "cpu/interlocked.h"
#include "cpu/operands.h"

// --- multiple registers -----------------------------------------------------------------

// Registers R1 to R3 (in r2), wrapping from 15 to 0.
#define REGISTERS(insn) (((insn)->r2 - (insn)->r1) & 15u) + 1

HANDLER(op_lmg)
{
    uint64_t address = address_bd(cpu, insn);
    unsigned n = REGISTERS(insn), r = insn->r1;
    const struct lookaside_entry *e = access_read_hit(cpu, address, n * 8);
    if (LIKELY(e != NULL)) {
        const uint8_t *host = (const uint8_t *)(e->addend + (uintptr_t)address);
        for (unsigned i = 0; i < n; i++, r = (r + 1) & 15)
            cpu->gr[r] = be64_load(host + i * 8);
        NEXT;
    }
    // All is read before the first register changes: the last doubleword first.
    guest_read64(cpu, insn, insn->b, (address + n * 8 - 8) & cpu->address_mask);
    uint64_t values[16];
    for (unsigned i = 0; i < n; i++)
        values[i] = guest_read64(cpu, insn, insn->b, (address + i * 8) & cpu->address_mask);
    for (unsigned i = 0; i < n; i++, r = (r + 1) & 15)
        cpu->gr[r] = values[i];
    NEXT;
}

HANDLER(op_stmg)
{
    uint64_t address = address_bd(cpu, insn);
    unsigned n = REGISTERS(insn), r = insn->r1;
    const struct lookaside_write *e = access_write_hit(cpu, address, n * 8);
    if (LIKELY(e != NULL)) {
        uint8_t *host = (uint8_t *)(e->addend + (uintptr_t)address);
        for (unsigned i = 0; i < n; i++, r = (r + 1) & 15)
            be64_store(host + i * 8, cpu->gr[r]);
        if (UNLIKELY(*e->code_lines != 0))
            access_code_written(cpu, insn, e, address, n * 8);
        NEXT;
    }
    cpu->current = insn;
    guest_probe_store(cpu, insn->b, address, n * 8);
    for (unsigned i = 0; i < n; i++, r = (r + 1) & 15)
        guest_write64(cpu, insn, insn->b, (address + i * 8) & cpu->address_mask, cpu->gr[r]);
    NEXT;
}

static void load_words(struct cpu *cpu, const struct insn *insn, uint32_t words[16])
{
    uint8_t bytes[64];
    unsigned n = REGISTERS(insn);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes, n * 4);
    for (unsigned i = 0; i < n; i++)
        words[i] = be32_load(bytes + i * 4);
}

static void store_words(struct cpu *cpu, const struct insn *insn, const uint32_t words[16])
{
    uint8_t bytes[64];
    unsigned n = REGISTERS(insn);
    for (unsigned i = 0; i < n; i++)
        be32_store(bytes + i * 4, words[i]);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n * 4);
}

#define LOAD_MULTIPLE(name, assign)                             \
    PLAIN(name)                                                 \
    {                                                           \
        uint32_t words[16];                                     \
        load_words(cpu, insn, words);                           \
        for (unsigned i = 0, n = REGISTERS(insn); i < n; i++) { \
            unsigned r = (insn->r1 + i) & 15;                   \
            assign;                                             \
        }                                                       \
    }
#define STORE_MULTIPLE(name, value)                             \
    PLAIN(name)                                                 \
    {                                                           \
        uint32_t words[16];                                     \
        for (unsigned i = 0, n = REGISTERS(insn); i < n; i++) { \
            unsigned r = (insn->r1 + i) & 15;                   \
            words[i] = (value);                                 \
        }                                                       \
        store_words(cpu, insn, words);                          \
    }
LOAD_MULTIPLE(do_lm, set_low(cpu, r, words[i]))
LOAD_MULTIPLE(do_lmh, set_high(cpu, r, words[i]))
STORE_MULTIPLE(do_stm, low(cpu, r))
STORE_MULTIPLE(do_stmh, high(cpu, r))

// Access registers must be loaded from a word boundary.
PLAIN(do_lam)
{
    check(cpu, !(address_bd(cpu, insn) & 3), PIC_SPECIFICATION);
    uint32_t words[16];
    load_words(cpu, insn, words);
    for (unsigned i = 0, n = REGISTERS(insn); i < n; i++)
        cpu->ar[(insn->r1 + i) & 15] = words[i];
}

PLAIN(do_stam)
{
    check(cpu, !(address_bd(cpu, insn) & 3), PIC_SPECIFICATION);
    uint32_t words[16];
    for (unsigned i = 0, n = REGISTERS(insn); i < n; i++)
        words[i] = cpu->ar[(insn->r1 + i) & 15];
    store_words(cpu, insn, words);
}

// LOAD MULTIPLE DISJOINT: high halves from the second operand, low halves from the fourth.
PLAIN(do_lmd)
{
    uint8_t up[64], down[64];
    unsigned n = REGISTERS(insn);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), up, n * 4);
    guest_fetch(cpu, insn->b2, address_bd2(cpu, insn), down, n * 4);
    for (unsigned i = 0; i < n; i++)
        cpu->gr[(insn->r1 + i) & 15] =
            (uint64_t)be32_load(up + i * 4) << 32 | be32_load(down + i * 4);
}

PLAIN(do_lpq)
{
    uint64_t address = address_bxd(cpu, insn);
    check(cpu, !(insn->r1 & 1) && !(address & 15), PIC_SPECIFICATION);
    const uint8_t *host = access_pointer(cpu, NULL, insn->b, address, 16, ACCESS_READ);
    uint128 value = interlocked_read16(host);
    G1 = __builtin_bswap64((uint64_t)value);
    cpu->gr[insn->r1 + 1] = __builtin_bswap64((uint64_t)(value >> 64));
}

PLAIN(do_stpq)
{
    uint64_t address = address_bxd(cpu, insn);
    check(cpu, !(insn->r1 & 1) && !(address & 15), PIC_SPECIFICATION);
    uint8_t *host = access_pointer(cpu, NULL, insn->b, address, 16, ACCESS_WRITE);
    interlocked_write16(host, (uint128)__builtin_bswap64(cpu->gr[insn->r1 + 1]) << 64 |
                                  __builtin_bswap64(G1));
}

// --- storage and immediate ------------------------------------------------------------------

// AND, OR, XOR on one byte are interlocked updates (interlocked-access facility 2).
#define IMMEDIATE_UPDATE(name, op)                                                      \
    HANDLER(name)                                                                       \
    {                                                                                   \
        uint8_t *host =                                                                 \
            access_pointer(cpu, insn, insn->b, address_bd(cpu, insn), 1, ACCESS_WRITE); \
        cpu->psw.cc = op(host, insn->r1, __ATOMIC_SEQ_CST) != 0;                        \
        NEXT;                                                                           \
    }
IMMEDIATE_UPDATE(op_ni, __atomic_and_fetch)
IMMEDIATE_UPDATE(op_oi, __atomic_or_fetch)
IMMEDIATE_UPDATE(op_xi, __atomic_xor_fetch)

// --- storage to storage -----------------------------------------------------------------------

// Both operands of an SS instruction of n bytes (at most 256), each in one page, or NULL.
struct operand_pair {
    uint8_t *to;
    const uint8_t *from;
};

static inline bool both_hit(struct cpu *cpu, const struct insn *insn, uint64_t to, uint64_t from,
                            unsigned n, struct operand_pair *p)
{
    const struct lookaside_write *w = access_write_hit(cpu, to, n);
    const struct lookaside_entry *r = access_read_hit(cpu, from, n);
    if (UNLIKELY(!w || !r))
        return false;
    if (UNLIKELY(*w->code_lines != 0))
        access_code_written(cpu, insn, w, to, n);
    p->to = (uint8_t *)(w->addend + (uintptr_t)to);
    p->from = (const uint8_t *)(r->addend + (uintptr_t)from);
    return true;
}

// How far the first operand begins behind the second; very far when it begins before it.
static inline size_t distance(const uint8_t *to, const uint8_t *from)
{
    return (uintptr_t)to - (uintptr_t)from;
}

// A few bytes, all of them read before the first is written.
static inline void move_few(uint8_t *to, const uint8_t *from, unsigned n)
{
    uint64_t first8, last8;
    uint32_t first4, last4;
    if (n >= 8) {
        memcpy(&first8, from, 8);
        memcpy(&last8, from + n - 8, 8);
        memcpy(to, &first8, 8);
        memcpy(to + n - 8, &last8, 8);
    } else if (n >= 4) {
        memcpy(&first4, from, 4);
        memcpy(&last4, from + n - 4, 4);
        memcpy(to, &first4, 4);
        memcpy(to + n - 4, &last4, 4);
    } else {
        uint8_t first = from[0], middle = from[n / 2], last = from[n - 1];
        to[0] = first;
        to[n / 2] = middle;
        to[n - 1] = last;
    }
}

// An operand that overlaps itself by `gap` bytes spreads the first `gap` bytes of the source.
static void spread_bytes(uint8_t *to, const uint8_t *from, unsigned n, size_t gap)
{
    unsigned i = 0;
    if (gap == 1) {
        memset(to, from[0], n);
        return;
    }
    for (; gap >= 8 && i + 8 <= n; i += 8)
        memcpy(to + i, from + i, 8);
    for (; i < n; i++)
        to[i] = from[i];
}

// The architecture moves byte by byte, left to right.
static inline void move_bytes(uint8_t *to, const uint8_t *from, unsigned n)
{
    size_t gap = distance(to, from);
    if (UNLIKELY(gap < n && gap > 0))
        spread_bytes(to, from, n, gap);
    else if (n <= 16)
        move_few(to, from, n);
    else
        memmove(to, from, n);
}

typedef void move_fn(uint8_t *to, const uint8_t *from, unsigned n);

// In parts that stay within the pages of both operands, after all pages were checked.
static void storage_slow(struct cpu *cpu, const struct insn *insn, uint64_t to, uint64_t from,
                         unsigned n, move_fn *move)
{
    cpu->current = insn;
    unsigned first = page_rest(from) < n ? page_rest(from) : n;
    access_pointer(cpu, insn, insn->b2, from, first, ACCESS_READ);
    if (first < n)
        access_pointer(cpu, insn, insn->b2, cpu_wrap(cpu, from + first), n - first, ACCESS_READ);
    guest_probe_store(cpu, insn->b, to, n);
    while (n > 0) {
        unsigned part = n;
        if (part > page_rest(to))
            part = page_rest(to);
        if (part > page_rest(from))
            part = page_rest(from);
        const uint8_t *host = access_pointer(cpu, insn, insn->b2, from, part, ACCESS_READ);
        move(access_pointer(cpu, insn, insn->b, to, part, ACCESS_WRITE), host, part);
        to = cpu_wrap(cpu, to + part);
        from = cpu_wrap(cpu, from + part);
        n -= part;
    }
}

#define STORAGE_MOVE(name, move)                                            \
    HANDLER(name)                                                           \
    {                                                                       \
        uint64_t to = address_bd(cpu, insn), from = address_bd2(cpu, insn); \
        unsigned n = insn->r1 + 1u;                                         \
        struct operand_pair p;                                              \
        if (LIKELY(both_hit(cpu, insn, to, from, n, &p)))                   \
            move(p.to, p.from, n);                                          \
        else                                                                \
            storage_slow(cpu, insn, to, from, n, move);                     \
        NEXT;                                                               \
    }
#define STORAGE_LOGIC(name, op)                                           \
    static void move_##name(uint8_t *to, const uint8_t *from, unsigned n) \
    {                                                                     \
        for (unsigned i = 0; i < n; i++)                                  \
            to[i] = op;                                                   \
    }
STORAGE_LOGIC(mvn, (uint8_t)((to[i] & 0xF0) | (from[i] & 0x0F)))
STORAGE_LOGIC(mvz, (uint8_t)((to[i] & 0x0F) | (from[i] & 0xF0)))
STORAGE_MOVE(op_mvc, move_bytes)
STORAGE_MOVE(op_mvn, move_mvn)
STORAGE_MOVE(op_mvz, move_mvz)

// NC, OC, XC set the condition code from the whole result: `nonzero` gathers it. Eight bytes at a
// time where that is the same as one by one.
#define STORAGE_CC(name, op)                                                     \
    static uint64_t combine_##name(uint8_t *to, const uint8_t *from, unsigned n) \
    {                                                                            \
        uint64_t nonzero = 0, a, b;                                              \
        unsigned i = 0;                                                          \
        for (; distance(to, from) - 1 >= 7 && i + 8 <= n; i += 8) {              \
            memcpy(&a, to + i, 8);                                               \
            memcpy(&b, from + i, 8);                                             \
            a op## = b;                                                          \
            memcpy(to + i, &a, 8);                                               \
            nonzero |= a;                                                        \
        }                                                                        \
        for (; i < n; i++)                                                       \
            nonzero |= to[i] op## = from[i];                                     \
        return nonzero;                                                          \
    }                                                                            \
    static void store_##name(uint8_t *to, const uint8_t *from, unsigned n)       \
    {                                                                            \
        combine_##name(to, from, n);                                             \
    }                                                                            \
    HANDLER(op_##name)                                                           \
    {                                                                            \
        uint64_t to = address_bd(cpu, insn), from = address_bd2(cpu, insn);      \
        unsigned n = insn->r1 + 1u;                                              \
        struct operand_pair p;                                                   \
        if (LIKELY(both_hit(cpu, insn, to, from, n, &p))) {                      \
            cpu->psw.cc = combine_##name(p.to, p.from, n) != 0;                  \
        } else {                                                                 \
            storage_slow(cpu, insn, to, from, n, store_##name);                  \
            cpu->psw.cc = any_nonzero(cpu, insn, to, n);                         \
        }                                                                        \
        NEXT;                                                                    \
    }

static bool any_nonzero(struct cpu *cpu, const struct insn *insn, uint64_t at, unsigned n)
{
    uint8_t bytes[256];
    guest_fetch(cpu, insn->b, at, bytes, n);
    unsigned any = 0;
    for (unsigned i = 0; i < n; i++)
        any |= bytes[i];
    return any != 0;
}

STORAGE_CC(nc, &)
STORAGE_CC(oc, |)

STORAGE_CC(xc, ^)

static inline uint8_t cc_memory(const uint8_t *a, const uint8_t *b, unsigned n)
{
    if (n >= 8 && be64_load(a) != be64_load(b)) // most comparisons end here
        return be64_load(a) < be64_load(b) ? 1 : 2;
    int order = memcmp(a, b, n);
    return order == 0 ? 0 : order < 0 ? 1 : 2;
}

// An operand is only accessed as far as the comparison goes, in parts within both pages.
static uint8_t compare_slow(struct cpu *cpu, const struct insn *insn, uint64_t a, uint64_t b,
                            unsigned n)
{
    while (n > 0) {
        unsigned part = n;
        if (part > page_rest(a))
            part = page_rest(a);
        if (part > page_rest(b))
            part = page_rest(b);
        const uint8_t *first = access_pointer(cpu, insn, insn->b, a, part, ACCESS_READ);
        const uint8_t *second = access_pointer(cpu, insn, insn->b2, b, part, ACCESS_READ);
        uint8_t cc = cc_memory(first, second, part);
        if (cc)
            return cc;
        a = cpu_wrap(cpu, a + part);
        b = cpu_wrap(cpu, b + part);
        n -= part;
    }
    return 0;
}

HANDLER(op_clc)
{
    uint64_t a = address_bd(cpu, insn), b = address_bd2(cpu, insn);
    unsigned n = insn->r1 + 1u;
    const struct lookaside_entry *first = access_read_hit(cpu, a, n);
    const struct lookaside_entry *second = access_read_hit(cpu, b, n);
    if (LIKELY(first && second))
        cpu->psw.cc = cc_memory((const uint8_t *)(first->addend + (uintptr_t)a),
                                (const uint8_t *)(second->addend + (uintptr_t)b), n);
    else
        cpu->psw.cc = compare_slow(cpu, insn, a, b, n);
    NEXT;
}

// MOVE INVERSE: the second operand is addressed at its rightmost byte.
PLAIN(do_mvcin)
{
    uint64_t to = address_bd(cpu, insn), from = address_bd2(cpu, insn);
    unsigned n = insn->r1 + 1u;
    guest_probe_store(cpu, insn->b, to, n);
    guest_read8(cpu, NULL, insn->b2, cpu_wrap(cpu, from - insn->r1));
    for (unsigned i = 0; i < n; i++) {
        uint8_t byte = guest_read8(cpu, NULL, insn->b2, cpu_wrap(cpu, from - i));
        guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + i), byte);
    }
}

// MOVE RIGHT TO LEFT: length - 1 in R0; byte by byte from the right.
PLAIN(do_mvcrl)
{
    uint64_t to = address_bd(cpu, insn), from = address_bd2(cpu, insn);
    unsigned n = ((unsigned)cpu->gr[0] & 0xFF) + 1;
    guest_probe_store(cpu, insn->b, to, n);
    guest_read8(cpu, NULL, insn->b2, from);
    for (unsigned i = n; i-- > 0;) {
        uint8_t byte = guest_read8(cpu, NULL, insn->b2, cpu_wrap(cpu, from + i));
        guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + i), byte);
    }
}
