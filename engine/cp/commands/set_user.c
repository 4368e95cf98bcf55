// SPDX-License-Identifier: MIT
// SET and QUERY of what ties a user to others and to the system: SECUSER, OBSERVER, PRIVCLASS,
// LOGMSG.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/directory.h"
#include "cp/system_config.h"

// SET SECUSER [userid] {secondary | OFF | RESET}: the first operand names the user when two are
// given, which is for classes A and C.
static int take_subject(struct command_call *call, struct vm **vm)
{
    *vm = call->vm;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    if (!call->word[call->next + 1])
        return 0;
    const char *word = call_peek(call);
    *vm = call_user(call);
    if (!*vm)
        return call->out->rc;
    if (*vm != call->vm && !(call->classes & (CLASS('A') | CLASS('C'))))
        return call_error(call, MESSAGE_invalid_operand, word);
    return 0;
}

static int set_secuser(struct command_call *call)
{
    struct vm *vm;
    char userid[USERID_SIZE] = "";
    if (take_subject(call, &vm))
        return call->out->rc;
    if (call_keyword(call, "RESET", 5))
        snprintf(userid, sizeof userid, "%.8s", vm->entry->console.secondary);
    else if (!call_keyword(call, "OFF", 3) && take_known_user(call, userid))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    memcpy(vm->secondary, userid, sizeof userid);
    call_line(call, "SECUSER of %s %s", vm->userid, userid[0] ? "initiated." : "terminated.");
    return 0;
}

static int set_observer(struct command_call *call)
{
    struct vm *vm;
    char userid[USERID_SIZE] = "";
    if (take_subject(call, &vm))
        return call->out->rc;
    if (!call_keyword(call, "OFF", 3) && take_known_user(call, userid))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    memcpy(vm->observer, userid, sizeof userid);
    call_line(call, "OBSERVER of %s %s", vm->userid, userid[0] ? "initiated." : "terminated.");
    return 0;
}

static int query_secuser(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && !(vm = call_user(call)))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (vm->secondary[0])
        call_line(call, "SECUSER OF %s IS %s", vm->userid, vm->secondary);
    else
        call_line(call, "SECUSER IS UNDEFINED");
    return 0;
}

static int query_observer(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && !(vm = call_user(call)))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (!vm->observer[0]) {
        call_line(call, "OBSERVER IS UNDEFINED");
        return 0;
    }
    const struct vm *observer = cp_user(call->cp, vm->observer);
    call_line(call, "OBSERVER %s IS %s", vm->observer,
              !observer            ? "NOT LOGGED ON"
              : observer->terminal ? "LOGGED ON"
                                   : "DISCONNECTED");
    return 0;
}

// "=ABG", "+C", "-B" or "ABG" applied to a set. A user may only give up what the directory has.
static bool change_classes(const char *word, class_set *classes)
{
    class_set named;
    char sign = strchr("=+-", word[0]) ? *word++ : '=';
    if (!class_set_parse(word, &named))
        return false;
    if (sign == '+')
        *classes |= named;
    else if (sign == '-')
        *classes &= ~named;
    else
        *classes = named;
    return true;
}

static void show_classes(struct command_call *call, const struct vm *vm)
{
    char now[33], directory[33];
    class_set_format(vm->classes, now);
    class_set_format(vm->entry->classes, directory);
    call_line(call, "Privilege classes for user %s", vm->userid);
    call_line(call, "         Currently: %s", now);
    call_line(call, "         Directory: %s", directory);
}

static int query_privclass(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && !(vm = call_user(call)))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (vm != call->vm && !(call->classes & (CLASS('C') | CLASS('E'))))
        return call_error(call, MESSAGE_invalid_operand, vm->userid);
    show_classes(call, vm);
    return 0;
}

