// SPDX-License-Identifier: MIT
// The READ commands.
#include <string.h>

#include "devices/dasd_ckd_state.h"

#define MULTITRACK 0x80u

// Collects what a command gives; counts on beyond the program's count.
struct output {
    const struct device_command *cmd;
    uint32_t n;
};

static void put(struct output *out, const void *bytes, uint32_t n)
{
    if (n && out->n < out->cmd->count) {
        uint32_t room = out->cmd->count - out->n;
        memcpy(out->cmd->data + out->n, bytes, n < room ? n : room);
    }
    out->n += n;
}

static void put_count(struct dasd_ckd *d, struct output *out, const uint8_t *track,
                      const struct track_record *record)
{
    uint8_t count[TRACK_COUNT_BYTES];
    ckd_count(d, track, record, count);
    put(out, count, sizeof count);
}

static struct device_reply give(struct dasd_ckd *d, const struct output *out)
{
    ckd_pass(d, out->n);
    d->volume->reads++;
    d->volume->bytes_read += out->n < out->cmd->count ? out->n : out->cmd->count;
    return device_done(out->n);
}

// A record of data length zero is an end of file: unit exception.
static struct device_reply give_data(struct dasd_ckd *d, const struct output *out,
                                     const struct track_record *record)
{
    struct device_reply reply = give(d, out);
    if (record->data == 0)
        reply.status |= STATUS_UNIT_EXCEPTION;
    d->area = AREA_DATA;
    d->index_passed = false;
    return reply;
}

// The record to read: the one that was searched for, or the next.
static bool record_to_read(struct dasd_ckd *d, const struct device_command *cmd, bool with_key,
                           struct track_record *record, struct device_reply *bad)
{
    if (d->area == AREA_COUNT || (d->area == AREA_KEY && !with_key))
        return ckd_record(d, record, bad);
    return ckd_next_record(d, cmd->code & MULTITRACK, true, record, bad);
}

struct device_reply ckd_read_data(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (!record_to_read(d, cmd, false, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    if (d->area == AREA_COUNT)
        ckd_pass(d, record.key);
    put(&out, track + record.offset + TRACK_COUNT_BYTES + record.key, record.data);
    return give_data(d, &out, &record);
}

struct device_reply ckd_read_key_data(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (!record_to_read(d, cmd, true, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    put(&out, track + record.offset + TRACK_COUNT_BYTES, record.key + record.data);
    return give_data(d, &out, &record);
}

struct device_reply ckd_read_count(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (!ckd_next_record(d, cmd->code & MULTITRACK, true, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    put_count(d, &out, track, &record);
    return give(d, &out);
}

struct device_reply ckd_read_ckd(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (!ckd_next_record(d, cmd->code & MULTITRACK, true, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    put_count(d, &out, track, &record);
    put(&out, track + record.offset + TRACK_COUNT_BYTES, record.key + record.data);
    return give_data(d, &out, &record);
}

struct device_reply ckd_read_home(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    uint8_t home[5];
    if ((cmd->code & MULTITRACK) && d->area != AREA_NONE && !ckd_next_track(d, &bad))
        return bad;
    if (!ckd_track(d, &bad))
        return bad;
    ckd_orient(d);
    ckd_home(d, home);
    put(&out, home, sizeof home);
    d->area = AREA_HOME;
    d->index_passed = false;
    return give(d, &out);
}

struct device_reply ckd_read_zero(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if ((cmd->code & MULTITRACK) && d->area > AREA_HOME && !ckd_next_track(d, &bad))
        return bad;
    d->record = 0;
    if (!ckd_record(d, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    put_count(d, &out, track, &record);
    put(&out, track + record.offset + TRACK_COUNT_BYTES, record.key + record.data);
    struct device_reply reply = give_data(d, &out, &record);
    reply.status &= (uint8_t)~STATUS_UNIT_EXCEPTION;
    return reply;
}

// All records from the next one to the end of the track, one behind the other.
struct device_reply ckd_read_multiple(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (!ckd_next_record(d, false, true, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    do {
        put_count(d, &out, track, &record);
        put(&out, track + record.offset + TRACK_COUNT_BYTES, record.key + record.data);
        d->record = record.index;
    } while (track_next(track, d->volume->model->track_size, &record));
    d->area = AREA_DATA;
    d->index_passed = false;
    return give(d, &out);
}

// READ TRACK, in a LOCATE RECORD domain: R0 and all records of the track, then eight bytes of ones;
// the next one goes on with the next track.
struct device_reply ckd_read_track(struct dasd_ckd *d, const struct device_command *cmd)
{
    static const uint8_t end[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    struct track_record record;
    struct device_reply bad;
    struct output out = {.cmd = cmd};
    if (d->operation != OPERATION_READ_TRACKS || !d->domain)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_SEQUENCE);
    if (d->area == AREA_DATA && !ckd_next_track(d, &bad))
        return bad;
    d->record = 0;
    if (!ckd_record(d, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    do {
        put_count(d, &out, track, &record);
        put(&out, track + record.offset + TRACK_COUNT_BYTES, record.key + record.data);
        d->record = record.index;
    } while (track_next(track, d->volume->model->track_size, &record));
    put(&out, end, sizeof end);
    d->area = AREA_DATA;
    return give(d, &out);
}

// Record 1 of cylinder 0, head 0.
struct device_reply ckd_read_ipl(struct dasd_ckd *d, const struct device_command *cmd)
{
    ckd_move(d, 0, 0);
    d->area = AREA_INDEX;
    return ckd_read_data(d, cmd);
}
