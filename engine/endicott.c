// SPDX-License-Identifier: MIT
// The system behind endicott.h: its life, its time line, commands and terminals.
#include "endicott_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/vm_console.h"
#include "monitor/monitor.h"

char *endicott_text(const char *fmt, ...)
{
    struct text t = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    return t.s ? t.s : mem_string("");
}

// "2026-01-01 00:00:00" UTC; false when it is not in that form.
static bool parse_start(const char *s, tod_t *start)
{
    struct tm tm = {0};
    const char *end = strptime(s, "%Y-%m-%d %H:%M:%S", &tm);
    if (!end || *end)
        return false;
    *start = tod_from_unix(timegm(&tm), 0);
    return true;
}

void endicott_notify(struct endicott *sys)
{
    uint64_t one = 1;
    // A full counter (EAGAIN) is readable as well, which is all that counts.
    if (write(sys->notify_fd, &one, sizeof one) < 0)
        INVARIANT(errno == EAGAIN);
    world_wake(&sys->world);
}

static void earlier(void *arg)
{
    struct endicott *sys = arg;
    if (sys->world_earlier)
        sys->world_earlier(sys->world_earlier_arg);
    endicott_notify(sys);
}

uint32_t endicott_cost_of_mips(double mips)
{
    double cost = mips > 0 ? (double)TOD_MICROSECOND / mips + 0.5 : 0;
    return cost < 1 ? (mips > 0 ? 1 : 0) : (uint32_t)cost;
}

struct endicott *endicott_new(const struct endicott_options *options, char **error)
{
    struct text errors = {0};
    tod_t start;
    if (!parse_start(options->start ? options->start : "2026-01-01 00:00:00", &start)) {
        *error =
            endicott_text("start time '%s' is not of the form 2026-01-01 00:00:00", options->start);
        return NULL;
    }
    struct cpu_model model;
    char reason[200];
    if (options->model && cpu_model_parse(&model, options->model, reason, sizeof reason) < 0) {
        *error = endicott_text("%s", reason);
        return NULL;
    }
    struct endicott *sys = mem_zero(1, sizeof *sys);
    sys->notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    INVARIANT(sys->notify_fd >= 0);
    handover_init(sys);
    world_init(&sys->world, options->mode, start);
    sys->world_earlier = sys->world.events.earlier;
    sys->world_earlier_arg = sys->world.events.earlier_arg;
    sys->world.events.earlier = earlier;
    sys->world.events.earlier_arg = sys;
    struct cp_options cp_options = {
        .mode = options->mode,
        .start = start,
        .folder = options->folder,
        .config_text = options->config_text,
        .directory_text = options->directory_text,
        .processors = options->processors,
        .storage = options->storage,
        .cpu_model = options->model ? &model : NULL,
        .instruction_cost = endicott_cost_of_mips(options->mips),
    };
    world_lock(&sys->world);
    sys->cp = cp_new(&sys->world, &cp_options, &errors);
    if (sys->cp) {
        monitor_start(sys->cp);
        cp_start(sys->cp);
    }
    world_unlock(&sys->world);
    if (!sys->cp) {
        *error = errors.s ? errors.s : mem_string("the system cannot be started");
        world_free(&sys->world);
        close(sys->notify_fd);
        free(sys);
        return NULL;
    }
    *error = errors.s; // warnings, or NULL
    return sys;
}

void endicott_free(struct endicott *sys)
{
    if (!sys)
        return;
    cp_shutdown(sys->cp);
    world_lock(&sys->world); // processors may still be on their way out
    monitor_stop(sys->cp);
    world_unlock(&sys->world);
    cp_free(sys->cp);
    handover_drop(sys, NULL);
    world_free(&sys->world);
    close(sys->notify_fd);
    free(sys);
}

// --- time -------------------------------------------------------------------

tod_t endicott_now(const struct endicott *sys)
{
    return clock_now(&sys->world.clock);
}

bool endicott_is_virtual(const struct endicott *sys)
{
    return sys->world.clock.mode == CLOCK_VIRTUAL;
}

bool endicott_is_down(struct endicott *sys)
{
    world_lock(&sys->world);
    bool down = sys->cp->down;
    world_unlock(&sys->world);
    return down;
}

const char *endicott_name(const struct endicott *sys)
{
    return sys->cp->system_name;
}

struct cp *endicott_cp(struct endicott *sys)
{
    return sys->cp;
}

int endicott_notify_fd(struct endicott *sys)
{
    return sys->notify_fd;
}

tod_t endicott_next_due(struct endicott *sys)
{
    world_lock(&sys->world);
    tod_t due = sys->handover_first ? endicott_now(sys) : events_next(&sys->world.events);
    world_unlock(&sys->world);
    return due;
}

void endicott_lock(struct endicott *sys)
{
    world_lock(&sys->world);
}

void endicott_unlock(struct endicott *sys)
{
    world_unlock(&sys->world);
}

void endicott_break(struct endicott *sys)
{
    world_lock(&sys->world);
    sys->break_requested = true;
    if (endicott_is_virtual(sys))
        cp_break(sys->cp);
    else
        world_wake(&sys->world);
    world_unlock(&sys->world);
}

