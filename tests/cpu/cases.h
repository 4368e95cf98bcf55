// SPDX-License-Identifier: MIT
// One case: registers, storage and PSW for an instruction or a short stream of them, as
// programs/cases.S runs it.
//
// A block of 4 KiB: 000 storage that follows a page's end, 200 general registers, 280 FPC, 284
// flags, 288 PSW, 298 what ended it (8C-93 of the lowcore; first bit on: SVC), 2A0 translation-
// exception identification, 2C0 access registers, 400 vector registers, 800 storage operands.
//
// Code stands apart, in slots from CASE_SLOTS: the instructions and SVC 1, SVC 2 where branches
// lead, the target of EXECUTE, operands of relative instructions. Cases that share a slot are a
// group.
//
// Virtual storage: slots and blocks are at their real addresses. In CASE_TORN every page of them is
// followed by one that is not there, in CASE_GUARDED by itself for reading only, in CASE_SPILL by
// itself, so that an operand across a page's end lies in two places. The last page of every
// addressing mode and the first one are CASE_WRAP.
#ifndef ENDICOTT_TESTS_CPU_CASES_H
#define ENDICOTT_TESTS_CPU_CASES_H

#include "cpu/vectors.h"

#define CASE_SIZE   4096u
#define CASE_TABLES 0x100000u
#define CASE_SLOTS  0x200000u
#define CASE_BLOCKS 0x300000u
#define CASE_MIB    64u
#define CASE_MOST   (((CASE_MIB << 20) - CASE_BLOCKS) / CASE_SIZE - 1)
#define CASE_ENTRY  0x3000u
#define CASE_WRAP   0x9000u
#define CASE_SLOT   128u

#define CASE_TORN    UINT64_C(0x40000000)
#define CASE_SPILL   UINT64_C(0x50000000)
#define CASE_GUARDED UINT64_C(0x60000000)

#define CASE_GR    0x200u
#define CASE_FPC   0x280u
#define CASE_FLAGS 0x284u // 1: copy to and from CASE_WRAP
#define CASE_PSW   0x288u
#define CASE_END   0x298u
#define CASE_TEID  0x2A0u
#define CASE_AR    0x2C0u
#define CASE_VR    0x400u
#define CASE_AREA  0x800u

#define SLOT_BRANCH SNIPPET_AHEAD // branches of single instructions lead here,
#define SLOT_LAST   0x50u         // the end of a stream,
#define SLOT_TARGET 0x58u         // the target of EXECUTE, and where it leads
#define SLOT_DATA   0x60u         // operands of relative loads and stores

enum case_kind { CASE_GENERAL, CASE_STRING, CASE_FLOAT, CASE_VECTOR, CASE_STREAM };

// --- storage -------------------------------------------------------------------------------------

#define TABLE_R1       0x1C000u
#define TABLE_INVALID  0x20u
#define PAGE_INVALID   0x400u
#define PAGE_PROTECTED 0x200u

// Region tables that lead to `segments` by entry 0 or by the last one.
static inline void case_map_regions(uint8_t *image, unsigned r2, unsigned r3, unsigned segments,
                                    unsigned entry)
{
    for (unsigned i = 0; i < 2048; i++) {
        be64_store(image + r2 + i * 8, TABLE_INVALID | 8 | 3);
        be64_store(image + r3 + i * 8, TABLE_INVALID | 4 | 3);
        be64_store(image + segments + i * 8, TABLE_INVALID);
    }
    be64_store(image + TABLE_R1 + entry * 8, r2 | 12 | 3);
    be64_store(image + r2 + entry * 8, r3 | 8 | 3);
    be64_store(image + r3 + entry * 8, segments | 4 | 3);
}

// A page table, all of whose pages are invalid; returns the next one's place.
static inline unsigned case_map_segment(uint8_t *image, unsigned segments, unsigned entry,
                                        unsigned table)
{
    be64_store(image + segments + entry * 8, table);
    for (unsigned p = 0; p < 256; p++)
        be64_store(image + table + p * 8, PAGE_INVALID);
    return table + 2048;
}

