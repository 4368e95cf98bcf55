// SPDX-License-Identifier: MIT
// SET VSWITCH. Settings are changed in a copy, and given back when the whole command is right.
#include <string.h>

#include "base/memory.h"
#include "cp/commands/network.h"
#include "cp/vswitch.h"

// --- authority --------------------------------------------------------------

static int set_grant(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    struct port_options options = {0};
    char userid[USERID_SIZE];
    (void)value;
    int rc = take_user(call, userid);
    struct access_entry *entry = rc == 0 ? access_grant_of(c->lan, userid) : NULL;
    if (entry)
        options = entry->options;
    if (rc != 0 || (rc = take_port_options(call, c->lan, &options)) != 0)
        return rc;
    access_add(c->lan, userid, 0)->options = options;
    return 0;
}

static int set_revoke(struct command_call *call, void *into, int value)
{
    const struct vswitch_change *c = into;
    (void)value;
    return revoke_access(call, c->lan, "VSWITCH");
}

static int port_userid(struct command_call *call, struct vswitch_change *c, unsigned number)
{
    struct port_options options = {0};
    char userid[USERID_SIZE];
    int rc = take_user(call, userid);
    if (rc != 0 || (rc = take_port_options(call, c->lan, &options)) != 0)
        return rc;
    struct access_entry *entry = access_add(c->lan, userid, number);
    strcpy(entry->userid, userid);
    entry->options = options;
    return 0;
}

static int port_change(struct command_call *call, struct vswitch_change *c, bool remove)
{
    unsigned number;
    int rc = take_between(call, 1, LAN_PORT_NUMBERS, &number);
    if (rc != 0)
        return rc;
    struct access_entry *entry = access_port_of(c->lan, number);
    if (!entry)
        return call_error(call, MESSAGE_port_not_found, number, c->lan->owner, c->lan->name);
    if (remove) {
        if ((rc = call_end(call)) == 0)
            access_remove(c->lan, entry);
        return rc;
    }
    struct port_options options = entry->options;
    rc = take_port_options(call, c->lan, &options);
    if (rc == 0)
        entry->options = options;
    return rc;
}

static int set_port_number(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    unsigned number;
    (void)value;
    if (call_keyword(call, "MODIFY", 6))
        return port_change(call, c, false);
    if (call_keyword(call, "REMOVE", 6))
        return port_change(call, c, true);
    int rc = take_between(call, 1, LAN_PORT_NUMBERS, &number);
    if (rc != 0)
        return rc;
    if (!call_keyword(call, "USERID", 6))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_option, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    return port_userid(call, c, number);
}

// --- VLANID -----------------------------------------------------------------

static bool parse_ports(const char *word, unsigned *first, unsigned *last)
{
    struct vlan_set ids = {0}; // the same syntax, and 2048 ports are fewer than VLANs
    if (!vlan_parse(&ids, word))
        return false;
    *first = vlan_next(&ids, 0);
    *last = *first + vlan_count(&ids) - 1;
    return *last <= LAN_PORT_NUMBERS;
}

static void port_vlan(struct access_entry *entry, unsigned vid, bool add)
{
    if (add) {
        vlan_add(&entry->options.vlans, vid, vid);
        entry->options.has_vlans = true;
    } else {
        vlan_remove(&entry->options.vlans, vid);
    }
}

// Port numbers and ranges; each must be defined. First pass checks, second changes.
static int vlan_ports(struct command_call *call, struct vswitch_change *c, unsigned vid, bool add)
{
    unsigned start = call->next, first, last;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    for (int pass = 0; pass < 2; pass++) {
        call->next = start;
        for (const char *word; (word = call_take(call)) != NULL;) {
            if (!parse_ports(word, &first, &last))
                return call_error(call, MESSAGE_invalid_operand, word);
            for (unsigned n = first; n <= last; n++) {
                struct access_entry *entry = access_port_of(c->lan, n);
                if (!entry)
                    return call_error(call, MESSAGE_port_not_found, n, c->lan->owner, c->lan->name);
                if (pass == 1)
                    port_vlan(entry, vid, add);
            }
        }
    }
    return 0;
}

static int vlan_delete(struct command_call *call, struct vswitch_change *c)
{
    unsigned vid, found = 0;
    int rc = take_between(call, 1, VLAN_MAX, &vid);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    for (struct access_entry *e = c->lan->access; e; e = e->next) {
        found += e->options.has_vlans && vlan_has(&e->options.vlans, vid);
        vlan_remove(&e->options.vlans, vid);
    }
    return found ? 0 : call_error(call, MESSAGE_vlan_not_found, vid, c->lan->owner, c->lan->name);
}

