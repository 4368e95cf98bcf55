// SPDX-License-Identifier: MIT
// Integers that floating-point numbers become, binary and decimal alike (Principles of Operation,
// CONVERT TO FIXED, CONVERT TO LOGICAL).
#ifndef ENDICOTT_CPU_FLOAT_INTEGER_H
#define ENDICOTT_CPU_FLOAT_INTEGER_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/operands.h"
#include "cpu/wide.h"

struct integer {
    bool is_signed;
    unsigned bits; // 32 or 64
};

static inline void integer_set(struct cpu *cpu, unsigned r, struct integer kind, uint64_t value)
{
    if (kind.bits == 32)
        set_low(cpu, r, (uint32_t)value);
    else
        cpu->gr[r] = value;
}

// What is stored for a number out of range: the nearest bound; for a NaN the smallest, so `least`.
static inline uint64_t integer_bound(struct integer kind, bool least)
{
    uint64_t top = UINT64_C(1) << (kind.bits - 1);
    if (kind.is_signed)
        return least ? top : top - 1;
    return least ? 0 : top - 1 + top;
}

// Is the integral number of this magnitude one of them? A zero of any sign is.
static inline bool integer_fits(struct integer kind, bool negative, uint128 magnitude)
{
    uint128 top = (uint128)1 << (kind.bits - 1);
    if (kind.is_signed)
        return negative ? magnitude <= top : magnitude < top;
    return negative ? magnitude == 0 : magnitude < top << 1;
}

#endif