static inline void case_map(uint8_t *image)
{
    const unsigned low = 0x10000, high = 0x20000;
    for (unsigned i = 0; i < 2048; i++)
        be64_store(image + TABLE_R1 + i * 8, TABLE_INVALID | 12 | 3);
    case_map_regions(image, 0x18000, 0x14000, low, 0);
    case_map_regions(image, 0x28000, 0x24000, high, 2047);
    unsigned table = CASE_TABLES;
    for (unsigned s = CASE_SLOTS >> 20; s < CASE_MIB; s++) {
        unsigned pages = table;
        table = case_map_segment(image, low, s, table);
        for (unsigned p = 0; p < 256; p++)
            be64_store(image + pages + p * 8, s << 20 | p << 12);
        if (s == 15)
            be64_store(image + pages + 255 * 8, CASE_WRAP); // the end of 24-bit addresses
    }
    static const uint64_t views[] = {CASE_TORN, CASE_SPILL, CASE_GUARDED};
    for (unsigned s = 0; s < 3 * 2 * CASE_MIB; s++) {
        unsigned view = s / (2 * CASE_MIB), n = s % (2 * CASE_MIB), pages = table;
        table = case_map_segment(image, low, (unsigned)(views[view] >> 20) + n, table);
        for (unsigned p = 0; p < 256; p++) {
            uint64_t real = (n << 8 | p) >> 1 << 12;
            uint64_t odd = view == 0 ? PAGE_INVALID : view == 2 ? real | PAGE_PROTECTED : real;
            be64_store(image + pages + p * 8, p & 1 ? odd : real);
        }
    }
    be64_store(image + table, 0);
    unsigned first = table, last31 = first + 2048, last64 = last31 + 2048;
    case_map_segment(image, low, 0, first);
    case_map_segment(image, low, 2047, last31);
    case_map_segment(image, high, 2047, last64);
    be64_store(image + first, CASE_WRAP);
    be64_store(image + last31 + 255 * 8, CASE_WRAP);
    be64_store(image + last64 + 255 * 8, CASE_WRAP);
}

// --- contents ------------------------------------------------------------------------------------

// Where a case runs: the same for all of a group, except for `at`.
struct case_place {
    uint64_t at, slot; // of its block and its code
    uint64_t leads;    // where branches may go
    unsigned mode;     // 0: 24-bit, 1: 31-bit, 2: 64-bit
    bool translate, problem, edges;
    bool mask;  // program mask on
    bool wraps; // addresses may
};

// Numbers of the extended format in register pairs.
static inline void case_wide(struct random *r, uint8_t *vr)
{
    static const uint64_t edges[] = {0,
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0x3FFF000000000000),
                                     UINT64_C(0xBFFF000000000000),
                                     UINT64_C(0x7FFF000000000000),
                                     UINT64_C(0xFFFF000000000000),
                                     UINT64_C(0x7FFF800000000000),
                                     UINT64_C(0xFFFF400000000000),
                                     UINT64_C(0x7FFEFFFFFFFFFFFF),
                                     UINT64_C(0x0001000000000000),
                                     UINT64_C(0x0000FFFFFFFFFFFF),
                                     UINT64_C(0x403E000000000000),
                                     UINT64_C(0xC01E000000000000),
                                     UINT64_C(0x3FFE000000000000),
                                     UINT64_C(0x407EFFFFFFFFFFFF),
                                     UINT64_C(0x43FEFFFFFFFFFFFF)};
    for (unsigned n = 0; n < 16; n = n % 4 == 1 ? n + 3 : n + 1) {
        if (random_below(r, 3) == 0)
            continue;
        uint64_t high = edges[random_below(r, sizeof edges / sizeof edges[0])];
        uint64_t low = random_below(r, 3) ? random64(r) : random_number(r);
        switch (random_below(r, 3)) {
        case 0:
            low = random_below(r, 2) ? 0 : low;
            break;
        case 1: // near one another
            high = (random64(r) & UINT64_C(0x8000FFFFFFFFFFFF)) |
                   (uint64_t)(0x3FA0 + random_below(r, 0xC0)) << 48;
            break;
        default:
            high = random64(r);
            break;
        }
        be64_store(vr + n * 16, high);
        be64_store(vr + (n + 2) * 16, low);
    }
}

