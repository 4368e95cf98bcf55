// SPDX-License-Identifier: MIT
// What all configurations of a system share: the clock, the event queue and the system lock.
#include "machine/machine.h"

#include "base/memory.h"

static void earlier_event(void *arg)
{
    world_wake(arg);
}

void world_init(struct machine_world *world, enum clock_mode mode, tod_t start)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;

    *world = (struct machine_world){0};
    clock_init(&world->clock, mode, start);
    events_init(&world->events);
    world->events.earlier = earlier_event;
    world->events.earlier_arg = world;
    pthread_mutexattr_init(&mutex);
    pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE);
    INVARIANT(pthread_mutex_init(&world->lock, &mutex) == 0);
    pthread_mutexattr_destroy(&mutex);
    pthread_condattr_init(&cond);
    pthread_condattr_setclock(&cond, CLOCK_MONOTONIC); // a step of the host's time must not matter
    INVARIANT(pthread_cond_init(&world->work, &cond) == 0);
    pthread_condattr_destroy(&cond);
}

void world_free(struct machine_world *world)
{
    events_free(&world->events);
    pthread_cond_destroy(&world->work);
    pthread_mutex_destroy(&world->lock);
}

void world_lock(struct machine_world *world)
{
    if (pthread_mutex_trylock(&world->lock) == 0)
        return;
    uint64_t began = host_monotonic_ns();
    pthread_mutex_lock(&world->lock);
    if (world->clock.mode == CLOCK_REAL) { // virtual time knows of no waits
        world->lock_waits++;
        world->lock_wait_ns += host_monotonic_ns() - began;
    }
}

void world_unlock(struct machine_world *world)
{
    pthread_mutex_unlock(&world->lock);
}

void world_wake(struct machine_world *world)
{
    pthread_cond_broadcast(&world->work);
}

bool world_wait(struct machine_world *world, tod_t until)
{
    tod_t now = clock_now(&world->clock);
    uint64_t ns;
    struct timespec deadline;

    INVARIANT(world->clock.mode == CLOCK_REAL);
    if (until == TOD_NEVER) {
        pthread_cond_wait(&world->work, &world->lock);
        return true;
    }
    if (until <= now)
        return false;
    // At most a minute at a time: the host's time of day may be set meanwhile.
    tod_t span = until - now < 60 * TOD_SECOND ? until - now : 60 * TOD_SECOND;
    ns = host_monotonic_ns() + span * 1000 / 4096 + 1;
    deadline.tv_sec = (time_t)(ns / 1000000000u);
    deadline.tv_nsec = (long)(ns % 1000000000u);
    return pthread_cond_timedwait(&world->work, &world->lock, &deadline) == 0;
}
