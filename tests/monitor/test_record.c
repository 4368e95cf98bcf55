// SPDX-License-Identifier: MIT
// The layout tables, and decoding by them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "monitor/record.h"

// Lengths that are published for the level of the layouts (D1R9: 36, and 52 with later fields).
static const struct {
    unsigned domain, number, length;
} published[] = {
    {0, 1, 116}, {0, 2, 108}, {0, 3, 492},  {0, 8, 100},  {1, 1, 24},  {1, 2, 24},  {1, 3, 24},
    {1, 4, 184}, {1, 5, 44},  {1, 7, 144},  {1, 9, 52},   {1, 10, 32}, {1, 11, 20}, {1, 12, 20},
    {1, 13, 20}, {1, 14, 28}, {1, 15, 116}, {3, 1, 352},  {3, 2, 364}, {4, 1, 96},  {4, 2, 364},
    {5, 3, 384}, {6, 1, 228}, {6, 3, 260},  {6, 21, 340}, {8, 1, 284}, {10, 1, 52}, {10, 2, 52},
};

static void lengths_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const struct record_layout *l = record_layout(published[i].domain, published[i].number);
        assert_non_null(l);
        assert_int_equal(l->length, published[i].length);
    }
}

static void fields_cover_each_record_without_gap_or_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *l = &record_layouts[i];
        unsigned end = RECORD_HEADER;
        for (unsigned k = 0; k < l->field_count; k++) {
            assert_int_equal(l->fields[k].offset, end);
            end += l->fields[k].length * l->fields[k].count;
        }
        assert_int_equal(end, l->length);
        assert_ptr_equal(record_layout(l->domain, l->number), l);
    }
}

static void names_are_unique_and_described(void **state)
{
    (void)state;
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *l = &record_layouts[i];
        for (unsigned k = 0; k < l->field_count; k++) {
            const struct record_field *f = &l->fields[k];
            if (f->type == FIELD_RESERVED)
                continue;
            assert_true(f->name[0] != '\0' && f->text[0] != '\0');
            for (unsigned j = 0; j < k; j++)
                assert_string_not_equal(f->name, l->fields[j].name);
        }
    }
}

static unsigned rand_byte(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(*seed >> 40) & 0xFF;
}

static void make_record(const struct record_layout *l, uint8_t *raw, uint64_t *seed)
{
    for (unsigned i = 0; i < l->length; i++)
        raw[i] = (uint8_t)rand_byte(seed);
    be16_store(raw, (uint16_t)l->length);
    be16_store(raw + 2, 0);
    raw[4] = (uint8_t)l->domain;
    be16_store(raw + 6, (uint16_t)l->number);
}

static uint64_t by_hand(const uint8_t *raw, unsigned offset, unsigned length)
{
    switch (length) {
    case 1:
        return raw[offset];
    case 2:
        return be16_load(raw + offset);
    case 4:
        return be32_load(raw + offset);
    default:
        return be64_load(raw + offset);
    }
}

struct visited {
    const uint8_t *raw;
    size_t length;
    unsigned fields;
};

static void check_value(void *arg, const struct record_value *v, const char *section,
                        unsigned index)
{
    struct visited *visited = arg;
    if (!v->field)
        return; // the tail
    unsigned at = v->field->offset + index * v->field->length;
    assert_true(at + v->size <= visited->length);
    assert_ptr_equal(v->bytes, visited->raw + at);
    if (v->type != FIELD_TEXT && v->type != FIELD_BYTES)
        assert_int_equal(v->number, by_hand(visited->raw, at, v->field->length));
    assert_int_equal(section != NULL, v->field->count > 1);
    visited->fields++;
}

static unsigned whole_fields(const struct record_layout *l, size_t length)
{
    unsigned n = 0;
    for (unsigned k = 0; k < l->field_count; k++)
        for (unsigned e = 0; e < l->fields[k].count; e++)
            n += l->fields[k].type != FIELD_RESERVED &&
                 l->fields[k].offset + (e + 1) * l->fields[k].length <= length;
    return n;
}

static void every_field_decodes_at_every_length(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *l = &record_layouts[i];
        for (unsigned length = 0; length <= l->length; length++) {
            uint8_t *raw = malloc(l->length), *exact = malloc(length ? length : 1);
            make_record(l, raw, &seed);
            memcpy(exact, raw, length); // so that a sanitizer sees a byte too far
            struct visited visited = {exact, length, 0};
            record_visit(exact, length, check_value, &visited);
            assert_int_equal(visited.fields, length < RECORD_HEADER ? 0 : whole_fields(l, length));
            free(exact);
            free(raw);
        }
    }
}

