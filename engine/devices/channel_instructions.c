// SPDX-License-Identifier: MIT
// The I/O instructions that name a subchannel. (Principles of Operation, "I/O Instructions".)
// Condition codes throughout: 0 done, 1 status pending, 2 busy or not applicable, 3 not
// operational; -1 is an operand exception.
#include <string.h>

#include "base/log.h"
#include "devices/subchannel.h"

// General register 1: bits 32-44 zero (one channel subsystem), 45-46 set zero, 47 one.
static bool valid_sid(uint32_t sid)
{
    return (sid & 0xFFF90000u) == 0x00010000u;
}

// The addressed subchannel when it has a device and is enabled, else NULL (condition code 3).
static struct subchannel *operational(const struct channel_subsystem *css, uint32_t sid)
{
    struct subchannel *s = sid & 0x00060000u ? NULL : css_subchannel(css, sid);
    return s && s->dev && (s->pmcw1 & PMCW_ENABLED) ? s : NULL;
}

static bool valid_orb(uint32_t orb1, uint32_t ccw, const uint8_t *extension)
{
    if ((orb1 & (ORB_RESERVED | ORB_TRANSPORT)) || (ccw & 0x80000000u))
        return false;
    if (!(orb1 & ORB_FORMAT_1) && (ccw & 0xFF000000u))
        return false;
    if (!(orb1 & ORB_EXTENSION))
        return true;
    for (unsigned i = 4; i < 20; i++) // words 4-7 are reserved
        if (extension[i])
            return false;
    return true;
}

int css_start(struct channel_subsystem *css, uint32_t sid, const uint8_t orb[32])
{
    uint32_t orb1 = be32_load(orb + 4), ccw = be32_load(orb + 8);
    if (!valid_sid(sid) || !valid_orb(orb1, ccw, orb + 12))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    if (s->scsw0 & SCSW_PENDING)
        return 1;
    if (subchannel_busy(s) || s->program.state != PROGRAM_NONE)
        return 2;
    if (!((orb1 & ORB_LPM) >> 8 & s->lpm & PATH_MASK))
        return 3;
    LOG(IO, "%04X SSCH orb %08X ccw %08X", s->devno, orb1, ccw);
    s->parameter = be32_load(orb);
    measure_start_function(s);
    program_start(s, orb1, ccw, false);
    return 0;
}

// After TEST SUBCHANNEL has shown status: which functions and activities go with it.
static void take_status(struct subchannel *s)
{
    uint32_t status = s->scsw0 & SCSW_STATUS;
    if (status == (SCSW_INTERMEDIATE | SCSW_PENDING)) {
        // The channel program goes on, or stays suspended.
        s->scsw0 &= ~(SCSW_STATUS | SCSW_ZERO_CC);
        s->channel_status &= (uint8_t)~CHANNEL_PCI;
        return;
    }
    if (s->program.state == PROGRAM_DEVICE_END) {
        // Primary status only: the device is still active, secondary status will follow.
        s->scsw0 &= ~(SCSW_STATUS | SCSW_ZERO_CC | SCSW_EXTENDED);
        s->device_status = s->channel_status = 0;
        return;
    }
    subchannel_clear_status(s);
}

int css_test(struct channel_subsystem *css, uint32_t sid, uint8_t irb[96])
{
    if (!valid_sid(sid))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    subchannel_store_irb(s, irb);
    if (!(s->scsw0 & SCSW_PENDING))
        return 1;
    subchannel_dequeue(s);
    take_status(s);
    subchannel_unstack(s);
    return 0;
}

// A measurement block of its own (format 1) lies on a 64-byte boundary.
static bool bad_block_address(const uint8_t schib[52])
{
    return be32_load(schib + 4) & PMCW_MEASURE && be32_load(schib + 24) & PMCW6_EXTENDED_BLOCK &&
           be64_load(schib + 40) & 0x3F;
}

int css_modify(struct channel_subsystem *css, uint32_t sid, const uint8_t schib[52])
{
    uint32_t word1 = be32_load(schib + 4), word6 = be32_load(schib + 24);
    if (!valid_sid(sid) || (word1 & PMCW_RESERVED) || (word1 & PMCW_LIMIT) == PMCW_LIMIT ||
        (word6 & 0xFF1FFFF8u) || bad_block_address(schib))
        return -1;
    struct subchannel *s = sid & 0x00060000u ? NULL : css_subchannel(css, sid);
    if (!s)
        return 3;
    if (!s->dev)
        return 0; // device number not valid: nothing happens
    if (s->scsw0 & SCSW_PENDING)
        return 1;
    if (subchannel_busy(s))
        return 2;
    s->parameter = be32_load(schib);
    s->pmcw1 = (s->pmcw1 & ~PMCW_GUEST) | (word1 & PMCW_GUEST);
    s->lpm = schib[8];
    s->mbi = be16_load(schib + 12);
    s->pom = schib[14];
    s->pmcw6 = word6 & PMCW6_GUEST;
    s->mba = be64_load(schib + 40);
    subchannel_unstack(s);
    return 0;
}

