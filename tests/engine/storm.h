// SPDX-License-Identifier: MIT
// Turns bytes into the storage of a guest that asks for everything a guest can ask for, in an
// endless loop, with parameters that are nearly right: channel programs for each kind of device,
// IUCV and DIAGNOSE parameter lists, SCLP and CHSC blocks. hostile.h is wilder; this one gets
// further in.
//
//   0000  lowcore: new PSWs lead to "go on behind it"
//   3000  that
//   4000  code: for each call LMG 0,15 of its registers, then the instruction; then back to the
//   first 8000  registers of the calls, 128 bytes each 10000 pools: whatever a register may point
//   to
#ifndef ENDICOTT_TESTS_ENGINE_STORM_H
#define ENDICOTT_TESTS_ENGINE_STORM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"

#define STORM_SIZE 0x20000u
enum {
    STORM_GO_ON = 0x3000,
    STORM_CODE = 0x4000,
    STORM_REGISTERS = 0x8000,
    STORM_CALLS = 96,
    STORM_ORBS = 0x10000,     // 64 of 32 bytes
    STORM_PROGRAMS = 0x11000, // 64 of 16 CCWs
    STORM_DATA = 0x13000,     // 64 of 128 bytes
    STORM_LISTS = 0x15000,    // 64 of 64 bytes: IUCV, DIAGNOSE
    STORM_PAGES = 0x16000,    // 8 pages: SCCBs, CHSC
    STORM_TEXT = 0x1E000,     // 64 CP commands of 64 bytes
    STORM_POOL = 64,
    STORM_DEVICES = 14
};

struct storm {
    uint8_t storage[STORM_SIZE];
    const uint8_t *in;
    size_t left;
    uint64_t state;
    unsigned code, calls;
};

// The input first, then what follows from it.
static inline uint32_t storm_take(struct storm *s, uint32_t below)
{
    if (s->left) {
        s->state = s->state * UINT64_C(6364136223846793005) + *s->in++ + 1;
        s->left--;
    }
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return (uint32_t)(s->state >> 20) % below;
}

static inline bool storm_seldom(struct storm *s)
{
    return storm_take(s, 12) == 0;
}

#define STORM_PICK(s, table) ((table)[storm_take(s, sizeof(table) / sizeof *(table))])

// An address in one of the pools, mostly at the start of an entry.
static inline uint32_t storm_address(struct storm *s)
{
    static const uint32_t at[] = {STORM_DATA, STORM_LISTS, STORM_PAGES, STORM_PROGRAMS, STORM_TEXT};
    uint32_t address = STORM_PICK(s, at) + 64 * storm_take(s, STORM_POOL);
    if (!storm_seldom(s))
        return address;
    static const uint32_t wild[] = {0,          1,          0xFFF,      0x1000,    0xFFFFC,
                                    0x00100000, 0x7FFFF000, 0x80000000, 0xFFFFFFFF};
    return storm_take(s, 2) ? STORM_PICK(s, wild) : address + storm_take(s, 64);
}

// --- channel programs -------------------------------------------------------------------

