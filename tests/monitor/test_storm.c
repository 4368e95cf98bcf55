// SPDX-License-Identifier: MIT
// The event stream in a storm: a thousand logons by command and a hundred thousand movements of an
// arm. What was recorded is what each user was given and what it was told to be lost, to the
// record.
#include "star_user.h"

#include "devices/dasd_volume.h"

// The disk's own function for moving the arm, from devices/dasd_ckd_state.h, which is not for
// others.
void ckd_move(struct dasd_ckd *d, unsigned cylinder, unsigned head);

#define USERS 3
#ifdef __SANITIZE_ADDRESS__ // which makes a logon take fifty times as long
#define LOGONS 50u
#else
#define LOGONS 1000u
#endif
#define SEEKS (100 * LOGONS)
#define BATCH (SEEKS / LOGONS)

static const char config[] = "System_Identifier * * STORM\n"
                             "Processors 2 IFL\n"
                             "System_Userids Operator OPERATOR\n"
                             "RDevice 0200 Type DASD Volume VOL200 Cylinders 120\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
    "USER ONE X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
    "USER TWO X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
    "USER THREE X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
    "USER DISKER X 16M 16M G\n MDISK 0191 3390 1 110 VOL200 MR\n"
    "USER COMER X 1M 1M G\n";

// How often a user answers, in batches of the storm: 1 each time, 0 never.
static const struct storm {
    const char *name;
    unsigned pages, config; // of the segment, and of its configuration areas
    unsigned block, partition;
    unsigned answers[USERS];
    bool lossless;
    bool lasts; // longer than users may take to answer: two minutes
} storms[] = {
    {"as shipped, all answer", 0, 0, 4, 0, {1, 1, 1}, true, false},
    {"as shipped, one is slow", 0, 0, 4, 0, {1, 20, 1}, true, false},
    {"as shipped, one never answers", 0, 0, 4, 0, {1, 1, 0}, false, false},
    {"as shipped, blocks of a page", 0, 0, 1, 0, {1, 300, 0}, false, false},
    {"a partition of 100 pages", 0, 0, 4, 100, {1, 7, 40}, false, false},
    {"a partition of 72 pages", 0, 0, 8, 72, {1, 1, 0}, false, false},
    {"a partition of 72 pages, all are slow", 0, 0, 4, 72, {90, 130, 170}, false, false},
    {"a partition of 72 pages, for two minutes", 0, 0, 4, 72, {1, 1, 0}, false, true},
    {"a segment of 64 pages", 64, 8, 2, 0, {1, 3, 0}, false, false},
    {"a segment of 32 pages, nobody answers", 32, 6, 2, 0, {0, 0, 0}, false, false},
    {"a segment of 32 pages, all are slow", 32, 6, 3, 0, {50, 60, 70}, false, false},
    {"a segment of 32 pages, two do not answer", 32, 6, 2, 0, {1, 0, 0}, false, true},
};

static const char *const userid[USERS] = {"ONE", "TWO", "THREE"};

static void good_line(struct system *sys, const char *format, unsigned a, unsigned b)
{
    char line[80];
    snprintf(line, sizeof line, format, a, b);
    system_good(sys, "OPERATOR", line);
}

static struct system *set_up(const struct storm *storm, struct star_user *users)
{
    struct system *sys = system_new_of(config, directory);
    if (storm->pages) {
        system_good(sys, "OPERATOR", "PURGE NSS NAME MONDCSS");
        good_line(sys, "DEFSEG MONDCSS %X-%X SC RSTD", 0x9000, 0x9000 + storm->pages - 1);
        system_good(sys, "OPERATOR", "SAVESEG MONDCSS");
        good_line(sys, "MONITOR SAMPLE CONFIG SIZE %u", storm->config, 0);
        good_line(sys, "MONITOR EVENT CONFIG SIZE %u", storm->config, 0);
    }
    for (unsigned i = 0; i < USERS; i++) {
        char line[40];
        snprintf(line, sizeof line, "XAUTOLOG %s", userid[i]);
        system_good(sys, "OPERATOR", line);
        users[i].answer = STAR_LATER;
        star_connect(&users[i], sys, userid[i], CONNECT_EVENT);
    }
    system_good(sys, "OPERATOR", "XAUTOLOG DISKER");
    system_good(sys, "OPERATOR", "MONITOR EVENT ENABLE USER USERID COMER");
    system_good(sys, "OPERATOR", "MONITOR EVENT ENABLE SEEKS ALL");
    if (storm->partition)
        good_line(sys, "MONITOR EVENT START BLOCK %u PARTITION %u", storm->block, storm->partition);
    else
        good_line(sys, "MONITOR EVENT START BLOCK %u", storm->block, 0);
    system_run(sys, 0.001);
    return sys;
}

