// SPDX-License-Identifier: MIT
// The data path: who gets a frame, and in which form.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "network/wire.h"

static struct lab *lab;
static enum connect_result result;

static int start_switch(void **state)
{
    (void)state;
    lab = lab_new(LAN_VSWITCH);
    return 0;
}

static int start_aware(void **state)
{
    start_switch(state);
    lab->lan->policy.vlan_aware = true;
    lab->lan->policy.default_vlan = 1;
    lab->lan->policy.native_vlan = 1;
    lan_refresh(lab->lan);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    lab_free(lab);
    return 0;
}

static struct wire *guest(const char *userid, enum port_type type, const char *vlans)
{
    lab_grant(lab, userid, type, vlans);
    struct wire *wire = lab_connect(lab, userid, &result);
    assert_non_null(wire);
    return wire;
}

static uint64_t mac_of(const struct wire *wire)
{
    return wire->port->mac_value;
}

static void unicast_reaches_its_owner_alone(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    struct wire *c = guest("C", PORT_ACCESS, NULL);
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
    assert_int_equal(b->n, 60);
    assert_int_equal(a->frames + c->frames, 0);
    assert_int_equal(a->port->counters.in.packets, 1);
    assert_int_equal(a->port->counters.in.bytes, 60);
    assert_int_equal(b->port->counters.out.bytes, 60);
}

static void broadcast_reaches_all_but_the_sender(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    struct wire *c = guest("C", PORT_ACCESS, NULL);
    lab_uplink(lab);
    assert_int_equal(lab_send(b, BROADCAST, -1), FORWARD_DELIVERED);
    assert_int_equal(a->frames, 1);
    assert_int_equal(b->frames, 0);
    assert_int_equal(c->frames, 1);
    assert_int_equal(lab->up.frames, 1);
}

static void nobody_is_sent_to_himself(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL);
    lab_uplink(lab);
    assert_int_equal(lab_send(a, mac_of(a), -1), FORWARD_NOBODY);
    assert_int_equal(a->frames + lab->up.frames, 0);
    assert_int_equal(a->port->counters.in.discarded, 1);
}

static void unknown_addresses_go_outside(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_NOBODY);
    lab_uplink(lab);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_DELIVERED);
    assert_int_equal(lab->up.frames, 1);
    assert_int_equal(b->frames, 0);
}

static void learns_an_address_and_forgets_it(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    uint8_t frame[64];
    size_t n = make_frame(frame, BROADCAST, 0x0010DEADBEEF, -1);
    assert_int_equal(lan_send(b->port, frame, n), FORWARD_DELIVERED);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
    clock_set(&lab->clock, clock_now(&lab->clock) + MAC_AGE + 1);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_NOBODY);
    assert_int_equal(b->frames, 1);
}

static void ungranted_users_cannot_connect(void **state)
{
    (void)state;
    assert_null(lab_connect(lab, "NOBODY", &result));
    assert_int_equal(result, CONNECT_NOT_AUTHORISED);
    assert_int_equal(lab->lan->ports, 0);
}

static void a_revoked_port_neither_sends_nor_receives(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    access_remove(lab->lan, access_grant_of(lab->lan, "B"));
    lan_refresh(lab->lan);
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_NOBODY);
    assert_int_equal(lab_send(a, BROADCAST, -1), FORWARD_NOBODY);
    assert_int_equal(lab_send(b, mac_of(a), -1), FORWARD_DENIED);
    assert_int_equal(a->frames + b->frames, 0);
    assert_int_equal(b->port->counters.in.discarded, 1);
}

static void access_ports_of_different_vlans_are_apart(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, "10"), *b = guest("B", PORT_ACCESS, "10");
    struct wire *c = guest("C", PORT_ACCESS, "20");
    assert_int_equal(lab_send(a, BROADCAST, -1), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
    assert_int_equal(c->frames, 0);
    assert_int_equal(lab_send(a, mac_of(c), -1), FORWARD_NOBODY);
    assert_int_equal(c->frames, 0);
}

static void an_access_port_accepts_no_tags(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, "10"), *b = guest("B", PORT_ACCESS, "20");
    assert_int_equal(lab_send(a, mac_of(b), 20), FORWARD_WRONG_VLAN);
    assert_int_equal(lab_send(a, mac_of(b), 10), FORWARD_WRONG_VLAN);
    assert_int_equal(b->frames, 0);
    assert_int_equal(a->port->counters.in.discarded, 2);
}

