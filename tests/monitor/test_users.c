// SPDX-License-Identifier: MIT
// Users that answer, late or never; the segment's areas and their pages; events.
#include "monitor/star_monitor.h"
#include "rig.h"

static void enable_all(struct profile *profile)
{
    profile->enabled = 0xFFFF;
    for (unsigned i = 0; i < DOMAIN_COUNT; i++)
        elements_set_all(&profile->elements[i], true);
}

// A segment of `pages`, half of it for events, `config` pages of each half for configuration.
static struct rig *small(unsigned pages, unsigned config)
{
    struct rig *rig = rig_new(pages);
    rig->monitor->sample.config_pages = rig->monitor->event.config_pages = config;
    enable_all(&rig->monitor->sample);
    enable_all(&rig->monitor->event);
    return rig;
}

static void pages_come_back_with_the_answers(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct rig_user a = {0}, b = {.answer = ANSWER_LATER};
    rig_connect(rig, &a, "A", "S");
    rig_connect(rig, &b, "B", "S");
    monitor_set_interval(rig->monitor, 6, true);
    monitor_sample_start(rig->monitor);
    // B holds its configuration: its sample waits.
    assert_int_equal(b.configs, 1);
    assert_int_equal(b.samples, 0);
    assert_int_equal(a.samples, 1);
    assert_true(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_CONFIG) > 0);
    rig_answer_all(&b); // the configuration; now the sample comes
    assert_int_equal(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_CONFIG), 0);
    assert_int_equal(b.samples, 1);
    assert_true(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_DATA) > 0);
    rig_answer_all(&b);
    assert_int_equal(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_DATA), 0);
    for (unsigned i = 0; i < 500; i++) { // round and round the area
        rig_run(rig, 6);
        rig_answer_all(&b);
    }
    assert_int_equal(a.samples, 501);
    assert_int_equal(b.samples, 501);
    assert_int_equal(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_DATA), 0);
    assert_int_equal(rig->monitor->skipped_samples, 0);
    assert_false(monitor_reply(&b.user, 7)); // holds nothing
    rig_free(rig);
}

static void who_never_answers_hurts_itself_alone(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct rig_user good = {0}, bad = {.answer = ANSWER_NEVER};
    rig_connect(rig, &good, "GOOD", "S");
    rig_connect(rig, &bad, "BAD", "S");
    monitor_set_interval(rig->monitor, 6, true);
    rig->monitor->sample.config_limit = 3600;
    monitor_sample_start(rig->monitor);
    rig_run(rig, 600);
    assert_int_equal(good.samples, 101);
    assert_int_equal(rig->monitor->skipped_samples, 0);
    assert_true(bad.user.skipped > 50);
    assert_int_equal(bad.severed, 0);
    assert_true(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_DATA) <=
                rig->monitor->dcss.area[AREA_SAMPLE_DATA].pages / 2);
    rig_free(rig);
}

static void several_that_never_answer_are_severed_when_room_is_needed(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct rig_user good = {0}, bad[3] = {{.answer = ANSWER_LATER}};
    monitor_set_interval(rig->monitor, 6, true);
    rig->monitor->sample.config_limit = 3600;
    rig_connect(rig, &good, "GOOD", "S");
    monitor_sample_start(rig->monitor);
    for (unsigned i = 0; i < 3; i++) { // each comes later than the other, and takes its half
        bad[i].answer = ANSWER_LATER;
        rig_connect(rig, &bad[i], "BAD", "S");
        rig_answer_all(&bad[i]);
        bad[i].answer = ANSWER_NEVER;
        rig_run(rig, 120);
    }
    assert_int_equal(good.samples, 61);
    assert_int_equal(rig->monitor->skipped_samples, 0);
    assert_int_equal(bad[0].severed, SEVER_NO_REPLY);
    assert_int_equal(good.severed, 0);
    rig_free(rig);
}

static void configuration_is_taken_back_at_its_limit(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct rig_user good = {0}, bad = {.answer = ANSWER_NEVER};
    rig_connect(rig, &good, "GOOD", "S");
    rig_connect(rig, &bad, "BAD", "S");
    monitor_sample_start(rig->monitor);
    rig_run(rig, 59);
    assert_int_equal(bad.severed, 0);
    rig_run(rig, 1);
    assert_int_equal(bad.severed, SEVER_CONFIG_LIMIT);
    assert_int_equal(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_CONFIG), 0);
    assert_int_equal(good.severed, 0);
    rig_free(rig);
}

