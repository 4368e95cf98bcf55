// SPDX-License-Identifier: MIT
// The engine's side of a terminal, as far as the full screen calls it, for tests: a clock that the
// test moves, timers, and a record of what was typed. Included once, by the test program; it takes
// the place of the engine's functions when the program is linked.
#ifndef ENDICOTT_TESTS_CONSOLE_FAKE_ENGINE_H
#define ENDICOTT_TESTS_CONSOLE_FAKE_ENGINE_H

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "endicott.h"

struct endicott_timer {
    struct endicott_timer *next;
    tod_t due;
    void (*fn)(void *arg);
    void *arg;
    bool fired;
};

static struct {
    tod_t now;
    struct endicott_timer *timers;
    char input[16][512]; // lines, oldest first
    unsigned inputs;
    unsigned attentions, breaks, hangups;
    uint8_t stream[4096]; // the last inbound data stream
    size_t stream_size;
    unsigned more1, more2;
    bool hold;
    struct {
        char mode;
        const char *text;
    } pf[25];
    int rc;
    bool password; // the next line is one: it is not redisplayed
    // What CP does with a line.
    void (*on_input)(struct terminal *term, const char *line);
    void (*on_break)(struct terminal *term);
} fake;

static void fake_reset(void)
{
    memset(&fake, 0, sizeof fake);
    fake.now = 1000 * TOD_SECOND;
    fake.more1 = 50;
    fake.more2 = 10;
    fake.hold = true;
}

// Moves the clock, firing timers on the way as endicott_run_until() does.
static void fake_advance(double seconds, void (*after_each)(void *arg), void *arg)
{
    tod_t until = fake.now + tod_from_seconds(seconds);
    for (;;) {
        struct endicott_timer *first = NULL;
        for (struct endicott_timer *t = fake.timers; t; t = t->next)
            if (!t->fired && t->due <= until && (!first || t->due < first->due))
                first = t;
        if (!first)
            break;
        if (first->due > fake.now)
            fake.now = first->due;
        first->fired = true;
        first->fn(first->arg);
        after_each(arg);
    }
    fake.now = until;
    after_each(arg);
}

tod_t endicott_now(const struct endicott *sys)
{
    (void)sys;
    return fake.now;
}

const char *endicott_name(const struct endicott *sys)
{
    (void)sys;
    return "TESTSYS";
}

struct endicott_timer *endicott_timer_new(struct endicott *sys, tod_t due, void (*fn)(void *arg),
                                          void *arg)
{
    struct endicott_timer *t = mem_zero(1, sizeof *t);
    (void)sys;
    *t = (struct endicott_timer){.next = fake.timers, .due = due, .fn = fn, .arg = arg};
    fake.timers = t;
    return t;
}

void endicott_timer_free(struct endicott_timer *timer)
{
    for (struct endicott_timer **t = &fake.timers; *t; t = &(*t)->next)
        if (*t == timer) {
            *t = timer->next;
            free(timer);
            return;
        }
}

int endicott_terminal_input(struct endicott *sys, struct terminal *term, const char *utf8)
{
    (void)sys;
    INVARIANT(fake.inputs < 16);
    snprintf(fake.input[fake.inputs++], sizeof fake.input[0], "%s", utf8);
    if (utf8[0] && !fake.password)
        term->ops->line(term, LINE_ECHO, utf8);
    if (fake.on_input)
        fake.on_input(term, utf8);
    return fake.rc;
}

void endicott_terminal_attention(struct endicott *sys, struct terminal *term, bool break_key)
{
    (void)sys;
    fake.attentions += !break_key;
    fake.breaks += break_key;
    if (break_key && fake.on_break)
        fake.on_break(term);
}

void endicott_terminal_data_stream(struct endicott *sys, struct terminal *term, const uint8_t *data,
                                   size_t n)
{
    (void)sys;
    (void)term;
    INVARIANT(n <= sizeof fake.stream);
    memcpy(fake.stream, data, n);
    fake.stream_size = n;
}

void endicott_terminal_hangup(struct endicott *sys, struct terminal *term)
{
    (void)sys;
    (void)term;
    fake.hangups++;
}

int endicott_terminal_logon(struct endicott *sys, struct terminal *term, const char *userid)
{
    (void)sys;
    if (strcmp(userid, "OPERATOR") != 0)
        return 53;
    term->ops->line(term, LINE_CP, "LOGON AT 00:00:00");
    term->ops->status(term, TERMINAL_CP_READ);
    return 0;
}

void endicott_pf_key(struct endicott *sys, struct terminal *term, unsigned pf, char *mode,
                     char *out, size_t size)
{
    (void)sys;
    (void)term;
    *mode = fake.pf[pf].mode;
    snprintf(out, size, "%s", fake.pf[pf].text ? fake.pf[pf].text : "");
}

void endicott_screen_times(struct endicott *sys, struct terminal *term, unsigned *more1,
                           unsigned *more2, bool *hold)
{
    (void)sys;
    (void)term;
    *more1 = fake.more1;
    *more2 = fake.more2;
    *hold = fake.hold;
}

#endif
