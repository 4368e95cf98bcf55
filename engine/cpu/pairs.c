// SPDX-License-Identifier: MIT
// Two simple instructions in one handler: what is executed most are loads, stores, moves and
// additions, whose work is small beside the way from one handler to the next.
//
// Only the first one's handler changes. The second keeps its own, so that it can be entered by
// itself: after the first had to go the long way, or when it misses the lookaside table.
#include "cpu/handler_map.h"
#include "cpu/operands.h"

// The work of an instruction; false, and nothing done, when it needs the long way.
#define BODY(name, ...)                                                                           \
    static inline                                                                                 \
        __attribute__((always_inline)) bool name##_body(struct cpu *cpu, const struct insn *insn) \
    {                                                                                             \
        __VA_ARGS__;                                                                              \
        return true;                                                                              \
    }
#define LOAD_BODY(name, n, address_, assign)                                  \
    BODY(name, uint64_t at = address_;                                        \
         const struct lookaside_entry *e = access_read_hit(cpu, at, (n) / 8); \
         if (UNLIKELY(!e)) return false;                                      \
         uint##n##_t v = load_##n((const void *)(e->addend + (uintptr_t)at)); assign)
#define STORE_BODY(name, n, address_, value)                                   \
    BODY(name, uint64_t at = address_;                                         \
         const struct lookaside_write *e = access_write_hit(cpu, at, (n) / 8); \
         if (UNLIKELY(!e || *e->code_lines != 0)) return false;                \
         store_##n((void *)(e->addend + (uintptr_t)at), value))

#define BASE    address_bd(cpu, insn)
#define INDEXED address_bxd(cpu, insn)
#define AMOUNT  ((unsigned)insn->d & 63)
static inline uint64_t rotate64(uint64_t value, unsigned amount)
{
    return value << (amount & 63) | value >> (-amount & 63);
}

static inline uint32_t rotate32(uint32_t value, unsigned amount)
{
    return value << (amount & 31) | value >> (-amount & 31);
}

BODY(lr, set_low(cpu, insn->r1, W2))
BODY(lgr, G1 = G2)
BODY(lgfr, G1 = (uint64_t)(int64_t)SW2)
BODY(llgfr, G1 = W2)
BODY(lhi, set_low(cpu, insn->r1, (uint32_t)IMM))
BODY(lghi, G1 = (uint64_t)(int64_t)IMM)
BODY(la, set_address(cpu, insn->r1, BASE))
BODY(lax, set_address(cpu, insn->r1, INDEXED))
BODY(sllg, G1 = G2 << AMOUNT)
BODY(srlg, G1 = G2 >> AMOUNT)
BODY(rll, set_low(cpu, insn->r1, rotate32(W2, AMOUNT)))
BODY(bits, G1 = rotate64(G2, insn->x) & insn->mask)
LOAD_BODY(l, 32, BASE, set_low(cpu, insn->r1, v))
LOAD_BODY(lx, 32, INDEXED, set_low(cpu, insn->r1, v))
LOAD_BODY(lg, 64, BASE, G1 = v)
LOAD_BODY(lgx, 64, INDEXED, G1 = v)
LOAD_BODY(llgc, 8, BASE, G1 = v)
LOAD_BODY(llc, 8, BASE, set_low(cpu, insn->r1, v))
STORE_BODY(st, 32, BASE, W1)
STORE_BODY(stg, 64, BASE, G1)
STORE_BODY(mvi, 8, BASE, insn->r1)

// The condition code is set, or not (`_quiet`).
#define CC_BODIES(name, ...)                           \
    BODY(name, __VA_ARGS__; cpu->psw.cc = (uint8_t)cc) \
    BODY(name##_quiet, __VA_ARGS__; (void)cc)
#define ADD32(b_)                                                   \
    int32_t r;                                                      \
    bool overflow = __builtin_add_overflow(SW1, (int32_t)(b_), &r); \
    set_low(cpu, insn->r1, (uint32_t)r);                            \
    unsigned cc = overflow ? 3 : cc_sign(r);                        \
    if (UNLIKELY(overflow))                                         \
    fixed_overflow(cpu, insn)
#define ADD64(b_)                                                   \
    int64_t r;                                                      \
    bool overflow = __builtin_add_overflow(SG1, (int64_t)(b_), &r); \
    G1 = (uint64_t)r;                                               \
    unsigned cc = overflow ? 3 : cc_sign(r);                        \
    if (UNLIKELY(overflow))                                         \
    fixed_overflow(cpu, insn)
#define LOGIC32(value)         \
    uint32_t r = (value);      \
    set_low(cpu, insn->r1, r); \
    unsigned cc = r != 0
CC_BODIES(ar, ADD32(W2))
CC_BODIES(ahi, ADD32(IMM))
CC_BODIES(agr, ADD64(G2))
CC_BODIES(aghi, ADD64(IMM))
CC_BODIES(xr, LOGIC32(W1 ^ W2))
CC_BODIES(nr, LOGIC32(W1 &W2))

// --- the pairs -----------------------------------------------------------------------------------

// Where a body gives up, the instruction's own handler goes the long way.
// clang-format off
#define MEMBERS(X, a) \
    X(a, lr) X(a, lgr) X(a, lgfr) X(a, llgfr) X(a, lhi) X(a, lghi) X(a, la) X(a, lax) X(a, sllg) \
    X(a, srlg) X(a, rll) X(a, bits) X(a, l) X(a, lx) X(a, lg) X(a, lgx) X(a, llgc) X(a, llc) \
    X(a, st) X(a, stg) X(a, mvi) X(a, ar) X(a, ahi) X(a, agr) X(a, aghi) X(a, xr) X(a, nr) \
    X(a, ar_quiet) X(a, ahi_quiet) X(a, agr_quiet) X(a, aghi_quiet) X(a, xr_quiet) X(a, nr_quiet)
#define FIRSTS(X) \
    X(lr) X(lgr) X(lgfr) X(llgfr) X(lhi) X(lghi) X(la) X(lax) X(sllg) X(srlg) X(rll) X(bits) \
    X(l) X(lx) X(lg) X(lgx) X(llgc) X(llc) X(st) X(stg) X(mvi) X(ar) X(ahi) X(agr) X(aghi) \
    X(xr) X(nr) X(ar_quiet) X(ahi_quiet) X(agr_quiet) X(aghi_quiet) X(xr_quiet) X(nr_quiet)
// clang-format on

#define op_lax  op_la
#define op_lx   op_l
#define op_lgx  op_lg
#define op_bits op_risbgn

#define PAIR(first, second)                      \
    static HANDLER(first##_##second)             \
    {                                            \
        if (UNLIKELY(!first##_body(cpu, insn)))  \
            return op_##first(cpu, insn);        \
        insn++;                                  \
        if (UNLIKELY(!second##_body(cpu, insn))) \
            return op_##second(cpu, insn);       \
        NEXT;                                    \
    }
#define PAIRS_OF(first) MEMBERS(PAIR, first)
FIRSTS(PAIRS_OF)

enum member {
#define MEMBER(unused, name) MEMBER_##name,
    MEMBERS(MEMBER, none) MEMBER_COUNT
};

static insn_fn *const pairs[MEMBER_COUNT][MEMBER_COUNT] = {
#define ENTRY(first, second) [MEMBER_##second] = first##_##second,
#define ROW(first)           [MEMBER_##first] = {MEMBERS(ENTRY, first)},
    FIRSTS(ROW)};

// Which member an instruction is, by its handler and the operands it has.
enum shape { ANY, NO_INDEX, INDEX, NO_BASE, BITS_ALONE };

static const struct {
    insn_fn *handler;
    enum shape shape;
    enum member member;
} kinds[] = {
    {op_lr, ANY, MEMBER_lr},
    {op_lgr, ANY, MEMBER_lgr},
    {op_lgfr, ANY, MEMBER_lgfr},
    {op_llgfr, ANY, MEMBER_llgfr},
    {op_lhi, ANY, MEMBER_lhi},
    {op_lghi, ANY, MEMBER_lghi},
    {op_la, NO_INDEX, MEMBER_la},
    {op_la, INDEX, MEMBER_lax},
    {op_sllg, NO_BASE, MEMBER_sllg},
    {op_srlg, NO_BASE, MEMBER_srlg},
    {op_rll, NO_BASE, MEMBER_rll},
    {op_risbgn, BITS_ALONE, MEMBER_bits},
    {op_risbg_quiet, BITS_ALONE, MEMBER_bits},
    {op_l, NO_INDEX, MEMBER_l},
    {op_l, INDEX, MEMBER_lx},
    {op_lg, NO_INDEX, MEMBER_lg},
    {op_lg, INDEX, MEMBER_lgx},
    {op_llgc, NO_INDEX, MEMBER_llgc},
    {op_llc, NO_INDEX, MEMBER_llc},
    {op_st, NO_INDEX, MEMBER_st},
    {op_stg, NO_INDEX, MEMBER_stg},
    {op_mvi, ANY, MEMBER_mvi},
    {op_ar, ANY, MEMBER_ar},
    {op_ahi, ANY, MEMBER_ahi},
    {op_agr, ANY, MEMBER_agr},
    {op_aghi, ANY, MEMBER_aghi},
    {op_xr, ANY, MEMBER_xr},
    {op_nr, ANY, MEMBER_nr},
    {op_ar_quiet, ANY, MEMBER_ar_quiet},
    {op_ahi_quiet, ANY, MEMBER_ahi_quiet},
    {op_agr_quiet, ANY, MEMBER_agr_quiet},
    {op_aghi_quiet, ANY, MEMBER_aghi_quiet},
    {op_xr_quiet, ANY, MEMBER_xr_quiet},
    {op_nr_quiet, ANY, MEMBER_nr_quiet},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static struct handler_map map;

// The kinds of one handler stand together; the map leads to the first.
static void make_map(void)
{
    for (unsigned i = KINDS; i-- > 0;)
        handler_map_set(&map, kinds[i].handler, i);
}

static bool has_shape(const struct insn *insn, enum shape shape)
{
    switch (shape) {
    case NO_INDEX:
        return insn->x == NO_REGISTER;
    case INDEX:
        return insn->x != NO_REGISTER;
    case NO_BASE:
        return insn->b == NO_REGISTER;
    case BITS_ALONE:
        return insn->m4 & 1;
    default:
        return true;
    }
}

static int member_of(const struct insn *insn)
{
    int i = handler_map_get(&map, insn->run);
    for (; i >= 0 && i < (int)KINDS && kinds[i].handler == insn->run; i++) {
        if (has_shape(insn, kinds[i].shape))
            return (int)kinds[i].member;
    }
    return -1;
}

void block_pair(struct insn *insn, unsigned count)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_map);
    for (unsigned i = 0; i + 1 < count; i++) {
        int first = member_of(&insn[i]);
        int second = first < 0 ? -1 : member_of(&insn[i + 1]);
        if (second < 0)
            continue;
        insn[i].run = pairs[first][second];
        i++; // the second one is not a first
    }
}
