// SPDX-License-Identifier: MIT
// One layer-2 network: a virtual switch (VSWITCH) or a guest LAN. Both are the same model, ports
// around a forwarding table; they differ in policy: a VSWITCH is restricted, may know VLANs, and
// has an uplink; a guest LAN has an owner and lives as long as it is used.
//
// All of it runs under the system lock. Nothing here knows of guests: a port's owner is a name, and
// frames leave through a callback.
#ifndef ENDICOTT_NETWORK_LAN_H
#define ENDICOTT_NETWORK_LAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "network/frame.h"
#include "network/mactable.h"
#include "network/vlan.h"

#define NETWORK_NAME_SIZE 9 // owner, network and user names: 8 characters and a NUL

#define LAN_PORT_NUMBERS 2048u // PORTNUMBER operands; uplinks have numbers above
#define LAN_FIRST_AUTO   65u   // first number that a port gets by itself
#define LAN_UPLINK_PORT  2049u

struct capture;
struct network;
struct lan;
struct port;
struct text;

enum lan_kind { LAN_GUEST, LAN_VSWITCH };
enum adapter_type { ADAPTER_HIPERSOCKETS, ADAPTER_QDIO, ADAPTER_IEDN, ADAPTER_INMN };
enum lan_transport { TRANSPORT_IP, TRANSPORT_ETHERNET };
enum port_type { PORT_ACCESS, PORT_TRUNK };
enum tristate { UNSPECIFIED, SWITCHED_OFF, SWITCHED_ON }; // MAC protection and the like
enum uplink_priority { PRIORITY_NORMAL, PRIORITY_LOW, PRIORITY_HIGH };

// --- ports ------------------------------------------------------------------

// Counted where the frame passes: `in` came from the port's adapter into the LAN, `out` went to
// it. A guest's adapter shows `in` as transmitted; the uplink's, which faces the world, as
// received.
struct port_side {
    uint64_t packets, bytes, discarded, errors;
};

struct port_counters {
    struct port_side in, out;
};

// What GRANT, PORTNUMBER and NICDEF say about a port; absent items fall back to the LAN's.
struct port_options {
    bool has_type, has_vlans, has_promiscuous, has_priority;
    enum port_type type;
    bool promiscuous; // may be, when the adapter asks
    enum uplink_priority priority;
    struct vlan_set vlans;
};

// A frame for this port's adapter, as it is to go on its wire. False when it had no room. Must not
// send into any LAN from inside (queue first), and must not keep `frame`.
typedef bool port_deliver(struct port *port, const uint8_t *frame, size_t n);

struct port {
    struct lan *lan;
    uint16_t slot;   // index in lan->port
    unsigned number; // as QUERY shows it
    char owner[NETWORK_NAME_SIZE];
    uint16_t device; // the adapter's base device number there
    uint8_t mac[MAC_SIZE];
    bool is_uplink;
    bool has_directory_options; // the owner's directory entry authorises it
    struct port_options directory;
    bool wants_promiscuous;
    enum tristate mac_protection, isolation; // the adapter's own settings
    port_deliver *deliver;
    void (*closed)(struct port *port); // the LAN is being removed; the port goes after it
    void *arg;                         // of the two above
    struct port_counters counters;
    tod_t connected; // since when

    // Worked out by lan_refresh() from all of the above.
    bool authorised;
    bool outward; // leads outside: the uplink, or the guest's adapter that UPLINK NIC names
    enum port_type type;
    enum uplink_priority priority;
    uint16_t pvid; // VLAN of untagged frames, 0: they are discarded (unaware: always 0)
    bool promiscuous, protect, isolated;
    uint64_t mac_value; // mac as a number
    struct vlan_set vlans;
    int capture_interface; // in lan->capture, -1: not yet known there
};

// --- authority --------------------------------------------------------------

// An entry of the access list (GRANT: number 0) or of the port table (PORTNUMBER).
struct access_entry {
    struct access_entry *next;
    char userid[NETWORK_NAME_SIZE];
    unsigned number;
    struct port_options options;
};

// --- uplink -----------------------------------------------------------------

#define UPLINK_DEVICES     3
#define UPLINK_CONTROLLERS 8

