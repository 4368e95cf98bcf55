// SPDX-License-Identifier: MIT
// Runs one floating-point instruction with registers and FPC as a test wants them.
#ifndef ENDICOTT_TESTS_CPU_DFP_RIG_H
#define ENDICOTT_TESTS_CPU_DFP_RIG_H

#include "cpu/rig.h"
#include "cpu/snippets.h"
#include "cpu/wide.h"

// Numbers stand at the right of 128 bits, as in cpu/dfp.h.
static inline void dfp_rig_set(struct bare *rig, int width, unsigned r, uint128 bits)
{
    struct vector_register *vr = rig->cpu->vr;
    vr[r].high = width == 32 ? (uint64_t)bits << 32 : (uint64_t)(width == 64 ? bits : bits >> 64);
    if (width == 128)
        vr[r + 2].high = (uint64_t)bits;
}

static inline uint128 dfp_rig_get(struct bare *rig, int width, unsigned r)
{
    const struct vector_register *vr = rig->cpu->vr;
    if (width == 32)
        return vr[r].high >> 32;
    return width == 64 ? vr[r].high : (uint128)vr[r].high << 64 | vr[r + 2].high;
}

// Executes `code` with this FPC and program mask and the condition code 3; the program-interruption
// code, 0: none.
static inline unsigned dfp_rig_run_masked(struct bare *rig, const char *code, uint32_t fpc,
                                          unsigned mask)
{
    rig_hex(rig, rig_hex(rig, CODE, code), "B222 00F0 B2B2 0E00"); // IPM keeps the condition code
    rig->cpu->psw =
        (struct psw){.address = CODE, .ea = true, .ba = true, .cc = 3, .mask = (uint8_t)mask};
    rig->cpu->cr[0] |= 0x40000;
    rig->cpu->fpc = fpc;
    rig->cpu->instructions = 0;
    cpu_state_changed(rig->cpu);
    return rig_fault(rig);
}

static inline unsigned dfp_rig_run(struct bare *rig, const char *code, uint32_t fpc)
{
    return dfp_rig_run_masked(rig, code, fpc, 0);
}

// The condition code when the instruction was over.
static inline unsigned dfp_rig_cc(struct bare *rig)
{
    return rig->cpu->psw.address == 0xBAD ? bare_get32(rig, 0x150) >> 12 & 3
                                          : (unsigned)rig->cpu->gr[15] >> 28 & 3;
}

#endif