static int set_vlan_id(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    unsigned vid;
    (void)value;
    if (!c->lan->policy.vlan_aware)
        return call_error(call, MESSAGE_vlan_unaware, c->lan->owner, c->lan->name);
    if (call_keyword(call, "DELETE", 6))
        return vlan_delete(call, c);
    int rc = take_between(call, 1, VLAN_MAX, &vid);
    if (rc != 0)
        return rc;
    if (call_keyword(call, "ADD", 3))
        return vlan_ports(call, c, vid, true);
    if (call_keyword(call, "REMOVE", 6))
        return vlan_ports(call, c, vid, false);
    return call_peek(call) ? call_error(call, MESSAGE_invalid_option, call_peek(call))
                           : call_error(call, MESSAGE_operand_missing);
}

// --- the rest ---------------------------------------------------------------

static int set_mac_protect(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return take_tristate(call, &c->s.policy.mac_protection);
}

static int set_mac_id(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    struct network *network = c->lan->network;
    uint8_t mac[MAC_SIZE];
    uint64_t id;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!text_to_u64(word, 16, 0xFFFFFF, &id))
        return call_error(call, MESSAGE_invalid_operand, word);
    int rc = call_end(call);
    if (rc != 0)
        return rc;
    if (!network_take_user_mac(network, (uint32_t)id, mac))
        return call_error(call, MESSAGE_switch_mac_in_use, c->lan->owner, c->lan->name, word);
    network_release_mac(network, c->lan->mac);
    memcpy(c->lan->mac, mac, MAC_SIZE);
    return 0;
}

static int set_flag(struct command_call *call, void *into, int which)
{
    struct vswitch_change *c = into;
    bool *const flags[] = {&c->s.policy.vepa, &c->s.policy.isolation, &c->s.policy.count_vlans,
                           &c->s.policy.accounting};
    return take_switch(call, flags[which]);
}

static int set_counters(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    struct lan *lan = c->lan;
    unsigned kinds = COUNTERS_ALL;
    (void)value;
    if (!call_keyword(call, "CLEAR", 5))
        return call_error(call, MESSAGE_operand_missing);
    bool all = call_keyword(call, "ALL", 3), bridge = !all && call_keyword(call, "BRIDGEPORT", 6);
    if (!all && !bridge && !call_keyword(call, "UPLINK", 6))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    if (call_keyword(call, "DATA", 4))
        kinds = COUNTERS_DATA;
    else if (call_keyword(call, "DISCARDED", 7))
        kinds = COUNTERS_DISCARDED;
    else if (call_keyword(call, "ERRORS", 5))
        kinds = COUNTERS_ERRORS;
    int rc = call_end(call);
    if (rc != 0)
        return rc;
    if (lan->uplink.port && !bridge)
        port_clear_counters(lan->uplink.port, kinds);
    for (struct port *p = lan_next_port(lan, -1); p && all; p = lan_next_port(lan, p->slot))
        port_clear_counters(p, kinds);
    return 0;
}

// clang-format off
static const struct operand operands[] = {
    {"GRANT",         3, set_grant},
    {"REVOKE",        3, set_revoke},
    {"PORTNUMBER",    7, set_port_number},
    {"VLANID",        5, set_vlan_id},
    {"UPLINK",        6, vswitch_set_uplink},
    {"CONNECT",       3, vswitch_set_uplink_word},
    {"DISCONNECT",    6, vswitch_set_uplink_word},
    {"RDEV",          4, vswitch_set_uplink_word},
    {"BRIDGEPORT",    6, vswitch_set_bridge},
    {"IVLPORT",       4, vswitch_set_ivl},
    {"CONTROLLER",    5, vswitch_set_controller},
    {"MACPROTECT",    7, set_mac_protect},
    {"MACID",         5, set_mac_id},
    {"VEPA",          4, set_flag, 0},
    {"ISOLATION",     3, set_flag, 1},
    {"VLAN_COUNTERS", 5, set_flag, 2},
    {"ACCOUNTING",    7, set_flag, 3},
    {"IPTIMEOUT",     3, take_ip_timeout},
    {"COUNTERS",      8, set_counters},
    {"QUEUESTORAGE",  3, take_queue_storage},
    {"GVRP",          4, take_gvrp, true},
    {"NOGVRP",        6, take_gvrp, false},
    {"NONROUTER",     3, take_router, false},
    {"PRIROUTER",     3, take_router, true},
    {"PORTNAME",      4, take_port_names},
};
// clang-format on

// Is the uplink to be connected anew? What else SET UPLINK says leaves it up, with its counters.
static bool reconnects(const struct uplink *old, const struct uplink *new)
{
    return old->connect != new->connect || old->devices != new->devices ||
           memcmp(old->device, new->device, sizeof old->device) != 0 ||
           old->controllers != new->controllers ||
           memcmp(old->controller, new->controller, sizeof old->controller) != 0;
}

