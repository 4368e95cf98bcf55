// SPDX-License-Identifier: MIT
// The CKD control unit: the table of its commands, the turn on the arm, sense.
#include "devices/dasd_ckd.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "devices/dasd_ckd_state.h"

#define MULTITRACK_BIT 0x80u

// What a command needs and where it may occur.
enum {
    NEEDS_ARM = 1,
    MULTI = 2,     // also with the multitrack bit
    IN_DOMAIN = 4, // counts in a LOCATE RECORD domain; others are not allowed there
};

static const struct {
    uint8_t code, needs;
    ckd_command *run;
} commands[] = {
    {0x02, NEEDS_ARM, ckd_read_ipl},
    {0x05, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_write_data},
    {0x06, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_data},
    {0x07, NEEDS_ARM, ckd_seek},
    {0x0B, NEEDS_ARM, ckd_seek_cylinder},
    {0x0D, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_write_key_data},
    {0x0E, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_key_data},
    {0x11, NEEDS_ARM | IN_DOMAIN, ckd_erase},
    {0x12, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_count},
    {0x13, NEEDS_ARM, ckd_recalibrate},
    {0x14, 0, ckd_reserve},
    {0x15, NEEDS_ARM | IN_DOMAIN, ckd_write_zero},
    {0x16, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_zero},
    {0x19, NEEDS_ARM, ckd_write_home},
    {0x1A, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_home},
    {0x1B, NEEDS_ARM, ckd_seek_head},
    {0x1D, NEEDS_ARM | IN_DOMAIN, ckd_write_ckd},
    {0x1E, NEEDS_ARM | MULTI | IN_DOMAIN, ckd_read_ckd},
    {0x1F, 0, ckd_set_file_mask},
    {0x22, 0, ckd_read_sector},
    {0x23, NEEDS_ARM, ckd_set_sector},
    {0x27, 0, ckd_subsystem_function},
    {0x29, NEEDS_ARM | MULTI, ckd_search_key},
    {0x31, NEEDS_ARM | MULTI, ckd_search_id},
    {0x39, NEEDS_ARM | MULTI, ckd_search_home},
    {0x3E, 0, ckd_read_subsystem},
    {0x47, NEEDS_ARM, ckd_locate_record},
    {0x49, NEEDS_ARM | MULTI, ckd_search_key},
    {0x51, NEEDS_ARM | MULTI, ckd_search_id},
    {0x5E, NEEDS_ARM | IN_DOMAIN, ckd_read_multiple},
    {0x63, 0, ckd_define_extent},
    {0x64, 0, ckd_characteristics},
    {0x69, NEEDS_ARM | MULTI, ckd_search_key},
    {0x71, NEEDS_ARM | MULTI, ckd_search_id},
    {0x94, 0, ckd_release},
    {0x9D, NEEDS_ARM | IN_DOMAIN, ckd_write_ckd_next},
    {0xA4, 0, ckd_read_log},
    {0xB4, 0, ckd_reserve},
    {0xDE, NEEDS_ARM | IN_DOMAIN, ckd_read_track},
    {0xFA, 0, ckd_configuration},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static size_t command_index(uint8_t code)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].code == code ||
            ((commands[i].needs & MULTI) && (commands[i].code | MULTITRACK_BIT) == code))
            return i;
    return COMMANDS;
}

// Sense of 24 bytes, format 0: byte 4 the device, 5 and 6 the track, 7 format and message.
struct device_reply ckd_check(struct dasd_ckd *d, uint8_t sense0, uint8_t sense1, uint8_t message)
{
    struct device_reply reply = device_unit_check(&d->dev, sense0);
    uint8_t *s = d->dev.sense;
    s[1] = sense1;
    s[4] = (uint8_t)d->dev.number;
    s[5] = (uint8_t)d->cylinder;
    s[6] = (uint8_t)((d->cylinder >> 4 & 0xF0) | (d->head & 0x0F));
    s[7] = message;
    d->domain = 0;
    return reply;
}

// Another device has reserved cylinders that overlap ours.
static bool reserved_by_other(const struct dasd_ckd *d)
{
    const struct dasd_ckd *o = (const struct dasd_ckd *)d->volume->reserved_by;
    return o && o != d && o->first < d->first + d->cylinders && d->first < o->first + o->cylinders;
}

void ckd_end_reservation(struct dasd_ckd *d)
{
    if (d->volume->reserved_by != &d->dev)
        return;
    d->volume->reserved_by = NULL;
    for (struct dasd_ckd *o = d->volume->devices; o; o = o->next) {
        if (o->owes_device_end)
            device_attention(&o->dev, STATUS_DEVICE_END);
        o->owes_device_end = false;
    }
}

static void account(struct dasd_ckd *d, const struct device_reply *reply)
{
    d->volume->connect += reply->time - reply->disconnected;
    d->volume->disconnect += reply->disconnected;
}

static struct device_reply run(struct dasd_ckd *d, const struct device_command *cmd, size_t i)
{
    struct device_reply reply;
    if (d->domain && !(commands[i].needs & IN_DOMAIN))
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_SEQUENCE);
    d->time = d->disconnected = 0;
    reply = commands[i].run(d, cmd);
    if (d->domain && (commands[i].needs & IN_DOMAIN))
        d->domain--;
    reply.time = d->time;
    reply.disconnected = d->disconnected;
    account(d, &reply);
    return reply;
}

