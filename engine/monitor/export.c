// SPDX-License-Identifier: MIT
// Exporting a file, and what the forms share: which records, values and their units.
#include "monitor/export.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"

// --- which records ----------------------------------------------------------------------

void export_record_name(const struct record_layout *layout, char out[16])
{
    snprintf(out, 16, "D%uR%u", layout->domain % 100, layout->number % 1000);
}

static int find_record(const char *name)
{
    char number[16];
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        export_record_name(&record_layouts[i], number);
        if (strcmp(name, number) == 0 || strcmp(name, record_layouts[i].name) == 0)
            return (int)i;
    }
    return -1;
}

bool export_select(const char *records, bool wanted[RECORD_COUNT], struct text *error)
{
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        wanted[i] = !records && record_layouts[i].class != CLASS_CONTROL;
    while (records && *records) {
        char name[32];
        size_t n = strcspn(records, ",");
        snprintf(name, sizeof name, "%.*s", (int)(n < 31 ? n : 31), records);
        text_upper(name);
        int record = find_record(name);
        if (record < 0) {
            text_printf(error, "'%s' is not a record whose layout is known", name);
            return false;
        }
        wanted[record] = true;
        records += n + (records[n] == ',');
    }
    return true;
}

const char *export_set_name(uint32_t target)
{
    return (target & TARGET_TYPE) == TARGET_EVENT    ? "event"
           : (target & TARGET_KIND) == TARGET_CONFIG ? "configuration"
           : target & TARGET_SUBINTERVAL             ? "subinterval"
                                                     : "sample";
}

// --- values -----------------------------------------------------------------------------

// Units of the tables that are one thing, and what they are in ours.
static const struct {
    const char *table, *unit;
    double factor; // 0: as it is
} units[] = {
    {"128 us", "seconds", 128e-6},
    {"us", "seconds", 1e-6},
    {"ms", "seconds", 1e-3},
    {"1/100 s", "seconds", 0.01},
    {"30 s", "seconds", 30},
    {"s", "seconds", 0},
    {"bytes", "bytes", 0},
    {"pages", "pages", 0},
    {"frames", "frames", 0},
    {"blocks", "blocks", 0},
    {"packets", "packets", 0},
    {"messages", "messages", 0},
    {"transfers", "transfers", 0},
    {"requests", "requests", 0},
    {"slots", "slots", 0},
    {"users", "users", 0},
    {"files", "files", 0},
    {"cylinders", "cylinders", 0},
    {"tracks", "tracks", 0},
    {"%", "percent", 0},
    {"percent", "percent", 0},
    {"I/Os", "ios", 0},
    {"SIO", "ios", 0},
};

static int unit_of(const struct record_field *field)
{
    for (size_t i = 0; *field->unit && i < sizeof units / sizeof units[0]; i++)
        if (units[i].table[0] == field->unit[0] && strcmp(units[i].table, field->unit) == 0)
            return (int)i;
    return -1;
}

const char *export_unit(const struct record_field *field)
{
    int unit = unit_of(field);
    return field->type == FIELD_SPAN                     ? "seconds"
           : field->type != FIELD_NUMBER || unit < 0     ? ""
           : field->kind == KIND_ID || field->length > 8 ? ""
                                                         : units[unit].unit;
}

static double factor_of(const struct record_field *field)
{
    int unit = unit_of(field);
    return unit < 0 || field->kind == KIND_ID ? 0 : units[unit].factor;
}

enum export_type export_type(const struct record_field *field)
{
    switch (field->type) {
    case FIELD_TEXT:
        return EXPORT_TEXT;
    case FIELD_TIME:
        return EXPORT_TIME;
    case FIELD_SPAN:
        return EXPORT_REAL;
    case FIELD_NUMBER:
        return field->length > 8      ? EXPORT_BYTES
               : factor_of(field) > 0 ? EXPORT_REAL
                                      : EXPORT_INTEGER;
    default:
        return EXPORT_BYTES;
    }
}

int64_t export_unix_ns(tod_t time)
{
    bool before = time < TOD_UNIX_EPOCH;
    uint64_t tod = before ? TOD_UNIX_EPOCH - time : time - TOD_UNIX_EPOCH;
    int64_t ns = (int64_t)(tod / TOD_SECOND * 1000000000 + tod % TOD_SECOND * 1000 / 4096);
    return before ? -ns : ns;
}

void export_rfc3339(tod_t time, struct text *out)
{
    uint32_t ns;
    struct tod_calendar c = tod_calendar(time);
    tod_to_unix(time, &ns);
    text_printf(out, "%04d-%02d-%02dT%02d:%02d:%02d.%09" PRIu32 "Z", c.year, c.month, c.day, c.hour,
                c.minute, c.second, ns);
}

static uint64_t integer(const uint8_t *at, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n && i < 8; i++)
        v = v << 8 | at[i];
    return v;
}

