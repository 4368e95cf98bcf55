// SPDX-License-Identifier: MIT
// Exports and metrics behind endicott.h.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "endicott_private.h"
#include "monitor/export.h"

int endicott_export(const char *input, const struct endicott_export_options *options, char **error)
{
    struct text reason = {0};
    struct export_sink sink = {options->write, options->arg};
    const struct export_form *form = export_form(options->format, options->path != NULL);
    int rc = -1;
    if (form)
        rc = export_file(input, form, options->records, &sink, options->path, &reason);
    else if (export_form(options->format, !options->path))
        text_printf(&reason,
                    options->path ? "%s makes no files of its own" : "%s needs a file to write to",
                    options->format);
    else
        text_printf(&reason, "there is no format '%s'", options->format);
    if (rc != 0)
        *error = mem_string(text_get(&reason));
    text_free(&reason);
    return rc;
}

int endicott_export_schema(const struct endicott_export_options *options, char **error)
{
    struct text text = {0};
    bool wanted[RECORD_COUNT];
    bool good = export_select(options->records, wanted, &text);
    if (good) {
        export_schema(wanted, &text);
        if (!options->write(options->arg, text_get(&text), text.len)) {
            text_clear(&text);
            text_puts(&text, "cannot be written");
            good = false;
        }
    }
    if (!good)
        *error = mem_string(text_get(&text));
    text_free(&text);
    return good ? 0 : -1;
}

// --- metrics of a running system --------------------------------------------------------

struct endicott_metrics {
    struct endicott_subscription *sub;
    struct export_metrics *metrics;
    pthread_mutex_t lock; // records come on the front end's thread, readers on any
};

static void on_record(void *arg, const struct endicott_record *record)
{
    struct endicott_metrics *m = arg;
    pthread_mutex_lock(&m->lock);
    export_metrics_record(m->metrics, record->raw, record->length, record->configuration);
    pthread_mutex_unlock(&m->lock);
}

static void on_end(void *arg, tod_t time, bool subinterval)
{
    (void)arg;
    (void)time;
    (void)subinterval;
}

struct endicott_metrics *endicott_metrics_new(struct endicott *sys)
{
    struct endicott_metrics *m = mem_zero(1, sizeof *m);
    bool wanted[RECORD_COUNT];
    export_select(NULL, wanted, NULL);
    m->metrics = export_metrics_new(wanted, false);
    pthread_mutex_init(&m->lock, NULL);
    m->sub = endicott_subscribe(sys, true, on_record, on_end, m);
    if (m->sub)
        return m;
    endicott_metrics_free(m);
    return NULL;
}

char *endicott_metrics_text(struct endicott_metrics *m, bool openmetrics, size_t *size)
{
    struct text text = {0};
    pthread_mutex_lock(
        &m->lock); // no longer than a copy takes: records come with the system locked
    struct export_metrics *copy = export_metrics_copy(m->metrics);
    pthread_mutex_unlock(&m->lock);
    export_metrics_text(copy, openmetrics, &text);
    export_metrics_free(copy);
    *size = text.len;
    return text.s;
}

void endicott_metrics_free(struct endicott_metrics *m)
{
    if (!m)
        return;
    endicott_unsubscribe(m->sub);
    export_metrics_free(m->metrics);
    pthread_mutex_destroy(&m->lock);
    free(m);
}
