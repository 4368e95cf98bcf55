// SPDX-License-Identifier: MIT
// LANs and their ports: who is connected, and which bit maps the forwarding plane needs.
#include "network/lan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "network/network.h"

#define FRAME_JUMBO 9014u // QDIO: 9000 bytes of data and a header

static uint32_t default_max_frame(const struct lan *lan)
{
    return lan->type == ADAPTER_HIPERSOCKETS ? lan->policy.mfs : FRAME_JUMBO;
}

void lan_limit_frames(struct lan *lan, uint32_t max_frame)
{
    lan->max_frame = max_frame ? max_frame : default_max_frame(lan);
    lan->scratch = mem_resize(lan->scratch, 2, lan->max_frame + FRAME_TAG);
}

struct lan *lan_new(struct network *network, enum lan_kind kind, enum adapter_type type,
                    const char *owner, const char *name)
{
    struct lan *s = mem_zero(1, sizeof *s);
    s->network = network;
    s->kind = kind;
    s->type = type;
    strncpy(s->owner, owner, sizeof s->owner - 1);
    strncpy(s->name, name, sizeof s->name - 1);
    s->persistent = strcmp(owner, "SYSTEM") == 0;
    s->policy.restricted = kind == LAN_VSWITCH;
    s->policy.mfs = 16384;
    s->policy.ip_timeout = 5;
    s->policy.queue_storage = 8;
    s->uplink.none = kind == LAN_GUEST;
    s->uplink.connect = true;
    s->uplink.active = -1;
    s->uplink.trace_pages = network->trace_pages;
    mac_table_init(&s->macs);
    lan_limit_frames(s, 0);
    lan_refresh(s);
    return s;
}

void lan_free(struct lan *s)
{
    for (unsigned i = 0; i < s->slots; i++) {
        struct port *port = s->port[i];
        if (!port)
            continue;
        if (port->closed)
            port->closed(port);
        lan_disconnect(port);
    }
    access_free(s);
    mac_table_free(&s->macs);
    free(s->port);
    free(s->members);
    free(s->promiscuous);
    free(s->uplinks);
    free(s->scratch);
    free(s->vlan_counters);
    free(s);
}

// --- bit maps ---------------------------------------------------------------

