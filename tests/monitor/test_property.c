// SPDX-License-Identifier: MIT
// decode(encode(x)) = x, for every record of the tables: values of all kinds are stored by the
// engine's encoder, the records go through MONWRITE's form, and libendicott-monitor's public reader
// finds every value again, by order and by name.
#include <endicott-monitor.h>

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "monitor/record_encode.h"
#include "sample_file.h"

#define ROUNDS 40

static uint64_t seed = 20260101;

static uint64_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

// What a field was given, and what is to come back.
struct value {
    const char *name, *list;
    enum endicott_monitor_type type;
    bool counter;
    unsigned index, size;
    uint64_t number;
    char text[64];
    uint8_t bytes[RECORD_MAX];
};

static struct value values[4096];
static unsigned value_count;

static struct value *new_value(const char *name, const char *list, unsigned index,
                               enum field_type type, unsigned size)
{
    static const enum endicott_monitor_type types[] = {
        [FIELD_NUMBER] = ENDICOTT_MONITOR_NUMBER, [FIELD_TIME] = ENDICOTT_MONITOR_TIME,
        [FIELD_SPAN] = ENDICOTT_MONITOR_SPAN,     [FIELD_TEXT] = ENDICOTT_MONITOR_TEXT,
        [FIELD_BYTES] = ENDICOTT_MONITOR_BYTES,
    };
    struct value *v = &values[value_count++];
    *v = (struct value){
        .name = name, .list = list, .index = index, .type = types[type], .size = size};
    return v;
}

// Small values, powers of two and their neighbours, all bits: what widths and signs stumble over.
static uint64_t any_number(void)
{
    switch (any() % 4) {
    case 0:
        return any() % 300;
    case 1:
        return (UINT64_C(1) << any() % 64) - any() % 2;
    case 2:
        return UINT64_MAX - any() % 2;
    default:
        return any();
    }
}

static uint64_t kept_of(const struct record_field *f, uint64_t number)
{
    uint64_t most = f->length == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * f->length) - 1;
    return f->kind == KIND_GAUGE && number > most ? most : number & most;
}

static void any_text(char *out, unsigned size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$ abcxyz.:-_*";
    unsigned n = (unsigned)(any() % (size + 1));
    for (unsigned i = 0; i < n; i++)
        out[i] = letters[any() % (sizeof letters - 1)];
    while (n && out[n - 1] == ' ') // blanks at the end are padding
        n--;
    out[n] = '\0';
}

// One element; `item` NULL: of the record's own fields, else of the table whose entry is at
// `record`.
static void give(uint8_t *record, const struct record_field *f, unsigned element, const char *item,
                 unsigned index)
{
    const char *list = item ? item : f->count > 1 ? f->name : NULL;
    struct value *v =
        new_value(f->name, list, item ? index : element, (enum field_type)f->type, f->length);
    v->counter = f->kind == KIND_COUNTER;
    uint8_t *at = record + f->offset + element * (size_t)f->length;
    if (f->type == FIELD_TEXT) {
        any_text(v->text, f->length < 60 ? f->length : 60);
        record_store_text(record, f, v->text);
    } else if (f->type == FIELD_BYTES) {
        for (unsigned i = 0; i < f->length; i++)
            at[i] = (uint8_t)any();
    } else {
        uint64_t number = any_number();
        v->number = kept_of(f, number);
        record_store_number(record, f, element, number);
    }
    memcpy(v->bytes, at, f->length); // of numbers and text: their own check is by value
}

static const struct record_field *field_named(const struct record_layout *l, const char *name)
{
    for (unsigned i = 0; name && i < l->field_count; i++)
        if (strcmp(l->fields[i].name, name) == 0)
            return &l->fields[i];
    return NULL;
}

static void set_number(uint8_t *record, const struct record_layout *l, const char *name,
                       uint64_t number)
{
    const struct record_field *f = field_named(l, name);
    if (!f)
        return;
    record_store_number(record, f, 0, number);
    for (unsigned i = 0; i < value_count; i++)
        if (strcmp(values[i].name, name) == 0 && !values[i].list)
            values[i].number = number;
}

// What follows the fields: a table of items, a list of values, or one value.
static unsigned give_tail(uint8_t *record, const struct record_layout *l,
                          const struct record_tail *tail)
{
    unsigned item = 0, count = tail->count_name ? (unsigned)(any() % 9) : 1;
    for (unsigned k = 0; k < tail->field_count; k++)
        item = tail->fields[k].offset + tail->fields[k].length;
    if (!tail->fields)
        item = 8 + (unsigned)(any() % 50) * (tail->count_name == NULL);
    for (unsigned i = 0; i < count; i++) {
        uint8_t *at = record + l->length + i * item;
        memset(at, 0, item);
        for (unsigned k = 0; k < tail->field_count; k++)
            if (tail->fields[k].type != FIELD_RESERVED)
                give(at, &tail->fields[k], 0, tail->name, i);
        if (tail->fields)
            continue;
        struct value *v =
            new_value(tail->name, tail->count_name ? tail->name : NULL, i, FIELD_BYTES, item);
        for (unsigned b = 0; b < item; b++)
            v->bytes[b] = at[b] = (uint8_t)any();
    }
    set_number(record, l, tail->offset_name, l->length);
    set_number(record, l, tail->length_name, (uint64_t)count * item);
    set_number(record, l, tail->count_name, count);
    set_number(record, l, tail->item_name, item);
    return count * item;
}

