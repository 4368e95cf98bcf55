// SPDX-License-Identifier: MIT
// Interlocked updates: compare and swap, load and add, test and set, perform locked operation.
// (Principles of Operation, "General Instructions"; storage order in "Storage-Operand
// Consistency".)
#include <string.h>

#include "cpu/interlocked.h"
#include "cpu/operands.h"

// The operand's place, on its boundary and storable.
static void *place(struct cpu *cpu, const struct insn *insn, uint64_t address, unsigned n)
{
    cpu->current = insn;
    check(cpu, !(address & (n - 1)), PIC_SPECIFICATION);
    return access_pointer(cpu, insn, insn->b, address, n, ACCESS_WRITE);
}

// --- compare and swap: R1 is compared, R3 (in r2) stored -----------------------------------

HANDLER(op_cs)
{
    uint32_t *p = place(cpu, insn, address_bd(cpu, insn), 4);
    uint32_t old = __builtin_bswap32(W1);
    bool same = __atomic_compare_exchange_n(p, &old, __builtin_bswap32(W2), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST);
    if (!same)
        set_low(cpu, insn->r1, __builtin_bswap32(old));
    cpu->psw.cc = !same;
    NEXT;
}

HANDLER(op_csg)
{
    uint64_t *p = place(cpu, insn, address_bd(cpu, insn), 8);
    uint64_t old = __builtin_bswap64(G1);
    bool same = __atomic_compare_exchange_n(p, &old, __builtin_bswap64(G2), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST);
    if (!same)
        G1 = __builtin_bswap64(old);
    cpu->psw.cc = !same;
    NEXT;
}

static void check_pairs(struct cpu *cpu, const struct insn *insn)
{
    check(cpu, !((insn->r1 | insn->r2) & 1), PIC_SPECIFICATION);
}

PLAIN(do_cds)
{
    check_pairs(cpu, insn);
    uint64_t *p = place(cpu, insn, address_bd(cpu, insn), 8);
    uint64_t old = __builtin_bswap64((uint64_t)W1 << 32 | low(cpu, insn->r1 + 1u));
    uint64_t new = __builtin_bswap64((uint64_t)W2 << 32 | low(cpu, insn->r2 + 1u));
    bool same =
        __atomic_compare_exchange_n(p, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!same) {
        old = __builtin_bswap64(old);
        set_low(cpu, insn->r1, (uint32_t)(old >> 32));
        set_low(cpu, insn->r1 + 1u, (uint32_t)old);
    }
    cpu->psw.cc = !same;
}

static uint128 quadword(uint64_t left, uint64_t right)
{
    return (uint128)__builtin_bswap64(right) << 64 | __builtin_bswap64(left);
}

PLAIN(do_cdsg)
{
    check_pairs(cpu, insn);
    void *p = place(cpu, insn, address_bd(cpu, insn), 16);
    uint128 old = quadword(G1, cpu->gr[insn->r1 + 1]);
    bool same = interlocked_swap16(p, &old, quadword(G2, cpu->gr[insn->r2 + 1]));
    if (!same) {
        G1 = __builtin_bswap64((uint64_t)old);
        cpu->gr[insn->r1 + 1] = __builtin_bswap64((uint64_t)(old >> 64));
    }
    cpu->psw.cc = !same;
}

PLAIN(do_ts)
{
    uint8_t *p = place(cpu, insn, address_bd(cpu, insn), 1);
    cpu->psw.cc = __atomic_exchange_n(p, 0xFF, __ATOMIC_SEQ_CST) >> 7;
}

// --- load and <operation>: R1 gets the old value, storage old <op> R3 (in r2) ---------------

#define LOAD_AND(name, bits, address_, operand, compute, assign, code)                        \
    HANDLER(name)                                                                             \
    {                                                                                         \
        uint##bits##_t *p = place(cpu, insn, address_, (bits) / 8);                           \
        uint##bits##_t seen = __atomic_load_n(p, __ATOMIC_RELAXED), old, new, by = (operand); \
        do {                                                                                  \
            old = __builtin_bswap##bits(seen);                                                \
            new = compute;                                                                    \
        } while (!__atomic_compare_exchange_n(p, &seen, __builtin_bswap##bits(new), false,    \
                                              __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));           \
        assign;                                                                               \
        code;                                                                                 \
        NEXT;                                                                                 \
    }