static void a_trunk_gets_tags_and_an_access_port_none(void **state)
{
    (void)state;
    struct wire *t = guest("T", PORT_TRUNK, "10-20"), *a = guest("A", PORT_ACCESS, "10");
    assert_int_equal(lab_send(a, mac_of(t), -1), FORWARD_DELIVERED);
    assert_int_equal(t->n, 64);
    assert_true(frame_is_tagged(t->frame, t->n));
    assert_int_equal(frame_tci(t->frame), 10);
    assert_int_equal(be16_load(t->frame + 16), 0x0800);
    assert_int_equal(lab_send(t, mac_of(a), 10), FORWARD_DELIVERED);
    assert_int_equal(a->n, 60);
    assert_int_equal(be16_load(a->frame + 12), 0x0800);
    assert_int_equal(lab_send(t, mac_of(a), 11), FORWARD_NOBODY);
    assert_int_equal(lab_send(t, mac_of(a), 30), FORWARD_WRONG_VLAN);
    assert_int_equal(a->frames, 1);
}

static void untagged_frames_of_a_trunk_are_in_the_native_vlan(void **state)
{
    (void)state;
    struct wire *t = guest("T", PORT_TRUNK, "ANY"), *a = guest("A", PORT_ACCESS, "1");
    struct wire *u = guest("U", PORT_TRUNK, "10");
    assert_int_equal(lab_send(t, mac_of(a), -1), FORWARD_DELIVERED);
    assert_int_equal(a->n, 60);
    assert_int_equal(lab_send(a, mac_of(t), -1), FORWARD_DELIVERED);
    assert_int_equal(t->n, 60);
    assert_int_equal(lab_send(u, mac_of(t), -1), FORWARD_WRONG_VLAN); // not in VLAN 1
    lab->lan->policy.native_vlan = 0;                                 // NATIVE NONE
    lan_refresh(lab->lan);
    assert_int_equal(lab_send(t, mac_of(a), -1), FORWARD_WRONG_VLAN);
    assert_int_equal(lab_send(t, mac_of(a), 1), FORWARD_DELIVERED);
}

static void priority_tags_keep_their_priority(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, "10"), *t = guest("T", PORT_TRUNK, "10");
    assert_int_equal(lab_send(a, mac_of(t), 5 << 13), FORWARD_DELIVERED);
    assert_int_equal(t->n, 64);
    assert_int_equal(frame_tci(t->frame), 5 << 13 | 10);
    assert_int_equal(be16_load(t->frame + 16), 0x0800);
    assert_int_equal(lab_send(t, mac_of(a), 5 << 13 | 10), FORWARD_DELIVERED);
    assert_int_equal(a->n, 60);
}

static void an_unaware_switch_passes_tags_through(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    assert_int_equal(lab_send(a, mac_of(b), 77), FORWARD_DELIVERED);
    assert_int_equal(b->n, 64);
    assert_int_equal(frame_tci(b->frame), 77);
}

static void no_vlan_without_a_default(void **state)
{
    (void)state;
    lab->lan->policy.default_vlan = 0;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_WRONG_VLAN);
    lab->lan->policy.default_vlan = 7;
    lan_refresh(lab->lan);
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_DELIVERED);
    assert_int_equal(b->port->pvid, 7);
}

