// SPDX-License-Identifier: MIT
// DEFINE VSWITCH in its present and its older forms, and DETACH VSWITCH.
#include <string.h>

#include "cp/commands/network.h"
#include "cp/vswitch.h"

static int define_type(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    if (call_keyword(call, "IVL", 3)) {
        s->ivl.defined = true;
        return 0;
    }
    if (call_keyword(call, "QDIO", 4))
        return 0;
    const char *word = call_peek(call);
    return word ? call_error(call, MESSAGE_invalid_operand, word)
                : call_error(call, MESSAGE_operand_missing);
}

static int define_scope(struct command_call *call, void *into, int global)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.global = global;
    return 0;
}

static int define_domain(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strlen(word) != 1 || word[0] < 'A' || word[0] > 'H')
        return call_error(call, MESSAGE_invalid_operand, word);
    s->ivl.domain = word[0];
    return 0;
}

static int define_uplink(struct command_call *call, void *into, int present)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->bridge_last = false;
    s->uplink.none = !present;
    return 0;
}

static int define_bridge(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    s->bridge_last = true;
    if (call_keyword(call, "NONE", 4))
        s->bridge.defined = false;
    return 0;
}

static int define_controller(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    s->uplink.controllers = 0;
    const char *word = call_take(call);
    if (word && strcmp(word, "*") == 0)
        return 0;
    if (!parse_userid(word, s->uplink.controller[0]))
        return call_error(call, MESSAGE_userid_missing);
    s->uplink.controllers = 1;
    return 0;
}

static int define_logging(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.logging = (enum lan_logging)value;
    return 0;
}

static int define_transport(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.transport = (enum lan_transport)value;
    s->said_ip |= value == TRANSPORT_IP;
    s->said_ethernet |= value == TRANSPORT_ETHERNET;
    return 0;
}

static int define_vlan(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    unsigned vid = 0;
    (void)value;
    s->said_vlan = true;
    s->policy.vlan_aware = !call_keyword(call, "UNAWARE", 4);
    s->policy.default_vlan = 0;
    if (!s->policy.vlan_aware || call_keyword(call, "AWARE", 5) || call_keyword(call, "ANY", 3))
        return 0;
    int rc = take_between(call, 1, VLAN_MAX, &vid);
    s->policy.default_vlan = (uint16_t)vid;
    return rc;
}

static int define_port_type(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    s->said_vlan_option = true;
    return take_port_type(call, &s->policy.port_type);
}

static int define_native(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    unsigned vid = 0;
    (void)value;
    s->said_vlan_option = true;
    int rc = call_keyword(call, "NONE", 4) ? 0 : take_between(call, 1, VLAN_MAX, &vid);
    s->policy.native_vlan = (uint16_t)vid;
    return rc;
}

static int define_port_based(struct command_call *call, void *into, int port_based)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.port_based = port_based;
    s->said_port_based = true;
    return 0;
}

// clang-format off
static const struct operand operands[] = {
    {"TYPE",         4, define_type},
    {"LOCAL",        3, define_scope, false},
    {"GLOBAL",       3, define_scope, true},
    {"DOMAIN",       3, define_domain},
    {"UPLINK",       6, define_uplink, true},
    {"NOUPLINK",     8, define_uplink, false},
    {"RDEV",         4, take_rdevs},
    {"CONNECT",      3, take_connection, true},
    {"DISCONNECT",   6, take_connection, false},
    {"PRIQUEUING",   4, take_priority_queuing},
    {"QUEUESTORAGE", 3, take_queue_storage},
    {"CONTROLLER",   5, define_controller},
    {"LOGOFF",       6, define_logging, LOGOFF_OFF},
    {"LOGON",        5, define_logging, LOGOFF_ON},
    {"LOGVERBOSE",   4, define_logging, LOGOFF_VERBOSE},
    {"IP",           2, define_transport, TRANSPORT_IP},
    {"ETHERNET",     3, define_transport, TRANSPORT_ETHERNET},
    {"NONROUTER",    3, take_router, false},
    {"PRIMARY",      7, take_bridge_role, true},
    {"SECONDARY",    9, take_bridge_role, false},
    {"PRIROUTER",    3, take_router, true},
    {"GROUP",        3, take_group, true},
    {"NOGROUP",      3, take_group, false},
    {"BRIDGEPORT",   6, define_bridge},
    {"IPTIMEOUT",    3, take_ip_timeout},
    {"VLAN",         4, define_vlan},
    {"PORTTYPE",     5, define_port_type},
    {"GVRP",         4, take_gvrp, true},
    {"NOGVRP",       6, take_gvrp, false},
    {"NATIVE",       3, define_native},
    {"USERBASED",    9, define_port_based, false},
    {"PORTBASED",    9, define_port_based, true},
    {"PORTNAME",     4, take_port_names},
};
// clang-format on

// Operands that exclude each other, whatever their order.
static int check(struct command_call *call, const struct vswitch_settings *s)
{
    const struct lan_policy *p = &s->policy;
    const char *conflict = NULL;
    if (s->said_ip && s->said_ethernet)
        conflict = "ETHERNET";
    else if (s->said_router && p->transport == TRANSPORT_ETHERNET)
        conflict = p->primary_router ? "PRIROUTER" : "NONROUTER";
    else if (!p->vlan_aware && s->said_vlan_option)
        conflict = "UNAWARE"; // PORTTYPE and NATIVE belong to VLANs
    else if (s->ivl.domain != 0 && !s->ivl.defined)
        conflict = "DOMAIN";
    else if (s->bridge.defined && p->transport != TRANSPORT_ETHERNET)
        conflict = "BRIDGEPORT";
    else if (s->uplink.group[0] && p->transport != TRANSPORT_ETHERNET)
        conflict = "GROUP";
    else if (s->uplink.none && s->uplink.devices > 0)
        conflict = "NOUPLINK";
    return conflict ? call_error(call, MESSAGE_conflicting_option, conflict) : 0;
}

