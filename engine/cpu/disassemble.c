// SPDX-License-Identifier: MIT
// Instruction text in assembler notation, from the instruction table.
#include <stdarg.h>
#include <stdio.h>

#include "base/bytes.h"
#include "cpu/opcode.h"

#define FIELD(t, nibble) ((unsigned)((t)[(nibble) / 2] >> ((nibble) % 2 ? 0 : 4)) & 15)

// What an operand letter prints, for each format in the order of the assembler:
//   r n   register whose field starts at nibble n      m n  mask, same
//   x     D2(X2,B2) of RX forms        X  the same with a long displacement
//   b n   D(B) whose B is at nibble n  B  D1(B1) long
//   l     D1(L,B1) 8-bit length        k  D1(L1,B1) 4-bit length   K  D2(L2,B2) 4-bit length
//   i/I   16- and 32-bit immediate     u  8-bit at byte 1          v  8-bit at byte 4
//   V n   vector register, its high bit in RXB    z  D2(V2,B2)     w n  8-bit at byte n
//   j/J   relative, 16 and 32 bits     others: see operand()
static const char *const shapes[FORMAT_COUNT] = {
    [FORMAT_E] = "",
    [FORMAT_I] = "u",
    [FORMAT_RR] = "r2r3",
    [FORMAT_IE] = "r6r7",
    [FORMAT_RI_A] = "r2i",
    [FORMAT_RI_B] = "r2j",
    [FORMAT_RI_C] = "r2j",
    [FORMAT_RRD] = "r4r6r7",
    [FORMAT_RRE] = "r6r7",
    [FORMAT_RRF_A] = "r6r7r4",
    [FORMAT_RRF_B] = "r6r4r7",
    [FORMAT_RRF_C] = "r6r7r4",
    [FORMAT_RRF_D] = "r6r7r5",
    [FORMAT_RRF_E] = "r6r4r7r5",
    [FORMAT_RS_A] = "r2r3b4",
    [FORMAT_RS_B] = "r2r3b4",
    [FORMAT_RSI] = "r2r3j",
    [FORMAT_RX_A] = "r2x",
    [FORMAT_RX_B] = "r2x",
    [FORMAT_S] = "b4",
    [FORMAT_SI] = "b4u",
    [FORMAT_MII] = "r2pP",
    [FORMAT_RIE_A] = "r2ir8",
    [FORMAT_RIE_B] = "r2r3r8j",
    [FORMAT_RIE_C] = "r2vr3j",
    [FORMAT_RIE_D] = "r2r3i",
    [FORMAT_RIE_E] = "r2r3j",
    [FORMAT_RIE_F] = "r2r3f",
    [FORMAT_RIE_G] = "r2ir3",
    [FORMAT_RIL_A] = "r2I",
    [FORMAT_RIL_B] = "r2J",
    [FORMAT_RIL_C] = "r2J",
    [FORMAT_RIS] = "r2vr3b4",
    [FORMAT_RRS] = "r2r3r8b4",
    [FORMAT_RSL_A] = "k",
    [FORMAT_RSL_B] = "r8lr9",
    [FORMAT_RSY_A] = "r2r3B",
    [FORMAT_RSY_B] = "r2r3B",
    [FORMAT_RXE] = "r2x",
    [FORMAT_RXF] = "r8r2x",
    [FORMAT_RXY_A] = "r2X",
    [FORMAT_RXY_B] = "r2X",
    [FORMAT_SIL] = "b4s",
    [FORMAT_SIY] = "Bu",
    [FORMAT_SMI] = "r2qb4",
    [FORMAT_SS_A] = "lb8",
    [FORMAT_SS_B] = "kK",
    [FORMAT_SS_C] = "kb8r3",
    [FORMAT_SS_D] = "tb8r3",
    [FORMAT_SS_E] = "r2b4r3b8",
    [FORMAT_SS_F] = "b4L",
    [FORMAT_SSE] = "b4b8",
    [FORMAT_SSF] = "b4b8r2",
    [FORMAT_VRI_A] = "V2i",
    [FORMAT_VRI_B] = "V2w2w3",
    [FORMAT_VRI_C] = "V2V3i",
    [FORMAT_VRI_D] = "V2V3V4w3",
    [FORMAT_VRI_E] = "V2V3e",
    [FORMAT_VRI_F] = "V2V3V4g",
    [FORMAT_VRI_G] = "V2V3gw2",
    [FORMAT_VRI_H] = "V2ir8",
    [FORMAT_VRI_I] = "V2r3g",
    [FORMAT_VRR_A] = "V2V3",
    [FORMAT_VRR_B] = "V2V3V4",
    [FORMAT_VRR_C] = "V2V3V4",
    [FORMAT_VRR_D] = "V2V3V4V8",
    [FORMAT_VRR_E] = "V2V3V4V8",
    [FORMAT_VRR_F] = "V2r3r4",
    [FORMAT_VRR_G] = "V3",
    [FORMAT_VRR_H] = "V3V4",
    [FORMAT_VRR_I] = "r2V3",
    [FORMAT_VRS_A] = "V2V3b4",
    [FORMAT_VRS_B] = "V2r3b4",
    [FORMAT_VRS_C] = "r2V3b4",
    [FORMAT_VRS_D] = "V8r3b4",
    [FORMAT_VRV] = "V2z",
    [FORMAT_VRX] = "V2x",
    [FORMAT_VSI] = "V8b4w1",
};

