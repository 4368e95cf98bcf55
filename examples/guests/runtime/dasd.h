// SPDX-License-Identifier: MIT
// Records of a CKD disk (3390), by the channel programs of old: SEEK, SEARCH ID EQUAL, TIC, and the
// data command.
#ifndef GUEST_DASD_H
#define GUEST_DASD_H

#include "guest.h"

#define DASD_HEADS 15u

struct dasd_address {
    uint16_t cylinder, head;
    uint8_t record;
} __attribute__((packed));

// True when all went well; else device->status and sense tell. `n` bytes, the record's length.
bool dasd_read(struct device *device, const struct dasd_address *at, void *to, uint16_t n);
bool dasd_write(struct device *device, const struct dasd_address *at, const void *from, uint16_t n);
// Writes `records` records of zeros, `n` bytes each (1024 at most), behind record 0 of at's track.
bool dasd_format(struct device *device, const struct dasd_address *at, unsigned records,
                 uint16_t n);

#endif
