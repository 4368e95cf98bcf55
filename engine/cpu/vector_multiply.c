// SPDX-License-Identifier: MIT
// Products of vector elements: integers, and polynomials over GF(2).
// (Principles of Operation, "Vector Integer Instructions".)
#include "cpu/vector.h"

// Which part of the product of two elements is the result.
enum part { PART_LOW, PART_HIGH };

// Element products of at most 64 bits.
static uint64_t product(uint64_t a, uint64_t b, unsigned es, bool logical)
{
    return logical ? a * b : (uint64_t)(element_signed(a, es) * element_signed(b, es));
}

static uint64_t extended(uint64_t c, unsigned es, bool logical)
{
    return logical ? c : (uint64_t)element_signed(c, es);
}

// V2 * V3 (+ V4), element by element.
static void multiply(struct cpu *cpu, const struct insn *insn, enum part part, bool logical,
                     bool add)
{
    unsigned es = element_size(cpu, add ? MASK20 : MASK32, 0, 2);
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < vector_count(es); i++) {
        uint64_t p = product(element(V2, es, i), element(V3, es, i), es, logical);
        if (add)
            p += extended(element(V4, es, i), es, logical);
        set_element(&r, es, i, part == PART_HIGH ? p >> element_bits(es) : p);
    }
    *V1 = r;
}

// The even or odd elements of V2 and V3 give products of twice the size (+ V4).
static void multiply_half(struct cpu *cpu, const struct insn *insn, unsigned odd, bool logical,
                          bool add)
{
    unsigned es = element_size(cpu, add ? MASK20 : MASK32, 0, 2);
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < vector_count(es) / 2; i++) {
        uint64_t a = element(V2, es, 2 * i + odd), b = element(V3, es, 2 * i + odd);
        uint64_t c = add ? element(V4, es + 1, i) : 0;
        set_element(&r, es + 1, i, product(a, b, es, logical) + c);
    }
    *V1 = r;
}

#define MULTIPLY(name, ...)               \
    PLAIN(do_##name)                      \
    {                                     \
        multiply(cpu, insn, __VA_ARGS__); \
    }
MULTIPLY(vml, PART_LOW, false, false)
MULTIPLY(vmh, PART_HIGH, false, false)
MULTIPLY(vmlh, PART_HIGH, true, false)
MULTIPLY(vmal, PART_LOW, false, true)
MULTIPLY(vmah, PART_HIGH, false, true)
MULTIPLY(vmalh, PART_HIGH, true, true)

#define MULTIPLY_HALF(name, ...)               \
    PLAIN(do_##name)                           \
    {                                          \
        multiply_half(cpu, insn, __VA_ARGS__); \
    }
MULTIPLY_HALF(vme, 0, false, false)
MULTIPLY_HALF(vmo, 1, false, false)
MULTIPLY_HALF(vmle, 0, true, false)
MULTIPLY_HALF(vmlo, 1, true, false)
MULTIPLY_HALF(vmae, 0, false, true)
MULTIPLY_HALF(vmao, 1, false, true)
MULTIPLY_HALF(vmale, 0, true, true)
MULTIPLY_HALF(vmalo, 1, true, true)

// Product without carries.
static uint128 product_gf2(uint64_t a, uint64_t b)
{
    uint128 p = 0;
    for (unsigned i = 0; i < 64; i++)
        p ^= b >> i & 1 ? (uint128)a << i : 0;
    return p;
}

// Products of even and of odd elements, added (+ V4); all additions are exclusive or.
static void multiply_gf2(struct cpu *cpu, const struct insn *insn, bool add)
{
    unsigned es = element_size(cpu, add ? MASK20 : MASK32, 0, 3);
    uint128 r = 0;
    for (unsigned i = 0; i < vector_count(es) / 2; i++) {
        uint128 p = product_gf2(element(V2, es, 2 * i), element(V3, es, 2 * i)) ^
                    product_gf2(element(V2, es, 2 * i + 1), element(V3, es, 2 * i + 1));
        r |= p << (128 - 2 * element_bits(es) * (i + 1));
    }
    *V1 = vector_of(add ? r ^ vector_wide(V4) : r);
}

PLAIN(do_vgfm)
{
    multiply_gf2(cpu, insn, false);
}

PLAIN(do_vgfma)
{
    multiply_gf2(cpu, insn, true);
}

// Both doubleword products, each doubled when M6 says so, and V4.
PLAIN(do_vmsl)
{
    element_size(cpu, MASK20, 3, 3);
    uint128 even = (uint128)V2->high * V3->high << (MASK24 >> 3 & 1);
    uint128 odd = (uint128)V2->low * V3->low << (MASK24 >> 2 & 1);
    *V1 = vector_of(even + odd + vector_wide(V4));
}
