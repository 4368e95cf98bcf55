// SPDX-License-Identifier: MIT
#include "console/presentation.h"

#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "base/utf8.h"

#define DEFAULT_ROWS 24
#define DEFAULT_COLS 80

static void fit(unsigned *rows, unsigned *cols)
{
    if (*rows < DEFAULT_ROWS)
        *rows = DEFAULT_ROWS;
    if (*cols < DEFAULT_COLS)
        *cols = DEFAULT_COLS;
    if (*cols > PS_MAX_CELLS / DEFAULT_ROWS)
        *cols = PS_MAX_CELLS / DEFAULT_ROWS;
    if (*rows > PS_MAX_CELLS / *cols)
        *rows = PS_MAX_CELLS / *cols;
}

void ps_init(struct presentation *ps, unsigned alt_rows, unsigned alt_cols)
{
    *ps = (struct presentation){.numeric_lock = true, .aid = 0x60, .page = codepage_default()};
    ps_alternate(ps, alt_rows, alt_cols);
    ps_erase(ps, false);
}

void ps_free(struct presentation *ps)
{
    free(ps->cell);
    ps->cell = NULL;
}

void ps_alternate(struct presentation *ps, unsigned rows, unsigned cols)
{
    fit(&rows, &cols);
    ps->alt_rows = rows;
    ps->alt_cols = cols;
}

void ps_erase(struct presentation *ps, bool alternate)
{
    unsigned rows = alternate ? ps->alt_rows : DEFAULT_ROWS;
    unsigned cols = alternate ? ps->alt_cols : DEFAULT_COLS;
    if (!ps->cell || rows * cols != ps_size(ps))
        ps->cell = mem_resize(ps->cell, rows * cols, sizeof *ps->cell);
    ps->rows = rows;
    ps->cols = cols;
    memset(ps->cell, 0, rows * cols * sizeof *ps->cell);
    ps->cursor = ps->address = 0;
    ps->fields = 0;
}

int ps_field(const struct presentation *ps, unsigned at)
{
    for (unsigned n = ps->fields ? ps_size(ps) : 0; n; n--) {
        if (ps->cell[at].start)
            return (int)at;
        at = ps_previous(ps, at);
    }
    return -1;
}

uint8_t ps_attribute(const struct presentation *ps, unsigned at)
{
    int field = ps_field(ps, at);
    return field < 0 ? 0 : ps->cell[field].attribute;
}

bool ps_protected(const struct presentation *ps, unsigned at)
{
    return ps->cell[at].start || (ps_attribute(ps, at) & PS_PROTECTED) != 0;
}

bool ps_hidden(const struct presentation *ps, unsigned at)
{
    return (ps_attribute(ps, at) & PS_DISPLAY) == PS_HIDDEN;
}

// A field of no length (its attribute is followed by another one) takes no input.
int ps_next_input(const struct presentation *ps, unsigned at)
{
    for (unsigned n = ps_size(ps); n; n--) {
        const struct ps_cell *c = &ps->cell[at];
        at = ps_next(ps, at);
        if (c->start && !(c->attribute & PS_PROTECTED) && !ps->cell[at].start)
            return (int)at;
    }
    return -1;
}

void ps_put(struct presentation *ps, unsigned at, uint8_t code)
{
    ps->fields -= ps->cell[at].start;
    ps->cell[at].code = code;
    ps->cell[at].start = false;
    ps->cell[at].attribute = 0;
}

void ps_start_field(struct presentation *ps, unsigned at, uint8_t attribute)
{
    ps->fields += !ps->cell[at].start;
    ps->cell[at] = (struct ps_cell){.start = true, .attribute = attribute & 0x3D};
}

void ps_reset_mdt(struct presentation *ps)
{
    for (unsigned i = 0; i < ps_size(ps); i++)
        ps->cell[i].attribute &= (uint8_t)~PS_MDT;
}

static void clear_character(struct ps_cell *c)
{
    c->code = PS_NUL;
    c->colour = c->highlight = c->charset = 0;
}

void ps_erase_all_unprotected(struct presentation *ps)
{
    uint8_t attribute = ps_attribute(ps, ps_size(ps) - 1);
    for (unsigned i = 0; i < ps_size(ps); i++) {
        struct ps_cell *c = &ps->cell[i];
        if (c->start) {
            attribute = c->attribute;
            if (!(attribute & PS_PROTECTED))
                c->attribute &= (uint8_t)~PS_MDT;
        } else if (!(attribute & PS_PROTECTED)) {
            clear_character(c);
        }
    }
    int home = ps_next_input(ps, ps_size(ps) - 1);
    ps->cursor = home < 0 ? 0 : (unsigned)home;
}

uint32_t ps_glyph(const struct presentation *ps, uint8_t code)
{
    if (code == PS_NUL)
        return ' ';
    if (code == PS_DUP)
        return '*';
    if (code == PS_FM)
        return ';';
    uint32_t u = codepage_to_unicode(ps->page, code);
    return u < 0x20 || (u >= 0x7F && u < 0xA0) ? ' ' : u;
}

uint32_t ps_character(const struct presentation *ps, unsigned at)
{
    const struct ps_cell *c = &ps->cell[at];
    return c->start || ps_hidden(ps, at) ? ' ' : ps_glyph(ps, c->code);
}

// Hidden fields show no colour and no underscore either: they would betray the length.
uint8_t ps_colour(const struct presentation *ps, unsigned at)
{
    int field = ps_field(ps, at);
    if (ps->cell[at].start || (field >= 0 && ps_hidden(ps, at)))
        return 0;
    return ps->cell[at].colour || field < 0 ? ps->cell[at].colour : ps->cell[field].colour;
}

uint8_t ps_highlight(const struct presentation *ps, unsigned at)
{
    int field = ps_field(ps, at);
    if (ps->cell[at].start || (field >= 0 && ps_hidden(ps, at)))
        return 0;
    return ps->cell[at].highlight || field < 0 ? ps->cell[at].highlight : ps->cell[field].highlight;
}

bool ps_intense(const struct presentation *ps, unsigned at)
{
    return !ps->cell[at].start && (ps_attribute(ps, at) & PS_DISPLAY) == PS_INTENSE;
}

void ps_row(const struct presentation *ps, unsigned row, char *out, size_t size)
{
    size_t len = 0, used = 0;
    INVARIANT(size > 0 && row < ps->rows);
    for (unsigned col = 0; col < ps->cols && len + 4 <= size; col++) {
        uint32_t c = ps_character(ps, row * ps->cols + col);
        len += utf8_put(out + len, c);
        if (c != ' ')
            used = len;
    }
    out[used] = '\0';
}
