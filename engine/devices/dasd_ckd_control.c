// SPDX-License-Identifier: MIT
// Control commands: seeks, file mask, sectors, DEFINE EXTENT and LOCATE RECORD.
#include <string.h>

#include "devices/dasd_ckd_state.h"

static struct device_reply reject(struct dasd_ckd *d, uint8_t message)
{
    return ckd_check(d, SENSE_COMMAND_REJECT, 0, message);
}

static bool track_exists(const struct dasd_ckd *d, unsigned cylinder, unsigned head)
{
    return cylinder < d->cylinders && head < d->volume->model->heads;
}

static bool in_extent(const struct dasd_ckd *d, unsigned cylinder, unsigned head)
{
    unsigned track = cylinder * d->volume->model->heads + head;
    return !d->has_extent || (track >= d->begin_track && track <= d->end_track);
}

static struct device_reply seek_to(struct dasd_ckd *d, unsigned cylinder, unsigned head,
                                   uint32_t taken)
{
    if (!track_exists(d, cylinder, head))
        return reject(d, MESSAGE_INVALID_PARAMETER);
    if (!in_extent(d, cylinder, head))
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    ckd_move(d, cylinder, head);
    return device_done(taken);
}

// Six bytes: 0, 0, CC, HH. The file mask says which seeks are allowed.
struct device_reply ckd_seek(struct dasd_ckd *d, const struct device_command *cmd)
{
    if (cmd->count < 6)
        return reject(d, MESSAGE_SHORT_COUNT);
    if ((d->mask & MASK_SEEK) != 0)
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    return seek_to(d, be16_load(cmd->data + 2), be16_load(cmd->data + 4), 6);
}

struct device_reply ckd_seek_cylinder(struct dasd_ckd *d, const struct device_command *cmd)
{
    if (cmd->count < 6)
        return reject(d, MESSAGE_SHORT_COUNT);
    if ((d->mask & MASK_SEEK) >= MASK_SEEK_HEAD_ONLY)
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    return seek_to(d, be16_load(cmd->data + 2), be16_load(cmd->data + 4), 6);
}

struct device_reply ckd_seek_head(struct dasd_ckd *d, const struct device_command *cmd)
{
    if (cmd->count < 6)
        return reject(d, MESSAGE_SHORT_COUNT);
    if ((d->mask & MASK_SEEK) == MASK_SEEK_NONE)
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    return seek_to(d, d->cylinder, be16_load(cmd->data + 4), 6);
}

struct device_reply ckd_recalibrate(struct dasd_ckd *d, const struct device_command *cmd)
{
    (void)cmd;
    if ((d->mask & MASK_SEEK) != 0)
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    return seek_to(d, 0, 0, 0);
}

struct device_reply ckd_set_file_mask(struct dasd_ckd *d, const struct device_command *cmd)
{
    if (d->has_mask || d->has_extent)
        return reject(d, MESSAGE_INVALID_SEQUENCE);
    if (cmd->count < 1)
        return reject(d, MESSAGE_SHORT_COUNT);
    d->has_mask = true;
    d->mask = cmd->data[0];
    return device_done(1);
}

// Waits for a sector: the delay that searching from there then need not take.
struct device_reply ckd_set_sector(struct dasd_ckd *d, const struct device_command *cmd)
{
    if (cmd->count < 1)
        return reject(d, MESSAGE_SHORT_COUNT);
    if (cmd->data[0] >= d->volume->model->sectors && cmd->data[0] != 0xFF)
        return reject(d, MESSAGE_INVALID_PARAMETER);
    d->sector = cmd->data[0];
    ckd_orient(d);
    d->index_passed = false;
    return device_done(1);
}

struct device_reply ckd_read_sector(struct dasd_ckd *d, const struct device_command *cmd)
{
    return device_give(cmd, &d->sector, 1);
}

// A track address of DEFINE EXTENT and LOCATE RECORD: CC, HH, of which HH's high twelve bits extend
// the cylinder.
static bool track_address(const struct dasd_ckd *d, const uint8_t *address, unsigned *cylinder,
                          unsigned *head)
{
    unsigned hh = be16_load(address + 2);
    *cylinder = be16_load(address) | (hh & 0xFFF0u) << 12;
    *head = hh & 0x000Fu;
    return track_exists(d, *cylinder, *head);
}

