// SPDX-License-Identifier: MIT
// The dispatcher's lists: which virtual CPUs want to run, in what order, and what becomes of one
// that comes back from a processor. Who runs them is virtual_run.c (virtual mode) and processors.c
// (real mode); shares are scheduler.c's.
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/vm_console.h"

// A guest that does nothing but take program interruptions is stopped.
#define LOOP_INTERRUPTIONS 20000
// A user stays in queue for that long after it went idle.
#define TEST_IDLE (300 * TOD_MILLISECOND)

static tod_t now(const struct vcpu *vcpu)
{
    return clock_now(&vcpu->vm->cp->world->clock);
}

static bool is_virtual(const struct cp *cp)
{
    return cp->world->clock.mode == CLOCK_VIRTUAL;
}

// --- virtual CPUs ----------------------------------------------------------------

// Clock comparator or CPU timer of a CPU in a wait.
static void timer_due(struct event *event, void *arg)
{
    struct vcpu *vcpu = arg;

    (void)event;
    cpu_pend(vcpu->cpu, PEND_TIMER);
    vcpu_make_ready(vcpu);
}

// What STIDP tells of a virtual machine: version FF, CPU address and a serial number, machine type.
static uint64_t cpu_identification(const struct vm *vm, unsigned address)
{
    uint64_t serial = vm->vmdbk & 0xFFFF;

    for (unsigned i = 0; i < vm->entry->cpus; i++)
        if (vm->entry->cpu[i].address == address && vm->entry->cpu[i].cpuid)
            serial = vm->entry->cpu[i].cpuid;
    return UINT64_C(0xFF) << 56 | (serial & 0xFFFFFF) << 32 |
           cpu_model_identification(&vm->machine->model);
}

void vcpu_new(struct vm *vm, unsigned address)
{
    struct vcpu *vcpu = mem_zero(1, sizeof *vcpu);

    INVARIANT(machine_add_cpu(vm->machine, address) == 0);
    vcpu->vm = vm;
    vcpu->cpu = vm->machine->cpu[address];
    vcpu->cpu->owner = vcpu;
    vcpu->cpu->cpu_id = cpu_identification(vm, address);
    vcpu->state = VCPU_STOPPED;
    vcpu->state_since = clock_now(&vm->cp->world->clock);
    vcpu->slice_left = vm->cp->time_slice;
    event_init(&vcpu->timer, timer_due, vcpu);
    vm->vcpu[address] = vcpu;
    vm->vcpus++;
}

void vcpu_free(struct vcpu *vcpu)
{
    struct vm *vm = vcpu->vm;
    unsigned address = vcpu->cpu->address;

    INVARIANT(!vcpu->on);
    vcpu_unlist(vcpu);
    event_cancel(&vm->cp->world->events, &vcpu->timer);
    scheduler_forget(vcpu);
    machine_remove_cpu(vm->machine, address);
    vm->vcpu[address] = NULL;
    vm->vcpus--;
    free(vcpu);
}

void vcpu_set_state(struct vcpu *vcpu, enum vcpu_state state)
{
    if (vcpu->state == state)
        return;
    vcpu->state = state;
    vcpu->state_since = now(vcpu);
}

bool vcpu_may_dispatch(const struct vcpu *vcpu)
{
    const struct vm *vm = vcpu->vm;

    return atomic_load(&vcpu->cpu->state) == CPU_OPERATING && (!vm->cp_read || vm->set.run) &&
           !vm->logoff_pending && !vm->service && !vm->machine->ipl_pending;
}

// --- the dispatch list --------------------------------------------------------------

static void insert(struct cp *cp, struct vcpu *vcpu)
{
    struct vcpu **at = &cp->dispatch_list;

    while (*at && (*at)->priority <= vcpu->priority)
        at = &(*at)->next;
    vcpu->next = *at;
    *at = vcpu;
    vcpu->listed = true;
}

void vcpu_unlist(struct vcpu *vcpu)
{
    struct cp *cp = vcpu->vm->cp;
    struct vcpu **at = vcpu->limited ? &cp->limit_list : &cp->dispatch_list;

    event_cancel(&cp->world->events, &vcpu->timer);
    if (!vcpu->listed)
        return;
    while (*at != vcpu)
        at = &(*at)->next;
    *at = vcpu->next;
    vcpu->listed = vcpu->limited = false;
    scheduler_leave(vcpu);
}

// All processors are busy: the least urgent of what runs gives way to something more urgent.
static void preempt_for(struct cp *cp, const struct vcpu *vcpu)
{
    struct real_processor *worst = NULL;

    for (unsigned i = 0; i < cp->processors; i++) {
        struct real_processor *p = &cp->processor[i];
        if (!p->online)
            continue;
        if (!p->running || p->preempt)
            return;
        if (!worst || p->running->priority > worst->running->priority)
            worst = p;
    }
    if (!worst || worst->running->priority <= vcpu->priority)
        return;
    worst->preempt = true;
    cpu_request_exit(worst->running->cpu);
}

// --- transactions -------------------------------------------------------------------

