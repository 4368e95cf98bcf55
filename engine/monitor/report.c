// SPDX-License-Identifier: MIT
// Running reports over a file: which samples count, and the frame around what the reports print.
#include "monitor/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "monitor/report_fcx155.h"
#include "monitor/report_run.h"

const struct report *report_find(unsigned fcx)
{
    for (unsigned i = 0; i < report_count; i++)
        if (reports[i].fcx == fcx)
            return &reports[i];
    return NULL;
}

struct job {
    const struct report_options *options;
    struct report_stream stream;
    struct report_run *run;
    unsigned runs;
    struct mondata mondata;
    struct charts *charts; // NULL without a page
    uint64_t damages, pairs;
    char system[9];
};

#define DAY 86400.0

// A limit in seconds since 1970; one within a day is of the first sample's day.
static double limit_of(const struct job *job, double limit)
{
    if (limit <= 0 || limit >= DAY)
        return limit;
    double first = tod_to_seconds(job->stream.first - TOD_UNIX_EPOCH);
    return floor(first / DAY) * DAY + limit;
}

static bool selected(const struct job *job, const struct report_pair *pair)
{
    double from = limit_of(job, job->options->from), to = limit_of(job, job->options->to);
    if (to > 0 && from > 0 && to < from && job->options->to < DAY)
        to += DAY; // over midnight
    double begin = tod_to_seconds(pair->before->time - TOD_UNIX_EPOCH);
    double end = tod_to_seconds(pair->now->time - TOD_UNIX_EPOCH);
    return (from <= 0 || begin >= from - 0.001) && (to <= 0 || end <= to + 0.001);
}

static void on_pair(void *arg, const struct report_pair *pair)
{
    struct job *job = arg;
    if (!selected(job, pair))
        return;
    job->pairs++;
    for (unsigned i = 0; i < job->runs; i++)
        report_run_add(&job->run[i], pair);
    if (job->charts)
        charts_add(job->charts, pair);
}

static void on_record(void *arg, const struct reader_record *record)
{
    struct job *job = arg;
    struct record_value v;
    if (record->header.domain == DOMAIN_MONITOR && record->header.number == 4 &&
        record_value(record->raw, record->header.length, "SYSTMID", &v))
        ebcdic_field_text(v.bytes, 8, job->system, sizeof job->system);
    mondata_record(&job->mondata, record);
    report_stream_record(&job->stream, record);
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    struct job *job = arg;
    (void)offset;
    (void)reason;
    job->damages++;
    report_stream_damage(&job->stream);
}

// The reports that were asked for: one, or for a page all.
static void job_init(struct job *job, const struct report_options *options)
{
    *job = (struct job){.options = options};
    report_stream_init(&job->stream, on_pair, job);
    job->run = mem_zero(report_count, sizeof *job->run);
    for (unsigned i = 0; i < report_count; i++)
        if (reports[i].fcx == options->fcx || options->fcx == 0)
            report_run_init(&job->run[job->runs++], &reports[i], options);
    for (unsigned i = 0; i < job->runs; i++)
        report_run_want(&job->run[i], job->stream.wanted);
    if (options->html)
        job->charts = charts_new();
    if (job->charts)
        charts_want(job->charts, job->stream.wanted);
}

static void job_free(struct job *job)
{
    for (unsigned i = 0; i < job->runs; i++)
        report_run_free(&job->run[i]);
    free(job->run);
    charts_free(job->charts);
    report_stream_free(&job->stream);
    mondata_free(&job->mondata);
}

// --- printing ----------------------------------------------------------------------------

static void print_notes(struct job *job, struct text *out, const struct table_style *style)
{
    const struct report_stream *s = &job->stream;
    if (s->gaps)
        table_note(out, style,
                   "* Samples are missing at %" PRIu64
                   " places; figures are of the longer interval.",
                   s->gaps);
    if (s->left_out)
        table_note(out, style, "%" PRIu64 " samples were not whole and are left out.", s->left_out);
    if (job->damages)
        table_note(out, style,
                   "The input is damaged in %" PRIu64 " places: figures are of what could be read.",
                   job->damages);
}

static void print_about(const struct job *job, struct text *out, const struct table_style *style)
{
    char from[32], to[32];
    const struct report_stream *s = &job->stream;
    report_time(s->first, true, from);
    report_time(s->last, true, to);
    if (s->samples)
        table_note(out, style, "%s%s%" PRIu64 " samples from %s to %s UTC%s",
                   job->system[0] ? job->system : "", job->system[0] ? ", " : "", s->samples, from,
                   to, s->subintervals ? ", with those of subintervals" : "");
    else
        table_note(out, style, "There are no samples.");
}

static void print_report(struct job *job, struct report_run *run, FILE *out)
{
    const struct report *r = run->report;
    const struct table_style *style = job->options->html ? &table_html : &table_plain;
    struct text head = {0};
    if (job->options->html)
        table_heading(&head, style, 2, "FCX%u  %s  %s", r->fcx, r->name, r->title);
    else
        text_printf(&head, "FCX%u  %s  %s\n", r->fcx, r->name, r->title);
    fputs(text_get(&head), out);
    text_free(&head);
    if (!r->block) {
        fputs(job->options->html ? "<pre>" : "", out);
        mondata_print(&job->mondata, out);
        fputs(job->options->html ? "</pre>\n" : "", out);
        return;
    }
    report_run_end(run);
    fputs(text_get(&run->text), out);
}

