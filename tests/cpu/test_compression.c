// SPDX-License-Identifier: MIT
// COMPRESSION CALL with random dictionaries of both formats, against a matcher that knows only the
// tree of strings; then ends, interruptions and exceptions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"
#include "cpu/snippets.h"

#define DICTIONARY 0x1C0000u
#define FROM       0x20000u
#define TO         0x40000u
#define BACK       0x60000u

#define TRANSLATION 0x10000u
#define ZERO_PAD    0x20000u
#define FORMAT1     0x200u
#define EXPANSION   0x100u

// One string of the dictionary: its parent's and the characters it adds.
struct node {
    unsigned parent, length;  // of the whole string
    unsigned first, children; // positions in `order`
    unsigned added;           // 1 and the extension
    uint8_t text[5];          // those characters
    bool used;
};

struct tree {
    unsigned size, entries, next;
    bool format1;
    struct node node[8192];
    unsigned order[8192], ordered; // children by parent
    uint64_t compression[8192], expansion[8192];
};

static uint64_t at_bit(uint64_t value, unsigned first, unsigned n)
{
    return value << (64 - first - n);
}

// Entries that `n` children take, with `here` of them named in the parent's entry.
static unsigned entries_for(const struct tree *t, unsigned n, unsigned here)
{
    unsigned each = t->format1 ? 14 : 7;
    return n <= here ? n : n + (n - here + each - 1) / each;
}

static void make_child(struct tree *t, struct random *r, unsigned parent, unsigned index,
                       unsigned character)
{
    struct node *c = &t->node[index];
    c->parent = parent;
    c->added = random_below(r, 3) ? 1 : 1 + random_below(r, 5);
    c->length = t->node[parent].length + c->added;
    c->text[0] = (uint8_t)character;
    for (unsigned i = 1; i < c->added; i++)
        c->text[i] = (uint8_t)('a' + random_below(r, 3));
    c->used = true;
    t->order[t->ordered++] = index;
}

static bool looked_at(const struct tree *t, struct random *r, unsigned index)
{
    return t->node[index].added > 1 || t->node[index].children || random_below(r, 4) == 0;
}

// Gives `parent` children; false when there is no room. Which of them need the examine bit is known
// only later, when the tree is complete.
static bool make_children(struct tree *t, struct random *r, unsigned parent)
{
    struct node *p = &t->node[parent];
    unsigned most = p->added > 2 ? 1 : random_below(r, 3) ? 8 : 60;
    unsigned n = 1 + random_below(r, most);
    unsigned here = n == 1 ? 1 : 6 - (p->added > 1 ? 2 : 1);
    if (!t->format1 && n > here && (n - here) % 7 == 0)
        n--; // a count of seven says that more follow
    if (t->next + entries_for(t, n, here) >= t->entries || p->length > 240)
        return false;
    unsigned index = t->next, run = random_below(r, 4) ? 1 : n < here ? n : here, slot = 0;
    p->first = t->ordered;
    p->children = n;
    for (unsigned i = 0; i < n; i++, slot++) {
        if (i == here || (i > here && (i - here) % (t->format1 ? 14 : 7) == 0))
            index++; // a sibling descriptor
        make_child(t, r, parent, index, 'a' + (i < run ? 0 : i - run + 1));
        index++;
    }
    t->next = index;
    return true;
}

static void encode_siblings(struct tree *t, struct random *r, const struct node *p, unsigned here,
                            uint64_t *parent_bits)
{
    unsigned each = t->format1 ? 14 : 7, bits = t->format1 ? 12 : 5;
    for (unsigned done = here; done < p->children;) {
        unsigned n = p->children - done, index = t->order[p->first + done] - 1;
        bool more = n > each;
        n = more ? each : n;
        uint64_t a = at_bit(more ? each + t->format1 : n, 0, t->format1 ? 4 : 3), b = 0;
        for (unsigned i = 0; i < n; i++) {
            unsigned child = t->order[p->first + done + i];
            uint64_t look = looked_at(t, r, child), c = t->node[child].text[0];
            if (i < bits)
                a |= at_bit(look, (t->format1 ? 4 : 3) + i, 1);
            else if (done == here)
                *parent_bits |= at_bit(look, 8 + i - bits, 1);
            if (!t->format1)
                a |= at_bit(c, 8 + 8 * i, 8);
            else if (i < 6)
                a |= at_bit(c, 16 + 8 * i, 8);
            else
                b |= at_bit(c, 8 * (i - 6), 8);
        }
        t->compression[index] = a;
        t->expansion[index] = b;
        done += n;
    }
}

