// SPDX-License-Identifier: MIT
// Instruction text to struct insn, by format.
#include <string.h>

#include "base/bytes.h"
#include "cpu/block.h"
#include "cpu/execute.h"

// Register fields by their bit position in the instruction.
#define FIELD8(t)  ((uint8_t)((t)[1] >> 4))
#define FIELD12(t) ((uint8_t)((t)[1] & 15))
#define FIELD16(t) ((uint8_t)((t)[2] >> 4))
#define FIELD32(t) ((uint8_t)((t)[4] >> 4))
#define FIELD36(t) ((uint8_t)((t)[4] & 15))

static uint8_t base_register(unsigned r)
{
    return r ? (uint8_t)r : NO_REGISTER;
}

// B and D at bits 16-31.
static void storage1(const uint8_t *t, struct insn *insn)
{
    insn->b = base_register(t[2] >> 4);
    insn->d = (t[2] & 15) << 8 | t[3];
}

// The second pair at bits 32-47.
static void storage2(const uint8_t *t, struct insn *insn)
{
    insn->b2 = base_register(t[4] >> 4);
    insn->d2 = (t[4] & 15) << 8 | t[5];
}

// B and the 20-bit displacement at bits 16-39: low 12 bits, then the signed high 8.
static void storage_long(const uint8_t *t, struct insn *insn)
{
    insn->b = base_register(t[2] >> 4);
    insn->d = (int8_t)t[4] * 4096 + ((t[2] & 15) << 8 | t[3]);
}

static int64_t relative16(const uint8_t *p, int64_t offset)
{
    return offset + 2 * (int64_t)(int16_t)be16_load(p);
}

static int64_t relative32(const uint8_t *p, int64_t offset)
{
    return offset + 2 * (int64_t)(int32_t)be32_load(p);
}

// RIE-f: the bits selected by I3 and I4 (which may wrap), and the rotation I5.
// bit stays in m4, the test bit of the logical forms in m3's high bit is kept in x.
static void selected_bits(const uint8_t *t, struct insn *insn)
{
    unsigned start = t[2] & 63, end = t[3] & 63;
    if (t[5] == 0x51 || t[5] == 0x5D) { // RISBLG, RISBHG: five bits, within their word
        unsigned word = t[5] == 0x51 ? 32 : 0;
        start = (start & 31) + word;
        end = (end & 31) + word;
    }
    uint64_t from = ~UINT64_C(0) >> start, to = ~UINT64_C(0) << (63 - end);
    insn->mask = start <= end ? from & to : from | to;
    insn->x = t[4] & 63;
    insn->m4 = (uint8_t)((t[3] >> 7) | (t[2] >> 7) << 1); // 1: zero remaining, 2: test results
}

static void decode_rie(const uint8_t *t, unsigned format, int64_t offset, struct insn *insn)
{
    insn->r1 = FIELD8(t);
    insn->r2 = FIELD12(t);
    switch (format) {
    case FORMAT_RIE_A:
        insn->i = (int16_t)be16_load(t + 2);
        insn->m3 = FIELD32(t);
        break;
    case FORMAT_RIE_B:
        insn->i = (int32_t)relative16(t + 2, offset);
        insn->m3 = FIELD32(t);
        break;
    case FORMAT_RIE_C:
        insn->m3 = FIELD12(t);
        insn->d = (int8_t)t[4];
        insn->i = (int32_t)relative16(t + 2, offset);
        break;
    case FORMAT_RIE_D:
        insn->i = (int16_t)be16_load(t + 2);
        break;
    case FORMAT_RIE_E:
        insn->target = relative16(t + 2, offset);
        break;
    case FORMAT_RIE_F:
        selected_bits(t, insn);
        break;
    default: // RIE-g
        insn->m3 = FIELD12(t);
        insn->i = (int16_t)be16_load(t + 2);
        break;
    }
}

static void decode_ss(const uint8_t *t, unsigned format, struct insn *insn)
{
    if (format == FORMAT_SS_A || format == FORMAT_SS_F) {
        insn->r1 = t[1];
    } else {
        insn->r1 = FIELD8(t);
        insn->r2 = FIELD12(t);
    }
    storage1(t, insn);
    storage2(t, insn);
}

static void decode_rrf(const uint8_t *t, struct insn *insn)
{
    insn->r1 = t[3] >> 4;
    insn->r2 = t[3] & 15;
    insn->r3 = FIELD16(t);
    insn->m4 = t[2] & 15;
}

// The formats whose relative operand or immediate stands in one field.
static void decode_immediate(const uint8_t *t, unsigned format, int64_t offset, struct insn *insn)
{
    insn->r1 = FIELD8(t);
    insn->r2 = FIELD12(t);
    switch (format) {
    case FORMAT_RI_A:
        insn->i = (int16_t)be16_load(t + 2);
        break;
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RSI:
        insn->target = relative16(t + 2, offset);
        break;
    case FORMAT_RIL_A:
        insn->i = (int32_t)be32_load(t + 2);
        break;
    default: // RIL-b, RIL-c
        insn->target = relative32(t + 2, offset);
        break;
    }
}

