// SPDX-License-Identifier: MIT
// The access mechanism that all devices on one volume share: one channel program has it at a time,
// the others wait their turn.
#ifndef ENDICOTT_DEVICES_DASD_ARM_H
#define ENDICOTT_DEVICES_DASD_ARM_H

#include <stdbool.h>

#include "base/events.h"

// A device's place in the queue, embedded in the device.
struct arm_user {
    void (*granted)(struct arm_user *user); // its turn has come (it holds the arm now)
    struct arm_user *next;
    bool waiting;
    tod_t since; // when it began to wait
};

struct dasd_arm {
    struct arm_user *holder, *first, **end;
    struct event event;
    struct event_queue *events; // of the configuration that made someone wait
    const struct clock *clock;
    unsigned waiting; // now
    tod_t held_since;
    tod_t busy;        // total time held
    unsigned position; // cylinder, or for FBA the block's place on the scale of the model
};

void arm_init(struct dasd_arm *arm);
void arm_free(struct dasd_arm *arm);
// True when `user` holds the arm now; false when it has to wait: `granted` will be called, from an
// event. A program that keeps others waiting for a second loses its turn, so that a guest's endless
// channel program cannot keep a volume from everybody else. `events` and `clock` must be the same
// for all users of the arm.
bool arm_take(struct dasd_arm *arm, struct arm_user *user, struct event_queue *events,
              const struct clock *clock);
bool arm_held_by(const struct dasd_arm *arm, const struct arm_user *user);
// Gives it back, or gives up waiting; no effect for one who does neither.
void arm_release(struct dasd_arm *arm, struct arm_user *user);

#endif