#define CC_LOGIC cpu->psw.cc = new != 0
#define CC_ADD_LOGICAL \
    (void)by;          \
    cpu->psw.cc = (uint8_t)((new < old) << 1 | (new != 0))
#define CC_ADD(signed_type)                                      \
    bool overflow = (signed_type)((old ^ new) & (by ^ new)) < 0; \
    cpu->psw.cc = overflow ? 3 : cc_sign((signed_type) new);     \
    if (UNLIKELY(overflow))                                      \
    fixed_overflow(cpu, insn)
#define LOW_OLD  set_low(cpu, insn->r1, old)
#define FULL_OLD G1 = old
#define NOTHING  (void)0

LOAD_AND(op_laa, 32, address_bd(cpu, insn), W2, old + by, LOW_OLD, CC_ADD(int32_t))
LOAD_AND(op_laag, 64, address_bd(cpu, insn), G2, old + by, FULL_OLD, CC_ADD(int64_t))
LOAD_AND(op_laal, 32, address_bd(cpu, insn), W2, old + by, LOW_OLD, CC_ADD_LOGICAL)
LOAD_AND(op_laalg, 64, address_bd(cpu, insn), G2, old + by, FULL_OLD, CC_ADD_LOGICAL)
LOAD_AND(op_lan, 32, address_bd(cpu, insn), W2, old &by, LOW_OLD, CC_LOGIC)
LOAD_AND(op_lang, 64, address_bd(cpu, insn), G2, old &by, FULL_OLD, CC_LOGIC)
LOAD_AND(op_lao, 32, address_bd(cpu, insn), W2, old | by, LOW_OLD, CC_LOGIC)
LOAD_AND(op_laog, 64, address_bd(cpu, insn), G2, old | by, FULL_OLD, CC_LOGIC)
LOAD_AND(op_lax, 32, address_bd(cpu, insn), W2, old ^ by, LOW_OLD, CC_LOGIC)
LOAD_AND(op_laxg, 64, address_bd(cpu, insn), G2, old ^ by, FULL_OLD, CC_LOGIC)

// --- add immediate to storage: interlocked where the operand is aligned ---------------------

#define SIGNED_BYTE ((int8_t)insn->r1)
#define ADD_TO_STORAGE(name, bits, code)                                                       \
    HANDLER(name)                                                                              \
    {                                                                                          \
        uint64_t address = address_bd(cpu, insn);                                              \
        uint##bits##_t by = (uint##bits##_t)(int##bits##_t)SIGNED_BYTE, old, new;              \
        if (LIKELY(!(address & ((bits) / 8 - 1)))) {                                           \
            uint##bits##_t *p = place(cpu, insn, address, (bits) / 8);                         \
            uint##bits##_t seen = __atomic_load_n(p, __ATOMIC_RELAXED);                        \
            do {                                                                               \
                old = __builtin_bswap##bits(seen);                                             \
                new = old + by;                                                                \
            } while (!__atomic_compare_exchange_n(p, &seen, __builtin_bswap##bits(new), false, \
                                                  __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));        \
        } else {                                                                               \
            cpu->current = insn;                                                               \
            guest_probe_store(cpu, insn->b, address, (bits) / 8);                              \
            old = guest_read##bits(cpu, insn, insn->b, address);                               \
            new = old + by;                                                                    \
            guest_write##bits(cpu, insn, insn->b, address, new);                               \
        }                                                                                      \
        code;                                                                                  \
        NEXT;                                                                                  \
    }
// Logical with a signed immediate: the carry is that of adding the extended operand.
ADD_TO_STORAGE(op_asi, 32, CC_ADD(int32_t))
ADD_TO_STORAGE(op_agsi, 64, CC_ADD(int64_t))
ADD_TO_STORAGE(op_alsi, 32, CC_ADD_LOGICAL)
ADD_TO_STORAGE(op_algsi, 64, CC_ADD_LOGICAL)

// --- load pair disjoint: two words read as if at once (cc 0), else cc 3 -----------------------

PLAIN(do_lpd)
{
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION); // R3 stands in r1
    uint64_t a = address_bd(cpu, insn), b = address_bd2(cpu, insn);
    check(cpu, !((a | b) & 3), PIC_SPECIFICATION);
    uint32_t first = guest_read32(cpu, NULL, insn->b, a);
    uint32_t second = guest_read32(cpu, NULL, insn->b2, b);
    cpu->psw.cc = first == guest_read32(cpu, NULL, insn->b, a) ? 0 : 3;
    set_low(cpu, insn->r1, first);
    set_low(cpu, insn->r1 + 1u, second);
}

