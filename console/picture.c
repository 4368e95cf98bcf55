// SPDX-License-Identifier: MIT
#include "console/picture.h"

#include <stdio.h>
#include <string.h>

#include "console/keyboard.h"

void picture_size(unsigned *rows, unsigned *cols)
{
    *rows = *rows > PICTURE_MIN_ROWS ? *rows - 1 : PICTURE_MIN_ROWS;
    *cols = *cols > PICTURE_MIN_COLS ? *cols : PICTURE_MIN_COLS;
}

bool picture_fits(struct cells *cells)
{
    char text[64];
    if (cells->rows >= PICTURE_MIN_ROWS && cells->cols >= PICTURE_MIN_COLS)
        return true;
    snprintf(text, sizeof text, "%ux%u needed, this is %ux%u", PICTURE_MIN_COLS, PICTURE_MIN_ROWS,
             cells->cols, cells->rows);
    cells_text(cells, 0, 0, cells->cols, text, 0, 0);
    return false;
}

static uint8_t theme(uint8_t colour)
{
    static const uint8_t map[] = {CELL_DEFAULT, CELL_BLUE, CELL_RED,    CELL_MAGENTA,
                                  CELL_GREEN,   CELL_CYAN, CELL_YELLOW, CELL_DEFAULT};
    return colour >= 0xF0 && colour <= 0xF7 ? map[colour - 0xF0] : CELL_DEFAULT;
}

static uint8_t attributes(uint8_t field, uint8_t colour, uint8_t highlight)
{
    uint8_t a = 0;
    if ((field & PS_DISPLAY) == PS_INTENSE || colour == PS_WHITE)
        a |= CELL_BOLD;
    if (highlight == PS_REVERSE)
        a |= CELL_REVERSE;
    if (highlight == PS_UNDERSCORE)
        a |= CELL_UNDERLINE;
    if (highlight == PS_BLINK)
        a |= CELL_BLINK;
    return a;
}

// ps_character() and the like look for the field each time; here it is carried along.
static void draw_space(struct cells *cells, const struct presentation *ps)
{
    int at = ps_field(ps, ps_size(ps) - 1);
    struct ps_cell none = {0};
    const struct ps_cell *field = at < 0 ? &none : &ps->cell[at];
    for (unsigned i = 0; i < ps_size(ps); i++) {
        const struct ps_cell *c = &ps->cell[i];
        unsigned row = i / ps->cols, col = i % ps->cols;
        if (c->start)
            field = c;
        if (c->start || (field->attribute & PS_DISPLAY) == PS_HIDDEN) {
            cells_put(cells, row, col, ' ', 0, 0);
            continue;
        }
        uint8_t colour = c->colour ? c->colour : field->colour;
        uint8_t highlight = c->highlight ? c->highlight : field->highlight;
        cells_put(cells, row, col, ps_glyph(ps, c->code), theme(colour),
                  attributes(field->attribute, colour, highlight));
    }
}

static bool operator_error(enum ps_lock lock)
{
    return lock != PS_UNLOCKED && lock != PS_LOCK_WAIT;
}

static void information_line(struct cells *cells, const struct presentation *ps, const char *name)
{
    char text[128];
    unsigned row = ps->alt_rows;
    for (unsigned col = 0; col < cells->cols; col++)
        cells_put(cells, row, col, ' ', 0, CELL_REVERSE);
    snprintf(text, sizeof text, "%-6.6s %s%s", name, ps_lock_text(ps->lock),
             operator_error(ps->lock) ? "  Reset: Ctrl-R" : "");
    cells_text(cells, row, 1, 40, text, 0, CELL_REVERSE);
    snprintf(text, sizeof text, "%s  %ux%u  %02u/%03u", ps->insert ? "^ Insert" : "        ",
             ps->rows, ps->cols, ps->cursor / ps->cols + 1, ps->cursor % ps->cols + 1);
    cells_text(cells, row, cells->cols - (unsigned)strlen(text) - 1, 40, text, 0, CELL_REVERSE);
    if (!operator_error(ps->lock))
        cells_text(cells, row, 16, 40, "Keys: Ctrl-K  Panel: Ctrl-P", 0, CELL_REVERSE);
}

void picture_3270(struct cells *cells, const struct presentation *ps, const char *name)
{
    draw_space(cells, ps);
    if (cells->rows > ps->alt_rows) {
        information_line(cells, ps, name);
    } else if (operator_error(ps->lock)) { // no row to spare: over the input area, which is locked
        char text[64];
        snprintf(text, sizeof text, " %s  Reset: Ctrl-R ", ps_lock_text(ps->lock));
        cells_text(cells, cells->rows - 1, 0, 58, text, 0, CELL_REVERSE);
    }
    cells->cursor_on = true;
    cells->cursor_row = ps->cursor / ps->cols;
    cells->cursor_col = ps->cursor % ps->cols;
}

void picture_blank_row(struct cells *cells, unsigned row, uint8_t attribute)
{
    for (unsigned col = 0; col < cells->cols; col++)
        cells_put(cells, row, col, ' ', 0, attribute);
}

void picture_notice(struct cells *cells, const char *text)
{
    picture_blank_row(cells, cells->rows - 1, CELL_REVERSE);
    cells_text(cells, cells->rows - 1, 1, cells->cols - 1, text, 0, CELL_REVERSE);
    cells->cursor_on = false;
}

void picture_help(struct cells *cells)
{
    unsigned row = 1;
    const char *line;
    for (unsigned i = 0; i < cells->rows; i++)
        picture_blank_row(cells, i, 0);
    cells_text(cells, 0, 0, cells->cols, "Keys", 0, CELL_BOLD);
    for (unsigned i = 0; (line = keyboard_help(i)); i++)
        cells_text(cells, ++row, 2, cells->cols - 2, line, 0, 0);
    picture_notice(cells, "Any key: back");
}