static inline void storm_ccw(struct storm *s, uint8_t *ccw, bool format_1, uint32_t program)
{
    static const uint8_t commands[] = {
        0x63, 0x47, 0x31, 0x06, 0x86, 0x05, 0x85, 0x0E, 0x8E, 0x0D, 0x8D, 0x1D, 0x9D, 0x1E, 0x9E,
        0x12, 0x92, 0x16, 0x1A, 0x9A, 0x15, 0x22, 0x29, 0x51, 0x71, 0x07, 0x0B, 0x13, 0x23, 0x1F,
        0x64, 0xE4, 0xFA, 0x27, 0x3E, 0x5B, 0xE7, 0x49, 0xC9, 0x4B, 0x34, 0x14, 0xB4, 0x94, 0xDE,
        0xEB, 0x43, 0x41, 0x42, 0x01, 0x02, 0x09, 0x0A, 0x11, 0x19, 0x0F, 0x2B, 0x03, 0x04, 0x17,
        0x0C, 0x37, 0x3F, 0xAF, 0xA7, 0xC3, 0xE3, 0xD1, 0xD2, 0x00, 0x08, 0x08, 0x18, 0xFF};
    static const uint16_t counts[] = {1, 2, 4, 5, 6, 8, 12, 16, 24, 32, 40, 64, 80, 128, 512, 4096};
    uint8_t command = STORM_PICK(s, commands);
    uint8_t flags = storm_take(s, 3) ? 0x60 : (uint8_t)storm_take(s, 256) & 0xFE;
    uint16_t count = storm_seldom(s) ? (uint16_t)storm_take(s, 0x10000) : STORM_PICK(s, counts);
    uint32_t address =
        (command & 0x0F) == 0x08 ? program + 8 * storm_take(s, 17) : storm_address(s);
    if (format_1) {
        be32_store(ccw, (uint32_t)command << 24 | (uint32_t)flags << 16 | count);
        be32_store(ccw + 4, address & (storm_seldom(s) ? UINT32_MAX : 0x7FFFFFFF));
    } else {
        be32_store(ccw, (uint32_t)command << 24 | (address & 0xFFFFFF));
        be32_store(ccw + 4, (uint32_t)flags << 24 | count);
    }
}

static inline void storm_programs(struct storm *s)
{
    for (unsigned i = 0; i < STORM_POOL; i++) {
        uint8_t *orb = s->storage + STORM_ORBS + 32 * i;
        uint32_t program = STORM_PROGRAMS + 128 * i;
        bool format_1 = i & 1;
        be32_store(orb, i);
        be32_store(orb + 4, storm_seldom(s)
                                ? storm_take(s, UINT32_MAX)
                                : (format_1 ? 0x0080FF00u : 0x0000FF00u) | storm_take(s, 4) << 16);
        be32_store(orb + 8, storm_seldom(s) ? storm_address(s) : program);
        for (unsigned k = 0; k < 16; k++)
            storm_ccw(s, s->storage + program + 8 * k, format_1, program);
    }
}

// Some data are parameters of define extent and locate record, some lists of addresses.
static inline void storm_data(struct storm *s)
{
    for (unsigned i = 0; i < STORM_POOL; i++) {
        uint8_t *at = s->storage + STORM_DATA + 128 * i;
        for (unsigned k = 0; k < 128; k++)
            at[k] = i % 4 == 0 ? (uint8_t)storm_take(s, 256) : (uint8_t)storm_take(s, 3);
        if (i % 4 == 1) { // extent: cylinders 0 to 1
            at[0] = (uint8_t)(storm_take(s, 4) << 6);
            at[1] = 0xC0;
            be32_store(at + 8, 0);
            be32_store(at + 12, 0x0001000E);
        } else if (i % 4 == 2) { // where: operation, count, cylinder and head, record
            at[0] = (uint8_t)storm_take(s, 32);
            at[3] = (uint8_t)storm_take(s, 4);
            be32_store(at + 4, storm_take(s, 20));
            be32_store(at + 8, storm_take(s, 20));
        } else if (i % 4 == 3) {
            for (unsigned k = 0; k < 128; k += 4)
                be32_store(at + k, storm_address(s) & ~(storm_take(s, 4) ? 0x7FFu : 0u));
        }
    }
}

// --- other parameters ---------------------------------------------------------------------

// IUCV's and DIAGNOSE's: small numbers, names, addresses and lengths in fields of four bytes.
static inline void storm_lists(struct storm *s)
{
    static const char *const names[] = {"VICTIM",  "HOSTILE",  "*MONITOR", "*MSG",  "*ACCOUNT",
                                        "*LOGREC", "*BLOCKIO", "MONDCSS",  "SHARED"};
    for (unsigned i = 0; i < STORM_POOL; i++) {
        uint8_t *at = s->storage + STORM_LISTS + 64 * i;
        for (unsigned k = 0; k < 64; k += 4)
            be32_store(at + k, storm_take(s, 3) ? storm_take(s, 64) : storm_address(s));
        be16_store(at, (uint16_t)(i % 8 ? storm_take(s, 8) : 0xDC)); // a path, or a function
        at[2] = (uint8_t)(storm_take(s, 2) ? 1u << storm_take(s, 8) : storm_take(s, 256));
        if (storm_take(s, 2))
            ebcdic_field(at + 8 * (1 + storm_take(s, 3)), 8, STORM_PICK(s, names));
        if (storm_take(s, 3) == 0)
            be64_store(at + 24, storm_address(s));
    }
}

