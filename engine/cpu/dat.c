// SPDX-License-Identifier: MIT
// Table walks of dynamic address translation, z/Architecture and ESA/390 forms.
// (Principles of Operation, "Dynamic Address Translation".)
#include "cpu/dat.h"

#include "base/bytes.h"
#include "cpu/codes.h"

// ASCE and table entries, z/Architecture:
//
//  0 ........ 51  52 53 54 55 56 57 58 59 60 61 62 63
// |  origin      |      G  P  S  X  R     DT    TL   |  ASCE
// |  next table  |      P     TF    I     TT    TL   |  region entry
// |  page table 0-52    |FC P       I  CS TT         |  segment entry
// |  frame       | 0  I  P IEP  free for software    |  page entry
#define ASCE_ORIGIN  (~UINT64_C(0xFFF))
#define ASCE_PRIVATE 0x100u
#define ASCE_REAL    0x20u
#define ENTRY_FC     0x400u
#define ENTRY_P      0x200u
#define ENTRY_IEP    0x100u
#define ENTRY_I      0x20u
#define ENTRY_CS     0x10u
#define PTE_ZERO     0x800u
#define PTE_I        0x400u

// Where a table entry lies, or NULL. Table fetches need not set the reference bit.
static const uint8_t *entry_host(const struct cpu *cpu, uint64_t real, unsigned n)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    const struct storage_extent *extent = storage_find(cpu->storage, absolute, n);
    return extent ? extent->bytes + (absolute - extent->start) : NULL;
}

static const uint16_t level_exception[5] = {PIC_PAGE, PIC_SEGMENT, PIC_REGION3, PIC_REGION2,
                                            PIC_REGION1};

// A segment or region frame; `bits` is how many address bits lie below. Its address is absolute:
// prefixing, which undoes itself, gives the real address.
static uint16_t large_frame(const struct cpu *cpu, uint64_t entry, uint64_t address, unsigned bits,
                            struct translation *out)
{
    uint64_t offset = (UINT64_C(1) << bits) - 1;
    out->real = cpu_real_to_absolute(cpu, (entry & ~offset) | (address & offset));
    out->large = true;
    return 0;
}

static uint16_t walk_page(struct cpu *cpu, uint64_t table, uint64_t address,
                          struct translation *out)
{
    out->level = 0;
    out->entry = table + (address >> 12 & 0xFF) * 8;
    const uint8_t *host = entry_host(cpu, out->entry, 8);
    if (!host)
        return PIC_ADDRESSING;
    uint64_t entry = be64_load(host);
    if (entry & PTE_I)
        return PIC_PAGE;
    if (entry & PTE_ZERO)
        return PIC_TRANSLATION_SPECIFICATION;
    out->protected |= (entry & ENTRY_P) != 0;
    out->no_execute = (entry & ENTRY_IEP) && (cpu->cr[0] & CR0_IEP);
    out->real = (entry & ~UINT64_C(0xFFF)) | (address & 0xFFF);
    return 0;
}

// One region or segment level. `tf` and `tl` bound the index's first two bits.
static uint16_t walk_levels(struct cpu *cpu, uint64_t asce, uint64_t address,
                            struct translation *out)
{
    unsigned level = (unsigned)(asce >> 2 & 3) + 1; // 4 region first ... 1 segment
    uint64_t table = asce & ASCE_ORIGIN;
    unsigned first = 0, last = asce & 3;
    bool edat1 = cpu->cr[0] & CR0_EDAT && cpu_facility(cpu, 8);
    for (;; level--) {
        unsigned shift = 20 + (level - 1) * 11;
        unsigned index = (unsigned)(address >> shift) & 0x7FF;
        out->level = level;
        out->entry = table + index * 8;
        out->beyond = index >> 9 < first || index >> 9 > last;
        if (out->beyond)
            return level_exception[level];
        const uint8_t *host = entry_host(cpu, out->entry, 8);
        if (!host)
            return PIC_ADDRESSING;
        uint64_t entry = be64_load(host);
        if (entry & ENTRY_I)
            return level_exception[level];
        if ((entry >> 2 & 3) != level - 1)
            return PIC_TRANSLATION_SPECIFICATION;
        if (level <= 2 && (asce & ASCE_PRIVATE) && (entry & ENTRY_CS) &&
            (level == 1 || (entry & ENTRY_FC)))
            return PIC_TRANSLATION_SPECIFICATION;
        bool fc = edat1 && entry & ENTRY_FC;
        if (level == 1 || edat1)
            out->protected |= (entry & ENTRY_P) != 0;
        out->protected_above = out->protected;
        if (fc && (level == 1 || (level == 2 && cpu_facility(cpu, 78)))) {
            out->no_execute = (entry & ENTRY_IEP) && (cpu->cr[0] & CR0_IEP);
            return large_frame(cpu, entry, address, level == 1 ? 20 : 31, out);
        }
        if (level == 1)
            return walk_page(cpu, entry & ~UINT64_C(0x7FF), address, out);
        table = entry & ASCE_ORIGIN;
        first = entry >> 6 & 3;
        last = entry & 3;
    }
}

