// SPDX-License-Identifier: MIT
// Stacked bars and tables.
#include "panels/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "console/width.h"

static unsigned columns_of(const char *text)
{
    unsigned width = 0;
    while (*text)
        width += character_width(utf8_next(&text));
    return width;
}

static uint32_t filling(const struct cells *cells, size_t part)
{
    static const uint32_t blocks[] = {0x2588, 0x2592, 0x2591, 0x2593,
                                      0x2584, 0x2580, 0x258C, 0x2590};
    return cells->utf8 ? blocks[part % 8] : (uint32_t) "#=.+ox%:"[part % 8];
}

static struct canvas_style part_style(size_t part)
{
    const char name[2] = {(char)('1' + part % 8), 0};
    return canvas_style(name);
}

static double part_of(const struct canvas_bar *bar, size_t part)
{
    double v = bar->part[part];
    return isfinite(v) && v > 0 ? v : 0;
}

static double sum_of(const struct canvas_bars *chart, size_t i)
{
    double sum = 0;
    for (size_t p = 0; p < chart->parts; p++)
        sum += part_of(&chart->bar[i], p);
    return sum;
}

static void draw_legend(struct cells *cells, struct rectangle at, const struct canvas_bars *chart)
{
    unsigned x = at.x, end = at.x + at.w;
    for (size_t p = 0; p < chart->parts && x + 3 <= end; p++) {
        cells_put(cells, at.y, x, filling(cells, p), part_style(p).colour, 0);
        x += 2 + cells_text(cells, at.y, x + 2, end - x - 2, chart->part_name[p], 0, 0) + 2;
    }
}

// Edges are rounded from the running sum, so that the parts add up to the whole bar; what is there
// at all is at least one cell.
static void draw_bar(struct cells *cells, struct rectangle at, const struct canvas_bars *chart,
                     size_t i, double max)
{
    double sum = 0;
    unsigned x = 0;
    for (size_t p = 0; p < chart->parts; p++) {
        double v = part_of(&chart->bar[i], p);
        sum += v;
        unsigned end = (unsigned)(fmin(sum / max, 1) * at.w + 0.5);
        if (v > 0 && end == x && x < at.w)
            end = x + 1;
        for (; x < end; x++)
            cells_put(cells, at.y, at.x + x, filling(cells, p), part_style(p).colour, 0);
    }
}

void canvas_bars(struct cells *cells, struct rectangle at, const struct canvas_bars *chart)
{
    unsigned label = chart->label_width, text = 0;
    double max = chart->max;
    char number[32];
    for (size_t i = 0; i < chart->bars; i++) {
        const struct canvas_bar *bar = &chart->bar[i];
        unsigned w = columns_of(bar->label), t = bar->text ? columns_of(bar->text) : 7;
        if (!chart->label_width && w > label)
            label = w;
        text = t > text ? t : text;
        if (!isfinite(chart->max) && !(sum_of(chart, i) <= max))
            max = sum_of(chart, i);
    }
    if (!isfinite(max) || max <= 0)
        max = 1;
    if (at.w < label + text + 6 || at.h < 1)
        return;
    draw_legend(cells, at, chart);
    for (size_t i = 0; i < chart->bars && i + 1 < at.h; i++) {
        const struct canvas_bar *bar = &chart->bar[i];
        unsigned y = at.y + 1 + (unsigned)i;
        struct rectangle inner = {at.x + label + 1, y, at.w - label - text - 2, 1};
        canvas_text(cells, at.x, y, label, bar->label, 'l', canvas_style("normal"));
        draw_bar(cells, inner, chart, i, max);
        snprintf(number, sizeof number, "%.4g", sum_of(chart, i));
        canvas_text(cells, inner.x + inner.w + 1, y, text, bar->text ? bar->text : number, 'r',
                    canvas_style("normal"));
    }
}

// --- tables -----------------------------------------------------------------

static const char *cell_text(const struct canvas_table *table, size_t row, size_t column)
{
    const char *text = table->text[row * table->columns + column];
    return text ? text : "";
}

static unsigned column_width(const struct canvas_table *table, size_t column)
{
    unsigned width = table->column[column].width;
    if (width)
        return width;
    width = columns_of(table->column[column].title);
    for (size_t row = 0; row < table->rows; row++) {
        unsigned w = columns_of(cell_text(table, row, column));
        width = w > width ? w : width;
    }
    return width;
}

static void draw_row(struct cells *cells, struct rectangle at, const struct canvas_table *table,
                     const unsigned *width, const char *const *text, struct canvas_style style)
{
    unsigned x = 0;
    for (size_t i = 0; i < table->columns && x < at.w; i++) {
        unsigned room = width[i] < at.w - x ? width[i] : at.w - x;
        canvas_text(cells, at.x + x, at.y, room, text[i] ? text[i] : "", table->column[i].align,
                    style);
        x += width[i] + 2;
    }
}

void canvas_table(struct cells *cells, struct rectangle at, const struct canvas_table *table)
{
    if (!table->columns || at.h < 1)
        return;
    unsigned *width = mem_zero(table->columns, sizeof *width);
    const char **titles = mem_zero(table->columns, sizeof *titles);
    for (size_t i = 0; i < table->columns; i++) {
        width[i] = column_width(table, i);
        titles[i] = table->column[i].title;
    }
    draw_row(cells, at, table, width, titles, canvas_style("title"));
    size_t room = at.h - 1, shown = table->rows <= room ? table->rows : room ? room - 1 : 0;
    for (size_t i = 0; i < shown; i++)
        draw_row(cells, (struct rectangle){at.x, at.y + 1 + (unsigned)i, at.w, 1}, table, width,
                 table->text + i * table->columns, canvas_style("normal"));
    if (shown < table->rows && room) {
        char more[40];
        snprintf(more, sizeof more, "%zu more", table->rows - shown);
        canvas_text(cells, at.x, at.y + 1 + (unsigned)shown, at.w, more, 'l', canvas_style("dim"));
    }
    free(titles);
    free(width);
}