// A logon and a logoff by command, and so many movements by the disk's own code. How many records
// that is: D4R1, D4R2, and one D7R1 for each seek that the volume itself counted.
static unsigned batch(struct system *sys, struct dasd_volume *volume, unsigned n, double seconds)
{
    uint64_t before = volume->seeks;
    world_lock(&sys->world);
    for (unsigned i = 0; i < BATCH; i++)
        ckd_move(volume->devices, (n * BATCH + i) * 37 % 110, 0);
    world_unlock(&sys->world);
    system_good(sys, "OPERATOR", "XAUTOLOG COMER");
    system_good(sys, "OPERATOR", "FORCE COMER");
    system_run(sys, seconds);
    assert_null(cp_user(sys->cp, "COMER"));
    return 2 + (unsigned)(volume->seeks - before);
}

static void answer(const struct storm *storm, struct star_user *users, unsigned n)
{
    for (unsigned i = 0; i < USERS; i++)
        if (storm->answers[i] && n % storm->answers[i] == 0)
            star_answer_all(&users[i]);
}

static void answer_the_rest(struct system *sys, struct star_user *users)
{
    for (bool any = true; any;) {
        any = false;
        for (unsigned i = 0; i < USERS; i++) {
            any = any || users[i].waits;
            star_answer_all(&users[i]);
        }
        system_run(sys, 0.001);
    }
}

static void one(const struct storm *storm)
{
    static struct star_user users[USERS];
    memset(users, 0, sizeof users);
    struct system *sys = set_up(storm, users);
    const struct monitor *m = monitor_of(sys->cp);
    struct rdev *rdev = sys->cp->rdevs;
    assert_non_null(rdev->volume);
    uint64_t recorded = m->event_records, generated = 0, seeks = rdev->volume->seeks;
    for (unsigned n = 1; n <= LOGONS; n++) {
        generated += batch(sys, rdev->volume, n, storm->lasts ? 0.12 : 0.02);
        answer(storm, users, n);
    }
    system_good(sys, "OPERATOR", "MONITOR EVENT STOP");
    system_run(sys, 0.001);
    answer_the_rest(sys, users);
    assert_int_equal(rdev->volume->seeks - seeks, SEEKS);
    assert_int_equal(generated, SEEKS + 2 * LOGONS);
    assert_int_equal(m->event_records - recorded, generated);
    for (unsigned i = 0; i < USERS; i++) {
        const struct star_user *u = &users[i];
        print_message("    %s: %s was given %u and told of %u lost in %u D1R3, %u times D1R12%s\n",
                      storm->name, userid[i], (unsigned)u->events, (unsigned)u->told, u->losses,
                      u->stops, u->severed ? ", severed" : "");
        if (!u->severed)
            assert_int_equal(u->events + u->told, generated);
        else
            assert_int_equal(u->severed, SEVER_NO_REPLY);
        assert_int_equal(u->events, u->by[4][1] + u->by[4][2] + u->by[7][1]);
        if (storm->lossless)
            assert_int_equal(u->told, 0);
        if (storm->lossless || storm->answers[i] == 1)
            assert_int_equal(u->severed, 0);
    }
    for (unsigned a = 0; a < AREA_COUNT; a++) // all pages came back
        assert_int_equal(mondcss_area_used(&m->dcss, (enum mondcss_area)a), 0);
    system_free(sys);
}

static void each_record_is_delivered_or_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof storms / sizeof storms[0]; i++)
        one(&storms[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_record_is_delivered_or_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
