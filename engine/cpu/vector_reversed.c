// SPDX-License-Identifier: MIT
// Vectors between storage and registers with the bytes of each element, or the elements, in the
// other order.
// (Principles of Operation, "Vector Overview and Support Instructions".)
#include "cpu/vector.h"

// The first 1 << es bytes as an element, the last byte leftmost.
static uint64_t element_reversed(const uint8_t *bytes, unsigned es)
{
    uint64_t value = 0;
    for (unsigned i = 1u << es; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static uint64_t fetch_reversed(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    uint8_t bytes[8];
    guest_fetch(cpu, insn->b, address_bxd(cpu, insn), bytes, 1u << es);
    return element_reversed(bytes, es);
}

static void load_element(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    unsigned i = element_size(cpu, MASK_S, 0, vector_count(es) - 1);
    set_element(V1, es, i, fetch_reversed(cpu, insn, es));
}

static void store_element(struct cpu *cpu, const struct insn *insn, unsigned es)
{
    uint8_t bytes[8];
    uint64_t value = element(V1, es, element_size(cpu, MASK_S, 0, vector_count(es) - 1));
    for (unsigned i = 0; i < 1u << es; i++, value >>= 8)
        bytes[i] = (uint8_t)value;
    guest_store(cpu, insn->b, address_bxd(cpu, insn), bytes, 1u << es);
}

#define ELEMENT(letter, es)           \
    PLAIN(do_vlebr##letter)           \
    {                                 \
        load_element(cpu, insn, es);  \
    }                                 \
    PLAIN(do_vstebr##letter)          \
    {                                 \
        store_element(cpu, insn, es); \
    }
ELEMENT(h, 1)
ELEMENT(f, 2)
ELEMENT(g, 3)

PLAIN(do_vlbrrep)
{
    unsigned es = element_size(cpu, MASK_S, 1, 3);
    uint64_t value = fetch_reversed(cpu, insn, es);
    for (unsigned i = 0; i < vector_count(es); i++)
        set_element(V1, es, i, value);
}

// The element goes to the right of the left doubleword; with M3 = 6 a word goes to its left.
PLAIN(do_vllebrz)
{
    bool left = MASK_S == 6;
    unsigned es = left ? 2 : element_size(cpu, MASK_S, 1, 3);
    uint64_t value = fetch_reversed(cpu, insn, es);
    *V1 = (struct vector_register){left ? value << 32 : value, 0};
}

// Byte `i` of a vector stands at `i ^ turn` in storage: within elements, or elements as they are.
static void load_turned(struct cpu *cpu, const struct insn *insn, unsigned turn)
{
    uint8_t in[16], bytes[16];
    guest_fetch(cpu, insn->b, address_bxd(cpu, insn), in, 16);
    for (unsigned i = 0; i < 16; i++)
        bytes[i] = in[i ^ turn];
    *V1 = vector_load(bytes);
}

static void store_turned(struct cpu *cpu, const struct insn *insn, unsigned turn)
{
    uint8_t bytes[16], out[16];
    vector_store(bytes, V1);
    for (unsigned i = 0; i < 16; i++)
        out[i ^ turn] = bytes[i];
    guest_store(cpu, insn->b, address_bxd(cpu, insn), out, 16);
}

// Elements of 2 to 16 bytes whose bytes are in the other order.
static unsigned turn_bytes(struct cpu *cpu, const struct insn *insn)
{
    return (1u << element_size(cpu, MASK_S, 1, 4)) - 1;
}

// Elements of 2 to 8 bytes in the other order.
static unsigned turn_elements(struct cpu *cpu, const struct insn *insn)
{
    return 16 - (1u << element_size(cpu, MASK_S, 1, 3));
}

PLAIN(do_vlbr)
{
    load_turned(cpu, insn, turn_bytes(cpu, insn));
}

PLAIN(do_vler)
{
    load_turned(cpu, insn, turn_elements(cpu, insn));
}

PLAIN(do_vstbr)
{
    store_turned(cpu, insn, turn_bytes(cpu, insn));
}

PLAIN(do_vster)
{
    store_turned(cpu, insn, turn_elements(cpu, insn));
}
