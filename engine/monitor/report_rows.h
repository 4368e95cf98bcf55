// SPDX-License-Identifier: MIT
// The lines of a report block: what the terms of its columns come to, summed over pairs of samples.
#ifndef ENDICOTT_MONITOR_REPORT_ROWS_H
#define ENDICOTT_MONITOR_REPORT_ROWS_H

#include "monitor/report_expression.h"
#include "monitor/report_set.h"

struct report_row {
    uint8_t key[REPORT_KEY]; // of the group, zero padded
    double t;                // seconds for which it was measured
    double *sum;             // by term
    unsigned *samples;       // by term: pairs that had it
    uint8_t *raw;            // its last record of the block's own kind
    size_t length, cap;
    // The pair in progress.
    double *add;
    bool *has;
    bool seen, refused;
};

struct report_rows {
    const struct report_terms *terms;
    unsigned record;        // the block's own; its group key names the lines
    bool keyed;             // else everything is one line
    struct report_row *row; // ascending by key
    unsigned count, cap;
    double elapsed;
    unsigned pairs, gaps, refused; // refused: times a line was left out of a pair
    tod_t from, to;
};

// `terms` must not grow afterwards.
void report_rows_init(struct report_rows *rows, const struct report_terms *terms, unsigned record,
                      bool keyed);
// Keys that `wanted` (NULL: all) refuses get no line.
void report_rows_add(struct report_rows *rows, const struct report_pair *pair,
                     bool (*wanted)(void *arg, const uint8_t *raw, size_t length), void *arg);
// The terms' values of a line, or of all together (row NULL), into arrays of terms->count.
void report_rows_values(const struct report_rows *rows, const struct report_row *row, double *value,
                        bool *there);
void report_rows_clear(struct report_rows *rows); // ready for the next stretch of time
void report_rows_free(struct report_rows *rows);

#endif
