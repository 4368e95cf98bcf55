// SPDX-License-Identifier: MIT
// Turns bytes into the storage of a guest that means harm: code that calls everything a guest can
// call, half-valid structures for it to point to, and interruptions that lead back into the code.
//
//   0000  lowcore: all new PSWs lead to "go on behind it"; numbers that the code loads from 0200
//   3000  that: one LPSW(E) for each class
//   4000  code, one snippet for each eight bytes of input
//   6000  structures: PSWs, ORBs, CCWs, IUCV and SCLP blocks, CP commands, in that order
//   8000  values that LMG brings into the registers
//   9000  buffers; C000 bytes of input, as page tables and the like
#ifndef ENDICOTT_TESTS_ENGINE_HOSTILE_H
#define ENDICOTT_TESTS_ENGINE_HOSTILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cpu/opcode.h"

#define HOSTILE_SIZE 0x10000u
enum {
    AT_NUMBERS = 0x200,
    NUMBERS = 0xD00 / 4,
    AT_IRB = 0xF00,
    AT_GO_ON = 0x3000,
    AT_CODE = 0x4000,
    AT_PSWS = 0x6000,
    AT_ORBS = 0x6200,
    AT_CCWS = 0x6600,
    AT_IUCV = 0x6A00,
    AT_SCCB = 0x6C00,
    AT_TEXT = 0x6E00,
    AT_VALUES = 0x8000,
    AT_BUFFERS = 0x9000,
    AT_TABLES = 0xC000,
    CODE_MOST = AT_PSWS - AT_CODE - 64
};

struct hostile {
    uint8_t storage[HOSTILE_SIZE];
    unsigned code;    // bytes so far
    unsigned numbers; // used
    bool esa;         // stays in ESA/390 mode
};

static inline void put_code(struct hostile *h, const uint8_t *code, unsigned n)
{
    memcpy(h->storage + AT_CODE + h->code, code, n);
    h->code += n;
}

static inline void put16(struct hostile *h, uint16_t a)
{
    uint8_t b[2];
    be16_store(b, a);
    put_code(h, b, sizeof b);
}

static inline void put32(struct hostile *h, uint32_t a)
{
    uint8_t b[4];
    be32_store(b, a);
    put_code(h, b, sizeof b);
}

// --- structures ---------------------------------------------------------------------

static inline void put_lowcore(struct hostile *h)
{
    static const uint16_t old_z[] = {0x120, 0x130, 0x140, 0x150, 0x160, 0x170};
    static const uint16_t old_esa[] = {0x08, 0x18, 0x20, 0x28, 0x30, 0x38};
    for (unsigned i = 0; i < 6; i++) {
        uint8_t *z = h->storage + 0x1A0 + 16 * i, *esa = h->storage + (i ? 0x50 + 8 * i : 0);
        uint8_t *go_on = h->storage + AT_GO_ON + 32 * i;
        be64_store(z, UINT64_C(0x0000000180000000));
        be64_store(z + 8, AT_GO_ON + 32 * i);
        be32_store(esa, 0x00080000);
        be32_store(esa + 4, 0x80000000 | (AT_GO_ON + 32 * i + 16));
        for (unsigned k = 0; k < 2 && i == 5; k++) { // takes the status of an I/O interruption
            be32_store(go_on + 16 * k, 0x581000B8u); // L 1,B8
            be32_store(go_on + 16 * k + 4, 0xB2350000u | AT_IRB); // TSCH
        }
        unsigned at = i == 5 ? 8 : 0;
        be32_store(go_on + at, 0xB2B20000u | old_z[i]);        // LPSWE old PSW
        be32_store(go_on + 16 + at, 0x82000000u | old_esa[i]); // LPSW old PSW
    }
    // A restart begins the code.
    be64_store(h->storage + 0x1A0 + 8, AT_CODE);
}

