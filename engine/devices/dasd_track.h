// SPDX-License-Identifier: MIT
// A CKD track as it is in an image file:
//
//   home address | R0: count, data | R1: count, key, data | ... | FF FF FF FF FF FF FF FF | unused
//   0            | 5
//
//   home address: 0, CC, HH (5 bytes)      count: CC, HH, R, key length, data length 2 (8 bytes)
#ifndef ENDICOTT_DEVICES_DASD_TRACK_H
#define ENDICOTT_DEVICES_DASD_TRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACK_HOME_BYTES  5u
#define TRACK_COUNT_BYTES 8u
#define TRACK_END_BYTES   8u

// Where a record is in its track.
struct track_record {
    unsigned index; // 0 = R0
    size_t offset;  // of the count
    unsigned key, data;
    size_t end; // offset of the next count or end marker
};

// The first record; false when the track has none or it reaches beyond `size`.
bool track_first(const uint8_t *track, size_t size, struct track_record *record);
// The one after `record`; false at the end of the track.
bool track_next(const uint8_t *track, size_t size, struct track_record *record);
// Record by index; false when there is no such one.
bool track_find(const uint8_t *track, size_t size, unsigned index, struct track_record *record);
// Offset of the end marker. 0 when the track is damaged.
size_t track_end(const uint8_t *track, size_t size);
// Checks everything: home address, R0, each record inside the track, the end marker. NULL when
// well formed, else what is wrong; *where is the offset within the track.
const char *track_check(const uint8_t *track, size_t size, unsigned cylinder, unsigned head,
                        size_t *where);
// An empty track: home address, R0 of 8 zero bytes, end marker.
void track_format(uint8_t *track, size_t size, unsigned cylinder, unsigned head);
// Appends a record before the end marker; false when it does not fit into `size`. `count` 8 bytes.
bool track_append(uint8_t *track, size_t size, const uint8_t *count, const void *key,
                  const void *data);

#endif
