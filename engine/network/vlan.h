// SPDX-License-Identifier: MIT
// Sets of VLAN ids (1 to 4094), as operands name them: "10 20-30", ANY.
#ifndef ENDICOTT_NETWORK_VLAN_H
#define ENDICOTT_NETWORK_VLAN_H

#include <stdbool.h>
#include <stdint.h>

#define VLAN_MAX 4094u
#define VLAN_IDS 4096u // 0 and 4095 are never members

struct text;

struct vlan_set {
    uint64_t word[VLAN_IDS / 64];
};

void vlan_add(struct vlan_set *set, unsigned first, unsigned last);
void vlan_remove(struct vlan_set *set, unsigned vid);
void vlan_add_all(struct vlan_set *set);
bool vlan_is_all(const struct vlan_set *set);
unsigned vlan_count(const struct vlan_set *set);
// Lowest member above `after` (0 to start), or 0.
unsigned vlan_next(const struct vlan_set *set, unsigned after);
static inline bool vlan_has(const struct vlan_set *set, unsigned vid)
{
    return (set->word[vid >> 6 & 63] >> (vid & 63) & 1) != 0;
}

// Adds "10" or "20-30" to the set; false (and nothing added) when it is neither or out of range.
bool vlan_parse(struct vlan_set *set, const char *word);
// Four-digit ids and ranges, blank separated; ANY for all, NONE for none.
void vlan_format(const struct vlan_set *set, struct text *out);

#endif
