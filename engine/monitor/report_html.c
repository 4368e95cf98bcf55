// SPDX-License-Identifier: MIT
// The page: one file with its style and its charts (SVG) inside, nothing to fetch.
#include "monitor/report_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

void html_escape(struct text *out, const char *s)
{
    for (; *s; s++) {
        const char *as = *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : NULL;
        if (*s == '"')
            as = "&quot;";
        if (as)
            text_puts(out, as);
        else
            text_add(out, s, 1);
    }
}

void html_begin(FILE *out, const char *title)
{
    struct text name = {0};
    html_escape(&name, title);
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
            "<meta name=viewport content=\"width=device-width\"><title>%s</title>\n<style>\n"
            ":root{color-scheme:light dark;--fg:#222;--bg:#fff;--soft:#8884}\n"
            "@media(prefers-color-scheme:dark){:root{--fg:#ddd;--bg:#181818}}\n"
            "body{font:14px system-ui,sans-serif;color:var(--fg);background:var(--bg);"
            "max-width:75em;margin:1em auto;padding:0 1em}\n"
            "h1{font-size:1.4em}h2{font-size:1.15em}h3,h4{font-size:1em;margin:.8em 0 .3em}\n"
            ".t{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
            "td,th{padding:.1em .5em;text-align:left;white-space:nowrap}thead th{border-bottom:"
            "1px solid;vertical-align:bottom}.n{text-align:right}.total{border-top:1px solid}\n"
            "tbody tr:nth-child(even){background:#8881}pre{overflow-x:auto}\n"
            "figure{margin:1.2em 0}figcaption{font-weight:600}svg{width:100%%;height:auto}\n"
            "svg text{fill:currentColor;font-size:11px}.grid{stroke:var(--soft)}\n"
            ".key{display:inline-block;margin-right:1em}.key i{display:inline-block;width:.8em;"
            "height:.8em;margin-right:.3em}\nsummary{cursor:pointer;padding:.3em 0}\n"
            "</style></head><body>\n<h1>%s</h1>\n",
            text_get(&name), text_get(&name));
    text_free(&name);
}

void html_end(FILE *out)
{
    fputs("</body></html>\n", out);
}

// --- what is drawn ------------------------------------------------------------------------

// A series for each column; of a chart by users, devices, ... one for each of those, of column 0.
struct chart_kind {
    struct report_block block;
    const char *unit;
    bool stacked;
};

#define COLUMNS(a) a, sizeof(a) / sizeof(a)[0]
#define SERIES(name, expression)                    \
    {                                               \
        {name, ""}, 8, 2, FORMAT_NUMBER, expression \
    }
static const struct report_column system_cpu[] = {
    SERIES("Guests", "100 * d(PFXPRBTM) / T"),
    SERIES("CP for users", "100 * (d(PFXUTIME) - d(PFXPRBTM)) / T"),
    SERIES("CP itself", "100 * d(PFXTMSYS) / T")};
static const struct report_column user_cpu[] = {SERIES("", "100 * d(VMDTTIME) / t")};
static const struct report_column users[] = {SERIES("Logged on", "v(SYSUSRS)"),
                                             SERIES("Active", "a(D4R3.VMDTTIME)")};
static const struct report_column io[] = {SERIES("Real I/O", "(d(PLSCTSS) + d(PLSCTRS)) / T"),
                                          SERIES("Virtual DASD I/O", "d(D4R3.VMDVDSCT) / T"),
                                          SERIES("Paging", "(d(PLSPIOPR) + d(PLSPIOPW)) / T")};
static const struct report_column devices[] = {SERIES("", "(d(SCGSSCH) | d(SCMSSCH)) / t")};
static const struct report_column transactions[] = {
    SERIES("Trivial", "(d(CALMPTCT) + d(CALUPTCT)) / T"),
    SERIES("Non-trivial", "(d(CALMPNCT) + d(CALUPNCT)) / T"),
    SERIES("QUICKDSP", "d(CALQDNCT) / T")};
static const struct report_column switches[] = {SERIES("", "(d(NICTXBYT) + d(NICRXBYT)) / t")};

