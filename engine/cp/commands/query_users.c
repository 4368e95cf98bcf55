// SPDX-License-Identifier: MIT
// QUERY: who is logged on, what time and which system it is.
#include <stdio.h>
#include <string.h>

#include "cp/commands/format.h"
#include "cp/commands/query.h"
#include "cp/system_config.h"

static int query_userid(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "%-8s AT %s", call->vm->userid, call->cp->system_name);
    return 0;
}

static int query_time(struct command_call *call)
{
    struct text text = {0};
    if (call_end(call))
        return call->out->rc;
    format_moment(&text, call->cp, clock_now(&call->cp->world->clock));
    call_line(call, "TIME IS %s", text_get(&text));
    if (call->vm) {
        text_clear(&text);
        format_usage(&text, call->vm);
        call_line(call, "%s", text_get(&text));
    }
    text_free(&text);
    return 0;
}

static int query_cplevel(struct command_call *call)
{
    struct text text = {0};
    if (call_end(call))
        return call->out->rc;
    format_stamp(&text, call->cp, call->cp->ipl_time);
    call_line(call, "z/VM Version 7 Release 3.0, service level 2401 (64-bit)");
    call_line(call, "Simulated by Endicott Version %s", ENDICOTT_VERSION);
    call_line(call, "IPL at %s", text_get(&text));
    text_free(&text);
    return 0;
}

static int query_names(struct command_call *call)
{
    struct text line = {0};
    unsigned n = 0;
    if (call_end(call))
        return call->out->rc;
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next) {
        if (n && n % 4 == 0) {
            call_line(call, "%s", text_get(&line));
            text_clear(&line);
        } else if (n) {
            text_puts(&line, ", ");
        }
        format_user(&line, vm);
        n++;
    }
    if (n)
        call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

static int query_users(struct command_call *call)
{
    const char *word = call_take(call);
    if (call_end(call))
        return call->out->rc;
    if (word)
        return query_user(call, word);
    call_line(call, "%5u USERS, %6u DIALED, %6u NET", call->cp->users_count, 0, 0);
    return 0;
}

static int query_maxusers(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    unsigned max = call->cp->config->features.max_users;
    if (max)
        call_line(call, "MAXUSERS %u", max);
    else
        call_line(call, "MAXUSERS NOLIMIT");
    return 0;
}

static int query_timezone(struct command_call *call)
{
    int64_t west = -call->cp->timezone;
    uint64_t offset = (uint64_t)(west < 0 ? -west : west);
    if (call_end(call))
        return call->out->rc;
    call_line(call, "Zone  Direction   Offset   Status");
    if (offset)
        call_line(call, "UTC     ----     00.00.00  Inactive");
    call_line(call, "%-4s    %-4s     %02u.%02u.%02u  Active", call->cp->timezone_name,
              west == 0  ? "----"
              : west > 0 ? "West"
                         : "East",
              (unsigned)(offset / 3600 % 100), (unsigned)(offset / 60 % 60),
              (unsigned)(offset % 60));
    return 0;
}

static int query_byuser(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && !(vm = call_user(call)))
        return call->out->rc;
    if (call_end(call))
        return call->out->rc;
    if (vm->by[0])
        call_line(call, "The BYUSER for %s is %s", vm->userid, vm->by);
    else
        call_line(call, "There is currently no BYUSER for %s", vm->userid);
    return 0;
}

static int query_sysoper(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "The system operator is %s",
              call->cp->operator ? call->cp->operator->userid : "not logged on");
    return 0;
}

static const struct command rows[] = {
    {"NAMES", 1, CLASS_ANY, false, query_names, "",
     "Lists the users that are logged on, four a line, with the terminal each is at or DSC when it "
     "is disconnected."},
    {"USERS", 1, CLASS_ANY, false, query_users, "[userid]",
     "Counts the users that are logged on, or shows where one of them is."},
    {"USERID", 6, CLASS_ANY, false, query_userid, "", "Shows your userid and the system's name."},
    {"TIME", 1, CLASS_ANY, true, query_time, "",
     "Shows time and date, and how long and how much processor time your session has used."},
    {"CPLEVEL", 7, CLASS_ANY, true, query_cplevel, "",
     "Shows the level of CP that is simulated, by which program, and when the system was IPLed."},
    {"MAXUSERS", 4, CLASS_ANY, false, query_maxusers, "",
     "Shows how many users may be logged on at a time."},
    {"TIMEZONE", 8, CLASS_ANY, false, query_timezone, "", "Shows the system's time zone."},
    {"BYUSER", 6, CLASS_ANY, false, query_byuser, "[userid | *]",
     "Shows who logged on to a user with LOGON BY."},
    {"SYSOPER", 7, CLASS_ANY, false, query_sysoper, "", "Shows who is the system operator."},
};
COMMAND_TABLE(query_users_commands, "QUERY", rows);