// TYPE IVL carries traffic between systems: the rest of its form is fixed.
static void fix_ivl(struct vswitch_settings *s)
{
    if (!s->ivl.defined)
        return;
    s->uplink.priority_queuing = true;
    s->policy.transport = TRANSPORT_ETHERNET;
    s->policy.port_based = true;
    s->policy.port_type = PORT_ACCESS;
    s->said_router = s->said_ip = false;
    if (s->ivl.domain == 0)
        s->ivl.domain = 'A';
}

static void apply(struct lan *lan, const struct vswitch_settings *s)
{
    lan->policy = s->policy;
    lan->uplink = s->uplink;
    lan->bridge = s->bridge;
    lan->ivl = s->ivl;
    lan_refresh(lan);
}

// What a switch is before any operand speaks.
static void defaults(struct vswitch_settings *s, const struct network *network)
{
    memset(s, 0, sizeof *s);
    s->policy = (struct lan_policy){.restricted = true,
                                    .accounting = network->account_system,
                                    .mfs = 16384,
                                    .ip_timeout = 5,
                                    .queue_storage = 8,
                                    .native_vlan = 1};
    s->uplink = (struct uplink){.connect = true, .active = -1, .trace_pages = network->trace_pages};
    s->bridge = (struct bridge_port){.connect = true, .trace_pages = network->trace_pages};
}

static int create(struct command_call *call, struct network *network,
                  const struct vswitch_settings *s, const char *name)
{
    uint8_t mac[MAC_SIZE];
    if (network_find(network, "SYSTEM", name)) {
        const struct lan *lan = network_find(network, "SYSTEM", name);
        return call_error(call, MESSAGE_lan_exists, lan_kind_name(lan), lan->owner, lan->name);
    }
    if (network_count(network, true) >= network->persistent_limit ||
        !network_take_mac(network, mac))
        return call_error(call, MESSAGE_lan_limit, "PERSISTENT");
    struct lan *lan = network_define(network, LAN_VSWITCH, ADAPTER_QDIO, "SYSTEM", name);
    memcpy(lan->mac, mac, MAC_SIZE);
    apply(lan, s);
    call_line(call, "VSWITCH %s %s is created", lan->owner, lan->name);
    vswitch_update(call->cp, lan, call->vm);
    return 0;
}

static int define_vswitch(struct command_call *call)
{
    struct network *network = cp_network(call->cp);
    struct vswitch_settings s;
    char name[NETWORK_NAME_SIZE];
    defaults(&s, network);
    int rc = take_name(call, name);
    if (rc == 0)
        rc = operands_take(call, OPERANDS(operands), &s);
    if (rc != 0)
        return rc;
    fix_ivl(&s);
    rc = check(call, &s);
    return rc != 0 ? rc : create(call, network, &s, name);
}

static int detach_vswitch(struct command_call *call)
{
    char name[NETWORK_NAME_SIZE];
    int rc = take_name(call, name);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    struct lan *lan = network_find(cp_network(call->cp), "SYSTEM", name);
    if (!lan || lan->kind != LAN_VSWITCH)
        return call_error(call, MESSAGE_lan_not_found, "VSWITCH", "SYSTEM", name);
    vswitch_release(call->cp, lan);
    network_remove(lan);
    call_line(call, "VSWITCH SYSTEM %s is destroyed", name);
    return 0;
}

// clang-format off
static const struct command define_rows[] = {
    {"VSWITCH", 7, CLASS('B'), false, define_vswitch,
     "switchname [TYPE {QDIO [LOCAL | GLOBAL] | IVL [DOMAIN letter]}]\n"
     "[UPLINK] [RDEV {NONE | rdev[.Pn] ...}] [CONNECT | DISCONNECT] [PRIQUEUING {ON | OFF}] [NOUPLINK]\n"
     "[QUEUESTORAGE min[M] [max[M]]] [CONTROLLER {* | userid}] [LOGOFF | LOGON | LOGVERBOSE]\n"
     "[IP [NONROUTER | PRIROUTER] | ETHERNET [GROUP name | NOGROUP]]\n"
     "[BRIDGEPORT {NONE | RDEV rdev [CONNECT | DISCONNECT] [SECONDARY | PRIMARY]}] [IPTIMEOUT minutes]\n"
     "[VLAN {UNAWARE | vid | AWARE | ANY}] [PORTTYPE {ACCESS | TRUNK}] [GVRP | NOGVRP] [NATIVE {vid | NONE}]\n"
     "[USERBASED | PORTBASED] [PORTNAME name ...]",
     "Defines a virtual switch. Its owner is SYSTEM, it stays until DETACH VSWITCH, and users need "
     "authority to couple to it (SET VSWITCH GRANT, or NICDEF). Operands come in any order; RDEV, "
     "CONNECT and DISCONNECT belong to UPLINK or BRIDGEPORT, whichever was named last; PORTNAME is "
     "the last one. VLAN n makes the switch VLAN aware with n as its default VLAN."},
};
static const struct command detach_rows[] = {
    {"VSWITCH", 7, CLASS('B'), false, detach_vswitch, "switchname",
     "Destroys a virtual switch. Adapters that are connected to it are disconnected, and their "
     "owners told; uplink devices are given back."},
};
// clang-format on
COMMAND_TABLE(network_define_vswitch_commands, "DEFINE", define_rows);
COMMAND_TABLE(network_detach_vswitch_commands, "DETACH", detach_rows);
