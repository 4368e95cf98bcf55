// SPDX-License-Identifier: MIT
// Entries of the trace table that branches, mode changes and address-space changes make.
#include "cpu/trace_table.h"

#include <string.h>

#include "base/bytes.h"
#include "cpu/execute.h"

// The first byte's right half tells the entry's length in words less one.
struct entry {
    uint8_t bytes[24];
    unsigned n;
};

static uint64_t address_bits(const struct cpu *cpu)
{
    return cpu->arch == ARCH_Z ? UINT64_C(0x3FFFFFFFFFFFFFFC) : 0x7FFFFFFC;
}

uint64_t trace_place(struct cpu *cpu, uint64_t cr12, unsigned n)
{
    uint64_t at = cr12 & address_bits(cpu);
    uint64_t low = cpu->arch == ARCH_Z ? at & ~UINT64_C(0x1000) : at;
    if (cpu->cr[0] & CR0_LOW_PROTECTION && low < 512) {
        cpu->fault.teid = at & PAGE_MASK;
        cpu->fault.access_id = 0;
        cpu_program_interruption(cpu, PIC_PROTECTION);
    }
    check(cpu, storage_find(cpu->storage, cpu_real_to_absolute(cpu, at), 1) != NULL,
          PIC_ADDRESSING);
    check(cpu, ((at ^ (at + n)) & PAGE_MASK) == 0, PIC_TRACE_TABLE);
    return at;
}

uint64_t trace_put(struct cpu *cpu, uint64_t cr12, const uint8_t *bytes, unsigned n)
{
    cpu_store_real(cpu, trace_place(cpu, cr12, n), bytes, n);
    return cr12 + n;
}

static uint64_t put(struct cpu *cpu, uint64_t cr12, const struct entry *entry)
{
    return trace_put(cpu, cr12, entry->bytes, entry->n);
}

static void add32(struct entry *entry, uint32_t value)
{
    be32_store(entry->bytes + entry->n, value);
    entry->n += 4;
}

static void add64(struct entry *entry, uint64_t value)
{
    be64_store(entry->bytes + entry->n, value);
    entry->n += 8;
}

// An address as 31 bits behind the mode bit, or as 64 bits where it needs them.
static void add_address(struct entry *entry, uint64_t address, bool ea, bool ba, bool wide)
{
    if (wide)
        add64(entry, address);
    else
        add32(entry, (uint32_t)address | (!ea && ba ? 0x80000000u : 0));
}

// First two bytes and a halfword; the length is known once the rest is there.
static struct entry head(uint8_t type, uint8_t second, uint16_t half)
{
    struct entry entry = {.n = 4};
    entry.bytes[0] = (uint8_t)(type << 4);
    entry.bytes[1] = second;
    be16_store(entry.bytes + 2, half);
    return entry;
}

static uint64_t put_sized(struct cpu *cpu, uint64_t cr12, struct entry *entry)
{
    entry->bytes[0] |= (uint8_t)(entry->n / 4 - 1);
    return put(cpu, cr12, entry);
}

// --- branches and modes -----------------------------------------------------------------

uint64_t trace_branch(struct cpu *cpu, uint64_t cr12, uint64_t address, bool ea, bool ba)
{
    struct entry entry = {.n = 0};
    if (ea && address >> 31) {
        entry = head(5, 0xC0, 0);
        add64(&entry, address);
        return put_sized(cpu, cr12, &entry);
    }
    // In 24-bit mode the first byte is zero; otherwise bit 0 is one.
    add32(&entry, ba ? (uint32_t)address | 0x80000000u : (uint32_t)address & 0xFFFFFF);
    return put(cpu, cr12, &entry);
}

void trace_taken(struct cpu *cpu, uint64_t address)
{
    cpu->cr[12] =
        trace_branch(cpu, cpu->cr[12], address & cpu->address_mask, cpu->psw.ea, cpu->psw.ba);
}

