// SPDX-License-Identifier: MIT
// Sample sets out of a stream.
#include "monitor/report_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

// --- keys -----------------------------------------------------------------------------

// By what a record is made for; for records of other kinds, the names that are keys everywhere.
static const struct {
    enum record_per per;
    unsigned group;
    const char *name[3];
} keys_of_per[] = {
    {PER_PROCESSOR, 1, {"PFXCPUAD"}},
    {PER_USER, 1, {"VMDUSER"}},
    {PER_VCPU, 1, {"VMDUSER", "VMDCPUAD"}},
    {PER_DEVICE, 1, {"RDEVDEV"}},
    {PER_SWITCH, 1, {"LANID", "RDEVDEV"}},
    {PER_NIC, 1, {"OWNER", "VDEVDEV", "LANID"}},
    {PER_BUFFER, 1, {"USERID", "MDGPROD"}},
    {PER_CPU_TYPE, 1, {"CALTYPE"}},
    {PER_SEGMENT, 1, {"SNTNAME", "SDFIDNUM"}},
    {PER_EXTENT, 1, {"RDEVDEV", "CALTYPE", "CALSTART"}},
    {PER_POOL, 1, {"HPPOOLNM"}},
    {PER_ADDRESS_SPACE, 1, {"ASCUSRID", "ASCNAME"}},
    {PER_VDISK, 1, {"MDIOUSER", "QDISNAME", "MDIOVDEV"}},
    {PER_SUBPOOL, 1, {"POOLNAME"}},
    {PER_IO_PROCESSOR, 1, {"CSCIOPID"}},
    {PER_COMMAND, 1, {"CALTOD"}},
    {PER_DOMAIN, 2, {"PROFILE", "DMNUMBER"}},
};
static const char *const key_names[] = {"RDEVDEV",  "RDEVSID", "CPVOLSER", "LCUPNAME",
                                        "LCUPPNUM", "LANID",   "CALCHPID"};

static const struct record_field *field_named(const struct record_layout *layout, const char *name)
{
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].type != FIELD_RESERVED && strcmp(layout->fields[i].name, name) == 0)
            return &layout->fields[i];
    return NULL;
}

static unsigned named_keys(const struct record_layout *layout, const char *const *name, size_t n,
                           const struct record_field **out, unsigned max)
{
    unsigned count = 0;
    for (size_t i = 0; i < n && name[i] && count < max; i++) {
        const struct record_field *field = field_named(layout, name[i]);
        if (field && field->length <= 16)
            out[count++] = field;
    }
    return count;
}

unsigned record_keys(const struct record_layout *layout, const struct record_field **out,
                     unsigned max, unsigned *group)
{
    *group = 0;
    if (layout->per == PER_SYSTEM || layout->per == PER_SET || layout->per == PER_FRAME)
        return 0;
    for (size_t i = 0; i < sizeof keys_of_per / sizeof keys_of_per[0]; i++) {
        if (keys_of_per[i].per != layout->per)
            continue;
        unsigned n = named_keys(layout, keys_of_per[i].name, 3, out, max);
        *group = n < keys_of_per[i].group ? n : keys_of_per[i].group;
        if (n)
            return n;
    }
    unsigned n = named_keys(layout, key_names, sizeof key_names / sizeof key_names[0], out,
                            max < 2 ? max : 2);
    *group = n ? 1 : 0;
    return n;
}

// The identity of a record; false when it is too short to have one. *group: bytes of the group.
static bool key_of(const struct record_layout *layout, const uint8_t *raw, size_t length,
                   uint8_t key[REPORT_KEY], unsigned *group_size)
{
    const struct record_field *field[3];
    unsigned group, n = record_keys(layout, field, 3, &group);
    size_t used = 0;
    memset(key, 0, REPORT_KEY);
    *group_size = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t size = field[i]->length;
        if (used + size > REPORT_KEY)
            break;
        if (field[i]->offset + size > length)
            return false;
        memcpy(key + used, raw + field[i]->offset, size);
        used += size;
        if (i + 1 == group)
            *group_size = (unsigned)used;
    }
    return true;
}

