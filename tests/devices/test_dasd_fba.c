// SPDX-License-Identifier: MIT
// Fixed-block DASD: extents, LOCATE, reads and writes by block and by chain, protection, files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <unistd.h>

#include "devices/dasd_fba.h"
#include "devices/rig.h"

enum { EXTENT = 0x800, LOCATE = 0x820, DATA = 0x10000 };

struct fixture {
    struct rig rig;
    struct fba_volume *volume;
    uint32_t sid;
    struct irb irb;
};

static int set_up(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_open(&f->rig);
    f->volume = fba_volume_new(NULL, 2000, true, false, NULL);
    f->sid = rig_add(&f->rig, dasd_fba_new(0x300, f->volume, 1000, 500, false), 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    rig_close(&f->rig);
    fba_volume_free(f->volume);
    free(f);
    return 0;
}

// DEFINE EXTENT of `count` blocks from `block` on, numbered from 0.
static void extent(struct fixture *f, uint8_t mask, uint32_t block, uint32_t count)
{
    uint8_t p[16] = {mask, 0, 2, 0};
    be32_store(p + 4, block);
    be32_store(p + 12, count - 1);
    rig_put(&f->rig, EXTENT, p, sizeof p);
    rig_ccw(&f->rig, 0x63, CC, 16, EXTENT);
}

static void locate(struct fixture *f, uint8_t operation, unsigned count, uint32_t block)
{
    uint8_t p[8] = {operation};
    be16_store(p + 2, (uint16_t)count);
    be32_store(p + 4, block);
    rig_put(&f->rig, LOCATE, p, sizeof p);
    rig_ccw(&f->rig, 0x43, CC, 8, LOCATE);
}

static void expect(struct fixture *f, unsigned status, unsigned channel, unsigned residual)
{
    assert_int_equal(rig_run(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.status, status);
    assert_int_equal(f->irb.channel, channel);
    assert_int_equal(f->irb.residual, residual);
}

static void blocks_go_where_they_belong(void **state)
{
    struct fixture *f = *state;
    uint8_t data[2048], block[512];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i / 512 + 1);
    rig_put(&f->rig, DATA, data, sizeof data);
    extent(f, 0, 100, 50);
    locate(f, 0x05, 4, 10);
    rig_ccw(&f->rig, 0x41, 0, 2048, DATA);
    expect(f, 0x0C, 0, 0);
    assert_int_equal(fba_volume_read(f->volume, 1000 + 110 + 2, block, 1), 0);
    assert_int_equal(block[0], 3);
    // Read back with a CCW a block, and data-chained.
    extent(f, 0x40, 100, 50);
    locate(f, 0x06, 4, 10);
    for (uint32_t i = 0; i < 4; i++)
        rig_ccw(&f->rig, 0x42, i == 3 ? 0 : CC, 512, DATA + 0x4000 + 1024 * i);
    expect(f, 0x0C, 0, 0);
    rig_get(&f->rig, DATA + 0x4000 + 1024 * 3, block, 512);
    assert_int_equal(block[511], 4);
    extent(f, 0x40, 100, 50);
    locate(f, 0x06, 4, 10);
    rig_ccw(&f->rig, 0x42, CD, 1000, DATA + 0x8000);
    rig_ccw(&f->rig, 0, 0, 1048, DATA + 0xA000);
    expect(f, 0x0C, 0, 0);
    rig_get(&f->rig, DATA + 0xA000 + 24, block, 512);
    assert_int_equal(block[0], 3);
    assert_int_equal(f->volume->bytes_read, 4096);
    // A part of a block: the rest of it is zeros on a write, unread on a read.
    extent(f, 0, 100, 50);
    locate(f, 0x05, 1, 10);
    rig_ccw(&f->rig, 0x41, SLI, 100, DATA + 512);
    expect(f, 0x0C, 0, 0);
    assert_int_equal(fba_volume_read(f->volume, 1110, block, 1), 0);
    assert_int_equal(block[99], 2);
    assert_int_equal(block[100], 0);
    extent(f, 0, 100, 50);
    locate(f, 0x06, 1, 10);
    rig_ccw(&f->rig, 0x42, 0, 100, DATA);
    expect(f, 0x0C, 0x40, 0);
    // Zero-write of two blocks.
    extent(f, 0, 100, 50);
    locate(f, 0x08, 2, 12);
    rig_ccw(&f->rig, 0x41, SLI, 0, 0);
    expect(f, 0x0C, 0, 0);
    assert_int_equal(fba_volume_read(f->volume, 1112, block, 1), 0);
    assert_int_equal(block[0], 0);
}

static void bounds_and_protection(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint32_t block, count, at, blocks;
        uint8_t mask, operation, code, sense0, sense1;
    } bad[] = {
        {450, 51, 0, 1, 0, 6, 0x42, 0x80, 0x04},  // extent beyond the window
        {500, 1, 0, 1, 0, 6, 0x42, 0x80, 0x04},   // extent outside
        {0, 10, 9, 2, 0, 6, 0x42, 0x00, 0x04},    // blocks beyond the extent
        {0, 10, 10, 1, 0, 6, 0x42, 0x00, 0x04},   // block beyond the extent
        {0, 10, 0, 0, 0, 6, 0x42, 0x00, 0x04},    // no blocks
        {0, 10, 0, 1, 0, 7, 0x42, 0x80, 0x00},    // no such operation
        {0, 10, 0, 1, 0x40, 5, 0x41, 0x80, 0x04}, // writes inhibited
        {0, 10, 0, 1, 0, 6, 0x41, 0x80, 0x00},    // write after locate for reading
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        extent(f, bad[i].mask, bad[i].block, bad[i].count);
        locate(f, bad[i].operation, bad[i].blocks, bad[i].at);
        rig_ccw(&f->rig, bad[i].code, SLI, 512, DATA);
        assert_int_equal(rig_run(&f->rig, f->sid, &f->irb), 0);
        assert_int_equal(f->irb.status, 0x0E);
        assert_int_equal(f->irb.raw[32], bad[i].sense0);
        assert_int_equal(f->irb.raw[33], bad[i].sense1);
    }
    rig_ccw(&f->rig, 0x42, SLI, 512, DATA); // without LOCATE
    assert_int_equal(rig_run(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.status, 0x0E);
    assert_null(dasd_fba_new(1, f->volume, 0, 2001, false));
    assert_null(dasd_fba_new(1, f->volume, 0, 0, false));
    assert_null(dasd_fba_new(1, f->volume, UINT32_MAX, 2, false));
}

static void characteristics_and_ipl(void **state)
{
    struct fixture *f = *state;
    uint8_t c[32], block[512];
    rig_ccw(&f->rig, 0x64, 0, 32, DATA);
    expect(f, 0x0C, 0, 0);
    rig_get(&f->rig, DATA, c, 32);
    assert_int_equal(be16_load(c + 4), 512);
    assert_int_equal(be32_load(c + 14), 500);
    memset(block, 0x77, sizeof block);
    assert_int_equal(fba_volume_write(f->volume, 1000, block, 1), 0);
    rig_ccw(&f->rig, 0x02, SLI, 24, DATA);
    expect(f, 0x0C, 0, 0);
    rig_get(&f->rig, DATA, c, 24);
    assert_int_equal(c[23], 0x77);
}

static void raw_files(void **state)
{
    (void)state;
    char path[] = "/tmp/endicott-fba-XXXXXX", *error = NULL;
    uint8_t block[512] = {1, 2, 3};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_null(fba_volume_new(path, 0, false, false, &error)); // empty
    free(error);
    assert_int_equal(write(fd, block, 100), 100);
    assert_null(fba_volume_new(path, 0, false, false, &error)); // no whole block
    free(error);
    assert_null(fba_volume_new(path, 10, true, false, &error)); // is there already
    free(error);
    close(fd);
    unlink(path);
    struct fba_volume *v = fba_volume_new(path, 10, true, false, NULL);
    assert_int_equal(fba_volume_write(v, 9, block, 1), 0);
    assert_int_equal(fba_volume_write(v, 9, block, 2), -1);
    fba_volume_free(v);
    v = fba_volume_new(path, 0, false, true, NULL);
    assert_int_equal(v->blocks, 10);
    assert_int_equal(fba_volume_write(v, 9, block, 1), -1);
    memset(block, 0, sizeof block);
    assert_int_equal(fba_volume_read(v, 9, block, 1), 0);
    assert_int_equal(block[2], 3);
    fba_volume_free(v);
    unlink(path);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(blocks_go_where_they_belong),
        TEST(bounds_and_protection),
        TEST(characteristics_and_ipl),
        TEST(raw_files),
    };
    return cmocka_run_group_tests_name("dasd_fba", tests, NULL, NULL);
}
