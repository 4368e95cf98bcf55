// SPDX-License-Identifier: MIT
// SHUTDOWN, and what QUERY tells of the host: processors, storage, scheduler settings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/commands/format.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/system_config.h"

// --- SHUTDOWN ----------------------------------------------------------------

// A shutdown that waits for its time. Any shutdown ends it, so that it never outlives its system.
struct planned {
    struct planned *next;
    struct cp *cp;
    struct event event;
    struct cp_listener listener;
};
static struct planned *planned; // of all systems in this process

static struct planned **find_planned(const struct cp *cp)
{
    struct planned **at = &planned;
    while (*at && (*at)->cp != cp)
        at = &(*at)->next;
    return at;
}

static bool cancel_planned(struct cp *cp)
{
    struct planned **at = find_planned(cp), *p = *at;
    if (!p)
        return false;
    *at = p->next;
    event_cancel(&cp->world->events, &p->event);
    cp_unlisten(cp, &p->listener);
    free(p);
    return true;
}

// The operator stays until the last line.
static void shut_down(struct cp *cp)
{
    struct text date = {0};
    cancel_planned(cp);
    cp_shutdown(cp);
    if (!cp->operator)
        return;
    struct response out = response_to_vm(cp->operator);
    format_stamp(&date, cp, clock_now(&cp->world->clock));
    date.s[strcspn(date.s, " ")] = '\0';
    message_send(&out, MESSAGE_shutdown_complete, cp->system_name, date.s);
    text_free(&date);
}

static void shutdown_due(struct event *event, void *arg)
{
    struct cp *cp = arg;
    (void)event;
    shut_down(cp);
}

static bool anyone_signalled(const struct cp *cp)
{
    for (const struct vm *vm = cp->users; vm; vm = vm->next)
        if (vm->signalled)
            return true;
    return false;
}

// When the last guest that was asked to shut down has done so, there is nothing to wait for.
static void on_event(void *arg, const struct cp_event_data *event)
{
    struct planned *p = arg;
    if (event->what == CP_EVENT_SHUTDOWN)
        cancel_planned(p->cp);
    else if (event->what == CP_EVENT_GUEST_DOWN && !anyone_signalled(p->cp))
        event_schedule(&p->cp->world->events, &p->event, clock_now(&p->cp->world->clock));
}

static void plan_shutdown(struct cp *cp, uint64_t seconds)
{
    cancel_planned(cp);
    struct planned *p = mem_zero(1, sizeof *p);
    p->cp = cp;
    p->next = planned;
    planned = p;
    p->listener = (struct cp_listener){.notify = on_event, .arg = p};
    cp_listen(cp, &p->listener);
    event_init(&p->event, shutdown_due, cp);
    event_schedule(&cp->world->events, &p->event,
                   clock_now(&cp->world->clock) + seconds * TOD_SECOND);
}

static bool signal_guests(struct cp *cp)
{
    bool any = false;
    for (struct vm *vm = cp->users; vm; vm = vm->next)
        any |= vm_signal_shutdown(vm);
    return any;
}

static int shutdown_cancel(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    if (!cancel_planned(call->cp))
        return call_error(call, MESSAGE_no_shutdown);
    return call_complete(call);
}

static int take_shutdown_time(struct command_call *call, uint64_t *seconds)
{
    if (call_keyword(call, "IMMEDIATE", 5))
        *seconds = 0;
    else if (call_keyword(call, "WITHIN", 6) && take_number(call, 1, 65535, seconds))
        return call->out->rc;
    return call_end(call);
}

static int shutdown(struct command_call *call)
{
    struct cp *cp = call->cp;
    uint64_t seconds = 0;
    if (call_keyword(call, "CANCEL", 6))
        return shutdown_cancel(call);
    if (call_keyword(call, "SYSTEM", 6)) {
        const char *word = call_take(call);
        if (!word || strcmp(word, cp->system_name) != 0)
            return call_error(call, word ? MESSAGE_invalid_operand : MESSAGE_operand_missing, word);
    }
    if (take_shutdown_time(call, &seconds))
        return call->out->rc;
    call_line(call, "SYSTEM SHUTDOWN STARTED");
    if (seconds == 0) {
        shut_down(cp);
        return 0;
    }
    if (signal_guests(cp))
        call_error(call, MESSAGE_shutdown_delayed, (unsigned)seconds);
    plan_shutdown(cp, seconds);
    return 0;
}

// --- QUERY of the host -------------------------------------------------------

static const char *type_name(enum processor_type type)
{
    static const char *const names[] = {"CP", "CP", "ZAAP", "IFL", "ICF", "ZIIP"};
    return names[type];
}

