// SPDX-License-Identifier: MIT
// The FBA control unit: DEFINE EXTENT, LOCATE, READ, WRITE on blocks of 512 bytes.
// (IBM 9336 and 3370 direct access storage descriptions.)
#include "devices/dasd_fba.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "devices/channel.h"

// A 9336's arm and rotation, and how its blocks lie on cylinders.
#define BLOCKS_PER_TRACK      111u
#define BLOCKS_PER_CYLINDER   777u
#define ROTATION              (11100 * TOD_MICROSECOND)
#define SEEK_MINIMUM          (1500 * TOD_MICROSECOND)
#define SEEK_MAXIMUM          (18000 * TOD_MICROSECOND)
#define BYTES_PER_MILLISECOND 4200u

#define MASK_WRITE      0xC0u
#define MASK_WRITE_NONE 0x40u

#define OPERATION_WRITE        0x01u
#define OPERATION_WRITE_VERIFY 0x05u
#define OPERATION_READ         0x06u
#define OPERATION_ZERO         0x08u

#define SENSE1_FILE_PROTECTED  0x04u
#define SENSE1_WRITE_INHIBITED 0x02u

struct dasd_fba {
    struct device dev;
    struct fba_volume *volume;
    struct arm_user user;
    uint32_t first, blocks; // the window
    bool read_only;
    // Of the channel program.
    bool has_extent, located, used_arm, wrote;
    uint8_t mask, operation;
    uint32_t extent_block;              // of the window, of the extent's first block
    uint32_t extent_first, extent_last; // logical numbers, as LOCATE counts
    uint32_t next, left;                // blocks of the window still to transfer
    struct device_command waiting;
    tod_t time, disconnected;
};

typedef struct device_reply fba_command(struct dasd_fba *d, const struct device_command *cmd);

static struct device_reply check(struct dasd_fba *d, uint8_t sense0, uint8_t sense1)
{
    struct device_reply reply = device_unit_check(&d->dev, sense0);
    d->dev.sense[1] = sense1;
    d->located = false;
    return reply;
}

// Arm and half a revolution to block `block` of the window.
static void move(struct dasd_fba *d, uint32_t block)
{
    struct fba_volume *v = d->volume;
    unsigned to = (d->first + block) / BLOCKS_PER_CYLINDER, from = v->arm.position;
    unsigned distance = from > to ? from - to : to - from,
             all = v->blocks / BLOCKS_PER_CYLINDER + 1;
    tod_t time = ROTATION / 2;
    if (distance) {
        double part = sqrt((double)distance / (double)all);
        time += SEEK_MINIMUM + (tod_t)(part * (double)(SEEK_MAXIMUM - SEEK_MINIMUM));
        v->seeks++;
        v->arm.position = to;
    }
    d->time += time;
    d->disconnected += time;
}

static void pass(struct dasd_fba *d, uint64_t bytes)
{
    d->time += bytes * TOD_MILLISECOND / BYTES_PER_MILLISECOND;
}

// DEFINE EXTENT, 16 bytes: mask, 0, block size (2), block on the device (4), first and last block
// as LOCATE will count them (4 each).
static struct device_reply define_extent(struct dasd_fba *d, const struct device_command *cmd)
{
    if (d->has_extent || cmd->count < 16)
        return check(d, SENSE_COMMAND_REJECT, 0);
    uint32_t block = be32_load(cmd->data + 4), first = be32_load(cmd->data + 8),
             last = be32_load(cmd->data + 12);
    if (last < first || block >= d->blocks || last - first >= d->blocks - block)
        return check(d, SENSE_COMMAND_REJECT, SENSE1_FILE_PROTECTED);
    d->has_extent = true;
    d->mask = cmd->data[0];
    d->extent_block = block;
    d->extent_first = first;
    d->extent_last = last;
    return device_done(16);
}

// LOCATE, 8 bytes: operation, replication, block count (2), block (4).
static struct device_reply locate(struct dasd_fba *d, const struct device_command *cmd)
{
    if (cmd->count < 8)
        return check(d, SENSE_COMMAND_REJECT, 0);
    uint8_t operation = cmd->data[0] & 0x0F;
    uint32_t count = be16_load(cmd->data + 2), block = be32_load(cmd->data + 4);
    if (operation != OPERATION_WRITE && operation != OPERATION_WRITE_VERIFY &&
        operation != OPERATION_READ && operation != OPERATION_ZERO)
        return check(d, SENSE_COMMAND_REJECT, 0);
    if (count == 0 || block < d->extent_first || block > d->extent_last ||
        count - 1 > d->extent_last - block)
        return check(d, 0, SENSE1_FILE_PROTECTED);
    d->operation = operation;
    d->next = d->extent_block + (block - d->extent_first);
    d->left = count;
    d->located = true;
    move(d, d->next);
    return device_done(8);
}

