// SPDX-License-Identifier: MIT
// The devices of a virtual NIC as the guest's channel subsystem sees them.
#ifndef ENDICOTT_CP_NIC_DEVICE_H
#define ENDICOTT_CP_NIC_DEVICE_H

#include "devices/channel.h"

struct nic;

struct nic_device {
    struct device device; // first: the channel subsystem knows it as this
    struct nic *nic;      // NULL once the NIC is gone
    unsigned unit;
};

// Attaches unit `unit` to the NIC's virtual machine; NULL when the number is in use.
struct nic_device *nic_device_attach(struct nic *nic, unsigned unit, bool announce);

#endif
