// SPDX-License-Identifier: MIT
// What a session shows: banner and time lines, the operator's lines about it, DISCONNECT and
// reconnection, and where a virtual machine's lines go.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/inside.h"
#include "cp/spool.h"
#include "cp/star_msg.h"
#include "cp/system_config.h"
#include "cp/vm_console.h"

static struct tod_calendar local_calendar(const struct cp *cp, tod_t tod)
{
    int64_t span = cp->timezone;
    return tod_calendar(span < 0 ? tod - (tod_t)-span * TOD_SECOND
                                 : tod + (tod_t)span * TOD_SECOND);
}

void session_moment(struct cp *cp, struct text *text, const char *what)
{
    static const char *const days[] = {"SUNDAY",   "MONDAY", "TUESDAY", "WEDNESDAY",
                                       "THURSDAY", "FRIDAY", "SATURDAY"};
    struct tod_calendar c = local_calendar(cp, clock_now(&cp->world->clock));

    text_printf(text, "%s AT %02d:%02d:%02d %s %s %02d/%02d/%02d", what, c.hour, c.minute, c.second,
                cp->timezone_name, days[c.weekday], c.month, c.day, c.year % 100);
}

static void moment_line(struct vm *vm, const char *what, const char *by)
{
    struct text text = {0};

    session_moment(vm->cp, &text, what);
    if (by)
        text_printf(&text, " BY %s", by);
    vm_line(vm, LINE_CP, text_get(&text));
    text_free(&text);
}

static void file_count(struct text *text, unsigned count, const char *queue)
{
    if (count)
        text_printf(text, "%04u %s", count, queue);
    else
        text_printf(text, "  NO %s", queue);
}

static void files_line(struct vm *vm)
{
    struct text text = {0};
    struct spool *spool = vm->cp->spool;

    text_puts(&text, "FILES: ");
    file_count(&text, spool_count(spool, vm->userid, SPOOL_RDR), "RDR, ");
    file_count(&text, spool_count(spool, vm->userid, SPOOL_PRT), "PRT, ");
    file_count(&text, spool_count(spool, vm->userid, SPOOL_PUN), "PUN");
    vm_line(vm, LINE_CP, text_get(&text));
    text_free(&text);
}

static void log_message_lines(struct vm *vm)
{
    const char *s = vm->cp->log_message;

    if (!s || !*s) {
        vm_line(vm, LINE_CP, "There is no logmsg data");
        return;
    }
    while (*s) {
        size_t n = strcspn(s, "\n");
        struct text line = {0};
        text_puts(&line, "* ");
        text_add(&line, s, n);
        vm_line(vm, LINE_CP, text_get(&line));
        text_free(&line);
        s += n + (s[n] == '\n');
    }
}

static void banner(struct vm *vm, const char *what)
{
    if (!vm->terminal)
        return;
    vm_line(vm, LINE_CP, "z/VM Version 7 Release 3.0, Service Level 2401 (64-bit),");
    vm_line(vm, LINE_CP, "built on IBM Virtualization Technology");
    log_message_lines(vm);
    files_line(vm);
    moment_line(vm, what, NULL);
}

void session_banner(struct vm *vm)
{
    banner(vm, "LOGON");
}

// --- the operator's lines -------------------------------------------------------

// "GRAF  0009", "LDEV L0003", "USER DSC  "
static void terminal_words(const struct vm *vm, struct text *text)
{
    const struct terminal *term = vm->terminal;

    if (!term)
        text_puts(text, "USER DSC  ");
    else
        text_printf(text, "%-4s %5s", term->name[0] == 'L' ? "LDEV" : "GRAF", term->name);
}

void session_operator(struct vm *vm, const char *what, const char *by)
{
    struct text text = {0};
    struct vm *starter = by ? cp_user(vm->cp, by) : NULL;
    bool logon = strcmp(what, "LOGON") == 0, logoff = strcmp(what, "LOGOFF") == 0;

    if (logon && vm->autologged) {
        text_puts(&text, "AUTO LOGON  ***       ");
    } else {
        terminal_words(vm, &text);
        text_printf(&text, " %-6s %s", what, logon || logoff ? "AS  " : "");
    }
    text_printf(&text, "%-8s USERS = %-5u", vm->userid, vm->cp->users_count);
    if (by)
        text_printf(&text, " %s%s", logoff ? "FORCED BY " : "BY ", by);
    while (text.len && text.s[text.len - 1] == ' ')
        text.s[--text.len] = '\0';
    cp_operator_line(vm->cp, "%s", text_get(&text));
    if (logon && vm->autologged && starter && starter != vm->cp->operator)
        vm_line(starter, LINE_CP, text_get(&text));
    text_free(&text);
}

