// SPDX-License-Identifier: MIT
// The CKD control unit: orientation, searches, reads and writes, domains, protection, sense.
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

static void search_tic_and_read(void **state)
{
    struct fixture *f = *state;
    format(f, 3, 4, 12, 0, 4096);
    dasd_seek(&f->rig, 3, 4);
    dasd_search(&f->rig, 3, 4, 7);
    rig_ccw(&f->rig, 0x06, 0, 4096, 0x30000);
    run_well(f);
    assert_int_equal(f->irb.ccw, 0x1020);
    assert_int_equal(byte_at(f, 0x30000), 7);
    assert_int_equal(byte_at(f, 0x30FFF), 7);
    // The same in format 0, as an IPL does it.
    f->rig.format0 = true;
    dasd_seek(&f->rig, 3, 4);
    dasd_search(&f->rig, 3, 4, 12);
    rig_ccw(&f->rig, 0x06, SLI, 5000, 0x30000);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(f->irb.residual, 5000 - 4096);
    assert_int_equal(byte_at(f, 0x30FFF), 12);
}

static void search_that_finds_nothing_ends(void **state)
{
    struct fixture *f = *state;
    format(f, 3, 4, 12, 0, 4096);
    dasd_seek(&f->rig, 3, 4);
    dasd_search(&f->rig, 3, 4, 13);
    rig_ccw(&f->rig, 0x06, 0, 4096, 0x30000);
    run_into(f, 0, 0x08, 0);
    assert_int_equal(f->irb.raw[37], 3); // the track is in the sense bytes
    assert_int_equal(f->irb.raw[38] & 0x0F, 4);
}

static void keys(void **state)
{
    struct fixture *f = *state;
    uint8_t key[8];
    format(f, 0, 0, 10, 8, 100);
    memset(key, 6, sizeof key);
    for (unsigned code = 0x29; code <= 0x69; code += 0x20) {
        dasd_seek(&f->rig, 0, 0);
        uint32_t at = dasd_parameter(&f->rig, key, 8), loop = f->rig.program;
        rig_ccw(&f->rig, (uint8_t)code, CC, 8, at);
        rig_ccw(&f->rig, 0x08, 0, 0, loop);
        rig_ccw(&f->rig, 0x06, 0, 100, 0x30000);
        run_well(f);
        assert_int_equal(byte_at(f, 0x30000), code == 0x49 ? 7 : 6);
    }
    // READ KEY AND DATA of the record whose count was found.
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 2);
    rig_ccw(&f->rig, 0x0E, 0, 108, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000), 2);
}

static void counts_as_linux_reads_them(void **state)
{
    struct fixture *f = *state;
    uint8_t count[8];
    format(f, 0, 0, 4, 4, 80);
    format(f, 0, 1, 3, 0, 4096);
    dasd_extent(&f->rig, 0x40, 0, 0, 0, 1);
    dasd_locate(&f->rig, 0x06, 4, 0, 0, 0);
    for (uint32_t i = 0; i < 4; i++)
        rig_ccw(&f->rig, 0x12, CC, 8, 0x30000 + 8 * i);
    dasd_locate(&f->rig, 0x06, 1, 0, 1, 0);
    rig_ccw(&f->rig, 0x12, 0, 8, 0x30020);
    run_well(f);
    rig_get(&f->rig, 0x30018, count, 8);
    assert_memory_equal(count, "\x00\x00\x00\x00\x04\x04\x00\x50", 8);
    rig_get(&f->rig, 0x30020, count, 8);
    assert_memory_equal(count, "\x00\x00\x00\x01\x01\x00\x10\x00", 8);
}