// --- sets -------------------------------------------------------------------------------

const uint8_t *report_entry_raw(const struct report_set *set, const struct report_entry *entry)
{
    return set->pool + entry->at;
}

static int by_key(const void *a, const void *b)
{
    const struct report_entry *x = a, *y = b;
    int order = memcmp(x->key, y->key, REPORT_KEY);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

const struct report_entry *report_set_find(const struct report_set *set, unsigned record,
                                           const uint8_t key[REPORT_KEY])
{
    const struct report_list *list = &set->list[record];
    unsigned low = 0, high = list->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = memcmp(list->entry[middle].key, key, REPORT_KEY);
        if (order == 0)
            return &list->entry[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void set_clear(struct report_set *set)
{
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        set->list[i].count = 0;
    set->used = 0;
    set->subinterval = false;
}

static void set_free(struct report_set *set)
{
    for (unsigned i = 0; i < RECORD_COUNT; i++)
        free(set->list[i].entry);
    free(set->pool);
}

static void set_add(struct report_stream *s, struct report_set *set,
                    const struct reader_record *record)
{
    unsigned kind = (unsigned)(record->layout - record_layouts);
    struct report_list *list = &set->list[kind];
    struct report_entry entry = {.at = set->used, .length = record->header.length};
    if (!key_of(record->layout, record->raw, entry.length, entry.key, &s->group_size[kind]))
        return;
    if (list->count == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 16;
        list->entry = mem_resize(list->entry, list->cap, sizeof *list->entry);
    }
    if (set->used + entry.length > set->cap) {
        set->cap = 2 * (set->used + entry.length);
        set->pool = mem_resize(set->pool, set->cap, 1);
    }
    memcpy(set->pool + set->used, record->raw, entry.length);
    set->used += entry.length;
    list->entry[list->count++] = entry;
}

// Ascending, without second records of the same identity; false when there were any. They mostly
// come in order.
static bool sort_list(struct report_list *list)
{
    bool ordered = true;
    for (unsigned i = 1; i < list->count && ordered; i++)
        ordered = memcmp(list->entry[i - 1].key, list->entry[i].key, REPORT_KEY) < 0;
    if (ordered)
        return true;
    qsort(list->entry, list->count, sizeof *list->entry, by_key);
    unsigned n = 0;
    for (unsigned i = 0; i < list->count; i++)
        if (n == 0 || memcmp(list->entry[n - 1].key, list->entry[i].key, REPORT_KEY) != 0)
            list->entry[n++] = list->entry[i];
    bool unique = n == list->count;
    list->count = n;
    return unique;
}

// The time that most of the set's records have: it is the set's, whatever its D1R11 says. Where
// none has a majority, as when records are built one after the other, D1R11's is.
static tod_t common_time(const struct report_set *set)
{
    tod_t candidate = set->time;
    unsigned lead = 0, votes = 0, records = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned kind = 0; kind < RECORD_COUNT; kind++)
            for (unsigned i = 0; i < set->list[kind].count; i++) {
                tod_t time = be64_load(report_entry_raw(set, &set->list[kind].entry[i]) + 8);
                if (pass == 0 && lead == 0)
                    candidate = time;
                if (pass == 0)
                    lead = time == candidate ? lead + 1 : lead - 1;
                votes += pass == 1 && time == candidate;
                records += pass;
            }
    return 2 * votes > records ? candidate : set->time;
}

// Records of a set are built within seconds of its end.
static bool times_agree(const struct report_set *set)
{
    static const tod_t slack = 60 * TOD_SECOND;
    for (unsigned kind = 0; kind < RECORD_COUNT; kind++)
        for (unsigned i = 0; i < set->list[kind].count; i++) {
            tod_t time = be64_load(report_entry_raw(set, &set->list[kind].entry[i]) + 8);
            if (time > set->time + TOD_SECOND || time + slack < set->time)
                return false;
        }
    return true;
}

// Of these there is one for each, and of the first two one in each sample.
static bool one_for_each(enum record_per per)
{
    return per == PER_SYSTEM || per == PER_PROCESSOR || per == PER_VCPU;
}

static bool same_keys(const struct report_list *a, const struct report_list *b)
{
    bool same = a->count == b->count;
    for (unsigned i = 0; same && i < a->count; i++)
        same = memcmp(a->entry[i].key, b->entry[i].key, REPORT_KEY) == 0;
    return same;
}

// Puts the set in order. False when it cannot be whole: two records about one thing, CPUs in some
// kinds of records and not in others.
static bool put_in_order(struct report_set *set)
{
    const struct report_list *cpus = &set->list[D0R2];
    bool whole = true;
    for (unsigned kind = 0; kind < RECORD_COUNT; kind++)
        if (!sort_list(&set->list[kind]) && one_for_each(record_layouts[kind].per))
            whole = false;
    for (unsigned kind = 0; kind < RECORD_COUNT && whole; kind++) {
        const struct record_layout *layout = &record_layouts[kind];
        if (layout->per == PER_PROCESSOR && layout->class == CLASS_SAMPLE &&
            set->list[kind].count > 0)
            whole = same_keys(&set->list[kind], cpus);
    }
    return whole;
}

// --- the stream -------------------------------------------------------------------------

void report_stream_init(struct report_stream *s,
                        void (*pair)(void *arg, const struct report_pair *pair), void *arg)
{
    *s = (struct report_stream){.pair = pair, .arg = arg};
    s->wanted[D1R4] = s->wanted[D1R9] = s->wanted[D0R1] = s->wanted[D0R2] = true;
}

void report_stream_free(struct report_stream *s)
{
    set_free(&s->set[0]);
    set_free(&s->set[1]);
    set_free(&s->config);
    set_free(&s->building);
}

void report_stream_damage(struct report_stream *s)
{
    s->set_damaged = true;
}

static const uint8_t *only_record(const struct report_set *set, unsigned kind, size_t *length)
{
    const struct report_list *list = &set->list[kind];
    if (!list->count)
        return NULL;
    *length = list->entry[0].length;
    return report_entry_raw(set, &list->entry[0]);
}

static void swap(struct report_set *a, struct report_set *b)
{
    struct report_set c = *a;
    *a = *b;
    *b = c;
}

// The profile in force, and whether the system was IPLed since.
static void take_config(struct report_stream *s)
{
    size_t length;
    swap(&s->config, &s->building);
    const uint8_t *system = only_record(&s->config, D1R4, &length);
    tod_t ipl = system ? record_number(system, length, "SYSTODST") : s->ipl;
    if (s->ipl && ipl != s->ipl)
        s->sets = 0;
    s->ipl = ipl;
    s->expected = 0;
    const uint8_t *profile = only_record(&s->config, D1R9, &length);
    if (profile) {
        uint64_t interval = record_number(profile, length, "INTERVAL");
        uint64_t within = record_number(profile, length, "SUBINTVL");
        s->expected = (double)(s->subintervals && within ? within : interval);
    }
}

// The stream is one of a subinterval user: its step is the subinterval.
static void expect_subintervals(struct report_stream *s)
{
    size_t length;
    const uint8_t *profile = only_record(&s->config, D1R9, &length);
    s->subintervals = true;
    if (profile && s->expected > 0 && record_number(profile, length, "SUBINTVL"))
        s->expected = (double)record_number(profile, length, "SUBINTVL");
}

static void give_pair(struct report_stream *s)
{
    struct report_pair pair = {.before = &s->set[0], .now = &s->set[1], .config = &s->config};
    pair.seconds = tod_to_seconds(pair.now->time - pair.before->time);
    if (s->command_seen) // the profile changed: the new step is what comes next
        s->expected = 0;
    pair.gap = s->expected > 0 && pair.seconds > 1.5 * s->expected;
    s->gaps += pair.gap;
    if (s->expected <= 0 && !s->command_seen)
        s->expected = pair.seconds;
    s->command_seen = false;
    s->pair(s->arg, &pair);
}

static void take_sample(struct report_stream *s)
{
    struct report_set *set = &s->building;
    if (set->subinterval && !s->subintervals)
        expect_subintervals(s);
    set->time = common_time(set);
    if (s->sets && set->time == s->set[s->sets - 1].time)
        return; // STOP at an interval's end takes another: no time has passed
    if (!put_in_order(set) || !times_agree(set) ||
        (s->sets && set->time <= s->set[s->sets - 1].time)) {
        s->left_out++;
        return;
    }
    s->samples++;
    s->last = set->time;
    if (!s->first)
        s->first = set->time;
    if (s->sets == 2)
        swap(&s->set[0], &s->set[1]);
    s->sets = s->sets ? 2 : 1;
    swap(&s->set[s->sets - 1], set);
    if (s->sets == 2)
        give_pair(s);
}

static void close_set(struct report_stream *s, const struct reader_record *end)
{
    bool config = s->set_is_config || (end->target & TARGET_KIND) == TARGET_CONFIG;
    s->building.time = end->header.time;
    s->building.subinterval = (end->target & TARGET_SUBINTERVAL) != 0;
    bool nothing = s->building.used == 0; // both kinds of sets have something that is kept
    if (s->set_damaged || nothing || (config && !s->building.list[D1R9].count))
        s->left_out++;
    else if (config)
        take_config(s);
    else
        take_sample(s);
    set_clear(&s->building);
    s->set_damaged = s->set_is_config = false;
}

void report_stream_record(struct report_stream *s, const struct reader_record *record)
{
    const struct record_header *h = &record->header;
    if ((record->target & TARGET_TYPE) == TARGET_EVENT)
        return;
    if (h->domain == DOMAIN_MONITOR && h->number == 9)
        s->set_is_config = true;
    if (h->domain == DOMAIN_MONITOR && h->number == 10)
        s->command_seen = true;
    if (h->domain == DOMAIN_MONITOR && h->number == 11)
        close_set(s, record);
    else if (record->layout && s->wanted[record->layout - record_layouts])
        set_add(s, &s->building, record);
}

// --- counters -----------------------------------------------------------------------------

double report_number(const struct record_field *field, const uint8_t *raw)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < field->length && i < 8; i++)
        v = v << 8 | raw[field->offset + i];
    return field->type == FIELD_SPAN ? tod_to_seconds(v) : (double)v;
}

