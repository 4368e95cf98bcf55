// SPDX-License-Identifier: MIT
// A CKD/ECKD device behind a 3990: a window of cylinders on a volume. A full-pack device is the
// window of all of them, a minidisk of some; cylinders are relocated and bounds kept here.
#ifndef ENDICOTT_DEVICES_DASD_CKD_H
#define ENDICOTT_DEVICES_DASD_CKD_H

#include "devices/dasd_volume.h"

// `cylinders` from `first_cylinder` of the volume, which must outlive the device. Freed by
// css_detach/css_free. NULL when the window reaches beyond the volume or is empty.
struct device *dasd_ckd_new(uint16_t devno, struct dasd_volume *volume, unsigned first_cylinder,
                            unsigned cylinders, bool read_only);
struct dasd_volume *dasd_ckd_volume(const struct device *dev);
unsigned dasd_ckd_cylinders(const struct device *dev);
bool dasd_ckd_read_only(const struct device *dev);
void dasd_ckd_set_read_only(struct device *dev, bool read_only);

#endif
