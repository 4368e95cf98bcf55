// SPDX-License-Identifier: MIT
// The WRITE commands: update writes change a record in place, format writes make records and erase
// what follows on the track.
#include <string.h>

#include "devices/dasd_ckd_state.h"

enum write_kind { WRITE_UPDATE, WRITE_FORMAT, WRITE_RECORD_ZERO, WRITE_HOME };

static bool mask_allows(const struct dasd_ckd *d, enum write_kind kind)
{
    switch (d->mask & MASK_WRITE) {
    case MASK_WRITE_NO_R0:
        return kind == WRITE_UPDATE || kind == WRITE_FORMAT;
    case MASK_WRITE_UPDATE:
        return kind == WRITE_UPDATE;
    case MASK_WRITE_ALL:
        return true;
    default:
        return false;
    }
}

// In a domain its operation decides what may be written.
static bool operation_allows(const struct dasd_ckd *d, enum write_kind kind)
{
    return !d->domain ||
           d->operation == (kind == WRITE_UPDATE ? OPERATION_WRITE : OPERATION_FORMAT);
}

// May this be written at all? False with the reply.
static bool may_write(struct dasd_ckd *d, enum write_kind kind, struct device_reply *bad)
{
    if (d->read_only || dasd_image_read_only(d->volume->image))
        *bad = ckd_check(d, SENSE_COMMAND_REJECT, SENSE1_WRITE_INHIBITED, MESSAGE_NONE);
    else if (!mask_allows(d, kind))
        *bad = ckd_check(d, SENSE_COMMAND_REJECT, SENSE1_FILE_PROTECTED, MESSAGE_NONE);
    else if (!operation_allows(d, kind))
        *bad = ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_SEQUENCE);
    else
        return true;
    return false;
}

static struct device_reply invalid_sequence(struct dasd_ckd *d)
{
    return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_SEQUENCE);
}

// The track goes to the image; `n` bytes were taken of the program's, which asked for `wanted`.
static struct device_reply written(struct dasd_ckd *d, uint32_t n, uint32_t wanted)
{
    ckd_pass(d, wanted);
    d->volume->writes++;
    d->volume->bytes_written += n;
    d->wrote = true;
    d->index_passed = false;
    if (dasd_volume_write(d->volume, ckd_track_number(d)) != 0)
        return ckd_check(d, SENSE_EQUIPMENT_CHECK, SENSE1_PERMANENT_ERROR, MESSAGE_NONE);
    return device_done(wanted);
}

// Replaces `length` bytes of the track by the program's; zeros where those are too few.
static void replace(uint8_t *to, size_t length, const struct device_command *cmd)
{
    size_t n = cmd->count < length ? cmd->count : length;
    if (n)
        memcpy(to, cmd->data, n);
    memset(to + n, 0, length - n);
}

// The record to update: the one found or located; inside a domain, otherwise, the next one.
static bool record_to_write(struct dasd_ckd *d, const struct device_command *cmd, bool with_key,
                            struct track_record *record, struct device_reply *bad)
{
    bool here = d->area == AREA_COUNT || (d->area == AREA_KEY && !with_key);
    if (here && d->found)
        return ckd_record(d, record, bad);
    if (d->domain)
        return ckd_next_record(d, cmd->code & 0x80, true, record, bad);
    *bad = invalid_sequence(d);
    return false;
}

static struct device_reply update(struct dasd_ckd *d, const struct device_command *cmd,
                                  bool with_key)
{
    struct track_record record;
    struct device_reply bad;
    if (!may_write(d, WRITE_UPDATE, &bad) || !record_to_write(d, cmd, with_key, &record, &bad))
        return bad;
    uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    size_t skip = with_key ? 0 : record.key, length = record.data + (with_key ? record.key : 0);
    if (!with_key && d->area == AREA_COUNT)
        ckd_pass(d, record.key);
    replace(track + record.offset + TRACK_COUNT_BYTES + skip, length, cmd);
    d->area = AREA_DATA;
    return written(d, cmd->count < length ? cmd->count : (uint32_t)length, (uint32_t)length);
}

struct device_reply ckd_write_data(struct dasd_ckd *d, const struct device_command *cmd)
{
    return update(d, cmd, false);
}

struct device_reply ckd_write_key_data(struct dasd_ckd *d, const struct device_command *cmd)
{
    return update(d, cmd, true);
}