void endicott_pump(struct endicott *sys)
{
    uint64_t count;
    if (read(sys->notify_fd, &count, sizeof count) < 0)
        INVARIANT(errno == EAGAIN);
    world_lock(&sys->world);
    events_fire(&sys->world.events, endicott_now(sys));
    while (handover_deliver(sys))
        ;
    world_unlock(&sys->world);
}

// Real mode: sleeps until `until`, the next event, or until there is something to do.
static void sleep_for_work(struct endicott *sys, tod_t until)
{
    tod_t next = events_next(&sys->world.events);
    if (!sys->break_requested && !sys->handover_first)
        world_wait(&sys->world, next < until ? next : until);
}

static void run_real(struct endicott *sys, tod_t until)
{
    for (;;) {
        // Taken first, so that what is due at `until` is fired before we return.
        tod_t now = endicott_now(sys);
        events_fire(&sys->world.events, now);
        while (!sys->break_requested && handover_deliver(sys))
            ;
        if (sys->break_requested || sys->cp->down || now >= until)
            return;
        sleep_for_work(sys, until);
    }
}

void endicott_run_until(struct endicott *sys, tod_t until)
{
    world_lock(&sys->world);
    sys->break_requested = false;
    if (endicott_is_virtual(sys))
        cp_run(sys->cp, until);
    else
        run_real(sys, until);
    world_unlock(&sys->world);
}

struct endicott_timer {
    struct event event;
    struct handover handover;
    struct endicott *sys;
    void (*fn)(void *arg);
    void *arg;
};

static void timer_deliver(struct handover *handover, bool wanted)
{
    const struct endicott_timer *timer = handover->owner;
    if (wanted)
        timer->fn(timer->arg);
}

static void timer_fire(struct event *event, void *arg)
{
    struct endicott_timer *timer = arg;
    (void)event;
    if (endicott_is_virtual(timer->sys))
        timer->fn(timer->arg);
    else
        handover_add(timer->sys, &timer->handover);
}

struct endicott_timer *endicott_timer_new(struct endicott *sys, tod_t due, void (*fn)(void *arg),
                                          void *arg)
{
    struct endicott_timer *timer = mem_zero(1, sizeof *timer);
    timer->sys = sys;
    timer->handover = (struct handover){.owner = timer, .deliver = timer_deliver};
    timer->fn = fn;
    timer->arg = arg;
    event_init(&timer->event, timer_fire, timer);
    world_lock(&sys->world);
    event_schedule(&sys->world.events, &timer->event, due);
    world_unlock(&sys->world);
    return timer;
}

void endicott_timer_free(struct endicott_timer *timer)
{
    if (!timer)
        return;
    struct endicott *sys = timer->sys;
    world_lock(&sys->world);
    event_cancel(&sys->world.events, &timer->event);
    handover_drop(sys, timer);
    world_unlock(&sys->world);
    free(timer);
}

// --- commands and terminals -------------------------------------------------

int endicott_command(struct endicott *sys, const char *user, const char *line, char **text,
                     char **message_id)
{
    struct text lines = {0};
    struct response out = response_to_text(&lines);
    int rc = -1;
    world_lock(&sys->world);
    struct vm *vm = user ? cp_user(sys->cp, user) : sys->cp->operator;
    if (vm)
        rc = command_execute(sys->cp, vm, NULL, line, &out);
    world_unlock(&sys->world);
    if (message_id)
        *message_id = mem_string(out.message_id);
    if (text)
        *text = lines.s ? lines.s : mem_string("");
    else
        text_free(&lines);
    return rc;
}

int endicott_terminal_input(struct endicott *sys, struct terminal *term, const char *utf8)
{
    world_lock(&sys->world);
    int rc = terminal_input(sys->cp, term, utf8);
    world_unlock(&sys->world);
    return rc;
}

void endicott_terminal_attention(struct endicott *sys, struct terminal *term, bool break_key)
{
    world_lock(&sys->world);
    terminal_attention(sys->cp, term, break_key);
    world_unlock(&sys->world);
}

void endicott_terminal_data_stream(struct endicott *sys, struct terminal *term, const uint8_t *data,
                                   size_t n)
{
    world_lock(&sys->world);
    terminal_data_stream(sys->cp, term, data, n);
    world_unlock(&sys->world);
}

void endicott_terminal_hangup(struct endicott *sys, struct terminal *term)
{
    world_lock(&sys->world);
    terminal_hangup(sys->cp, term);
    world_unlock(&sys->world);
}

int endicott_terminal_logon(struct endicott *sys, struct terminal *term, const char *userid)
{
    struct text lines = {0};
    struct response out = response_to_text(&lines);
    int rc = 0;
    world_lock(&sys->world);
    struct vm *vm = cp_user(sys->cp, userid);
    if (vm && !vm->terminal)
        vm_reconnect(vm, term);
    else
        rc = vm_logon(sys->cp, userid, &(struct logon_options){.terminal = term}, &out);
    world_unlock(&sys->world);
    text_free(&lines);
    return rc;
}
