// SPDX-License-Identifier: MIT
// Spool files in SQLite: one row a file, one row a record. Without a folder the database is in
// memory; with one, a file that was closed is durable.
#include "cp/spool.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"

#define MAX_FILE_ID 9999u

// Every statement the spool uses, prepared once.
#define STATEMENTS(X)                                                                              \
    X(INSERT, "INSERT INTO file(owner,origin,queue,origin_type,class,id,open,created) "            \
              "VALUES(?1,?2,?3,?4,?5,0,1,?6)")                                                     \
    X(APPEND, "INSERT INTO record(file,number,command,bytes) VALUES(?1,?2,?3,?4)")                 \
    X(UPDATE, "UPDATE file SET owner=?2,queue=?3,class=?4,copies=?5,hold=?6,keep=?7,open=?8,"      \
              "in_use=?9,form=?10,distribution=?11,name=?12,type=?13,records=?14,length=?15,"      \
              "id=?16 WHERE row=?1")                                                               \
    X(PURGE_RECORDS, "DELETE FROM record WHERE file=?1")                                           \
    X(PURGE, "DELETE FROM file WHERE row=?1")                                                      \
    X(LIST, "SELECT " COLUMNS " FROM file WHERE open=0 AND (?1 IS NULL OR owner=?1) AND queue=?2 " \
            "ORDER BY position,row")                                                               \
    X(COUNT, "SELECT count(*) FROM file WHERE open=0 AND owner=?1 AND queue=?2")                   \
    X(FIND, "SELECT " COLUMNS " FROM file WHERE open=0 AND owner=?1 AND queue=?2 AND id=?3")       \
    X(NEXT, "SELECT " COLUMNS " FROM file WHERE open=0 AND owner=?1 AND queue=0 AND hold=0 AND "   \
            "in_use=0 AND (?2='*' OR class='*' OR class=?2) ORDER BY position,row LIMIT 1")        \
    X(READ, "SELECT command,bytes FROM record WHERE file=?1 AND number=?2")                        \
    X(ID_USED, "SELECT 1 FROM file WHERE owner=?1 AND id=?2")                                      \
    X(ORDER, "UPDATE file SET position=(SELECT min(position) FROM file)-1 WHERE row=?1")           \
    X(BEGIN, "BEGIN")                                                                              \
    X(COMMIT, "COMMIT")

#define COLUMNS                                                                                \
    "row,id,owner,origin,queue,origin_type,class,records,length,copies,hold,keep,open,in_use," \
    "form,distribution,name,type,created"

enum statement_id {
#define X(id, sql) SQL_##id,
    STATEMENTS(X)
#undef X
        SQL_COUNT_OF
};

