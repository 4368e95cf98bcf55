// SPDX-License-Identifier: MIT
// The parts of the network layer by themselves: VLAN sets, the MAC hash, frame queues, the registry
// and its MAC addresses, the access list, packet capture.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/text.h"
#include "network/capture.h"
#include "network/queue.h"
#include "network/wire.h"

// --- VLAN sets --------------------------------------------------------------

static void vlan_sets_read_ids_and_ranges(void **state)
{
    static const struct {
        const char *word;
        bool good;
        const char *shown;
    } cases[] = {
        {"1", true, "0001"},
        {"4094", true, "4094"},
        {"20-30", true, "0020-0030"},
        {"7-7", true, "0007"},
        {"1-4094", true, "ANY"},
        {"0", false, "NONE"},
        {"4095", false, "NONE"},
        {"30-20", false, "NONE"},
        {"-5", false, "NONE"},
        {"5-", false, "NONE"},
        {"", false, "NONE"},
        {"ABC", false, "NONE"},
        {"99999999999", false, "NONE"},
        {"1-2-3", false, "NONE"},
        {"1,2", false, "NONE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vlan_set set = {0};
        struct text shown = {0};
        assert_int_equal(vlan_parse(&set, cases[i].word), cases[i].good);
        vlan_format(&set, &shown);
        assert_string_equal(text_get(&shown), cases[i].shown);
        text_free(&shown);
    }
}

static void vlan_sets_show_runs(void **state)
{
    struct vlan_set set = {0};
    struct text shown = {0};
    (void)state;
    vlan_add(&set, 10, 10);
    vlan_add(&set, 12, 14);
    vlan_add(&set, 4094, 4094);
    assert_int_equal(vlan_count(&set), 5);
    vlan_remove(&set, 13);
    vlan_format(&set, &shown);
    assert_string_equal(text_get(&shown), "0010 0012 0014 4094");
    text_free(&shown);
}

// --- the hash ---------------------------------------------------------------

static void the_mac_table_agrees_with_a_list(void **state)
{
    enum { MACS = 3000 };
    static int slot[MACS];
    struct mac_table table;
    uint32_t seed = 7;
    (void)state;
    mac_table_init(&table);
    memset(slot, -1, sizeof slot);
    for (unsigned i = 0; i < 20000; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned m = (seed >> 8) % MACS;
        uint64_t mac = UINT64_C(0x020000000001) + m * 0x10001u;
        if (seed >> 31) {
            assert_int_equal(mac_register(&table, mac, (uint16_t)(m % 64)), true);
            slot[m] = (int)(m % 64);
        } else {
            mac_unregister(&table, mac);
            slot[m] = -1;
        }
    }
    for (unsigned m = 0; m < MACS; m++)
        assert_int_equal(mac_find_registered(&table, UINT64_C(0x020000000001) + m * 0x10001u),
                         slot[m]);
    mac_forget_slot(&table, 5);
    for (unsigned m = 0; m < MACS; m++)
        assert_int_equal(mac_find_registered(&table, UINT64_C(0x020000000001) + m * 0x10001u),
                         m % 64 == 5 ? -1 : slot[m]);
    mac_table_free(&table);
}

static void learning_never_grows_the_table(void **state)
{
    struct mac_table table;
    (void)state;
    mac_table_init(&table);
    size_t size = table.size;
    for (uint64_t mac = 1; mac < 100000; mac++)
        mac_learn(&table, mac, 1, 3, TOD_SECOND);
    assert_int_equal(table.size, size);
    assert_true(table.used < size);
    assert_int_equal(mac_find_learned(&table, 1, 1, TOD_SECOND), 3);
    assert_int_equal(mac_find_learned(&table, 1, 2, TOD_SECOND), -1);
    assert_int_equal(mac_find_learned(&table, 99999, 1, TOD_SECOND), -1);
    // Old ones make room.
    mac_learn(&table, 99999, 1, 4, TOD_SECOND + MAC_AGE + 2 * TOD_SECOND);
    assert_int_equal(mac_find_learned(&table, 99999, 1, TOD_SECOND + MAC_AGE + 2 * TOD_SECOND), 4);
    // A registered address always finds room.
    for (uint64_t mac = 1; mac < 3000; mac++)
        assert_true(mac_register(&table, mac << 8, 9));
    assert_int_equal(mac_find_registered(&table, 2999 << 8), 9);
    mac_table_free(&table);
}

// --- queues -----------------------------------------------------------------

static void a_queue_keeps_order_and_limits(void **state)
{
    struct frame_queue queue;
    uint8_t frame[3000], back[3000];
    (void)state;
    frame_queue_init(&queue, 5, 16384);
    assert_int_equal(frame_queue_take(&queue, back, sizeof back), 0);
    for (unsigned round = 0; round < 1000; round++) {
        size_t n = 14 + round * 7 % 2900;
        for (unsigned i = 0; i < 5; i++) {
            memset(frame, (int)(round + i), sizeof frame);
            assert_true(frame_queue_put(&queue, frame, n + i));
        }
        assert_false(frame_queue_put(&queue, frame, n));
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal(frame_queue_first(&queue), n + i);
            assert_int_equal(frame_queue_take(&queue, back, sizeof back), n + i);
            assert_int_equal(back[0], (uint8_t)(round + i));
            assert_int_equal(back[n + i - 1], (uint8_t)(round + i));
        }
    }
    assert_int_equal(queue.dropped, 1000);
    frame_queue_free(&queue);
}