static void multitrack_in_a_domain(void **state)
{
    struct fixture *f = *state;
    for (unsigned head = 13; head < 15; head++)
        format(f, 5, head, 12, 0, 4096);
    format(f, 6, 0, 12, 0, 4096);
    // Writes records 11 of head 13 to 2 of the next cylinder, across both track and cylinder ends.
    uint8_t *data = mem_alloc(16 * 4096);
    for (int i = 0; i < 16; i++)
        memset(data + i * 4096, 0x80 + i, 4096);
    rig_put(&f->rig, 0x40000, data, 16 * 4096);
    dasd_extent(&f->rig, 0x80, 5, 0, 6, 14);
    dasd_locate(&f->rig, 0x01, 16, 5, 13, 11);
    for (uint32_t i = 0; i < 16; i++)
        rig_ccw(&f->rig, 0x85, i == 15 ? 0 : CC, 4096, 0x40000 + 4096 * i);
    run_well(f);
    dasd_extent(&f->rig, 0x40, 5, 0, 6, 14);
    dasd_locate(&f->rig, 0x06, 16, 5, 13, 11);
    for (uint32_t i = 0; i < 16; i++)
        rig_ccw(&f->rig, 0x86, i == 15 ? 0 : CC, 4096, 0x80000 + 4096 * i);
    run_well(f);
    rig_get(&f->rig, 0x80000, data, 16 * 4096);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(data[i * 4096], 0x80 + i);
        assert_int_equal(data[i * 4096 + 4095], 0x80 + i);
    }
    dasd_seek(&f->rig, 6, 0);
    dasd_search(&f->rig, 6, 0, 2);
    rig_ccw(&f->rig, 0x06, 0, 4096, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000), 0x8F);
    // The extent ends at the cylinder: the same chain is stopped there.
    dasd_extent(&f->rig, 0x40, 5, 0, 5, 14);
    dasd_locate(&f->rig, 0x06, 15, 5, 13, 11);
    for (uint32_t i = 0; i < 15; i++)
        rig_ccw(&f->rig, 0x86, i == 14 ? 0 : CC, 4096, 0x80000 + 4096 * i);
    run_into(f, 0, 0x04, 0);
    free(data);
}

static void end_of_cylinder(void **state)
{
    struct fixture *f = *state;
    format(f, 5, 14, 1, 0, 100);
    dasd_seek(&f->rig, 5, 14);
    rig_ccw(&f->rig, 0x86, CC, 100, 0x30000);
    rig_ccw(&f->rig, 0x86, CC, 100, 0x30000);
    rig_ccw(&f->rig, 0x03, SLI, 1, 0);
    run_into(f, 0, 0x20, 0);
}

static void empty_tracks_have_no_record(void **state)
{
    struct fixture *f = *state;
    dasd_seek(&f->rig, 1, 1);
    rig_ccw(&f->rig, 0x06, 0, 100, 0x30000);
    run_into(f, 0, 0x08, 0);
    dasd_extent(&f->rig, 0x40, 0, 0, 19, 14);
    dasd_locate(&f->rig, 0x06, 1, 2, 2, 1);
    rig_ccw(&f->rig, 0x86, 0, 100, 0x30000);
    run_into(f, 0, 0x08, 0);
    // R0 is there, and so is the home address, both in the minidisk's own cylinders.
    dasd_seek(&f->rig, 1, 1);
    rig_ccw(&f->rig, 0x1A, CC, 5, 0x30000);
    rig_ccw(&f->rig, 0x16, 0, 16, 0x30008);
    run_well(f);
    uint8_t zero[16];
    rig_get(&f->rig, 0x30000, zero, 5);
    assert_memory_equal(zero, "\0\0\1\0\1", 5);
    rig_get(&f->rig, 0x30008, zero, 8);
    assert_memory_equal(zero, "\0\1\0\1\0\0\0\x08", 8);
}

static void end_of_file_record(void **state)
{
    struct fixture *f = *state;
    format(f, 0, 5, 2, 0, 0);
    dasd_seek(&f->rig, 0, 5);
    dasd_search(&f->rig, 0, 5, 2);
    rig_ccw(&f->rig, 0x06, CC | SLI, 80, 0x30000);
    rig_ccw(&f->rig, 0x06, 0, 80, 0x30000);
    run(f);
    assert_int_equal(f->irb.status, 0x0D);
    assert_int_equal(f->irb.residual, 80);
}

static void read_whole_track(void **state)
{
    struct fixture *f = *state;
    uint8_t bytes[16];
    format(f, 7, 0, 3, 4, 96);
    dasd_extent(&f->rig, 0x40, 7, 0, 7, 1);
    dasd_locate(&f->rig, 0xCC, 2, 7, 0, 0);
    rig_ccw(&f->rig, 0xDE, CC | SLI, 60000, 0x30000);
    rig_ccw(&f->rig, 0xDE, SLI, 60000, 0x40000);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(60000 - f->irb.residual, 16 + 8); // head 1: R0 and the end
    rig_get(&f->rig, 0x30000 + 16 + 2 * 108, bytes, 16);
    assert_memory_equal(bytes, "\0\7\0\0\3\4\0\x60\3\3\3\3\3", 13);
    rig_get(&f->rig, 0x30000 + 16 + 3 * 108, bytes, 8);
    assert_memory_equal(bytes, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8);
    // READ MULTIPLE CKD gives the same records without R0.
    dasd_seek(&f->rig, 7, 0);
    rig_ccw(&f->rig, 0x5E, SLI, 60000, 0x30000);
    run(f);
    assert_int_equal(60000 - f->irb.residual, 3 * 108);
    assert_int_equal(byte_at(f, 0x30004), 1);
}

