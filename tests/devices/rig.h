// SPDX-License-Identifier: MIT
// A configuration without CPUs for device tests: storage, virtual clock, events, channel subsystem,
// and a builder for channel programs. Include after cmocka.h, or alone from a fuzz harness.
#ifndef ENDICOTT_TESTS_DEVICES_RIG_H
#define ENDICOTT_TESTS_DEVICES_RIG_H

#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "devices/channel.h"

#define SID(n) (0x00010000u | (uint32_t)(n))

// CCW flags, for readable programs.
enum {
    CD = 0x80,
    CC = 0x40,
    SLI = 0x20,
    SKIP = 0x10,
    PCI = 0x08,
    IDA = 0x04,
    SUSPEND = 0x02,
    MIDA = 1
};

struct rig {
    struct clock clock;
    struct event_queue events;
    struct storage *storage;
    struct channel_subsystem *css;
    unsigned interruptions, reports;
    uint32_t program; // where the next CCW goes
    bool format0;
};

struct irb {
    uint8_t raw[96];
    uint32_t control, ccw;
    uint8_t status, channel;
    uint16_t residual;
};

static inline void rig_interruption(void *arg, unsigned isc)
{
    (void)isc;
    ((struct rig *)arg)->interruptions++;
}

static inline void rig_report(void *arg)
{
    ((struct rig *)arg)->reports++;
}

static inline void rig_open(struct rig *r)
{
    *r = (struct rig){.program = 0x1000};
    clock_init(&r->clock, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
    events_init(&r->events);
    r->storage = storage_new(4u << 20);
    struct css_host host = {.storage = r->storage,
                            .clock = &r->clock,
                            .events = &r->events,
                            .interruption = rig_interruption,
                            .channel_report = rig_report,
                            .arg = r};
    r->css = css_new(&host);
}

static inline void rig_close(struct rig *r)
{
    css_free(r->css);
    events_free(&r->events);
    storage_free(r->storage);
}

// Attaches without announcement and enables it with these further bits of PMCW word 6.
static inline uint32_t rig_add(struct rig *r, struct device *dev, uint32_t word6)
{
    uint16_t number = dev->number;
    uint8_t schib[52];
    if (css_attach(r->css, dev, false) != 0)
        return 0;
    uint32_t sid = SID(css_subchannel_number(r->css, number));
    css_store(r->css, sid, schib);
    be32_store(schib + 4, be32_load(schib + 4) | 0x00800000u);
    be32_store(schib + 24, word6);
    css_modify(r->css, sid, schib);
    return sid;
}

static inline void rig_ccw(struct rig *r, uint8_t code, unsigned flags, unsigned count,
                           uint32_t address)
{
    uint8_t ccw[8] = {code};
    if (r->format0) {
        be32_store(ccw, address & 0xFFFFFFu);
        ccw[0] = code;
        ccw[4] = (uint8_t)flags;
        be16_store(ccw + 6, (uint16_t)count);
    } else {
        ccw[1] = (uint8_t)flags;
        be16_store(ccw + 2, (uint16_t)count);
        be32_store(ccw + 4, address);
    }
    storage_write(r->storage, r->program, ccw, sizeof ccw);
    r->program += 8;
}

static inline void rig_put(struct rig *r, uint32_t address, const void *bytes, size_t n)
{
    storage_write(r->storage, address, bytes, n);
}

static inline void rig_get(const struct rig *r, uint32_t address, void *bytes, size_t n)
{
    storage_read(r->storage, address, bytes, n);
}

// Starts the program at `ccw` with further bits of ORB word 1; condition code.
static inline int rig_start(struct rig *r, uint32_t sid, uint32_t ccw, uint32_t orb1)
{
    uint8_t orb[32] = {0};
    be32_store(orb, 0xCAFE0001u);
    be32_store(orb + 4, orb1 | 0x0000FF00u | (r->format0 ? 0 : 0x00800000u));
    be32_store(orb + 8, ccw);
    return css_start(r->css, sid, orb);
}

static inline int rig_test(struct rig *r, uint32_t sid, struct irb *irb)
{
    int cc = css_test(r->css, sid, irb->raw);
    irb->control = be32_load(irb->raw);
    irb->ccw = be32_load(irb->raw + 4);
    irb->status = irb->raw[8];
    irb->channel = irb->raw[9];
    irb->residual = be16_load(irb->raw + 10);
    return cc;
}

// Lets time pass until nothing more is scheduled, at most `limit` events; false when that is hit.
static inline bool rig_settle(struct rig *r, unsigned limit)
{
    while (events_next(&r->events) != TOD_NEVER) {
        if (limit-- == 0)
            return false;
        clock_set(&r->clock, events_next(&r->events));
        events_fire(&r->events, clock_now(&r->clock));
    }
    return true;
}

// Starts what was built since the last rig_run (from X'1000'), lets it end, takes the status.
static inline int rig_run_orb(struct rig *r, uint32_t sid, uint32_t orb1, struct irb *irb)
{
    int cc = rig_start(r, sid, 0x1000, orb1);
    r->program = 0x1000;
    if (cc != 0)
        return 10 + cc;
    rig_settle(r, 100000);
    return rig_test(r, sid, irb);
}

static inline int rig_run(struct rig *r, uint32_t sid, struct irb *irb)
{
    return rig_run_orb(r, sid, 0, irb);
}

#endif
