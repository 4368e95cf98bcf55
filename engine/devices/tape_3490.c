// SPDX-License-Identifier: MIT
// 3490 commands (IBM 3490 Magnetic Tape Subsystem, Hardware Reference): reading and writing,
// motion, block ids, assignment. A tape mark is a unit exception; what goes wrong has an error
// recovery action in sense byte 3.
//
//   sense  0  command reject, intervention required, ...   1  below   3  recovery action   4-7
//   block id
#include "devices/tape_3490.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "devices/channel.h"

// Sense byte 1.
#define SENSE1_ONLINE     0x40u
#define SENSE1_BEGINNING  0x08u
#define SENSE1_WRITE_MODE 0x04u
#define SENSE1_PROTECTED  0x02u
#define SENSE1_LOCATE     0x80u // it failed

// Sense byte 3.
#define ERA_COMMAND_REJECT 0x27u
#define ERA_PROTECTED      0x30u
#define ERA_VOID           0x31u // nothing was ever written here
#define ERA_END_OF_TAPE    0x38u
#define ERA_AT_BEGINNING   0x39u // moving back from the beginning
#define ERA_INTERVENTION   0x43u
#define ERA_EQUIPMENT      0x2Cu
#define ERA_READ_CHECK     0x23u

// A cartridge, and the drive: bytes to its logical end, what is left behind it, milliseconds and
// speed.
#define CAPACITY         UINT64_C(800000000)
#define RESERVE          UINT64_C(1000000)
#define BYTES_PER_MS     3000u
#define BLOCK_TIME       (500 * TOD_MICROSECOND)
#define MARK_TIME        (20 * TOD_MILLISECOND)
#define REWIND_TIME_FULL (48 * TOD_SECOND)

struct tape {
    struct device dev;
    struct tape_image *image; // NULL: unloaded
    bool writing, assigned;
};

static struct tape *of(struct device *dev)
{
    return (struct tape *)dev;
}

static void general_sense(struct tape *t)
{
    uint8_t *s = t->dev.sense;
    s[1] |= SENSE1_ONLINE;
    if (!t->image)
        return;
    s[1] |= (tape_image_place(t->image) == 0 ? SENSE1_BEGINNING : 0) |
            (t->writing ? SENSE1_WRITE_MODE : 0) |
            (tape_image_read_only(t->image) ? SENSE1_PROTECTED : 0);
    be32_store(s + 4, tape_image_block(t->image));
}

static struct device_reply check(struct tape *t, uint8_t sense0, uint8_t action)
{
    struct device_reply reply = device_unit_check(&t->dev, sense0);
    t->dev.sense[3] = action;
    general_sense(t);
    return reply;
}

static tod_t transfer_time(uint32_t n)
{
    return BLOCK_TIME + n * TOD_MILLISECOND / BYTES_PER_MS;
}

static struct device_reply ended(uint8_t more, uint32_t n, tod_t time)
{
    return (struct device_reply){.status = (uint8_t)(STATUS_NORMAL | more),
                                 .transferred = n,
                                 .time = time,
                                 .disconnected = n ? 0 : time};
}

// --- reading and moving over ------------------------------------------------------------

static struct device_reply found_other(struct tape *t, enum tape_found found, bool back)
{
    if (found == TAPE_MARK)
        return ended(STATUS_UNIT_EXCEPTION, 0, MARK_TIME);
    if (found == TAPE_DAMAGED)
        return check(t, SENSE_DATA_CHECK, ERA_READ_CHECK);
    return back ? check(t, 0, ERA_AT_BEGINNING) : check(t, SENSE_DATA_CHECK, ERA_VOID);
}

static struct device_reply read_forward(struct tape *t, const struct device_command *cmd)
{
    uint32_t n;
    enum tape_found found = tape_image_read(t->image, cmd->data, cmd->count, &n);
    if (found != TAPE_DATA)
        return found_other(t, found, false);
    return ended(0, n, transfer_time(n));
}

