// SPDX-License-Identifier: MIT
// What explains a difference from QEMU: each function knows one reason and makes alike, in copies
// of the two outcomes, what that reason accounts for and no more.
#ifndef ENDICOTT_TESTS_CPU_QEMU_EXPLAIN_H
#define ENDICOTT_TESTS_CPU_QEMU_EXPLAIN_H

#include "cpu/cases.h"

struct judged {
    const struct opcode *row;
    const uint8_t *text; // the instruction; the target under EXECUTE
    bool executed;
    bool changed;  // by a store into itself
    uint64_t slot; // where the code is
    const uint8_t *in;
    uint8_t *ours, *theirs;        // copies, from which an explanation takes what it explains
    unsigned our_code, their_code; // interruption, 0 when none
};

static inline unsigned case_interruption(const uint8_t *block)
{
    return block[CASE_END] & 0x80 ? 0 : be16_load(block + CASE_END + 2);
}

// --- parts of an outcome -------------------------------------------------------------------------

static inline void alike(const struct judged *j, unsigned at, unsigned n)
{
    memcpy(j->ours + at, j->theirs + at, n);
}

// Storage, the parts of the block that only a wide displacement reaches included.
static inline void alike_storage(const struct judged *j)
{
    alike(j, 0, CASE_GR);
    alike(j, 0x300, CASE_VR - 0x300);
    alike(j, CASE_VR + 512, CASE_SIZE - CASE_VR - 512);
}

// The whole outcome is explained.
static inline bool explain_all(const struct judged *j)
{
    alike(j, 0, CASE_SIZE);
    return true;
}

// How the case ended: PSW but for its condition code, interruption and TEID.
static inline void alike_end(const struct judged *j)
{
    uint8_t cc = j->ours[CASE_PSW + 2];
    alike(j, CASE_PSW, CASE_AR - CASE_PSW);
    j->ours[CASE_PSW + 2] = cc;
}

static inline void alike_cc(const struct judged *j)
{
    j->ours[CASE_PSW + 2] = j->theirs[CASE_PSW + 2];
}

// A floating-point register, or the pair of an extended number.
static inline void alike_fpr(const struct judged *j, unsigned n)
{
    alike(j, CASE_VR + n * 16, 8);
    alike(j, CASE_VR + (n + 2) % 16 * 16, 8);
}

// Register that holds the result.
static inline unsigned target(const struct judged *j)
{
    switch (j->row->format) {
    case FORMAT_RRE:
    case FORMAT_RRF_C:
    case FORMAT_RRF_E:
        return j->text[3] >> 4;
    case FORMAT_RRD:
        return j->text[2] >> 4;
    case FORMAT_RXF:
        return j->text[4] >> 4;
    default:
        return j->text[1] >> 4;
    }
}

static inline bool is_access(unsigned code)
{
    return code == 4 || code == 5 || code == 0x10 || code == 0x11 || (code >= 0x38 && code <= 0x3B);
}

// Byte of the PSW with addressing mode in it: 24, 31 or 64 bits.
static inline unsigned mode_bits(const struct judged *j)
{
    return j->in[CASE_PSW + 3] & 1 ? 64 : j->in[CASE_PSW + 4] & 0x80 ? 31 : 24;
}

// --- general instructions ------------------------------------------------------------------------

static inline bool alignment(const struct judged *j)
{
    return j->our_code == 6 && explain_all(j);
}

static inline bool odd_branch(const struct judged *j)
{
    bool branch = !j->row || j->row->flags & OP_BRANCH;
    return branch && j->our_code == 6 && j->ours[CASE_PSW + 15] & 1 && explain_all(j);
}

// QEMU has cleared bits 0-31 of the result.
static inline bool cleared_high(const struct judged *j)
{
    unsigned at = CASE_GR + target(j) * 8;
    if (mode_bits(j) == 64 || be32_load(j->theirs + at) != 0)
        return false;
    alike(j, at, 4);
    return true;
}

// The interruption did not come; what it leaves is right.
static inline bool no_overflow(const struct judged *j)
{
    if (j->our_code != 8 || j->their_code != 0 || !(j->in[CASE_PSW + 2] & 8))
        return false;
    alike_end(j);
    return true;
}

