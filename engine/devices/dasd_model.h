// SPDX-License-Identifier: MIT
// CKD device types: geometry, track capacity, speed. One table; everything else reads it.
#ifndef ENDICOTT_DEVICES_DASD_MODEL_H
#define ENDICOTT_DEVICES_DASD_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct dasd_model {
    const char *name;   // "3390-3"
    uint16_t type;      // 0x3390
    uint8_t model;      // SENSE ID device model
    uint8_t unit_type;  // READ DEVICE CHARACTERISTICS byte 11
    unsigned cylinders; // of this model; images may have fewer or more
    unsigned heads;
    unsigned record_max;  // longest data of R1, the track capacity
    unsigned record0_max; // longest data of R0
    unsigned home_bytes;  // home address and R0, in device bytes
    unsigned sectors;     // for SET SECTOR
    unsigned track_size;  // of a track in the image file, a multiple of 512
    // Timing.
    tod_t rotation;     // one revolution
    tod_t seek_minimum; // to the next cylinder
    tod_t seek_maximum; // over all cylinders
    unsigned bytes_per_millisecond;
};

// By name, "3390" meaning the smallest; NULL when unknown.
const struct dasd_model *dasd_model(const char *name);
// The smallest model of `type`'s low byte (0x90) and track size with at least `cylinders`, or the
// largest there is; NULL when the type is unknown.
const struct dasd_model *dasd_model_for(uint8_t type, unsigned track_size, unsigned cylinders);
// The n-th row of the table, NULL at its end.
const struct dasd_model *dasd_model_at(unsigned n);

// What a record takes of a track, and what a track has, in the model's own units.
unsigned dasd_record_space(const struct dasd_model *model, unsigned key, unsigned data);
unsigned dasd_track_space(const struct dasd_model *model);
// How many equal records fit on a track.
unsigned dasd_records_per_track(const struct dasd_model *model, unsigned key, unsigned data);
// Time to move the arm over `distance` cylinders; 0 for none.
tod_t dasd_seek_time(const struct dasd_model *model, unsigned distance);
tod_t dasd_transfer_time(const struct dasd_model *model, uint64_t bytes);

#endif
