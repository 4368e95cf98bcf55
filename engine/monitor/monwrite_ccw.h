// SPDX-License-Identifier: MIT
// Channel programs in the storage of MONWRITE's virtual machine, which has no program of its own.
#ifndef ENDICOTT_MONITOR_MONWRITE_CCW_H
#define ENDICOTT_MONITOR_MONWRITE_CCW_H

#include <stddef.h>
#include <stdint.h>

#define MONWRITE_PROGRAM 0x10000u // where the CCWs are
#define MONWRITE_COMMAND 0x10800u // what their commands take or give, other than blocks
#define MONWRITE_BUFFERS 0x20000u // blocks of 4096 bytes
#define MONWRITE_STORAGE 0x40000u // the virtual machine must have
#define MONWRITE_BLOCKS  4u       // that one program writes at most (ours)

#define CCW_DATA    0x80u // chaining
#define CCW_COMMAND 0x40u
#define CCW_SLI_BIT 0x20u

struct vm;

void monwrite_put(struct vm *vm, uint32_t at, const void *bytes, size_t n);
// Stores a format-1 CCW; where the next one goes.
uint32_t monwrite_ccw(struct vm *vm, uint32_t at, unsigned code, unsigned flags, unsigned count,
                      uint32_t address);

#endif
