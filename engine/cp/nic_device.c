// SPDX-License-Identifier: MIT
// A NIC's device on its subchannel: it identifies itself and rejects what needs QDIO.
#include "cp/nic_device.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cp/nic.h"

// Command information words of SENSE ID: X'40' | type, command, byte count. READ CONFIGURATION
// DATA, ESTABLISH QUEUES, ACTIVATE QUEUES (Linux takes the commands from here).
#define CIW_CONFIGURATION    0x40FA0080u
#define CIW_ESTABLISH_QUEUES 0x431B1000u
#define CIW_ACTIVATE_QUEUES  0x441F0000u

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply;
    if (device_common(dev, cmd, false, &reply))
        return reply;
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static void free_device(struct device *dev)
{
    struct nic_device *d = (struct nic_device *)dev;
    if (d->nic)
        d->nic->device[d->unit] = NULL;
    free(d);
}

static const struct device_ops nic_ops = {.model = "NIC", .command = command, .free = free_device};

// Control unit and device type by adapter type.
static const struct {
    uint8_t cu_model;
    uint16_t dev_type;
    uint8_t dev_model;
} identity[] = {
    [ADAPTER_HIPERSOCKETS] = {0x05, 0x1732, 0x05},
    [ADAPTER_QDIO] = {0x01, 0x1732, 0x01},
    [ADAPTER_IEDN] = {0x02, 0x1732, 0x02},
    [ADAPTER_INMN] = {0x02, 0x1732, 0x03},
};

struct nic_device *nic_device_attach(struct nic *nic, unsigned unit, bool announce)
{
    struct nic_device *d = mem_zero(1, sizeof *d);
    d->device = (struct device){
        .ops = &nic_ops,
        .number = (uint16_t)(nic->base + unit),
        .cu_type = 0x1731,
        .cu_model = identity[nic->type].cu_model,
        .dev_type = identity[nic->type].dev_type,
        .dev_model = identity[nic->type].dev_model,
        .ciw = {CIW_CONFIGURATION, CIW_ESTABLISH_QUEUES, CIW_ACTIVATE_QUEUES},
    };
    d->unit = unit;
    if (css_attach(nic->vm->machine->css, &d->device, announce) != 0) {
        free(d);
        return NULL;
    }
    d->nic = nic;
    return d;
}
