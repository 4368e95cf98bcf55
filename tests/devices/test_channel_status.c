// SPDX-License-Identifier: MIT
// Status and interruptions: intermediate, suspended, sense, attention, subclasses.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/puppet.h"

static void program_controlled_interruption(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, WAIT, CC | PCI | SLI, 10, 0x2000);
    rig_ccw(&f->rig, 0x03, 0, 0, 0);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0xFFFF, 0x40C9); // intermediate and pending, still active
    assert_int_equal(f->irb.channel, 0x80);
    assert_int_equal(f->irb.ccw, 0x1010);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    device_complete(&f->puppet->dev, device_done(10));
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x1F, 0x07);
    expect(f, 0x0C, 0, 0, 0x1018);
    // Not taken in time, it comes with the ending status.
    f->rig.program = 0x1000;
    rig_ccw(&f->rig, GIVE, PCI, 10, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0x80, 0, 0x1008);
    assert_int_equal(f->irb.control & 0x1F, 0x07);
}

static void initial_status(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, WAIT, SLI, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0x00200000), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x0024FFFF, 0x002440C9);
    device_complete(&f->puppet->dev, device_done(0));
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x1F, 0x07);
}

static void suspend_and_resume(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, GIVE, SUSPEND, 10, 0x3000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0x08000000), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x0800FFFF, 0x08004029); // suspended, intermediate, pending
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    // The flag is still there: suspended again.
    assert_int_equal(css_resume(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0xFFF, 0x029);
    f->rig.program = 0x1008;
    rig_ccw(&f->rig, GIVE, 0, 10, 0x3000);
    assert_int_equal(css_resume(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    expect(f, 0x0C, 0, 0, 0x1010);
    assert_int_equal(byte_at(f, 0x3001), 1);
    // Without an interruption, and cancelled.
    f->rig.program = 0x1000;
    rig_ccw(&f->rig, GIVE, SUSPEND, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0x08080000), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    assert_int_equal(f->irb.control & 0xFFF, 0x020);
    assert_int_equal(css_cancel(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    assert_int_equal(f->irb.control, 0);
    assert_int_equal(css_resume(f->rig.css, f->sid), 2);
}

static void sense_with_the_status_or_after(void **state)
{
    struct fixture *f = *state;
    uint8_t schib[52];
    rig_ccw(&f->rig, REFUSE, CC | SLI, 1, 0x2000);
    run(f, 0);
    assert_int_equal(f->irb.status, 0x0E);
    assert_int_equal(f->irb.control & 0x0002FFFF, 0x00024017);
    assert_int_equal(f->irb.raw[32], 0x80);
    rig_ccw(&f->rig, 0x04, 0, 32, 0x2000); // given already
    run(f, 0);
    assert_int_equal(byte_at(f, 0x2000), 0);
    // Without concurrent sense it waits for SENSE, once.
    css_store(f->rig.css, f->sid, schib);
    be32_store(schib + 24, 0);
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 0);
    rig_ccw(&f->rig, REFUSE, SLI, 1, 0x2000);
    run(f, 0);
    assert_int_equal(f->irb.control & 0x00020000, 0);
    assert_int_equal(be32_load(f->irb.raw + 16), 0);
    rig_ccw(&f->rig, 0x04, CC, 32, 0x2000);
    rig_ccw(&f->rig, 0x04, 0, 32, 0x2020);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1010);
    assert_int_equal(byte_at(f, 0x2000), 0x80);
    assert_int_equal(byte_at(f, 0x2020), 0);
    // Another command ends the contingent allegiance.
    rig_ccw(&f->rig, REFUSE, SLI, 1, 0x2000);
    run(f, 0);
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2000);
    run(f, 0);
    rig_ccw(&f->rig, 0x04, 0, 32, 0x2000);
    run(f, 0);
    assert_int_equal(byte_at(f, 0x2000), 0);
}

static void attention_waits_for_its_turn(void **state)
{
    struct fixture *f = *state;
    struct device *dev = &f->puppet->dev;
    rig_ccw(&f->rig, WAIT, SLI, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    device_attention(dev, STATUS_ATTENTION);
    device_attention(dev, STATUS_DEVICE_END);
    assert_int_equal(f->rig.interruptions, 0);
    device_complete(dev, device_done(0));
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x1F, 0x07);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0xFFFF, 0x11);
    assert_int_equal(f->irb.status, 0x84);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    // A disabled subchannel takes nothing; enabling brings it.
    uint8_t schib[52];
    css_store(f->rig.css, f->sid, schib);
    schib[5] &= 0x7F;
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 0);
    device_attention(dev, STATUS_ATTENTION);
    schib[5] |= 0x80;
    assert_int_equal(css_modify(f->rig.css, f->sid, schib), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.status, 0x80);
}

