// SPDX-License-Identifier: MIT
// SQLite: a strict table for each kind of record, named D4R3, and a table meta with every column's
// unit, kind and meaning. All of it is one transaction, so that a database is whole or not there.
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "monitor/export.h"

struct database {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *insert[RECORD_COUNT];
    bool known[RECORD_COUNT];
    struct text sql, value;
    bool failed;
};

static bool run(struct database *d, const char *sql)
{
    d->failed = d->failed || sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK;
    return !d->failed;
}

static void *sqlite_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                          struct text *error)
{
    (void)sink;
    (void)wanted;
    struct database *d = mem_zero(1, sizeof *d);
    d->path = mem_string(path);
    bool exists = access(path, F_OK) == 0;
    if (exists || sqlite3_open(path, &d->db) != SQLITE_OK || !run(d, "BEGIN") ||
        !run(d, "CREATE TABLE meta(record TEXT NOT NULL, column TEXT NOT NULL, unit TEXT NOT NULL,"
                " kind TEXT NOT NULL, counts_since TEXT NOT NULL, meaning TEXT NOT NULL,"
                " PRIMARY KEY(record, column)) STRICT")) {
        text_printf(error, "%s: %s", path, exists ? "is there already" : sqlite3_errmsg(d->db));
        sqlite3_close(d->db);
        if (!exists)
            unlink(path);
        free(d->path);
        free(d);
        return NULL;
    }
    return d;
}

static const char *type_of(const struct record_field *f)
{
    enum export_type type = export_type(f);
    return type == EXPORT_INTEGER ? "INTEGER" : type == EXPORT_REAL ? "REAL" : "TEXT";
}

static void column_name(const struct record_field *f, unsigned index, struct text *out)
{
    text_printf(out, "\"%s", f->name);
    if (f->count > 1)
        text_printf(out, "_%u", index);
    text_puts(out, "\"");
}

static void add_meta(struct database *d, const char *record, const struct record_field *f,
                     unsigned index)
{
    sqlite3_stmt *s = NULL;
    text_clear(&d->value);
    text_puts(&d->value, f->name);
    if (f->count > 1)
        text_printf(&d->value, "_%u", index);
    const char *unit = *export_unit(f) || *f->unit == '\0' ? export_unit(f) : f->unit;
    if (sqlite3_prepare_v2(d->db, "INSERT OR IGNORE INTO meta VALUES(?,?,?,?,?,?)", -1, &s, NULL) !=
        SQLITE_OK) {
        d->failed = true;
        return;
    }
    const char *values[] = {
        record, text_get(&d->value), unit, field_kind_names[f->kind], field_reset_names[f->reset],
        f->text};
    for (int i = 0; i < 6; i++)
        sqlite3_bind_text(s, i + 1, values[i], -1, SQLITE_TRANSIENT);
    d->failed = d->failed || sqlite3_step(s) != SQLITE_DONE;
    sqlite3_finalize(s);
}

// Column names are made unique: some layouts have the same name twice.
static bool first_of_name(const struct record_layout *layout, unsigned field)
{
    for (unsigned i = 0; i < field; i++)
        if (layout->fields[i].type != FIELD_RESERVED &&
            strcmp(layout->fields[i].name, layout->fields[field].name) == 0)
            return false;
    return layout->fields[field].type != FIELD_RESERVED;
}

static void make_table(struct database *d, unsigned kind)
{
    const struct record_layout *layout = &record_layouts[kind];
    char record[16];
    unsigned columns = 2;
    struct text create = {0};
    export_record_name(layout, record);
    text_printf(&create, "CREATE TABLE %s(time TEXT NOT NULL, \"set\" TEXT NOT NULL", record);
    for (unsigned i = 0; i < layout->field_count; i++)
        for (unsigned k = 0; first_of_name(layout, i) && k < layout->fields[i].count; k++) {
            text_puts(&create, ", ");
            column_name(&layout->fields[i], k, &create);
            text_printf(&create, " %s", type_of(&layout->fields[i]));
            add_meta(d, record, &layout->fields[i], k);
            columns++;
        }
    text_puts(&create, ") STRICT");
    run(d, text_get(&create));
    text_clear(&create);
    text_printf(&create, "INSERT INTO %s VALUES(?", record);
    for (unsigned i = 1; i < columns; i++)
        text_puts(&create, ",?");
    text_puts(&create, ")");
    d->failed = d->failed || sqlite3_prepare_v2(d->db, text_get(&create), -1, &d->insert[kind],
                                                NULL) != SQLITE_OK;
    text_free(&create);
    d->known[kind] = true;
}

static void bind(struct database *d, sqlite3_stmt *s, int column, const struct record_field *f,
                 unsigned index, const struct reader_record *record)
{
    text_clear(&d->value);
    if (!export_value(f, index, record->raw, record->header.length, &d->value))
        sqlite3_bind_null(s, column);
    else if (export_type(f) == EXPORT_INTEGER) // 64 bits without a sign do not fit: as they are
        sqlite3_bind_int64(s, column, (sqlite3_int64)strtoull(text_get(&d->value), NULL, 10));
    else if (export_type(f) == EXPORT_REAL)
        sqlite3_bind_double(s, column, export_number(f, index, record->raw));
    else
        sqlite3_bind_text(s, column, text_get(&d->value), -1, SQLITE_TRANSIENT);
}

static bool sqlite_record(void *state, const struct reader_record *record)
{
    struct database *d = state;
    const struct record_layout *layout = record->layout;
    unsigned kind = (unsigned)(layout - record_layouts);
    if (!d->known[kind])
        make_table(d, kind);
    if (d->failed)
        return false;
    sqlite3_stmt *s = d->insert[kind];
    int column = 2;
    text_clear(&d->value);
    export_rfc3339(record->header.time, &d->value);
    sqlite3_bind_text(s, 1, text_get(&d->value), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, 2, export_set_name(record->target), -1, SQLITE_STATIC);
    for (unsigned i = 0; i < layout->field_count; i++)
        for (unsigned k = 0; first_of_name(layout, i) && k < layout->fields[i].count; k++)
            bind(d, s, ++column, &layout->fields[i], k, record);
    d->failed = sqlite3_step(s) != SQLITE_DONE;
    sqlite3_reset(s);
    return !d->failed;
}

static bool sqlite_end(void *state, struct text *error)
{
    struct database *d = state;
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        sqlite3_finalize(d->insert[i]);
    bool good = run(d, "COMMIT");
    if (!good)
        text_printf(error, "%s: %s", d->path, sqlite3_errmsg(d->db));
    sqlite3_close(d->db);
    if (!good)
        unlink(d->path);
    text_free(&d->sql);
    text_free(&d->value);
    free(d->path);
    free(d);
    return good;
}

const struct export_form export_sqlite = {"sqlite",   sqlite_begin, sqlite_record,
                                          sqlite_end, true,         false};
