// SPDX-License-Identifier: MIT
// Shifts and rotations, of elements and of whole vectors.
// (Principles of Operation, "Vector Integer Instructions".)
#include "cpu/vector.h"

// --- elements -----------------------------------------------------------------------------------

enum shift { SHIFT_LEFT, SHIFT_RIGHT, SHIFT_RIGHT_SIGNED, ROTATE_LEFT };

static uint64_t shifted(enum shift kind, uint64_t a, unsigned es, uint64_t count)
{
    unsigned bits = element_bits(es), n = (unsigned)count & (bits - 1);
    switch (kind) {
    case SHIFT_LEFT:
        return a << n;
    case SHIFT_RIGHT:
        return a >> n;
    case SHIFT_RIGHT_SIGNED:
        return (uint64_t)(element_signed(a, es) >> n);
    default:
        return n ? a << n | a >> (bits - n) : a;
    }
}

// All elements of `from` by the same count.
static void shift_by(struct cpu *cpu, const struct insn *insn, enum shift kind)
{
    unsigned es = element_size(cpu, MASK_S, 0, 3);
    uint64_t count = address_bd(cpu, insn);
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(V1, es, i, shifted(kind, element(V2, es, i), es, count));
}

// Each by the count in the same element of V3.
static void shift_each(struct cpu *cpu, const struct insn *insn, enum shift kind)
{
    unsigned es = element_size(cpu, MASK32, 0, 3);
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(V1, es, i, shifted(kind, element(V2, es, i), es, element(V3, es, i)));
}

#define SHIFT(name, kind)            \
    PLAIN(do_##name)                 \
    {                                \
        shift_by(cpu, insn, kind);   \
    }                                \
    PLAIN(do_##name##v)              \
    {                                \
        shift_each(cpu, insn, kind); \
    }
SHIFT(vesl, SHIFT_LEFT)
SHIFT(vesrl, SHIFT_RIGHT)
SHIFT(vesra, SHIFT_RIGHT_SIGNED)
SHIFT(verll, ROTATE_LEFT)

// V2 rotated by I4 goes into V1 where V3 has ones.
PLAIN(do_verim)
{
    unsigned es = element_size(cpu, MASK32, 0, 3);
    for (unsigned i = 0; i < vector_count(es); i++) {
        uint64_t mask = element(V3, es, i);
        uint64_t rotated = shifted(ROTATE_LEFT, element(V2, es, i), es, (uint64_t)insn->i);
        set_element(V1, es, i, (element(V1, es, i) & ~mask) | (rotated & mask));
    }
}

// --- whole vectors ------------------------------------------------------------------------------

// By bits: each byte takes its neighbour's bits as its own byte of V3 says. (Before the second
// enhancements all counts had to be the same.)
PLAIN(do_vsl)
{
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < 16; i++) {
        uint64_t pair = element(V2, 0, i) << 8 | (i < 15 ? element(V2, 0, i + 1) : 0);
        set_element(&r, 0, i, pair << (element(V3, 0, i) & 7) >> 8);
    }
    *V1 = r;
}

// `fill` stands left of the vector.
static void shift_right_bits(struct cpu *cpu, const struct insn *insn, uint64_t fill)
{
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < 16; i++) {
        uint64_t pair = (i ? element(V2, 0, i - 1) : fill) << 8 | element(V2, 0, i);
        set_element(&r, 0, i, pair >> (element(V3, 0, i) & 7));
    }
    *V1 = r;
}

PLAIN(do_vsrl)
{
    shift_right_bits(cpu, insn, 0);
}

PLAIN(do_vsra)
{
    shift_right_bits(cpu, insn, V2->high >> 63 ? 0xFF : 0);
}

// By bytes: bits 1-4 of V3's byte 7, as a number of bits.
static unsigned byte_count(const struct vector_register *v)
{
    return (unsigned)v->high & 0x78;
}

PLAIN(do_vslb)
{
    *V1 = vector_of(vector_wide(V2) << byte_count(V3));
}

PLAIN(do_vsrlb)
{
    *V1 = vector_of(vector_wide(V2) >> byte_count(V3));
}

PLAIN(do_vsrab)
{
    *V1 = vector_of((uint128)((int128)vector_wide(V2) >> byte_count(V3)));
}

// The left sixteen of the bytes of V2 and V3 after a shift by I4 bytes; real machines look at its
// last four bits.
PLAIN(do_vsldb)
{
    unsigned bits = ((unsigned)insn->i & 15) * 8;
    uint128 right = bits ? vector_wide(V3) >> (128 - bits) : 0;
    *V1 = vector_of(vector_wide(V2) << bits | right);
}

// V2 and V3 as one, shifted by I4 bits, at most seven.
PLAIN(do_vsld)
{
    unsigned bits = element_size(cpu, (unsigned)insn->i, 0, 7);
    uint128 right = bits ? vector_wide(V3) >> (128 - bits) : 0;
    *V1 = vector_of(vector_wide(V2) << bits | right);
}

PLAIN(do_vsrd)
{
    unsigned bits = element_size(cpu, (unsigned)insn->i, 0, 7);
    uint128 left = bits ? vector_wide(V2) << (128 - bits) : 0;
    *V1 = vector_of(vector_wide(V3) >> bits | left);
}
