// SPDX-License-Identifier: MIT
// What explains a difference from QEMU in a stream of instructions, where no row tells which of
// them it was: see cpu/qemu_explain.h.
#ifndef ENDICOTT_TESTS_CPU_QEMU_STREAMS_H
#define ENDICOTT_TESTS_CPU_QEMU_STREAMS_H

#include "cpu/qemu_explain.h"

// A stream or BIC that has branched elsewhere, where anything may be carried out.
static inline bool is_wild(const struct judged *j)
{
    uint64_t ours = be64_load(j->ours + CASE_PSW + 8), theirs = be64_load(j->theirs + CASE_PSW + 8);
    bool left = ours - j->slot > SLOT_LAST + 2 || theirs - j->slot > SLOT_LAST + 2;
    return (!j->row || j->row->code == 0xE347) && left;
}

static inline bool left_stream(const struct judged *j)
{
    return is_wild(j) && explain_all(j);
}

// Bytes behind the first difference.
static inline bool behind_difference(const struct judged *j)
{
    return is_access(j->our_code) && j->their_code == 0 && explain_all(j);
}

static inline bool stale_translation(const struct judged *j)
{
    return is_access(j->our_code) && mode_bits(j) == 64 &&
           be64_load(j->ours + CASE_TEID) >> 12 == 0x80000 && explain_all(j);
}

static inline bool changed_stream(const struct judged *j)
{
    return j->changed && explain_all(j);
}

// A stream that has made itself an address near the highest one.
static inline bool stream_past_the_top(const struct judged *j)
{
    uint64_t mask = mode_bits(j) == 24 ? 0xFFFFFF : 0x7FFFFFFF;
    bool top = false;
    for (unsigned i = 0; i < 16; i++)
        top = top || (be64_load(j->ours + CASE_GR + i * 8) & mask) > mask - 256;
    return !j->row && mode_bits(j) < 64 && top && explain_all(j);
}

// The flag of an invalid comparison whose condition code the stream does not use.
static inline bool dropped_compare(const struct judged *j)
{
    bool compares = false;
    for (unsigned at = 0; at < SLOT_LAST; at += opcode_length(j->text[at])) {
        unsigned code =
            j->text[at] << 8 | (j->text[at] == 0xB3 ? j->text[at + 1] : j->text[at + 5]);
        compares = compares || code == 0xB309 || code == 0xB319 || code == 0xB349 ||
                   code == 0xB308 || code == 0xB318 || code == 0xB348 || code == 0xED08 ||
                   code == 0xED18 || code == 0xED09 || code == 0xED19;
    }
    if (j->row || !compares)
        return false;
    j->ours[CASE_FPC + 1] &= (uint8_t)(j->theirs[CASE_FPC + 1] | 0x7F);
    return true;
}

#endif