static void a_queue_grows_no_further_than_its_limit(void **state)
{
    struct frame_queue queue;
    static uint8_t frame[8192];
    (void)state;
    frame_queue_init(&queue, 1000, 16384);
    assert_false(frame_queue_put(&queue, frame, 0));
    assert_false(frame_queue_put(&queue, frame, 16384));
    assert_true(frame_queue_put(&queue, frame, 8000));
    assert_true(frame_queue_put(&queue, frame, 8000));
    assert_false(frame_queue_put(&queue, frame, 8000));
    assert_int_equal(queue.size, 16384);
    assert_int_equal(queue.dropped, 3);
    frame_queue_peek(&queue, frame);
    assert_int_equal(queue.frames, 2);
    frame_queue_drop(&queue);
    assert_int_equal(frame_queue_take(&queue, frame, 10), 8000); // cut to the room given
    assert_int_equal(queue.frames, 0);
    frame_queue_free(&queue);
}

// --- registry ---------------------------------------------------------------

static void mac_addresses_ascend_and_come_back(void **state)
{
    struct lab *lab = lab_new(LAN_GUEST);
    struct network *n = lab->network;
    uint8_t a[6], b[6], c[6], d[6];
    (void)state;
    assert_true(network_take_mac(n, a) && network_take_mac(n, b));
    assert_int_equal(mac_number(a), UINT64_C(0x020000000001));
    assert_int_equal(mac_number(b), UINT64_C(0x020000000002));
    assert_false(network_take_user_mac(n, 2, c)); // in use
    assert_true(network_take_user_mac(n, 3, c));
    assert_true(network_take_mac(n, d));
    assert_int_equal(mac_number(d), UINT64_C(0x020000000004));
    n->system_high = 0x10;
    n->user_low = 0x6;
    n->user_high = 0xF;
    assert_false(network_take_user_mac(n, 0x10, c));
    assert_true(network_take_mac(n, c)); // 5
    assert_true(network_take_mac(n, c)); // past the USER range
    assert_int_equal(mac_number(c), UINT64_C(0x020000000010));
    assert_false(network_take_mac(n, c));
    network_release_mac(n, a);
    assert_true(network_take_mac(n, c));
    assert_int_equal(mac_number(c), UINT64_C(0x020000000001));
    lab_free(lab);
}

static unsigned closed_ports;

static void note_closed(struct port *port)
{
    (void)port;
    closed_ports++;
}

static void removing_a_lan_tells_its_ports(void **state)
{
    struct lab *lab = lab_new(LAN_GUEST);
    enum connect_result result;
    (void)state;
    closed_ports = 0;
    for (unsigned i = 0; i < 3; i++)
        lab_connect(lab, "A", &result)->port->closed = note_closed;
    assert_null(network_define(lab->network, LAN_GUEST, ADAPTER_QDIO, "SYSTEM", "VSW1"));
    network_remove(lab->lan);
    assert_int_equal(closed_ports, 3);
    assert_null(network_find(lab->network, "SYSTEM", "VSW1"));
    lab_free(lab);
}

// --- authority --------------------------------------------------------------

static void the_access_list_is_ordered(void **state)
{
    static const char *const wanted[] = {"SYSTEM", "ALPHA", "BETA", "P5", "P9"};
    struct lab *lab = lab_new(LAN_VSWITCH);
    unsigned i = 0;
    (void)state;
    access_add(lab->lan, "P9", 9);
    access_add(lab->lan, "BETA", 0);
    access_add(lab->lan, "P5", 5);
    access_add(lab->lan, "SYSTEM", 0);
    access_add(lab->lan, "ALPHA", 0);
    assert_ptr_equal(access_add(lab->lan, "ALPHA", 0), access_grant_of(lab->lan, "ALPHA"));
    for (const struct access_entry *e = lab->lan->access; e; e = e->next)
        assert_string_equal(e->userid, wanted[i++]);
    assert_int_equal(i, 5);
    lab_free(lab);
}

static void ports_follow_their_numbers(void **state)
{
    struct lab *lab = lab_new(LAN_VSWITCH);
    enum connect_result result;
    (void)state;
    lab->lan->policy.vlan_aware = true;
    struct access_entry *e = access_add(lab->lan, "A", 7);
    e->options.has_vlans = true;
    vlan_add(&e->options.vlans, 30, 30);
    struct wire *a = lab_connect(lab, "A", &result);
    assert_int_equal(a->port->number, 7);
    assert_int_equal(a->port->pvid, 30);
    assert_null(lab_connect(lab, "A", &result)); // no second number, no grant
    assert_int_equal(result, CONNECT_NOT_AUTHORISED);
    lab_grant(lab, "A", PORT_ACCESS, "40");
    struct wire *second = lab_connect(lab, "A", &result);
    assert_int_equal(second->port->number, LAN_FIRST_AUTO);
    assert_int_equal(second->port->pvid, 40);
    assert_int_equal(a->port->pvid, 30); // the number ranks above the grant
    lab_free(lab);
}

