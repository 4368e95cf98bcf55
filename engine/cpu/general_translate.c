// SPDX-License-Identifier: MIT
// Translation by table, and conversion between Unicode forms.
// (Principles of Operation, "General Instructions".)
#include <string.h>

#include "cpu/operand_string.h"

// --- one to 256 bytes by a table of 256 ---------------------------------------------------------

// The table is only accessed where a byte points when it crosses a page; nearly always it lies in
// one page and is used in place.
struct table {
    const uint8_t *host; // or NULL
    uint64_t address;
    unsigned b;
};

static struct table table_at(struct cpu *cpu, unsigned b, uint64_t address)
{
    struct table t = {.address = address, .b = b};
    if (page_rest(address) >= 256)
        t.host = access_pointer(cpu, NULL, b, address, 256, ACCESS_READ);
    return t;
}

static uint8_t table_byte(struct cpu *cpu, const struct table *t, uint8_t index)
{
    if (t->host)
        return t->host[index];
    return guest_read8(cpu, NULL, t->b, cpu_wrap(cpu, t->address + index));
}

// Byte by byte, so that an operand that overlaps its table translates by what it has become.
static void translate(struct cpu *cpu, const struct insn *insn)
{
    unsigned n = insn->r1 + 1u;
    uint64_t at = address_bd(cpu, insn);
    guest_probe_store(cpu, insn->b, at, n);
    struct table t = table_at(cpu, insn->b2, address_bd2(cpu, insn));
    while (n > 0) {
        unsigned part = string_part(n, at);
        uint8_t *host = access_pointer(cpu, NULL, insn->b, at, part, ACCESS_WRITE);
        for (unsigned i = 0; i < part; i++)
            host[i] = table_byte(cpu, &t, host[i]);
        at = cpu_wrap(cpu, at + part);
        n -= part;
    }
}

// The usual case: both operands at hand.
HANDLER(op_tr)
{
    unsigned n = insn->r1 + 1u;
    uint64_t at = address_bd(cpu, insn), table_address = address_bd2(cpu, insn);
    const struct lookaside_write *w = access_write_hit(cpu, at, n);
    const struct lookaside_entry *r = access_read_hit(cpu, table_address, 256);
    if (LIKELY(w && r && *w->code_lines == 0)) {
        uint8_t *host = (uint8_t *)(w->addend + (uintptr_t)at);
        const uint8_t *table = (const uint8_t *)(r->addend + (uintptr_t)table_address);
        for (unsigned i = 0; i < n; i++)
            host[i] = table[host[i]];
        NEXT;
    }
    cpu->current = insn;
    translate(cpu, insn);
    NEXT;
}

// The first byte whose function byte is not zero: its address to R1, the function byte to R2.
static void translate_test(struct cpu *cpu, const struct insn *insn, int step)
{
    struct table t = table_at(cpu, insn->b2, address_bd2(cpu, insn));
    uint64_t at = address_bd(cpu, insn);
    for (unsigned left = insn->r1 + 1u; left > 0; left--) {
        uint8_t function = table_byte(cpu, &t, guest_read8(cpu, NULL, insn->b, at));
        if (function) {
            if (cpu->psw.ea)
                cpu->gr[1] = at;
            else if (cpu->psw.ba)
                set_low(cpu, 1, (uint32_t)at);
            else
                set_low(cpu, 1, (low(cpu, 1) & 0xFF000000) | (uint32_t)at);
            cpu->gr[2] = (cpu->gr[2] & ~UINT64_C(0xFF)) | function;
            cpu->psw.cc = left == 1 ? 2 : 1;
            return;
        }
        at = cpu_wrap(cpu, at + (uint64_t)(int64_t)step);
    }
    cpu->psw.cc = 0;
}

PLAIN(do_trt)
{
    translate_test(cpu, insn, 1);
}

PLAIN(do_trtr)
{
    translate_test(cpu, insn, -1);
}

// TRANSLATE EXTENDED: R1 pair is the operand, R2 the table, R0 the byte that stops it.
PLAIN(do_tre)
{
    check_even_pair(cpu, insn->r1);
    uint8_t stop = (uint8_t)cpu->gr[0];
    struct table t = table_at(cpu, insn->r2, string_address(cpu, insn->r2));
    uint64_t left = string_length(cpu, insn->r1 + 1);
    for (unsigned done = 0; left; done++) {
        uint64_t at = string_address(cpu, insn->r1);
        uint8_t byte = guest_read8(cpu, NULL, insn->r1, at);
        if (byte == stop) {
            cpu->psw.cc = 1;
            return;
        }
        if (done == 4096) {
            cpu->psw.cc = 3;
            return;
        }
        guest_write8(cpu, NULL, insn->r1, at, table_byte(cpu, &t, byte));
        set_address(cpu, insn->r1, cpu_wrap(cpu, at + 1));
        set_string_length(cpu, insn->r1 + 1, --left);
    }
    cpu->psw.cc = 0;
}

