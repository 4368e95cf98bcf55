// SPDX-License-Identifier: MIT
// What all device models share: kinds of transfer and the commands every control unit knows.
#include "devices/device.h"

#include <string.h>

#include "base/bytes.h"

enum transfer device_transfer(uint8_t command)
{
    if ((command & 0x0F) == 0x08) // transfer in channel
        return TRANSFER_NONE;
    switch (command & 0x03) {
    case 0x01:
    case 0x03:
        return TRANSFER_TO_DEVICE;
    case 0x02:
        return TRANSFER_FROM_DEVICE;
    default: // sense xxxx0100, read backward xxxx1100
        return (command & 0x0F) ? TRANSFER_FROM_DEVICE : TRANSFER_NONE;
    }
}

struct device_reply device_done(uint32_t transferred)
{
    return (struct device_reply){.status = STATUS_NORMAL, .transferred = transferred};
}

struct device_reply device_give(const struct device_command *cmd, const void *bytes, uint32_t n)
{
    uint32_t fits = n < cmd->count ? n : cmd->count;
    if (fits)
        memcpy(cmd->data, bytes, fits);
    return device_done(n);
}

struct device_reply device_unit_check(struct device *dev, uint8_t sense0)
{
    memset(dev->sense, 0, sizeof dev->sense);
    dev->sense[0] = sense0;
    return (struct device_reply){.status = STATUS_NORMAL | STATUS_UNIT_CHECK};
}

// SENSE ID: X'FF', control unit type and model, device type and model, then the command
// information words (Common I/O Device Commands, "Sense ID").
static struct device_reply sense_id(struct device *dev, const struct device_command *cmd)
{
    uint8_t id[8 + sizeof dev->ciw] = {0xFF};
    be16_store(id + 1, dev->cu_type);
    id[3] = dev->cu_model;
    be16_store(id + 4, dev->dev_type);
    id[6] = dev->dev_model;
    uint32_t n = dev->ciw[0] ? 8 : 7;
    for (size_t i = 0; i < sizeof dev->ciw / sizeof dev->ciw[0] && dev->ciw[i]; i++, n += 4)
        be32_store(id + n, dev->ciw[i]);
    return device_give(cmd, id, n);
}

static struct device_reply basic_sense(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply = device_give(cmd, dev->sense, sizeof dev->sense);
    // A shorter read of the sense bytes is no long record.
    if (reply.transferred > cmd->count)
        reply.transferred = cmd->count;
    memset(dev->sense, 0, sizeof dev->sense);
    return reply;
}

// State byte of SENSE PATH GROUP ID and function byte of SET PATH GROUP ID.
#define PATH_RESET     0x00u
#define PATH_UNGROUPED 0x80u
#define PATH_GROUPED   0xC0u
#define PATH_MULTIPATH 0x08u
#define SPID_MULTIPATH 0x80u
#define SPID_FUNCTION  0x60u
#define SPID_ESTABLISH 0x00u
#define SPID_DISBAND   0x20u
#define SPID_RESIGN    0x40u

static struct device_reply sense_path_group(struct device *dev, const struct device_command *cmd)
{
    uint8_t block[12] = {dev->path_state};
    memcpy(block + 1, dev->path_group, sizeof dev->path_group);
    return device_give(cmd, block, sizeof block);
}

static struct device_reply set_path_group(struct device *dev, const struct device_command *cmd)
{
    if (cmd->count < 12)
        return device_unit_check(dev, SENSE_COMMAND_REJECT);
    bool grouped = dev->path_state != PATH_RESET;
    switch (cmd->data[0] & SPID_FUNCTION) {
    case SPID_ESTABLISH:
        // A group once named keeps its name until all paths are reset.
        if (grouped && memcmp(dev->path_group, cmd->data + 1, sizeof dev->path_group) != 0)
            return device_unit_check(dev, SENSE_COMMAND_REJECT);
        memcpy(dev->path_group, cmd->data + 1, sizeof dev->path_group);
        dev->path_state =
            (uint8_t)(PATH_GROUPED | (cmd->data[0] & SPID_MULTIPATH ? PATH_MULTIPATH : 0));
        break;
    case SPID_DISBAND:
        dev->path_state = grouped ? PATH_UNGROUPED : PATH_RESET;
        break;
    case SPID_RESIGN: // our only path leaves, and the name with it
        dev->path_state = PATH_RESET;
        memset(dev->path_group, 0, sizeof dev->path_group);
        break;
    default:
        return device_unit_check(dev, SENSE_COMMAND_REJECT);
    }
    return device_done(12);
}

bool device_common(struct device *dev, const struct device_command *cmd, bool path_groups,
                   struct device_reply *reply)
{
    switch (cmd->code) {
    case 0x03:
        *reply = device_done(0);
        return true;
    case 0x04:
        *reply = basic_sense(dev, cmd);
        return true;
    case 0xE4:
        *reply = sense_id(dev, cmd);
        return true;
    case 0x34:
        if (path_groups)
            *reply = sense_path_group(dev, cmd);
        return path_groups;
    case 0xAF:
        if (path_groups)
            *reply = set_path_group(dev, cmd);
        return path_groups;
    default:
        return false;
    }
}
