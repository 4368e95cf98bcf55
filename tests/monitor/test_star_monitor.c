// SPDX-License-Identifier: MIT
// *MONITOR as a program sees it by IUCV: modes, answers to CONNECT, SEVER codes, paths that are
// quiesced, message limits.
#include "star_user.h"

#define SAMPLE CONNECT_SAMPLE
#define EVENT  CONNECT_EVENT

static const char config[] = "System_Identifier * * STAR\n"
                             "Processors 1 IFL\n"
                             "System_Userids Operator OPERATOR\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
    "USER ONE X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n NAMESAVE OTHER\n"
    "USER TWO X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n NAMESAVE OTHER\n"
    "USER FEW X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 3\n NAMESAVE MONDCSS\n"
    "USER COMER X 1M 1M G\n";

static struct star_user one, two;

static struct system *set_up(void)
{
    struct system *sys = system_new_of(config, directory);
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    system_good(sys, "OPERATOR", "XAUTOLOG ONE");
    system_good(sys, "OPERATOR", "XAUTOLOG TWO");
    system_good(sys, "OPERATOR", "XAUTOLOG FEW");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 6 SECONDS");
    return sys;
}

// What becomes of a CONNECT: 0 when it was accepted, else the SEVER code.
static unsigned attempt(struct star_user *u, struct system *sys, const char *userid,
                        const char *segment, unsigned mode, unsigned wants)
{
    u->severed = 0;
    u->complete = false;
    assert_int_equal(star_connect_to(u, sys, userid, segment, mode, wants), IUCV_OK);
    system_run(sys, 0.001);
    assert_true(u->complete != (u->severed != 0));
    return u->severed;
}

static void connects_are_checked(void **state)
{
    (void)state;
    struct system *sys = set_up();
    system_good(sys, "OPERATOR", "DEFSEG OTHER 200-2FF SC RSTD");
    assert_int_equal(attempt(&one, sys, "ONE", "OTHER", 1, SAMPLE), SEVER_NO_SEGMENT); // a skeleton
    system_good(sys, "OPERATOR", "SAVESEG OTHER");
    assert_int_equal(attempt(&one, sys, "ONE", "OTHER", 1, SAMPLE), SEVER_CONFIG_SIZE);
    assert_int_equal(attempt(&one, sys, "ONE", "NOWHERE", 1, SAMPLE), SEVER_NO_SEGMENT);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", 2, SAMPLE), SEVER_BAD_REQUEST);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", 1, 0), SEVER_BAD_REQUEST);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", 1, 0x20), SEVER_BAD_REQUEST);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", 1, SAMPLE | EVENT), 0);
    assert_int_equal(one.accepted[0], 1);
    assert_int_equal(one.accepted[1], RECORDING_INACTIVE);
    assert_int_equal(one.accepted[2], RECORDING_INACTIVE);
    assert_int_equal(attempt(&two, sys, "TWO", "OTHER", 1, SAMPLE), SEVER_OTHER_SEGMENT);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    assert_int_equal(attempt(&two, sys, "TWO", "MONDCSS", 1, SAMPLE), 0);
    assert_int_equal(two.accepted[1], RECORDING_INACTIVE);
    assert_int_equal(two.accepted[2], RECORDING_ACTIVE);
    system_free(sys);
}

static void exclusive_is_alone(void **state)
{
    (void)state;
    struct system *sys = set_up();
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", CONNECT_EXCLUSIVE, SAMPLE | EVENT), 0);
    assert_int_equal(one.accepted[0], CONNECT_EXCLUSIVE);
    assert_int_equal(attempt(&two, sys, "TWO", "MONDCSS", CONNECT_SHARED, SAMPLE), SEVER_EXCLUSIVE);
    assert_int_equal(attempt(&two, sys, "TWO", "MONDCSS", CONNECT_EXCLUSIVE, EVENT),
                     SEVER_EXCLUSIVE);
    system_good(sys, "OPERATOR", "MONITOR START");
    system_run(sys, 60);
    assert_int_equal(one.samples, 11); // like anybody
    assert_int_equal(one.configs, 1);
    assert_int_equal(one.event_configs, 1);
    assert_int_equal(two.sets, 0);
    star_disconnect(&one);
    system_run(sys, 1);
    assert_int_equal(attempt(&two, sys, "TWO", "MONDCSS", CONNECT_SHARED, SAMPLE), 0);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", CONNECT_EXCLUSIVE, SAMPLE),
                     SEVER_EXCLUSIVE);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", CONNECT_SHARED, SAMPLE), 0);
    system_run(sys, 12);
    assert_int_equal(two.samples, 2);
    system_free(sys);
}

static bool hidden_message(struct monitor_user *user, const struct monitor_message *message)
{
    return monitor_reply(user, message->set);
}

static void hidden_severed(struct monitor_user *user, unsigned code)
{
    (void)user;
    (void)code;
}