static void print_page(struct job *job, FILE *out)
{
    struct text text = {0};
    html_begin(out, job->system[0] ? job->system : "Monitor data");
    print_about(job, &text, &table_html);
    print_notes(job, &text, &table_html);
    fputs(text_get(&text), out);
    text_free(&text);
    charts_print(job->charts, out);
    for (unsigned i = 0; i < job->runs; i++) {
        fprintf(out, "<details%s><summary>FCX%u %s, %s</summary>\n", job->runs == 1 ? " open" : "",
                job->run[i].report->fcx, job->run[i].report->name, job->run[i].report->title);
        print_report(job, &job->run[i], out);
        fputs("</details>\n", out);
    }
    html_end(out);
}

static void print_plain(struct job *job, FILE *out)
{
    struct text text = {0};
    for (unsigned i = 0; i < job->runs; i++) {
        fputs(i ? "\n" : "", out);
        print_report(job, &job->run[i], out);
    }
    text_puts(&text, "\n");
    if (job->options->fcx != 155)
        print_about(job, &text, &table_plain);
    print_notes(job, &text, &table_plain);
    if (text.len > 1)
        fputs(text_get(&text), out);
    text_free(&text);
}

static const struct reader_ops ops = {on_record, on_damage};

static void job_print(struct job *job, FILE *out)
{
    if (job->options->html)
        print_page(job, out);
    else
        print_plain(job, out);
}

int report_bytes(const void *bytes, size_t n, const struct report_options *options, FILE *out)
{
    struct job job;
    struct reader *reader = mem_alloc(sizeof *reader);
    job_init(&job, options);
    reader_init(reader, &ops, &job);
    reader_feed(reader, bytes, n);
    reader_finish(reader);
    free(reader);
    job_print(&job, out);
    int rc = job.damages != 0;
    job_free(&job);
    return rc;
}

int report_file(const char *path, const struct report_options *options, FILE *out,
                struct text *error)
{
    struct job job;
    if (options->fcx != 0 && !report_find(options->fcx)) {
        text_printf(error, "there is no report FCX%u", options->fcx);
        return -1;
    }
    job_init(&job, options);
    int rc = reader_file(path, &ops, &job, error);
    if (rc >= 0)
        job_print(&job, out);
    job_free(&job);
    return rc;
}

// --- docs/reports.md ---------------------------------------------------------------------

// A bar would end the cell.
static void document_expression(const char *expression, FILE *out)
{
    fputc('`', out);
    for (; *expression; expression++)
        fprintf(out, *expression == '|' ? "\\|" : "%c", *expression);
    fputc('`', out);
}

static void document_block(const struct report_block *block, FILE *out)
{
    const struct record_layout *layout = record_layout(block->domain, block->number);
    fprintf(out, "\n**%s** (", block->title);
    if (block->shape == SHAPE_ROWS || block->shape == SHAPE_ROWS_LOG)
        fprintf(out, "a line for each %s",
                layout ? record_per_names[layout->per] : "thing of an unknown record");
    else
        fprintf(out, "%s", block->shape == SHAPE_LOG ? "a line for each interval" : "a form");
    fprintf(out, "; names without a record are of D%uR%u)\n\n| column | from |\n|---|---|\n",
            block->domain, block->number);
    for (unsigned i = 0; i < block->columns; i++) {
        const struct report_column *c = &block->column[i];
        fprintf(out, "| %s%s%s | ", c->head[0], *c->head[0] && *c->head[1] ? " " : "", c->head[1]);
        if (*c->expression)
            document_expression(c->expression, out);
        fprintf(out, "%s |\n", *c->expression ? "" : "(empty)");
    }
}

void report_document(FILE *out)
{
    fprintf(
        out,
        "# Reports\n\nMade by `endicott document reports` from the tables that the reports work "
        "with.\n\n`d(F)` is what field F counted (a span in seconds), `v(F)` its value (the mean "
        "of the samples), `b(F)` that of a\nuser's base CPU, `c(F)` its value in the "
        "configuration, `n(F)` how many records have it, `a(F)` how many\nusers, CPUs or devices "
        "counted anything; `t` the seconds for which a line was measured, `T` those that passed;\n"
        "`x | y` is y where x is not in the input. F is a field of the block's own record, or "
        "`DdRr.NAME`\n(see [records.md](records.md)). What cannot be said is printed as `....`.\n");
    for (unsigned i = 0; i < report_count; i++) {
        const struct report *r = &reports[i];
        fprintf(out, "\n## FCX%u %s: %s\n", r->fcx, r->name, r->title);
        if (r->note)
            fprintf(out, "\n%s\n", r->note);
        for (unsigned b = 0; b < r->blocks; b++)
            document_block(&r->block[b], out);
    }
}
