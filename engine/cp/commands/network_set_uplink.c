// SPDX-License-Identifier: MIT
// What SET VSWITCH says of the ways out of a switch: UPLINK, BRIDGEPORT, IVLPORT, CONTROLLER.
#include <string.h>

#include "cp/commands/network.h"

// --- UPLINK -----------------------------------------------------------------

static int uplink_none(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)call;
    (void)value;
    c->s.uplink.devices = 0;
    c->s.uplink.nic_user[0] = '\0';
    return 0;
}

static int uplink_nic(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    int rc = take_user(call, c->s.uplink.nic_user);
    if (rc == 0)
        rc = take_device(call, &c->s.uplink.nic_device);
    if (rc == 0 && call_keyword(call, "PORTNUM", 7) && !call_keyword(call, "AUTO", 4)) {
        unsigned number;
        rc = take_between(call, 1, LAN_PORT_NUMBERS, &number);
    }
    return rc;
}

static int uplink_path_mtu(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    if (call_keyword(call, "EXTERNAL", 3))
        c->s.uplink.path_mtu = 0;
    else if (call_keyword(call, "OFF", 3))
        c->s.uplink.path_mtu = LAN_NO_PATH_MTU;
    else if (call_keyword(call, "VALUE", 3))
        return take_between(call, 512, 65535, &c->s.uplink.path_mtu);
    else if (call_peek(call))
        return call_error(call, MESSAGE_invalid_operand, call_peek(call));
    else
        return call_error(call, MESSAGE_operand_missing);
    return 0;
}

// Makes another of the switch's devices the active one, by putting it first.
static int uplink_switchover(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    struct uplink *u = &c->s.uplink;
    struct uplink_device wanted;
    unsigned at = u->active >= 0 ? (unsigned)u->active + 1 : 0;
    (void)value;
    if (call_keyword(call, "RDEV", 4)) {
        if (!call_peek(call) || !parse_uplink_device(call_take(call), &wanted))
            return call_error(call, MESSAGE_rdev_missing);
        for (at = 0; at < u->devices && u->device[at].rdev != wanted.rdev; at++)
            continue;
    } else if (!call_keyword(call, "AVAILABLE", 9)) {
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    }
    if (at >= u->devices)
        return call_error(call, MESSAGE_switch_no_device);
    wanted = u->device[at];
    memmove(&u->device[1], &u->device[0], at * sizeof wanted);
    u->device[0] = wanted;
    return 0;
}

static int uplink_trace(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return take_between(call, 1, 256, &c->s.uplink.trace_pages);
}

// clang-format off
static const struct operand uplink_operands[] = {
    {"CONNECT",          3, take_connection, true},
    {"DISCONNECT",       6, take_connection, false},
    {"RDEV",             4, take_rdevs},
    {"GROUP",            5, take_group, true},
    {"NOGROUP",          3, take_group, false},
    {"NIC",              3, uplink_nic},
    {"NONE",             4, uplink_none},
    {"PATHMTUDISCOVERY", 8, uplink_path_mtu},
    {"SWITCHOVER",      10, uplink_switchover},
    {"PRIQUEUING",       4, take_priority_queuing},
    {"TRACESIZE",        5, uplink_trace},
};
// clang-format on

int vswitch_set_uplink(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    if (c->s.uplink.none)
        return call_error(call, MESSAGE_conflicting_option, "UPLINK"); // defined with NOUPLINK
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    return operands_take(call, OPERANDS(uplink_operands), c);
}

// CONNECT, DISCONNECT and RDEV without the word UPLINK, as older levels had them.
int vswitch_set_uplink_word(struct command_call *call, void *into, int value)
{
    (void)value;
    call->next--;
    return vswitch_set_uplink(call, into, 0);
}

static int bridge_none(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)call;
    (void)value;
    c->s.bridge.defined = false;
    return 0;
}

static int bridge_buffers(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return take_between(call, 1, 128, &c->s.bridge.buffers);
}

static int bridge_trace(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return take_between(call, 1, 256, &c->s.bridge.trace_pages);
}

static int bridge_reset(struct command_call *call, void *into, int value)
{
    (void)call;
    (void)into;
    (void)value;
    return 0; // the port has no state beyond its settings
}

static int bridge_distribution(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return take_switch(call, &c->s.bridge.distribution);
}

// clang-format off
static const struct operand bridge_operands[] = {
    {"RDEV",            4, take_rdevs},
    {"CONNECT",         3, take_connection, true},
    {"DISCONNECT",      6, take_connection, false},
    {"SECONDARY",       9, take_bridge_role, false},
    {"PRIMARY",         7, take_bridge_role, true},
    {"NONE",            4, bridge_none},
    {"BUFFERS",         4, bridge_buffers},
    {"RESET",           5, bridge_reset},
    {"TRACESIZE",       5, bridge_trace},
    {"NICDISTRIBUTION", 4, bridge_distribution},
};
// clang-format on

int vswitch_set_bridge(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    if (c->s.policy.transport != TRANSPORT_ETHERNET)
        return call_error(call, MESSAGE_conflicting_option, "BRIDGEPORT");
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    c->s.bridge_last = true;
    return operands_take(call, OPERANDS(bridge_operands), c);
}

static int ivl_vlan(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    unsigned vid = 0;
    (void)value;
    int rc = take_between(call, 1, VLAN_MAX, &vid);
    c->s.ivl.vlan = (uint16_t)vid;
    return rc;
}

static int ivl_heartbeat(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    if (!call_keyword(call, "TIMEOUT", 4))
        return call_error(call, MESSAGE_operand_missing);
    return take_between(call, 1, 3600, &c->s.ivl.heartbeat);
}

// There is no other system to reach until uplinks lead to the host.
static int ivl_unreachable(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    (void)value;
    return call_error(call, MESSAGE_switch_not_active, c->lan->owner, c->lan->name);
}

int vswitch_set_ivl(struct command_call *call, void *into, int value)
{
    static const struct operand table[] = {{"VLAN", 4, ivl_vlan},
                                           {"PING", 4, ivl_unreachable},
                                           {"HEARTBEAT", 5, ivl_heartbeat},
                                           {"RESET", 5, ivl_unreachable}};
    struct vswitch_change *c = into;
    (void)value;
    if (!c->s.ivl.defined)
        return call_error(call, MESSAGE_conflicting_option, "IVLPORT");
    return operand_take(call, OPERANDS(table), c);
}

int vswitch_set_controller(struct command_call *call, void *into, int value)
{
    struct vswitch_change *c = into;
    struct uplink *u = &c->s.uplink;
    (void)value;
    u->controllers = 0;
    if (call_keyword(call, "*", 1))
        return call_end(call);
    do {
        if (u->controllers == UPLINK_CONTROLLERS)
            return call_error(call, MESSAGE_extra_option, call_peek(call));
        if (!parse_userid(call_take(call), u->controller[u->controllers]))
            return call_error(call, MESSAGE_userid_missing);
        u->controllers++;
    } while (call_peek(call));
    return 0;
}