// A record of any values at `out`; its length.
static unsigned make(enum record_id id, tod_t time, uint8_t out[RECORD_MAX])
{
    const struct record_layout *l = &record_layouts[id];
    const struct record_tail *tail = record_tail(l);
    value_count = 0;
    record_begin(id, l->length, time, out);
    for (unsigned k = 0; k < l->field_count; k++)
        for (unsigned e = 0; l->fields[k].type != FIELD_RESERVED && e < l->fields[k].count; e++)
            give(out, &l->fields[k], e, NULL, 0);
    unsigned length = l->length + (tail ? give_tail(out, l, tail) : 0);
    be16_store(out, (uint16_t)length);
    return length;
}

// --- reading it -----------------------------------------------------------------------

struct seen {
    const struct record_layout *layout;
    tod_t time;
    unsigned length, records, at;
};

static void same(const struct value *v, const struct endicott_monitor_field *f)
{
    char text[80];
    assert_string_equal(f->name, v->name);
    assert_int_equal(f->size, v->size);
    if (v->type == ENDICOTT_MONITOR_TEXT) {
        assert_int_equal(f->type, v->type);
        endicott_monitor_text(f, text, sizeof text);
        assert_string_equal(text, v->text);
    } else if (v->type == ENDICOTT_MONITOR_BYTES) {
        assert_memory_equal(f->bytes, v->bytes, v->size);
    } else {
        assert_int_equal(f->type, v->type);
        if (f->number != v->number)
            fail_msg("%s: %llx, not %llx", v->name, (unsigned long long)f->number,
                     (unsigned long long)v->number);
    }
}

static void on_field(void *arg, const struct endicott_monitor_field *f, const char *list,
                     unsigned index)
{
    struct seen *seen = arg;
    assert_true(seen->at < value_count);
    const struct value *v = &values[seen->at++];
    same(v, f);
    assert_int_equal(list != NULL, v->list != NULL);
    if (list)
        assert_string_equal(list, v->list);
    assert_int_equal(index, list ? v->index : 0);
    assert_int_equal(f->counter, v->counter);
}

static void on_record(void *arg, const struct endicott_monitor_record *r)
{
    struct seen *seen = arg;
    struct endicott_monitor_field f;
    char name[64];
    if (seen->records++ > 0) { // D1R11, unless the record is one itself
        assert_int_equal(r->domain, 1);
        return;
    }
    assert_int_equal(r->domain, seen->layout->domain);
    assert_int_equal(r->number, seen->layout->number);
    assert_string_equal(r->name, seen->layout->name);
    assert_int_equal(r->tod, seen->time);
    assert_int_equal(r->length, seen->length);
    endicott_monitor_fields(r, on_field, seen);
    assert_int_equal(seen->at, value_count);
    for (unsigned i = 0; i < value_count; i++) {
        if (values[i].list)
            continue; // by name there is the first of a list
        assert_true(endicott_monitor_field(r, values[i].name, &f));
        same(&values[i], &f);
        snprintf(name, sizeof name, "%s_%s", seen->layout->name + 2, values[i].name);
        assert_true(endicott_monitor_field(r, name, &f));
        same(&values[i], &f);
    }
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    struct seen *seen = arg;
    fail_msg("%s: damaged at byte %llu: %s", seen->layout->name, (unsigned long long)offset,
             reason);
}

static void read_back(struct sample_file *f, struct seen *seen)
{
    static const struct endicott_monitor_events events = {on_record, on_damage};
    struct endicott_monitor_reader *reader = endicott_monitor_open(&events, seen);
    assert_non_null(reader);
    endicott_monitor_feed(reader, f->out.s, f->out.len);
    assert_int_equal(endicott_monitor_close(reader), 0);
    assert_true(seen->records >= 1);
}

static void decoding_is_encoding_backwards(void **state)
{
    (void)state;
    struct sample_file *f = calloc(1, sizeof *f);
    for (unsigned id = 0; id < RECORD_COUNT; id++) {
        const struct record_layout *l = &record_layouts[id];
        if (id == D1R11 ||
            id == D1R13) // ends of sets and frames: in every file, and without fields
            continue;
        for (unsigned round = 0; round < ROUNDS; round++) {
            struct seen seen = {.layout = l, .time = any()};
            text_clear(&f->out);
            sample_begin(f, 0);
            seen.length = make((enum record_id)id, seen.time, f->set);
            f->used = seen.length;
            sample_end(f, l->class == CLASS_EVENT || l->class == CLASS_EVENT_CONFIG ? 0xC5C40000u
                                                                                    : SAMPLE_SET);
            stream_end(&f->out);
            read_back(f, &seen);
        }
    }
    text_free(&f->out);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_is_encoding_backwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