void vcpu_end_transaction(struct vcpu *vcpu, bool now_or_never)
{
    struct cp *cp = vcpu->vm->cp;
    struct transaction over = {vcpu, vcpu->transaction_begin, now(vcpu)};

    if (!vcpu->transaction_begin)
        return;
    if (vcpu->state == VCPU_DORMANT && over.end - vcpu->state_since >= TEST_IDLE)
        over.end = vcpu->state_since;
    else if (!now_or_never)
        return;
    vcpu->transaction_begin = 0;
    vcpu->vm->transactions++;
    enum transaction_class class = vcpu->vm->set.quickdsp ? TRANSACTIONS_QUICK
                                   : vcpu->vm->vcpus > 1  ? TRANSACTIONS_MP
                                                          : TRANSACTIONS_UP;
    cp->transactions[class].count++;
    cp->transactions[class].time += over.end - over.begin;
    if (cp_watches(cp, CP_EVENT_TRANSACTION_END))
        cp_notify_about(cp, CP_EVENT_TRANSACTION_END, vcpu->vm, &over);
}

static void go_on_with_transaction(struct vcpu *vcpu)
{
    vcpu_end_transaction(vcpu, false);
    if (!vcpu->transaction_begin)
        vcpu->transaction_begin = now(vcpu);
}

void vcpu_make_ready(struct vcpu *vcpu)
{
    struct cp *cp = vcpu->vm->cp;

    if (vcpu->listed || vcpu->on || !vcpu_may_dispatch(vcpu))
        return;
    event_cancel(&cp->world->events, &vcpu->timer);
    go_on_with_transaction(vcpu);
    vcpu->state = VCPU_READY;
    vcpu->state_since = now(vcpu);
    scheduler_enter(vcpu);
    insert(cp, vcpu);
    preempt_for(cp, vcpu);
    if (!is_virtual(cp))
        world_wake(cp->world);
}

void machine_cpu_wake(struct machine *machine, struct cpu *cpu)
{
    struct vcpu *vcpu = cpu->owner;

    (void)machine;
    // Conditions that its masks do not let through can wait until it runs anyway.
    if (!vcpu->listed && !vcpu->on && cpu_may_run(cpu))
        vcpu_make_ready(vcpu);
}

struct vcpu *dispatch_take(struct cp *cp, unsigned processor)
{
    struct vcpu *vcpu;

    (void)processor;
    for (;;) {
        vcpu = cp->dispatch_list;
        if (!vcpu)
            return NULL;
        cp->dispatch_list = vcpu->next;
        vcpu->listed = false;
        if (!scheduler_held(vcpu))
            break;
    }
    if (vcpu->priority > cp->pass)
        cp->pass = vcpu->priority;
    return vcpu;
}

// --- coming back from a processor ------------------------------------------------------

static bool io_outstanding(const struct vcpu *vcpu)
{
    return vcpu->vm->io_outstanding != 0;
}

static void enter_wait(struct vcpu *vcpu)
{
    struct cp *cp = vcpu->vm->cp;
    tod_t next = vcpu->cpu->psw.external ? cpu_next_timer(vcpu->cpu) : TOD_NEVER;

    scheduler_leave(vcpu);
    vcpu_set_state(vcpu, io_outstanding(vcpu) ? VCPU_IO_WAIT : VCPU_DORMANT);
    if (next != TOD_NEVER)
        event_schedule(&cp->world->events, &vcpu->timer, next);
}

static void leave_processor(struct vcpu *vcpu)
{
    struct real_processor *p = vcpu->on;

    vcpu->on = NULL;
    vcpu->last_processor = p->address;
    p->running = NULL;
    p->preempt = false;
}

// A time slice has ended: the next one begins, perhaps for somebody else.
static void end_slice(struct vcpu *vcpu)
{
    vcpu->on->time_slice_ends++;
    vcpu->slice_left = vcpu->vm->cp->time_slice;
    vcpu_charge(vcpu, INTERCEPT_TIMESLICE, 0);
}

static bool interruption_loop(struct vcpu *vcpu)
{
    uint64_t checks = vcpu->cpu->program_checks - vcpu->checks_before;
    uint64_t instructions = vcpu->cpu->instructions - vcpu->instructions_before;
    bool loop = checks > LOOP_INTERRUPTIONS && checks >= instructions - instructions / 8;

    if (checks > LOOP_INTERRUPTIONS) {
        vcpu->checks_before = vcpu->cpu->program_checks;
        vcpu->instructions_before = vcpu->cpu->instructions;
    }
    return loop;
}

static void stop_looping(struct vcpu *vcpu)
{
    struct response out = response_to_vm(vcpu->vm);

    out.cpu = (uint8_t)vcpu->cpu->address;
    message_send(&out, MESSAGE_program_loop);
    vm_stop(vcpu->vm);
}

