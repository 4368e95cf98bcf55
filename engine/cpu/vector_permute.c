// SPDX-License-Identifier: MIT
// Vectors made from constants and from parts of other vectors: replicate, generate, merge, pack,
// unpack, permute, select. (Principles of Operation, "Vector Overview and Support Instructions".)
#include "cpu/vector.h"

// --- constants ----------------------------------------------------------------------------------

static struct vector_register replicated(unsigned es, uint64_t value)
{
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(&r, es, i, value);
    return r;
}

PLAIN(do_vrepi)
{
    *V1 = replicated(element_size(cpu, MASK32, 0, 3), (uint64_t)(int64_t)insn->i);
}

PLAIN(do_vrep)
{
    unsigned es = element_size(cpu, MASK32, 0, 3), i = (uint16_t)insn->i;
    check(cpu, i < vector_count(es), PIC_SPECIFICATION);
    *V1 = replicated(es, element(V3, es, i));
}

// A byte of ones for each bit of the immediate.
PLAIN(do_vgbm)
{
    for (unsigned i = 0; i < 16; i++)
        set_element(V1, 0, i, insn->i >> (15 - i) & 1 ? 0xFF : 0);
}

// Ones from bit I2 to bit I3 of each element, perhaps around its end.
PLAIN(do_vgm)
{
    unsigned es = element_size(cpu, MASK32, 0, 3), bits = element_bits(es), mask = bits - 1;
    unsigned first = (unsigned)insn->i >> 8 & mask, last = (unsigned)insn->i & mask;
    uint64_t from = element_ones(es) >> first, to = ~UINT64_C(0) << (bits - 1 - last);
    *V1 = replicated(es, first <= last ? from & to : from | to);
}

// --- merge, pack, unpack ------------------------------------------------------------------------

static void merge(struct cpu *cpu, const struct insn *insn, bool right)
{
    unsigned es = element_size(cpu, MASK32, 0, 3), half = vector_count(es) / 2;
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < half; i++) {
        unsigned from = right ? half + i : i;
        set_element(&r, es, 2 * i, element(V2, es, from));
        set_element(&r, es, 2 * i + 1, element(V3, es, from));
    }
    *V1 = r;
}

PLAIN(do_vmrh)
{
    merge(cpu, insn, false);
}

PLAIN(do_vmrl)
{
    merge(cpu, insn, true);
}

enum packing { PACK_CUT, PACK_SIGNED, PACK_LOGICAL };

// `value` of size es to the next smaller size; *saturated counts what did not fit.
static uint64_t packed(uint64_t value, unsigned es, enum packing how, unsigned *saturated)
{
    uint64_t ones = element_ones(es - 1);
    if (how == PACK_LOGICAL && value > ones) {
        ++*saturated;
        return ones;
    }
    if (how == PACK_SIGNED) {
        int64_t v = element_signed(value, es), most = (int64_t)(ones >> 1);
        if (v > most || v < -most - 1) {
            ++*saturated;
            return (uint64_t)(v < 0 ? -most - 1 : most);
        }
    }
    return value;
}

static void pack(struct cpu *cpu, const struct insn *insn, enum packing how)
{
    unsigned es = element_size(cpu, MASK32, 1, 3), n = vector_count(es), saturated = 0;
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        set_element(&r, es - 1, i, packed(element(V2, es, i), es, how, &saturated));
        set_element(&r, es - 1, n + i, packed(element(V3, es, i), es, how, &saturated));
    }
    *V1 = r;
    if (how != PACK_CUT && MASK24 & 1)
        cpu->psw.cc = saturated == 0 ? 0 : saturated == 2 * n ? 3 : 1;
}

PLAIN(do_vpk)
{
    pack(cpu, insn, PACK_CUT);
}

PLAIN(do_vpks)
{
    pack(cpu, insn, PACK_SIGNED);
}

PLAIN(do_vpkls)
{
    pack(cpu, insn, PACK_LOGICAL);
}

static void unpack(struct cpu *cpu, const struct insn *insn, bool right, bool logical)
{
    unsigned es = element_size(cpu, MASK32, 0, 2), half = vector_count(es) / 2;
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < half; i++) {
        uint64_t v = element(V2, es, right ? half + i : i);
        set_element(&r, es + 1, i, logical ? v : (uint64_t)element_signed(v, es));
    }
    *V1 = r;
}

PLAIN(do_vuph)
{
    unpack(cpu, insn, false, false);
}

PLAIN(do_vuplh)
{
    unpack(cpu, insn, false, true);
}

PLAIN(do_vupl)
{
    unpack(cpu, insn, true, false);
}

PLAIN(do_vupll)
{
    unpack(cpu, insn, true, true);
}

// The rightmost element of each doubleword, with its sign.
PLAIN(do_vseg)
{
    unsigned es = element_size(cpu, MASK32, 0, 2);
    uint64_t ones = element_ones(es);
    *V1 = (struct vector_register){(uint64_t)element_signed(V2->high & ones, es),
                                   (uint64_t)element_signed(V2->low & ones, es)};
}

// --- permute, select ----------------------------------------------------------------------------

PLAIN(do_vperm)
{
    struct vector_register r = {0, 0};
    for (unsigned i = 0; i < 16; i++) {
        unsigned from = (unsigned)element(V4, 0, i) & 31;
        set_element(&r, 0, i, element(from < 16 ? V2 : V3, 0, from & 15));
    }
    *V1 = r;
}

PLAIN(do_vpdi)
{
    uint64_t left = MASK32 & 4 ? V2->low : V2->high, right = MASK32 & 1 ? V3->low : V3->high;
    *V1 = (struct vector_register){left, right};
}

PLAIN(do_vsel)
{
    uint64_t high = (V2->high & V4->high) | (V3->high & ~V4->high);
    uint64_t low = (V2->low & V4->low) | (V3->low & ~V4->low);
    *V1 = (struct vector_register){high, low};
}

// Sixteen bits of V2, each named by a byte of V3; a number above 127 gives zero.
PLAIN(do_vbperm)
{
    uint128 bits = vector_wide(V2);
    uint64_t r = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned n = (unsigned)element(V3, 0, i);
        r = r << 1 | (n < 128 ? (uint64_t)(bits >> (127 - n)) & 1 : 0);
    }
    *V1 = (struct vector_register){r, 0};
}