static uint16_t translate_z(struct cpu *cpu, uint64_t asce, uint64_t address,
                            struct translation *out)
{
    if (asce & ASCE_REAL) {
        out->real = address;
        return 0;
    }
    unsigned type = asce >> 2 & 3; // indexes above the designated table must be zero
    if (type < 3 && address >> (31 + 11 * type)) {
        out->level = 5;
        return PIC_ASCE_TYPE;
    }
    return walk_levels(cpu, asce, address, out);
}

static bool read_word(const struct cpu *cpu, uint64_t real, uint32_t *word)
{
    const uint8_t *host = entry_host(cpu, real, 4);
    if (host)
        *word = be32_load(host);
    return host != NULL;
}

// ESA/390: a 31-bit address, segment entry and page entry are words.
static uint16_t translate_esa(struct cpu *cpu, uint64_t asce, uint64_t address,
                              struct translation *out)
{
    uint32_t std = (uint32_t)asce, entry;
    if ((cpu->cr[0] >> 19 & 0x1F) != 0x16)
        return PIC_TRANSLATION_SPECIFICATION;
    uint32_t sx = (uint32_t)(address >> 20) & 0x7FF, px = (uint32_t)(address >> 12) & 0xFF;
    out->level = 1;
    out->entry = (std & 0x7FFFF000) + sx * 4;
    out->beyond = sx >> 4 > (std & 0x7F);
    if (out->beyond)
        return PIC_SEGMENT;
    if (!read_word(cpu, out->entry, &entry))
        return PIC_ADDRESSING;
    if (entry & 0x20)
        return PIC_SEGMENT;
    if (entry >> 31 || ((std & ASCE_PRIVATE) && (entry & 0x10)))
        return PIC_TRANSLATION_SPECIFICATION;
    out->level = 0;
    out->entry = (entry & 0x7FFFFFC0) + px * 4;
    if (px >> 4 > (entry & 15))
        return PIC_PAGE;
    if (!read_word(cpu, out->entry, &entry))
        return PIC_ADDRESSING;
    if (entry & 0x400)
        return PIC_PAGE;
    if (entry & 0x80000900)
        return PIC_TRANSLATION_SPECIFICATION;
    out->protected = (entry & 0x200) != 0;
    out->real = (entry & 0x7FFFF000) | (address & 0xFFF);
    return 0;
}

uint16_t dat_translate(struct cpu *cpu, uint64_t asce, uint64_t address, struct translation *out)
{
    *out = (struct translation){0};
    if (asce == SPACE_REAL) {
        out->real = address;
        return 0;
    }
    return cpu->arch == ARCH_Z ? translate_z(cpu, asce, address, out)
                               : translate_esa(cpu, asce, address, out);
}

uint64_t dat_space(const struct cpu *cpu, unsigned as)
{
    static const uint8_t control_register[4] = {1, 1, 7, 13};
    return cpu->cr[control_register[as & 3]];
}

bool dat_private(const struct cpu *cpu, uint64_t asce)
{
    (void)cpu;
    return asce != SPACE_REAL && (asce & ASCE_PRIVATE);
}