static void directory_options_authorise_unless_switched_off(void **state)
{
    struct lab *lab = lab_new(LAN_VSWITCH);
    struct port_options directory = {.has_vlans = true}, out;
    (void)state;
    vlan_add(&directory.vlans, 8, 8);
    assert_false(access_authorise(lab->lan, "A", 0, NULL, &out));
    assert_true(access_authorise(lab->lan, "A", 0, &directory, &out));
    assert_true(vlan_has(&out.vlans, 8));
    lab->network->directory_authorisation = false;
    assert_false(access_authorise(lab->lan, "A", 0, &directory, &out));
    lab_free(lab);
}

static void a_lan_belongs_to_its_owner(void **state)
{
    struct lab *lab = lab_new(LAN_GUEST);
    struct lan *lan = network_define(lab->network, LAN_GUEST, ADAPTER_QDIO, "OWNER", "L");
    struct port_options out;
    (void)state;
    assert_true(access_authorise(lan, "ANYBODY", 0, NULL, &out));
    lan->policy.restricted = true;
    assert_false(access_authorise(lan, "ANYBODY", 0, NULL, &out));
    assert_true(access_authorise(lan, "OWNER", 0, NULL, &out));
    lab_free(lab);
}

static void connections_are_limited_and_typed(void **state)
{
    struct lab *lab = lab_new(LAN_GUEST);
    enum connect_result result;
    (void)state;
    lab->lan->policy.max_connections = 1;
    assert_non_null(lab_connect(lab, "A", &result));
    assert_null(lab_connect(lab, "B", &result));
    assert_int_equal(result, CONNECT_FULL);
    lab->lan->type = ADAPTER_HIPERSOCKETS;
    assert_null(lab_connect(lab, "B", &result));
    assert_int_equal(result, CONNECT_TYPE_MISMATCH);
    lab_free(lab);
}

// --- capture ----------------------------------------------------------------

static uint32_t word_at(const uint8_t *file, size_t at)
{
    uint32_t v;
    memcpy(&v, file + at, sizeof v);
    return v;
}

// Block types of a pcapng file as letters; every block's two lengths must agree.
static void read_blocks(const uint8_t *file, size_t n, char *types)
{
    size_t at = 0;
    while (at < n) {
        uint32_t type = word_at(file, at), length = word_at(file, at + 4);
        assert_true(length >= 12 && length % 4 == 0 && at + length <= n);
        assert_int_equal(word_at(file, at + length - 4), length);
        *types++ = type == 0x0A0D0D0A ? 'S' : type == 1 ? 'I' : type == 6 ? 'P' : '?';
        at += length;
    }
    *types = '\0';
}

static void a_capture_has_one_interface_per_port(void **state)
{
    struct lab *lab = lab_new(LAN_GUEST);
    enum connect_result result;
    char *bytes, types[32];
    size_t size;
    (void)state;
    FILE *out = open_memstream(&bytes, &size);
    struct capture *capture = capture_new(out, &lab->clock);
    struct wire *a = lab_connect(lab, "A", &result), *b = lab_connect(lab, "B", &result);
    lab_send(a, b->port->mac_value, -1); // before it is on
    capture_attach(lab->lan, capture);
    lab_send(a, b->port->mac_value, -1);
    lab_send(b, a->port->mac_value, -1);
    capture_attach(lab->lan, NULL);
    lab_send(b, a->port->mac_value, -1); // after it is off
    assert_int_equal(capture_close(capture), 0);
    read_blocks((const uint8_t *)bytes, size, types);
    assert_string_equal(types, "SIPIPPP");
    // The first packet block comes after the section (28) and interface blocks.
    size_t at = 28 + word_at((const uint8_t *)bytes, 32);
    assert_int_equal(word_at((const uint8_t *)bytes, at + 8), 0);   // interface
    assert_int_equal(word_at((const uint8_t *)bytes, at + 20), 60); // captured length
    assert_memory_equal(bytes + at + 28, b->port->mac, MAC_SIZE);
    free(bytes);
    lab_free(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vlan_sets_read_ids_and_ranges),
        cmocka_unit_test(vlan_sets_show_runs),
        cmocka_unit_test(the_mac_table_agrees_with_a_list),
        cmocka_unit_test(learning_never_grows_the_table),
        cmocka_unit_test(a_queue_keeps_order_and_limits),
        cmocka_unit_test(a_queue_grows_no_further_than_its_limit),
        cmocka_unit_test(mac_addresses_ascend_and_come_back),
        cmocka_unit_test(removing_a_lan_tells_its_ports),
        cmocka_unit_test(the_access_list_is_ordered),
        cmocka_unit_test(ports_follow_their_numbers),
        cmocka_unit_test(directory_options_authorise_unless_switched_off),
        cmocka_unit_test(a_lan_belongs_to_its_owner),
        cmocka_unit_test(connections_are_limited_and_typed),
        cmocka_unit_test(a_capture_has_one_interface_per_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
