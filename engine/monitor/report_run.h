// SPDX-License-Identifier: MIT
// A report being made: its blocks with what they have summed so far. For report*.c only.
#ifndef ENDICOTT_MONITOR_REPORT_RUN_H
#define ENDICOTT_MONITOR_REPORT_RUN_H

#include "monitor/report.h"
#include "monitor/report_rows.h"

struct block_run {
    const struct report_block *block;
    struct report_terms terms;
    struct report_expression *expression; // by column
    const struct record_field **field;    // by column: of formats other than numbers
    struct report_rows rows;
    bool known;       // its own record is in the tables
    bool open;        // the table that goes on over several stretches has its headings
    struct text text; // lines of a log
};

struct report_run {
    const struct report *report;
    const struct report_options *options;
    struct block_run *block;
    struct text text; // what is finished, but for logs until the end
    unsigned stretches;
};

void block_run_init(struct block_run *run, const struct report_block *block);
void block_run_free(struct block_run *run);
void report_run_init(struct report_run *run, const struct report *report,
                     const struct report_options *options);
void report_run_want(const struct report_run *run, bool wanted[RECORD_COUNT]);
void report_run_add(struct report_run *run, const struct report_pair *pair);
// The stretch is over: its tables go to `text`.
void report_run_stretch(struct report_run *run);
void report_run_end(struct report_run *run); // all of it is in `text` then
void report_run_free(struct report_run *run);

// --- cells and tables (report_print.c) -----------------------------------------------

#define CELL_MAX 64u
// What column `c` shows of a line; `row` NULL: of all together. "...." when it cannot be said.
void report_cell(const struct block_run *run, unsigned c, const struct report_row *row,
                 char out[CELL_MAX]);
// The number of column `c`, NaN when there is none.
double report_cell_number(const struct block_run *run, unsigned c, const struct report_row *row);

struct table_style; // plain text or HTML
extern const struct table_style table_plain, table_html;
void table_begin(struct text *out, const struct table_style *style, const struct block_run *run,
                 bool time);
void table_row(struct text *out, const struct table_style *style, const struct block_run *run,
               const struct report_row *row, const char *time);
void table_nothing(struct text *out, const struct table_style *style, const struct block_run *run);
void table_form(struct text *out, const struct table_style *style, const struct block_run *run);
void table_end(struct text *out, const struct table_style *style);
void table_heading(struct text *out, const struct table_style *style, unsigned level,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
void table_note(struct text *out, const struct table_style *style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void report_time(tod_t time, bool date, char out[32]);

// --- the page (report_html.c) -----------------------------------------------------------

struct charts;
struct charts *charts_new(void);
void charts_want(const struct charts *charts, bool wanted[RECORD_COUNT]);
void charts_add(struct charts *charts, const struct report_pair *pair);
void charts_print(struct charts *charts, FILE *out);
void charts_free(struct charts *charts);
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);
void html_escape(struct text *out, const char *s);

#endif
