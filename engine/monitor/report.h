// SPDX-License-Identifier: MIT
// Performance reports from MONWRITE files, by their FCX numbers.
#ifndef ENDICOTT_MONITOR_REPORT_H
#define ENDICOTT_MONITOR_REPORT_H

#include "base/text.h"
#include "monitor/reader.h"

struct report {
    unsigned fcx;
    const char *name, *title;
    void *(*begin)(void);
    void (*record)(void *state, const struct reader_record *record);
    // Writes it, with `damages` places of the input that could not be read, and frees the state.
    void (*end)(void *state, uint64_t damages, FILE *out);
};
extern const struct report reports[];
extern const unsigned report_count;
const struct report *report_find(unsigned fcx); // NULL: not known

// 0; 1 the file is damaged (the report is of what could be read, *error says where and why); -1
// with *error: it cannot be read, or there is no such report.
int report_file(const char *path, unsigned fcx, FILE *out, struct text *error);

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