uint64_t trace_mode(struct cpu *cpu, uint64_t cr12)
{
    const struct psw *psw = &cpu->psw;
    bool wide = psw->ea && psw->address >> 31;
    struct entry entry = head(5, wide ? 0x60 : psw->ea ? 0x20 : 0x30, 0);
    add_address(&entry, psw->address, psw->ea, psw->ba, wide);
    return put_sized(cpu, cr12, &entry);
}

uint64_t trace_mode_branch(struct cpu *cpu, uint64_t cr12, uint64_t address, bool ea, bool ba)
{
    bool wide = ea && address >> 31;
    struct entry entry = head(5, !ea ? 0xA0 : wide ? 0xF0 : 0xB0, 0);
    add_address(&entry, address, ea, ba, wide);
    return put_sized(cpu, cr12, &entry);
}

// --- address spaces -----------------------------------------------------------------------

uint64_t trace_secondary(struct cpu *cpu, uint64_t cr12, uint16_t asn, bool instance)
{
    struct entry entry = head(1, instance, asn);
    return put_sized(cpu, cr12, &entry);
}

uint64_t trace_transfer(struct cpu *cpu, uint64_t cr12, uint16_t asn, uint64_t value, bool instance)
{
    bool ea = cpu->psw.ea, wide = ea && value >> 32;
    unsigned form = (ea ? 8u : 0) | (wide ? 4u : 0) | instance;
    struct entry entry = head(3, (uint8_t)(cpu->psw.key << 4 | form), asn);
    if (wide)
        add64(&entry, value);
    else
        add32(&entry, (uint32_t)value);
    return put_sized(cpu, cr12, &entry);
}

// The return address carries the problem-state bit in its last place.
uint64_t trace_call(struct cpu *cpu, uint64_t cr12, uint32_t number, bool long_number)
{
    const struct psw *psw = &cpu->psw;
    uint64_t back = psw->address | psw->problem;
    bool wide = psw->ea && (!long_number || psw->address >> 32);
    struct entry entry;
    if (long_number)
        entry = head(2, (uint8_t)(psw->key << 4 | (wide ? 14 : psw->ea ? 10 : 8)), 0);
    else
        entry = head(2, (uint8_t)(psw->key << 4 | number >> 16), (uint16_t)number);
    add_address(&entry, back, psw->ea, psw->ba, wide);
    if (long_number)
        add32(&entry, number);
    return put_sized(cpu, cr12, &entry);
}

// Second byte: 8 and 4 say that the address returned to is in 64-bit mode and wide, 2 and 1 the
// same of the address behind PROGRAM RETURN.
uint64_t trace_return(struct cpu *cpu, uint64_t cr12, uint16_t asn, const struct psw *to)
{
    const struct psw *from = &cpu->psw;
    bool to_wide = to->ea && to->address >> 32, from_wide = from->ea && from->address >> 32;
    unsigned form = (to->ea ? 8u : 0) | (to_wide ? 4u : 0) | (from->ea ? 2u : 0) | from_wide;
    struct entry entry = head(3, (uint8_t)(from->key << 4 | form), asn);
    add_address(&entry, to->address | to->problem, to->ea, to->ba, to_wide);
    add_address(&entry, from->address, from->ea, from->ba, from_wide);
    return put_sized(cpu, cr12, &entry);
}

uint64_t trace_subspace(struct cpu *cpu, uint64_t cr12, uint32_t alet, uint64_t address)
{
    struct entry entry = {.n = 0};
    // P (ALET bit 7) moves into bit 8 beside the rest.
    add32(&entry, 0x40000000u | (alet & 0x01000000 ? 0x800000u : 0) | (alet & 0x7FFFFF));
    if (cpu->psw.ea)
        add64(&entry, address);
    else
        add32(&entry,
              (uint32_t)address & 0x80000000u ? (uint32_t)address : (uint32_t)address & 0xFFFFFF);
    return put_sized(cpu, cr12, &entry);
}
