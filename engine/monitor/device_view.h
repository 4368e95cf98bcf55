// SPDX-License-Identifier: MIT
// What records say of a real device's activity.
#ifndef ENDICOTT_MONITOR_DEVICE_VIEW_H
#define ENDICOTT_MONITOR_DEVICE_VIEW_H

#include "monitor/record_encode.h"

// Adds the links of all devices up, for device_view(); who has looked at a device zeroes its count.
void device_view_links(struct cp *cp);
struct device_view device_view(const struct rdev *rdev);
// Is it busy now, and how many requests wait for it?
bool device_busy(const struct rdev *rdev, unsigned *queued);

#endif
