// SPDX-License-Identifier: MIT
// Monitor data for other programs: JSON Lines, CSV, SQLite, InfluxDB line protocol, OpenMetrics.
//
// All forms show a field under its own name and in the same unit: lengths of time are seconds,
// points of time RFC 3339 in UTC, texts UTF-8, bytes hexadecimal; counters are as CP counts them,
// since logon, IPL or vary on, never reset by a sample. `export_schema` says what there is.
#ifndef ENDICOTT_MONITOR_EXPORT_H
#define ENDICOTT_MONITOR_EXPORT_H

#include "base/text.h"
#include "monitor/reader.h"

#define EXPORT_SCHEMA "endicott.monitor/1"

// Where lines go: whole lines in each call. False: it cannot be written, nothing more will be.
struct export_sink {
    bool (*write)(void *arg, const char *bytes, size_t n);
    void *arg;
};

// Which records: names (MRUSEACT) or numbers (D4R3), with commas between; NULL: all whose layouts
// are known. False, with *error, when one is not.
bool export_select(const char *records, bool wanted[RECORD_COUNT], struct text *error);

// What the exports of a stream share; a form is a set of functions.
struct export_form {
    const char *name;
    // `to` is where it goes: the sink, or a path for those that write files of their own. NULL with
    // *error when that cannot be.
    void *(*begin)(const struct export_sink *sink, const char *path, const bool *wanted,
                   struct text *error);
    bool (*record)(void *state, const struct reader_record *record); // false: writing failed
    bool (*end)(void *state, struct text *error);                    // frees the state
    bool to_path;                                                    // writes files of its own
    bool wants_ends; // is given each D1R11, selected or not
};
extern const struct export_form export_json, export_csv, export_csv_folder, export_sqlite,
    export_influx, export_openmetrics, export_prometheus;
const struct export_form *export_form(const char *name, bool to_path); // NULL: not known

// 0; 1 the input is damaged (what could be read is exported; *error says where and why); -1 with
// *error.
int export_file(const char *input, const struct export_form *form, const char *records,
                const struct export_sink *sink, const char *path, struct text *error);
// Every field of the selected records as a line of JSON: record, name, unit, kind, type, meaning.
void export_schema(const bool *wanted, struct text *out);

// --- values -----------------------------------------------------------------------------

enum export_type { EXPORT_INTEGER, EXPORT_REAL, EXPORT_TEXT, EXPORT_TIME, EXPORT_BYTES };
enum export_type export_type(const struct record_field *field);
// "seconds", "bytes", "pages", ...; "" when the field has none, or one that is no one thing.
const char *export_unit(const struct record_field *field);
// Element `index` of a field as text without quotes: 12, 1.5, an RFC 3339 time, a name. False when
// the record does not reach so far.
bool export_value(const struct record_field *field, unsigned index, const uint8_t *raw,
                  size_t length, struct text *out);
// The same as a number.
double export_number(const struct record_field *field, unsigned index, const uint8_t *raw);
void export_rfc3339(tod_t time, struct text *out);
int64_t export_unix_ns(tod_t time);
// "D4R3"
void export_record_name(const struct record_layout *layout, char out[16]);
const char *export_set_name(uint32_t target); // sample, subinterval, configuration, event
// As a JSON string, in quotes.
void export_quote(struct text *out, const char *s);

// --- metrics (export_metrics.c) -----------------------------------------------------------

// The last sample and configuration of a running system, or with `history` all samples of a file,
// as metrics. Ordering is by name and labels.
struct export_metrics;
struct export_metrics *export_metrics_new(const bool *wanted, bool history);
void export_metrics_record(struct export_metrics *metrics, const uint8_t *raw, size_t length,
                           bool configuration);
// `openmetrics`: OpenMetrics 1.0, else the older text format of Prometheus.
void export_metrics_text(struct export_metrics *metrics, bool openmetrics, struct text *out);
// What the last complete sets hold, to be printed while records go on coming; free it.
struct export_metrics *export_metrics_copy(const struct export_metrics *metrics);
void export_metrics_free(struct export_metrics *metrics);

#endif
