// SPDX-License-Identifier: MIT
// The encoder: an image of the record, then each field that has a source.
#include "monitor/record_encode.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/dcss.h"
#include "cp/spool.h"
#include "cp/vdev.h"
#include "devices/dasd_fba.h"
#include "devices/dasd_volume.h"
#include "monitor/monitor.h"

// --- what the expressions of record_sources.def use --------------------------

static unsigned processors_online(const struct cp *cp)
{
    unsigned n = 0;
    for (unsigned i = 0; i < cp->processors; i++)
        n += cp->processor[i].online;
    return n;
}

// Busy + wait = elapsed, by definition, for each processor at each sample, without the time in
// which it was varied offline.
static tod_t processor_wait(const struct record_from *f)
{
    tod_t elapsed = clock_now(&f->cp->world->clock) - f->cp->ipl_time - f->processor->offline_time;
    tod_t busy = f->processor->user_time + f->processor->system_time;
    return elapsed > busy ? elapsed - busy : 0;
}

// Architecture modes, bits numbered from the left: 1 ESA, 2 XA, 4 XC, 5 z/Architecture.
static unsigned user_mode(const struct vm *vm)
{
    return strcmp(vm->mode, "ESA") == 0  ? 0x40
           : strcmp(vm->mode, "XA") == 0 ? 0x20
           : strcmp(vm->mode, "XC") == 0 ? 0x08
           : vm->mode[0] == 'Z'          ? 0x04
                                         : 0;
}

static unsigned share_flags(const struct share *share)
{
    return (share->absolute ? 0x80u : 0) | (share->limited ? 0x40u : 0) |
           (share->limit_hard ? 0x20u : 0) | (share->limit_absolute ? 0x10u : 0);
}

// The record about the user as a whole has no vcpu: its base CPU's address is 0.
static unsigned vcpu_address(const struct record_from *f)
{
    return f->vcpu && f->vcpu->cpu ? f->vcpu->cpu->address : 0;
}

static bool base(const struct record_from *f)
{
    return f->vcpu == f->vm->vcpu[0];
}

// CP takes no page away: all of a user's storage counts as resident, as INDICATE USER shows it.
static uint64_t resident(const struct record_from *f, bool high)
{
    static const uint64_t border = UINT64_C(2) << 30;
    uint64_t low = f->vm->storage < border ? f->vm->storage : border;
    if (!base(f))
        return 0;
    return (high ? f->vm->storage - low : low) / FRAME_SIZE;
}

static uint64_t vdisk_starts(const struct record_from *f)
{
    uint64_t n = 0;
    for (const struct vdev *v = base(f) ? f->vm->vdevs : NULL; v; v = v->next)
        if (v->mdisk && v->mdisk->blocks)
            n += v->ios;
    return n;
}

static unsigned vcpu_list(const struct vcpu *vcpu)
{
    return vcpu->state == VCPU_READY || vcpu->state == VCPU_RUNNING ? 0x37 : 0x0B;
}

static uint64_t hf_dispatch(const struct vcpu *vcpu)
{
    return vcpu->sample_ticks - vcpu->sample[SAMPLE_DORMANT] - vcpu->sample[SAMPLE_DORMANT_SERVER];
}

// CP's device classes, one bit each.
static unsigned device_class(const struct rdev *rdev)
{
    static const struct {
        const char *type;
        unsigned class;
    } classes[] = {{"DASD", 0x04}, {"OSA", 0x02}, {"GRAF", 0x40}, {"RDR", 0x20},
                   {"PUN", 0x10},  {"PRT", 0x10}, {"TAPE", 0x08}};
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(rdev->type, classes[i].type) == 0)
            return classes[i].class;
    return 0;
}

static unsigned device_type(const struct rdev *rdev)
{
    unsigned v = 0;
    for (const char *p = rdev->model ? rdev->model : ""; *p >= '0' && *p <= '9'; p++)
        v = v << 4 | (unsigned)(*p - '0');
    return v;
}

static const char *type_name(unsigned type)
{
    static const char *const names[] = {"CP", "", "ZAAP", "IFL", "ICF", "ZIIP"};
    return type < sizeof names / sizeof names[0] ? names[type] : "";
}

static uint64_t busy_us(const struct real_processor *p)
{
    return (p->user_time + p->system_time) / TOD_MICROSECOND;
}

static uint64_t iucv_bad(const struct record_from *f, enum iucv_target target)
{
    return f->processor->iucv[target].total - f->processor->iucv[target].good;
}

