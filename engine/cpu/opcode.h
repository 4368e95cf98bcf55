// SPDX-License-Identifier: MIT
// The instruction table: the one place that says how an instruction is decoded, executed, printed
// and who may issue it. Rows come from opcodes_*.def.
#ifndef ENDICOTT_CPU_OPCODE_H
#define ENDICOTT_CPU_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

// Instruction formats (reference: Principles of Operation, "Instruction Formats").
// X(id, length)
#define OPCODE_FORMATS(X)                                                                          \
    X(E, 2)                                                                                        \
    X(I, 2)                                                                                        \
    X(RR, 2)                                                                                       \
    X(IE, 4)                                                                                       \
    X(RI_A, 4)                                                                                     \
    X(RI_B, 4) X(RI_C, 4) X(RRD, 4) X(RRE, 4) X(RRF_A, 4) X(RRF_B, 4) X(RRF_C, 4) X(RRF_D, 4)      \
        X(RRF_E, 4) X(RS_A, 4) X(RS_B, 4) X(RSI, 4) X(RX_A, 4) X(RX_B, 4) X(S, 4) X(SI, 4)         \
            X(MII, 6) X(RIE_A, 6) X(RIE_B, 6) X(RIE_C, 6) X(RIE_D, 6) X(RIE_E, 6) X(RIE_F, 6)      \
                X(RIE_G, 6) X(RIL_A, 6) X(RIL_B, 6) X(RIL_C, 6) X(RIS, 6) X(RRS, 6) X(RSL_A, 6)    \
                    X(RSL_B, 6) X(RSY_A, 6) X(RSY_B, 6) X(RXE, 6) X(RXF, 6) X(RXY_A, 6)            \
                        X(RXY_B, 6) X(SIL, 6) X(SIY, 6) X(SMI, 6) X(SS_A, 6) X(SS_B, 6) X(SS_C, 6) \
                            X(SS_D, 6) X(SS_E, 6) X(SS_F, 6) X(SSE, 6) X(SSF, 6) X(VRI_A, 6)       \
                                X(VRI_B, 6) X(VRI_C, 6) X(VRI_D, 6) X(VRI_E, 6) X(VRI_F, 6)        \
                                    X(VRI_G, 6) X(VRI_H, 6) X(VRI_I, 6) X(VRR_A, 6) X(VRR_B, 6)    \
                                        X(VRR_C, 6) X(VRR_D, 6) X(VRR_E, 6) X(VRR_F, 6)            \
                                            X(VRR_G, 6) X(VRR_H, 6) X(VRR_I, 6) X(VRS_A, 6)        \
                                                X(VRS_B, 6) X(VRS_C, 6) X(VRS_D, 6) X(VRV, 6)      \
                                                    X(VRX, 6) X(VSI, 6)

enum opcode_format {
#define X(id, length) FORMAT_##id,
    OPCODE_FORMATS(X)
#undef X
        FORMAT_COUNT
};

enum opcode_flags {
    OP_Z = 1u << 0,          // z/Architecture mode only
    OP_PRIVILEGED = 1u << 1, // privileged-operation exception in the problem state
    OP_END = 1u << 2,        // the PSW is exact while it runs, and the block ends with it
    OP_BRANCH = 1u << 3,     // may branch (for tracing and PER)
    OP_M4 = 1u << 6,         // RRF-a with its mask M4
    OP_UNSIGNED = 1u << 5,   // prints its immediate without a sign
    OP_AFP = 1u << 4,        // BFP or the like: needs AFP-register control (DXC 2)
    OP_VECTOR = 1u << 7,     // needs AFP-register and vector control (DXC FE)
    OP_M20 = 1u << 8,        // vector formats: the masks it has, by their bit position
    OP_M24 = 1u << 9,
    OP_M28 = 1u << 10,
    OP_M32 = 1u << 11,
    OP_DFP = 1u << 13, // needs AFP-register control (DXC 3)
    OP_INTERRUPTIBLE = 1u << 12, // may stop between units of operation, without OP_END
};

#define FACILITY_NONE 255

// A fast handler runs an instruction and returns the next; see cpu/execute.h.
typedef const struct insn *insn_fn(struct cpu *cpu, const struct insn *insn);

struct opcode {
    const char *mnemonic;
    uint16_t code; // first byte, then the extension (0 when there is none)
    uint8_t format;
    uint8_t facility; // STFLE bit that must be on, or FACILITY_NONE
    uint16_t flags;
    uint16_t reason; // INTERCEPT_ reason; INTERCEPT_COUNT: not for the door
    insn_fn *run;    // fast handler, or
    void (*execute)(struct cpu *cpu, const struct insn *insn); // plain function, or
    // the bare semantics of an instruction that goes through the door.
    void (*simulate)(struct cpu *cpu, const struct door_call *call);
};

extern const struct opcode opcode_table[];
extern const unsigned opcode_count;

// The row for this instruction text whatever the machine's facilities; NULL when there is none.
const struct opcode *opcode_find(const uint8_t *text);
// The row if this CPU has it in its present architecture mode, otherwise NULL (operation
// exception).
const struct opcode *opcode_for_cpu(const struct cpu *cpu, const uint8_t *text);

// 2, 4 or 6 by the first byte.
static inline unsigned opcode_length(uint8_t first)
{
    return first < 0x40 ? 2 : first < 0xC0 ? 4 : 6;
}

// Default facilities: what this table implements.
void opcode_default_facilities(struct cpu *cpu);

#endif
