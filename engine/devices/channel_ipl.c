// SPDX-License-Identifier: MIT
// Channel programs whose end is told to a function: initial program loading, with its implied read,
// and what CP runs for a configuration by itself. (Principles of Operation, "Initial Program
// Loading", "CCW-Type IPL".)
#include <stddef.h>

#include "devices/subchannel.h"

int css_ipl(struct channel_subsystem *css, uint16_t devno,
            void (*done)(void *arg, bool ok, const char *reason), void *arg)
{
    struct device *dev = css_device(css, devno);
    if (!dev)
        return -1;
    struct subchannel *s = dev->subchannel;
    program_abandon(s);
    s->parameter = 0;
    s->pmcw1 |= PMCW_ENABLED;
    // As if a format-0 CCW at absolute 0 read 24 bytes to absolute 0, chained to the one at 8.
    s->program.ccw = (struct ccw){.code = 0x02, .flags = CCW_COMMAND_CHAIN | CCW_SLI, .count = 24};
    s->program.done = done;
    s->program.done_arg = arg;
    program_start(s, ORB_LPM, 8, true);
    return 0;
}

int css_run(struct channel_subsystem *css, uint16_t devno, uint32_t ccws,
            void (*done)(void *arg, bool ok, const char *reason), void *arg)
{
    struct device *dev = css_device(css, devno);
    if (!dev || dev->subchannel->program.state != PROGRAM_NONE || dev->subchannel->program.done)
        return -1;
    struct subchannel *s = dev->subchannel;
    s->parameter = 0;
    s->program.done = done;
    s->program.done_arg = arg;
    program_start(s, ORB_FORMAT_1 | ORB_LPM, ccws, false);
    return 0;
}

void css_forget(struct channel_subsystem *css, uint16_t devno, const void *arg)
{
    struct device *dev = css_device(css, devno);
    struct subchannel *s = dev ? dev->subchannel : NULL;
    if (!s || !s->program.done || s->program.done_arg != arg)
        return;
    s->program.done = NULL;
    program_abandon(s);
    subchannel_clear_status(s);
}
