// SPDX-License-Identifier: MIT
// Batches of cases for the differential tester. Every case follows from seed, batch and place in
// it.
#ifndef ENDICOTT_TESTS_CPU_DIFFER_MAKE_H
#define ENDICOTT_TESTS_CPU_DIFFER_MAKE_H

#include <stdlib.h>

#include "cpu/cases.h"
#include "cpu/qemu_rules.h"

#define DIFFER_EACH   16u // cases of a group
#define DIFFER_GROUPS 8000u
#define DIFFER_ROWS   2048u

struct group {
    const struct opcode *row; // NULL: a stream
    enum case_kind kind;
    unsigned first, count; // blocks
    unsigned slot, length; // bytes
    unsigned target;       // place of the instruction in its slot
    unsigned executed;     // first byte of EX or EXRL, 0 when none
    bool alone;            // it changes its slot
    uint8_t text[CASE_SLOT];
};

struct batch {
    bool alive[DIFFER_ROWS]; // rows that take part
    bool streams;
    unsigned number, groups, blocks;
    uint64_t left_out[DEATHS]; // texts that were drawn again
    struct group group[DIFFER_GROUPS];
    uint8_t image[CASE_BLOCKS]; // driver, tables and slots
    uint8_t *in;                // blocks
};

static inline enum case_kind differ_kind(const struct opcode *row)
{
    if (row->flags & OP_VECTOR)
        return CASE_VECTOR;
    if (takes_strings(row))
        return CASE_STRING;
    uint8_t first = (uint8_t)(row->code >> 8);
    return row->flags & OP_AFP || first == 0xB3 || first == 0xED ? CASE_FLOAT : CASE_GENERAL;
}

// Message security: R0 has the function, R1 the parameters' address.
static inline bool is_crypto(const struct opcode *row)
{
    return row->code >= 0xB91E && row->code <= 0xB93F &&
           (row->code == 0xB91E ||
            (row->code >= 0xB928 && row->code != 0xB930 && row->code != 0xB931));
}

// MVCK, MVCP, MVCS: the key is in the register of the second nibble.
static inline bool moves_by_key(const struct opcode *row)
{
    return row->code >= 0xD900 && row->code <= 0xDB00;
}

// --- texts ---------------------------------------------------------------------------------------

// Operands of relative loads, stores and compares, in the slot; a doubleword's border mostly.
static inline void differ_relative(struct random *r, const struct opcode *row, uint8_t *t,
                                   unsigned at)
{
    unsigned first = row->code >> 8;
    if (row->format == FORMAT_RIL_B && (first == 0xC4 || (first == 0xC6 && row->code != 0xC600)))
        be32_store(t + 2, (SLOT_DATA - at) / 2 +
                              (random_below(r, 4) ? random_below(r, 3) * 4 : random_below(r, 12)));
}

static inline unsigned differ_text(struct batch *b, struct random *r, const struct opcode *row,
                                   unsigned at, uint8_t *t)
{
    uint8_t text[16];
    for (;;) {
        if (row->flags & OP_VECTOR)
            vector_text(r, row, text);
        else
            snippet_text(r, row, text);
        if (row->code == 0xB255) // MVST: 6 and 8, which do not overlap
            text[3] = 0x68;
        if (row->code == 0xE347) { // BIC: by way of storage
            text[2] = 0x50;
            text[3] = (uint8_t)(random_below(r, 8) * 8);
        }
        bool taken = text[3] < 16 || !(text[3] & 15) || text[3] >> 4 == 12 || (text[3] & 15) == 12;
        if (row->code == 0xB254 && taken) // MVPG: R0 has its controls, R12 EXECUTE's target
            text[3] = 0x23;
        if (row->code == 0xC800 && text[1] >> 4 == 12) // MVCOS: the length is not EXECUTE's base
            text[1] ^= 0x50;
        if (is_crypto(row)) { // addresses in 6 and 8, lengths in 7 and 9
            text[2] = (uint8_t)((text[2] & 15) | (random_below(r, 4) ? 10 : 6) << 4);
            text[3] = random_below(r, 2) ? 0x68 : 0x86;
            text[3] ^= random_below(r, 16) ? 0 : random_below(r, 2) ? 0x10 : 1;
        }
        if (moves_by_key(row) && (text[1] & 15) == 12) // nor is the key
            text[1] ^= 5;
        if (row->code == 0xC802) { // CSST: aligned
            text[3] &= 0xF0;
            text[5] &= 0xF0;
        }
        differ_relative(r, row, text, at);
        int death = qemu_dies(row, text);
        if (death < 0)
            break;
        b->left_out[death]++;
    }
    unsigned n = opcode_length(text[0]);
    memcpy(t, text, n);
    return n;
}

