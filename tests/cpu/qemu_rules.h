// SPDX-License-Identifier: MIT
// What QEMU 7.2 cannot judge, and why: instructions that take no part, texts that end its process,
// and differences that are its own faults or that the architecture leaves open. One table each.
#ifndef ENDICOTT_TESTS_CPU_QEMU_RULES_H
#define ENDICOTT_TESTS_CPU_QEMU_RULES_H

#include "cpu/qemu_streams.h"

// --- instructions that take no part --------------------------------------------------------------

struct left_out {
    uint16_t first, last; // codes
    const char *reason;
};

// They would change control registers or go on elsewhere.
#define LINKAGE "linkage and address spaces: QEMU 7.2 has none of it"

// clang-format off
static const struct left_out left_out_table[] = {
    {0x0A00, 0x0A00, "SVC ends every case"},
    {0x4400, 0x4400, "EX has the others as its targets"},
    {0xC600, 0xC600, "EXRL has the others as its targets"},
    {0x0101, 0x0101, LINKAGE},
    {0x01FF, 0x01FF, LINKAGE},
    {0xB218, 0xB218, LINKAGE},
    {0xB225, 0xB225, LINKAGE},
    {0xB228, 0xB228, LINKAGE},
    {0xB240, 0xB240, LINKAGE},
    {0xB247, 0xB24A, LINKAGE},
    {0xB24C, 0xB24C, LINKAGE},
    {0xB258, 0xB25A, LINKAGE},
    {0xB277, 0xB277, LINKAGE},
    {0xB2FF, 0xB2FF, LINKAGE},
    {0xB90E, 0xB90E, LINKAGE},
    {0xB99A, 0xB99F, LINKAGE},
};
// clang-format on

static inline const char *left_out_reason(const struct opcode *row)
{
    for (unsigned i = 0; i < sizeof left_out_table / sizeof left_out_table[0]; i++) {
        if (row->code >= left_out_table[i].first && row->code <= left_out_table[i].last)
            return left_out_table[i].reason;
    }
    return NULL;
}

// --- texts that end QEMU -------------------------------------------------------------------------

struct death {
    uint16_t first, last; // codes
    bool (*applies)(const uint8_t *text);
    const char *reason;
};

static inline bool test_only(const uint8_t *text)
{
    return text[2] & 0x80;
}

// clang-format off
static const struct death deaths[] = {
    {0xEC54, 0xEC54, test_only, "RNSBG that only tests: its translator takes a register that is not there"},
    {0xEC56, 0xEC57, test_only, "ROSBG, RXSBG, as RNSBG"},
};
// clang-format on

#define DEATHS (sizeof deaths / sizeof deaths[0])

// What would end QEMU's process, or -1.
static inline int qemu_dies(const struct opcode *row, const uint8_t *text)
{
    for (unsigned i = 0; i < DEATHS; i++) {
        if (row->code >= deaths[i].first && row->code <= deaths[i].last && deaths[i].applies(text))
            return (int)i;
    }
    return -1;
}

// --- differences ---------------------------------------------------------------------------------

// A rule looks at a difference and, when it knows the reason, makes the part of it alike that it
// explains. It returns whether it did.
struct rule {
    uint16_t first, last; // codes
    bool (*explain)(const struct judged *j);
    const char *reason;
    bool streams; // for streams, too, or cannot happen there
};

