// SPDX-License-Identifier: MIT
// When samples come, to whom, and with which domains.
#include "rig.h"

static const struct {
    unsigned interval, seconds, fitted;
} fits[] = {
    {60, 60, 0}, {60, 30, 30}, {60, 20, 20},  {60, 15, 15},   {60, 12, 12}, {60, 10, 10},
    {60, 6, 6},  {60, 5, 5},   {60, 4, 4},    {60, 3, 3},     {60, 2, 2},   {60, 1, 1},
    {60, 7, 0},  {60, 61, 0},  {60, 0, 0},    {6, 10, 0},     {255, 1, 1},  {256, 1, 0},
    {256, 2, 2}, {300, 1, 0},  {3600, 14, 0}, {3600, 15, 15},
};

static void the_subinterval_divides_at_most_255_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        assert_int_equal(schedule_fit(fits[i].interval, fits[i].seconds), fits[i].fitted);
}

static void the_subinterval_follows_the_interval(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct monitor *m = rig->monitor;
    assert_int_equal(schedule_subinterval(&m->schedule), 60); // none: equal to the interval
    monitor_set_subinterval(m, 7);
    assert_int_equal(schedule_subinterval(&m->schedule), 60);
    monitor_set_subinterval(m, 6);
    assert_int_equal(schedule_subinterval(&m->schedule), 6);
    monitor_set_interval(m, 300, true);
    assert_int_equal(schedule_subinterval(&m->schedule), 6);
    monitor_set_interval(m, 100, true); // 6 does not divide it
    assert_int_equal(schedule_subinterval(&m->schedule), 100);
    monitor_set_interval(m, 60, true);
    assert_int_equal(schedule_subinterval(&m->schedule), 60);
    rig_free(rig);
}

// Windows of the published measurement, and their sample counts.
static const struct {
    unsigned interval, subinterval;
    double window;
    unsigned subinterval_user, interval_user;
} published[] = {
    {6, 0, 600, 102, 102}, {6, 0, 603, 102, 102}, {6, 0, 605, 102, 102},
    {60, 6, 600, 102, 12}, {60, 6, 603, 102, 12}, {60, 6, 605.9, 102, 12},
    {300, 10, 603, 62, 4}, {60, 1, 608, 610, 12}, {60, 0, 603, 12, 12},
};

static void windows_give_the_published_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        struct rig *rig = rig_new(0);
        struct rig_user fast = {0}, slow = {0};
        rig_connect(rig, &fast, "WRITER", "SU");
        rig_connect(rig, &slow, "WRITER2", "S");
        rig_run(rig, 3.7);
        monitor_set_interval(rig->monitor, published[i].interval, true);
        monitor_set_subinterval(rig->monitor, published[i].subinterval);
        assert_int_equal(monitor_sample_start(rig->monitor), 0);
        rig_run(rig, published[i].window);
        assert_int_equal(monitor_sample_stop(rig->monitor), 0);
        rig_run(rig, 1000); // nothing comes after STOP
        assert_int_equal(fast.samples, published[i].subinterval_user);
        assert_int_equal(slow.samples, published[i].interval_user);
        assert_int_equal(slow.subinterval_samples, 0);
        assert_int_equal(fast.samples - fast.subinterval_samples, slow.samples);
        assert_int_equal(fast.configs, 1);
        assert_int_equal(slow.configs, 1);
        rig_free(rig);
    }
}

static void samples_come_without_drift(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user u = {0};
    rig_connect(rig, &u, "PANEL", "SU");
    rig_run(rig, 0.123);
    monitor_set_interval(rig->monitor, 60, true);
    monitor_set_subinterval(rig->monitor, 4);
    tod_t start = clock_now(&rig->world.clock);
    monitor_sample_start(rig->monitor);
    rig_run(rig, 200);
    for (unsigned i = 0; i < u.samples; i++)
        assert_int_equal(u.times[i], start + i * 4 * TOD_SECOND);
    rig_free(rig);
}