// Under EXECUTE: the second byte may be changed by a register that holds a small number.
static inline unsigned differ_execute(struct random *r, const struct opcode *row, uint8_t *t)
{
    bool varies = row->format == FORMAT_SS_A || row->format == FORMAT_SI ||
                  (row->format == FORMAT_RR && !(row->flags & OP_BRANCH));
    unsigned r1 = varies && random_below(r, 2) ? 9 + random_below(r, 3) : 0;
    if (random_below(r, 2)) {
        t[0] = 0xC6;
        t[1] = (uint8_t)(r1 << 4);
        be32_store(t + 2, SLOT_TARGET / 2);
        return 6;
    }
    t[0] = 0x44; // by register 12, which points to SLOT_BRANCH
    t[1] = (uint8_t)(r1 << 4);
    be16_store(t + 2, 0xC000 + SLOT_TARGET - SLOT_BRANCH);
    return 4;
}

static inline void differ_single(struct batch *b, struct random *r, struct group *g)
{
    static const uint8_t end[] = {0x0A, 1}, other[] = {0x0A, 2};
    const struct opcode *row = g->row;
    unsigned n = 0;
    for (unsigned i = SLOT_DATA; i < CASE_SLOT; i += 8)
        be64_store(g->text + i, random_number(r));
    if (g->kind != CASE_STRING && row->format != FORMAT_MII && row->format != FORMAT_SMI &&
        random_below(r, 8) == 0) {
        g->target = SLOT_TARGET;
        n = differ_execute(r, row, g->text);
        g->executed = g->text[0];
        differ_text(b, r, row, SLOT_TARGET, g->text + SLOT_TARGET);
        if (row->flags & OP_BRANCH)
            memcpy(g->text + SLOT_TARGET + SNIPPET_AHEAD, other, 2);
    } else {
        n = differ_text(b, r, row, 0, g->text);
    }
    if (g->kind == CASE_STRING && row->code != 0x0E00 && row->code != 0x0F00) {
        // again while condition code 3 says that it has paused
        be16_store(g->text + n, 0xA714);
        be16_store(g->text + n + 2, (uint16_t)(0 - n / 2));
        n += 4;
    }
    memcpy(g->text + n, end, 2);
    memcpy(g->text + SLOT_BRANCH, other, 2);
    g->length = n;
}

static inline bool has_far(const struct opcode *row)
{
    return row->format == FORMAT_RSY_A || row->format == FORMAT_RSY_B ||
           row->format == FORMAT_SIY || row->format == FORMAT_RXY_A || row->format == FORMAT_RXY_B;
}

static inline bool may_stream(const struct opcode *row)
{
    switch (row->code) {
    case 0xB384: // SFPC, SFASR, LFPC, LFAS: traps
    case 0xB385:
    case 0xB29D:
    case 0xB2BD:
    case 0xB2B8: // rounding modes that do not exist
    case 0xB2B9:
    case 0xB299:
    case 0x1D00: // DR, D: would end qemu
    case 0x5D00:
    case 0xB38C: // EFPC, STFPC: would show flags that QEMU drops
    case 0xB29C:
    case 0xE736: // VLM, VSTM, LMD: far
    case 0xE73E:
    case 0xEF00:
        return false;
    default:
        return !takes_strings(row) && !needs_rules(row) &&
               !(row->flags & (OP_END | OP_PRIVILEGED)) && row->code != 0xC802 &&
               row->code != 0xE50A && row->code != 0xE347 && row->code != 0x0400 &&
               row->code >> 8 != 0xC4;
    }
}

static inline const struct opcode *differ_pick(const struct batch *b, struct random *r)
{
    for (;;) {
        unsigned i = random_below(r, opcode_count);
        const struct opcode *row = &opcode_table[i];
        // Vectors are many, and most code has none.
        if (b->alive[i] && may_stream(row) && !(row->flags & OP_VECTOR && random_below(r, 4)))
            return row;
    }
}

// Relative branches lead to the end, whatever their place.
static inline void differ_aim(const struct opcode *row, uint8_t *t, unsigned at)
{
    unsigned halfwords = (SLOT_LAST - at) / 2;
    switch (row->format) {
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RSI:
    case FORMAT_RIE_B:
    case FORMAT_RIE_C:
    case FORMAT_RIE_E:
        be16_store(t + 2, (uint16_t)halfwords);
        break;
    case FORMAT_RIL_B:
    case FORMAT_RIL_C:
        if (row->flags & OP_BRANCH)
            be32_store(t + 2, halfwords);
        break;
    default:
        break;
    }
}