static void set_bit(uint64_t *map, unsigned bit)
{
    map[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static void resize_maps(struct lan *s)
{
    unsigned words = s->slots / 64, rows = s->policy.vlan_aware ? VLAN_IDS : 1;
    free(s->members);
    free(s->promiscuous);
    free(s->uplinks);
    s->members = mem_zero((size_t)rows * words + 1, sizeof(uint64_t));
    s->promiscuous = mem_zero(words + 1, sizeof(uint64_t));
    s->uplinks = mem_zero(words + 1, sizeof(uint64_t));
    s->rows = rows;
}

// An access port is in one VLAN, a trunk in those it was given; without any, the switch's default.
static void work_out_vlans(const struct lan *s, struct port *port, struct port_options *options)
{
    memset(&port->vlans, 0, sizeof port->vlans);
    port->pvid = 0;
    if (!s->policy.vlan_aware || !port->authorised)
        return;
    if (port->is_uplink)
        vlan_add_all(&port->vlans);
    else if (options->has_vlans)
        port->vlans = options->vlans;
    else if (s->policy.default_vlan != 0)
        vlan_add(&port->vlans, s->policy.default_vlan, s->policy.default_vlan);
    if (port->type == PORT_TRUNK) {
        port->pvid = vlan_has(&port->vlans, s->policy.native_vlan) ? s->policy.native_vlan : 0;
        return;
    }
    port->pvid = (uint16_t)vlan_next(&port->vlans, 0);
    memset(&port->vlans, 0, sizeof port->vlans);
    if (port->pvid != 0)
        vlan_add(&port->vlans, port->pvid, port->pvid);
}

static bool protected_mac(const struct lan *s, const struct port *port)
{
    if (port->is_uplink)
        return false;
    if (port->mac_protection != UNSPECIFIED)
        return port->mac_protection == SWITCHED_ON;
    if (s->policy.mac_protection != UNSPECIFIED)
        return s->policy.mac_protection == SWITCHED_ON;
    return s->network->mac_protection;
}

// UPLINK NIC: a guest that bridges to the outside by its own means.
static bool is_uplink_nic(const struct lan *s, const struct port *port)
{
    return s->uplink.nic_user[0] && strcmp(s->uplink.nic_user, port->owner) == 0 &&
           s->uplink.nic_device == port->device;
}

static void refresh_port(struct lan *s, struct port *port)
{
    struct port_options options = {.has_type = true, .type = PORT_TRUNK};
    port->authorised =
        port->is_uplink ||
        access_authorise(s, port->owner, port->number,
                         port->has_directory_options ? &port->directory : NULL, &options);
    port->outward = port->is_uplink || (port->authorised && is_uplink_nic(s, port));
    port->type = options.has_type ? options.type : s->policy.port_type;
    port->priority = options.priority;
    port->promiscuous = port->wants_promiscuous && options.promiscuous && port->authorised;
    port->protect = protected_mac(s, port);
    port->isolated = !port->outward && (s->policy.isolation || port->isolation == SWITCHED_ON);
    port->mac_value = mac_number(port->mac);
    work_out_vlans(s, port, &options);
}

static void map_port(struct lan *s, const struct port *port)
{
    unsigned words = s->slots / 64;
    if (!port->authorised)
        return;
    if (port->outward)
        set_bit(s->uplinks, port->slot);
    if (port->promiscuous)
        set_bit(s->promiscuous, port->slot);
    if (!s->policy.vlan_aware)
        set_bit(s->members, port->slot);
    for (unsigned vid = 0; s->policy.vlan_aware && (vid = vlan_next(&port->vlans, vid)) != 0;)
        set_bit(s->members + (size_t)vid * words, port->slot);
}

void lan_refresh(struct lan *s)
{
    resize_maps(s);
    for (unsigned i = 0; i < s->slots; i++) {
        if (!s->port[i])
            continue;
        refresh_port(s, s->port[i]);
        map_port(s, s->port[i]);
    }
}

// --- ports ------------------------------------------------------------------

static unsigned free_slot(struct lan *s)
{
    for (unsigned i = 0; i < s->slots; i++)
        if (!s->port[i])
            return i;
    unsigned slot = s->slots;
    s->slots += 64;
    s->port = mem_resize(s->port, s->slots, sizeof(struct port *));
    memset(s->port + slot, 0, 64 * sizeof(struct port *));
    return slot;
}

static struct port *add_port(struct lan *s, const struct port *model)
{
    struct port *port = mem_zero(1, sizeof *port);
    *port = *model;
    port->lan = s;
    port->slot = (uint16_t)free_slot(s);
    port->connected = clock_now(s->network->clock);
    port->capture_interface = -1;
    s->port[port->slot] = port;
    s->ports += !port->is_uplink;
    lan_refresh(s);
    return port;
}

struct port *lan_port(const struct lan *s, unsigned number)
{
    for (unsigned i = 0; i < s->slots; i++)
        if (s->port[i] && s->port[i]->number == number)
            return s->port[i];
    return NULL;
}

struct port *lan_next_port(const struct lan *s, int slot)
{
    for (unsigned i = (unsigned)(slot + 1); i < s->slots; i++)
        if (s->port[i] && !s->port[i]->is_uplink)
            return s->port[i];
    return NULL;
}

// A port number: as asked, else that of the owner's free PORTNUMBER entry, else the lowest one that
// nobody has or was promised. 0: none is left.
static unsigned choose_number(const struct lan *s, const struct port_request *request)
{
    if (request->number != 0)
        return request->number;
    const struct access_entry *entry = access_user_port(s, request->owner, false);
    if (entry)
        return entry->number;
    for (unsigned n = LAN_FIRST_AUTO; n <= LAN_PORT_NUMBERS; n++)
        if (!lan_port(s, n) && !access_port_of(s, n))
            return n;
    return 0;
}

static enum connect_result check(const struct lan *s, const struct port_request *request,
                                 unsigned number)
{
    struct port_options options;
    bool hipersockets = s->type == ADAPTER_HIPERSOCKETS;
    if (hipersockets != (request->type == ADAPTER_HIPERSOCKETS))
        return CONNECT_TYPE_MISMATCH;
    if (!access_authorise(s, request->owner, number, request->directory, &options))
        return CONNECT_NOT_AUTHORISED;
    if (number == 0 || (s->policy.max_connections != 0 && s->ports >= s->policy.max_connections))
        return CONNECT_FULL;
    if (lan_port(s, number))
        return CONNECT_PORT_IN_USE;
    if (mac_find_registered(&s->macs, mac_number(request->mac)) >= 0)
        return CONNECT_DUPLICATE_MAC;
    return CONNECT_OK;
}

struct port *lan_connect(struct lan *s, const struct port_request *request,
                         enum connect_result *result)
{
    unsigned number = choose_number(s, request);
    *result = check(s, request, number);
    if (*result != CONNECT_OK)
        return NULL;
    struct port model = {
        .number = number,
        .device = request->device,
        .has_directory_options = request->directory != NULL,
        .wants_promiscuous = request->promiscuous,
        .mac_protection = request->mac_protection,
        .isolation = request->isolation,
        .deliver = request->deliver,
        .closed = request->closed,
        .arg = request->arg,
    };
    strncpy(model.owner, request->owner, sizeof model.owner - 1);
    memcpy(model.mac, request->mac, MAC_SIZE);
    if (request->directory)
        model.directory = *request->directory;
    struct port *port = add_port(s, &model);
    mac_register(&s->macs, port->mac_value, port->slot);
    return port;
}

struct port *lan_open_uplink(struct lan *s, uint16_t device, port_deliver *deliver, void *arg)
{
    if (s->uplink.port)
        return NULL;
    struct port model = {.number = LAN_UPLINK_PORT,
                         .device = device,
                         .is_uplink = true,
                         .deliver = deliver,
                         .arg = arg};
    memcpy(model.mac, s->mac, MAC_SIZE);
    s->uplink.port = add_port(s, &model);
    s->uplink.connected = s->uplink.port->connected;
    return s->uplink.port;
}

void lan_close_uplink(struct lan *s)
{
    if (s->uplink.port)
        lan_disconnect(s->uplink.port);
}

void lan_disconnect(struct port *port)
{
    struct lan *s = port->lan;
    s->port[port->slot] = NULL;
    if (port->is_uplink)
        s->uplink.port = NULL;
    else
        s->ports--;
    mac_forget_slot(&s->macs, port->slot);
    free(port);
    lan_refresh(s);
}

bool lan_register_mac(struct port *port, const uint8_t mac[MAC_SIZE])
{
    return !mac_is_group(mac) && mac_register(&port->lan->macs, mac_number(mac), port->slot);
}

bool lan_set_mac(struct port *port, const uint8_t mac[MAC_SIZE])
{
    if (!lan_register_mac(port, mac))
        return false;
    if (memcmp(port->mac, mac, MAC_SIZE) != 0)
        mac_unregister(&port->lan->macs, mac_number(port->mac));
    memcpy(port->mac, mac, MAC_SIZE);
    port->mac_value = mac_number(mac);
    return true;
}

// --- counters ---------------------------------------------------------------

struct adapter_counters port_adapter_counters(const struct port *port)
{
    const struct port_counters *c = &port->counters;
    const struct port_side *tx = port->is_uplink ? &c->out : &c->in;
    const struct port_side *rx = port->is_uplink ? &c->in : &c->out;
    return (struct adapter_counters){
        .tx_packets = tx->packets,
        .tx_bytes = tx->bytes,
        .tx_discarded = tx->discarded,
        .tx_errors = tx->errors,
        .rx_packets = rx->packets,
        .rx_bytes = rx->bytes,
        .rx_discarded = rx->discarded,
        .rx_errors = rx->errors,
    };
}

void port_clear_counters(struct port *port, unsigned kinds)
{
    struct port_side *sides[] = {&port->counters.in, &port->counters.out};
    for (unsigned i = 0; i < 2; i++) {
        if (kinds & COUNTERS_DATA)
            sides[i]->packets = sides[i]->bytes = 0;
        if (kinds & COUNTERS_DISCARDED)
            sides[i]->discarded = 0;
        if (kinds & COUNTERS_ERRORS)
            sides[i]->errors = 0;
    }
}

void lan_count_vlans(struct lan *s, bool on)
{
    s->policy.count_vlans = on;
    free(s->vlan_counters);
    s->vlan_counters = on ? mem_zero(VLAN_IDS, sizeof *s->vlan_counters) : NULL;
}