static void decode_storage(const uint8_t *t, unsigned format, struct insn *insn)
{
    insn->r1 = FIELD8(t);
    insn->r2 = FIELD12(t);
    insn->x = NO_REGISTER;
    switch (format) {
    case FORMAT_RX_A:
    case FORMAT_RX_B:
        insn->x = base_register(FIELD12(t));
        storage1(t, insn);
        break;
    case FORMAT_RXE:
        insn->x = base_register(FIELD12(t));
        insn->r2 = FIELD32(t);
        storage1(t, insn);
        break;
    case FORMAT_RXF: // R3 stands first
        insn->x = base_register(FIELD12(t));
        insn->r2 = FIELD8(t);
        insn->r1 = FIELD32(t);
        storage1(t, insn);
        break;
    case FORMAT_RXY_A:
    case FORMAT_RXY_B:
        insn->x = base_register(FIELD12(t));
        storage_long(t, insn);
        break;
    case FORMAT_RSY_A:
    case FORMAT_RSY_B:
        storage_long(t, insn);
        break;
    case FORMAT_SIY:
        insn->r1 = t[1];
        storage_long(t, insn);
        break;
    case FORMAT_SI:
        insn->r1 = t[1];
        storage1(t, insn);
        break;
    case FORMAT_SIL:
        insn->i = (int16_t)be16_load(t + 4);
        storage1(t, insn);
        break;
    case FORMAT_RIS:
        insn->m3 = FIELD12(t);
        insn->i = (int8_t)t[4];
        storage1(t, insn);
        break;
    case FORMAT_RRS:
        insn->m3 = FIELD32(t);
        storage1(t, insn);
        break;
    case FORMAT_RSL_B:
        insn->r2 = t[1];
        insn->r1 = FIELD32(t);
        insn->m3 = FIELD36(t);
        storage1(t, insn);
        break;
    default: // RS-a, RS-b, S, RSL-a
        storage1(t, insn);
        break;
    }
}

static void decode_operands(const uint8_t *t, unsigned format, int64_t offset, struct insn *insn)
{
    switch (format) {
    case FORMAT_E:
        break;
    case FORMAT_I:
        insn->r1 = t[1];
        break;
    case FORMAT_RR:
        insn->r1 = FIELD8(t);
        insn->r2 = FIELD12(t);
        break;
    case FORMAT_IE:
        insn->r1 = t[3] >> 4;
        insn->r2 = t[3] & 15;
        break;
    case FORMAT_RRE:
    case FORMAT_RRF_A:
    case FORMAT_RRF_B:
    case FORMAT_RRF_C:
    case FORMAT_RRF_D:
    case FORMAT_RRF_E:
        decode_rrf(t, insn);
        break;
    case FORMAT_RRD: // R1 stands where others have R3
        decode_rrf(t, insn);
        insn->r3 = t[3] >> 4;
        insn->r1 = FIELD16(t);
        break;
    case FORMAT_RI_A:
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RSI:
    case FORMAT_RIL_A:
    case FORMAT_RIL_B:
    case FORMAT_RIL_C:
        decode_immediate(t, format, offset, insn);
        break;
    case FORMAT_RIE_A:
    case FORMAT_RIE_B:
    case FORMAT_RIE_C:
    case FORMAT_RIE_D:
    case FORMAT_RIE_E:
    case FORMAT_RIE_F:
    case FORMAT_RIE_G:
        decode_rie(t, format, offset, insn);
        break;
    case FORMAT_SS_A:
    case FORMAT_SS_B:
    case FORMAT_SS_C:
    case FORMAT_SS_D:
    case FORMAT_SS_E:
    case FORMAT_SS_F:
    case FORMAT_SSE:
    case FORMAT_SSF:
        decode_ss(t, format, insn);
        break;
    case FORMAT_MII:
    case FORMAT_SMI:
        insn->r1 = FIELD8(t);
        break;
    default:
        if (format >= FORMAT_VRI_A)
            insn_decode_vector(t, format, insn);
        else
            decode_storage(t, format, insn);
        break;
    }
}

void insn_decode(const struct opcode *row, const uint8_t *text, int64_t offset, struct insn *insn)
{
    memset(insn, 0, sizeof *insn);
    insn->ilc = (uint8_t)opcode_length(text[0]);
    insn->offset = (uint16_t)offset;
    if (!row) {
        insn->run = op_invalid;
        return;
    }
    decode_operands(text, row->format, offset, insn);
    if (row->run) {
        insn->run = row->run;
        return;
    }
    insn->row = row;
    if (row->simulate) {
        insn->i = (int32_t)be32_load(text); // the door shows it to the host
        insn->run = op_door;
    } else {
        const unsigned checked = OP_PRIVILEGED | OP_AFP | OP_DFP | OP_VECTOR;
        insn->run = row->flags & OP_END             ? op_ending
                    : row->flags & OP_INTERRUPTIBLE ? op_interruptible
                    : row->flags & checked          ? op_plain
                                                    : op_free;
    }
}

bool insn_ends_block(const struct opcode *row, const uint8_t *text)
{
    if (!row || row->flags & OP_END || row->simulate)
        return true;
    switch (row->code) {
    case 0x0700: // BCR 15,R
        return (text[1] & 0xF0) == 0xF0 && text[1] & 15;
    case 0x4700: // BC 15
    case 0xA704: // BRC 15
    case 0xC004: // BRCL 15
        return (text[1] & 0xF0) == 0xF0;
    case 0x0D00: // BASR, BALR to somewhere
    case 0x0500:
        return (text[1] & 15) != 0;
    case 0x4500: // BAL, BAS, BRAS, BRASL
    case 0x4D00:
    case 0xA705:
    case 0xC005:
        return true;
    default:
        return false;
    }
}