static void encode(struct tree *t, struct random *r, unsigned index)
{
    const struct node *p = &t->node[index];
    unsigned extensions = index < 256 ? 0 : p->added - 1, n = p->children;
    unsigned most = n > 1 ? 5 - extensions : 1, here = n > most ? most : n;
    uint64_t bits = at_bit(n > most ? most + 1 : n, 0, 3);
    bits |= n > 1 ? at_bit(extensions, 10, 1) : at_bit(extensions, 8, 3);
    for (unsigned i = 0; i < extensions; i++)
        bits |= at_bit(p->text[i + 1], 24 + 8 * i, 8);
    for (unsigned i = 0; i < here; i++) {
        unsigned child = t->order[p->first + i];
        bits |= at_bit(t->node[child].text[0], 24 + 8 * (extensions + i), 8);
        bits |= at_bit(looked_at(t, r, child), 3 + i, 1);
    }
    if (n)
        bits |= at_bit(t->order[p->first], 11, 13);
    if (n > most)
        encode_siblings(t, r, p, most, &bits);
    t->compression[index] = bits;
}

static void whole_text(const struct tree *t, unsigned index, uint8_t *out)
{
    const struct node *n = &t->node[index];
    if (index >= 256)
        whole_text(t, n->parent, out);
    memcpy(out + n->length - n->added, n->text, n->added);
}

// The whole string when it is short (mostly), else what the node adds, behind its parent.
static void encode_expansion(struct tree *t, struct random *r, unsigned index)
{
    const struct node *n = &t->node[index];
    uint8_t text[300];
    whole_text(t, index, text);
    bool whole = index < 256 || (n->length <= 7 && random_below(r, 2));
    uint64_t bits = whole ? at_bit(n->length, 5, 3)
                          : at_bit(n->added, 0, 3) | at_bit(n->parent, 3, 13) |
                                at_bit(n->length - n->added, 56, 8);
    unsigned count = whole ? n->length : n->added, first = whole ? 8 : 16;
    for (unsigned i = 0; i < count; i++)
        bits |= at_bit(text[n->length - count + i], first + 8 * i, 8);
    t->expansion[index] = bits;
}

static struct tree *tree_new(struct random *r, unsigned size, bool format1)
{
    struct tree *t = test_calloc(1, sizeof *t);
    t->size = size;
    t->entries = 256u << size;
    t->format1 = format1;
    t->next = 256;
    for (unsigned i = 0; i < 256; i++)
        t->node[i] = (struct node){.length = 1, .added = 1, .text = {(uint8_t)i}, .used = true};
    for (unsigned tries = 0; tries < 4000; tries++) {
        unsigned i = random_below(r, 3) ? random_below(r, t->next) : 'a' + random_below(r, 4);
        unsigned n = t->node[i].children;
        if (t->node[i].used && !n)
            make_children(t, r, i);
    }
    for (unsigned i = 0; i < t->entries; i++) {
        if (t->node[i].used) {
            encode(t, r, i);
            encode_expansion(t, r, i);
        }
    }
    return t;
}

// The rule in words: the first child, in order, whose characters all come next; children share a
// first character only at the beginning.
static unsigned reference_match(const struct tree *t, const uint8_t *text, unsigned left,
                                unsigned *length)
{
    unsigned symbol = text[0];
    *length = 1;
    for (bool found = true; found;) {
        const struct node *p = &t->node[symbol];
        found = false;
        for (unsigned i = 0; i < p->children && !found; i++) {
            unsigned child = t->order[p->first + i];
            const struct node *c = &t->node[child];
            if (c->added <= left - *length && memcmp(text + *length, c->text, c->added) == 0) {
                *length += c->added;
                symbol = child;
                found = true;
            }
        }
    }
    return symbol;
}

