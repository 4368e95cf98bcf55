// SPDX-License-Identifier: MIT
// Processors varied offline and online: which records there are of them.
#include "rig.h"

#define SECOND TOD_SECOND

static struct rig *recording(struct rig_user *u)
{
    struct rig *rig = rig_new(0);
    struct monitor *m = rig->monitor;
    m->sample.enabled = m->event.enabled = DOMAIN_BIT(DOMAIN_PROCESSOR) | DOMAIN_BIT(DOMAIN_SYSTEM);
    m->sample.subinterval = UINT16_MAX;
    rig_connect(rig, u, "READER", "SE");
    monitor_set_interval(m, 10, true);
    assert_int_equal(monitor_event_start(m, 0, 0), 0);
    assert_int_equal(monitor_sample_start(m), 0);
    return rig;
}

static void records_come_of_those_that_are_online(void **state)
{
    (void)state;
    struct rig_user u = {.keep_domain = 5, .keep_number = 2};
    struct rig *rig = recording(&u);
    struct real_processor *second = &rig->processor[1];
    assert_int_equal(u.by[0][2], 2);
    assert_true(cp_vary_processor(&rig->cp, second, false));
    assert_false(second->online);
    assert_true(cp_vary_processor(&rig->cp, second, false)); // it is already
    rig_run(rig, 10);
    assert_int_equal(u.by[0][2], 3);
    assert_int_equal(u.by[5][3], 3);
    assert_int_equal(u.by[5][2], 1); // with the block that an interval announces
    assert_int_equal(be16_load(u.last + 20), 1);
    assert_int_equal(u.by[5][1], 0);
    assert_true(cp_vary_processor(&rig->cp, second, true));
    rig_run(rig, 10);
    assert_int_equal(u.by[0][2], 5);
    assert_int_equal(u.by[5][1], 1);
    assert_int_equal(u.by[5][2], 1);
    monitor_disconnect(&u.user);
    rig_free(rig);
}

// Being offline is not waiting: a rate from before to after says so.
static void offline_time_is_no_wait_time(void **state)
{
    (void)state;
    struct rig_user u = {.keep_domain = 0, .keep_number = 2}; // the last: of the second processor
    struct rig *rig = recording(&u);
    rig_run(rig, 5);
    assert_true(cp_vary_processor(&rig->cp, &rig->processor[1], false));
    rig_run(rig, 3);
    assert_true(cp_vary_processor(&rig->cp, &rig->processor[1], true));
    rig_run(rig, 2);
    assert_int_equal(be16_load(u.last + 20), 1);
    assert_int_equal(be64_load(u.last + 68), 7 * SECOND);
    monitor_disconnect(&u.user);
    rig_free(rig);
}

static void the_last_of_its_type_stays(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct real_processor *p = rig->processor;
    assert_true(cp_vary_processor(&rig->cp, &p[0], false));
    assert_false(cp_vary_processor(&rig->cp, &p[1], false));
    assert_true(p[1].online);
    assert_true(cp_vary_processor(&rig->cp, &p[0], true));
    p[1].type = PROCESSOR_ZIIP; // of another type than the first
    assert_true(cp_vary_processor(&rig->cp, &p[1], false));
    assert_false(cp_vary_processor(&rig->cp, &p[0], false));
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_of_those_that_are_online),
        cmocka_unit_test(offline_time_is_no_wait_time),
        cmocka_unit_test(the_last_of_its_type_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
