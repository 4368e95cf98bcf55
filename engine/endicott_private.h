// SPDX-License-Identifier: MIT
// What the files that implement endicott.h share.
#ifndef ENDICOTT_PRIVATE_H
#define ENDICOTT_PRIVATE_H

#include "cp/cp.h"
#include "endicott.h"

struct endicott {
    struct machine_world world;
    struct cp *cp;
    int notify_fd; // eventfd: readable when an event became the earliest one
    bool break_requested;
    unsigned delivering; // monitor records are being given to subscribers
    struct handover *handover_first, **handover_end;
    // The world's own hook, which ours calls first.
    void (*world_earlier)(void *arg);
    void *world_earlier_arg;
};

// A call that the front end's thread has to make (endicott_handover.c). All under the system lock.
struct handover {
    struct handover *next;
    const void *owner;
    // Makes the call; `wanted` false: drops it. The handover is out of the queue and may be freed.
    void (*deliver)(struct handover *handover, bool wanted);
};
void handover_init(struct endicott *sys);
void handover_add(struct endicott *sys, struct handover *handover);
// Delivers the oldest one; false when there is none.
bool handover_deliver(struct endicott *sys);
// Drops all of this owner; NULL: all.
void handover_drop(struct endicott *sys, const void *owner);

// Makes endicott_notify_fd() readable and wakes endicott_run_until(). Lock held.
void endicott_notify(struct endicott *sys);

// A text of its own for the caller to free, printf-like.
char *endicott_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// TOD units per instruction for a speed in instructions per microsecond; 0 (default) for 0.
uint32_t endicott_cost_of_mips(double mips);

#endif
