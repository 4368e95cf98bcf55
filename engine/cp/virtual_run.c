// SPDX-License-Identifier: MIT
// Virtual mode: the real processors and the event queue on one thread, in one order.
//
// Each processor has its own local time. The loop always serves what comes first: the event that is
// due, else the processor that is furthest behind, for one stretch. No stretch goes beyond the next
// event, nor further ahead of another busy processor than LOOKAHEAD. While a stretch runs, the
// system's clock shows that processor's time; it may therefore step back, by LOOKAHEAD at most,
// when the next processor's turn comes. Events fire in the order of their times and see it only
// rise.
//
// Time that CP uses comes from the intercept table alone: a processor's local time is guest
// instructions and charges, nothing else.
#include <stdlib.h>

#include "base/memory.h"
#include "cp/inside.h"

#define LOOKAHEAD TOD_MILLISECOND
// Virtual CPUs of one guest talk to each other through storage: they keep closer.
#define LOOKAHEAD_SIBLINGS (50 * TOD_MICROSECOND)

static tod_t earlier(tod_t a, tod_t b)
{
    return a < b ? a : b;
}

static void set_clock(struct cp *cp, tod_t to)
{
    cp->world->clock.virtual_now = to;
}

// --- putting virtual CPUs on processors ---------------------------------------------

static struct real_processor *idle_processor(struct cp *cp, unsigned preferred)
{
    struct real_processor *p;

    if (preferred < cp->processors) {
        p = &cp->processor[preferred];
        if (p->online && !p->running)
            return p;
    }
    for (unsigned i = 0; i < cp->processors; i++) {
        p = &cp->processor[i];
        if (p->online && !p->running)
            return p;
    }
    return NULL;
}

static void put_on(struct real_processor *p, struct vcpu *vcpu)
{
    if (p->local < vcpu->state_since) {
        p->wait_time += vcpu->state_since - p->local;
        p->local = vcpu->state_since;
    }
    vcpu->on = p;
    p->running = vcpu;
    p->preempt = false;
    p->dispatches++;
    vcpu->dispatches++;
    vcpu->state = VCPU_RUNNING;
    p->local += vcpu->debt;
    vcpu->debt = 0;
    vcpu_charge(vcpu, INTERCEPT_DISPATCH, 0);
}

static void assign(struct cp *cp)
{
    struct real_processor *p;
    struct vcpu *vcpu;

    while (cp->dispatch_list && (p = idle_processor(cp, cp->dispatch_list->last_processor))) {
        vcpu = dispatch_take(cp, p->address);
        if (!vcpu)
            return;
        put_on(p->address == vcpu->last_processor ? p : idle_processor(cp, vcpu->last_processor),
               vcpu);
    }
}

// --- one stretch -----------------------------------------------------------------------

// The busy processor that is furthest behind, or NULL; *horizon: how far it may go for the others'
// sake.
static struct real_processor *next_processor(struct cp *cp, tod_t *horizon)
{
    struct real_processor *first = NULL;

    for (unsigned i = 0; i < cp->processors; i++) {
        struct real_processor *p = &cp->processor[i];
        if (p->running && (!first || p->local < first->local))
            first = p;
    }
    *horizon = TOD_NEVER;
    for (unsigned i = 0; first && i < cp->processors; i++) {
        const struct real_processor *p = &cp->processor[i];
        if (!p->running || p == first)
            continue;
        bool siblings = p->running->vm == first->running->vm;
        *horizon = earlier(*horizon, p->local + (siblings ? LOOKAHEAD_SIBLINGS : LOOKAHEAD));
    }
    return first;
}

static void run_stretch(struct cp *cp, struct real_processor *p, tod_t horizon)
{
    struct vcpu *vcpu = p->running;
    struct cpu *cpu = vcpu->cpu;
    struct machine *machine = vcpu->vm->machine;
    tod_t start = p->local;
    bool waited = cpu->psw.wait;
    uint64_t before = cpu->instructions;

    set_clock(cp, start);
    horizon = earlier(horizon, start + vcpu->slice_left);
    p->horizon = horizon;
    if (cpu_next_timer(cpu) <= start)
        cpu_pend(cpu, PEND_TIMER);
    uint64_t budget = horizon > start ? (horizon - start) / cpu->instruction_cost : 0;
    vcpu->run_generation = vcpu->vm->generation;
    cp->in_guest = vcpu;
    p->sie_entries++;
    cpu_time_begin(cpu, start);
    machine_enter(machine, cpu);
    enum cpu_exit why = cpu_run(cpu, budget ? budget : 1);
    machine_leave(machine, cpu);
    tod_t guest = (cpu->instructions - before) * cpu->instruction_cost;
    p->local = cpu_time_end(cpu);
    cp->in_guest = NULL;

    vcpu->fruitless = waited && why == CPU_EXIT_WAIT && cpu->instructions == before;
    vcpu->guest_time += guest;
    p->guest_time += guest;
    p->user_time += guest;
    set_clock(cp, p->local);
    dispatch_returned(vcpu, why, p->local - start);
}

// --- the loop ---------------------------------------------------------------------------

// Events at `due`, at the time when no processor is behind it any more.
static void fire(struct cp *cp, tod_t due)
{
    set_clock(cp, due);
    for (unsigned i = 0; i < cp->processors; i++) {
        struct real_processor *p = &cp->processor[i];
        if (!p->running && p->local < due) {
            p->wait_time += due - p->local;
            p->local = due;
        }
    }
    events_fire(&cp->world->events, due);
}

// One step; false when `until` has come.
static bool step(struct cp *cp, tod_t until)
{
    tod_t horizon, event;
    struct real_processor *p;

    assign(cp);
    p = next_processor(cp, &horizon);
    event = events_next(&cp->world->events);
    if ((!p || event <= p->local) && event <= until && event != TOD_NEVER) {
        fire(cp, event);
        return true;
    }
    if (!p || p->local >= until) {
        set_clock(cp, until);
        return false;
    }
    run_stretch(cp, p, earlier(earlier(horizon, event), until));
    return true;
}

bool cp_run(struct cp *cp, tod_t until)
{
    world_lock(cp->world);
    cp->break_requested = false;
    while (!cp->down && !cp->break_requested && step(cp, until))
        ;
    bool up = !cp->down;
    world_unlock(cp->world);
    return up;
}

void cp_break(struct cp *cp)
{
    cp->break_requested = true;
    if (cp->in_guest)
        cpu_request_exit(cp->in_guest->cpu);
}
