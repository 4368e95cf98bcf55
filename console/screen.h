// SPDX-License-Identifier: MIT
// Character cells on the terminal, by ncurses: it knows the terminal's language and writes only
// what changed.
#ifndef ENDICOTT_CONSOLE_SCREEN_H
#define ENDICOTT_CONSOLE_SCREEN_H

#include <stdbool.h>

#include "console/cells.h"
#include "console/tty.h"

struct screen;

// False with *why when curses does not know the terminal. `tty` is open and outlives it.
struct screen *screen_new(struct tty *tty, bool colour, const char **why);
void screen_free(struct screen *screen); // back to the shell's screen
// Shows `cells` unless the terminal has not taken the frame before yet (false: try again later).
bool screen_show(struct screen *screen, const struct cells *cells);
void screen_resized(struct screen *screen); // the terminal has another size
void screen_redraw(struct screen *screen);  // whatever it shows is damaged
void screen_bell(struct screen *screen);
// Ctrl-Z: leaves the terminal to the shell, stops the process, and comes back.
void screen_suspend(struct screen *screen);

#endif
