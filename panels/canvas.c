// SPDX-License-Identifier: MIT
#include "panels/canvas.h"

#include <string.h>

#include "base/utf8.h"
#include "console/width.h"

struct canvas_style canvas_style(const char *name)
{
    static const struct {
        const char *name;
        struct canvas_style style;
    } styles[] = {
        {"normal", {CELL_DEFAULT, 0}},
        {"title", {CELL_DEFAULT, CELL_BOLD}},
        {"bold", {CELL_DEFAULT, CELL_BOLD}},
        {"dim", {CELL_DEFAULT, CELL_DIM}},
        {"reverse", {CELL_DEFAULT, CELL_REVERSE}},
        {"good", {CELL_GREEN, 0}},
        {"warn", {CELL_YELLOW, 0}},
        {"bad", {CELL_RED, CELL_BOLD}},
        {"1", {CELL_CYAN, 0}},
        {"2", {CELL_YELLOW, 0}},
        {"3", {CELL_GREEN, 0}},
        {"4", {CELL_MAGENTA, 0}},
        {"5", {CELL_BLUE, 0}},
        {"6", {CELL_RED, 0}},
        {"7", {CELL_WHITE, 0}},
        {"8", {CELL_DEFAULT, 0}},
    };
    for (size_t i = 0; name && i < sizeof styles / sizeof *styles; i++)
        if (strcmp(styles[i].name, name) == 0)
            return styles[i].style;
    return styles[0].style;
}

static unsigned text_width(const struct cells *cells, const char *text)
{
    unsigned width = 0;
    while (*text) {
        unsigned n = character_width(utf8_next(&text));
        width += n && !cells->utf8 ? 1 : n;
    }
    return width;
}

void canvas_text(struct cells *cells, unsigned x, unsigned y, unsigned width, const char *text,
                 char align, struct canvas_style style)
{
    unsigned needed = text_width(cells, text), pad = 0;
    if (!width)
        return;
    if (needed <= width) {
        pad = align == 'r' ? width - needed : align == 'c' ? (width - needed) / 2 : 0;
        cells_text(cells, y, x + pad, width - pad, text, style.colour, style.attributes);
        return;
    }
    unsigned used = cells_text(cells, y, x, width - 1, text, style.colour, style.attributes);
    cells_put(cells, y, x + used, cells->utf8 ? 0x2026 : '+', style.colour, style.attributes);
}

void canvas_rule(struct cells *cells, unsigned x, unsigned y, unsigned width, const char *title,
                 struct canvas_style style)
{
    for (unsigned i = 0; i < width; i++)
        cells_put(cells, y, x + i, cells->utf8 ? 0x2500 : '-', style.colour, CELL_DIM);
    unsigned needed = text_width(cells, title);
    if (!needed || width < 6)
        return;
    unsigned room = width - 4 < needed ? width - 4 : needed;
    cells_put(cells, y, x + 1, ' ', 0, 0);
    canvas_text(cells, x + 2, y, room, title, 'l', style);
    cells_put(cells, y, x + 2 + room, ' ', 0, 0);
}
