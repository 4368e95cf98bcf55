// SPDX-License-Identifier: MIT
// The console's main loop: keys, the system's due events, what CP sent, one frame at a time.
#include "console/console.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "console/datastream.h"
#include "console/keyboard.h"
#include "console/picture.h"
#include "console/screen.h"
#include "console/tty.h"
#include "base/utf8.h"

enum overlay {
    OVERLAY_NONE,
    OVERLAY_HISTORY,
    OVERLAY_HELP,
    OVERLAY_QUIT,
    OVERLAY_PASTE,
    OVERLAY_VIEW
};

struct console {
    const struct console_source *source;
    const char *name; // the terminal's
    const struct console_options *options;
    struct tty tty;
    struct screen *screen;
    struct keyboard *keyboard;
    struct cells cells;
    struct memory_display display;
    enum overlay overlay;
    size_t back;       // of the scrollback
    struct text paste; // that waits for a yes
    struct ahead {
        enum key_action action;
        uint32_t value;
    } * ahead; // keys for the 3270 that came while it waited for the host
    size_t aheads, ahead_room;
    bool dirty, quit, bell;
};

// --- drawing ----------------------------------------------------------------

static void notice_paste(struct console *c)
{
    char text[128];
    unsigned lines = 1;
    for (const char *p = text_get(&c->paste); *p; p++)
        lines += *p == '\n' || *p == '\r';
    snprintf(text, sizeof text,
             "Pasted %u lines: \"%.30s...\"   y: enter them one by one, any other key: no", lines,
             text_get(&c->paste));
    picture_notice(&c->cells, text);
}

static void draw_overlay(struct console *c)
{
    switch (c->overlay) {
    case OVERLAY_NONE:
    case OVERLAY_VIEW:
        break;
    case OVERLAY_HISTORY:
        picture_history(&c->cells, c->source->history(c->source->arg), c->back,
                        c->source->history_line, c->source->arg);
        break;
    case OVERLAY_HELP:
        picture_help(&c->cells);
        break;
    case OVERLAY_QUIT:
        picture_notice(&c->cells, c->source->leaving);
        break;
    case OVERLAY_PASTE:
        notice_paste(c);
        break;
    }
}

static void draw(struct console *c)
{
    cells_clear(&c->cells);
    if (c->overlay == OVERLAY_VIEW) {
        c->options->view->draw(c->options->view->arg, &c->cells);
    } else if (picture_fits(&c->cells)) {
        picture_3270(&c->cells, &c->display.ps, c->name);
        draw_overlay(c);
    }
    if (screen_show(c->screen, &c->cells))
        c->dirty = false;
    if (c->display.ps.alarm)
        screen_bell(c->screen);
    c->display.ps.alarm = false;
}

static void resize(struct console *c)
{
    unsigned rows, cols;
    tty_size(&c->tty, &rows, &cols);
    cells_resize(&c->cells, rows, cols);
    screen_resized(c->screen);
    picture_size(&rows, &cols);
    memory_display_resize(&c->display, rows, cols);
    c->dirty = true;
}

// --- keys -------------------------------------------------------------------

static void scroll(struct console *c, bool back)
{
    size_t total = c->source->history(c->source->arg),
           page = c->cells.rows > 2 ? c->cells.rows - 2 : 1;
    if (c->overlay == OVERLAY_NONE) {
        c->source->look_back(c->source->arg);
        c->overlay = OVERLAY_HISTORY;
        c->back = 0;
    } else if (back) {
        c->back = c->back + page < total ? c->back + page : c->back;
    } else if (c->back) {
        c->back = c->back > page ? c->back - page : 0;
    } else {
        c->overlay = OVERLAY_NONE;
    }
}

// A host behind a socket takes its time to restore the keyboard: what is typed meanwhile is not
// lost. RESET forgets it.
static void type_ahead(struct console *c, enum key_action action, uint32_t value)
{
    if (c->aheads == c->ahead_room) {
        c->ahead_room = c->ahead_room ? 2 * c->ahead_room : 64;
        c->ahead = mem_resize(c->ahead, c->ahead_room, sizeof *c->ahead);
    }
    c->ahead[c->aheads++] = (struct ahead){action, value};
}