// clang-format off
static const struct rule rules[] = {
    {0xC400, 0xC40F, alignment, "relative operands must be aligned; QEMU does not look"},
    {0xC601, 0xC60F, alignment, "relative operands must be aligned; QEMU does not look"},
    {0x0000, 0xFFFF, odd_branch, "an odd address is found by the branch's successor, with length 0; QEMU fetches there", true},
    {0x4100, 0x4100, cleared_high, "LA keeps bits 0-31 in the smaller modes; QEMU clears them"},
    {0x5100, 0x5100, cleared_high, "LAE, as LA"},
    {0xE371, 0xE371, cleared_high, "LAY, as LA"},
    {0xE375, 0xE375, cleared_high, "LAEY, as LA"},
    {0xC000, 0xC000, cleared_high, "LARL, as LA"},
    {0x0000, 0xFFFF, no_overflow, "fixed-point overflow interrupts when the program mask says so; never in QEMU", true},
    {0xB928, 0xB928, privileged, "PCKMO is privileged; QEMU does not look"},
    {0xE501, 0xE501, privileged, "TPROT is privileged; QEMU does not look"},
    {0xEB26, 0xEB26, zeros_stored, "STMH stores the left halves; QEMU zeros"},
    {0x9000, 0x9000, partly_stored, "STM: an access exception nullifies; QEMU has stored some of it"},
    {0x0000, 0xFFFF, stale_translation, "QEMU keeps a translation of 80000000 that it has made for addresses that wrap in 31-bit mode", true},
    {0xD700, 0xD700, partly_stored, "XC of an operand with itself, as STM"},
    {0xDC00, 0xDC00, partly_stored, "TR, as STM"},
    {0xEB80, 0xEB81, partly_done, "ICMH, ICMY, as STM for what is loaded"},
    {0xBF00, 0xBF00, partly_done, "ICM, as ICMH"},
    {0xB2A5, 0xB2A5, partly_done, "TRE: units that are done show when a later one is not; QEMU has stored them, but registers say nothing"},
    {0xB990, 0xB993, partly_done, "TRTT, TRTO, TROT, TROO, as TRE"},
    {0xC802, 0xC802, wrong_half, "CSST of words: the old value goes into bits 32-63 of R3; QEMU takes bits 0-31"},
    {0xB2A7, 0xB2A7, three_bytes, "CU12 that checks: 800 to FFF are well-formed; not in QEMU"},
    {0xB9B0, 0xB9B0, three_bytes, "CU14, as CU12"},
    {0xB2A7, 0xB2A7, four_bytes, "CU12 that does not check: four bytes always make a pair; QEMU looks at the number"},
    {0xB25E, 0xB25E, paused, "SRST may stop after some bytes, and R2 then tells where"},
    {0xB9BE, 0xB9BE, paused, "SRSTU, as SRST"},
    {0xB98D, 0xB98D, stale_cc, "EPSW: QEMU does not always tell the condition code"},
    {0xB345, 0xB346, alignment, "LDXBR, LEXBR: the target must be a register pair, too; QEMU takes any"},
    {0xEB24, 0xEB26, partly_stored, "STMG, STMH, as STM"},
    {0xEB90, 0xEB90, partly_stored, "STMY, as STM"},
    {0x9B00, 0x9B00, partly_stored, "STAM, as STM"},
    {0xEB9B, 0xEB9B, partly_stored, "STAMY, as STM"},
    {0x0000, 0xFFFF, which_access, "an operand that is fetched and stored: either access may be named", true},
    {0x0000, 0xFFFF, which_operand, "several operands that are not there: any may be named", true},
    {0xB205, 0xB205, clock_value, "the time"},
    {0xB278, 0xB278, clock_value, "the time"},
    {0xB27C, 0xB27C, clock_value, "the time"},
    {0xB300, 0xB3FF, trapped, "IEEE traps: QEMU keeps the old result, does not tell how it was rounded, knows no exact underflow", true},
    {0xED00, 0xEDFF, trapped, "IEEE traps, with storage operands", true},
    {0xB30C, 0xB30C, wrong_format, "MDEBR multiplies short numbers; QEMU takes the first one as long"},
    {0xED0C, 0xED0C, wrong_format, "MDEB, as MDEBR"},
    {0xB307, 0xB307, wrong_format, "MXDBR multiplies long numbers; QEMU takes the first one as extended"},
    {0xED07, 0xED07, wrong_format, "MXDB, as MXDBR"},
    {0xB30E, 0xB30F, invalid_flag, "multiply and add: signalling NaNs come first; QEMU takes operands in order"},
    {0xB31E, 0xB31F, invalid_flag, "multiply and add: signalling NaNs"},
    {0xED0E, 0xED0F, invalid_flag, "multiply and add: signalling NaNs"},
    {0xED1E, 0xED1F, invalid_flag, "multiply and add: signalling NaNs"},
    {0xE78E, 0xE78F, invalid_flag, "multiply and add: signalling NaNs"},
    {0xE79E, 0xE79F, invalid_flag, "multiply and add: signalling NaNs"},
    {0xE700, 0xE7FF, old_psw, "vector-processing exceptions suppress, so that the old PSW is behind the instruction; QEMU leaves it before", true},
    {0xE74A, 0xE74A, single_element, "VFTCI, one element: the others are unpredictable", true},
    {0xE7C0, 0xE7FF, single_element, "vector floating point, one element: the others are unpredictable", true},
    {0xE7C0, 0xE7C7, suppressed_inexact, "inexact suppressed by the mask leaves the flag alone, too; QEMU sets it", true},
    {0xE700, 0xE7FF, exact_underflow, "an exact tiny result is an underflow when that traps; QEMU says nothing, or of another element", true},
    {0xE79E, 0xE79F, negative_rounding, "negative multiply and add: the sign changes after rounding; QEMU negates before"},
    {0xB302, 0xB302, quiet_nan, "LTEBR makes signalling NaNs quiet and says so; QEMU does not"},
    {0xB312, 0xB312, quiet_nan, "LTDBR, as LTEBR"},
    {0xB342, 0xB342, quiet_nan, "LTXBR, as LTEBR"},
    {0xCC06, 0xCC06, executed_branch, "BRCTH under EXECUTE: relative to its own address; QEMU takes EXECUTE's"},
    {0x0000, 0xFFFF, executed_length, "access exceptions under EXECUTE: QEMU takes 2 for the length"},
    {0xB91E, 0xB93F, crypto_functions, "message security: QEMU has only function 0, which tells of that, and SHA-512"},
    {0xC804, 0xC805, unaligned_first, "LPD, LPDG: unaligned operands come before those that are not there"},
    {0xEB4C, 0xEB4C, machine_value, "ECAG: cache sizes are the machine's"},
    {0xB2B0, 0xB2B0, facility_list, "STFLE: facilities are the machine's"},
    {0xF300, 0xF300, left_byte_lost, "UNPK: QEMU loses the byte on the left of the second operand"},
    {0xE900, 0xEA00, lost_digit, "PKA, UNPKA: QEMU loses a digit"},
    {0xE100, 0xE200, lost_digit, "PKU, UNPKU: QEMU loses a digit"},
    {0xC801, 0xC801, timer_operands, "ECTG: the time is the machine's; QEMU takes addresses for operands"},
    {0xB990, 0xB991, table_past_the_top, "TRTT, TRTO: the table wraps, too"},
    {0x0000, 0xFFFF, past_the_top, "operands wrap at the end of 24-bit and 31-bit addresses; one access of QEMU's does not", true},
    {0xE900, 0xEA00, overlap, "PKA, UNPKA: how overlapping operands are processed shows; not defined"},
    {0xE100, 0xE200, overlap, "PKU, UNPKU, as PKA"},
    {0xD900, 0xDB00, overlap, "MVCK, MVCP, MVCS: overlapping operands, as PKA"},
    {0xC800, 0xC800, overlap, "MVCOS: overlapping operands, as PKA"},
    {0xB20A, 0xB20B, semi_privileged, "SPKA, IPK in the problem state: allowed; QEMU takes them for privileged"},
    {0xDA00, 0xDB00, semi_privileged, "MVCP, MVCS, as SPKA"},
    {0xC800, 0xC800, semi_privileged, "MVCOS, as SPKA"},
    {0xC800, 0xC800, addressing_instead, "MVCOS: QEMU has an addressing exception in the problem state and for access registers"},
    {0xB219, 0xB219, access_register_mode, "SAC: QEMU has no access-register mode"},
    {0xB279, 0xB279, access_register_mode, "SACF, as SAC"},
    {0x0000, 0xFFFF, left_stream, "a stream or BIC that branches into data", true},
    {0x0000, 0xFFFF, changed_stream, "a stream that stores into itself or its neighbour; QEMU goes on with what it has translated", true},
    {0x0000, 0xFFFF, stream_past_the_top, "a stream that makes an address near the highest one, as above", true},
    {0x0000, 0xFFFF, dropped_compare, "a comparison of numbers raises flags even where its condition code is not used; QEMU drops it", true},
    {0xBD00, 0xBD00, behind_difference, "CLM: bytes behind the first difference need not be there, but may be asked for"},
    {0xEB20, 0xEB21, behind_difference, "CLMH, CLMY, as CLM"},
    {0xBE00, 0xBE00, partly_stored, "STCM, as STM"},
    {0xEB2C, 0xEB2D, partly_stored, "STCMH, STCMY, as STM"},
    {0xEBE0, 0xEBE3, not_wanted, "load and store on condition: an operand that is not wanted need not be there"},
    {0xEBF2, 0xEBF3, not_wanted, "LOC, STOC, as LOCG"},
    {0xD500, 0xD500, not_wanted, "CLC: bytes behind the first difference need not be there, but may be asked for"},
    {0xE347, 0xE347, not_wanted, "BIC, as LOCG"},
    {0xB241, 0xB241, partly_done, "CKSM, as TRE"},
    {0x9800, 0x9800, partly_done, "LM, as ICMH"},
    {0xEB04, 0xEB04, partly_done, "LMG, as ICMH"},
    {0xEB96, 0xEB98, partly_done, "LMH, LMY, as ICMH"},
    {0x9A00, 0x9A00, partly_done, "LAM, as ICMH"},
    {0xEB9A, 0xEB9A, partly_done, "LAMY, as ICMH"},
    {0xB2A6, 0xB2A7, partly_done, "CU21, CU12, as TRE"},
    {0xB9B0, 0xB9B3, partly_done, "CU14, CU24, CU41, CU42, as TRE"},
    {0xA800, 0xA900, partly_done, "MVCLE, CLCLE: the condition code of an earlier pause"},
    {0xEB8E, 0xEB8F, partly_done, "MVCLU, CLCLU: the condition code of an earlier pause"},
    {0xEB3E, 0xEB3E, alignment, "CDSG: R3 must be even; QEMU takes any"},
    {0xB398, 0xB39E, nan_inexact, "conversion of a NaN to an integer is inexact, too; not so in QEMU"},
    {0xB3A8, 0xB3AE, nan_inexact, "conversion of a NaN, as CFEBR"},
    {0xE7C0, 0xE7C2, vector_nan, "vector conversion of a NaN to an integer, as CFEBR"},
    {0xE777, 0xE777, long_shift, "VSLDB by 16 and more: real machines take four bits; QEMU has a specification exception"},
    {0xE78B, 0xE78B, odd_length, "VSTRS: a length above 16 or no multiple of the elements' size is unpredictable"},
    {0xE7EE, 0xE7EF, quiet_extremum, "VFMIN, VFMAX as fmin() and fmax(): a NaN as the result is quiet; QEMU leaves it signalling"},
    {0xE766, 0xE766, lost_carries, "VCKSM adds carries back in; QEMU loses some"},
};
// clang-format on

#define RULES (sizeof rules / sizeof rules[0])

static inline bool rule_covers(const struct rule *rule, const struct opcode *row)
{
    if (!row)
        return rule->streams && rule->first == 0;
    return row->code >= rule->first && row->code <= rule->last;
}

// Instructions whose results need no rule in a stream, where nothing tells which one differed.
static inline bool needs_rules(const struct opcode *row)
{
    for (unsigned i = 0; i < RULES; i++) {
        if (rules[i].first != 0 && !rules[i].streams && rule_covers(&rules[i], row))
            return true;
    }
    return row->flags & OP_VECTOR && row->flags & OP_M28;
}

#endif
