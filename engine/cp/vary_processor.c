// SPDX-License-Identifier: MIT
// Taking real processors out of the configuration and back.
#include "cp/inside.h"

// One of the type that the system was IPLed on has to stay.
static bool last_primary(const struct cp *cp, const struct real_processor *p)
{
    for (unsigned i = 0; i < cp->processors; i++)
        if (&cp->processor[i] != p && cp->processor[i].online &&
            cp->processor[i].type == cp->processor[0].type)
            return false;
    return p->type == cp->processor[0].type;
}

bool cp_vary_processor(struct cp *cp, struct real_processor *p, bool on)
{
    if (p->online == on)
        return true;
    if (!on && last_primary(cp, p))
        return false;
    p->online = on;
    if (on)
        p->offline_time += clock_now(&cp->world->clock) - p->offline_since;
    else
        p->offline_since = clock_now(&cp->world->clock);
    if (p->running) { // goes on elsewhere, when it comes back from the guest
        p->preempt = true;
        cpu_request_exit(p->running->cpu);
    }
    cp_notify_about(cp, on ? CP_EVENT_PROCESSOR_ON : CP_EVENT_PROCESSOR_OFF, NULL, p);
    world_wake(cp->world);
    return true;
}
