// SPDX-License-Identifier: MIT
#include "base/events.h"

#include <stdlib.h>

#include "base/memory.h"

static bool before(const struct event *a, const struct event *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void put(struct event_queue *q, size_t at, struct event *e)
{
    q->heap[at] = e;
    e->position = at + 1;
}

static void sift_up(struct event_queue *q, size_t at)
{
    struct event *e = q->heap[at];
    while (at > 0 && before(e, q->heap[(at - 1) / 2])) {
        put(q, at, q->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(q, at, e);
}

static void sift_down(struct event_queue *q, size_t at)
{
    struct event *e = q->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= q->count)
            break;
        if (child + 1 < q->count && before(q->heap[child + 1], q->heap[child]))
            child++;
        if (!before(q->heap[child], e))
            break;
        put(q, at, q->heap[child]);
        at = child;
    }
    put(q, at, e);
}

void events_init(struct event_queue *queue)
{
    *queue = (struct event_queue){0};
}

void events_free(struct event_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        queue->heap[i]->position = 0;
    free(queue->heap);
    *queue = (struct event_queue){0};
}

void event_init(struct event *event, event_fn *fire, void *arg)
{
    *event = (struct event){.fire = fire, .arg = arg};
}

bool event_pending(const struct event *event)
{
    return event->position != 0;
}

void event_cancel(struct event_queue *queue, struct event *event)
{
    if (!event->position)
        return;
    size_t at = event->position - 1;
    INVARIANT(at < queue->count && queue->heap[at] == event);
    struct event *last = queue->heap[--queue->count];
    event->position = 0;
    if (last == event)
        return;
    put(queue, at, last);
    sift_up(queue, at);
    sift_down(queue, last->position - 1);
}

void event_schedule(struct event_queue *queue, struct event *event, tod_t due)
{
    event_cancel(queue, event);
    if (queue->count == queue->cap) {
        queue->cap = queue->cap ? queue->cap * 2 : 64;
        queue->heap = mem_resize(queue->heap, queue->cap, sizeof *queue->heap);
    }
    event->due = due;
    event->order = queue->next_order++;
    queue->heap[queue->count] = event;
    sift_up(queue, queue->count++);
    if (event->position == 1 && queue->earlier)
        queue->earlier(queue->earlier_arg);
}

tod_t events_next(const struct event_queue *queue)
{
    return queue->count ? queue->heap[0]->due : TOD_NEVER;
}

size_t events_fire(struct event_queue *queue, tod_t now)
{
    size_t fired = 0;
    while (queue->count && queue->heap[0]->due <= now) {
        struct event *e = queue->heap[0];
        event_cancel(queue, e);
        e->fire(e, e->arg);
        fired++;
    }
    return fired;
}
