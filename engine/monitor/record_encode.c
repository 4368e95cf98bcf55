// SPDX-License-Identifier: MIT
// The encoder: a cleared record, then each field that has a source.
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

// Busy + wait = elapsed, by definition, for each processor at each sample.
static tod_t processor_wait(const struct record_from *f)
{
    tod_t elapsed = clock_now(&f->cp->world->clock) - f->cp->ipl_time;
    tod_t busy = f->processor->user_time + f->processor->system_time;
    return elapsed > busy ? elapsed - busy : 0;
}

static bool is_dormant(const struct vm *vm)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i] && (vm->vcpu[i]->state == VCPU_READY || vm->vcpu[i]->state == VCPU_RUNNING))
            return false;
    return true;
}

static unsigned users_dormant(const struct cp *cp)
{
    unsigned n = 0;
    for (const struct vm *vm = cp->users; vm; vm = vm->next)
        n += is_dormant(vm);
    return n;
}

static uint64_t transactions(const struct cp *cp, bool several, bool quick)
{
    uint64_t n = 0;
    for (const struct vm *vm = cp->users; vm; vm = vm->next)
        if (vm->set.quickdsp == quick && (quick || (vm->vcpus > 1) == several))
            n += vm->transactions;
    return n;
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
static uint64_t diagnose_count(const struct record_from *f, const struct record_field *field)
{
    return f->processor->diagnose_codes[(field->offset - 24) / 4];
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

// `f` is what the record is about, `field` the row of the layout, `i` the element of an array.
#define NUMBER_SOURCE(name, text, expression)                                                    \
    static uint64_t number_##name(const struct record_from *f, const struct record_field *field, \
                                  unsigned i)                                                    \
    {                                                                                            \
        (void)f;                                                                                 \
        (void)field;                                                                             \
        (void)i;                                                                                 \
        return (uint64_t)(expression);                                                           \
    }
#define TEXT_SOURCE(name, text, expression)                     \
    static const char *text_##name(const struct record_from *f) \
    {                                                           \
        (void)f;                                                \
        return (expression);                                    \
    }
#define BYTES_SOURCE(name, text, expression)                        \
    static const uint8_t *bytes_##name(const struct record_from *f) \
    {                                                               \
        return (expression);                                        \
    }
#include "monitor/record_sources.def"
#undef NUMBER_SOURCE
#undef TEXT_SOURCE
#undef BYTES_SOURCE

static const struct {
    uint64_t (*number)(const struct record_from *f, const struct record_field *field, unsigned i);
    const char *(*text)(const struct record_from *f);
    const uint8_t *(*bytes)(const struct record_from *f);
    const char *meaning;
} sources[SOURCE_COUNT] = {
#define NUMBER_SOURCE(name, text, expression) [SOURCE_##name] = {number_##name, NULL, NULL, text},
#define TEXT_SOURCE(name, text, expression)   [SOURCE_##name] = {NULL, text_##name, NULL, text},
#define BYTES_SOURCE(name, text, expression)  [SOURCE_##name] = {NULL, NULL, bytes_##name, text},
#include "monitor/record_sources.def"
#undef NUMBER_SOURCE
#undef TEXT_SOURCE
#undef BYTES_SOURCE
};

const char *record_source_text(enum record_source source)
{
    return sources[source].meaning ? sources[source].meaning : "";
}

// --- encoding ----------------------------------------------------------------

// What of a record is the same each time, made at first use: the header without its time, zeros and
// blanks; and which fields are to be filled in.
struct plan {
    bool made;
    uint8_t *image;
    uint16_t *active;
    unsigned count;
};
static struct plan plans[RECORD_COUNT]; // under the system lock
// All images and lists, one after the other: sampling allocates nothing, and nothing is to be
// freed.
static uint8_t images[24 * 1024];
static uint16_t lists[4096];

static void plan_make(enum record_id id)
{
    static size_t images_used, lists_used;
    struct plan *plan = &plans[id];
    const struct record_layout *layout = &record_layouts[id];
    plan->image = images + images_used;
    plan->active = lists + lists_used;
    images_used += layout->length;
    lists_used += layout->field_count;
    INVARIANT(images_used <= sizeof images && lists_used <= sizeof lists / sizeof *lists);
    plan->image[4] = (uint8_t)layout->domain;
    be16_store(plan->image + 6, (uint16_t)layout->number);
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct record_field *f = &layout->fields[i];
        if (f->source != SOURCE_ABSENT)
            plan->active[plan->count++] = (uint16_t)i;
        else if (f->type == FIELD_TEXT)
            memset(plan->image + f->offset, 0x40, f->length);
    }
    plan->made = true;
}

static const struct plan *plan_of(enum record_id id)
{
    if (!plans[id].made)
        plan_make(id);
    return &plans[id];
}

// The low-order bytes: counters wrap; a gauge that does not fit is stored as all ones.
static void store_number(uint8_t *at, const struct record_field *field, uint64_t v)
{
    if (field->kind == KIND_GAUGE && field->length < 8 && v >> (8 * field->length) != 0)
        v = UINT64_MAX;
    switch (field->length) {
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
        INVARIANT(field->length == 8);
        be64_store(at, v);
    }
}

static void store_field(uint8_t *at, const struct record_field *field, const struct record_from *f)
{
    if (sources[field->source].number) {
        for (unsigned i = 0; i < field->count; i++)
            store_number(at + i * (size_t)field->length, field,
                         sources[field->source].number(f, field, i));
    } else if (sources[field->source].text) {
        const char *s = sources[field->source].text(f);
        ebcdic_field(at, field->length, s ? s : "");
    } else {
        const uint8_t *bytes = sources[field->source].bytes(f);
        if (bytes)
            memcpy(at, bytes, field->length);
    }
}

size_t record_size(enum record_id id, const struct record_from *from)
{
    return record_layouts[id].length + (record_tail(&record_layouts[id]) ? from->tail_length : 0);
}

size_t record_encode(enum record_id id, const struct record_from *from, tod_t now, uint8_t *out)
{
    const struct record_layout *layout = &record_layouts[id];
    const struct plan *plan = plan_of(id);
    size_t length = record_size(id, from);
    INVARIANT(length <= RECORD_MAX);
    memcpy(out, plan->image, layout->length);
    be16_store(out, (uint16_t)length);
    be64_store(out + 8, now);
    for (unsigned i = 0; i < plan->count; i++) {
        const struct record_field *field = &layout->fields[plan->active[i]];
        store_field(out + field->offset, field, from);
    }
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
    for (unsigned i = 0; i < tail->field_count; i++) {
        const struct record_field *field = &tail->fields[i];
        if (field->source != SOURCE_ABSENT)
            store_field(at + field->offset, field, from);
        else if (field->type == FIELD_TEXT)
            memset(at + field->offset, 0x40, field->length);
    }
}
