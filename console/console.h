// SPDX-License-Identifier: MIT
// The operator's console on an ordinary terminal: a 3270 in curses, its keyboard, scrollback, and
// a live panel that a key brings up.
#ifndef ENDICOTT_CONSOLE_CONSOLE_H
#define ENDICOTT_CONSOLE_CONSOLE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "console/cells.h"
#include "console/display.h"
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

// What a console is the terminal of: a system in this process (console_run) or one behind a socket.
// It is the host of the console's display. All calls come from console_run_source(), with `arg`.
struct console_source {
    void *arg;
    const char *leaving; // the question that the quit key asks
    // Connects to the display, whose size is known; the terminal's name, NULL when that failed.
    // `wake` may be called from any thread, and leads to work() soon.
    const char *(*open)(void *arg, struct display *display, void (*wake)(void *arg));
    void (*close)(void *arg); // also when opening failed
    // Does what is due; true when what history() tells has changed.
    bool (*work)(void *arg);
    bool (*over)(void *arg); // the system is down or gone
    // The descriptor whose events make work() due, and the time after which it is due anyway
    // (milliseconds, -1 never).
    int (*wait)(void *arg, struct pollfd *fd);
    void (*attention)(void *arg); // the ATTN key
    void (*look_back)(void *arg); // scrollback opens: history() is about to be looked at
    size_t (*history)(void *arg); // as fullscreen_history() and fullscreen_history_line()
    bool (*history_line)(void *arg, size_t i, char *out, size_t size);
};

// Runs the console on standard input and output until SHUTDOWN, quit or a signal, pumping `sys`
// (real mode) meanwhile. Where there is no terminal that can place a cursor, lines are read and
// written as they come. The terminal is left as it was found. Exit code: 0, 1 when the terminal
// cannot be used (said on standard error), 128 + signal.
int console_run(struct endicott *sys, const struct console_options *options);

// The same for any source. Returns -1, and nothing has happened, without a terminal (*why is NULL)
// or on one that will not do (*why says why). options->logon is the source's business.
int console_run_source(const struct console_source *source, const struct console_options *options,
                       const char **why);

#endif
