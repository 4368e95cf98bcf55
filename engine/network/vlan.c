// SPDX-License-Identifier: MIT
// Sets of VLAN ids.
#include "network/vlan.h"

#include <string.h>

#include "base/text.h"

void vlan_add(struct vlan_set *set, unsigned first, unsigned last)
{
    for (unsigned vid = first; vid <= last && vid <= VLAN_MAX; vid++)
        if (vid > 0)
            set->word[vid >> 6] |= UINT64_C(1) << (vid & 63);
}

void vlan_remove(struct vlan_set *set, unsigned vid)
{
    set->word[vid >> 6 & 63] &= ~(UINT64_C(1) << (vid & 63));
}

void vlan_add_all(struct vlan_set *set)
{
    memset(set, 0xFF, sizeof *set);
    set->word[0] &= ~UINT64_C(1);
    set->word[VLAN_IDS / 64 - 1] &= UINT64_MAX >> 1;
}

bool vlan_is_all(const struct vlan_set *set)
{
    return vlan_count(set) == VLAN_MAX;
}

unsigned vlan_count(const struct vlan_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < VLAN_IDS / 64; i++)
        count += (unsigned)__builtin_popcountll(set->word[i]);
    return count;
}

unsigned vlan_next(const struct vlan_set *set, unsigned after)
{
    unsigned vid = after + 1, at = vid / 64;
    if (at >= VLAN_IDS / 64)
        return 0;
    uint64_t bits = set->word[at] & UINT64_MAX << (vid & 63);
    while (bits == 0 && ++at < VLAN_IDS / 64)
        bits = set->word[at];
    return bits ? at * 64 + (unsigned)__builtin_ctzll(bits) : 0;
}

static bool parse_vid(const char *s, uint64_t *vid)
{
    return text_to_u64(s, 10, VLAN_MAX, vid) && *vid > 0;
}

bool vlan_parse(struct vlan_set *set, const char *word)
{
    char low[8];
    uint64_t first, last;
    const char *dash = strchr(word, '-');
    size_t n = dash ? (size_t)(dash - word) : strlen(word);
    if (n == 0 || n >= sizeof low)
        return false;
    memcpy(low, word, n);
    low[n] = '\0';
    if (!parse_vid(low, &first))
        return false;
    last = first;
    if (dash && (!parse_vid(dash + 1, &last) || last < first))
        return false;
    vlan_add(set, (unsigned)first, (unsigned)last);
    return true;
}

void vlan_format(const struct vlan_set *set, struct text *out)
{
    unsigned vid = vlan_next(set, 0);
    if (vid == 0 || vlan_is_all(set)) {
        text_puts(out, vid == 0 ? "NONE" : "ANY");
        return;
    }
    for (const char *blank = ""; vid != 0; blank = " ") {
        unsigned last = vid;
        while (last < VLAN_MAX && vlan_has(set, last + 1))
            last++;
        text_printf(out, last > vid ? "%s%04u-%04u" : "%s%04u", blank, vid, last);
        vid = vlan_next(set, last);
    }
}
