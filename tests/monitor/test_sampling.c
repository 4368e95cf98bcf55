// SPDX-License-Identifier: MIT
// What a sample may cost: it allocates nothing, whatever the system has.
#include "system.h"

#include <malloc.h>

#include "base/memory.h"

static bool answer_at_once(struct monitor_user *user, const struct monitor_message *message)
{
    ++*(unsigned *)user->arg;
    return monitor_reply(user, message->set);
}

static void severed(struct monitor_user *user, unsigned code)
{
    (void)user;
    fail_msg("severed: %02X", code);
}

static const struct monitor_user_ops ops = {answer_at_once, severed};

struct heap {
    unsigned long calls; // of base/memory.h
    size_t bytes;        // in use, whoever asked for them (0 under a sanitizer, which has its own)
};

static struct heap heap_now(void)
{
    return (struct heap){mem_allocations(), mallinfo2().uordblks};
}

static void assert_nothing_allocated(struct heap before)
{
    struct heap after = heap_now();
    assert_int_equal(after.calls, before.calls);
    assert_int_equal(after.bytes, before.bytes);
}

// Users, disks, a switch with a NIC, a virtual disk, a segment, MONITOR commands that wait.
static struct system *everything_there_is(struct monitor_user *user, unsigned *sets)
{
    struct system *sys = system_new();
    for (unsigned i = 0; i < 4; i++)
        system_good(sys, "OPERATOR",
                    (const char *const[]){"XAUTOLOG WRITER", "XAUTOLOG NOSAVE",
                                          "DEFINE VSWITCH SW1", "MONITOR SAMPLE ENABLE ALL"}[i]);
    system_good(sys, "WRITER", "DEFINE NIC 0600 QDIO");
    system_good(sys, "OPERATOR", "SET VSWITCH SW1 GRANT WRITER");
    system_good(sys, "WRITER", "COUPLE 0600 TO SYSTEM SW1");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 10 SECONDS");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 2 SECONDS");
    *user = (struct monitor_user){.ops = &ops, .arg = sets, .sample = true, .subinterval = true};
    snprintf(user->userid, sizeof user->userid, "READER");
    assert_int_equal(monitor_connect(monitor_of(sys->cp), user, "MONDCSS"), 0);
    return sys;
}

static void a_sample_allocates_nothing(void **state)
{
    (void)state;
    unsigned sets = 0;
    struct monitor_user user;
    struct system *sys = everything_there_is(&user, &sets);
    struct monitor *m = monitor_of(sys->cp);
    struct heap before = heap_now();
    free(mem_alloc(1)); // the counter counts
    assert_int_equal(mem_allocations(), before.calls + 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START"); // configuration, and a first sample
    assert_int_equal(sets, 2);
    for (unsigned i = 0; i < 100; i++) {
        system_run(sys, 0.5);
        before = heap_now();
        sampler_sample(m, i % 5 == 0);
        sampler_tick(m);
        assert_nothing_allocated(before);
    }
    assert_true(sets > 100);
    monitor_disconnect(&user);
    system_free(sys);
}

static void nor_does_the_first_one(void **state)
{
    (void)state;
    unsigned sets = 0;
    struct monitor_user user;
    struct system *sys = everything_there_is(&user, &sets);
    struct monitor *m = monitor_of(sys->cp);
    struct heap before = heap_now();
    sampler_sample(m, true);
    assert_nothing_allocated(before);
    assert_int_equal(sets, 1);
    monitor_disconnect(&user);
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nor_does_the_first_one),
        cmocka_unit_test(a_sample_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
