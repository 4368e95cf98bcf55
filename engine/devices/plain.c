// SPDX-License-Identifier: MIT
// A device that only says what it is.
#include "devices/plain.h"

#include "base/memory.h"

#define COMMAND_SENSE_ID 0xE4u

// With the byte that follows the basic seven, which programs that know command words read too.
static struct device_reply sense_id(const struct device *dev, const struct device_command *cmd)
{
    const uint8_t id[8] = {0xFF,          (uint8_t)(dev->cu_type >> 8),  (uint8_t)dev->cu_type,
                           dev->cu_model, (uint8_t)(dev->dev_type >> 8), (uint8_t)dev->dev_type,
                           dev->dev_model};

    return device_give(cmd, id, sizeof id);
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply;

    if (cmd->code == COMMAND_SENSE_ID)
        return sense_id(dev, cmd);
    if (device_common(dev, cmd, false, &reply))
        return reply;
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static const struct device_ops ops = {.model = "plain", .command = command};

struct device *plain_device_new(uint16_t devno, uint16_t cu_type, uint8_t cu_model,
                                uint16_t dev_type, uint8_t dev_model)
{
    struct device *dev = mem_zero(1, sizeof *dev);

    *dev = (struct device){
        .ops = &ops,
        .number = devno,
        .cu_type = cu_type,
        .cu_model = cu_model,
        .dev_type = dev_type,
        .dev_model = dev_model,
    };
    return dev;
}
