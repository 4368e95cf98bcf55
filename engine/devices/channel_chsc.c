// SPDX-License-Identifier: MIT
// CHANNEL SUBSYSTEM CALL: the commands operating systems use to learn about paths and subchannels.
//
//   request:  length (2), command (2), parameters       response, right behind it:
//                                                       length (2), code (2), 0 (4), data
#include <string.h>

#include "devices/subchannel.h"

#define BLOCK_SIZE 4096u

#define RESPONSE_OK             0x0001u
#define RESPONSE_BAD_REQUEST    0x0003u
#define RESPONSE_NOT_PROVIDED   0x0004u
#define RESPONSE_NO_INFORMATION 0x0005u
#define RESPONSE_NO_FACILITY    0x0101u

#define CHANNEL_PATH_FICON 0x1Bu

struct call {
    const uint8_t *request;
    uint8_t *data; // response data
    size_t room;
    size_t given; // bytes of data
};

// 0002: channel-path descriptions from one CHPID to another. Ours has only path 0.
static unsigned path_description(struct channel_subsystem *css, struct call *c)
{
    (void)css;
    unsigned format = c->request[6] & 0x0F, first = c->request[7], last = c->request[11];
    if (first > last || format > 1)
        return RESPONSE_BAD_REQUEST;
    if (first == 0) {
        c->data[0] = 0x80; // valid
        c->data[2] = CHANNEL_PATH_FICON;
        c->given = format == 0 ? 8 : 32;
    }
    return RESPONSE_OK;
}

// One 32-byte subchannel description: validity, unit address, device number, paths.
static void describe(const struct subchannel *s, uint16_t number, uint8_t out[32])
{
    memset(out, 0, 32);
    out[0] = 0x80;
    be16_store(out + 6, number);
    if (!s || !s->dev)
        return;
    out[0] |= 0x40;
    out[1] = (uint8_t)s->devno;
    be16_store(out + 2, s->devno);
    out[4] = PATH_MASK;
}

// 0004: subchannel descriptions.
static unsigned subchannel_description(struct channel_subsystem *css, struct call *c)
{
    unsigned first = be16_load(c->request + 6), last = be16_load(c->request + 10);
    if (first > last || (c->request[5] & 0x30))
        return RESPONSE_BAD_REQUEST;
    for (unsigned n = first; n <= last && c->given + 32 <= c->room; n++, c->given += 32)
        describe(css_subchannel(css, n), (uint16_t)n, c->data + c->given);
    return RESPONSE_OK;
}

// 000E: what a channel report of the subsystem itself was about; ours makes none.
static unsigned event_information(struct channel_subsystem *css, struct call *c)
{
    (void)css;
    (void)c;
    return RESPONSE_NO_INFORMATION;
}

// 0010: characteristics, one bit each. General: 48 = extended measurement blocks.
static unsigned characteristics(struct channel_subsystem *css, struct call *c)
{
    (void)css;
    if (c->room < 4072)
        return RESPONSE_BAD_REQUEST;
    c->data[48 / 8] |= 0x80 >> 48 % 8;
    c->given = 4072; // 2040 bytes general, 2032 bytes CHSC characteristics
    return RESPONSE_OK;
}

// 0031: facilities that a program may switch on; there are none.
static unsigned enable_facility(struct channel_subsystem *css, struct call *c)
{
    (void)css;
    (void)c;
    return RESPONSE_NO_FACILITY;
}

static const struct {
    uint16_t command, length;
    unsigned (*answer)(struct channel_subsystem *css, struct call *c);
} commands[] = {
    {0x0002, 0x0010, path_description},  {0x0004, 0x0010, subchannel_description},
    {0x000E, 0x0010, event_information}, {0x0010, 0x0010, characteristics},
    {0x0031, 0x0400, enable_facility},
};

static unsigned answer(struct channel_subsystem *css, unsigned length, struct call *c)
{
    unsigned command = be16_load(c->request + 2);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].command == command)
            return length == commands[i].length ? commands[i].answer(css, c) : RESPONSE_BAD_REQUEST;
    return RESPONSE_NOT_PROVIDED;
}

int css_chsc(struct channel_subsystem *css, uint8_t block[4096])
{
    unsigned length = be16_load(block);
    if (length < 16 || length > BLOCK_SIZE - 8 || (length & 7))
        return -1;
    uint8_t *response = block + length;
    memset(response, 0, BLOCK_SIZE - length);
    struct call c = {.request = block, .data = response + 8, .room = BLOCK_SIZE - length - 8};
    unsigned code = answer(css, length, &c);
    if (code != RESPONSE_OK) {
        c.given = 0;
        memset(c.data, 0, c.room);
    }
    be16_store(response, (uint16_t)(8 + c.given));
    be16_store(response + 2, (uint16_t)code);
    return 0;
}
