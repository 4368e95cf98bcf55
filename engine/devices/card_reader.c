// SPDX-License-Identifier: MIT
// Card reader: READ with stacker selection, FEED. One card is 80 bytes.
#include "base/memory.h"
#include "devices/channel.h"
#include "devices/unit_record.h"

// Bits 0-1 of the code choose the stacker.
#define WITHOUT_STACKER(code) ((code)&0x3Fu)
#define READ                  0x02u
#define FEED                  0x23u

struct card_reader {
    struct device dev;
    struct unit_record_source source;
};

static struct device_reply read_card(struct card_reader *r, const struct device_command *cmd)
{
    uint8_t card[CARD_BYTES];
    int n = r->source.read ? r->source.read(r->source.arg, card, sizeof card) : UNIT_RECORD_NO_FILE;
    if (n == UNIT_RECORD_FILE_END)
        return (struct device_reply){.status = STATUS_NORMAL | STATUS_UNIT_EXCEPTION};
    if (n < 0)
        return device_unit_check(&r->dev, SENSE_INTERVENTION_REQUIRED);
    for (int i = n; i < CARD_BYTES; i++)
        card[i] = 0x40; // a short record is padded with blanks
    return device_give(cmd, card, sizeof card);
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply;
    if (WITHOUT_STACKER(cmd->code) == READ)
        return read_card((struct card_reader *)dev, cmd);
    if (WITHOUT_STACKER(cmd->code) == FEED)
        return device_done(0);
    if (device_common(dev, cmd, false, &reply))
        return reply;
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static const struct device_ops ops = {.model = "reader", .command = command};

struct device *card_reader_new(uint16_t devno, uint16_t type,
                               const struct unit_record_source *source)
{
    struct card_reader *r = mem_zero(1, sizeof *r);
    r->dev = (struct device){.ops = &ops, .number = devno, .cu_type = type, .dev_type = type};
    r->dev.cu_model = r->dev.dev_model = 1;
    r->source = *source;
    return &r->dev;
}

void unit_record_ready(struct device *dev)
{
    device_attention(dev, STATUS_DEVICE_END);
}