static const char *const statement_text[] = {
#define X(id, sql) sql,
    STATEMENTS(X)
#undef X
};

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS file(row INTEGER PRIMARY KEY AUTOINCREMENT,id INTEGER,owner TEXT,"
    "origin TEXT,queue INTEGER,origin_type TEXT,class TEXT,records INTEGER DEFAULT 0,"
    "length INTEGER DEFAULT 0,copies INTEGER DEFAULT 1,hold INTEGER DEFAULT 0,"
    "keep INTEGER DEFAULT 0,open INTEGER,in_use INTEGER DEFAULT 0,form TEXT DEFAULT 'STANDARD',"
    "distribution TEXT DEFAULT '',name TEXT DEFAULT '',type TEXT DEFAULT '',created INTEGER,"
    "position INTEGER DEFAULT 0);"
    "CREATE INDEX IF NOT EXISTS file_owner ON file(owner,queue,id);"
    "CREATE TABLE IF NOT EXISTS record(file INTEGER,number INTEGER,command INTEGER,bytes BLOB,"
    "PRIMARY KEY(file,number)) WITHOUT ROWID;"
    // What was open when the system last ended is not a file.
    "DELETE FROM record WHERE file IN (SELECT row FROM file WHERE open=1);"
    "DELETE FROM file WHERE open=1;"
    "UPDATE file SET in_use=0;";

struct spool {
    sqlite3 *db;
    sqlite3_stmt *statement[SQL_COUNT_OF];
    unsigned nesting;
    uint64_t created, purged;
};

static bool prepare_all(struct spool *spool)
{
    for (unsigned i = 0; i < SQL_COUNT_OF; i++)
        if (sqlite3_prepare_v3(spool->db, statement_text[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &spool->statement[i], NULL) != SQLITE_OK)
            return false;
    return true;
}

struct spool *spool_new(const char *folder, struct text *errors)
{
    struct spool *spool = mem_zero(1, sizeof *spool);
    struct text path = {0};

    if (folder)
        text_printf(&path, "%s/spool.db", folder);
    else
        text_puts(&path, ":memory:");
    if (sqlite3_open(text_get(&path), &spool->db) != SQLITE_OK ||
        sqlite3_exec(spool->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(spool->db, schema, NULL, NULL, NULL) != SQLITE_OK || !prepare_all(spool)) {
        text_printf(errors, "%s: %s\n", text_get(&path), sqlite3_errmsg(spool->db));
        spool_free(spool);
        spool = NULL;
    }
    text_free(&path);
    return spool;
}

void spool_free(struct spool *spool)
{
    if (!spool)
        return;
    for (unsigned i = 0; i < SQL_COUNT_OF; i++)
        sqlite3_finalize(spool->statement[i]);
    sqlite3_close(spool->db);
    free(spool);
}

// --- small things about statements -----------------------------------------------------

static void bind_number(sqlite3_stmt *s, int at, int64_t value)
{
    sqlite3_bind_int64(s, at, value);
}

static void bind_string(sqlite3_stmt *s, int at, const char *value)
{
    sqlite3_bind_text(s, at, value, -1, SQLITE_TRANSIENT);
}

static void bind_class(sqlite3_stmt *s, int at, char class)
{
    sqlite3_bind_text(s, at, &class, 1, SQLITE_TRANSIENT);
}

static bool run(sqlite3_stmt *s)
{
    bool ok = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return ok;
}

static void column_string(sqlite3_stmt *s, int at, char *out, size_t size)
{
    const char *text = (const char *)sqlite3_column_text(s, at);
    copy_text(out, size, text ? text : "");
}

// In the order of COLUMNS.
static void row_to_file(sqlite3_stmt *s, struct spool_file *f)
{
    char class[2];

    *f = (struct spool_file){.row = sqlite3_column_int64(s, 0),
                             .id = (unsigned)sqlite3_column_int(s, 1),
                             .queue = (enum spool_queue)sqlite3_column_int(s, 4),
                             .records = (unsigned)sqlite3_column_int(s, 7),
                             .record_length = (unsigned)sqlite3_column_int(s, 8),
                             .copies = (unsigned)sqlite3_column_int(s, 9),
                             .hold = sqlite3_column_int(s, 10) != 0,
                             .keep = sqlite3_column_int(s, 11) != 0,
                             .open = sqlite3_column_int(s, 12) != 0,
                             .in_use = sqlite3_column_int(s, 13) != 0,
                             .created = sqlite3_column_int64(s, 18)};
    column_string(s, 2, f->owner, sizeof f->owner);
    column_string(s, 3, f->origin, sizeof f->origin);
    column_string(s, 5, f->origin_type, sizeof f->origin_type);
    column_string(s, 6, class, sizeof class);
    f->spool_class = class[0];
    column_string(s, 14, f->form, sizeof f->form);
    column_string(s, 15, f->distribution, sizeof f->distribution);
    column_string(s, 16, f->name, sizeof f->name);
    column_string(s, 17, f->type, sizeof f->type);
}

void spool_begin(struct spool *spool)
{
    if (spool->nesting++ == 0)
        run(spool->statement[SQL_BEGIN]);
}

void spool_commit(struct spool *spool)
{
    if (--spool->nesting == 0)
        run(spool->statement[SQL_COMMIT]);
}

// --- files --------------------------------------------------------------------------------

struct spool_file *spool_create(struct spool *spool, const char *owner, const char *origin,
                                enum spool_queue queue, const char *origin_type, char spool_class,
                                int64_t now)
{
    struct spool_file *file = mem_zero(1, sizeof *file);
    sqlite3_stmt *s = spool->statement[SQL_INSERT];

    spool->created++;
    copy_text(file->owner, sizeof file->owner, owner);
    copy_text(file->origin, sizeof file->origin, origin);
    copy_text(file->origin_type, sizeof file->origin_type, origin_type);
    strcpy(file->form, "STANDARD");
    file->queue = queue;
    file->spool_class = spool_class;
    file->copies = 1;
    file->open = true;
    file->created = now;
    bind_string(s, 1, owner);
    bind_string(s, 2, origin);
    bind_number(s, 3, queue);
    bind_string(s, 4, origin_type);
    bind_class(s, 5, spool_class);
    bind_number(s, 6, now);
    run(s);
    file->row = sqlite3_last_insert_rowid(spool->db);
    return file;
}

void spool_append(struct spool *spool, struct spool_file *file, uint8_t command, const void *bytes,
                  size_t n)
{
    sqlite3_stmt *s = spool->statement[SQL_APPEND];

    bind_number(s, 1, file->row);
    bind_number(s, 2, file->records++);
    bind_number(s, 3, command);
    sqlite3_bind_blob(s, 4, bytes, (int)n, SQLITE_TRANSIENT);
    run(s);
    if (n > file->record_length)
        file->record_length = (unsigned)n;
}

static bool id_used(struct spool *spool, const char *owner, unsigned id)
{
    sqlite3_stmt *s = spool->statement[SQL_ID_USED];

    bind_string(s, 1, owner);
    bind_number(s, 2, id);
    bool used = sqlite3_step(s) == SQLITE_ROW;
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return used;
}

static unsigned free_id(struct spool *spool, const char *owner)
{
    unsigned id = 1;

    while (id < MAX_FILE_ID && id_used(spool, owner, id))
        id++;
    return id;
}

void spool_update(struct spool *spool, const struct spool_file *f)
{
    sqlite3_stmt *s = spool->statement[SQL_UPDATE];

    bind_number(s, 1, f->row);
    bind_string(s, 2, f->owner);
    bind_number(s, 3, f->queue);
    bind_class(s, 4, f->spool_class);
    bind_number(s, 5, f->copies);
    bind_number(s, 6, f->hold);
    bind_number(s, 7, f->keep);
    bind_number(s, 8, f->open);
    bind_number(s, 9, f->in_use);
    bind_string(s, 10, f->form);
    bind_string(s, 11, f->distribution);
    bind_string(s, 12, f->name);
    bind_string(s, 13, f->type);
    bind_number(s, 14, f->records);
    bind_number(s, 15, f->record_length);
    bind_number(s, 16, f->id);
    run(s);
}

void spool_close(struct spool *spool, struct spool_file *file)
{
    file->id = free_id(spool, file->owner);
    file->open = false;
    spool_update(spool, file);
}

void spool_totals(const struct spool *spool, uint64_t *created, uint64_t *purged)
{
    *created = spool ? spool->created : 0;
    *purged = spool ? spool->purged : 0;
}

void spool_purge(struct spool *spool, const struct spool_file *file)
{
    spool->purged++;
    spool_begin(spool);
    bind_number(spool->statement[SQL_PURGE_RECORDS], 1, file->row);
    run(spool->statement[SQL_PURGE_RECORDS]);
    bind_number(spool->statement[SQL_PURGE], 1, file->row);
    run(spool->statement[SQL_PURGE]);
    spool_commit(spool);
}

void spool_order(struct spool *spool, const struct spool_file *file)
{
    spool_begin(spool);
    bind_number(spool->statement[SQL_ORDER], 1, file->row);
    run(spool->statement[SQL_ORDER]);
    spool_commit(spool);
}

unsigned spool_give(struct spool *spool, struct spool_file *file, const char *owner,
                    enum spool_queue queue)
{
    if (strcmp(file->owner, owner) != 0) {
        copy_text(file->owner, sizeof file->owner, owner);
        file->id = free_id(spool, owner);
    }
    file->queue = queue;
    spool_update(spool, file);
    return file->id;
}

void spool_list(struct spool *spool, const char *owner, enum spool_queue queue,
                void (*fn)(void *arg, const struct spool_file *file), void *arg)
{
    sqlite3_stmt *s = spool->statement[SQL_LIST];
    struct spool_file *found = NULL;
    size_t count = 0;

    if (owner)
        bind_string(s, 1, owner);
    bind_number(s, 2, queue);
    while (sqlite3_step(s) == SQLITE_ROW) {
        found = mem_resize(found, count + 1, sizeof *found);
        row_to_file(s, &found[count++]);
    }
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    // Gathered first: fn may change the spool.
    for (size_t i = 0; i < count; i++)
        fn(arg, &found[i]);
    free(found);
}

unsigned spool_count(struct spool *spool, const char *owner, enum spool_queue queue)
{
    sqlite3_stmt *s = spool->statement[SQL_COUNT];
    unsigned count = 0;

    bind_string(s, 1, owner);
    bind_number(s, 2, queue);
    if (sqlite3_step(s) == SQLITE_ROW)
        count = (unsigned)sqlite3_column_int(s, 0);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return count;
}

static bool one_file(sqlite3_stmt *s, struct spool_file *out)
{
    bool found = sqlite3_step(s) == SQLITE_ROW;

    if (found)
        row_to_file(s, out);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return found;
}

bool spool_find(struct spool *spool, const char *owner, enum spool_queue queue, unsigned id,
                struct spool_file *out)
{
    sqlite3_stmt *s = spool->statement[SQL_FIND];

    bind_string(s, 1, owner);
    bind_number(s, 2, queue);
    bind_number(s, 3, id);
    return one_file(s, out);
}

bool spool_next_reader(struct spool *spool, const char *owner, char spool_class,
                       struct spool_file *out)
{
    sqlite3_stmt *s = spool->statement[SQL_NEXT];

    bind_string(s, 1, owner);
    bind_class(s, 2, spool_class);
    return one_file(s, out);
}

int spool_read(struct spool *spool, const struct spool_file *file, unsigned number,
               uint8_t *command, void *bytes, size_t size)
{
    sqlite3_stmt *s = spool->statement[SQL_READ];
    int n = -1;

    bind_number(s, 1, file->row);
    bind_number(s, 2, number);
    if (sqlite3_step(s) == SQLITE_ROW) {
        n = sqlite3_column_bytes(s, 1);
        if (command)
            *command = (uint8_t)sqlite3_column_int(s, 0);
        if ((size_t)n > size)
            n = (int)size;
        if (n)
            memcpy(bytes, sqlite3_column_blob(s, 1), (size_t)n);
    }
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return n;
}
