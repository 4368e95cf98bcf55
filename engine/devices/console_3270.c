// SPDX-License-Identifier: MIT
// A 3270's control unit for local attachment (3274): commands, attention, no data stream.
// (3270 Information Display System, Data Stream Programmer's Reference, "Commands".)
#include "devices/console_3270.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/channel.h"

#define AID_NONE     0x60u
#define BUFFER_BYTES 65536u // more than any presentation space with all orders

struct console_3270 {
    struct device dev;
    struct display_3270 display;
    bool connected;
    uint8_t *input; // what READ MODIFIED gives, NULL when the program has it
    size_t input_size;
};

static void forget_input(struct console_3270 *c)
{
    free(c->input);
    c->input = NULL;
    c->input_size = 0;
}

static struct device_reply no_display(struct console_3270 *c)
{
    return device_unit_check(&c->dev, SENSE_INTERVENTION_REQUIRED);
}

static struct device_reply write_stream(struct console_3270 *c, const struct device_command *cmd)
{
    if (!c->display.write(c->display.arg, cmd->code, cmd->data, cmd->count))
        return no_display(c);
    return device_done(cmd->count);
}

// A program that reads though nobody pressed a key gets the AID that says so.
static struct device_reply read_modified(struct console_3270 *c, const struct device_command *cmd)
{
    static const uint8_t nothing[3] = {AID_NONE, 0x40, 0x40};
    if (!c->input)
        return device_give(cmd, nothing, sizeof nothing);
    struct device_reply reply = device_give(cmd, c->input, (uint32_t)c->input_size);
    forget_input(c);
    return reply;
}

static struct device_reply read_buffer(struct console_3270 *c, const struct device_command *cmd)
{
    if (!c->display.read_buffer)
        return read_modified(c, cmd);
    uint32_t size = cmd->count < BUFFER_BYTES ? cmd->count : BUFFER_BYTES;
    return device_done((uint32_t)c->display.read_buffer(c->display.arg, cmd->data, size));
}

static struct device_reply select_command(struct console_3270 *c, const struct device_command *cmd)
{
    (void)c;
    (void)cmd;
    return device_done(0);
}

static const struct {
    uint8_t code;
    struct device_reply (*run)(struct console_3270 *c, const struct device_command *cmd);
} commands[] = {
    {COMMAND_3270_WRITE, write_stream},
    {COMMAND_3270_ERASE_WRITE, write_stream},
    {COMMAND_3270_ERASE_WRITE_ALT, write_stream},
    {COMMAND_3270_ERASE_UNPROTECTED, write_stream},
    {COMMAND_3270_WRITE_STRUCTURED, write_stream},
    {COMMAND_3270_READ_BUFFER, read_buffer},
    {COMMAND_3270_READ_MODIFIED, read_modified},
    {COMMAND_3270_SELECT, select_command},
    {0x1B, select_command}, // select for read modified position, and the other select commands
    {0x2B, select_command},
    {0x3B, select_command},
    {0x4B, select_command},
};

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct console_3270 *c = (struct console_3270 *)dev;
    struct device_reply reply;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].code == cmd->code)
            return c->connected ? commands[i].run(c, cmd) : no_display(c);
    if (device_common(dev, cmd, false, &reply))
        return reply;
    return device_unit_check(dev, SENSE_COMMAND_REJECT);
}

static void reset(struct device *dev)
{
    forget_input((struct console_3270 *)dev);
}

static void free_console(struct device *dev)
{
    forget_input((struct console_3270 *)dev);
    free(dev);
}

static const struct device_ops ops = {
    .model = "3270", .command = command, .reset = reset, .free = free_console};

struct device *console_3270_new(uint16_t devno, unsigned model, const struct display_3270 *display)
{
    struct console_3270 *c = mem_zero(1, sizeof *c);
    c->dev = (struct device){.ops = &ops, .number = devno, .cu_type = 0x3274, .cu_model = 0x1D};
    c->dev.dev_type = 0x3278;
    c->dev.dev_model = (uint8_t)model;
    if (display) {
        c->display = *display;
        c->connected = true;
    }
    return &c->dev;
}

void console_3270_connect(struct device *dev, const struct display_3270 *display)
{
    struct console_3270 *c = (struct console_3270 *)dev;
    bool was_connected = c->connected;
    c->connected = display != NULL;
    c->display = display ? *display : (struct display_3270){0};
    if (!c->connected)
        forget_input(c);
    else if (!was_connected)
        device_attention(dev, STATUS_DEVICE_END);
}

void console_3270_input(struct device *dev, const uint8_t *stream, size_t n)
{
    struct console_3270 *c = (struct console_3270 *)dev;
    if (!c->connected || n == 0 || n > BUFFER_BYTES)
        return;
    forget_input(c);
    c->input = mem_alloc(n);
    c->input_size = n;
    memcpy(c->input, stream, n);
    device_attention(dev, STATUS_ATTENTION);
}
