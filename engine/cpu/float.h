// SPDX-License-Identifier: MIT
// What the floating-point files share.
#ifndef ENDICOTT_CPU_FLOAT_H
#define ENDICOTT_CPU_FLOAT_H

#include "cpu/execute.h"

#define SIGN64 UINT64_C(0x8000000000000000)

// 128-bit numbers lie in FPR n and n + 2: n is 0, 1, 4, 5, 8, 9, 12 or 13.
static inline void check_pair(struct cpu *cpu, unsigned r)
{
    check(cpu, !(r & 2), PIC_SPECIFICATION);
}

void set_fpc(struct cpu *cpu, uint32_t value);

#endif
