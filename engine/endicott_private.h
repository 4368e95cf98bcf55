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
    // The world's own hook, which ours calls first.
    void (*world_earlier)(void *arg);
    void *world_earlier_arg;
};

// A text of its own for the caller to free, printf-like.
char *endicott_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

// TOD units per instruction for a speed in instructions per microsecond; 0 (default) for 0.
uint32_t endicott_cost_of_mips(double mips);

#endif
