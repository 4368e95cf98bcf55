// SPDX-License-Identifier: MIT
// Where a MAC address is: open addressing with linear probing, at most three quarters full.
#include "network/mactable.h"

#include <stdlib.h>

#include "base/memory.h"

#define FIRST_SIZE 1024u

static uint64_t key_of(uint64_t mac, uint16_t vid)
{
    return mac << 16 | vid;
}

// Fibonacci hashing: the high bits of a product with 2^64 / golden ratio are well mixed.
static size_t home(const struct mac_table *table, uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (table->size - 1);
}

// The entry that has `key`, or the free one where it would go.
static struct mac_entry *probe(const struct mac_table *table, uint64_t key)
{
    size_t i = home(table, key);
    while (table->entry[i].key != 0 && table->entry[i].key != key)
        i = (i + 1) & (table->size - 1);
    return &table->entry[i];
}

void mac_table_init(struct mac_table *table)
{
    *table = (struct mac_table){.entry = mem_zero(FIRST_SIZE, sizeof(struct mac_entry)),
                                .size = FIRST_SIZE};
}

void mac_table_free(struct mac_table *table)
{
    free(table->entry);
    *table = (struct mac_table){0};
}

static bool expired(const struct mac_entry *e, tod_t now)
{
    return (e->key & 0xFFFF) != MAC_REGISTERED && now > e->seen && now - e->seen > MAC_AGE;
}

// Builds the table anew in `size` entries without those of `slot` (-1: none) and expired ones
// (now 0: none is).
static void rebuild(struct mac_table *table, size_t size, int slot, tod_t now)
{
    struct mac_table fresh = {
        .entry = mem_zero(size, sizeof(struct mac_entry)), .size = size, .swept = table->swept};
    for (size_t i = 0; i < table->size; i++) {
        const struct mac_entry *e = &table->entry[i];
        if (e->key == 0 || e->slot == slot || expired(e, now))
            continue;
        *probe(&fresh, e->key) = *e;
        fresh.used++;
        fresh.registered += (e->key & 0xFFFF) == MAC_REGISTERED;
    }
    free(table->entry);
    *table = fresh;
}

static bool full(const struct mac_table *table)
{
    return table->used >= table->size / 4 * 3;
}

bool mac_register(struct mac_table *table, uint64_t mac, uint16_t slot)
{
    struct mac_entry *e = probe(table, key_of(mac, MAC_REGISTERED));
    if (e->key != 0)
        return e->slot == slot;
    if (full(table) || table->registered * 2 >= table->size) {
        rebuild(table, table->size * 2, -1, 0);
        e = probe(table, key_of(mac, MAC_REGISTERED));
    }
    *e = (struct mac_entry){.key = key_of(mac, MAC_REGISTERED), .slot = slot};
    table->used++;
    table->registered++;
    return true;
}

// Closes the gap that a removed entry leaves in its run of probes.
static void remove_at(struct mac_table *table, size_t gap)
{
    size_t mask = table->size - 1;
    for (size_t i = (gap + 1) & mask; table->entry[i].key != 0; i = (i + 1) & mask) {
        size_t wanted = home(table, table->entry[i].key);
        if (((i - wanted) & mask) >= ((i - gap) & mask)) {
            table->entry[gap] = table->entry[i];
            gap = i;
        }
    }
    table->entry[gap] = (struct mac_entry){0};
    table->used--;
}

void mac_unregister(struct mac_table *table, uint64_t mac)
{
    struct mac_entry *e = probe(table, key_of(mac, MAC_REGISTERED));
    if (e->key == 0)
        return;
    table->registered--;
    remove_at(table, (size_t)(e - table->entry));
}

void mac_forget_slot(struct mac_table *table, uint16_t slot)
{
    rebuild(table, table->size, slot, 0);
}

// Removes entries that are too old, at most once a second.
static void sweep(struct mac_table *table, tod_t now)
{
    if (now - table->swept < TOD_SECOND)
        return;
    table->swept = now;
    for (size_t i = 0; i < table->size; i++)
        while (table->entry[i].key != 0 && expired(&table->entry[i], now))
            remove_at(table, i);
}

void mac_learn(struct mac_table *table, uint64_t mac, uint16_t vid, uint16_t slot, tod_t now)
{
    struct mac_entry *e = probe(table, key_of(mac, vid));
    if (e->key == 0) {
        if (full(table)) {
            sweep(table, now);
            if (full(table))
                return; // unknown addresses go to the uplink, so this one still works
            e = probe(table, key_of(mac, vid));
        }
        e->key = key_of(mac, vid);
        table->used++;
    }
    e->slot = slot;
    e->seen = now;
}

int mac_find_registered(const struct mac_table *table, uint64_t mac)
{
    const struct mac_entry *e = probe(table, key_of(mac, MAC_REGISTERED));
    return e->key == 0 ? -1 : e->slot;
}

int mac_find_learned(const struct mac_table *table, uint64_t mac, uint16_t vid, tod_t now)
{
    const struct mac_entry *e = probe(table, key_of(mac, vid));
    return e->key == 0 || expired(e, now) ? -1 : e->slot;
}

size_t mac_table_next(const struct mac_table *table, size_t i)
{
    while (i < table->size && table->entry[i].key == 0)
        i++;
    return i;
}
