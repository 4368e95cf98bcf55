// SPDX-License-Identifier: MIT
// CP's full screen: what a user sees at a 3270 that CP drives. It is a terminal to CP (lines,
// status) and a host to a display (3270 data stream), and holds what lies between: the logo, the
// output and input areas, MORE... and HOLDING with their timers, the redisplay of input, PF keys
// and RETRIEVE, and a guest's full-screen program passing through.
//
//   rows 1 to n-2      output area; the last column of row n-2 holds the input area's attribute
//   rows n-1, n        input area, up to column 59
//   row n, col 61-78   status area: state, system name
#ifndef ENDICOTT_CONSOLE_FULLSCREEN_H
#define ENDICOTT_CONSOLE_FULLSCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console/display.h"
#include "endicott.h"

struct fullscreen;

struct fullscreen_options {
    const char *name; // the terminal's: "0009", "L0003"
    uint16_t rdev;    // real device number, 0 for a logical device
    size_t backlog;   // lines that may wait for the screen; 0: 10000. Newer ones are dropped, and
                      // a line says how many
    // Called from any thread, with the system lock or none held, when fullscreen_work() has
    // something to do. Must not block or call back. NULL: the owner calls it often enough.
    void (*wake)(void *arg);
    void *wake_arg;
};

// The display shows the logo. `sys` and `display` must outlive it.
struct fullscreen *fullscreen_new(struct endicott *sys, struct display *display,
                                  const struct fullscreen_options *options);
void fullscreen_free(struct fullscreen *fs); // hangs up: disconnects whoever is logged on
// Everything happens here, on the front end's thread: shows what CP sent, runs the timers.
void fullscreen_work(struct fullscreen *fs);
// Logs `userid` on without the logo and a password. Message number, 0 when logged on.
int fullscreen_logon(struct fullscreen *fs, const char *userid);
// The ATTN key: an attention interruption for the guest.
void fullscreen_attention(struct fullscreen *fs);
struct terminal *fullscreen_terminal(struct fullscreen *fs);
// The status area's word: "RUNNING", "CP READ", "VM READ", "MORE...", "HOLDING", "NOT ACCEPTED".
const char *fullscreen_status(struct fullscreen *fs);

// Lines that went over the screen since it was made, oldest first, at most 5000. Logging off
// empties it. `out` as for ps_row(); false when there is no line `i`.
size_t fullscreen_history(const struct fullscreen *fs);
bool fullscreen_history_line(const struct fullscreen *fs, size_t i, char *out, size_t size);

#endif