static int set_privclass(struct command_call *call)
{
    struct vm *vm = call_user(call);
    const char *word = vm ? call_take(call) : NULL;
    if (!vm)
        return call->out->rc;
    if (!word)
        return call_error(call, MESSAGE_class_missing);
    bool others = (call->classes & CLASS('C')) != 0;
    class_set classes = vm->classes;
    if (!change_classes(word, &classes))
        return call_error(call, MESSAGE_class_missing);
    if (!others && (vm != call->vm || (classes & ~vm->entry->classes) ||
                    !call->cp->config->features.set_privclass))
        return call_error(call, MESSAGE_invalid_operand, word);
    if (call_end(call))
        return call->out->rc;
    vm->classes = classes;
    show_classes(call, vm);
    return 0;
}

// The lines of the log message as a list; line numbers count from 1.
static void replace_line(struct text *text, const char *old, uint64_t number, const char *line)
{
    uint64_t n = 1;
    for (; old && *old; n++) {
        size_t length = strcspn(old, "\n");
        if (n != number)
            text_printf(text, "%.*s\n", (int)length, old);
        else if (*line)
            text_printf(text, "%s\n", line);
        old += length + (old[length] == '\n');
    }
    if (number >= n && *line)
        text_printf(text, "%s\n", line);
}

static int set_logmsg(struct command_call *call)
{
    struct text text = {0};
    uint64_t number = UINT64_MAX;
    const char *word = call_peek(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (call_keyword(call, "NULL", 4)) {
        if (call_end(call))
            return call->out->rc;
    } else {
        if (text_to_u64(word, 10, 999, &number))
            call->next++;
        replace_line(&text, call->cp->log_message, number, call_rest_raw(call));
    }
    free(call->cp->log_message);
    call->cp->log_message = text.len ? mem_string(text.s) : NULL;
    text_free(&text);
    return 0;
}

static int query_logmsg(struct command_call *call)
{
    const char *text = call->cp->log_message;
    if (call_end(call))
        return call->out->rc;
    if (!text || !*text) {
        call_line(call, "There is no logmsg data");
        return 0;
    }
    while (*text) {
        size_t n = strcspn(text, "\n");
        call_line(call, "%s%.*s", *text == '*' ? "" : "* ", (int)n, text);
        text += n + (text[n] == '\n');
    }
    return 0;
}

static const struct command set_rows[] = {
    {"SECUSER", 3, CLASS('A') | CLASS('C') | CLASS('G'), false, set_secuser,
     "[userid] {secondary | OFF | RESET}",
     "Names the secondary user, who sees the console of a disconnected user and answers it with "
     "SEND. Another userid than yours: class A or C."},
    {"OBSERVER", 3, CLASS('A') | CLASS('C') | CLASS('G'), false, set_observer,
     "[userid] {observer | OFF}",
     "Names the observer, who sees what the user's console shows. Another userid than yours: class "
     "A or C."},
    {"PRIVCLASS", 5, CLASS_ANY, false, set_privclass, "{* | userid} [= | + | -]classes",
     "Changes privilege classes until logoff. Class C changes anyone's; others give up and take "
     "back what their directory entry has, when the system's features allow it."},
    {"LOGMSG", 3, CLASS('B'), false, set_logmsg, "{[nnn] text | NULL}",
     "Changes line nnn of the log message, or adds a line; NULL deletes them all."},
};
static const struct command query_rows[] = {
    {"SECUSER", 3, CLASS_ANY, false, query_secuser, "[userid]", "Shows the secondary user."},
    {"OBSERVER", 3, CLASS_ANY, false, query_observer, "[userid]",
     "Shows the observer and whether it is logged on."},
    {"PRIVCLASS", 5, CLASS_ANY, false, query_privclass, "[userid | *]",
     "Shows the privilege classes of a user, now and in the directory. Another user's: C or E."},
    {"LOGMSG", 3, CLASS_ANY, true, query_logmsg, "", "Shows the log message of the day."},
};
COMMAND_TABLE(set_user_commands, "SET", set_rows);
COMMAND_TABLE(query_set_user_commands, "QUERY", query_rows);
