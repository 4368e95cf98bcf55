// SPDX-License-Identifier: MIT
// Sample sets out of a stream of records: each kind's records by key, pairs of consecutive sets,
// and what a counter counted between them.
//
// A set counts when it came whole: one in which the reader found damage, or whose records do not
// agree on the time, is left out. Counters go on counting, so nothing is lost but resolution: the
// next pair spans both intervals and is marked as a gap.
#ifndef ENDICOTT_MONITOR_REPORT_SET_H
#define ENDICOTT_MONITOR_REPORT_SET_H

#include "monitor/reader.h"

#define REPORT_KEY 24u

struct report_entry {
    uint8_t key[REPORT_KEY]; // identity: the bytes of the key fields, zero padded
    size_t at;               // in the set's pool
    size_t length;
};

struct report_list {
    struct report_entry *entry; // ascending by key once the set is complete
    unsigned count, cap;
};

struct report_set {
    tod_t time; // when it was taken
    bool subinterval;
    struct report_list list[RECORD_COUNT];
    uint8_t *pool;
    size_t used, cap;
};

const uint8_t *report_entry_raw(const struct report_set *set, const struct report_entry *entry);
// The entry of that identity, or NULL.
const struct report_entry *report_set_find(const struct report_set *set, unsigned record,
                                           const uint8_t key[REPORT_KEY]);

// The fields that tell records of one kind apart, in order: up to `max` (3 are enough); 0 for one
// record a system. `*group` of them name what a report's line is about: of a virtual CPU's record
// the user.
unsigned record_keys(const struct record_layout *layout, const struct record_field **out,
                     unsigned max, unsigned *group);

// Two sample sets, one after the other.
struct report_pair {
    const struct report_set *before, *now;
    const struct report_set *config; // the last configuration set
    double seconds;
    bool gap; // longer than the sampling in force: samples are missing
};

struct report_stream {
    void (*pair)(void *arg, const struct report_pair *pair);
    void *arg;
    bool wanted[RECORD_COUNT];
    struct report_set set[2], config, building;
    unsigned sets; // in set[]: 0, 1 or 2; the last is set[sets - 1]
    bool set_damaged, set_is_config, command_seen;
    bool subintervals;                 // the stream has sets for subinterval users
    double expected;                   // seconds between samples, 0: not known
    tod_t ipl;                         // from D1R4; another one begins anew
    uint64_t left_out;                 // sets
    uint64_t samples;                  // sets that count
    uint64_t gaps;                     // pairs
    tod_t first, last;                 // times of sets that count
    unsigned group_size[RECORD_COUNT]; // bytes of the key that are the group's
};

void report_stream_init(struct report_stream *stream,
                        void (*pair)(void *arg, const struct report_pair *pair), void *arg);
void report_stream_record(struct report_stream *stream, const struct reader_record *record);
void report_stream_damage(struct report_stream *stream); // the reader found some
void report_stream_free(struct report_stream *stream);

// What `field` counted from `before` to `now` (raw records of its kind) in `seconds`; a span in
// seconds. False when that cannot be: not in both, begun anew in between, or more than is possible.
// `before` NULL: all that `now` has was counted in this time.
bool report_delta(const struct record_layout *layout, const struct record_field *field,
                  const uint8_t *before, size_t before_length, const uint8_t *now,
                  size_t now_length, double seconds, double *out);
// A field's value as a number, spans in seconds.
double report_number(const struct record_field *field, const uint8_t *raw);

#endif