static struct device_reply space(struct tape *t, bool back, bool file)
{
    uint32_t n;
    tod_t time = 0;
    enum tape_found found;
    do {
        found = back ? tape_image_back(t->image, &n) : tape_image_read(t->image, NULL, 0, &n);
        time += transfer_time(n);
    } while (file && found == TAPE_DATA);
    if (found == TAPE_DATA || (file && found == TAPE_MARK))
        return ended(0, 0, time);
    return found_other(t, found, back);
}

static struct device_reply forward_block(struct tape *t, const struct device_command *cmd)
{
    (void)cmd;
    return space(t, false, false);
}

static struct device_reply back_block(struct tape *t, const struct device_command *cmd)
{
    (void)cmd;
    return space(t, true, false);
}

static struct device_reply forward_file(struct tape *t, const struct device_command *cmd)
{
    (void)cmd;
    return space(t, false, true);
}

static struct device_reply back_file(struct tape *t, const struct device_command *cmd)
{
    (void)cmd;
    return space(t, true, true);
}

static tod_t rewind_time(const struct tape *t)
{
    return REWIND_TIME_FULL * (tape_image_place(t->image) / 1024) / (CAPACITY / 1024);
}

static struct device_reply rewind_tape(struct tape *t, const struct device_command *cmd)
{
    (void)cmd;
    tod_t time = rewind_time(t);
    tape_image_rewind(t->image);
    return ended(0, 0, time);
}

static struct device_reply unload(struct tape *t, const struct device_command *cmd)
{
    struct device_reply reply = rewind_tape(t, cmd);
    t->image = NULL;
    return reply;
}

// --- writing ----------------------------------------------------------------------------

static struct device_reply written(struct tape *t, bool good, uint32_t n, tod_t time)
{
    if (!good)
        return check(t, SENSE_EQUIPMENT_CHECK, ERA_EQUIPMENT);
    // Near its end the tape says so, and still takes a little.
    return ended(tape_image_place(t->image) > CAPACITY ? STATUS_UNIT_EXCEPTION : 0, n, time);
}

static bool may_write(struct tape *t, struct device_reply *bad)
{
    if (tape_image_read_only(t->image))
        *bad = check(t, SENSE_COMMAND_REJECT, ERA_PROTECTED);
    else if (tape_image_place(t->image) > CAPACITY + RESERVE)
        *bad = check(t, SENSE_EQUIPMENT_CHECK, ERA_END_OF_TAPE);
    else
        return true;
    return false;
}

static struct device_reply write_block(struct tape *t, const struct device_command *cmd)
{
    struct device_reply bad;
    if (!may_write(t, &bad))
        return bad;
    if (cmd->count > TAPE_BLOCK_MAX)
        return check(t, SENSE_COMMAND_REJECT, ERA_COMMAND_REJECT);
    bool good = tape_image_write(t->image, cmd->data, cmd->count);
    return written(t, good, cmd->count, transfer_time(cmd->count));
}

static struct device_reply write_mark(struct tape *t, const struct device_command *cmd)
{
    struct device_reply bad;
    (void)cmd;
    return may_write(t, &bad) ? written(t, tape_image_write_mark(t->image), 0, MARK_TIME) : bad;
}

static struct device_reply erase_gap(struct tape *t, const struct device_command *cmd)
{
    struct device_reply bad;
    (void)cmd;
    return may_write(t, &bad) ? ended(0, 0, MARK_TIME) : bad;
}

static struct device_reply erase_all(struct tape *t, const struct device_command *cmd)
{
    struct device_reply bad;
    (void)cmd;
    return may_write(t, &bad) ? written(t, tape_image_erase(t->image), 0, REWIND_TIME_FULL) : bad;
}

// --- block ids, modes -------------------------------------------------------------------------

static struct device_reply read_block_id(struct tape *t, const struct device_command *cmd)
{
    uint8_t
        ids[8]; // of the channel's side and of the medium's, which are the same without a buffer
    be32_store(ids, tape_image_block(t->image));
    be32_store(ids + 4, tape_image_block(t->image));
    return device_give(cmd, ids, sizeof ids);
}

#define BLOCK_NUMBER 0x3FFFFFu // the rest of a block id says where on the medium it is

