// SPDX-License-Identifier: MIT
// libendicott-monitor through its header alone; streams are made by the tests' own hand.
#include <endicott-monitor.h>

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "sample_system.h"

struct seen {
    unsigned records, configuration, subinterval, event, unknown, damages;
    uint64_t offset;
    double wait; // of CPU 0, from the last D0R2
    char user[9];
    unsigned fields, elements;
};

static void count_field(void *arg, const struct endicott_monitor_field *field, const char *list,
                        unsigned index)
{
    struct seen *seen = arg;
    assert_non_null(field->name);
    assert_non_null(field->bytes);
    seen->fields++;
    seen->elements += list && index > 0;
}

static void on_record(void *arg, const struct endicott_monitor_record *r)
{
    struct seen *seen = arg;
    struct endicott_monitor_field f;
    seen->records++;
    seen->configuration += (r->flags & ENDICOTT_MONITOR_CONFIGURATION) != 0;
    seen->subinterval += (r->flags & ENDICOTT_MONITOR_SUBINTERVAL) != 0;
    seen->event += (r->flags & ENDICOTT_MONITOR_EVENT) != 0;
    seen->unknown += !r->name;
    if (r->domain == 0 && r->number == 2 && endicott_monitor_field(r, "SYTPRP_PFXTOTWT", &f)) {
        assert_int_equal(f.type, ENDICOTT_MONITOR_SPAN);
        assert_true(f.counter);
        seen->wait = endicott_monitor_seconds(f.number);
    }
    if (r->domain == 4 && r->number == 3) {
        assert_true(endicott_monitor_field(r, "VMDUSER", &f));
        size_t n = endicott_monitor_text(&f, seen->user, sizeof seen->user);
        assert_int_equal(n, strlen(seen->user));
        assert_false(endicott_monitor_field(r, "NOSUCH", &f));
    }
    if (r->domain == 5 && r->number == 3)
        endicott_monitor_fields(r, count_field, seen);
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    struct seen *seen = arg;
    assert_non_null(reason);
    if (seen->damages++ == 0)
        seen->offset = offset;
}

static const struct endicott_monitor_events events = {on_record, on_damage};

static struct sample_file *file(void)
{
    const struct sample_what what = {0};
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 30);
    sample_everything(f, 30, &what);
    sample_end(f, SAMPLE_BETWEEN);
    sample_everything(f, 60, &what);
    sample_end(f, SAMPLE_SET);
    stream_end(&f->out);
    return f;
}

static void pieces_of_any_size(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 13, 4096, 5000, 1000000};
    struct sample_file *f = file();
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct seen seen = {0};
        struct endicott_monitor_reader *reader = endicott_monitor_open(&events, &seen);
        assert_non_null(reader);
        for (size_t at = 0; at < f->out.len; at += pieces[i])
            endicott_monitor_feed(reader, f->out.s + at,
                                  f->out.len - at < pieces[i] ? f->out.len - at : pieces[i]);
        assert_int_equal(endicott_monitor_close(reader), 0);
        assert_int_equal(seen.configuration, 4); // D1R9, D1R4, D1R7, D1R11
        assert_true(seen.subinterval > 10 && seen.subinterval < seen.records / 2 + 1);
        assert_int_equal(seen.event, 0);
        assert_int_equal(seen.damages, 0);
        assert_true(fabs(seen.wait - 33) < 1e-6);
        assert_string_equal(seen.user, "TCPIP");
        assert_int_equal(seen.elements,
                         4 * 63); // PLSSTLCT has 64 elements, in each of four records
    }
    text_free(&f->out);
    free(f);
}

static void damage_is_counted_and_told(void **state)
{
    (void)state;
    struct sample_file *f = file();
    struct seen seen = {0};
    f->out.s[4096] = 0x7F; // the length of the first record of the configuration
    struct endicott_monitor_reader *reader = endicott_monitor_open(&events, &seen);
    endicott_monitor_feed(reader, f->out.s, f->out.len - 4096); // and no end
    assert_int_equal(endicott_monitor_close(reader), 2);
    assert_int_equal(seen.damages, 2);
    assert_int_equal(seen.offset, 4096);
    assert_string_equal(seen.user, "TCPIP");
    // Callbacks may be left out.
    static const struct endicott_monitor_events none;
    reader = endicott_monitor_open(&none, NULL);
    endicott_monitor_feed(reader, f->out.s, f->out.len);
    assert_int_equal(endicott_monitor_close(reader), 1);
    assert_int_equal(endicott_monitor_close(NULL), 0);
    assert_int_not_equal(endicott_monitor_file("/nonexistent", &none, NULL, NULL), 0);
    text_free(&f->out);
    free(f);
}

static void differences_wrap(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint64_t before, now, difference;
    } cases[] = {
        {1, 250, 4, 10},       {2, 65535, 0, 1}, {4, 0xFFFFFFFF, 0x10, 0x11},
        {8, UINT64_MAX, 1, 2}, {4, 5, 5, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct endicott_monitor_field a = {.size = cases[i].size, .number = cases[i].before};
        struct endicott_monitor_field b = {.size = cases[i].size, .number = cases[i].now};
        assert_true(endicott_monitor_difference(&a, &b) == cases[i].difference);
    }
    assert_true(endicott_monitor_unix_time(0x7D91048BCA000000) == 0);
    assert_true(fabs(endicott_monitor_unix_time(SAMPLE_START) - 1767225600) < 1e-6);
    assert_true(endicott_monitor_unix_time(0) < -2.2e9);
}

struct last {
    unsigned end, fields;
};

static void lies_after(void *arg, const struct endicott_monitor_field *field, unsigned offset,
                       unsigned elements, const char *meaning)
{
    struct last *last = arg;
    assert_null(field->bytes);
    assert_non_null(meaning);
    assert_true(offset >= last->end && elements >= 1);
    last->end = offset + elements * (unsigned)field->size;
    last->fields++;
}

static void layouts_ascend_and_do_not_overlap(void **state)
{
    (void)state;
    struct endicott_monitor_layout l;
    unsigned before = 0, n = 0;
    for (; endicott_monitor_layout(n, &l); n++) {
        struct last last = {.end = 20};
        assert_true(n == 0 || l.domain * 1000 + l.number > before);
        before = l.domain * 1000 + l.number;
        endicott_monitor_layout_fields(l.domain, l.number, lies_after, &last);
        if (last.end > l.length)
            fail_msg("%s: %u bytes of %u", l.name, last.end, l.length);
    }
    assert_true(n > 100);
    struct last none = {0};
    endicott_monitor_layout_fields(15, 63, lies_after, &none);
    assert_int_equal(none.fields, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_any_size),
        cmocka_unit_test(damage_is_counted_and_told),
        cmocka_unit_test(differences_wrap),
        cmocka_unit_test(layouts_ascend_and_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