static void short_write_pads_and_long_is_cut(void **state)
{
    struct fixture *f = *state;
    format(f, 0, 0, 2, 0, 100);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x05, 0, 40, DATA + 8);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(f->irb.channel, 0x40);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x06, 0, 100, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000 + 39), 1);
    assert_int_equal(byte_at(f, 0x30000 + 40), 0);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 2);
    rig_ccw(&f->rig, 0x05, SLI, 150, DATA + 8);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(f->irb.residual, 50);
}

static void track_capacity(void **state)
{
    struct fixture *f = *state;
    const struct dasd_model *m = dasd_model("3390");
    assert_int_equal(dasd_records_per_track(m, 0, 4096), 12);
    assert_int_equal(dasd_records_per_track(m, 0, 2048), 21);
    assert_int_equal(dasd_records_per_track(m, 0, 1024), 33);
    assert_int_equal(dasd_records_per_track(m, 0, 512), 49);
    assert_int_equal(dasd_records_per_track(m, 0, 56664), 1);
    assert_int_equal(dasd_records_per_track(m, 0, 56665), 0);
    assert_int_equal(dasd_records_per_track(dasd_model("3380"), 0, 4096), 10);
    assert_int_equal(dasd_records_per_track(dasd_model("3380"), 0, 47476), 1);
    format(f, 0, 0, 12, 0, 4096);
    dasd_extent(&f->rig, 0xC0, 0, 0, 19, 14);
    dasd_format(&f->rig, 0, 0, 13, 0, 4096, true);
    run_into(f, 0, 0x40, 0);
    // What fitted is there.
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 12);
    rig_ccw(&f->rig, 0x06, 0, 4096, 0x30000);
    run_well(f);
}

static void writes_need_permission(void **state)
{
    struct fixture *f = *state;
    format(f, 0, 0, 2, 0, 100);
    static const struct {
        uint8_t mask, code, sense1;
    } cases[] = {{0x40, 0x05, 0x04}, {0x80, 0x1D, 0x04}, {0x40, 0x1D, 0x04}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t mask = dasd_parameter(&f->rig, &cases[i].mask, 1);
        rig_ccw(&f->rig, 0x1F, CC, 1, mask);
        dasd_seek(&f->rig, 0, 0);
        dasd_search(&f->rig, 0, 0, 1);
        rig_ccw(&f->rig, cases[i].code, 0, 100, DATA);
        run_into(f, 0x80, cases[i].sense1, 0);
    }
    // Not oriented to a record that was searched for.
    dasd_seek(&f->rig, 0, 0);
    rig_ccw(&f->rig, 0x05, 0, 100, DATA);
    run_into(f, 0x80, 0, 0x02);
    dasd_ckd_set_read_only(f->dev, true);
    dasd_seek(&f->rig, 0, 0);
    dasd_search(&f->rig, 0, 0, 1);
    rig_ccw(&f->rig, 0x05, 0, 100, DATA);
    run_into(f, 0x80, 0x02, 0);
}

static void seeks_stay_inside(void **state)
{
    struct fixture *f = *state;
    dasd_seek(&f->rig, 20, 0);
    run_into(f, 0x80, 0, 0x04);
    dasd_seek(&f->rig, 0, 15);
    run_into(f, 0x80, 0, 0x04);
    dasd_extent(&f->rig, 0x40, 2, 0, 3, 14);
    dasd_seek(&f->rig, 4, 0);
    run_into(f, 0, 0x04, 0);
    dasd_extent(&f->rig, 0x40, 2, 0, 20, 0);
    run_into(f, 0x80, 0, 0x04);
    dasd_extent(&f->rig, 0x40, 3, 0, 2, 0);
    run_into(f, 0x80, 0, 0x04);
    uint8_t no_seeks = 0x18;
    uint32_t at = dasd_parameter(&f->rig, &no_seeks, 1);
    rig_ccw(&f->rig, 0x1F, CC, 1, at);
    dasd_seek(&f->rig, 1, 0);
    run_into(f, 0, 0x04, 0);
}