static inline void storm_pages(struct storm *s)
{
    static const uint16_t chsc[] = {0x0002, 0x0004, 0x000E, 0x0010, 0x0024, 0x0026, 0x002C, 0x0031};
    for (unsigned i = 0; i < 8; i++) {
        uint8_t *page = s->storage + STORM_PAGES + 4096 * i;
        for (unsigned k = 0; k < 4096; k += 8)
            be64_store(page + k, storm_take(s, 4) ? 0 : storm_take(s, 1 << 16));
        if (i < 4) {
            be16_store(page, (uint16_t)(storm_seldom(s) ? storm_take(s, 0x10000) : 0x10u << i));
            be16_store(page + 2, STORM_PICK(s, chsc));
            be32_store(page + 4, storm_take(s, 4));
            be32_store(page + 8, storm_take(s, 20));
        } else { // an SCCB with an event buffer, or an IPL parameter block
            be16_store(page, (uint16_t)(storm_take(s, 3) ? 8 + storm_take(s, 4088) : 4096));
            be16_store(page + 8, (uint16_t)storm_take(s, 4096));
            page[10] = (uint8_t)STORM_PICK(s, ((uint8_t[]){0x01, 0x02, 0x1A, 0x1D, 0x09, 0x19}));
        }
    }
}

static inline void storm_texts(struct storm *s)
{
    static const char *const commands[] = {"QUERY VIRTUAL ALL",
                                           "DEFINE T3390 300 1",
                                           "DEFINE VFB-512 301 100",
                                           "DETACH 300",
                                           "DETACH 301",
                                           "LINK * 191 391 RR",
                                           "DETACH 391",
                                           "TERMINAL CONMODE 3270",
                                           "TERMINAL CONMODE 3215",
                                           "DEFINE NIC 6300 QDIO",
                                           "DETACH NIC 6300",
                                           "DEFINE CPU 2",
                                           "DETACH CPU 2",
                                           "SPOOL PUN *",
                                           "CLOSE PUN",
                                           "CLOSE PRT",
                                           "TRANSFER PUN ALL *",
                                           "PURGE RDR ALL",
                                           "TRACE I RUN",
                                           "TRACE END ALL",
                                           "SMSG VICTIM X",
                                           "MSG HOSTILE X",
                                           "SET RUN ON",
                                           "RESET 191",
                                           "READY 191",
                                           "READY 00C",
                                           "SPOOL CON START",
                                           "CLOSE CON",
                                           "COUPLE 6200 TO SYSTEM SW",
                                           "UNCOUPLE 6200",
                                           "DISPLAY 0-1FFFF",
                                           "QUERY IUCV",
                                           "DEFINE STORAGE 2M",
                                           "SYSTEM CLEAR",
                                           "IPL 191",
                                           "ATTACH 200 HOSTILE",
                                           "SHUTDOWN",
                                           "FORCE VICTIM",
                                           "DETACH 191",
                                           "LOGOFF"};
    for (unsigned i = 0; i < STORM_POOL; i++)
        ebcdic_field(s->storage + STORM_TEXT + 64 * i, 64, STORM_PICK(s, commands));
}

// --- calls ------------------------------------------------------------------------------

