// SPDX-License-Identifier: MIT
// The one list of all command tables, and look-up by abbreviation.
#include "cp/commands/table.h"

#include <pthread.h>
#include <string.h>

extern struct command_table verb_commands, help_commands, query_commands, query_users_commands,
    message_commands, set_commands, query_set_commands, set_share_commands, query_share_commands,
    set_user_commands, query_set_user_commands, terminal_commands, query_terminal_commands,
    set_pf_commands, query_pf_commands, session_commands;

static struct command_table *const own[] = {
    &verb_commands,           &help_commands,     &query_commands,          &query_users_commands,
    &message_commands,        &set_commands,      &query_set_commands,      &set_share_commands,
    &query_share_commands,    &set_user_commands, &query_set_user_commands, &terminal_commands,
    &query_terminal_commands, &set_pf_commands,   &query_pf_commands,       &session_commands,
};

static struct command_table *tables;
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void append(struct command_table *table)
{
    struct command_table **at = &tables;
    while (*at && *at != table)
        at = &(*at)->next;
    if (*at)
        return; // a second system in this process registers the same families again
    table->next = NULL;
    *at = table;
}

static void register_own(void)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        append(own[i]);
}

void command_register(struct command_table *table)
{
    pthread_once(&registered, register_own);
    append(table);
}

const struct command_table *command_tables(void)
{
    pthread_once(&registered, register_own);
    return tables;
}

static bool same_place(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool row_fits(const struct command *row, const char *word, class_set classes, bool logged_on)
{
    return (row->classes == CLASS_ANY || (row->classes & classes)) &&
           (logged_on || row->before_logon) && text_abbreviates(word, row->name, row->min);
}

const struct command *command_find(const char *under, const char *word, class_set classes,
                                   bool logged_on)
{
    for (const struct command_table *t = command_tables(); t; t = t->next) {
        if (!same_place(t->under, under))
            continue;
        for (unsigned i = 0; i < t->count; i++)
            if (row_fits(&t->rows[i], word, classes, logged_on))
                return &t->rows[i];
    }
    return NULL;
}