// It can go on: on this processor, or behind more urgent ones in the list.
static void go_on(struct vcpu *vcpu)
{
    struct cp *cp = vcpu->vm->cp;
    struct real_processor *p = vcpu->on;
    const struct vcpu *first = cp->dispatch_list;
    bool slice_over = vcpu->slice_left == 0;

    if (slice_over)
        end_slice(vcpu);
    if (!p->online || ((slice_over || p->preempt) && first && first->priority <= vcpu->priority)) {
        leave_processor(vcpu);
        vcpu->state = VCPU_READY;
        vcpu->state_since = now(vcpu);
        insert(cp, vcpu);
        return;
    }
    p->preempt = false;
    if (slice_over)
        p->fast_dispatches++;
    if (scheduler_held(vcpu)) { // also took it onto the limit list
        leave_processor(vcpu);
        return;
    }
    vcpu->state = VCPU_RUNNING;
}

void dispatch_returned(struct vcpu *vcpu, enum cpu_exit why, tod_t used)
{
    struct vm *vm = vcpu->vm;

    scheduler_used(vcpu, used);
    vcpu->slice_left = used < vcpu->slice_left ? vcpu->slice_left - used : 0;
    if (vcpu->run_generation == vm->generation)
        machine_cpu_exit(vm->machine, vcpu->cpu, why);
    vm_attend(vm);
    if (interruption_loop(vcpu) && !vm->cp_read)
        stop_looping(vcpu);
    if (!vcpu_may_dispatch(vcpu)) {
        leave_processor(vcpu);
        scheduler_leave(vcpu);
        if (vcpu->state == VCPU_RUNNING || vcpu->state == VCPU_READY)
            vcpu_set_state(vcpu, VCPU_STOPPED);
        vm_finish_logoff(vm);
        return;
    }
    if (why == CPU_EXIT_DISABLED_WAIT && vcpu->run_generation == vm->generation) {
        leave_processor(vcpu);
        scheduler_leave(vcpu);
        vcpu_set_state(vcpu, VCPU_DISABLED_WAIT);
        return;
    }
    if (why == CPU_EXIT_WAIT && vcpu->cpu->psw.wait &&
        (vcpu->fruitless || !cpu_may_run(vcpu->cpu))) {
        vcpu_charge(vcpu, INTERCEPT_WAIT, 0);
        leave_processor(vcpu);
        enter_wait(vcpu);
        return;
    }
    go_on(vcpu);
}

void dispatch_release_all(struct cp *cp)
{
    for (unsigned i = 0; i < cp->processors; i++) {
        struct vcpu *vcpu = cp->processor[i].running;
        if (!vcpu)
            continue;
        leave_processor(vcpu);
        scheduler_leave(vcpu);
        vcpu_set_state(vcpu, VCPU_STOPPED);
        vm_finish_logoff(vcpu->vm);
    }
}

// --- costs and states ------------------------------------------------------------------

void vcpu_charge(struct vcpu *vcpu, enum intercept reason, uint64_t host_ns)
{
    struct cp *cp = vcpu->vm->cp;
    bool simulated = is_virtual(cp);
    tod_t cost = simulated ? cp->intercept_cost[reason] : host_ns * 4096 / 1000;
    struct intercept_counter *counter = &vcpu->intercept[reason];

    counter->count++;
    counter->cost += cost;
    counter->host_ns += host_ns;
    vcpu->cp_time += cost;
    vcpu->host_ns_in_cp += host_ns;
    if (vcpu->on) {
        vcpu->on->intercept[reason]++;
        vcpu->on->user_time += cost;
    }
    if (!simulated)
        return;
    if (vcpu->cpu->timing)
        vcpu->cpu->charged += cost;
    else if (vcpu->on)
        vcpu->on->local += cost;
    else
        vcpu->debt += cost;
}

uint64_t vcpu_instructions(const struct vcpu *vcpu)
{
    bool elsewhere = vcpu->on && !is_virtual(vcpu->vm->cp);

    return elsewhere ? vcpu->instructions : vcpu->cpu->instructions;
}

enum sample_state vcpu_sample_state(const struct vcpu *vcpu)
{
    const struct vm *vm = vcpu->vm;
    tod_t waited = clock_now(&vm->cp->world->clock) - vcpu->state_since;

    if (vcpu->on)
        return vcpu->in_simulation ? SAMPLE_SIMULATION : SAMPLE_RUNNING;
    if (vcpu->listed)
        return vcpu->limited ? SAMPLE_LIMIT_LIST : SAMPLE_CPU_WAIT;
    switch (vcpu->state) {
    case VCPU_IO_WAIT:
        return SAMPLE_IO_WAIT;
    case VCPU_PAGE_WAIT:
        return SAMPLE_PAGE_WAIT;
    case VCPU_CONSOLE_WAIT:
        return SAMPLE_CONSOLE;
    case VCPU_DORMANT:
        return waited < TEST_IDLE ? SAMPLE_TEST_IDLE : SAMPLE_DORMANT;
    default:
        return SAMPLE_DORMANT;
    }
}

void cp_sync_processors(struct cp *cp)
{
    tod_t t = clock_now(&cp->world->clock);

    for (unsigned i = 0; i < cp->processors; i++) {
        struct real_processor *p = &cp->processor[i];
        bool idle = is_virtual(cp) ? !p->running : p->idle;
        if (idle && p->local < t) {
            p->wait_time += t - p->local;
            p->local = t;
        }
    }
}
