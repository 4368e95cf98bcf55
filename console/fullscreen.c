// SPDX-License-Identifier: MIT
// The CP full screen: its life, what CP tells it, and its one worker.
#include "console/fullscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "console/fullscreen_inside.h"

#define DEFAULT_BACKLOG 10000

// --- from CP, on any thread -------------------------------------------------

static void wake(struct fullscreen *fs)
{
    if (fs->options.wake)
        fs->options.wake(fs->options.wake_arg);
}

static void append(struct fullscreen *fs, struct item *item)
{
    pthread_mutex_lock(&fs->lock);
    bool line = item->what == ITEM_LINE;
    if (line && item->kind == LINE_ECHO && fs->mute_echo) {
        free(item);
    } else if (line && fs->inbox.lines + fs->backlog.lines >= fs->options.backlog) {
        fs->lost++;
        free(item);
    } else {
        queue_add(&fs->inbox, item);
    }
    pthread_mutex_unlock(&fs->lock);
    wake(fs);
}

static struct item *item_new(enum item_kind what, size_t n)
{
    struct item *item = mem_zero(1, sizeof *item + n);
    item->what = what;
    item->n = n;
    return item;
}

static struct item *line_new(const struct codepage *page, enum line_kind kind, const char *utf8)
{
    struct text code = {0};
    ds_text(&code, page, utf8);
    struct item *item = item_new(ITEM_LINE, code.len);
    item->kind = kind;
    if (code.len)
        memcpy(item->data, code.s, code.len);
    text_free(&code);
    return item;
}

static void op_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    struct fullscreen *fs = (struct fullscreen *)term;
    append(fs, line_new(fs->page, kind, utf8));
}

static void op_status(struct terminal *term, enum terminal_status status)
{
    struct fullscreen *fs = (struct fullscreen *)term;
    pthread_mutex_lock(&fs->lock);
    fs->cp_status = status;
    pthread_mutex_unlock(&fs->lock);
    wake(fs);
}

static void op_conceal(struct terminal *term, bool on)
{
    struct fullscreen *fs = (struct fullscreen *)term;
    pthread_mutex_lock(&fs->lock);
    fs->conceal = on;
    pthread_mutex_unlock(&fs->lock);
    wake(fs);
}

static void op_ended(struct terminal *term)
{
    struct fullscreen *fs = (struct fullscreen *)term;
    append(fs, item_new(ITEM_ENDED, 0));
}

static void op_data_stream(struct terminal *term, const uint8_t *data, size_t n)
{
    struct item *item = item_new(ITEM_STREAM, n);
    if (n)
        memcpy(item->data, data, n);
    append((struct fullscreen *)term, item);
}

static const struct terminal_ops terminal_ops = {
    .line = op_line,
    .status = op_status,
    .ended = op_ended,
    .data_stream = op_data_stream,
    .conceal = op_conceal,
};

// --- life -------------------------------------------------------------------

static void resized(void *arg)
{
    struct fullscreen *fs = arg;
    // What is typed so far comes back as an answer with no AID, before the screen is made anew.
    static const uint8_t read_modified[] = {DS_READ_MODIFIED};
    if (fs->mode == SCREEN_GUEST) {
        fs->display->ops->size(fs->display, &fs->guest.alt_rows, &fs->guest.alt_cols);
        return; // the guest's next erase takes it
    }
    fs->resizing = true;
    fs->display->ops->outbound(fs->display, read_modified, sizeof read_modified);
    fs->resizing = false;
    fs_size_changed(fs);
    fullscreen_work(fs);
}

struct fullscreen *fullscreen_new(struct endicott *sys, struct display *display,
                                  const struct fullscreen_options *options)
{
    struct fullscreen *fs = mem_zero(1, sizeof *fs);
    fs->sys = sys;
    fs->display = display;
    fs->options = *options;
    if (!fs->options.backlog)
        fs->options.backlog = DEFAULT_BACKLOG;
    fs->page = codepage_default();
    fs->term.ops = &terminal_ops;
    snprintf(fs->term.name, sizeof fs->term.name, "%s", options->name);
    fs->term.rdev = options->rdev;
    fs->inbox.last = &fs->inbox.first;
    fs->backlog.last = &fs->backlog.first;
    fs->retrieved = -1;
    fs->timer_due = TOD_NEVER;
    pthread_mutex_init(&fs->lock, NULL);
    display->host = (struct display_host){.inbound = fs_inbound, .resized = resized, .arg = fs};
    ps_init(&fs->guest, 24, 80);
    fs_size_changed(fs);
    fs_set_logo(fs);
    fs_draw(fs);
    return fs;
}

