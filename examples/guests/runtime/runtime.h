// SPDX-License-Identifier: MIT
// What the runtime's files share; guests include guest.h.
#ifndef GUEST_RUNTIME_H
#define GUEST_RUNTIME_H

#include "guest.h"

void interruptions_begin(void); // new PSWs of the prefix area at real 0
void io_interruption(const struct interruption *interruption);
void alarm_interruption(const struct interruption *interruption);

// Assigned storage locations (Principles of Operation, "Assigned Storage Locations") and what the
// runtime keeps beside them.
enum lowcore {
    LC_EXTERNAL_PARAMETER = 0x80,
    LC_EXTERNAL_CPU = 0x84,
    LC_EXTERNAL_CODE = 0x86,
    LC_SVC_ILC = 0x88,
    LC_SVC_CODE = 0x8A,
    LC_PROGRAM_ILC = 0x8C,
    LC_PROGRAM_CODE = 0x8E,
    LC_SUBCHANNEL = 0xB8,
    LC_IO_PARAMETER = 0xBC,
    LC_OLD_PSW = 0x120, // restart, then the other classes, 16 bytes each
    LC_NEW_PSW = 0x1A0,
    LC_SAVE = 0x200, // registers, 128 bytes for each class
    LC_CPU_STACK = 0x500,
    LC_CPU_FUNCTION = 0x508,
    LC_CPU_CONTROL = 0x510, // control registers of a CPU to be started
};

static inline uint16_t low16(enum lowcore at)
{
    return *(volatile uint16_t *)real(at);
}

static inline uint32_t low32(enum lowcore at)
{
    return *(volatile uint32_t *)real(at);
}

#endif