// Where operands near a page's end may stand; 0: only in the block's area.
static inline uint64_t case_edge(struct random *r, const struct case_place *p, uint8_t *block)
{
    uint64_t page = (p->at & ~UINT64_C(0xFFF)) * 2;
    unsigned k = p->translate ? random_below(r, 8) : 7;
    if (k == 0 && p->wraps) {
        block[CASE_FLAGS] |= 1;
        static const uint64_t last[] = {0xFFF000, 0x7FFFF000, UINT64_C(0xFFFFFFFFFFFFF000)};
        return last[p->mode];
    }
    if (p->mode == 0 || k > 3)
        return 0;
    return (k == 1 ? CASE_TORN : k == 2 ? CASE_SPILL : CASE_GUARDED) + page;
}

static inline uint64_t case_address(struct random *r, const struct case_place *p, uint64_t edge)
{
    uint64_t near = random_below(r, 8) * (random_below(r, 4) ? 8 : 1);
    uint64_t v = p->at + CASE_AREA + near;
    if (edge && random_below(r, 2))
        v = edge + 0xF80 + random_below(r, 4) * 16 + near;
    if (p->mode < 2 && random_below(r, 4) == 0) // bits that do not count
        v = (v & (p->mode ? 0x7FFFFFFF : 0xFFFFFF)) | random64(r) << (p->mode ? 31 : 24);
    return v;
}

// Nothing is there, where the mode and translation allow that.
static inline uint64_t case_nowhere(struct random *r, const struct case_place *p)
{
    uint64_t v = random_below(r, 0x10000);
    switch (p->mode) {
    case 0:
        return p->translate ? 0x80000 + v : p->at;
    case 1:
        return 0x7F000000 + v;
    default: // a region table, the segment table or a page table without it
        return v + (random_below(r, 2)   ? UINT64_C(0x7F0000007F000000)
                    : random_below(r, 2) ? UINT64_C(0x000000017F000000)
                                         : UINT64_C(0x000000007F000000));
    }
}

static inline void case_registers(struct random *r, const struct case_place *p, uint64_t edge,
                                  uint8_t *block)
{
    for (unsigned i = 0; i < 16; i++) {
        uint64_t v = p->edges && random_below(r, 8) ? random_edge(r) : random_number(r);
        if (i >= 5 && i <= 8)
            v = case_address(r, p, edge);
        else if (i >= 9 && i <= 11)
            v = random_below(r, 16) == 0  ? 0 - (uint64_t)random_below(r, 64)
                : random_below(r, 4) != 0 ? random_below(r, 40)
                                          : random_below(r, 100);
        else if (i == 14)
            v = case_nowhere(r, p);
        else if (i == 12 || i == 13)
            v = p->leads + random_below(r, 16) / 15;
        be64_store(block + CASE_GR + i * 8, v);
    }
}

// Addresses and lengths in register pairs 6/7 and 8/9.
static inline void case_strings(struct random *r, const struct opcode *row,
                                const struct case_place *p, uint64_t edge, uint8_t *block)
{
    uint8_t *gr = block + CASE_GR;
    bool pads = row->code == 0x0E00 || row->code == 0x0F00;
    uint64_t base = edge && random_below(r, 2) ? edge + 0xF00 : p->at + CASE_AREA;
    uint64_t first = random_below(r, 48), second = random_below(r, 48);
    if (random_below(r, 16) == 0)
        first = second;
    be64_store(gr + 7 * 8, first | (uint64_t)(pads ? random_below(r, 3) : 0) << 24);
    be64_store(gr + 9 * 8, second | (uint64_t)(pads ? random_below(r, 3) : 0) << 24);
    unsigned far = base & 0x800 && edge ? 96 : 32;
    if (pads && random_below(r, 4) == 0) { // overlap
        be64_store(gr + 6 * 8, base + random_below(r, 96));
        be64_store(gr + 8 * 8, base + random_below(r, 96));
    } else { // no overlap: MVST must not chase its own tail
        be64_store(gr + 6 * 8, base + random_below(r, 48) + far);
        be64_store(gr + 8 * 8, base + 96 + random_below(r, 32) + far);
    }
    be64_store(gr, random_below(r, 256));
    if ((row->code >= 0xB990 && row->code <= 0xB993) || row->code >= 0xEB8E) { // two bytes
        gr[7 * 8 + 7] = (gr[7 * 8 + 7] & 0x3E) | 2;
        gr[9 * 8 + 7] = (gr[9 * 8 + 7] & 0x3E) | 2;
    }
    if (row->code == 0xB25E || row->code == 0xB9BE) // the end of a search
        be64_store(gr + (random_below(r, 2) ? 6 : 8) * 8, base + 64);
    be64_store(gr + 8, p->at + CASE_AREA);
}

