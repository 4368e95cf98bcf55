// SPDX-License-Identifier: MIT
// The channel subsystem's set of subchannels: attach, detach, reset, channel reports.
#include "devices/channel.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/subchannel.h"

#define SUBCHANNELS_MAX 65536u

// Channel-report word (Principles of Operation, "Channel-Report Word").
#define CRW_LOST                 0x40000000u
#define CRW_SOURCE(n)            ((uint32_t)(n) << 24)
#define CRW_ERROR(n)             ((uint32_t)(n) << 16)
#define CRW_SUBCHANNEL           3u
#define CRW_INSTALLED_PARAMETERS 4u

struct channel_subsystem *css_new(const struct css_host *host)
{
    struct channel_subsystem *css = mem_zero(1, sizeof *css);
    css->host = *host;
    return css;
}

static void free_device(struct device *dev)
{
    dev->subchannel = NULL;
    if (dev->ops->free)
        dev->ops->free(dev);
    else
        free(dev);
}

void css_free(struct channel_subsystem *css)
{
    if (!css)
        return;
    for (size_t i = 0; i < css->subs; i++) {
        struct subchannel *s = css->sub[i];
        if (s->dev) {
            program_abandon(s);
            free_device(s->dev);
        }
        program_free(&s->program);
        free(s);
    }
    free(css->sub);
    free(css->devices);
    free(css);
}

static void reset_subchannel(struct subchannel *s)
{
    if (s->dev)
        program_abandon(s);
    subchannel_clear_status(s);
    s->parameter = 0;
    s->pmcw1 = s->dev ? PMCW_VALID | s->devno : 0;
    s->lpm = s->dev ? PATH_MASK : 0;
    s->pom = s->dev ? 0xFF : 0;
    s->mbi = 0;
    s->pmcw6 = 0;
    s->mba = 0;
    s->stacked = 0;
}

void css_reset(struct channel_subsystem *css)
{
    for (size_t i = 0; i < css->subs; i++) {
        struct subchannel *s = css->sub[i];
        reset_subchannel(s);
        if (!s->dev)
            continue;
        memset(s->dev->sense, 0, sizeof s->dev->sense);
        memset(s->dev->path_group, 0, sizeof s->dev->path_group);
        s->dev->path_state = 0;
        if (s->dev->ops->reset)
            s->dev->ops->reset(s->dev);
    }
    css->crw_first = css->crw_count = 0;
    css->crw_lost = css->report_pending = false;
    css->measuring = false;
}

