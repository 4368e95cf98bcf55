// SPDX-License-Identifier: MIT
// Packing, unpacking, and editing for print.
// (Principles of Operation, "General Instructions", "Decimal Instructions".)
#include <string.h>

#include "cpu/operands.h"

// PACK, UNPACK and MOVE WITH OFFSET go right to left byte by byte, so operands may overlap: each
// result byte is stored before the next source byte is fetched.

// A source that is used up gives zeros.
struct source {
    uint64_t at; // of the next byte, going left
    unsigned left, b;
};

static uint8_t next_byte(struct cpu *cpu, struct source *s)
{
    if (s->left == 0)
        return 0;
    s->left--;
    uint8_t byte = guest_read8(cpu, NULL, s->b, s->at);
    s->at = cpu_wrap(cpu, s->at - 1);
    return byte;
}

static struct source source_right(struct cpu *cpu, const struct insn *insn)
{
    return (struct source){.at = cpu_wrap(cpu, address_bd2(cpu, insn) + insn->r2),
                           .left = insn->r2 + 1u,
                           .b = insn->b2};
}

static uint8_t swap_halves(uint8_t byte)
{
    return (uint8_t)(byte << 4 | byte >> 4);
}

PLAIN(do_pack)
{
    uint64_t to = address_bd(cpu, insn);
    guest_probe_store(cpu, insn->b, to, insn->r1 + 1u);
    struct source s = source_right(cpu, insn);
    guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + insn->r1), swap_halves(next_byte(cpu, &s)));
    for (unsigned i = insn->r1; i-- > 0;) {
        uint8_t right = next_byte(cpu, &s) & 15, left = next_byte(cpu, &s) & 15;
        guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + i), (uint8_t)(left << 4 | right));
    }
}

// The usual case: both operands at hand, and apart from each other.
static bool unpack_in_place(struct cpu *cpu, const struct insn *insn)
{
    unsigned n1 = insn->r1 + 1u, n2 = insn->r2 + 1u;
    const uint8_t *from = guest_source(cpu, address_bd2(cpu, insn), n2);
    uint8_t *to = from ? guest_place(cpu, address_bd(cpu, insn), n1) : NULL;
    if (!to || (to < from + n2 && from < to + n1))
        return false;
    to[n1 - 1] = swap_halves(from[n2 - 1]);
    unsigned digits = 2 * n2 - 2, have = digits < n1 - 1 ? digits : n1 - 1;
    for (unsigned i = 0; i < have; i++) {
        uint8_t byte = from[n2 - 2 - i / 2];
        to[n1 - 2 - i] = 0xF0 | (i % 2 ? byte >> 4 : byte & 15);
    }
    memset(to, 0xF0, n1 - 1 - have);
    return true;
}

// The left digit's byte is fetched again, as the architecture permits.
PLAIN(do_unpk)
{
    if (unpack_in_place(cpu, insn))
        return;
    uint64_t to = address_bd(cpu, insn);
    guest_probe_store(cpu, insn->b, to, insn->r1 + 1u);
    struct source s = source_right(cpu, insn);
    guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + insn->r1), swap_halves(next_byte(cpu, &s)));
    for (unsigned i = insn->r1, digit = 0; i-- > 0; digit++) {
        uint8_t byte = s.left ? guest_read8(cpu, NULL, s.b, s.at) : 0;
        uint8_t zoned = 0xF0 | (digit % 2 ? byte >> 4 : byte & 15);
        if (digit % 2)
            next_byte(cpu, &s);
        guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + i), zoned);
    }
}

PLAIN(do_mvo)
{
    uint64_t to = address_bd(cpu, insn);
    guest_probe_store(cpu, insn->b, to, insn->r1 + 1u);
    struct source s = source_right(cpu, insn);
    uint64_t last = cpu_wrap(cpu, to + insn->r1);
    uint8_t byte = next_byte(cpu, &s);
    uint8_t keep = guest_read8(cpu, NULL, insn->b, last) & 15;
    guest_write8(cpu, NULL, insn->b, last, (uint8_t)(byte << 4 | keep));
    for (unsigned i = insn->r1; i-- > 0;) {
        uint8_t next = next_byte(cpu, &s);
        guest_write8(cpu, NULL, insn->b, cpu_wrap(cpu, to + i), (uint8_t)(next << 4 | byte >> 4));
        byte = next;
    }
}

// --- ASCII and Unicode digits to and from 16 packed bytes ---------------------------------------

// PACK ASCII, PACK UNICODE: `size` bytes a character; the second operand has r1 + 1 bytes.
static void pack_text(struct cpu *cpu, const struct insn *insn, unsigned size)
{
    unsigned n = insn->r1 + 1u, digits = n / size;
    check(cpu, n <= 32 * size && n % size == 0, PIC_SPECIFICATION);
    uint8_t text[64], packed[16] = {0};
    guest_fetch(cpu, insn->b2, address_bd2(cpu, insn), text, n);
    // The last digit sits left of the sign, nibble 31.
    packed[15] = 0x0C;
    for (unsigned i = 0; i < digits && i < 31; i++) {
        uint8_t digit = text[n - 1 - i * size] & 15;
        unsigned nibble = 30 - i;
        packed[nibble / 2] |= (uint8_t)(digit << (nibble % 2 ? 0 : 4));
    }
    guest_store(cpu, insn->b, address_bd(cpu, insn), packed, 16);
}

