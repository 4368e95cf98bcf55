// SPDX-License-Identifier: MIT
// Status of a subchannel: the SCSW and IRB, and the queue of interruptions by subclass.
// (Principles of Operation, "I/O Interruptions".)
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "devices/subchannel.h"

// Extended-report word of a format-0/1 ESW: concurrent sense, and its byte count.
#define ERW_CONCURRENT_SENSE 0x01000000u

static unsigned subclass(const struct subchannel *s)
{
    return s->pmcw1 >> PMCW_ISC_SHIFT & 7;
}

bool subchannel_busy(const struct subchannel *s)
{
    return (s->scsw0 & SCSW_FUNCTIONS) != 0;
}

static void enqueue(struct subchannel *s)
{
    unsigned isc = subclass(s);
    if (!s->queued) {
        s->queue_prev = s->css->queue[isc].last;
        s->queue_next = NULL;
        if (s->queue_prev)
            s->queue_prev->queue_next = s;
        else
            s->css->queue[isc].first = s;
        s->css->queue[isc].last = s;
        s->queued = true;
    }
    if (s->css->host.interruption)
        s->css->host.interruption(s->css->host.arg, isc);
}

void subchannel_dequeue(struct subchannel *s)
{
    if (!s->queued)
        return;
    unsigned isc = subclass(s);
    if (s->queue_prev)
        s->queue_prev->queue_next = s->queue_next;
    else
        s->css->queue[isc].first = s->queue_next;
    if (s->queue_next)
        s->queue_next->queue_prev = s->queue_prev;
    else
        s->css->queue[isc].last = s->queue_prev;
    s->queue_next = s->queue_prev = NULL;
    s->queued = false;
}

void subchannel_present(struct subchannel *s, uint32_t status)
{
    s->scsw0 |= status | SCSW_PENDING;
    LOG(IO, "%04X status %02X channel %02X control %08X residual %u", s->devno, s->device_status,
        s->channel_status, s->scsw0, s->residual);
    enqueue(s);
}

void subchannel_clear_status(struct subchannel *s)
{
    subchannel_dequeue(s);
    s->scsw0 = 0;
    s->ccw_address = 0;
    s->device_status = s->channel_status = 0;
    s->residual = 0;
    s->sense_count = 0;
}

void subchannel_unstack(struct subchannel *s)
{
    if (!s->dev || !s->stacked || subchannel_busy(s) || s->program.state != PROGRAM_NONE ||
        (s->scsw0 & SCSW_PENDING) || !(s->pmcw1 & PMCW_ENABLED))
        return;
    subchannel_clear_status(s);
    s->device_status = s->stacked;
    s->stacked = 0;
    subchannel_present(s, SCSW_ALERT);
}

void device_attention(struct device *dev, uint8_t status)
{
    struct subchannel *s = dev->subchannel;
    if (!s)
        return;
    s->stacked |= status;
    subchannel_unstack(s);
}

uint8_t device_unsolicited(const struct device *dev)
{
    const struct subchannel *s = dev->subchannel;
    if (!s)
        return 0;
    bool pending = (s->scsw0 & SCSW_STATUS) == (SCSW_ALERT | SCSW_PENDING) && !subchannel_busy(s);
    return s->stacked | (pending ? s->device_status : 0);
}

void device_withdraw(struct device *dev, uint8_t status)
{
    if (dev->subchannel)
        dev->subchannel->stacked &= (uint8_t)~status;
}

void subchannel_store_scsw(const struct subchannel *s, uint8_t scsw[12])
{
    be32_store(scsw, s->scsw0);
    be32_store(scsw + 4, s->ccw_address);
    scsw[8] = s->device_status;
    scsw[9] = s->channel_status;
    be16_store(scsw + 10, s->residual);
}

void subchannel_store_irb(const struct subchannel *s, uint8_t irb[96])
{
    memset(irb, 0, 96);
    subchannel_store_scsw(s, irb);
    irb[13] = s->dev ? PATH_MASK : 0; // last-path-used mask
    if (s->sense_count) {
        be32_store(irb + 16, ERW_CONCURRENT_SENSE | (uint32_t)s->sense_count << 16);
        memcpy(irb + 32, s->sense, sizeof s->sense);
    }
}

bool css_take_interruption(struct channel_subsystem *css, uint8_t isc_mask, bool peek,
                           struct css_interruption *out)
{
    for (unsigned isc = 0; isc < 8; isc++) {
        struct subchannel *s = css->queue[isc].first;
        if (!s || !(isc_mask & 0x80u >> isc))
            continue;
        *out = (struct css_interruption){.subchannel_id = 0x00010000u | s->number,
                                         .parameter = s->parameter,
                                         .id_word = isc << PMCW_ISC_SHIFT};
        if (!peek)
            subchannel_dequeue(s);
        return true;
    }
    return false;
}
