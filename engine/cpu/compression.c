// SPDX-License-Identifier: MIT
// COMPRESSION CALL: strings to index symbols of 9 to 13 bits by a dictionary, and back.
// (Principles of Operation, "Specialized-Function-Assist Instructions"; Enterprise Systems
// Architecture/390 Data Compression.)
//
// One symbol is the unit of operation: registers are up to date after each, so that an access
// exception, or condition code 3, leaves an instruction that can go on.
#include <string.h>

#include "cpu/compression_dictionary.h"
#include "cpu/operand_string.h"

// General register 0.
#define CALL_TRANSLATION 0x10000u // symbols go through the symbol-translation table
#define CALL_ZERO_PAD    0x20000u
#define CALL_FORMAT1     0x200u // sibling descriptors
#define CALL_EXPANSION   0x100u

#define FACILITY_ENHANCEMENT 47
#define PAD_BOUNDARY         256u
#define CALL_LIMIT           65536u // bytes of the longer operand before condition code 3

struct call {
    struct cpu *cpu;
    const struct insn *insn;
    uint64_t dictionary, table;
    bool translated;        // symbols, by the table
    unsigned bits, entries; // of a symbol, of a dictionary
    bool format1;
    uint64_t to, from, to_left, from_left;
    unsigned bit; // of the compressed operand's first byte: where the next symbol begins
    unsigned done;
};

static struct call call_begin(struct cpu *cpu, const struct insn *insn)
{
    unsigned size = low(cpu, 0) >> 12 & 15;
    check_even_pair(cpu, insn->r1);
    check_even_pair(cpu, insn->r2);
    check(cpu, size >= 1 && size <= 5, PIC_SPECIFICATION);
    uint64_t origin = string_address(cpu, 1);
    struct call c = {.cpu = cpu,
                     .insn = insn,
                     .dictionary = origin & ~UINT64_C(0xFFF),
                     .bits = size + 8,
                     .entries = 256u << size,
                     .format1 = low(cpu, 0) & CALL_FORMAT1,
                     .to = string_address(cpu, insn->r1),
                     .from = string_address(cpu, insn->r2),
                     .to_left = string_length(cpu, insn->r1 + 1),
                     .from_left = string_length(cpu, insn->r2 + 1),
                     .bit = origin & 7,
                     .translated = low(cpu, 0) & CALL_TRANSLATION};
    c.table = c.dictionary + ((origin >> 3 & 0x1FF) << 7); // units of 128 bytes
    return c;
}

// A symbol is complete: `to` and `from` bytes are done.
static void call_advance(struct call *c, unsigned to, unsigned from)
{
    struct cpu *cpu = c->cpu;
    unsigned r1 = c->insn->r1, r2 = c->insn->r2;
    c->to = cpu_wrap(cpu, c->to + to);
    c->from = cpu_wrap(cpu, c->from + from);
    c->to_left -= to;
    c->from_left -= from;
    c->done += to > from ? to : from;
    set_address(cpu, r1, c->to);
    set_string_length(cpu, r1 + 1, c->to_left);
    set_address(cpu, r2, c->from);
    set_string_length(cpu, r2 + 1, c->from_left);
    cpu->gr[1] = (cpu->gr[1] & ~UINT64_C(7)) | c->bit;
}

// Zeros up to a boundary, where the first operand has it.
static void zero_pad(const struct call *c, bool partial)
{
    static const uint8_t zeros[PAD_BOUNDARY];
    uint64_t at = cpu_wrap(c->cpu, c->to + partial);
    unsigned n = (unsigned)-at % PAD_BOUNDARY;
    if (n && n <= c->to_left - partial)
        guest_store(c->cpu, c->insn->r1, at, zeros, n);
}

static void call_end(struct call *c, uint8_t cc, bool partial)
{
    bool pad = low(c->cpu, 0) & CALL_ZERO_PAD && cpu_facility(c->cpu, FACILITY_ENHANCEMENT);
    if (pad && c->done) // something was stored: the operand's last bytes are accessible
        zero_pad(c, partial);
    c->cpu->psw.cc = cc;
}

