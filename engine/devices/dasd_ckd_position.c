// SPDX-License-Identifier: MIT
// Heads, tracks and records: where the CKD control unit is on the volume, and what moving costs.
#include <string.h>

#include "devices/dasd_ckd_state.h"

unsigned ckd_track_number(const struct dasd_ckd *d)
{
    return (d->first + d->cylinder) * d->volume->model->heads + d->head;
}

uint8_t *ckd_track(struct dasd_ckd *d, struct device_reply *bad)
{
    uint8_t *track = dasd_volume_track(d->volume, ckd_track_number(d));
    if (!track)
        *bad = ckd_check(d, SENSE_EQUIPMENT_CHECK, SENSE1_PERMANENT_ERROR, MESSAGE_NONE);
    return track;
}

void ckd_move(struct dasd_ckd *d, unsigned cylinder, unsigned head)
{
    struct dasd_volume *v = d->volume;
    unsigned from = v->arm.position, to = d->first + cylinder;
    unsigned distance = from > to ? from - to : to - from;
    if (distance) {
        tod_t time = dasd_seek_time(v->model, distance);
        d->time += time;
        d->disconnected += time;
        v->arm.position = to;
        v->seeks++;
        v->seek_cylinders += distance;
        if (v->moved)
            v->moved(v->moved_arg, v, &d->dev, from, to, head);
    }
    d->cylinder = cylinder;
    d->head = head;
    d->area = AREA_NONE;
    d->record = 0;
    d->on_track_time = false;
    d->index_passed = false;
    d->found = d->home_found = false;
}

void ckd_orient(struct dasd_ckd *d)
{
    // Another program may have moved the arm meanwhile.
    if (d->volume->arm.position != d->first + d->cylinder) {
        enum area area = d->area;
        unsigned record = d->record;
        bool found = d->found, home_found = d->home_found, passed = d->index_passed;
        ckd_move(d, d->cylinder, d->head);
        d->area = area;
        d->record = record;
        d->found = found;
        d->home_found = home_found;
        d->index_passed = passed;
    }
    if (d->on_track_time)
        return;
    // Half a revolution is what it takes on average to come to a place of the track.
    d->time += d->volume->model->rotation / 2;
    d->disconnected += d->volume->model->rotation / 2;
    d->on_track_time = true;
}

void ckd_pass(struct dasd_ckd *d, uint64_t bytes)
{
    d->time += dasd_transfer_time(d->volume->model, bytes);
}

bool ckd_next_track(struct dasd_ckd *d, struct device_reply *bad)
{
    unsigned heads = d->volume->model->heads;
    unsigned next = d->cylinder * heads + d->head + 1;
    if ((d->has_mask || d->has_extent) && (d->mask & MASK_SEEK) == MASK_SEEK_NONE && !d->domain) {
        *bad = ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
        return false;
    }
    if (d->has_extent && next > d->end_track) {
        *bad = ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
        return false;
    }
    // Only inside an extent does a multitrack operation go on to the next cylinder.
    if (next % heads == 0 && !(d->has_extent && d->domain)) {
        *bad = ckd_check(d, 0, SENSE1_END_OF_CYLINDER, MESSAGE_NONE);
        return false;
    }
    bool timed = d->on_track_time;
    ckd_move(d, next / heads, next % heads);
    d->on_track_time = timed;
    d->area = AREA_INDEX;
    return true;
}

// Index of the record whose count area comes next; what lies before it goes by unread.
static unsigned next_index(struct dasd_ckd *d, const uint8_t *track)
{
    struct track_record record;
    if (d->area < AREA_COUNT)
        return 0;
    if (d->area != AREA_DATA && track_find(track, d->volume->model->track_size, d->record, &record))
        ckd_pass(d, record.data + (d->area == AREA_COUNT ? record.key : 0));
    return d->record + 1;
}

bool ckd_next_record(struct dasd_ckd *d, bool multitrack, bool skip_zero,
                     struct track_record *record, struct device_reply *bad)
{
    size_t size = d->volume->model->track_size;
    // Tracks without any record are not followed for ever.
    for (unsigned tracks = 0; tracks <= d->volume->model->heads; tracks++) {
        uint8_t *track = ckd_track(d, bad);
        if (!track)
            return false;
        ckd_orient(d);
        unsigned next = next_index(d, track);
        if (next == 0 && skip_zero)
            next = 1;
        if (track_find(track, size, next, record)) {
            d->area = AREA_COUNT;
            d->record = next;
            d->found = d->home_found = false;
            ckd_pass(d, TRACK_COUNT_BYTES);
            return true;
        }
        if (multitrack) {
            if (!ckd_next_track(d, bad))
                return false;
            continue;
        }
        if (d->index_passed)
            break;
        d->index_passed = true;
        d->area = AREA_INDEX;
        size_t end = track_end(track, size);
        ckd_pass(d, end < size ? size - end : 0);
    }
    *bad = ckd_check(d, 0, SENSE1_NO_RECORD, MESSAGE_NONE);
    return false;
}

bool ckd_record(struct dasd_ckd *d, struct track_record *record, struct device_reply *bad)
{
    uint8_t *track = ckd_track(d, bad);
    if (!track)
        return false;
    ckd_orient(d);
    // Another device may have reformatted the track since.
    if (track_find(track, d->volume->model->track_size, d->record, record))
        return true;
    *bad = ckd_check(d, 0, SENSE1_NO_RECORD, MESSAGE_NONE);
    return false;
}

void ckd_count(const struct dasd_ckd *d, const uint8_t *track, const struct track_record *record,
               uint8_t count[8])
{
    memcpy(count, track + record->offset, TRACK_COUNT_BYTES);
    if (record->index == 0 && be16_load(count) == d->first + d->cylinder)
        be16_store(count, (uint16_t)d->cylinder);
}

void ckd_home(const struct dasd_ckd *d, uint8_t home[5])
{
    home[0] = 0;
    be16_store(home + 1, (uint16_t)d->cylinder);
    be16_store(home + 3, (uint16_t)d->head);
}
