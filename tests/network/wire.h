// SPDX-License-Identifier: MIT
// What the network tests share: a system of lans, and ports that remember what came.
#ifndef ENDICOTT_TESTS_NETWORK_WIRE_H
#define ENDICOTT_TESTS_NETWORK_WIRE_H

#include <stdlib.h>
#include <string.h>

#include "network/network.h"

#define BROADCAST UINT64_C(0xFFFFFFFFFFFF)

struct wire {
    struct port *port;
    unsigned frames;
    bool refuse; // as an adapter without room
    size_t n;    // the last frame
    uint8_t frame[10000];
};

struct lab {
    struct clock clock;
    struct network *network;
    struct lan *lan;
    struct wire wire[8];
    unsigned wires;
    struct wire up;
};

static inline bool wire_deliver(struct port *port, const uint8_t *frame, size_t n)
{
    struct wire *wire = port->arg;
    if (wire->refuse)
        return false;
    wire->frames++;
    wire->n = n;
    memcpy(wire->frame, frame, n);
    return true;
}

static inline struct lab *lab_new(enum lan_kind kind)
{
    struct lab *lab = calloc(1, sizeof *lab);
    clock_init(&lab->clock, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
    lab->network = network_new(&lab->clock);
    lab->lan = network_define(lab->network, kind, ADAPTER_QDIO, "SYSTEM", "VSW1");
    return lab;
}

static inline void lab_free(struct lab *lab)
{
    network_free(lab->network);
    free(lab);
}

static inline struct access_entry *lab_grant(struct lab *lab, const char *userid,
                                             enum port_type type, const char *vlans)
{
    struct access_entry *e = access_add(lab->lan, userid, 0);
    memset(&e->options, 0, sizeof e->options);
    e->options.has_type = true;
    e->options.type = type;
    e->options.has_vlans = vlans != NULL;
    if (vlans && strcmp(vlans, "ANY") == 0)
        vlan_add_all(&e->options.vlans);
    else if (vlans)
        vlan_parse(&e->options.vlans, vlans);
    lan_refresh(lab->lan);
    return e;
}

// The next wire, connected as `userid`; NULL and *result when refused.
static inline struct wire *lab_connect(struct lab *lab, const char *userid,
                                       enum connect_result *result)
{
    struct wire *wire = &lab->wire[lab->wires];
    uint8_t mac[MAC_SIZE];
    network_take_mac(lab->network, mac);
    struct port_request request = {.owner = userid,
                                   .device = 0x600,
                                   .type = ADAPTER_QDIO,
                                   .mac = mac,
                                   .promiscuous = true,
                                   .deliver = wire_deliver,
                                   .arg = wire};
    wire->port = lan_connect(lab->lan, &request, result);
    if (!wire->port)
        return NULL;
    lab->wires++;
    return wire;
}

static inline void lab_uplink(struct lab *lab)
{
    lab->up.port = lan_open_uplink(lab->lan, 0xA00, wire_deliver, &lab->up);
}

static inline void put_mac(uint8_t *to, uint64_t mac)
{
    be16_store(to, (uint16_t)(mac >> 32));
    be32_store(to + 2, (uint32_t)mac);
}

// A 60-byte frame; tci < 0: untagged. Returns its length.
static inline size_t make_frame(uint8_t *frame, uint64_t to, uint64_t from, int tci)
{
    memset(frame, 0x5A, 64);
    put_mac(frame, to);
    put_mac(frame + 6, from);
    be16_store(frame + 12, 0x0800);
    if (tci < 0)
        return 60;
    be16_store(frame + 12, FRAME_TYPE_VLAN);
    be16_store(frame + 14, (uint16_t)tci);
    be16_store(frame + 16, 0x0800);
    return 64;
}

static inline enum forward_result lab_send(struct wire *from, uint64_t to, int tci)
{
    uint8_t frame[64];
    size_t n = make_frame(frame, to, from->port->mac_value, tci);
    return lan_send(from->port, frame, n);
}

#endif
