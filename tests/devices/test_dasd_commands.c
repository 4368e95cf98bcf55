// SPDX-License-Identifier: MIT
// The CKD control unit's less frequent commands, and IPL from a volume.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/dasd_fixture.h"

static unsigned byte_at(struct fixture *f, uint32_t address)
{
    uint8_t byte;
    rig_get(&f->rig, address, &byte, 1);
    return byte;
}

static void seek_cylinder_and_head(void **state)
{
    struct fixture *f = *state;
    uint8_t p[6] = {0, 0, 0, 6, 0, 2}, mask = 0x10;
    format(f, 6, 9, 1, 0, 100);
    uint32_t at = dasd_parameter(&f->rig, p, 6);
    rig_ccw(&f->rig, 0x0B, CC, 6, at);
    p[5] = 9;
    at = dasd_parameter(&f->rig, p, 6);
    rig_ccw(&f->rig, 0x1B, CC, 6, at);
    rig_ccw(&f->rig, 0x06, 0, 100, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000), 1);
    // A mask that allows head seeks only.
    rig_ccw(&f->rig, 0x1F, CC, 1, dasd_parameter(&f->rig, &mask, 1));
    at = dasd_parameter(&f->rig, p, 6);
    rig_ccw(&f->rig, 0x1B, CC, 6, at);
    rig_ccw(&f->rig, 0x0B, 0, 6, at);
    run_into(f, 0, 0x04, 0);
    assert_int_equal(f->irb.ccw, 0x1018);
    rig_ccw(&f->rig, 0x1F, CC, 1, dasd_parameter(&f->rig, &mask, 1));
    rig_ccw(&f->rig, 0x13, SLI, 1, 0);
    run_into(f, 0, 0x04, 0);
    rig_ccw(&f->rig, 0x1F, CC, 1, dasd_parameter(&f->rig, &mask, 1));
    rig_ccw(&f->rig, 0x1F, 0, 1, PARAMETERS); // once in a chain
    run_into(f, 0x80, 0, 0x02);
    // No head switching either when all seeks are inhibited.
    mask = 0x18;
    format(f, 0, 0, 1, 0, 100);
    dasd_seek(&f->rig, 0, 0);
    rig_ccw(&f->rig, 0x1F, CC, 1, dasd_parameter(&f->rig, &mask, 1));
    rig_ccw(&f->rig, 0x86, CC, 100, 0x30000);
    rig_ccw(&f->rig, 0x86, 0, 100, 0x30000);
    run_into(f, 0, 0x04, 0);
}

static void sectors(void **state)
{
    struct fixture *f = *state;
    uint8_t sector = 100;
    rig_ccw(&f->rig, 0x23, CC, 1, dasd_parameter(&f->rig, &sector, 1));
    rig_ccw(&f->rig, 0x22, 0, 1, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000), 100);
    sector = 224;
    rig_ccw(&f->rig, 0x23, 0, 1, dasd_parameter(&f->rig, &sector, 1));
    run_into(f, 0x80, 0, 0x04);
}

static void home_addresses(void **state)
{
    struct fixture *f = *state;
    struct rig *r = &f->rig;
    uint8_t home[5], mask = 0xC0;
    uint8_t id[5] = {0, 2, 0, 3};
    format(f, 2, 3, 4, 0, 100);
    // SEARCH HOME ADDRESS from the track before, multitrack.
    dasd_seek(r, 2, 2);
    uint32_t at = dasd_parameter(r, id, 4), loop = r->program;
    rig_ccw(r, 0xB9, CC, 4, at);
    rig_ccw(r, 0x08, 0, 0, loop);
    rig_ccw(r, 0x16, CC, 16, 0x30000);
    rig_ccw(r, 0x06, 0, 100, 0x30010);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30003), 3);
    assert_int_equal(byte_at(f, 0x30010), 1);
    // R0 of the next track, and its home address.
    dasd_seek(r, 2, 2);
    rig_ccw(r, 0x16, CC, 16, 0x30000);
    rig_ccw(r, 0x96, CC, 16, 0x30000);
    rig_ccw(r, 0x9A, 0, 5, 0x30020);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30003), 3);
    assert_int_equal(byte_at(f, 0x30024), 4);
    // WRITE HOME ADDRESS empties the track, when the mask allows all.
    dasd_seek(r, 2, 3);
    rig_ccw(r, 0x19, 0, 5, PARAMETERS);
    run_into(f, 0x80, 0x04, 0);
    rig_ccw(r, 0x1F, CC, 1, dasd_parameter(r, &mask, 1));
    dasd_seek(r, 2, 3);
    rig_ccw(r, 0x19, CC, 5, dasd_parameter(r, id, 5));
    rig_ccw(r, 0x1A, CC, 5, 0x30000);
    rig_ccw(r, 0x06, 0, 100, 0x30010);
    run_into(f, 0, 0x08, 0);
    rig_get(r, 0x30000, home, 5);
    assert_memory_equal(home, "\0\0\2\0\3", 5);
}

