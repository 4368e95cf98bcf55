// SPDX-License-Identifier: MIT
// The I/O instructions and their condition codes; attach, detach, reset, reports, CHSC,
// measurement.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/puppet.h"

static void subchannels_that_are_not_there(void **state)
{
    struct fixture *f = *state;
    uint8_t schib[52] = {0}, irb[96], orb[32] = {0};
    be32_store(orb + 4, 0x0080FF00);
    orb[10] = 0x10;
    static const uint32_t bad[] = {0x00000000, 0x00000001, 0x00090000, 0x01010000, 0x00020000};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(css_store(f->rig.css, bad[i], schib), -1);
        assert_int_equal(css_start(f->rig.css, bad[i], orb), -1);
        assert_int_equal(css_test(f->rig.css, bad[i], irb), -1);
        assert_int_equal(css_halt(f->rig.css, bad[i]), -1);
        assert_int_equal(css_clear(f->rig.css, bad[i]), -1);
        assert_int_equal(css_resume(f->rig.css, bad[i]), -1);
        assert_int_equal(css_cancel(f->rig.css, bad[i]), -1);
        assert_int_equal(css_modify(f->rig.css, bad[i], schib), -1);
    }
    static const uint32_t absent[] = {0x00010001, 0x0001FFFF, 0x00030000};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(css_store(f->rig.css, absent[i], schib), 3);
        assert_int_equal(css_start(f->rig.css, absent[i], orb), 3);
        assert_int_equal(css_test(f->rig.css, absent[i], irb), 3);
        assert_int_equal(css_halt(f->rig.css, absent[i]), 3);
        assert_int_equal(css_clear(f->rig.css, absent[i]), 3);
        assert_int_equal(css_resume(f->rig.css, absent[i]), 3);
        assert_int_equal(css_cancel(f->rig.css, absent[i]), 3);
        assert_int_equal(css_modify(f->rig.css, absent[i], schib), 3);
    }
}

static void schib_reads_back(void **state)
{
    struct fixture *f = *state;
    uint8_t in[52], out[52], irb[96];
    assert_int_equal(css_store(f->rig.css, f->sid, in), 0);
    assert_int_equal(be32_load(in + 4), 0x00810500);
    assert_memory_equal(in + 8, "\x80\x00\x80\x80\x00\x00\xFF\x80", 8);
    assert_int_equal(in[16], 0);
    be32_store(in, 0x12345678);
    be32_store(in + 4, 0x18850500); // ISC 3, enabled, multipath
    be16_store(in + 12, 0xBEEF);
    be32_store(in + 24, 5); // extended block format, concurrent sense
    be64_store(in + 40, 0x1000);
    assert_int_equal(css_modify(f->rig.css, f->sid, in), 0);
    assert_int_equal(css_store(f->rig.css, f->sid, out), 0);
    assert_memory_equal(in, out, 52);
    // Reserved bits are an operand exception and change nothing.
    static const uint32_t reserved[] = {0x80000000, 0x40000000, 0x02000000, 0x01000000};
    for (unsigned i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        be32_store(in + 4, 0x18850500 | reserved[i]);
        assert_int_equal(css_modify(f->rig.css, f->sid, in), -1);
    }
    be32_store(in + 4, 0x18E50500);
    assert_int_equal(css_modify(f->rig.css, f->sid, in), -1);
    be32_store(in + 4, 0x18850500);
    in[24] = 1;
    assert_int_equal(css_modify(f->rig.css, f->sid, in), -1);
    in[24] = 0;
    be32_store(in + 4, 0x18950500); // measured, by a block of its own that is not aligned
    be64_store(in + 40, 0x1001);
    assert_int_equal(css_modify(f->rig.css, f->sid, in), -1);
    assert_int_equal(css_store(f->rig.css, f->sid, in), 0);
    assert_memory_equal(in, out, 52);
    // Bit 5 is ignored and read back as zero.
    be32_store(in + 4, 0x1C850500);
    assert_int_equal(css_modify(f->rig.css, f->sid, in), 0);
    assert_int_equal(css_store(f->rig.css, f->sid, in), 0);
    assert_int_equal(be32_load(in + 4), 0x18850500);
    // Disabled: only STORE and MODIFY still see it.
    be32_store(in + 4, 0x00010500);
    assert_int_equal(css_modify(f->rig.css, f->sid, in), 0);
    assert_int_equal(css_test(f->rig.css, f->sid, irb), 3);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 3);
}

