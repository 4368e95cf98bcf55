// SPDX-License-Identifier: MIT
// Real mode: each real processor is a thread. It holds the system lock while it chooses what to run
// and gives it up while guest instructions run.
#include "base/log.h"
#include "base/memory.h"
#include "cp/inside.h"

// Instructions between two looks at the host's clock.
#define STRETCH 400000u

static tod_t now(const struct cp *cp)
{
    return clock_now(&cp->world->clock);
}

// Nothing to run: sleep until there is. One idle processor keeps an eye on the event queue.
static void wait_for_work(struct real_processor *p)
{
    struct cp *cp = p->cp;
    bool watch = !cp->timer_waiter;
    tod_t until = watch ? events_next(&cp->world->events) : TOD_NEVER;

    if (watch)
        cp->timer_waiter = true;
    p->idle = true;
    p->local = now(cp);
    world_wait(cp->world, until);
    tod_t t = now(cp);
    if (t > p->local)
        p->wait_time += t - p->local;
    p->idle = false;
    if (watch) {
        cp->timer_waiter = false;
        // Another idle one takes over while this one works.
        world_wake(cp->world);
    }
}

// Runs the virtual CPU for one stretch; the lock is given up for it.
static void run_stretch(struct real_processor *p, struct vcpu *vcpu)
{
    struct cp *cp = p->cp;
    struct cpu *cpu = vcpu->cpu;
    struct machine *machine = vcpu->vm->machine;
    uint64_t before = cpu->instructions, in_cp = vcpu->host_ns_in_cp;
    bool waited = cpu->psw.wait;

    vcpu->run_generation = vcpu->vm->generation;
    p->sie_entries++;
    machine_enter(machine, cpu);
    world_unlock(cp->world);
    uint64_t began = host_thread_ns();
    cpu_time_begin(cpu, now(cp));
    enum cpu_exit why = cpu_run(cpu, STRETCH);
    cpu_time_end(cpu);
    uint64_t ran = host_thread_ns() - began;
    machine_leave(machine, cpu);
    world_lock(cp->world);

    vcpu->instructions = cpu->instructions;
    in_cp = vcpu->host_ns_in_cp - in_cp;
    tod_t guest = (ran > in_cp ? ran - in_cp : 0) * 4096 / 1000;
    vcpu->fruitless = waited && why == CPU_EXIT_WAIT && cpu->instructions == before;
    vcpu->guest_time += guest;
    p->guest_time += guest;
    p->user_time += guest;
    dispatch_returned(vcpu, why, ran * 4096 / 1000);
}

static void put_on(struct real_processor *p, struct vcpu *vcpu)
{
    vcpu->on = p;
    p->running = vcpu;
    p->preempt = false;
    p->dispatches++;
    vcpu->dispatches++;
    vcpu->state = VCPU_RUNNING;
}

static void *processor_thread(void *arg)
{
    struct real_processor *p = arg;
    struct cp *cp = p->cp;
    struct machine_world *world = cp->world;

    world_lock(world);
    while (!cp->stop_threads) {
        events_fire(&world->events, now(cp));
        if (p->running) {
            run_stretch(p, p->running);
            continue;
        }
        uint64_t began = host_thread_ns();
        struct vcpu *vcpu = p->online ? dispatch_take(cp, p->address) : NULL;
        if (!vcpu) {
            wait_for_work(p);
            continue;
        }
        put_on(p, vcpu);
        vcpu_charge(vcpu, INTERCEPT_DISPATCH, host_thread_ns() - began);
    }
    world_unlock(world);
    return NULL;
}

void processors_start(struct cp *cp)
{
    for (unsigned i = 0; i < cp->processors; i++) {
        struct real_processor *p = &cp->processor[i];
        p->local = now(cp);
        p->started = pthread_create(&p->thread, NULL, processor_thread, p) == 0;
        if (!p->started) {
            p->online = false;
            LOG(DISPATCH, "processor %02X: the host gives no thread", i);
        }
    }
}

void processors_stop(struct cp *cp)
{
    world_lock(cp->world);
    cp->stop_threads = true;
    for (unsigned i = 0; i < cp->processors; i++)
        if (cp->processor[i].running)
            cpu_request_exit(cp->processor[i].running->cpu);
    world_wake(cp->world);
    world_unlock(cp->world);
    for (unsigned i = 0; i < cp->processors; i++)
        if (cp->processor[i].started) {
            pthread_join(cp->processor[i].thread, NULL);
            cp->processor[i].started = false;
        }
}
