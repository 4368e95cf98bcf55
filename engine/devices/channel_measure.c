// SPDX-License-Identifier: MIT
// Channel-subsystem monitoring: SET CHANNEL MONITOR and the measurement blocks of subchannels.
// (Principles of Operation, "Channel-Subsystem Monitoring".)
#include "devices/subchannel.h"

#define SCHM_KEY      0xF0000000u
#define SCHM_BLOCKS   0x00000002u
#define SCHM_RESERVED 0x0FFFFFFCu
#define TIME_UNIT     (128 * TOD_MICROSECOND)

// Format-0 block, 32 bytes: SSCH+RSCH count (2), sample count (2), then times of 4 bytes each:
// connect, function pending, disconnect. Format 1, 64 bytes: the same with counts of 4 bytes.
struct block {
    uint64_t absolute;
    uint8_t bytes[20];
    unsigned count_size;
};

static bool block_load(const struct subchannel *s, struct block *b)
{
    const struct channel_subsystem *css = s->css;
    if (!css->measuring || !(s->pmcw1 & PMCW_MEASURE))
        return false;
    if (s->pmcw6 & PMCW6_EXTENDED_BLOCK)
        *b = (struct block){.absolute = s->mba, .count_size = 4};
    else
        *b = (struct block){.absolute = css->measurement_origin + 32u * s->mbi, .count_size = 2};
    return storage_read_key(css->host.storage, b->absolute, b->bytes, sizeof b->bytes,
                            css->measurement_key) == 0;
}

static void block_store(const struct subchannel *s, const struct block *b)
{
    storage_write_key(s->css->host.storage, b->absolute, b->bytes, 2 * b->count_size + 12,
                      s->css->measurement_key);
}

static void add_count(struct block *b, unsigned index)
{
    uint8_t *at = b->bytes + index * b->count_size;
    if (b->count_size == 4)
        be32_store(at, be32_load(at) + 1);
    else
        be16_store(at, (uint16_t)(be16_load(at) + 1));
}

static void add_time(struct block *b, unsigned index, tod_t span)
{
    uint8_t *at = b->bytes + 2 * b->count_size + 4 * index;
    be32_store(at, be32_load(at) + (uint32_t)(span / TIME_UNIT));
}

void measure_start_function(struct subchannel *s)
{
    struct block b;
    if (!block_load(s, &b))
        return;
    add_count(&b, 0);
    block_store(s, &b);
}

void measure_end_function(struct subchannel *s)
{
    struct block b;
    if (!block_load(s, &b))
        return;
    add_count(&b, 1);
    add_time(&b, 0, s->program.connect);
    add_time(&b, 1, s->program.queued);
    add_time(&b, 2, s->program.disconnect);
    block_store(s, &b);
}

int css_measure(struct channel_subsystem *css, uint32_t gr1, uint64_t address)
{
    if ((gr1 & SCHM_RESERVED) || ((gr1 & SCHM_BLOCKS) && (address & 31)))
        return -1;
    css->measuring = gr1 & SCHM_BLOCKS;
    if (css->measuring) {
        css->measurement_origin = address;
        css->measurement_key = (uint8_t)((gr1 & SCHM_KEY) >> 28);
    }
    return 0;
}
