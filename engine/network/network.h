// SPDX-License-Identifier: MIT
// All networks of one system: the registry of LANs by owner and name, MAC addresses, and the
// settings that hold for all of them (VMLAN).
#ifndef ENDICOTT_NETWORK_NETWORK_H
#define ENDICOTT_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "network/lan.h"

struct network {
    const struct clock *clock;
    struct lan *lans; // in order of definition
    void *owner;      // the user of this layer may keep something here

    // VMLAN settings.
    uint32_t mac_prefix, user_prefix; // first three bytes of addresses
    uint32_t system_low, system_high; // MACIDRANGE SYSTEM: assigned by the system
    uint32_t user_low, user_high;     // and USER, taken out of it; 0: none
    bool mac_protection, directory_authorisation;
    bool account_system, account_user;
    unsigned persistent_limit, transient_limit; // UINT32_MAX: infinite
    unsigned trace_pages;

    uint64_t *taken; // addresses in use, ascending
    unsigned taken_count, taken_cap;
    uint32_t next_id; // where the search for a free id begins
};

struct network *network_new(const struct clock *clock);
void network_free(struct network *network); // and all LANs

// Defines a LAN; the caller then sets its policy and calls lan_refresh(). NULL when the
// owner has a LAN of that name already.
struct lan *network_define(struct network *network, enum lan_kind kind, enum adapter_type type,
                           const char *owner, const char *name);
struct lan *network_find(const struct network *network, const char *owner, const char *name);
// Removes it; connected ports are told by their `closed`.
void network_remove(struct lan *lan);
unsigned network_count(const struct network *network, bool persistent);

// Takes the next free address of the system's range; false when all are in use.
bool network_take_mac(struct network *network, uint8_t mac[MAC_SIZE]);
// Takes user prefix + `id`; false when it is in use or outside the USER range (when one is set).
bool network_take_user_mac(struct network *network, uint32_t id, uint8_t mac[MAC_SIZE]);
void network_release_mac(struct network *network, const uint8_t mac[MAC_SIZE]);

#endif