// Symbols as bits behind `bit` zero bits; returns how many bits.
static unsigned reference_compress(const struct tree *t, const uint8_t *text, unsigned n,
                                   unsigned bit, uint8_t *out)
{
    for (unsigned length, i = 0; i < n; i += length) {
        unsigned symbol = reference_match(t, text + i, n - i, &length);
        for (unsigned k = 8 + t->size; k-- > 0; bit++)
            out[bit / 8] |= (uint8_t)((symbol >> k & 1) << (7 - bit % 8));
    }
    return bit;
}

static struct bare *load(const struct tree *t)
{
    struct bare *bare = rig_new("B263 0024 A714 FFFE B222 00F0");
    for (unsigned i = 0; i < t->entries; i++) {
        bare_put64(bare, DICTIONARY + 8 * i, t->compression[i]);
        bare_put64(bare, DICTIONARY + 8 * (t->entries + i), t->expansion[i]);
    }
    return bare;
}

static void call(struct bare *bare, const struct tree *t, unsigned flags, unsigned bit)
{
    bare->cpu->gr[0] = flags | t->size << 12 | (t->format1 ? FORMAT1 : 0);
    bare->cpu->gr[1] = DICTIONARY + (flags & EXPANSION ? 8 * t->entries : 0) + bit;
}

static void operands(struct bare *bare, uint64_t to, uint64_t n1, uint64_t from, uint64_t n2)
{
    struct cpu *cpu = bare->cpu;
    cpu->gr[2] = to;
    cpu->gr[3] = n1;
    cpu->gr[4] = from;
    cpu->gr[5] = n2;
    cpu->psw.address = CODE;
    cpu->psw.wait = false;
    cpu->psw.ea = cpu->psw.ba = true;
}

static unsigned run(struct bare *bare)
{
    assert_true(rig_good(bare));
    return bare->cpu->gr[15] >> 28 & 3;
}

static unsigned make_text(struct random *r, const struct tree *t, uint8_t *text, unsigned n)
{
    unsigned i = 0;
    while (i + 260 < n) {
        unsigned index = random_below(r, 8) ? 256 + random_below(r, t->next - 256) : 'a';
        if (!t->node[index].used)
            continue;
        whole_text(t, index, text + i);
        i += t->node[index].length;
        if (random_below(r, 8) == 0)
            text[i++] = (uint8_t)random64(r);
    }
    return i;
}

static void round_trip(struct random *r, const struct tree *t)
{
    static uint8_t text[2000], want[4000], got[4000];
    unsigned n = make_text(r, t, text, sizeof text), bit = random_below(r, 8);
    struct bare *bare = load(t);
    memset(want, 0, sizeof want);
    unsigned end = reference_compress(t, text, n, bit, want);
    want[0] |= (uint8_t)(0xFF00u >> bit); // bits before the first symbol stay
    bare_put(bare, FROM, text, n);
    bare_put(bare, TO, (const uint8_t[]){0xFF}, 1);
    call(bare, t, 0, bit);
    operands(bare, TO, sizeof got, FROM, n);
    assert_int_equal(run(bare), 0);
    assert_int_equal(bare->cpu->gr[2], TO + end / 8);
    assert_int_equal(bare->cpu->gr[3], sizeof got - end / 8);
    assert_int_equal(bare->cpu->gr[4], FROM + n);
    assert_int_equal(bare->cpu->gr[5], 0);
    assert_int_equal(bare->cpu->gr[1], DICTIONARY | end % 8);
    storage_read(bare->storage, TO, got, (end + 7) / 8);
    assert_memory_equal(got, want, (end + 7) / 8);

    call(bare, t, EXPANSION, bit);
    operands(bare, BACK, n + 300, TO, (end + 7) / 8);
    unsigned spare = (8 - end % 8) % 8; // fewer bits than a symbol has
    assert_true(spare < 9);
    assert_int_equal(run(bare), 0);
    assert_int_equal(bare->cpu->gr[2], BACK + n);
    assert_int_equal(bare->cpu->gr[4], TO + end / 8);
    assert_int_equal(bare->cpu->gr[1] % 8, end % 8);
    storage_read(bare->storage, BACK, got, n);
    assert_memory_equal(got, text, n);
    bare_free(bare);
}

