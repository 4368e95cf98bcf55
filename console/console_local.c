// SPDX-License-Identifier: MIT
// The console of a system in this process.
#include <stdio.h>
#include <stdlib.h>

#include "console/console.h"
#include "console/datastream.h"
#include "console/fullscreen.h"
#include "console/line_console.h"

#define TERMINAL_NAME "0009"

struct local {
    struct endicott *sys;
    const char *logon;
    struct fullscreen *fs;
};

static const char *open_screen(void *arg, struct display *display, void (*wake)(void *arg))
{
    static const uint8_t alarm[] = {DS_WRITE, WCC_BASE | WCC_ALARM};
    struct local *local = arg;
    local->fs = fullscreen_new(
        local->sys, display,
        &(struct fullscreen_options){.name = TERMINAL_NAME, .rdev = 9, .wake = wake});
    if (local->logon && fullscreen_logon(local->fs, local->logon) != 0)
        display->ops->outbound(display, alarm, sizeof alarm); // and the logo stays
    return TERMINAL_NAME;
}

static void close_screen(void *arg)
{
    fullscreen_free(((struct local *)arg)->fs);
}

static bool work(void *arg)
{
    struct local *local = arg;
    endicott_pump(local->sys);
    fullscreen_work(local->fs);
    return false;
}

static bool over(void *arg)
{
    return endicott_is_down(((struct local *)arg)->sys);
}

static int wait_for(void *arg, struct pollfd *fd)
{
    struct endicott *sys = ((struct local *)arg)->sys;
    tod_t due = endicott_next_due(sys), now = endicott_now(sys);
    *fd = (struct pollfd){.fd = endicott_notify_fd(sys), .events = POLLIN};
    double ms = due == TOD_NEVER ? -1 : due <= now ? 0 : tod_to_seconds(due - now) * 1000 + 1;
    return ms < 0 ? -1 : ms > 60000 ? 60000 : (int)ms;
}

static void attention(void *arg)
{
    fullscreen_attention(((struct local *)arg)->fs);
}

static void look_back(void *arg)
{
    (void)arg; // the history is at hand
}

static size_t history(void *arg)
{
    return fullscreen_history(((struct local *)arg)->fs);
}

static bool history_line(void *arg, size_t i, char *out, size_t size)
{
    return fullscreen_history_line(((struct local *)arg)->fs, i, out, size);
}

int console_run(struct endicott *sys, const struct console_options *options)
{
    struct local local = {.sys = sys, .logon = options->logon};
    const struct console_source source = {
        .arg = &local,
        .leaving = "Leave, and shut the system down?   y: yes, any other key: no",
        .open = open_screen,
        .close = close_screen,
        .work = work,
        .over = over,
        .wait = wait_for,
        .attention = attention,
        .look_back = look_back,
        .history = history,
        .history_line = history_line,
    };
    const char *why;
    int code = console_run_source(&source, options, &why);
    if (code >= 0)
        return code;
    if (why)
        fprintf(stderr, "endicott: TERM=%s: %s; lines only\n", getenv("TERM"), why);
    return line_console_run(sys, options);
}
