// SPDX-License-Identifier: MIT
// FCX155's functions for the table of reports.
#ifndef ENDICOTT_MONITOR_REPORT_FCX155_H
#define ENDICOTT_MONITOR_REPORT_FCX155_H

#include "monitor/report.h"

void *mondata_begin(void);
void mondata_report_record(void *state, const struct reader_record *record);
void mondata_end(void *state, uint64_t damages, FILE *out); // out NULL: only frees

#endif