int css_store(struct channel_subsystem *css, uint32_t sid, uint8_t schib[52])
{
    if (!valid_sid(sid))
        return -1;
    const struct subchannel *s = sid & 0x00060000u ? NULL : css_subchannel(css, sid);
    if (!s)
        return 3;
    memset(schib, 0, 52);
    if (!s->dev)
        return 0;
    be32_store(schib, s->parameter);
    be32_store(schib + 4, s->pmcw1);
    schib[8] = s->lpm;
    schib[10] = PATH_MASK; // last path used
    schib[11] = PATH_MASK; // installed
    be16_store(schib + 12, s->mbi);
    schib[14] = s->pom;
    schib[15] = PATH_MASK; // available
    be32_store(schib + 24, s->pmcw6);
    subchannel_store_scsw(s, schib + 28);
    be64_store(schib + 40, s->mba);
    return 0;
}

int css_halt(struct channel_subsystem *css, uint32_t sid)
{
    if (!valid_sid(sid))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    uint32_t status = s->scsw0 & SCSW_STATUS;
    if (status && status != (SCSW_INTERMEDIATE | SCSW_PENDING))
        return 1;
    if (s->scsw0 & (SCSW_HALT | SCSW_CLEAR))
        return 2;
    bool active = s->program.state != PROGRAM_NONE;
    uint32_t address = s->program.ccw.at + 8;
    program_abandon(s);
    subchannel_dequeue(s);
    s->scsw0 &= ~(SCSW_ACTIVITY | SCSW_STATUS);
    s->scsw0 |= SCSW_HALT;
    s->channel_status = 0;
    s->device_status = active ? STATUS_NORMAL : 0;
    if (active)
        s->ccw_address = address;
    subchannel_present(s, active ? SCSW_PRIMARY | SCSW_SECONDARY : 0);
    return 0;
}

int css_clear(struct channel_subsystem *css, uint32_t sid)
{
    if (!valid_sid(sid))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    program_abandon(s);
    subchannel_clear_status(s);
    s->scsw0 = SCSW_CLEAR;
    subchannel_present(s, 0);
    return 0;
}

int css_resume(struct channel_subsystem *css, uint32_t sid)
{
    if (!valid_sid(sid))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    if (s->scsw0 & SCSW_PENDING)
        return 1;
    if ((s->scsw0 & SCSW_FUNCTIONS) != SCSW_START || (s->scsw0 & SCSW_RESUME_PENDING) ||
        !(s->program.orb & ORB_SUSPEND))
        return 2;
    program_resume(s);
    return 0;
}

int css_cancel(struct channel_subsystem *css, uint32_t sid)
{
    if (!valid_sid(sid))
        return -1;
    struct subchannel *s = operational(css, sid);
    if (!s)
        return 3;
    if (s->scsw0 & SCSW_PENDING)
        return 1;
    // A start function is pending only until its first command is accepted, which here is at once.
    if (!(s->scsw0 & (SCSW_START_PENDING | SCSW_SUSPENDED)))
        return 2;
    program_abandon(s);
    subchannel_clear_status(s);
    subchannel_unstack(s);
    return 0;
}

int css_path_status(struct channel_subsystem *css, uint8_t out[32])
{
    memset(out, 0, 32);
    for (size_t i = 0; i < css->subs; i++)
        if (css->sub[i]->program.state != PROGRAM_NONE)
            out[0] = PATH_MASK; // all devices share channel path 0
    return 0;
}

// Channel path 0 serves all devices: each one is reset. A channel report tells when that is done.
int css_reset_path(struct channel_subsystem *css, uint8_t chpid)
{
    if (chpid != 0)
        return 3;
    for (size_t i = 0; i < css->device_count; i++) {
        struct device *dev = css->devices[i];
        dev->path_state = 0;
        memset(dev->path_group, 0, sizeof dev->path_group);
    }
    css_report(css, 4, 2, chpid); // channel path, initialized
    return 0;
}
