// SPDX-License-Identifier: MIT
// The 3490: blocks and marks forward and back, what the sense says, and AWSTAPE files byte for
// byte.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "devices/rig.h"
#include "devices/tape_3490.h"

#define WRITE      0x01
#define READ       0x02
#define REWIND     0x07
#define UNLOAD     0x0F
#define WRITE_MARK 0x1F
#define BACK_BLOCK 0x27
#define BACK_FILE  0x2F
#define NEXT_BLOCK 0x37
#define NEXT_FILE  0x3F
#define BLOCK_ID   0x22
#define LOCATE     0x4F
#define ERASE      0x97

struct drive {
    struct rig rig;
    struct tape_image *image;
    uint32_t sid;
    struct irb irb;
};

static void set_up(struct drive *d, struct tape_image *image)
{
    rig_open(&d->rig);
    d->image = image;
    d->sid = rig_add(&d->rig, tape_3490_new(0x580, image), 0);
}

static void tear_down(struct drive *d)
{
    rig_close(&d->rig);
    tape_image_free(d->image);
}

// A command alone; its device status.
static uint8_t give(struct drive *d, uint8_t code, uint16_t count, uint32_t address)
{
    rig_ccw(&d->rig, code, SLI, count, address);
    assert_int_equal(rig_run(&d->rig, d->sid, &d->irb), 0);
    assert_int_equal(d->irb.channel, 0);
    return d->irb.status;
}

static void write_blocks(struct drive *d, unsigned n, uint8_t fill)
{
    uint8_t bytes[1000];
    for (unsigned i = 0; i < n; i++) {
        memset(bytes, fill + (int)i, sizeof bytes);
        rig_put(&d->rig, 0x4000, bytes, sizeof bytes);
        assert_int_equal(give(d, WRITE, (uint16_t)(100 + 100 * i), 0x4000), 0x0C);
    }
}

// The next block has that length and content.
static void expect(struct drive *d, unsigned length, uint8_t fill)
{
    uint8_t bytes[1100];
    assert_int_equal(give(d, READ, sizeof bytes, 0x4000), 0x0C);
    assert_int_equal(d->irb.residual, sizeof bytes - length);
    rig_get(&d->rig, 0x4000, bytes, sizeof bytes);
    assert_int_equal(bytes[0], fill);
    assert_int_equal(bytes[length - 1], fill);
}

static const uint8_t *sense(struct drive *d)
{
    static uint8_t bytes[32];
    assert_int_equal(give(d, 0x04, sizeof bytes, 0x5000), 0x0C);
    rig_get(&d->rig, 0x5000, bytes, sizeof bytes);
    return bytes;
}

static uint32_t block_id(struct drive *d)
{
    uint8_t bytes[8];
    assert_int_equal(give(d, BLOCK_ID, 8, 0x5000), 0x0C);
    rig_get(&d->rig, 0x5000, bytes, sizeof bytes);
    assert_memory_equal(bytes, bytes + 4, 4);
    return be32_load(bytes);
}