static uint64_t iucv_functions(const struct real_processor *p)
{
    uint64_t n = 0;
    for (unsigned row = 0; row < INTERCEPT_COUNT; row++)
        if (intercept_rows[row].group == INTERCEPT_GROUP_IUCV)
            n += p->intercept[row];
    return n;
}

// The codes that D5R12 has a field for lie there in order, 4 bytes each, from offset 24.
static uint64_t diagnose_count(const struct record_from *f, unsigned offset)
{
    return f->processor->diagnose_codes[(offset - 24) / 4];
}

static uint64_t spool_files(const struct record_from *f, bool purged)
{
    uint64_t created, gone;
    spool_totals(f->cp->spool, &created, &gone);
    return purged ? gone : created;
}

static const char *segment_class(const struct dcss *segment)
{
    return !segment->saved ? "S" : segment->restricted ? "R" : "A";
}

static uint64_t cache_hits(const struct dasd_volume *volume)
{
    return volume->reads > volume->track_misses ? volume->reads - volume->track_misses : 0;
}

// --- the sources as functions ------------------------------------------------

// The low-order bytes: counters wrap; a gauge that does not fit is stored as all ones.
static inline void store_number(uint8_t *at, unsigned length, enum field_kind kind, uint64_t v)
{
    if (kind == KIND_GAUGE && length < 8 && v >> (8 * length) != 0)
        v = UINT64_MAX;
    switch (length) {
    case 1:
        *at = (uint8_t)v;
        break;
    case 2:
        be16_store(at, (uint16_t)v);
        break;
    case 4:
        be32_store(at, (uint32_t)v);
        break;
    default:
        INVARIANT(length == 8);
        be64_store(at, v);
    }
}

// Names and the like, blank padded: letters and digits without a way through UTF-8.
static void store_text(uint8_t *at, unsigned length, const char *s)
{
    static uint8_t plain[128];
    if (!plain['0'])
        for (unsigned c = 1; c < 128; c++)
            ebcdic_field(&plain[c], 1, (char[]){(char)c, 0});
    if (!s || !*s) {
        memset(at, 0x40, length);
        return;
    }
    for (unsigned i = 0; i < length; i++) {
        if (!*s) {
            memset(at + i, 0x40, length - i);
            return;
        }
        if ((unsigned char)*s >= 128) {
            ebcdic_field(at + i, length - i, s);
            return;
        }
        at[i] = plain[(unsigned char)*s++];
    }
}

// One function for each source stores a field of `length` bytes and `count` elements: the field's
// first byte is at `at`, `offset` bytes into the record. Inlined by force where the layouts below
// call them, since each then is the few instructions that its length, kind and expression need: a
// sample has tens of thousands of records, and the system's lock is held.
#define SOURCE_FUNCTION(name)                                                       \
    static inline __attribute__((always_inline)) void put_##name(                   \
        const struct record_from *f, uint8_t *at, unsigned offset, unsigned length, \
        unsigned count, enum field_kind kind)
#define UNUSED (void)f, (void)at, (void)offset, (void)length, (void)count, (void)kind
#define NUMBER_SOURCE(name, text, expression)                                            \
    SOURCE_FUNCTION(name)                                                                \
    {                                                                                    \
        UNUSED;                                                                          \
        for (unsigned i = 0; i < count; i++)                                             \
            store_number(at + i * (size_t)length, length, kind, (uint64_t)(expression)); \
    }
#define TEXT_SOURCE(name, text, expression)   \
    SOURCE_FUNCTION(name)                     \
    {                                         \
        UNUSED;                               \
        store_text(at, length, (expression)); \
    }
#define BYTES_SOURCE(name, text, expression) \
    SOURCE_FUNCTION(name)                    \
    {                                        \
        UNUSED;                              \
        const uint8_t *bytes = (expression); \
        if (bytes)                           \
            memcpy(at, bytes, length);       \
    }
#include "monitor/record_sources.def"
#undef NUMBER_SOURCE
#undef TEXT_SOURCE
#undef BYTES_SOURCE

SOURCE_FUNCTION(ABSENT) // what the images below say
{
    UNUSED;
}

static const char *const meanings[SOURCE_COUNT] = {
#define NUMBER_SOURCE(name, text, expression) [SOURCE_##name] = text,
#define TEXT_SOURCE(name, text, expression)   [SOURCE_##name] = text,
#define BYTES_SOURCE(name, text, expression)  [SOURCE_##name] = text,
#include "monitor/record_sources.def"
#undef NUMBER_SOURCE
#undef TEXT_SOURCE
#undef BYTES_SOURCE
};