static void domains_are_kept(void **state)
{
    struct fixture *f = *state;
    format(f, 0, 0, 3, 0, 100);
    dasd_locate(&f->rig, 0x06, 1, 0, 0, 1); // without DEFINE EXTENT
    run_into(f, 0x80, 0, 0x02);
    dasd_extent(&f->rig, 0x40, 0, 0, 0, 14);
    dasd_locate(&f->rig, 0x06, 2, 0, 0, 1);
    dasd_seek(&f->rig, 0, 0); // not in a domain
    run_into(f, 0x80, 0, 0x02);
    dasd_extent(&f->rig, 0xC0, 0, 0, 0, 14);
    dasd_locate(&f->rig, 0x06, 2, 0, 0, 1);
    rig_ccw(&f->rig, 0x05, 0, 100, DATA); // a write in a read domain
    run_into(f, 0x80, 0, 0x02);
    dasd_extent(&f->rig, 0xC0, 0, 0, 0, 14);
    dasd_locate(&f->rig, 0x3F, 2, 0, 0, 1); // no such operation
    run_into(f, 0x80, 0, 0x04);
    dasd_extent(&f->rig, 0x40, 0, 0, 0, 14);
    dasd_extent(&f->rig, 0x40, 0, 0, 0, 14);
    run_into(f, 0x80, 0, 0x02);
}

static void short_parameters(void **state)
{
    struct fixture *f = *state;
    static const uint8_t codes[] = {0x07, 0x0B, 0x1B, 0x63};
    for (size_t i = 0; i < sizeof codes; i++) {
        rig_ccw(&f->rig, codes[i], SLI, 5, PARAMETERS);
        run_into(f, 0x80, 0, 0x03);
    }
    rig_ccw(&f->rig, 0x99, SLI, 5, PARAMETERS);
    run_into(f, 0x80, 0, 0x01);
    rig_ccw(&f->rig, 0x27, SLI, 11, PARAMETERS);
    run_into(f, 0x80, 0, 0x03);
}

// What Linux asks of the subsystem when a device goes online.
static void subsystem_data(void **state)
{
    struct fixture *f = *state;
    uint8_t order[12] = {0x18}, b[512];
    order[6] = 0x0E; // unit addresses
    rig_ccw(&f->rig, 0x27, CC, 12, dasd_parameter(&f->rig, order, sizeof order));
    rig_ccw(&f->rig, 0x3E, 0, 512, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, b, sizeof b);
    for (unsigned i = 0; i < 256; i++) {
        assert_int_equal(b[2 * i], 1);
        assert_int_equal(b[2 * i + 1], i);
    }
    order[6] = 0x41; // features
    rig_ccw(&f->rig, 0x27, CC, 12, dasd_parameter(&f->rig, order, sizeof order));
    rig_ccw(&f->rig, 0x3E, 0, 256, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, b, 256);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(b[i], 0);
    order[6] = 0x52; // not there
    rig_ccw(&f->rig, 0x27, CC, 12, dasd_parameter(&f->rig, order, sizeof order));
    rig_ccw(&f->rig, 0x3E, 0, 256, 0x30000);
    run_into(f, 0x80, 0, 0x04);
    rig_ccw(&f->rig, 0x3E, 0, 256, 0x30000); // nothing was prepared
    run_into(f, 0x80, 0, 0x02);
    order[0] = 0x1D; // what the host can do
    rig_ccw(&f->rig, 0x27, 0, 12, dasd_parameter(&f->rig, order, sizeof order));
    run_well(f);
}

static void identity(void **state)
{
    struct fixture *f = *state;
    uint8_t b[256];
    rig_ccw(&f->rig, 0xE4, SLI, 40, 0x30000);
    run(f);
    assert_int_equal(f->irb.residual, 28);
    rig_get(&f->rig, 0x30000, b, 12);
    assert_memory_equal(b, "\xFF\x39\x90\xE9\x33\x90\x0A\x00\x40\xFA\x01\x00", 12);
    rig_ccw(&f->rig, 0x64, 0, 64, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, b, 64);
    assert_int_equal(be16_load(b + 12), 20);
    assert_int_equal(be16_load(b + 14), 15);
    assert_int_equal(b[16], 224);
    assert_int_equal(be32_load(b + 16) & 0xFFFFFF, 56664);
    rig_ccw(&f->rig, 0xFA, 0, 256, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, b, 256);
    assert_int_equal(b[0] & 0xC0, 0xC0); // node-element descriptor of the device
    assert_int_equal(b[1], 1);
    assert_int_equal(b[224] & 0xC0, 0x80); // general qualifier
}