static inline void differ_stream(struct batch *b, struct random *r, struct group *g)
{
    unsigned wanted = 2 + random_below(r, 8), n = 0;
    for (unsigned i = SLOT_DATA; i < CASE_SLOT; i += 8)
        be64_store(g->text + i, random_number(r));
    for (unsigned i = 0; i < wanted && n <= SLOT_LAST - 14; i++) {
        const struct opcode *row = differ_pick(b, r);
        unsigned length = differ_text(b, r, row, n, g->text + n);
        if (has_far(row)) // what lies far is another case's
            g->text[n + 4] = 0;
        if (row->flags & OP_BRANCH)
            differ_aim(row, g->text + n, n);
        n += length;
        if (random_below(r, 3) == 0) { // a conditional branch behind it
            be16_store(g->text + n, (uint16_t)(0xA704 | random_below(r, 16) << 4));
            be16_store(g->text + n + 2, (uint16_t)((SLOT_LAST - n) / 2));
            n += 4;
        }
    }
    be16_store(g->text + n, 0x0A01);
    be16_store(g->text + SLOT_LAST, 0x0A02);
    g->length = n;
}

// --- registers that an instruction wants ---------------------------------------------------------

// A displacement that leads far: the base register makes up for it.
static inline void differ_far(const struct opcode *row, const uint8_t *t, uint8_t *block)
{
    if (!has_far(row) || !t[4] || row->flags & OP_BRANCH)
        return;
    uint8_t *base = block + CASE_GR + (t[2] >> 4) * 8;
    be64_store(base, be64_load(base) - ((uint64_t)(int64_t)(int8_t)t[4] << 12));
}

// Elements of the index vector, which stay near.
static inline void differ_index(struct random *r, const struct opcode *row, const uint8_t *t,
                                uint8_t *block)
{
    unsigned v2 = (t[1] & 15u) | (t[4] & 4u ? 16u : 0u);
    for (unsigned i = 0; i < 16; i += row->code & 1 ? 4 : 8) {
        if (row->code & 1)
            be32_store(block + CASE_VR + v2 * 16 + i, random_below(r, 64));
        else
            be64_store(block + CASE_VR + v2 * 16 + i, random_below(r, 64));
    }
}

static inline void differ_prepare(struct random *r, const struct group *g,
                                  const struct case_place *p, uint8_t *block)
{
    const uint8_t *t = g->text + g->target;
    uint64_t leads = p->slot + SLOT_BRANCH;
    if (!g->row)
        return;
    differ_far(g->row, t, block);
    if (g->row->format == FORMAT_VRV)
        differ_index(r, g->row, t, block);
    if (g->row->code == 0xC802) { // CSST: function and size, parameters
        be64_store(block + CASE_GR, random_below(r, 3) | (1 + random_below(r, 4)) << 8);
        for (unsigned i = 5; i <= 8 && random_below(r, 8); i++)
            block[CASE_GR + i * 8 + 7] &= 0xF0;
        be64_store(block + CASE_GR + 8, p->at + CASE_AREA + random_below(r, 8) * 16);
    }
    for (unsigned i = 0; g->row->code == 0xE347 && i < 512; i += 8) // BIC
        be64_store(block + CASE_AREA + i, p->leads | (random_below(r, 16) == 0));
    if (g->row->code == 0xC800) { // MVCOS: key 0, and a length, up to 4 KiB otherwise
        block[CASE_GR + 4] &= 15;
        block[CASE_GR + 6] &= 15;
        be64_store(block + CASE_GR + (t[1] >> 4) * 8, random_below(r, 100));
    }
    if (g->row->code == 0x1D00 || g->row->code == 0x5D00) { // -2^63 by -1 ends qemu
        uint8_t *dividend = block + CASE_GR + (t[1] >> 4 & 14) * 8;
        if (be32_load(dividend + 4) == 0x80000000 && be32_load(dividend + 12) == 0)
            dividend[15] = 1;
    }
    if (g->row->code == 0x0104) // PTFF: parameters
        be64_store(block + CASE_GR + 8, p->at + CASE_AREA);
    if (is_crypto(g->row)) { // all but true random numbers
        static const uint8_t functions[] = {0, 0, 3, 0x80};
        uint8_t function =
            (uint8_t)(random_below(r, 4) ? functions[random_below(r, 4)] : random_below(r, 256));
        be64_store(block + CASE_GR, (function & 0x7F) == 114 ? 0 : function);
        be64_store(block + CASE_GR + 8, p->at + 0xA00 + random_below(r, 64));
        be64_store(block + CASE_GR + 7 * 8, random_below(r, 300)); // lengths that need no pause
        be64_store(block + CASE_GR + 9 * 8, random_below(r, 300));
    }
    if (moves_by_key(g->row)) // key 0, since QEMU has no key protection
        block[CASE_GR + (t[1] & 15) * 8 + 7] &= 15;
    if (g->row->code == 0xE50A) // MVCRL: QEMU takes all of the register for the length
        be64_store(block + CASE_GR, random_below(r, 256));
    if (g->row->code == 0xB254) { // MVPG: from the block's page to the one where addresses wrap
        block[CASE_FLAGS] |= 1;
        be64_store(block + CASE_GR, (uint64_t)(random_below(r, 8) ? 0 : random_below(r, 16)) << 8);
        be64_store(block + CASE_GR + (t[3] >> 4) * 8, random_below(r, 4096));
        be64_store(block + CASE_GR + (t[3] & 15) * 8, p->at + random_below(r, 4096));
    }
    if (g->row->code == 0xB990 || g->row->code == 0xB991) { // TRTT, TRTO: not all of 128 KiB
        for (unsigned i = CASE_AREA; i < CASE_SIZE; i += 2)
            block[i] = 0;
    }
    if (g->row->code == 0xB385) // SFASR: QEMU takes all of the register
        be32_store(block + CASE_GR + (t[3] >> 4) * 8, 0);
    if (g->row->code == 0x0B00 || g->row->code == 0x0C00) // BSM, BASSM: a mode
        be64_store(block + CASE_GR + 13 * 8,
                   leads | (uint64_t)random_below(r, 2) << 31 | (random_below(r, 3) == 0));
    if (g->executed)
        be64_store(block + CASE_GR + 12 * 8, leads);
}