static inline void put_channel_programs(struct hostile *h)
{
    static const uint8_t commands[] = {0x09, 0x0A, 0x02, 0x41, 0x06, 0x05, 0x1D, 0x1E,
                                       0x07, 0x63, 0x47, 0x31, 0x08, 0x04, 0xE4, 0x64,
                                       0xFA, 0x27, 0x3E, 0x85, 0x86, 0xDE, 0x03, 0x19,
                                       0x29, 0x39, 0x15, 0x1A, 0x12, 0x22, 0x0E, 0x0D};
    for (unsigned i = 0; i < 16; i++) {
        uint8_t *orb = h->storage + AT_ORBS + 64 * i, *ccw = h->storage + AT_CCWS + 64 * i;
        be32_store(orb, i);
        be32_store(orb + 4, i & 1 ? 0x0080FF00 : 0x0000FF00); // format 1 or 0
        be32_store(orb + 8, AT_CCWS + 64 * i);
        for (unsigned k = 0; k < 8; k++, ccw += 8) {
            uint8_t flags = k < 7 ? 0x60 : 0x20; // command chaining, SLI
            if (i & 1) {
                be32_store(ccw, (uint32_t)commands[(2 * i + k) % 32] << 24 | flags << 16 | 16 * k);
                be32_store(ccw + 4, AT_BUFFERS + 256 * i);
            } else {
                be32_store(ccw,
                           (uint32_t)commands[(2 * i + k) % 32] << 24 | (AT_BUFFERS + 256 * i));
                be32_store(ccw + 4, (uint32_t)flags << 24 | (16 * k + 1));
            }
        }
    }
}

static inline void put_names(struct hostile *h)
{
    static const char *const targets[] = {"VICTIM", "*MONITOR", "HOSTILE", "*MSG", "*ACCOUNT", "X"};
    static const char *const commands[] = {"QUERY VIRTUAL ALL",
                                           "LOGOFF",
                                           "IPL 191",
                                           "SYSTEM RESET",
                                           "DEFINE STORAGE 1M",
                                           "DEFINE CPU 1",
                                           "DETACH CPU 1",
                                           "TRACE I RUN",
                                           "TRACE END",
                                           "STOP",
                                           "DISPLAY 0-FFF",
                                           "STORE S100 FFFFFFFF",
                                           "SLEEP 1 SEC",
                                           "DEFINE NIC 6300 QDIO",
                                           "COUPLE 6200 TO SYSTEM SW",
                                           "DETACH NIC 6200",
                                           "DETACH 191",
                                           "LINK VICTIM 191 291 MR",
                                           "SPOOL CON START",
                                           "CLOSE CON",
                                           "MSG VICTIM HELLO",
                                           "SPOOL PRT CLOSE",
                                           "SET RUN ON",
                                           "BEGIN",
                                           "EXTERNAL",
                                           "QUERY NAMES",
                                           "DEFINE T3390 300 10",
                                           "TERMINAL CONMODE 3270",
                                           "TRANSFER RDR ALL TO VICTIM",
                                           "FORCE VICTIM",
                                           "SHUTDOWN",
                                           "IPL FILE /etc/passwd"};
    for (unsigned i = 0; i < 6; i++)
        ebcdic_field(h->storage + AT_IUCV + 80 * i + 8, 8, targets[i]);
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++)
        ebcdic_field(h->storage + AT_TEXT + 32 * i, 32, commands[i]);
}

static inline void put_blocks(struct hostile *h)
{
    for (unsigned i = 0; i < 8; i++) {
        uint8_t *psw = h->storage + AT_PSWS + 16 * i, *sccb = h->storage + AT_SCCB + 64 * i;
        // Enabled, with DAT, in the problem state, waiting; with all of them.
        uint64_t mode = (i & 1 ? UINT64_C(0x0300) : 0) | (i == 2 || i == 7 ? 0x0400 : 0) |
                        (i == 4 || i == 7 ? 0x0001 : 0) | (i == 5 ? 0x0002 : 0);
        be64_store(psw, mode << 48 | 0x0000000180000000);
        be64_store(psw + 8, AT_CODE + 512 * i);
        be16_store(sccb, (uint16_t)(8 + 8 * i));
        be16_store(sccb + 8, 8);
        sccb[12] = (uint8_t)i;
    }
}

// --- values -------------------------------------------------------------------------

// Mostly addresses of something, or small.
static inline uint64_t hostile_value(uint64_t v)
{
    switch (v & 7) {
    case 0:
        return v;
    case 1:
        return v >> 8 & 0xFF;
    case 2:
        return (v >> 8 & 0xFFFFF) << 12;
    case 3:
        return UINT64_MAX - (v >> 8 & 0xFFF);
    case 4:
        return v >> 8 & 0x7FFFFFFF;
    default:
        return v >> 8 & 0xFFF8;
    }
}

static inline void put_values(struct hostile *h, const uint8_t *data, size_t size)
{
    for (unsigned i = 0; i < 256; i++) {
        uint64_t v = i * UINT64_C(0x9E3779B97F4A7C15);
        for (unsigned k = 0; k < 8 && size; k++)
            v ^= (uint64_t)data[(i * 5 + k * 3) % size] << 8 * k;
        be64_store(h->storage + AT_VALUES + 8 * i, hostile_value(v));
    }
    for (unsigned i = AT_TABLES; i < HOSTILE_SIZE && size; i++)
        h->storage[i] = data[i % size];
}