static void a_sample_that_does_not_fit_is_skipped(void **state)
{
    (void)state;
    struct rig *rig = small(24, 9); // 3 pages of sample data
    struct rig_user u = {0};
    rig_connect(rig, &u, "U", "S");
    monitor_set_interval(rig->monitor, 6, true);
    monitor_sample_start(rig->monitor);
    rig_run(rig, 30);
    assert_int_equal(u.samples, 0);
    assert_int_equal(rig->monitor->skipped_samples, 6);
    assert_int_equal(u.severed, 0);
    assert_int_equal(mondcss_area_used(&rig->monitor->dcss, AREA_SAMPLE_DATA), 0);
    rig_free(rig);
}

static void segments_are_checked(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct monitor *m = rig->monitor;
    struct rig_user u = {0};
    dcss_define(&rig->cp, "SKELETON", 0x100, 0x1FF, DCSS_SC, true);
    dcss_save(dcss_define(&rig->cp, "OTHER", 0x200, 0x2FF, DCSS_SC, true));
    dcss_save(dcss_define(&rig->cp, "READONLY", 0x300, 0x3FF, DCSS_SR, true));
    assert_int_equal(monitor_may_connect(m, "NOWHERE", false), MONITOR_NO_SEGMENT);
    assert_int_equal(monitor_may_connect(m, "SKELETON", false), MONITOR_NO_SEGMENT);
    assert_int_equal(monitor_may_connect(m, "READONLY", false), MONITOR_NO_SEGMENT);
    assert_int_equal(monitor_may_connect(m, "OTHER", false), 0);
    rig_connect(rig, &u, "U", "S");
    assert_int_equal(monitor_may_connect(m, "OTHER", false), MONITOR_OTHER_SEGMENT);
    assert_int_equal(monitor_may_connect(m, "MONDCSS", false), 0);
    monitor_disconnect(&u.user);
    m->sample.config_pages = 63; // 64 pages in the half, and a page of data needs two
    assert_int_equal(monitor_may_connect(m, "MONDCSS", false), MONITOR_CONFIG_SIZE);
    m->sample.config_pages = 62;
    assert_int_equal(monitor_may_connect(m, "MONDCSS", false), 0);
    rig_free(rig);
}

static void areas_lie_where_the_settings_say(void **state)
{
    (void)state;
    struct rig *rig = rig_new(0); // as shipped: 16384 pages
    struct rig_user u = {0};
    rig_connect(rig, &u, "U", "SE");
    const struct mondcss *d = &rig->monitor->dcss;
    assert_int_equal(d->area[AREA_EVENT_CONFIG].pages, 68);
    assert_int_equal(d->area[AREA_EVENT_DATA].first, 68);
    assert_int_equal(d->area[AREA_EVENT_DATA].pages, 8124);
    assert_int_equal(d->area[AREA_SAMPLE_CONFIG].first, 8192);
    assert_int_equal(d->area[AREA_SAMPLE_CONFIG].pages, 4096);
    assert_int_equal(d->area[AREA_SAMPLE_DATA].pages, 4096);
    assert_int_equal(monitor_event_start(rig->monitor, 0, 16384), MONITOR_PARTITION);
    assert_int_equal(monitor_event_start(rig->monitor, 0, 324), 0);
    assert_int_equal(d->area[AREA_EVENT_DATA].pages, 256);
    assert_int_equal(d->area[AREA_SAMPLE_CONFIG].first, 324);
    rig_free(rig);
}

