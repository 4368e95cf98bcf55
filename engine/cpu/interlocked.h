// SPDX-License-Identifier: MIT
// Interlocked access to guest storage by host atomics. Operands are naturally aligned (the
// instructions demand it), values are in guest (big-endian) byte order.
#ifndef ENDICOTT_CPU_INTERLOCKED_H
#define ENDICOTT_CPU_INTERLOCKED_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "cpu/wide.h"

// Serialization: all stores of this CPU are seen before what it fetches next is fetched. A locked
// operation on a word of its own does that, and ThreadSanitizer knows it, as it does no fence.
static inline void serialize(struct cpu *cpu)
{
    (void)atomic_fetch_or(&cpu->pending, 0);
}

// 16 bytes in one piece: with cmpxchg16b, which every x86-64 host of the last fifteen years has.
// The compiler only uses it inline when told so, hence the target attribute.
bool interlocked_swap16(void *place, uint128 *expected, uint128 desired);
uint128 interlocked_read16(const void *place);
void interlocked_write16(void *place, uint128 value);

#endif