static int query_processors(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    for (unsigned i = 0; i < call->cp->processors; i++) {
        const struct real_processor *p = &call->cp->processor[i];
        call_line(call, "PROCESSOR %02X %s %s", p->address,
                  !p->online ? "STANDBY"
                  : i == 0   ? "MASTER"
                             : "ALTERNATE",
                  type_name(p->type));
    }
    return 0;
}

static int query_storage(struct command_call *call)
{
    struct text size = {0};
    if (call_end(call))
        return call->out->rc;
    format_size(&size, call->cp->storage);
    call_line(call, "STORAGE = %s CONFIGURED = %s INC = 1M STANDBY = 0  RESERVED = 0",
              text_get(&size), text_get(&size));
    text_free(&size);
    return 0;
}

static int query_srm(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "DISPATCHING MINOR TIMESLICE = %u MS",
              (unsigned)(call->cp->time_slice / TOD_MILLISECOND));
    call_line(call, "LIMITHARD METHOD: CONSUMPTION");
    call_line(call, "POLARIZATION: HORIZONTAL");
    return 0;
}

static int set_srm(struct command_call *call)
{
    uint64_t slice;
    if (!call_keyword(call, "DSPSLICE", 6))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    if (take_number(call, 1, 100, &slice) || call_end(call))
        return call->out->rc;
    call->cp->time_slice = slice * TOD_MILLISECOND;
    cp_notify(call->cp, CP_EVENT_SRM, NULL, NULL, NULL);
    call_line(call, "DISPATCHING MINOR TIMESLICE = %u MS", (unsigned)slice);
    return 0;
}

static int query_shutdowntime(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "System shutdown time: %u seconds", call->cp->config->shutdown_time);
    return 0;
}

static int query_signal(struct command_call *call)
{
    if (!call_keyword(call, "SHUTDOWNTIME", 9))
        return call_error(call, MESSAGE_operand_missing);
    if (call_end(call))
        return call->out->rc;
    call_line(call, "System default shutdown signal timeout: %u seconds",
              call->cp->config->signal_shutdown_time);
    return 0;
}

static int set_signal(struct command_call *call)
{
    uint64_t seconds;
    if (!call_keyword(call, "SHUTDOWNTIME", 9))
        return call_error(call, MESSAGE_operand_missing);
    if (take_number(call, 0, 32767, &seconds) || call_end(call))
        return call->out->rc;
    call->cp->config->signal_shutdown_time = (unsigned)seconds;
    return call_complete(call);
}

static int set_maxusers(struct command_call *call)
{
    uint64_t max = 0;
    if (!call_keyword(call, "NOLIMIT", 3) && take_number(call, 1, 99999, &max))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    call->cp->config->features.max_users = (unsigned)max;
    return call_complete(call);
}

#define HOST (CLASS('A') | CLASS('B') | CLASS('C') | CLASS('E'))
static const struct command top_rows[] = {
    {"SHUTDOWN", 8, CLASS('A'), false, shutdown,
     "[SYSTEM name] [WITHIN seconds | IMMEDiate]\nCANCEL",
     "Ends the system: everybody is logged off and the processors stop. WITHIN asks the guests "
     "that "
     "listen for it to shut down first; CANCEL takes that back. Must be spelled out."},
};
static const struct command query_rows[] = {
    {"PROCESSORS", 4, HOST, false, query_processors, "", "Lists the real processors."},
    {"STORAGE", 2, CLASS('B') | CLASS('E'), false, query_storage, "", "Shows the real storage."},
    {"SRM", 3, HOST | CLASS('F'), false, query_srm, "", "Shows the scheduler's settings."},
    {"SHUTDOWNTIME", 9, CLASS('A') | CLASS('C') | CLASS('E'), false, query_shutdowntime, "",
     "Shows the time that CP keeps for itself when it shuts down."},
    {"SIGNAL", 3, CLASS('A') | CLASS('C') | CLASS('E'), false, query_signal, "SHUTDOWNTIME",
     "Shows how long guests may take to shut down."},
};
static const struct command set_rows[] = {
    {"SRM", 3, CLASS('A'), false, set_srm, "DSPSLICE milliseconds",
     "Sets the minor time slice, 1 to 100 ms."},
    {"SIGNAL", 3, CLASS('A') | CLASS('C'), false, set_signal, "SHUTDOWNTIME seconds",
     "Sets how long guests may take to shut down after a signal."},
    {"MAXUSERS", 4, CLASS('A'), false, set_maxusers, "{n | NOLimit}",
     "Sets how many users may be logged on at a time."},
};
COMMAND_TABLE(admin_commands, NULL, top_rows);
COMMAND_TABLE(query_host_commands, "QUERY", query_rows);
COMMAND_TABLE(set_host_commands, "SET", set_rows);
