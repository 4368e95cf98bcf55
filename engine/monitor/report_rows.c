// SPDX-License-Identifier: MIT
// Summing terms over pairs of samples, line by line.
//
// A line takes part in a pair of samples whole or not at all: when one of its counters began anew,
// or counted more than is possible, the pair is left out for this line, and its time with it.
#include "monitor/report_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void report_rows_init(struct report_rows *rows, const struct report_terms *terms, unsigned record,
                      bool keyed)
{
    *rows = (struct report_rows){.terms = terms, .record = record, .keyed = keyed};
}

static void row_free(struct report_row *row)
{
    free(row->sum);
    free(row->samples);
    free(row->raw);
    free(row->add);
    free(row->has);
}

void report_rows_clear(struct report_rows *rows)
{
    for (unsigned i = 0; i < rows->count; i++)
        row_free(&rows->row[i]);
    rows->count = 0;
    rows->elapsed = 0;
    rows->pairs = rows->gaps = rows->refused = 0;
    rows->from = rows->to = 0;
}

void report_rows_free(struct report_rows *rows)
{
    report_rows_clear(rows);
    free(rows->row);
    rows->row = NULL;
    rows->cap = 0;
}

// The line of that key; a new one with `make`.
static struct report_row *find_row(struct report_rows *rows, const uint8_t key[REPORT_KEY],
                                   bool make)
{
    unsigned low = 0, high = rows->count, n = rows->terms->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = memcmp(rows->row[middle].key, key, REPORT_KEY);
        if (order == 0)
            return &rows->row[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (!make)
        return NULL;
    if (rows->count == rows->cap) {
        rows->cap = rows->cap ? 2 * rows->cap : 16;
        rows->row = mem_resize(rows->row, rows->cap, sizeof *rows->row);
    }
    struct report_row *row = &rows->row[low];
    memmove(row + 1, row, (rows->count - low) * sizeof *row);
    rows->count++;
    *row = (struct report_row){.sum = mem_zero(n + 1, sizeof *row->sum),
                               .samples = mem_zero(n + 1, sizeof *row->samples),
                               .add = mem_zero(n + 1, sizeof *row->add),
                               .has = mem_zero(n + 1, sizeof *row->has)};
    memcpy(row->key, key, REPORT_KEY);
    return row;
}

// --- one pair ---------------------------------------------------------------------------

// Records of one kind and one group, in one set.
struct run {
    const struct report_set *set;
    const struct report_entry *entry;
    unsigned kind, count, group_size;
};

enum baseline { BASELINE_NONE, BASELINE_LOGON, BASELINE_BEFORE };

static const struct record_field *logon_field(const struct record_layout *layout)
{
    if (layout->per != PER_VCPU && layout->per != PER_USER)
        return NULL;
    for (unsigned i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, "CALTODON") == 0)
            return &layout->fields[i];
    return NULL;
}

static tod_t tod_at(const struct record_field *field, const uint8_t *raw, size_t length)
{
    uint64_t v = 0;
    if (field->offset + 8u > length)
        return 0;
    for (unsigned i = 0; i < 8; i++)
        v = v << 8 | raw[field->offset + i];
    return v;
}

// What a record's counters are to be compared with. A user that logged on since the last sample
// counted from nothing; one whose logon time changed otherwise cannot be compared.
static enum baseline baseline_of(const struct report_pair *pair, unsigned kind,
                                 const struct report_entry *now, const struct report_entry **before)
{
    const struct record_field *logon = logon_field(&record_layouts[kind]);
    *before = report_set_find(pair->before, kind, now->key);
    if (!logon)
        return *before ? BASELINE_BEFORE : BASELINE_NONE;
    tod_t on = tod_at(logon, report_entry_raw(pair->now, now), now->length);
    if (on > pair->before->time && on <= pair->now->time)
        return BASELINE_LOGON;
    if (*before && tod_at(logon, report_entry_raw(pair->before, *before), (*before)->length) == on)
        return BASELINE_BEFORE;
    return BASELINE_NONE;
}

