// SPDX-License-Identifier: MIT
// The 3270 as character cells: theme, cursor, the operator information line, notices.
#ifndef ENDICOTT_CONSOLE_PICTURE_H
#define ENDICOTT_CONSOLE_PICTURE_H

#include <stddef.h>

#include "console/cells.h"
#include "console/display.h"

#define PICTURE_MIN_ROWS 24
#define PICTURE_MIN_COLS 80

// The size of the presentation space in a terminal of `rows` by `cols`: the row that a larger
// terminal has to spare is the operator information line.
void picture_size(unsigned *rows, unsigned *cols);
// True when the terminal is large enough; else one line says what is needed.
bool picture_fits(struct cells *cells);
void picture_3270(struct cells *cells, const struct presentation *ps, const char *name);
// Scrollback `back` lines before the end, in place of the output area.
// There are `total` lines; line(arg, i, ...) gives them, as fullscreen_history_line().
void picture_history(struct cells *cells, size_t total, size_t back,
                     bool (*line)(void *arg, size_t i, char *out, size_t size), void *arg);
void picture_help(struct cells *cells);
void picture_blank_row(struct cells *cells, unsigned row, uint8_t attributes);
// A question or a hint over the last row.
void picture_notice(struct cells *cells, const char *text);

#endif
