// SPDX-License-Identifier: MIT
// One report over a stream of sample pairs: which stretch of time a pair belongs to, and what is
// printed when one is over.
#include "monitor/report_run.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

// --- blocks -----------------------------------------------------------------------------

static const struct record_field *column_field(const struct record_layout *layout, const char *name)
{
    for (unsigned i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return &layout->fields[i];
    return NULL;
}

void block_run_init(struct block_run *run, const struct report_block *block)
{
    const struct record_layout *layout = record_layout(block->domain, block->number);
    *run = (struct block_run){.block = block, .known = layout != NULL};
    if (!layout)
        return;
    unsigned record = (unsigned)(layout - record_layouts);
    run->expression = mem_zero(block->columns, sizeof *run->expression);
    run->field = mem_zero(block->columns, sizeof *run->field);
    for (unsigned c = 0; c < block->columns; c++) {
        const struct report_column *column = &block->column[c];
        if (column->format != FORMAT_NUMBER)
            run->field[c] = column_field(layout, column->expression);
        else if (*column->expression)
            INVARIANT(
                expression_compile(column->expression, record, &run->terms, &run->expression[c]));
    }
    bool keyed = block->shape == SHAPE_ROWS || block->shape == SHAPE_ROWS_LOG;
    report_rows_init(&run->rows, &run->terms, record, keyed);
}

void block_run_free(struct block_run *run)
{
    if (run->known)
        report_rows_free(&run->rows);
    free(run->terms.term);
    free(run->expression);
    free(run->field);
    text_free(&run->text);
}

static void block_run_want(const struct block_run *run, bool wanted[RECORD_COUNT])
{
    if (!run->known)
        return;
    wanted[run->rows.record] = true;
    for (unsigned i = 0; i < run->terms.count; i++)
        wanted[run->terms.term[i].record] = true;
}

// --- stretches of time ---------------------------------------------------------------------

static const struct table_style *style_of(const struct report_run *run)
{
    return run->options->html ? &table_html : &table_plain;
}

static bool is_log(const struct report_run *run, const struct block_run *b)
{
    return b->block->shape == SHAPE_LOG || b->block->shape == SHAPE_ROWS_LOG ||
           (run->options->log && b->block->shape == SHAPE_ROWS);
}

void report_time(tod_t time, bool date, char out[32])
{
    struct tod_calendar c = tod_calendar(time + TOD_SECOND / 2000); // shown to a millisecond
    unsigned ms = (unsigned)c.microsecond / 1000;
    int n = date ? snprintf(out, 32, "%04u-%02u-%02u ", (unsigned)c.year % 10000,
                            (unsigned)c.month % 100, (unsigned)c.day % 100)
                 : 0;
    n += snprintf(out + n, 32 - (size_t)n, "%02u:%02u:%02u", (unsigned)c.hour % 100,
                  (unsigned)c.minute % 100, (unsigned)c.second % 100);
    if (ms)
        snprintf(out + n, 32 - (size_t)n, ".%03u", ms);
}

// The time at which a log's line ends; a star after it where samples are missing.
static void log_block(struct report_run *run, struct block_run *b)
{
    char time[40];
    if (!b->rows.pairs)
        return;
    if (!b->open)
        table_begin(&b->text, style_of(run), b, true);
    b->open = true;
    report_time(b->rows.to, false, time);
    if (b->rows.gaps)
        strcat(time, "*");
    for (unsigned i = 0; i < b->rows.count; i++)
        if (b->rows.row[i].t > 0)
            table_row(&b->text, style_of(run), b, &b->rows.row[i], time);
    report_rows_clear(&b->rows);
}

static void print_rows(struct report_run *run, struct block_run *b)
{
    struct text *out = &run->text;
    unsigned lines = 0;
    table_heading(out, style_of(run), 4, "%s", b->block->title);
    if (b->block->shape == SHAPE_FORM) {
        table_form(out, style_of(run), b);
        return;
    }
    table_begin(out, style_of(run), b, false);
    for (unsigned i = 0; i < b->rows.count; i++) {
        if (b->rows.row[i].t <= 0)
            continue;
        table_row(out, style_of(run), b, &b->rows.row[i], NULL);
        lines++;
    }
    if (!lines)
        table_nothing(out, style_of(run), b);
    if (b->block->total && lines > 1)
        table_row(out, style_of(run), b, NULL, NULL);
    table_end(out, style_of(run));
    if (b->rows.refused)
        table_note(out, style_of(run),
                   "%u times a line was left out of an interval: a counter began anew, or its "
                   "value cannot be.",
                   b->rows.refused);
}

static void print_stretch(struct report_run *run, const struct report_rows *rows)
{
    char from[32], to[32];
    unsigned seconds = (unsigned)(rows->elapsed + 0.5);
    report_time(rows->from, true, from);
    report_time(rows->to, true, to);
    table_heading(&run->text, style_of(run), 3,
                  "From %s to %s UTC, for %.0f secs %02u:%02u:%02u, %u interval%s%s", from, to,
                  rows->elapsed, seconds / 3600, seconds / 60 % 60, seconds % 60, rows->pairs,
                  rows->pairs == 1 ? "" : "s", rows->gaps ? ", samples are missing" : "");
}

void report_run_stretch(struct report_run *run)
{
    bool heading = false;
    for (unsigned i = 0; i < run->report->blocks; i++) {
        struct block_run *b = &run->block[i];
        if (!b->known || is_log(run, b) || !b->rows.pairs)
            continue;
        if (!heading)
            print_stretch(run, &b->rows);
        heading = true;
        print_rows(run, b);
        report_rows_clear(&b->rows);
    }
    run->stretches += heading;
}

// --- pairs ----------------------------------------------------------------------------------

struct user_filter {
    const struct record_field *field;
    const char *pattern;
};

static bool user_wanted(void *arg, const uint8_t *raw, size_t length)
{
    const struct user_filter *filter = arg;
    char name[REPORT_KEY + 1], pattern[64];
    if (filter->field->offset + (size_t)filter->field->length > length)
        return false;
    ebcdic_field_text(raw + filter->field->offset, filter->field->length, name, sizeof name);
    snprintf(pattern, sizeof pattern, "%s", filter->pattern);
    text_upper(pattern);
    return fnmatch(pattern, name, 0) == 0;
}

static void add_block(const struct report_run *run, struct block_run *b,
                      const struct report_pair *pair)
{
    const struct record_field *key[3];
    unsigned group;
    struct user_filter filter = {.pattern = run->options->user};
    const struct record_layout *layout = &record_layouts[b->rows.record];
    unsigned keys = b->rows.keyed ? record_keys(layout, key, 3, &group) : 0;
    bool about_users =
        keys > 0 && (strcmp(key[0]->name, "VMDUSER") == 0 || strcmp(key[0]->name, "OWNER") == 0);
    filter.field = keys ? key[0] : NULL;
    report_rows_add(&b->rows, pair, filter.pattern && about_users ? user_wanted : NULL, &filter);
}

// Stretches are aligned to the day: a pair belongs where it ends.
static uint64_t stretch_of(const struct report_options *options, tod_t end)
{
    double seconds = tod_to_seconds(end - TOD_UNIX_EPOCH) - 0.001;
    return options->by > 0 ? (uint64_t)(seconds / options->by) : 0;
}

void report_run_add(struct report_run *run, const struct report_pair *pair)
{
    const struct report_options *o = run->options;
    uint64_t stretch = stretch_of(o, pair->now->time);
    for (unsigned i = 0; i < run->report->blocks; i++) {
        struct block_run *b = &run->block[i];
        if (!b->known)
            continue;
        if (o->by > 0 && b->rows.pairs && stretch_of(o, b->rows.to) != stretch) {
            if (is_log(run, b))
                log_block(run, b);
            else
                report_run_stretch(run);
        }
        add_block(run, b, pair);
        if (o->by <= 0 && is_log(run, b))
            log_block(run, b);
    }
    if (o->by <= 0 && o->interim)
        report_run_stretch(run);
}

// --- the report -------------------------------------------------------------------------------

void report_run_init(struct report_run *run, const struct report *report,
                     const struct report_options *options)
{
    *run = (struct report_run){.report = report, .options = options};
    run->block = mem_zero(report->blocks + 1, sizeof *run->block);
    for (unsigned i = 0; i < report->blocks; i++)
        block_run_init(&run->block[i], &report->block[i]);
}

void report_run_want(const struct report_run *run, bool wanted[RECORD_COUNT])
{
    for (unsigned i = 0; i < run->report->blocks; i++)
        block_run_want(&run->block[i], wanted);
}

// What is left, then the logs one after the other.
void report_run_end(struct report_run *run)
{
    report_run_stretch(run);
    for (unsigned i = 0; i < run->report->blocks; i++) {
        struct block_run *b = &run->block[i];
        if (!b->known || !is_log(run, b))
            continue;
        log_block(run, b);
        table_heading(&run->text, style_of(run), 4, "%s", b->block->title);
        if (!b->open)
            continue;
        table_end(&b->text, style_of(run));
        text_add(&run->text, text_get(&b->text), b->text.len);
        run->stretches++;
    }
    if (!run->stretches)
        table_note(&run->text, style_of(run), "There are no two samples to compare.");
}

void report_run_free(struct report_run *run)
{
    for (unsigned i = 0; i < run->report->blocks; i++)
        block_run_free(&run->block[i]);
    free(run->block);
    text_free(&run->text);
}