// Where `devno` is, or would be inserted, in the ordered list of devices.
static size_t device_position(const struct channel_subsystem *css, uint16_t devno)
{
    size_t low = 0, high = css->device_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (css->devices[middle]->number < devno)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct device *css_device(const struct channel_subsystem *css, uint16_t devno)
{
    size_t at = device_position(css, devno);
    return at < css->device_count && css->devices[at]->number == devno ? css->devices[at] : NULL;
}

struct device *css_next(const struct channel_subsystem *css, int devno)
{
    if (devno >= 0xFFFF)
        return NULL;
    size_t at = device_position(css, (uint16_t)(devno + 1));
    return at < css->device_count ? css->devices[at] : NULL;
}

int css_subchannel_number(const struct channel_subsystem *css, uint16_t devno)
{
    const struct device *dev = css_device(css, devno);
    return dev ? dev->subchannel->number : -1;
}

static void insert_device(struct channel_subsystem *css, struct device *dev)
{
    if (css->device_count == css->device_cap) {
        css->device_cap = css->device_cap ? css->device_cap * 2 : 16;
        css->devices = mem_resize(css->devices, css->device_cap, sizeof(struct device *));
    }
    size_t at = device_position(css, dev->number);
    memmove(css->devices + at + 1, css->devices + at,
            (css->device_count - at) * sizeof(struct device *));
    css->devices[at] = dev;
    css->device_count++;
}

static void remove_device(struct channel_subsystem *css, const struct device *dev)
{
    size_t at = device_position(css, dev->number);
    INVARIANT(at < css->device_count && css->devices[at] == dev);
    css->device_count--;
    memmove(css->devices + at, css->devices + at + 1,
            (css->device_count - at) * sizeof(struct device *));
}

static struct subchannel *new_subchannel(struct channel_subsystem *css)
{
    if (css->subs == SUBCHANNELS_MAX)
        return NULL;
    if (css->subs == css->sub_cap) {
        css->sub_cap = css->sub_cap ? css->sub_cap * 2 : 16;
        css->sub = mem_resize(css->sub, css->sub_cap, sizeof(struct subchannel *));
    }
    struct subchannel *s = mem_zero(1, sizeof *s);
    s->css = css;
    s->number = (uint16_t)css->subs;
    css->sub[css->subs++] = s;
    return s;
}

// The one this device number had before; else the lowest that no device ever used; else, when the
// set is full, the lowest without a device.
static struct subchannel *subchannel_for(struct channel_subsystem *css, uint16_t devno)
{
    struct subchannel *vacant = NULL;
    for (size_t i = 0; i < css->subs; i++) {
        if (css->sub[i]->dev)
            continue;
        if (css->sub[i]->devno == devno)
            return css->sub[i];
        if (!vacant)
            vacant = css->sub[i];
    }
    return vacant ? vacant : new_subchannel(css);
}

int css_attach(struct channel_subsystem *css, struct device *dev, bool announce)
{
    if (css_device(css, dev->number))
        return -1;
    struct subchannel *s = subchannel_for(css, dev->number);
    if (!s)
        return -1;
    s->dev = dev;
    s->devno = dev->number;
    dev->subchannel = s;
    insert_device(css, dev);
    reset_subchannel(s);
    if (announce)
        css_report(css, CRW_SUBCHANNEL, CRW_INSTALLED_PARAMETERS, s->number);
    return 0;
}

int css_detach(struct channel_subsystem *css, uint16_t devno, bool announce)
{
    struct device *dev = css_device(css, devno);
    if (!dev)
        return -1;
    struct subchannel *s = dev->subchannel;
    program_abandon(s);
    remove_device(css, dev);
    s->dev = NULL;
    reset_subchannel(s);
    free_device(dev);
    if (announce)
        css_report(css, CRW_SUBCHANNEL, CRW_INSTALLED_PARAMETERS, s->number);
    return 0;
}

struct subchannel *css_subchannel(const struct channel_subsystem *css, uint32_t sid)
{
    uint32_t number = sid & 0xFFFF;
    return number < css->subs ? css->sub[number] : NULL;
}

// Queues a channel report and tells the configuration that one is pending.
void css_report(struct channel_subsystem *css, unsigned source, unsigned error, uint16_t id)
{
    if (css->crw_count == CRW_QUEUE) {
        css->crw_lost = true;
        return;
    }
    uint32_t crw = CRW_SOURCE(source) | CRW_ERROR(error) | id;
    css->crw[(css->crw_first + css->crw_count++) % CRW_QUEUE] = crw;
    css->report_pending = true;
    if (css->host.channel_report)
        css->host.channel_report(css->host.arg);
}

int css_report_word(struct channel_subsystem *css, uint8_t crw[4])
{
    if (css->crw_count == 0) {
        be32_store(crw, 0);
        return 1;
    }
    uint32_t word = css->crw[css->crw_first];
    css->crw_first = (css->crw_first + 1) % CRW_QUEUE;
    css->crw_count--;
    if (css->crw_lost && css->crw_count == 0) {
        word |= CRW_LOST;
        css->crw_lost = false;
    }
    be32_store(crw, word);
    return 0;
}

bool css_take_report(struct channel_subsystem *css)
{
    bool pending = css->report_pending;
    css->report_pending = false;
    return pending;
}

const struct css_host *device_host(const struct device *dev)
{
    return dev->subchannel ? &dev->subchannel->css->host : NULL;
}