// --- a batch -------------------------------------------------------------------------------------

static inline struct case_place differ_place(const struct batch *b, struct random *r,
                                             const struct group *g, unsigned count)
{
    uint64_t end = CASE_BLOCKS + (uint64_t)(b->blocks + count) * CASE_SIZE;
    struct case_place p = {.slot = CASE_SLOTS + g->slot};
    p.leads = p.slot + (g->row ? SLOT_BRANCH : SLOT_LAST);
    unsigned k = random_below(r, 5);
    p.mode = end < 0xFFF000 && k < 2 ? 0 : k == 2 ? 1 : 2;
    p.translate = g->kind >= CASE_STREAM || g->kind == CASE_STRING || random_below(r, 8) ||
                  (g->row && g->row->code == 0xB254);
    p.problem = random_below(r, 2) || (g->row && g->row->flags & OP_PRIVILEGED);
    p.mask = g->row && random_below(r, 3) == 0;
    p.wraps = g->row;
    p.edges = b->number < 2 || random_below(r, 4) == 0;
    return p;
}

static inline void differ_add(struct batch *b, struct random *r, const struct opcode *row,
                              unsigned count)
{
    struct group *g = &b->group[b->groups];
    memset(g, 0, sizeof *g);
    g->row = row;
    g->kind = row ? differ_kind(row) : CASE_STREAM;
    g->slot = b->groups++ * CASE_SLOT;
    g->first = b->blocks;
    g->count = count;
    g->alone = count == 1;
    if (row)
        differ_single(b, r, g);
    else
        differ_stream(b, r, g);
    memcpy(b->image + CASE_SLOTS + g->slot, g->text, CASE_SLOT);
    struct case_place p = differ_place(b, r, g, count);
    for (unsigned i = 0; i < count; i++, b->blocks++) {
        uint8_t *block = b->in + (size_t)b->blocks * CASE_SIZE;
        p.at = CASE_BLOCKS + (uint64_t)b->blocks * CASE_SIZE;
        case_fill(r, row, g->kind, &p, block);
        differ_prepare(r, g, &p, block);
    }
}

static inline bool differ_room(const struct batch *b, unsigned most)
{
    return b->blocks + DIFFER_EACH <= most && b->groups + DIFFER_EACH <= DIFFER_GROUPS;
}

// One group for each instruction in turn, starting anywhere, until `most` cases or nearly: streams
// are every third.
static inline void differ_make(struct batch *b, uint64_t seed, unsigned number, unsigned most)
{
    struct random r = {seed * UINT64_C(0x9E3779B97F4A7C15) + number};
    b->number = number;
    b->groups = b->blocks = 0;
    unsigned start = random_below(&r, opcode_count), count = 0;
    for (unsigned k = 0; k < (number ? 4 * opcode_count : opcode_count) && differ_room(b, most);
         k++) {
        unsigned i = (start + k) % opcode_count;
        if (!b->alive[i])
            continue;
        // A relative store changes its slot.
        bool alone = opcode_table[i].code >> 8 == 0xC4;
        unsigned each = number ? DIFFER_EACH : 4;
        for (unsigned n = 0; n < (alone ? each : 1); n++)
            differ_add(b, &r, &opcode_table[i], alone ? 1 : each);
        if (number && b->streams && count++ % 2 == 0 && differ_room(b, most))
            differ_add(b, &r, NULL, DIFFER_EACH);
    }
}

#endif
