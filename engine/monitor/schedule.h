// SPDX-License-Identifier: MIT
// The monitor's timers, for monitor.c.
#ifndef ENDICOTT_MONITOR_SCHEDULE_H
#define ENDICOTT_MONITOR_SCHEDULE_H

#include "monitor/monitor.h"

void monitor_schedule_init(struct monitor *monitor);
void monitor_schedule_free(struct monitor *monitor);

#endif
