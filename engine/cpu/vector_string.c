// SPDX-License-Identifier: MIT
// Searches in strings of elements. (Principles of Operation, "Vector String Instructions".)
#include "cpu/vector.h"

#define NOWHERE 16u // byte index when nothing was found

// Modifier bits of VFAE and VSTRC; the last two of the others, too.
enum { SET_CC = 1, ZERO_SEARCH = 2, RESULT_TYPE = 4, INVERT = 8 };

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Byte index of the leftmost zero element.
static unsigned first_zero(const struct vector_register *v, unsigned es)
{
    for (unsigned i = 0; i < vector_count(es); i++) {
        if (element(v, es, i) == 0)
            return i << es;
    }
    return NOWHERE;
}

static uint8_t cc_found(unsigned found, unsigned zero)
{
    if (zero == NOWHERE)
        return found == NOWHERE ? 3 : 1;
    return found < zero ? 2 : 0;
}

// What searches for any match have in common: `found` has ones in the elements that match.
static void any_match(struct cpu *cpu, const struct insn *insn, unsigned es, unsigned flags,
                      struct vector_register found)
{
    if (flags & INVERT)
        found = (struct vector_register){~found.high, ~found.low};
    struct vector_register inverse = {~found.high, ~found.low};
    unsigned match = first_zero(&inverse, es);
    unsigned zero = flags & ZERO_SEARCH ? first_zero(V2, es) : NOWHERE;
    *V1 = flags & RESULT_TYPE ? found : (struct vector_register){smaller(match, zero), 0};
    if (flags & SET_CC)
        cpu->psw.cc = cc_found(match, zero);
}

PLAIN(do_vfae)
{
    unsigned es = element_size(cpu, MASK32, 0, 2), n = vector_count(es);
    struct vector_register found = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        uint64_t a = element(V2, es, i);
        for (unsigned j = 0; j < n; j++) {
            if (a == element(V3, es, j))
                set_element(&found, es, i, ~UINT64_C(0));
        }
    }
    any_match(cpu, insn, es, MASK24, found);
}

// One comparison of VSTRC: bits 0-2 of the control element accept equal, low, high.
static bool accepts(uint64_t a, uint64_t limit, uint64_t control, unsigned es)
{
    unsigned bits = (unsigned)(control >> (element_bits(es) - 3));
    return bits & (a == limit ? 4 : a < limit ? 2 : 1);
}

PLAIN(do_vstrc)
{
    unsigned es = element_size(cpu, MASK20, 0, 2), n = vector_count(es);
    struct vector_register found = {0, 0};
    for (unsigned i = 0; i < n; i++) {
        uint64_t a = element(V2, es, i);
        for (unsigned j = 0; j < n; j += 2) {
            if (accepts(a, element(V3, es, j), element(V4, es, j), es) &&
                accepts(a, element(V3, es, j + 1), element(V4, es, j + 1), es))
                set_element(&found, es, i, ~UINT64_C(0));
        }
    }
    any_match(cpu, insn, es, MASK24, found);
}

// The first pair of elements that is (or is not) equal.
static unsigned first_pair(const struct vector_register *a, const struct vector_register *b,
                           unsigned es, bool equal)
{
    for (unsigned i = 0; i < vector_count(es); i++) {
        if ((element(a, es, i) == element(b, es, i)) == equal)
            return i << es;
    }
    return NOWHERE;
}

PLAIN(do_vfee)
{
    unsigned es = element_size(cpu, MASK32, 0, 2), flags = element_size(cpu, MASK24, 0, 3);
    unsigned match = first_pair(V2, V3, es, true);
    unsigned zero = flags & ZERO_SEARCH ? first_zero(V2, es) : NOWHERE;
    *V1 = (struct vector_register){smaller(match, zero), 0};
    if (flags & SET_CC)
        cpu->psw.cc = cc_found(match, zero);
}

PLAIN(do_vfene)
{
    unsigned es = element_size(cpu, MASK32, 0, 2), flags = element_size(cpu, MASK24, 0, 3);
    unsigned differ = first_pair(V2, V3, es, false);
    unsigned zero = flags & ZERO_SEARCH ? first_zero(V2, es) : NOWHERE;
    bool low = differ != NOWHERE && element(V2, es, differ >> es) < element(V3, es, differ >> es);
    *V1 = (struct vector_register){smaller(differ, zero), 0};
    if (!(flags & SET_CC))
        return;
    if (differ == NOWHERE && zero == NOWHERE)
        cpu->psw.cc = 3;
    else
        cpu->psw.cc = zero < differ ? 0 : low ? 1 : 2;
}

// Everything from the first zero element on becomes zero.
PLAIN(do_vistr)
{
    unsigned es = element_size(cpu, MASK32, 0, 2), flags = element_size(cpu, MASK24, 0, 1);
    unsigned zero = first_zero(V2, es);
    struct vector_register r = *V2;
    for (unsigned i = zero; i < 16; i++)
        set_element(&r, 0, i, 0);
    *V1 = r;
    if (flags & SET_CC)
        cpu->psw.cc = zero == NOWHERE ? 3 : 0;
}

// --- STRING SEARCH ------------------------------------------------------------------------------

// Are `n` elements of the string from `at` on the substring's first?
static bool begins(const struct vector_register *string, const struct vector_register *substring,
                   unsigned es, unsigned at, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (element(string, es, at + i) != element(substring, es, i))
            return false;
    return true;
}

// Where the substring of `n` elements (not zero) is in the first `length`, and the condition code:
// 2 all of it, 3 its beginning at the end of a string that goes on, else neither.
static unsigned search(const struct vector_register *string,
                       const struct vector_register *substring, unsigned es, unsigned n,
                       unsigned length, uint8_t *cc)
{
    bool ends = length < vector_count(es);
    *cc = ends ? 1 : 0;
    for (unsigned at = 0; at < length; at++) {
        bool whole = at + n <= length;
        if (!whole && ends)
            break;
        if (begins(string, substring, es, at, whole ? n : length - at)) {
            *cc = whole ? 2 : 3;
            return at << es;
        }
    }
    return NOWHERE;
}

// V4's byte 7 has the substring's length in bytes. What comes of one that is no multiple of the
// elements' size is left to the model: nothing is found.
PLAIN(do_vstrs)
{
    unsigned es = element_size(cpu, MASK20, 0, 2), flags = MASK24, most = vector_count(es);
    check(cpu, !(flags & ~(unsigned)ZERO_SEARCH), PIC_SPECIFICATION);
    unsigned bytes = (unsigned)V4->high & 0xFF, length = most, found = 0;
    if (flags & ZERO_SEARCH) {
        bytes = smaller(bytes, first_zero(V3, es));
        length = first_zero(V2, es) >> es;
    }
    uint8_t cc = 2; // an empty one is everywhere
    if (bytes & (element_bits(es) / 8 - 1)) {
        found = NOWHERE;
        cc = 0;
    } else if (bytes) {
        found = search(V2, V3, es, smaller(bytes >> es, most), length, &cc);
    }
    *V1 = (struct vector_register){found, 0};
    cpu->psw.cc = cc;
}
