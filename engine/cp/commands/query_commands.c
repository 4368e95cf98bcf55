// SPDX-License-Identifier: MIT
// COMMANDS and QUERY COMMANDS: what the issuer may use.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/commands/table.h"
#include "cp/diagnose.h"

struct names {
    const struct command **row;
    unsigned count;
};

static int by_name(const void *a, const void *b)
{
    const struct command *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static bool is_under(const struct command_table *t, const char *under)
{
    return t->under == under || (t->under && under && strcmp(t->under, under) == 0);
}

static bool allowed(const struct command_call *call, const struct command *row)
{
    return row->classes == CLASS_ANY || (row->classes & call->classes);
}

// Rows under `under` that the issuer may use, sorted; free row.
static struct names gather(const struct command_call *call, const char *under)
{
    struct names names = {0};
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; is_under(t, under) && i < t->count; i++) {
            if (!allowed(call, &t->rows[i]))
                continue;
            names.row = mem_resize(names.row, names.count + 1, sizeof(struct command *));
            names.row[names.count++] = &t->rows[i];
        }
    if (names.count)
        qsort(names.row, names.count, sizeof(struct command *), by_name);
    return names;
}

static void flush(struct command_call *call, struct text *line)
{
    while (line->len && line->s[line->len - 1] == ' ')
        line->s[--line->len] = '\0';
    if (line->len)
        call_line(call, "%s", text_get(line));
    text_clear(line);
}

static void show_names(struct command_call *call)
{
    struct names names = gather(call, NULL);
    struct text line = {0};
    const char *last = "";
    unsigned n = 0;
    for (unsigned i = 0; i < names.count; i++) {
        bool letter = names.row[i]->alias_of && !names.row[i]->name[1]; // D is no command's name
        if (letter || strcmp(names.row[i]->name, last) == 0)
            continue;
        last = names.row[i]->name;
        text_printf(&line, "%-12s", last);
        if (++n % 6 == 0)
            flush(call, &line);
    }
    flush(call, &line);
    n = 0;
    for (const struct diagnose_row *d = diagnose_rows(); d->run; d++) {
        if (d->classes != CLASS_ANY && !(d->classes & call->classes))
            continue;
        text_printf(&line, "DIAG%02X%*s", d->code, d->code > 0xFF ? 5 : 6, "");
        if (++n % 6 == 0)
            flush(call, &line);
    }
    flush(call, &line);
    text_free(&line);
    free(names.row);
}

static void put_operand(struct text *line, const struct command *row)
{
    struct text entry = {0};
    text_printf(&entry, "%-12s IBMCLASS=", row->name);
    class_set_print(&entry, row->classes);
    text_printf(line, "%-40s", text_get(&entry));
    text_free(&entry);
}

static void show_operands(struct command_call *call, const char *verb)
{
    struct names names = gather(call, verb);
    struct text line = {0};
    if (names.count)
        call_line(call, "AUTHORIZED %s OPERANDS:", verb);
    for (unsigned i = 0; i < names.count; i++) {
        put_operand(&line, names.row[i]);
        if (i % 2 == 1)
            flush(call, &line);
    }
    flush(call, &line);
    text_free(&line);
    free(names.row);
}

static int show_command(struct command_call *call, const char *word)
{
    struct text line = {0};
    const struct command *row = command_find(NULL, word, call->classes, true);
    if (!row)
        return call_error(call, MESSAGE_unknown_command, word);
    const char *name = row->alias_of ? row->alias_of : row->name;
    text_printf(&line, "%s IBMCLASS=", name);
    class_set_print(&line, row->classes);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    show_operands(call, name);
    return 0;
}

static int query_commands(struct command_call *call)
{
    const char *word;
    int rc = 0;
    if (!call_peek(call))
        show_names(call);
    while (rc == 0 && (word = call_take(call)))
        rc = show_command(call, word);
    return rc;
}

static const struct command top_rows[] = {
    {"COMMANDS", 3, CLASS_ANY, false, query_commands, "[command ...]",
     "Lists the commands and DIAGNOSE codes you may use, or the classes of a command and, for "
     "QUERY, "
     "SET and the like, of its operands."},
};
static const struct command query_rows[] = {
    {"COMMANDS", 3, CLASS_ANY, false, query_commands, "[command ...]",
     "Lists the commands and DIAGNOSE codes you may use, or the classes of a command and its "
     "operands."},
};
COMMAND_TABLE(commands_commands, NULL, top_rows);
COMMAND_TABLE(query_commands_commands, "QUERY", query_rows);
