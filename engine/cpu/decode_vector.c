// SPDX-License-Identifier: MIT
// Vector formats to struct insn; cpu/vector.h says what stands where.
//
//   0        8    12   16   20   24   28   32   36   40
//   | E6, E7 | V1 | V2 | V3 | M  | M  | M  |V4,M| RXB| opcode |
#include "base/bytes.h"
#include "cpu/block.h"

enum rxb { RXB_8 = 8, RXB_12 = 4, RXB_16 = 2, RXB_32 = 1 };

static uint8_t vector_field(const uint8_t *t, unsigned field, enum rxb bit)
{
    return (uint8_t)((field & 15) | (t[4] & bit ? 16u : 0u));
}

static void registers(const uint8_t *t, struct insn *insn)
{
    insn->r1 = vector_field(t, t[1] >> 4, RXB_8);
    insn->r2 = vector_field(t, t[1], RXB_12);
    insn->r3 = vector_field(t, t[2] >> 4, RXB_16);
    insn->m4 = vector_field(t, t[4] >> 4, RXB_32);
    insn->d = (t[2] & 15) << 12 | (t[3] >> 4) << 8 | (t[3] & 15) << 4 | t[4] >> 4;
}

static void storage(const uint8_t *t, struct insn *insn)
{
    insn->x = NO_REGISTER;
    insn->b = t[2] >> 4 ? (uint8_t)(t[2] >> 4) : NO_REGISTER;
    insn->d = (t[2] & 15) << 8 | t[3];
    insn->i = t[4] >> 4;
}

static void decode_storage(const uint8_t *t, unsigned format, struct insn *insn)
{
    storage(t, insn);
    switch (format) {
    case FORMAT_VRX:
        insn->x = t[1] & 15 ? t[1] & 15 : NO_REGISTER;
        break;
    case FORMAT_VRS_B:
        insn->r2 = t[1] & 15;
        break;
    case FORMAT_VRS_C:
        insn->r1 = t[1] >> 4;
        break;
    case FORMAT_VRS_D:
        insn->r1 = vector_field(t, t[4] >> 4, RXB_32);
        insn->r2 = t[1] & 15;
        break;
    case FORMAT_VSI:
        insn->r1 = vector_field(t, t[4] >> 4, RXB_32);
        insn->r2 = t[1];
        break;
    default: // VRS-a, VRV
        break;
    }
}

void insn_decode_vector(const uint8_t *t, unsigned format, struct insn *insn)
{
    registers(t, insn);
    switch (format) {
    case FORMAT_VRI_A: // I2
    case FORMAT_VRI_C:
        insn->r3 = insn->r2; // V3 of VRI-c
        insn->i = (int16_t)be16_load(t + 2);
        break;
    case FORMAT_VRI_B: // I2 and I3
    case FORMAT_VRI_H:
        insn->i = be16_load(t + 2);
        break;
    case FORMAT_VRI_D: // I4
        insn->i = t[3];
        break;
    case FORMAT_VRI_E: // I3
        insn->i = be16_load(t + 2) >> 4;
        break;
    case FORMAT_VRI_F: // the immediate from bit 28
        insn->i = (t[3] & 15) << 4 | t[4] >> 4;
        break;
    case FORMAT_VRI_I: // and R2
        insn->r2 = t[1] & 15;
        insn->i = (t[3] & 15) << 4 | t[4] >> 4;
        break;
    case FORMAT_VRI_G: // and I4 at the left
        insn->i = t[2] << 8 | (t[3] & 15) << 4 | t[4] >> 4;
        break;
    case FORMAT_VRR_F: // R2, R3
        insn->r2 = t[1] & 15;
        insn->r3 = t[2] >> 4;
        break;
    case FORMAT_VRR_G: // V1 at bit 12
    case FORMAT_VRR_H: // and V2 at bit 16
        insn->r1 = insn->r2;
        insn->r2 = insn->r3;
        break;
    case FORMAT_VRR_I: // R1
        insn->r1 = t[1] >> 4;
        break;
    case FORMAT_VRS_A:
    case FORMAT_VRS_B:
    case FORMAT_VRS_C:
    case FORMAT_VRS_D:
    case FORMAT_VRV:
    case FORMAT_VRX:
    case FORMAT_VSI:
        decode_storage(t, format, insn);
        break;
    default:
        break;
    }
}
