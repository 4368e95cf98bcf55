// SPDX-License-Identifier: MIT
// How LANs, switches and adapters are shown; the columns are CP's.
#include <string.h>

#include "cp/commands/network.h"
#include "cp/vswitch.h"

struct mac_text show_mac(const uint8_t mac[MAC_SIZE])
{
    struct mac_text text;
    snprintf(text.s, sizeof text.s, "%02X-%02X-%02X-%02X-%02X-%02X", mac[0], mac[1], mac[2], mac[3],
             mac[4], mac[5]);
    return text;
}

const char *show_on_off(bool on)
{
    return on ? "ON" : "OFF";
}

const char *show_tristate(enum tristate value)
{
    static const char *const names[] = {
        [UNSPECIFIED] = "Unspecified", [SWITCHED_OFF] = "OFF", [SWITCHED_ON] = "ON"};
    return names[value];
}

const char *show_port_type(enum port_type type)
{
    return type == PORT_TRUNK ? "Trunk" : "Access";
}

struct vid_text {
    char s[8];
};

// A VLAN id with four digits, or NONE.
static struct vid_text show_vid(unsigned vid)
{
    struct vid_text text = {"NONE"};
    if (vid != 0)
        snprintf(text.s, sizeof text.s, "%04u", vid % VLAN_IDS);
    return text;
}

