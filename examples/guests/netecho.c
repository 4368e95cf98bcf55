// SPDX-License-Identifier: MIT
// Answers each frame that comes in on a NIC: back to where it came from.
// Parameters: nic=, hexadecimal (6200); n=, frames to answer, 0 without end (0); verbose.
#include "nic.h"

static struct frame frame;

unsigned long guest_main(void)
{
    uint8_t mac[6];
    uint64_t n = parameter_number("n", 0);
    uint32_t length, reason;

    if (!nic_begin((uint16_t)parameter_hex("nic", 0x6200), mac)) {
        print("netecho: no NIC");
        return END_OK;
    }
    if (parameter_flag("verbose"))
        print("netecho: ready");
    while (!n || transactions < n) {
        int cc = nic_receive(&frame, &length, &reason);
        if (cc == 0 && frame.type == FRAME_TYPE && length >= FRAME_HEADER) {
            memcpy(frame.to, frame.from, 6);
            memcpy(frame.from, mac, 6);
            nic_send(&frame, length, &reason);
            transactions++;
        } else if (cc) {
            nic_wait();
        }
    }
    print("netecho: %lu frames answered", transactions);
    return END_OK;
}
