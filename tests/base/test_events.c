// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/events.h"

static char trace[64];
static size_t traced;
static struct event_queue queue;

static void note(struct event *event, void *arg)
{
    (void)event;
    trace[traced++] = *(const char *)arg;
    trace[traced] = '\0';
}

static void again(struct event *event, void *arg)
{
    note(event, arg);
    if (traced < 3)
        event_schedule(&queue, event, event->due);
}

static int start(void **state)
{
    (void)state;
    events_init(&queue);
    traced = 0;
    trace[0] = '\0';
    return 0;
}

static int finish(void **state)
{
    (void)state;
    events_free(&queue);
    return 0;
}

static void fires_by_time_then_by_order(void **state)
{
    (void)state;
    struct event e[4];
    static char names[] = "abcd";
    for (int i = 0; i < 4; i++)
        event_init(&e[i], note, &names[i]);
    event_schedule(&queue, &e[0], 20);
    event_schedule(&queue, &e[1], 10);
    event_schedule(&queue, &e[2], 20);
    event_schedule(&queue, &e[3], 30);
    assert_int_equal(events_next(&queue), 10);
    assert_int_equal(events_fire(&queue, 25), 3);
    assert_string_equal(trace, "bac");
    assert_true(event_pending(&e[3]));
    event_cancel(&queue, &e[3]);
    assert_false(event_pending(&e[3]));
    assert_int_equal(events_next(&queue), TOD_NEVER);
}

static void an_event_may_reschedule_itself(void **state)
{
    (void)state;
    struct event e;
    static char name = 'x';
    event_init(&e, again, &name);
    event_schedule(&queue, &e, 5);
    assert_int_equal(events_fire(&queue, 5), 3);
    assert_string_equal(trace, "xxx");
}

static void cancelling_inside_a_large_heap_keeps_the_order(void **state)
{
    (void)state;
    enum { N = 500 };
    static struct event e[N];
    static char name = '.';
    uint32_t seed = 1;
    for (int i = 0; i < N; i++) {
        event_init(&e[i], note, &name);
        seed = seed * 1664525u + 1013904223u;
        event_schedule(&queue, &e[i], seed % 1000);
    }
    for (int i = 0; i < N; i += 3)
        event_cancel(&queue, &e[i]);
    tod_t last = 0;
    while (events_next(&queue) != TOD_NEVER) {
        tod_t due = events_next(&queue);
        assert_true(due >= last);
        last = due;
        event_cancel(&queue, queue.heap[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fires_by_time_then_by_order, start, finish),
        cmocka_unit_test_setup_teardown(an_event_may_reschedule_itself, start, finish),
        cmocka_unit_test_setup_teardown(cancelling_inside_a_large_heap_keeps_the_order, start,
                                        finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
