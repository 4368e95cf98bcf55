// SPDX-License-Identifier: MIT
// Card punch: WRITE with stacker selection, of cards up to 80 bytes.
#include "base/memory.h"
#include "devices/unit_record.h"

#define WITHOUT_STACKER(code) ((code)&0x3Fu)
#define WRITE                 0x01u

struct card_punch {
    struct device dev;
    struct unit_record_sink sink;
};

static struct device_reply punch(struct card_punch *p, const struct device_command *cmd)
{
    uint32_t n = cmd->count < CARD_BYTES ? cmd->count : CARD_BYTES;
    if (!p->sink.write || !p->sink.write(p->sink.arg, cmd->code, cmd->data, n))
        return device_unit_check(&p->dev, SENSE_INTERVENTION_REQUIRED);
    return device_done(n);
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply;
    if (WITHOUT_STACKER(cmd->code) == WRITE)
        return punch((struct card_punch *)dev, cmd);
    if (device_common(dev, cmd, false, &reply))
        return reply;
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static const struct device_ops ops = {.model = "punch", .command = command};

struct device *card_punch_new(uint16_t devno, uint16_t type, const struct unit_record_sink *sink)
{
    struct card_punch *p = mem_zero(1, sizeof *p);
    p->dev = (struct device){.ops = &ops, .number = devno, .cu_type = type, .dev_type = type};
    p->dev.cu_model = 1;
    p->dev.dev_model = 2;
    p->sink = *sink;
    return &p->dev;
}
