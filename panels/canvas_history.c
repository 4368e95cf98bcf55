// SPDX-License-Identifier: MIT
// Lines and areas over time.
#include "panels/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

#define AXIS_WIDTH 8 // numbers and the axis itself

// Dots of a plot: 2 by 4 to a cell in braille, 1 by 1 for marks.
struct plot {
    struct cells *cells;
    struct rectangle at; // of the plot area
    unsigned dots_x, dots_y;
    double min, max, from, to;
    uint8_t *braille; // a byte to a cell, NULL: marks
    uint32_t mark;
    struct canvas_style style;
};

static void include(double v, double *min, double *max)
{
    if (!isfinite(v))
        return;
    if (!(v >= *min)) // also when it is NAN
        *min = v;
    if (!(v <= *max))
        *max = v;
}

// The least of 1, 2, 5 times a power of ten that is not below `v`.
static double round_up(double v)
{
    double step = pow(10, floor(log10(v)));
    double nice[] = {1, 2, 5, 10};
    for (size_t i = 0; i < 4; i++)
        if (v <= nice[i] * step * (1 + 1e-9))
            return nice[i] * step;
    return v;
}

static void find_ranges(const struct canvas_history *chart, struct plot *plot)
{
    double min = NAN, max = NAN, from = NAN, to = NAN;
    for (size_t s = 0; s < chart->series; s++)
        for (size_t i = 0; i < chart->one[s].n; i++) {
            include(chart->one[s].value[i], &min, &max);
            include(chart->one[s].time[i], &from, &to);
        }
    plot->min = isfinite(chart->min) ? chart->min : min < 0 ? -round_up(-min) : 0;
    plot->max = isfinite(chart->max) ? chart->max : max > 0 ? round_up(max) : plot->min + 1;
    if (!(plot->max > plot->min))
        plot->max = plot->min + 1;
    plot->from = isfinite(chart->from) ? chart->from : isfinite(from) ? from : 0;
    plot->to = isfinite(chart->to) ? chart->to : isfinite(to) ? to : plot->from + 1;
    if (!(plot->to > plot->from))
        plot->to = plot->from + 1;
}

static void set_dot(struct plot *plot, unsigned x, unsigned y)
{
    static const uint8_t bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x >= plot->dots_x || y >= plot->dots_y)
        return;
    if (!plot->braille) {
        cells_put(plot->cells, plot->at.y + y, plot->at.x + x, plot->mark, plot->style.colour, 0);
        return;
    }
    uint8_t *b = &plot->braille[y / 4 * plot->at.w + x / 2];
    *b |= bit[y % 4][x % 2];
    cells_put(plot->cells, plot->at.y + y / 4, plot->at.x + x / 2, 0x2800u + *b, plot->style.colour,
              0);
}

static unsigned scale(double v, double low, double high, unsigned dots)
{
    double at = (v - low) / (high - low) * (dots - 1) + 0.5;
    return at <= 0 ? 0 : at >= dots ? dots - 1 : (unsigned)at;
}

static void column(struct plot *plot, unsigned x, unsigned y0, unsigned y1)
{
    if (y0 > y1) {
        unsigned t = y0;
        y0 = y1;
        y1 = t;
    }
    for (unsigned y = y0; y <= y1; y++)
        set_dot(plot, x, y);
}

// From one point to the next: a straight line in dots, in columns so that steep parts have no gaps.
static void segment(struct plot *plot, unsigned x0, unsigned y0, unsigned x1, unsigned y1,
                    bool area)
{
    unsigned last = y0, bottom = plot->dots_y - 1;
    for (unsigned x = x0; x <= x1; x++) {
        double part = x1 > x0 ? (double)(x - x0) / (x1 - x0) : 1;
        unsigned y = (unsigned)(y0 + ((double)y1 - y0) * part + 0.5);
        column(plot, x, area ? bottom : last, y);
        last = y;
    }
}

static void draw_series(struct plot *plot, const struct canvas_series *series, bool area)
{
    bool open = false;
    unsigned px = 0, py = 0;
    for (size_t i = 0; i < series->n; i++) {
        double t = series->time[i], v = series->value[i];
        if (!isfinite(v) || !(t >= plot->from && t <= plot->to)) {
            open = false;
            continue;
        }
        unsigned x = scale(t, plot->from, plot->to, plot->dots_x);
        unsigned y = plot->dots_y - 1 - scale(v, plot->min, plot->max, plot->dots_y);
        segment(plot, open ? px : x, open ? py : y, x, y, area);
        px = x;
        py = y;
        open = true;
    }
}

