// SPDX-License-Identifier: MIT
// A device that does as it is told, and a fixture with one. Include after cmocka.h.
#ifndef ENDICOTT_TESTS_DEVICES_PUPPET_H
#define ENDICOTT_TESTS_DEVICES_PUPPET_H

#include <stdlib.h>

#include "devices/rig.h"

// Reads give bytes 0, 1, 2...; command codes choose what else happens.
enum {
    TAKE = 0x01,    // writes: takes everything
    GIVE = 0x02,    // gives `give` bytes
    SLOW = 0x12,    // gives them after a millisecond
    WAIT = 0x22,    // pending
    MODIFY = 0x07,  // control: status modifier
    REFUSE = 0x0B,  // unit check
    CE_ONLY = 0x13, // channel end, device end comes later
    BUSY = 0x1B,
};

struct puppet {
    struct device dev;
    uint32_t give;
    uint8_t taken[256];
    uint32_t count;
    unsigned commands, begins, ends, halts, indexes[64];
};

static inline struct device_reply give(struct puppet *p, const struct device_command *cmd)
{
    for (uint32_t i = 0; i < cmd->count && i < p->give; i++)
        cmd->data[i] = (uint8_t)i;
    return device_done(p->give);
}

static inline struct device_reply puppet_command(struct device *dev,
                                                 const struct device_command *cmd)
{
    struct puppet *p = (struct puppet *)dev;
    struct device_reply reply;
    if (p->commands < 64)
        p->indexes[p->commands] = cmd->index;
    p->commands++;
    p->count = cmd->count;
    switch (cmd->code) {
    case TAKE:
        memcpy(p->taken, cmd->data, cmd->count < sizeof p->taken ? cmd->count : sizeof p->taken);
        return device_done(cmd->count);
    case GIVE:
        return give(p, cmd);
    case SLOW:
        reply = give(p, cmd);
        reply.time = TOD_MILLISECOND;
        return reply;
    case WAIT:
        return (struct device_reply){.pending = true};
    case MODIFY:
        return (struct device_reply){.status = STATUS_NORMAL | STATUS_MODIFIER};
    case CE_ONLY:
        return (struct device_reply){.status = STATUS_CHANNEL_END};
    case BUSY:
        return (struct device_reply){.status = STATUS_BUSY};
    default:
        if (device_common(dev, cmd, false, &reply))
            return reply;
        return device_unit_check(dev, SENSE_COMMAND_REJECT);
    }
}

static inline void puppet_begin(struct device *dev)
{
    ((struct puppet *)dev)->begins++;
}

static inline void puppet_end(struct device *dev)
{
    ((struct puppet *)dev)->ends++;
}

static inline void puppet_halt(struct device *dev)
{
    ((struct puppet *)dev)->halts++;
}

static const struct device_ops puppet_ops = {.model = "puppet",
                                             .begin = puppet_begin,
                                             .end = puppet_end,
                                             .command = puppet_command,
                                             .halt = puppet_halt};

static inline struct device *puppet_new(uint16_t devno)
{
    struct puppet *p = mem_zero(1, sizeof *p);
    p->dev =
        (struct device){.ops = &puppet_ops, .number = devno, .cu_type = 0x1234, .dev_type = 0x5678};
    p->give = 10;
    return &p->dev;
}

struct fixture {
    struct rig rig;
    struct puppet *puppet;
    uint32_t sid;
    struct irb irb;
};

static inline int set_up(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_open(&f->rig);
    struct device *dev = puppet_new(0x500);
    f->puppet = (struct puppet *)dev;
    f->sid = rig_add(&f->rig, dev, 1);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    rig_close(&f->rig);
    free(f);
    return 0;
}

static inline void run(struct fixture *f, uint32_t orb1)
{
    assert_int_equal(rig_run_orb(&f->rig, f->sid, orb1, &f->irb), 0);
}

static inline void expect(const struct fixture *f, unsigned status, unsigned channel,
                          unsigned residual, uint32_t ccw)
{
    assert_int_equal(f->irb.status, status);
    assert_int_equal(f->irb.channel, channel);
    assert_int_equal(f->irb.residual, residual);
    assert_int_equal(f->irb.ccw, ccw);
}

static inline unsigned byte_at(struct fixture *f, uint32_t address)
{
    uint8_t byte;
    rig_get(&f->rig, address, &byte, 1);
    return byte;
}

#endif
