// SPDX-License-Identifier: MIT
// String instructions that pause: where they stop with condition code 3, what the registers say
// then, and that going on ends where one long execution would have.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cpu/rig.h"

#define FIRST  0x2E00u
#define SECOND 0x5100u
#define STOP   '$'

// A string of `n` bytes and its end at both places.
static void place(struct bare *bare, uint64_t first, uint64_t second, unsigned n)
{
    for (unsigned i = 0; i <= n; i++) {
        uint8_t byte = i == n ? STOP : 'a';
        assert_true(storage_write(bare->storage, first + i, &byte, 1));
        assert_true(storage_write(bare->storage, second + i, &byte, 1));
    }
    bare->cpu->gr[0] = STOP;
    bare->cpu->gr[2] = first;
    bare->cpu->gr[3] = second;
}

static unsigned cc(const struct bare *bare)
{
    return bare->cpu->gr[5] >> 28 & 3;
}

// One execution: CLST compares up to a page border of either operand, but 256 bytes at least.
static void test_compare(void **state)
{
    static const struct {
        uint64_t first, second;
        unsigned n, cc, moved;
    } rows[] = {
        {FIRST, SECOND, 0x80, 0, 0},         // all of it
        {FIRST, SECOND, 0x400, 3, 0x200},    // the first operand's page ends
        {SECOND, FIRST, 0x400, 3, 0x200},    // the second's
        {0x2F80, SECOND, 0x110, 3, 0x100},   // less than 256 to the border: 256
        {0x2F80, SECOND, 0xFF, 0, 0},        // across the border
        {0x6000, 0xA000, 0x1800, 3, 0x1000}, // a page
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bare *bare = rig_new("B25D 0023 B222 0050"); // CLST 2,3; IPM 5
        place(bare, rows[i].first, rows[i].second, rows[i].n);
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), rows[i].cc);
        assert_int_equal(bare->cpu->gr[2], rows[i].first + rows[i].moved);
        assert_int_equal(bare->cpu->gr[3], rows[i].second + rows[i].moved);
        bare_free(bare);
    }
}

static void test_search(void **state)
{
    static const struct {
        uint64_t from, end;
        unsigned n, cc;
        uint64_t gr2, gr3;
    } rows[] = {
        {0x2F80, 0x3100, 0x40, 1, 0x2FC0, 0x2F80},  // R1 = found, R2 as it was
        {0x2F80, 0x3100, 0xC0, 1, 0x3040, 0x2F80},  // across the border
        {0x2F80, 0x3300, 0x200, 3, 0x3300, 0x3080}, // 256 bytes, then a pause
        {0x2100, 0x4000, 0x1800, 3, 0x4000, 0x3000},
        {0x2F80, 0x2FC0, 0x100, 2, 0x2FC0, 0x2F80}, // not there: nothing changes
        {0x2F80, 0x2F80, 0, 2, 0x2F80, 0x2F80},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bare *bare = rig_new("B25E 0023 B222 0050"); // SRST 2,3; IPM 5
        place(bare, rows[i].from, 0x8000, rows[i].n);
        bare->cpu->gr[2] = rows[i].end;
        bare->cpu->gr[3] = rows[i].from;
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), rows[i].cc);
        assert_int_equal(bare->cpu->gr[2], rows[i].gr2);
        assert_int_equal(bare->cpu->gr[3], rows[i].gr3);
        bare_free(bare);
    }
}

// The whole move, by going on while the condition code is 3: MVST; BRC 1.
static void test_move(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B255 0023 A714 FFFE B222 0050");
    place(bare, 0x8F00, SECOND, 0x1234);
    bare->cpu->gr[2] = 0xBFE0;
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 1);
    assert_int_equal(bare->cpu->gr[2], 0xBFE0 + 0x1234);
    uint8_t from[0x1235], to[0x1235];
    assert_true(storage_read(bare->storage, SECOND, from, sizeof from));
    assert_true(storage_read(bare->storage, 0xBFE0, to, sizeof to));
    assert_memory_equal(from, to, sizeof to);
    bare_free(bare);
    // One execution stops at the nearer border.
    bare = rig_new("B255 0023 B222 0050");
    place(bare, 0x8F00, SECOND, 0x200);
    bare->cpu->gr[2] = 0xBFE0;
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 3);
    assert_int_equal(bare->cpu->gr[2], 0xC000);
    assert_int_equal(bare->cpu->gr[3], SECOND + 0x20);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