static void isolation_leaves_only_the_uplink(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    lab_uplink(lab);
    lab->lan->policy.isolation = true;
    lan_refresh(lab->lan);
    lab_send(a, mac_of(b), -1);
    lab_send(a, BROADCAST, -1);
    assert_int_equal(b->frames, 0);
    assert_int_equal(lab->up.frames, 2);
    uint8_t frame[64];
    size_t n = make_frame(frame, mac_of(b), 0x0010DEADBEEF, -1);
    assert_int_equal(lan_send(lab->up.port, frame, n), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
}

static void vepa_lets_the_partner_reflect(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    lab_uplink(lab);
    lab->lan->policy.vepa = true;
    lab_send(a, BROADCAST, -1);
    assert_int_equal(b->frames, 0);
    assert_int_equal(lab->up.frames, 1);
    assert_int_equal(lan_send(lab->up.port, lab->up.frame, lab->up.n), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
    assert_int_equal(a->frames, 0);
}

static void a_promiscuous_port_sees_its_vlans(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, "10"), *b = guest("B", PORT_ACCESS, "10");
    struct wire *c = guest("C", PORT_ACCESS, "20"), *d = guest("D", PORT_ACCESS, "20");
    struct wire *p = guest("P", PORT_TRUNK, "10");
    struct access_entry *e = access_grant_of(lab->lan, "P");
    lab_send(a, mac_of(b), -1);
    assert_int_equal(p->frames, 0); // asked, but not granted
    e->options.has_promiscuous = e->options.promiscuous = true;
    lan_refresh(lab->lan);
    lab_send(a, mac_of(b), -1);
    assert_int_equal(p->frames, 1);
    assert_int_equal(frame_tci(p->frame), 10);
    lab_send(c, mac_of(d), -1);
    assert_int_equal(p->frames, 1);
    lab_send(a, BROADCAST, -1);
    assert_int_equal(p->frames, 2); // once, not twice
}

static void mac_protection_stops_strangers(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    uint8_t frame[64];
    size_t n = make_frame(frame, mac_of(b), 0x0010DEADBEEF, -1);
    assert_int_equal(lan_send(a->port, frame, n), FORWARD_DELIVERED);
    lab->lan->policy.mac_protection = SWITCHED_ON;
    lan_refresh(lab->lan);
    assert_int_equal(lan_send(a->port, frame, n), FORWARD_SPOOFED);
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_DELIVERED);
    static const uint8_t extra[MAC_SIZE] = {0x00, 0x10, 0xDE, 0xAD, 0xBE, 0xEF};
    assert_true(lan_register_mac(a->port, extra));
    assert_false(lan_register_mac(b->port, extra));
    assert_int_equal(lan_send(a->port, frame, n), FORWARD_DELIVERED);
}

static void nobody_takes_over_a_registered_address(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    struct wire *c = guest("C", PORT_ACCESS, NULL);
    uint8_t frame[64];
    size_t n = make_frame(frame, mac_of(c), mac_of(a), -1);
    lan_send(b->port, frame, n); // b pretends to be a
    lab_send(c, mac_of(a), -1);
    assert_int_equal(a->frames, 1);
    assert_int_equal(b->frames, 0);
}

static void malformed_frames_are_errors(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    static uint8_t frame[9100];
    make_frame(frame, mac_of(b), mac_of(a), -1);
    assert_int_equal(lan_send(a->port, frame, 13), FORWARD_MALFORMED);
    assert_int_equal(lan_send(a->port, frame, 0), FORWARD_MALFORMED);
    assert_int_equal(lan_send(a->port, frame, 9015), FORWARD_MALFORMED);
    assert_int_equal(lan_send(a->port, frame, 9014), FORWARD_DELIVERED);
    make_frame(frame, mac_of(b), mac_of(a) | UINT64_C(1) << 40, -1);
    assert_int_equal(lan_send(a->port, frame, 60), FORWARD_MALFORMED);
    make_frame(frame, mac_of(b), 0, -1);
    assert_int_equal(lan_send(a->port, frame, 60), FORWARD_MALFORMED);
    assert_int_equal(a->port->counters.in.errors, 5);
    assert_int_equal(b->frames, 1);
}

static void a_full_receiver_is_counted(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    b->refuse = true;
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_NO_ROOM);
    assert_int_equal(b->port->counters.out.discarded, 1);
    assert_int_equal(b->port->counters.out.packets, 0);
    assert_int_equal(port_adapter_counters(b->port).rx_discarded, 1);
    assert_int_equal(port_adapter_counters(a->port).tx_packets, 1);
}

static void counters_clear_by_kind(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    lab_send(a, mac_of(b), -1);
    lab_send(a, mac_of(a), -1);
    port_clear_counters(a->port, COUNTERS_DATA);
    assert_int_equal(a->port->counters.in.packets, 0);
    assert_int_equal(a->port->counters.in.discarded, 1);
    port_clear_counters(a->port, COUNTERS_ALL);
    assert_int_equal(a->port->counters.in.discarded, 0);
}

