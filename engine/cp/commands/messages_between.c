// SPDX-License-Identifier: MIT
// MESSAGE, MSGNOH, WARNING, SMSG and SEND: what one user sends to another.
#include <stdio.h>
#include <string.h>

#include "cp/commands/format.h"
#include "cp/commands/table.h"
#include "cp/star_msg.h"
#include "cp/vm_console.h"

enum kind { KIND_MSG, KIND_MSGNOH, KIND_WNG };

static const char *const kind_names[] = {"MSG", "MSG", "WNG"};

// A disconnected user's messages go to the secondary user, if that one is there to see them.
static bool is_watched(const struct vm *vm)
{
    const struct vm *secondary = vm->secondary[0] ? cp_user(vm->cp, vm->secondary) : NULL;
    return vm->terminal || (secondary && secondary->terminal);
}

// The reason why a message of this kind does not reach `to`, or NULL.
static const char *refusal(const struct vm *to, enum kind kind)
{
    if (kind == KIND_WNG ? !to->set.wng : !to->set.msg)
        return kind == KIND_WNG ? "WNG off" : "MSG off";
    if ((kind == KIND_WNG ? to->set.wng : to->set.msg) == ROUTE_IUCV)
        return NULL; // whoever listens at *MSG
    return is_watched(to) ? NULL : "disconnected";
}

// Before LOGON a terminal speaks as LOGN0020 or LOGL0003.
static void sender(const struct command_call *call, char name[9])
{
    const char *blank = call->terminal ? strrchr(call->terminal->name, ' ') : NULL;
    const char *device = blank ? blank + 1 : "";
    if (call->vm)
        snprintf(name, 9, "%s", call->vm->userid);
    else
        snprintf(name, 9, device[0] == 'L' ? "LOG%.5s" : "LOGN%.4s", device);
}

static void format_message(struct text *text, const struct command_call *call, const struct vm *to,
                           enum kind kind, const char *body)
{
    if (kind == KIND_MSGNOH) {
        text_puts(text, body);
        return;
    }
    char from[9];
    sender(call, from);
    if (to != call->cp->operator)
        text_puts(text, " ");
    format_clock(text, call->cp, clock_now(&call->cp->world->clock));
    text_printf(text, "  * %s FROM %-8s: %s", kind_names[kind], from, body);
}

static void deliver(struct command_call *call, struct vm *to, enum kind kind, const char *body)
{
    struct text text = {0};
    char from[9];
    to->messages++;
    sender(call, from);
    if ((kind == KIND_WNG ? to->set.wng : to->set.msg) == ROUTE_IUCV &&
        star_msg_send(to, kind == KIND_WNG ? MESSAGE_CLASS_WNG : MESSAGE_CLASS_MSG, from, body))
        return;
    format_message(&text, call, to, kind, body);
    vm_line(to, LINE_MESSAGE, text_get(&text));
    text_free(&text);
}

static int send_one(struct command_call *call, struct vm *to, enum kind kind, const char *body)
{
    const char *why = refusal(to, kind);
    if (!why) {
        deliver(call, to, kind, body);
        return 0;
    }
    bool off = strcmp(why, "disconnected") != 0;
    call_error(call, off ? MESSAGE_message_off : MESSAGE_not_receiving, to->userid, why);
    return 57; // informational, and yet the return code
}

static int send_all(struct command_call *call, enum kind kind, const char *body)
{
    for (struct vm *to = call->cp->users; to; to = to->next)
        if (!refusal(to, kind))
            deliver(call, to, kind, body);
    return 0;
}

// ALL is for the system's operators: classes A and B, and C for WARNING.
static bool may_send_all(const struct command_call *call, enum kind kind)
{
    class_set allowed = CLASS('A') | CLASS('B') | (kind == KIND_WNG ? CLASS('C') : 0);
    return (call->classes & allowed) != 0;
}

