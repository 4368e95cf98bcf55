// SPDX-License-Identifier: MIT
// The pcapng writer. A block is: type, total length, body, total length again; all in the writer's
// byte order, which the section header's magic number tells.
#include "network/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "network/lan.h"

#define BLOCK_SECTION     0x0A0D0D0Au
#define BLOCK_INTERFACE   0x00000001u
#define BLOCK_PACKET      0x00000006u
#define BYTE_ORDER_MAGIC  0x1A2B3C4Du
#define LINKTYPE_ETHERNET 1u

#define OPTION_END        0u
#define OPTION_IF_NAME    2u
#define OPTION_IF_TSRESOL 9u
#define OPTION_EPB_FLAGS  2u
#define NANOSECONDS       9u // if_tsresol: 10^-9

struct capture {
    FILE *out;
    const struct clock *clock;
    int interfaces;
    bool failed;
};

static void put(struct capture *c, const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, c->out) != n)
        c->failed = true;
}

static void put32(struct capture *c, uint32_t v)
{
    put(c, &v, sizeof v);
}

static size_t padded(size_t n)
{
    return (n + 3) & ~(size_t)3;
}

static void put_padded(struct capture *c, const void *bytes, size_t n)
{
    static const uint8_t zero[4];
    put(c, bytes, n);
    put(c, zero, padded(n) - n);
}

static void put_option(struct capture *c, uint16_t code, const void *value, uint16_t n)
{
    put(c, &code, sizeof code);
    put(c, &n, sizeof n);
    put_padded(c, value, n);
}

static void put_section(struct capture *c)
{
    static const uint16_t version[2] = {1, 0};
    put32(c, BLOCK_SECTION);
    put32(c, 28);
    put32(c, BYTE_ORDER_MAGIC);
    put(c, version, sizeof version);
    put32(c, UINT32_MAX); // section length: not known
    put32(c, UINT32_MAX);
    put32(c, 28);
}

static void put_interface(struct capture *c, const struct port *port)
{
    char name[48];
    int n = port->is_uplink
                ? snprintf(name, sizeof name, "%s %s uplink", port->lan->owner, port->lan->name)
                : snprintf(name, sizeof name, "%s %04X on %s", port->owner, port->device,
                           port->lan->name);
    uint8_t resolution = NANOSECONDS;
    uint32_t length = (uint32_t)(20 + 4 + padded((size_t)n) + 8 + 4);
    put32(c, BLOCK_INTERFACE);
    put32(c, length);
    put32(c, LINKTYPE_ETHERNET);
    put32(c, 0); // no snap length
    put_option(c, OPTION_IF_NAME, name, (uint16_t)n);
    put_option(c, OPTION_IF_TSRESOL, &resolution, 1);
    put32(c, OPTION_END);
    put32(c, length);
}

struct capture *capture_new(FILE *out, const struct clock *clock)
{
    struct capture *c = mem_zero(1, sizeof *c);
    c->out = out;
    c->clock = clock;
    put_section(c);
    return c;
}

struct capture *capture_open(const char *path, const struct clock *clock)
{
    FILE *out = fopen(path, "wb");
    return out ? capture_new(out, clock) : NULL;
}

int capture_close(struct capture *c)
{
    int rc = c->failed ? -1 : 0;
    if (fclose(c->out) != 0)
        rc = -1;
    free(c);
    return rc;
}

void capture_attach(struct lan *lan, struct capture *capture)
{
    lan->capture = capture;
    for (unsigned i = 0; i < lan->slots; i++)
        if (lan->port[i])
            lan->port[i]->capture_interface = -1;
}

void capture_frame(struct capture *c, struct port *port, enum capture_direction direction,
                   const uint8_t *frame, size_t n)
{
    uint32_t nanoseconds, flags = direction;
    int64_t seconds = tod_to_unix(clock_now(c->clock), &nanoseconds);
    uint64_t stamp = (uint64_t)seconds * 1000000000u + nanoseconds;
    uint32_t length = (uint32_t)(28 + padded(n) + 8 + 4 + 4);
    if (port->capture_interface < 0) {
        put_interface(c, port);
        port->capture_interface = c->interfaces++;
    }
    put32(c, BLOCK_PACKET);
    put32(c, length);
    put32(c, (uint32_t)port->capture_interface);
    put32(c, (uint32_t)(stamp >> 32));
    put32(c, (uint32_t)stamp);
    put32(c, (uint32_t)n);
    put32(c, (uint32_t)n);
    put_padded(c, frame, n);
    put_option(c, OPTION_EPB_FLAGS, &flags, 4);
    put32(c, OPTION_END);
    put32(c, length);
}
