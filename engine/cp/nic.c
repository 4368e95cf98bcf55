// SPDX-License-Identifier: MIT
// Virtual NICs: making and removing them, what DEFINE NIC, NICDEF and DETACH NIC do.
#include "cp/nic.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/nic_device.h"
#include "cp/vdev.h"
#include "cp/vswitch.h"

#define QUEUE_FRAMES 512u
#define QUEUE_BYTES  (1u << 20)

// Adapter types by what DEFINE NIC calls them, what QUERY shows, and the channel path type.
static const struct {
    const char *keyword;
    unsigned min;
    const char *shown, *vdev_type, *path;
} types[] = {
    [ADAPTER_HIPERSOCKETS] = {"HIPERSOCKETS", 5, "HIPERS", "HIPERS", "IQD"},
    [ADAPTER_QDIO] = {"QDIO", 4, "QDIO", "OSA", "OSD"},
    [ADAPTER_IEDN] = {"IEDN", 4, "IEDN", "OSA", "OSX"},
    [ADAPTER_INMN] = {"INMN", 4, "INMN", "OSA", "OSM"},
};

const char *adapter_type_name(enum adapter_type type)
{
    return types[type].shown;
}

bool adapter_type_parse(const char *word, enum adapter_type *type)
{
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (word && text_abbreviates(word, types[i].keyword, types[i].min)) {
            *type = (enum adapter_type)i;
            return true;
        }
    return false;
}

struct nic *nic_find(const struct vm *vm, uint16_t vdev)
{
    for (struct nic *nic = vm->nics; nic; nic = nic->next)
        if (nic->base == vdev)
            return nic;
    return NULL;
}

struct nic *nic_of_device(const struct vm *vm, uint16_t vdev)
{
    for (struct nic *nic = vm->nics; nic; nic = nic->next)
        if (vdev >= nic->base && vdev - nic->base < (int)nic->devices)
            return nic;
    return NULL;
}

struct network *cp_network(struct cp *cp)
{
    if (!cp->network)
        cp->network = network_new(&cp->world->clock);
    if (!cp->network->owner)
        cp->network->owner = vswitch_watch(cp);
    return cp->network;
}

void nic_system_free(struct cp *cp)
{
    if (cp->network && cp->network->owner)
        vswitch_unwatch(cp->network->owner);
    network_free(cp->network);
    cp->network = NULL;
}

// --- making -----------------------------------------------------------------

// A number of the range that is in use already, or -1.
static int first_taken(const struct vm *vm, uint16_t base, unsigned devices)
{
    for (unsigned i = 0; i < devices; i++) {
        uint16_t number = (uint16_t)(base + i);
        if (vdev_find(vm, number) || css_device(vm->machine->css, number) ||
            nic_of_device(vm, number))
            return number;
    }
    return -1;
}

static void insert(struct nic *nic)
{
    struct nic **at = &nic->vm->nics;
    while (*at && (*at)->base < nic->base)
        at = &(*at)->next;
    nic->next = *at;
    *at = nic;
}

static void detach_devices(struct nic *nic)
{
    bool announce = !nic->vm->logging_off;
    for (unsigned i = 0; i < nic->devices; i++) {
        uint16_t number = (uint16_t)(nic->base + i);
        if (nic->device[i])
            css_detach(nic->vm->machine->css, number, announce);
        if (vdev_find(nic->vm, number))
            vdev_remove(nic->vm, number);
    }
}

static bool attach_devices(struct nic *nic, bool announce)
{
    for (unsigned i = 0; i < nic->devices; i++) {
        nic->device[i] = nic_device_attach(nic, i, announce);
        if (!nic->device[i])
            return false;
        vdev_add(nic->vm, (uint16_t)(nic->base + i), VDEV_NIC, types[nic->type].vdev_type);
    }
    return true;
}

static void free_nic(struct nic *nic)
{
    detach_devices(nic);
    network_release_mac(cp_network(nic->vm->cp), nic->mac);
    frame_queue_free(&nic->received);
    free(nic->device);
    free(nic);
}

static struct nic *make(struct vm *vm, uint16_t base, enum adapter_type type, unsigned devices,
                        bool announce)
{
    struct nic *nic = mem_zero(1, sizeof *nic);
    nic->vm = vm;
    nic->base = base;
    nic->type = type;
    nic->devices = devices;
    nic->device = mem_zero(devices, sizeof(struct nic_device *));
    nic->idle = true;
    frame_queue_init(&nic->received, QUEUE_FRAMES, QUEUE_BYTES);
    if (!network_take_mac(cp_network(vm->cp), nic->mac) || !attach_devices(nic, announce)) {
        free_nic(nic);
        return NULL;
    }
    insert(nic);
    return nic;
}

int nic_create(struct vm *vm, const struct nic_request *request, bool announce,
               struct response *out)
{
    unsigned last = request->base + request->devices - 1;
    if (request->devices < NIC_DEVICES || request->devices > NIC_DEVICES_MAX || last > UINT16_MAX)
        return message_send(out, MESSAGE_vdev_missing);
    int taken = first_taken(vm, request->base, request->devices);
    if (taken >= 0)
        return message_send(out, MESSAGE_nic_device_defined, "NIC", (unsigned)taken);
    struct nic *nic = make(vm, request->base, request->type, request->devices, announce);
    if (!nic)
        return message_send(out, MESSAGE_nic_not_created, request->base);
    nic->chpid = request->chpid;
    response_line(out, "NIC %04X is created; devices %04X-%04X defined", nic->base, nic->base,
                  last);
    return 0;
}

