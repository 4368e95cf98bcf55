// SPDX-License-Identifier: MIT
// Short helpers for the CPU's unit tests: code as hexadecimal text, running to the end, lowcore.
#ifndef ENDICOTT_TESTS_CPU_RIG_H
#define ENDICOTT_TESTS_CPU_RIG_H

#include "cpu/bare.h"

#define CODE   0x2000u
#define HANDLE 0x1800u // where the program-interruption new PSW leads

// Hexadecimal digits, blanks ignored, to storage; returns the address behind.
static inline uint64_t rig_hex(struct bare *bare, uint64_t at, const char *hex)
{
    unsigned digits = 0, value = 0;
    for (; *hex; hex++) {
        char text[2] = {*hex, 0};
        if (*hex == ' ')
            continue;
        value = value << 4 | (unsigned)strtoul(text, NULL, 16);
        if (++digits % 2 == 0) {
            uint8_t byte = (uint8_t)value;
            bare_put(bare, at++, &byte, 1);
            value = 0;
        }
    }
    return at;
}

// Code at CODE, followed by a disabled wait (LPSWE of the PSW at X'E00'). Program interruptions end
// in a disabled wait, too, with address X'BAD'.
static inline struct bare *rig_new(const char *code)
{
    struct bare *bare = bare_new(4);
    rig_hex(bare, rig_hex(bare, CODE, code), "B2B2 0E00");
    bare_put64(bare, 0xE00, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0xE08, 0x600D);
    bare_put64(bare, 0x1D0, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0x1D8, 0xBAD);
    bare->cpu->psw.address = CODE;
    return bare;
}

static inline enum cpu_exit rig_run(struct bare *bare)
{
    return cpu_run(bare->cpu, 100000);
}

static inline bool rig_good(struct bare *bare)
{
    return rig_run(bare) == CPU_EXIT_DISABLED_WAIT && bare->cpu->psw.address == 0x600D;
}

// Runs into a program interruption: its code, or 0 when there was none.
static inline unsigned rig_fault(struct bare *bare)
{
    rig_run(bare);
    return bare->cpu->psw.address == 0xBAD ? bare_get32(bare, 0x8C) & 0xFFFF : 0;
}

static inline unsigned rig_ilc(struct bare *bare)
{
    return bare_get32(bare, 0x8C) >> 16;
}

// Maps virtual pages one to one below 4 MiB by tables at X'100000' (segments) and X'110000'
// (pages); ASCE in CR1, CR7 and CR13. The code's page included.
static inline void rig_dat(struct bare *bare)
{
    for (unsigned s = 0; s < 4; s++) {
        bare_put64(bare, 0x100000 + s * 8, 0x110000 + s * 2048);
        for (unsigned p = 0; p < 256; p++)
            bare_put64(bare, 0x110000 + s * 2048 + p * 8, (uint64_t)s << 20 | p << 12);
    }
    for (unsigned s = 4; s < 512; s++)
        bare_put64(bare, 0x100000 + s * 8, 0x20);
    bare->cpu->cr[1] = bare->cpu->cr[7] = bare->cpu->cr[13] = 0x100000;
    bare->cpu->psw.dat = true;
}

static inline uint64_t rig_pte(uint64_t address)
{
    return 0x110000 + (address >> 20) * 2048 + (address >> 12 & 0xFF) * 8;
}

#endif
