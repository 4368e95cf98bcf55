// SPDX-License-Identifier: MIT
// The MONWRITE service machine: options, connection, files by time.
#include "monitor/monwrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/events.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/dcss.h"
#include "cp/directory.h"
#include "cp/iucv.h"
#include "monitor/monitor.h"
#include "monitor/monwrite_options.h"
#include "monitor/monwrite_writer.h"
#include "monitor/star_monitor.h"

#define STOP_TIME (1 * TOD_MILLISECOND) // MONWSTOP: what was announced is written first

struct monwrite {
    struct vm *vm;
    struct monwrite_options options;
    bool running, stopping;
    struct dcss *dcss;
    struct iucv_end *end;
    struct monwrite_file file;
    struct monwrite_writer writer;
    unsigned files; // opened so far
    uint64_t sets;
    struct event close_event, stop_event, over_event;
};

static tod_t now(const struct monwrite *w)
{
    return clock_now(&w->vm->cp->world->clock);
}

static struct event_queue *events(const struct monwrite *w)
{
    return &w->vm->cp->world->events;
}

// --- files -------------------------------------------------------------------------

// <folder>/<userid>, or false when there is no folder.
static bool folder_path(const struct monwrite *w, struct text *path)
{
    const struct monitor *m = monitor_of(w->vm->cp);
    const char *folder = m->monwrite_folder ? m->monwrite_folder : w->vm->cp->folder;
    if (folder)
        text_printf(path, "%s/%s", folder, w->vm->userid);
    return folder != NULL;
}

// The name of the next file. A type that was given is for the first one; the others, and one whose
// name is taken, are told apart by their time, and a letter when that is not enough.
static void file_path(const struct monwrite *w, struct text *path)
{
    struct tod_calendar c =
        tod_calendar(now(w) + (tod_t)(w->vm->cp->timezone * (int64_t)TOD_SECOND));
    struct text start = {0};
    folder_path(w, &start);
    if (w->options.fn[0])
        text_printf(&start, "/%s.", w->options.fn);
    else
        text_printf(&start, "/D%02d%02d%02d.", c.month, c.day, c.year % 100);
    if (w->options.ft[0] && w->files == 0)
        text_printf(path, "%s%s", text_get(&start), w->options.ft);
    for (int letter = 'A' - 1;
         letter <= 'Z' && (!path->len || monwrite_file_exists(text_get(path))); letter++) {
        text_clear(path);
        text_printf(path, "%sT%02d%02d%02d%.*s", text_get(&start), c.hour, c.minute, c.second,
                    letter >= 'A', &(char){(char)letter});
    }
    text_free(&start);
}

// 0 or the number of the message given.
static int open_file(struct monwrite *w, struct response *out)
{
    struct text path = {0};
    const char *reason;
    int rc = 0;
    file_path(w, &path);
    if (monwrite_file_open(&w->file, text_get(&path), &reason))
        w->files++;
    else
        rc = message_send(out, MESSAGE_monwrite_file, text_get(&path), reason);
    text_free(&path);
    return rc;
}

static void recovered(void *arg, const char *path, uint64_t blocks)
{
    message_send(arg, MESSAGE_monwrite_recovered, path, (unsigned)blocks + 1);
}

// An end of the tape's file takes its time: see tape_ended().
static void close_file(struct monwrite *w, struct response *out)
{
    struct text path = {0};
    unsigned blocks = (unsigned)w->file.blocks;
    if (!w->file.fd)
        return;
    text_puts(&path, text_get(&w->file.path));
    if (monwrite_file_close(&w->file))
        message_send(out, MESSAGE_monwrite_closed, text_get(&path), blocks + 1);
    else
        message_send(out, MESSAGE_monwrite_file, text_get(&path), "cannot be written");
    text_free(&path);
}

// --- the connection ------------------------------------------------------------------

static bool has_tape(const struct monwrite *w)
{
    return w->running && w->options.tape;
}

static void finish(struct monwrite *w)
{
    struct response out = response_to_vm(w->vm);
    static const uint8_t nothing[IUCV_USER_DATA];
    monwrite_writer_stop(&w->writer);
    event_cancel(events(w), &w->close_event);
    event_cancel(events(w), &w->stop_event);
    event_cancel(events(w), &w->over_event);
    if (w->end)
        iucv_sever(w->end, nothing);
    w->end = NULL;
    close_file(w, &out);
    message_send(&out, MESSAGE_monwrite_ended);
    iucv_program_end(w->vm);
    dcss_unload(w->vm, w->dcss);
    w->running = false;
}

