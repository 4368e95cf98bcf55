// SPDX-License-Identifier: MIT
// Real devices as records show them. DASD volumes have counters of their own; CP does not drive
// other real devices.
#include "monitor/device_view.h"

#include "cp/vdev.h"
#include "devices/dasd_volume.h"

void device_view_links(struct cp *cp)
{
    for (const struct mdisk *disk = cp->mdisks; disk; disk = disk->next)
        if (disk->rdev)
            disk->rdev->links += disk->readers + disk->writers;
}

struct device_view device_view(const struct rdev *rdev)
{
    const struct dasd_volume *volume = rdev->volume;
    if (!volume)
        return (struct device_view){0};
    return (struct device_view){.links = rdev->links,
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