// Our turn on the arm has come: the command that waited for it is done now.
static void granted(struct arm_user *user)
{
    struct dasd_ckd *d = (struct dasd_ckd *)((char *)user - offsetof(struct dasd_ckd, user));
    d->used_arm = true;
    struct device_reply reply = run(d, &d->waiting, command_index(d->waiting.code));
    reply.waited = clock_now(device_host(&d->dev)->clock) - user->since;
    d->volume->pending += reply.waited;
    device_complete(&d->dev, reply);
}

static struct device_reply busy(struct dasd_ckd *d)
{
    d->owes_device_end = true;
    return (struct device_reply){.status = STATUS_BUSY};
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev;
    struct device_reply reply;
    // UNCONDITIONAL RESERVE breaks another's reservation; nothing else gets past it.
    if (reserved_by_other(d) && cmd->code != 0x14 && (cmd->code & 0x0F) != 0x04)
        return busy(d);
    size_t i = command_index(cmd->code);
    if (i == COMMANDS) {
        if (device_common(dev, cmd, true, &reply))
            return reply;
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_COMMAND);
    }
    const struct css_host *host = device_host(dev);
    if ((commands[i].needs & NEEDS_ARM) &&
        !arm_take(&d->volume->arm, &d->user, host->events, host->clock)) {
        d->waiting = *cmd;
        return (struct device_reply){.pending = true};
    }
    d->used_arm |= arm_held_by(&d->volume->arm, &d->user);
    return run(d, cmd, i);
}

static void begin(struct device *dev)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev;
    d->area = AREA_NONE;
    d->record = 0;
    d->on_track_time = d->index_passed = d->found = d->home_found = false;
    d->used_arm = d->has_mask = d->has_extent = d->wrote = false;
    d->mask = 0;
    d->domain = 0;
    d->prepared = 0;
    d->sector = 0;
}

static void end(struct device *dev)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev;
    arm_release(&d->volume->arm, &d->user);
    if (d->used_arm)
        d->volume->ssch++;
    // Before the program hears of the end, what it wrote is made durable.
    if (d->wrote && dasd_image_sync(d->volume->image) != 0)
        LOG(IO, "%04X: image cannot be synchronised", dev->number);
    d->wrote = d->used_arm = false;
}

static void halt(struct device *dev)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev;
    arm_release(&d->volume->arm, &d->user);
}

static void reset(struct device *dev)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev;
    arm_release(&d->volume->arm, &d->user);
    d->owes_device_end = false;
    ckd_end_reservation(d);
    d->cylinder = d->head = 0;
    begin(dev);
}

static void free_device(struct device *dev)
{
    struct dasd_ckd *d = (struct dasd_ckd *)dev, **at = &d->volume->devices;
    reset(dev);
    while (*at != d)
        at = &(*at)->next;
    *at = d->next;
    free(dev);
}

static const struct device_ops ops = {.model = "3390",
                                      .begin = begin,
                                      .end = end,
                                      .command = command,
                                      .halt = halt,
                                      .reset = reset,
                                      .free = free_device};
static const struct device_ops ops_3380 = {.model = "3380",
                                           .begin = begin,
                                           .end = end,
                                           .command = command,
                                           .halt = halt,
                                           .reset = reset,
                                           .free = free_device};

// Command information words of SENSE ID: type, command, count.
#define CIW(type, code, count) \
    (0x40000000u | (uint32_t)(type) << 24 | (uint32_t)(code) << 16 | (count))

struct device *dasd_ckd_new(uint16_t devno, struct dasd_volume *volume, unsigned first_cylinder,
                            unsigned cylinders, bool read_only)
{
    unsigned all = dasd_image_cylinders(volume->image);
    if (cylinders == 0 || cylinders > all || first_cylinder > all - cylinders)
        return NULL;
    struct dasd_ckd *d = mem_zero(1, sizeof *d);
    const struct dasd_model *m = volume->model;
    d->dev = (struct device){.ops = m->type == 0x3380 ? &ops_3380 : &ops,
                             .number = devno,
                             .cu_type = 0x3990,
                             .cu_model = 0xE9,
                             .dev_type = m->type,
                             .dev_model = m->model,
                             .ciw = {CIW(0, 0xFA, 256)}};
    d->volume = volume;
    d->next = volume->devices;
    volume->devices = d;
    d->user.granted = granted;
    d->first = first_cylinder;
    d->cylinders = cylinders;
    d->read_only = read_only;
    return &d->dev;
}

struct dasd_volume *dasd_ckd_volume(const struct device *dev)
{
    return ((const struct dasd_ckd *)dev)->volume;
}

unsigned dasd_ckd_cylinders(const struct device *dev)
{
    return ((const struct dasd_ckd *)dev)->cylinders;
}

bool dasd_ckd_read_only(const struct device *dev)
{
    return ((const struct dasd_ckd *)dev)->read_only;
}

void dasd_ckd_set_read_only(struct device *dev, bool read_only)
{
    ((struct dasd_ckd *)dev)->read_only = read_only;
}
