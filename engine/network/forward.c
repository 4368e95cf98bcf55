// SPDX-License-Identifier: MIT
// The data path: what happens to one frame (see IEEE 802.1Q for ingress, forwarding and egress
// rules, CP Planning and Administration, "Planning Virtual Networks", for what a VSWITCH makes of
// them).
//
// Ingress assigns the frame to a VLAN or discards it; the destination address and the bit maps of
// the LAN select ports; egress tags or untags. A port that is not a member of the VLAN can not
// be selected, and a port without authority is no member of any.
#include "network/lan.h"

#include "base/memory.h"
#include "network/capture.h"
#include "network/network.h"

// A frame under way, with its other forms once somebody needed them.
struct passage {
    struct lan *lan;
    struct port *from;
    const uint8_t *frame;
    size_t n;
    bool tagged;                  // as it came
    uint16_t vid;                 // 0 on a LAN that knows no VLANs
    uint16_t tci;                 // with vid and the original priority
    size_t untagged_n, tagged_n;  // 0: not built
    const struct port *reflected; // must not see the frame again, see reflected_to()
    unsigned taken, refused;
};

static bool is_member(const struct lan *s, unsigned vid, unsigned slot)
{
    return (s->members[(size_t)vid * (s->slots / 64) + slot / 64] >> (slot & 63) & 1) != 0;
}

// --- ingress ----------------------------------------------------------------

static enum forward_result well_formed(const struct lan *s, const uint8_t *frame, size_t n)
{
    if (n < FRAME_HEADER || mac_is_group(frame + 6) || mac_number(frame + 6) == 0)
        return FORWARD_MALFORMED;
    return n > s->max_frame + (frame_is_tagged(frame, n) ? FRAME_TAG : 0) ? FORWARD_MALFORMED
                                                                          : FORWARD_DELIVERED;
}

// The VLAN of the frame into p->vid.
static enum forward_result classify(struct passage *p)
{
    const struct port *from = p->from;
    if (!from->authorised)
        return FORWARD_DENIED;
    if (!p->lan->policy.vlan_aware)
        return FORWARD_DELIVERED;
    p->tagged = frame_is_tagged(p->frame, p->n);
    uint16_t tci = p->tagged ? frame_tci(p->frame) : 0;
    p->vid = tci & VLAN_ID_MASK;
    if (p->vid != 0 && from->type == PORT_ACCESS)
        return FORWARD_WRONG_VLAN;
    if (p->vid == 0)
        p->vid = from->pvid;
    p->tci = (uint16_t)((tci & ~VLAN_ID_MASK) | p->vid);
    return p->vid != 0 && is_member(p->lan, p->vid, from->slot) ? FORWARD_DELIVERED
                                                                : FORWARD_WRONG_VLAN;
}

// Checks the source address, and learns it where it is not a registered one.
static enum forward_result admit_source(struct passage *p)
{
    struct lan *s = p->lan;
    uint64_t source = mac_number(p->frame + 6);
    if (source == p->from->mac_value)
        return FORWARD_DELIVERED;
    int slot = mac_find_registered(&s->macs, source);
    if (slot == p->from->slot)
        return FORWARD_DELIVERED;
    if (p->from->protect)
        return FORWARD_SPOOFED;
    if (slot < 0)
        mac_learn(&s->macs, source, p->vid, p->from->slot, clock_now(s->network->clock));
    return FORWARD_DELIVERED;
}

// --- egress -----------------------------------------------------------------

static const uint8_t *untagged_form(struct passage *p, size_t *n)
{
    if (p->untagged_n == 0)
        p->untagged_n = frame_untag(p->lan->scratch, p->frame, p->n);
    *n = p->untagged_n;
    return p->lan->scratch;
}

static const uint8_t *tagged_form(struct passage *p, size_t *n)
{
    uint8_t *out = p->lan->scratch + p->lan->max_frame + FRAME_TAG;
    if (p->tagged_n == 0) {
        size_t plain_n = p->n;
        const uint8_t *plain = p->tagged ? untagged_form(p, &plain_n) : p->frame;
        p->tagged_n = frame_tag(out, plain, plain_n, p->tci);
    }
    *n = p->tagged_n;
    return out;
}

// The frame as it leaves by `to`: with a tag on a trunk outside its native VLAN, else without.
static const uint8_t *egress_form(struct passage *p, const struct port *to, size_t *n)
{
    *n = p->n;
    if (!p->lan->policy.vlan_aware)
        return p->frame;
    bool tag = to->type == PORT_TRUNK && p->vid != to->pvid;
    if (!tag)
        return p->tagged ? untagged_form(p, n) : p->frame;
    if (p->tagged && frame_tci(p->frame) == p->tci)
        return p->frame;
    return tagged_form(p, n);
}

