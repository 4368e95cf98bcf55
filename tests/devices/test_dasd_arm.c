// SPDX-License-Identifier: MIT
// Service times, the arm that all devices of a volume share, reservations.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/dasd_fixture.h"

// Seek, half a revolution, transfer; nothing but transfer for what follows.
static void service_time(void **state)
{
    struct fixture *f = *state;
    const struct dasd_model *m = f->volume->model;
    format(f, 0, 0, 12, 0, 4096);
    struct rig *r = &f->rig;
    dasd_seek(r, 19, 0);
    rig_ccw(r, 0x03, 0, 0, 0);
    run_well(f);
    tod_t before = clock_now(&r->clock);
    uint64_t seeks = f->volume->seeks;
    dasd_extent(r, 0x40, 0, 0, 0, 14);
    dasd_locate(r, 0x06, 12, 0, 0, 1);
    for (uint32_t i = 0; i < 12; i++)
        rig_ccw(r, 0x86, i == 11 ? 0 : CC, 4096, 0x80000 + 4096 * i);
    run_well(f);
    tod_t took = clock_now(&r->clock) - before;
    tod_t least = dasd_seek_time(m, 19) + m->rotation / 2 + dasd_transfer_time(m, 12 * 4096);
    assert_true(took >= least);
    assert_true(took < least + TOD_MILLISECOND);
    assert_int_equal(f->volume->seeks, seeks + 1);
    assert_true(f->volume->connect + f->volume->disconnect > least);
    // A longer way takes longer, up to the maximum.
    for (unsigned distance = 1; distance < 3339; distance++)
        assert_true(dasd_seek_time(m, distance) <= dasd_seek_time(m, distance + 1));
    assert_int_equal(dasd_seek_time(m, 1), m->seek_minimum);
    assert_int_equal(dasd_seek_time(m, 0), 0);
}

static void one_arm_for_all(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    struct rig *r = &f->rig;
    format(f, 0, 0, 1, 0, 4096);
    struct device *other = dasd_ckd_new(0x201, f->volume, 10, 5, true);
    uint32_t other_sid = rig_add(r, other, 0);
    dasd_seek(r, 0, 0);
    dasd_search(r, 0, 0, 1);
    rig_ccw(r, 0x06, 0, 4096, 0x30000);
    assert_int_equal(rig_start(r, f->sid, 0x1000, 0), 0);
    tod_t before = clock_now(&r->clock);
    assert_int_equal(rig_start(r, other_sid, 0x1000, 0), 0);
    assert_int_equal(f->volume->arm.waiting, 1);
    assert_true(rig_settle(r, 100));
    assert_int_equal(rig_test(r, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(rig_test(r, other_sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(f->volume->arm.waiting, 0);
    assert_true(f->volume->pending > 0);
    assert_int_equal(other->pending_time, f->volume->pending);
    assert_true(clock_now(&r->clock) - before > 2 * (f->volume->model->rotation / 2));
    r->program = 0x1000;
    // Halted while waiting: leaves the queue.
    dasd_seek(r, 0, 0);
    dasd_search(r, 0, 0, 1);
    rig_ccw(r, 0x06, 0, 4096, 0x30000);
    assert_int_equal(rig_start(r, f->sid, 0x1000, 0), 0);
    assert_int_equal(rig_start(r, other_sid, 0x1000, 0), 0);
    assert_int_equal(css_halt(r->css, other_sid), 0);
    assert_int_equal(f->volume->arm.waiting, 0);
    // Detached while it holds the arm.
    assert_int_equal(rig_test(r, other_sid, &irb), 0);
    assert_int_equal(rig_start(r, other_sid, 0x1000, 0), 0);
    assert_int_equal(css_detach(r->css, 0x200, true), 0);
    assert_true(rig_settle(r, 100));
    assert_int_equal(rig_test(r, other_sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(r->reports, 1);
}

// A guest's endless channel program holds the arm for a second, not for ever.
static void endless_program_does_not_keep_the_arm(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    struct rig *r = &f->rig;
    uint32_t other_sid = rig_add(r, dasd_ckd_new(0x201, f->volume, 0, 5, true), 0);
    dasd_seek(r, 0, 0);
    rig_ccw(r, 0x08, 0, 0, 0x1000);
    assert_int_equal(rig_start(r, f->sid, 0x1000, 0), 0);
    uint32_t second = r->program;
    dasd_seek(r, 1, 0);
    rig_ccw(r, 0x03, SLI, 1, 0);
    assert_int_equal(rig_start(r, other_sid, second, 0), 0);
    assert_false(rig_settle(r, 20000));
    assert_int_equal(rig_test(r, other_sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(css_clear(r->css, f->sid), 0);
    assert_true(rig_settle(r, 10));
}

static void reservation(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    struct rig *r = &f->rig;
    uint32_t other_sid = rig_add(r, dasd_ckd_new(0x201, f->volume, 10, 20, false), 0);
    uint32_t beside_sid = rig_add(r, dasd_ckd_new(0x202, f->volume, 0, 10, false), 0);
    rig_ccw(r, 0xB4, SLI, 32, 0x30000);
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    dasd_seek(r, 1, 0);
    assert_int_equal(rig_run(r, other_sid, &irb), 0);
    assert_int_equal(irb.status, 0x10); // busy, deferred condition code 1
    assert_int_equal(irb.control & 0x03000000, 0x01000000);
    rig_ccw(r, 0x13, SLI, 1, 0);
    assert_int_equal(rig_run(r, beside_sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    rig_ccw(r, 0x94, SLI, 32, 0x30000);
    run(f);
    assert_int_equal(rig_test(r, other_sid, &irb), 0); // the device end it is owed
    assert_int_equal(irb.status, 0x04);
    rig_ccw(r, 0x13, SLI, 1, 0);
    assert_int_equal(rig_run(r, other_sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(service_time),
        TEST(one_arm_for_all),
        TEST(endless_program_does_not_keep_the_arm),
        TEST(reservation),
    };
    return cmocka_run_group_tests_name("dasd_arm", tests, NULL, NULL);
}