struct printer {
    const uint8_t *t;
    uint64_t address;
    const struct opcode *row;
    char *out;
    unsigned size, used, operands;
};

static void __attribute__((format(printf, 2, 3))) put(struct printer *p, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(p->out + p->used, p->size - p->used, fmt, ap);
    va_end(ap);
    p->used += n < 0 ? 0 : (unsigned)n;
    if (p->used >= p->size)
        p->used = p->size - 1;
}

static unsigned displacement(const uint8_t *t, unsigned nibble)
{
    return FIELD(t, nibble + 1) << 8 | t[nibble / 2 + 1];
}

static int long_displacement(const uint8_t *t)
{
    return (int8_t)t[4] * 4096 + (int)displacement(t, 4);
}

// D(first,B): an index or a length stands first; without either, D(B), or D alone.
static void put_storage(struct printer *p, int d, unsigned first, unsigned b, bool length)
{
    if (length || first)
        put(p, "%d(%u,%u)", d, first, b);
    else if (b)
        put(p, "%d(%u)", d, b);
    else
        put(p, "%d", d);
}

static void put_relative(struct printer *p, int64_t halfwords)
{
    put(p, "0x%llx", (unsigned long long)(p->address + (uint64_t)(2 * halfwords)));
}

static void put_immediate(struct printer *p, int32_t value, uint32_t mask)
{
    if (p->row->flags & OP_UNSIGNED)
        put(p, "%u", (uint32_t)value & mask);
    else
        put(p, "%d", value);
}

static int32_t signed24(const uint8_t *t)
{
    return (int32_t)((uint32_t)t[3] << 24 | (uint32_t)t[4] << 16 | (uint32_t)t[5] << 8) >> 8;
}

// The register's high bit stands in RXB, in order of the fields.
static unsigned vector_field(const uint8_t *t, unsigned nibble)
{
    static const uint8_t rxb[9] = {[2] = 8, [3] = 4, [4] = 2, [8] = 1};
    return FIELD(t, nibble) | (t[4] & rxb[nibble] ? 16u : 0u);
}