static void test_random(void **state)
{
    (void)state;
    struct random r = {4711};
    for (unsigned size = 1; size <= 5; size++) {
        for (unsigned i = 0; i < 8; i++) {
            struct tree *t = tree_new(&r, size, i % 2);
            round_trip(&r, t);
            round_trip(&r, t);
            test_free(t);
        }
    }
}

// Operands end and begin anywhere: condition code 1, then on from there, the same result.
static void test_pieces(void **state)
{
    (void)state;
    struct random r = {815};
    static uint8_t text[1500], want[3000], got[3000];
    for (unsigned i = 0; i < 20; i++) {
        struct tree *t = tree_new(&r, 1 + i % 5, i & 1);
        struct bare *bare = load(t);
        unsigned n = make_text(&r, t, text, sizeof text), pieces = 0;
        memset(want, 0, sizeof want);
        unsigned end = reference_compress(t, text, n, 0, want);
        bare_put(bare, FROM, text, n);
        call(bare, t, 0, 0);
        operands(bare, TO, 0, FROM, n);
        do {
            operands(bare, bare->cpu->gr[2], bare->cpu->gr[3] + random_below(&r, 9),
                     bare->cpu->gr[4], bare->cpu->gr[5]);
            pieces++;
        } while (run(bare) == 1);
        assert_true(pieces > n / 200);
        assert_int_equal(bare->cpu->gr[2], TO + end / 8);
        storage_read(bare->storage, TO, got, (end + 7) / 8);
        assert_memory_equal(got, want, (end + 7) / 8);

        call(bare, t, EXPANSION, 0);
        operands(bare, BACK, 0, TO, 0);
        while (bare->cpu->gr[2] != BACK + n) { // either operand is short
            uint64_t source = bare->cpu->gr[5] + random_below(&r, 4);
            uint64_t rest = TO + (end + 7) / 8 - bare->cpu->gr[4];
            operands(bare, bare->cpu->gr[2], bare->cpu->gr[3] + random_below(&r, 60),
                     bare->cpu->gr[4], source < rest ? source : rest);
            assert_in_range(run(bare), 0, 1);
            assert_true(pieces++ < 100000);
        }
        storage_read(bare->storage, BACK, got, n);
        assert_memory_equal(got, text, n);
        bare_free(bare);
        test_free(t);
    }
}

// More than one execution does: condition code 3 and on, across pages.
static void test_long(void **state)
{
    (void)state;
    struct random r = {99};
    struct tree *t = tree_new(&r, 3, true);
    struct bare *bare = load(t);
    uint64_t n = 300000, from = 0x200000, to = 0x300000;
    for (uint64_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)('a' + random_below(&r, 3));
        bare_put(bare, from + i, &c, 1);
    }
    call(bare, t, 0, 0);
    operands(bare, to, 0xF0000, from, n);
    cpu_run(bare->cpu, 1);
    assert_int_equal(bare->cpu->psw.cc, 3);
    assert_int_equal(bare->cpu->gr[4] + bare->cpu->gr[5], from + n);
    assert_int_equal(run(bare), 0);
    uint64_t length = bare->cpu->gr[2] - to + (bare->cpu->gr[1] % 8 != 0);
    for (uint64_t i = 0; i < n; i += 4096) { // expand in place of the text, remembered at BACK
        uint8_t page[4096];
        storage_read(bare->storage, from + i, page, sizeof page);
        bare_put(bare, 0x50000 + i, page, n - i < 4096 ? (unsigned)(n - i) : 4096);
        memset(page, 0, sizeof page);
        bare_put(bare, from + i, page, sizeof page);
    }
    call(bare, t, EXPANSION, 0);
    operands(bare, from, n, to, length);
    assert_int_equal(run(bare), 0);
    for (uint64_t i = 0; i < n; i += 1000) {
        uint8_t a[1000], b[1000];
        storage_read(bare->storage, from + i, a, sizeof a);
        storage_read(bare->storage, 0x50000 + i, b, sizeof b);
        assert_memory_equal(a, b, sizeof a);
    }
    bare_free(bare);
    test_free(t);
}

