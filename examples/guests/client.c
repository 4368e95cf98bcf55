// SPDX-License-Identifier: MIT
// A transaction client: sends requests to servers in turn by IUCV, thinks, sends the next.
// Parameters: servers=A,B,... user ids; think=, between two transactions (50ms); n=, transactions,
// 0 without end (0); verbose. The doubleword at 10018 counts transactions.
#include "iucv.h"

#define SERVERS 64u
#define RETRY   (UINT64_C(1000000) << 12) // a server that is not there yet is tried again

static struct server {
    char name[9];
    uint16_t path;
    bool connected;
} servers[SERVERS];
static unsigned count;

static uint64_t request[2] __attribute__((aligned(8))), answer[2] __attribute__((aligned(8)));

static void parse_servers(void)
{
    size_t n;
    const char *at = parameter("servers", &n), *end = at + n;

    while (at && at < end && count < SERVERS) {
        unsigned length = 0;
        for (; at < end && *at != ','; at++)
            if (length < 8)
                servers[count].name[length++] = *at;
        count += length > 0;
        at += at < end;
    }
}

static struct server *by_path(uint16_t path)
{
    for (unsigned i = 0; i < count; i++)
        if (servers[i].connected && servers[i].path == path)
            return &servers[i];
    return NULL;
}

static void lost(uint16_t path)
{
    struct iucv_control list = {.path = path};
    struct server *server = by_path(path);

    iucv_call(IUCV_SEVER, &list);
    if (server)
        server->connected = false;
}

// Waits for an interruption of this type on this path; false when the path was severed. Whatever
// comes for other paths is dealt with.
static bool await(uint16_t path, unsigned type)
{
    for (;;) {
        const union iucv_buffer *event = iucv_wait();
        if (!event)
            continue;
        uint16_t of = event->control.path;
        unsigned what = event->control.code;
        if (what == IUCV_SEVERED)
            lost(of);
        if (of == path && what == IUCV_SEVERED)
            return false;
        if (of == path && what == type)
            return true;
    }
}

static bool connect(struct server *server)
{
    struct iucv_control list = {.limit = 16};

    to_ebcdic(server->name, list.user, sizeof list.user);
    to_ebcdic("", list.data, sizeof list.data);
    if (iucv_call(IUCV_CONNECT, &list))
        return false;
    server->path = list.path;
    server->connected = true;
    return await(list.path, IUCV_COMPLETE);
}

static bool transaction(struct server *server)
{
    struct iucv_message list = {
        .path = server->path,
        .address = address_of(request),
        .length = sizeof request,
        .answer_address = address_of(answer),
        .answer_length = sizeof answer,
    };

    request[0]++;
    return !iucv_call(IUCV_SEND, &list) && await(server->path, IUCV_MESSAGE_COMPLETE);
}

static void think(uint64_t us)
{
    alarm_at(tod_clock() + (us << 12));
    while (!alarm_rang) {
        const union iucv_buffer *event = iucv_wait();
        if (event && event->control.code == IUCV_SEVERED)
            lost(event->control.path);
    }
}

unsigned long guest_main(void)
{
    uint64_t n = parameter_number("n", 0), us = parameter_time("think", 50000);

    if (!iucv_begin()) {
        print("client: there is no IUCV here");
        return END_OK;
    }
    parse_servers();
    if (!count) {
        print("client: servers= names none");
        return END_PARAMETER;
    }
    for (unsigned next = 0; !n || transactions < n; next = (next + 1) % count) {
        struct server *server = &servers[next];
        if ((server->connected || connect(server)) && transaction(server))
            transactions++;
        think(server->connected ? us : RETRY >> 12);
    }
    if (parameter_flag("verbose"))
        print("client: %lu transactions", transactions);
    return END_OK;
}
