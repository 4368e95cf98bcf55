// SPDX-License-Identifier: MIT
// The output area: lines onto the page, MORE... and HOLDING, and their timers.
#include "console/fullscreen_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// --- queues -----------------------------------------------------------------

void queue_add(struct queue *queue, struct item *item)
{
    item->next = NULL;
    *queue->last = item;
    queue->last = &item->next;
    queue->lines += item->what == ITEM_LINE;
}

struct item *queue_take(struct queue *queue)
{
    struct item *item = queue->first;
    if (!item)
        return NULL;
    queue->first = item->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->lines -= item->what == ITEM_LINE;
    return item;
}

void queue_free(struct queue *queue)
{
    struct item *item;
    while ((item = queue_take(queue)))
        free(item);
}

// `lock` protects the count that append() looks at.
static struct item *take_backlog(struct fullscreen *fs)
{
    pthread_mutex_lock(&fs->lock);
    struct item *item = queue_take(&fs->backlog);
    pthread_mutex_unlock(&fs->lock);
    return item;
}

// --- the page ---------------------------------------------------------------

static unsigned page_rows(const struct fullscreen *fs)
{
    return fs->rows - 2;
}

// The last row is one short: its last column holds the input area's attribute.
static unsigned row_width(const struct fullscreen *fs, unsigned row)
{
    return row + 1 == page_rows(fs) ? fs->cols - 1 : fs->cols;
}

static void free_rows(struct fullscreen *fs)
{
    for (unsigned i = 0; i < fs->used; i++)
        free(fs->row[i].data);
    fs->used = 0;
}

void fs_clear_page(struct fullscreen *fs)
{
    free_rows(fs);
    fs->drawn = 0;
    fs->cleared = true;
    fs->page_message = false;
}

static void add_row(struct fullscreen *fs, enum line_kind kind, const uint8_t *data, size_t n)
{
    struct page_row *row = &fs->row[fs->used++];
    *row = (struct page_row){.kind = kind, .n = (unsigned)n, .data = mem_alloc(n ? n : 1)};
    if (n)
        memcpy(row->data, data, n);
}

// Wraps a line at the width of the screen; false when the page is full, with the rest in *data, *n.
static bool place(struct fullscreen *fs, enum line_kind kind, const uint8_t **data, size_t *n)
{
    do {
        if (fs->used == page_rows(fs))
            return false;
        size_t width = row_width(fs, fs->used);
        size_t part = *n < width ? *n : width;
        // A line that the full width would hold is not broken for the sake of the last row.
        if (part < *n && width < fs->cols && *n <= fs->cols)
            return false;
        add_row(fs, kind, *data, part);
        *data += part;
        *n -= part;
    } while (*n);
    return true;
}

static bool place_rows(struct fullscreen *fs, const struct page_row *row,
                       const struct page_row *end)
{
    for (; row < end; row++) {
        const uint8_t *data = row->data;
        size_t n = row->n;
        if (!place(fs, row->kind, &data, &n))
            return false;
    }
    return true;
}

// Lays the page out anew in the display's size. When it has become too small, the older rows go:
// they are still in the history.
void fs_size_changed(struct fullscreen *fs)
{
    struct page_row *old = fs->row;
    unsigned old_used = fs->used;
    fs->display->ops->size(fs->display, &fs->rows, &fs->cols);
    INVARIANT(fs->rows >= 24 && fs->cols >= 80);
    ps_alternate(&fs->guest, fs->rows, fs->cols);
    fs->row = mem_zero(page_rows(fs), sizeof *fs->row);
    fs->used = 0;
    for (unsigned first = 0; !place_rows(fs, old + first, old + old_used); first++)
        free_rows(fs);
    for (unsigned i = 0; i < old_used; i++)
        free(old[i].data);
    free(old);
    fs->fresh = true;
    fs->drawn = 0;
    if (fs->hold == HOLD_MORE && fs->used < page_rows(fs))
        fs->hold = HOLD_NONE; // there is room again
}

static void remember(struct fullscreen *fs, const uint8_t *data, size_t n)
{
    size_t at = (fs->history_first + fs->history_count) % HISTORY_LINES;
    if (fs->history_count == HISTORY_LINES) {
        free(fs->history[at].data);
        fs->history_first = (fs->history_first + 1) % HISTORY_LINES;
        fs->history_count--;
    }
    fs->history[at] = (struct history_line){.n = n, .data = mem_alloc(n ? n : 1)};
    if (n)
        memcpy(fs->history[at].data, data, n);
    fs->history_count++;
}

// --- holding ----------------------------------------------------------------

void fs_hold(struct fullscreen *fs, enum hold hold)
{
    unsigned more1, more2;
    bool hold_on;
    endicott_screen_times(fs->sys, &fs->term, &more1, &more2, &hold_on);
    if (hold == HOLD_MORE && fs->page_message && hold_on)
        hold = HOLD_HOLDING; // nobody misses a message because the timer ran out
    fs->hold = hold;
    fs->alarm_at = fs->clear_at = TOD_NEVER;
    if (hold == HOLD_MORE) {
        fs->alarm_at = endicott_now(fs->sys) + more1 * TOD_SECOND;
        fs->clear_at = fs->alarm_at + more2 * TOD_SECOND;
        if (!more1 && !more2) {
            fs->hold = HOLD_NONE;
            fs_clear_page(fs);
        }
    }
}