// Symbols stored go through the table: here the table makes each its complement.
static void test_translation(void **state)
{
    (void)state;
    struct random r = {5};
    struct tree *t = tree_new(&r, 1, false);
    struct bare *bare = load(t);
    for (unsigned i = 0; i < 512; i++) {
        uint8_t entry[2];
        be16_store(entry, (uint16_t)~i);
        bare_put(bare, DICTIONARY + 0x12 * 128 + 0x2000 + 2 * i, entry, 2);
    }
    uint8_t text[600], want[600] = {0}, got[600];
    unsigned n = make_text(&r, t, text, sizeof text);
    unsigned end = reference_compress(t, text, n, 0, want);
    bare_put(bare, FROM, text, n);
    call(bare, t, TRANSLATION, 0);
    bare->cpu->gr[1] |= (0x12 + 0x2000 / 128) << 3;
    operands(bare, TO, sizeof got, FROM, n);
    assert_int_equal(run(bare), 0);
    storage_read(bare->storage, TO, got, sizeof got);
    for (unsigned i = 0; i < end; i++)
        assert_int_equal(got[i / 8] >> (7 - i % 8) & 1, !(want[i / 8] >> (7 - i % 8) & 1));
    bare_free(bare);
    test_free(t);
}

// Zeros to the boundary only with the bit and the facility, and only inside the operand.
static void test_padding(void **state)
{
    (void)state;
    struct random r = {6};
    struct tree *t = tree_new(&r, 1, false);
    for (unsigned i = 0; i < 4; i++) {
        struct bare *bare = load(t);
        uint8_t ones[512], got[512];
        memset(ones, 0xFF, sizeof ones);
        bare_put(bare, TO, ones, sizeof ones);
        cpu_facility_set(bare->cpu, 47, i != 1);
        bare_put(bare, FROM, (const uint8_t[]){0, 1, 2}, 3); // three symbols of nine bits
        call(bare, t, i == 0 ? 0 : ZERO_PAD, 0);
        operands(bare, TO, i == 3 ? 200 : sizeof ones, FROM, 3);
        assert_int_equal(run(bare), 0);
        assert_int_equal(bare->cpu->gr[2], TO + 3);
        storage_read(bare->storage, TO, got, sizeof got);
        assert_int_equal(got[3], 0x40); // the last symbol's end and zero bits
        for (unsigned k = 4; k < sizeof got; k++)
            assert_int_equal(got[k], i == 2 && k < 256 ? 0 : 0xFF);
        bare_free(bare);
    }
    test_free(t);
}

static unsigned fault_with(const struct tree *t, unsigned flags, unsigned index, uint64_t bits,
                           bool expansion)
{
    struct bare *bare = load(t);
    bare_put64(bare, DICTIONARY + 8 * ((expansion ? t->entries : 0) + index), bits);
    bare_put(bare, FROM, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 1}, 10);
    call(bare, t, flags, 0);
    operands(bare, TO, 4096, FROM, 10);
    unsigned code = rig_fault(bare);
    if (code == 7) {
        assert_int_equal(bare_get32(bare, 0x90), 0);
    }
    bare_free(bare);
    return code;
}

