// SPDX-License-Identifier: MIT
// The one list of all command tables, and look-up by abbreviation.
#include "cp/commands/table.h"
#include "cp/commands/network.h"

#include <string.h>

extern struct command_table verb_commands, help_commands, query_commands, query_users_commands,
    message_commands, set_commands, query_set_commands, set_share_commands, query_share_commands,
    set_user_commands, query_set_user_commands, terminal_commands, query_terminal_commands,
    set_pf_commands, query_pf_commands, session_commands, machine_commands, system_commands,
    ipl_commands, display_commands, store_commands, trace_commands, trace_operand_commands,
    query_trace_commands, define_verb_commands, define_commands, set_machine_commands,
    detach_verb_commands, detach_commands, link_commands, query_link_commands,
    query_machine_commands, query_virtual_commands, spool_setting_commands, spool_file_commands,
    query_spool_commands, real_device_commands, query_real_commands, admin_commands,
    query_host_commands, set_host_commands, indicate_verb_commands, indicate_commands,
    segment_commands, query_segment_commands, recording_commands, query_recording_commands,
    commands_commands, query_commands_commands;

static struct command_table *const own[] = {
    &verb_commands,
    &help_commands,
    &query_commands,
    &query_users_commands,
    &message_commands,
    &set_commands,
    &query_set_commands,
    &set_share_commands,
    &query_share_commands,
    &set_user_commands,
    &query_set_user_commands,
    &terminal_commands,
    &query_terminal_commands,
    &set_pf_commands,
    &query_pf_commands,
    &session_commands,
    &machine_commands,
    &system_commands,
    &ipl_commands,
    &display_commands,
    &store_commands,
    &trace_commands,
    &trace_operand_commands,
    &query_trace_commands,
    &define_verb_commands,
    &define_commands,
    &set_machine_commands,
    &detach_verb_commands,
    &detach_commands,
    &link_commands,
    &query_link_commands,
    &query_machine_commands,
    &query_virtual_commands,
    &spool_setting_commands,
    &spool_file_commands,
    &query_spool_commands,
    &real_device_commands,
    &query_real_commands,
    &admin_commands,
    &query_host_commands,
    &set_host_commands,
    &indicate_verb_commands,
    &indicate_commands,
    &segment_commands,
    &query_segment_commands,
    &recording_commands,
    &query_recording_commands,
    &commands_commands,
    &query_commands_commands,
};

static struct command_table *tables;
static bool registered; // by the first system of this process

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
    if (registered)
        return;
    registered = true; // the families below call command_register() themselves
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        append(own[i]);
    network_commands_register();
}

void command_register(struct command_table *table)
{
    register_own();
    append(table);
}

const struct command_table *command_tables(void)
{
    register_own();
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