// TROO, TROT, TRTO, TRTT: source and target characters of one or two bytes. The table's address is
// in R1; the test character in R0, unless M3 says that there is none (extended-translation 2).
static void translate_characters(struct cpu *cpu, const struct insn *insn, unsigned from_size,
                                 unsigned to_size)
{
    check_even_pair(cpu, insn->r1);
    bool test = !(insn->m3 & 1 && cpu_facility(cpu, 24));
    uint64_t left = string_length(cpu, insn->r1 + 1);
    check(cpu, !(left & (from_size - 1)), PIC_SPECIFICATION);
    uint64_t align = from_size == 2 && !cpu_facility(cpu, 24) ? 0xFFF : 7;
    uint64_t table = string_address(cpu, 1) & ~align;
    uint32_t stop = to_size == 1 ? (uint8_t)cpu->gr[0] : (uint16_t)cpu->gr[0];
    for (unsigned done = 0; left; done++) {
        if (done == 4096) {
            cpu->psw.cc = 3;
            return;
        }
        uint64_t from = string_address(cpu, insn->r2), to = string_address(cpu, insn->r1);
        uint32_t c = from_size == 1 ? guest_read8(cpu, NULL, insn->r2, from)
                                    : guest_read16(cpu, NULL, insn->r2, from);
        uint64_t entry = cpu_wrap(cpu, table + c * to_size);
        uint32_t r =
            to_size == 1 ? guest_read8(cpu, NULL, 1, entry) : guest_read16(cpu, NULL, 1, entry);
        if (test && r == stop) {
            cpu->psw.cc = 1;
            return;
        }
        if (to_size == 1)
            guest_write8(cpu, NULL, insn->r1, to, (uint8_t)r);
        else
            guest_write16(cpu, NULL, insn->r1, to, (uint16_t)r);
        left -= from_size;
        set_address(cpu, insn->r1, cpu_wrap(cpu, to + to_size));
        set_address(cpu, insn->r2, cpu_wrap(cpu, from + from_size));
        set_string_length(cpu, insn->r1 + 1, left);
    }
    cpu->psw.cc = 0;
}

PLAIN(do_troo)
{
    translate_characters(cpu, insn, 1, 1);
}

PLAIN(do_trot)
{
    translate_characters(cpu, insn, 1, 2);
}

PLAIN(do_trto)
{
    translate_characters(cpu, insn, 2, 1);
}

PLAIN(do_trtt)
{
    translate_characters(cpu, insn, 2, 2);
}

// TRTE, TRTRE: test a string through a table of function codes; the first that is not zero goes
// to R2. M3: 8 = argument characters of two bytes, 4 = function codes of two bytes, 2 = argument
// limit.
static void translate_test_extended(struct cpu *cpu, const struct insn *insn, int direction)
{
    check_even_pair(cpu, insn->r1);
    unsigned size = insn->m3 & 8 ? 2 : 1, code_size = insn->m3 & 4 ? 2 : 1;
    uint64_t left = string_length(cpu, insn->r1 + 1);
    check(cpu, !(left & (size - 1)), PIC_SPECIFICATION);
    uint64_t table = string_address(cpu, 1);
    for (unsigned done = 0; left; done++) {
        if (done == 4096) {
            cpu->psw.cc = 3;
            return;
        }
        uint64_t at = string_address(cpu, insn->r1);
        uint32_t c = size == 1 ? guest_read8(cpu, NULL, insn->r1, at)
                               : guest_read16(cpu, NULL, insn->r1, at);
        uint32_t code = 0;
        if (!(insn->m3 & 2 && c > 255)) {
            uint64_t entry = cpu_wrap(cpu, table + c * code_size);
            code = code_size == 1 ? guest_read8(cpu, NULL, 1, entry)
                                  : guest_read16(cpu, NULL, 1, entry);
        }
        if (code) {
            G2 = cpu->psw.ea ? code : (G2 & ~UINT64_C(0xFFFFFFFF)) | code;
            cpu->psw.cc = 1;
            return;
        }
        left -= size;
        set_address(cpu, insn->r1, cpu_wrap(cpu, at + (uint64_t)(int64_t)(direction * (int)size)));
        set_string_length(cpu, insn->r1 + 1, left);
    }
    G2 = cpu->psw.ea ? 0 : G2 & ~UINT64_C(0xFFFFFFFF);
    cpu->psw.cc = 0;
}

PLAIN(do_trte)
{
    translate_test_extended(cpu, insn, 1);
}

PLAIN(do_trtre)
{
    translate_test_extended(cpu, insn, -1);
}
