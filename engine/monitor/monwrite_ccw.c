// SPDX-License-Identifier: MIT
// CCWs and what they point to.
#include "monitor/monwrite_ccw.h"

#include "base/bytes.h"
#include "cp/cp.h"

void monwrite_put(struct vm *vm, uint32_t at, const void *bytes, size_t n)
{
    storage_write(vm->machine->storage, at, bytes, n);
}

uint32_t monwrite_ccw(struct vm *vm, uint32_t at, unsigned code, unsigned flags, unsigned count,
                      uint32_t address)
{
    uint8_t bytes[8] = {(uint8_t)code, (uint8_t)flags};
    be16_store(bytes + 2, (uint16_t)count);
    be32_store(bytes + 4, address);
    monwrite_put(vm, at, bytes, sizeof bytes);
    return at + (uint32_t)sizeof bytes;
}
