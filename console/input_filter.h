// SPDX-License-Identifier: MIT
// Bytes from a terminal, before the key library sees them. libtermkey 0.22 needs three guards;
// two of them are here: control strings (OSC, DCS...) that end with BEL would make it swallow all
// keys, and it has no paste brackets.
#ifndef ENDICOTT_CONSOLE_INPUT_FILTER_H
#define ENDICOTT_CONSOLE_INPUT_FILTER_H

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
