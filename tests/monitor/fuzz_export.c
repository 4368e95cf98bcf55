// SPDX-License-Identifier: MIT
// Exports of a good file in which some bytes are others: every form that makes lines, each record
// it is given.
#include <stdio.h>
#include <stdlib.h>

#include "monitor/export.h"
#include "sample_system.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Lines must be whole, and nothing may be in them that ends a line early.
static bool sink_write(void *arg, const char *lines, size_t n)
{
    uint64_t *sum = arg;
    if (n == 0 || lines[n - 1] != '\n' || memchr(lines, '\0', n))
        abort();
    for (size_t i = 0; i < n; i++)
        *sum += (uint8_t)lines[i];
    return true;
}

struct job {
    const struct export_form *form;
    void *state;
};

static void on_record(void *arg, const struct reader_record *record)
{
    const struct job *job = arg;
    if (record->layout)
        job->form->record(job->state, record);
}

static void export_as(const char *name, const char *records, const uint8_t *bytes, size_t size)
{
    static const struct reader_ops ops = {on_record, NULL};
    struct text error = {0};
    uint64_t sum = 0;
    struct export_sink sink = {sink_write, &sum};
    bool wanted[RECORD_COUNT];
    struct job job = {.form = export_form(name, false)};
    struct reader reader;
    if (!export_select(records, wanted, &error))
        abort();
    job.state = job.form->begin(&sink, NULL, wanted, &error);
    reader_init(&reader, &ops, &job);
    reader_feed(&reader, bytes, size);
    reader_finish(&reader);
    job.form->end(job.state, &error);
    text_free(&error);
}

static const struct text *good_file(void)
{
    static struct sample_file *f;
    const struct sample_what what = {0};
    if (f)
        return &f->out;
    f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    sample_everything(f, 60, &what);
    uint8_t *partition = sample_record(f, 0, 16); // a list after the fields
    sample_put(partition, "LCUPCPCT", 0);
    sample_end(f, SAMPLE_SET);
    stream_end(&f->out);
    return &f->out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const forms[] = {"jsonl", "influx", "openmetrics", "prometheus"};
    const struct text *good = good_file();
    struct text t = {0};
    text_add(&t, good->s, good->len);
    for (size_t i = 0; i + 4 <= size && i < 128; i += 4)
        t.s[(be32_load(data + i) >> 8) % t.len] = (char)data[i + 3];
    export_as(forms[size % 4], NULL, (const uint8_t *)t.s, t.len);
    if (size % 3 == 0) // the same without what was good
        export_as("jsonl", NULL, data, size);
    text_free(&t);
    return 0;
}