static void a_late_user_waits_for_the_next_end(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user first = {0}, late = {0};
    // START with nobody connected: pending, and the interval counts from here.
    tod_t start = clock_now(&rig->world.clock);
    assert_int_equal(monitor_sample_start(rig->monitor), 0);
    assert_int_equal(rig->monitor->sample.state, RECORDING_PENDING);
    rig_run(rig, 90);
    rig_connect(rig, &first, "FIRST", "S");
    assert_int_equal(rig->monitor->sample.state, RECORDING_ACTIVE);
    assert_int_equal(first.configs, 1);
    assert_int_equal(first.samples, 0);
    rig_run(rig, 29.9);
    assert_int_equal(first.samples, 0);
    rig_run(rig, 0.1);
    assert_int_equal(first.samples, 1);
    assert_int_equal(first.times[0], start + 120 * TOD_SECOND);
    rig_run(rig, 10);
    rig_connect(rig, &late, "LATE", "S");
    assert_int_equal(late.configs, 1);
    assert_int_equal(first.configs, 1); // only the new one gets it
    rig_run(rig, 50);
    assert_int_equal(late.samples, 1);
    assert_int_equal(first.samples, 2);
    // Without users it waits again.
    monitor_disconnect(&first.user);
    monitor_disconnect(&late.user);
    assert_int_equal(rig->monitor->sample.state, RECORDING_PENDING);
    rig_run(rig, 300);
    assert_int_equal(late.samples, 1);
    rig_free(rig);
}

