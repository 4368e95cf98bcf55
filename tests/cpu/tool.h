// SPDX-License-Identifier: MIT
// Programs that a test compares with, and what it says when one is not installed.
#ifndef ENDICOTT_TESTS_CPU_TOOL_H
#define ENDICOTT_TESTS_CPU_TOOL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// When `program` is not there: a TAP plan that skips the whole test, and true. (cmocka's own skip()
// prints "not ok", which prove counts as a failure.)
static inline bool tool_missing(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    if (system(command) == 0)
        return false;
    printf("1..0 # SKIP %s is not installed; nothing was compared\n", program);
    return true;
}

#endif
