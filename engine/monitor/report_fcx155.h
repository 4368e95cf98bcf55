// SPDX-License-Identifier: MIT
// FCX155 counts records of any kind: it prints itself.
#ifndef ENDICOTT_MONITOR_REPORT_FCX155_H
#define ENDICOTT_MONITOR_REPORT_FCX155_H

#include "monitor/report.h"

void mondata_print(const struct mondata *data, FILE *out);

#endif