PLAIN(do_pka)
{
    pack_text(cpu, insn, 1);
}

PLAIN(do_pku)
{
    pack_text(cpu, insn, 2);
}

// UNPACK ASCII, UNPACK UNICODE: the length is the first operand's; cc 0 plus, 1 minus, 3 no sign.
static void unpack_text(struct cpu *cpu, const struct insn *insn, unsigned size)
{
    unsigned n = insn->r1 + 1u, digits = n / size;
    check(cpu, n <= 32 * size && n % size == 0, PIC_SPECIFICATION);
    uint8_t packed[16], text[64] = {0};
    guest_fetch(cpu, insn->b2, address_bd2(cpu, insn), packed, 16);
    for (unsigned i = 0; i < digits; i++) {
        uint8_t digit = 0;
        if (i < 31) {
            unsigned nibble = 30 - i;
            digit = (packed[nibble / 2] >> (nibble % 2 ? 0 : 4)) & 15;
        }
        text[n - 1 - i * size] = 0x30 | digit;
    }
    guest_store(cpu, insn->b, address_bd(cpu, insn), text, n);
    unsigned sign = packed[15] & 15;
    cpu->psw.cc = sign < 10 ? 3 : sign == 0xB || sign == 0xD ? 1 : 0;
}

PLAIN(do_unpka)
{
    unpack_text(cpu, insn, 1);
}

PLAIN(do_unpku)
{
    unpack_text(cpu, insn, 2);
}

// --- EDIT --------------------------------------------------------------------------------------

enum pattern { DIGIT_SELECTOR = 0x20, SIGNIFICANCE_STARTER = 0x21, FIELD_SEPARATOR = 0x22 };

struct edit {
    uint64_t source;
    unsigned b;
    uint8_t byte; // source byte whose right digit is next when `have`
    bool have;
    bool significant; // the significance indicator
    bool nonzero;     // of the current field
};

// The next source digit; a sign to the right of a left digit ends or keeps significance.
static unsigned source_digit(struct cpu *cpu, struct edit *e, bool *sign, unsigned *sign_code)
{
    *sign = false;
    if (e->have) {
        e->have = false;
        return e->byte & 15;
    }
    e->byte = guest_read8(cpu, NULL, e->b, e->source);
    e->source = cpu_wrap(cpu, e->source + 1);
    unsigned digit = e->byte >> 4;
    if (digit > 9)
        data_exception(cpu, NULL, DXC_DECIMAL);
    if ((e->byte & 15) > 9) {
        *sign = true;
        *sign_code = e->byte & 15;
    } else {
        e->have = true;
    }
    return digit;
}

static void edit(struct cpu *cpu, const struct insn *insn, bool mark)
{
    uint8_t pattern[256];
    unsigned n = insn->r1 + 1u;
    uint64_t at = address_bd(cpu, insn), mark_at = 0;
    guest_probe_store(cpu, insn->b, at, n);
    guest_fetch(cpu, insn->b, at, pattern, n);
    struct edit e = {.source = address_bd2(cpu, insn), .b = insn->b2};
    uint8_t fill = pattern[0], sign_cc = 0;
    bool marked = false;
    for (unsigned i = 0; i < n; i++) {
        uint8_t p = pattern[i];
        if (p == DIGIT_SELECTOR || p == SIGNIFICANCE_STARTER) {
            bool sign;
            unsigned sign_code = 0;
            bool was = e.significant;
            unsigned digit = source_digit(cpu, &e, &sign, &sign_code);
            if (digit && !was) {
                marked = true;
                mark_at = cpu_wrap(cpu, at + i);
            }
            pattern[i] = digit || was ? (uint8_t)(0xF0 | digit) : fill;
            e.significant = was || digit || p == SIGNIFICANCE_STARTER;
            e.nonzero |= digit != 0;
            if (sign) // plus ends significance, minus leaves it
                e.significant = (sign_code == 0xB || sign_code == 0xD) && e.significant;
        } else if (p == FIELD_SEPARATOR) {
            pattern[i] = fill;
            e.significant = e.nonzero = false;
        } else if (i > 0 && !e.significant) {
            pattern[i] = fill;
        }
    }
    sign_cc = !e.nonzero ? 0 : e.significant ? 1 : 2;
    guest_store(cpu, insn->b, at, pattern, n);
    if (mark && marked)
        cpu->gr[1] = cpu->psw.ea   ? mark_at
                     : cpu->psw.ba ? (cpu->gr[1] & ~UINT64_C(0xFFFFFFFF)) | mark_at
                                   : (cpu->gr[1] & ~UINT64_C(0xFFFFFF)) | mark_at;
    cpu->psw.cc = sign_cc;
}

PLAIN(do_ed)
{
    edit(cpu, insn, false);
}

PLAIN(do_edmk)
{
    edit(cpu, insn, true);
}