const char *record_source_text(enum record_source source)
{
    return meanings[source] ? meanings[source] : "";
}

// --- the layouts as functions ------------------------------------------------

#define LAYOUT(domain, number)                                                       \
    static void fields_##domain##_##number(const struct record_from *f, uint8_t *at) \
    {
#define ITEM(domain, number)                                                       \
    static void item_##domain##_##number(const struct record_from *f, uint8_t *at) \
    {
#define F(offset, length, count, type, name, kind, reset, source, unit, text) \
    put_##source(f, at + (offset), offset, length, count, KIND_##kind);
#define END   \
    (void)f;  \
    (void)at; \
    }
// clang-format off
#include "monitor/layouts.def"
// clang-format on
#undef LAYOUT
#undef ITEM
#undef F
#undef END

typedef void record_filler(const struct record_from *f, uint8_t *at);
static record_filler *const fillers[RECORD_COUNT] = {
#define RECORD(domain, number, name, length, class, per, status, title) \
    [D##domain##R##number] = fields_##domain##_##number,
#include "monitor/records.def"
};
static record_filler *const item_fillers[RECORD_COUNT] = {
    [D0R16] = item_0_16, [D0R17] = item_0_17, [D0R18] = item_0_18, [D0R23] = item_0_23};

// --- encoding ----------------------------------------------------------------

// What of a record is the same each time, made at first use: the header without its time and
// length, zeros and blanks. All images, one after the other: sampling allocates nothing, and
// nothing is to be freed.
static uint8_t images[0
#define RECORD(domain, number, name, length, class, per, status, title) +(length)
#include "monitor/records.def"
];
static const uint8_t *image[RECORD_COUNT]; // under the system lock

static void blanks(uint8_t *at, const struct record_field *fields, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (fields[i].type == FIELD_TEXT)
            memset(at + fields[i].offset, 0x40, (size_t)fields[i].length * fields[i].count);
}

static const uint8_t *image_make(enum record_id id)
{
    static size_t used;
    const struct record_layout *layout = &record_layouts[id];
    uint8_t *at = images + used;
    used += layout->length;
    INVARIANT(used <= sizeof images);
    at[4] = (uint8_t)layout->domain;
    be16_store(at + 6, (uint16_t)layout->number);
    blanks(at, layout->fields, layout->field_count);
    return image[id] = at;
}

size_t record_size(enum record_id id, const struct record_from *from)
{
    size_t length = record_layouts[id].length;
    if (from->tail_length && record_tail(&record_layouts[id]))
        length += from->tail_length;
    return length;
}

void record_begin(enum record_id id, size_t length, tod_t now, uint8_t *out)
{
    INVARIANT(length >= record_layouts[id].length && length <= RECORD_MAX);
    memcpy(out, image[id] ? image[id] : image_make(id), record_layouts[id].length);
    be16_store(out, (uint16_t)length);
    be64_store(out + 8, now);
}

void record_store_number(uint8_t *record, const struct record_field *field, unsigned element,
                         uint64_t value)
{
    store_number(record + field->offset + element * (size_t)field->length, field->length,
                 (enum field_kind)field->kind, value);
}

void record_store_text(uint8_t *record, const struct record_field *field, const char *text)
{
    store_text(record + field->offset, field->length, text);
}

size_t record_encode(enum record_id id, const struct record_from *from, tod_t now, uint8_t *out)
{
    const struct record_layout *layout = &record_layouts[id];
    size_t length = record_size(id, from);
    record_begin(id, length, now, out);
    fillers[id](from, out);
    if (length > layout->length && from->tail)
        memcpy(out + layout->length, from->tail, length - layout->length);
    return length;
}

size_t record_item_size(enum record_id id)
{
    const struct record_tail *tail = record_tail(&record_layouts[id]);
    const struct record_field *last = &tail->fields[tail->field_count - 1];
    return last->offset + (size_t)last->length;
}

void record_item(enum record_id id, const struct record_from *from, unsigned index, uint8_t *record)
{
    const struct record_tail *tail = record_tail(&record_layouts[id]);
    size_t size = record_item_size(id);
    uint8_t *at = record + record_layouts[id].length + index * size;
    memset(at, 0, size);
    blanks(at, tail->fields, tail->field_count);
    item_fillers[id](from, at);
}