double export_number(const struct record_field *field, unsigned index, const uint8_t *raw)
{
    uint64_t v = integer(raw + field->offset + (size_t)index * field->length, field->length);
    if (field->type == FIELD_SPAN)
        return tod_to_seconds(v);
    if (field->type == FIELD_TIME)
        return (double)export_unix_ns(v) / 1e9;
    return factor_of(field) > 0 ? (double)v * factor_of(field) : (double)v;
}

// Most of what is exported are small numbers: without printf.
static void add_integer(uint64_t v, struct text *out)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + v % 10);
    while (v /= 10);
    text_add(out, digits + at, sizeof digits - at);
}

static void add_bytes(const uint8_t *at, size_t n, struct text *out)
{
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%02X", at[i]);
}

static void add_text(const uint8_t *at, size_t n, struct text *out)
{
    char utf8[256 * 3 + 1];
    size_t k = ebcdic_to_utf8(codepage_default(), at, n < 256 ? n : 256, utf8, sizeof utf8);
    while (k > 0 && utf8[k - 1] == ' ')
        k--;
    text_add(out, utf8, k);
}

bool export_value(const struct record_field *field, unsigned index, const uint8_t *raw,
                  size_t length, struct text *out)
{
    size_t at = field->offset + (size_t)index * field->length;
    if (at + field->length > length)
        return false;
    switch (export_type(field)) {
    case EXPORT_INTEGER:
        add_integer(integer(raw + at, field->length), out);
        break;
    case EXPORT_REAL:
        text_printf(out, "%.9f", export_number(field, index, raw));
        break;
    case EXPORT_TIME:
        export_rfc3339(integer(raw + at, 8), out);
        break;
    case EXPORT_TEXT:
        add_text(raw + at, field->length, out);
        break;
    default:
        add_bytes(raw + at, field->length, out);
    }
    return true;
}

void export_quote(struct text *out, const char *s)
{
    text_puts(out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_printf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || *s == 0x7F)
            text_printf(out, "\\u%04x", (unsigned char)*s);
        else
            text_add(out, s, 1);
    }
    text_puts(out, "\"");
}

// --- a file -------------------------------------------------------------------------------

const struct export_form *export_form(const char *name, bool to_path)
{
    static const struct export_form *const forms[] = {
        &export_json,   &export_csv,         &export_csv_folder, &export_sqlite,
        &export_influx, &export_openmetrics, &export_prometheus};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i]->name, name) == 0 && forms[i]->to_path == to_path)
            return forms[i];
    return NULL;
}

struct job {
    const struct export_form *form;
    void *state;
    bool wanted[RECORD_COUNT];
    bool failed;
};

static void on_record(void *arg, const struct reader_record *record)
{
    struct job *job = arg;
    bool end_of_set = record->header.domain == DOMAIN_MONITOR && record->header.number == 11;
    if (!job->failed && record->layout &&
        (job->wanted[record->layout - record_layouts] || (end_of_set && job->form->wants_ends)))
        job->failed = !job->form->record(job->state, record);
}

int export_file(const char *input, const struct export_form *form, const char *records,
                const struct export_sink *sink, const char *path, struct text *error)
{
    static const struct reader_ops ops = {on_record, NULL};
    struct job job = {.form = form};
    struct text writing = {0};
    if (!export_select(records, job.wanted, error))
        return -1;
    job.state = form->begin(sink, path, job.wanted, error);
    if (!job.state)
        return -1;
    int rc = reader_file(input, &ops, &job, error);
    if (!form->end(job.state, &writing) || job.failed) {
        text_clear(error);
        text_puts(error, writing.len ? text_get(&writing) : "what was read cannot be written");
        rc = -1;
    }
    text_free(&writing);
    return rc;
}

// --- schema -------------------------------------------------------------------------------

static void schema_field(const char *record, const struct record_layout *layout,
                         const struct record_field *f, struct text *out)
{
    static const char *const types[] = {"integer", "real", "text", "time", "bytes"};
    text_printf(out,
                "{\"schema\":\"%s\",\"record\":\"%s\",\"name\":\"%s\",\"field\":", EXPORT_SCHEMA,
                record, layout->name);
    export_quote(out, f->name);
    text_printf(out, ",\"type\":\"%s\",\"kind\":\"%s\",\"unit\":", types[export_type(f)],
                field_kind_names[f->kind]);
    export_quote(out, *export_unit(f) || *f->unit == '\0' ? export_unit(f) : f->unit);
    text_printf(out, ",\"elements\":%u,\"counts_since\":\"%s\",\"meaning\":", f->count,
                field_reset_names[f->reset]);
    export_quote(out, f->text);
    text_puts(out, "}\n");
}

void export_schema(const bool *wanted, struct text *out)
{
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *layout = &record_layouts[i];
        char record[16];
        export_record_name(layout, record);
        for (unsigned k = 0; wanted[i] && k < layout->field_count; k++)
            if (layout->fields[k].type != FIELD_RESERVED)
                schema_field(record, layout, &layout->fields[k], out);
    }
}
