// SPDX-License-Identifier: MIT
// The MONWRITE service machine: options, connection, files by time.
#include "monitor/monwrite.h"

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
#include "monitor/monwrite_file.h"
#include "monitor/monwrite_options.h"
#include "monitor/star_monitor.h"

#define STOP_TIME (1 * TOD_MILLISECOND) // MONWSTOP: what was announced is written first

struct monwrite {
    struct vm *vm;
    struct monwrite_options options;
    bool running;
    struct dcss *dcss;
    struct iucv_end *end;
    struct monwrite_file file;
    unsigned files; // opened so far
    uint64_t sets;
    unsigned blocks_to_charge;
    struct event close_event, stop_event;
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

static bool file_path(const struct monwrite *w, struct text *path)
{
    const struct cp *cp = w->vm->cp;
    const struct monitor *m = monitor_of(cp);
    const char *folder = m->monwrite_folder ? m->monwrite_folder : cp->folder;
    tod_t local = now(w) + (tod_t)(cp->timezone * (int64_t)TOD_SECOND);
    struct tod_calendar c = tod_calendar(local);
    if (!folder)
        return false;
    text_printf(path, "%s/%s/", folder, w->vm->userid);
    if (w->options.fn[0])
        text_puts(path, w->options.fn);
    else
        text_printf(path, "D%02d%02d%02d", c.month, c.day, c.year % 100);
    // A type that was given is for the first file; the next ones are told apart by their time.
    if (w->options.ft[0] && w->files == 0)
        text_printf(path, ".%s", w->options.ft);
    else
        text_printf(path, ".T%02d%02d%02d", c.hour, c.minute, c.second);
    return true;
}

// 0 or the number of the message given.
static int open_file(struct monwrite *w, struct response *out)
{
    struct text path = {0};
    const char *reason;
    int rc = 0;
    if (!file_path(w, &path))
        rc = message_send(out, MESSAGE_monwrite_no_folder);
    else if (!monwrite_file_open(&w->file, text_get(&path), &reason))
        rc = message_send(out, MESSAGE_monwrite_file, text_get(&path), reason);
    else
        w->files++;
    text_free(&path);
    return rc;
}

static void close_file(struct monwrite *w, struct response *out)
{
    struct text path = {0};
    unsigned blocks = (unsigned)w->file.blocks;
    if (!w->file.out)
        return;
    text_puts(&path, text_get(&w->file.path));
    if (monwrite_file_close(&w->file))
        message_send(out, MESSAGE_monwrite_ended, text_get(&path), blocks + 1);
    else
        message_send(out, MESSAGE_monwrite_file, text_get(&path), "cannot be written");
    text_free(&path);
}

// --- the connection ------------------------------------------------------------------

static void finish(struct monwrite *w)
{
    struct response out = response_to_vm(w->vm);
    static const uint8_t nothing[IUCV_USER_DATA];
    event_cancel(events(w), &w->close_event);
    event_cancel(events(w), &w->stop_event);
    if (w->end)
        iucv_sever(w->end, nothing);
    w->end = NULL;
    close_file(w, &out);
    iucv_program_end(w->vm);
    w->running = false;
}

static void stop_fire(struct event *event, void *arg)
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

// The virtual machine's own work for a set, and CP's for it.
static void charge(struct monwrite *w, unsigned blocks)
{
    struct vcpu *vcpu = w->vm->vcpu[0];
    struct real_processor *p = &w->vm->cp->processor[vcpu->last_processor];
    tod_t before = vcpu->cp_time, work = blocks * MONWRITE_TIME_PER_BLOCK;
    vcpu_charge(vcpu, INTERCEPT_INT_EXTERNAL, 0);
    vcpu_charge(vcpu, INTERCEPT_IUCV_REPLY, 0);
    w->blocks_to_charge += blocks * MONWRITE_STARTS;
    while (w->blocks_to_charge >= MONWRITE_BLOCKS) {
        w->blocks_to_charge -= MONWRITE_BLOCKS;
        vcpu->ssch[0]++; // CMS reads and writes by DIAGNOSE, not by START SUBCHANNEL
        vcpu_charge(vcpu, INTERCEPT_DIAG, 0);
    }
    vcpu->guest_time += work;
    p->guest_time += work;
    p->user_time += work + vcpu->cp_time - before;
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

static void write_failed(struct monwrite *w)
{
    struct response out = response_to_vm(w->vm);
    message_send(&out, MESSAGE_monwrite_file, text_get(&w->file.path),
                 w->file.failed ? "cannot be written"
                                : "a set outside of the segment was left out");
    if (w->file.failed)
        finish_soon(w);
}

static void message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                    const uint8_t *bytes, uint32_t n)
{
    struct monwrite *w = arg;
    static const uint8_t answer[8];
    uint8_t interruption[CONTROL_HEADER];
    if (n == 8 && w->file.out && !w->file.failed) {
        struct monwrite_set set = {interruption, be32_load(bytes), be32_load(bytes + 4)};
        interruption_store(w, interruption, id, trgcls, bytes);
        unsigned blocks = monwrite_file_set(&w->file, w->dcss->bytes, w->dcss->start,
                                            w->dcss->end - w->dcss->start + 1, &set);
        if (blocks) {
            charge(w, blocks);
            w->sets++;
        } else {
            write_failed(w);
        }
    }
    if (two_way)
        iucv_reply(end, id, IUCV_PRMDATA, answer, sizeof answer);
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
    close_file(w, &out);
    if (open_file(w, &out))
        finish(w);
    else
        event_schedule(events(w), event, next_close(w));
}

// --- the service machine -----------------------------------------------------------------

static int run(struct monwrite *w, const char *operands, struct response *out)
{
    if (w->running)
        return message_send(out, MESSAGE_monwrite_busy);
    int rc = monwrite_options_parse(&w->options, operands, out);
    if (rc)
        return rc;
    const struct directory_user *entry = w->vm->entry;
    w->dcss = dcss_find(w->vm->cp, w->options.segment);
    if (!w->dcss || (w->dcss->restricted && entry &&
                     !directory_names_have(&entry->namesave, w->options.segment)))
        return message_send(out, MESSAGE_monwrite_segment, w->options.segment);
    w->files = 0;
    rc = open_file(w, out);
    if (rc)
        return rc;
    rc = connect_monitor(w, out);
    if (rc) {
        monwrite_file_discard(&w->file);
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
    vm->service_state = NULL;
    free(w);
}

static int start(struct vm *vm, const char *parameters, struct response *out)
{
    struct monwrite *w = mem_zero(1, sizeof *w);
    w->vm = vm;
    event_init(&w->close_event, close_fire, w);
    event_init(&w->stop_event, stop_fire, w);
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