// One record's difference. True when there is one; *refused when it cannot be.
static bool delta(const struct report_pair *pair, const struct report_term *term,
                  const struct report_entry *now, double *out, bool *refused)
{
    const struct report_entry *before;
    enum baseline baseline = baseline_of(pair, term->record, now, &before);
    if (baseline == BASELINE_NONE)
        return false;
    bool from_before = baseline == BASELINE_BEFORE;
    if (report_delta(&record_layouts[term->record], term->field,
                     from_before ? report_entry_raw(pair->before, before) : NULL,
                     from_before ? before->length : 0, report_entry_raw(pair->now, now),
                     now->length, pair->seconds, out))
        return true;
    // A field that an older level does not have is no reason to leave the line out.
    *refused = term->field->offset + (size_t)term->field->length <= now->length;
    return false;
}

static void add_delta(struct report_rows *rows, struct report_row *row, unsigned t,
                      const struct report_pair *pair, const struct run *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        double v;
        bool refused = false;
        if (delta(pair, &rows->terms->term[t], &run->entry[i], &v, &refused)) {
            row->add[t] += v;
            row->has[t] = true;
        } else if (refused) {
            rows->refused += !rows->keyed; // of a sum over many, one part
            row->refused = row->refused || rows->keyed;
        }
    }
}

static void add_active(struct report_rows *rows, struct report_row *row, unsigned t,
                       const struct report_pair *pair, const struct run *run)
{
    bool active = false;
    for (unsigned i = 0; i < run->count; i++) {
        double v;
        bool refused = false;
        bool known = delta(pair, &rows->terms->term[t], &run->entry[i], &v, &refused);
        active = active || (known && v > 0);
        bool last = i + 1 == run->count ||
                    memcmp(run->entry[i].key, run->entry[i + 1].key, run->group_size) != 0;
        if (!last)
            continue;
        row->add[t] += active;
        row->has[t] = true;
        active = false;
    }
}

static void add_values(struct report_row *row, unsigned t, const struct report_term *term,
                       const struct run *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        if (term->field->offset + (size_t)term->field->length > run->entry[i].length)
            continue;
        row->has[t] = true;
        if (term->kind == TERM_COUNT)
            row->add[t] += 1;
        else if (term->kind != TERM_BASE || i == 0)
            row->add[t] += report_number(term->field, report_entry_raw(run->set, &run->entry[i]));
    }
}

static void add_run(struct report_rows *rows, struct report_row *row,
                    const struct report_pair *pair, const struct run *run, bool config)
{
    for (unsigned t = 0; t < rows->terms->count; t++) {
        const struct report_term *term = &rows->terms->term[t];
        if (term->record != run->kind || (term->kind == TERM_CONFIG) != config)
            continue;
        if (term->kind == TERM_DELTA)
            add_delta(rows, row, t, pair, run);
        else if (term->kind == TERM_ACTIVE)
            add_active(rows, row, t, pair, run);
        else
            add_values(row, t, term, run);
    }
}

static void keep_raw(struct report_row *row, const struct run *run)
{
    const struct report_entry *entry = &run->entry[0];
    if (entry->length > row->cap) {
        row->cap = entry->length;
        row->raw = mem_resize(row->raw, row->cap, 1);
    }
    row->length = entry->length;
    memcpy(row->raw, report_entry_raw(run->set, entry), entry->length);
}

// The line's own records: is it measured in this pair?
static void see_row(struct report_row *row, const struct report_pair *pair, const struct run *run)
{
    for (unsigned i = 0; i < run->count && !row->seen; i++) {
        const struct report_entry *before;
        row->seen = baseline_of(pair, run->kind, &run->entry[i], &before) != BASELINE_NONE;
    }
    keep_raw(row, run);
}

static unsigned group_size_of(unsigned kind)
{
    const struct record_field *field[3];
    unsigned group, size = 0;
    record_keys(&record_layouts[kind], field, 3, &group);
    for (unsigned i = 0; i < group; i++)
        size += field[i]->length;
    return size;
}