static inline bool privileged(const struct judged *j)
{
    return j->our_code == 2 && j->in[CASE_PSW + 1] & 1 && explain_all(j);
}

static inline bool zeros_stored(const struct judged *j)
{
    for (unsigned i = 0; i < CASE_SIZE; i++) {
        if (i == CASE_GR)
            i = CASE_AREA;
        if (j->ours[i] != j->theirs[i] && j->theirs[i] != 0)
            return false;
    }
    alike_storage(j);
    return true;
}

// Bytes stored before an access exception, which ours takes back.
static inline bool partly_stored(const struct judged *j)
{
    if (!is_access(j->our_code) || j->our_code != j->their_code)
        return false;
    alike_storage(j);
    return true;
}

static inline bool which_access(const struct judged *j)
{
    if (!is_access(j->our_code) || j->our_code != j->their_code)
        return false;
    uint8_t *mine = j->ours + CASE_TEID + 6, *other = j->theirs + CASE_TEID + 6;
    *mine = (uint8_t)((*mine & 0xF3) | (*other & 0x0C));
    return true;
}

static inline bool which_operand(const struct judged *j)
{
    if (!is_access(j->our_code) || !is_access(j->their_code) || (j->row && j->row->code < 0xC800))
        return false;
    alike_end(j);
    return true;
}

// The last digit but the sign. Where there is but one, QEMU does not fetch it.
static inline bool lost_digit(const struct judged *j)
{
    if (is_access(j->our_code) && j->their_code == 0 && j->text[1] <= 1)
        return explain_all(j);
    unsigned digits = 0;
    for (unsigned i = 0; i < CASE_SIZE; i++) {
        uint8_t x = j->ours[i] ^ j->theirs[i];
        digits += (x & 0xF0) != 0;
        digits += (x & 0x0F) != 0;
        if (x & j->theirs[i])
            return false;
    }
    return digits == 1 && explain_all(j);
}

// A register for addresses is within 256 bytes of the highest address of a smaller mode.
static inline bool past_the_top(const struct judged *j)
{
    uint64_t mask = mode_bits(j) == 24 ? 0xFFFFFF : 0x7FFFFFFF;
    bool top = false;
    uint64_t far = j->text[0] >= 0xE3 ? (uint64_t)(int64_t)(int8_t)j->text[4] << 12 : 0;
    for (unsigned i = 5; i <= 8; i++) {
        uint64_t a = be64_load(j->in + CASE_GR + i * 8);
        top = top || (a & mask) > mask - 256 || ((a + far) & mask) > mask - 256;
    }
    return mode_bits(j) < 64 && j->in[CASE_FLAGS] & 1 && top && explain_all(j);
}

// The same access exception, but QEMU has changed a register or storage before.
static inline bool partly_done(const struct judged *j)
{
    if (!is_access(j->our_code) || j->our_code != j->their_code)
        return false;
    alike(j, CASE_GR, CASE_FPC - CASE_GR);
    alike(j, CASE_AR, 64);
    alike_cc(j);
    alike_storage(j);
    return true;
}

// R2 tells where the search began or begins again.
static inline bool paused(const struct judged *j)
{
    alike(j, CASE_GR + (j->text[3] & 15) * 8, 8);
    return j->our_code == 0 && j->their_code == 0;
}

static inline bool wrong_half(const struct judged *j)
{
    if (j->in[CASE_GR + 7] != 0)
        return false;
    alike(j, CASE_GR + (j->text[1] >> 4) * 8, 8);
    return true;
}

// QEMU has stopped at a character of three bytes that begins with E0.
static inline bool three_bytes(const struct judged *j)
{
    uint64_t at = be64_load(j->theirs + CASE_GR + (j->text[3] & 15) * 8);
    return j->text[2] & 0x10 && j->in[at & 0xFFF] == 0xE0 && explain_all(j);
}

static inline bool long_shift(const struct judged *j)
{
    return j->text[3] & 0xF0 && explain_all(j);
}

static inline bool too_long(const uint8_t *block, unsigned at)
{
    for (unsigned i = at; i < at + 256; i++) {
        if (block[i & 0xFFF] == 0xF0 && (block[(i + 1) & 0xFFF] & 0x30) == 0)
            return true;
    }
    return false;
}

