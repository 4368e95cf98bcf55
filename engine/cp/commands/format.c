// SPDX-License-Identifier: MIT
// Pieces of text that several responses share.
#include "cp/commands/format.h"

#include <stdlib.h>
#include <string.h>

static tod_t local(const struct cp *cp, tod_t tod)
{
    return tod + (tod_t)(cp->timezone * (int64_t)TOD_SECOND);
}

void format_clock(struct text *text, const struct cp *cp, tod_t tod)
{
    struct tod_calendar c = tod_calendar(local(cp, tod));
    text_printf(text, "%02d:%02d:%02d", c.hour, c.minute, c.second);
}

void format_moment(struct text *text, const struct cp *cp, tod_t tod)
{
    static const char *const days[] = {"SUNDAY",   "MONDAY", "TUESDAY", "WEDNESDAY",
                                       "THURSDAY", "FRIDAY", "SATURDAY"};
    struct tod_calendar c = tod_calendar(local(cp, tod));
    text_printf(text, "%02d:%02d:%02d %s %s %04d-%02d-%02d", c.hour, c.minute, c.second,
                cp->timezone_name, days[c.weekday], c.year, c.month, c.day);
}

void format_stamp(struct text *text, const struct cp *cp, tod_t tod)
{
    struct tod_calendar c = tod_calendar(local(cp, tod));
    text_printf(text, "%04d-%02d-%02d %02d:%02d:%02d %s", c.year, c.month, c.day, c.hour, c.minute,
                c.second, cp->timezone_name);
}

// mmm:ss.hh of a span.
static void format_span(struct text *text, tod_t span)
{
    uint64_t hundredths = span / (TOD_SECOND / 100);
    text_printf(text, "%03u:%02u.%02u", (unsigned)(hundredths / 6000),
                (unsigned)(hundredths / 100 % 60), (unsigned)(hundredths % 100));
}

void format_usage(struct text *text, const struct vm *vm)
{
    uint64_t connect = (clock_now(&vm->cp->world->clock) - vm->connect_time) / TOD_SECOND;
    text_printf(text, "CONNECT= %02u:%02u:%02u VIRTCPU= ", (unsigned)(connect / 3600),
                (unsigned)(connect / 60 % 60), (unsigned)(connect % 60));
    format_span(text, vm_guest_time(vm));
    text_puts(text, " TOTCPU= ");
    format_span(text, vm_total_time(vm));
}

void format_size(struct text *text, uint64_t bytes)
{
    static const char units[] = "KMGTPE";
    unsigned unit = 0;
    uint64_t value = bytes / 1024;
    while (value && value % 1024 == 0 && unit < 5) {
        value /= 1024;
        unit++;
    }
    text_printf(text, "%llu", (unsigned long long)value);
    if (value)
        text_add(text, &units[unit], 1);
}

void format_user(struct text *text, const struct vm *vm)
{
    const char *name = "DSC ";
    if (vm->terminal) {
        const char *blank = strrchr(vm->terminal->name, ' ');
        name = blank ? blank + 1 : vm->terminal->name;
    }
    // Logical devices fill the separator's blank: MAINT    -L0003
    text_printf(text, strlen(name) > 4 ? "%-8s -%-5s" : "%-8s - %-4s", vm->userid, name);
}

unsigned format_percent(tod_t part, tod_t whole)
{
    return whole ? (unsigned)(part / (double)whole * 100 + 0.5) : 0;
}
