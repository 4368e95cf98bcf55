// SPDX-License-Identifier: MIT
// Random numbers and random instruction texts, by the rows of the instruction table.
#ifndef ENDICOTT_TESTS_CPU_SNIPPETS_H
#define ENDICOTT_TESTS_CPU_SNIPPETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "cpu/opcode.h"

#define SNIPPET_AHEAD 0x10 // bytes to where relative branches go

// A small generator of its own, so that a printed seed means the same everywhere.
struct random {
    uint64_t state;
};

static inline uint64_t random64(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static inline unsigned random_below(struct random *r, unsigned n)
{
    return (unsigned)(random64(r) % n);
}

// A number where carries, signs or widths end.
static inline uint64_t random_edge(struct random *r)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     0x7F,
                                     0x80,
                                     0xFF,
                                     0x7FFF,
                                     0x8000,
                                     0xFFFF,
                                     0x7FFFFFFF,
                                     0x80000000,
                                     0xFFFFFFFF,
                                     UINT64_C(0x100000000),
                                     UINT64_C(0x7FFFFFFFFFFFFFFF),
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0xFFFFFFFF00000000),
                                     UINT64_C(0xFFFFFFFF80000000),
                                     UINT64_C(0x7FFFFFFF00000000),
                                     UINT64_C(0x8000000080000000)};
    return edges[random_below(r, sizeof edges / sizeof edges[0])];
}

// Edges, and plain random ones.
static inline uint64_t random_number(struct random *r)
{
    switch (random_below(r, 4)) {
    case 0:
        return random_edge(r);
    case 1:
        return random64(r) >> random_below(r, 64);
    default:
        return random64(r);
    }
}

// Both BFP formats' special numbers.
static inline uint64_t random_float_edge(struct random *r)
{
    static const uint64_t doubles[] = {0,
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0x3FF0000000000000),
                                       UINT64_C(0xBFF0000000000000),
                                       UINT64_C(0x7FF0000000000000),
                                       UINT64_C(0xFFF0000000000000),
                                       UINT64_C(0x7FF8000000000000),
                                       UINT64_C(0x7FF0000000000001),
                                       UINT64_C(0xFFF4000000000001),
                                       UINT64_C(0x0000000000000001),
                                       UINT64_C(0x000FFFFFFFFFFFFF),
                                       UINT64_C(0x0010000000000000),
                                       UINT64_C(0x7FEFFFFFFFFFFFFF),
                                       UINT64_C(0x43E0000000000000),
                                       UINT64_C(0x41DFFFFFFFC00000),
                                       UINT64_C(0xC1E0000000000000),
                                       UINT64_C(0x3FE0000000000000),
                                       UINT64_C(0x3FF8000000000000),
                                       UINT64_C(0x4004000000000000),
                                       UINT64_C(0x7F80000000000000),
                                       UINT64_C(0xFF80000000000000),
                                       UINT64_C(0x3F80000000000000),
                                       UINT64_C(0x7FC0000000000000),
                                       UINT64_C(0x7F80000100000000),
                                       UINT64_C(0x0000000100000000),
                                       UINT64_C(0x0080000000000000),
                                       UINT64_C(0x7F7FFFFF00000000),
                                       UINT64_C(0x4F00000000000000),
                                       UINT64_C(0x3F00000000000000),
                                       UINT64_C(0x407FFFFFFFFFFFFF)};
    return doubles[random_below(r, sizeof doubles / sizeof doubles[0])];
}

// Those, and ordinary ones near each other.
static inline uint64_t random_float(struct random *r)
{
    switch (random_below(r, 4)) {
    case 0:
        return random_float_edge(r);
    case 1: // an exponent near one, double
        return (random64(r) & UINT64_C(0x800FFFFFFFFFFFFF)) |
               (uint64_t)(0x3F0 + random_below(r, 0x50)) << 52;
    case 2: // short
        return (random64(r) & UINT64_C(0x807FFFFFFFFFFFFF)) |
               (uint64_t)(0x70 + random_below(r, 0x30)) << 55;
    default:
        return random64(r);
    }
}

