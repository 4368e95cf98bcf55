// SPDX-License-Identifier: MIT
// Virtual network interface cards: three (or more) consecutive devices of a virtual machine that
// COUPLE connects to a guest LAN or VSWITCH (network/lan.h). The devices are there as subchannels;
// until they speak QDIO, a guest's program sends and receives frames by DIAGNOSE X'2A8'.
//
// Everything here is under the system lock.
#ifndef ENDICOTT_CP_NIC_H
#define ENDICOTT_CP_NIC_H

#include <stdbool.h>
#include <stdint.h>

#include "cp/cp.h"
#include "network/network.h"
#include "network/queue.h"

struct directory_nic;
struct door_call;
struct nic_device; // cp/nic_device.h

#define NIC_DEVICES     3u // what a NIC has unless told otherwise
#define NIC_DEVICES_MAX 3072u

// The external interruption that tells an idle guest of a frame: parameter = NIC's base device
// number, under the IUCV submask of control register 0.
#define NIC_EXTERNAL_CODE 0x4002u
#define NIC_EXTERNAL_MASK 0x00000002u

struct nic {
    struct nic *next; // of vm->nics, ascending device number
    struct vm *vm;
    uint16_t base;
    unsigned devices;
    struct nic_device **device; // by unit, NULL: detached by itself
    enum adapter_type type;
    uint8_t mac[MAC_SIZE];
    bool user_mac; // MACID was given
    uint8_t chpid;
    // The network that NICDEF configures, "" none; COUPLE alone uses it.
    char lan_owner[NETWORK_NAME_SIZE], lan_name[NETWORK_NAME_SIZE];
    unsigned port_number;         // 0: AUTO
    bool authorised_by_directory; // by NICDEF's options
    struct port_options options;
    enum tristate mac_protection, isolation;
    bool promiscuous;
    struct port *port; // NULL: not coupled
    struct frame_queue received;
    bool idle; // the next frame is to interrupt the guest
};

// The system's network, made at first use. cp_free() calls nic_system_free().
struct network *cp_network(struct cp *cp);
void nic_system_free(struct cp *cp);

// DEFINE NIC and NICDEF: `devices` consecutive devices from `vdev`. Type is a keyword as typed or
// in full ("QDIO", "HIPERSOCKETS", ...). "NIC 0600 is created; devices 0600-0602 defined" goes to
// `out`. 0, or the number of the message given; then nothing was made.
int nic_define(struct vm *vm, uint16_t vdev, const char *type, unsigned devices,
               struct response *out);
// The same with everything DEFINE NIC may say; `announce` tells the running guest by channel
// reports.
struct nic_request {
    uint16_t base;
    enum adapter_type type;
    unsigned devices;
    uint8_t chpid;
};
int nic_create(struct vm *vm, const struct nic_request *request, bool announce,
               struct response *out);
// All of one directory entry: defines it, with its MAC, and couples it when LAN is given (a COUPLE
// that fails gives its message, and the NIC stays).
int nic_from_directory(struct vm *vm, const struct directory_nic *entry, struct response *out);
// The NIC with this base device number, or NULL.
struct nic *nic_find(const struct vm *vm, uint16_t vdev);
// The NIC that one of its devices belongs to, or NULL.
struct nic *nic_of_device(const struct vm *vm, uint16_t vdev);
// DETACH NIC: uncouples, takes the devices away. Message to `out` (NULL: none).
void nic_remove(struct nic *nic, struct response *out);
// LOGOFF: all of them, and the user's transient LANs that nobody uses.
void nic_remove_all(struct vm *vm);
// SYSTEM RESET of the virtual machine: forgets received frames.
void nic_reset_all(struct vm *vm);

// COUPLE; `owner` may be "*". 0 or the number of the message given, then nothing changed.
int nic_couple(struct nic *nic, const char *owner, const char *name, unsigned port_number,
               struct response *out);
// UNCOUPLE; message number when it was not coupled.
int nic_uncouple(struct nic *nic, struct response *out);
// Takes a MACID (user prefix + id); false when it is not to be had.
bool nic_set_macid(struct nic *nic, uint32_t id);
// Passes changed settings of the NIC on to its port.
void nic_settings_changed(struct nic *nic);

// DIAGNOSE X'2A8', the simple transfer. Rx designates the guest-real address, on a doubleword
// boundary, of a block:
//
//    0        2        4                 8                               16
//   | func   | vdev   | length          | buffer, guest-real address    |
//   16                20                24                               30
//   | returned length | reserved        | MAC address                   |
//
// Functions: 1 send, 2 receive, 3 query MAC. Sets Ry and returns the condition code, which is also
// in the PSW: 0 done; 1 Ry = 4 not coupled, 8 no frame; 3 Ry = 12 no such NIC, 16 bad parameters
// (also: frame longer than the buffer, whose length is then the returned length; it stays queued).
// Raises no program interruption.
int nic_diagnose_2a8(struct vcpu *vcpu, const struct door_call *call);

// "VSWITCH" or "LAN".
const char *lan_kind_name(const struct lan *lan);
// "QDIO", "HIPERS", ... as QUERY shows it.
const char *adapter_type_name(enum adapter_type type);
bool adapter_type_parse(const char *word, enum adapter_type *type);
// QUERY VIRTUAL's lines for one device of a NIC; false when vdev is none.
bool nic_show_virtual(const struct vm *vm, uint16_t vdev, struct response *out);

#endif