static void a_guest_may_be_the_uplink(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    struct wire *bridge = guest("BRIDGE", PORT_TRUNK, NULL);
    lab->lan->policy.isolation = true;
    strcpy(lab->lan->uplink.nic_user, "BRIDGE");
    lab->lan->uplink.nic_device = 0x600;
    lan_refresh(lab->lan);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_DELIVERED);
    assert_int_equal(bridge->frames, 1);
    assert_int_equal(lab_send(bridge, mac_of(b), -1), FORWARD_DELIVERED);
    assert_int_equal(b->frames, 1);
    access_remove(lab->lan, access_grant_of(lab->lan, "BRIDGE"));
    lan_refresh(lab->lan);
    assert_int_equal(lab_send(a, 0x0010DEADBEEF, -1), FORWARD_NOBODY);
}

static bool send_again(struct port *port, const uint8_t *frame, size_t n)
{
    return lan_send(port, frame, n) == FORWARD_DELIVERED;
}

static void a_delivery_cannot_send(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, NULL), *b = guest("B", PORT_ACCESS, NULL);
    b->port->deliver = send_again;
    assert_int_equal(lab_send(a, mac_of(b), -1), FORWARD_NO_ROOM);
    assert_int_equal(b->port->counters.in.discarded, 1);
    assert_int_equal(a->frames, 0);
}

static void many_ports_get_a_broadcast_each(void **state)
{
    (void)state;
    struct wire *a = guest("A", PORT_ACCESS, "10");
    static struct wire many[200];
    for (unsigned i = 0; i < 200; i++) {
        uint8_t mac[MAC_SIZE];
        assert_true(network_take_mac(lab->network, mac));
        struct port_request request = {.owner = "A",
                                       .mac = mac,
                                       .type = ADAPTER_QDIO,
                                       .deliver = wire_deliver,
                                       .arg = &many[i]};
        many[i].port = lan_connect(lab->lan, &request, &result);
        assert_non_null(many[i].port);
    }
    lab_send(a, BROADCAST, -1);
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(many[i].frames, 1);
    for (unsigned i = 0; i < 200; i += 2)
        lan_disconnect(many[i].port);
    lab_send(a, BROADCAST, -1);
    for (unsigned i = 0; i < 200; i++)
        assert_int_equal(many[i].frames, i % 2 ? 2 : 1);
    assert_int_equal(lab->lan->ports, 101);
}

#define ON_SWITCH(f) cmocka_unit_test_setup_teardown(f, start_switch, finish)
#define ON_AWARE(f)  cmocka_unit_test_setup_teardown(f, start_aware, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SWITCH(unicast_reaches_its_owner_alone),
        ON_SWITCH(broadcast_reaches_all_but_the_sender),
        ON_SWITCH(nobody_is_sent_to_himself),
        ON_SWITCH(unknown_addresses_go_outside),
        ON_SWITCH(learns_an_address_and_forgets_it),
        ON_SWITCH(ungranted_users_cannot_connect),
        ON_SWITCH(a_revoked_port_neither_sends_nor_receives),
        ON_AWARE(access_ports_of_different_vlans_are_apart),
        ON_AWARE(an_access_port_accepts_no_tags),
        ON_AWARE(a_trunk_gets_tags_and_an_access_port_none),
        ON_AWARE(untagged_frames_of_a_trunk_are_in_the_native_vlan),
        ON_AWARE(priority_tags_keep_their_priority),
        ON_SWITCH(an_unaware_switch_passes_tags_through),
        ON_AWARE(no_vlan_without_a_default),
        ON_SWITCH(isolation_leaves_only_the_uplink),
        ON_SWITCH(vepa_lets_the_partner_reflect),
        ON_AWARE(a_promiscuous_port_sees_its_vlans),
        ON_SWITCH(mac_protection_stops_strangers),
        ON_SWITCH(nobody_takes_over_a_registered_address),
        ON_SWITCH(malformed_frames_are_errors),
        ON_SWITCH(a_full_receiver_is_counted),
        ON_SWITCH(counters_clear_by_kind),
        ON_SWITCH(a_guest_may_be_the_uplink),
        ON_SWITCH(a_delivery_cannot_send),
        ON_AWARE(many_ports_get_a_broadcast_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
