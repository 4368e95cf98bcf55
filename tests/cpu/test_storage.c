// SPDX-License-Identifier: MIT
// Absolute storage: extents, keys, reference and change, decoded-code tracking.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/storage.h"

#define MIB (UINT64_C(1) << 20)

static void test_size(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB + 1);
    assert_non_null(storage);
    assert_int_equal(storage_size(storage), 2 * MIB);
    storage_free(storage);
    assert_null(storage_new(0));
    assert_null(storage_new(UINT64_MAX));
    storage_free(NULL);
}

// All or nothing, across frames, with the end in sight.
static void test_bounds(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    uint8_t out[FRAME_SIZE + 8], in[FRAME_SIZE + 8];
    memset(in, 0x5A, sizeof in);
    assert_true(storage_write(storage, MIB - sizeof in, in, sizeof in));
    assert_true(storage_read(storage, MIB - sizeof out, out, sizeof out));
    assert_memory_equal(in, out, sizeof in);
    memset(in, 0xA5, sizeof in);
    assert_false(storage_write(storage, MIB - sizeof in + 1, in, sizeof in));
    assert_true(storage_read(storage, MIB - sizeof out, out, sizeof out));
    assert_int_equal(out[5], 0x5A);
    assert_false(storage_read(storage, UINT64_MAX - 3, out, 8));
    assert_true(storage_read(storage, MIB, out, 0));
    assert_null(storage_find(storage, MIB, 1));
    assert_null(storage_find(storage, MIB - 1, 2));
    storage_free(storage);
}

static void test_keys(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    uint8_t byte = 1;
    assert_int_equal(storage_key(storage, 0x5000), 0);
    assert_true(storage_set_key(storage, 0x5FFF, 0x39));
    assert_int_equal(storage_key(storage, 0x5000), 0x38); // bit 7 does not exist
    storage_read(storage, 0x5000, &byte, 1);
    assert_int_equal(storage_key(storage, 0x5000), 0x38 | KEY_R);
    storage_write(storage, 0x5000, &byte, 1);
    assert_int_equal(storage_key(storage, 0x5000), 0x38 | KEY_R | KEY_C);
    assert_int_equal(storage_key(storage, 0x6000), 0);
    assert_int_equal(storage_key(storage, MIB), -1);
    assert_false(storage_set_key(storage, MIB, 0));
    storage_free(storage);
}

// Channel programs under a key: what matches, what key 0 may, what fetch protection hides.
static void test_key_controlled(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    uint8_t data[16] = {1, 2, 3};
    storage_set_key(storage, 0x4000, 0x30);
    storage_set_key(storage, 0x5000, 0x38);
    assert_int_equal(storage_write_key(storage, 0x4000, data, 16, 3), 0);
    assert_int_equal(storage_write_key(storage, 0x4000, data, 16, 4), 4);
    assert_int_equal(storage_write_key(storage, 0x4000, data, 16, 0), 0);
    assert_int_equal(storage_read_key(storage, 0x4000, data, 16, 4), 0);
    assert_int_equal(storage_read_key(storage, 0x5000, data, 16, 4), 4);
    assert_int_equal(storage_read_key(storage, 0x4FF8, data, 16, 4), 4); // the second frame refuses
    assert_int_equal(storage_write_key(storage, 0x3FF8, data, 16, 3), 4);
    assert_int_equal(storage_read_key(storage, MIB - 8, data, 16, 0), 5);
    assert_int_equal(storage_read_key(storage, MIB, data, 0, 7), 0);
    storage_free(storage);
}

static void test_extents(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    uint8_t *segment = mem_zero(2, FRAME_SIZE);
    memset(segment, 7, 2 * FRAME_SIZE);
    assert_int_equal(storage_map(storage, MIB - FRAME_SIZE, FRAME_SIZE, segment, true), -1);
    assert_int_equal(storage_map(storage, 4 * MIB + 1, FRAME_SIZE, segment, true), -1);
    assert_int_equal(storage_map(storage, 4 * MIB, 2 * FRAME_SIZE, segment, true), 0);
    assert_int_equal(storage_map(storage, 4 * MIB + FRAME_SIZE, FRAME_SIZE, segment, true), -1);
    uint8_t byte = 0;
    assert_true(storage_read(storage, 4 * MIB + 5, &byte, 1));
    assert_int_equal(byte, 7);
    assert_int_equal(storage_write_key(storage, 4 * MIB, &byte, 1, 0), 4); // read-only
    assert_false(storage_read(storage, 2 * MIB, &byte, 1));                // the hole
    assert_int_equal(storage_size(storage), MIB);
    storage_unmap(storage, 4 * MIB);
    assert_false(storage_read(storage, 4 * MIB, &byte, 1));
    storage_free(storage);
    free(segment);
}

static void test_clear(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    uint8_t byte = 9;
    storage_write(storage, 0x8000, &byte, 1);
    storage_set_key(storage, 0x8000, 0x40);
    storage_code_decoded(&storage->extent[0], 0x3000, 6);
    uint32_t version = storage->extent[0].code_version[3];
    storage_clear(storage);
    assert_int_equal(storage_key(storage, 0x8000), 0);
    storage_read(storage, 0x8000, &byte, 1);
    assert_int_equal(byte, 0);
    assert_int_equal(storage->extent[0].code_version[3], version + 1);
    assert_int_equal(storage->extent[0].code_lines[3], 0);
    storage_free(storage);
}

// A write drops decoded code only when it touches a halfword of it.
static void test_code_halfwords(void **state)
{
    (void)state;
    struct storage *storage = storage_new(MIB);
    struct storage_extent *extent = &storage->extent[0];
    uint8_t data[128] = {0};
    storage_code_decoded(extent, 0x2104, 0x40); // to X'2143'
    assert_int_equal(extent->code_lines[2], UINT64_C(3) << 4);
    storage_write(storage, 0x20C4, data, 64); // the same lines, but before and behind
    storage_write(storage, 0x2144, data, 64);
    assert_int_equal(extent->code_version[2], 0);
    storage_write(storage, 0x2143, data, 1);
    assert_int_equal(extent->code_version[2], 1);
    assert_int_equal(extent->code_lines[2], 0);
    storage_write(storage, 0x2104, data, 1); // nothing is left to be dropped
    assert_int_equal(extent->code_version[2], 1);
    storage_code_decoded(extent, 0x2FFE, 2);
    storage_code_decoded(extent, 0x3000, 2);
    assert_true(storage_code_changed(storage, 0x2FFF, 2));
    assert_false(storage_code_changed(storage, 0x2FFF, 2));
    assert_int_equal(extent->code_version[2], 2);
    assert_int_equal(extent->code_version[3], 1);
    storage_free(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),           cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_keys),           cmocka_unit_test(test_key_controlled),
        cmocka_unit_test(test_extents),        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_code_halfwords),
    };
    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}