// What has come is still written, if there is a path to answer on.
static void stop_fire(struct event *event, void *arg)
{
    struct monwrite *w = arg;
    (void)event;
    w->stopping = true;
    if (has_tape(w))
        monwrite_writer_end(&w->writer, 2); // then tape_ended()
    else if (!w->end || !monwrite_writer_busy(&w->writer))
        finish(w);
}

static void tape_ended(void *arg, uint64_t blocks, const char *reason)
{
    struct monwrite *w = arg;
    struct response out = response_to_vm(w->vm);
    char name[16];
    snprintf(name, sizeof name, "on tape %04X", w->options.tape);
    if (reason)
        message_send(&out, MESSAGE_monwrite_file, name, reason);
    else
        message_send(&out, MESSAGE_monwrite_closed, name, (unsigned)blocks + 1);
    if (w->stopping || reason)
        event_schedule(events(w), &w->over_event, now(w)); // we are inside the writer
}

static void over_fire(struct event *event, void *arg)
{
    (void)event;
    finish(arg);
}

// Who calls is inside a callback of the path: the rest follows from an event.
static void finish_soon(struct monwrite *w)
{
    event_schedule(events(w), &w->stop_event, now(w) + STOP_TIME);
}

static void complete(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct monwrite *w = arg;
    struct response out = response_to_vm(w->vm);
    (void)end;
    (void)user_data;
    message_send(&out, MESSAGE_monwrite_running);
}

static void severed(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct monwrite *w = arg;
    struct response out = response_to_vm(w->vm);
    (void)end;
    w->end = NULL;
    message_send(&out, MESSAGE_monwrite_severed, user_data[0]);
    finish_soon(w);
}

static void interruption_store(const struct monwrite *w, uint8_t to[CONTROL_HEADER], uint32_t id,
                               uint32_t trgcls, const uint8_t parameters[8])
{
    memset(to, 0, CONTROL_HEADER);
    be16_store(to, iucv_end_path(w->end));
    to[2] = IUCV_PRMDATA;
    to[3] = MESSAGE_PENDING;
    be32_store(to + 4, id);
    be32_store(to + 8, trgcls);
    memcpy(to + 12, parameters, 8);
}

// A set is written, or is not: what was full stays full.
static void written(void *arg, uint32_t id, enum monwrite_result result, const char *reason)
{
    static const uint8_t answer[8];
    struct monwrite *w = arg;
    if (result == MONWRITE_WRITTEN) {
        w->sets++;
    } else {
        struct response out = response_to_vm(w->vm);
        message_send(&out, MESSAGE_monwrite_file, has_tape(w) ? "on tape" : text_get(&w->file.path),
                     reason);
    }
    if (w->end && result != MONWRITE_FAILED)
        iucv_reply(w->end, id, IUCV_PRMDATA, answer, sizeof answer);
    if (result == MONWRITE_FAILED ||
        (w->stopping && !has_tape(w) && !monwrite_writer_busy(&w->writer)))
        finish_soon(w);
}

static void message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                    const uint8_t *bytes, uint32_t n)
{
    struct monwrite *w = arg;
    uint8_t interruption[CONTROL_HEADER];
    (void)end;
    if (!two_way || n != 8 || (!has_tape(w) && !w->file.fd) || w->file.failed || w->stopping)
        return; // not answered: *MONITOR has it back when the path is severed
    interruption_store(w, interruption, id, trgcls, bytes);
    monwrite_writer_add(&w->writer, id, interruption);
}

static const struct iucv_ops ops = {.complete = complete, .severed = severed, .message = message};

static int connect_monitor(struct monwrite *w, struct response *out)
{
    uint8_t data[IUCV_USER_DATA] = {CONNECT_SHARED, CONNECT_SAMPLE | CONNECT_EVENT};
    if (w->options.subint)
        data[1] |= CONNECT_SUBINTERVAL;
    ebcdic_field(data + CONNECT_SEGMENT, 8, w->options.segment);
    memset(data + CONNECT_SEGMENT + 8, 0xFF, sizeof data - CONNECT_SEGMENT - 8);
    struct iucv_user *program = iucv_program(w->vm, &ops, w);
    int code = iucv_connect(program, "*MONITOR", IUCV_PRMDATA, 255, data, &w->end);
    if (code == IUCV_OK)
        return 0;
    w->end = NULL;
    iucv_program_end(w->vm);
    return message_send(out, MESSAGE_monwrite_refused, (unsigned)code);
}

// --- files by time ---------------------------------------------------------------------

static tod_t next_close(const struct monwrite *w)
{
    tod_t offset = (tod_t)(w->vm->cp->timezone * (int64_t)TOD_SECOND), span;
    if (w->options.close == CLOSE_MINUTES)
        return now(w) + w->options.close_minutes * 60 * TOD_SECOND;
    span = (w->options.close == CLOSE_HOUR ? 3600 : 86400) * TOD_SECOND;
    // The TOD epoch is a midnight, UTC.
    return ((now(w) + offset) / span + 1) * span - offset;
}

