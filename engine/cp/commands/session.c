// SPDX-License-Identifier: MIT
// Sessions: LOGOFF, DISCONNECT, FORCE, SIGNAL, AUTOLOG, XAUTOLOG.
#include <stdio.h>
#include <string.h>

#include "cp/commands/format.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/commands/verbs.h"
#include "cp/directory.h"
#include "cp/system_config.h"

static int logoff(struct command_call *call)
{
    call_keyword(call, "HOLD", 2); // dial-up lines had one to keep
    if (call_end(call))
        return call->out->rc;
    vm_logoff(call->vm, NULL);
    return 0;
}

static int disconnect(struct command_call *call)
{
    call_keyword(call, "HOLD", 2);
    if (call_end(call))
        return call->out->rc;
    vm_disconnect(call->vm);
    return 0;
}

// --- FORCE and SIGNAL --------------------------------------------------------

// The event is the user's own, which logoff cancels; its argument is the forcing user's name in the
// directory, which outlives both.
static void force_due(struct event *event, void *arg)
{
    struct vm *vm = (struct vm *)((char *)event - offsetof(struct vm, delayed));
    const struct directory_user *by = arg;
    vm_logoff(vm, by->userid);
}

static void force_later(struct command_call *call, struct vm *vm, unsigned seconds)
{
    vm->logging_off = true;
    event_cancel(&call->cp->world->events, &vm->delayed);
    event_init(&vm->delayed, force_due, (void *)(uintptr_t)call->vm->entry);
    event_schedule(&call->cp->world->events, &vm->delayed,
                   clock_now(&call->cp->world->clock) + seconds * TOD_SECOND);
}

// Asks the guest to shut down and logs it off when the time is over. False: it does not listen.
static bool signal_shutdown(struct command_call *call, struct vm *vm, unsigned seconds)
{
    if (seconds == 0 || !vm_signal_shutdown(vm))
        return false;
    force_later(call, vm, seconds);
    call_error(call, MESSAGE_termination_delayed, vm->userid, seconds);
    return true;
}

static int force(struct command_call *call)
{
    struct vm *vm = call_user(call);
    uint64_t seconds = call->cp->config->signal_shutdown_time;
    if (!vm)
        return call->out->rc;
    if (vm->logging_off)
        return call_error(call, MESSAGE_force_logoff_pending, vm->userid);
    if (call_keyword(call, "DISCONNECT", 6)) {
        if (call_end(call))
            return call->out->rc;
        if (vm->terminal)
            vm_disconnect(vm);
        return 0;
    }
    call_keyword(call, "LOGOFF", 3);
    if (call_keyword(call, "IMMEDIATE", 5))
        seconds = 0;
    else if (call_keyword(call, "WITHIN", 6) && take_number(call, 1, 65535, &seconds))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (!signal_shutdown(call, vm, (unsigned)seconds))
        vm_logoff(vm, call->vm->userid);
    return 0;
}

static int signal_all(struct command_call *call, unsigned seconds)
{
    for (struct vm *vm = call->cp->users; vm; vm = vm->next)
        if (!vm->logging_off)
            signal_shutdown(call, vm, seconds);
    return 0;
}

static int signal_verb(struct command_call *call)
{
    uint64_t seconds = call->cp->config->signal_shutdown_time;
    struct vm *vm = NULL;
    if (!call_keyword(call, "SHUTDOWN", 8))
        return call_error(call, MESSAGE_operand_missing);
    bool all = call_keyword(call, "ALL", 3);
    if (!all && !(vm = call_user(call)))
        return call->out->rc;
    if (call_keyword(call, "WITHIN", 6) && take_number(call, 1, 65535, &seconds))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (all)
        return signal_all(call, (unsigned)seconds);
    if (vm->logging_off)
        return call_error(call, MESSAGE_force_logoff_pending, vm->userid);
    if (!signal_shutdown(call, vm, (unsigned)seconds))
        return call_error(call, MESSAGE_not_signal_enabled, vm->userid);
    return 0;
}

// --- AUTOLOG and XAUTOLOG ----------------------------------------------------

// Storage for what the operands point to while the user is logged on.
struct autolog {
    char userid[USERID_SIZE];
    const struct directory_user *entry;
    struct logon_options options;
    const char *password;
};

static int take_target(struct command_call *call, struct autolog *a)
{
    if (!parse_userid(call_take(call), a->userid))
        return call_error(call, MESSAGE_userid_missing);
    a->entry = directory_find(call->cp->directory, a->userid);
    if (!a->entry)
        return call_error(call, MESSAGE_user_not_in_directory, a->userid);
    struct vm *vm = cp_user(call->cp, a->userid);
    if (vm && vm->logging_off)
        return call_error(call, MESSAGE_logon_logoff_pending, a->userid);
    if (vm)
        return call_error(call, MESSAGE_already_logged_on,
                          vm->terminal ? vm->terminal->name : "DISC");
    a->options.autolog = true;
    a->options.by = call->vm->userid;
    return 0;
}

// Text after CMD or # is stacked as console input for the new user.
static bool take_data(struct command_call *call, struct autolog *a)
{
    const char *raw = call_rest_raw(call);
    if (call_keyword(call, "CMD", 3))
        raw = call_rest_raw(call);
    else if (*raw == '#')
        raw++;
    else
        return false;
    a->options.data = raw;
    call->next = call->words;
    return true;
}

