// SPDX-License-Identifier: MIT
// Virtual NICs: DEFINE NIC, SET NIC, DETACH NIC, QUERY NIC.
#include <string.h>

#include "cp/commands/network.h"
#include "cp/nic_device.h"

// --- DEFINE and DETACH ------------------------------------------------------

static int define_type(struct command_call *call, void *into, int value)
{
    struct nic_request *request = into;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    return adapter_type_parse(word, &request->type)
               ? 0
               : call_error(call, MESSAGE_invalid_operand, word);
}

// The type without the word TYPE.
static int define_bare_type(struct command_call *call, void *into, int value)
{
    call->next--;
    return define_type(call, into, value);
}

static int define_devices(struct command_call *call, void *into, int value)
{
    struct nic_request *request = into;
    (void)value;
    return take_between(call, NIC_DEVICES, NIC_DEVICES_MAX, &request->devices);
}

static int define_chpid(struct command_call *call, void *into, int value)
{
    struct nic_request *request = into;
    uint64_t chpid;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strcmp(word, "*") == 0)
        return 0;
    if (strlen(word) > 2 || !text_to_u64(word, 16, 0xFF, &chpid))
        return call_error(call, MESSAGE_invalid_operand, word);
    request->chpid = (uint8_t)chpid;
    return 0;
}

static int define_nic(struct command_call *call)
{
    static const struct operand table[] = {
        {"TYPE", 4, define_type},      {"HIPERSOCKETS", 5, define_bare_type},
        {"QDIO", 4, define_bare_type}, {"IEDN", 4, define_bare_type},
        {"INMN", 4, define_bare_type}, {"DEVICES", 3, define_devices},
        {"CHPID", 5, define_chpid},
    };
    struct nic_request request = {.type = ADAPTER_HIPERSOCKETS, .devices = NIC_DEVICES};
    int rc = take_device(call, &request.base);
    if (rc == 0)
        rc = operands_take(call, OPERANDS(table), &request);
    return rc != 0 ? rc : nic_create(call->vm, &request, true, call->out);
}

// The issuer's NIC named by the next operand, or NULL after a message.
static struct nic *take_nic(struct command_call *call, struct vm *vm)
{
    uint16_t vdev;
    if (take_device(call, &vdev) != 0)
        return NULL;
    struct nic *nic = nic_find(vm, vdev);
    if (!nic)
        call_error(call, MESSAGE_nic_not_found, vdev);
    return nic;
}

static int detach_nic(struct command_call *call)
{
    struct nic *nic = take_nic(call, call->vm);
    int rc = nic ? call_end(call) : call->out->rc;
    if (rc != 0)
        return rc;
    vm_quiesce(call->vm);
    nic_remove(nic, call->out);
    return 0;
}

// --- SET --------------------------------------------------------------------

static int need_class_b(struct command_call *call, const char *option)
{
    return call->version & CLASS('B') ? 0 : call_error(call, MESSAGE_invalid_option, option);
}

static int set_macid(struct command_call *call, void *into, int value)
{
    struct nic *nic = into;
    uint64_t id;
    (void)value;
    int rc = need_class_b(call, "MACID");
    const char *word = rc == 0 ? call_take(call) : NULL;
    if (rc != 0)
        return rc;
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!text_to_u64(word, 16, 0xFFFFFF, &id))
        return call_error(call, MESSAGE_invalid_operand, word);
    if ((rc = call_end(call)) != 0)
        return rc;
    return nic_set_macid(nic, (uint32_t)id)
               ? 0
               : call_error(call, MESSAGE_nic_mac_in_use, nic->base, word);
}

static int set_mac_protect(struct command_call *call, void *into, int value)
{
    struct nic *nic = into;
    (void)value;
    int rc = need_class_b(call, "MACPROTECT");
    return rc != 0 ? rc : take_tristate(call, &nic->mac_protection);
}

static int set_isolation(struct command_call *call, void *into, int value)
{
    struct nic *nic = into;
    (void)value;
    int rc = need_class_b(call, "ISOLATION");
    return rc != 0 ? rc : take_tristate(call, &nic->isolation);
}

static int set_promiscuous(struct command_call *call, void *into, int on)
{
    struct nic *nic = into;
    (void)call;
    nic->promiscuous = on;
    return 0;
}

// The user and NIC that SET NIC and QUERY NIC name: "vdev", or "USER userid vdev" for class B.
static struct nic *take_any_nic(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && strcmp(call_peek(call), "USER") == 0) {
        if (need_class_b(call, "USER") != 0)
            return NULL;
        call_take(call);
        vm = call_user(call);
        if (!vm)
            return NULL;
    }
    return take_nic(call, vm);
}

static int set_nic(struct command_call *call)
{
    static const struct operand table[] = {
        {"MACID", 5, set_macid},
        {"MACPROTECT", 7, set_mac_protect},
        {"ISOLATION", 3, set_isolation},
        {"PROMISCUOUS", 4, set_promiscuous, true},
        {"NOPROMISCUOUS", 6, set_promiscuous, false},
    };
    struct nic *nic = take_any_nic(call);
    if (!nic)
        return call->out->rc;
    enum tristate protection = nic->mac_protection, isolation = nic->isolation;
    bool promiscuous = nic->promiscuous;
    int rc = operand_take(call, OPERANDS(table), nic);
    if (rc == 0)
        rc = call_end(call);
    if (rc != 0) {
        nic->mac_protection = protection;
        nic->isolation = isolation;
        nic->promiscuous = promiscuous;
        return rc;
    }
    nic_settings_changed(nic);
    return call_complete(call);
}

