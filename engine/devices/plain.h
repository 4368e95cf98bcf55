// SPDX-License-Identifier: MIT
// A device that is there and says what it is, and does nothing else: NO-OP, SENSE and SENSE ID. It
// stands for hardware that programs look for before they use a channel subsystem.
#ifndef ENDICOTT_DEVICES_PLAIN_H
#define ENDICOTT_DEVICES_PLAIN_H

#include "devices/device.h"

struct device *plain_device_new(uint16_t devno, uint16_t cu_type, uint8_t cu_model,
                                uint16_t dev_type, uint8_t dev_model);

#endif
