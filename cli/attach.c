// SPDX-License-Identifier: MIT
// endicott attach: a console for a running system. CP's full screen runs there; its 3270 data
// stream comes over the socket to the display here, and back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/client.h"
#include "cli/options.h"
#include "cli/runtime.h"
#include "console/console.h"
#include "console/datastream.h"

struct lines {
    char **line;
    size_t count, room;
};

struct attached {
    struct client client;
    const char *logon;
    struct display *display;
    char terminal[16];
    bool gone;
    char why[128]; // the system's reason for hanging up, and the exit code
    int code;
    struct lines history;  // what was fetched last
    struct lines fetching; // what is coming
};

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i]);
    free(lines->line);
    *lines = (struct lines){0};
}

static void add_line(struct lines *lines, const struct frame *frame)
{
    if (lines->count == lines->room) {
        lines->room = lines->room ? lines->room * 2 : 256;
        lines->line = mem_resize(lines->line, lines->room, sizeof *lines->line);
    }
    char *line = mem_alloc(frame->n + 1);
    memcpy(line, frame->data, frame->n);
    line[frame->n] = '\0';
    lines->line[lines->count++] = line;
}

// --- to the system ----------------------------------------------------------

static void flush_out(struct attached *a)
{
    a->gone |= !client_send(&a->client, false);
}

static void inbound(void *arg, const uint8_t *data, size_t n)
{
    struct attached *a = arg;
    frame_put(&a->client.out, FRAME_INBOUND, data, n < FRAME_MAX ? n : FRAME_MAX);
    flush_out(a);
}

static void put_size(struct attached *a, struct text *payload)
{
    uint8_t size[4];
    unsigned rows, cols;
    a->display->ops->size(a->display, &rows, &cols);
    be16_store(size, (uint16_t)rows);
    be16_store(size + 2, (uint16_t)cols);
    text_add(payload, (const char *)size, sizeof size);
}

// The display answers a read at once: what is typed goes along with the new size.
static void take_fields(void *arg, const uint8_t *data, size_t n)
{
    text_add(arg, (const char *)data, n);
}

static void resized(void *arg)
{
    static const uint8_t read_modified[] = {DS_READ_MODIFIED};
    struct attached *a = arg;
    struct text payload = {0};
    struct display_host host = a->display->host;
    put_size(a, &payload);
    a->display->host = (struct display_host){.inbound = take_fields, .arg = &payload};
    a->display->ops->outbound(a->display, read_modified, sizeof read_modified);
    a->display->host = host;
    frame_put(&a->client.out, FRAME_RESIZE, payload.s, payload.len);
    text_free(&payload);
    flush_out(a);
}

static void attention(void *arg)
{
    struct attached *a = arg;
    frame_put(&a->client.out, FRAME_ATTENTION, NULL, 0);
    flush_out(a);
}

static void look_back(void *arg)
{
    struct attached *a = arg;
    frame_put(&a->client.out, FRAME_HISTORY, NULL, 0);
    flush_out(a);
}

// --- from the system --------------------------------------------------------

static bool take_frame(struct attached *a, const struct frame *frame)
{
    switch (frame->type) {
    case FRAME_OUTBOUND:
        a->display->ops->outbound(a->display, frame->data, frame->n);
        return false;
    case FRAME_HISTORY:
        add_line(&a->fetching, frame);
        return false;
    case FRAME_HISTORY_END:
        free_lines(&a->history);
        a->history = a->fetching;
        a->fetching = (struct lines){0};
        return true;
    case FRAME_GOODBYE:
        a->code = frame_goodbye(frame, a->why, sizeof a->why);
        a->gone = true;
        return false;
    default:
        return false;
    }
}

static bool work(void *arg)
{
    struct attached *a = arg;
    struct frame frame;
    bool changed = false;
    bool open = client_receive(&a->client, false);
    while (!a->gone && frame_next(&a->client.reader, &frame))
        changed |= take_frame(a, &frame);
    a->gone |= !open || a->client.reader.broken;
    if (!a->gone)
        flush_out(a);
    return changed;
}

