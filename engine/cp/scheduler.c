// SPDX-License-Identifier: MIT
// Shares: how much of the system each user is due, and the limit list of those that had their
// maximum.
//
// Each virtual CPU carries a virtual deadline (`priority`): what it used, divided by the fraction
// of the system that its user's share entitles it to. The dispatch list is in order of deadline, so
// over any longer time everybody who wants to run gets the fraction he is due. One who was idle
// starts from the system's present deadline: nobody saves up.
#include "cp/inside.h"

#define FRACTION_ONE UINT64_C(0x10000)

// Absolute shares get what they say, up to 99 % together; relative ones share the rest.
static uint64_t fraction(const struct cp *cp, bool absolute, unsigned value)
{
    uint64_t absolutes = cp->absolute_active < 990 ? cp->absolute_active : 990;
    uint64_t part;

    if (absolute)
        part = cp->absolute_active > 990 ? FRACTION_ONE * value * 990 / 1000 / cp->absolute_active
                                         : FRACTION_ONE * value / 1000;
    else
        part = FRACTION_ONE * (1000 - absolutes) / 1000 * value /
               (cp->relative_active ? cp->relative_active : value);
    return part ? part : 1;
}

static uint64_t due(const struct vcpu *vcpu)
{
    const struct vm *vm = vcpu->vm;
    uint64_t part = fraction(vm->cp, vm->share.absolute, vm->share.value);

    part /= vm->active_vcpus ? vm->active_vcpus : 1;
    return part ? part : 1;
}

static uint64_t *active_sum(struct vcpu *vcpu)
{
    return vcpu->sum_absolute ? &vcpu->vm->cp->absolute_active : &vcpu->vm->cp->relative_active;
}

static void bring_share(struct vcpu *vcpu)
{
    struct vm *vm = vcpu->vm;

    // The first of its CPUs brings the user's share; noted, since SET SHARE may change it
    // meanwhile.
    vm->sum_absolute = vm->share.absolute;
    vm->sum_value = vm->share.value;
    vcpu->sum_absolute = vm->sum_absolute;
    *active_sum(vcpu) += vm->sum_value;
    vm->cp->users_active++;
}

void scheduler_enter(struct vcpu *vcpu)
{
    struct vm *vm = vcpu->vm;

    if (vcpu->priority < vm->cp->pass)
        vcpu->priority = vm->cp->pass;
    if (vcpu->in_queue)
        return;
    vcpu->in_queue = true;
    vcpu->slice_left = vm->cp->time_slice;
    vm->cp->processor[vcpu->last_processor].list_adds++;
    if (vm->active_vcpus++ == 0)
        bring_share(vcpu);
    if (cp_watches(vm->cp, CP_EVENT_DISPATCH_ADD))
        cp_notify_about(vm->cp, CP_EVENT_DISPATCH_ADD, vm, vcpu);
}

void scheduler_leave(struct vcpu *vcpu)
{
    struct vm *vm = vcpu->vm;

    if (!vcpu->in_queue)
        return;
    vcpu->in_queue = false;
    if (--vm->active_vcpus == 0) {
        vcpu->sum_absolute = vm->sum_absolute;
        *active_sum(vcpu) -= vm->sum_value;
        vm->cp->users_active--;
    }
    if (cp_watches(vm->cp, CP_EVENT_DISPATCH_DROP))
        cp_notify_about(vm->cp, CP_EVENT_DISPATCH_DROP, vm, vcpu);
}

void scheduler_forget(struct vcpu *vcpu)
{
    scheduler_leave(vcpu);
}

// --- maximum shares --------------------------------------------------------------------

static bool has_limit(const struct vcpu *vcpu)
{
    return vcpu->vm->share.limited && !vcpu->vm->set.quickdsp;
}

// When a limited user has used `used`, the time until which that is all it may have.
static void note_limit(struct vcpu *vcpu, tod_t used, tod_t at)
{
    const struct vm *vm = vcpu->vm;
    uint64_t part = fraction(vm->cp, vm->share.limit_absolute, vm->share.limit) *
                    vm->cp->processors / (vm->active_vcpus ? vm->active_vcpus : 1);
    tod_t began = at - used;

    if (part >= FRACTION_ONE)
        return;
    if (vcpu->limit_until < began)
        vcpu->limit_until = began;
    vcpu->limit_until += used * FRACTION_ONE / (part ? part : 1);
}

// The system's present deadline is that of the one who is furthest behind, running or ready, so
// that it goes on also while nobody is dispatched: a newcomer must not be due all the time that
// others had a processor for themselves.
static void advance_pass(struct cp *cp)
{
    uint64_t least = cp->dispatch_list ? cp->dispatch_list->priority : UINT64_MAX;

    for (unsigned i = 0; i < cp->processors; i++) {
        const struct vcpu *running = cp->processor[i].running;
        if (running && running->priority < least)
            least = running->priority;
    }
    if (least != UINT64_MAX && least > cp->pass)
        cp->pass = least;
}

void scheduler_used(struct vcpu *vcpu, tod_t used)
{
    vcpu->priority += used * FRACTION_ONE / due(vcpu);
    advance_pass(vcpu->vm->cp);
    if (has_limit(vcpu))
        note_limit(vcpu, used, clock_now(&vcpu->vm->cp->world->clock));
}

// The first of the limit list is due: everybody who may run again goes back to the dispatch list.
static void limit_due(struct event *event, void *arg)
{
    struct cp *cp = arg;
    tod_t now = clock_now(&cp->world->clock), next = TOD_NEVER;
    struct vcpu *list = cp->limit_list;

    cp->limit_list = NULL;
    while (list) {
        struct vcpu *vcpu = list;
        list = vcpu->next;
        if (vcpu->limit_until <= now) {
            vcpu->listed = vcpu->limited = false;
            vcpu_make_ready(vcpu);
            continue;
        }
        if (vcpu->limit_until < next)
            next = vcpu->limit_until;
        vcpu->next = cp->limit_list;
        cp->limit_list = vcpu;
    }
    if (next != TOD_NEVER)
        event_schedule(&cp->world->events, event, next);
}

bool scheduler_held(struct vcpu *vcpu)
{
    struct cp *cp = vcpu->vm->cp;
    tod_t now = clock_now(&cp->world->clock);

    if (!has_limit(vcpu) || vcpu->limit_until <= now + cp->time_slice)
        return false;
    // A soft limit binds only while somebody else wants the processor.
    if (!vcpu->vm->share.limit_hard && !cp->dispatch_list)
        return false;
    vcpu->next = cp->limit_list;
    cp->limit_list = vcpu;
    cp->limit_adds++;
    vcpu->listed = vcpu->limited = true;
    vcpu->state = VCPU_READY;
    if (!event_pending(&cp->limit_event) || cp->limit_event.due > vcpu->limit_until)
        event_schedule(&cp->world->events, &cp->limit_event, vcpu->limit_until);
    return true;
}

void dispatch_init(struct cp *cp)
{
    event_init(&cp->limit_event, limit_due, cp);
}

void dispatch_free(struct cp *cp)
{
    event_cancel(&cp->world->events, &cp->limit_event);
}