// How many bytes this command moves: all that LOCATE announced, or whole blocks of it.
static uint32_t extent_of(const struct dasd_fba *d, const struct device_command *cmd)
{
    uint32_t all = d->left * FBA_BLOCK_BYTES;
    return cmd->count < all && cmd->count % FBA_BLOCK_BYTES == 0 ? cmd->count : all;
}

static void advance(struct dasd_fba *d, uint32_t bytes)
{
    uint32_t blocks = (bytes + FBA_BLOCK_BYTES - 1) / FBA_BLOCK_BYTES;
    d->next += blocks;
    d->left -= blocks;
    d->located = d->left > 0;
    pass(d, bytes);
}

static struct device_reply read_blocks(struct dasd_fba *d, const struct device_command *cmd)
{
    if (!d->located || d->operation != OPERATION_READ)
        return check(d, SENSE_COMMAND_REJECT, 0);
    uint32_t n = extent_of(d, cmd), fits = n < cmd->count ? n : cmd->count;
    uint32_t whole = fits / FBA_BLOCK_BYTES, rest = fits % FBA_BLOCK_BYTES;
    uint8_t block[FBA_BLOCK_BYTES];
    uint32_t at = d->first + d->next;
    if ((whole && fba_volume_read(d->volume, at, cmd->data, whole)) ||
        (rest && fba_volume_read(d->volume, at + whole, block, 1)))
        return check(d, SENSE_EQUIPMENT_CHECK, 0);
    if (rest)
        memcpy(cmd->data + (size_t)whole * FBA_BLOCK_BYTES, block, rest);
    d->volume->reads++;
    d->volume->bytes_read += fits;
    advance(d, n);
    return device_done(n);
}

static int write_zeros(struct dasd_fba *d, uint32_t blocks)
{
    static const uint8_t zero[FBA_BLOCK_BYTES];
    for (uint32_t i = 0; i < blocks; i++)
        if (fba_volume_write(d->volume, d->first + d->next + i, zero, 1))
            return -1;
    return 0;
}

// A last block given in part is filled up with zeros.
static int write_data(struct dasd_fba *d, const struct device_command *cmd, uint32_t n)
{
    uint32_t whole = n / FBA_BLOCK_BYTES, rest = n % FBA_BLOCK_BYTES, at = d->first + d->next;
    if (whole && fba_volume_write(d->volume, at, cmd->data, whole))
        return -1;
    if (!rest)
        return 0;
    uint8_t block[FBA_BLOCK_BYTES] = {0};
    memcpy(block, cmd->data + (size_t)whole * FBA_BLOCK_BYTES, rest);
    return fba_volume_write(d->volume, at + whole, block, 1);
}

static struct device_reply write_blocks(struct dasd_fba *d, const struct device_command *cmd)
{
    if (!d->located || d->operation == OPERATION_READ)
        return check(d, SENSE_COMMAND_REJECT, 0);
    if (d->read_only || d->volume->read_only)
        return check(d, SENSE_COMMAND_REJECT, SENSE1_WRITE_INHIBITED);
    if ((d->mask & MASK_WRITE) == MASK_WRITE_NONE)
        return check(d, SENSE_COMMAND_REJECT, SENSE1_FILE_PROTECTED);
    d->wrote = true;
    d->volume->writes++;
    if (d->operation == OPERATION_ZERO) { // clears the located blocks, takes no data
        if (write_zeros(d, d->left))
            return check(d, SENSE_EQUIPMENT_CHECK, 0);
        advance(d, d->left * FBA_BLOCK_BYTES);
        return device_done(0);
    }
    uint32_t n = extent_of(d, cmd), taken = n < cmd->count ? n : cmd->count;
    if (write_data(d, cmd, taken))
        return check(d, SENSE_EQUIPMENT_CHECK, 0);
    d->volume->bytes_written += taken;
    advance(d, n);
    return device_done(n);
}

static struct device_reply read_ipl(struct dasd_fba *d, const struct device_command *cmd)
{
    uint8_t block[FBA_BLOCK_BYTES];
    move(d, 0);
    if (fba_volume_read(d->volume, d->first, block, 1))
        return check(d, SENSE_EQUIPMENT_CHECK, 0);
    pass(d, sizeof block);
    return device_give(cmd, block, sizeof block);
}

