// SPDX-License-Identifier: MIT
// The 3490 magnetic tape drive, one to a control unit.
#ifndef ENDICOTT_DEVICES_TAPE_3490_H
#define ENDICOTT_DEVICES_TAPE_3490_H

#include "devices/device.h"
#include "devices/tape_image.h"

// `tape` is mounted; it stays the caller's and must outlive the device. REWIND UNLOAD takes it off:
// the drive is not ready then.
struct device *tape_3490_new(uint16_t devno, struct tape_image *tape);
bool tape_3490_loaded(const struct device *dev);

#endif
