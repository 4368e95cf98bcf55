// SPDX-License-Identifier: MIT
// COUPLE and UNCOUPLE: between a NIC and a LAN, and what passes between them.
#include <string.h>

#include "cp/command.h"
#include "cp/nic.h"
#include "cp/vswitch.h"

const char *lan_kind_name(const struct lan *lan)
{
    return lan->kind == LAN_VSWITCH ? "VSWITCH" : "LAN";
}

// A frame has arrived: into the queue, and an interruption when the guest had found it empty.
static bool deliver(struct port *port, const uint8_t *frame, size_t n)
{
    struct nic *nic = port->arg;
    if (!frame_queue_put(&nic->received, frame, n))
        return false;
    if (nic->idle) {
        struct external_interruption what = {.code = NIC_EXTERNAL_CODE, .parameter = nic->base};
        nic->idle = false;
        vm_external(nic->vm, NIC_EXTERNAL_MASK, &what);
    }
    return true;
}

static void forget_port(struct nic *nic)
{
    cp_notify_about(nic->vm->cp, CP_EVENT_LINK_DOWN, nic->vm, nic);
    nic->port = NULL;
    frame_queue_free(&nic->received);
    nic->idle = true;
}

// The LAN is being destroyed under the NIC: its owner is told.
static void closed(struct port *port)
{
    struct nic *nic = port->arg;
    struct text line = {0};
    text_printf(&line, "NIC %04X is disconnected from %s %s %s", nic->base,
                lan_kind_name(port->lan), port->lan->owner, port->lan->name);
    vm_line(nic->vm, LINE_CP, text_get(&line));
    text_free(&line);
    forget_port(nic);
}

static int refuse(const struct nic *nic, const struct lan *lan, enum connect_result why,
                  unsigned number, struct response *out)
{
    switch (why) {
    case CONNECT_NOT_AUTHORISED:
        return message_send(out, MESSAGE_couple_not_authorised, lan->owner, lan->name);
    case CONNECT_TYPE_MISMATCH:
        return message_send(out, MESSAGE_lan_type_mismatch, nic->base);
    case CONNECT_FULL:
        return message_send(out, MESSAGE_couple_full, nic->base, lan_kind_name(lan), lan->owner,
                            lan->name);
    case CONNECT_PORT_IN_USE:
        return message_send(out, MESSAGE_couple_port_in_use, nic->base, number);
    default:
        return message_send(out, MESSAGE_couple_duplicate_mac, nic->base);
    }
}

static struct port *connect(struct nic *nic, struct lan *lan, unsigned port_number,
                            enum connect_result *result)
{
    struct port_request request = {
        .owner = nic->vm->userid,
        .device = nic->base,
        .type = nic->type,
        .mac = nic->mac,
        .number = port_number,
        .directory = nic->authorised_by_directory ? &nic->options : NULL,
        .promiscuous = nic->promiscuous,
        .mac_protection = nic->mac_protection,
        .isolation = nic->isolation,
        .deliver = deliver,
        .closed = closed,
        .arg = nic,
    };
    return lan_connect(lan, &request, result);
}

int nic_couple(struct nic *nic, const char *owner, const char *name, unsigned port_number,
               struct response *out)
{
    enum connect_result result;
    if (strcmp(owner, "*") == 0)
        owner = nic->vm->userid;
    struct lan *lan = network_find(cp_network(nic->vm->cp), owner, name);
    if (!lan)
        return message_send(out, MESSAGE_lan_not_found, "LAN", owner, name);
    if (nic->port)
        return message_send(out, MESSAGE_nic_already_coupled, nic->base);
    struct port *port = connect(nic, lan, port_number, &result);
    if (!port)
        return refuse(nic, lan, result, port_number, out);
    nic->port = port;
    cp_notify_about(nic->vm->cp, CP_EVENT_LINK_UP, nic->vm, nic);
    response_line(out, "NIC %04X is connected to %s %s %s", nic->base, lan_kind_name(lan),
                  lan->owner, lan->name);
    return 0;
}

int nic_uncouple(struct nic *nic, struct response *out)
{
    struct port *port = nic->port;
    if (!port)
        return out ? message_send(out, MESSAGE_nic_not_coupled, nic->base) : 0;
    struct lan *lan = port->lan;
    if (out)
        response_line(out, "NIC %04X is disconnected from %s %s %s", nic->base, lan_kind_name(lan),
                      lan->owner, lan->name);
    forget_port(nic);
    lan_disconnect(port);
    vswitch_lan_unused(nic->vm->cp, lan);
    return 0;
}

void nic_settings_changed(struct nic *nic)
{
    struct port *port = nic->port;
    if (!port)
        return;
    port->mac_protection = nic->mac_protection;
    port->isolation = nic->isolation;
    port->wants_promiscuous = nic->promiscuous;
    lan_refresh(port->lan);
}