static void key_now(struct console *c, enum key_action action, uint32_t value)
{
    if (action == KEY_TEXT)
        ps_type(&c->display.ps, value);
    else if (action == KEY_FIELD)
        ps_key(&c->display.ps, (enum ps_key)value);
    else
        memory_display_press(&c->display, (uint8_t)value);
}

// KEY_TEXT, KEY_FIELD or KEY_AID.
static void key_or_ahead(struct console *c, enum key_action action, uint32_t value)
{
    if (c->aheads || c->display.ps.lock == PS_LOCK_WAIT)
        type_ahead(c, action, value);
    else
        key_now(c, action, value);
}

static void run_ahead(struct console *c)
{
    size_t done = 0;
    if (!c->aheads)
        return;
    for (; done < c->aheads && c->display.ps.lock != PS_LOCK_WAIT; done++)
        key_now(c, c->ahead[done].action, c->ahead[done].value);
    c->aheads -= done;
    memmove(c->ahead, c->ahead + done, c->aheads * sizeof *c->ahead);
    c->dirty |= done > 0;
}

// Lines of a paste after the user said yes: each is typed and entered.
static void enter_paste(struct console *c)
{
    const char *p = text_get(&c->paste);
    while (*p) {
        uint32_t ch = utf8_next(&p);
        if (ch == '\r' && *p == '\n')
            continue;
        if (ch == '\n' || ch == '\r')
            key_or_ahead(c, KEY_AID, AID_ENTER);
        else if (ch >= ' ')
            key_or_ahead(c, KEY_TEXT, ch);
    }
    text_clear(&c->paste);
}

static void take_paste(struct console *c, const char *text)
{
    text_clear(&c->paste);
    text_puts(&c->paste, text);
    if (c->overlay != OVERLAY_NONE)
        return;
    if (strpbrk(text, "\r\n"))
        c->overlay = OVERLAY_PASTE;
    else
        enter_paste(c);
}

// A key while a question or another picture is shown.
static void overlay_key(struct console *c, const struct key_event *key)
{
    enum overlay was = c->overlay;
    bool yes = key->action == KEY_TEXT && (key->value == 'y' || key->value == 'Y');
    if (was == OVERLAY_HISTORY &&
        (key->action == KEY_SCROLL_BACK || key->action == KEY_SCROLL_FORWARD)) {
        scroll(c, key->action == KEY_SCROLL_BACK);
        return;
    }
    c->overlay = OVERLAY_NONE;
    if (was == OVERLAY_QUIT)
        c->quit = yes;
    else if (was == OVERLAY_PASTE && yes)
        enter_paste(c);
}

static void show_overlay(struct console *c, enum overlay overlay)
{
    if (overlay != OVERLAY_VIEW || c->options->view)
        c->overlay = overlay;
    else
        c->bell = true;
}

static void key_3270(struct console *c, const struct key_event *key)
{
    switch (key->action) {
    case KEY_TEXT:
    case KEY_FIELD:
    case KEY_AID:
        key_or_ahead(c, key->action, key->value);
        break;
    case KEY_RESET:
        c->aheads = 0;
        ps_reset(&c->display.ps);
        break;
    case KEY_ATTENTION:
        c->source->attention(c->source->arg);
        break;
    case KEY_SCROLL_BACK:
    case KEY_SCROLL_FORWARD:
        scroll(c, key->action == KEY_SCROLL_BACK);
        break;
    default:
        c->bell = key->action == KEY_UNKNOWN;
    }
}

static void take_key(struct console *c, const struct key_event *key)
{
    c->dirty = true;
    switch (key->action) {
    case KEY_PREFIX:
        return;
    case KEY_PASTE:
        take_paste(c, key->text);
        return;
    case KEY_REDRAW:
        screen_redraw(c->screen);
        return;
    case KEY_SUSPEND:
        screen_suspend(c->screen);
        resize(c);
        return;
    case KEY_QUIT:
        show_overlay(c, OVERLAY_QUIT);
        return;
    default:
        break;
    }
    if (c->overlay != OVERLAY_NONE)
        overlay_key(c, key);
    else if (key->action == KEY_VIEW)
        show_overlay(c, OVERLAY_VIEW);
    else if (key->action == KEY_HELP)
        show_overlay(c, OVERLAY_HELP);
    else
        key_3270(c, key);
}

