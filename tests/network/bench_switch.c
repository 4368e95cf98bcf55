// SPDX-License-Identifier: MIT
// Frames per second through a virtual switch with 64 guests: unicast and broadcast, without VLANs,
// within one VLAN, and from access ports to trunks, where each frame gets a tag. Prints one line
// per case; the receivers only count.
#include <stdio.h>

#include "base/clock.h"
#include "network/network.h"

#define GUESTS 64

static struct port *ports[GUESTS];
static uint64_t received;

static bool count(struct port *port, const uint8_t *frame, size_t n)
{
    (void)port;
    (void)frame;
    received += n > 0;
    return true;
}

static struct lan *build(struct network *network, const char *name, bool aware, bool trunks)
{
    struct lan *lan = network_define(network, LAN_VSWITCH, ADAPTER_QDIO, "SYSTEM", name);
    lan->policy.vlan_aware = aware;
    lan->policy.default_vlan = 10;
    lan->policy.native_vlan = 1;
    for (unsigned i = 0; i < GUESTS; i++) {
        char userid[9];
        uint8_t mac[MAC_SIZE];
        enum connect_result result;
        snprintf(userid, sizeof userid, "LNX%05u", i);
        struct access_entry *e = access_add(lan, userid, 0);
        e->options.has_type = true;
        e->options.type = trunks && i % 2 ? PORT_TRUNK : PORT_ACCESS;
        network_take_mac(network, mac);
        struct port_request request = {
            .owner = userid, .mac = mac, .type = ADAPTER_QDIO, .deliver = count};
        ports[i] = lan_connect(lan, &request, &result);
    }
    return lan;
}

static void run(const char *what, unsigned n, bool broadcast, unsigned frames)
{
    static uint8_t frame[1514];
    received = 0;
    uint64_t start = host_monotonic_ns();
    for (unsigned i = 0; i < frames; i++) {
        struct port *from = ports[i * 2 % GUESTS], *to = ports[(i * 2 + 1) % GUESTS];
        memcpy(frame, to->mac, MAC_SIZE);
        if (broadcast)
            memset(frame, 0xFF, MAC_SIZE);
        memcpy(frame + 6, from->mac, MAC_SIZE);
        be16_store(frame + 12, 0x0800);
        lan_send(from, frame, n);
    }
    double seconds = (double)(host_monotonic_ns() - start) / 1e9;
    printf("switch %-28s %4u bytes  %8.0f frames/s sent  %10.0f delivered/s\n", what, n,
           frames / seconds, (double)received / seconds);
}

int main(void)
{
    struct clock clock;
    clock_init(&clock, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
    struct network *network = network_new(&clock);
    build(network, "PLAIN", false, false);
    run("unicast, no VLANs", 60, false, 5000000);
    run("unicast, no VLANs", 1514, false, 5000000);
    run("broadcast, no VLANs", 60, true, 200000);
    build(network, "AWARE", true, false);
    run("unicast, one VLAN", 60, false, 5000000);
    build(network, "TRUNKS", true, true);
    run("unicast, access to trunk", 60, false, 5000000);
    run("unicast, access to trunk", 1514, false, 5000000);
    run("broadcast, access to trunk", 60, true, 200000);
    network_free(network);
    return 0;
}