static void what_happens_becomes_event_records(void **state)
{
    (void)state;
    struct rig *rig = small(128, 8);
    struct rig_user u = {.keep_domain = 4, .keep_number = 1};
    rig_connect(rig, &u, "U", "E");
    assert_int_equal(monitor_event_start(rig->monitor, 2, 0), 0);
    assert_int_equal(u.event_configs, 1);
    cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[1], NULL, NULL);
    cp_notify(&rig->cp, CP_EVENT_LOGOFF, &rig->vm[2], NULL, NULL);
    cp_notify(&rig->cp, CP_EVENT_RDEV_ON, NULL, &rig->rdev[1], NULL);
    monitor_record_command(rig->monitor, DATA_EVENT, "MONITOR EVENT ENABLE USER ALL");
    assert_int_equal(u.event_blocks, 0); // the block is not full
    rig_run(rig, 60);
    assert_int_equal(u.event_blocks, 1);
    assert_int_equal(u.by[4][1], 1);
    assert_int_equal(u.by[4][2], 1);
    assert_int_equal(u.by[6][1], 1);
    assert_int_equal(u.by[1][2], 1);
    struct record_value v;
    assert_true(record_value(u.last, 96, "USELON_VMDUSER", &v));
    assert_memory_equal(v.bytes, "\xE4\xE2\xC5\xD9\xF1\x40\x40\x40", 8);
    for (unsigned i = 0; i < 90; i++) // a block of two frames is full
        cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[1], NULL, NULL);
    rig_run(rig, 0); // who is told is told by an event, never from where it happened
    assert_int_equal(u.event_blocks, 2);
    monitor_event_stop(rig->monitor);
    assert_int_equal(u.by[4][1], 91);
    assert_int_equal(u.by[1][12], 1);
    cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[1], NULL, NULL);
    assert_int_equal(u.by[4][1], 91);
    rig_free(rig);
}

static void event_recording_suspends_and_says_what_was_lost(void **state)
{
    (void)state;
    struct rig *rig = small(24, 6); // 6 pages of event data
    struct rig_user u = {.answer = ANSWER_LATER, .keep_domain = 1, .keep_number = 3};
    rig_connect(rig, &u, "U", "E");
    monitor_event_start(rig->monitor, 2, 0);
    rig_answer_all(&u);
    unsigned given = 0;
    while (rig->monitor->event.state == RECORDING_ACTIVE && given < 1000) {
        cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[0], NULL, NULL);
        given++;
    }
    assert_int_equal(rig->monitor->event.state, RECORDING_SUSPENDED);
    cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[0], NULL, NULL);
    rig_run(rig, 0);
    assert_int_equal(u.by[1][12], 1);
    rig_answer_all(&u);
    cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[0], NULL, NULL);
    assert_int_equal(rig->monitor->event.state, RECORDING_ACTIVE);
    monitor_event_stop(rig->monitor);
    assert_int_equal(u.by[1][3], 1);
    assert_int_equal(record_number(u.last, 24, "LOSTRCCT"), 2);
    // All that was not lost came, the last one after the gap.
    assert_int_equal(u.by[4][1] + 2, given + 2);
    rig_answer_all(&u);
    rig_free(rig);
}

// A thousand logons for a user that answers now and then: each is delivered or counted as lost.
static void a_storm_is_delivered_or_counted(void **state)
{
    (void)state;
    struct rig *rig = small(24, 6);
    struct rig_user u = {.answer = ANSWER_LATER};
    rig_connect(rig, &u, "U", "E");
    monitor_event_start(rig->monitor, 2, 0);
    rig_answer_all(&u);
    uint64_t before = rig->monitor->event_records;
    for (unsigned i = 0; i < 1000; i++) {
        cp_notify(&rig->cp, CP_EVENT_LOGON, &rig->vm[i % RIG_USERS], NULL, NULL);
        if (i % 10 == 0)
            rig_run(rig, 0);
        if (i % 300 == 299)
            rig_answer_all(&u);
    }
    rig_run(rig, 0);
    rig_answer_all(&u);
    monitor_event_stop(rig->monitor);
    rig_answer_all(&u);
    assert_int_equal(rig->monitor->event_records - before, 1000);
    assert_true(rig->monitor->event_lost_ever > 0);
    assert_int_equal(u.by[4][1] + rig->monitor->event_lost_ever, 1000);
    assert_true(u.by[1][3] >= 1); // and told
    rig_free(rig);
}

