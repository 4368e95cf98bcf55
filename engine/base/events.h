// SPDX-License-Identifier: MIT
// The event queue: everything that will happen, ordered by time and then by order of scheduling,
// so that equal inputs give equal runs. The system lock protects it (see docs/architecture.md).
#ifndef ENDICOTT_BASE_EVENTS_H
#define ENDICOTT_BASE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

struct event;
typedef void event_fn(struct event *event, void *arg);

// Embedded in its owner, who must cancel it before it goes away. Zero-initialise, then event_init.
struct event {
    event_fn *fire;
    void *arg;
    tod_t due;
    uint64_t order;  // ties are broken by this
    size_t position; // 1-based place in the heap, 0 = not scheduled
};

struct event_queue {
    struct event **heap;
    size_t count, cap;
    uint64_t next_order;
    // Called (if set) when an event becomes the earliest one, so that a sleeping waiter can wake.
    void (*earlier)(void *arg);
    void *earlier_arg;
};

void events_init(struct event_queue *queue);
void events_free(struct event_queue *queue);

void event_init(struct event *event, event_fn *fire, void *arg);
// Schedules or re-schedules.
void event_schedule(struct event_queue *queue, struct event *event, tod_t due);
// No effect when it is not scheduled.
void event_cancel(struct event_queue *queue, struct event *event);
bool event_pending(const struct event *event);

// Time of the earliest event, TOD_NEVER when there is none.
tod_t events_next(const struct event_queue *queue);
// Fires, in order, every event due at or before `now`, also those scheduled meanwhile. Returns the
// number fired.
size_t events_fire(struct event_queue *queue, tod_t now);

#endif