static void orb_checks(void **state)
{
    struct fixture *f = *state;
    uint8_t orb[32] = {0};
    rig_ccw(&f->rig, 0x03, 0, 0, 0);
    for (uint32_t bit = 0x02; bit <= 0x20; bit <<= 1) {
        be32_store(orb + 4, 0x0080FF00 | bit);
        be32_store(orb + 8, 0x1000);
        assert_int_equal(css_start(f->rig.css, f->sid, orb), -1);
    }
    be32_store(orb + 4, 0x0080FF00);
    be32_store(orb + 8, 0x80001000);
    assert_int_equal(css_start(f->rig.css, f->sid, orb), -1);
    be32_store(orb + 4, 0x0000FF00); // format 0 with an address above 16 MiB
    be32_store(orb + 8, 0x01001000);
    assert_int_equal(css_start(f->rig.css, f->sid, orb), -1);
    be32_store(orb + 4, 0x00807F00); // not our path
    be32_store(orb + 8, 0x1000);
    assert_int_equal(css_start(f->rig.css, f->sid, orb), 3);
    be32_store(orb + 4, 0x0080FF01); // extension with a reserved bit
    orb[20] = 1;
    assert_int_equal(css_start(f->rig.css, f->sid, orb), -1);
    assert_int_equal(f->puppet->commands, 0);
}

static void busy_and_pending(void **state)
{
    struct fixture *f = *state;
    uint8_t schib[52];
    rig_ccw(&f->rig, WAIT, SLI, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 2);
    assert_int_equal(css_store(f->rig.css, f->sid, schib), 0);
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 2);
    assert_int_equal(css_resume(f->rig.css, f->sid), 2);
    assert_int_equal(css_cancel(f->rig.css, f->sid), 2);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    device_complete(&f->puppet->dev, device_done(0));
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 1);
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 1);
    assert_int_equal(css_halt(f->rig.css, f->sid), 1);
    assert_int_equal(css_resume(f->rig.css, f->sid), 1);
    assert_int_equal(css_cancel(f->rig.css, f->sid), 1);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    assert_int_equal(f->puppet->begins, 1);
    assert_int_equal(f->puppet->ends, 1);
}

