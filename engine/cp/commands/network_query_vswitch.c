// SPDX-License-Identifier: MIT
// QUERY VSWITCH and QUERY CONTROLLER.
#include <string.h>

#include "base/memory.h"
#include "cp/commands/network.h"
#include "cp/vswitch.h"

enum form {
    FORM_SHORT,
    FORM_DETAILS,
    FORM_ACCESS_LIST,
    FORM_PORT_NUMBERS,
    FORM_VLANS,
    FORM_PROMISCUOUS,
    FORM_BRIDGE,
    FORM_IVL,
};

struct query {
    char name[NETWORK_NAME_SIZE]; // "" all
    enum form form;
};

static void show_options(struct text *line, const struct lan *lan,
                         const struct port_options *options)
{
    struct vlan_set vlans = {0};
    enum port_type type = options->has_type ? options->type : lan->policy.port_type;
    if (!lan->policy.vlan_aware)
        return;
    if (options->has_vlans)
        vlans = options->vlans;
    else if (lan->policy.default_vlan != 0)
        vlan_add(&vlans, lan->policy.default_vlan, lan->policy.default_vlan);
    text_printf(line, " Porttype: %-7s VLAN: ", show_port_type(type));
    vlan_format(&vlans, line);
    if (options->promiscuous)
        text_puts(line, " Promiscuous");
}

// SYSTEM owns the switch and is always listed first.
static void show_access_list(struct command_call *call, const struct lan *lan)
{
    struct access_entry system = {.userid = "SYSTEM"};
    call_line(call, "  Authorized userids:");
    if (!access_grant_of(lan, "SYSTEM"))
        call_line(call, "    SYSTEM");
    for (const struct access_entry *e = lan->access ? lan->access : &system; e; e = e->next) {
        struct text line = {0};
        if (e == &system || e->number != 0)
            continue;
        text_printf(&line, "    %-8s", e->userid);
        show_options(&line, lan, &e->options);
        call_line(call, "%s", text_get(&line));
        text_free(&line);
    }
}

static void show_port_line(struct command_call *call, const struct lan *lan, unsigned number,
                           const char *userid, const struct port *port,
                           const struct access_entry *entry)
{
    struct text line = {0};
    struct vlan_set none = {0};
    enum port_type type = port                               ? port->type
                          : entry && entry->options.has_type ? entry->options.type
                                                             : lan->policy.port_type;
    bool promiscuous = port ? port->promiscuous : entry && entry->options.promiscuous;
    text_printf(&line, "    %04u  %-8s  %-6s  %-3s     ", number, userid, show_port_type(type),
                promiscuous ? "Yes" : "No");
    if (lan->policy.vlan_aware)
        vlan_format(port ? &port->vlans : entry ? &entry->options.vlans : &none, &line);
    if (!port)
        text_puts(&line, "  (not connected)");
    call_line(call, "%s", text_get(&line));
    text_free(&line);
}

// Defined and connected ports together, by number.
static void show_port_numbers(struct command_call *call, const struct lan *lan)
{
    call_line(call, "    Port  Userid    PType   Promis  VLAN");
    for (unsigned n = 1; n <= LAN_PORT_NUMBERS; n++) {
        const struct access_entry *entry = access_port_of(lan, n);
        const struct port *port = lan_port(lan, n);
        if (entry || port)
            show_port_line(call, lan, n, port ? port->owner : entry->userid, port, entry);
    }
}

