// SPDX-License-Identifier: MIT
// The operator's console on an ordinary terminal: a 3270 in curses, its keyboard, scrollback, and
// a live panel that a key brings up.
#ifndef ENDICOTT_CONSOLE_CONSOLE_H
#define ENDICOTT_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "console/cells.h"
#include "endicott.h"

// A full screen of another kind that Ctrl-P shows in place of the 3270.
struct console_view {
    const char *name;
    // Draws on `cells`, which were cleared; at least once a second while it is shown.
    void (*draw)(void *arg, struct cells *cells);
    void *arg;
};

struct console_options {
    const char *logon;               // userid that is logged on at once; NULL: the logo
    const struct console_view *view; // NULL: none
    bool ascii;                      // even where the terminal knows UTF-8
};

// Runs the console on standard input and output until SHUTDOWN, quit or a signal, pumping `sys`
// (real mode) meanwhile. Where there is no terminal that can place a cursor, lines are read and
// written as they come. The terminal is left as it was found. Exit code: 0, 1 when the terminal
// cannot be used (said on standard error), 128 + signal.
int console_run(struct endicott *sys, const struct console_options *options);

#endif
