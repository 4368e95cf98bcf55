// SPDX-License-Identifier: MIT
// SEARCH ID, KEY and HOME ADDRESS: equal, high, equal or high; found is status modifier, which
// makes the channel skip the transfer in channel behind the command.
#include <string.h>

#include "devices/dasd_ckd_state.h"

#define MULTITRACK   0x80u
#define SEARCH_EQUAL 0x20u
#define SEARCH_HIGH  0x40u

// Bits 0010 0000 and 0100 0000 of the code: equal, high (the record's value above the program's).
static bool satisfied(uint8_t code, int compared)
{
    return ((code & SEARCH_EQUAL) && compared == 0) || ((code & SEARCH_HIGH) && compared > 0);
}

static struct device_reply answer(struct dasd_ckd *d, const struct device_command *cmd,
                                  const uint8_t *field, uint32_t n)
{
    uint32_t length = n < cmd->count ? n : cmd->count;
    int compared = memcmp(field, cmd->data, length);
    struct device_reply reply = device_done(length);
    ckd_pass(d, length);
    if (satisfied(cmd->code, compared)) {
        reply.status |= STATUS_MODIFIER;
        d->found = compared == 0;
    }
    return reply;
}

struct device_reply ckd_search_id(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    uint8_t count[8];
    if (!ckd_next_record(d, cmd->code & MULTITRACK, false, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    ckd_count(d, track, &record, count);
    return answer(d, cmd, count, 5);
}

// The key of the record whose count was just read or found, else of the next one. A record without
// a key never matches.
struct device_reply ckd_search_key(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct track_record record;
    struct device_reply bad;
    if (d->area == AREA_COUNT ? !ckd_record(d, &record, &bad)
                              : !ckd_next_record(d, cmd->code & MULTITRACK, true, &record, &bad))
        return bad;
    const uint8_t *track = ckd_track(d, &bad);
    if (!track)
        return bad;
    d->area = AREA_KEY;
    d->found = false;
    if (record.key == 0)
        return device_done(cmd->count);
    return answer(d, cmd, track + record.offset + TRACK_COUNT_BYTES, record.key);
}

struct device_reply ckd_search_home(struct dasd_ckd *d, const struct device_command *cmd)
{
    struct device_reply bad;
    uint8_t home[5];
    if ((cmd->code & MULTITRACK) && d->area != AREA_NONE && !ckd_next_track(d, &bad))
        return bad;
    if (!ckd_track(d, &bad))
        return bad;
    ckd_orient(d);
    ckd_home(d, home);
    d->area = AREA_HOME;
    d->found = false;
    struct device_reply reply = answer(d, cmd, home + 1, 4);
    d->home_found = d->found;
    d->found = false;
    return reply;
}