static void keys_written(void **state)
{
    struct fixture *f = *state;
    uint8_t new[14];
    format(f, 0, 0, 2, 4, 10);
    memset(new, 0xEE, sizeof new);
    dasd_extent(&f->rig, 0x80, 0, 0, 0, 14);
    dasd_locate(&f->rig, 0x01, 2, 0, 0, 1);
    rig_put(&f->rig, DATA, new, sizeof new);
    rig_ccw(&f->rig, 0x8D, CC, 14, DATA);
    rig_ccw(&f->rig, 0x85, 0, 10, DATA); // data of record 2, its key stays
    run_well(f);
    dasd_seek(&f->rig, 0, 0);
    rig_ccw(&f->rig, 0x1E, CC, 22, 0x30000);
    rig_ccw(&f->rig, 0x1E, 0, 22, 0x30020);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30008), 0xEE);
    assert_int_equal(byte_at(f, 0x30008 + 13), 0xEE);
    assert_int_equal(byte_at(f, 0x30028), 2);
    assert_int_equal(byte_at(f, 0x30028 + 4), 0xEE);
}

static void write_on_the_next_track(void **state)
{
    struct fixture *f = *state;
    uint8_t count[8] = {0, 0, 0, 1, 1, 0, 0, 10};
    dasd_extent(&f->rig, 0xC0, 0, 0, 0, 1);
    dasd_locate(&f->rig, 0x03, 2, 0, 0, 0);
    count[3] = 0;
    rig_put(&f->rig, DATA, count, 8);
    count[3] = 1;
    rig_put(&f->rig, DATA + 0x100, count, 8);
    rig_put(&f->rig, DATA + 8, "0123456789", 10);
    rig_put(&f->rig, DATA + 0x108, "abcdefghij", 10);
    rig_ccw(&f->rig, 0x1D, CC, 18, DATA);
    rig_ccw(&f->rig, 0x9D, 0, 18, DATA + 0x100);
    run_well(f);
    dasd_seek(&f->rig, 0, 1);
    rig_ccw(&f->rig, 0x06, 0, 10, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30009), 'j');
    // The extent ends before the next one; outside a domain it is out of sequence.
    dasd_extent(&f->rig, 0xC0, 0, 0, 0, 1);
    dasd_locate(&f->rig, 0x03, 1, 0, 1, 0);
    rig_ccw(&f->rig, 0x9D, 0, 18, DATA);
    run_into(f, 0, 0x04, 0);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x9D, 0, 18, DATA);
    run_into(f, 0x80, 0, 0x02);
    // A count that would look like the end of the track.
    memset(count, 0xFF, 8);
    rig_put(&f->rig, DATA, count, 8);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x1D, SLI, 18, DATA);
    run_into(f, 0x80, 0, 0x04);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x1D, SLI, 7, DATA);
    run_into(f, 0x80, 0, 0x03);
}

static void searches_high_and_over_tracks(void **state)
{
    struct fixture *f = *state;
    uint8_t id[5] = {0, 4, 0, 1, 3};
    format(f, 4, 0, 5, 0, 20);
    format(f, 4, 1, 5, 0, 20);
    for (unsigned code = 0xB1; code != 0x111; code += 0x20) { // B1, D1, F1: all with multitrack
        dasd_seek(&f->rig, 4, 0);
        uint32_t at = dasd_parameter(&f->rig, id, 5), loop = f->rig.program;
        rig_ccw(&f->rig, (uint8_t)code, CC, 5, at);
        rig_ccw(&f->rig, 0x08, 0, 0, loop);
        rig_ccw(&f->rig, 0x06, 0, 20, 0x30000);
        run_well(f);
        assert_int_equal(byte_at(f, 0x30000), code == 0xD1 ? 4 : 3);
    }
}

