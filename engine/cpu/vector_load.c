// SPDX-License-Identifier: MIT
// Vectors and elements between storage, general registers and vector registers.
// (Principles of Operation, "Vector Overview and Support Instructions".)
#include <string.h>

#include "cpu/vector.h"

static uint64_t read_element(struct cpu *cpu, unsigned b, uint64_t address, unsigned es)
{
    switch (es) {
    case 0:
        return guest_read8(cpu, NULL, b, address);
    case 1:
        return guest_read16(cpu, NULL, b, address);
    case 2:
        return guest_read32(cpu, NULL, b, address);
    default:
        return guest_read64(cpu, NULL, b, address);
    }
}

static void write_element(struct cpu *cpu, unsigned b, uint64_t address, unsigned es, uint64_t v)
{
    switch (es) {
    case 0:
        guest_write8(cpu, NULL, b, address, (uint8_t)v);
        break;
    case 1:
        guest_write16(cpu, NULL, b, address, (uint16_t)v);
        break;
    case 2:
        guest_write32(cpu, NULL, b, address, (uint32_t)v);
        break;
    default:
        guest_write64(cpu, NULL, b, address, v);
        break;
    }
}

// --- whole vectors ------------------------------------------------------------------------------

PLAIN(do_vl)
{
    uint8_t bytes[16];
    guest_fetch(cpu, insn->b, address_bxd(cpu, insn), bytes, 16);
    *V1 = vector_load(bytes);
}

PLAIN(do_vst)
{
    uint8_t bytes[16];
    vector_store(bytes, V1);
    guest_store(cpu, insn->b, address_bxd(cpu, insn), bytes, 16);
}

PLAIN(do_vlr)
{
    *V1 = *V2;
}

// Registers V1 to V3, at most sixteen.
static unsigned range(struct cpu *cpu, const struct insn *insn)
{
    check(cpu, insn->r2 >= insn->r1 && insn->r2 - insn->r1 < 16, PIC_SPECIFICATION);
    return insn->r2 - insn->r1 + 1u;
}

PLAIN(do_vlm)
{
    uint8_t bytes[256];
    unsigned n = range(cpu, insn);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes, n * 16);
    for (unsigned i = 0; i < n; i++)
        V1[i] = vector_load(bytes + (size_t)i * 16);
}

PLAIN(do_vstm)
{
    uint8_t bytes[256];
    unsigned n = range(cpu, insn);
    for (unsigned i = 0; i < n; i++)
        vector_store(bytes + (size_t)i * 16, &V1[i]);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n * 16);
}

// --- parts of vectors ---------------------------------------------------------------------------

// The first `n` bytes; the others become zero.
static void load_left(struct cpu *cpu, const struct insn *insn, uint64_t address, unsigned n)
{
    uint8_t bytes[16] = {0};
    guest_fetch(cpu, insn->b, address, bytes, n);
    *V1 = vector_load(bytes);
}

// Bytes to the next boundary of 64, 128 ... 4096, at most a vector.
static unsigned to_boundary(struct cpu *cpu, uint64_t address, unsigned mask)
{
    unsigned block = 64u << element_size(cpu, mask, 0, 6);
    unsigned rest = block - (unsigned)(address & (block - 1));
    return rest < 16 ? rest : 16;
}

PLAIN(do_vlbb)
{
    uint64_t address = address_bxd(cpu, insn);
    load_left(cpu, insn, address, to_boundary(cpu, address, MASK_S));
}

PLAIN(do_lcbb)
{
    unsigned n = to_boundary(cpu, address_bxd(cpu, insn), insn->r2);
    set_low(cpu, insn->r1, n);
    cpu->psw.cc = n == 16 ? 0 : 3;
}

// R3 holds the index of the last byte.
static unsigned length(const struct cpu *cpu, const struct insn *insn)
{
    uint32_t last = low(cpu, insn->r2);
    return last < 15 ? last + 1 : 16;
}

PLAIN(do_vll)
{
    load_left(cpu, insn, address_bd(cpu, insn), length(cpu, insn));
}

PLAIN(do_vstl)
{
    uint8_t bytes[16];
    vector_store(bytes, V1);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, length(cpu, insn));
}

// --- elements -----------------------------------------------------------------------------------

static void load_element(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK_S, 0, vector_count(es) - 1);
    set_element(V1, es, i, read_element(cpu, insn->b, address_bxd(cpu, insn), es));
}

static void store_element(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK_S, 0, vector_count(es) - 1);
    write_element(cpu, insn->b, address_bxd(cpu, insn), es, element(V1, es, i));
}

static void load_immediate(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK32, 0, vector_count(es) - 1);
    set_element(V1, es, i, (uint64_t)(int64_t)insn->i);
}

#define ELEMENT(letter, es)            \
    PLAIN(do_vle##letter)              \
    {                                  \
        load_element(cpu, insn, es);   \
    }                                  \
    PLAIN(do_vste##letter)             \
    {                                  \
        store_element(cpu, insn, es);  \
    }                                  \
    PLAIN(do_vlei##letter)             \
    {                                  \
        load_immediate(cpu, insn, es); \
    }
ELEMENT(b, 0)
ELEMENT(h, 1)
ELEMENT(f, 2)
ELEMENT(g, 3)

PLAIN(do_vlrep)
{
    unsigned es = element_size(cpu, MASK_S, 0, 3);
    uint64_t value = read_element(cpu, insn->b, address_bxd(cpu, insn), es);
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(V1, es, i, value);
}

// The element goes to the right of the left doubleword; with M3 = 6 a word goes to its left.
PLAIN(do_vllez)
{
    bool left = MASK_S == 6 && cpu_facility(cpu, 135);
    unsigned es = left ? 2 : element_size(cpu, MASK_S, 0, 3);
    uint64_t value = read_element(cpu, insn->b, address_bxd(cpu, insn), es);
    *V1 = (struct vector_register){left ? value << 32 : value, 0};
}

// Base, displacement and an element of V2 as the index.
static uint64_t address_element(struct cpu *cpu, const struct insn *insn, unsigned es, unsigned i)
{
    return (cpu->base[insn->b] + element(V2, es, i) + (uint64_t)(int64_t)insn->d) &
           cpu->address_mask;
}

static void gather(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK_S, 0, vector_count(es) - 1);
    set_element(V1, es, i, read_element(cpu, insn->b, address_element(cpu, insn, es, i), es));
}

static void scatter(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK_S, 0, vector_count(es) - 1);
    write_element(cpu, insn->b, address_element(cpu, insn, es, i), es, element(V1, es, i));
}

PLAIN(do_vgef)
{
    gather(cpu, insn, 2);
}

PLAIN(do_vgeg)
{
    gather(cpu, insn, 3);
}

PLAIN(do_vscef)
{
    scatter(cpu, insn, 2);
}

PLAIN(do_vsceg)
{
    scatter(cpu, insn, 3);
}

// --- general registers --------------------------------------------------------------------------

PLAIN(do_vlgv)
{
    unsigned es = element_size(cpu, MASK_S, 0, 3);
    unsigned i = (unsigned)address_bd(cpu, insn) & (vector_count(es) - 1);
    cpu->gr[insn->r1] = element(V2, es, i);
}

PLAIN(do_vlvg)
{
    unsigned es = element_size(cpu, MASK_S, 0, 3);
    unsigned i = (unsigned)address_bd(cpu, insn) & (vector_count(es) - 1);
    set_element(V1, es, i, cpu->gr[insn->r2]);
}

PLAIN(do_vlvgp)
{
    *V1 = (struct vector_register){cpu->gr[insn->r2], cpu->gr[insn->r3]};
}
