// SPDX-License-Identifier: MIT
// Fuzzes the data path: the input configures a switch and then sends frames on its ports. Every
// delivery is checked to be a well-formed frame for a member of its VLAN.
#include "base/memory.h"
#include "network/queue.h"
#include "network/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PORTS 4

struct input {
    const uint8_t *at, *end;
};

static unsigned byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static bool check(struct port *port, const uint8_t *frame, size_t n)
{
    const struct lan *lan = port->lan;
    INVARIANT(port->authorised && n >= FRAME_HEADER && n <= lan->max_frame + FRAME_TAG);
    if (lan->policy.vlan_aware && port->type == PORT_TRUNK && frame_is_tagged(frame, n))
        INVARIANT(vlan_has(&port->vlans, frame_tci(frame) & VLAN_ID_MASK) ||
                  port->pvid != 0); // untagged for the native VLAN, with a tag inside
    return frame_queue_put(port->arg, frame, n);
}

static void grant(struct lan *lan, const char *userid, struct input *in)
{
    struct port_options *o = &access_add(lan, userid, 0)->options;
    unsigned flags = byte(in), low = byte(in), high = byte(in);
    *o = (struct port_options){.has_type = true,
                               .type = flags & 1 ? PORT_TRUNK : PORT_ACCESS,
                               .has_vlans = flags & 2,
                               .has_promiscuous = true,
                               .promiscuous = flags & 4};
    vlan_add(&o->vlans, low, high);
}

static void configure(struct lan *lan, struct input *in)
{
    struct lan_policy *p = &lan->policy;
    unsigned flags = byte(in);
    p->vlan_aware = flags & 1;
    p->isolation = flags & 2;
    p->vepa = flags & 4;
    p->mac_protection = flags & 8 ? SWITCHED_ON : UNSPECIFIED;
    p->default_vlan = (uint16_t)byte(in);
    p->native_vlan = (uint16_t)byte(in);
    lan_count_vlans(lan, flags & 16);
    lan_limit_frames(lan, flags & 32 ? 64 : 0);
    lan_refresh(lan);
}

static void step(struct lan *lan, struct port *const *ports, struct input *in)
{
    static const char *const users[PORTS] = {"A", "B", "C", "D"};
    unsigned what = byte(in), which = byte(in) % (PORTS + 1);
    struct port *port = which == PORTS ? lan->uplink.port : ports[which];
    size_t n = byte(in);
    if (what % 16 == 0) {
        configure(lan, in);
    } else if (what % 16 == 1 && which < PORTS) {
        grant(lan, users[which], in);
        lan_refresh(lan);
    } else if (what % 16 == 2 && access_grant_of(lan, users[which % PORTS])) {
        access_remove(lan, access_grant_of(lan, users[which % PORTS]));
        lan_refresh(lan);
    } else {
        n = n < (size_t)(in->end - in->at) ? n : (size_t)(in->end - in->at);
        lan_send(port, in->at, n);
        in->at += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, data + size};
    struct lab *lab = lab_new(LAN_VSWITCH);
    struct frame_queue queue[PORTS + 1];
    struct port *ports[PORTS];
    enum connect_result result;
    uint8_t frame[16];
    configure(lab->lan, &in);
    for (unsigned i = 0; i < PORTS; i++) {
        char userid[2] = {(char)('A' + i), '\0'};
        frame_queue_init(&queue[i], 4, 8192);
        grant(lab->lan, userid, &in);
        lan_refresh(lab->lan);
        ports[i] = lab_connect(lab, userid, &result)->port;
        ports[i]->deliver = check;
        ports[i]->arg = &queue[i];
    }
    frame_queue_init(&queue[PORTS], 4, 8192);
    lan_open_uplink(lab->lan, 0xA00, check, &queue[PORTS]);
    while (in.at < in.end) {
        step(lab->lan, ports, &in);
        frame_queue_take(&queue[byte(&in) % (PORTS + 1)], frame, sizeof frame);
    }
    for (unsigned i = 0; i <= PORTS; i++)
        frame_queue_free(&queue[i]);
    lab_free(lab);
    return 0;
}
