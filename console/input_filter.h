// SPDX-License-Identifier: MIT
// Bytes from a terminal, before the key library sees them. libtermkey 0.22 needs guards: control
// strings (OSC, DCS...) that end with BEL make it swallow all keys; it has no paste brackets; a CSI
// sequence with an intermediate byte makes it read outside its tables; and it takes C1 bytes for
// introducers even in UTF-8. Here strings are dropped, pastes are collected, and only sequences of
// a well-known form pass.
#ifndef ENDICOTT_CONSOLE_INPUT_FILTER_H
#define ENDICOTT_CONSOLE_INPUT_FILTER_H

#include <stdbool.h>

#include "base/text.h"

enum filter_state {
    FILTER_GROUND,
    FILTER_ESCAPE,     // ESC came
    FILTER_CSI,        // ESC [ and parameters: perhaps a paste bracket
    FILTER_STRING,     // in a control string
    FILTER_STRING_END, // ... and ESC in it
    FILTER_PASTE,
};

struct input_filter {
    enum filter_state state;
    char held[24]; // what of an escape sequence has come
    unsigned held_n;
    bool bad;          // the sequence is not passed on
    unsigned more;     // continuation bytes of a UTF-8 character that may follow
    unsigned string_n; // bytes of a control string
    struct text paste;
    void (*pasted)(void *arg, const char *text); // a whole paste, without its brackets
    void *arg;
};

// Appends to `keys` what is to be taken for keys.
void input_filter(struct input_filter *f, const char *bytes, size_t n, struct text *keys);
// Milliseconds to wait for the rest of a sequence, -1 for ever; then call input_filter_timeout.
int input_filter_wait(const struct input_filter *f);
void input_filter_timeout(struct input_filter *f, struct text *keys);
void input_filter_free(struct input_filter *f);

#endif
