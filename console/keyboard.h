// SPDX-License-Identifier: MIT
// The keyboard: bytes from a terminal to 3270 keys and actions of the console, by the key map in
// keyboard.c. libtermkey is behind this interface and nowhere else.
#ifndef ENDICOTT_CONSOLE_KEYBOARD_H
#define ENDICOTT_CONSOLE_KEYBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct keyboard;

enum key_action {
    KEY_NONE,  // no more keys for now
    KEY_TEXT,  // value: Unicode character
    KEY_FIELD, // value: enum ps_key
    KEY_AID,   // value: AID
    KEY_RESET,
    KEY_ATTENTION,
    KEY_REDRAW,
    KEY_VIEW, // the live panel and back
    KEY_HELP,
    KEY_QUIT,
    KEY_SUSPEND,
    KEY_SCROLL_BACK,
    KEY_SCROLL_FORWARD,
    KEY_PASTE,   // text: what was pasted
    KEY_PREFIX,  // Ctrl-A came: the next key is a command
    KEY_UNKNOWN, // not in the key map
};

struct key_event {
    enum key_action action;
    uint32_t value;
    const char *text; // valid until the next call
};

// `term` as in TERM; NULL when the terminal is not known.
struct keyboard *keyboard_new(const char *term, bool utf8);
void keyboard_free(struct keyboard *kb);
void keyboard_bytes(struct keyboard *kb, const char *bytes, size_t n);
// Takes the next key; KEY_NONE when there is none (yet).
struct key_event keyboard_next(struct keyboard *kb);
// Milliseconds after which keyboard_timeout() should be called when no byte comes, -1: never.
int keyboard_wait(const struct keyboard *kb);
void keyboard_timeout(struct keyboard *kb);
// Line `i` of the key map for people, NULL behind the last.
const char *keyboard_help(unsigned i);

#endif