static void path_group(void **state)
{
    struct fixture *f = *state;
    uint8_t set[12] = {0x80, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, got[12];
    rig_ccw(&f->rig, 0x34, 0, 12, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, got, 12);
    assert_memory_equal(got, "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
    uint32_t at = dasd_parameter(&f->rig, set, 12);
    rig_ccw(&f->rig, 0xAF, CC, 12, at);
    rig_ccw(&f->rig, 0x34, 0, 12, 0x30000);
    run_well(f);
    rig_get(&f->rig, 0x30000, got, 12);
    assert_int_equal(got[0], 0xC8); // grouped, multipath
    assert_memory_equal(got + 1, set + 1, 11);
}

static void windows(void **state)
{
    struct fixture *f = *state;
    assert_null(dasd_ckd_new(1, f->volume, 0, 0, false));
    assert_null(dasd_ckd_new(1, f->volume, 0, 41, false));
    assert_null(dasd_ckd_new(1, f->volume, 40, 1, false));
    assert_null(dasd_ckd_new(1, f->volume, UINT32_MAX, 2, false));
    // What the minidisk wrote at its cylinder 3 is at cylinder 13 of the volume.
    format(f, 3, 0, 1, 0, 50);
    uint8_t *track = dasd_volume_track(f->volume, 13 * 15);
    struct track_record record;
    assert_true(track_find(track, f->volume->model->track_size, 1, &record));
    assert_int_equal(record.data, 50);
    assert_int_equal(track[record.offset + 1], 3);
    assert_int_equal(track[2], 13);
}

static void write_home_and_zero(void **state)
{
    struct fixture *f = *state;
    struct rig *r = &f->rig;
    format(f, 2, 2, 5, 0, 100);
    uint8_t zero[16] = {0, 2, 0, 2, 0, 0, 0, 8};
    dasd_extent(r, 0xC0, 0, 0, 19, 14);
    dasd_locate(r, 0x43, 1, 2, 2, 0);
    rig_ccw(r, 0x15, 0, 16, dasd_parameter(r, zero, 16));
    run_well(f);
    dasd_seek(r, 2, 2);
    rig_ccw(r, 0x06, 0, 100, 0x30000);
    run_into(f, 0, 0x08, 0);
    // Without home address orientation it is out of sequence.
    dasd_extent(r, 0xC0, 0, 0, 19, 14);
    dasd_locate(r, 0x03, 1, 2, 2, 0);
    rig_ccw(r, 0x15, 0, 16, dasd_parameter(r, zero, 16));
    run_into(f, 0x80, 0, 0x02);
    // ERASE behind record 2.
    format(f, 2, 2, 5, 0, 100);
    dasd_extent(r, 0xC0, 0, 0, 19, 14);
    dasd_locate(r, 0x03, 1, 2, 2, 2);
    rig_ccw(r, 0x11, 0, 8, DATA);
    run_well(f);
    dasd_seek(r, 2, 2);
    dasd_search(r, 2, 2, 2);
    rig_ccw(r, 0x06, CC, 100, 0x30000);
    rig_ccw(r, 0x06, 0, 100, 0x30000);
    run_well(f);
    assert_int_equal(byte_at(f, 0x30000), 1); // went round to record 1
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(search_tic_and_read),
        TEST(search_that_finds_nothing_ends),
        TEST(keys),
        TEST(counts_as_linux_reads_them),
        TEST(multitrack_in_a_domain),
        TEST(end_of_cylinder),
        TEST(empty_tracks_have_no_record),
        TEST(end_of_file_record),
        TEST(read_whole_track),
        TEST(short_write_pads_and_long_is_cut),
        TEST(track_capacity),
        TEST(writes_need_permission),
        TEST(seeks_stay_inside),
        TEST(domains_are_kept),
        TEST(short_parameters),
        TEST(subsystem_data),
        TEST(identity),
        TEST(path_group),
        TEST(windows),
        TEST(write_home_and_zero),
    };
    return cmocka_run_group_tests_name("dasd_ckd", tests, NULL, NULL);
}
