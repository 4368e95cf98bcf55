// SPDX-License-Identifier: MIT
// Tables of two address spaces for the tests of program call and its relatives: ASNs 41 (primary)
// and 42, authority, linkage and entry tables, a linkage stack, access lists.
#ifndef ENDICOTT_TESTS_CPU_SPACES_H
#define ENDICOTT_TESTS_CPU_SPACES_H

#include "cpu/rig.h"

#define DUCT        0x6000u
#define ASTE_41     0x6440u
#define ASTE_42     0x6480u
#define AUTHORITY   0x6800u
#define ACCESSES    0x6A00u // access list
#define LINKAGE     0x6B00u
#define ENTRIES     0x6C00u
#define FIRST_TABLE 0x7000u
#define STACK       0x9000u
#define TRACES      0xB000u
#define ASCE_41     0x100000u
#define ASCE_42     0x130000u
#define PROGRAM     0x3000u // what is called; the storage of both spaces is the same

static inline void spaces_aste(struct bare *bare, uint32_t at, uint64_t asce, uint32_t number)
{
    bare_put32(bare, at, AUTHORITY);
    bare_put32(bare, at + 4, 5u << 16 | 1 << 4); // AX 5, 32 indexes
    bare_put64(bare, at + 8, asce);
    bare_put32(bare, at + 16, ACCESSES);
    bare_put32(bare, at + 20, number);
    bare_put32(bare, at + 24, 0x80000000u | LINKAGE);
    bare_put32(bare, at + 44, number * 0x11);
}

static inline void spaces_entry(struct bare *bare, unsigned n, const uint32_t words[8])
{
    for (unsigned i = 0; i < 8; i++)
        bare_put32(bare, ENTRIES + n * 32 + i * 4, words[i]);
}

static inline void spaces_registers(struct cpu *cpu)
{
    cpu->cr[1] = cpu->cr[7] = ASCE_41;
    cpu->cr[2] = DUCT;
    cpu->cr[3] = 0xF0000041;
    cpu->cr[4] = 0x00050041;
    cpu->cr[5] = ASTE_41;
    cpu->cr[8] = 0x00050000;
    cpu->cr[13] = ASCE_41;
    cpu->cr[14] = 0x80000 | FIRST_TABLE >> 12;
    cpu->cr[15] = STACK + 8;
}

// The tables, and control registers that designate them.
static inline void spaces_fill(struct bare *bare)
{
    rig_dat(bare);
    for (unsigned s = 0; s < 512; s++) {
        bare_put64(bare, ASCE_42 + s * 8, s < 4 ? 0x110000 + s * 2048 : 0x20);
    }
    spaces_aste(bare, ASTE_41, ASCE_41, 0x41);
    spaces_aste(bare, ASTE_42, ASCE_42, 0x42);
    bare_put32(bare, FIRST_TABLE + 4, ASTE_41 - 64);
    uint8_t both = 0x30; // AX 5: primary and secondary
    bare_put(bare, AUTHORITY + 1, &both, 1);
    bare_put32(bare, LINKAGE, ENTRIES | 1);
    bare_put64(bare, STACK + 8, UINT64_C(0x0900100000000000));
    rig_hex(bare, PROGRAM, "B2B2 0E00");
    spaces_registers(bare->cpu);
}

// Code at CODE in primary-space mode, 64-bit, supervisor state; the called program ends like CODE.
static inline struct bare *spaces_new(const char *code)
{
    struct bare *bare = rig_new(code);
    spaces_fill(bare);
    return bare;
}

#endif