PLAIN(do_lpdg)
{
    check(cpu, !(insn->r1 & 1), PIC_SPECIFICATION);
    uint64_t a = address_bd(cpu, insn), b = address_bd2(cpu, insn);
    check(cpu, !((a | b) & 7), PIC_SPECIFICATION);
    uint64_t first = guest_read64(cpu, NULL, insn->b, a);
    uint64_t second = guest_read64(cpu, NULL, insn->b2, b);
    cpu->psw.cc = first == guest_read64(cpu, NULL, insn->b, a) ? 0 : 3;
    G1 = first;
    cpu->gr[insn->r1 + 1] = second;
}

// --- compare and swap and store ---------------------------------------------------------------

// R0: function code (0 32, 1 64, 2 128 bits) in bits 56-63, store characteristic (bytes as a power
// of two) in 48-55; parameter list in R1's storage: replacement at 0, store value at 16. First
// operand D1(B1) is compared with R3 (in r1); then the store value goes to D2(B2).
struct swap_and_store {
    unsigned size, store_size;
    uint64_t first, second, list;
};

static struct swap_and_store swap_operands(struct cpu *cpu, const struct insn *insn)
{
    unsigned function = low(cpu, 0) & 0xFF, characteristic = low(cpu, 0) >> 8 & 0xFF;
    check(cpu, function <= 2 && characteristic <= 4 && (function < 2 || !(insn->r1 & 1)),
          PIC_SPECIFICATION);
    struct swap_and_store s = {4u << function, 1u << characteristic, address_bd(cpu, insn),
                               address_bd2(cpu, insn), cpu_wrap(cpu, cpu->gr[1])};
    check(cpu, !(s.first & (s.size - 1)) && !(s.second & (s.store_size - 1)) && !(s.list & 15),
          PIC_SPECIFICATION);
    return s;
}

// Register operand of the comparison, as the bytes that storage would have.
static void comparand(const struct cpu *cpu, unsigned r, unsigned size, uint8_t bytes[16])
{
    if (size == 4) {
        be32_store(bytes, low(cpu, r));
        return;
    }
    be64_store(bytes, cpu->gr[r]);
    if (size == 16)
        be64_store(bytes + 8, cpu->gr[r + 1]);
}

static void set_comparand(struct cpu *cpu, unsigned r, unsigned size, const uint8_t bytes[16])
{
    if (size == 4) {
        set_low(cpu, r, be32_load(bytes));
        return;
    }
    cpu->gr[r] = be64_load(bytes);
    if (size == 16)
        cpu->gr[r + 1] = be64_load(bytes + 8);
}

// Interlocked on `size` bytes: true when swapped, else *expected has what was there.
static bool swap_bytes(void *host, unsigned size, uint8_t expected[16], const uint8_t new[16])
{
    uint32_t old32, new32;
    uint64_t old64, new64;
    uint128 old128, new128;
    bool same;
    switch (size) {
    case 4:
        memcpy(&old32, expected, 4);
        memcpy(&new32, new, 4);
        same = __atomic_compare_exchange_n((uint32_t *)host, &old32, new32, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
        memcpy(expected, &old32, 4);
        return same;
    case 8:
        memcpy(&old64, expected, 8);
        memcpy(&new64, new, 8);
        same = __atomic_compare_exchange_n((uint64_t *)host, &old64, new64, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
        memcpy(expected, &old64, 8);
        return same;
    default:
        memcpy(&old128, expected, 16);
        memcpy(&new128, new, 16);
        same = interlocked_swap16(host, &old128, new128);
        memcpy(expected, &old128, 16);
        return same;
    }
}

PLAIN(do_csst)
{
    struct swap_and_store s = swap_operands(cpu, insn);
    uint8_t list[32], expected[16];
    guest_fetch(cpu, 1, s.list, list, 32);
    uint8_t *host = access_pointer(cpu, NULL, insn->b, s.first, s.size, ACCESS_WRITE);
    uint8_t *to = access_pointer(cpu, NULL, insn->b2, s.second, s.store_size, ACCESS_WRITE);
    comparand(cpu, insn->r1, s.size, expected);
    bool same = swap_bytes(host, s.size, expected, list);
    if (same)
        memcpy(to, list + 16, s.store_size);
    else
        set_comparand(cpu, insn->r1, s.size, expected);
    cpu->psw.cc = !same;
}