static void close_fire(struct event *event, void *arg)
{
    struct monwrite *w = arg;
    struct response out = response_to_vm(w->vm);
    if (has_tape(w)) {
        monwrite_writer_end(&w->writer, 1);
        event_schedule(events(w), event, next_close(w));
        return;
    }
    close_file(w, &out);
    if (open_file(w, &out))
        finish(w);
    else
        event_schedule(events(w), event, next_close(w));
}

// --- the service machine -----------------------------------------------------------------

static int open_disk(struct monwrite *w, struct response *out)
{
    struct text folder = {0};
    bool has_folder = folder_path(w, &folder);
    if (has_folder)
        monwrite_file_recover(text_get(&folder), recovered, out);
    text_free(&folder);
    if (!has_folder)
        return message_send(out, MESSAGE_monwrite_no_folder);
    w->files = 0;
    monwrite_writer_start(&w->writer, w->vm, w->dcss, &w->file);
    return open_file(w, out);
}

static int open_tape(struct monwrite *w, struct response *out)
{
    if (monwrite_writer_start_tape(&w->writer, w->vm, w->dcss, w->options.tape))
        return 0;
    return message_send(out, MESSAGE_monwrite_no_tape, w->options.tape);
}

static int run(struct monwrite *w, const char *operands, struct response *out)
{
    if (w->running)
        return message_send(out, MESSAGE_monwrite_busy);
    int rc = monwrite_options_parse(&w->options, operands, out);
    if (rc)
        return rc;
    w->dcss = dcss_find(w->vm->cp, w->options.segment);
    if (!w->dcss || dcss_load(w->vm, w->dcss, false) != 0)
        return message_send(out, MESSAGE_monwrite_segment, w->options.segment);
    w->stopping = false;
    rc = w->options.tape ? open_tape(w, out) : open_disk(w, out);
    if (rc == 0)
        rc = connect_monitor(w, out);
    if (rc) {
        monwrite_file_discard(&w->file);
        dcss_unload(w->vm, w->dcss);
        return rc;
    }
    w->running = true;
    if (w->options.close != CLOSE_NEVER)
        event_schedule(events(w), &w->close_event, next_close(w));
    return 0;
}

static void stop(struct vm *vm)
{
    struct monwrite *w = vm->service_state;
    if (!w)
        return;
    if (w->running)
        finish(w);
    event_cancel(events(w), &w->close_event);
    event_cancel(events(w), &w->stop_event);
    event_cancel(events(w), &w->over_event);
    vm->service_state = NULL;
    monwrite_writer_free(&w->writer);
    free(w);
}

static int start(struct vm *vm, const char *parameters, struct response *out)
{
    struct monwrite *w = mem_zero(1, sizeof *w);
    w->vm = vm;
    w->writer.done = written;
    w->writer.ended = tape_ended;
    w->writer.arg = w;
    event_init(&w->close_event, close_fire, w);
    event_init(&w->stop_event, stop_fire, w);
    event_init(&w->over_event, over_fire, w);
    vm->service_state = w;
    while (parameters && *parameters == ' ')
        parameters++;
    if (!parameters || !*parameters)
        return 0; // waits for a command at its console
    if (strncasecmp(parameters, "MONWRITE ", 9) == 0)
        parameters += 9;
    int rc = run(w, parameters, out);
    if (rc)
        stop(vm); // a start that fails leaves nothing
    return rc;
}

static bool first_word(const char *line, const char *word)
{
    size_t n = strlen(word);
    return strncasecmp(line, word, n) == 0 && (line[n] == '\0' || line[n] == ' ');
}

static int input(struct vm *vm, const char *line, struct response *out)
{
    struct monwrite *w = vm->service_state;
    while (*line == ' ')
        line++;
    if (*line == '\0' || !w)
        return 0;
    if (first_word(line, "MONWRITE"))
        return run(w, line + strlen("MONWRITE"), out);
    if (!first_word(line, "MONWSTOP") && !first_word(line, "HX"))
        return message_send(out, MESSAGE_unknown_command, line);
    if (!w->running)
        return message_send(out, MESSAGE_monwrite_not_running);
    finish_soon(w);
    return 0;
}

static const struct service_machine machine = {"MONWRITE", start, input, stop};

void monwrite_register(struct cp *cp)
{
    cp_service_machine(cp, &machine);
}

void monwrite_set_folder(struct cp *cp, const char *path)
{
    struct monitor *m = monitor_of(cp);
    free(m->monwrite_folder);
    m->monwrite_folder = path ? mem_string(path) : NULL;
}