int nic_define(struct vm *vm, uint16_t vdev, const char *type, unsigned devices,
               struct response *out)
{
    struct nic_request request = {.base = vdev, .devices = devices ? devices : NIC_DEVICES};
    if (!adapter_type_parse(type, &request.type))
        return message_send(out, MESSAGE_invalid_operand, type);
    return nic_create(vm, &request, false, out);
}

// The options of NICDEF that stand for a GRANT.
static void options_from_directory(struct nic *nic, const struct directory_nic *entry)
{
    nic->port_number = entry->port;
    if (entry->vlan != 0) {
        vlan_add(&nic->options.vlans, entry->vlan, entry->vlan);
        nic->options.has_vlans = true;
    }
    nic->authorised_by_directory = entry->vlan != 0 || entry->port != 0;
}

int nic_from_directory(struct vm *vm, const struct directory_nic *entry, struct response *out)
{
    uint64_t id;
    int rc = nic_define(vm, entry->vdev, entry->type, entry->devices, out);
    if (rc != 0)
        return rc;
    struct nic *nic = nic_find(vm, entry->vdev);
    options_from_directory(nic, entry);
    if (text_to_u64(entry->chpid, 16, 0xFF, &id))
        nic->chpid = (uint8_t)id;
    if (entry->mac_id[0] &&
        (!text_to_u64(entry->mac_id, 16, 0xFFFFFF, &id) || !nic_set_macid(nic, (uint32_t)id)))
        message_send(out, MESSAGE_nic_mac_in_use, nic->base, entry->mac_id);
    if (!entry->lan)
        return 0;
    strcpy(nic->lan_owner, strcmp(entry->lan_owner, "*") == 0 ? vm->userid : entry->lan_owner);
    strcpy(nic->lan_name, entry->lan_name);
    nic_couple(nic, nic->lan_owner, nic->lan_name, nic->port_number, out);
    return 0;
}

// --- removing ---------------------------------------------------------------

void nic_remove(struct nic *nic, struct response *out)
{
    struct nic **at = &nic->vm->nics;
    if (nic->port)
        nic_uncouple(nic, out);
    while (*at != nic)
        at = &(*at)->next;
    *at = nic->next;
    if (out)
        response_line(out, "NIC %04X is destroyed; devices %04X-%04X detached", nic->base,
                      nic->base, nic->base + nic->devices - 1);
    free_nic(nic);
}

void nic_remove_all(struct vm *vm)
{
    struct network *network = cp_network(vm->cp);
    while (vm->nics)
        nic_remove(vm->nics, NULL);
    for (struct lan *lan = network->lans, *next; lan; lan = next) {
        next = lan->next;
        if (!lan->persistent && lan->ports == 0 && strcmp(lan->owner, vm->userid) == 0)
            network_remove(lan);
    }
}

void nic_reset_all(struct vm *vm)
{
    for (struct nic *nic = vm->nics; nic; nic = nic->next) {
        frame_queue_free(&nic->received);
        nic->idle = true;
    }
}

bool nic_set_macid(struct nic *nic, uint32_t id)
{
    struct network *network = cp_network(nic->vm->cp);
    uint8_t mac[MAC_SIZE];
    if (!network_take_user_mac(network, id, mac))
        return false;
    if (nic->port && !lan_set_mac(nic->port, mac)) {
        network_release_mac(network, mac);
        return false;
    }
    network_release_mac(network, nic->mac);
    memcpy(nic->mac, mac, MAC_SIZE);
    nic->user_mac = true;
    return true;
}

bool nic_show_virtual(const struct vm *vm, uint16_t vdev, struct response *out)
{
    const struct nic *nic = nic_of_device(vm, vdev);
    if (!nic || !nic->device[vdev - nic->base])
        return false;
    const char *name = nic->type == ADAPTER_HIPERSOCKETS ? "HIPERS" : "OSA";
    response_line(out, "%-4s %04X ON NIC  %04X  UNIT %03X SUBCHANNEL = %04X",
                  nic->type == ADAPTER_HIPERSOCKETS ? "HIPR" : "OSA", vdev, nic->base,
                  vdev - nic->base, css_subchannel_number(vm->machine->css, vdev));
    response_line(out, "     %04X DEVTYPE %-11s VIRTUAL CHPID %02X %s", vdev, name, nic->chpid,
                  types[nic->type].path);
    response_line(out, "     %04X MAC %02X-%02X-%02X-%02X-%02X-%02X CURRENT", vdev, nic->mac[0],
                  nic->mac[1], nic->mac[2], nic->mac[3], nic->mac[4], nic->mac[5]);
    response_line(out, "     %04X QDIO-ELIGIBLE       QIOASSIST-ELIGIBLE", vdev);
    return true;
}
