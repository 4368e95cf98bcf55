// SPDX-License-Identifier: MIT
// Special handlers for the operand shapes that make up most of what is executed.
#include "cpu/handler_map.h"
#include "cpu/operands.h"

// --- D(B) alone: no index register, the shape of most loads and stores -------------------------

#define BASE(n) MEM_AT(n, insn->b, address_bd(cpu, insn))
#define LOAD_BASE(name, assign)  \
    static HANDLER(name##_base); \
    OPERATION(name##_base)       \
    {                            \
        assign;                  \
        NEXT;                    \
    }
#define STORE_BASE(name, n, value)                            \
    static HANDLER(name##_base);                              \
    OPERATION(name##_base)                                    \
    {                                                         \
        STORE_AT(n, insn->b, address_bd(cpu, insn), (value)); \
        NEXT;                                                 \
    }
LOAD_BASE(l, set_low(cpu, insn->r1, BASE(32)))
LOAD_BASE(lg, G1 = BASE(64))
LOAD_BASE(lgf, G1 = (uint64_t)(int64_t)(int32_t)BASE(32))
LOAD_BASE(llgf, G1 = BASE(32))
LOAD_BASE(lh, set_low(cpu, insn->r1, (uint32_t)(int32_t)(int16_t)BASE(16)))
LOAD_BASE(lgh, G1 = (uint64_t)(int64_t)(int16_t)BASE(16))
LOAD_BASE(llgh, G1 = BASE(16))
LOAD_BASE(llc, set_low(cpu, insn->r1, BASE(8)))
LOAD_BASE(llgc, G1 = BASE(8))
STORE_BASE(st, 32, W1)
STORE_BASE(stg, 64, G1)
STORE_BASE(sth, 16, (uint16_t)W1)
STORE_BASE(stc, 8, (uint8_t)W1)

static HANDLER(la_base);
OPERATION(la_base)
{
    set_address(cpu, insn->r1, address_bd(cpu, insn));
    NEXT;
}

// --- amounts without a register, bits that nothing else is kept beside --------------------------

#define CONSTANT ((unsigned)insn->d & 63)
#define SIMPLE(name, assign) \
    static HANDLER(name)     \
    {                        \
        assign;              \
        NEXT;                \
    }
static inline uint64_t rotate64(uint64_t value, unsigned amount)
{
    return value << (amount & 63) | value >> (-amount & 63);
}

static inline uint32_t rotate32(uint32_t value, unsigned amount)
{
    return value << (amount & 31) | value >> (-amount & 31);
}

SIMPLE(sll_constant, set_low(cpu, insn->r1, (uint32_t)((uint64_t)W1 << CONSTANT)))
SIMPLE(srl_constant, set_low(cpu, insn->r1, (uint32_t)((uint64_t)W1 >> CONSTANT)))
SIMPLE(sllg_constant, G1 = G2 << CONSTANT)
SIMPLE(srlg_constant, G1 = G2 >> CONSTANT)
SIMPLE(rll_constant, set_low(cpu, insn->r1, rotate32(W2, CONSTANT)))
SIMPLE(rllg_constant, G1 = rotate64(G2, CONSTANT))
SIMPLE(bits_alone, G1 = rotate64(G2, insn->x) & insn->mask)

// --- branches ---------------------------------------------------------------------------------

#define TAKEN_IF(condition)                \
    do {                                   \
        if (condition)                     \
            BRANCH_RELATIVE(insn->target); \
        NEXT;                              \
    } while (0)
#define BRANCH_ON(name, condition) \
    static HANDLER(name)           \
    {                              \
        TAKEN_IF(condition);       \
    }
BRANCH_ON(brc_8, cpu->psw.cc == 0)
BRANCH_ON(brc_4, cpu->psw.cc == 1)
BRANCH_ON(brc_2, cpu->psw.cc == 2)
BRANCH_ON(brc_7, cpu->psw.cc != 0)
BRANCH_ON(brc_11, cpu->psw.cc != 1)
BRANCH_ON(brc_13, cpu->psw.cc != 2)
BRANCH_ON(brc_14, cpu->psw.cc != 3)
BRANCH_ON(brc_12, cpu->psw.cc < 2)
BRANCH_ON(brc_10, !(cpu->psw.cc & 1))

static HANDLER(brc_always)
{
    BRANCH_RELATIVE(insn->target);
}

// Their targets lie in another page.
static HANDLER(brc_far)
{
    if (cc_selected(cpu, insn->r1))
        return branch_to(cpu, insn, cpu->block_address + (uint64_t)insn->target);
    NEXT;
}

static HANDLER(brc_always_far)
{
    return branch_to(cpu, insn, cpu->block_address + (uint64_t)insn->target);
}

// COMPARE AND BRANCH by its six conditions.
#define COMPARE_BRANCH(name, type, a, b) \
    static HANDLER(name##_8)             \
    {                                    \
        if ((type)(a) == (type)(b))      \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }                                    \
    static HANDLER(name##_6)             \
    {                                    \
        if ((type)(a) != (type)(b))      \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }                                    \
    static HANDLER(name##_4)             \
    {                                    \
        if ((type)(a) < (type)(b))       \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }                                    \
    static HANDLER(name##_2)             \
    {                                    \
        if ((type)(a) > (type)(b))       \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }                                    \
    static HANDLER(name##_12)            \
    {                                    \
        if ((type)(a) <= (type)(b))      \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }                                    \
    static HANDLER(name##_10)            \
    {                                    \
        if ((type)(a) >= (type)(b))      \
            BRANCH_RELATIVE(insn->i);    \
        NEXT;                            \
    }
COMPARE_BRANCH(crj, int32_t, W1, W2)
COMPARE_BRANCH(cgrj, int64_t, G1, G2)
COMPARE_BRANCH(clrj, uint32_t, W1, W2)
COMPARE_BRANCH(clgrj, uint64_t, G1, G2)
COMPARE_BRANCH(cij, int32_t, W1, insn->d)
COMPARE_BRANCH(cgij, int64_t, G1, insn->d)
COMPARE_BRANCH(clij, uint32_t, W1, (uint8_t)insn->d)
COMPARE_BRANCH(clgij, uint64_t, G1, (uint8_t)insn->d)

// --- which is for which -------------------------------------------------------------------------

enum need { NO_INDEX, NO_BASE, BITS_ALONE, MASK_R1, MASK_M3 };

static const struct shape {
    insn_fn *general, *special;
    enum need need;
    uint8_t mask;
} shapes[] = {
#define BASE_SHAPE(name)                    \
    {                                       \
        op_##name, name##_base, NO_INDEX, 0 \
    }
    BASE_SHAPE(l),
    BASE_SHAPE(lg),
    BASE_SHAPE(lgf),
    BASE_SHAPE(llgf),
    BASE_SHAPE(lh),
    BASE_SHAPE(lgh),
    BASE_SHAPE(llgh),
    BASE_SHAPE(llc),
    BASE_SHAPE(llgc),
    BASE_SHAPE(st),
    BASE_SHAPE(stg),
    BASE_SHAPE(sth),
    BASE_SHAPE(stc),
    BASE_SHAPE(la),
#define CONSTANT_SHAPE(name)                   \
    {                                          \
        op_##name, name##_constant, NO_BASE, 0 \
    }
    CONSTANT_SHAPE(sll),
    CONSTANT_SHAPE(srl),
    CONSTANT_SHAPE(sllg),
    CONSTANT_SHAPE(srlg),
    CONSTANT_SHAPE(rll),
    CONSTANT_SHAPE(rllg),
    {op_risbgn, bits_alone, BITS_ALONE, 0},
    {op_risbg_quiet, bits_alone, BITS_ALONE, 0},
#define BRC_SHAPE(mask)                   \
    {                                     \
        op_brc, brc_##mask, MASK_R1, mask \
    }
    BRC_SHAPE(8),
    BRC_SHAPE(4),
    BRC_SHAPE(2),
    BRC_SHAPE(7),
    BRC_SHAPE(11),
    BRC_SHAPE(13),
    BRC_SHAPE(14),
    BRC_SHAPE(12),
    BRC_SHAPE(10),
    {op_brc, brc_always, MASK_R1, 15},
    {op_brc, op_hint, MASK_R1, 0},
#define COMPARE_SHAPE(name, mask)               \
    {                                           \
        op_##name, name##_##mask, MASK_M3, mask \
    }
#define COMPARE_SHAPES(name)                                                \
    COMPARE_SHAPE(name, 8), COMPARE_SHAPE(name, 6), COMPARE_SHAPE(name, 4), \
        COMPARE_SHAPE(name, 2), COMPARE_SHAPE(name, 12), COMPARE_SHAPE(name, 10)
    COMPARE_SHAPES(crj),
    COMPARE_SHAPES(cgrj),
    COMPARE_SHAPES(clrj),
    COMPARE_SHAPES(clgrj),
    COMPARE_SHAPES(cij),
    COMPARE_SHAPES(cgij),
    COMPARE_SHAPES(clij),
    COMPARE_SHAPES(clgij),
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static bool fits(const struct insn *insn, const struct shape *shape)
{
    switch (shape->need) {
    case NO_INDEX:
        return insn->x == NO_REGISTER;
    case NO_BASE:
        return insn->b == NO_REGISTER;
    case BITS_ALONE:
        return insn->m4 & 1;
    case MASK_R1:
        return insn->r1 == shape->mask;
    default:
        return (insn->m3 & 14) == shape->mask;
    }
}

static struct handler_map map;

// The shapes of one handler stand together; the map leads to the first.
static void make_map(void)
{
    for (unsigned i = SHAPES; i-- > 0;)
        handler_map_set(&map, shapes[i].general, i);
}

void insn_specialise(struct insn *insn)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_map);
    insn_fn *general = insn->run;
    int i = handler_map_get(&map, general);
    for (; i >= 0 && i < (int)SHAPES && shapes[i].general == general; i++) {
        if (fits(insn, &shapes[i])) {
            insn->run = shapes[i].special;
            return;
        }
    }
}

// --- targets in another page --------------------------------------------------------------------

insn_fn *insn_far(const struct insn *insn)
{
    if (insn->run == brc_always)
        return brc_always_far;
    if (insn->run == op_bras)
        return op_bras_far;
    for (unsigned i = 0; i < SHAPES; i++) {
        if (insn->run == shapes[i].special)
            return shapes[i].general == op_brc ? brc_far : NULL;
    }
    return insn->run == op_brc ? brc_far : NULL;
}
