// SPDX-License-Identifier: MIT
// The verbs that lead on to a table of operands, and the small ones that execute another command.
#include <stdio.h>
#include <string.h>

#include "cp/commands/table.h"
#include "cp/commands/verbs.h"

// SET PF5 and QUERY PF05 find the row that is listed as PFnn.
bool operand_is_pf(const char *word, unsigned *pf)
{
    uint64_t value;
    if (!word || strncmp(word, "PF", 2) != 0 || strlen(word) > 4 ||
        !text_to_u64(word + 2, 10, 24, &value) || value == 0)
        return false;
    *pf = (unsigned)value;
    return true;
}

bool operand_is_machine_mode(const char *word)
{
    return word && (strcmp(word, "ESA") == 0 || strcmp(word, "XA") == 0 ||
                    strcmp(word, "XC") == 0 || strcmp(word, "Z") == 0);
}

static int set(struct command_call *call)
{
    unsigned pf;
    if (operand_is_pf(call_peek(call), &pf))
        call->word[call->next] = "PFNN";
    return call_subcommand(call, "SET");
}

static int terminal(struct command_call *call)
{
    int rc;
    do
        rc = call_subcommand(call, "TERMINAL");
    while (rc == 0 && call_peek(call));
    return rc;
}

static int cp_verb(struct command_call *call)
{
    if (!call_peek(call)) {
        vm_stop(call->vm); // CP alone: to CP READ
        return 0;
    }
    return call_rest(call);
}

static void drop_line(struct response *out, const char *utf8)
{
    (void)out;
    (void)utf8;
}

static int silently(struct command_call *call)
{
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    struct response *shown = call->out, silent = {.line = drop_line};
    call->out = &silent;
    int rc = call_rest(call);
    memcpy(shown->message_id, silent.message_id, sizeof shown->message_id);
    return rc;
}

// FOR runs the command with the other user's classes and devices; its answer comes here.
static int for_user(struct command_call *call)
{
    struct vm *target = call_user(call);
    if (!target)
        return call->out->rc;
    if (!call_keyword(call, "CMD", 3) || !call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    call->vm = target;
    call->terminal = NULL;
    return call_rest(call);
}

static const struct command rows[] = {
    {"SET", 3, CLASS_ANY, false, set, "operand ...",
     "Changes a setting of your virtual machine or of the system. HELP SET lists the operands."},
    {"TERMINAL", 4, CLASS_ANY, false, terminal, "operand value ...",
     "Changes how your console behaves. Several operands with their values may follow each other. "
     "HELP TERMINAL lists them."},
    {"CP", 2, CLASS_ANY, true, cp_verb, "[command]",
     "Executes the command; alone, stops the virtual machine and enters CP READ."},
    {"SILENTLY", 7, CLASS_ANY, false, silently, "command",
     "Executes the command without showing its response; the return code is kept."},
    {"FOR", 3, CLASS('C') | CLASS('E'), false, for_user, "userid CMD command",
     "Executes the command as that user would, with the user's classes and devices, and shows the "
     "response here."},
};
COMMAND_TABLE(verb_commands, NULL, rows);