// DEFINE EXTENT, 16 bytes: file mask, attributes, block size (2), 4 not used here, first and last
// track.
struct device_reply ckd_define_extent(struct dasd_ckd *d, const struct device_command *cmd)
{
    unsigned cylinder, head, heads = d->volume->model->heads;
    if (d->has_extent || d->has_mask)
        return reject(d, MESSAGE_INVALID_SEQUENCE);
    if (cmd->count < 16)
        return reject(d, MESSAGE_SHORT_COUNT);
    if (!track_address(d, cmd->data + 8, &cylinder, &head))
        return reject(d, MESSAGE_INVALID_PARAMETER);
    d->begin_track = cylinder * heads + head;
    if (!track_address(d, cmd->data + 12, &cylinder, &head))
        return reject(d, MESSAGE_INVALID_PARAMETER);
    d->end_track = cylinder * heads + head;
    if (d->end_track < d->begin_track)
        return reject(d, MESSAGE_INVALID_PARAMETER);
    d->has_extent = true;
    d->mask = cmd->data[0];
    return device_done(16);
}

// Finds the record whose count begins with the five bytes CCHHR; false: none on this track.
static bool find_id(struct dasd_ckd *d, const uint8_t *id, struct device_reply *bad)
{
    size_t size = d->volume->model->track_size;
    struct track_record record;
    uint8_t count[TRACK_COUNT_BYTES];
    const uint8_t *track = ckd_track(d, bad);
    if (!track)
        return false;
    for (bool more = track_first(track, size, &record); more;
         more = track_next(track, size, &record)) {
        ckd_count(d, track, &record, count);
        if (memcmp(count, id, 5) == 0) {
            d->record = record.index;
            d->found = true;
            return true;
        }
    }
    *bad = ckd_check(d, 0, SENSE1_NO_RECORD, MESSAGE_NONE);
    return false;
}

static bool orient(struct dasd_ckd *d, unsigned orientation, const uint8_t *id,
                   struct device_reply *bad)
{
    ckd_orient(d);
    switch (orientation) {
    case LOCATE_HOME:
        d->area = AREA_HOME;
        d->home_found = true;
        return true;
    case LOCATE_INDEX:
        d->area = AREA_INDEX;
        return true;
    default:
        if (!find_id(d, id, bad))
            return false;
        d->area = orientation == LOCATE_COUNT ? AREA_COUNT : AREA_DATA;
        return true;
    }
}

static bool operation_known(uint8_t operation)
{
    static const uint8_t known[] = {OPERATION_ORIENT,    OPERATION_WRITE,       OPERATION_FORMAT,
                                    OPERATION_READ_DATA, OPERATION_READ_TRACKS, OPERATION_READ};
    return memchr(known, operation, sizeof known) != NULL;
}

// LOCATE RECORD, 16 bytes: orientation and operation, auxiliary, 0, count, track (4), search
// argument (5), sector, length (2). Opens a domain of `count` commands.
struct device_reply ckd_locate_record(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    unsigned cylinder, head;
    if (!d->has_extent || d->domain)
        return reject(d, MESSAGE_INVALID_SEQUENCE);
    if (cmd->count < 16)
        return reject(d, MESSAGE_SHORT_COUNT);
    uint8_t operation = cmd->data[0] & LOCATE_OPERATION, count = cmd->data[3];
    if (!operation_known(operation) || (count == 0) != (operation == OPERATION_ORIENT) ||
        !track_address(d, cmd->data + 4, &cylinder, &head))
        return reject(d, MESSAGE_INVALID_PARAMETER);
    if (!in_extent(d, cylinder, head))
        return ckd_check(d, 0, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    ckd_move(d, cylinder, head);
    if (!orient(d, cmd->data[0] & LOCATE_ORIENT, cmd->data + 8, &bad))
        return bad;
    d->operation = operation;
    d->domain = count;
    return device_done(16);
}
