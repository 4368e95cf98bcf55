// SPDX-License-Identifier: MIT
// QUERY MONITOR. Lines of two-speed monitoring are separate ones: the others are as they were
// before there was any.
#include <stdio.h>

#include "cp/command.h"
#include "monitor/domains.h"
#include "monitor/monitor.h"

static const char *state_name(enum recording state)
{
    static const char *const names[] = {"INACTIVE", "PENDING", "ACTIVE", "SUSPENDED"};
    return names[state];
}

static bool listed(const struct monitor_user *user, enum data_type type)
{
    return !user->hidden && (type == DATA_EVENT ? user->event : user->sample);
}

// "title - USER1 USER2", those of `users` for which `subinterval` is as wanted (-1: all).
static void show_users(struct command_call *call, const char *title, enum data_type type,
                       int subinterval, const char *none)
{
    struct text line = {0};
    unsigned count = 0;
    text_printf(&line, "%s - ", title);
    for (const struct monitor_user *u = monitor_of(call->cp)->users; u; u = u->next)
        if (listed(u, type) && (subinterval < 0 || u->subinterval == subinterval))
            text_printf(&line, count++ ? " %-8s" : "%-8s", u->userid);
    if (count == 0)
        text_puts(&line, none);
    while (line.len && line.s[line.len - 1] == ' ')
        line.s[--line.len] = '\0';
    call_line(call, "%s", text_get(&line));
    text_free(&line);
}

static void show_rule(struct text *line, const struct element_rule *rule)
{
    static const char *const words[] = {
        [ELEMENT_CLASS] = "CLASS ", [ELEMENT_TYPE] = "TYPE ",  [ELEMENT_VOLUME] = "VOLUME ",
        [ELEMENT_USER] = "",        [ELEMENT_CPVOL] = "CPVOL", [ELEMENT_DEVICE] = ""};
    if (rule->kind == ELEMENT_DEVICE && rule->first != rule->last)
        text_printf(line, " %04X-%04X", rule->first, rule->last);
    else if (rule->kind == ELEMENT_DEVICE)
        text_printf(line, " %04X", rule->first);
    else
        text_printf(line, " %s%s", words[rule->kind], rule->name);
}

// The rules that go the other way than `all`, eight a line.
static void show_rules(struct command_call *call, const struct element_list *list)
{
    struct text line = {0};
    unsigned count = 0;
    for (unsigned i = 0; i < list->rules; i++) {
        if (list->rule[i].enable == list->all)
            continue;
        show_rule(&line, &list->rule[i]);
        if (++count % 8 == 0) {
            call_line(call, "   %s", text_get(&line));
            text_clear(&line);
        }
    }
    if (count % 8 != 0)
        call_line(call, "   %s", text_get(&line));
    text_free(&line);
}

static void show_elements(struct command_call *call, const struct domain_row *row,
                          const struct element_list *list, bool event)
{
    bool users = row->elements == ELEMENTS_USERS, exceptions = false;
    const char *indent = users && event ? "    " : "   ";
    for (unsigned i = 0; i < list->rules; i++)
        exceptions = exceptions || list->rule[i].enable != list->all;
    if (list->all)
        call_line(call, "%sALL %s ENABLED%s", indent, users ? "USERS" : "DEVICES",
                  exceptions ? " EXCEPT:" : "");
    else
        call_line(call, "%sTHE FOLLOWING %s ARE ENABLED:", indent, users ? "USERS" : "DEVICES");
    show_rules(call, list);
}

static void show_domains(struct command_call *call, enum data_type type,
                         const struct profile *profile)
{
    for (unsigned i = 0; i < DOMAIN_ROWS; i++) {
        const struct domain_row *row = &domain_rows[i];
        if (type == DATA_EVENT ? !row->event : !row->sample)
            continue;
        bool on = profile->enabled & DOMAIN_BIT(row->domain);
        call_line(call, "%-9s DOMAIN %s", domain_names[row->domain], on ? "ENABLED" : "DISABLED");
        if (on && row->elements != ELEMENTS_NONE)
            show_elements(call, row, &profile->elements[row->domain], type == DATA_EVENT);
    }
}

static void show_configuration(struct command_call *call, enum data_type type,
                               const struct profile *profile)
{
    const struct monitor *m = monitor_of(call->cp);
    enum mondcss_area area = type == DATA_EVENT ? AREA_EVENT_CONFIG : AREA_SAMPLE_CONFIG;
    call_line(call, "MONITOR DCSS NAME - %s", m->segment[0] ? m->segment : "NO DCSS NAME DEFINED");
    call_line(call, "CONFIGURATION SIZE %8u LIMIT %9u %s", profile->config_pages,
              profile->limit_in_seconds ? profile->config_limit : profile->config_limit / 60,
              profile->limit_in_seconds ? "SECONDS" : "MINUTES");
    call_line(call, "CONFIGURATION AREA IS %s",
              mondcss_area_used(&m->dcss, area) ? "IN USE" : "FREE");
    show_users(call, "USERS CONNECTED TO *MONITOR", type, -1, "NO USERS CONNECTED");
}

static void show_event(struct command_call *call)
{
    const struct monitor *m = monitor_of(call->cp);
    unsigned partition = m->partition ? m->partition : m->dcss.pages / 2;
    call_line(call, "MONITOR EVENT %-9s BLOCK %4u     PARTITION %8u", state_name(m->event.state),
              m->block, partition);
    show_configuration(call, DATA_EVENT, &m->event);
    show_domains(call, DATA_EVENT, &m->event);
}

static void show_left_out(struct command_call *call, const struct profile *profile)
{
    struct text line = {0};
    for (unsigned i = 0; i < DOMAIN_ROWS; i++)
        if (domain_rows[i].sample && !(profile->subinterval & DOMAIN_BIT(domain_rows[i].domain)))
            text_printf(&line, " %s", domain_names[domain_rows[i].domain]);
    call_line(call, "DOMAINS LEFT OUT OF SUBINTERVAL -%s", line.len ? text_get(&line) : " NONE");
    text_free(&line);
}

static void show_sample(struct command_call *call)
{
    const struct monitor *m = monitor_of(call->cp);
    const struct schedule *s = &m->schedule;
    call_line(call, "MONITOR SAMPLE %s", state_name(m->sample.state));
    call_line(call, "                  INTERVAL %2u %s",
              s->interval_in_seconds ? s->interval : s->interval / 60,
              s->interval_in_seconds ? "SECONDS" : "MINUTES");
    if (s->rate)
        call_line(call, "                  RATE %2u.%02u SECONDS", s->rate / 100, s->rate % 100);
    else
        call_line(call, "                  RATE STOP");
    call_line(call, "                  SUBINTERVAL %2u SECONDS", schedule_subinterval(s));
    show_configuration(call, DATA_SAMPLE, &m->sample);
    show_users(call, "   WITH SUBINTERVAL DATA", DATA_SAMPLE, 1, "NONE");
    show_users(call, "   WITH INTERVAL DATA ONLY", DATA_SAMPLE, 0, "NONE");
    show_domains(call, DATA_SAMPLE, &m->sample);
    show_left_out(call, &m->sample);
}

int monitor_query(struct command_call *call)
{
    bool sample = call_keyword(call, "SAMPLE", 3),
         event = !sample && call_keyword(call, "EVENT", 5);
    int rc = call_end(call);
    if (rc)
        return rc;
    if (!sample)
        show_event(call);
    if (!event)
        show_sample(call);
    return 0;
}