static void records_hold_the_counters(void **state)
{
    (void)state;
    struct rig *rig = small(1024, 8);
    struct rig_user u = {.keep_domain = 4, .keep_number = 3};
    rig->vcpu[4].guest_time = 5 * TOD_SECOND;
    rig->vcpu[4].cp_time = 2 * TOD_SECOND;
    rig->vcpu[4].ssch[0] = 0x100000007; // 32 bits are kept
    rig->vm[4].storage = UINT64_C(1) << 40;
    rig->processor[1].guest_time = 3 * TOD_SECOND;
    rig->processor[1].user_time = 4 * TOD_SECOND;
    rig_connect(rig, &u, "U", "S");
    rig_run(rig, 10);
    monitor_sample_start(rig->monitor);
    const uint8_t *r = u.last;
    assert_int_equal(record_number(r, 364, "VMDVTIME"), 5 * TOD_SECOND);
    assert_int_equal(record_number(r, 364, "VMDTTIME"), 7 * TOD_SECOND);
    assert_int_equal(record_number(r, 364, "VMDVDSCT"), 7);
    assert_int_equal(record_number(r, 364, "ASCDEFSZ"), UINT64_C(1) << 40);
    assert_int_equal(record_number(r, 364, "VMDSSIZE"), 0xFFFFFFFF); // a gauge: the most it holds
    assert_int_equal(record_number(r, 364, "VMDRELSH"), 100);
    u.keep_domain = 0;
    u.keep_number = 2;
    monitor_sample_stop(rig->monitor);
    assert_int_equal(record_number(r, 108, "PFXCPUAD"), 1);
    assert_int_equal(record_number(r, 108, "PFXPRBTM"), 3 * TOD_SECOND);
    assert_int_equal(record_number(r, 108, "PFXCPUTY"), 3);
    assert_int_equal(record_number(r, 108, "PFXUTIME") + record_number(r, 108, "PFXTMSYS") +
                         record_number(r, 108, "PFXTOTWT"),
                     10 * TOD_SECOND); // busy and wait are all of the time
    u.keep_domain = 1;
    u.keep_number = 9;
    monitor_set_interval(rig->monitor, 120, true);
    monitor_set_subinterval(rig->monitor, 40);
    monitor_sample_start(rig->monitor);
    assert_int_equal(be16_load(r), 52);
    assert_int_equal(record_number(r, 52, "MTRSPR_INTERVAL"), 120);
    assert_int_equal(record_number(r, 52, "MTRSPR_SUBINTVL"), 40);
    assert_int_equal(record_number(r, 52, "HFRATE"), 200);
    assert_int_equal(u.by[1][15], 2 * RIG_USERS);
    rig_free(rig);
}

static void element_lists_are_configuration(void **state)
{
    (void)state;
    struct rig *rig = small(1024, 8);
    struct rig_user u = {.keep_domain = 1, .keep_number = 14};
    struct record_value v;
    elements_add(&rig->monitor->sample.elements[DOMAIN_USER],
                 &(struct element_rule){.kind = ELEMENT_USER, .name = "USER1"});
    rig_connect(rig, &u, "U", "S");
    monitor_sample_start(rig->monitor);
    assert_int_equal(u.by[1][14], 1); // of USER alone: everything of the others is enabled
    assert_int_equal(record_number(u.last, 4076, "DMNUMBER"), 4);
    assert_int_equal(record_number(u.last, 4076, "DMITEMCT"), RIG_USERS - 1);
    assert_true(record_value(u.last, be16_load(u.last), "DMITEMS", &v));
    assert_int_equal(v.size, 8 * (RIG_USERS - 1));
    assert_memory_equal(v.bytes + 8, "\xE4\xE2\xC5\xD9\xF2\x40\x40\x40", 8); // USER2
    assert_int_equal(u.last[20], 0xE2);                                      // S
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_come_back_with_the_answers),
        cmocka_unit_test(who_never_answers_hurts_itself_alone),
        cmocka_unit_test(several_that_never_answer_are_severed_when_room_is_needed),
        cmocka_unit_test(configuration_is_taken_back_at_its_limit),
        cmocka_unit_test(a_sample_that_does_not_fit_is_skipped),
        cmocka_unit_test(segments_are_checked),
        cmocka_unit_test(areas_lie_where_the_settings_say),
        cmocka_unit_test(what_happens_becomes_event_records),
        cmocka_unit_test(event_recording_suspends_and_says_what_was_lost),
        cmocka_unit_test(a_storm_is_delivered_or_counted),
        cmocka_unit_test(records_hold_the_counters),
        cmocka_unit_test(element_lists_are_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