// --- code ---------------------------------------------------------------------------

// L R,n: the number is in the first page. Works in both architecture modes.
static inline void load_number(struct hostile *h, unsigned r, uint32_t v)
{
    unsigned i = 0;
    while (i < h->numbers && be32_load(h->storage + AT_NUMBERS + 4 * i) != v)
        i++;
    if (i == NUMBERS)
        return;
    if (i == h->numbers)
        be32_store(h->storage + AT_NUMBERS + 4 * h->numbers++, v);
    put32(h, 0x58000000u | r << 20 | (AT_NUMBERS + 4 * i));
}

static inline void some_values(struct hostile *h, uint8_t which)
{
    load_number(h, 11, AT_VALUES + 8u * (which & 0xEF));
    if (h->esa) {
        put32(h, 0x980AB000u); // LM 0,10,0(11)
        return;
    }
    put32(h, 0xEB0AB000u); // LMG 0,10,0(11)
    put16(h, 0x0004);
}

// Enables the first subchannels, their interruptions and the external ones.
static inline void enable_devices(struct hostile *h)
{
    load_number(h, 12, AT_BUFFERS);
    for (unsigned i = 0; i < 6; i++) {
        load_number(h, 1, 0x00010000u | i);
        put32(h, 0xB234C000u); // STSCH 0(12)
        put32(h, 0x9680C005u); // OI 5(12),X'80'
        put32(h, 0xB232C000u); // MSCH 0(12)
    }
    be32_store(h->storage + AT_BUFFERS + 64, 0x00E0F2F3); // CR0, without timers
    be32_store(h->storage + AT_BUFFERS + 68, 0xFF000000); // CR6
    put32(h, 0xB700C040u);                                // LCTL 0,0,64(12)
    put32(h, 0xB766C044u);                                // LCTL 6,6,68(12)
}

static inline void io_instruction(struct hostile *h, const uint8_t *in)
{
    static const uint16_t codes[] = {0xB233, 0xB235, 0xB234, 0xB232, 0xB231, 0xB230,
                                     0xB238, 0xB276, 0xB236, 0xB239, 0xB23C, 0xB237,
                                     0xB23B, 0xB23A, 0xB25F, 0xB274};
    unsigned code = codes[in[1] & 1 ? 0 : in[1] >> 1 & 15];
    load_number(h, 1, 0x00010000u | (in[2] & 15));
    load_number(h, 12, AT_ORBS + 64u * (in[3] & 15));
    put32(h, code << 16 | (code == 0xB25F ? 0x00C0u : 0xC000u | (in[3] >> 4 & 1) << 2));
}

static inline void diagnose(struct hostile *h, const uint8_t *in)
{
    static const uint16_t codes[] = {0x00,  0x08,  0x0C,  0x10, 0x24, 0x44,  0x60,
                                     0x64,  0x9C,  0xDC,  0x18, 0x20, 0x210, 0x260,
                                     0x270, 0x2A8, 0x308, 0x14, 0xA4, 0x250};
    uint16_t code = codes[in[1] % 20];
    if (code == 0x08 || in[1] >> 6 == 3) { // a command; response to a buffer or the console
        code = 0x08;
        load_number(h, 2, AT_TEXT + 32u * (in[2] & 31));
        load_number(h, 3, AT_BUFFERS + 16u * in[3]);
        load_number(h, 4, (in[2] & 0x40 ? 0x40000000u : 0) | (in[2] & 0x80 ? in[3] : 32));
        load_number(h, 5, 16u * in[3]);
        put32(h, 0x83240000u | code);
        return;
    }
    if (in[2] & 0x80)
        load_number(h, in[2] >> 4 & 7, 0x6000 + 16u * in[3]);
    if (in[2] & 0x40)
        load_number(h, in[2] & 15, in[3] & 15);
    put32(h, 0x83000000u | (uint32_t)in[2] << 16 | (in[1] == 0xBF ? be16_load(in + 2) : code));
}

static inline void call_system(struct hostile *h, const uint8_t *in)
{
    switch (in[1] & 3) {
    case 0: // IUCV
        load_number(h, 0, in[2] & 0x1F);
        load_number(h, 1, AT_IUCV + 40u * (in[3] % 12));
        put32(h, 0xB2F01000u);
        break;
    case 1: // SIGP
        load_number(h, 3, in[2] & 3);
        load_number(h, 5, 0x2000u * (in[3] >> 4));
        put32(h, 0xAE430000u | (in[3] & 0x1F));
        break;
    case 2: // SERVC
        load_number(h, 2,
                    (in[2] & 1 ? 0x00020001u : 0x00770005u) ^ (uint32_t)in[2] << (in[2] & 16));
        load_number(h, 3, AT_SCCB + 8u * (in[3] & 63));
        put32(h, 0xB2200023u);
        break;
    default: // STSI
        load_number(h, 0, (uint32_t)(in[2] & 0xF0) << 24 | (in[2] & 3));
        load_number(h, 1, in[3] & 3);
        load_number(h, 12, AT_BUFFERS);
        put32(h, 0xB27DC000u | (in[3] & 0x40));
        break;
    }
}