void fs_release(struct fullscreen *fs)
{
    fs->hold = HOLD_NONE;
    fs->refused_until = 0;
    fs_clear_page(fs);
    fs->covers_guest = false;
    fs_advance(fs);
}

// Lines go, the end of the session and a guest's screen stay.
void fs_discard(struct fullscreen *fs)
{
    struct queue rest = {.last = &rest.first};
    struct item *item;
    while ((item = take_backlog(fs))) {
        if (item->what == ITEM_LINE)
            free(item);
        else
            queue_add(&rest, item);
    }
    pthread_mutex_lock(&fs->lock);
    while ((item = queue_take(&rest)))
        queue_add(&fs->backlog, item);
    pthread_mutex_unlock(&fs->lock);
    fs_release(fs);
}

// --- from the backlog to the page -------------------------------------------

// The screen that lines need; a guest's own line output ends its full-screen program, anybody
// else's only covers it.
static void lines_come(struct fullscreen *fs, enum line_kind kind)
{
    if (kind == LINE_VM)
        fs_guest_end(fs);
    fs->covers_guest |= fs->mode == SCREEN_GUEST;
    if (fs->mode != SCREEN_LINES)
        fs_set_lines_mode(fs);
}

// False when the page is full; the item keeps the rest of the line.
static bool show_line(struct fullscreen *fs, struct item *item)
{
    const uint8_t *rest = item->data;
    size_t n = item->n;
    lines_come(fs, item->kind);
    if (place(fs, item->kind, &rest, &n)) {
        if (item->kind == LINE_MESSAGE)
            fs->alarm = fs->page_message = true;
        return true;
    }
    memmove(item->data, rest, n);
    item->n = n;
    return false;
}

static void put_back(struct fullscreen *fs, struct item *item)
{
    pthread_mutex_lock(&fs->lock);
    item->next = fs->backlog.first;
    fs->backlog.first = item;
    if (!item->next)
        fs->backlog.last = &item->next;
    fs->backlog.lines++;
    pthread_mutex_unlock(&fs->lock);
}

// A line goes to the history when it comes to the page for the first time.
static void take_line(struct fullscreen *fs, struct item *item)
{
    bool full = fs->mode == SCREEN_LINES && fs->used == page_rows(fs);
    if (!item->seen && !full) {
        remember(fs, item->data, item->n);
        item->seen = true;
    }
    if (show_line(fs, item)) {
        free(item);
        return;
    }
    put_back(fs, item);
    fs_hold(fs, HOLD_MORE);
}

// CP's lines over a guest's screen stay until the user has seen them; what the user did at CP READ
// is over as soon as the guest runs again.
static void back_to_guest(struct fullscreen *fs)
{
    if (fs->hold != HOLD_NONE || !fs->guest_active || fs->mode != SCREEN_LINES)
        return;
    if (fs->covers_guest && fs->used)
        fs_hold(fs, HOLD_HOLDING);
    else if (fs_cp_status(fs) != TERMINAL_CP_READ)
        fs_guest_show(fs);
}

void fs_advance(struct fullscreen *fs)
{
    struct item *item;
    while (fs->hold == HOLD_NONE && (item = take_backlog(fs))) {
        switch (item->what) {
        case ITEM_LINE:
            take_line(fs, item);
            continue;
        case ITEM_STREAM:
            fs_guest_stream(fs, item->data, item->n);
            break;
        case ITEM_ENDED:
            fs->ended = true;
            fs_guest_end(fs);
            break;
        }
        free(item);
    }
    back_to_guest(fs);
}

// --- timers -----------------------------------------------------------------

static void fired(void *arg)
{
    struct fullscreen *fs = arg;
    pthread_mutex_lock(&fs->lock);
    fs->timer_fired = true;
    pthread_mutex_unlock(&fs->lock);
    if (fs->options.wake)
        fs->options.wake(fs->options.wake_arg);
}

static tod_t next_due(const struct fullscreen *fs)
{
    tod_t due = TOD_NEVER;
    if (fs->hold == HOLD_MORE)
        due = fs->alarm_at < fs->clear_at ? fs->alarm_at : fs->clear_at;
    if (fs->refused_until && fs->refused_until < due)
        due = fs->refused_until;
    return due;
}

static void set_timer(struct fullscreen *fs)
{
    tod_t due = next_due(fs);
    if (due == fs->timer_due)
        return;
    endicott_timer_free(fs->timer);
    fs->timer = due == TOD_NEVER ? NULL : endicott_timer_new(fs->sys, due, fired, fs);
    fs->timer_due = due;
}

void fs_run_timers(struct fullscreen *fs)
{
    tod_t now = endicott_now(fs->sys);
    if (fs->refused_until && now >= fs->refused_until)
        fs->refused_until = 0;
    if (fs->hold == HOLD_MORE && now >= fs->clear_at) {
        fs_release(fs);
    } else if (fs->hold == HOLD_MORE && now >= fs->alarm_at) {
        fs->alarm = true;
        fs->alarm_at = TOD_NEVER;
    }
    set_timer(fs);
}