// --- QUERY ------------------------------------------------------------------

static void show_data_device(struct command_call *call, const struct nic *nic)
{
    static const char *const roles[NIC_DEVICES] = {"CTL-READ", "CTL-WRITE", "DATA"};
    for (unsigned i = 0; i < NIC_DEVICES; i++)
        if (i < 2)
            call_line(call, "    Device: %04X  Unit: %03u   Role: %s", nic->base + i, i, roles[i]);
        else
            call_line(call, "    Device: %04X  Unit: %03u   Role: %-9s Port: %04u", nic->base + i,
                      i, roles[i], nic->port->number);
}

static void show_details(struct command_call *call, const struct nic *nic)
{
    unsigned first = nic->port ? NIC_DEVICES : 0;
    show_counters(call, nic->port, 6);
    if (nic->port) {
        call_line(call, "    Connection Name: %-8s       State: %s", nic->vm->userid,
                  nic->port->authorised ? "Session Established" : "Not authorized");
        show_data_device(call, nic);
        show_port_vlans(call, nic->port, 6);
        call_line(call, "      Options: Ethernet Broadcast%s",
                  nic->port->promiscuous ? " Promiscuous" : "");
        call_line(call, "        Unicast MAC Addresses:");
        call_line(call, "          %s", show_mac(nic->mac).s);
    }
    if (first < nic->devices)
        call_line(call, "    Unassigned Devices:");
    for (unsigned i = first; i < nic->devices; i++)
        call_line(call, "      Device: %04X  Unit: %03u   Role: Unassigned", nic->base + i, i);
}

static void show_nic(struct command_call *call, const struct nic *nic, bool details)
{
    const struct lan *lan = nic->port ? nic->port->lan : NULL;
    call_line(call, "Adapter %04X.P00 Type: %-9s Name: %-11s Devices: %u", nic->base,
              adapter_type_name(nic->type), "UNASSIGNED", nic->devices);
    if (lan)
        call_line(call, "  MAC: %s         %s: %s %s", show_mac(nic->mac).s, lan_kind_name(lan),
                  lan->owner, lan->name);
    else
        call_line(call, "  MAC: %s         LAN: * None", show_mac(nic->mac).s);
    if (details)
        show_details(call, nic);
}

static int query_all(struct command_call *call, const struct vm *vm)
{
    bool details = call_keyword(call, "DETAILS", 3);
    int rc = call_end(call);
    if (rc != 0)
        return rc;
    if (!vm->nics)
        return call_error(call, MESSAGE_no_nics);
    for (const struct nic *nic = vm->nics; nic; nic = nic->next)
        show_nic(call, nic, details);
    return 0;
}

int network_query_nic(struct command_call *call)
{
    const char *word = call_peek(call);
    if (!word || call_keyword(call, "ALL", 3) || text_abbreviates(word, "DETAILS", 3))
        return query_all(call, call->vm);
    const struct nic *nic = take_any_nic(call);
    if (!nic)
        return call->out->rc;
    bool details = call_keyword(call, "DETAILS", 3);
    int rc = call_end(call);
    if (rc == 0)
        show_nic(call, nic, details);
    return rc;
}

// clang-format off
static const struct command define_rows[] = {
    {"NIC", 3, CLASS('G'), false, define_nic,
     "vdev [TYPE] {HIPERSOCKETS | QDIO | IEDN | INMN} [DEVICES n] [CHPID {xx | *}]",
     "Adds a virtual network interface card to your virtual machine: three consecutive devices from "
     "vdev, or as many as DEVICES says. COUPLE then connects it to a guest LAN or a virtual switch."},
};
static const struct command set_rows[] = {
    {"NIC", 3, CLASS('B') | CLASS('G'), false, set_nic,
     "{vdev | USER userid vdev}\n"
     "{PROMISCUOUS | NOPROMISCUOUS | MACID macid | MACPROTECT {UNSPECIFIED | OFF | ON}\n"
     "| ISOLATION {UNSPECIFIED | OFF | ON}}",
     "Changes a virtual NIC. PROMISCUOUS asks for all frames of its VLANs, and takes effect where "
     "the switch grants it. USER and everything else need class B."},
};
static const struct command detach_rows[] = {
    {"NIC", 3, CLASS('G'), false, detach_nic, "vdev",
     "Removes a virtual NIC with all its devices from your virtual machine; it is uncoupled first."},
};
static const struct command query_rows[] = {
    {"NIC", 3, CLASS('B') | CLASS('G'), false, network_query_nic,
     "[ALL | vdev | USER userid vdev] [DETAILS]",
     "Shows your virtual NICs: type, MAC address and where they are connected; with DETAILS what "
     "passed, and the role of each device. USER needs class B."},
};
// clang-format on
COMMAND_TABLE(network_define_nic_commands, "DEFINE", define_rows);
COMMAND_TABLE(network_set_nic_commands, "SET", set_rows);
COMMAND_TABLE(network_detach_nic_commands, "DETACH", detach_rows);
COMMAND_TABLE(network_query_nic_commands, "QUERY", query_rows);
