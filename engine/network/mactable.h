// SPDX-License-Identifier: MIT
// Where a MAC address is: a hash from address (and, for learned ones, VLAN) to a port's slot.
// Registered addresses hold on every VLAN and never age; learned ones are kept per VLAN, age, and
// never displace a registered one. Nothing is allocated by look-up or learning.
#ifndef ENDICOTT_NETWORK_MACTABLE_H
#define ENDICOTT_NETWORK_MACTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

#define MAC_AGE        (300 * TOD_SECOND) // 802.1D's default ageing time
#define MAC_REGISTERED 0xFFFFu            // in place of a VLAN id

struct mac_entry {
    uint64_t key; // address << 16 | VLAN id or MAC_REGISTERED; 0: free
    tod_t seen;
    uint16_t slot;
};

struct mac_table {
    struct mac_entry *entry;
    size_t size; // a power of two
    size_t used, registered;
    tod_t swept; // when old entries were last removed
};

void mac_table_init(struct mac_table *table);
void mac_table_free(struct mac_table *table);
// False when another slot has registered it.
bool mac_register(struct mac_table *table, uint64_t mac, uint16_t slot);
void mac_unregister(struct mac_table *table, uint64_t mac);
// Forgets all addresses of a slot, registered and learned.
void mac_forget_slot(struct mac_table *table, uint16_t slot);
void mac_learn(struct mac_table *table, uint64_t mac, uint16_t vid, uint16_t slot, tod_t now);
// The slot, or -1. `now` is asked only for learned entries.
int mac_find_registered(const struct mac_table *table, uint64_t mac);
int mac_find_learned(const struct mac_table *table, uint64_t mac, uint16_t vid, tod_t now);
// Iterates used entries: the next index at or after `i`, or table->size.
size_t mac_table_next(const struct mac_table *table, size_t i);

#endif
