// SPDX-License-Identifier: MIT
// The 3215 console's control unit: WRITE 01 and 09, READ INQUIRY 0A, ALARM 0B.
#include "devices/console_3215.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/channel.h"

#define LINE_BYTES 256
#define NEW_LINE   0x15u

#define WRITE        0x01u
#define WRITE_RETURN 0x09u
#define READ_INQUIRY 0x0Au
#define ALARM        0x0Bu

struct line {
    uint16_t length;
    uint8_t text[LINE_BYTES];
};

struct console_3215 {
    struct device dev;
    struct console_sink sink;
    const struct codepage *page;
    struct line line[CONSOLE_3215_LINES]; // typed and not yet read, a ring
    unsigned first, lines;
    bool reading;
    uint8_t *read_data;
    uint32_t read_count;
};

static void set_reading(struct console_3215 *c, bool reading)
{
    if (c->reading == reading)
        return;
    c->reading = reading;
    if (c->sink.reading)
        c->sink.reading(c->sink.arg, reading);
}

static void put(const struct console_3215 *c, const uint8_t *text, size_t n, bool newline)
{
    if (!c->sink.output)
        return;
    size_t size = n * 4 + 1;
    char *utf8 = mem_alloc(size);
    ebcdic_to_utf8(c->page, text, n, utf8, size);
    c->sink.output(c->sink.arg, utf8, newline);
    free(utf8);
}

static struct device_reply write_text(struct console_3215 *c, const struct device_command *cmd)
{
    const uint8_t *text = cmd->data, *end = cmd->data + cmd->count;
    for (const uint8_t *p = text; p < end; p++) {
        if (*p != NEW_LINE)
            continue;
        put(c, text, (size_t)(p - text), true);
        text = p + 1;
    }
    if (cmd->code == WRITE_RETURN)
        put(c, text, (size_t)(end - text), true);
    else if (text < end)
        put(c, text, (size_t)(end - text), false);
    return device_done(cmd->count);
}

// Moves the oldest line to the program's buffer.
static struct device_reply give_line(struct console_3215 *c, uint8_t *data, uint32_t count)
{
    const struct line *line = &c->line[c->first];
    if (count)
        memcpy(data, line->text, line->length < count ? line->length : count);
    c->first = (c->first + 1) % CONSOLE_3215_LINES;
    c->lines--;
    return device_done(line->length);
}

static struct device_reply read_line(struct console_3215 *c, const struct device_command *cmd)
{
    if (c->lines) {
        struct device_reply reply = give_line(c, cmd->data, cmd->count);
        if (!c->lines)
            device_withdraw(&c->dev, STATUS_ATTENTION); // it announced a line that was read
        return reply;
    }
    c->read_data = cmd->data;
    c->read_count = cmd->count;
    set_reading(c, true);
    return (struct device_reply){.pending = true};
}

static struct device_reply command(struct device *dev, const struct device_command *cmd)
{
    struct console_3215 *c = (struct console_3215 *)dev;
    struct device_reply reply;
    switch (cmd->code) {
    case WRITE:
    case WRITE_RETURN:
        return write_text(c, cmd);
    case READ_INQUIRY:
        return read_line(c, cmd);
    case ALARM:
        if (c->sink.alarm)
            c->sink.alarm(c->sink.arg);
        return device_done(0);
    default:
        if (device_common(dev, cmd, false, &reply))
            return reply;
        return device_unit_check(dev, SENSE_COMMAND_REJECT);
    }
}

// One attention at a time tells of all lines that wait.
static void announce(struct device *dev)
{
    if (!(device_unsolicited(dev) & STATUS_ATTENTION))
        device_attention(dev, STATUS_ATTENTION);
}

// Lines that are still there when the program has ended are announced again.
static void end(struct device *dev)
{
    if (((struct console_3215 *)dev)->lines)
        announce(dev);
}

static void halt(struct device *dev)
{
    set_reading((struct console_3215 *)dev, false);
}

static void reset(struct device *dev)
{
    struct console_3215 *c = (struct console_3215 *)dev;
    set_reading(c, false);
    c->lines = 0;
}

static const struct device_ops ops = {
    .model = "3215", .command = command, .end = end, .halt = halt, .reset = reset};

struct device *console_3215_new(uint16_t devno, const struct codepage *page,
                                const struct console_sink *sink)
{
    struct console_3215 *c = mem_zero(1, sizeof *c);
    c->dev = (struct device){.ops = &ops, .number = devno, .cu_type = 0x3215, .dev_type = 0x3215};
    console_3215_connect(&c->dev, sink);
    console_3215_set_page(&c->dev, page);
    return &c->dev;
}

void console_3215_connect(struct device *dev, const struct console_sink *sink)
{
    struct console_3215 *c = (struct console_3215 *)dev;
    c->sink = sink ? *sink : (struct console_sink){0};
}

void console_3215_set_page(struct device *dev, const struct codepage *page)
{
    ((struct console_3215 *)dev)->page = page ? page : codepage_default();
}

bool console_3215_input(struct device *dev, const char *utf8)
{
    struct console_3215 *c = (struct console_3215 *)dev;
    if (c->lines == CONSOLE_3215_LINES)
        return false;
    struct line *line = &c->line[(c->first + c->lines++) % CONSOLE_3215_LINES];
    line->length = (uint16_t)ebcdic_from_utf8(c->page, utf8, line->text, sizeof line->text);
    if (c->reading) {
        set_reading(c, false);
        device_complete(dev, give_line(c, c->read_data, c->read_count));
    } else {
        announce(dev);
    }
    return true;
}

void console_3215_attention(struct device *dev)
{
    device_attention(dev, STATUS_ATTENTION);
}

bool console_3215_reading(const struct device *dev)
{
    return ((const struct console_3215 *)dev)->reading;
}
