// SPDX-License-Identifier: MIT
// Charts and tables on character cells: what the live panels draw with. Everything has an ASCII
// form (cells->utf8 false), and no fact rests on colour: series differ by mark, parts by filling.
// Rows and columns count from 0 here, from 1 in Lua (canvas_lua.c). What does not fit is cut;
// whatever the numbers are, nothing is drawn outside the rectangle given.
#ifndef ENDICOTT_PANELS_CANVAS_H
#define ENDICOTT_PANELS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console/cells.h"

struct canvas_style {
    uint8_t colour, attributes;
};
// By name: "normal", "title", "dim", "bold", "reverse", "good", "warn", "bad", "1" to "8" (series).
// Unknown ones are "normal".
struct canvas_style canvas_style(const char *name);

struct rectangle {
    unsigned x, y, w, h; // columns and rows
};

#define CANVAS_MAX_SERIES 8

// Text cut to `width` columns, with a mark where it was cut. align: 'l', 'r' or 'c'.
void canvas_text(struct cells *cells, unsigned x, unsigned y, unsigned width, const char *text,
                 char align, struct canvas_style style);
// A line across with a title in it.
void canvas_rule(struct cells *cells, unsigned x, unsigned y, unsigned width, const char *title,
                 struct canvas_style style);

// --- lines over time --------------------------------------------------------

struct canvas_series {
    const char *name; // for the legend
    size_t n;
    const double *time;  // seconds, ascending
    const double *value; // NAN: a gap
};
struct canvas_history {
    const char *title; // NULL: none
    const char *unit;  // behind the axis numbers, NULL: none
    bool area;         // filled below (one series only)
    double min, max;   // NAN: from the data (0 as minimum when no value is below)
    double from, to;   // time range, NAN: from the data
    size_t series;
    struct canvas_series one[CANVAS_MAX_SERIES];
};
// Title, plot with a labelled axis at the left and the time range below, legend when there are
// several series. One series is drawn in braille dots (UTF-8), several as marks.
void canvas_history(struct cells *cells, struct rectangle at, const struct canvas_history *chart);

// --- stacked bars -----------------------------------------------------------

struct canvas_bar {
    const char *label;
    double part[CANVAS_MAX_SERIES]; // not negative
    const char *text;               // at the right end, NULL: the sum
};
struct canvas_bars {
    size_t parts;
    const char *part_name[CANVAS_MAX_SERIES]; // legend, first row
    double max;                               // NAN: the largest sum
    unsigned label_width;                     // 0: from the labels
    size_t bars;
    const struct canvas_bar *bar;
};
void canvas_bars(struct cells *cells, struct rectangle at, const struct canvas_bars *chart);

// --- tables -----------------------------------------------------------------

struct canvas_column {
    const char *title;
    unsigned width; // 0: from title and cells
    char align;     // 'l' or 'r'
};
struct canvas_table {
    size_t columns, rows;
    const struct canvas_column *column;
    const char *const *text; // rows * columns, NULL: blank
};
// Titles, then rows; when not all fit, the last line says how many are left.
void canvas_table(struct cells *cells, struct rectangle at, const struct canvas_table *table);

#endif