// Four bytes for a number below 10000, among the first that CU12 looks at: in the block, or in its
// copy where addresses wrap, whose first byte 800 is at F00.
static inline bool four_bytes(const struct judged *j)
{
    unsigned at = (unsigned)be64_load(j->in + CASE_GR + (j->text[3] & 15) * 8);
    bool wraps = j->in[CASE_FLAGS] & 1 && ((at + 0x100) & 0xFFF) < 0x200;
    return !(j->text[2] & 0x10) &&
           (too_long(j->in, at) || (wraps && too_long(j->in, at + 0x900))) && explain_all(j);
}

static inline bool stale_cc(const struct judged *j)
{
    unsigned at = CASE_GR + (j->text[3] >> 4) * 8 + 6;
    j->ours[at] = (uint8_t)((j->ours[at] & 0xCF) | (j->theirs[at] & 0x30));
    return true;
}

// A table of 128 KiB.
static inline bool table_past_the_top(const struct judged *j)
{
    uint64_t mask = mode_bits(j) == 24 ? 0xFFFFFF : 0x7FFFFFFF;
    return mode_bits(j) < 64 && (be64_load(j->in + CASE_GR + 8) & mask) > mask - 0x20000 &&
           explain_all(j);
}

static inline uint64_t operand(const struct judged *j, unsigned at)
{
    uint64_t mask = mode_bits(j) == 64 ? UINT64_MAX : mode_bits(j) == 31 ? 0x7FFFFFFF : 0xFFFFFF;
    unsigned base = j->text[at] >> 4;
    uint64_t a = base ? be64_load(j->in + CASE_GR + base * 8) : 0;
    return (a + (be16_load(j->text + at) & 0xFFF)) & mask;
}

// Two operands near one another: what one of them stores may be fetched for the other.
static inline bool overlap(const struct judged *j)
{
    if (((operand(j, 2) - operand(j, 4) + 256) & 0xFFF) > 512)
        return false;
    alike_storage(j);
    return true;
}

static inline bool semi_privileged(const struct judged *j)
{
    return j->their_code == 2 && j->in[CASE_PSW + 1] & 1 && explain_all(j);
}

// MVCOS: in the problem state, or where R0 asks for access-register mode.
static inline bool addressing_instead(const struct judged *j)
{
    return j->their_code == 5 && explain_all(j);
}

static inline bool access_register_mode(const struct judged *j)
{
    return j->our_code == 0 && j->their_code == 6 && (j->ours[CASE_PSW + 2] & 0xC0) == 0x40 &&
           explain_all(j);
}

// An operand that the condition makes unnecessary.
static inline bool not_wanted(const struct judged *j)
{
    return j->our_code == 0 && is_access(j->their_code) && explain_all(j);
}

// BRCTH under EXECUTE: only where it goes.
static inline bool executed_branch(const struct judged *j)
{
    alike(j, CASE_PSW + 8, 8);
    return j->executed;
}

static inline bool executed_length(const struct judged *j)
{
    if (!j->executed || !is_access(j->our_code) || j->our_code != j->their_code)
        return false;
    alike_end(j);
    return true;
}

// Function 0 tells of the functions; others but SHA-512 are not there.
static inline bool crypto_functions(const struct judged *j)
{
    unsigned function = j->in[CASE_GR + 7] & 0x7F;
    for (unsigned i = 0; i < 16 && mode_bits(j) < 64; i++) { // bits that do not count may go
        unsigned at = CASE_GR + i * 8 + 4;
        uint32_t mask = mode_bits(j) == 31 ? 0x7FFFFFFF : 0xFFFFFF;
        be32_store(j->ours + at,
                   (be32_load(j->ours + at) & mask) | (be32_load(j->theirs + at) & ~mask));
    }
    if (function == 3 && is_access(j->our_code) && j->our_code == j->their_code) {
        alike(j, CASE_GR, CASE_FPC - CASE_GR); // units that are done show, as with TRE
        alike_cc(j);
        alike(j, CASE_AREA, CASE_SIZE - CASE_AREA);
    }
    if (function == 3 && j->their_code == 0)
        return true;
    if (function == 0 && j->in[CASE_GR + 7] & 0x80 && j->our_code == 6)
        return explain_all(j); // the modifier bit
    if (function == 0 && j->their_code == 0) {
        alike(j, CASE_AREA, CASE_SIZE - CASE_AREA);
        return true;
    }
    bool kma_registers = j->row->code == 0xB929; // a query, too, needs three registers there
    return j->their_code == 6 && (function || kma_registers) && explain_all(j);
}

