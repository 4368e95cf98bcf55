// SPDX-License-Identifier: MIT
// The display boundary: a display takes outbound 3270 data stream and gives back AID and fields.
// The ncurses front end is one display, a script another, a TN3270E session a third; whoever
// drives it (the CP full screen) cannot tell them apart. All calls of a display and its host come
// from the front end's thread.
#ifndef ENDICOTT_CONSOLE_DISPLAY_H
#define ENDICOTT_CONSOLE_DISPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console/presentation.h"

struct display;

struct display_ops {
    // Outbound data, command code first. The answer to a read or a query comes by host->inbound,
    // perhaps before this returns.
    void (*outbound)(struct display *display, const uint8_t *data, size_t n);
    // The alternate size, which Erase/Write Alternate gives.
    void (*size)(const struct display *display, unsigned *rows, unsigned *cols);
};

// Who works with the display.
struct display_host {
    // Inbound data: AID, cursor address, fields (Read Modified), or a structured field.
    void (*inbound)(void *arg, const uint8_t *data, size_t n);
    // The alternate size changed; takes effect with the next Erase/Write Alternate.
    void (*resized)(void *arg);
    void *arg;
};

struct display {
    const struct display_ops *ops;
    struct display_host host; // set by the host
};

// --- a display in memory ----------------------------------------------------
// A presentation space that nobody but the program sees: the ncurses front end draws it, a script
// types on it and reads it, tests look at it.

struct memory_display {
    struct display display; // first
    struct presentation ps;
    unsigned changes; // counts outbound data
};

void memory_display_init(struct memory_display *md, unsigned rows, unsigned cols);
void memory_display_free(struct memory_display *md);
void memory_display_resize(struct memory_display *md, unsigned rows, unsigned cols);
// Presses ENTER, a PF key, PA key or CLEAR; false while the keyboard is locked.
bool memory_display_press(struct memory_display *md, uint8_t aid);
// Types UTF-8 at the cursor; false when the keyboard locked on the way.
bool memory_display_type(struct memory_display *md, const char *utf8);

#endif
