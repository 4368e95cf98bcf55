// SPDX-License-Identifier: MIT
// The CP full screen on a display in memory, with a clock that stands still until it is moved.
#ifndef ENDICOTT_TESTS_CONSOLE_SCREEN_RIG_H
#define ENDICOTT_TESTS_CONSOLE_SCREEN_RIG_H

#include "console/datastream.h"
#include "console/fullscreen.h"
#include "fake_engine.h"

static struct memory_display md;
static struct fullscreen *fs;
static struct terminal *term;

static inline void worker(void *arg)
{
    fullscreen_work(arg);
}

static inline void advance(double seconds)
{
    fake_advance(seconds, worker, fs);
}

static inline void work(void)
{
    fullscreen_work(fs);
}

static inline int setup_logo(void **state)
{
    (void)state;
    fake_reset();
    memory_display_init(&md, 24, 80);
    fs = fullscreen_new((struct endicott *)&fake, &md.display,
                        &(struct fullscreen_options){.name = "0009", .rdev = 9, .backlog = 200});
    term = fullscreen_terminal(fs);
    return 0;
}

// Logged on, an empty page, RUNNING.
static inline int setup(void **state)
{
    setup_logo(state);
    assert_int_equal(fullscreen_logon(fs, "OPERATOR"), 0);
    term->ops->status(term, TERMINAL_RUNNING);
    work();
    memory_display_press(&md, AID_CLEAR);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    fullscreen_free(fs);
    assert_int_equal(fake.hangups, 1);
    assert_null(fake.timers);
    memory_display_free(&md);
    return 0;
}

static inline void line(enum line_kind kind, const char *text)
{
    term->ops->line(term, kind, text);
}

static inline void lines(unsigned first, unsigned last)
{
    char text[32];
    for (unsigned i = first; i <= last; i++) {
        snprintf(text, sizeof text, "line %u", i);
        line(LINE_CP, text);
    }
    work();
}

static inline const char *row(unsigned i)
{
    static char text[400];
    ps_row(&md.ps, i, text, sizeof text);
    return text;
}

static inline void assert_row(unsigned i, const char *want)
{
    assert_string_equal(row(i), want);
}

static inline void assert_status(const char *want)
{
    char text[32];
    snprintf(text, sizeof text, "%-10sTESTSYS", want);
    if (strlen(want) > 10)
        snprintf(text, sizeof text, "%s", want);
    assert_true(strlen(row(23)) > 60);
    assert_string_equal(row(23) + 60, text);
    assert_string_equal(fullscreen_status(fs), want);
}

static inline void enter(const char *text)
{
    assert_true(memory_display_type(&md, text));
    assert_true(memory_display_press(&md, AID_ENTER));
    assert_int_equal(md.ps.lock, PS_UNLOCKED);
}

#endif