static int run_autolog(struct command_call *call, struct autolog *a)
{
    if (call_end(call))
        return call->out->rc;
    if (!call->out->quiet)
        call_line(call, "Command accepted");
    return vm_logon(call->cp, a->userid, &a->options, call->out);
}

static bool operator_class(const struct command_call *call)
{
    return (call->classes & (CLASS('A') | CLASS('B'))) != 0;
}

static int autolog(struct command_call *call)
{
    struct autolog a = {0};
    if (take_target(call, &a))
        return call->out->rc;
    a.password = call_take(call);
    if (!a.password)
        return call_error(call, MESSAGE_operand_missing);
    bool named = directory_names_have(&a.entry->autolog, call->vm->userid);
    if (!named && !directory_password(a.entry, a.password))
        return call_error(call, MESSAGE_autolog_failed, a.userid, "password incorrect");
    take_data(call, &a);
    return run_autolog(call, &a);
}

int storage_exceeds(struct command_call *call, uint64_t max)
{
    struct text size = {0};
    format_size(&size, max);
    int rc = call_error(call, MESSAGE_storage_exceeds, text_get(&size));
    text_free(&size);
    return rc;
}

static int take_storage(struct command_call *call, struct autolog *a)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!text_to_size(word, &a->options.storage) || a->options.storage == 0)
        return call_error(call, MESSAGE_invalid_operand, word);
    if (a->options.storage > a->entry->max_storage)
        return storage_exceeds(call, a->entry->max_storage);
    return 0;
}

static int take_text_option(struct command_call *call, const char **value)
{
    *value = call_take(call);
    return *value ? 0 : call_error(call, MESSAGE_operand_missing);
}

static int take_xautolog_option(struct command_call *call, struct autolog *a)
{
    const char *skipped;
    if (call_keyword(call, "NOIPL", 3)) {
        a->options.no_ipl = true;
        return 0;
    }
    if (call_keyword(call, "SYNCH", 4) || call_keyword(call, "PROMPT", 2))
        return 0;
    if (call_keyword(call, "IPL", 1))
        return take_text_option(call, &a->options.ipl);
    if (call_keyword(call, "ACCOUNT", 2))
        return take_text_option(call, &skipped);
    if (call_keyword(call, "PASSWORD", 5))
        return take_text_option(call, &a->password);
    if (call_keyword(call, "STORAGE", 1))
        return take_storage(call, a);
    if (call_keyword(call, "MACHINE", 4)) {
        int rc = take_text_option(call, &a->options.mode);
        if (rc == 0 && !operand_is_machine_mode(a->options.mode))
            return call_error(call, MESSAGE_invalid_operand, a->options.mode);
        return rc;
    }
    return take_data(call, a) ? 0 : call_end(call);
}

static int xautolog(struct command_call *call)
{
    struct autolog a = {0};
    if (take_target(call, &a))
        return call->out->rc;
    while (call_peek(call))
        if (take_xautolog_option(call, &a))
            return call->out->rc;
    if (!operator_class(call) && !directory_names_have(&a.entry->xautolog, call->vm->userid) &&
        !(a.password && directory_password(a.entry, a.password)))
        return call_error(call, MESSAGE_autolog_failed, a.userid, "not authorized");
    return run_autolog(call, &a);
}

static const struct command rows[] = {
    {"LOGOFF", 3, CLASS_ANY, false, logoff, "[HOld]",
     "Ends your session: the virtual machine is reset, its devices and open spool files are "
     "closed."},
    {"LOGOUT", 4, CLASS_ANY, false, logoff, "", "", "LOGOFF"},
    {"DISCONNECT", 4, CLASS_ANY, false, disconnect, "[HOld]",
     "Leaves the terminal; the virtual machine goes on. LOGON connects to it again."},
    {"FORCE", 5, CLASS('A'), false, force,
     "userid [LOGoff [WITHIN seconds | IMMEDiate] | DISCONnect]",
     "Logs a user off, or disconnects it. A guest that listens for shutdown signals gets one first "
     "and has the time given, or the system's default, to stop."},
    {"SIGNAL", 3, CLASS('A') | CLASS('C'), false, signal_verb,
     "SHUTDOWN {userid | ALL} [WITHIN seconds]",
     "Sends guests that listen for it a shutdown signal, and logs each off when the time is over."},
    {"AUTOLOG", 6, CLASS('A') | CLASS('B') | CLASS('G'), false, autolog,
     "userid password [CMD data]",
     "Logs a user on without a terminal. The password is not checked for those whom the target's "
     "AUTOLOG directory statement names."},
    {"XAUTOLOG", 7, CLASS('A') | CLASS('B') | CLASS('G'), false, xautolog,
     "userid [Ipl system | NOIpl] [MACHine mode] [Storage size] [PASSWord password] [SYNCh] [CMD "
     "data | #data]",
     "Logs a user on without a terminal. Class G: the target's XAUTOLOG directory statement must "
     "name you, or the password be right."},
};
COMMAND_TABLE(session_commands, NULL, rows);