// Each group of records of one kind to its line.
static void add_kind(struct report_rows *rows, const struct report_pair *pair, unsigned kind,
                     bool config, bool (*wanted)(void *arg, const uint8_t *raw, size_t length),
                     void *arg)
{
    const struct report_set *set = config ? pair->config : pair->now;
    const struct report_list *list = &set->list[kind];
    struct run run = {.set = set, .kind = kind, .group_size = group_size_of(kind)};
    bool own = kind == rows->record && !config, everywhere = run.group_size == 0;
    for (unsigned i = 0; i < list->count; i += run.count) {
        uint8_t key[REPORT_KEY] = {0};
        run.entry = &list->entry[i];
        run.count = list->count - i;
        if (rows->keyed && !everywhere)
            for (unsigned n = 1; n < run.count; n++)
                if (memcmp(run.entry[0].key, run.entry[n].key, run.group_size) != 0)
                    run.count = n;
        if (rows->keyed)
            memcpy(key, run.entry[0].key, run.group_size);
        if (own && wanted && !wanted(arg, report_entry_raw(set, run.entry), run.entry[0].length))
            continue;
        struct report_row *row = find_row(rows, key, own);
        if (own)
            see_row(row, pair, &run);
        if (row && !(rows->keyed && everywhere && !own))
            add_run(rows, row, pair, &run, config);
        else if (everywhere) // about the system: every line has it
            for (unsigned r = 0; r < rows->count; r++)
                add_run(rows, &rows->row[r], pair, &run, config);
    }
}

static void commit(struct report_rows *rows, const struct report_pair *pair)
{
    for (unsigned i = 0; i < rows->count; i++) {
        struct report_row *row = &rows->row[i];
        bool counts = row->seen && !row->refused;
        rows->refused += row->seen && row->refused;
        for (unsigned t = 0; t < rows->terms->count; t++) {
            if (counts && row->has[t]) {
                row->sum[t] += row->add[t];
                row->samples[t]++;
            }
            row->add[t] = 0;
            row->has[t] = false;
        }
        if (counts)
            row->t += pair->seconds;
        row->seen = row->refused = false;
    }
}

void report_rows_add(struct report_rows *rows, const struct report_pair *pair,
                     bool (*wanted)(void *arg, const uint8_t *raw, size_t length), void *arg)
{
    bool done[2][RECORD_COUNT] = {{false}};
    static const uint8_t no_key[REPORT_KEY];
    if (!rows->keyed)
        find_row(rows, no_key, true)->seen = true;
    else
        add_kind(rows, pair, rows->record, false, wanted, arg);
    done[0][rows->record] = rows->keyed;
    for (unsigned t = 0; t < rows->terms->count; t++) {
        const struct report_term *term = &rows->terms->term[t];
        bool config = term->kind == TERM_CONFIG;
        if (done[config][term->record])
            continue;
        done[config][term->record] = true;
        add_kind(rows, pair, term->record, config, NULL, NULL);
    }
    commit(rows, pair);
    rows->elapsed += pair->seconds;
    rows->pairs++;
    rows->gaps += pair->gap;
    rows->to = pair->now->time;
    if (!rows->from)
        rows->from = pair->before->time;
}

static double term_value(const struct report_row *row, const struct report_term *term, unsigned t)
{
    bool summed = term->kind == TERM_DELTA;
    return summed || !row->samples[t] ? row->sum[t] : row->sum[t] / row->samples[t];
}

void report_rows_values(const struct report_rows *rows, const struct report_row *row, double *value,
                        bool *there)
{
    for (unsigned t = 0; t < rows->terms->count; t++) {
        value[t] = 0;
        there[t] = false;
        for (unsigned i = 0; i < rows->count; i++) {
            const struct report_row *r = row ? row : &rows->row[i];
            if (r->samples[t]) {
                value[t] += term_value(r, &rows->terms->term[t], t);
                there[t] = true;
            }
            if (row)
                break;
        }
    }
}
