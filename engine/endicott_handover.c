// SPDX-License-Identifier: MIT
// What is to be called on the front end's thread. In real mode any processor's thread may fire an
// event, and a front end must not find its timers and its monitor records on a thread of ours: they
// wait here until endicott_pump() or endicott_run_until() comes for them.
#include "endicott_private.h"

void handover_init(struct endicott *sys)
{
    sys->handover_first = NULL;
    sys->handover_end = &sys->handover_first;
}

void handover_add(struct endicott *sys, struct handover *handover)
{
    handover->next = NULL;
    *sys->handover_end = handover;
    sys->handover_end = &handover->next;
    endicott_notify(sys);
}

static void take_out(struct endicott *sys, struct handover **at)
{
    struct handover *handover = *at;

    *at = handover->next;
    if (sys->handover_end == &handover->next)
        sys->handover_end = at;
}

bool handover_deliver(struct endicott *sys)
{
    struct handover *first = sys->handover_first;

    if (!first)
        return false;
    take_out(sys, &sys->handover_first);
    first->deliver(first, true);
    return true;
}

void handover_drop(struct endicott *sys, const void *owner)
{
    struct handover **at = &sys->handover_first;

    while (*at) {
        struct handover *handover = *at;
        if (owner && handover->owner != owner) {
            at = &handover->next;
            continue;
        }
        take_out(sys, at);
        handover->deliver(handover, false);
    }
}