static bool over(void *arg)
{
    return ((struct attached *)arg)->gone;
}

static int wait_for(void *arg, struct pollfd *fd)
{
    const struct attached *a = arg;
    *fd = (struct pollfd){.fd = a->client.fd,
                          .events = (short)(POLLIN | (a->client.out.len ? POLLOUT : 0))};
    return -1;
}

static const char *open_display(void *arg, struct display *display, void (*wake)(void *arg))
{
    struct attached *a = arg;
    struct text payload = {0};
    struct frame frame;
    (void)wake; // everything comes over the socket
    a->display = display;
    display->host = (struct display_host){.inbound = inbound, .resized = resized, .arg = a};
    put_size(a, &payload);
    text_puts(&payload, a->logon);
    frame_put(&a->client.out, FRAME_DISPLAY, payload.s, payload.len);
    text_free(&payload);
    if (!client_send(&a->client, true) || !client_next(&a->client, &frame))
        return NULL;
    if (frame.type == FRAME_TERMINAL)
        snprintf(a->terminal, sizeof a->terminal, "%.*s", (int)frame.n, (const char *)frame.data);
    else
        take_frame(a, &frame);
    return a->terminal[0] ? a->terminal : NULL;
}

static void close_display(void *arg)
{
    ((struct attached *)arg)->display->host = (struct display_host){0};
}

static size_t history(void *arg)
{
    return ((struct attached *)arg)->history.count;
}

static bool history_line(void *arg, size_t i, char *out, size_t size)
{
    const struct attached *a = arg;
    if (i >= a->history.count)
        return false;
    snprintf(out, size, "%s", a->history.line[i]);
    return true;
}

// --- the subcommand ---------------------------------------------------------

static int run(struct attached *a, const struct console_options *options)
{
    const struct console_source source = {
        .arg = a,
        .leaving = "Leave this console? The system goes on.   y: yes, any other key: no",
        .open = open_display,
        .close = close_display,
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
    free_lines(&a->history);
    free_lines(&a->fetching);
    if (code < 0)
        return cli_failed("attach: %s",
                          why ? why : "this is no terminal that can place its cursor");
    if (a->why[0])
        cli_failed("%s", a->why);
    else if (a->gone)
        return cli_failed("the system hung up");
    return a->why[0] ? a->code : code;
}

static int attach(int argc, char **argv)
{
    static const struct option options[] = {{"name", required_argument, NULL, 'n'},
                                            {"logon", required_argument, NULL, 'l'},
                                            {"ascii", no_argument, NULL, 'a'},
                                            {0}};
    const char *name = RUNTIME_DEFAULT_NAME;
    struct attached attached = {.logon = ""};
    struct console_options screen = {0};
    int c;
    while ((c = options_next(argc, argv, "n:l:a", options)) != -1) {
        if (c == 'n')
            name = optarg;
        else if (c == 'l')
            attached.logon = optarg;
        else if (c == 'a')
            screen.ascii = true;
        else
            return EXIT_USAGE;
    }
    if (optind != argc)
        return cli_usage("attach: '%s' is too much", argv[optind]);
    if (strlen(attached.logon) > 8)
        return cli_usage("attach: '%s' is not a userid", attached.logon);
    if (!client_open(&attached.client, name))
        return EXIT_FAILED;
    int code = run(&attached, &screen);
    client_close(&attached.client);
    return code;
}

const struct subcommand cli_attach = {
    "attach",
    "[--name NAME] [--logon USERID] [--ascii]",
    "a console for a running system",
    "  endicott attach\n"
    "  endicott attach --name test --logon operator\n\n"
    "  -n, --name NAME      default endicott\n"
    "  -l, --logon USERID   log on at once, without the logo and a password\n"
    "  -a, --ascii          no characters beyond ASCII\n\n"
    "Ctrl-A q leaves it: the user who is logged on there is disconnected, and the\n"
    "system goes on.\n",
    false,
    attach,
};