struct uplink_device {
    uint16_t rdev;
    unsigned osa_port;
    char port_name[NETWORK_NAME_SIZE];
    uint16_t vdev; // at the controller, 0: not attached
    char controller[NETWORK_NAME_SIZE];
};

enum uplink_state {
    UPLINK_DEFINED, // no device is named
    UPLINK_DISCONNECTED,
    UPLINK_NO_CONTROLLER,
    UPLINK_ERROR, // devices are named, none can be used
    UPLINK_READY,
};

struct uplink {
    bool none; // NOUPLINK: there is no such port
    bool connect;
    unsigned devices;
    struct uplink_device device[UPLINK_DEVICES];
    int active; // index of the device in use, -1: none
    enum uplink_state state;
    unsigned controllers; // 0: any (*)
    char controller[UPLINK_CONTROLLERS][NETWORK_NAME_SIZE];
    char group[NETWORK_NAME_SIZE];
    char nic_user[NETWORK_NAME_SIZE]; // UPLINK NIC: a guest's adapter in place of a device
    uint16_t nic_device;
    bool priority_queuing;
    unsigned path_mtu; // 0: EXTERNAL; LAN_NO_PATH_MTU: OFF
    unsigned trace_pages;
    struct port *port; // NULL while down
    tod_t connected;   // last time it came up
};

#define LAN_NO_PATH_MTU UINT32_MAX

struct bridge_port {
    bool defined, connect, primary, distribution;
    uint16_t rdev;
    unsigned buffers, trace_pages;
};

struct inter_vswitch_link { // TYPE IVL
    bool defined;
    char domain;
    uint16_t vlan;
    unsigned heartbeat; // seconds
};

// --- the LAN ----------------------------------------------------------------

enum lan_logging { LOGOFF_OFF, LOGOFF_ON, LOGOFF_VERBOSE };

// What DEFINE and SET say of it.
struct lan_policy {
    bool restricted, accounting, global;
    unsigned max_connections; // 0: infinite
    enum lan_transport transport;
    bool primary_router;
    uint32_t mfs;                              // HiperSockets: maximum frame size in bytes
    unsigned ip_timeout;                       // minutes
    unsigned queue_storage, queue_storage_max; // MiB
    char port_name[UPLINK_DEVICES][NETWORK_NAME_SIZE];
    unsigned port_names;
    enum lan_logging logging;

    bool vlan_aware, gvrp, count_vlans;
    uint16_t default_vlan, native_vlan; // 0: NONE
    enum port_type port_type;           // of ports that say nothing else
    bool port_based, isolation, vepa;
    enum tristate mac_protection;
};

struct lan {
    struct lan *next; // of the network, in order of definition
    struct network *network;
    enum lan_kind kind;
    enum adapter_type type;
    char owner[NETWORK_NAME_SIZE], name[NETWORK_NAME_SIZE];
    uint8_t mac[MAC_SIZE]; // a VSWITCH has one itself
    bool persistent;
    struct lan_policy policy;
    struct access_entry *access; // grants by userid, then port numbers ascending
    struct uplink uplink;
    struct bridge_port bridge;
    struct inter_vswitch_link ivl;

    // The forwarding plane.
    struct port **port;    // by slot, NULL: free
    unsigned slots, ports; // capacity (a multiple of 64), connected ones without the uplink
    // Bit maps of slots, `slots` / 64 words each: one row of members per VLAN (row 0 alone when
    // the LAN is unaware), promiscuous ports, uplinks.
    uint64_t *members, *promiscuous, *uplinks;
    unsigned rows;
    struct mac_table macs;
    uint32_t max_frame;                  // untagged, header included
    uint8_t *scratch;                    // two retagged forms of the frame under way
    bool forwarding;                     // a frame is under way
    struct port_counters *vlan_counters; // by VLAN id while count_vlans, else NULL
    struct capture *capture;             // the caller's, NULL: off
};

// What came of a frame.
enum forward_result {
    FORWARD_DELIVERED,  // at least one adapter took it
    FORWARD_NOBODY,     // valid, but nobody is there
    FORWARD_MALFORMED,  // too short, too long, a group source address
    FORWARD_DENIED,     // the port has no authority
    FORWARD_WRONG_VLAN, // ingress filter: not a member, or a tag on an access port
    FORWARD_SPOOFED,    // MAC protection: not the port's address
    FORWARD_NO_ROOM,    // every receiver's queue was full
    FORWARD_BUSY,       // sent from inside a delivery
};

