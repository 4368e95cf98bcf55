// SPDX-License-Identifier: MIT
// LOGON: the command at the logo, the password, reconnection.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/system_config.h"
#include "cp/terminal.h"
#include "cp/vm_console.h"

// What LOGON said, kept while its password is asked for. Texts are owned.
struct logon_request {
    char userid[USERID_SIZE];
    struct logon_options options;
};

static char *copy(const char *s)
{
    return s ? mem_string(s) : NULL;
}

static void keep(struct terminal *term, const char *userid, const struct logon_options *options)
{
    struct logon_request *request = mem_zero(1, sizeof *request);

    logon_request_drop(term);
    copy_text(request->userid, sizeof request->userid, userid);
    request->options = *options;
    request->options.by = copy(options->by);
    request->options.mode = copy(options->mode);
    request->options.ipl = copy(options->ipl);
    request->options.data = copy(options->data);
    term->logon = request;
    copy_text(term->logon_userid, sizeof term->logon_userid, userid);
}

void logon_request_drop(struct terminal *term)
{
    struct logon_request *request = term->logon;

    if (!request)
        return;
    free((char *)(uintptr_t)request->options.by);
    free((char *)(uintptr_t)request->options.mode);
    free((char *)(uintptr_t)request->options.ipl);
    free((char *)(uintptr_t)request->options.data);
    free(request);
    term->logon = NULL;
    memset(term->logon_userid, 0, sizeof term->logon_userid);
}

// --- checks ----------------------------------------------------------------------------

// Whose password opens `entry`: its own, or with BY that of the user named. NULL after a message.
static const struct directory_user *password_owner(struct cp *cp,
                                                   const struct directory_user *entry,
                                                   const char *by, struct response *out)
{
    const struct directory_user *owner = entry;

    if (by) {
        owner = directory_find(cp->directory, by);
        if (!owner || !directory_names_have(&entry->logonby, by)) {
            message_send(out, MESSAGE_logon_by, by, entry->userid);
            return NULL;
        }
    } else if (entry->password_kind == PASSWORD_LBYONLY) {
        message_send(out, MESSAGE_lbyonly, entry->userid);
        return NULL;
    }
    if (entry->password_kind == PASSWORD_AUTOONLY) {
        message_send(out, MESSAGE_autoonly, entry->userid);
        return NULL;
    }
    return owner;
}

// A disconnected user gets the terminal back; with HERE also one that is connected elsewhere.
static int reconnect(struct vm *vm, struct terminal *term, const struct logon_options *options,
                     struct response *out)
{
    if (vm->logging_off)
        return message_send(out, MESSAGE_logon_logoff_pending, vm->userid);
    if (vm->terminal && !options->here)
        return message_send(out, MESSAGE_already_logged_on, vm->terminal->name);
    if (options->no_ipl)
        message_send(out, MESSAGE_reconnect_options, "NOIPL");
    vm_reconnect(vm, term);
    return 0;
}

int terminal_logon_trusted(struct cp *cp, struct terminal *term, const char *userid,
                           const struct logon_options *options, struct response *out)
{
    static const struct logon_options none = {0};
    struct logon_options mine = options ? *options : none;
    struct vm *vm = cp_user(cp, userid);

    if (vm)
        return reconnect(vm, term, &mine, out);
    mine.terminal = term;
    mine.autolog = false;
    return vm_logon(cp, userid, &mine, out);
}

int terminal_logon(struct cp *cp, struct terminal *term, const char *userid, const char *password,
                   const struct logon_options *options, struct response *out)
{
    const struct directory_user *entry = directory_find(cp->directory, userid), *owner;

    if (!entry || entry->password_kind == PASSWORD_NOLOG)
        return message_send(out, MESSAGE_logon_incorrect);
    owner = password_owner(cp, entry, options->by, out);
    if (!owner)
        return out->rc;
    if (!password && owner->password_kind != PASSWORD_NOPASS) {
        keep(term, userid, options);
        term->ops->line(term, LINE_CP, "ENTER PASSWORD  (IT WILL NOT APPEAR WHEN TYPED):");
        if (term->ops->conceal)
            term->ops->conceal(term, true);
        term->ops->status(term, TERMINAL_CP_READ);
        return 0;
    }
    if (!directory_password(owner, password ? password : ""))
        return message_send(out, MESSAGE_logon_incorrect);
    return terminal_logon_trusted(cp, term, userid, options, out);
}

int logon_password(struct cp *cp, struct terminal *term, const char *password, struct response *out)
{
    struct logon_request *request = term->logon;
    int rc;

    term->logon = NULL;
    if (term->ops->conceal)
        term->ops->conceal(term, false);
    rc = terminal_logon(cp, term, request->userid, password, &request->options, out);
    struct logon_request *again = term->logon;
    term->logon = request;
    logon_request_drop(term);
    term->logon = again;
    if (rc)
        terminal_logo(cp, term, false);
    return rc;
}

// --- the command -------------------------------------------------------------------------

struct logon_operands {
    char userid[USERID_SIZE];
    const char *password;
    struct logon_options options;
};