static bool vlan_used(const struct lan *lan, unsigned vid)
{
    for (const struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
        if (vlan_has(&p->vlans, vid) && !vlan_is_all(&p->vlans))
            return true;
    return lan->policy.default_vlan == vid;
}

static void show_vlan(struct command_call *call, const struct lan *lan, unsigned vid)
{
    call_line(call, "  VLAN ID: %04u", vid);
    for (const struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
        if (vlan_has(&p->vlans, vid))
            call_line(call, "    Port: %04u  %-8s  %04X  %s", p->number, p->owner, p->device,
                      show_port_type(p->type));
    if (!lan->vlan_counters)
        return;
    const struct port_counters *c = &lan->vlan_counters[vid];
    call_line(call, "    RX Packets: %-10llu RX Bytes: %llu", (unsigned long long)c->out.packets,
              (unsigned long long)c->out.bytes);
    call_line(call, "    TX Packets: %-10llu TX Bytes: %llu", (unsigned long long)c->in.packets,
              (unsigned long long)c->in.bytes);
}

static void show_vlans(struct command_call *call, const struct lan *lan)
{
    if (!lan->policy.vlan_aware)
        call_line(call, "  VLAN Unaware");
    for (unsigned vid = 1; lan->policy.vlan_aware && vid <= VLAN_MAX; vid++)
        if (vlan_used(lan, vid))
            show_vlan(call, lan, vid);
}

static void show_promiscuous(struct command_call *call, const struct lan *lan)
{
    bool any = false;
    call_line(call, "  Promiscuous users:");
    for (const struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
        if (p->promiscuous) {
            call_line(call, "    %-8s NIC: %04X.P00", p->owner, p->device);
            any = true;
        }
    if (!any)
        call_line(call, "    None");
}

static void show_ivl(struct command_call *call, const struct lan *lan)
{
    if (!lan->ivl.defined)
        call_line(call, " IVL Port: NONE");
    else
        call_line(call, " IVL Port: Domain: %c  VLAN: %04u  State: Disconnected", lan->ivl.domain,
                  lan->ivl.vlan);
}

static void show(struct command_call *call, const struct lan *lan, enum form form)
{
    static void (*const more[])(struct command_call *,
                                const struct lan *) = {[FORM_ACCESS_LIST] = show_access_list,
                                                       [FORM_PORT_NUMBERS] = show_port_numbers,
                                                       [FORM_VLANS] = show_vlans,
                                                       [FORM_PROMISCUOUS] = show_promiscuous,
                                                       [FORM_BRIDGE] = NULL,
                                                       [FORM_IVL] = show_ivl};
    if (form == FORM_BRIDGE && !lan->bridge.defined) {
        show_lan_head(call, lan);
        call_line(call, " Bridge Port: NONE");
        return;
    }
    show_vswitch(call, lan, form == FORM_DETAILS);
    if (more[form])
        more[form](call, lan);
}

static int take_form(struct command_call *call, void *into, int form)
{
    (void)call;
    ((struct query *)into)->form = (enum form)form;
    return 0;
}

// clang-format off
static const struct operand forms[] = {
    {"DETAILS",     3, take_form, FORM_DETAILS},
    {"ACCESSLIST",  3, take_form, FORM_ACCESS_LIST},
    {"PORTNUM",     7, take_form, FORM_PORT_NUMBERS},
    {"VLAN",        4, take_form, FORM_VLANS},
    {"BRIDGEPORT",  6, take_form, FORM_BRIDGE},
    {"IVLPORT",     4, take_form, FORM_IVL},
    {"PROMISCUOUS", 7, take_form, FORM_PROMISCUOUS},
};
// clang-format on

// ALL, SYSTEM name, name, or none of it before a form.
static int take_which(struct command_call *call, struct query *query)
{
    const char *word = call_peek(call);
    if (!word || call_keyword(call, "ALL", 3))
        return 0;
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        if (text_abbreviates(word, forms[i].name, forms[i].min))
            return 0;
    call_keyword(call, "SYSTEM", 6);
    return take_name(call, query->name);
}

static int query_vswitch(struct command_call *call)
{
    struct query query = {.name = ""};
    unsigned found = 0;
    int rc = take_which(call, &query);
    if (rc != 0 || (rc = operands_take(call, OPERANDS(forms), &query)) != 0)
        return rc;
    for (const struct lan *lan = cp_network(call->cp)->lans; lan; lan = lan->next) {
        if (lan->kind != LAN_VSWITCH || (query.name[0] && strcmp(lan->name, query.name) != 0) ||
            !may_see(call, lan))
            continue;
        show(call, lan, query.form);
        found++;
    }
    if (found > 0)
        return 0;
    return query.name[0] ? call_error(call, MESSAGE_lan_not_found, "VSWITCH", "SYSTEM", query.name)
                         : call_error(call, MESSAGE_no_networks, "VSWITCH");
}

// --- controllers ------------------------------------------------------------

static void show_controller(struct command_call *call, const char *userid)
{
    call_line(call, "Controller %-10s Available: YES   VDEV Range: *       Level 730", userid);
    call_line(call, "  Capability: IP ETHERNET VLAN_ARP GVRP     ISOLATION");
    for (const struct lan *lan = cp_network(call->cp)->lans; lan; lan = lan->next)
        for (unsigned i = 0; i < lan->uplink.devices; i++) {
            const struct uplink_device *d = &lan->uplink.device[i];
            if (d->vdev == 0 || strcmp(d->controller, userid) != 0)
                continue;
            call_line(call, "  %s %-8s %-8s Controller: %-8s VDEV: %04X", lan->owner, lan->name,
                      (int)i == lan->uplink.active ? "Primary" : "Backup",
                      lan->uplink.controllers == 0 ? "*" : lan->uplink.controller[0], d->vdev);
        }
}

static int query_controller(struct command_call *call)
{
    char userid[USERID_SIZE] = "";
    unsigned found = 0;
    int rc = 0;
    if (!call_keyword(call, "*", 1) && call_peek(call))
        rc = take_user(call, userid);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next) {
        if ((userid[0] && strcmp(vm->userid, userid) != 0) ||
            !vswitch_is_controller(call->cp, vm->userid))
            continue;
        show_controller(call, vm->userid);
        found++;
    }
    if (found > 0)
        return 0;
    return userid[0] ? call_error(call, MESSAGE_not_controller, userid)
                     : call_error(call, MESSAGE_no_networks, "VSWITCH controller");
}

// clang-format off
static const struct command rows[] = {
    {"VSWITCH", 7, CLASS('B') | CLASS('G'), false, query_vswitch,
     "[ALL | [SYSTEM] switchname]\n"
     "[DETAILS | ACCESSLIST | PORTNUM | VLAN | BRIDGEPORT | IVLPORT | PROMISCUOUS]",
     "Shows virtual switches: how they were defined, the state of their uplinks, and on request who "
     "has access, which ports and VLANs there are, and what passed at each adapter. Without class B "
     "only those you may couple to or are connected to."},
    {"CONTROLLER", 10, CLASS('B'), false, query_controller, "[* | userid]",
     "Shows the users that manage uplinks of virtual switches: DTCVSW1 to DTCVSW4 and whom a "
     "CONTROLLER operand names, while they are logged on."},
};
// clang-format on
COMMAND_TABLE(network_query_vswitch_commands, "QUERY", rows);
