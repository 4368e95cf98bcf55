// SPDX-License-Identifier: MIT
// Walking, checking and building the records of a CKD track.
#include "devices/dasd_track.h"

#include <string.h>

#include "base/bytes.h"

static const uint8_t end_marker[TRACK_END_BYTES] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

// Reads the count at `offset`; false at the end marker or when the record would leave the track.
static bool record_at(const uint8_t *track, size_t size, size_t offset, struct track_record *record)
{
    if (offset + TRACK_COUNT_BYTES > size ||
        memcmp(track + offset, end_marker, sizeof end_marker) == 0)
        return false;
    record->offset = offset;
    record->key = track[offset + 5];
    record->data = be16_load(track + offset + 6);
    record->end = offset + TRACK_COUNT_BYTES + record->key + record->data;
    return record->end + TRACK_END_BYTES <= size;
}

bool track_first(const uint8_t *track, size_t size, struct track_record *record)
{
    record->index = 0;
    return record_at(track, size, TRACK_HOME_BYTES, record);
}

bool track_next(const uint8_t *track, size_t size, struct track_record *record)
{
    struct track_record next = {.index = record->index + 1};
    if (!record_at(track, size, record->end, &next))
        return false;
    *record = next;
    return true;
}

bool track_find(const uint8_t *track, size_t size, unsigned index, struct track_record *record)
{
    bool there = track_first(track, size, record);
    while (there && record->index < index)
        there = track_next(track, size, record);
    return there;
}

size_t track_end(const uint8_t *track, size_t size)
{
    struct track_record record;
    if (!track_first(track, size, &record))
        return 0;
    while (track_next(track, size, &record))
        ;
    return record.end;
}

const char *track_check(const uint8_t *track, size_t size, unsigned cylinder, unsigned head,
                        size_t *where)
{
    struct track_record record;
    *where = 0;
    if (track[0] != 0 || be16_load(track + 1) != cylinder || be16_load(track + 3) != head)
        return "home address does not name this track";
    *where = TRACK_HOME_BYTES;
    if (!track_first(track, size, &record))
        return "no record 0";
    if (track[record.offset + 4] != 0)
        return "first record is not record 0";
    while (track_next(track, size, &record))
        ;
    *where = record.end;
    if (memcmp(track + record.end, end_marker, sizeof end_marker) != 0)
        return "record reaches beyond the end of the track";
    return NULL;
}

void track_format(uint8_t *track, size_t size, unsigned cylinder, unsigned head)
{
    memset(track, 0, size);
    be16_store(track + 1, (uint16_t)cylinder);
    be16_store(track + 3, (uint16_t)head);
    uint8_t *count = track + TRACK_HOME_BYTES;
    memcpy(count, track + 1, 4);
    be16_store(count + 6, 8);
    memcpy(count + TRACK_COUNT_BYTES + 8, end_marker, sizeof end_marker);
}

bool track_append(uint8_t *track, size_t size, const uint8_t *count, const void *key,
                  const void *data)
{
    size_t at = track_end(track, size), n_key = count[5], n_data = be16_load(count + 6);
    if (at == 0 || at + TRACK_COUNT_BYTES + n_key + n_data + TRACK_END_BYTES > size)
        return false;
    memcpy(track + at, count, TRACK_COUNT_BYTES);
    at += TRACK_COUNT_BYTES;
    if (n_key)
        memcpy(track + at, key, n_key);
    if (n_data)
        memcpy(track + at + n_key, data, n_data);
    memcpy(track + at + n_key + n_data, end_marker, sizeof end_marker);
    return true;
}
