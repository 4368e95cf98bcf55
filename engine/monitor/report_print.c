// SPDX-License-Identifier: MIT
// Cells and tables of reports, as plain text or HTML.
#include "monitor/report_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

#define NOTHING "...."

// --- cells ----------------------------------------------------------------------------

double report_cell_number(const struct block_run *run, unsigned c, const struct report_row *row)
{
    unsigned n = run->terms.count;
    if (!run->expression[c].steps)
        return (double)NAN;
    double *value = mem_alloc((n + 1) * sizeof *value);
    bool *there = mem_alloc((n + 1) * sizeof *there);
    report_rows_values(&run->rows, row, value, there);
    double t = row && run->rows.keyed ? row->t : run->rows.elapsed;
    double v = expression_value(&run->expression[c], value, there, t, run->rows.elapsed);
    free(value);
    free(there);
    return v;
}

// As many decimals as fit; then thousands, millions, ...
static void format_number(double v, unsigned width, unsigned decimals, char *out, size_t size)
{
    static const char units[] = "KMGTP";
    if (v < 0 && v > -0.5 / pow(10, decimals)) // a difference of sums that are equal
        v = 0;
    if (isnan(v) || isinf(v) || v < 0) { // nothing here can be negative
        snprintf(out, size, NOTHING);
        return;
    }
    unsigned least = 0;
    for (;; decimals--) {
        if ((unsigned)snprintf(out, size, "%.*f", (int)decimals, v) <= width)
            return;
        if (decimals == least)
            break;
    }
    for (unsigned i = 0; units[i]; i++) {
        v /= 1000;
        if ((unsigned)snprintf(out, size, "%.0f%c", v, units[i]) <= width)
            return;
    }
}

static const char *cpu_type(unsigned type)
{
    static const char *const names[] = {"CP", "?", "ZAAP", "IFL", "ICF", "ZIIP"};
    return type < sizeof names / sizeof names[0] ? names[type] : "?";
}

static unsigned flag(const struct report_row *row, const char *name)
{
    return (unsigned)record_number(row->raw, row->length, name);
}

static void format_share(const struct report_row *row, char *out, size_t size)
{
    if (flag(row, "CALSHARF") & 0x80)
        snprintf(out, size, "%.1f%%", flag(row, "VMDABSSH") / 10.0);
    else
        snprintf(out, size, "%u", flag(row, "VMDRELSH"));
}

// Machine mode and dispatcher's list.
static void format_status(const struct report_row *row, char *out, size_t size)
{
    static const struct {
        unsigned bit;
        const char *name;
    } modes[] = {{0x04, "Z"}, {0x08, "XC"}, {0x20, "XA"}, {0x40, "ESA"}};
    unsigned mode = flag(row, "CALMODE"), list = flag(row, "VMDSLIST");
    const char *name = "---";
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (mode & modes[i].bit) {
            name = modes[i].name;
            break;
        }
    snprintf(out, size, "%s,%s", name,
             list == 0x37   ? "DISP"
             : list == 0x21 ? "ELIG"
             : list == 0x0B ? "DORM"
                            : "?");
}

static void format_field(const struct record_field *field, enum report_format format,
                         const struct report_row *row, char *out, size_t size)
{
    struct record_value v;
    if (!field || !row->raw || !record_value(row->raw, row->length, field->name, &v))
        snprintf(out, size, NOTHING);
    else if (format == FORMAT_TEXT)
        ebcdic_field_text(v.bytes, v.size < 32 ? v.size : 32, out, size);
    else if (format == FORMAT_HEX)
        snprintf(out, size, "%04X", (unsigned)v.number);
    else if (format == FORMAT_CPU_TYPE)
        snprintf(out, size, "%s", cpu_type((unsigned)v.number));
    else if (format == FORMAT_SHARE)
        format_share(row, out, size);
    else
        format_status(row, out, size);
}

void report_cell(const struct block_run *run, unsigned c, const struct report_row *row,
                 char out[CELL_MAX])
{
    const struct report_column *column = &run->block->column[c];
    if (column->format == FORMAT_NUMBER)
        format_number(report_cell_number(run, c, row), column->width, column->decimals, out,
                      CELL_MAX);
    else if (row)
        format_field(run->field[c], (enum report_format)column->format, row, out, CELL_MAX);
    else
        snprintf(out, CELL_MAX, "%s", c == 0 ? "Total" : "");
}

// --- tables ---------------------------------------------------------------------------

struct table_style {
    bool html;
};
const struct table_style table_plain = {false}, table_html = {true};

#define TIME_WIDTH 13 // hh:mm:ss.mmm*

static bool is_text(const struct report_column *column)
{
    return column->format == FORMAT_TEXT || column->format == FORMAT_STATUS ||
           column->format == FORMAT_CPU_TYPE;
}