static uint64_t integer(const struct record_field *field, const uint8_t *raw)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < field->length && i < 8; i++)
        v = v << 8 | raw[field->offset + i];
    return v;
}

// The time of one CPU, real or virtual, cannot exceed the time that passed (but for what CP did for
// it elsewhere). Other spans are sums over many.
static double span_limit(const struct record_layout *layout, double seconds)
{
    if (layout->per == PER_PROCESSOR)
        return 1.02 * seconds + 0.001;
    return layout->per == PER_VCPU ? 1.5 * seconds + 0.1 : 1e6 * seconds;
}

// Events in a second that no system reaches on one thing: then it was no counting. Bytes apart.
#define MOST_PER_SECOND 5e7

bool report_delta(const struct record_layout *layout, const struct record_field *field,
                  const uint8_t *before, size_t before_length, const uint8_t *now,
                  size_t now_length, double seconds, double *out)
{
    size_t end = (size_t)field->offset + field->length;
    if (end > now_length || (before && end > before_length) || field->length > 8)
        return false;
    uint64_t b = before ? integer(field, before) : 0, n = integer(field, now);
    uint64_t difference = n - b;
    unsigned bits = 8u * field->length;
    if (bits < 64)
        difference &= (UINT64_C(1) << bits) - 1;
    // Half the range or more: it went back, which a counter does only when it begins anew. Two
    // bytes wrap within a sample.
    if (bits > 16 && before && difference >> (bits - 1))
        return false;
    if (bits == 64 && n < b)
        return false;
    double v = field->type == FIELD_SPAN ? tod_to_seconds(difference) : (double)difference;
    if (field->type == FIELD_SPAN
            ? v > span_limit(layout, seconds)
            : v > MOST_PER_SECOND * seconds && strcmp(field->unit, "bytes") != 0)
        return false;
    *out = v;
    return true;
}