static void require(const struct call *c, bool good)
{
    if (!good)
        data_exception(c->cpu, NULL, DXC_DECIMAL);
}

// The dictionaries are in the second operand's space. `second`: the expansion dictionary, which
// follows the one for compression.
static uint64_t dictionary_entry(const struct call *c, unsigned index, bool second)
{
    require(c, index < c->entries);
    uint64_t at = c->dictionary + 8u * ((second ? c->entries : 0) + index);
    return guest_read64(c->cpu, NULL, c->insn->r2, cpu_wrap(c->cpu, at));
}

// --- compression
// ----------------------------------------------------------------------------------

// The longest string of the dictionary at the second operand.
struct match {
    const struct call *call;
    unsigned symbol, length;
    struct character_entry entry; // of the symbol
};

enum step { STEP_NONE, STEP_DOWN, STEP_LAST };

static uint8_t source_byte(const struct call *c, unsigned offset)
{
    return guest_read8(c->cpu, NULL, c->insn->r2, cpu_wrap(c->cpu, c->from + offset));
}

static struct character_entry parent_entry(const struct call *c, unsigned index)
{
    struct character_entry e;
    require(c, character_entry(dictionary_entry(c, index, false), &e));
    return e;
}

static bool extension_equal(const struct match *m, const struct character_entry *child)
{
    const struct call *c = m->call;
    if (c->from_left - m->length < 1u + child->extensions)
        return false;
    for (unsigned i = 0; i < child->extensions; i++) {
        if (source_byte(c, m->length + 1 + i) != child->extension[i])
            return false;
    }
    return true;
}

// The child's first character is the next one of the source. Without its examine bit the child has
// neither extension nor children.
static enum step take_child(struct match *m, unsigned index, bool examine)
{
    require(m->call, index < m->call->entries);
    if (!examine) {
        m->symbol = index;
        m->length++;
        return STEP_LAST;
    }
    struct character_entry child = parent_entry(m->call, index);
    if (!extension_equal(m, &child))
        return STEP_NONE;
    m->symbol = index;
    m->length += 1u + child.extensions;
    m->entry = child;
    return STEP_DOWN;
}

static bool examined(uint16_t bits, unsigned i)
{
    return bits << i & 0x8000;
}

static struct sibling_descriptor siblings(const struct call *c, unsigned index,
                                          uint16_t examine_last)
{
    struct sibling_descriptor d;
    uint64_t bits = dictionary_entry(c, index, false), second = 0;
    if (c->format1 && bits >> 60 > 6)
        second = dictionary_entry(c, index, true);
    require(c, c->format1 ? sibling_descriptor1(bits, second, examine_last, &d)
                          : sibling_descriptor0(bits, examine_last, &d));
    return d;
}

// Through the sibling descriptors that follow the children named in the entry.
static enum step sibling_step(struct match *m, uint8_t next)
{
    const struct call *c = m->call;
    unsigned index = m->entry.child + m->entry.characters, children = m->entry.characters;
    uint16_t examine_last = m->entry.examine_last;
    for (;;) {
        struct sibling_descriptor d = siblings(c, index, examine_last);
        children += d.characters;
        require(c, children <= COMPRESSION_CHILDREN_MOST);
        for (unsigned i = 0; i < d.characters; i++) {
            if (d.character[i] == next)
                return take_child(m, index + 1 + i, examined(d.examine, i));
        }
        if (!d.more)
            return STEP_NONE;
        index += d.characters + 1u;
        examine_last = 0xFFFF; // children that later descriptors have no bit for are examined
    }
}

// While all children so far began with the character but failed in their extensions, the next
// child may have the same character; a different one ends such a run.
static enum step match_step(struct match *m)
{
    const struct character_entry e = m->entry;
    uint8_t next = source_byte(m->call, m->length);
    bool same = true;
    for (unsigned i = 0; i < e.characters; i++) {
        if (e.character[i] != next) {
            same = false;
            continue;
        }
        enum step step = take_child(m, e.child + i, examined(e.examine, i));
        if (step != STEP_NONE || !same || i + 1 == e.characters)
            return step;
    }
    return e.more ? sibling_step(m, next) : STEP_NONE;
}

