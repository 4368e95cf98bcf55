// SPDX-License-Identifier: MIT
// What the fuzzers of hostile guests share: the system, commands that must be accepted, and the
// session of the user HOSTILE.
#ifndef ENDICOTT_TESTS_ENGINE_HOSTILE_SESSION_H
#define ENDICOTT_TESTS_ENGINE_HOSTILE_SESSION_H

#include <stdio.h>
#include <stdlib.h>

#include "endicott.h"

static struct endicott *sys; // the one system of the process, NULL between two

// Ends the process as a finding, with a line that says what.
static inline void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "hostile guest: %s\n", what);
    abort();
}

// A command of this user, NULL: the system's own, that must end with return code 0.
static inline void command(const char *user, const char *line)
{
    must(endicott_command(sys, user, line, NULL, NULL) == 0, line);
}

static inline bool logged_on(const char *user)
{
    struct endicott_user info;
    return endicott_user(sys, user, &info) == 0;
}

static inline void log_off_hostile(void)
{
    endicott_command(sys, "HOSTILE", "LOGOFF", NULL, NULL);    // perhaps it is about to, anyway
    for (unsigned i = 0; logged_on("HOSTILE") && i < 100; i++) // its CPUs leave the guest first
        endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(0.001));
    must(!logged_on("HOSTILE"), "LOGOFF did not end it");
}

#endif
