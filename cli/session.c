// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cli/protocol.h"
#include "console/datastream.h"
#include "console/fullscreen.h"

// A client that does not take what it is sent is hung up on.
#define OUTPUT_MAX (8u << 20)

struct session {
    struct display display; // first: the full screen hands it back
    struct session_options options;
    struct frame_reader reader;
    struct text output;
    bool greeted, over, shutdown;
    struct fullscreen *screen; // NULL: no display was opened
    unsigned rows, cols;
    // While the client's new size is taken: what it has in its fields, to be read at once.
    const uint8_t *fields;
    size_t fields_size;
};

void session_goodbye(struct session *s, int code, const char *why)
{
    struct text payload = {0};
    char byte = (char)code;
    text_add(&payload, &byte, 1);
    text_puts(&payload, why);
    if (!s->over)
        frame_put(&s->output, FRAME_GOODBYE, payload.s, payload.len);
    text_free(&payload);
    s->over = true;
}

static void put(struct session *s, enum frame_type type, const void *data, size_t n)
{
    if (s->over)
        return;
    if (s->output.len + n > OUTPUT_MAX)
        s->over = true; // it would not read a reason either
    else
        frame_put(&s->output, type, data, n < FRAME_MAX ? n : FRAME_MAX);
}

// --- the display ------------------------------------------------------------

static void outbound(struct display *display, const uint8_t *data, size_t n)
{
    struct session *s = (struct session *)display;
    if (s->fields && n && data[0] == DS_READ_MODIFIED)
        display->host.inbound(display->host.arg, s->fields, s->fields_size);
    else
        put(s, FRAME_OUTBOUND, data, n);
}

static void size(const struct display *display, unsigned *rows, unsigned *cols)
{
    const struct session *s = (const struct session *)display;
    *rows = s->rows;
    *cols = s->cols;
}

static bool take_size(struct session *s, const struct frame *frame)
{
    if (frame->n < 4)
        return false;
    unsigned rows = be16_load(frame->data), cols = be16_load(frame->data + 2);
    if (rows < 24 || cols < 80 || rows * cols > PS_MAX_CELLS)
        return false;
    s->rows = rows;
    s->cols = cols;
    return true;
}

static void logon(struct session *s, const char *userid)
{
    char text[80];
    int rc = fullscreen_logon(s->screen, userid);
    if (rc == 0)
        return;
    snprintf(text, sizeof text, "LOGON %s was refused, HCP%03dE", userid, rc);
    session_goodbye(s, 1, text);
}

static void open_display(struct session *s, const struct frame *frame)
{
    char name[16], userid[9] = "";
    if (s->screen || !take_size(s, frame) || frame->n - 4 >= sizeof userid) {
        session_goodbye(s, 1, "that display cannot be opened");
        return;
    }
    snprintf(name, sizeof name, "L%04X", s->options.number & 0xFFFF);
    put(s, FRAME_TERMINAL, name, strlen(name));
    s->screen =
        fullscreen_new(s->options.sys, &s->display,
                       &(struct fullscreen_options){
                           .name = name, .wake = s->options.wake, .wake_arg = s->options.arg});
    memcpy(userid, frame->data + 4, frame->n - 4);
    text_upper(userid);
    if (userid[0])
        logon(s, userid);
}

static void resize(struct session *s, const struct frame *frame)
{
    if (!take_size(s, frame)) {
        session_goodbye(s, 1, "a display of that size is not possible");
        return;
    }
    s->fields = frame->data + 4;
    s->fields_size = frame->n - 4;
    s->display.host.resized(s->display.host.arg);
    s->fields = NULL;
}

static void send_history(struct session *s)
{
    char line[2048];
    for (size_t i = 0; fullscreen_history_line(s->screen, i, line, sizeof line); i++)
        put(s, FRAME_HISTORY, line, strlen(line));
    put(s, FRAME_HISTORY_END, NULL, 0);
}

static void display_frame(struct session *s, const struct frame *frame)
{
    if (!s->screen)
        session_goodbye(s, 1, "no display is open");
    else if (frame->type == FRAME_RESIZE)
        resize(s, frame);
    else if (frame->type == FRAME_ATTENTION)
        fullscreen_attention(s->screen);
    else if (frame->type == FRAME_HISTORY)
        send_history(s);
    else
        s->display.host.inbound(s->display.host.arg, frame->data, frame->n);
}

// --- commands ---------------------------------------------------------------

static void answer(struct session *s, const char *user, const char *line)
{
    char *text = NULL;
    uint8_t rc[4];
    be32_store(rc, (uint32_t)endicott_command(s->options.sys, user, line, &text, NULL));
    if (!s->over && text[0])
        frame_put_text(&s->output, FRAME_TEXT, text);
    put(s, FRAME_RESULT, rc, sizeof rc);
    free(text);
}

static void command(struct session *s, const struct frame *frame)
{
    const uint8_t *rest;
    size_t n;
    const char *user = frame_string(frame, &rest, &n);
    char userid[9] = "", line[1024];
    if (!user || strlen(user) >= sizeof userid || n >= sizeof line || memchr(rest, 0, n)) {
        session_goodbye(s, 1, "that is not a command");
        return;
    }
    snprintf(userid, sizeof userid, "%s", user);
    text_upper(userid);
    memcpy(line, rest, n);
    line[n] = '\0';
    answer(s, userid[0] ? userid : NULL, line);
}

static void greet(struct session *s, const struct frame *frame)
{
    s->greeted = frame_is_hello(frame);
    if (s->greeted)
        frame_put_hello(&s->output, s->options.name);
    else
        session_goodbye(s, 1, "this system speaks another version of the protocol");
}

static void take_frame(struct session *s, const struct frame *frame)
{
    if (!s->greeted) {
        greet(s, frame);
        return;
    }
    switch (frame->type) {
    case FRAME_COMMAND:
        command(s, frame);
        break;
    case FRAME_SHUTDOWN:
        s->shutdown = true;
        answer(s, NULL, "SHUTDOWN");
        break;
    case FRAME_DISPLAY:
        open_display(s, frame);
        break;
    case FRAME_INBOUND:
    case FRAME_RESIZE:
    case FRAME_ATTENTION:
    case FRAME_HISTORY:
        display_frame(s, frame);
        break;
    default:
        session_goodbye(s, 1, "that frame goes the other way");
    }
}

// --- life -------------------------------------------------------------------

struct session *session_new(const struct session_options *options)
{
    static const struct display_ops ops = {.outbound = outbound, .size = size};
    struct session *s = mem_zero(1, sizeof *s);
    s->display.ops = &ops;
    s->options = *options;
    return s;
}

void session_free(struct session *s)
{
    fullscreen_free(s->screen);
    frame_reader_free(&s->reader);
    text_free(&s->output);
    free(s);
}

void session_bytes(struct session *s, const void *bytes, size_t n)
{
    struct frame frame;
    frame_reader_add(&s->reader, bytes, n);
    while (!s->over && !endicott_is_down(s->options.sys) && frame_next(&s->reader, &frame))
        take_frame(s, &frame);
    if (s->reader.broken)
        session_goodbye(s, 1, "that is not the protocol of this system");
}

void session_work(struct session *s)
{
    if (s->screen && !s->over)
        fullscreen_work(s->screen);
}

const struct text *session_output(const struct session *s)
{
    return &s->output;
}

void session_sent(struct session *s, size_t n)
{
    if (!n)
        return;
    s->output.len -= n;
    memmove(s->output.s, s->output.s + n, s->output.len);
}

bool session_over(const struct session *s)
{
    return s->over;
}

bool session_shutdown(const struct session *s)
{
    return s->shutdown;
}