static inline bool unaligned_first(const struct judged *j)
{
    return j->our_code == 6 && is_access(j->their_code) && explain_all(j);
}

static inline bool machine_value(const struct judged *j)
{
    alike(j, CASE_GR + target(j) * 8, 8);
    return true;
}

// The list of facilities, its length and whether all was stored.
static inline bool facility_list(const struct judged *j)
{
    alike(j, 0, CASE_GR + 8);
    alike(j, CASE_AREA, CASE_SIZE - CASE_AREA);
    alike_cc(j);
    return j->our_code == 0 || explain_all(j);
}

// The byte on the left of the second operand: two digits.
static inline bool left_byte_lost(const struct judged *j)
{
    unsigned digits = 0;
    for (unsigned i = 0; i < CASE_SIZE; i++) {
        if (j->ours[i] == j->theirs[i])
            continue;
        if (j->theirs[i] != 0xF0)
            return false;
        digits++;
    }
    return digits <= 2 && explain_all(j);
}

static inline bool nan_inexact(const struct judged *j)
{
    if (!(j->ours[CASE_FPC + 1] & 0x80))
        return false;
    if (j->our_code == 7 && j->ours[CASE_END + 7] == 8 && j->their_code == 0) {
        alike(j, CASE_FPC + 2, 1);
        alike_end(j);
    }
    j->ours[CASE_FPC + 1] &= 0xF7;
    j->theirs[CASE_FPC + 1] &= 0xF7;
    return true;
}

static inline bool timer_operands(const struct judged *j)
{
    alike(j, CASE_GR, 16);
    alike(j, CASE_GR + (j->text[1] >> 4) * 8, 8);
    return is_access(j->our_code) ? explain_all(j) : true;
}

static inline bool clock_value(const struct judged *j)
{
    alike_storage(j);
    return j->our_code == 0 && j->their_code == 0;
}

// --- floating point ------------------------------------------------------------------------------

// IEEE traps. The primary reason must be the same.
static inline bool trapped(const struct judged *j)
{
    unsigned ours = j->ours[CASE_END + 7], theirs = j->theirs[CASE_END + 7];
    if (j->our_code != 7 || !(j->in[CASE_FPC] & 0xF8))
        return false;
    bool same = j->their_code == 7 && ((ours & 0xF0) == (theirs & 0xF0) || (ours | theirs) < 0x10);
    bool unseen = j->their_code == 0 && ours == 0x10; // exact underflow
    if (!same && !unseen)
        return false;
    if (ours < 0x80 && ours != 0x40) { // the result is there
        alike_fpr(j, target(j));
        alike(j, CASE_GR + target(j) * 8, 8);
        alike_cc(j);
    }
    alike(j, CASE_FPC + 1, 2);
    alike_end(j);
    return true;
}

// An instruction with a short first operand that QEMU takes for a long one, or the like: its result
// and flags.
static inline bool wrong_format(const struct judged *j)
{
    alike_fpr(j, target(j));
    alike(j, CASE_FPC, 4);
    alike_end(j);
    alike_cc(j);
    return true;
}

static inline bool invalid_flag(const struct judged *j)
{
    if (j->our_code == 7 && j->ours[CASE_END + 7] == 0x80)
        return explain_all(j);
    return (j->ours[CASE_FPC + 1] | j->theirs[CASE_FPC + 1]) & 0x80 && explain_all(j);
}

// --- vectors -------------------------------------------------------------------------------------

static inline unsigned vector_target(const struct judged *j)
{
    return (j->text[1] >> 4) + (j->text[4] & 8 ? 16u : 0u);
}

static inline bool quiet_nan(const struct judged *j)
{
    if (!(j->ours[CASE_FPC + 1] & 0x80) && j->our_code != 7)
        return false;
    return wrong_format(j);
}

