// SPDX-License-Identifier: MIT
// Monitor data behind endicott.h: decoded fields, a monitor user inside the process, files,
// reports.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "endicott-monitor.h"
#include "endicott_private.h"
#include "monitor/application_data.h"
#include "monitor/monitor.h"
#include "monitor/monwrite.h"
#include "monitor/reader.h"
#include "monitor/report.h"

static enum endicott_kind kind_of(enum field_type type)
{
    static const enum endicott_kind kinds[] = {
        [FIELD_RESERVED] = ENDICOTT_BYTES, [FIELD_NUMBER] = ENDICOTT_NUMBER,
        [FIELD_TIME] = ENDICOTT_TIME,      [FIELD_SPAN] = ENDICOTT_SPAN,
        [FIELD_TEXT] = ENDICOTT_TEXT,      [FIELD_BYTES] = ENDICOTT_BYTES,
    };
    return kinds[type];
}

static struct endicott_field field_of(const struct record_value *value)
{
    return (struct endicott_field){
        .name = value->name,
        .unit = value->unit,
        .kind = kind_of(value->type),
        .number = value->number,
        .bytes = value->bytes,
        .size = value->size,
    };
}

static struct endicott_record record_of(const uint8_t *raw, const struct record_header *header,
                                        uint32_t target)
{
    const struct record_layout *layout = record_layout(header->domain, header->number);
    return (struct endicott_record){
        .domain = header->domain,
        .number = header->number,
        .name = layout ? layout->name : NULL,
        .title = layout ? layout->title : NULL,
        .time = header->time,
        .raw = raw,
        .length = header->length,
        .subinterval = (target & TARGET_SUBINTERVAL) != 0,
        .configuration = (target & TARGET_KIND) == TARGET_CONFIG,
    };
}

struct visit {
    void (*fn)(void *arg, const struct endicott_field *field, const char *section, unsigned index);
    void *arg;
};

static void visit_value(void *arg, const struct record_value *value, const char *section,
                        unsigned index)
{
    const struct visit *visit = arg;
    struct endicott_field field = field_of(value);
    visit->fn(visit->arg, &field, section ? section : "base", index);
}

void endicott_record_fields(const struct endicott_record *record,
                            void (*fn)(void *arg, const struct endicott_field *field,
                                       const char *section, unsigned index),
                            void *arg)
{
    struct visit visit = {fn, arg};
    record_visit(record->raw, record->length, visit_value, &visit);
}

bool endicott_record_field(const struct endicott_record *record, const char *name,
                           struct endicott_field *out)
{
    struct record_value value;
    if (!record_value(record->raw, record->length, name, &value))
        return false;
    *out = field_of(&value);
    return true;
}

bool endicott_record_overhead(const struct endicott_record *record, enum intercept reason,
                              uint64_t *count, tod_t *cost)
{
    unsigned rows;
    return overhead_record(record->raw, record->length, &rows) && (unsigned)reason < rows &&
           overhead_row(record->raw, record->length, reason, count, cost);
}

// --- a user inside the process ------------------------------------------------

struct endicott_subscription {
    struct endicott *sys;
    struct monitor_user user;
    void (*record)(void *arg, const struct endicott_record *record);
    void (*sample_end)(void *arg, tod_t time, bool subinterval);
    void *arg;
    uint32_t target;
    tod_t time;        // of the last record
    struct event gone; // frees it when it was given up inside a callback
};

// A record, or the end of a sample, on its way to the front end's thread (real mode).
struct delivery {
    struct handover handover;
    struct endicott_subscription *sub;
    struct record_header header;
    uint32_t target;
    bool end;
    tod_t time;
    uint8_t raw[];
};

static void deliver(struct handover *handover, bool wanted)
{
    struct delivery *d = (struct delivery *)(void *)handover;
    struct endicott_subscription *sub = d->sub;
    if (wanted && d->end) {
        sub->sample_end(sub->arg, d->time, (d->target & TARGET_SUBINTERVAL) != 0);
    } else if (wanted) {
        struct endicott_record record = record_of(d->raw, &d->header, d->target);
        sub->record(sub->arg, &record);
    }
    free(d);
}