static void test_exceptions(void **state)
{
    (void)state;
    struct random r = {7};
    struct tree *t = tree_new(&r, 1, false);
    for (unsigned i = 1; i < 9; i++)
        t->compression[i] = 0;
    static const struct {
        uint64_t bits;
        unsigned code;
    } entries[] = {
        {UINT64_C(0x0000000000000000), 0}, // no children
        {UINT64_C(0x00A0000000000000), 7}, // five extension characters
        {UINT64_C(0xC0012C0000000000), 0}, // five children and siblings: 2 is none of them
        {UINT64_C(0xC0200C0000000000), 7}, // a count that four cannot have
        {UINT64_C(0xE0000C0000000000), 7}, // seven
        {UINT64_C(0x3000410200000000), 0}, // a child at 65, examined
        {UINT64_C(0x3010000200000000), 7}, // at X'1000', beyond the dictionary
        {UINT64_C(0x2010000200000000), 7}, // not even as a leaf
    };
    t->compression[0x12C + 5] = at_bit(1, 0, 3); // a sibling descriptor
    t->compression[65] = 0;
    for (unsigned i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (fault_with(t, 0, 1, entries[i].bits, false) != entries[i].code)
            fail_msg("entry %u", i);
    }
    t->compression[0x12C + 5] = 0; // with no siblings
    assert_int_equal(fault_with(t, 0, 1, entries[2].bits, false), 7);

    struct bare *bare = load(t);
    static const uint64_t wrong[] = {0, UINT64_C(0xC000000000000000), // length 0; more than five
                                     UINT64_C(0x2100414100000001)};   // preceded by itself
    for (unsigned i = 0; i < 3; i++) {
        bare_put64(bare, DICTIONARY + 8 * (t->entries + 0x100), wrong[i]);
        bare_put(bare, FROM, (const uint8_t[]){0x80, 0x00}, 2);
        call(bare, t, EXPANSION, 0);
        operands(bare, TO, 4096, FROM, 2);
        assert_int_equal(rig_fault(bare), 7);
    }
    static const struct {
        const char *code;
        unsigned r0;
    } specification[] = {
        {"B263 0034", 0x1000}, {"B263 0025", 0x1000}, {"B263 0024", 0}, {"B263 0024", 0x6000}};
    bare_free(bare);
    for (unsigned i = 0; i < 4; i++) {
        bare = rig_new(specification[i].code);
        bare->cpu->gr[0] = specification[i].r0;
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
    test_free(t);
}

// A page fault leaves what is complete complete; the instruction goes on from there.
static void test_page_fault(void **state)
{
    (void)state;
    struct random r = {8};
    struct tree *t = tree_new(&r, 2, true);
    uint8_t text[1000], want[2000] = {0}, got[2000];
    unsigned n = make_text(&r, t, text, sizeof text);
    unsigned end = reference_compress(t, text, n, 0, want);
    struct bare *bare = load(t);
    rig_dat(bare);
    uint64_t from = FROM + 0x1000 - n / 2, to = TO + 0x1000 - end / 32;
    bare_put(bare, from, text, n);
    bare_put64(bare, rig_pte(FROM + 0x1000), (FROM + 0x1000) | 0x400);
    bare_put64(bare, rig_pte(TO + 0x1000), (TO + 0x1000) | 0x400);
    call(bare, t, 0, 0);
    operands(bare, to, sizeof got, from, n);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(rig_fault(bare), 0x11);
        uint64_t page = bare_get64(bare, 0xA8) & ~UINT64_C(0xFFF);
        assert_int_equal(page, i ? FROM + 0x1000 : TO + 0x1000);
        assert_int_equal(bare_get64(bare, 0x158), CODE);
        bare_put64(bare, rig_pte(page), page);
        operands(bare, bare->cpu->gr[2], bare->cpu->gr[3], bare->cpu->gr[4], bare->cpu->gr[5]);
        bare->cpu->psw.dat = true;
        cpu_flush(bare->cpu);
    }
    assert_int_equal(run(bare), 0);
    storage_read(bare->storage, to, got, (end + 7) / 8);
    assert_memory_equal(got, want, (end + 7) / 8);
    bare_free(bare);
    test_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),     cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_long),       cmocka_unit_test(test_translation),
        cmocka_unit_test(test_padding),    cmocka_unit_test(test_exceptions),
        cmocka_unit_test(test_page_fault),
    };
    return cmocka_run_group_tests_name("COMPRESSION CALL", tests, NULL, NULL);
}