// Is element `i` of the second operand a NaN, short or long?
static inline bool element_nan(const struct judged *j, unsigned size, unsigned i)
{
    unsigned v2 = (j->text[1] & 15u) + (j->text[4] & 4 ? 16u : 0u);
    const uint8_t *at = j->in + CASE_VR + v2 * 16;
    if (size == 2)
        return (be32_load(at + i * 4) & 0x7FFFFFFF) > 0x7F800000;
    return (be64_load(at + i * 8) & INT64_MAX) > UINT64_C(0x7FF0000000000000);
}

static inline bool vector_nan(const struct judged *j)
{
    unsigned vxc = j->ours[CASE_END + 7];
    if (j->row->code == 0xE7C1)
        return false;
    if (j->our_code == 0x1B)
        return (vxc & 15) == 5 && element_nan(j, j->text[4] >> 4, vxc >> 4) && explain_all(j);
    if (j->text[3] & 4 || !(j->ours[CASE_FPC + 1] & 0x80))
        return false;
    j->theirs[CASE_FPC + 1] |= j->ours[CASE_FPC + 1] & 8;
    return true;
}

static inline bool odd_length(const struct judged *j)
{
    unsigned v4 = (j->text[4] >> 4) + (j->text[4] & 1 ? 16u : 0u);
    unsigned bytes = j->in[CASE_VR + v4 * 16 + 7];
    return (bytes > 16 || bytes & ((1u << (j->text[2] & 3)) - 1)) && explain_all(j);
}

// fmax() and fmin() of two NaNs: the result is quiet.
static inline bool quiet_extremum(const struct judged *j)
{
    static const uint64_t quiet[] = {UINT64_C(0x0040000000400000), UINT64_C(0x0008000000000000),
                                     UINT64_C(0x0000800000000000)};
    unsigned size = j->text[4] >> 4, at = CASE_VR + vector_target(j) * 16;
    if ((j->text[3] >> 4 & 7) != 4 || size < 2 || size > 4)
        return false;
    for (unsigned i = 0; i < 16; i += 8) {
        uint64_t ours = be64_load(j->ours + at + i), theirs = be64_load(j->theirs + at + i);
        if ((ours ^ theirs) & (~quiet[size - 2] | theirs))
            return false;
    }
    alike(j, at, 16);
    return true;
}

static inline bool old_psw(const struct judged *j)
{
    uint64_t at = be64_load(j->in + CASE_PSW + 8);
    if (j->our_code != 0x1B || j->their_code != 0x1B || be64_load(j->theirs + CASE_PSW + 8) != at)
        return false;
    alike(j, CASE_PSW + 8, 8);
    return true;
}

static inline bool single_element(const struct judged *j)
{
    unsigned size = j->row->flags & OP_M20 ? j->text[2] & 15u : j->text[4] >> 4;
    unsigned bytes = 1u << size;
    if (j->row->code == 0xE7C5) // VFLR: the result is half as long, and one anyway of size 4
        bytes /= 2;
    if ((!(j->text[3] & 8) && size < 4) || bytes < 4 || bytes > 8)
        return false;
    alike(j, CASE_VR + vector_target(j) * 16 + bytes, 16 - bytes);
    return true;
}

static inline bool suppressed_inexact(const struct judged *j)
{
    if (!(j->text[3] & 4) || j->in[CASE_FPC + 1] & 8)
        return false;
    j->theirs[CASE_FPC + 1] &= 0xF7;
    return true;
}

static inline bool lost_carries(const struct judged *j)
{
    alike(j, CASE_VR + vector_target(j) * 16, 8);
    return true;
}

// An exact tiny result, where underflow traps.
static inline bool exact_underflow(const struct judged *j)
{
    if (j->our_code != 0x1B || (j->ours[CASE_END + 7] & 15) != 4 ||
        (j->their_code != 0 && j->their_code != 0x1B))
        return false;
    alike(j, CASE_VR + vector_target(j) * 16, 16);
    alike(j, CASE_FPC, 4);
    alike_end(j);
    alike_cc(j);
    return true;
}

static inline bool negative_rounding(const struct judged *j)
{
    if (!(j->in[CASE_FPC + 3] & 2))
        return false;
    alike(j, CASE_VR + vector_target(j) * 16, 16);
    alike(j, CASE_FPC, 4);
    if (j->our_code == 0x1B || j->their_code == 0x1B) // an overflow, or none
        alike_end(j);
    return true;
}

#endif