// READ DEVICE CHARACTERISTICS, 32 bytes.
static struct device_reply characteristics(struct dasd_fba *d, const struct device_command *cmd)
{
    uint8_t c[32] = {0x30, 0x08, 0x21, 0x11}; // data chaining; movable heads; class, type
    be16_store(c + 4, FBA_BLOCK_BYTES);
    be32_store(c + 6, BLOCKS_PER_TRACK);
    be32_store(c + 10, BLOCKS_PER_CYLINDER);
    be32_store(c + 14, d->blocks);
    return device_give(cmd, c, sizeof c);
}

static struct device_reply read_log(struct dasd_fba *d, const struct device_command *cmd)
{
    static const uint8_t log[24];
    (void)d;
    return device_give(cmd, log, sizeof log);
}

static const struct {
    uint8_t code;
    bool needs_arm;
    fba_command *run;
} commands[] = {
    {0x02, true, read_ipl},  {0x41, true, write_blocks},   {0x42, true, read_blocks},
    {0x43, true, locate},    {0x63, false, define_extent}, {0x64, false, characteristics},
    {0xA4, false, read_log},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static size_t command_index(uint8_t code)
{
    size_t i = 0;
    while (i < COMMANDS && commands[i].code != code)
        i++;
    return i;
}

static struct device_reply run(struct dasd_fba *d, const struct device_command *cmd, size_t i)
{
    d->time = d->disconnected = 0;
    d->used_arm |= commands[i].needs_arm;
    struct device_reply reply = commands[i].run(d, cmd);
    reply.time = d->time;
    reply.disconnected = d->disconnected;
    d->volume->connect += d->time - d->disconnected;
    d->volume->disconnect += d->disconnected;
    return reply;
}

static void granted(struct arm_user *user)
{
    struct dasd_fba *d = (struct dasd_fba *)((char *)user - offsetof(struct dasd_fba, user));
    struct device_reply reply = run(d, &d->waiting, command_index(d->waiting.code));
    reply.waited = clock_now(device_host(&d->dev)->clock) - user->since;
    d->volume->pending += reply.waited;
    device_complete(&d->dev, reply);
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct dasd_fba *d = (struct dasd_fba *)dev;
    struct device_reply reply;
    size_t i = command_index(cmd->code);
    if (i == COMMANDS) {
        if (device_common(dev, cmd, false, &reply))
            return reply;
        return check(d, SENSE_COMMAND_REJECT, 0);
    }
    const struct css_host *host = device_host(dev);
    if (commands[i].needs_arm && !arm_take(&d->volume->arm, &d->user, host->events, host->clock)) {
        d->waiting = *cmd;
        return (struct device_reply){.pending = true};
    }
    return run(d, cmd, i);
}

static void begin(struct device *dev)
{
    struct dasd_fba *d = (struct dasd_fba *)dev;
    d->has_extent = d->located = d->used_arm = d->wrote = false;
    d->mask = 0;
    d->extent_block = d->extent_first = 0;
    d->extent_last = d->blocks - 1;
}

static void halt(struct device *dev)
{
    struct dasd_fba *d = (struct dasd_fba *)dev;
    arm_release(&d->volume->arm, &d->user);
}

static void end(struct device *dev)
{
    struct dasd_fba *d = (struct dasd_fba *)dev;
    halt(dev);
    d->volume->ssch += d->used_arm;
    if (d->wrote && d->volume->fd >= 0 && fdatasync(d->volume->fd) == 0)
        d->volume->unsynced = false;
    d->used_arm = d->wrote = false;
}

static void free_device(struct device *dev)
{
    halt(dev);
    free(dev);
}

static const struct device_ops ops = {.model = "9336",
                                      .begin = begin,
                                      .end = end,
                                      .command = command,
                                      .halt = halt,
                                      .reset = halt,
                                      .free = free_device};

struct device *dasd_fba_new(uint16_t devno, struct fba_volume *volume, uint32_t first_block,
                            uint32_t blocks, bool read_only)
{
    if (blocks == 0 || blocks > volume->blocks || first_block > volume->blocks - blocks)
        return NULL;
    struct dasd_fba *d = mem_zero(1, sizeof *d);
    d->dev = (struct device){.ops = &ops,
                             .number = devno,
                             .cu_type = 0x6310,
                             .cu_model = 0x80,
                             .dev_type = 0x9336,
                             .dev_model = 0x10};
    d->volume = volume;
    d->user.granted = granted;
    d->first = first_block;
    d->blocks = blocks;
    d->read_only = read_only;
    begin(&d->dev);
    return &d->dev;
}