static void take_keys(struct console *c)
{
    struct key_event key;
    while ((key = keyboard_next(c->keyboard)).action != KEY_NONE)
        take_key(c, &key);
    if (c->bell)
        screen_bell(c->screen);
    c->bell = false;
}

static void read_keys(struct console *c)
{
    char bytes[1024];
    ssize_t n = read(c->tty.in, bytes, sizeof bytes);
    if (n > 0)
        keyboard_bytes(c->keyboard, bytes, (size_t)n);
    else
        c->quit = n == 0; // the line went away
    take_keys(c);
}

// --- the loop ---------------------------------------------------------------

// Milliseconds until something is due, -1 for ever; `wait` is the source's.
static int wait_time(struct console *c, int wait)
{
    int keys = keyboard_wait(c->keyboard);
    if (c->overlay == OVERLAY_VIEW && (wait < 0 || wait > 1000))
        wait = 1000;
    return keys >= 0 && (wait < 0 || keys < wait) ? keys : wait;
}

static void wait_for_work(struct console *c)
{
    struct pollfd fds[] = {
        {.fd = c->tty.in, .events = POLLIN},
        {.fd = -1},
        {.fd = c->tty.wake_fd, .events = POLLIN},
        {.fd = tty_pending(&c->tty) ? c->tty.out : -1, .events = POLLOUT},
    };
    int wait = c->source->wait(c->source->arg, &fds[1]);
    int ready = poll(fds, sizeof fds / sizeof *fds, wait_time(c, wait));
    if (ready > 0 && fds[2].revents)
        tty_clear_wake(&c->tty);
    if (ready > 0 && fds[3].revents)
        tty_send(&c->tty, false);
    if (ready > 0 && fds[0].revents) {
        read_keys(c);
    } else if (keyboard_wait(c->keyboard) >= 0) {
        keyboard_timeout(c->keyboard);
        take_keys(c);
    }
}

static int run(struct console *c)
{
    unsigned changes = c->display.changes - 1;
    while (!c->quit && !tty_signal() && !c->source->over(c->source->arg)) {
        if (tty_take_resize())
            resize(c);
        bool more = c->source->work(c->source->arg) && c->overlay == OVERLAY_HISTORY;
        run_ahead(c);
        c->dirty |= more || changes != c->display.changes || c->overlay == OVERLAY_VIEW;
        changes = c->display.changes;
        if (c->dirty)
            draw(c);
        wait_for_work(c);
    }
    return tty_signal() ? 128 + tty_signal() : 0;
}

static void wake(void *arg)
{
    (void)arg;
    tty_wake();
}

static bool open_terminal(struct console *c, const char **why)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && !c->options->ascii;
    unsigned rows, cols;
    c->screen = screen_new(&c->tty, !no_color || !no_color[0], why);
    if (!c->screen)
        return false;
    c->keyboard = keyboard_new(term, utf8);
    if (!c->keyboard) {
        screen_free(c->screen);
        *why = "the keyboard of this terminal is not known";
        return false;
    }
    tty_size(&c->tty, &rows, &cols);
    cells_init(&c->cells, rows, cols, utf8);
    picture_size(&rows, &cols);
    memory_display_init(&c->display, rows, cols);
    return true;
}

static void close_terminal(struct console *c)
{
    memory_display_free(&c->display);
    cells_free(&c->cells);
    text_free(&c->paste);
    free(c->ahead);
    keyboard_free(c->keyboard);
    screen_free(c->screen);
}

int console_run_source(const struct console_source *source, const struct console_options *options,
                       const char **why)
{
    struct console c = {.source = source, .options = options, .dirty = true};
    const char *term = getenv("TERM");
    int code = 1;
    setlocale(LC_CTYPE, "");
    *why = NULL;
    if (!term || !term[0] || strcmp(term, "dumb") == 0 || !tty_open(&c.tty))
        return -1;
    if (!open_terminal(&c, why)) {
        tty_close(&c.tty);
        return -1;
    }
    c.name = source->open(source->arg, &c.display.display, wake);
    if (c.name)
        code = run(&c);
    source->close(source->arg);
    close_terminal(&c);
    tty_close(&c.tty);
    return code;
}
