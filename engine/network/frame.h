// SPDX-License-Identifier: MIT
// Ethernet frames and 802.1Q tags, as bytes.
//
//   0        6        12     14          untagged: destination, source, type, data
//   | dest   | source | type | data ...
//   0        6        12     14    16    tagged: X'8100' and the tag control information come first
//   | dest   | source | 8100 | TCI | type | data ...
//
//   TCI: bits 0-2 priority, 3 drop eligible, 4-15 VLAN id (0: priority only)
#ifndef ENDICOTT_NETWORK_FRAME_H
#define ENDICOTT_NETWORK_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

#define MAC_SIZE        6
#define FRAME_HEADER    14u // without a tag
#define FRAME_TAG       4u
#define FRAME_TYPE_VLAN 0x8100u
#define VLAN_ID_MASK    0x0FFFu

// A MAC address as a number, first byte highest; bit 40 is the group (multicast) bit.
static inline uint64_t mac_number(const uint8_t mac[MAC_SIZE])
{
    return (uint64_t)be16_load(mac) << 32 | be32_load(mac + 2);
}

static inline bool mac_is_group(const uint8_t *mac)
{
    return (mac[0] & 1) != 0;
}

// The frame has at least FRAME_HEADER bytes.
static inline bool frame_is_tagged(const uint8_t *frame, size_t n)
{
    return n >= FRAME_HEADER + FRAME_TAG && be16_load(frame + 12) == FRAME_TYPE_VLAN;
}

static inline uint16_t frame_tci(const uint8_t *frame)
{
    return be16_load(frame + 14);
}

// `out` gets the frame with its tag taken out; `n` is the tagged length. Returns the new length.
static inline size_t frame_untag(uint8_t *out, const uint8_t *frame, size_t n)
{
    memcpy(out, frame, 12);
    memcpy(out + 12, frame + 12 + FRAME_TAG, n - 12 - FRAME_TAG);
    return n - FRAME_TAG;
}

// `out` gets the untagged frame with a tag of `tci`; it has room for n + FRAME_TAG bytes.
static inline size_t frame_tag(uint8_t *out, const uint8_t *frame, size_t n, uint16_t tci)
{
    memcpy(out, frame, 12);
    be16_store(out + 12, FRAME_TYPE_VLAN);
    be16_store(out + 14, tci);
    memcpy(out + 16, frame + 12, n - 12);
    return n + FRAME_TAG;
}

#endif
