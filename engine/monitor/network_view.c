// SPDX-License-Identifier: MIT
// Switches and NICs as records show them.
#include "monitor/network_view.h"

#include <stdio.h>
#include <string.h>

#include "network/network.h"

static struct traffic_view side(const struct port_side *s)
{
    return (struct traffic_view){s->packets, s->bytes, s->discarded, s->errors};
}

static struct network_view lan_view(const struct lan *lan)
{
    struct network_view v = {
        .type = lan->type,
        .queue_storage = lan->policy.queue_storage,
        .ip_timeout = lan->policy.ip_timeout,
        .is_switch = lan->kind == LAN_VSWITCH,
        .ethernet = lan->policy.transport == TRANSPORT_ETHERNET,
    };
    snprintf(v.name, sizeof v.name, "%s", lan->name);
    snprintf(v.lan_owner, sizeof v.lan_owner, "%s", lan->owner);
    return v;
}

void network_view_switches(const struct network *network,
                           void (*fn)(void *arg, const struct network_view *view), void *arg)
{
    for (const struct lan *lan = network ? network->lans : NULL; lan; lan = lan->next) {
        if (lan->kind != LAN_VSWITCH)
            continue;
        struct network_view v = lan_view(lan);
        const struct uplink *up = &lan->uplink;
        memcpy(v.mac, lan->mac, sizeof v.mac);
        if (up->active >= 0 && (unsigned)up->active < up->devices) {
            v.rdev = up->device[up->active].rdev;
            snprintf(v.controller, sizeof v.controller, "%s", up->device[up->active].controller);
        }
        if (up->port) { // it faces the world: what leaves the switch is sent
            v.tx = side(&up->port->counters.out);
            v.rx = side(&up->port->counters.in);
        }
        fn(arg, &v);
    }
}

static struct network_view nic_view(const struct lan *lan, const struct port *port)
{
    struct network_view v = lan_view(lan);
    snprintf(v.owner, sizeof v.owner, "%s", port->owner);
    memcpy(v.mac, port->mac, sizeof v.mac);
    v.device = port->device;
    v.port = port->number;
    v.tx = side(&port->counters.in);
    v.rx = side(&port->counters.out);
    return v;
}

struct network_view network_view_port(const struct port *port)
{
    return nic_view(port->lan, port);
}

void network_view_nics(const struct network *network,
                       void (*fn)(void *arg, const struct network_view *view), void *arg)
{
    for (const struct lan *lan = network ? network->lans : NULL; lan; lan = lan->next) {
        const struct port *port = NULL;
        while ((port = lan_next_port(lan, port ? port->slot : -1))) {
            struct network_view v = nic_view(lan, port);
            fn(arg, &v);
        }
    }
}