// --- LOGOFF, DISCONNECT, reconnection ---------------------------------------------

static void usage_line(struct vm *vm)
{
    struct text text = {0};
    uint64_t connect = (clock_now(&vm->cp->world->clock) - vm->connect_time) / TOD_SECOND;
    uint64_t virt = vm_guest_time(vm) * 100 / TOD_SECOND;
    uint64_t total = vm_total_time(vm) * 100 / TOD_SECOND;

    text_printf(&text, "CONNECT= %02u:%02u:%02u VIRTCPU= %03u:%02u.%02u TOTCPU= %03u:%02u.%02u",
                (unsigned)(connect / 3600), (unsigned)(connect / 60 % 60), (unsigned)(connect % 60),
                (unsigned)(virt / 6000), (unsigned)(virt / 100 % 60), (unsigned)(virt % 100),
                (unsigned)(total / 6000), (unsigned)(total / 100 % 60), (unsigned)(total % 100));
    vm_line(vm, LINE_CP, text_get(&text));
    text_free(&text);
}

void session_logoff_lines(struct vm *vm, const char *by)
{
    if (!vm->terminal)
        return;
    usage_line(vm);
    moment_line(vm, "LOGOFF", by);
}

void vm_disconnect(struct vm *vm)
{
    struct terminal *term = vm->terminal;

    if (!term)
        return;
    moment_line(vm, "DISCONNECT", NULL);
    vm_line(vm, LINE_CP, "Press enter or clear key to continue");
    session_operator(vm, "DISCONNECT", NULL);
    vm->terminal = NULL;
    term->vm = NULL;
    cp_notify(vm->cp, CP_EVENT_DISCONNECT, vm, NULL, NULL);
    term->ops->ended(term);
}

void vm_reconnect(struct vm *vm, struct terminal *terminal)
{
    if (vm->terminal)
        vm_disconnect(vm);
    vm->terminal = terminal;
    terminal->vm = vm;
    vm->autologged = false;
    vm->connect_time = clock_now(&vm->cp->world->clock);
    banner(vm, "RECONNECTED");
    session_operator(vm, "RECONNECT", NULL);
    cp_notify(vm->cp, CP_EVENT_RECONNECT, vm, NULL, NULL);
    terminal->ops->status(terminal, vm->console->shown = TERMINAL_LOGO);
    vm_console_status(vm);
    vm_console_sign_on(vm);
}

// --- lines ---------------------------------------------------------------------------

static void to_watcher(struct vm *vm, const char *userid, enum line_kind kind, const char *text)
{
    struct vm *watcher = userid[0] ? cp_user(vm->cp, userid) : NULL;
    struct text line = {0};

    if (!watcher || watcher == vm || !watcher->terminal)
        return;
    text_printf(&line, "%-8s: %s", vm->userid, text);
    watcher->terminal->ops->line(watcher->terminal, kind, text_get(&line));
    text_free(&line);
}

static void to_terminal(struct vm *vm, enum line_kind kind, const char *text)
{
    struct text stamped = {0};

    if (!vm->terminal)
        return;
    // Messages bring their own time.
    if (vm->console->terminal.timestamp && kind != LINE_MESSAGE && kind != LINE_ECHO && *text) {
        struct tod_calendar c = local_calendar(vm->cp, clock_now(&vm->cp->world->clock));
        text_printf(&stamped, "%02d:%02d:%02d %s", c.hour, c.minute, c.second, text);
        text = text_get(&stamped);
    }
    vm->terminal->ops->line(vm->terminal, kind, text);
    text_free(&stamped);
}

// Lines of these kinds may be for the program; the console's then, when it does not listen.
static bool to_program(struct vm *vm, enum line_kind kind, const char *text)
{
    if (kind == LINE_CP && vm->set.cpconio == ROUTE_IUCV)
        return star_msg_send(vm, MESSAGE_CLASS_CPCONIO, vm->userid, text);
    if (kind == LINE_VM && vm->set.vmconio == ROUTE_IUCV)
        return star_msg_send(vm, MESSAGE_CLASS_VMCONIO, vm->userid, text);
    return false;
}

void vm_line(struct vm *vm, enum line_kind kind, const char *text)
{
    if (to_program(vm, kind, text))
        return;
    vm_console_record(vm, text);
    to_terminal(vm, kind, text);
    if (!vm->terminal)
        to_watcher(vm, vm->secondary, kind, text);
    to_watcher(vm, vm->observer, kind, text);
}
