// SPDX-License-Identifier: MIT
// OpenMetrics: a family zvm_RECORD_FIELD_unit for each counter and gauge, labelled with what the
// record is about; texts in zvm_RECORD_info. Of a running system the last sample and configuration;
// of a file all samples with their times, so that they can be loaded into a time series database.
//
// The older text format of Prometheus differs in that a counter's family is named with its _total,
// and in not knowing infos, units and the end.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "monitor/export.h"
#include "monitor/export_labels.h"

struct entry {
    unsigned kind;
    size_t at, length;
    char *labels; // user="LINUX1",vcpu="0"
};

struct store {
    struct entry *entry;
    unsigned count, cap;
    uint8_t *pool;
    size_t used, size;
};

struct export_metrics {
    bool wanted[RECORD_COUNT];
    bool history;
    struct store building, sample, config; // with history all is in `building`
    tod_t time;                            // of the last sample
    uint64_t samples;
};

static void store_clear(struct store *store)
{
    for (unsigned i = 0; i < store->count; i++)
        free(store->entry[i].labels);
    store->count = 0;
    store->used = 0;
}

static void store_free(struct store *store)
{
    store_clear(store);
    free(store->entry);
    free(store->pool);
}

static void store_add(struct store *store, unsigned kind, const uint8_t *raw, size_t length)
{
    if (store->count == store->cap) {
        store->cap = store->cap ? 2 * store->cap : 64;
        store->entry = mem_resize(store->entry, store->cap, sizeof *store->entry);
    }
    if (store->used + length > store->size) {
        store->size = 2 * (store->used + length);
        store->pool = mem_resize(store->pool, store->size, 1);
    }
    memcpy(store->pool + store->used, raw, length);
    store->entry[store->count++] = (struct entry){kind, store->used, length, NULL};
    store->used += length;
}

struct export_metrics *export_metrics_new(const bool *wanted, bool history)
{
    struct export_metrics *m = mem_zero(1, sizeof *m);
    memcpy(m->wanted, wanted, sizeof m->wanted);
    m->history = history;
    return m;
}

static struct store store_copy(const struct store *from)
{
    struct store to = {
        .count = from->count, .cap = from->count, .used = from->used, .size = from->used};
    to.entry = mem_alloc((to.count + 1) * sizeof *to.entry);
    to.pool = mem_alloc(to.used + 1);
    for (unsigned i = 0; i < to.count; i++) {
        to.entry[i] = from->entry[i];
        to.entry[i].labels = NULL;
    }
    if (to.used)
        memcpy(to.pool, from->pool, to.used);
    return to;
}

struct export_metrics *export_metrics_copy(const struct export_metrics *m)
{
    struct export_metrics *copy = export_metrics_new(m->wanted, false);
    copy->sample = store_copy(&m->sample);
    copy->config = store_copy(&m->config);
    copy->time = m->time;
    copy->samples = m->samples;
    return copy;
}

void export_metrics_free(struct export_metrics *m)
{
    if (!m)
        return;
    store_free(&m->building);
    store_free(&m->sample);
    store_free(&m->config);
    free(m);
}

// The set is over: of a running system it takes the place of the one before.
static void close_set(struct export_metrics *m, tod_t time, bool configuration)
{
    if (!configuration) {
        m->time = time;
        m->samples++;
    }
    if (m->history)
        return;
    struct store *place = configuration ? &m->config : &m->sample, old = *place;
    *place = m->building;
    m->building = old;
    store_clear(&m->building);
}

void export_metrics_record(struct export_metrics *m, const uint8_t *raw, size_t length,
                           bool configuration)
{
    struct record_header header;
    if (!record_header(raw, length, &header))
        return;
    const struct record_layout *layout = record_layout(header.domain, header.number);
    if (header.domain == DOMAIN_MONITOR && header.number == 11) {
        close_set(m, header.time, configuration);
        return;
    }
    if (!layout || !m->wanted[layout - record_layouts] || layout->class == CLASS_CONTROL ||
        layout->class == CLASS_EVENT || (m->history && configuration))
        return;
    store_add(&m->building, (unsigned)(layout - record_layouts), raw, length);
}

