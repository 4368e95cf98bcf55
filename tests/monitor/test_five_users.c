// SPDX-License-Identifier: MIT
// Five users of *MONITOR for an hour: three with interval data, two with subinterval data, and of
// each kind one that never answers. Each gets exactly what it is entitled to.
#include "star_user.h"

#define USERS     5
#define INTERVAL  60u
#define SUB       6u
#define HOUR      3600u
#define INTERVALS (HOUR / INTERVAL + 1) // with the sample at START
#define SUBS      (HOUR / SUB + 1)
#define DEVICES   3u
#define MACHINES  (USERS + 1)

static const char config[] = "System_Identifier * * FIVE\n"
                             "Processors 2 IFL\n"
                             "System_Userids Operator OPERATOR\n"
                             "RDevice 0200 Type DASD Volume VOL200 Cylinders 5\n"
                             "RDevice 0201 Type DASD Volume VOL201 Cylinders 5\n"
                             "RDevice 0202 Type DASD Volume VOL202 Cylinders 5\n";

enum which { FIRST, SECOND, MUTE, FAST, FAST_MUTE };
static const struct {
    const char *userid;
    unsigned wants;
    bool mute, fast;
} kinds[USERS] = {
    [FIRST] = {"FIRST", CONNECT_SAMPLE, false, false},
    [SECOND] = {"SECOND", CONNECT_SAMPLE, false, false},
    [MUTE] = {"MUTE", CONNECT_SAMPLE, true, false},
    [FAST] = {"FAST", CONNECT_SAMPLE | CONNECT_SUBINTERVAL, false, true},
    [FAST_MUTE] = {"FASTMUTE", CONNECT_SAMPLE | CONNECT_SUBINTERVAL, true, true},
};

struct fixture {
    struct system *sys;
    struct star_user user[USERS];
    struct text directory;
};

// `pages` of segment, 0: as shipped.
static struct fixture *set_up(unsigned pages, enum star_answer mute_config)
{
    struct fixture *f = calloc(1, sizeof *f);
    text_puts(&f->directory, "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n");
    for (unsigned i = 0; i < USERS; i++)
        text_printf(&f->directory,
                    "USER %s X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n",
                    kinds[i].userid);
    struct system *sys = f->sys = system_new_of(config, text_get(&f->directory));
    if (pages) {
        char line[80];
        snprintf(line, sizeof line, "DEFSEG MONDCSS 9000-%X SC RSTD", 0x9000 + pages - 1);
        system_good(sys, "OPERATOR", "PURGE NSS NAME MONDCSS");
        system_good(sys, "OPERATOR", line);
        system_good(sys, "OPERATOR", "SAVESEG MONDCSS");
        system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 16");
        system_good(sys, "OPERATOR", "MONITOR EVENT CONFIG SIZE 16");
    }
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE DISABLE SUBINTERVAL I/O");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 60 SECONDS");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 6 SECONDS");
    for (unsigned i = 0; i < USERS; i++) {
        char line[40];
        snprintf(line, sizeof line, "XAUTOLOG %s", kinds[i].userid);
        system_good(sys, "OPERATOR", line);
        f->user[i].answer = kinds[i].mute ? STAR_NEVER : STAR_AT_ONCE;
        f->user[i].answer_config = kinds[i].mute ? mute_config : STAR_AT_ONCE;
        star_connect(&f->user[i], sys, kinds[i].userid, kinds[i].wants);
    }
    return f;
}

static void tear_down(struct fixture *f)
{
    system_free(f->sys);
    text_free(&f->directory);
    free(f);
}

// Set k of a user, of those that are samples, counted from START.
static void check_sample(const struct star_set *s, tod_t start, unsigned seconds)
{
    bool end = seconds % INTERVAL == 0;
    assert_int_equal(s->time, start + seconds * TOD_SECOND);
    assert_int_equal(s->trgcls, end ? 0xE2C40000 : 0xE2C48000);
    // Every record was built then, and the last one ends the interval.
    assert_int_equal(s->first_time, s->time);
    assert_int_equal(s->last_time, s->time);
    assert_int_equal(s->ends, 1);
    assert_int_equal(s->last_domain, 1);
    assert_int_equal(s->last_number, 11);
    // I/O is left out of subintervals; SYSTEM, MONITOR, USER and PROCESSOR are in all.
    assert_int_equal((s->domains & 0x0200) != 0, end);
    assert_int_equal(s->domains & 0xCC00, 0xCC00);
}

// The first set is the configuration, the others are samples at `step` seconds, `count` of them.
static void check_user(const struct star_user *u, tod_t start, unsigned step, unsigned count)
{
    assert_int_equal(u->configs, 1);
    assert_int_equal(u->set[0].trgcls, 0xE2C30000);
    assert_int_equal(u->set[0].time, start);
    assert_int_equal(u->samples, count);
    assert_int_equal(u->sets, 1 + count);
    for (unsigned k = 0; k < count; k++)
        check_sample(&u->set[1 + k], start, k * step);
}