static void hand_over(struct endicott_subscription *sub, const uint8_t *raw,
                      const struct record_header *header)
{
    size_t n = header ? header->length : 0;
    struct delivery *d = mem_zero(1, sizeof *d + n);
    *d = (struct delivery){.handover = {.owner = sub, .deliver = deliver},
                           .sub = sub,
                           .target = sub->target,
                           .end = !header,
                           .time = sub->time};
    if (header) {
        d->header = *header;
        memcpy(d->raw, raw, n);
    }
    handover_add(sub->sys, &d->handover);
}

static void give(void *arg, const uint8_t *raw, const struct record_header *header)
{
    struct endicott_subscription *sub = arg;
    sub->time = header->time;
    if (!endicott_is_virtual(sub->sys)) {
        hand_over(sub, raw, header);
        return;
    }
    struct endicott_record record = record_of(raw, header, sub->target);
    sub->record(sub->arg, &record);
}

static void give_end(struct endicott_subscription *sub)
{
    if (endicott_is_virtual(sub->sys))
        sub->sample_end(sub->arg, sub->time, (sub->target & TARGET_SUBINTERVAL) != 0);
    else
        hand_over(sub, NULL, NULL);
}

// One control entry: its frames, from its first to its last byte.
static void give_entry(struct endicott_subscription *sub, const struct mondcss *dcss,
                       const struct control_entry *entry)
{
    for (uint64_t frame = entry->start & ~UINT64_C(0xFFF); frame <= entry->end;
         frame += FRAME_SIZE) {
        const char *reason;
        const uint8_t *bytes = mondcss_at(dcss, (uint32_t)frame, FRAME_SIZE);
        uint64_t last = entry->end - frame;
        size_t at = frame < entry->start ? entry->start - frame : 0;
        INVARIANT(bytes);
        frame_walk(bytes, &at, last < FRAME_SIZE ? last + 1 : FRAME_SIZE, give, sub, &reason);
    }
}

static bool message(struct monitor_user *user, const struct monitor_message *message)
{
    struct endicott_subscription *sub = user->arg;
    const struct mondcss *dcss = &user->monitor->dcss;
    sub->target = message->target;
    sub->sys->delivering++;
    for (uint32_t at = message->area_start; at < message->area_end; at += CONTROL_ENTRY) {
        struct control_entry entry;
        control_entry_load(&entry, mondcss_at(dcss, at, CONTROL_ENTRY));
        give_entry(sub, dcss, &entry);
    }
    if ((message->target & TARGET_KIND) == TARGET_DATA)
        give_end(sub);
    sub->sys->delivering--;
    monitor_reply(user, message->set);
    return true;
}

static void severed(struct monitor_user *user, unsigned code)
{
    (void)user; // unsubscribing a user that is not connected is harmless
    (void)code;
}

struct endicott_subscription *
endicott_subscribe(struct endicott *sys, bool subinterval,
                   void (*record)(void *arg, const struct endicott_record *record),
                   void (*sample_end)(void *arg, tod_t time, bool subinterval), void *arg)
{
    static const struct monitor_user_ops ops = {.message = message, .severed = severed};
    struct endicott_subscription *sub = mem_zero(1, sizeof *sub);
    *sub = (struct endicott_subscription){
        .sys = sys,
        .user = {.ops = &ops, .sample = true, .subinterval = subinterval, .hidden = true},
        .record = record,
        .sample_end = sample_end,
        .arg = arg,
    };
    sub->user.arg = sub;
    world_lock(&sys->world);
    struct monitor *monitor = monitor_of(sys->cp);
    const char *segment = monitor->segment[0] ? monitor->segment : DEFAULT_SEGMENT;
    bool connected = monitor_connect(monitor, &sub->user, segment) == 0;
    world_unlock(&sys->world);
    if (connected)
        return sub;
    free(sub);
    return NULL;
}

static void disconnect(struct event *event, void *arg)
{
    struct endicott_subscription *sub = arg;
    (void)event;
    if (sub->user.monitor)
        monitor_disconnect(&sub->user);
    free(sub);
}