static inline void case_psw(struct random *r, const struct case_place *p, uint8_t *block)
{
    static const uint64_t modes[] = {0, 0x80000000, 0x180000000};
    be64_store(block + CASE_PSW, (p->translate ? UINT64_C(0x0400000000000000) : 0) |
                                     (p->problem ? UINT64_C(0x0001000000000000) : 0) |
                                     modes[p->mode] | (uint64_t)random_below(r, 4) << 44 |
                                     (p->mask ? (uint64_t)random_below(r, 16) << 40 : 0));
    be64_store(block + CASE_PSW + 8, p->slot);
}

static inline void case_storage(struct random *r, const struct case_place *p, enum case_kind kind,
                                uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i += 8) {
        uint64_t v = random_below(r, 2) ? random_number(r) : random_float(r);
        if (p->edges && random_below(r, 2))
            v = random_edge(r);
        if (kind == CASE_STRING && random_below(r, 2))
            v &= UINT64_C(0x0101010101010101) * random_below(r, 4);
        be64_store(bytes + i, v);
    }
}

// Packed and zoned decimal numbers in a part of storage, most of them valid.
static inline void case_decimal(struct random *r, uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        unsigned high = random_below(r, 10), low = random_below(r, 10);
        if (random_below(r, 3) == 0)
            high = low = random_below(r, 2) ? 9 : 0;
        if (random_below(r, 6) == 0)
            low = 10 + random_below(r, 6); // a sign
        bytes[i] = (uint8_t)(high << 4 | low);
    }
}

static inline void case_vectors(struct random *r, const struct case_place *p, enum case_kind kind,
                                uint8_t *block)
{
    for (unsigned i = 0; i < 32; i++) {
        vector_value(r, block + CASE_VR, i);
        if (kind != CASE_VECTOR && i < 16)
            be64_store(block + CASE_VR + i * 16, random_float(r));
        if (p->edges && kind != CASE_VECTOR && i < 16 && random_below(r, 4))
            be64_store(block + CASE_VR + i * 16, random_float_edge(r));
    }
    if (kind == CASE_FLOAT && random_below(r, 2))
        case_wide(r, block + CASE_VR);
}

// Fills `block` for an instruction of `row`, NULL for a stream. Access registers 0 to 7 stay zero.
static inline void case_fill(struct random *r, const struct opcode *row, enum case_kind kind,
                             const struct case_place *p, uint8_t *block)
{
    memset(block, 0, CASE_SIZE);
    uint64_t edge = case_edge(r, p, block);
    case_registers(r, p, edge, block);
    case_vectors(r, p, kind, block);
    for (unsigned i = 8; i < 16; i++)
        be32_store(block + CASE_AR + i * 4, (uint32_t)random64(r));
    uint32_t traps = random_below(r, 4) || kind == CASE_STREAM ? 0 : random_below(r, 32) << 27;
    unsigned rounding = random_below(r, 5);
    be32_store(block + CASE_FPC,
               traps | random_below(r, 32) << 19 | (rounding == 4 ? 7 : rounding));
    case_psw(r, p, block);
    case_storage(r, p, kind, block + CASE_AREA, 384);
    if (edge) {
        case_storage(r, p, kind, block, 128);
        if (!(block[CASE_FLAGS] & 1)) // wraps have theirs at 800 and 900
            case_storage(r, p, kind, block + 0xF00, 256);
    }
    if (row && (row->code >> 12 == 15 || row->code >> 12 == 13 || random_below(r, 8) == 0)) {
        case_decimal(r, block + CASE_AREA, 160 + random_below(r, 96));
        if (edge)
            case_decimal(r, block + 0xF80, 128);
    }
    if (kind == CASE_STRING) {
        case_strings(r, row, p, edge, block);
        block[CASE_AREA + 383] = block[CASE_GR + 7]; // strings end
    }
}

#endif
