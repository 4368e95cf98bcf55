// SPDX-License-Identifier: MIT
// Frames by DIAGNOSE X'2A8', the simple transfer of virtual NICs. Under CP only.
#ifndef GUEST_NIC_H
#define GUEST_NIC_H

#include "runtime/guest.h"

#define FRAME_MAX       1514u
#define FRAME_TYPE      0x88B5 // for experiments (IEEE 802)
#define FRAME_HEADER    14u
#define NIC_NOT_COUPLED 4u
#define NIC_NO_FRAME    8u

struct frame {
    uint8_t to[6], from[6];
    uint16_t type;
    uint8_t data[FRAME_MAX - FRAME_HEADER];
};

// Asks for the address of the NIC `number`; false when there is none, or no such DIAGNOSE. Frames
// are told by external interruptions from then on.
bool nic_begin(uint16_t number, uint8_t mac[6]);
// Condition code 0, 1 or 3; *reason for the others than 0.
int nic_send(struct frame *frame, uint32_t length, uint32_t *reason);
int nic_receive(struct frame *frame, uint32_t *length, uint32_t *reason);
// Sets the alarm; waits for a frame or the alarm; false: the alarm.
void nic_alarm(uint64_t us);
bool nic_wait(void);

#endif