static int take_size(struct command_call *call, uint64_t *bytes)
{
    const char *word = call_take(call);
    return word && text_to_size(word, bytes)
               ? 0
               : call_error(call, MESSAGE_invalid_operand, word ? word : "STORAGE");
}

static int take_word(struct command_call *call, const char **word)
{
    *word = call_take(call);
    return *word ? 0 : call_error(call, MESSAGE_operand_missing);
}

static int take_option(struct command_call *call, struct logon_operands *o)
{
    static const struct {
        const char *name;
        unsigned min;
        size_t offset;
    } flags[] = {
        {"HERE", 4, offsetof(struct logon_options, here)},
        {"NOIPL", 3, offsetof(struct logon_options, no_ipl)},
        {"NORUN", 5, offsetof(struct logon_options, no_run)},
        {"QUIET", 5, offsetof(struct logon_options, quiet)},
    };
    const char *skipped;

    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (call_keyword(call, flags[i].name, flags[i].min)) {
            *(bool *)((char *)&o->options + flags[i].offset) = true;
            return 0;
        }
    if (call_keyword(call, "BY", 2))
        return take_word(call, &o->options.by);
    if (call_keyword(call, "IPL", 1))
        return take_word(call, &o->options.ipl);
    if (call_keyword(call, "ACCOUNT", 2) || call_keyword(call, "SECLABEL", 4))
        return take_word(call, &skipped);
    if (call_keyword(call, "APL", 3) || call_keyword(call, "TEXT", 4))
        return 0;
    if (call_keyword(call, "STORAGE", 1))
        return take_size(call, &o->options.storage);
    if (call_keyword(call, "MACHINE", 4)) {
        int rc = take_word(call, &o->options.mode);
        const char *mode = o->options.mode;
        if (!rc && strcmp(mode, "ESA") != 0 && strcmp(mode, "XA") != 0 && strcmp(mode, "XC") != 0 &&
            strcmp(mode, "Z") != 0)
            return call_error(call, MESSAGE_invalid_operand, mode);
        return rc;
    }
    return call_end(call);
}

// Is the next word an option, so that no password was given?
static bool option_next(struct command_call *call)
{
    static const struct {
        const char *name;
        unsigned min;
    } options[] = {{"HERE", 4}, {"NOIPL", 3},   {"NORUN", 5},   {"QUIET", 5},
                   {"BY", 2},   {"IPL", 1},     {"ACCOUNT", 2}, {"APL", 3},
                   {"TEXT", 4}, {"STORAGE", 7}, {"MACHINE", 4}, {"SECLABEL", 4}};
    const char *word = call_peek(call);

    for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
        if (text_abbreviates(word, options[i].name, options[i].min))
            return true;
    return false;
}

static int logon(struct command_call *call)
{
    struct logon_operands o = {0};

    if (call->vm || !call->terminal)
        return call_error(call, MESSAGE_unknown_command, "LOGON");
    if (!parse_userid(call_take(call), o.userid))
        return call_error(call, MESSAGE_userid_missing);
    if (call_peek(call) && *call_peek(call) != '#' && !option_next(call))
        o.password = call_take(call);
    if (o.password && !call->cp->config->features.passwords_logon)
        return call_error(call, MESSAGE_invalid_option, "password");
    while (call_peek(call)) {
        if (*call_peek(call) == '#') {
            o.options.data = call_rest_raw(call) + 1;
            break;
        }
        if (take_option(call, &o))
            return call->out->rc;
    }
    return terminal_logon(call->cp, call->terminal, o.userid, o.password, &o.options, call->out);
}

// At the logo nobody is logged on: the screen is shown afresh.
static int logo_logoff(struct command_call *call)
{
    if (!call->terminal)
        return call_error(call, MESSAGE_before_logon, "LOGOFF");
    terminal_logo(call->cp, call->terminal, true);
    return 0;
}

#define LOGON_SYNTAX                                                                            \
    "userid [password] [BY byuser] [HERE] [Ipl system | NOIpl] [MACHine mode] [NORUN] [QUIET] " \
    "[Storage size] [#data]"

static const struct command rows[] = {
    {"LOGON", 1, CLASS_ANY, true, logon, LOGON_SYNTAX,
     "Begins a session as `userid`, or connects to it again when it is disconnected. The password "
     "is asked for unless it is given here.",
     NULL},
    {"LOGIN", 5, CLASS_ANY, true, logon, LOGON_SYNTAX, "", "LOGON"},
};
static const struct command logo_rows[] = {
    {"LOGOFF", 3, CLASS_ANY, true, logo_logoff, "", "", "LOGOFF"},
    {"LOGOUT", 4, CLASS_ANY, true, logo_logoff, "", "", "LOGOFF"},
};
static struct command_table table = {.rows = rows, .count = sizeof rows / sizeof *rows};
static struct command_table logo_table = {.rows = logo_rows,
                                          .count = sizeof logo_rows / sizeof *logo_rows};

void logon_command_register(void)
{
    command_register(&table);
    command_register(&logo_table);
}
