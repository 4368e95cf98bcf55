// SPDX-License-Identifier: MIT
// The terminal as a device: raw mode, size, signals, output that never blocks, and the way back to
// what it was: on exit, on a crash and on Ctrl-Z.
#ifndef ENDICOTT_CONSOLE_TTY_H
#define ENDICOTT_CONSOLE_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

// One at a time: signal handlers need to find it.
struct tty {
    int in, out; // `out` is a description of its own, so that non-blocking is ours alone
    bool own_out;
    struct termios saved;
    int wake_fd; // readable after tty_wake() and signals
    int pen_fd;  // curses writes here, a file in memory; tty_send() passes it on
    size_t sent; // bytes of it that are on the terminal
    int log_fd;  // standard error meanwhile, when it is the terminal: comes out at the end
    int err;     // the real standard error
};

// False when standard input or output is no terminal.
bool tty_open(struct tty *tty);
void tty_close(struct tty *tty); // restores
// Raw mode and back.
void tty_raw(struct tty *tty);
void tty_cooked(struct tty *tty);
// Bytes that a crash or an exit() writes to restore the screen; kept by reference, NULL: none.
void tty_on_crash(const char *sequence);
void tty_size(const struct tty *tty, unsigned *rows, unsigned *cols);
// What signals came: SIGINT, SIGTERM, SIGHUP, SIGQUIT the first of them (0 none), SIGWINCH.
int tty_signal(void);
bool tty_take_resize(void);
// From any thread or a signal handler: wake_fd becomes readable.
void tty_wake(void);
void tty_clear_wake(struct tty *tty);

// Bytes in pen_fd that the terminal has not taken yet.
size_t tty_pending(struct tty *tty);
// Passes on what the terminal takes now. With `drain`, waits up to a second for the rest.
void tty_send(struct tty *tty, bool drain);

#endif
