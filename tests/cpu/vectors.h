// SPDX-License-Identifier: MIT
// Random vector instructions, and contents of vector registers.
#ifndef ENDICOTT_TESTS_CPU_VECTORS_H
#define ENDICOTT_TESTS_CPU_VECTORS_H

#include "cpu/snippets.h"

// Clears nibbles `first` to `last` of the instruction.
static inline void clear_nibbles(uint8_t *t, unsigned first, unsigned last)
{
    for (unsigned i = first; i <= last; i++)
        t[i / 2] &= i % 2 ? 0xF0 : 0x0F;
}

// Fields of a vector format that the instruction does not use become zero: masks, and what the
// format leaves free, with the RXB bits of fields that are no vector registers.
static inline void vector_reserved_zero(const struct opcode *row, uint8_t *t)
{
    static const struct {
        uint8_t format, first, last, rxb; // nibbles that hold nothing or masks; RXB bits in use
    } formats[] = {
        {FORMAT_VRI_A, 8, 8, 8},  {FORMAT_VRI_B, 3, 3, 8},  {FORMAT_VRI_B, 8, 8, 8},
        {FORMAT_VRI_C, 8, 8, 12}, {FORMAT_VRI_D, 5, 5, 14}, {FORMAT_VRI_D, 8, 8, 14},
        {FORMAT_VRI_E, 7, 8, 12}, {FORMAT_VRI_F, 5, 6, 14}, {FORMAT_VRI_G, 6, 6, 12},
        {FORMAT_VRI_H, 3, 3, 8},  {FORMAT_VRI_I, 4, 6, 8},  {FORMAT_VRR_A, 4, 8, 12},
        {FORMAT_VRR_B, 5, 8, 14}, {FORMAT_VRR_C, 5, 8, 14}, {FORMAT_VRR_D, 5, 7, 15},
        {FORMAT_VRR_E, 5, 7, 15}, {FORMAT_VRR_F, 5, 8, 8},  {FORMAT_VRR_G, 4, 8, 4},
        {FORMAT_VRR_G, 2, 2, 4},  {FORMAT_VRR_H, 5, 8, 6},  {FORMAT_VRR_H, 2, 2, 6},
        {FORMAT_VRR_I, 4, 8, 4},  {FORMAT_VRS_A, 8, 8, 12}, {FORMAT_VRS_B, 8, 8, 8},
        {FORMAT_VRS_C, 8, 8, 4},  {FORMAT_VRS_D, 2, 2, 1},  {FORMAT_VRV, 8, 8, 12},
        {FORMAT_VRX, 8, 8, 8},    {FORMAT_VSI, 4, 3, 1},
    };
    uint8_t before[6];
    memcpy(before, t, 6);
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].format != row->format)
            continue;
        clear_nibbles(t, formats[i].first, formats[i].last);
        t[4] &= (uint8_t)(0xF0 | formats[i].rxb);
    }
    if (row->format < FORMAT_VRI_A)
        return;
    if (row->flags & OP_M20)
        t[2] |= before[2] & 15;
    if (row->flags & OP_M24)
        t[3] |= before[3] & 0xF0;
    if (row->flags & OP_M28)
        t[3] |= before[3] & 15;
    if (row->flags & OP_M32)
        t[4] |= before[4] & 0xF0;
}

// A mask field: mostly what some instruction of the kind takes.
static inline unsigned vector_mask(struct random *r, const struct opcode *row, unsigned position)
{
    if (random_below(r, 16) == 0)
        return random_below(r, 16);
    bool size = position == 32 || (position == 20 && row->format != FORMAT_VRR_A);
    if (size) { // element size, or index
        bool index = row->format == FORMAT_VRX || row->format == FORMAT_VRV ||
                     (row->code >= 0xE740 && row->code <= 0xE743);
        bool number = row->flags & OP_M28;
        return index    ? random_below(r, random_below(r, 2) ? 4 : 16)
               : number ? 2 + random_below(r, 3)
               : row->format == FORMAT_VRR_D && random_below(r, 3) == 0 ? 3 + random_below(r, 2)
                                                                        : random_below(r, 5);
    }
    if (position == 28) // single element, no inexact or signalling
        return (random_below(r, 2) ? 8 : 0) + (random_below(r, 4) ? 0 : 4);
    return random_below(r, 2) ? random_below(r, 8) : random_below(r, 13); // M24
}

static inline void vector_text(struct random *r, const struct opcode *row, uint8_t *t)
{
    be64_store(t, random64(r));
    t[0] = (uint8_t)(row->code >> 8);
    t[5] = (uint8_t)row->code;
    t[2] = (uint8_t)((t[2] & 0xF0) | vector_mask(r, row, 20));
    t[3] = (uint8_t)(vector_mask(r, row, 24) << 4 | vector_mask(r, row, 28));
    unsigned m32 = vector_mask(r, row, 32);
    if (row->format != FORMAT_VRR_D && row->format != FORMAT_VRR_E)
        t[4] = (uint8_t)((t[4] & 15) | m32 << 4);
    switch (row->format) {
    case FORMAT_VRX:
    case FORMAT_VRV:
    case FORMAT_VRS_A:
    case FORMAT_VRS_B:
    case FORMAT_VRS_C:
        set_storage(r, t, 4, base_field(r));
        if (row->format == FORMAT_VRX)
            t[1] = (uint8_t)((t[1] & 0xF0) | index_field(r));
        if (row->format == FORMAT_VRS_B)
            t[1] = (uint8_t)((t[1] & 0xF0) | (9 + random_below(r, 3)));
        break;
    case FORMAT_VRI_A:
    case FORMAT_VRI_B:
    case FORMAT_VRI_C:
    case FORMAT_VRI_D:
    case FORMAT_VRI_E: {
        unsigned i = (unsigned)random64(r);
        be16_store(t + 2, (uint16_t)i);
        if (row->format == FORMAT_VRI_C && random_below(r, 8))
            be16_store(t + 2, (uint16_t)random_below(r, 16));
        if (row->format == FORMAT_VRI_D && random_below(r, 2))
            t[3] &= 15;
        if (row->format == FORMAT_VRI_E)
            t[3] = (uint8_t)((i & 0xF0) | vector_mask(r, row, 28));
        break;
    }
    default:
        break;
    }
    if (row->format == FORMAT_VRS_A && (row->code == 0xE736 || row->code == 0xE73E) &&
        random_below(r, 4)) // VLM, VSTM: a short range
        t[1] = (uint8_t)((t[1] & 0xF0) | ((t[1] >> 4) + random_below(r, 4)) % 16);
    uint8_t before = t[4];
    vector_reserved_zero(row, t);
    if (row->format == FORMAT_VRS_A && before & 8 && random_below(r, 4))
        t[4] |= 4;
}

// Contents: numbers of every kind, small bytes with zeros for strings, or nearly another register.
static inline void vector_value(struct random *r, uint8_t *registers, unsigned n)
{
    uint8_t *v = registers + (size_t)n * 16;
    unsigned kind = random_below(r, 6);
    for (unsigned i = 0; i < 16; i += 8) {
        uint64_t x = kind == 0 || kind == 1 ? random_float(r) : random_number(r);
        if (kind == 2)
            x &= UINT64_C(0x0303030303030303);
        if (kind == 3)
            x &= UINT64_C(0x0000000F0000001F);
        be64_store(v + i, x);
    }
    if (kind == 4 && n) {
        memcpy(v, registers + (size_t)random_below(r, n) * 16, 16);
        if (random_below(r, 2))
            v[random_below(r, 16)] ^= (uint8_t)(1u << random_below(r, 8));
    }
}

#endif