static const struct chart_kind kinds[] = {
    {{"CPU", SHAPE_LOG, 0, 2, false, COLUMNS(system_cpu)}, "% of one CPU", true},
    {{"CPU by user", SHAPE_ROWS, 4, 3, false, COLUMNS(user_cpu)}, "% of one CPU", true},
    {{"Users", SHAPE_LOG, 0, 8, false, COLUMNS(users)}, "logged on and active", false},
    {{"Transactions", SHAPE_LOG, 0, 8, false, COLUMNS(transactions)}, "/s", true},
    {{"I/O", SHAPE_LOG, 0, 1, false, COLUMNS(io)}, "/s", false},
    {{"I/O by device", SHAPE_ROWS, 6, 3, false, COLUMNS(devices)}, "/s", false},
    {{"Virtual switches", SHAPE_ROWS, 6, 21, false, COLUMNS(switches)}, "bytes/s", false},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], SHOWN = 8, POINTS = 240 };

struct series {
    char name[REPORT_KEY + 1];
    double *value; // by interval, NaN: none
    unsigned count, cap;
    double sum;
};

struct chart {
    const struct chart_kind *kind;
    struct block_run run;
    struct series *series;
    unsigned count, cap, next; // next: where the one after the last found is
};

struct charts {
    struct chart chart[KINDS];
    tod_t *time; // ends of intervals
    unsigned count, cap;
    tod_t from;
};

struct charts *charts_new(void)
{
    struct charts *charts = mem_zero(1, sizeof *charts);
    for (unsigned i = 0; i < KINDS; i++) {
        charts->chart[i].kind = &kinds[i];
        block_run_init(&charts->chart[i].run, &kinds[i].block);
    }
    return charts;
}

void charts_want(const struct charts *charts, bool wanted[RECORD_COUNT])
{
    for (unsigned i = 0; i < KINDS; i++) {
        const struct block_run *run = &charts->chart[i].run;
        if (!run->known)
            continue;
        wanted[run->rows.record] = true;
        for (unsigned t = 0; t < run->terms.count; t++)
            wanted[run->terms.term[t].record] = true;
    }
}

void charts_free(struct charts *charts)
{
    if (!charts)
        return;
    for (unsigned i = 0; i < KINDS; i++) {
        struct chart *chart = &charts->chart[i];
        for (unsigned s = 0; s < chart->count; s++)
            free(chart->series[s].value);
        free(chart->series);
        block_run_free(&chart->run);
    }
    free(charts->time);
    free(charts);
}

// --- collecting -----------------------------------------------------------------------------