// The registers' roles in a text: 1-4 numbers, 5-8 addresses of operands, 9-11 small (index,
// length), 12-13 where branches may go, 14 nowhere, the rest anything.

// A base register: mostly an address in the block.
static inline unsigned base_field(struct random *r)
{
    unsigned k = random_below(r, 32);
    return k == 0 ? 14 : 5 + random_below(r, 4);
}

static inline unsigned index_field(struct random *r)
{
    return random_below(r, 3) ? 0 : 9 + random_below(r, 3);
}

static inline bool takes_branch_register(const struct opcode *row)
{
    switch (row->code) {
    case 0x0500: // BALR, BCTR, BCR, BASR, BCTGR
    case 0x0600:
    case 0x0700:
    case 0x0D00:
    case 0xB946:
        return true;
    default:
        return false;
    }
}

// Operand pairs that must be address and length.
static inline bool takes_strings(const struct opcode *row)
{
    switch (row->code) {
    case 0x0E00: // MVCL, CLCL, MVCLE, CLCLE, MVCLU, CLCLU
    case 0x0F00:
    case 0xA800:
    case 0xA900:
    case 0xEB8E:
    case 0xEB8F:
    case 0xB241: // CKSM, MVST, CLST, SRST, SRSTU
    case 0xB255:
    case 0xB25D:
    case 0xB25E:
    case 0xB9BE:
    case 0xB2A5: // TRE
    case 0xB257: // CUSE
        return true;
    case 0xB2A6: // CU21, CU12, CU14, CU24, CU41, CU42
    case 0xB2A7:
    case 0xB9B0:
    case 0xB9B1:
    case 0xB9B2:
    case 0xB9B3:
        return true;
    default:
        return row->code >= 0xB990 && row->code <= 0xB993;
    }
}

static inline void set_storage(struct random *r, uint8_t *t, unsigned nibble, unsigned base)
{
    unsigned d = base == 14 ? random_below(r, 4096) : random_below(r, 64);
    if (nibble == 4) {
        t[2] = (uint8_t)(base << 4 | d >> 8);
        t[3] = (uint8_t)d;
    } else {
        t[4] = (uint8_t)(base << 4 | d >> 8);
        t[5] = (uint8_t)d;
    }
}

static inline void set_relative(uint8_t *t, unsigned format)
{
    int32_t halfwords = SNIPPET_AHEAD / 2;
    if (format == FORMAT_RIL_B || format == FORMAT_RIL_C)
        be32_store(t + 2, (uint32_t)halfwords);
    else
        be16_store(t + 2, (uint16_t)halfwords);
}