static void blocks_and_marks(void **state)
{
    (void)state;
    struct drive d;
    set_up(&d, tape_image_scratch());
    write_blocks(&d, 3, 0x10);
    assert_int_equal(give(&d, WRITE_MARK, 1, 0), 0x0C);
    write_blocks(&d, 2, 0x20);
    assert_int_equal(give(&d, WRITE_MARK, 1, 0), 0x0C);
    assert_int_equal(block_id(&d), 7);
    assert_int_equal(give(&d, REWIND, 1, 0), 0x0C);
    assert_int_equal(block_id(&d), 0);
    expect(&d, 100, 0x10);
    expect(&d, 200, 0x11);
    expect(&d, 300, 0x12);
    assert_int_equal(give(&d, READ, 100, 0x4000), 0x0D); // tape mark
    assert_int_equal(d.irb.residual, 100);
    expect(&d, 100, 0x20);
    assert_int_equal(give(&d, BACK_BLOCK, 1, 0), 0x0C);
    assert_int_equal(give(&d, BACK_BLOCK, 1, 0), 0x0D); // the mark
    assert_int_equal(give(&d, BACK_BLOCK, 1, 0), 0x0C);
    expect(&d, 300, 0x12);
    assert_int_equal(give(&d, NEXT_FILE, 1, 0), 0x0C);
    assert_int_equal(give(&d, NEXT_BLOCK, 1, 0), 0x0C);
    expect(&d, 200, 0x21);
    assert_int_equal(give(&d, NEXT_BLOCK, 1, 0), 0x0D);
    assert_int_equal(give(&d, READ, 100, 0x4000), 0x0E); // nothing was ever written here
    assert_int_equal(sense(&d)[0], 0x08);
    assert_int_equal(give(&d, READ, 100, 0x4000), 0x0E);
    assert_int_equal(sense(&d)[3], 0x31);
    assert_int_equal(give(&d, BACK_FILE, 1, 0), 0x0C);
    assert_int_equal(give(&d, BACK_FILE, 1, 0), 0x0C);
    assert_int_equal(block_id(&d), 3);
    assert_int_equal(give(&d, BACK_FILE, 1, 0), 0x0E); // there is no mark: to the beginning
    const uint8_t *s = sense(&d);
    assert_int_equal(s[3], 0x39);
    assert_int_equal(s[1], 0x48); // online, at the beginning
    tear_down(&d);
}

static void writing_ends_the_tape(void **state)
{
    (void)state;
    struct drive d;
    set_up(&d, tape_image_scratch());
    write_blocks(&d, 5, 0x30);
    assert_int_equal(give(&d, REWIND, 1, 0), 0x0C);
    assert_int_equal(give(&d, NEXT_BLOCK, 1, 0), 0x0C);
    write_blocks(&d, 1, 0x77);
    assert_int_equal(give(&d, READ, 100, 0x4000), 0x0E);
    assert_int_equal(give(&d, REWIND, 1, 0), 0x0C);
    expect(&d, 100, 0x30);
    expect(&d, 100, 0x77);
    assert_int_equal(give(&d, REWIND, 1, 0), 0x0C);
    assert_int_equal(give(&d, ERASE, 1, 0), 0x0C);
    assert_int_equal(give(&d, READ, 100, 0x4000), 0x0E);
    tear_down(&d);
}

static void blocks_are_found_by_number(void **state)
{
    (void)state;
    struct drive d;
    uint8_t id[4];
    set_up(&d, tape_image_scratch());
    write_blocks(&d, 9, 0x40);
    for (unsigned i = 9; i-- > 0;) {
        be32_store(id, 0x01000000 | i); // what lies above the number is not looked at
        rig_put(&d.rig, 0x6000, id, sizeof id);
        assert_int_equal(give(&d, LOCATE, 4, 0x6000), 0x0C);
        expect(&d, 100 + 100 * i, (uint8_t)(0x40 + i));
    }
    be32_store(id, 10);
    rig_put(&d.rig, 0x6000, id, sizeof id);
    assert_int_equal(give(&d, LOCATE, 4, 0x6000), 0x0E);
    const uint8_t *s = sense(&d);
    assert_int_equal(s[1] & 0x80, 0x80);
    assert_int_equal(s[3], 0x44);
    tear_down(&d);
}

static void drives_without_a_tape_and_protected_ones(void **state)
{
    (void)state;
    struct drive d;
    char path[] = "/tmp/endicott-tape-XXXXXX", *error = NULL;
    close(mkstemp(path));
    set_up(&d, tape_image_open(path, true, &error));
    assert_non_null(d.image);
    rig_put(&d.rig, 0x4000, path, sizeof path);
    assert_int_equal(give(&d, WRITE, 10, 0x4000), 0x0E);
    const uint8_t *s = sense(&d);
    assert_int_equal(s[0], 0x80);
    assert_int_equal(s[3], 0x30);
    assert_int_equal(s[1], 0x40 | 0x08 | 0x04 | 0x02);
    assert_int_equal(give(&d, UNLOAD, 1, 0), 0x0C);
    assert_int_equal(give(&d, REWIND, 1, 0), 0x0E);
    s = sense(&d);
    assert_int_equal(s[0], 0x40);
    assert_int_equal(s[3], 0x43);
    assert_int_equal(give(&d, 0x63, 1, 0), 0x0E); // no such command
    s = sense(&d);
    assert_int_equal(s[0], 0x80);
    assert_int_equal(s[3], 0x27);
    tear_down(&d);
    remove(path);
    assert_null(tape_image_open("/nowhere/tape", false, &error));
    assert_non_null(error);
    free(error);
}

