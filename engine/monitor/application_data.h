// SPDX-License-Identifier: MIT
// Domain 10: the buffers that guests offer by DIAGNOSE X'DC', and one that CP itself adds for each
// user: what the hypervisor cost it, by cause.
//
// CP's own has product id "ENDICOTTOVERHEAD" (EBCDIC) and this data:
//
//   0  2  layout, 1    2  2  rows    4  4  reserved
//   8     per row, in the order of cpu/intercept.h: 8 bytes count, 8 bytes cost in TOD units;
//         both since logon, all virtual CPUs together
#ifndef ENDICOTT_MONITOR_APPLICATION_DATA_H
#define ENDICOTT_MONITOR_APPLICATION_DATA_H

#include "monitor/monitor.h"

struct appldata_buffer;

// D10R2 of all enabled users, into a sample.
void application_data_put(struct monitor *monitor, struct mondcss_builder *b, tod_t now);
// D10R1: an application asked for an event record.
void application_data_event(struct vm *vm, const struct appldata_buffer *buffer);
// Is this record (D10R1, D10R2) CP's overhead? Then *rows gets how many rows there are.
bool overhead_record(const uint8_t *raw, size_t length, unsigned *rows);
// A row of it; false when there is none.
bool overhead_row(const uint8_t *raw, size_t length, unsigned row, uint64_t *count, tod_t *cost);

#endif