static struct series *series_of(struct chart *chart, const char *name)
{
    for (unsigned i = 0; i < chart->count; i++) { // lines come in the same order each time
        unsigned at = (chart->next + i) % chart->count;
        if (strcmp(chart->series[at].name, name) == 0) {
            chart->next = at + 1;
            return &chart->series[at];
        }
    }
    if (chart->count == chart->cap) {
        chart->cap = chart->cap ? 2 * chart->cap : 8;
        chart->series = mem_resize(chart->series, chart->cap, sizeof *chart->series);
    }
    struct series *s = &chart->series[chart->count++];
    *s = (struct series){0};
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static void series_add(struct series *s, unsigned interval, double v)
{
    if (interval >= s->cap) {
        s->cap = 2 * interval + 64;
        s->value = mem_resize(s->value, s->cap, sizeof *s->value);
    }
    while (s->count < interval)
        s->value[s->count++] = (double)NAN;
    s->value[s->count++] = v;
    if (!isnan(v))
        s->sum += v;
}

// A line's name: its key, a number in hexadecimal.
static void row_name(const struct block_run *run, const struct report_row *row, char *out,
                     size_t size)
{
    const struct record_field *key[3];
    unsigned group;
    unsigned n = record_keys(&record_layouts[run->rows.record], key, 3, &group);
    if (n && key[0]->type == FIELD_TEXT)
        ebcdic_field_text(row->key, key[0]->length < size ? key[0]->length : size - 1, out, size);
    else if (n && key[0]->length == 2)
        snprintf(out, size, "%02X%02X", row->key[0], row->key[1]);
    else
        snprintf(out, size, "all");
}

static void chart_add(struct chart *chart, unsigned interval, const struct report_pair *pair)
{
    char name[REPORT_KEY + 1];
    struct block_run *run = &chart->run;
    if (!run->known)
        return;
    report_rows_add(&run->rows, pair, NULL, NULL);
    for (unsigned i = 0; i < run->rows.count; i++) {
        const struct report_row *row = &run->rows.row[i];
        for (unsigned c = 0; row->t > 0 && c < run->block->columns; c++) {
            snprintf(name, sizeof name, "%s", run->block->column[c].head[0]);
            if (run->rows.keyed)
                row_name(run, row, name, sizeof name);
            series_add(series_of(chart, name), interval, report_cell_number(run, c, row));
        }
    }
    report_rows_clear(&run->rows);
}

void charts_add(struct charts *charts, const struct report_pair *pair)
{
    if (charts->count == charts->cap) {
        charts->cap = 2 * charts->cap + 64;
        charts->time = mem_resize(charts->time, charts->cap, sizeof *charts->time);
    }
    if (!charts->count)
        charts->from = pair->before->time;
    charts->time[charts->count] = pair->now->time;
    for (unsigned i = 0; i < KINDS; i++)
        chart_add(&charts->chart[i], charts->count, pair);
    charts->count++;
}

// --- drawing --------------------------------------------------------------------------------

enum { WIDTH = 900, HEIGHT = 240, LEFT = 60, RIGHT = 10, TOP = 10, BOTTOM = 24 };
static const char *const colours[SHOWN + 1] = {"#3b7dd8", "#e07b39", "#4aa564",
                                               "#c94f6d", "#8a6bbf", "#b8a12f",
                                               "#3fa7a3", "#7c7c7c", "#aaaaaa"};

static int larger_first(const void *a, const void *b)
{
    const struct series *x = a, *y = b;
    return x->sum != y->sum ? (x->sum < y->sum) - (x->sum > y->sum) : strcmp(x->name, y->name);
}

// The largest few, the rest in one when they add up to something.
static void reduce(struct chart *chart, unsigned intervals)
{
    for (unsigned i = 0; i < chart->count; i++)
        while (chart->series[i].count < intervals)
            series_add(&chart->series[i], chart->series[i].count, (double)NAN);
    if (!chart->run.rows.keyed || chart->count <= SHOWN)
        return;
    qsort(chart->series, chart->count, sizeof *chart->series, larger_first);
    struct series *rest = &chart->series[SHOWN];
    for (unsigned i = SHOWN + 1; i < chart->count; i++) {
        for (unsigned k = 0; k < intervals; k++)
            if (!isnan(chart->series[i].value[k]))
                rest->value[k] =
                    chart->series[i].value[k] + (isnan(rest->value[k]) ? 0 : rest->value[k]);
        free(chart->series[i].value);
    }
    chart->count = SHOWN + (chart->kind->stacked ? 1 : 0);
    if (!chart->kind->stacked)
        free(rest->value);
    else
        snprintf(rest->name, sizeof rest->name, "others");
}

// Mean of the intervals that fall on point `p` of `points`.
static double point(const struct series *s, unsigned intervals, unsigned points, unsigned p)
{
    unsigned first = (unsigned)((uint64_t)p * intervals / points), n = 0;
    unsigned end = (unsigned)((uint64_t)(p + 1) * intervals / points);
    double sum = 0;
    for (unsigned i = first; i < end && i < s->count; i++)
        if (!isnan(s->value[i])) {
            sum += s->value[i];
            n++;
        }
    return n ? sum / n : (double)NAN;
}

static double highest(const struct chart *chart, unsigned intervals, unsigned points)
{
    double most = 0;
    for (unsigned p = 0; p < points; p++) {
        double stack = 0;
        for (unsigned i = 0; i < chart->count; i++) {
            double v = point(&chart->series[i], intervals, points, p);
            if (isnan(v))
                continue;
            stack = chart->kind->stacked ? stack + v : (v > stack ? v : stack);
        }
        most = stack > most ? stack : most;
    }
    return most;
}

// 1, 2 or 5 times a power of ten: about four steps to `most`.
static double step_of(double most)
{
    double raw = most / 4, unit = pow(10, floor(log10(raw)));
    return raw <= unit ? unit : raw <= 2 * unit ? 2 * unit : raw <= 5 * unit ? 5 * unit : 10 * unit;
}

static double x_of(unsigned p, unsigned points)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (points > 1 ? (double)p / (points - 1) : 0.5);
}

