// SPDX-License-Identifier: MIT
// What records say of the whole system at one moment.
#ifndef ENDICOTT_MONITOR_SYSTEM_VIEW_H
#define ENDICOTT_MONITOR_SYSTEM_VIEW_H

#include "monitor/record_encode.h"

// Looks at all users once. Transactions that are over by now are counted.
void system_view(struct cp *cp, struct system_view *view);

#endif
