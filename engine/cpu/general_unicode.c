// SPDX-License-Identifier: MIT
// Conversion between UTF-8, UTF-16 and UTF-32.
// (Principles of Operation, "General Instructions", CONVERT UTF-8 TO UTF-16 and the like.)
#include "cpu/operand_string.h"

enum encoding { UTF8, UTF16, UTF32 };

enum decoded { DECODED, INCOMPLETE, MALFORMED };

// How much one execution converts at most.
#define CHARACTERS 4096

struct source {
    uint64_t at, left;
    unsigned b;
    bool strict; // M3's well-formedness check
};

static uint8_t source_byte(struct cpu *cpu, const struct source *s, unsigned i)
{
    return guest_read8(cpu, NULL, s->b, cpu_wrap(cpu, s->at + i));
}

static uint16_t source_half(struct cpu *cpu, const struct source *s, unsigned i)
{
    return guest_read16(cpu, NULL, s->b, cpu_wrap(cpu, s->at + i));
}

// Bytes of a UTF-8 character by its first one; 0 when it cannot be a first one.
static unsigned utf8_length(uint8_t first, bool strict)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC0 || first > 0xF7 || (strict && (first < 0xC2 || first > 0xF4)))
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static enum decoded decode_utf8(struct cpu *cpu, const struct source *s, uint32_t *c, unsigned *n)
{
    uint8_t first = source_byte(cpu, s, 0);
    *n = utf8_length(first, s->strict);
    if (*n == 0)
        return MALFORMED;
    if (*n > s->left)
        return INCOMPLETE;
    *c = *n == 1 ? first : first & (0x7Fu >> *n);
    for (unsigned i = 1; i < *n; i++) {
        uint8_t next = source_byte(cpu, s, i);
        if (s->strict && (next & 0xC0) != 0x80)
            return MALFORMED;
        *c = *c << 6 | (next & 0x3F);
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (s->strict && (*c < least[*n] || *c > 0x10FFFF || *c >> 11 == 0x1B))
        return MALFORMED;
    return DECODED;
}

static enum decoded decode_utf16(struct cpu *cpu, const struct source *s, uint32_t *c, unsigned *n)
{
    *n = 2;
    if (s->left < 2)
        return INCOMPLETE;
    *c = source_half(cpu, s, 0);
    if (*c >> 10 != 0x36) // not a high surrogate; a low one alone is let through
        return DECODED;
    *n = 4;
    if (s->left < 4)
        return INCOMPLETE;
    uint32_t low_half = source_half(cpu, s, 2);
    if (s->strict && low_half >> 10 != 0x37)
        return MALFORMED;
    *c = ((*c & 0x3FF) << 10 | (low_half & 0x3FF)) + 0x10000;
    return DECODED;
}

static enum decoded decode_utf32(struct cpu *cpu, const struct source *s, uint32_t *c, unsigned *n)
{
    *n = 4;
    if (s->left < 4)
        return INCOMPLETE;
    *c = guest_read32(cpu, NULL, s->b, s->at);
    return *c > 0x10FFFF || *c >> 10 == 0x36 ? MALFORMED : DECODED; // low surrogates pass
}

static enum decoded decode(struct cpu *cpu, enum encoding from, const struct source *s, uint32_t *c,
                           unsigned *n)
{
    return from == UTF8    ? decode_utf8(cpu, s, c, n)
           : from == UTF16 ? decode_utf16(cpu, s, c, n)
                           : decode_utf32(cpu, s, c, n);
}

static unsigned encode(enum encoding to, uint32_t c, uint8_t out[4])
{
    if (to == UTF32) {
        be32_store(out, c);
        return 4;
    }
    if (to == UTF16) {
        if (c < 0x10000) {
            be16_store(out, (uint16_t)c);
            return 2;
        }
        be16_store(out, (uint16_t)(0xD800 | ((c - 0x10000) >> 10 & 0x3FF)));
        be16_store(out + 2, (uint16_t)(0xDC00 | (c & 0x3FF)));
        return 4;
    }
    unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t mark[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (unsigned i = n; i-- > 1; c >>= 6)
        out[i] = (uint8_t)(0x80 | (c & 0x3F));
    out[0] = (uint8_t)(mark[n] | c);
    return n;
}

// R1 pair the target, R2 pair the source. cc 0 source used up, 1 target full, 2 not a character.
static void convert(struct cpu *cpu, const struct insn *insn, enum encoding from, enum encoding to)
{
    check_even_pair(cpu, insn->r1 | insn->r2);
    bool strict = insn->m3 & 1 && cpu_facility(cpu, 30);
    for (unsigned done = 0; done < CHARACTERS; done++) {
        struct source s = {string_address(cpu, insn->r2), string_length(cpu, insn->r2 + 1),
                           insn->r2, strict};
        uint32_t c;
        unsigned used;
        if (s.left == 0) {
            cpu->psw.cc = 0;
            return;
        }
        enum decoded result = decode(cpu, from, &s, &c, &used);
        if (result != DECODED) {
            cpu->psw.cc = result == INCOMPLETE ? 0 : 2;
            return;
        }
        // Four bytes always make a pair, modulo 2^20: too long a form without the check (real
        // machines)
        if (to == UTF16 && from == UTF8 && used == 4 && c < 0x10000)
            c += 0x100000;
        uint8_t bytes[4];
        unsigned n = encode(to, c, bytes);
        uint64_t at = string_address(cpu, insn->r1), room = string_length(cpu, insn->r1 + 1);
        if (room < n) {
            cpu->psw.cc = 1;
            return;
        }
        guest_store(cpu, insn->r1, at, bytes, n);
        set_address(cpu, insn->r1, cpu_wrap(cpu, at + n));
        set_string_length(cpu, insn->r1 + 1, room - n);
        set_address(cpu, insn->r2, cpu_wrap(cpu, s.at + used));
        set_string_length(cpu, insn->r2 + 1, s.left - used);
    }
    cpu->psw.cc = 3;
}

#define CONVERT(name, from, to)       \
    PLAIN(name)                       \
    {                                 \
        convert(cpu, insn, from, to); \
    }
CONVERT(do_cu12, UTF8, UTF16)
CONVERT(do_cu14, UTF8, UTF32)
CONVERT(do_cu21, UTF16, UTF8)
CONVERT(do_cu24, UTF16, UTF32)
CONVERT(do_cu41, UTF32, UTF8)
CONVERT(do_cu42, UTF32, UTF16)