// Instruction text: random operand fields, then the ones that must make sense.
static inline void snippet_text(struct random *r, const struct opcode *row, uint8_t *t)
{
    unsigned n = opcode_length((uint8_t)(row->code >> 8));
    be64_store(t, random64(r));
    t[0] = (uint8_t)(row->code >> 8);
    bool branch = row->flags & OP_BRANCH;
    unsigned base = branch ? 12 + random_below(r, 2) : base_field(r);
    switch (row->format) {
    case FORMAT_E:
        break;
    case FORMAT_RR:
    case FORMAT_RRE:
    case FORMAT_RRF_A:
    case FORMAT_RRF_B:
    case FORMAT_RRF_C:
    case FORMAT_RRF_D:
    case FORMAT_RRF_E: {
        uint8_t *p = row->format == FORMAT_RR ? t + 1 : t + 3;
        if (row->format != FORMAT_RR && random_below(r, 2))
            t[2] = (uint8_t)(random_below(r, 16) << 4); // reserved and modifier fields mostly zero
        if (row->format == FORMAT_RRE)
            t[2] = 0;
        if (takes_branch_register(row))
            *p = (uint8_t)((*p & 0xF0) | (random_below(r, 4) ? 12 + random_below(r, 2) : 0));
        else if (takes_strings(row))
            *p = (uint8_t)(random_below(r, 2) ? 0x68 : 0x86);
        break;
    }
    case FORMAT_RX_A:
    case FORMAT_RX_B:
    case FORMAT_RXE:
    case FORMAT_RXF:
    case FORMAT_RXY_A:
    case FORMAT_RXY_B:
        t[1] = (uint8_t)((t[1] & 0xF0) | (branch ? 0 : index_field(r)));
        set_storage(r, t, 4, base);
        break;
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RSI:
    case FORMAT_RIE_B:
    case FORMAT_RIE_C:
    case FORMAT_RIE_E:
    case FORMAT_RIL_B:
    case FORMAT_RIL_C:
        set_relative(t, row->format);
        break;
    case FORMAT_RI_A:
    case FORMAT_RIL_A:
    case FORMAT_RIE_A:
    case FORMAT_RIE_D:
    case FORMAT_RIE_F:
    case FORMAT_RIE_G:
    case FORMAT_RRD:
    case FORMAT_IE:
    case FORMAT_I:
    case FORMAT_MII:
        break;
    case FORMAT_RS_A:
        if (takes_strings(row))
            t[1] = random_below(r, 2) ? 0x68 : 0x86;
        set_storage(r, t, 4, takes_strings(row) ? 5 : base); // a pad that stays the same
        break;
    default:
        set_storage(r, t, 4, takes_strings(row) ? 5 : base);
        if (takes_strings(row))
            t[1] = random_below(r, 2) ? 0x68 : 0x86;
        if (n == 6 && (row->format == FORMAT_SS_A || row->format == FORMAT_SS_B ||
                       row->format == FORMAT_SS_C || row->format == FORMAT_SS_D ||
                       row->format == FORMAT_SS_E || row->format == FORMAT_SS_F ||
                       row->format == FORMAT_SSE || row->format == FORMAT_SSF)) {
            set_storage(r, t, 8, base_field(r));
            if (row->format == FORMAT_SS_A || row->format == FORMAT_SS_F)
                t[1] = (uint8_t)(random_below(r, 8) ? random_below(r, 64) : random_below(r, 130));
        }
        break;
    }
    if (branch &&
        (row->format == FORMAT_RX_A || row->format == FORMAT_RX_B || row->format == FORMAT_RS_A ||
         row->format == FORMAT_RIS || row->format == FORMAT_RRS || row->format == FORMAT_RXY_A ||
         row->format == FORMAT_RSY_A)) {
        t[2] = (uint8_t)(base << 4);
        t[3] = 0;
    }
    if ((row->format == FORMAT_RSY_A || row->format == FORMAT_RSY_B || row->format == FORMAT_SIY ||
         row->format == FORMAT_RXY_A || row->format == FORMAT_RXY_B) &&
        random_below(r, 16))
        t[4] = 0; // long displacements mostly near
    // The extension, wherever it stands.
    uint8_t extension = (uint8_t)row->code;
    static const uint8_t nibble_first[] = {0xA5, 0xA7, 0xC0, 0xC2, 0xC4, 0xC6, 0xC8, 0xCC};
    if (memchr(nibble_first, t[0], sizeof nibble_first))
        t[1] = (uint8_t)((t[1] & 0xF0) | extension);
    else if (t[0] == 0x01 || t[0] == 0xB2 || t[0] == 0xB3 || t[0] == 0xB9 || t[0] == 0xE5)
        t[1] = extension;
    else if (t[0] == 0xE3 || t[0] == 0xE6 || t[0] == 0xE7 || t[0] == 0xEB || t[0] == 0xEC ||
             t[0] == 0xED)
        t[5] = extension;
}

#endif
