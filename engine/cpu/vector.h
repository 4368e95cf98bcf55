// SPDX-License-Identifier: MIT
// What the vector files share: elements of registers, and the fields of the vector formats.
// (Principles of Operation, "Vector Overview and Support Instructions".)
//
// An element size is its mask value `es`: 0 byte, 1 halfword, 2 word, 3 doubleword, 4 quadword.
// decode_vector.c puts vector registers (0-31) in r1, r2, r3 and m4, an immediate in i. Masks stand
// in d where there is no storage operand, else the one mask is in i.
#ifndef ENDICOTT_CPU_VECTOR_H
#define ENDICOTT_CPU_VECTOR_H

#include "cpu/operands.h"
#include "cpu/wide.h"

#define V1 (&cpu->vr[insn->r1])
#define V2 (&cpu->vr[insn->r2])
#define V3 (&cpu->vr[insn->r3])
#define V4 (&cpu->vr[insn->m4])

// Masks by their bit position.
#define MASK20 ((unsigned)insn->d >> 12 & 15)
#define MASK24 ((unsigned)insn->d >> 8 & 15)
#define MASK28 ((unsigned)insn->d >> 4 & 15)
#define MASK32 ((unsigned)insn->d & 15)
// The mask at 32 beside a storage operand.
#define MASK_S ((unsigned)insn->i)

static inline unsigned vector_count(unsigned es)
{
    return 16u >> es;
}

static inline unsigned element_bits(unsigned es)
{
    return 8u << es;
}

static inline uint64_t element_ones(unsigned es)
{
    return ~UINT64_C(0) >> (64 - element_bits(es));
}

// Element `i` from the left, es at most 3.
static inline uint64_t element(const struct vector_register *v, unsigned es, unsigned i)
{
    unsigned half = 8u >> es, bits = element_bits(es);
    return (i < half ? v->high : v->low) >> (64 - bits * (i % half + 1)) & element_ones(es);
}

static inline void set_element(struct vector_register *v, unsigned es, unsigned i, uint64_t value)
{
    unsigned half = 8u >> es, shift = 64 - element_bits(es) * (i % half + 1);
    uint64_t *p = i < half ? &v->high : &v->low;
    *p = (*p & ~(element_ones(es) << shift)) | (value & element_ones(es)) << shift;
}

// `value` has the bits of an element: as a signed number.
static inline int64_t element_signed(uint64_t value, unsigned es)
{
    unsigned rest = 64 - element_bits(es);
    return (int64_t)(value << rest) >> rest;
}

static inline uint128 vector_wide(const struct vector_register *v)
{
    return (uint128)v->high << 64 | v->low;
}

static inline struct vector_register vector_of(uint128 value)
{
    return (struct vector_register){(uint64_t)(value >> 64), (uint64_t)value};
}

// An element size that must lie between `least` and `most`, or a specification exception.
static inline unsigned element_size(struct cpu *cpu, unsigned mask, unsigned least, unsigned most)
{
    check(cpu, mask >= least && mask <= most, PIC_SPECIFICATION);
    return mask;
}

static inline struct vector_register vector_load(const uint8_t bytes[16])
{
    return (struct vector_register){be64_load(bytes), be64_load(bytes + 8)};
}

static inline void vector_store(uint8_t bytes[16], const struct vector_register *v)
{
    be64_store(bytes, v->high);
    be64_store(bytes + 8, v->low);
}

// Condition code of instructions that make a true or false of each element.
static inline uint8_t cc_elements(unsigned matches, unsigned count)
{
    return matches == count ? 0 : matches ? 1 : 3;
}

#endif
