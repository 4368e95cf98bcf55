// SPDX-License-Identifier: MIT
// The MONWRITE reader, with whole and with damaged streams.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "monitor/reader.h"
#include "monitor/report.h"
#include "stream.h"

struct seen {
    unsigned records, known, ends;
    uint64_t bytes;
    unsigned damages;
    uint64_t offset; // of the first damage
    char reason[80];
};

static void on_record(void *arg, const struct reader_record *r)
{
    struct seen *seen = arg;
    seen->records++;
    seen->known += r->layout != NULL;
    seen->bytes += r->header.length;
    seen->ends += r->header.domain == 1 && r->header.number == 11;
    assert_int_equal(r->header.length, be16_load(r->raw));
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    struct seen *seen = arg;
    if (seen->damages++ == 0) {
        seen->offset = offset;
        snprintf(seen->reason, sizeof seen->reason, "%s", reason);
    }
}

static const struct reader_ops ops = {on_record, on_damage};

static struct seen read_in_pieces(const struct text *stream, size_t size, size_t piece)
{
    struct seen seen = {0};
    struct reader reader;
    reader_init(&reader, &ops, &seen);
    for (size_t at = 0; at < size; at += piece)
        reader_feed(&reader, stream->s + at, size - at < piece ? size - at : piece);
    reader_finish(&reader);
    assert_int_equal(reader.records, seen.records);
    assert_int_equal(reader.damages, seen.damages);
    return seen;
}

static struct text two_sets(void)
{
    struct text t = {0};
    stream_set(&t, 0xE2C40000);
    stream_set(&t, 0xE2C40000);
    stream_end(&t);
    return t;
}

static void a_whole_stream_gives_every_record(void **state)
{
    (void)state;
    struct text t = two_sets();
    static const size_t pieces[] = {1, 7, 4095, 4096, 4097, 100000};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        struct seen seen = read_in_pieces(&t, t.len, pieces[i]);
        assert_int_equal(seen.records, 10);
        assert_int_equal(seen.known, 8);
        assert_int_equal(seen.ends, 2);
        assert_int_equal(seen.bytes, 2 * (116 + 20 + 100 + 48 + 20));
        assert_int_equal(seen.damages, 0);
    }
    text_free(&t);
}

// Bytes changed in the two-set stream, and what must come of it. Blocks: 0 control, 1-2 frames, 3
// control, 4-5 frames, 6 end.
static const struct {
    const char *what;
    size_t at;
    uint32_t value;
    unsigned width;
    unsigned records, damages;
    uint64_t offset;
    const char *reason;
} damaged[] = {
    {"record length 0", 4096, 0, 2, 8, 1, 4096, "record length under 20"},
    {"record length beyond the frame", 4096, 0xFFF0, 2, 8, 1, 4096,
     "record beyond the end of its frame"},
    {"record length beyond the entry", 2 * 4096 + 100, 69, 2, 8, 1, 2 * 4096 + 100,
     "record beyond the end of its frame"},
    {"bytes 2-3 not zero", 4096 + 2, 5, 2, 8, 1, 4096, "not a record header"},
    {"domain 200", 4096 + 4, 200, 1, 8, 1, 4096, "not a record header"},
    {"not a control record", 3, 0, 1, 5, 1, 0, "not a control record"},
    {"control area of 0 bytes", 16, 0x07FFFFFF, 4, 5, 1, 0,
     "control record with a wrong control area size"},
    {"control area of 13 bytes", 16, 0x0800000C, 4, 5, 1, 0,
     "control record with a wrong control area size"},
    {"control area of 339 entries", 16, 0x08000000 + 339 * 12 - 1, 4, 5, 1, 0,
     "control record with a wrong control area size"},
    {"entry of type X", 40, 0xE7C80000, 4, 5, 1, 0, "control entry of unknown type"},
    {"entry without an end", 48, STREAM_BASE, 4, 5, 1, 0,
     "control entry that ends before it starts"},
    {"no entries", 40, 0, 4, 5, 1, 0, "control record without entries"},
    {"second control record", 3 * 4096 + 3, 77, 1, 5, 1, 3 * 4096, "not a control record"},
};

static void damage_is_told_and_passed_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        struct text t = two_sets();
        uint8_t *at = (uint8_t *)t.s + damaged[i].at;
        if (damaged[i].width == 1)
            *at = (uint8_t)damaged[i].value;
        else if (damaged[i].width == 2)
            be16_store(at, (uint16_t)damaged[i].value);
        else
            be32_store(at, damaged[i].value);
        struct seen seen = read_in_pieces(&t, t.len, 4096);
        if (seen.records != damaged[i].records || seen.offset != damaged[i].offset ||
            seen.damages != damaged[i].damages || strcmp(seen.reason, damaged[i].reason) != 0)
            fail_msg("%s: %u records, %u damages, first at %llu: %s", damaged[i].what, seen.records,
                     seen.damages, (unsigned long long)seen.offset, seen.reason);
        text_free(&t);
    }
}