static void apply(struct command_call *call, struct vswitch_change *c)
{
    struct lan *lan = c->lan;
    bool anew = reconnects(&lan->uplink, &c->s.uplink), counted = lan->policy.count_vlans;
    if (anew) {
        vswitch_release(call->cp, lan); // under the old devices
        c->s.uplink.active = -1;
        c->s.uplink.port = NULL;
        for (unsigned i = 0; i < UPLINK_DEVICES; i++)
            c->s.uplink.device[i].vdev = 0;
    }
    lan->policy = c->s.policy;
    lan->uplink = c->s.uplink;
    lan->bridge = c->s.bridge;
    lan->ivl = c->s.ivl;
    if (counted != lan->policy.count_vlans)
        lan_count_vlans(lan, lan->policy.count_vlans);
    lan_refresh(lan);
    call_complete(call);
    if (anew)
        vswitch_update(call->cp, lan, call->vm);
}

static int set_vswitch(struct command_call *call)
{
    char name[NETWORK_NAME_SIZE];
    int rc = take_name(call, name);
    if (rc != 0)
        return rc;
    struct lan *lan = network_find(cp_network(call->cp), "SYSTEM", name);
    if (!lan || lan->kind != LAN_VSWITCH)
        return call_error(call, MESSAGE_lan_not_found, "VSWITCH", "SYSTEM", name);
    struct vswitch_change c = {
        .lan = lan,
        .s = {
            .policy = lan->policy, .uplink = lan->uplink, .bridge = lan->bridge, .ivl = lan->ivl}};
    rc = operand_take(call, OPERANDS(operands), &c);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    if (c.s.said_router && lan->policy.transport == TRANSPORT_ETHERNET)
        return call_error(call, MESSAGE_conflicting_option,
                          c.s.policy.primary_router ? "PRIROUTER" : "NONROUTER");
    apply(call, &c);
    return 0;
}

// clang-format off
static const struct command rows[] = {
    {"VSWITCH", 7, CLASS('B'), false, set_vswitch,
     "switchname\n"
     "{ GRANT userid [options] | REVOKE userid\n"
     "| PORTNUMBER {n USERID userid [options] | MODIFY n options | REMOVE n}\n"
     "| VLANID {vid {ADD | REMOVE} port[-port] ... | DELETE vid}\n"
     "| UPLINK {CONNECT | DISCONNECT | RDEV {NONE | rdev[.Pn] ...} | GROUP name | NOGROUP | NONE\n"
     "         | NIC userid vdev [PORTNUM {AUTO | n}] | PATHMTUDISCOVERY {EXTERNAL | VALUE n | OFF}\n"
     "         | SWITCHOVER {AVAILABLE | RDEV rdev.Pn} | PRIQUEUING {ON | OFF} | TRACESIZE pages} ...\n"
     "| BRIDGEPORT {RDEV rdev | CONNECT | DISCONNECT | PRIMARY | SECONDARY | NONE | BUFFERS n | RESET\n"
     "         | TRACESIZE pages | NICDISTRIBUTION {ON | OFF}} ...\n"
     "| IVLPORT {VLAN vid | PING {MAC mac | SYSTEM name | ALL} | HEARTBEAT TIMEOUT seconds | RESET}\n"
     "| CONTROLLER {* | userid ...} | MACPROTECT {UNSPECIFIED | OFF | ON} | MACID macid\n"
     "| VEPA {ON | OFF} | ISOLATION {ON | OFF} | VLAN_COUNTERS {ON | OFF} | ACCOUNTING {ON | OFF}\n"
     "| IPTIMEOUT minutes | QUEUESTORAGE n[M] [max[M]]\n"
     "| COUNTERS CLEAR {UPLINK | BRIDGEPORT | ALL} [DATA | DISCARDED | ERRORS]\n"
     "| GVRP | NOGVRP | NONROUTER | PRIROUTER | PORTNAME name ... }\n"
     "options: PORTTYPE {ACCESS | TRUNK} | PROMISCUOUS | NOPROMISCUOUS | PQUPLINKTX {NORMAL | LOW | HIGH}\n"
     "         | VLAN {vid[-vid] ... | ANY}",
     "Changes a virtual switch. GRANT gives a user access, with a port type and VLAN ids of its own; "
     "a repeated GRANT changes what it names. Adapters that are connected already follow at once, "
     "also a REVOKE: they stay connected, but no frame passes until access is granted again."},
};
// clang-format on
COMMAND_TABLE(network_set_vswitch_commands, "SET", rows);

static int modify(struct command_call *call)
{
    if (!call_keyword(call, "VSWITCH", 7))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_option, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    return set_vswitch(call);
}

static const struct command config_rows[] = {
    {"MODIFY", 6, CLASS('B'), false, modify, "VSWITCH switchname option ...",
     "The SYSTEM CONFIG statement's spelling of SET VSWITCH; HELP SET VSWITCH tells the options."},
};
COMMAND_TABLE(network_modify_commands, NULL, config_rows);
