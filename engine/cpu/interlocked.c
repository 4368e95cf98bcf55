// SPDX-License-Identifier: MIT
// Sixteen-byte interlocked access: cmpxchg16b. gcc reaches it inline only through the older __sync
// form and with the target attribute.
#include "cpu/interlocked.h"

#if defined(__x86_64__)
#define WIDE_SWAP __attribute__((target("cx16")))
#else
#define WIDE_SWAP
#endif

WIDE_SWAP bool interlocked_swap16(void *place, uint128 *expected, uint128 desired)
{
    uint128 old = __sync_val_compare_and_swap((uint128 *)place, *expected, desired);
    bool same = old == *expected;
    *expected = old;
    return same;
}

uint128 interlocked_read16(const void *place)
{
    uint128 value = 0;
    interlocked_swap16((void *)place, &value, 0); // writes only what was there
    return value;
}

void interlocked_write16(void *place, uint128 value)
{
    uint128 expected = 0;
    while (!interlocked_swap16(place, &expected, value))
        ;
}
