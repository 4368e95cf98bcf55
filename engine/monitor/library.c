// SPDX-License-Identifier: MIT
// libendicott-monitor: the reader and the tables behind include/endicott-monitor.h.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "endicott-monitor.h"
#include "monitor/reader.h"

const char *endicott_monitor_version(void)
{
    return ENDICOTT_VERSION;
}

// --- reading ----------------------------------------------------------------------

struct endicott_monitor_reader {
    struct endicott_monitor_events events;
    void *arg;
    struct reader reader;
};

static unsigned flags_of(uint32_t target)
{
    return ((target & TARGET_TYPE) == TARGET_EVENT ? ENDICOTT_MONITOR_EVENT : 0) |
           ((target & TARGET_KIND) == TARGET_CONFIG ? ENDICOTT_MONITOR_CONFIGURATION : 0) |
           (target & TARGET_SUBINTERVAL ? ENDICOTT_MONITOR_SUBINTERVAL : 0);
}

static void on_record(void *arg, const struct reader_record *found)
{
    const struct endicott_monitor_reader *reader = arg;
    if (!reader->events.record)
        return;
    struct endicott_monitor_record record = {
        .domain = found->header.domain,
        .number = found->header.number,
        .name = found->layout ? found->layout->name : NULL,
        .title = found->layout ? found->layout->title : NULL,
        .raw = found->raw,
        .length = found->header.length,
        .tod = found->header.time,
        .offset = found->offset,
        .flags = flags_of(found->target),
    };
    reader->events.record(reader->arg, &record);
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    const struct endicott_monitor_reader *reader = arg;
    if (reader->events.damage)
        reader->events.damage(reader->arg, offset, reason);
}

struct endicott_monitor_reader *endicott_monitor_open(const struct endicott_monitor_events *events,
                                                      void *arg)
{
    static const struct reader_ops ops = {on_record, on_damage};
    struct endicott_monitor_reader *reader = malloc(sizeof *reader);
    if (!reader)
        return NULL;
    reader->events = *events;
    reader->arg = arg;
    reader_init(&reader->reader, &ops, reader);
    return reader;
}

void endicott_monitor_feed(struct endicott_monitor_reader *reader, const void *bytes, size_t n)
{
    reader_feed(&reader->reader, bytes, n);
}

uint64_t endicott_monitor_close(struct endicott_monitor_reader *reader)
{
    if (!reader)
        return 0;
    reader_finish(&reader->reader);
    uint64_t damages = reader->reader.damages;
    free(reader);
    return damages;
}

int endicott_monitor_file(const char *path, const struct endicott_monitor_events *events, void *arg,
                          uint64_t *damages)
{
    if (damages)
        *damages = 0;
    struct endicott_monitor_reader *reader = endicott_monitor_open(events, arg);
    if (!reader)
        return ENOMEM;
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int failed = fd < 0 ? errno : reader_descriptor(&reader->reader, fd);
    if (fd > STDIN_FILENO)
        close(fd);
    if (failed) {
        free(reader);
        return failed;
    }
    uint64_t found = endicott_monitor_close(reader);
    if (damages)
        *damages = found;
    return 0;
}

// --- fields -----------------------------------------------------------------------

static enum endicott_monitor_type type_of(enum field_type type)
{
    static const enum endicott_monitor_type types[] = {
        [FIELD_RESERVED] = ENDICOTT_MONITOR_BYTES, [FIELD_NUMBER] = ENDICOTT_MONITOR_NUMBER,
        [FIELD_TIME] = ENDICOTT_MONITOR_TIME,      [FIELD_SPAN] = ENDICOTT_MONITOR_SPAN,
        [FIELD_TEXT] = ENDICOTT_MONITOR_TEXT,      [FIELD_BYTES] = ENDICOTT_MONITOR_BYTES,
    };
    return types[type];
}

static struct endicott_monitor_field field_of(const struct record_value *value)
{
    return (struct endicott_monitor_field){
        .name = value->name,
        .unit = value->unit,
        .type = type_of(value->type),
        .counter = value->field && value->field->kind == KIND_COUNTER,
        .number = value->number,
        .bytes = value->bytes,
        .size = value->size,
    };
}

bool endicott_monitor_field(const struct endicott_monitor_record *record, const char *name,
                            struct endicott_monitor_field *out)
{
    struct record_value value;
    if (!record_value(record->raw, record->length, name, &value))
        return false;
    *out = field_of(&value);
    return true;
}

struct visit {
    void (*fn)(void *arg, const struct endicott_monitor_field *field, const char *list,
               unsigned index);
    void *arg;
};

static void visit_value(void *arg, const struct record_value *value, const char *section,
                        unsigned index)
{
    const struct visit *visit = arg;
    struct endicott_monitor_field field = field_of(value);
    visit->fn(visit->arg, &field, section, index);
}

void endicott_monitor_fields(const struct endicott_monitor_record *record,
                             void (*fn)(void *arg, const struct endicott_monitor_field *field,
                                        const char *list, unsigned index),
                             void *arg)
{
    struct visit visit = {fn, arg};
    record_visit(record->raw, record->length, visit_value, &visit);
}

size_t endicott_monitor_text(const struct endicott_monitor_field *field, char *out, size_t size)
{
    if (size == 0)
        return 0;
    out[0] = '\0';
    if (field->type != ENDICOTT_MONITOR_TEXT || !field->bytes)
        return 0;
    size_t n = ebcdic_to_utf8(codepage_default(), field->bytes, field->size, out, size);
    while (n > 0 && out[n - 1] == ' ')
        out[--n] = '\0';
    return n;
}

uint64_t endicott_monitor_difference(const struct endicott_monitor_field *before,
                                     const struct endicott_monitor_field *now)
{
    uint64_t difference = now->number - before->number;
    return now->size >= 8 ? difference : difference & ((UINT64_C(1) << (8 * now->size)) - 1);
}

double endicott_monitor_unix_time(uint64_t tod)
{
    return tod >= TOD_UNIX_EPOCH ? tod_to_seconds(tod - TOD_UNIX_EPOCH)
                                 : -tod_to_seconds(TOD_UNIX_EPOCH - tod);
}

double endicott_monitor_seconds(uint64_t span)
{
    return tod_to_seconds(span);
}

// --- layouts ----------------------------------------------------------------------

bool endicott_monitor_layout(unsigned index, struct endicott_monitor_layout *out)
{
    if (index >= RECORD_COUNT)
        return false;
    const struct record_layout *layout = &record_layouts[index];
    *out = (struct endicott_monitor_layout){layout->domain, layout->number, layout->length,
                                            layout->name, layout->title};
    return true;
}

void endicott_monitor_layout_fields(unsigned domain, unsigned number,
                                    void (*fn)(void *arg,
                                               const struct endicott_monitor_field *field,
                                               unsigned offset, unsigned elements,
                                               const char *meaning),
                                    void *arg)
{
    const struct record_layout *layout = record_layout(domain, number);
    for (unsigned i = 0; layout && i < layout->field_count; i++) {
        const struct record_field *f = &layout->fields[i];
        struct endicott_monitor_field field = {
            .name = f->name,
            .unit = f->unit,
            .type = type_of((enum field_type)f->type),
            .counter = f->kind == KIND_COUNTER,
            .size = f->length,
        };
        if (f->type != FIELD_RESERVED)
            fn(arg, &field, f->offset, f->count, f->text);
    }
}
