// SPDX-License-Identifier: MIT
// STORE SYSTEM INFORMATION, level 3: what a virtual machine is told of itself.
#ifndef ENDICOTT_CP_STSI_H
#define ENDICOTT_CP_STSI_H

#include <stdint.h>

struct vm;

// SYSIB 3.2.2 into 4096 bytes.
void stsi_virtual_machines(const struct vm *vm, uint8_t *block);

#endif