static struct device_reply locate(struct tape *t, const struct device_command *cmd)
{
    uint32_t n;
    if (cmd->count < 4)
        return check(t, SENSE_COMMAND_REJECT, ERA_COMMAND_REJECT);
    uint32_t block = be32_load(cmd->data) & BLOCK_NUMBER;
    tape_image_rewind(t->image);
    while (tape_image_block(t->image) < block) {
        enum tape_found found = tape_image_read(t->image, NULL, 0, &n);
        if (found == TAPE_DATA || found == TAPE_MARK)
            continue;
        struct device_reply reply = check(t, 0, 0x44); // "locate block unsuccessful"
        t->dev.sense[1] |= SENSE1_LOCATE;
        return reply;
    }
    struct device_reply reply = ended(0, 4, rewind_time(t) + MARK_TIME);
    return reply;
}

static struct device_reply take(struct tape *t, const struct device_command *cmd)
{
    (void)t; // modes, messages of the display, buffers that are empty anyway
    return device_done(cmd->count);
}

static struct device_reply assign(struct tape *t, const struct device_command *cmd)
{
    t->assigned = cmd->code == 0xB7;
    return device_done(cmd->count);
}

// READ DEVICE CHARACTERISTICS: control unit and device, as SENSE ID has them.
static struct device_reply characteristics(struct tape *t, const struct device_command *cmd)
{
    uint8_t bytes[64] = {0};
    be16_store(bytes, t->dev.cu_type);
    bytes[2] = t->dev.cu_model;
    be16_store(bytes + 3, t->dev.dev_type);
    bytes[5] = t->dev.dev_model;
    bytes[10] = 0x80; // device class: tape
    return device_give(cmd, bytes, sizeof bytes);
}

// --- the table ---------------------------------------------------------------------------------

static const struct command_row {
    uint8_t code;
    bool ready; // wants a tape
    bool writes;
    struct device_reply (*run)(struct tape *t, const struct device_command *cmd);
} rows[] = {
    {0x01, true, true, write_block},
    {0x02, true, false, read_forward},
    {0x07, true, false, rewind_tape},
    {0x0F, true, false, unload},
    {0x17, true, true, erase_gap},
    {0x1F, true, true, write_mark},
    {0x27, true, false, back_block},
    {0x2F, true, false, back_file},
    {0x37, true, false, forward_block},
    {0x3F, true, false, forward_file},
    {0x22, true, false, read_block_id},
    {0x4F, true, false, locate},
    {0x97, true, true, erase_all},
    {0x43, true, false, take},
    {0xDB, false, false, take},
    {0x9F, false, false, take},
    {0xB7, false, false, assign},
    {0xC7, false, false, assign},
    {0x64, false, false, characteristics},
};

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct tape *t = of(dev);
    struct device_reply reply;
    if (cmd->code == 0x04) { // SENSE, with what is always said
        general_sense(t);
        device_common(dev, cmd, true, &reply);
        return reply;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code != cmd->code)
            continue;
        if (rows[i].ready && !t->image)
            return check(t, SENSE_INTERVENTION_REQUIRED, ERA_INTERVENTION);
        t->writing = rows[i].writes;
        return rows[i].run(t, cmd);
    }
    if (device_common(dev, cmd, true, &reply))
        return reply;
    return check(t, SENSE_COMMAND_REJECT, ERA_COMMAND_REJECT);
}

static void reset(struct device *dev)
{
    of(dev)->assigned = of(dev)->writing = false;
}

static const struct device_ops ops = {.model = "3490", .command = command, .reset = reset};

struct device *tape_3490_new(uint16_t devno, struct tape_image *tape)
{
    struct tape *t = mem_zero(1, sizeof *t);
    t->dev = (struct device){.ops = &ops,
                             .number = devno,
                             .cu_type = 0x3490,
                             .cu_model = 0x10,
                             .dev_type = 0x3490,
                             .dev_model = 0x40,
                             .ciw = {0x40640040}}; // READ DEVICE CHARACTERISTICS: 64, 64 bytes
    t->image = tape;
    return &t->dev;
}

bool tape_3490_loaded(const struct device *dev)
{
    return ((const struct tape *)dev)->image != NULL;
}
