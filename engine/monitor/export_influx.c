// SPDX-License-Identifier: MIT
// InfluxDB line protocol: measurement zvm_RECORD, what the record is about as tags, the other
// fields with their names as fields, the time in nanoseconds. Integers are signed: what is larger
// is a float. Lists after the fields, flags' bytes and reserved fields are left out.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "monitor/export.h"
#include "monitor/export_labels.h"

struct influx {
    struct export_sink sink;
    struct text line, value;
    bool *left_out[RECORD_COUNT]; // by field: tags, and what has no place; made at first use
};

static void *influx_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                          struct text *error)
{
    struct influx *influx = mem_zero(1, sizeof *influx);
    (void)path;
    (void)wanted;
    (void)error;
    influx->sink = *sink;
    return influx;
}

// Commas, blanks and equals signs mean something in tags.
static void add_tag(struct text *line, const char *name, const char *value)
{
    if (!*value) // an empty tag is no tag
        return;
    text_printf(line, ",%s=", name);
    for (; *value; value++)
        text_printf(line, strchr(", =", *value) ? "\\%c" : "%c", *value);
}

static void add_string(struct text *line, const char *s)
{
    text_puts(line, "\"");
    for (; *s; s++)
        text_printf(line, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    text_puts(line, "\"");
}

static void add_field(struct influx *influx, const struct record_field *f, unsigned index,
                      const uint8_t *raw, size_t length, bool *first)
{
    text_clear(&influx->value);
    if (!export_value(f, index, raw, length, &influx->value))
        return;
    const char *value = text_get(&influx->value);
    text_puts(&influx->line, *first ? " " : ",");
    text_puts(&influx->line, f->name);
    if (f->count > 1)
        text_printf(&influx->line, "_%u", index);
    text_puts(&influx->line, "=");
    *first = false;
    if (export_type(f) == EXPORT_REAL || export_type(f) == EXPORT_INTEGER)
        text_add(&influx->line, value, influx->value.len);
    else
        add_string(&influx->line, value);
    // Integers are signed: what does not fit is a float.
    if (export_type(f) == EXPORT_INTEGER)
        text_puts(&influx->line, f->length == 8 && raw[f->offset + 8 * index] & 0x80 ? ".0" : "i");
}

static const bool *left_out(struct influx *influx, const struct record_layout *layout)
{
    bool **list = &influx->left_out[layout - record_layouts];
    if (*list)
        return *list;
    *list = mem_zero(layout->field_count + 1, sizeof **list);
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct record_field *f = &layout->fields[i];
        (*list)[i] =
            f->type == FIELD_RESERVED || f->type == FIELD_BYTES || export_is_label(layout, f);
    }
    return *list;
}

static bool influx_record(void *state, const struct reader_record *record)
{
    struct influx *influx = state;
    const struct record_layout *layout = record->layout;
    size_t length = record->header.length;
    struct export_labels labels;
    bool first = true;
    text_clear(&influx->line);
    text_puts(&influx->line, "zvm_");
    export_lower(layout->name + 2, &influx->line);
    export_labels(layout, record->raw, length, &labels);
    for (unsigned i = 0; i < labels.count; i++)
        add_tag(&influx->line, labels.label[i].name, labels.label[i].value);
    add_tag(&influx->line, "set", export_set_name(record->target));
    const bool *skip = left_out(influx, layout);
    for (unsigned i = 0; i < layout->field_count; i++)
        for (unsigned k = 0; !skip[i] && k < layout->fields[i].count; k++)
            add_field(influx, &layout->fields[i], k, record->raw, length, &first);
    if (first) // a line without a field is none
        return true;
    text_printf(&influx->line, " %" PRId64 "\n", export_unix_ns(record->header.time));
    return influx->sink.write(influx->sink.arg, influx->line.s, influx->line.len);
}

static bool influx_end(void *state, struct text *error)
{
    struct influx *influx = state;
    (void)error;
    text_free(&influx->line);
    text_free(&influx->value);
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        free(influx->left_out[i]);
    free(influx);
    return true;
}

const struct export_form export_influx = {"influx",   influx_begin, influx_record,
                                          influx_end, false,        false};
