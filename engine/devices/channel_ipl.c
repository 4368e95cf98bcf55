// SPDX-License-Identifier: MIT
// Initial program loading: the implied read and the channel program it brings.
// (Principles of Operation, "Initial Program Loading", "CCW-Type IPL".)
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