static unsigned interval_ends(unsigned samples, unsigned step)
{
    return samples ? (samples - 1) * step / INTERVAL + 1 : 0;
}

// One record of each thing in each sample of its domain.
static void check_records(const struct star_user *u, unsigned samples, unsigned step)
{
    unsigned ends = interval_ends(samples, step);
    assert_int_equal(u->by[1][11], samples + 1); // the configuration has one too
    assert_int_equal(u->by[4][3], samples * MACHINES);
    assert_int_equal(u->by[0][2], samples * 2); // processors
    assert_int_equal(u->by[6][3], ends * DEVICES);
    assert_int_equal(u->subinterval_samples, samples - ends);
}

static void check_the_others(const struct fixture *f, tod_t start)
{
    check_user(&f->user[FIRST], start, INTERVAL, INTERVALS);
    check_user(&f->user[SECOND], start, INTERVAL, INTERVALS);
    check_user(&f->user[FAST], start, SUB, SUBS);
    check_records(&f->user[FIRST], INTERVALS, INTERVAL);
    check_records(&f->user[SECOND], INTERVALS, INTERVAL);
    check_records(&f->user[FAST], SUBS, SUB);
    // The very same sets: one copy for all.
    for (unsigned k = 0; k < INTERVALS; k++) {
        const struct star_set *a = &f->user[FIRST].set[1 + k], *b = &f->user[SECOND].set[1 + k];
        const struct star_set *c = &f->user[FAST].set[1 + k * INTERVAL / SUB];
        assert_true(a->start == b->start && a->end == b->end && a->records == b->records);
        assert_true(a->start == c->start && a->end == c->end && a->records == c->records);
    }
    assert_int_equal(monitor_of(f->sys->cp)->skipped_samples, 0);
}

static tod_t run_an_hour(struct fixture *f)
{
    tod_t start = clock_now(&f->sys->world.clock);
    system_good(f->sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(f->sys, HOUR + 1);
    return start;
}

// Never a word: the configuration is all they get, and their paths are severed at its limit.
static void who_never_answers_gets_its_configuration(void **state)
{
    (void)state;
    struct fixture *f = set_up(0, STAR_NEVER);
    tod_t start = run_an_hour(f);
    check_the_others(f, start);
    for (unsigned i = MUTE; i < USERS; i += FAST_MUTE - MUTE) {
        const struct star_user *u = &f->user[i];
        assert_int_equal(u->configs, 1);
        assert_int_equal(u->sets, 1);
        assert_int_equal(u->severed, SEVER_CONFIG_LIMIT);
        assert_int_equal(u->severed_at, start + 60 * TOD_SECOND);
    }
    tear_down(f);
}

// They answer the configuration and no sample: messages come until as many are outstanding as the
// path allows, in order and without gaps; nothing is lost to the others. In the end they answer,
// and what was kept for them follows.
static void who_answers_no_sample_gets_as_many_as_it_may_hold(void **state)
{
    (void)state;
    struct fixture *f = set_up(0, STAR_AT_ONCE);
    tod_t start = run_an_hour(f);
    check_the_others(f, start);
    check_user(&f->user[MUTE], start, INTERVAL, INTERVALS); // 61 are fewer than 255
    check_user(&f->user[FAST_MUTE], start, SUB, 255);
    check_records(&f->user[MUTE], INTERVALS, INTERVAL);
    check_records(&f->user[FAST_MUTE], 255, SUB);
    for (unsigned i = 0; i < USERS; i++)
        assert_int_equal(f->user[i].severed, 0);
    tear_down(f);
}

// In a segment of a hundred pages the two have no room for an hour: each keeps less than half of
// the sample data area, or is severed when the others need it; these miss nothing.
static void a_small_segment_is_enough_for_those_that_answer(void **state)
{
    (void)state;
    struct fixture *f = set_up(128, STAR_AT_ONCE);
    tod_t start = run_an_hour(f);
    check_the_others(f, start);
    const struct mondcss *dcss = &monitor_of(f->sys->cp)->dcss;
    unsigned half = dcss->area[AREA_SAMPLE_DATA].pages / 2, severed = 0;
    for (unsigned i = MUTE; i < USERS; i += FAST_MUTE - MUTE) {
        const struct star_user *u = &f->user[i];
        unsigned pages = 0, step = kinds[i].fast ? SUB : INTERVAL, k = 0;
        for (; k < u->samples; k++) {
            check_sample(&u->set[1 + k], start, k * step);
            pages += u->set[1 + k].frames + 1;
        }
        assert_true(k > 0 && pages <= half);
        severed += u->severed != 0;
        assert_true(u->severed == 0 || u->severed == SEVER_NO_REPLY);
    }
    assert_true(mondcss_area_used(dcss, AREA_SAMPLE_DATA) <= dcss->area[AREA_SAMPLE_DATA].pages);
    print_message("    %u of the two were severed\n", severed);
    tear_down(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_never_answers_gets_its_configuration),
        cmocka_unit_test(who_answers_no_sample_gets_as_many_as_it_may_hold),
        cmocka_unit_test(a_small_segment_is_enough_for_those_that_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
