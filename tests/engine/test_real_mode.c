// SPDX-License-Identifier: MIT
// Real mode: processors are threads, the front end's commands come in between, and what it asked
// for is called on its own thread. `make check-tsan` runs this under ThreadSanitizer.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "engine/busy.h"

#define PATIENCE 20.0 // seconds, on a host that has other things to do

static struct endicott *sys;
static char folder[] = "/tmp/endicott-real-XXXXXX";

static int setup(void **state)
{
    (void)state;
    sys = busy_new(CLOCK_REAL);
    return sys ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    endicott_free(sys);
    return 0;
}

static tod_t in(double seconds)
{
    return endicott_now(sys) + tod_from_seconds(seconds);
}

// Runs until `holds` does; false when it does not come to that.
static bool wait_until(bool (*holds)(void))
{
    for (tod_t end = in(PATIENCE); endicott_now(sys) < end && !endicott_is_down(sys);) {
        if (holds())
            return true;
        endicott_run_until(sys, in(0.002));
    }
    return holds();
}

// --- the front end's time ---------------------------------------------------------

static void run_until_returns_in_time(void **state)
{
    (void)state;
    uint64_t before = host_monotonic_ns();
    endicott_run_until(sys, in(0.02)); // nothing is scheduled: only the clock ends it
    uint64_t ns = host_monotonic_ns() - before;
    assert_true(ns > 15000000 && ns < PATIENCE * 1e9);
}

static void *breaker(void *arg)
{
    (void)arg;
    // Again and again: it may come before endicott_run_until() has begun.
    for (unsigned i = 0; i < 1000 && !endicott_is_down(sys); i++) {
        endicott_break(sys);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        if (__atomic_load_n((bool *)arg, __ATOMIC_ACQUIRE))
            break;
    }
    return NULL;
}

static void another_thread_breaks_the_run(void **state)
{
    (void)state;
    pthread_t thread;
    bool over = false;
    assert_int_equal(pthread_create(&thread, NULL, breaker, &over), 0);
    tod_t end = in(PATIENCE);
    endicott_run_until(sys, end);
    assert_true(endicott_now(sys) < end);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
}

static pthread_t front;
static unsigned ticks, records, samples, strangers;

static void note_thread(void)
{
    strangers += !pthread_equal(pthread_self(), front);
}

static void tick(void *arg)
{
    struct endicott_timer **timer = arg;
    note_thread();
    endicott_timer_free(*timer);
    *timer = ++ticks < 20 ? endicott_timer_new(sys, in(0.001), tick, timer) : NULL;
}

static void record(void *arg, const struct endicott_record *r)
{
    (void)arg;
    note_thread();
    records += r->length >= 20 && r->domain < 16;
}

static void sample_end(void *arg, tod_t time, bool subinterval)
{
    (void)arg;
    (void)subinterval;
    note_thread();
    samples += time > 0;
}

static bool ticked_and_sampled(void)
{
    return ticks == 20 && samples >= 1;
}

static void timers_and_records_come_on_the_front_ends_thread(void **state)
{
    (void)state;
    front = pthread_self();
    ticks = records = samples = strangers = 0;
    assert_int_equal(busy_xautolog(sys, "COMPUTE1"), 0); // its processor fires events, too
    assert_int_equal(busy_xautolog(sys, "CLIENT"), 0);
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE ENABLE ALL"), 0);
    struct endicott_subscription *sub = endicott_subscribe(sys, true, record, sample_end, NULL);
    assert_non_null(sub);
    struct endicott_timer *timer = endicott_timer_new(sys, in(0.001), tick, &timer);
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE START"), 0);
    assert_true(wait_until(ticked_and_sampled));
    assert_int_equal(strangers, 0);
    assert_true(records > 10);
    // What still waits is dropped.
    struct endicott_timer *late = endicott_timer_new(sys, in(0), tick, &late);
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE STOP"), 0);
    endicott_timer_free(late);
    endicott_unsubscribe(sub);
    endicott_run_until(sys, in(0.005));
    assert_int_equal(ticks, 20);
    assert_int_equal(samples, 1);
}

// --- commands while everything runs --------------------------------------------------

static void start_everybody(void)
{
    assert_int_equal(busy_command(sys, NULL, "SET VSWITCH BUSYSW GRANT PING VLAN 1"), 0);
    assert_int_equal(busy_command(sys, NULL, "SET VSWITCH BUSYSW GRANT ECHO VLAN 1"), 0);
    for (unsigned i = 0; i < BUSY_GUESTS; i++)
        assert_int_equal(busy_xautolog(sys, busy_guests[i]), 0);
}

