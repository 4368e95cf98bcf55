// SPDX-License-Identifier: MIT
// A buffer of character cells: what a terminal is to show. The console and the panels draw here;
// curses or plain text come out of it, so that all of it can be looked at without a terminal.
#ifndef ENDICOTT_CONSOLE_CELLS_H
#define ENDICOTT_CONSOLE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

// Colours of the terminal's own palette; default stays default, nothing is painted black.
enum cell_colour {
    CELL_DEFAULT,
    CELL_RED,
    CELL_GREEN,
    CELL_YELLOW,
    CELL_BLUE,
    CELL_MAGENTA,
    CELL_CYAN,
    CELL_WHITE,
};

#define CELL_BOLD      0x01
#define CELL_REVERSE   0x02
#define CELL_UNDERLINE 0x04
#define CELL_BLINK     0x08
#define CELL_DIM       0x10

struct cell {
    uint32_t ch; // Unicode; 0: the right half of the wide character before
    uint8_t colour, attributes;
};

struct cells {
    unsigned rows, cols;
    struct cell *cell; // row by row
    bool utf8;         // false: nothing beyond ASCII is stored
    bool cursor_on;
    unsigned cursor_row, cursor_col;
};

void cells_init(struct cells *cells, unsigned rows, unsigned cols, bool utf8);
void cells_free(struct cells *cells);
void cells_resize(struct cells *cells, unsigned rows, unsigned cols); // and clears
void cells_clear(struct cells *cells);
// Outside the buffer nothing happens. Control and combining characters become blanks.
void cells_put(struct cells *cells, unsigned row, unsigned col, uint32_t ch, uint8_t colour,
               uint8_t attributes);
// At most `width` columns of UTF-8; returns how many were used. Wide characters are not cut.
unsigned cells_text(struct cells *cells, unsigned row, unsigned col, unsigned width,
                    const char *utf8, uint8_t colour, uint8_t attributes);
// All rows as UTF-8, trailing blanks removed, each with a newline. Appends.
void cells_to_text(const struct cells *cells, struct text *out);

#endif
