// SPDX-License-Identifier: MIT
// CSV (RFC 4180): one kind of record to a sink, or each kind to a file of its own in a folder. The
// header line has units in brackets; an array has a column for each element. A field that the
// record does not have is empty. Lists after the fields are left out.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "monitor/export.h"

struct csv {
    struct export_sink sink; // write NULL: a file for each kind
    const char *folder;
    FILE *file[RECORD_COUNT];
    bool headed[RECORD_COUNT];
    struct text line, value, error;
};

static void *csv_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                       struct text *error)
{
    unsigned kinds = 0;
    (void)path;
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        kinds += wanted[i];
    if (kinds != 1) {
        text_puts(error, "one kind of record, please, or a folder for all of them");
        return NULL;
    }
    struct csv *csv = mem_zero(1, sizeof *csv);
    csv->sink = *sink;
    return csv;
}

static void *folder_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                          struct text *error)
{
    (void)sink;
    (void)wanted;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        text_printf(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct csv *csv = mem_zero(1, sizeof *csv);
    csv->folder = path;
    return csv;
}

static void add_cell(struct text *line, const char *s)
{
    text_puts(line, ",");
    if (!strpbrk(s, ",\"\r\n")) {
        text_puts(line, s);
        return;
    }
    text_puts(line, "\"");
    for (; *s; s++)
        text_printf(line, *s == '"' ? "\"\"" : "%c", *s);
    text_puts(line, "\"");
}

static void add_head(struct csv *csv, const struct record_field *f, unsigned index)
{
    const char *unit = *export_unit(f) ? export_unit(f) : f->type == FIELD_NUMBER ? f->unit : "";
    text_clear(&csv->value);
    text_puts(&csv->value, f->name);
    if (f->count > 1)
        text_printf(&csv->value, "_%u", index);
    if (*unit && f->kind != KIND_ID)
        text_printf(&csv->value, " [%s]", unit);
    add_cell(&csv->line, text_get(&csv->value));
}

static bool put_line(struct csv *csv, unsigned kind)
{
    char name[16], path[4096];
    text_puts(&csv->line, "\r\n");
    if (csv->sink.write)
        return csv->sink.write(csv->sink.arg, csv->line.s, csv->line.len);
    if (!csv->file[kind]) {
        export_record_name(&record_layouts[kind], name);
        snprintf(path, sizeof path, "%s/%s.csv", csv->folder, name);
        csv->file[kind] = fopen(path, "w");
    }
    bool good =
        csv->file[kind] && fwrite(csv->line.s, 1, csv->line.len, csv->file[kind]) == csv->line.len;
    if (!good && !csv->error.len)
        text_printf(&csv->error, "%s: %s", csv->folder, strerror(errno));
    return good;
}

static bool put_head(struct csv *csv, unsigned kind)
{
    const struct record_layout *layout = &record_layouts[kind];
    text_clear(&csv->line);
    text_puts(&csv->line, "time,set");
    for (unsigned i = 0; i < layout->field_count; i++)
        for (unsigned k = 0;
             layout->fields[i].type != FIELD_RESERVED && k < layout->fields[i].count; k++)
            add_head(csv, &layout->fields[i], k);
    csv->headed[kind] = true;
    return put_line(csv, kind);
}

static bool csv_record(void *state, const struct reader_record *record)
{
    struct csv *csv = state;
    const struct record_layout *layout = record->layout;
    unsigned kind = (unsigned)(layout - record_layouts);
    if (!csv->headed[kind] && !put_head(csv, kind))
        return false;
    text_clear(&csv->line);
    export_rfc3339(record->header.time, &csv->line);
    add_cell(&csv->line, export_set_name(record->target));
    for (unsigned i = 0; i < layout->field_count; i++)
        for (unsigned k = 0;
             layout->fields[i].type != FIELD_RESERVED && k < layout->fields[i].count; k++) {
            text_clear(&csv->value);
            export_value(&layout->fields[i], k, record->raw, record->header.length, &csv->value);
            add_cell(&csv->line, text_get(&csv->value));
        }
    return put_line(csv, kind);
}

static bool csv_end(void *state, struct text *error)
{
    struct csv *csv = state;
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        if (csv->file[i] && fclose(csv->file[i]) != 0 && !csv->error.len)
            text_printf(&csv->error, "%s: %s", csv->folder, strerror(errno));
    bool good = csv->error.len == 0;
    text_puts(error, text_get(&csv->error));
    text_free(&csv->line);
    text_free(&csv->value);
    text_free(&csv->error);
    free(csv);
    return good;
}

const struct export_form export_csv = {"csv", csv_begin, csv_record, csv_end, false, false};
const struct export_form export_csv_folder = {"csv",   folder_begin, csv_record,
                                              csv_end, true,         false};
