// SPDX-License-Identifier: MIT
#include "console/cells.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "console/width.h"

void cells_init(struct cells *cells, unsigned rows, unsigned cols, bool utf8)
{
    *cells = (struct cells){.utf8 = utf8};
    cells_resize(cells, rows, cols);
}

void cells_free(struct cells *cells)
{
    free(cells->cell);
    cells->cell = NULL;
}

void cells_resize(struct cells *cells, unsigned rows, unsigned cols)
{
    size_t n = (size_t)rows * cols;
    cells->cell = mem_resize(cells->cell, n ? n : 1, sizeof *cells->cell);
    cells->rows = rows;
    cells->cols = cols;
    cells_clear(cells);
}

void cells_clear(struct cells *cells)
{
    for (size_t i = 0; i < (size_t)cells->rows * cells->cols; i++)
        cells->cell[i] = (struct cell){.ch = ' '};
    cells->cursor_on = false;
}

static uint32_t allowed(const struct cells *cells, uint32_t ch)
{
    if (ch < 0x20 || (ch >= 0x7F && ch < 0xA0) || character_width(ch) == 0)
        return ' ';
    return ch < 0x80 || cells->utf8 ? ch : '?';
}

// Half a wide character must not stay behind.
static void split_wide(struct cells *cells, unsigned row, unsigned col)
{
    struct cell *c = &cells->cell[(size_t)row * cells->cols + col];
    if (c->ch == 0 && col)
        c[-1].ch = ' ';
    if (col + 1 < cells->cols && c[1].ch == 0)
        c[1].ch = ' ';
}

void cells_put(struct cells *cells, unsigned row, unsigned col, uint32_t ch, uint8_t colour,
               uint8_t attributes)
{
    if (row >= cells->rows || col >= cells->cols)
        return;
    ch = allowed(cells, ch);
    unsigned width = character_width(ch);
    if (col + width > cells->cols)
        ch = ' ', width = 1;
    for (unsigned i = 0; i < width; i++) {
        split_wide(cells, row, col + i);
        cells->cell[(size_t)row * cells->cols + col + i] =
            (struct cell){.ch = i ? 0 : ch, .colour = colour, .attributes = attributes};
    }
}

unsigned cells_text(struct cells *cells, unsigned row, unsigned col, unsigned width,
                    const char *utf8, uint8_t colour, uint8_t attributes)
{
    unsigned used = 0;
    while (*utf8) {
        uint32_t ch = utf8_next(&utf8);
        unsigned n = character_width(ch);
        if (!n)
            continue; // combining marks are left out
        if (!cells->utf8)
            n = 1;
        if (used + n > width)
            break;
        cells_put(cells, row, col + used, ch, colour, attributes);
        used += n;
    }
    return used;
}

void cells_to_text(const struct cells *cells, struct text *out)
{
    for (unsigned row = 0; row < cells->rows; row++) {
        const struct cell *c = &cells->cell[(size_t)row * cells->cols];
        unsigned last = cells->cols;
        while (last && (c[last - 1].ch == ' '))
            last--;
        for (unsigned i = 0; i < last; i++) {
            char utf8[4];
            if (c[i].ch)
                text_add(out, utf8, utf8_put(utf8, c[i].ch));
        }
        text_puts(out, "\n");
    }
}