static int send_message(struct command_call *call, enum kind kind)
{
    const char *word = call_peek(call);
    struct vm *to = NULL;
    bool all = word && strcmp(word, "ALL") == 0 && may_send_all(call, kind);
    if (word && text_abbreviates(word, "OPERATOR", 2) && !cp_user(call->cp, word)) {
        to = call->cp->operator;
        if (!to)
            return call_error(call, MESSAGE_not_logged_on, "OPERATOR");
    }
    if (all || to)
        call->next++;
    else if (!(to = call_user(call)))
        return call->out->rc;
    const char *body = call_rest_raw(call);
    if (!*body)
        return call_error(call, MESSAGE_operand_missing);
    return all ? send_all(call, kind, body) : send_one(call, to, kind, body);
}

static int message(struct command_call *call)
{
    return send_message(call, KIND_MSG);
}

static int msgnoh(struct command_call *call)
{
    return send_message(call, KIND_MSGNOH);
}

static int warning(struct command_call *call)
{
    return send_message(call, KIND_WNG);
}

static int special_message(struct command_call *call)
{
    struct vm *to = call_user(call);
    if (!to)
        return call->out->rc;
    const char *body = call_rest_raw(call);
    if (!*body)
        return call_error(call, MESSAGE_operand_missing);
    if (to->set.smsg == ROUTE_IUCV &&
        star_msg_send(to, MESSAGE_CLASS_SMSG, call->vm->userid, body)) {
        to->messages++;
        return 0;
    }
    // SET SMSG ON is for VMCF, which nobody has authorized here.
    call_error(call, MESSAGE_message_off, to->userid,
               to->set.smsg == ROUTE_IUCV ? "not connected" : "SMSG off");
    return 57;
}

static bool may_send_to(const struct command_call *call, const struct vm *to)
{
    return (call->classes & CLASS('C')) || to == call->vm ||
           strcmp(to->secondary, call->vm->userid) == 0;
}

static int send_command(struct vm *to, const char *line)
{
    struct response out = response_to_vm(to);
    command_execute(to->cp, to, NULL, line, &out);
    return 0;
}

// As if it were typed at the other user's console.
static int send(struct command_call *call)
{
    bool as_command = call_keyword(call, "CP", 2);
    struct vm *to = call_user(call);
    if (!to)
        return call->out->rc;
    if (!may_send_to(call, to))
        return call_error(call, MESSAGE_invalid_userid, to->userid);
    const char *body = call_rest_raw(call);
    if (as_command || to->cp_read)
        return send_command(to, body);
    if (to->service)
        return to->service->input(to, body, call->out);
    if (vm_console_input(to, body))
        return 0;
    call_error(call, MESSAGE_not_receiving, to->userid, "not accepted");
    return 57;
}

static const struct command rows[] = {
    {"MESSAGE", 1, CLASS_ANY, true, message, "{userid | * | OPerator | ALL} text",
     "Shows the text on the user's console, with the time and your userid. ALL needs class A or B. "
     "Not received when the user is disconnected or has SET MSG OFF."},
    {"MSG", 3, CLASS_ANY, true, message, "", "", "MESSAGE"},
    {"MSGNOH", 6, CLASS('B'), false, msgnoh, "{userid | * | OPerator | ALL} text",
     "Shows the text on the user's console without a header."},
    {"WARNING", 1, CLASS('A') | CLASS('B') | CLASS('C'), false, warning,
     "{userid | * | OPerator | ALL} text",
     "Shows the text on the user's console even when that user has SET MSG OFF."},
    {"WNG", 3, CLASS('A') | CLASS('B') | CLASS('C'), false, warning, "", "", "WARNING"},
    {"SMSG", 2, CLASS_ANY, false, special_message, "{userid | *} text",
     "Gives the text to the program in the user's virtual machine, which must have SET SMSG IUCV "
     "and a path to *MSG."},
    {"SEND", 4, CLASS('C') | CLASS('G'), false, send, "[CP] userid [text]",
     "Gives the text to the user's console as if it were typed there; with CP, or while that user "
     "is "
     "in CP READ, it is executed as a CP command. Class G: only users whose secondary user you "
     "are."},
};
COMMAND_TABLE(message_commands, NULL, rows);