static void every_truncation_is_told(void **state)
{
    (void)state;
    struct text t = two_sets();
    for (size_t size = 0; size < t.len; size += 331) {
        struct seen seen = read_in_pieces(&t, size, 4096);
        assert_true(seen.damages >= 1);
        assert_true(seen.records <= 10);
    }
    // Without the end-of-data record all records are there, and it is said.
    struct seen seen = read_in_pieces(&t, t.len - 4096, 4096);
    assert_int_equal(seen.records, 10);
    assert_string_equal(seen.reason, "no end-of-data record");
    // Part of a frame gives the records that are there with all their bytes.
    seen = read_in_pieces(&t, 2 * 4096 + 2048, 4096);
    assert_int_equal(seen.records, 5);
    assert_string_equal(seen.reason, "the last block is not complete");
    seen = read_in_pieces(&t, 2 * 4096 + 147, 4096);
    assert_int_equal(seen.records, 3);
    seen = read_in_pieces(&t, 2 * 4096, 4096);
    assert_int_equal(seen.records, 2);
    assert_string_equal(seen.reason, "ends within a set of records");
    text_free(&t);
}

static void an_entry_may_start_inside_a_page(void **state)
{
    (void)state;
    struct text t = {0};
    uint8_t block[4096];
    stream_control(block, 0xE2C40000, STREAM_BASE + 1000, STREAM_BASE + 1000 + 116 + 20 - 1);
    text_add(&t, (char *)block, sizeof block);
    memset(block, 0xFF, sizeof block);
    stream_header(block + 1000, 116, 0, 1);
    stream_header(block + 1116, 20, 1, 11);
    text_add(&t, (char *)block, sizeof block);
    stream_end(&t);
    struct seen seen = read_in_pieces(&t, t.len, 4096);
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.damages, 0);
    text_free(&t);
}

static char *write_file(const struct text *t, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/endicott-reader-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, t->s, size), size);
    close(fd);
    return path;
}

static void files_say_what_is_wrong(void **state)
{
    (void)state;
    struct text t = two_sets(), error = {0};
    struct seen seen = {0};
    char *path = write_file(&t, t.len);
    assert_int_equal(reader_file(path, &ops, &seen, &error), 0);
    assert_int_equal(seen.records, 10);
    assert_string_equal(text_get(&error), "");
    unlink(path);
    path = write_file(&t, 5 * 4096 + 10);
    assert_int_equal(reader_file(path, &ops, &seen, &error), 1);
    assert_string_equal(text_get(&error), "damaged at byte 20490: the last block is not complete");
    text_clear(&error);
    unlink(path);
    assert_int_equal(reader_file("/nonexistent/file", &ops, &seen, &error), -1);
    assert_string_equal(text_get(&error), "No such file or directory");
    text_free(&error);
    text_free(&t);
}

static void mondata_counts_samples_apart_from_configuration(void **state)
{
    (void)state;
    struct text t = {0}, error = {0}, report = {0};
    struct mondata d;
    stream_set(&t, 0xE2C30000); // configuration
    stream_set(&t, 0xE2C40000);
    stream_set(&t, 0xE2C48000); // subinterval
    stream_set(&t, 0xE2C40000);
    stream_end(&t);
    char *path = write_file(&t, t.len);
    assert_int_equal(mondata_file(path, &d, &error), 0);
    assert_int_equal(d.samples, 3);
    assert_int_equal(d.subinterval_samples, 1);
    assert_int_equal(d.records, 15);
    assert_int_equal(d.bytes, 3 * 304);
    assert_int_equal(d.config_sets, 1);
    assert_int_equal(d.config_records, 5);
    assert_int_equal(d.rows, 5);
    for (unsigned i = 0; i < d.rows; i++)
        assert_int_equal(d.row[i].records, 3);
    assert_true(mondata_records_per_sample(&d) == 5.0);
    assert_true(mondata_bytes_per_sample(&d) == 304.0);
    mondata_free(&d);

    size_t size;
    FILE *out = open_memstream(&report.s, &size);
    assert_int_equal(report_file(path, &(struct report_options){.fcx = 155}, out, &error), 0);
    fclose(out);
    assert_non_null(strstr(report.s, "Samples 3 (1 within intervals)"));
    assert_non_null(strstr(report.s, "MRSYTSYP"));
    assert_non_null(strstr(report.s, "(not known)"));
    assert_non_null(strstr(report.s, "Configuration: 1 sets, 5 records, 304 bytes"));
    free(report.s);
    assert_int_equal(report_file(path, &(struct report_options){.fcx = 999}, stdout, &error), -1);
    assert_string_equal(text_get(&error), "there is no report FCX999");
    unlink(path);
    text_free(&t);
    text_free(&error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_stream_gives_every_record),
        cmocka_unit_test(damage_is_told_and_passed_over),
        cmocka_unit_test(every_truncation_is_told),
        cmocka_unit_test(an_entry_may_start_inside_a_page),
        cmocka_unit_test(files_say_what_is_wrong),
        cmocka_unit_test(mondata_counts_samples_apart_from_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