static void panels_do_not_count(void **state)
{
    (void)state;
    static const struct monitor_user_ops ops = {hidden_message, hidden_severed};
    static struct monitor_user panel, other;
    panel = (struct monitor_user){.ops = &ops, .userid = "PANEL", .sample = true, .hidden = true};
    other = panel;
    struct system *sys = set_up();
    assert_int_equal(monitor_connect(monitor_of(sys->cp), &panel, "MONDCSS"), 0);
    assert_int_equal(attempt(&one, sys, "ONE", "MONDCSS", CONNECT_EXCLUSIVE, SAMPLE), 0);
    assert_int_equal(monitor_connect(monitor_of(sys->cp), &other, "MONDCSS"), 0);
    other.hidden = false;
    monitor_disconnect(&other);
    assert_int_equal(monitor_connect(monitor_of(sys->cp), &other, "MONDCSS"), MONITOR_EXCLUSIVE);
    system_free(sys);
}

static void while_quiesced_samples_wait(void **state)
{
    (void)state;
    struct system *sys = set_up();
    star_connect(&one, sys, "ONE", SAMPLE);
    star_connect(&two, sys, "TWO", SAMPLE);
    tod_t start = clock_now(&sys->world.clock);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 13);
    assert_int_equal(one.samples, 3);
    assert_int_equal(iucv_path_quiesce(one.end, true), IUCV_OK);
    system_run(sys, 60);
    assert_int_equal(one.samples, 3);
    assert_int_equal(two.samples, 13); // nobody else minds
    assert_int_equal(iucv_path_quiesce(one.end, false), IUCV_OK);
    system_run(sys, 0.001);
    assert_int_equal(one.samples, 13); // all that waited, in order
    for (unsigned k = 0; k < 13; k++)
        assert_int_equal(one.set[1 + k].first_time, start + k * 6 * TOD_SECOND);
    system_run(sys, 6);
    assert_int_equal(one.samples, 14);
    assert_int_equal(mondcss_area_used(&monitor_of(sys->cp)->dcss, AREA_SAMPLE_DATA), 0);
    system_free(sys);
}

static void configuration_does_not_wait_for_ever(void **state)
{
    (void)state;
    struct system *sys = set_up();
    star_connect(&one, sys, "ONE", SAMPLE);
    iucv_path_quiesce(one.end, true);
    system_run(sys, 0.001);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 59.9);
    assert_int_equal(one.severed, 0);
    system_run(sys, 0.2);
    assert_int_equal(one.severed, SEVER_CONFIG_LIMIT);
    assert_int_equal(one.sets, 0);
    system_free(sys);
}

// FEW may have three messages outstanding: the others follow as it answers, and none is lost.
static void a_message_limit_only_delays(void **state)
{
    (void)state;
    struct system *sys = set_up();
    star_connect(&one, sys, "FEW", SAMPLE | EVENT);
    one.answer = STAR_LATER;
    system_good(sys, "OPERATOR", "MONITOR EVENT ENABLE USER ALL");
    tod_t start = clock_now(&sys->world.clock);
    system_good(sys, "OPERATOR", "MONITOR START BLOCK 1");
    for (unsigned i = 0; i < 60; i++) {
        system_good(sys, "OPERATOR", "XAUTOLOG COMER");
        system_run(sys, 1);
        system_good(sys, "OPERATOR", "FORCE COMER");
        system_run(sys, 1);
        assert_true(one.waits <= 3);
    }
    assert_int_equal(one.samples + one.event_blocks, 3);
    system_good(sys, "OPERATOR", "XAUTOLOG COMER"); // in the block that STOP ends
    system_good(sys, "OPERATOR", "MONITOR STOP");
    while (one.waits) {
        star_answer_all(&one);
        system_run(sys, 0.001);
        assert_true(one.waits <= 3);
    }
    assert_int_equal(one.samples, 22);
    for (unsigned k = 0, n = 0; k < one.sets && n < 21; k++)
        if (one.set[k].trgcls >> 16 == 0xE2C4)
            assert_int_equal(one.set[k].first_time, start + n++ * 6 * TOD_SECOND);
    assert_int_equal(one.by[4][1], 61);
    assert_int_equal(one.told, 0);
    assert_int_equal(one.stops, 1);
    system_free(sys);
}

static void what_a_user_held_is_free_when_it_goes(void **state)
{
    (void)state;
    struct system *sys = set_up();
    const struct mondcss *dcss = &monitor_of(sys->cp)->dcss;
    one.answer = two.answer = STAR_NEVER;
    star_connect(&one, sys, "ONE", SAMPLE);
    star_connect(&two, sys, "TWO", SAMPLE);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 30);
    unsigned used = mondcss_area_used(dcss, AREA_SAMPLE_DATA);
    assert_true(used >= 12);
    star_disconnect(&one); // SEVER
    system_run(sys, 0.001);
    assert_int_equal(mondcss_area_used(dcss, AREA_SAMPLE_DATA), used); // TWO holds them still
    system_good(sys, "OPERATOR", "FORCE TWO");
    system_run(sys, 0.001);
    assert_null(monitor_of(sys->cp)->users);
    assert_int_equal(monitor_of(sys->cp)->sample.state, RECORDING_PENDING);
    assert_int_equal(monitor_of(sys->cp)->segment[0], '\0');
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connects_are_checked),
        cmocka_unit_test(exclusive_is_alone),
        cmocka_unit_test(panels_do_not_count),
        cmocka_unit_test(while_quiesced_samples_wait),
        cmocka_unit_test(configuration_does_not_wait_for_ever),
        cmocka_unit_test(a_message_limit_only_delays),
        cmocka_unit_test(what_a_user_held_is_free_when_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