static void hand_over(struct passage *p, struct port *to)
{
    size_t n;
    const uint8_t *frame = egress_form(p, to, &n);
    if (p->lan->capture)
        capture_frame(p->lan->capture, to, CAPTURE_OUT, frame, n);
    if (!to->deliver(to, frame, n)) {
        to->counters.out.discarded++;
        p->refused++;
        return;
    }
    to->counters.out.packets++;
    to->counters.out.bytes += n;
    if (p->lan->vlan_counters) {
        p->lan->vlan_counters[p->vid].out.packets++;
        p->lan->vlan_counters[p->vid].out.bytes += n;
    }
    p->taken++;
}

// --- forwarding -------------------------------------------------------------

// May a frame go from one to the other? Isolation and VEPA keep guests from reaching each other
// inside the switch; the way through the uplink stays open.
static bool path_open(const struct passage *p, const struct port *to)
{
    if (to == p->from || to == p->reflected)
        return false;
    if (p->from->outward || to->outward)
        return true;
    return !p->lan->policy.vepa && !p->from->isolated && !to->isolated;
}

// To every port of `map` (and its VLAN) but `except`.
static void flood(struct passage *p, const uint64_t *map, const struct port *except)
{
    const struct lan *s = p->lan;
    unsigned words = s->slots / 64;
    const uint64_t *members = s->members + (size_t)p->vid * words;
    for (unsigned w = 0; w < words; w++) {
        uint64_t bits = map ? members[w] & map[w] : members[w];
        for (; bits != 0; bits &= bits - 1) {
            struct port *to = s->port[w * 64 + (unsigned)__builtin_ctzll(bits)];
            if (to != except && path_open(p, to))
                hand_over(p, to);
        }
    }
}

// The port that has the destination address in this VLAN, or NULL.
static struct port *find_destination(const struct passage *p)
{
    const struct lan *s = p->lan;
    uint64_t mac = mac_number(p->frame);
    int slot = mac_find_registered(&s->macs, mac);
    if (slot < 0 && s->macs.used > s->macs.registered)
        slot = mac_find_learned(&s->macs, mac, p->vid, clock_now(s->network->clock));
    return slot >= 0 && is_member(s, p->vid, (unsigned)slot) ? s->port[slot] : NULL;
}

// A VEPA partner sends frames back that a guest here sent out: that guest must not see them again.
static const struct port *reflected_to(const struct passage *p)
{
    if (!p->from->outward)
        return NULL;
    int slot = mac_find_registered(&p->lan->macs, mac_number(p->frame + 6));
    return slot >= 0 ? p->lan->port[slot] : NULL;
}

static void forward(struct passage *p)
{
    const struct lan *s = p->lan;
    p->reflected = reflected_to(p);
    if (mac_is_group(p->frame)) {
        flood(p, NULL, NULL);
        return;
    }
    struct port *to = find_destination(p);
    if (to && path_open(p, to))
        hand_over(p, to);
    else if (to != p->from)
        flood(p, s->uplinks, to); // not here, or not to be reached here: outside
    flood(p, s->promiscuous, to);
}

static enum forward_result outcome(struct passage *p)
{
    if (p->taken > 0)
        return FORWARD_DELIVERED;
    return p->refused > 0 ? FORWARD_NO_ROOM : FORWARD_NOBODY;
}

static void count_in(struct passage *p, enum forward_result result)
{
    struct port_side *in = &p->from->counters.in;
    bool lost = result == FORWARD_NOBODY && !mac_is_group(p->frame); // unicast to nowhere
    if (result == FORWARD_MALFORMED) {
        in->errors++;
    } else if (lost || (result != FORWARD_DELIVERED && result != FORWARD_NO_ROOM &&
                        result != FORWARD_NOBODY)) {
        in->discarded++;
    } else {
        in->packets++;
        in->bytes += p->n;
        if (p->lan->vlan_counters) {
            p->lan->vlan_counters[p->vid].in.packets++;
            p->lan->vlan_counters[p->vid].in.bytes += p->n;
        }
    }
}

enum forward_result lan_send(struct port *from, const uint8_t *frame, size_t n)
{
    struct lan *s = from->lan;
    struct passage p = {.lan = s, .from = from, .frame = frame, .n = n};
    if (s->forwarding) {
        from->counters.in.discarded++;
        return FORWARD_BUSY;
    }
    if (s->capture)
        capture_frame(s->capture, from, CAPTURE_IN, frame, n);
    enum forward_result result = well_formed(s, frame, n);
    if (result == FORWARD_DELIVERED)
        result = classify(&p);
    if (result == FORWARD_DELIVERED)
        result = admit_source(&p);
    if (result == FORWARD_DELIVERED) {
        s->forwarding = true;
        forward(&p);
        s->forwarding = false;
        result = outcome(&p);
    }
    count_in(&p, result);
    return result;
}