// Two blocks, a mark, and a block in two pieces, as another program may have written them.
static const uint8_t aws[] = {3,    0, 0,   0,   0xA0, 0, 'A', 'B',  'C',  1, 0,  3, 0,
                              0xA0, 0, 'D', 0,   0,    1, 0,   0x40, 0,    2, 0,  0, 0,
                              0x80, 0, 'E', 'F', 1,    0, 2,   0,    0x20, 0, 'G'};

static void files_are_those_of_other_programs(void **state)
{
    (void)state;
    char path[] = "/tmp/endicott-tape-XXXXXX", *error = NULL;
    int fd = mkstemp(path);
    uint8_t bytes[10], again[64];
    uint32_t n;
    assert_int_equal(write(fd, aws, sizeof aws), sizeof aws);
    struct tape_image *t = tape_image_open(path, false, &error);
    assert_int_equal(tape_image_read(t, bytes, sizeof bytes, &n), TAPE_DATA);
    assert_int_equal(n, 3);
    assert_int_equal(tape_image_read(t, bytes, sizeof bytes, &n), TAPE_DATA);
    assert_int_equal(tape_image_read(t, bytes, sizeof bytes, &n), TAPE_MARK);
    assert_int_equal(tape_image_read(t, bytes, 2, &n), TAPE_DATA);
    assert_int_equal(n, 3);
    assert_memory_equal(bytes, "EFC", 3); // two were asked for
    assert_int_equal(tape_image_read(t, bytes, sizeof bytes, &n), TAPE_END);
    assert_int_equal(tape_image_back(t, &n), TAPE_DATA);
    assert_int_equal(n, 3);
    assert_int_equal(tape_image_block(t), 3);
    assert_int_equal(tape_image_read(t, bytes, sizeof bytes, &n), TAPE_DATA);
    assert_memory_equal(bytes, "EFG", 3);
    // Writing the first part again makes the same file.
    tape_image_rewind(t);
    assert_true(tape_image_write(t, (const uint8_t *)"ABC", 3));
    assert_true(tape_image_write(t, (const uint8_t *)"D", 1));
    assert_true(tape_image_write_mark(t));
    tape_image_free(t);
    assert_int_equal(pread(fd, again, sizeof again, 0), 22);
    assert_memory_equal(again, aws, 22);
    // Every cut and every changed byte of a header: some answer, no block that was not there.
    for (size_t at = 0; at < sizeof aws; at++)
        for (unsigned flip = 0; flip < 9; flip++) {
            uint8_t bad[sizeof aws];
            memcpy(bad, aws, sizeof aws);
            size_t size = flip == 8 ? at : sizeof aws;
            if (flip < 8)
                bad[at] ^= (uint8_t)(1u << flip);
            assert_int_equal(ftruncate(fd, 0), 0);
            assert_int_equal(pwrite(fd, bad, size, 0), size);
            t = tape_image_open(path, true, &error);
            enum tape_found found = TAPE_DATA;
            unsigned blocks = 0;
            while ((found = tape_image_read(t, bytes, sizeof bytes, &n)) < TAPE_END) {
                assert_true(n < sizeof aws);
                assert_true(++blocks <= 5);
            }
            while (tape_image_back(t, &n) < TAPE_END)
                blocks--;
            assert_int_equal(blocks, 0); // the same way back
            tape_image_free(t);
        }
    close(fd);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_marks),
        cmocka_unit_test(writing_ends_the_tape),
        cmocka_unit_test(blocks_are_found_by_number),
        cmocka_unit_test(drives_without_a_tape_and_protected_ones),
        cmocka_unit_test(files_are_those_of_other_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