static void device_end_may_come_later(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, CE_ONLY, SLI, 1, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x1F, 0x05);
    assert_int_equal(f->irb.status, 0x08);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 2);
    assert_int_equal(f->puppet->ends, 0);
    device_complete(&f->puppet->dev, (struct device_reply){.status = STATUS_DEVICE_END});
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.control & 0x401F, 0x4003);
    assert_int_equal(f->irb.status, 0x04);
    assert_int_equal(f->puppet->ends, 1);
}

static void busy_device(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, BUSY, SLI, 1, 0x2000);
    run(f, 0);
    assert_int_equal(f->irb.control & 0x03000000, 0x01000000); // deferred condition code 1
    assert_int_equal(f->irb.status, 0x10);
    assert_int_equal(f->irb.control & 0x11, 0x11);
}

static void interruptions_by_subclass(void **state)
{
    struct fixture *f = *state;
    struct css_interruption i;
    uint8_t schib[52];
    uint32_t sid[4];
    struct device *dev[4];
    for (unsigned n = 0; n < 4; n++) {
        dev[n] = puppet_new((uint16_t)(0x600 + n));
        sid[n] = rig_add(&f->rig, dev[n], 0);
        css_store(f->rig.css, sid[n], schib);
        be32_store(schib, 0xA0 + n);
        schib[4] = (uint8_t)((n == 3 ? 1 : 5) << 3); // ISC 5, 5, 5, 1
        assert_int_equal(css_modify(f->rig.css, sid[n], schib), 0);
        device_attention(dev[n], STATUS_ATTENTION);
    }
    assert_false(css_take_interruption(f->rig.css, 0x80, false, &i));
    assert_true(css_take_interruption(f->rig.css, 0xFF, true, &i));
    assert_int_equal(i.subchannel_id, sid[3]);
    assert_int_equal(i.id_word, 0x08000000);
    assert_true(css_take_interruption(f->rig.css, 0xFF, false, &i));
    assert_int_equal(i.parameter, 0xA3);
    // Tested before its interruption is taken: there is none any more.
    assert_int_equal(rig_test(&f->rig, sid[1], &f->irb), 0);
    assert_true(css_take_interruption(f->rig.css, 0x04, false, &i));
    assert_int_equal(i.subchannel_id, sid[0]);
    assert_int_equal(i.id_word, 0x28000000);
    assert_true(css_take_interruption(f->rig.css, 0x04, false, &i));
    assert_int_equal(i.subchannel_id, sid[2]);
    assert_false(css_take_interruption(f->rig.css, 0xFF, false, &i));
    // Taken, but still status pending.
    assert_int_equal(rig_test(&f->rig, sid[0], &f->irb), 0);
    assert_int_equal(f->irb.status, 0x80);
    // A start function's parameter is the ORB's.
    rig_ccw(&f->rig, 0x03, 0, 0, 0);
    assert_int_equal(rig_start(&f->rig, sid[0], 0x1000, 0), 0);
    assert_true(css_take_interruption(f->rig.css, 0xFF, false, &i));
    assert_int_equal(i.parameter, 0xCAFE0001);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(program_controlled_interruption),
        TEST(initial_status),
        TEST(suspend_and_resume),
        TEST(sense_with_the_status_or_after),
        TEST(attention_waits_for_its_turn),
        TEST(device_end_may_come_later),
        TEST(busy_device),
        TEST(interruptions_by_subclass),
    };
    return cmocka_run_group_tests_name("channel_status", tests, NULL, NULL);
}