static void clear_and_halt(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, WAIT, CC | SLI, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(css_clear(f->rig.css, f->sid), 0);
    assert_int_equal(f->puppet->halts, 1);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control, 0x00001001); // clear function, pending alone
    assert_int_equal(f->irb.status, 0);
    // A timed command: its end never comes after a clear.
    f->rig.program = 0x1000;
    rig_ccw(&f->rig, SLOW, 0, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(css_clear(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_true(rig_settle(&f->rig, 10));
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    // Halt of an idle subchannel.
    assert_int_equal(css_halt(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control, 0x00002001);
    // Halt of a running one.
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(css_halt(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0xFFFF, 0x6007);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(f->puppet->begins, f->puppet->ends);
}

static void attach_and_detach(void **state)
{
    struct fixture *f = *state;
    uint8_t crw[4], schib[52];
    struct channel_subsystem *css = f->rig.css;
    struct device *twice = puppet_new(0x500);
    assert_int_equal(css_attach(css, twice, true), -1);
    free(twice);
    assert_int_equal(css_attach(css, puppet_new(0x300), true), 0);
    assert_int_equal(css_subchannel_number(css, 0x300), 1);
    assert_int_equal(f->rig.reports, 1);
    assert_true(css_take_report(css));
    assert_false(css_take_report(css));
    assert_int_equal(css_report_word(css, crw), 0);
    assert_int_equal(be32_load(crw), 0x03040001);
    assert_int_equal(css_report_word(css, crw), 1);
    assert_int_equal(css_next(css, -1)->number, 0x300);
    assert_int_equal(css_next(css, 0x300)->number, 0x500);
    assert_null(css_next(css, 0x500));
    assert_null(css_next(css, 0xFFFF));
    // Detached while it runs.
    rig_ccw(&f->rig, SLOW, 0, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(css_detach(css, 0x500, true), 0);
    assert_int_equal(css_detach(css, 0x500, true), -1);
    assert_true(rig_settle(&f->rig, 5));
    assert_int_equal(css_store(css, f->sid, schib), 0);
    assert_int_equal(be32_load(schib + 4), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 3);
    assert_int_equal(css_modify(css, f->sid, schib), 0);
    // Another device takes a place of its own... the old one comes back to its own.
    assert_int_equal(css_attach(css, puppet_new(0x500), false), 0);
    assert_int_equal(css_subchannel_number(css, 0x500), 0);
    assert_null(css_device(css, 0x501));
    assert_int_equal(css_subchannel_number(css, 0x501), -1);
}

static void reports_that_are_too_many(void **state)
{
    struct fixture *f = *state;
    uint8_t crw[4];
    unsigned reports = 0;
    for (unsigned n = 0; n < 100; n++)
        css_attach(f->rig.css, puppet_new((uint16_t)(0x700 + n)), true);
    uint32_t last = 0;
    while (css_report_word(f->rig.css, crw) == 0) {
        last = be32_load(crw);
        reports++;
    }
    assert_true(reports < 100);
    assert_int_equal(last & 0x40000000, 0x40000000); // overflow
}

static void reset_forgets(void **state)
{
    struct fixture *f = *state;
    struct css_interruption i;
    rig_ccw(&f->rig, WAIT, SLI, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    css_reset(f->rig.css);
    assert_int_equal(f->puppet->halts, 1);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 3); // not enabled any more
    device_complete(&f->puppet->dev, device_done(0));        // too late: nobody waits
    assert_false(css_take_interruption(f->rig.css, 0xFF, true, &i));
}

static unsigned chsc(struct fixture *f, uint8_t *block, unsigned length, unsigned command)
{
    be16_store(block, (uint16_t)length);
    be16_store(block + 2, (uint16_t)command);
    assert_int_equal(css_chsc(f->rig.css, block), 0);
    return be16_load(block + length + 2);
}

static void subsystem_calls(void **state)
{
    struct fixture *f = *state;
    static uint8_t block[4096];
    assert_int_equal(css_chsc(f->rig.css, block), -1); // length 0
    be16_store(block, 4092);
    assert_int_equal(css_chsc(f->rig.css, block), -1);
    be16_store(block, 20);
    assert_int_equal(css_chsc(f->rig.css, block), -1);
    assert_int_equal(chsc(f, block, 16, 0x0002), 1); // path 0
    assert_int_equal(be16_load(block + 16), 16);
    assert_int_equal(block[24], 0x80);
    block[7] = 5;
    assert_int_equal(chsc(f, block, 16, 0x0002), 3); // first above last
    block[7] = block[11] = 0;
    assert_int_equal(chsc(f, block, 16, 0x0004), 1);
    assert_int_equal(be16_load(block + 16), 40);
    assert_int_equal(block[24] & 0xC0, 0xC0);
    assert_int_equal(be16_load(block + 26), 0x500);
    be16_store(block + 10, 0xFFFF); // more than fits: what fits
    assert_int_equal(chsc(f, block, 16, 0x0004), 1);
    assert_true(be16_load(block + 16) > 3000);
    be16_store(block + 10, 0);
    assert_int_equal(chsc(f, block, 16, 0x0010), 1);
    assert_int_equal(be16_load(block + 16), 4080);
    assert_int_equal(chsc(f, block, 16, 0x000E), 5);
    assert_int_equal(chsc(f, block, 0x400, 0x0031), 0x101);
    assert_int_equal(chsc(f, block, 16, 0x0031), 3);
    assert_int_equal(chsc(f, block, 16, 0x0033), 4);
    assert_int_equal(chsc(f, block, 16, 0x7777), 4);
}

static void measurement_blocks(void **state)
{
    struct fixture *f = *state;
    uint8_t schib[52], block[64] = {0};
    assert_int_equal(css_measure(f->rig.css, 0x00000004, 0), -1);
    assert_int_equal(css_measure(f->rig.css, 0x00000002, 0x5008), -1);
    assert_int_equal(css_measure(f->rig.css, 0x00000002, 0x5000), 0);
    css_store(f->rig.css, f->sid, schib);
    schib[5] |= 0x10; // measurement-block update
    be16_store(schib + 12, 2);
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 0);
    rig_ccw(&f->rig, SLOW, 0, 10, 0x2000);
    run(f, 0);
    rig_get(&f->rig, 0x5040, block, 32);
    assert_int_equal(be16_load(block), 1);
    assert_int_equal(be16_load(block + 2), 1);
    assert_int_equal(be32_load(block + 4), 1000 / 128); // connect time in units of 128 us
    be32_store(schib + 24, 4);                          // format 1
    be64_store(schib + 40, 0x6000);
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 0);
    rig_ccw(&f->rig, SLOW, 0, 10, 0x2000);
    run(f, 0);
    rig_get(&f->rig, 0x6000, block, 32);
    assert_int_equal(be32_load(block), 1);
    assert_int_equal(be32_load(block + 8), 1000 / 128);
    assert_int_equal(css_measure(f->rig.css, 0, 0), 0);
    rig_ccw(&f->rig, SLOW, 0, 10, 0x2000);
    run(f, 0);
    rig_get(&f->rig, 0x6000, block, 4);
    assert_int_equal(be32_load(block), 1);
}

static void sense_id(void **state)
{
    struct fixture *f = *state;
    uint8_t id[8];
    rig_ccw(&f->rig, 0xE4, SLI, 40, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 33, 0x1008);
    rig_get(&f->rig, 0x2000, id, 7);
    assert_memory_equal(id, "\xFF\x12\x34\x00\x56\x78\x00", 7);
}

static void paths(void **state)
{
    struct fixture *f = *state;
    uint8_t out[32], crw[4];
    assert_int_equal(css_path_status(f->rig.css, out), 0);
    assert_int_equal(out[0], 0);
    assert_int_equal(css_reset_path(f->rig.css, 1), 3);
    assert_int_equal(css_reset_path(f->rig.css, 0), 0);
    assert_int_equal(css_report_word(f->rig.css, crw), 0);
    assert_int_equal(be32_load(crw) & 0x0F000000, 0x04000000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(subchannels_that_are_not_there),
        TEST(schib_reads_back),
        TEST(orb_checks),
        TEST(busy_and_pending),
        TEST(clear_and_halt),
        TEST(attach_and_detach),
        TEST(reports_that_are_too_many),
        TEST(reset_forgets),
        TEST(subsystem_calls),
        TEST(measurement_blocks),
        TEST(sense_id),
        TEST(paths),
    };
    return cmocka_run_group_tests_name("channel_instructions", tests, NULL, NULL);
}
