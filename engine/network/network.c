// SPDX-License-Identifier: MIT
// The registry of LANs, and who has which MAC address.
#include "network/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MAC_ID_MAX 0xFFFFFFu

struct network *network_new(const struct clock *clock)
{
    struct network *network = mem_zero(1, sizeof *network);
    *network = (struct network){
        .clock = clock,
        .mac_prefix = 0x020000,
        .user_prefix = 0x020000,
        .system_low = 1,
        .system_high = MAC_ID_MAX,
        .directory_authorisation = true,
        .persistent_limit = UINT32_MAX,
        .transient_limit = UINT32_MAX,
        .trace_pages = 8,
        .next_id = 1,
    };
    return network;
}

void network_free(struct network *network)
{
    if (!network)
        return;
    while (network->lans)
        network_remove(network->lans);
    free(network->taken);
    free(network);
}

struct lan *network_define(struct network *network, enum lan_kind kind, enum adapter_type type,
                           const char *owner, const char *name)
{
    if (network_find(network, owner, name))
        return NULL;
    struct lan *lan = lan_new(network, kind, type, owner, name);
    struct lan **end = &network->lans;
    while (*end)
        end = &(*end)->next;
    *end = lan;
    return lan;
}

struct lan *network_find(const struct network *network, const char *owner, const char *name)
{
    for (struct lan *s = network->lans; s; s = s->next)
        if (strcmp(s->owner, owner) == 0 && strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

void network_remove(struct lan *lan)
{
    struct lan **at = &lan->network->lans;
    while (*at != lan)
        at = &(*at)->next;
    *at = lan->next;
    if (lan->kind == LAN_VSWITCH)
        network_release_mac(lan->network, lan->mac);
    lan_free(lan);
}

unsigned network_count(const struct network *network, bool persistent)
{
    unsigned count = 0;
    for (const struct lan *s = network->lans; s; s = s->next)
        count += s->persistent == persistent;
    return count;
}

// Index of the first address that is not below `mac`.
static unsigned lower_bound(const struct network *network, uint64_t mac)
{
    unsigned low = 0, high = network->taken_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (network->taken[middle] < mac)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool take(struct network *network, uint32_t prefix, uint32_t id, uint8_t mac[MAC_SIZE])
{
    uint64_t number = (uint64_t)prefix << 24 | id;
    unsigned at = lower_bound(network, number);
    if (at < network->taken_count && network->taken[at] == number)
        return false;
    if (network->taken_count == network->taken_cap) {
        network->taken_cap = network->taken_cap ? network->taken_cap * 2 : 64;
        network->taken = mem_resize(network->taken, network->taken_cap, sizeof *network->taken);
    }
    memmove(network->taken + at + 1, network->taken + at,
            (network->taken_count - at) * sizeof *network->taken);
    network->taken[at] = number;
    network->taken_count++;
    be16_store(mac, (uint16_t)(number >> 32));
    be32_store(mac + 2, (uint32_t)number);
    return true;
}

static bool in_user_range(const struct network *network, uint32_t id)
{
    return network->user_high != 0 && id >= network->user_low && id <= network->user_high;
}

bool network_take_mac(struct network *network, uint8_t mac[MAC_SIZE])
{
    uint32_t low = network->system_low, high = network->system_high, id = network->next_id;
    // Each round finds a free id, passes one that is in use, or jumps over the USER range.
    for (unsigned rounds = network->taken_count + 4; rounds > 0; rounds--) {
        if (id < low || id > high)
            id = low;
        if (in_user_range(network, id)) {
            id = network->user_high + 1;
            continue;
        }
        network->next_id = id + 1;
        if (take(network, network->mac_prefix, id, mac))
            return true;
        id++;
    }
    return false;
}

bool network_take_user_mac(struct network *network, uint32_t id, uint8_t mac[MAC_SIZE])
{
    if (id == 0 || id > MAC_ID_MAX || (network->user_high != 0 && !in_user_range(network, id)))
        return false;
    return take(network, network->user_prefix, id, mac);
}

void network_release_mac(struct network *network, const uint8_t mac[MAC_SIZE])
{
    uint64_t number = mac_number(mac);
    unsigned at = lower_bound(network, number);
    if (at >= network->taken_count || network->taken[at] != number)
        return;
    network->taken_count--;
    memmove(network->taken + at, network->taken + at + 1,
            (network->taken_count - at) * sizeof *network->taken);
}