bool may_see(const struct command_call *call, const struct lan *lan)
{
    struct port_options options;
    const char *userid = call->vm ? call->vm->userid : "";
    if ((call->classes & CLASS('B')) || !lan->policy.restricted ||
        strcmp(lan->owner, userid) == 0 || access_authorise(lan, userid, 0, NULL, &options) ||
        access_user_port(lan, userid, true))
        return true;
    for (struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
        if (strcmp(p->owner, userid) == 0)
            return true;
    return false;
}

// --- heads ------------------------------------------------------------------

struct transport_text {
    char s[24];
};

static struct transport_text show_transport(const struct lan *lan)
{
    struct transport_text text = {""};
    const struct lan_policy *p = &lan->policy;
    if (lan->type == ADAPTER_HIPERSOCKETS)
        snprintf(text.s, sizeof text.s, "MFS: %u", p->mfs);
    else if (p->transport == TRANSPORT_ETHERNET)
        strcpy(text.s, "ETHERNET");
    else if (lan->kind == LAN_GUEST)
        strcpy(text.s, "IP");
    else
        strcpy(text.s, p->primary_router ? "PRIROUTER" : "NONROUTER");
    return text;
}

void show_lan_head(struct command_call *call, const struct lan *lan)
{
    char title[40], maxconn[12] = "INFINITE";
    const struct lan_policy *p = &lan->policy;
    bool vswitch = lan->kind == LAN_VSWITCH;
    snprintf(title, sizeof title, "%s %s %-8s", lan_kind_name(lan), lan->owner, lan->name);
    if (p->max_connections != 0)
        snprintf(maxconn, sizeof maxconn, "%u", p->max_connections);
    call_line(call, "%-*s Type: %-7s Connected: %-4u Maxconn: %s", vswitch ? 25 : 23, title,
              vswitch && lan->ivl.defined ? "IVL" : adapter_type_name(lan->type), lan->ports,
              maxconn);
    call_line(call, "  %-11s %-13s %-25s Accounting: %s",
              lan->persistent ? "PERSISTENT" : "TRANSIENT",
              p->restricted ? "RESTRICTED" : "UNRESTRICTED", show_transport(lan).s,
              show_on_off(p->accounting));
}

static void show_vlan_policy(struct command_call *call, const struct lan_policy *p)
{
    if (!p->vlan_aware) {
        call_line(call, "  VLAN Unaware");
        return;
    }
    call_line(call, "  VLAN Aware  Default VLAN: %-7s Default Porttype: %-7s GVRP: %s",
              show_vid(p->default_vlan).s, show_port_type(p->port_type),
              p->gvrp ? "Enabled" : "Disabled");
    call_line(call, "              Native  VLAN: %-7s VLAN Counters: %s",
              show_vid(p->native_vlan).s, show_on_off(p->count_vlans));
}

// --- counters and ports -----------------------------------------------------

void show_counters(struct command_call *call, const struct port *port, unsigned indent)
{
    struct adapter_counters c = {0};
    if (port)
        c = port_adapter_counters(port);
    call_line(call, "%*sRX Packets: %-10llu Discarded: %-10llu Errors: %llu", (int)indent, "",
              (unsigned long long)c.rx_packets, (unsigned long long)c.rx_discarded,
              (unsigned long long)c.rx_errors);
    call_line(call, "%*sTX Packets: %-10llu Discarded: %-10llu Errors: %llu", (int)indent, "",
              (unsigned long long)c.tx_packets, (unsigned long long)c.tx_discarded,
              (unsigned long long)c.tx_errors);
    call_line(call, "%*sRX Bytes: %-20llu TX Bytes: %llu", (int)indent, "",
              (unsigned long long)c.rx_bytes, (unsigned long long)c.tx_bytes);
}

void show_port_vlans(struct command_call *call, const struct port *port, unsigned indent)
{
    struct text vlans = {0};
    if (!port->lan->policy.vlan_aware)
        return;
    vlan_format(&port->vlans, &vlans);
    call_line(call, "%*sVLAN: %s   Assigned by %s", (int)indent, "", text_get(&vlans),
              port->has_directory_options ? "directory" : "system");
    text_free(&vlans);
}

static void show_port(struct command_call *call, const struct port *port)
{
    call_line(call, "  Adapter Owner: %-8s NIC: %04X.P00 Name: UNASSIGNED Type: %s", port->owner,
              port->device, adapter_type_name(port->lan->type));
    if (port->lan->kind == LAN_VSWITCH)
        call_line(call, "    Porttype: %s", show_port_type(port->type));
    if (!port->authorised)
        call_line(call, "    Not authorized");
    show_counters(call, port, 4);
    call_line(call, "    Device: %04X  Unit: 002   Role: DATA      Port: %04u", port->device + 2,
              port->number);
    show_port_vlans(call, port, 6);
    call_line(call, "    Options: Ethernet Broadcast%s", port->promiscuous ? " Promiscuous" : "");
    call_line(call, "      Unicast MAC Addresses:");
    call_line(call, "        %s", show_mac(port->mac).s);
}

void show_connections(struct command_call *call, const struct lan *lan)
{
    call_line(call, "Adapter Connections:         Connected: %u", lan->ports);
    for (struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
        show_port(call, p);
}

// --- whole LANs -------------------------------------------------------------

void show_lan(struct command_call *call, const struct lan *lan, bool details)
{
    show_lan_head(call, lan);
    call_line(call, "  IPTimeout: %-17u MAC Protection: %s", lan->policy.ip_timeout,
              show_tristate(lan->policy.mac_protection));
    call_line(call, "  Isolation Status: %s", show_on_off(lan->policy.isolation));
    if (details)
        show_connections(call, lan);
}

static void show_uplink_device(struct command_call *call, const struct lan *lan, unsigned i,
                               bool details)
{
    const struct uplink_device *device = &lan->uplink.device[i];
    if (device->vdev == 0) {
        call_line(call, "  RDEV: %04X.P%02u VDEV: NONE Controller: NONE", device->rdev,
                  device->osa_port);
        return;
    }
    bool active = (int)i == lan->uplink.active;
    call_line(call, "  RDEV: %04X.P%02u VDEV: %04X Controller: %-8s %s", device->rdev,
              device->osa_port, device->vdev, device->controller, active ? "ACTIVE" : "BACKUP");
    if (!active || !details)
        return;
    call_line(call, "    Uplink Port Connection:");
    show_counters(call, lan->uplink.port, 6);
    call_line(call, "      Device: %04X  Unit: 002   Role: DATA      Port: %u", device->vdev + 2,
              LAN_UPLINK_PORT);
}

struct mtu_text {
    char s[12];
};

static struct mtu_text show_mtu(const struct lan *lan)
{
    struct mtu_text text;
    unsigned mtu = lan->uplink.path_mtu ? lan->uplink.path_mtu : lan->max_frame - FRAME_HEADER;
    snprintf(text.s, sizeof text.s, "%u", mtu);
    if (lan->uplink.path_mtu == LAN_NO_PATH_MTU)
        strcpy(text.s, "NONE");
    return text;
}

static void show_uplink(struct command_call *call, const struct lan *lan, bool details)
{
    const struct uplink *u = &lan->uplink;
    if (u->none) {
        call_line(call, " Uplink Port: NONE");
        return;
    }
    call_line(call, " Uplink Port:");
    call_line(call, "  State: %-29s PriQueuing: %s", uplink_state_name(u->state),
              show_on_off(u->priority_queuing));
    call_line(call, "  PMTUD setting: %-10s PMTUD value: %-8s Trace Pages: %u",
              u->path_mtu == 0                 ? "EXTERNAL"
              : u->path_mtu == LAN_NO_PATH_MTU ? "OFF"
                                               : "VALUE",
              show_mtu(lan).s, u->trace_pages);
    if (u->group[0])
        call_line(call, "  Group: %s", u->group);
    if (u->nic_user[0])
        call_line(call, "  NIC: %s %04X", u->nic_user, u->nic_device);
    for (unsigned i = 0; i < u->devices; i++)
        show_uplink_device(call, lan, i, details);
}

static void show_bridge(struct command_call *call, const struct lan *lan)
{
    const struct bridge_port *b = &lan->bridge;
    if (!b->defined)
        return;
    call_line(call, " Bridge Port:");
    call_line(call, "  State: %s", b->connect ? "Device not available" : "Disconnected");
    call_line(call, "  RDEV: %04X VDEV: NONE Controller: NONE     %s", b->rdev,
              b->primary ? "PRIMARY" : "SECONDARY");
}

void show_vswitch(struct command_call *call, const struct lan *lan, bool details)
{
    const struct lan_policy *p = &lan->policy;
    show_lan_head(call, lan);
    call_line(call, "  %s %s", p->port_based ? "PORTBASED" : "USERBASED",
              p->global ? "GLOBAL" : "LOCAL");
    show_vlan_policy(call, p);
    call_line(call, "  MAC address: %s    MAC Protection: %s", show_mac(lan->mac).s,
              show_tristate(p->mac_protection));
    call_line(call, "  IPTimeout: %-9u QueueStorage: %u", p->ip_timeout, p->queue_storage);
    call_line(call, "  Isolation Status: %-10s VEPA Status: %s", show_on_off(p->isolation),
              show_on_off(p->vepa));
    show_uplink(call, lan, details);
    show_bridge(call, lan);
    if (details)
        show_connections(call, lan);
}
