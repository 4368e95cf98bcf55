// SPDX-License-Identifier: MIT
// Whose turn it is on a volume's arm.
#include "devices/dasd_arm.h"

#include <stddef.h>

#define TURN_MAX TOD_SECOND

static void hold(struct dasd_arm *arm, struct arm_user *user)
{
    arm->holder = user;
    arm->held_since = clock_now(arm->clock);
}

static void let_go(struct dasd_arm *arm)
{
    arm->busy += clock_now(arm->clock) - arm->held_since;
    arm->holder = NULL;
}

static void unlink_user(struct dasd_arm *arm, struct arm_user *user)
{
    struct arm_user **at = &arm->first;
    while (*at != user)
        at = &(*at)->next;
    *at = user->next;
    if (!*at)
        arm->end = at;
    user->waiting = false;
    arm->waiting--;
}

static void schedule(struct dasd_arm *arm)
{
    if (!arm->first)
        event_cancel(arm->events, &arm->event);
    else if (!arm->holder)
        event_schedule(arm->events, &arm->event, clock_now(arm->clock));
    else
        event_schedule(arm->events, &arm->event, arm->held_since + TURN_MAX);
}

static void next_turn(struct event *event, void *arg)
{
    (void)event;
    struct dasd_arm *arm = arg;
    struct arm_user *user = arm->first;
    if (arm->holder)
        let_go(arm);
    unlink_user(arm, user);
    hold(arm, user);
    schedule(arm);
    user->granted(user);
}

void arm_init(struct dasd_arm *arm)
{
    *arm = (struct dasd_arm){0};
    arm->end = &arm->first;
    event_init(&arm->event, next_turn, arm);
}

void arm_free(struct dasd_arm *arm)
{
    if (arm->events)
        event_cancel(arm->events, &arm->event);
}

bool arm_held_by(const struct dasd_arm *arm, const struct arm_user *user)
{
    return arm->holder == user;
}

bool arm_take(struct dasd_arm *arm, struct arm_user *user, struct event_queue *events,
              const struct clock *clock)
{
    arm->events = events;
    arm->clock = clock;
    if (arm->holder == user)
        return true;
    if (!arm->holder && !arm->first) {
        hold(arm, user);
        return true;
    }
    user->waiting = true;
    user->since = clock_now(clock);
    user->next = NULL;
    *arm->end = user;
    arm->end = &user->next;
    arm->waiting++;
    if (arm->waiting == 1)
        schedule(arm);
    return false;
}

void arm_release(struct dasd_arm *arm, struct arm_user *user)
{
    if (user->waiting)
        unlink_user(arm, user);
    else if (arm->holder == user)
        let_go(arm);
    else
        return;
    schedule(arm);
}
