// SPDX-License-Identifier: MIT
// Volumes in Linux's layout: what its partition code looks for, contents in and out, refusals.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "devices/dasd_linux.h"
#include "devices/dasd_rig.h"
#include "devices/dasd_tool.h"

#define CYLINDERS 2u
#define BLOCKS    (12u * (15u * CYLINDERS - 2u))

static char path[90];

static int set_up(void **state)
{
    (void)state;
    strcpy(path, "/tmp/endicott-linux-XXXXXX");
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

static void create(const char *volser)
{
    char *error = NULL;
    struct dasd_image *image =
        dasd_image_create(path, dasd_model("3390"), CYLINDERS, volser, &error);
    if (!image)
        fail_msg("%s", error);
    dasd_image_close(image);
}

// A file of `bytes` bytes, each block different.
static FILE *contents(size_t bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    for (size_t i = 0; i < bytes; i++)
        putc((int)((i * 7 + i / DASD_LINUX_BLOCK) & 0xFF), file);
    rewind(file);
    return file;
}

static void lay_out(size_t bytes)
{
    char *error = NULL;
    FILE *in = contents(bytes);
    create("LNX001");
    if (dasd_linux_create(path, in, &error) != BLOCKS)
        fail_msg("%s", error ? error : "wrong number of blocks");
    fclose(in);
}

static void what_linux_looks_for(void **state)
{
    (void)state;
    struct track_record r;
    uint8_t track[56832];
    static const uint8_t vol1[4] = {0xE5, 0xD6, 0xD3, 0xF1};
    lay_out(100);
    struct dasd_image *image = dasd_image_open(path, true, NULL);
    assert_int_equal(dasd_image_read(image, 0, track), 0);
    // The kernel takes the layout for this one by key and length of the first records.
    static const unsigned data[] = {24, 144, 80};
    for (unsigned i = 1; i <= 12; i++) {
        assert_true(track_find(track, sizeof track, i, &r));
        assert_int_equal(r.key, i <= 3 ? 4 : 0);
        assert_int_equal(r.data, i <= 3 ? data[i - 1] : 4096);
    }
    assert_true(track_find(track, sizeof track, 3, &r));
    assert_memory_equal(track + r.offset + 8, vol1, 4);
    assert_int_equal(dasd_image_read(image, 1, track), 0);
    static const uint8_t formats[] = {0xF4, 0xF5, 0xF1, 0};
    for (unsigned i = 1; i <= 12; i++) {
        assert_true(track_find(track, sizeof track, i, &r));
        assert_int_equal(r.key, 44);
        assert_int_equal(r.data, 96);
        assert_int_equal(track[r.offset + 8 + 44], formats[i < 4 ? i - 1 : 3]);
    }
    assert_true(track_find(track, sizeof track, 3, &r));
    const uint8_t *extent = track + r.offset + 8 + 105;
    assert_int_equal(be16_load(extent + 2), 0);
    assert_int_equal(be16_load(extent + 4), 2);
    assert_int_equal(be16_load(extent + 6), CYLINDERS - 1);
    assert_int_equal(be16_load(extent + 8), 14);
    for (unsigned t = 2; t < 15 * CYLINDERS; t++) {
        assert_int_equal(dasd_image_read(image, t, track), 0);
        assert_true(track_find(track, sizeof track, 12, &r));
        assert_int_equal(r.data, 4096);
        assert_false(track_next(track, sizeof track, &r));
    }
    dasd_image_close(image);
}

static void no_damage_and_a_data_set(void **state)
{
    (void)state;
    char *error = NULL, text[2000] = {0};
    lay_out(0);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_int_equal(dasd_tool_check(path, out, &error), 0);
    assert_int_equal(dasd_tool_list(path, out, &error), 0);
    fclose(out);
    assert_non_null(strstr(text, "LINUX.VLNX001.PART0001.NATIVE"));
    assert_non_null(strstr(text, "0/2 - 1/14"));
}

static void contents_come_back(void **state)
{
    (void)state;
    char *error = NULL;
    const size_t bytes = 300000;
    lay_out(bytes);
    FILE *out = tmpfile(), *expected = contents(bytes);
    assert_int_equal(dasd_linux_export(path, 1, out, &error), BLOCKS);
    assert_int_equal(ftell(out), BLOCKS * DASD_LINUX_BLOCK);
    rewind(out);
    for (size_t i = 0; i < BLOCKS * DASD_LINUX_BLOCK; i++)
        if (getc(out) != (i < bytes ? getc(expected) : 0))
            fail_msg("byte %zu differs", i);
    fclose(out);
    fclose(expected);
}

static void refusals(void **state)
{
    (void)state;
    char *error = NULL;
    FILE *in = contents(BLOCKS * DASD_LINUX_BLOCK + 1);
    create("LNX001");
    assert_int_equal(dasd_linux_export(path, 1, in, &error), -1);
    assert_non_null(strstr(error, "no such partition"));
    free(error);
    assert_int_equal(dasd_linux_create(path, in, &error), -1);
    assert_non_null(strstr(error, "larger than the partition"));
    free(error);
    assert_int_equal(dasd_linux_export(path, 2, in, &error), -1);
    free(error);
    unlink(path);
    create(NULL);
    rewind(in);
    assert_int_equal(dasd_linux_create(path, in, &error), -1);
    assert_non_null(strstr(error, "no label"));
    free(error);
    unlink(path);
    assert_int_equal(dasd_linux_create(path, in, &error), -1);
    free(error);
    fclose(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_linux_looks_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_damage_and_a_data_set, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contents_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusals, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
