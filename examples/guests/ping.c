// SPDX-License-Identifier: MIT
// Sends frames on a NIC and counts the answers that netecho gives.
// Parameters: nic=, hexadecimal (6200); n= (5); wait=, for each answer (200ms).
#include "nic.h"

static struct frame out, in;

static void build(uint8_t mac[6], const uint8_t peer[6], uint64_t number)
{
    memcpy(out.to, peer, 6);
    memcpy(out.from, mac, 6);
    out.type = FRAME_TYPE;
    memcpy(out.data, &number, sizeof number);
}

// Takes frames until the answer to `number` comes, or the alarm.
static bool answered(uint64_t number)
{
    uint32_t length, reason;

    do {
        while (nic_receive(&in, &length, &reason) == 0)
            if (in.type == FRAME_TYPE && length >= FRAME_HEADER + sizeof number &&
                !memcmp(in.data, &number, sizeof number))
                return true;
    } while (nic_wait());
    return false;
}

unsigned long guest_main(void)
{
    uint8_t mac[6], peer[6];
    uint64_t n = parameter_number("n", 5), us = parameter_time("wait", 200000), answers = 0;
    uint32_t reason;

    if (!nic_begin((uint16_t)parameter_hex("nic", 0x6200), mac)) {
        print("ping: no NIC");
        return END_OK;
    }
    memset(peer, 0xFF, sizeof peer); // the first goes to all
    for (uint64_t i = 1; i <= n; i++) {
        build(mac, peer, i);
        nic_alarm(us);
        if (nic_send(&out, 64, &reason)) {
            print("ping: frame %lu not sent, reason %lu", i, (unsigned long)reason);
            while (nic_wait())
                continue;
        } else if (answered(i)) {
            answers++;
            transactions++;
            memcpy(peer, in.from, 6);
        }
    }
    print("ping: %lu sent, %lu answered", n, answers);
    return END_OK;
}
