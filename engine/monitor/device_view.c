// SPDX-License-Identifier: MIT
// Real devices as records show them. DASD volumes have counters of their own; CP does not drive
// other real devices.
#include "monitor/device_view.h"

#include "cp/vdev.h"
#include "devices/dasd_volume.h"

static unsigned links(const struct cp *cp, const struct rdev *rdev)
{
    unsigned n = 0;
    for (const struct mdisk *disk = cp->mdisks; disk; disk = disk->next)
        if (disk->rdev == rdev)
            n += disk->readers + disk->writers;
    return n;
}

struct device_view device_view(const struct cp *cp, const struct rdev *rdev)
{
    const struct dasd_volume *volume = rdev->volume;
    if (!volume)
        return (struct device_view){0};
    return (struct device_view){.links = links(cp, rdev),
                                .starts = volume->ssch,
                                .reads = volume->reads,
                                .writes = volume->writes,
                                .seeks = volume->seeks,
                                .seek_cylinders = volume->seek_cylinders,
                                .connect = volume->connect,
                                .disconnect = volume->disconnect,
                                .pending = volume->pending};
}

bool device_busy(const struct rdev *rdev, unsigned *queued)
{
    if (!rdev->volume)
        return false;
    *queued = rdev->volume->arm.waiting;
    return rdev->volume->arm.holder != NULL;
}
