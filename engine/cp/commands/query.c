// SPDX-License-Identifier: MIT
// QUERY: finds the topic; what is no topic is tried as a device number and then as a userid.
#include "cp/commands/query.h"

#include <stdio.h>
#include <string.h>

#include "cp/commands/format.h"
#include "cp/commands/verbs.h"
#include "cp/directory.h"

int query_user(struct command_call *call, const char *word)
{
    char userid[USERID_SIZE];
    if (!parse_userid(word, userid))
        return call_error(call, MESSAGE_invalid_query_option, word);
    struct vm *vm = cp_user(call->cp, userid);
    if (!vm)
        return call_error(call, MESSAGE_query_not_logged_on, userid);
    if (vm->logging_off)
        return call_error(call, MESSAGE_query_logoff_pending, userid);
    struct text line = {0};
    format_user(&line, vm);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

static int query_row(struct command_call *call, const struct command *row)
{
    call->next++;
    call->command = row;
    call->version = row->classes & call->classes;
    call->raw_operands = call_rest_raw(call);
    return row->run(call);
}

// Is the word a user that the directory or the list of users knows?
static bool known_user(const struct cp *cp, const char *word)
{
    return cp_user(cp, word) || directory_find(cp->directory, word);
}

static int query(struct command_call *call)
{
    const char *word = call_peek(call);
    unsigned pf;
    uint16_t first, last;
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    const struct command *row = command_find("QUERY", operand_is_pf(word, &pf) ? "PFNN" : word,
                                             call->classes, call->vm != NULL);
    if (!row) // VIRTUAL may be left out
        row = command_find("QUERY VIRTUAL", word, call->classes, call->vm != NULL);
    if (row)
        return query_row(call, row);
    if (call->word[call->next + 1] == NULL && known_user(call->cp, word))
        return query_user(call, word);
    row = command_find("QUERY", "<RDEV>", call->classes, call->vm != NULL);
    if (row && query_is_range(word, &first, &last)) {
        call->next--;
        return query_row(call, row);
    }
    return call_error(call, MESSAGE_invalid_query_option, word);
}

bool query_is_range(const char *word, uint16_t *first, uint16_t *last)
{
    char part[5];
    const char *dash = strchr(word, '-');
    size_t n = dash ? (size_t)(dash - word) : strlen(word);
    if (n == 0 || n > 4)
        return false;
    memcpy(part, word, n);
    part[n] = '\0';
    if (!parse_vdev(part, first))
        return false;
    *last = *first;
    return !dash || (parse_vdev(dash + 1, last) && *last >= *first);
}

static const struct command rows[] = {
    {"QUERY", 1, CLASS_ANY, true, query, "operand ...",
     "Shows a setting, a resource or a user. HELP QUERY lists the operands; a word that is none of "
     "them is taken as a real device number (class B) or as the userid of a user."},
};
COMMAND_TABLE(query_commands, NULL, rows);