// Loads a PSW, sets the prefix, control registers or translation tables.
static inline void change_state(struct hostile *h, const uint8_t *in)
{
    static const uint32_t codes[] = {0xB2B20000, 0x82000000, 0xB2100000, 0xB2110000, 0xB2210023,
                                     0xB20D0000, 0xB22B0023, 0xB2060000, 0xB2080000, 0xB2040000,
                                     0xAD000000, 0xAC000000, 0xB9980023, 0xB98E3023, 0xB9AC0023,
                                     0xB2290023, 0xB22A0023, 0xB2500023, 0xB7000000, 0xB2190000};
    uint32_t code = codes[in[1] % 20];
    load_number(h, 12, AT_PSWS + 8u * (in[2] & 63));
    if (code >> 24 == 0xB7) // LCTL
        code |= (uint32_t)in[3] << 16;
    if (code >> 24 == 0xAD || code >> 24 == 0xAC) // STOSM, STNSM
        code |= (uint32_t)in[3] << 16;
    put32(h, (code & 0xFFFF) ? code : code | 0xC000u);
}

// A row of the instruction table with the operands that the input has.
static inline void any_instruction(struct hostile *h, const uint8_t *in)
{
    const struct opcode *row = &opcode_table[be16_load(in) % opcode_count];
    uint8_t text[6];
    memcpy(text, in + 2, 6);
    text[0] = (uint8_t)(row->code >> 8);
    unsigned length = opcode_length(text[0]);
    switch (text[0]) {
    case 0x01:
    case 0xB2:
    case 0xB3:
    case 0xB9:
    case 0xE5:
        text[1] = (uint8_t)row->code;
        break;
    case 0xA5:
    case 0xA7:
    case 0xC0:
    case 0xC2:
    case 0xC4:
    case 0xC6:
    case 0xC8:
    case 0xCC:
        text[1] = (uint8_t)((text[1] & 0xF0) | row->code);
        break;
    case 0xE3:
    case 0xE7:
    case 0xEB:
    case 0xEC:
    case 0xED:
        text[5] = (uint8_t)row->code;
        break;
    default:
        break;
    }
    put_code(h, text, length);
}

static inline void one_snippet(struct hostile *h, const uint8_t *in)
{
    some_values(h, in[4]);
    // One byte of the structures is something else.
    h->storage[AT_PSWS + (in[5] << 4 | in[6] >> 4)] ^= in[7];
    switch (in[0] & 7) {
    case 0:
        io_instruction(h, in);
        break;
    case 1:
        diagnose(h, in);
        break;
    case 2:
        call_system(h, in);
        break;
    case 3:
        change_state(h, in);
        break;
    default:
        any_instruction(h, in);
        break;
    }
}

// In z/Architecture mode first, unless the input says otherwise.
static inline void hostile_make(struct hostile *h, const uint8_t *data, size_t size)
{
    memset(h, 0, sizeof *h);
    put_lowcore(h);
    put_blocks(h);
    put_channel_programs(h);
    put_names(h);
    put_values(h, data, size);
    h->esa = size && (data[0] & 0x18) == 0x18;
    enable_devices(h);
    if (!h->esa) {
        put32(h, 0xA7180001u);                              // LHI 1,1
        put32(h, 0xA7380000u);                              // LHI 3,0
        put32(h, 0xAE030012u);                              // SIGP 0,3,18: to z/Architecture mode
        put16(h, size && data[0] & 0x20 ? 0x010E : 0x010D); // SAM64 or SAM31
    }
    if (size && data[0] & 0x40) {
        load_number(h, 12, AT_BUFFERS);
        be32_store(h->storage + AT_BUFFERS + 72, 0);
        put32(h, 0xAD03C000u | 72); // STOSM: enabled from here on
    }
    const unsigned begin = h->code;
    for (; size >= 8 && h->code + 64 < CODE_MOST && h->numbers + 6 < NUMBERS; data += 8, size -= 8)
        one_snippet(h, data);
    put32(h, 0xA7F40000u | (uint16_t) - (int)((h->code - begin) / 2)); // J
}

#endif