static void ignore_record(void *arg, const struct endicott_record *record)
{
    (void)arg;
    (void)record;
}

static void ignore_end(void *arg, tod_t time, bool subinterval)
{
    (void)arg;
    (void)time;
    (void)subinterval;
}

// The monitor must not lose a user while it delivers; then it goes with the next event.
void endicott_unsubscribe(struct endicott_subscription *sub)
{
    if (!sub)
        return;
    struct machine_world *world = &sub->sys->world;
    world_lock(world);
    handover_drop(sub->sys, sub);
    if (sub->sys->delivering) {
        sub->record = ignore_record;
        sub->sample_end = ignore_end;
        event_init(&sub->gone, disconnect, sub);
        event_schedule(&world->events, &sub->gone, clock_now(&world->clock));
    } else {
        disconnect(NULL, sub);
    }
    world_unlock(world);
}

// --- files ----------------------------------------------------------------------

void endicott_monwrite_folder(struct endicott *sys, const char *folder)
{
    world_lock(&sys->world);
    monwrite_set_folder(sys->cp, folder);
    world_unlock(&sys->world);
}

struct file_reader {
    void (*record)(void *arg, const struct endicott_record *record);
    void *arg;
    struct text damage; // the first
};

static void file_record(void *arg, const struct endicott_monitor_record *found)
{
    const struct file_reader *reader = arg;
    struct endicott_record record = {
        .domain = found->domain,
        .number = found->number,
        .name = found->name,
        .title = found->title,
        .time = found->tod,
        .raw = found->raw,
        .length = found->length,
        .subinterval = (found->flags & ENDICOTT_MONITOR_SUBINTERVAL) != 0,
        .configuration = (found->flags & ENDICOTT_MONITOR_CONFIGURATION) != 0,
    };
    reader->record(reader->arg, &record);
}

static void file_damage(void *arg, uint64_t offset, const char *reason)
{
    struct file_reader *reader = arg;
    if (!reader->damage.len)
        text_printf(&reader->damage, "damaged at byte %" PRIu64 ": %s", offset, reason);
}

// Over libendicott-monitor, as any other program would read it.
int endicott_read_monwrite(const char *path,
                           void (*record)(void *arg, const struct endicott_record *record),
                           void *arg, char **error)
{
    static const struct endicott_monitor_events events = {file_record, file_damage};
    struct file_reader reader = {record, arg, {0}};
    int failed = endicott_monitor_file(path, &events, &reader, NULL);
    if (failed)
        *error = mem_string(strerror(failed));
    else if (reader.damage.len)
        *error = mem_string(text_get(&reader.damage));
    int rc = failed ? -1 : reader.damage.len != 0;
    text_free(&reader.damage);
    return rc;
}

bool endicott_report_name(unsigned index, unsigned *fcx, const char **name, const char **title)
{
    if (index >= report_count)
        return false;
    *fcx = reports[index].fcx;
    *name = reports[index].name;
    *title = reports[index].title;
    return true;
}

int endicott_report(const char *path, const struct endicott_report_options *options, FILE *out,
                    char **error)
{
    struct text reason = {0};
    struct report_options o = {
        .fcx = options->fcx,
        .by = options->by,
        .interim = options->interim,
        .log = options->log,
        .user = options->user,
        .from = options->from,
        .to = options->to,
        .html = options->html,
    };
    int rc = report_file(path, &o, out, &reason);
    if (rc != 0)
        *error = mem_string(text_get(&reason));
    text_free(&reason);
    return rc;
}

int endicott_mondata(const char *path, struct endicott_mondata *out, char **error)
{
    struct mondata data = {0};
    struct text reason = {0};
    int rc = mondata_file(path, &data, &reason);
    *out = (struct endicott_mondata){
        .samples = data.samples,
        .subinterval_samples = data.subinterval_samples,
        .records = data.records,
        .bytes = data.bytes,
        .configuration_records = data.config_records,
        .configuration_bytes = data.config_bytes,
        .event_records = data.event_records,
        .event_bytes = data.event_bytes,
    };
    if (rc != 0)
        *error = mem_string(text_get(&reason));
    mondata_free(&data);
    text_free(&reason);
    return rc;
}
