// SPDX-License-Identifier: MIT
#include "cp/stsi.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/cp.h"

// SYSIB 3.2.2 (Principles of Operation, "STORE SYSTEM INFORMATION"): bytes 28-31 hold the number of
// descriptions; each has 64 bytes from 32 on, the innermost level first:
//
//   4 CPUs | 6 configured | 8 standby | 10 reserved | 12 name (8) | 20 adjustment | 24 program (16)
#define COUNT       31
#define DESCRIPTION 32

void stsi_virtual_machines(const struct vm *vm, uint8_t *block)
{
    uint8_t *d = block + DESCRIPTION;

    memset(block, 0, FRAME_SIZE);
    block[COUNT] = 1;
    be16_store(d + 4, (uint16_t)vm->vcpus);
    be16_store(d + 6, (uint16_t)vm->vcpus);
    ebcdic_field(d + 12, 8, vm->userid);
    be32_store(d + 20, 1000);
    ebcdic_field(d + 24, 16, "z/VM    7.3.0");
}