static inline uint8_t *storm_registers(struct storm *s)
{
    uint8_t *r = s->storage + STORM_REGISTERS + 128 * s->calls++;
    for (unsigned i = 0; i < 16; i++)
        be64_store(r + 8 * i, storm_take(s, 3) ? storm_address(s) : storm_take(s, 16));
    unsigned at = STORM_REGISTERS + 128 * (s->calls - 1);
    uint8_t *code = s->storage + STORM_CODE + s->code; // LMG 0,15,at
    be16_store(code, 0xEB0F);
    be16_store(code + 2, (uint16_t)(at & 0xFFF));
    be16_store(code + 4, (uint16_t)(at >> 12 << 8 | 0x04));
    s->code += 6;
    return r;
}

static inline void storm_code(struct storm *s, uint32_t instruction)
{
    be32_store(s->storage + STORM_CODE + s->code, instruction);
    s->code += 4;
}

static inline void storm_io(struct storm *s)
{
    static const uint16_t codes[] = {0xB233, 0xB233, 0xB233, 0xB233, 0xB233, 0xB233, 0xB235,
                                     0xB235, 0xB235, 0xB230, 0xB231, 0xB238, 0xB276, 0xB234,
                                     0xB232, 0xB236, 0xB239, 0xB23A, 0xB23C};
    uint8_t *r = storm_registers(s);
    be64_store(r + 8, 0x00010000u | storm_take(s, STORM_DEVICES));
    uint16_t code = STORM_PICK(s, codes);
    be64_store(r + 96, code == 0xB233 ? STORM_ORBS + 32 * storm_take(s, STORM_POOL)
                                      : STORM_DATA + 128 * storm_take(s, STORM_POOL));
    storm_code(s, (uint32_t)code << 16 | 0xC000u);
}

static inline void storm_iucv(struct storm *s)
{
    static const uint8_t functions[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                                        0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11,
                                        0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19};
    uint8_t *r = storm_registers(s);
    be64_store(r, STORM_PICK(s, functions));
    be64_store(r + 8, STORM_LISTS + 64 * storm_take(s, STORM_POOL));
    storm_code(s, 0xB2F01000u);
}

static inline void storm_diagnose(struct storm *s)
{
    static const uint16_t codes[] = {0x00,  0x08,  0x08,  0x08,  0x0C,  0x10,  0x14,  0x18,
                                     0x24,  0x44,  0x60,  0x64,  0x9C,  0xA4,  0xDC,  0x204,
                                     0x210, 0x224, 0x250, 0x250, 0x258, 0x260, 0x26C, 0x270,
                                     0x288, 0x2A8, 0x2C4, 0x2FC, 0x304, 0x308, 0x318, 0x500};
    uint8_t *r = storm_registers(s);
    uint16_t code = STORM_PICK(s, codes);
    unsigned operands = storm_take(s, 256);
    if (code == 0x08) {
        be64_store(r + 8 * 2, STORM_TEXT + 64 * storm_take(s, STORM_POOL));
        be64_store(r + 8 * 4, (storm_take(s, 2) ? 0x40000000u : 0) | 64);
        operands = 0x24;
    } else if (code == 0x308) {
        be64_store(r + 8 * 3, storm_take(s, 12));
        operands = 0x23;
    } else if (storm_take(s, 2)) {
        be64_store(r + 8 * (operands & 15), storm_take(s, 0x40)); // a subcode
    }
    storm_code(s, 0x83000000u | operands << 16 | code);
}

static inline void storm_machine(struct storm *s)
{
    static const uint32_t instructions[] = {
        0xAE240000,             // SIGP 2,4
        0xB2200024, 0xB2200024, // SERVC
        0xB25F00C0, 0xB25F00C0, // CHSC
        0xB27DC000,             // STSI
        0xB2560024,             // STHYI
        0xB9AF0024, 0xB9AB0024, // PFMF, ESSA
        0xB22B0024, 0xB2210024, // SSKE, IPTE
        0xB98E2024, 0xB20D0000, // IDTE, PTLB
        0xB2040000, 0xB206C000, 0xB208C000, 0xB2B1C000,
    };
    static const uint32_t sclp[] = {0x00020001, 0x00120001, 0x00770005, 0x00760005, 0x00780005,
                                    0x00010001, 0x000D0001, 0x00170001, 0x00110001};
    uint8_t *r = storm_registers(s);
    uint32_t instruction = STORM_PICK(s, instructions);
    be64_store(r + 8 * 12, STORM_PAGES + 4096 * storm_take(s, 8));
    if (instruction >> 24 == 0xAE) {
        be64_store(r + 8 * 4, storm_take(s, 4));
        instruction |= storm_take(s, 0x20);
    } else if (instruction == 0xB2200024) {
        be64_store(r + 8 * 2, STORM_PICK(s, sclp));
        be64_store(r + 8 * 4, STORM_PAGES + 4096 * (4 + storm_take(s, 4)));
    }
    storm_code(s, instruction);
}

