// SPDX-License-Identifier: MIT
// What the files of the CP full screen share.
#ifndef ENDICOTT_CONSOLE_FULLSCREEN_INSIDE_H
#define ENDICOTT_CONSOLE_FULLSCREEN_INSIDE_H

#include <pthread.h>

#include "base/text.h"
#include "console/datastream.h"
#include "console/fullscreen.h"

enum item_kind { ITEM_LINE, ITEM_STREAM, ITEM_ENDED };

// Something CP sent that takes its turn on the screen. Lines are EBCDIC without orders.
struct item {
    struct item *next;
    enum item_kind what;
    enum line_kind kind;
    bool seen; // part of it is on the page
    size_t n;
    uint8_t data[];
};

struct queue {
    struct item *first, **last;
    size_t lines;
};

enum screen_mode { SCREEN_LOGO, SCREEN_LINES, SCREEN_GUEST };
enum hold { HOLD_NONE, HOLD_MORE, HOLD_HOLDING };

// One row of the output area.
struct page_row {
    enum line_kind kind;
    unsigned n;
    uint8_t *data;
};

#define HISTORY_LINES    5000
#define RETRIEVE_BUFFERS 20
#define INPUT_SIZE       512 // bytes of UTF-8 of an input line

struct history_line {
    size_t n;
    uint8_t *data;
};

struct fullscreen {
    struct terminal term; // first: CP hands it back
    struct endicott *sys;
    struct display *display;
    struct fullscreen_options options;
    const struct codepage *page;

    // What comes from any thread; `lock` is a leaf.
    pthread_mutex_t lock;
    struct queue inbox;
    enum terminal_status cp_status;
    bool conceal, timer_fired;
    bool mute_echo; // a PF key with NODISP runs: its text is not redisplayed
    size_t lost;    // lines dropped since there was room

    // The front end's thread alone, from here on.
    struct queue backlog; // waits for the screen
    enum screen_mode mode;
    enum hold hold;
    unsigned rows, cols;
    struct page_row *row; // rows - 2 of them
    unsigned used;        // rows filled
    bool page_message;    // a message is among them: the screen holds when it is full
    bool ended;           // the session is over; ENTER or CLEAR brings the logo
    tod_t alarm_at, clear_at, refused_until;
    struct endicott_timer *timer;
    tod_t timer_due;

    // What the next outbound data has to say.
    bool fresh;     // everything
    bool cleared;   // erase the output area first
    unsigned drawn; // rows of the page that are on the display
    bool alarm, unlock, new_input;
    char input[INPUT_SIZE]; // with new_input: what the input area is to show
    bool resizing;
    bool shown_conceal;
    char shown_status[24];

    // A guest's full-screen program.
    struct presentation guest; // what its screen shows, also while lines cover it
    bool guest_active;
    bool covers_guest; // lines came over it that the user has not released

    char *retrieve[RETRIEVE_BUFFERS]; // newest first
    unsigned retrieves;
    int retrieved; // which one is shown, -1 none
    bool suppress; // drops the lines of a password prompt that the logo answers itself

    struct history_line history[HISTORY_LINES];
    size_t history_first, history_count;
};

// Geometry of the line mode screen, as buffer addresses.
static inline unsigned fs_input_at(const struct fullscreen *fs)
{
    return (fs->rows - 2) * fs->cols;
}
static inline unsigned fs_status_at(const struct fullscreen *fs) // the attribute's
{
    return fs->rows * fs->cols - 21;
}

// fullscreen.c
void fs_set_lines_mode(struct fullscreen *fs);
void fs_set_logo(struct fullscreen *fs);
enum terminal_status fs_cp_status(struct fullscreen *fs);
void fs_queue_line(struct fullscreen *fs, enum line_kind kind, const char *utf8);

// fullscreen_page.c
void fs_size_changed(struct fullscreen *fs);
void fs_advance(struct fullscreen *fs); // moves lines from the backlog to the page
void fs_clear_page(struct fullscreen *fs);
void fs_release(struct fullscreen *fs); // MORE... or HOLDING is over
void fs_discard(struct fullscreen *fs); // PA1 at MORE...: what waits is not shown
void fs_run_timers(struct fullscreen *fs);
void fs_hold(struct fullscreen *fs, enum hold hold);
struct item *queue_take(struct queue *queue);
void queue_add(struct queue *queue, struct item *item);
void queue_free(struct queue *queue);

// fullscreen_draw.c
void fs_draw(struct fullscreen *fs);

// fullscreen_logo.c
void fs_compose_logo(struct fullscreen *fs, struct text *out);
// Addresses of the logo's three input fields.
unsigned fs_logo_userid(const struct fullscreen *fs);
unsigned fs_logo_password(const struct fullscreen *fs);
unsigned fs_logo_command(const struct fullscreen *fs);

// fullscreen_input.c
void fs_inbound(void *arg, const uint8_t *data, size_t n);
void fs_forget_retrieve(struct fullscreen *fs);

// fullscreen_guest.c
void fs_guest_stream(struct fullscreen *fs, const uint8_t *data, size_t n);
void fs_guest_show(struct fullscreen *fs); // back from lines to its screen
void fs_guest_inbound(struct fullscreen *fs, const uint8_t *data, size_t n);
void fs_guest_end(struct fullscreen *fs);

#endif
