// SPDX-License-Identifier: MIT
// Integer arithmetic, comparison and logic on vectors.
// (Principles of Operation, "Vector Integer Instructions".)
#include "cpu/vector.h"

// --- one element at a time
// ------------------------------------------------------------------------

// Defines a handler whose result element is `value`, an expression over a and b, the elements of V2
// and V3 as unsigned numbers, and es, their size.
#define ELEMENTWISE(name, expression)                                \
    PLAIN(do_##name)                                                 \
    {                                                                \
        unsigned es = element_size(cpu, MASK32, 0, 3);               \
        struct vector_register r = {0, 0};                           \
        for (unsigned i = 0; i < vector_count(es); i++) {            \
            uint64_t a = element(V2, es, i), b = element(V3, es, i); \
            (void)b;                                                 \
            set_element(&r, es, i, (uint64_t)(expression));          \
        }                                                            \
        *V1 = r;                                                     \
    }

#define SA element_signed(a, es)
#define SB element_signed(b, es)

ELEMENTWISE(vmnl, a < b ? a : b)
ELEMENTWISE(vmxl, a > b ? a : b)
ELEMENTWISE(vmn, SA < SB ? a : b)
ELEMENTWISE(vmx, SA > SB ? a : b)
ELEMENTWISE(vavgl, ((uint128)a + b + 1) >> 1)
ELEMENTWISE(vavg, ((int128)SA + SB + 1) >> 1)
ELEMENTWISE(vlc, 0 - a)
ELEMENTWISE(vlp, SA < 0 ? 0 - a : a)
ELEMENTWISE(vclz, a ? (unsigned)__builtin_clzll(a) - (64 - element_bits(es)) : element_bits(es))
ELEMENTWISE(vctz, a ? (unsigned)__builtin_ctzll(a) : element_bits(es))

PLAIN(do_vpopct)
{
    unsigned es = element_size(cpu, MASK32, 0, cpu_facility(cpu, 135) ? 3 : 0);
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(V1, es, i, (uint64_t)__builtin_popcountll(element(V2, es, i)));
}

// --- sums and differences, to 128 bits
// --------------------------------------------------------------

enum sum { SUM, SUM_CARRY, DIFFERENCE, DIFFERENCE_BORROW };

// The borrow indication is the carry of a + ~b + 1.
static uint128 sum_wide(enum sum kind, uint128 a, uint128 b)
{
    switch (kind) {
    case SUM:
        return a + b;
    case SUM_CARRY:
        return (uint128)(a + b) < a;
    case DIFFERENCE:
        return a - b;
    default:
        return a >= b;
    }
}

static uint64_t sum_element(enum sum kind, unsigned es, uint64_t a, uint64_t b)
{
    uint128 wide = (uint128)a + b;
    switch (kind) {
    case SUM:
        return a + b;
    case SUM_CARRY:
        return (uint64_t)(wide >> element_bits(es));
    default:
        return (uint64_t)sum_wide(kind, a, b);
    }
}

static void sum(struct cpu *cpu, const struct insn *insn, enum sum kind)
{
    unsigned es = element_size(cpu, MASK32, 0, 4);
    if (es == 4) {
        *V1 = vector_of(sum_wide(kind, vector_wide(V2), vector_wide(V3)));
        return;
    }
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(&r, es, i, sum_element(kind, es, element(V2, es, i), element(V3, es, i)));
    *V1 = r;
}

PLAIN(do_va)
{
    sum(cpu, insn, SUM);
}

PLAIN(do_vacc)
{
    sum(cpu, insn, SUM_CARRY);
}

PLAIN(do_vs)
{
    sum(cpu, insn, DIFFERENCE);
}

PLAIN(do_vscbi)
{
    sum(cpu, insn, DIFFERENCE_BORROW);
}

// V2 + b + the last bit of V4; the carry is the result instead when asked for.
static void sum_with(struct cpu *cpu, const struct insn *insn, uint128 b, bool carry)
{
    element_size(cpu, MASK20, 4, 4);
    uint128 a = vector_wide(V2), partial = a + b, in = V4->low & 1, all = partial + in;
    *V1 = vector_of(carry ? (uint128)(partial < a || all < partial) : all);
}

PLAIN(do_vac)
{
    sum_with(cpu, insn, vector_wide(V3), false);
}

PLAIN(do_vaccc)
{
    sum_with(cpu, insn, vector_wide(V3), true);
}

PLAIN(do_vsbi)
{
    sum_with(cpu, insn, ~vector_wide(V3), false);
}

PLAIN(do_vsbcbi)
{
    sum_with(cpu, insn, ~vector_wide(V3), true);
}

// Sums of elements of size `es` within each one of size `to`, and the last element of V3's there.
static void sum_across(struct cpu *cpu, const struct insn *insn, unsigned to, unsigned least,
                       unsigned most)
{
    unsigned es = element_size(cpu, MASK32, least, most), each = 1u << (to - es);
    uint128 r = 0;
    for (unsigned i = 0; i < 16u >> to; i++) {
        uint128 total = element(V3, es, i * each + each - 1);
        for (unsigned j = 0; j < each; j++)
            total += element(V2, es, i * each + j);
        r |= total << (128 - (8u << to) * (i + 1));
    }
    *V1 = vector_of(r);
}

PLAIN(do_vsum)
{
    sum_across(cpu, insn, 2, 0, 1);
}

PLAIN(do_vsumg)
{
    sum_across(cpu, insn, 3, 1, 2);
}

PLAIN(do_vsumq)
{
    sum_across(cpu, insn, 4, 2, 3);
}

// Words added with the carry coming round to the right; V3's second word starts the sum.
PLAIN(do_vcksm)
{
    uint64_t total = element(V3, 2, 1);
    for (unsigned i = 0; i < 4; i++) {
        total += element(V2, 2, i);
        total = (total & 0xFFFFFFFF) + (total >> 32);
    }
    *V1 = (struct vector_register){total, 0};
}

// --- comparison ---------------------------------------------------------------------------------

// Compares one element in each: the last of the left doubleword.
static void compare_one(struct cpu *cpu, const struct insn *insn, bool logical)
{
    unsigned es = element_size(cpu, MASK32, 0, 3), i = vector_count(es) / 2 - 1;
    uint64_t a = element(V1, es, i), b = element(V2, es, i);
    cpu->psw.cc = logical ? cc_compare_logical(a, b) : cc_compare(SA, SB);
}

PLAIN(do_vec)
{
    compare_one(cpu, insn, false);
}

PLAIN(do_vecl)
{
    compare_one(cpu, insn, true);
}

#define COMPARE(name, expression)                                                       \
    PLAIN(do_##name)                                                                    \
    {                                                                                   \
        unsigned es = element_size(cpu, MASK32, 0, 3), n = vector_count(es), true_ = 0; \
        struct vector_register r = {0, 0};                                              \
        for (unsigned i = 0; i < n; i++) {                                              \
            uint64_t a = element(V2, es, i), b = element(V3, es, i);                    \
            bool is = (expression);                                                     \
            set_element(&r, es, i, is ? ~UINT64_C(0) : 0);                              \
            true_ += is;                                                                \
        }                                                                               \
        *V1 = r;                                                                        \
        if (MASK24 & 1)                                                                 \
            cpu->psw.cc = cc_elements(true_, n);                                        \
    }
COMPARE(vceq, a == b)
COMPARE(vch, SA > SB)
COMPARE(vchl, a > b)

// --- logic --------------------------------------------------------------------------------------

#define LOGIC(name, expression)                           \
    PLAIN(do_##name)                                      \
    {                                                     \
        uint128 a = vector_wide(V2), b = vector_wide(V3); \
        *V1 = vector_of(expression);                      \
    }
LOGIC(vn, a &b)
LOGIC(vnc, a & ~b)
LOGIC(vo, a | b)
LOGIC(vno, ~(a | b))
LOGIC(vx, a ^ b)
LOGIC(vnx, ~(a ^ b))
LOGIC(vnn, ~(a &b))
LOGIC(voc, a | ~b)

PLAIN(do_vtm)
{
    uint128 mask = vector_wide(V2), selected = vector_wide(V1) & mask;
    cpu->psw.cc = selected == 0 ? 0 : selected == mask ? 3 : 1;
}