// --- all of it ----------------------------------------------------------------------------

// Program checks and the like go on behind; an I/O interruption takes the status first.
static inline void storm_lowcore(struct storm *s)
{
    static const uint16_t old[] = {0x120, 0x130, 0x140, 0x150, 0x160, 0x170};
    for (unsigned i = 0; i < 6; i++) {
        uint8_t *new_psw = s->storage + 0x1A0 + 16 * i, *go_on = s->storage + STORM_GO_ON + 16 * i;
        be64_store(new_psw, UINT64_C(0x0000000180000000));
        be64_store(new_psw + 8, i ? STORM_GO_ON + 16 * i : STORM_CODE);
        if (i == 5) {
            be32_store(go_on, 0x581000B8u);     // L 1,B8
            be32_store(go_on + 4, 0xB2350F00u); // TSCH
            go_on += 8;
        }
        be32_store(go_on, 0xB2B20000u | old[i]); // LPSWE
    }
}

// To z/Architecture mode; subchannels are enabled by STSCH, OI, MSCH, interruptions by LCTLG and
// STOSM.
static inline void storm_begin(struct storm *s)
{
    be64_store(s->storage + 0x240, 0x00E0F2F3);            // CR0
    be64_store(s->storage + 0x248, 0xFF000000);            // CR6
    storm_code(s, 0xA7180001u);                            // LHI 1,1
    storm_code(s, 0xA7380000u);                            // LHI 3,0
    storm_code(s, 0xAE030012u);                            // SIGP 0,3,18
    be16_store(s->storage + STORM_CODE + s->code, 0x010E); // SAM64
    s->code += 2;
    for (unsigned i = 0; i < STORM_DEVICES; i++) {
        storm_code(s, 0xA51F0000u);     // LLILL 1,0
        storm_code(s, 0xA71A0000u | i); // AHI 1,i
        storm_code(s, 0xA51A0001u);     // OILH 1,1
        storm_code(s, 0xB2340C00u);     // STSCH C00
        storm_code(s, 0x96800C05u);     // OI C05,X'80'
        storm_code(s, 0xB2320C00u);     // MSCH C00
    }
    for (unsigned i = 0; i < 2; i++) { // LCTLG 0,0,240; LCTLG 6,6,248
        be16_store(s->storage + STORM_CODE + s->code, i ? 0xEB66 : 0xEB00);
        be32_store(s->storage + STORM_CODE + s->code + 2, i ? 0x0248002Fu : 0x0240002Fu);
        s->code += 6;
    }
    storm_code(s, 0xAD030C40u); // STOSM C40,3
}

static inline void storm_make(struct storm *s, const uint8_t *data, size_t size)
{
    static void (*const calls[])(struct storm *) = {storm_io,       storm_io,       storm_io,
                                                    storm_io,       storm_iucv,     storm_iucv,
                                                    storm_diagnose, storm_diagnose, storm_machine};
    *s = (struct storm){.in = data, .left = size, .state = size + 1};
    storm_lowcore(s);
    storm_programs(s);
    storm_data(s);
    storm_lists(s);
    storm_pages(s);
    storm_texts(s);
    storm_begin(s);
    const unsigned begin = s->code;
    while (s->calls < STORM_CALLS)
        STORM_PICK(s, calls)(s);
    storm_code(s, 0xA7F40000u | (uint16_t) - (int)((s->code - begin) / 2)); // J
}

#endif
