// SPDX-License-Identifier: MIT
// What a device model implements: a control unit that is handed commands with data and answers
// with status, sense and the time it took. The channel subsystem (devices/channel.h) does the rest.
// All of it runs under the system lock.
#ifndef ENDICOTT_DEVICES_DEVICE_H
#define ENDICOTT_DEVICES_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

struct device;
struct subchannel;

// Device status (Principles of Operation, "Device-Status Field").
#define STATUS_ATTENTION        0x80u
#define STATUS_MODIFIER         0x40u
#define STATUS_CONTROL_UNIT_END 0x20u
#define STATUS_BUSY             0x10u
#define STATUS_CHANNEL_END      0x08u
#define STATUS_DEVICE_END       0x04u
#define STATUS_UNIT_CHECK       0x02u
#define STATUS_UNIT_EXCEPTION   0x01u
#define STATUS_NORMAL           (STATUS_CHANNEL_END | STATUS_DEVICE_END)

// Sense byte 0.
#define SENSE_COMMAND_REJECT        0x80u
#define SENSE_INTERVENTION_REQUIRED 0x40u
#define SENSE_BUS_OUT_CHECK         0x20u
#define SENSE_EQUIPMENT_CHECK       0x10u
#define SENSE_DATA_CHECK            0x08u
#define SENSE_OVERRUN               0x04u

// Command code to kind of transfer, from the low-order bits (Principles of Operation, "Command
// Code"): write xxxxxx01, read xxxxxx10, control xxxxxx11, sense xxxx0100, read backward xxxx1100.
enum transfer { TRANSFER_NONE, TRANSFER_TO_DEVICE, TRANSFER_FROM_DEVICE };
enum transfer device_transfer(uint8_t command);

struct device_command {
    uint8_t code;
    uint8_t flags;    // CCW flags byte, for models that look at chaining
    uint8_t *data;    // to the device: `count` bytes given; from it: room for `count` bytes;
                      // stays valid until a `pending` command completes
    uint32_t count;   // bytes of the CCW, data chaining added up
    unsigned index;   // 0 for the first command of the channel program
    uint8_t previous; // command code before this one in the chain, 0 when first
};

struct device_reply {
    uint8_t status;       // 0 together with `pending`
    uint32_t transferred; // bytes used or given; the channel works out residual and length check.
                          // More than `count` means: the device had, or wanted, that much
    tod_t time;           // until this command's ending status, beyond the previous one
    tod_t disconnected;   // part of `time` in which the device did not need its channel path
    tod_t waited;         // spent while pending, before this reply, for a shared resource
    bool pending;         // no status yet: device_complete() will bring it
};

struct device_ops {
    const char *model; // "3390", "3215", ...
    // A channel program begins (index 0 comes next) and has ended (all status presented). A model
    // must not detach itself, or start I/O, from inside any of these functions.
    void (*begin)(struct device *dev);
    void (*end)(struct device *dev);
    struct device_reply (*command)(struct device *dev, const struct device_command *cmd);
    // HALT or CLEAR SUBCHANNEL while a command is pending: give up what waits.
    void (*halt)(struct device *dev);
    // System reset: forget reserve, mode and position.
    void (*reset)(struct device *dev);
    void (*free)(struct device *dev);
};

#define SENSE_BYTES 32

// Embedded as the first member of each model's own struct.
struct device {
    const struct device_ops *ops;
    struct subchannel *subchannel; // set by css_attach
    uint16_t number;               // device number
    uint16_t cu_type, dev_type;    // SENSE ID
    uint8_t cu_model, dev_model;
    uint8_t sense[SENSE_BYTES];
    // SENSE ID command information words, up to four, 0 = none.
    uint32_t ciw[4];
    // Counters since attach.
    uint64_t starts; // accepted start functions
    uint64_t bytes;  // moved, both ways
    tod_t connect, disconnect, pending_time;
    // Path group (SET PATH GROUP ID): the identifier, and the state byte of SENSE PATH GROUP ID.
    uint8_t path_group[11];
    uint8_t path_state;
};

// Commands common to all models: NO-OP (03), BASIC SENSE (04), SENSE ID (E4), SET/SENSE PATH GROUP
// ID where `path_groups`. True when handled. Models call it for what they do not know.
bool device_common(struct device *dev, const struct device_command *cmd, bool path_groups,
                   struct device_reply *reply);
// Answers a read-type command with these bytes: as many as fit, CE + DE.
struct device_reply device_give(const struct device_command *cmd, const void *bytes, uint32_t n);
// CE + DE for a command that used or gave `transferred` bytes and took no time.
struct device_reply device_done(uint32_t transferred);
// Unit check with this sense byte 0 (the rest zero).
struct device_reply device_unit_check(struct device *dev, uint8_t sense0);

#endif