static void new_values_hold_after_the_running_interval(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user u = {0};
    rig_connect(rig, &u, "USER", "SU");
    tod_t start = clock_now(&rig->world.clock);
    monitor_sample_start(rig->monitor); // 60 s
    rig_run(rig, 10);
    monitor_set_interval(rig->monitor, 30, true);
    monitor_set_subinterval(rig->monitor, 10);
    assert_int_equal(rig->monitor->schedule.interval, 60);
    rig_run(rig, 55); // 65 s
    assert_int_equal(u.samples, 2);
    assert_int_equal(rig->monitor->schedule.interval, 30);
    rig_run(rig, 30);
    static const unsigned expected[] = {0, 60, 70, 80, 90};
    assert_int_equal(u.samples, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(u.times[i], start + expected[i] * TOD_SECOND);
    rig_free(rig);
}

static void start_and_stop_say_when_they_do_nothing(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    assert_int_equal(monitor_sample_stop(rig->monitor), MONITOR_NOT_ACTIVE);
    assert_int_equal(monitor_sample_start(rig->monitor), 0);
    assert_int_equal(monitor_sample_start(rig->monitor), MONITOR_ALREADY_ACTIVE);
    assert_int_equal(monitor_sample_stop(rig->monitor), 0);
    assert_int_equal(monitor_event_start(rig->monitor, 0, 0), 0);
    assert_int_equal(monitor_event_start(rig->monitor, 0, 0), MONITOR_ALREADY_ACTIVE);
    assert_int_equal(monitor_event_stop(rig->monitor), 0);
    assert_int_equal(monitor_event_stop(rig->monitor), MONITOR_NOT_ACTIVE);
    rig_free(rig);
}

static void enable(struct monitor *m, enum monitor_domain domain)
{
    m->sample.enabled |= DOMAIN_BIT(domain);
    elements_set_all(&m->sample.elements[domain], true);
}

static void domains_can_be_left_out_of_subintervals(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user fast = {0}, slow = {0};
    rig_connect(rig, &fast, "FAST", "SU");
    rig_connect(rig, &slow, "SLOW", "S");
    enable(rig->monitor, DOMAIN_USER);
    enable(rig->monitor, DOMAIN_IO);
    rig->monitor->sample.subinterval &= (domain_set)~DOMAIN_BIT(DOMAIN_USER);
    monitor_set_subinterval(rig->monitor, 15);
    monitor_sample_start(rig->monitor);
    rig_run(rig, 15);
    assert_int_equal(fast.domains, DOMAIN_BIT(DOMAIN_SYSTEM) | DOMAIN_BIT(DOMAIN_MONITOR) |
                                       DOMAIN_BIT(DOMAIN_IO));
    rig_run(rig, 45);
    assert_int_equal(fast.domains, DOMAIN_BIT(DOMAIN_SYSTEM) | DOMAIN_BIT(DOMAIN_MONITOR) |
                                       DOMAIN_BIT(DOMAIN_USER) | DOMAIN_BIT(DOMAIN_IO));
    assert_int_equal(fast.samples, 5);
    assert_int_equal(fast.by[4][3], 2 * RIG_USERS);
    assert_int_equal(fast.by[6][3], 5 * RIG_DEVICES);
    assert_int_equal(slow.by[4][3], 2 * RIG_USERS);
    assert_int_equal(slow.by[6][3], 2 * RIG_DEVICES);
    rig_free(rig);
}

static void element_lists_choose_users_and_devices(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user u = {0};
    struct monitor *m = rig->monitor;
    rig_connect(rig, &u, "U", "S");
    enable(m, DOMAIN_USER);
    m->sample.enabled |= DOMAIN_BIT(DOMAIN_IO);
    elements_add(&m->sample.elements[DOMAIN_USER],
                 &(struct element_rule){.kind = ELEMENT_USER, .name = "USER2"});
    elements_add(&m->sample.elements[DOMAIN_IO],
                 &(struct element_rule){
                     .kind = ELEMENT_DEVICE, .enable = true, .first = 0x201, .last = 0x2FF});
    elements_add(&m->sample.elements[DOMAIN_IO],
                 &(struct element_rule){.kind = ELEMENT_VOLUME, .name = "VOL002"});
    monitor_sample_start(m);
    assert_int_equal(u.by[4][3], RIG_USERS - 1);
    assert_int_equal(u.by[6][3], 1);
    rig_free(rig);
}

static void rate_ticks_count_states(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user u = {.keep_domain = 4, .keep_number = 4};
    rig_connect(rig, &u, "U", "S");
    enable(rig->monitor, DOMAIN_USER);
    enable(rig->monitor, DOMAIN_IO);
    monitor_set_rate(rig->monitor, 3); // .03 s
    monitor_sample_start(rig->monitor);
    rig_run(rig, 60);
    assert_int_equal(rig->vcpu[0].sample_ticks, 2000);
    assert_int_equal(rig->vcpu[0].sample[SAMPLE_DORMANT] + rig->vcpu[0].sample[SAMPLE_TEST_IDLE],
                     2000);
    assert_int_equal(record_number(u.last, 200, "HFQUCT"), 1999); // the sample came first
    assert_int_equal(record_number(u.last, 200, "HFDORM"), rig->vcpu[4].sample[SAMPLE_DORMANT] - 1);
    assert_int_equal(rig->rdev[0].hf_samples, 2000);
    monitor_set_rate(rig->monitor, 0); // RATE STOP
    rig_run(rig, 60);
    assert_int_equal(rig->vcpu[0].sample_ticks, 2000);
    monitor_set_rate(rig->monitor, 200);
    rig_run(rig, 60);
    assert_int_equal(rig->vcpu[0].sample_ticks, 2030);
    monitor_sample_stop(rig->monitor);
    rig_run(rig, 60);
    assert_int_equal(rig->vcpu[0].sample_ticks, 2030);
    rig_free(rig);
}

static void commands_become_records_of_interval_samples(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0);
    struct rig_user fast = {.keep_domain = 1, .keep_number = 10}, slow = {0};
    struct record_value v;
    rig_connect(rig, &fast, "FAST", "SU");
    rig_connect(rig, &slow, "SLOW", "S");
    monitor_set_subinterval(rig->monitor, 6);
    monitor_sample_start(rig->monitor);
    monitor_record_command(rig->monitor, DATA_SAMPLE, "MONITOR SAMPLE RATE 5 SECONDS");
    monitor_record_command(rig->monitor, DATA_SAMPLE, "MONITOR SAMPLE ENABLE USER ALL");
    rig_run(rig, 59);
    assert_int_equal(fast.by[1][10], 0);
    rig_run(rig, 61);
    assert_int_equal(fast.by[1][10], 2); // once, though there were two ends
    assert_int_equal(slow.by[1][10], 2);
    assert_true(record_value(fast.last, be16_load(fast.last), "CALCMD", &v));
    assert_int_equal(v.size, strlen("MONITOR SAMPLE ENABLE USER ALL"));
    assert_int_equal(v.bytes[0], 0xD4); // EBCDIC M
    assert_int_equal(record_number(fast.last, be16_load(fast.last), "CALTOD"), RIG_START);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_subinterval_divides_at_most_255_times),
        cmocka_unit_test(the_subinterval_follows_the_interval),
        cmocka_unit_test(windows_give_the_published_counts),
        cmocka_unit_test(samples_come_without_drift),
        cmocka_unit_test(a_late_user_waits_for_the_next_end),
        cmocka_unit_test(new_values_hold_after_the_running_interval),
        cmocka_unit_test(start_and_stop_say_when_they_do_nothing),
        cmocka_unit_test(domains_can_be_left_out_of_subintervals),
        cmocka_unit_test(element_lists_choose_users_and_devices),
        cmocka_unit_test(rate_ticks_count_states),
        cmocka_unit_test(commands_become_records_of_interval_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