static void fields_are_found_with_and_without_prefix(void **state)
{
    (void)state;
    uint8_t raw[128];
    uint64_t seed = 7;
    struct record_value v;
    make_record(record_layout(0, 2), raw, &seed);
    be64_store(raw + 32, 0x123456789ABCDEF0);
    assert_true(record_value(raw, 108, "SYTPRP_PFXUTIME", &v));
    assert_int_equal(v.number, 0x123456789ABCDEF0);
    assert_int_equal(v.type, FIELD_SPAN);
    assert_true(record_value(raw, 108, "PFXUTIME", &v));
    assert_int_equal(record_number(raw, 108, "PFXUTIME"), 0x123456789ABCDEF0);
    assert_false(record_value(raw, 108, "USEACT_PFXUTIME", &v));
    assert_false(record_value(raw, 39, "PFXUTIME", &v)); // not all of it is there
    assert_false(record_value(raw, 108, "", &v));
    raw[6] = 0x7F; // an unknown record
    assert_false(record_value(raw, 108, "PFXUTIME", &v));
}

static void array_elements_come_one_by_one(void **state)
{
    (void)state;
    uint8_t raw[384];
    uint64_t seed = 3;
    struct record_value v;
    make_record(record_layout(5, 3), raw, &seed);
    assert_true(record_value(raw, 384, "PLSSTLCT", &v));
    assert_int_equal(v.number, be32_load(raw + 124));
    struct visited visited = {raw, 384, 0};
    record_visit(raw, 384, check_value, &visited);
    assert_int_equal(visited.fields, whole_fields(record_layout(5, 3), 384));
    assert_true(visited.fields > 64);
}

static void tails_are_bounded_by_their_fields(void **state)
{
    (void)state;
    uint8_t raw[64] = {0};
    struct record_value v;
    be16_store(raw, 64);
    raw[4] = 10;
    be16_store(raw + 6, 2);
    be16_store(raw + 20, 52);
    be16_store(raw + 22, 12);
    assert_true(record_value(raw, 64, "ADATA", &v));
    assert_ptr_equal(v.bytes, raw + 52);
    assert_int_equal(v.size, 12);
    be16_store(raw + 22, 13); // beyond the record
    assert_false(record_value(raw, 64, "APLSDT_ADATA", &v));
    be16_store(raw + 22, 1);
    be16_store(raw + 20, 51); // inside the fields
    assert_false(record_value(raw, 64, "ADATA", &v));
    be16_store(raw + 20, 0xFFFF);
    assert_false(record_value(raw, 64, "ADATA", &v));
}

static void count_items(void *arg, const struct record_value *v, const char *section,
                        unsigned index)
{
    unsigned *items = arg;
    if (section && strcmp(section, "DMITEMS") == 0) {
        assert_int_equal(index, *items);
        assert_int_equal(v->size, 8);
        ++*items;
    }
}

static void lists_are_repeated_sections(void **state)
{
    (void)state;
    uint8_t raw[28 + 24] = {0};
    unsigned items = 0;
    be16_store(raw, sizeof raw);
    raw[4] = 1;
    be16_store(raw + 6, 14);
    be32_store(raw + 24, 3);
    record_visit(raw, sizeof raw, count_items, &items);
    assert_int_equal(items, 3);
    be32_store(raw + 24, 0xFFFFFFFF); // more items than bytes
    items = 0;
    record_visit(raw, sizeof raw, count_items, &items);
    assert_int_equal(items, 0);
}

static void headers_are_checked(void **state)
{
    (void)state;
    uint8_t raw[40] = {0};
    struct record_header h;
    be16_store(raw, 24);
    raw[4] = 4;
    be16_store(raw + 6, 3);
    be64_store(raw + 8, 42);
    assert_true(record_header(raw, sizeof raw, &h));
    assert_int_equal(h.length, 24);
    assert_int_equal(h.domain, 4);
    assert_int_equal(h.number, 3);
    assert_int_equal(h.time, 42);
    assert_false(record_header(raw, 23, &h)); // beyond what is there
    assert_false(record_header(raw, 19, &h));
    be16_store(raw, 19);
    assert_false(record_header(raw, sizeof raw, &h));
    be16_store(raw, 24);
    raw[3] = 1;
    assert_false(record_header(raw, sizeof raw, &h));
    raw[3] = 0;
    raw[4] = 16;
    assert_false(record_header(raw, sizeof raw, &h));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_the_published_ones),
        cmocka_unit_test(fields_cover_each_record_without_gap_or_overlap),
        cmocka_unit_test(names_are_unique_and_described),
        cmocka_unit_test(every_field_decodes_at_every_length),
        cmocka_unit_test(fields_are_found_with_and_without_prefix),
        cmocka_unit_test(array_elements_come_one_by_one),
        cmocka_unit_test(tails_are_bounded_by_their_fields),
        cmocka_unit_test(lists_are_repeated_sections),
        cmocka_unit_test(headers_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
