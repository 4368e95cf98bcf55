// SPDX-License-Identifier: MIT
// Counters of cpu/intercept.h's table, per virtual CPU and system-wide.
#ifndef ENDICOTT_CP_INTERCEPTS_H
#define ENDICOTT_CP_INTERCEPTS_H

#include <stdint.h>

#include "base/clock.h"
#include "cpu/intercept.h"

struct intercept_counter {
    uint64_t count;
    tod_t cost;       // virtual time charged
    uint64_t host_ns; // real mode: host CPU time in CP
};

struct intercept_row {
    const char *name; // "SSCH", "DIAG 08", ...
    enum intercept_group group;
    uint32_t cost_ns;
};

extern const struct intercept_row intercept_rows[INTERCEPT_COUNT];
extern const char *const intercept_group_names[INTERCEPT_GROUP_COUNT];

// The row of DIAGNOSE `code` and of IUCV `function`; the "other" rows when they have none.
enum intercept intercept_of_diagnose(uint32_t code);
enum intercept intercept_of_iucv(uint32_t function);

#endif
