// SPDX-License-Identifier: MIT
// The property that matters most: whatever the configuration and whatever the frame, no port gets a
// frame of a VLAN it is not a member of, nobody gets his own frame, and a port without authority
// gets nothing. Configurations and frames are generated from fixed seeds; the expectation is worked
// out here from the access list alone, not from the switch's bit maps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "network/wire.h"

#define GUESTS 7
#define ROUNDS 300
#define FRAMES 60

static uint32_t seed;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

// What a guest was given, in the test's own words.
struct model {
    bool granted, trunk, has_vlans;
    struct vlan_set vlans;
    char userid[9];
};

static struct model model[GUESTS];

static void random_vlans(struct vlan_set *set)
{
    memset(set, 0, sizeof *set);
    if (next_random(8) == 0)
        vlan_add_all(set);
    for (unsigned i = next_random(4); i > 0; i--) {
        unsigned vid = 1 + next_random(6);
        vlan_add(set, vid, vid);
    }
}

static void configure(struct lab *lab)
{
    struct lan_policy *p = &lab->lan->policy;
    p->vlan_aware = true;
    p->default_vlan = (uint16_t)next_random(4);
    p->native_vlan = (uint16_t)next_random(4);
    for (unsigned i = 0; i < GUESTS; i++) {
        struct model *m = &model[i];
        memset(m, 0, sizeof *m);
        snprintf(m->userid, sizeof m->userid, "USER%u", i);
        m->granted = true;
        m->trunk = next_random(2);
        m->has_vlans = next_random(4) != 0;
        random_vlans(&m->vlans);
        struct access_entry *e = access_add(lab->lan, m->userid, 0);
        e->options = (struct port_options){.has_type = true,
                                           .type = m->trunk ? PORT_TRUNK : PORT_ACCESS,
                                           .has_vlans = m->has_vlans,
                                           .vlans = m->vlans,
                                           .has_promiscuous = true,
                                           .promiscuous = next_random(3) == 0};
    }
    lan_refresh(lab->lan);
}

// May a frame of VLAN `vid` be seen by this guest?
static bool model_member(const struct lab *lab, const struct model *m, unsigned vid)
{
    if (!m->granted || vid == 0)
        return false;
    if (!m->has_vlans)
        return lab->lan->policy.default_vlan == vid;
    if (m->trunk)
        return vlan_has(&m->vlans, vid);
    return vlan_next(&m->vlans, 0) == vid;
}

// The VLAN that a frame with this tag control information (-1: none) from the guest belongs to; 0:
// it must not be forwarded.
static unsigned model_ingress(const struct lab *lab, const struct model *m, int tci)
{
    unsigned vid = tci < 0 ? 0 : (unsigned)tci & VLAN_ID_MASK;
    if (m->trunk)
        vid = vid ? vid : lab->lan->policy.native_vlan;
    else if (vid != 0)
        return 0;
    else
        vid = m->has_vlans ? vlan_next(&m->vlans, 0) : lab->lan->policy.default_vlan;
    return model_member(lab, m, vid) ? vid : 0;
}

static void check_receiver(const struct lab *lab, unsigned from, unsigned to, unsigned vid)
{
    const struct wire *wire = &lab->wire[to];
    if (wire->frames == 0)
        return;
    assert_int_equal(wire->frames, 1);
    assert_true(from != to);
    assert_true(model_member(lab, &model[to], vid));
    bool tagged = frame_is_tagged(wire->frame, wire->n);
    bool native = vid == lab->lan->policy.native_vlan;
    assert_int_equal(tagged, model[to].trunk && !native);
    if (tagged)
        assert_int_equal(frame_tci(wire->frame) & VLAN_ID_MASK, vid);
}

// Everybody who is a member gets a broadcast; else the first check would be easy to pass.
static void check_broadcast(const struct lab *lab, unsigned from, unsigned vid)
{
    for (unsigned i = 0; i < GUESTS; i++)
        assert_int_equal(lab->wire[i].frames,
                         vid != 0 && i != from && model_member(lab, &model[i], vid));
}

static void one_frame(struct lab *lab)
{
    unsigned from = next_random(GUESTS), to = next_random(GUESTS + 2);
    int tci = next_random(3) ? (int)next_random(8) : -1;
    if (tci >= 0 && next_random(4) == 0)
        tci |= (int)next_random(8) << 13;
    uint64_t address = to < GUESTS    ? lab->wire[to].port->mac_value
                       : to == GUESTS ? BROADCAST
                                      : UINT64_C(0x0010DEADBEEF);
    for (unsigned i = 0; i < GUESTS; i++)
        lab->wire[i].frames = 0;
    lab->up.frames = 0;
    lab_send(&lab->wire[from], address, tci);
    unsigned vid = model_ingress(lab, &model[from], tci);
    for (unsigned i = 0; i < GUESTS; i++)
        check_receiver(lab, from, i, vid);
    if (to == GUESTS)
        check_broadcast(lab, from, vid);
    if (vid == 0)
        assert_int_equal(lab->up.frames, 0);
}

// Something changes while everybody is connected.
static void change(struct lab *lab)
{
    struct model *m = &model[next_random(GUESTS)];
    struct access_entry *e = access_grant_of(lab->lan, m->userid);
    if (e && next_random(3) == 0) {
        access_remove(lab->lan, e);
        m->granted = false;
    } else {
        e = access_add(lab->lan, m->userid, 0);
        m->granted = true;
        random_vlans(&m->vlans);
        m->has_vlans = true;
        e->options.has_type = true;
        e->options.type = m->trunk ? PORT_TRUNK : PORT_ACCESS;
        e->options.has_vlans = true;
        e->options.vlans = m->vlans;
    }
    lab->lan->policy.native_vlan = (uint16_t)next_random(4);
    lan_refresh(lab->lan);
}

static void nobody_sees_a_foreign_vlan(void **state)
{
    enum connect_result result;
    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct lab *lab = lab_new(LAN_VSWITCH);
        seed = round;
        configure(lab);
        for (unsigned i = 0; i < GUESTS; i++)
            assert_non_null(lab_connect(lab, model[i].userid, &result));
        if (next_random(2))
            lab_uplink(lab);
        for (unsigned i = 0; i < FRAMES; i++) {
            one_frame(lab);
            if (next_random(10) == 0)
                change(lab);
        }
        lab_free(lab);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_sees_a_foreign_vlan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