// 950, 12.3k, 4.5M: six columns at most.
static void short_number(double v, const char *unit, char out[32])
{
    static const char suffix[] = " kMGTP";
    unsigned i = 0;
    while (fabs(v) >= 10000 && i < 5) {
        v /= 1000;
        i++;
    }
    char number[24];
    snprintf(number, sizeof number, fabs(v) < 10 && v != floor(v) ? "%.2g" : "%.4g", v);
    snprintf(out, 32, "%.12s%.*s%.6s", number, i ? 1 : 0, suffix + i, unit ? unit : "");
}

static void draw_axis(struct plot *plot, const struct canvas_history *chart)
{
    struct cells *cells = plot->cells;
    struct canvas_style dim = canvas_style("dim");
    char text[32];
    unsigned rows = plot->at.h, marks[] = {0, (rows - 1) / 2, rows - 1};
    for (unsigned y = 0; y < rows; y++)
        cells_put(cells, plot->at.y + y, plot->at.x - 1, cells->utf8 ? 0x2502 : '|', 0, CELL_DIM);
    for (unsigned i = 0; i < 3; i++) {
        if (i == 1 && rows < 5)
            continue;
        double part = rows > 1 ? (double)marks[i] / (rows - 1) : 0;
        short_number(plot->max - (plot->max - plot->min) * part, chart->unit, text);
        canvas_text(cells, plot->at.x - AXIS_WIDTH, plot->at.y + marks[i], AXIS_WIDTH - 1, text,
                    'r', dim);
        cells_put(cells, plot->at.y + marks[i], plot->at.x - 1, cells->utf8 ? 0x2524 : '+', 0,
                  CELL_DIM);
    }
}

static void draw_time(struct plot *plot, unsigned y)
{
    struct canvas_style dim = canvas_style("dim");
    char text[32];
    snprintf(text, sizeof text, "%.0f s", plot->from);
    canvas_text(plot->cells, plot->at.x, y, plot->at.w / 2, text, 'l', dim);
    snprintf(text, sizeof text, "%.0f s", plot->to);
    canvas_text(plot->cells, plot->at.x + plot->at.w / 2, y, plot->at.w - plot->at.w / 2, text, 'r',
                dim);
}

static uint32_t series_mark(const struct cells *cells, size_t i)
{
    static const uint32_t round[] = {0x25CF, 0x25CB, 0x25A0, 0x25A1,
                                     0x25B2, 0x25B3, 0x25C6, 0x25C7};
    return cells->utf8 ? round[i % 8] : (uint32_t) "*o#+x@%&"[i % 8];
}

static struct canvas_style series_style(size_t i)
{
    const char name[2] = {(char)('1' + i % 8), 0};
    return canvas_style(name);
}

static void draw_legend(struct cells *cells, struct rectangle at,
                        const struct canvas_history *chart)
{
    unsigned x = at.x + AXIS_WIDTH, end = at.x + at.w;
    for (size_t i = 0; i < chart->series && x + 3 <= end; i++) {
        struct canvas_style style = series_style(i);
        cells_put(cells, at.y, x, series_mark(cells, i), style.colour, 0);
        x += 2 + cells_text(cells, at.y, x + 2, end - x - 2, chart->one[i].name, 0, 0) + 2;
    }
}

void canvas_history(struct cells *cells, struct rectangle at, const struct canvas_history *chart)
{
    bool several = chart->series > 1;
    unsigned above = (chart->title != NULL) + several;
    if (at.w < AXIS_WIDTH + 4 || at.h < above + 3)
        return;
    if (chart->title)
        canvas_text(cells, at.x, at.y, at.w, chart->title, 'l', canvas_style("title"));
    if (several)
        draw_legend(cells, (struct rectangle){at.x, at.y + above - 1, at.w, 1}, chart);
    struct plot plot = {
        .cells = cells,
        .at = {at.x + AXIS_WIDTH, at.y + above, at.w - AXIS_WIDTH, at.h - above - 1},
    };
    bool dots = cells->utf8 && !several;
    plot.dots_x = plot.at.w * (dots ? 2 : 1);
    plot.dots_y = plot.at.h * (dots ? 4 : 1);
    find_ranges(chart, &plot);
    draw_axis(&plot, chart);
    draw_time(&plot, at.y + at.h - 1);
    for (size_t i = 0; i < chart->series; i++) {
        plot.braille = dots ? mem_zero(plot.at.w * plot.at.h, 1) : NULL;
        plot.mark = several ? series_mark(cells, i) : chart->area ? '#' : '*';
        plot.style = series_style(i);
        draw_series(&plot, &chart->one[i], chart->area && !several);
        free(plot.braille);
    }
}