static void logs_are_empty(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, 0xA4, 0, 32, 0x30000);
    run_well(f);
    rig_ccw(&f->rig, 0x14, SLI, 32, 0x30000);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_ptr_equal(f->volume->reserved_by, f->dev);
    css_reset(f->rig.css);
    assert_null(f->volume->reserved_by);
}

// --- IPL -----------------------------------------------------------------------------------------

struct load {
    unsigned calls;
    bool ok;
    const char *reason;
};

static void on_load(void *arg, bool ok, const char *reason)
{
    struct load *load = arg;
    load->calls++;
    load->ok = ok;
    load->reason = reason;
}

// Record 1 of track 0 as a loader has it: PSW, then READ DATA of record 2 and a TIC into it. Record
// 2: SEEK, SEARCH, TIC, READ DATA of record 3 of head 1, which needs the status modifier.
static void write_loader(struct fixture *f)
{
    static const uint8_t one[8 + 24] = {0, 0, 0, 0,    1,    0, 0,    24,   // count
                                        0, 8, 0, 0,    0x80, 0, 0x20, 0x18, // PSW
                                        6, 0, 0, 0x18, 0x60, 0, 0,    0x68, 8, 0, 0, 0x18};
    static const uint8_t two[8 + 0x40] = {
        0,    0, 0, 0,    2,    0, 0, 0x40, // count
        0x07, 0, 0, 0x40, 0x40, 0, 0, 6,    // 18: SEEK, parameters at 40
        0x31, 0, 0, 0x42, 0x40, 0, 0, 5,    // 20: SEARCH ID EQUAL
        0x08, 0, 0, 0x20, 0,    0, 0, 0,    // 28: TIC
        0x06, 0, 2, 0,    0x20, 0, 4, 0,    // 30: READ DATA to 200
        0,    0, 0, 0,    0,    0, 0, 0,    // 38
        0,    0, 0, 0,    0,    1, 3};      // 40: 0000 cccc hhhh r
    dasd_extent(&f->rig, 0xC0, 0, 0, 0, 14);
    dasd_locate(&f->rig, 0x03, 2, 0, 0, 0);
    rig_put(&f->rig, DATA, one, sizeof one);
    rig_put(&f->rig, DATA + 0x100, two, sizeof two);
    rig_ccw(&f->rig, 0x1D, CC, sizeof one, DATA);
    rig_ccw(&f->rig, 0x1D, 0, sizeof two, DATA + 0x100);
    run_well(f);
    format(f, 0, 1, 4, 0, 0x400);
}

static void ipl(void **state)
{
    struct fixture *f = *state;
    struct load load = {0};
    write_loader(f);
    css_reset(f->rig.css);
    assert_int_equal(css_ipl(f->rig.css, 0x200, on_load, &load), 0);
    assert_int_equal(load.calls, 0); // the disk takes its time
    assert_true(rig_settle(&f->rig, 100));
    assert_int_equal(load.calls, 1);
    assert_true(load.ok);
    assert_int_equal(byte_at(f, 0x200), 3);
    assert_int_equal(byte_at(f, 0x5FF), 3);
    assert_int_equal(byte_at(f, 6), 0x20);
    // Reset while it loads.
    load.calls = 0;
    assert_int_equal(css_ipl(f->rig.css, 0x200, on_load, &load), 0);
    css_reset(f->rig.css);
    assert_int_equal(load.calls, 1);
    assert_false(load.ok);
    assert_true(rig_settle(&f->rig, 1));
    assert_int_equal(load.calls, 1);
}

static void ipl_of_an_empty_volume(void **state)
{
    struct fixture *f = *state;
    struct load load = {0};
    assert_int_equal(css_ipl(f->rig.css, 0x200, on_load, &load), 0);
    assert_true(rig_settle(&f->rig, 100));
    assert_int_equal(load.calls, 1);
    assert_false(load.ok);
    assert_string_equal(load.reason, "unit check");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(seek_cylinder_and_head),  TEST(sectors),
        TEST(home_addresses),          TEST(keys_written),
        TEST(write_on_the_next_track), TEST(searches_high_and_over_tracks),
        TEST(logs_are_empty),          TEST(ipl),
        TEST(ipl_of_an_empty_volume),
    };
    return cmocka_run_group_tests_name("dasd_commands", tests, NULL, NULL);
}
