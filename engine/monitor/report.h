// SPDX-License-Identifier: MIT
// Performance reports from MONWRITE files, by their FCX numbers. A report is one or more blocks, a
// block a table of columns (report_tables.c); docs/reports.md is made from the same tables.
#ifndef ENDICOTT_MONITOR_REPORT_H
#define ENDICOTT_MONITOR_REPORT_H

#include "base/text.h"
#include "monitor/reader.h"

enum report_shape {
    SHAPE_ROWS,     // a line for each user, device, ...
    SHAPE_FORM,     // one thing a line, about the system
    SHAPE_LOG,      // a line for each interval
    SHAPE_ROWS_LOG, // a line for each interval and user, device, ...
};
enum report_format {
    FORMAT_NUMBER,   // of an expression
    FORMAT_TEXT,     // the other formats name a field of the block's own record
    FORMAT_HEX,      // four digits
    FORMAT_CPU_TYPE, // CP, IFL, ...
    FORMAT_SHARE,    // of a user: 100, or 3.0%
    FORMAT_STATUS,   // of a user: mode and list
};

struct report_column {
    const char *head[2]; // above each other; of a form the label and the unit
    uint8_t width, decimals;
    uint8_t format;
    const char *expression; // see report_expression.h; "" is always empty
};

struct report_block {
    const char *title;
    enum report_shape shape;
    unsigned domain, number; // its own record; of a form or log where names without record belong
    bool total;              // a line for all together at the end
    const struct report_column *column;
    unsigned columns;
};

struct report {
    unsigned fcx;
    const char *name, *title;
    const struct report_block *block; // NULL: FCX155, which counts records of any kind
    unsigned blocks;
    const char *note; // for docs/reports.md, NULL allowed
};
extern const struct report reports[];
extern const unsigned report_count;
const struct report *report_find(unsigned fcx); // NULL: not known

struct report_options {
    unsigned fcx;     // 0 with html: all
    double by;        // seconds in one stretch, aligned to the hour; 0: all, or each sample
    bool interim;     // a report for each stretch, of each sample without `by`
    bool log;         // lines for each stretch and user, device, ... in one table
    const char *user; // user ID, * and ? as wild cards; NULL: all
    double from, to;  // only samples between: seconds since 1970, or of the day when under 86400;
                      // 0: no limit
    bool html;        // one self-contained page
};

// 0; 1 the file is damaged (the report is of what could be read, *error says where and why); -1
// with *error: it cannot be read, or there is no such report.
int report_file(const char *path, const struct report_options *options, FILE *out,
                struct text *error);
// The same of bytes in memory; 0 or 1.
int report_bytes(const void *bytes, size_t n, const struct report_options *options, FILE *out);
// docs/reports.md: each report's columns and what they are computed from.
void report_document(FILE *out);

// --- FCX155 MONDATA: how much monitor data there is (report_fcx155.c) ----------------

struct mondata_row {
    unsigned domain, number;
    uint64_t records, bytes;
};

// Figures count the records of sample sets, D1R11 and D1R13 included; configuration and events are
// apart.
struct mondata {
    struct mondata_row *row; // ascending
    unsigned rows, cap;
    uint64_t samples, subinterval_samples; // subinterval: not for interval users
    uint64_t records, bytes;
    uint64_t config_sets, config_records, config_bytes;
    uint64_t event_records, event_bytes;
    tod_t first, last; // samples' ends
    // While reading: the set in progress.
    struct mondata_row *set;
    unsigned set_rows, set_cap;
    bool set_is_config;
};

void mondata_record(struct mondata *data, const struct reader_record *record); // `{0}` to begin
void mondata_free(struct mondata *data);
double mondata_records_per_sample(const struct mondata *data);
double mondata_bytes_per_record(const struct mondata *data);
double mondata_bytes_per_sample(const struct mondata *data);
// As report_file(), into *data (free it in any case).
int mondata_file(const char *path, struct mondata *data, struct text *error);

#endif
