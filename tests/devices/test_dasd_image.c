// SPDX-License-Identifier: MIT
// CKD image files: format, damage, order of writing, and the tools; a comparison of the control
// unit with a simple model of a disk.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "devices/dasd_rig.h"
#include "devices/dasd_tool.h"

static char path[90];

static int set_up(void **state)
{
    (void)state;
    strcpy(path, "/tmp/endicott-image-XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    return unlink(path);
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static struct dasd_image *create(const char *model, unsigned cylinders, const char *volser)
{
    char *error = NULL;
    struct dasd_image *image =
        dasd_image_create(path, dasd_model(model), cylinders, volser, &error);
    if (!image)
        fail_msg("%s", error);
    return image;
}

static void poke(uint64_t offset, const void *bytes, size_t n)
{
    int fd = open(path, O_RDWR);
    assert_true(pwrite(fd, bytes, n, (off_t)offset) == (ssize_t)n);
    close(fd);
}

static void refused(const char *reason)
{
    char *error = NULL;
    assert_null(dasd_image_open(path, true, &error));
    assert_non_null(strstr(error, path));
    if (!strstr(error, reason))
        fail_msg("%s", error);
    free(error);
}

static void format_of_the_file(void **state)
{
    (void)state;
    uint8_t head[512], track[40];
    struct stat st;
    char volser[7];
    struct dasd_image *image = create("3390-1", 3, "ABC123");
    assert_true(dasd_image_volser(image, volser));
    assert_string_equal(volser, "ABC123");
    assert_int_equal(dasd_image_cylinders(image), 3);
    dasd_image_close(image);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, 512 + 3 * 15 * 56832);
    int fd = open(path, O_RDONLY);
    assert_int_equal(read(fd, head, sizeof head), 512);
    assert_memory_equal(head, "CKD_P370\x0F\0\0\0\0\xDE\0\0\x90\0\0\0", 20);
    // Cylinder 1, head 2: home address, R0 of eight bytes, the end.
    assert_int_equal(pread(fd, track, sizeof track, 512 + 17 * 56832), 40);
    assert_memory_equal(
        track, "\0\0\1\0\2\0\1\0\2\0\0\0\x08\0\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 29);
    close(fd);
    image = dasd_image_open(path, true, NULL);
    assert_non_null(image);
    assert_int_equal(dasd_image_write(image, 0, track), -1);
    dasd_image_close(image);
    char *error = NULL; // never over something that is there
    assert_null(dasd_image_create(path, dasd_model("3390"), 1, NULL, &error));
    free(error);
    error = NULL;
    assert_null(dasd_image_create(NULL, dasd_model("3390"), 1, "TOOLONG", &error));
    free(error);
}

static void files_that_are_no_images(void **state)
{
    (void)state;
    char *error = NULL;
    assert_null(dasd_image_open(path, true, &error));
    free(error);
    FILE *f = fopen(path, "w");
    fputs("hello", f);
    fclose(f);
    refused("shorter than its header");
    unlink(path);
    dasd_image_close(create("3390", 2, NULL));
    poke(0, "CKD_C370", 8);
    refused("compressed");
    poke(0, "CKD_P371", 8);
    refused("offset 0");
    poke(0, "CKD_P370", 8);
    poke(16, "\x80", 1);
    refused("offset 12");
    poke(16, "\x90", 1);
    poke(8, "\x10", 1);
    refused("offset 8");
    poke(8, "\x0F", 1);
    poke(17, "\x02", 1);
    refused("offset 17");
    poke(17, "\0", 1);
    assert_int_equal(truncate(path, 512 + 56832 * 20), 0);
    refused("end of a cylinder");
    assert_int_equal(truncate(path, 512), 0);
    refused("no cylinder");
}

static char *check_text(int *damaged);

// A volume in two files, as tools make it where files are limited to 2 GiB.
static void split_volumes(void **state)
{
    (void)state;
    char first[90], second[90], kept[80], *error = NULL;
    static uint8_t track[56832];
    static const uint8_t count[8] = {0, 0, 0, 0, 1, 0, 0, 4};
    memcpy(kept, path, sizeof kept);
    snprintf(first, sizeof first, "%s_1.img", kept);
    snprintf(second, sizeof second, "%s_2.img", kept);
    strcpy(path, second);
    dasd_image_close(create("3390", 3, NULL));
    poke(17, "\2", 1);
    for (unsigned t = 0; t < 45; t++) { // its tracks go on from cylinder 2
        track_format(track, sizeof track, t / 15 + 2, t % 15);
        poke(512 + (uint64_t)t * 56832, track, 40);
    }
    strcpy(path, first);
    dasd_image_close(create("3390", 2, "SPLIT1"));
    poke(17, "\1\1\0", 3);
    struct dasd_image *image = dasd_image_open(first, false, &error);
    assert_non_null(image);
    assert_int_equal(dasd_image_cylinders(image), 5);
    for (unsigned t = 29; t <= 30; t++) { // both sides of the border
        track_format(track, sizeof track, t / 15, t % 15);
        assert_true(track_append(track, sizeof track, count, NULL, "data"));
        assert_int_equal(dasd_image_write(image, t, track), 0);
    }
    assert_int_equal(dasd_image_offset(image, 30), 512);
    dasd_image_close(image);
    int damaged;
    char *text = check_text(&damaged);
    assert_int_equal(damaged, 0);
    assert_non_null(strstr(text, "75 tracks"));
    free(text);
    strcpy(path, second);
    refused("not the first file");
    unlink(second);
    assert_null(dasd_image_open(first, false, &error));
    assert_non_null(strstr(error, "_2.img"));
    free(error);
    unlink(first);
    strcpy(path, kept);
}

static char *check_text(int *damaged)
{
    char *text = NULL, *error = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    *damaged = dasd_tool_check(path, out, &error);
    fclose(out);
    free(error);
    return text;
}

static void check_finds_damage(void **state)
{
    (void)state;
    int damaged;
    dasd_image_close(create("3380", 2, "CHECK1"));
    char *text = check_text(&damaged);
    assert_int_equal(damaged, 0);
    assert_non_null(strstr(text, "30 tracks, 0 damaged"));
    free(text);
    poke(512 + 47616 * 3 + 4, "\7", 1);                      // home address of track 3
    poke(512 + 47616 * 5 + 9, "\1", 1);                      // R0 of track 5 is not R0
    poke(512 + 47616 * 7 + 21, "\0\0\0\7\1\0\xFF\xFF\0", 8); // R1 of track 7 beyond its end
    text = check_text(&damaged);
    assert_int_equal(damaged, 3);
    char want[80];
    snprintf(want, sizeof want, "offset %d: track 0/3: home address", 512 + 47616 * 3);
    assert_non_null(strstr(text, want));
    snprintf(want, sizeof want, "offset %d: track 0/7: record reaches beyond",
             512 + 47616 * 7 + 21);
    assert_non_null(strstr(text, want));
    free(text);
    // A device reports such a track as a permanent error.
    struct rig r;
    struct irb irb;
    rig_open(&r);
    struct dasd_volume *v = dasd_volume_new(dasd_image_open(path, false, NULL));
    uint32_t sid = rig_add(&r, dasd_ckd_new(0x100, v, 0, 2, false), 1);
    dasd_seek(&r, 0, 3);
    rig_ccw(&r, 0x06, 0, 80, DATA);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    assert_int_equal(irb.raw[32], 0x10);
    assert_int_equal(irb.raw[33], 0x80);
    rig_close(&r);
    dasd_volume_free(v);
}

static void list_and_import(void **state)
{
    (void)state;
    char *text = NULL, *error = NULL;
    uint8_t data[10000], back[12288];
    size_t n = 0;
    dasd_image_close(create("3390-3", 5, "LIST01"));
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    FILE *in = fmemopen(data, sizeof data, "r");
    assert_int_equal(dasd_tool_import(path, 2, 3, 4096, in, &error), 3);
    rewind(in);
    assert_int_equal(dasd_tool_import(path, 5, 0, 4096, in, &error), -1);
    free(error);
    error = NULL;
    assert_int_equal(dasd_tool_import(path, 0, 1, 60000, in, &error), -1);
    free(error);
    fclose(in);
    FILE *out = open_memstream(&text, &n);
    assert_int_equal(dasd_tool_export(path, 2, 3, 0, out, NULL), 3);
    fclose(out);
    assert_int_equal(n, sizeof back);
    assert_memory_equal(text, data, sizeof data);
    free(text);
    text = NULL;
    out = open_memstream(&text, &n);
    assert_int_equal(dasd_tool_list(path, out, NULL), 0);
    fclose(out);
    assert_non_null(strstr(text, "3390-1, 5 cylinders"));
    assert_non_null(strstr(text, "label VOL1 LIST01"));
    assert_non_null(strstr(text, "0 data sets"));
    free(text);
}

// A VTOC with one data set is listed by name.
static void list_shows_data_sets(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    static uint8_t track[56832];
    uint8_t dscb[140], count[8] = {0, 0, 0, 1, 1, 44, 0, 96};
    struct dasd_image *image = create("3390-3", 5, "LIST02");
    track_format(track, sizeof track, 0, 1);
    memset(dscb, 0, sizeof dscb);
    memset(dscb, 4, 44);
    dscb[44] = 0xF4;
    memcpy(dscb + 105, "\1\0\0\0\0\1\0\0\0\1", 10);
    track_append(track, sizeof track, count, dscb, dscb + 44);
    ebcdic_field(dscb, 44, "SYS1.PARMLIB");
    dscb[44] = 0xF1;
    dscb[59] = 1;
    dscb[82] = 2; // partitioned
    memcpy(dscb + 86, "\x0C\x80\0\x50", 4);
    memcpy(dscb + 105, "\1\0\0\1\0\0\0\2\0\x0E", 10);
    count[4] = 2;
    track_append(track, sizeof track, count, dscb, dscb + 44);
    assert_int_equal(dasd_image_write(image, 1, track), 0);
    dasd_image_close(image);
    FILE *out = open_memstream(&text, &n);
    assert_int_equal(dasd_tool_list(path, out, NULL), 0);
    fclose(out);
    assert_non_null(strstr(text, "SYS1.PARMLIB"));
    assert_non_null(strstr(text, "PO blksize  3200 lrecl    80"));
    assert_non_null(strstr(text, "1/0 - 2/14"));
    assert_non_null(strstr(text, "1 data set\n"));
    free(text);
}

// --- the order of writing ------------------------------------------------------------------------

// Appends records, changes data, cuts the track: what is in the file is always the new track.
static void formatting_keeps_what_was_there(void **state)
{
    (void)state;
    static uint8_t track[56832], again[56832];
    uint8_t count[8] = {0, 0, 0, 2, 0, 0, 0, 100}, data[100];
    struct dasd_image *image = create("3390", 1, NULL);
    size_t where;
    track_format(track, sizeof track, 0, 2);
    for (unsigned i = 1; i <= 20; i++) {
        count[4] = (uint8_t)i;
        memset(data, (int)i, sizeof data);
        assert_true(track_append(track, sizeof track, count, NULL, data));
        assert_int_equal(dasd_image_write(image, 2, track), 0);
        assert_int_equal(dasd_image_read(image, 2, again), 0);
        assert_null(track_check(again, sizeof again, 0, 2, &where));
        assert_int_equal(track_end(again, sizeof again), track_end(track, sizeof track));
    }
    // Data of records 3 and 15 change, and the track is cut behind 17.
    struct track_record r;
    track_find(track, sizeof track, 3, &r);
    track[r.offset + 8] = 0xAA;
    track_find(track, sizeof track, 15, &r);
    track[r.offset + 107] = 0xBB;
    track_find(track, sizeof track, 17, &r);
    memset(track + r.end, 0xFF, 8);
    assert_int_equal(dasd_image_write(image, 2, track), 0);
    assert_int_equal(dasd_image_read(image, 2, again), 0);
    assert_int_equal(track_end(again, sizeof again), r.end);
    assert_memory_equal(again, track, r.end + 8);
    dasd_image_close(image);
}

// Writes `next` over `old` in a file and fails after `writes` writes. False when that was too late
// to fail; else the file must hold a well-formed track: old records up to some point, then maybe
// new.
static bool interrupted(const uint8_t *old, const uint8_t *next, size_t size, unsigned writes)
{
    static uint8_t found[56832];
    size_t where;
    struct dasd_image *image = dasd_image_open(path, false, NULL);
    assert_int_equal(dasd_image_write(image, 2, old), 0);
    dasd_image_set_sync(image, false);
    dasd_image_fail_after(image, writes);
    bool failed = dasd_image_write(image, 2, next) != 0;
    dasd_image_close(image);
    image = dasd_image_open(path, true, NULL);
    assert_int_equal(dasd_image_read(image, 2, found), 0);
    dasd_image_close(image);
    const char *wrong = track_check(found, size, 0, 2, &where);
    if (wrong)
        fail_msg("%s at %zu after %u writes", wrong, where, writes);
    struct track_record a, b;
    for (unsigned i = 0; track_find(found, size, i, &a); i++) {
        bool is_old = track_find(old, size, i, &b) && a.end == b.end &&
                      memcmp(found + a.offset, old + b.offset, a.end - a.offset) == 0;
        bool is_new = track_find(next, size, i, &b) && a.end == b.end &&
                      memcmp(found + a.offset, next + b.offset, a.end - a.offset) == 0;
        assert_true(is_old || is_new);
    }
    return failed;
}

static void add_records(uint8_t *track, size_t size, unsigned first, unsigned last, unsigned length)
{
    uint8_t count[8] = {0, 0, 0, 2}, data[2000];
    be16_store(count + 6, (uint16_t)length);
    for (unsigned i = first; i <= last; i++) {
        count[4] = (uint8_t)i;
        memset(data, (int)(i + length), sizeof data);
        assert_true(track_append(track, size, count, NULL, data));
    }
}

static void never_half_written(void **state)
{
    (void)state;
    static uint8_t old[56832], next[56832];
    size_t size = sizeof old;
    struct track_record r;
    dasd_image_close(create("3390", 1, NULL));
    for (unsigned kept = 0; kept <= 8; kept += 4) {
        track_format(old, size, 0, 2);
        add_records(old, size, 1, 8, 1000);
        memcpy(next, old, size);
        if (kept) { // data of a kept record change in the same write
            track_find(next, size, kept, &r);
            memset(next + r.offset + 8, 0x99, 1000);
        }
        track_find(next, size, kept, &r);
        memset(next + r.end, 0xFF, 8);
        add_records(next, size, kept + 1, 12, 1500);
        unsigned writes = 0;
        while (interrupted(old, next, size, writes))
            writes++;
        assert_true(writes >= 3);
    }
}

// --- a model of a disk ---------------------------------------------------------------------------

enum { CYLINDERS = 2, HEADS = 15, TRACKS = CYLINDERS * HEADS, RECORDS = 12, LENGTH = 512 };

// What each record of each track holds; a track has as many records as it was formatted with.
struct model {
    unsigned records[TRACKS];
    uint8_t fill[TRACKS][RECORDS + 1];
};

static uint32_t seed;

static unsigned random_below(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static void model_format(struct rig *r, uint32_t sid, struct model *m, unsigned track)
{
    struct irb irb;
    unsigned n = 1 + random_below(RECORDS);
    dasd_extent(r, 0xC0, 0, 0, CYLINDERS - 1, HEADS - 1);
    dasd_format(r, track / HEADS, track % HEADS, n, 0, LENGTH, true);
    assert_int_equal(rig_run(r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    m->records[track] = n;
    for (unsigned i = 1; i <= n; i++)
        m->fill[track][i] = (uint8_t)i;
}

static void model_write(struct rig *r, uint32_t sid, struct model *m, unsigned track,
                        unsigned record)
{
    struct irb irb;
    uint8_t data[LENGTH];
    uint8_t fill = (uint8_t)random_below(256);
    memset(data, fill, sizeof data);
    rig_put(r, DATA, data, sizeof data);
    if (random_below(2)) {
        dasd_extent(r, 0x80, 0, 0, CYLINDERS - 1, HEADS - 1);
        dasd_locate(r, 0x01, 1, track / HEADS, track % HEADS, record);
    } else {
        dasd_seek(r, track / HEADS, track % HEADS);
        dasd_search(r, track / HEADS, track % HEADS, record);
    }
    rig_ccw(r, 0x05, 0, LENGTH, DATA);
    assert_int_equal(rig_run(r, sid, &irb), 0);
    bool there = record >= 1 && record <= m->records[track];
    if (!there && record == 0) // R0 is there, with eight bytes
        assert_int_equal(irb.residual, LENGTH - 8);
    else
        assert_int_equal(irb.status, there ? 0x0C : 0x0E);
    if (there)
        m->fill[track][record] = fill;
}

static void model_read(struct rig *r, uint32_t sid, const struct model *m, unsigned track,
                       unsigned record)
{
    struct irb irb;
    uint8_t data[LENGTH];
    dasd_seek(r, track / HEADS, track % HEADS);
    dasd_search(r, track / HEADS, track % HEADS, record);
    rig_ccw(r, 0x06, SLI, LENGTH, DATA);
    assert_int_equal(rig_run(r, sid, &irb), 0);
    if (record == 0 || record > m->records[track]) {
        assert_int_equal(irb.status, record == 0 ? 0x0C : 0x0E);
        return;
    }
    assert_int_equal(irb.status, 0x0C);
    rig_get(r, DATA, data, sizeof data);
    assert_int_equal(data[0], m->fill[track][record]);
    assert_int_equal(data[LENGTH - 1], m->fill[track][record]);
}

static void same_as_the_model(void **state)
{
    (void)state;
    struct rig r;
    struct model m = {{0}};
    seed = 20231130;
    dasd_image_close(create("3390", CYLINDERS, NULL));
    rig_open(&r);
    struct dasd_volume *v = NULL;
    uint32_t sid = 0;
    for (unsigned step = 0; step < 3000; step++) {
        if (step % 500 == 0) { // what was told to be on disk is there after a new start
            if (v)
                css_detach(r.css, 0x100, false);
            dasd_volume_free(v);
            v = dasd_volume_new(dasd_image_open(path, false, NULL));
            dasd_image_set_sync(v->image, false);
            sid = rig_add(&r, dasd_ckd_new(0x100, v, 0, CYLINDERS, false), 1);
        }
        unsigned track = random_below(TRACKS), record = random_below(RECORDS + 2);
        if (random_below(10) == 0)
            model_format(&r, sid, &m, track);
        else if (random_below(2))
            model_write(&r, sid, &m, track, record);
        else
            model_read(&r, sid, &m, track, record);
    }
    rig_close(&r);
    dasd_volume_free(v);
    int damaged;
    char *text = check_text(&damaged);
    assert_int_equal(damaged, 0);
    free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(format_of_the_file),
        TEST(files_that_are_no_images),
        TEST(split_volumes),
        TEST(check_finds_damage),
        TEST(list_and_import),
        TEST(list_shows_data_sets),
        TEST(formatting_keeps_what_was_there),
        TEST(never_half_written),
        TEST(same_as_the_model),
    };
    return cmocka_run_group_tests_name("dasd_image", tests, NULL, NULL);
}