// --- text -------------------------------------------------------------------------------

struct printer {
    bool openmetrics, history;
    const struct export_sink *sink; // NULL: all stays in `out`
    bool failed;
    struct text *out;
};

static void flush(struct printer *p)
{
    if (!p->sink || !p->out->len)
        return;
    p->failed = p->failed || !p->sink->write(p->sink->arg, p->out->s, p->out->len);
    text_clear(p->out);
}

static void add_label(struct text *out, const char *name, const char *value)
{
    text_puts(out, out->len ? "," : "");
    export_lower(name, out);
    text_puts(out, "=\"");
    for (; *value; value++)
        text_printf(out, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    text_puts(out, "\"");
}

static char *labels_of(const struct record_layout *layout, const uint8_t *raw, size_t length)
{
    struct export_labels labels;
    struct text text = {0};
    export_labels(layout, raw, length, &labels);
    for (unsigned i = 0; i < labels.count; i++)
        add_label(&text, labels.label[i].name, labels.label[i].value);
    return text.s ? text.s : mem_string("");
}

// One series after the other, each in time.
struct sorted {
    const struct store *store;
    const struct entry *entry;
};

static int in_order(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    int order = strcmp(x->entry->labels, y->entry->labels);
    if (order)
        return order;
    uint64_t tx = be64_load(x->store->pool + x->entry->at + 8);
    uint64_t ty = be64_load(y->store->pool + y->entry->at + 8);
    return tx != ty ? (tx > ty) - (tx < ty)
                    : (x->entry->at > y->entry->at) - (x->entry->at < y->entry->at);
}

static bool same_point(const struct sorted *x, const struct sorted *y)
{
    return strcmp(x->entry->labels, y->entry->labels) == 0 &&
           be64_load(x->store->pool + x->entry->at + 8) ==
               be64_load(y->store->pool + y->entry->at + 8);
}

// The records of a kind, in order, without second ones of the same identity. Returns how many.
static unsigned sort_kind(struct store *const *stores, unsigned kind, struct sorted **out)
{
    unsigned n = 0, kept = 0;
    for (unsigned s = 0; s < 2; s++)
        for (unsigned i = 0; i < stores[s]->count; i++)
            n += stores[s]->entry[i].kind == kind;
    struct sorted *list = mem_zero(n + 1, sizeof *list);
    n = 0;
    for (unsigned s = 0; s < 2; s++)
        for (unsigned i = 0; i < stores[s]->count; i++) {
            struct entry *entry = &stores[s]->entry[i];
            if (entry->kind != kind)
                continue;
            if (!entry->labels)
                entry->labels =
                    labels_of(&record_layouts[kind], stores[s]->pool + entry->at, entry->length);
            list[n++] = (struct sorted){stores[s], entry};
        }
    qsort(list, n, sizeof *list, in_order);
    for (unsigned i = 0; i < n; i++)
        if (kept == 0 || !same_point(&list[kept - 1], &list[i]))
            list[kept++] = list[i];
    *out = list;
    return kept;
}

static void add_help(struct text *out, const char *s)
{
    for (; *s; s++)
        text_printf(out, *s == '\\' ? "\\\\" : "%c", *s);
}

static void add_time(const struct printer *p, const uint8_t *raw)
{
    int64_t ns = export_unix_ns(be64_load(raw + 8));
    if (p->history)
        text_printf(p->out, " %" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
    text_puts(p->out, "\n");
}

static void add_sample(const struct printer *p, const char *family, const char *suffix,
                       const struct sorted *s, const struct record_field *f, unsigned index)
{
    const uint8_t *raw = s->store->pool + s->entry->at;
    text_printf(p->out, "%s%s", family, suffix);
    if (*s->entry->labels || f->count > 1)
        text_printf(p->out, "{%s", s->entry->labels);
    if (f->count > 1)
        text_printf(p->out, "%selement=\"%u\"", *s->entry->labels ? "," : "", index);
    text_puts(p->out, *s->entry->labels || f->count > 1 ? "} " : " ");
    if (export_type(f) == EXPORT_TIME)
        text_printf(p->out, "%.6f", export_number(f, index, raw));
    else
        export_value(f, index, raw, s->entry->length, p->out);
    add_time(p, raw);
}

static bool is_metric(const struct record_layout *layout, unsigned field)
{
    const struct record_field *f = &layout->fields[field];
    bool number = f->type == FIELD_NUMBER || f->type == FIELD_SPAN || f->type == FIELD_TIME;
    bool kind = f->kind == KIND_COUNTER || f->kind == KIND_GAUGE || f->kind == KIND_HIGHWATER;
    for (unsigned i = 0; i < field; i++) // some layouts have a name twice
        if (layout->fields[i].type != FIELD_RESERVED &&
            strcmp(layout->fields[i].name, f->name) == 0)
            return false;
    return number && kind && f->length <= 8;
}

static void family_name(const struct record_layout *layout, const struct record_field *f,
                        struct text *out)
{
    const char *unit = f->type == FIELD_TIME ? "timestamp_seconds" : export_unit(f);
    text_puts(out, "zvm_");
    export_lower(layout->name + 2, out);
    text_puts(out, "_");
    export_lower(f->name, out);
    if (*unit)
        text_printf(out, "_%s", unit);
}

static void add_family(struct printer *p, const struct record_layout *layout,
                       const struct record_field *f, const struct sorted *list, unsigned n)
{
    struct text name = {0};
    bool counter = f->kind == KIND_COUNTER && f->type != FIELD_TIME;
    const char *suffix = counter ? "_total" : "", *family_suffix = p->openmetrics ? "" : suffix;
    const char *unit = f->type == FIELD_TIME ? "seconds" : export_unit(f);
    family_name(layout, f, &name);
    const char *family = text_get(&name);
    text_printf(p->out, "# TYPE %s%s %s\n", family, family_suffix, counter ? "counter" : "gauge");
    if (p->openmetrics && *unit)
        text_printf(p->out, "# UNIT %s %s\n", family, unit);
    text_printf(p->out, "# HELP %s%s ", family, family_suffix);
    add_help(p->out, *f->text ? f->text : f->name);
    text_puts(p->out, "\n");
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < f->count; k++)
            if (f->offset + (size_t)(k + 1) * f->length <= list[i].entry->length)
                add_sample(p, family, suffix, &list[i], f, k);
    text_free(&name);
    flush(p);
}

// What a record says in words.
static void add_info(struct printer *p, const struct record_layout *layout,
                     const struct sorted *list, unsigned n)
{
    struct text name = {0}, labels = {0}, value = {0};
    text_puts(&name, "zvm_");
    export_lower(layout->name + 2, &name);
    bool any = false;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t *raw = list[i].store->pool + list[i].entry->at;
        text_clear(&labels);
        text_puts(&labels, list[i].entry->labels);
        bool said = false;
        for (unsigned k = 0; k < layout->field_count; k++) {
            const struct record_field *f = &layout->fields[k];
            if (f->type != FIELD_TEXT || f->count > 1 || export_is_label(layout, f))
                continue;
            text_clear(&value);
            if (!export_value(f, 0, raw, list[i].entry->length, &value) || !value.len)
                continue;
            add_label(&labels, f->name, value.s);
            said = true;
        }
        if (!said)
            continue;
        if (!any)
            text_printf(p->out, "# TYPE %s%s %s\n# HELP %s%s %s\n", name.s,
                        p->openmetrics ? "" : "_info", p->openmetrics ? "info" : "gauge", name.s,
                        p->openmetrics ? "" : "_info", layout->title);
        any = true;
        text_printf(p->out, "%s_info{%s} 1\n", name.s, text_get(&labels));
    }
    text_free(&name);
    text_free(&labels);
    text_free(&value);
}