// A frame from the port's adapter, untouched afterwards; n includes the header (and tag).
enum forward_result lan_send(struct port *from, const uint8_t *frame, size_t n);

struct port_request {
    const char *owner;
    uint16_t device;
    enum adapter_type type;
    const uint8_t *mac;                   // MAC_SIZE bytes, registered on the LAN
    unsigned number;                      // 0: by the owner's entry, or the next free one
    const struct port_options *directory; // NULL: the directory says nothing
    bool promiscuous;
    enum tristate mac_protection, isolation;
    port_deliver *deliver;
    void (*closed)(struct port *port);
    void *arg;
};

enum connect_result {
    CONNECT_OK,
    CONNECT_NOT_AUTHORISED,
    CONNECT_TYPE_MISMATCH,
    CONNECT_FULL,        // MAXCONN reached
    CONNECT_PORT_IN_USE, // that port number
    CONNECT_DUPLICATE_MAC,
};

// NULL and *result when refused; nothing has changed then.
struct port *lan_connect(struct lan *lan, const struct port_request *request,
                         enum connect_result *result);
void lan_disconnect(struct port *port); // frees it
// The uplink's port, member of all VLANs; frames for the world come to `deliver`, frames from it
// enter by lan_send(). NULL when there is one already.
struct port *lan_open_uplink(struct lan *lan, uint16_t device, port_deliver *deliver, void *arg);
void lan_close_uplink(struct lan *lan);
// Applies changed policy to every port. To be called after changing fields above or access entries.
void lan_refresh(struct lan *lan);
// The connected port with this number, or NULL.
struct port *lan_port(const struct lan *lan, unsigned number);
// Next connected port after slot `slot` (-1 to start), without the uplink; NULL at the end.
struct port *lan_next_port(const struct lan *lan, int slot);
bool lan_set_mac(struct port *port, const uint8_t mac[MAC_SIZE]); // false: duplicate
// Further unicast addresses of the port's adapter; false when another port has it.
bool lan_register_mac(struct port *port, const uint8_t mac[MAC_SIZE]);
void lan_count_vlans(struct lan *lan, bool on);
// Larger frames are errors; 0 restores the type's limit.
void lan_limit_frames(struct lan *lan, uint32_t max_frame);

// Counters as an adapter shows them.
struct adapter_counters {
    uint64_t tx_packets, tx_bytes, tx_discarded, tx_errors;
    uint64_t rx_packets, rx_bytes, rx_discarded, rx_errors;
};
struct adapter_counters port_adapter_counters(const struct port *port);
enum counter_kind {
    COUNTERS_DATA = 1,
    COUNTERS_DISCARDED = 2,
    COUNTERS_ERRORS = 4,
    COUNTERS_ALL = 7
};
void port_clear_counters(struct port *port, unsigned kinds); // COUNTERS_ bits

// --- access.c ---------------------------------------------------------------

// The user's grant, or the entry of port `number`, or NULL.
struct access_entry *access_grant_of(const struct lan *lan, const char *userid);
struct access_entry *access_port_of(const struct lan *lan, unsigned number);
// First port entry of that user whose port is not connected (or any, with `connected`), or NULL.
struct access_entry *access_user_port(const struct lan *lan, const char *userid, bool connected);
// Adds or finds an entry (number 0: a grant).
struct access_entry *access_add(struct lan *lan, const char *userid, unsigned number);
void access_remove(struct lan *lan, struct access_entry *entry);
void access_free(struct lan *lan);
// What the user may do there by entries, directory and openness; false when nothing authorises.
bool access_authorise(const struct lan *lan, const char *userid, unsigned number,
                      const struct port_options *directory, struct port_options *out);

// --- for network.c ----------------------------------------------------------

struct lan *lan_new(struct network *network, enum lan_kind kind, enum adapter_type type,
                    const char *owner, const char *name);
void lan_free(struct lan *lan); // closes its ports first

#endif
