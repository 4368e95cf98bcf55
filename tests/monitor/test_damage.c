// SPDX-License-Identifier: MIT
// A small, complete file, cut at every byte and with every bit turned over: the reader tells of it
// or the bit is part of a record's value or of nothing at all; no other record is affected, and
// none is made up. What reports make of such files is in test_report.c.
#include <endicott-monitor.h>

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "sample_file.h"

#define RECORDS_MAX 64

// Where the records of the whole file are.
static struct {
    uint64_t offset;
    size_t length;
    unsigned domain, number, flags;
} whole[RECORDS_MAX];
static unsigned whole_count;
static uint8_t in_record[16 * 4096]; // 1: a byte of a record, 2: of its header

struct seen {
    const struct text *file, *original;
    uint64_t flipped; // this byte is not the original's
    uint64_t last;    // offset of the last record + 1
    unsigned records, damages;
};

static struct text small_file(void)
{
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 0);
    sample_begin(f, 60);
    for (unsigned cpu = 0; cpu < 2; cpu++)
        sample_span(sample_record(f, 0, 2), "PFXTOTWT", 60);
    sample_put(sample_record(f, 0, 8), "SYSUSRS", 3);
    for (unsigned user = 0; user < 12; user++) // more than a frame has room for
        sample_text(sample_record(f, 4, 3), "VMDUSER", "SOMEBODY");
    sample_record(f, 1, 10);
    sample_end(f, SAMPLE_SET);
    stream_end(&f->out);
    struct text out = f->out;
    free(f);
    return out;
}

static void note_record(void *arg, const struct endicott_monitor_record *r)
{
    (void)arg;
    assert_true(whole_count < RECORDS_MAX && r->offset + r->length <= sizeof in_record);
    whole[whole_count].offset = r->offset;
    whole[whole_count].length = r->length;
    whole[whole_count].domain = r->domain;
    whole[whole_count].number = r->number;
    whole[whole_count++].flags = r->flags;
    memset(in_record + r->offset, 1, r->length);
    memset(in_record + r->offset, 2, RECORD_HEADER);
}

static int index_of(uint64_t offset)
{
    for (unsigned i = 0; i < whole_count; i++)
        if (whole[i].offset == offset)
            return (int)i;
    return -1;
}

static void on_record(void *arg, const struct endicott_monitor_record *r)
{
    struct seen *seen = arg;
    int i = index_of(r->offset);
    if (i < 0)
        fail_msg("byte %llu: a record at %llu, where there was none",
                 (unsigned long long)seen->flipped, (unsigned long long)r->offset);
    assert_true(r->offset >= seen->last); // in order, each once
    seen->last = r->offset + 1;
    seen->records++;
    // Read all of it: a sanitizer sees a byte too far.
    uint8_t *copy = malloc(r->length);
    memcpy(copy, r->raw, r->length);
    bool hit = seen->flipped >= r->offset && seen->flipped < r->offset + r->length;
    if (!hit) {
        assert_int_equal(r->length, whole[i].length);
        assert_int_equal(r->domain, whole[i].domain);
        assert_int_equal(r->number, whole[i].number);
        assert_memory_equal(copy, seen->original->s + r->offset, r->length);
    }
    free(copy);
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    struct seen *seen = arg;
    assert_true(offset <= seen->file->len && reason && *reason);
    seen->damages++;
}

static const struct endicott_monitor_events noting = {note_record, NULL};
static const struct endicott_monitor_events checking = {on_record, on_damage};

static uint64_t read_all(const struct endicott_monitor_events *events, const char *bytes, size_t n,
                         void *arg)
{
    struct endicott_monitor_reader *reader = endicott_monitor_open(events, arg);
    endicott_monitor_feed(reader, bytes, n);
    return endicott_monitor_close(reader);
}

static struct text noted_file(void)
{
    struct text t = small_file();
    whole_count = 0;
    memset(in_record, 0, sizeof in_record);
    assert_int_equal(read_all(&noting, t.s, t.len, NULL), 0);
    assert_int_equal(whole_count, 4 + (2 + 1 + 12 + 1 + 1 + 1));
    return t;
}

static unsigned whole_records_before(size_t size)
{
    unsigned n = 0;
    while (n < whole_count && whole[n].offset + whole[n].length <= size)
        n++;
    return n;
}

static void every_cut_is_told(void **state)
{
    (void)state;
    struct text t = noted_file();
    for (size_t size = 0; size < t.len; size++) {
        struct text part = {.s = t.s, .len = size};
        struct seen seen = {.file = &part, .original = &t, .flipped = UINT64_MAX};
        char *exact = malloc(size ? size : 1);
        memcpy(exact, t.s, size);
        uint64_t damages = read_all(&checking, exact, size, &seen);
        assert_int_equal(damages, seen.damages);
        assert_true(seen.damages >= 1);
        assert_int_equal(seen.records, whole_records_before(size));
        free(exact);
    }
    text_free(&t);
}

static void every_bit_is_told_or_a_value(void **state)
{
    (void)state;
    struct text t = noted_file(), original = {0};
    text_add(&original, t.s, t.len);
    for (size_t bit = 0; bit < 8 * t.len; bit++) {
        struct seen seen = {.file = &t, .original = &original, .flipped = bit / 8};
        t.s[bit / 8] = (char)(t.s[bit / 8] ^ (1 << bit % 8));
        uint64_t damages = read_all(&checking, t.s, t.len, &seen);
        assert_int_equal(damages, seen.damages);
        if (seen.damages == 0 && seen.records != whole_count)
            fail_msg("bit %zu of byte %zu: %u records, and nothing is said", bit % 8, bit / 8,
                     seen.records);
        // Damage is where the bit is, not in what is far from it.
        if (seen.damages && in_record[bit / 8] == 1)
            fail_msg("bit %zu of byte %zu: a value, and damage is told", bit % 8, bit / 8);
        t.s[bit / 8] = (char)(t.s[bit / 8] ^ (1 << bit % 8));
    }
    text_free(&t);
    text_free(&original);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_told),
        cmocka_unit_test(every_bit_is_told_or_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