static void add_kind(struct printer *p, struct store *const *stores, unsigned kind)
{
    const struct record_layout *layout = &record_layouts[kind];
    struct sorted *list;
    unsigned n = sort_kind(stores, kind, &list);
    for (unsigned i = 0; n > 0 && i < layout->field_count && !p->failed; i++)
        if (is_metric(layout, i))
            add_family(p, layout, &layout->fields[i], list, n);
    if (n > 0 && !p->history)
        add_info(p, layout, list, n);
    free(list);
}

static void add_about(const struct export_metrics *m, const struct printer *p)
{
    const char *total = p->openmetrics ? "" : "_total";
    text_printf(p->out,
                "# TYPE zvm_samples%s counter\n# HELP zvm_samples%s Monitor samples so far.\n"
                "zvm_samples_total %" PRIu64 "\n",
                total, total, m->samples);
    if (m->samples)
        text_printf(p->out,
                    "# TYPE zvm_sample_timestamp_seconds gauge\n"
                    "# HELP zvm_sample_timestamp_seconds When the last sample was taken.\n"
                    "zvm_sample_timestamp_seconds %.6f\n",
                    (double)export_unix_ns(m->time) / 1e9);
}

static bool print(struct export_metrics *m, bool openmetrics, const struct export_sink *sink,
                  struct text *out)
{
    struct printer p = {openmetrics, m->history, sink, false, out};
    struct store *stores[2] = {m->history ? &m->building : &m->config, &m->sample};
    if (!m->history)
        add_about(m, &p);
    for (unsigned kind = 0; kind < RECORD_COUNT && !p.failed; kind++)
        if (m->wanted[kind])
            add_kind(&p, stores, kind);
    text_puts(out, openmetrics ? "# EOF\n" : "");
    flush(&p);
    return !p.failed;
}