static struct match longest_match(const struct call *c)
{
    struct match m = {.call = c, .symbol = source_byte(c, 0), .length = 1};
    m.entry = parent_entry(c, m.symbol);
    while (m.entry.characters && m.length < c->from_left && match_step(&m) == STEP_DOWN)
        require(c, m.length <= COMPRESSION_SYMBOL_MOST);
    require(c, m.length <= COMPRESSION_SYMBOL_MOST);
    return m;
}

// Stores the symbol; bits behind it in its last byte become zero.
static void put_symbol(struct call *c, unsigned symbol)
{
    struct cpu *cpu = c->cpu;
    unsigned n = (c->bit + c->bits + 7) / 8, r = c->insn->r1;
    uint8_t bytes[4];
    guest_probe_store(cpu, r, c->to, n);
    uint32_t head = c->bit ? guest_read8(cpu, NULL, r, c->to) & ~(0xFFu >> c->bit) : 0;
    be32_store(bytes, head << 24 | symbol << (32 - c->bits) >> c->bit);
    guest_store(cpu, r, c->to, bytes, n);
}

static void compress(struct call *c)
{
    for (;;) {
        if (c->from_left == 0) {
            call_end(c, 0, c->bit);
            return;
        }
        if (c->to_left < (c->bit + c->bits + 7) / 8) {
            call_end(c, 1, c->bit && c->to_left);
            return;
        }
        if (c->done >= CALL_LIMIT) {
            call_end(c, 3, c->bit);
            return;
        }
        struct match m = longest_match(c);
        unsigned symbol = m.symbol;
        if (c->translated)
            symbol =
                guest_read16(c->cpu, NULL, c->insn->r2, cpu_wrap(c->cpu, c->table + 2 * symbol));
        put_symbol(c, symbol);
        unsigned end = c->bit + c->bits;
        c->bit = end % 8;
        call_advance(c, end / 8, m.length);
    }
}

// --- expansion
// ------------------------------------------------------------------------------------

static unsigned next_symbol(const struct call *c)
{
    uint8_t bytes[4] = {0};
    unsigned n = (c->bit + c->bits + 7) / 8;
    guest_fetch(c->cpu, c->insn->r2, c->from, bytes, n);
    return be32_load(bytes) << c->bit >> (32 - c->bits);
}

// What a symbol stands for, and its length: from its last characters back to the first.
static unsigned expand_symbol(const struct call *c, unsigned symbol, uint8_t *out)
{
    if (symbol < 256) {
        out[0] = (uint8_t)symbol;
        return 1;
    }
    unsigned length = 0;
    for (unsigned i = 0; i < COMPRESSION_CHAIN_MOST; i++) {
        struct expansion_entry e;
        require(c, expansion_entry(dictionary_entry(c, symbol, false), &e));
        if (length == 0)
            length = e.offset + e.characters;
        memcpy(out + e.offset, e.character, e.characters);
        if (!e.preceded)
            return length;
        if (length > c->to_left) // does not fit, whatever the rest is
            return length;
        symbol = e.predecessor;
    }
    require(c, false);
    return 0;
}

static void expand(struct call *c)
{
    for (;;) {
        if (c->from_left < (c->bit + c->bits + 7) / 8) {
            call_end(c, 0, false);
            return;
        }
        if (c->done >= CALL_LIMIT) {
            call_end(c, 3, false);
            return;
        }
        uint8_t text[COMPRESSION_SYMBOL_MOST + 8] = {0};
        unsigned symbol = next_symbol(c);
        unsigned length = c->to_left ? expand_symbol(c, symbol, text) : 1;
        if (length > c->to_left) {
            call_end(c, 1, false);
            return;
        }
        guest_store(c->cpu, c->insn->r1, c->to, text, length);
        unsigned end = c->bit + c->bits;
        c->bit = end % 8;
        call_advance(c, length, end / 8);
    }
}

PLAIN(do_cmpsc)
{
    struct call c = call_begin(cpu, insn);
    if (low(cpu, 0) & CALL_EXPANSION)
        expand(&c);
    else
        compress(&c);
}