static void operand(struct printer *p, char kind, unsigned n)
{
    const uint8_t *t = p->t;
    switch (kind) {
    case 'r':
        put(p, "%u", FIELD(t, n));
        break;
    case 'V':
        put(p, "%u", vector_field(t, n));
        break;
    case 'w':
        put(p, "%u", t[n]);
        break;
    case 'e': // I3 of VRI-e
        put(p, "%u", (unsigned)be16_load(t + 2) >> 4);
        break;
    case 'g': // 8 bits from bit 28
        put(p, "%u", FIELD(t, 7) << 4 | FIELD(t, 8));
        break;
    case 'z':
        put_storage(p, (int)displacement(t, 4), vector_field(t, 3), FIELD(t, 4), true);
        break;
    case 'b':
        put_storage(p, (int)displacement(t, n), 0, FIELD(t, n), false);
        break;
    case 'B':
        put_storage(p, long_displacement(t), 0, FIELD(t, 4), false);
        break;
    case 'x':
        put_storage(p, (int)displacement(t, 4), FIELD(t, 3), FIELD(t, 4), false);
        break;
    case 'X':
        put_storage(p, long_displacement(t), FIELD(t, 3), FIELD(t, 4), false);
        break;
    case 'l':
        put_storage(p, (int)displacement(t, 4), t[1] + 1u, FIELD(t, 4), true);
        break;
    case 'L':
        put_storage(p, (int)displacement(t, 8), t[1] + 1u, FIELD(t, 8), true);
        break;
    case 'k':
        put_storage(p, (int)displacement(t, 4), FIELD(t, 2) + 1, FIELD(t, 4), true);
        break;
    case 'K':
        put_storage(p, (int)displacement(t, 8), FIELD(t, 3) + 1, FIELD(t, 8), true);
        break;
    case 't':
        put_storage(p, (int)displacement(t, 4), FIELD(t, 2), FIELD(t, 4), true);
        break;
    case 'i':
        put_immediate(p, (int16_t)be16_load(t + 2), 0xFFFF);
        break;
    case 's':
        put_immediate(p, (int16_t)be16_load(t + 4), 0xFFFF);
        break;
    case 'I':
        put_immediate(p, (int32_t)be32_load(t + 2), 0xFFFFFFFF);
        break;
    case 'u':
        put_immediate(p, (int8_t)t[1], 0xFF);
        break;
    case 'v':
        put_immediate(p, (int8_t)t[4], 0xFF);
        break;
    case 'f':
        put(p, "%u,%u,%u", t[2], t[3], t[4]);
        break;
    case 'j':
        put_relative(p, (int16_t)be16_load(t + 2));
        break;
    case 'J':
        put_relative(p, (int32_t)be32_load(t + 2));
        break;
    case 'q':
        put_relative(p, (int16_t)be16_load(t + 4));
        break;
    case 'p':
        put_relative(p, (int16_t)((uint16_t)(FIELD(t, 3) << 12 | t[2] << 4)) >> 4);
        break;
    default: // 'P'
        put_relative(p, signed24(t));
        break;
    }
}

// The masks of a vector instruction: from right to left, but M5, M6 of VRR-d.
static void put_masks(struct printer *p)
{
    static const struct {
        uint16_t flag;
        uint8_t nibble;
    } usual[] = {{OP_M32, 8}, {OP_M28, 7}, {OP_M24, 6}, {OP_M20, 5}},
      vrr_d[] = {{OP_M20, 5}, {OP_M24, 6}, {0, 0}, {0, 0}};
    for (unsigned i = 0; i < 4; i++) {
        uint16_t flag = p->row->format == FORMAT_VRR_D ? vrr_d[i].flag : usual[i].flag;
        unsigned nibble = p->row->format == FORMAT_VRR_D ? vrr_d[i].nibble : usual[i].nibble;
        if (p->row->flags & flag) {
            put(p, ",");
            operand(p, 'r', nibble);
        }
    }
}

static unsigned put_data(const uint8_t *text, char *out, unsigned size)
{
    unsigned n = opcode_length(text[0]);
    char hex[13];
    for (unsigned i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02X", text[i]);
    snprintf(out, size, "DC X'%s'", hex);
    return n;
}

unsigned cpu_disassemble(const uint8_t text[6], uint64_t address, char *out, unsigned size)
{
    const struct opcode *row = opcode_find(text);
    if (size == 0)
        return opcode_length(text[0]);
    if (!row)
        return put_data(text, out, size);
    struct printer p = {.t = text, .address = address, .row = row, .out = out, .size = size};
    put(&p, "%s", row->mnemonic);
    for (const char *s = shapes[row->format]; *s; s++) {
        char kind = *s;
        unsigned n = 0;
        if (s[1] >= '0' && s[1] <= '9')
            n = (unsigned)(*++s - '0');
        put(&p, "%s", p.operands++ ? "," : " ");
        operand(&p, kind, n);
    }
    if (row->flags & OP_M4) {
        put(&p, ",");
        operand(&p, 'r', 5);
    }
    put_masks(&p);
    return opcode_length(text[0]);
}