static bool everybody_got_on(void)
{
    static const char *const counting[] = {"IOLOOP", "DASDIO", "CLIENT", "SERVER", "ECHO", "PING"};
    for (unsigned i = 0; i < sizeof counting / sizeof *counting; i++)
        if (busy_transactions(sys, counting[i]) < 2)
            return false;
    return busy_instructions(sys, "COMPUTE1") > 1000000 && busy_instructions(sys, "SMP") > 20000;
}

struct step {
    const char *user, *line;
};

// Each may come at any moment of what the guests do.
static const struct step steps[] = {
    {NULL, "QUERY NAMES"},
    {NULL, "INDICATE LOAD"},
    {NULL, "INDICATE QUEUES"},
    {"COMPUTE1", "DISPLAY PSW"},
    {"COMPUTE1", "DISPLAY G"},
    {"IOLOOP", "DISPLAY 10000.40"},
    {"SERVER", "DISPLAY X"},
    {"PING", "QUERY VIRTUAL"},
    {"COMPUTE1", "TRACE I RUN"},
    {NULL, "SET SHARE COMPUTE1 RELATIVE 300"},
    {"CLIENT", "STOP"},
    {NULL, "QUERY SHARE COMPUTE1"},
    {"COMPUTE1", "TRACE END"},
    {"CLIENT", "BEGIN"},
    {"ECHO", "STORE S0 00000000"},
    {NULL, "QUERY VSWITCH BUSYSW"},
    {NULL, "QUERY MONITOR"},
    {"COMPUTE1", "DEFINE CPU 1"},
    {"COMPUTE1", "DETACH CPU 1"},
    {"COMPUTE1", "IPL COMPUTE PARM n=1000000"},
    {NULL, "INDICATE USER SMP EXP"},
    {"SMP", "IPL SMP"},
    {"DASDIO", "EXTERNAL"},
    {NULL, "QUERY PROCESSORS"},
};

static void commands(unsigned rounds)
{
    for (unsigned i = 0; i < rounds * (sizeof steps / sizeof *steps); i++) {
        const struct step *step = &steps[i % (sizeof steps / sizeof *steps)];
        char *text;
        int rc = endicott_command(sys, step->user, step->line, &text, NULL);
        if (rc != 0)
            fail_msg("%s: %s: %d %s", step->user ? step->user : "OPERATOR", step->line, rc, text);
        free(text);
        endicott_run_until(sys, in(0.001));
    }
}

static bool compute2_is_off(void)
{
    struct endicott_user info;
    return endicott_user(sys, "COMPUTE2", &info) != 0;
}

static bool is_down(void)
{
    return endicott_is_down(sys);
}

static void count_record(void *arg, const struct endicott_record *r)
{
    (void)r;
    ++*(unsigned *)arg;
}

static bool is_connected(void)
{
    char *text;
    endicott_command(sys, NULL, "QUERY MONITOR SAMPLE", &text, NULL);
    bool on = strstr(text, "WRITER") != NULL;
    free(text);
    return on;
}

static void everything_at_once(void **state)
{
    (void)state;
    endicott_monwrite_folder(sys, folder);
    start_everybody();
    assert_int_equal(busy_xautolog(sys, "WRITER"), 0);
    assert_true(wait_until(is_connected));
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE ENABLE ALL"), 0);
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE RATE .01 SECONDS"), 0);
    assert_int_equal(busy_command(sys, NULL, "MONITOR EVENT ENABLE ALL"), 0);
    assert_int_equal(busy_command(sys, NULL, "MONITOR EVENT START"), 0);
    assert_int_equal(busy_command(sys, NULL, "MONITOR SAMPLE START"), 0);
    commands(1);
    assert_true(wait_until(everybody_got_on));
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(busy_command(sys, NULL, "FORCE COMPUTE2"), 0);
        assert_true(wait_until(compute2_is_off));
        assert_int_equal(busy_xautolog(sys, "COMPUTE2"), 0);
    }
    commands(1);
    assert_int_equal(busy_command(sys, "COMPUTE2", "LOGOFF"), 0);
    assert_int_equal(busy_command(sys, NULL, "SHUTDOWN"), 0);
    assert_true(wait_until(is_down));
    // SHUTDOWN has closed what MONWRITE wrote.
    char path[100], *error = NULL;
    unsigned found = 0;
    snprintf(path, sizeof path, "%s/WRITER/BUSY.MONDATA", folder);
    assert_int_equal(endicott_read_monwrite(path, count_record, &found, &error), 0);
    assert_true(found > 20);
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(run_until_returns_in_time),
        TEST(another_thread_breaks_the_run),
        TEST(timers_and_records_come_on_the_front_ends_thread),
        TEST(everything_at_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