static void plain_heads(struct text *out, const struct block_run *run, bool time)
{
    for (unsigned line = 0; line < 2; line++) {
        size_t start = out->len;
        if (time)
            text_printf(out, "%-*s", TIME_WIDTH, line ? "End" : "");
        for (unsigned c = 0; c < run->block->columns; c++) {
            const struct report_column *column = &run->block->column[c];
            text_printf(out, "%s%*s", c || time ? " " : "",
                        is_text(column) ? -(int)column->width : column->width, column->head[line]);
        }
        while (out->len > start && out->s[out->len - 1] == ' ')
            out->s[--out->len] = '\0';
        text_puts(out, "\n");
    }
}

static void html_heads(struct text *out, const struct block_run *run, bool time)
{
    text_puts(out, "<div class=t><table><thead><tr>");
    if (time)
        text_puts(out, "<th>End</th>");
    for (unsigned c = 0; c < run->block->columns; c++) {
        const struct report_column *column = &run->block->column[c];
        text_puts(out, "<th>");
        html_escape(out, column->head[0]);
        text_puts(out, *column->head[0] ? "<br>" : "");
        html_escape(out, column->head[1]);
        text_puts(out, "</th>");
    }
    text_puts(out, "</tr></thead><tbody>\n");
}

void table_begin(struct text *out, const struct table_style *style, const struct block_run *run,
                 bool time)
{
    if (style->html)
        html_heads(out, run, time);
    else
        plain_heads(out, run, time);
}

static void html_cell(struct text *out, const char *class, const char *s)
{
    text_printf(out, "<td%s>", class);
    html_escape(out, s);
    text_puts(out, "</td>");
}

void table_row(struct text *out, const struct table_style *style, const struct block_run *run,
               const struct report_row *row, const char *time)
{
    char cell[CELL_MAX];
    size_t start = out->len;
    if (style->html)
        text_puts(out, row ? "<tr>" : "<tr class=total>");
    if (time && style->html)
        html_cell(out, "", time);
    else if (time)
        text_printf(out, "%-*s", TIME_WIDTH, time);
    for (unsigned c = 0; c < run->block->columns; c++) {
        const struct report_column *column = &run->block->column[c];
        report_cell(run, c, row, cell);
        if (style->html)
            html_cell(out, is_text(column) ? "" : " class=n", cell);
        else
            text_printf(out, "%s%*s", c || time ? " " : "",
                        is_text(column) ? -(int)column->width : column->width, cell);
    }
    if (style->html)
        text_puts(out, "</tr>");
    else
        while (out->len > start && out->s[out->len - 1] == ' ')
            out->s[--out->len] = '\0';
    text_puts(out, "\n");
}

void table_nothing(struct text *out, const struct table_style *style, const struct block_run *run)
{
    if (style->html)
        text_printf(out, "<tr><td colspan=%u>none</td></tr>\n", run->block->columns);
    else
        text_puts(out, "none\n");
}

void table_form(struct text *out, const struct table_style *style, const struct block_run *run)
{
    char cell[CELL_MAX];
    const struct report_row *row = run->rows.count ? &run->rows.row[0] : NULL;
    text_puts(out, style->html ? "<div class=t><table><tbody>\n" : "");
    for (unsigned c = 0; c < run->block->columns; c++) {
        const struct report_column *column = &run->block->column[c];
        report_cell(run, c, row, cell);
        if (style->html) {
            text_puts(out, "<tr>");
            html_cell(out, "", column->head[0]);
            html_cell(out, " class=n", cell);
            html_cell(out, "", column->head[1]);
            text_puts(out, "</tr>\n");
        } else {
            text_printf(out, "%-36s %*s %s\n", column->head[0], column->width, cell,
                        column->head[1]);
        }
    }
    table_end(out, style);
}

void table_end(struct text *out, const struct table_style *style)
{
    text_puts(out, style->html ? "</tbody></table></div>\n" : "");
}

void table_heading(struct text *out, const struct table_style *style, unsigned level,
                   const char *format, ...)
{
    struct text line = {0};
    va_list ap;
    va_start(ap, format);
    text_vprintf(&line, format, ap);
    va_end(ap);
    if (style->html) {
        text_printf(out, "<h%u>", level);
        html_escape(out, text_get(&line));
        text_printf(out, "</h%u>\n", level);
    } else {
        text_printf(out, "\n%s\n", text_get(&line));
    }
    text_free(&line);
}

void table_note(struct text *out, const struct table_style *style, const char *format, ...)
{
    struct text line = {0};
    va_list ap;
    va_start(ap, format);
    text_vprintf(&line, format, ap);
    va_end(ap);
    if (style->html) {
        text_puts(out, "<p>");
        html_escape(out, text_get(&line));
        text_puts(out, "</p>\n");
    } else {
        text_printf(out, "%s\n", text_get(&line));
    }
    text_free(&line);
}
