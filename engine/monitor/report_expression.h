// SPDX-License-Identifier: MIT
// What a column shows, as an expression over monitor fields:
//
//   100 * d(VMDTTIME) / t                         percent of a CPU
//   d(D0R1.PLSCTSS) / T                           a rate
//   0.128 * d(SCMFPTIM) / d(SCGCOUNT)             milliseconds for each I/O
//
//   d(F)    what field F counted, in seconds if it is a span: the sum over the line's records
//   v(F)    its value: the sum over the line's records, the mean of the samples
//   b(F)    the same of the first of the line's records only (a user's base CPU)
//   c(F)    its value in the last configuration set
//   n(F)    records that have F, the mean of the samples
//   a(F)    users, CPUs or devices for which F counted anything, the mean of the samples
//   t, T    seconds for which this line was measured, and seconds that passed
//   x | y   y where x is not there
//
// F is a field of the block's own record, or of another: DdRr.NAME. A field that the tables do not
// know, or the input does not have, makes the column empty; so does a division by zero.
#ifndef ENDICOTT_MONITOR_REPORT_EXPRESSION_H
#define ENDICOTT_MONITOR_REPORT_EXPRESSION_H

#include "monitor/record.h"

#define EXPRESSION_OPERATIONS 48u

enum term_kind { TERM_DELTA, TERM_VALUE, TERM_BASE, TERM_CONFIG, TERM_COUNT, TERM_ACTIVE };

struct report_term {
    enum term_kind kind;
    unsigned record; // enum record_id
    const struct record_field *field;
};

// Terms of several expressions, each once.
struct report_terms {
    struct report_term *term;
    unsigned count, cap;
};

struct report_expression {
    struct {
        char op; // '#' number, '@' term, 't', 'T', '?' not there, + - * / |
        double number;
        unsigned term;
    } step[EXPRESSION_OPERATIONS];
    unsigned steps;
};

// Compiles `text` for a block whose own record is `record`. False when it is not an expression.
bool expression_compile(const char *text, unsigned record, struct report_terms *terms,
                        struct report_expression *out);
// `value` and `there` by term. NaN when it cannot be said.
double expression_value(const struct report_expression *e, const double *value, const bool *there,
                        double t, double elapsed);

#endif
