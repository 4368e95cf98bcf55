// SPDX-License-Identifier: MIT
// Line printer: write with space or skip, immediate carriage movements, buffer loads accepted.
#include <string.h>

#include "base/memory.h"
#include "devices/unit_record.h"

// Commands that set the printer up and print nothing: their data are taken and have no effect,
// since output is text. (3211 and 1403 command codes.)
static const struct {
    uint8_t code;
    bool data;
} set_up[] = {
    {0x63, true},  // load forms control buffer
    {0xFB, true},  // load universal character set buffer
    {0xF3, true},  // the same, folding
    {0xEB, false}, // gate load
    {0x73, false}, // block data check
    {0x7B, false}, // allow data check
    {0x23, false}, // unfold
    {0x43, false}, // fold
};

struct printer {
    struct device dev;
    struct unit_record_sink sink;
};

//   Write, then space:   000n n001      Space immediate:  000n n011
//   Write, then skip:    1ccc c001      Skip immediate:   1ccc c011
struct carriage printer_carriage(uint8_t command)
{
    struct carriage c = {.write = (command & 7) == 1, .before = (command & 7) == 3};
    if (command & 0x80)
        c.skip = command >> 3 & 15;
    else
        c.space = command >> 3 & 3;
    return c;
}

static bool carriage_valid(uint8_t command)
{
    struct carriage c = printer_carriage(command);
    if (command & 0x80)
        return c.skip >= 1 && c.skip <= 12;
    return (command & 0x60) == 0 && !(c.before && c.space == 0);
}

static struct device_reply print(struct printer *p, const struct device_command *cmd)
{
    uint32_t n = cmd->count < PRINTER_BYTES ? cmd->count : PRINTER_BYTES;
    if (printer_carriage(cmd->code).before)
        n = 0;
    if (!p->sink.write || !p->sink.write(p->sink.arg, cmd->code, cmd->data, n))
        return device_unit_check(&p->dev, SENSE_INTERVENTION_REQUIRED);
    return device_done(n);
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct device_reply reply;
    if (device_common(dev, cmd, false, &reply))
        return reply;
    for (size_t i = 0; i < sizeof set_up / sizeof set_up[0]; i++)
        if (cmd->code == set_up[i].code)
            return device_done(set_up[i].data ? cmd->count : 0);
    if (((cmd->code & 7) == 1 || (cmd->code & 7) == 3) && carriage_valid(cmd->code))
        return print((struct printer *)dev, cmd);
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static const struct device_ops ops = {.model = "printer", .command = command};

struct device *printer_new(uint16_t devno, uint16_t type, const struct unit_record_sink *sink)
{
    struct printer *p = mem_zero(1, sizeof *p);
    p->dev = (struct device){.ops = &ops, .number = devno, .cu_type = type, .dev_type = type};
    p->dev.cu_model = 1;
    p->dev.dev_model = 2;
    p->sink = *sink;
    return &p->dev;
}