void export_metrics_text(struct export_metrics *m, bool openmetrics, struct text *out)
{
    print(m, openmetrics, NULL, out);
}

// --- as forms of export ---------------------------------------------------------------------

struct metrics_export {
    struct export_sink sink;
    struct export_metrics *metrics;
    bool openmetrics;
};

static void *begin(const struct export_sink *sink, const bool *wanted, bool openmetrics)
{
    struct metrics_export *e = mem_zero(1, sizeof *e);
    e->sink = *sink;
    e->openmetrics = openmetrics;
    e->metrics = export_metrics_new(wanted, openmetrics);
    return e;
}

static void *openmetrics_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                               struct text *error)
{
    (void)path;
    (void)error;
    return begin(sink, wanted, true);
}

static void *prometheus_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                              struct text *error)
{
    (void)path;
    (void)error;
    return begin(sink, wanted, false);
}

static bool metrics_record(void *state, const struct reader_record *record)
{
    struct metrics_export *e = state;
    if ((record->target & TARGET_TYPE) != TARGET_EVENT)
        export_metrics_record(e->metrics, record->raw, record->header.length,
                              (record->target & TARGET_KIND) == TARGET_CONFIG);
    return true;
}

static bool metrics_end(void *state, struct text *error)
{
    struct metrics_export *e = state;
    struct text out = {0};
    (void)error;
    bool good = print(e->metrics, e->openmetrics, &e->sink, &out);
    text_free(&out);
    export_metrics_free(e->metrics);
    free(e);
    return good;
}

const struct export_form export_openmetrics = {
    "openmetrics", openmetrics_begin, metrics_record, metrics_end, false, true};
const struct export_form export_prometheus = {
    "prometheus", prometheus_begin, metrics_record, metrics_end, false, true};