static void free_history(struct fullscreen *fs)
{
    for (size_t i = 0; i < HISTORY_LINES; i++) {
        free(fs->history[i].data);
        fs->history[i].data = NULL;
    }
    fs->history_first = fs->history_count = 0;
}

void fullscreen_free(struct fullscreen *fs)
{
    if (!fs)
        return;
    endicott_terminal_hangup(fs->sys, &fs->term);
    endicott_timer_free(fs->timer);
    fs->display->host = (struct display_host){0};
    queue_free(&fs->inbox);
    queue_free(&fs->backlog);
    fs_clear_page(fs);
    free(fs->row);
    fs_forget_retrieve(fs);
    free_history(fs);
    ps_free(&fs->guest);
    pthread_mutex_destroy(&fs->lock);
    free(fs);
}

struct terminal *fullscreen_terminal(struct fullscreen *fs)
{
    return &fs->term;
}

void fullscreen_attention(struct fullscreen *fs)
{
    if (fs_cp_status(fs) != TERMINAL_LOGO)
        endicott_terminal_attention(fs->sys, &fs->term, false);
    fullscreen_work(fs);
}

int fullscreen_logon(struct fullscreen *fs, const char *userid)
{
    int rc = endicott_terminal_logon(fs->sys, &fs->term, userid);
    if (rc == 0)
        fs_set_lines_mode(fs);
    fullscreen_work(fs);
    return rc;
}

// --- modes ------------------------------------------------------------------

void fs_set_lines_mode(struct fullscreen *fs)
{
    fs->mode = SCREEN_LINES;
    fs->fresh = true;
    fs_clear_page(fs);
}

// The next one who sits down here finds nothing of the last one's.
void fs_set_logo(struct fullscreen *fs)
{
    fs->mode = SCREEN_LOGO;
    fs->hold = HOLD_NONE;
    fs->ended = fs->suppress = false;
    fs->fresh = true;
    fs->input[0] = '\0';
    fs_guest_end(fs);
    fs_clear_page(fs);
    fs_forget_retrieve(fs);
    free_history(fs);
}

enum terminal_status fs_cp_status(struct fullscreen *fs)
{
    pthread_mutex_lock(&fs->lock);
    enum terminal_status status = fs->cp_status;
    pthread_mutex_unlock(&fs->lock);
    return status;
}

const char *fullscreen_status(struct fullscreen *fs)
{
    static const char *const words[] = {
        [TERMINAL_LOGO] = "CP READ",
        [TERMINAL_CP_READ] = "CP READ",
        [TERMINAL_VM_READ] = "VM READ",
        [TERMINAL_RUNNING] = "RUNNING",
    };
    if (fs->refused_until)
        return "NOT ACCEPTED";
    if (fs->hold != HOLD_NONE)
        return fs->hold == HOLD_MORE ? "MORE..." : "HOLDING";
    if (fs->mode == SCREEN_LOGO)
        return "RUNNING";
    return words[fs_cp_status(fs)];
}

// --- the worker -------------------------------------------------------------

void fs_queue_line(struct fullscreen *fs, enum line_kind kind, const char *utf8)
{
    pthread_mutex_lock(&fs->lock);
    queue_add(&fs->backlog, line_new(fs->page, kind, utf8));
    pthread_mutex_unlock(&fs->lock);
}

static void take_inbox(struct fullscreen *fs)
{
    struct item *item;
    char text[80] = "";
    pthread_mutex_lock(&fs->lock);
    while ((item = queue_take(&fs->inbox))) {
        if (fs->suppress && item->what == ITEM_LINE)
            free(item);
        else
            queue_add(&fs->backlog, item);
    }
    if (fs->lost && fs->backlog.lines < fs->options.backlog / 2) {
        snprintf(text, sizeof text, "* %zu LINES WERE LOST: THE SCREEN HELD TOO LONG", fs->lost);
        fs->lost = 0;
    }
    fs->timer_fired = false;
    pthread_mutex_unlock(&fs->lock);
    if (text[0])
        fs_queue_line(fs, LINE_CP, text);
}

void fullscreen_work(struct fullscreen *fs)
{
    take_inbox(fs);
    fs_run_timers(fs);
    fs_advance(fs);
    fs_run_timers(fs);
    fs_draw(fs);
}

// --- scrollback -------------------------------------------------------------

size_t fullscreen_history(const struct fullscreen *fs)
{
    return fs->history_count;
}

bool fullscreen_history_line(const struct fullscreen *fs, size_t i, char *out, size_t size)
{
    if (i >= fs->history_count)
        return false;
    const struct history_line *h = &fs->history[(fs->history_first + i) % HISTORY_LINES];
    ebcdic_to_utf8(fs->page, h->data, h->n, out, size);
    return true;
}