static double y_of(double v, double top)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * v / top;
}

static void draw_axes(const struct charts *charts, double step, double top, FILE *out)
{
    char time[32];
    for (double v = 0; v <= top * 1.0001; v += step)
        fprintf(out,
                "<line class=grid x1=%d x2=%d y1=%.1f y2=%.1f /><text x=%d y=%.1f "
                "text-anchor=end>%g</text>\n",
                LEFT, WIDTH - RIGHT, y_of(v, top), y_of(v, top), LEFT - 4, y_of(v, top) + 4, v);
    for (unsigned i = 0; i <= 4; i++) {
        tod_t span = charts->time[charts->count - 1] - charts->from;
        report_time(charts->from + span / 4 * i, false, time);
        time[8] = '\0';
        fprintf(out, "<text x=%.1f y=%d text-anchor=%s>%s</text>\n", x_of(i, 5), HEIGHT - 6,
                i == 0   ? "start"
                : i == 4 ? "end"
                         : "middle",
                time);
    }
}

// One series above what is stacked below it, which grows by it.
static void draw_area(const struct series *s, unsigned intervals, unsigned points, double top,
                      double *below, const char *colour, FILE *out)
{
    fprintf(out, "<path fill=\"%s\" fill-opacity=.75 d=\"M", colour);
    for (unsigned p = 0; p < points; p++) {
        double v = point(s, intervals, points, p);
        fprintf(out, "%.1f %.1fL", x_of(p, points), y_of(below[p] + (isnan(v) ? 0 : v), top));
    }
    for (unsigned p = points; p-- > 0;) {
        double v = point(s, intervals, points, p);
        fprintf(out, "%.1f %.1f%s", x_of(p, points), y_of(below[p], top), p ? "L" : "");
        below[p] += isnan(v) ? 0 : v;
    }
    fputs("Z\"/>\n", out);
}

static void draw_line(const struct series *s, unsigned intervals, unsigned points, double top,
                      const char *colour, FILE *out)
{
    bool pen = false;
    fprintf(out, "<path fill=none stroke-width=1.5 stroke=\"%s\" d=\"", colour);
    for (unsigned p = 0; p < points; p++) {
        double v = point(s, intervals, points, p);
        if (!isnan(v))
            fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', x_of(p, points), y_of(v, top));
        pen = !isnan(v);
    }
    fputs("\"/>\n", out);
}

static void draw(const struct charts *charts, struct chart *chart, FILE *out)
{
    unsigned intervals = charts->count, points = intervals < POINTS ? intervals : POINTS;
    reduce(chart, intervals);
    double most = highest(chart, intervals, points);
    if (most <= 0)
        return;
    double step = step_of(most), top = ceil(most / step - 1e-9) * step;
    double *below = mem_zero(points, sizeof *below);
    fprintf(out, "<figure><figcaption>%s, %s</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=img>\n",
            chart->kind->block.title, chart->kind->unit, WIDTH, HEIGHT);
    draw_axes(charts, step, top, out);
    for (unsigned i = 0; i < chart->count; i++) {
        if (chart->kind->stacked)
            draw_area(&chart->series[i], intervals, points, top, below, colours[i], out);
        else
            draw_line(&chart->series[i], intervals, points, top, colours[i], out);
    }
    fputs("</svg>\n", out);
    free(below);
    for (unsigned i = 0; i < chart->count; i++) {
        struct text name = {0};
        html_escape(&name, chart->series[i].name);
        fprintf(out, "<span class=key><i style=\"background:%s\"></i>%s, mean %.4g</span>\n",
                colours[i], text_get(&name), chart->series[i].sum / intervals);
        text_free(&name);
    }
    fputs("</figure>\n", out);
}

void charts_print(struct charts *charts, FILE *out)
{
    for (unsigned i = 0; i < KINDS && charts->count; i++)
        if (charts->chart[i].count)
            draw(charts, &charts->chart[i], out);
}
