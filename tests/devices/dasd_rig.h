// SPDX-License-Identifier: MIT
// Channel programs for CKD devices. Parameters lie from X'800' on, data from X'10000' on.
#ifndef ENDICOTT_TESTS_DEVICES_DASD_RIG_H
#define ENDICOTT_TESTS_DEVICES_DASD_RIG_H

#include "devices/dasd_ckd.h"
#include "devices/rig.h"

enum { PARAMETERS = 0x800, DATA = 0x10000 };

static inline uint32_t dasd_parameter(struct rig *r, const void *bytes, unsigned n)
{
    static uint32_t next = PARAMETERS;
    if (r->program == 0x1000)
        next = PARAMETERS;
    uint32_t at = next;
    next += (n + 7) & ~7u;
    rig_put(r, at, bytes, n);
    return at;
}

static inline void dasd_seek(struct rig *r, unsigned cylinder, unsigned head)
{
    uint8_t p[6] = {0};
    be16_store(p + 2, (uint16_t)cylinder);
    be16_store(p + 4, (uint16_t)head);
    rig_ccw(r, 0x07, CC, 6, dasd_parameter(r, p, 6));
}

static inline void dasd_search(struct rig *r, unsigned cylinder, unsigned head, unsigned record)
{
    uint8_t p[5];
    be16_store(p, (uint16_t)cylinder);
    be16_store(p + 2, (uint16_t)head);
    p[4] = (uint8_t)record;
    uint32_t at = dasd_parameter(r, p, 5), loop = r->program;
    rig_ccw(r, 0x31, CC, 5, at);
    rig_ccw(r, 0x08, 0, 0, loop);
}

static inline void dasd_extent(struct rig *r, uint8_t mask, unsigned begin_cylinder,
                               unsigned begin_head, unsigned end_cylinder, unsigned end_head)
{
    uint8_t p[16] = {mask, 0xC0};
    be16_store(p + 8, (uint16_t)begin_cylinder);
    be16_store(p + 10, (uint16_t)begin_head);
    be16_store(p + 12, (uint16_t)end_cylinder);
    be16_store(p + 14, (uint16_t)end_head);
    rig_ccw(r, 0x63, CC, 16, dasd_parameter(r, p, 16));
}

static inline void dasd_locate(struct rig *r, uint8_t operation, unsigned count, unsigned cylinder,
                               unsigned head, unsigned record)
{
    uint8_t p[16] = {operation, 0, 0, (uint8_t)count};
    be16_store(p + 4, (uint16_t)cylinder);
    be16_store(p + 6, (uint16_t)head);
    memcpy(p + 8, p + 4, 4);
    p[12] = (uint8_t)record;
    rig_ccw(r, 0x47, CC, 16, dasd_parameter(r, p, 16));
}

// Formats one track with `records` of this shape, filled with their number, in the chain so far:
// LOCATE RECORD to R0 and a WRITE CKD each.
static inline void dasd_format(struct rig *r, unsigned cylinder, unsigned head, unsigned records,
                               unsigned key, unsigned data, bool last)
{
    uint32_t at = DATA;
    dasd_locate(r, 0x03, records, cylinder, head, 0);
    for (unsigned i = 1; i <= records; i++) {
        uint8_t count[8] = {0};
        be16_store(count, (uint16_t)cylinder);
        be16_store(count + 2, (uint16_t)head);
        count[4] = (uint8_t)i;
        count[5] = (uint8_t)key;
        be16_store(count + 6, (uint16_t)data);
        uint8_t *fill = mem_alloc(key + data);
        memset(fill, (int)i, key + data);
        rig_put(r, at, count, 8);
        rig_put(r, at + 8, fill, key + data);
        free(fill);
        rig_ccw(r, 0x1D, i == records && last ? 0 : CC, 8 + key + data, at);
        at += 8 + key + data;
    }
}

#endif