// Does the track hold records up to index `last` and one of this key and data length behind?
static bool fits(const struct dasd_ckd *d, const uint8_t *track, unsigned last, unsigned key,
                 unsigned data)
{
    const struct dasd_model *m = d->volume->model;
    unsigned space = dasd_record_space(m, key, data);
    struct track_record r;
    bool more = track_first(track, m->track_size, &r);
    while (more && r.index < last) {
        more = track_next(track, m->track_size, &r);
        if (more)
            space += dasd_record_space(m, r.key, r.data);
    }
    size_t bytes = r.end + TRACK_COUNT_BYTES + key + data + TRACK_END_BYTES;
    return space <= dasd_track_space(m) && bytes <= m->track_size;
}

// Writes count, key and data at `offset` of the track and ends the track there.
static struct device_reply format_at(struct dasd_ckd *d, const struct device_command *cmd,
                                     uint8_t *track, size_t offset, unsigned index)
{
    size_t length = TRACK_COUNT_BYTES + cmd->data[5] + be16_load(cmd->data + 6);
    replace(track + offset, length, cmd);
    memset(track + offset + length, 0xFF, TRACK_END_BYTES);
    d->area = AREA_DATA;
    d->record = index;
    d->found = true;
    return written(d, cmd->count < length ? cmd->count : (uint32_t)length, (uint32_t)length);
}

// A new record behind the current one.
static struct device_reply format_next(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    if (!ckd_record(d, &record, &bad))
        return bad;
    uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    if (memcmp(cmd->data, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) == 0) // would read as the end
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_PARAMETER);
    if (!fits(d, track, record.index, cmd->data[5], be16_load(cmd->data + 6)))
        return ckd_check(d, 0, SENSE1_INVALID_TRACK, MESSAGE_NONE);
    return format_at(d, cmd, track, record.end, record.index + 1);
}

struct device_reply ckd_write_ckd(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    if (!may_write(d, WRITE_FORMAT, &bad))
        return bad;
    if (d->area < AREA_COUNT || !(d->found || d->domain))
        return invalid_sequence(d);
    if (cmd->count < TRACK_COUNT_BYTES)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_SHORT_COUNT);
    return format_next(d, cmd);
}

// WRITE CKD NEXT TRACK: the first record behind R0 of the next track of the domain.
struct device_reply ckd_write_ckd_next(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    if (!may_write(d, WRITE_FORMAT, &bad))
        return bad;
    if (!d->domain)
        return invalid_sequence(d);
    if (cmd->count < TRACK_COUNT_BYTES)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_SHORT_COUNT);
    if (!ckd_next_track(d, &bad))
        return bad;
    d->record = 0;
    return format_next(d, cmd);
}

// WRITE R0: the track keeps its home address and loses the rest.
struct device_reply ckd_write_zero(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    if (!may_write(d, WRITE_RECORD_ZERO, &bad))
        return bad;
    if (d->area != AREA_HOME || !(d->home_found || d->domain))
        return invalid_sequence(d);
    if (cmd->count < TRACK_COUNT_BYTES)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_SHORT_COUNT);
    uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    ckd_orient(d);
    size_t length = TRACK_COUNT_BYTES + cmd->data[5] + be16_load(cmd->data + 6);
    if (cmd->data[4] != 0 ||
        TRACK_HOME_BYTES + length + TRACK_END_BYTES > d->volume->model->track_size)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_PARAMETER);
    // On the volume, R0 names the volume's own cylinder.
    if (be16_load(cmd->data) == d->cylinder)
        be16_store(cmd->data, (uint16_t)(d->first + d->cylinder));
    return format_at(d, cmd, track, TRACK_HOME_BYTES, 0);
}

// WRITE HOME ADDRESS: home addresses are where they are; the records of the track are lost.
struct device_reply ckd_write_home(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    if (!may_write(d, WRITE_HOME, &bad))
        return bad;
    if (cmd->count < TRACK_HOME_BYTES)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_SHORT_COUNT);
    uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    ckd_orient(d);
    uint8_t empty[TRACK_HOME_BYTES + TRACK_COUNT_BYTES + 8 + TRACK_END_BYTES];
    track_format(empty, sizeof empty, d->first + d->cylinder, d->head);
    memcpy(track, empty, sizeof empty);
    d->area = AREA_HOME;
    d->home_found = true;
    return written(d, TRACK_HOME_BYTES, TRACK_HOME_BYTES);
}

// ERASE: the rest of the track behind the current record; its own data are taken and ignored.
struct device_reply ckd_erase(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    if (!may_write(d, WRITE_FORMAT, &bad))
        return bad;
    if (d->area < AREA_COUNT || !(d->found || d->domain))
        return invalid_sequence(d);
    if (!ckd_record(d, &record, &bad))
        return bad;
    uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    memset(track + record.end, 0xFF, TRACK_END_BYTES);
    d->area = AREA_DATA;
    return written(d, cmd->count, cmd->count);
}
