// SPDX-License-Identifier: MIT
// Comparisons, signed and logical, their trapping forms, and insert/compare/store under mask.
// (Principles of Operation, "General Instructions".)
#include <string.h>

#include "cpu/operands.h"

#define COMPARE(name, a, b)         CC_OPERATION(name, unsigned cc = cc_compare(a, b))
#define COMPARE_LOGICAL(name, a, b) CC_OPERATION(name, unsigned cc = cc_compare_logical(a, b))
#define SH1                         ((int32_t)H1)

COMPARE(op_cr, SW1, SW2)
COMPARE(op_c, SW1, (int32_t)MEM(32))
COMPARE(op_ch, SW1, (int16_t)MEM(16))
COMPARE(op_chi, SW1, IMM)
COMPARE(op_cfi, SW1, IMM)
COMPARE(op_crl, SW1, (int32_t)MEM_REL(32))
COMPARE(op_chrl, SW1, (int16_t)MEM_REL(16))
COMPARE(op_cgr, SG1, SG2)
COMPARE(op_cgfr, SG1, SW2)
COMPARE(op_cg, SG1, (int64_t)MEM(64))
COMPARE(op_cgf, SG1, (int32_t)MEM(32))
COMPARE(op_cgh, SG1, (int16_t)MEM(16))
COMPARE(op_cghi, SG1, IMM)
COMPARE(op_cgfi, SG1, IMM)
COMPARE(op_cgrl, SG1, (int64_t)MEM_REL(64))
COMPARE(op_cgfrl, SG1, (int32_t)MEM_REL(32))
COMPARE(op_cghrl, SG1, (int16_t)MEM_REL(16))
COMPARE(op_chhsi, (int16_t)MEM_BD(16), IMM)
COMPARE(op_chsi, (int32_t)MEM_BD(32), IMM)
COMPARE(op_cghsi, (int64_t)MEM_BD(64), IMM)
COMPARE(op_cih, SH1, IMM)
COMPARE(op_chhr, SH1, (int32_t)H2)
COMPARE(op_chlr, SH1, SW2)
COMPARE(op_chf, SH1, (int32_t)MEM(32))

COMPARE_LOGICAL(op_clr, W1, W2)
COMPARE_LOGICAL(op_cl, W1, MEM(32))
COMPARE_LOGICAL(op_clfi, W1, IMM_U)
COMPARE_LOGICAL(op_clrl, W1, MEM_REL(32))
COMPARE_LOGICAL(op_clhrl, W1, MEM_REL(16))
COMPARE_LOGICAL(op_clgr, G1, G2)
COMPARE_LOGICAL(op_clgfr, G1, W2)
COMPARE_LOGICAL(op_clg, G1, MEM(64))
COMPARE_LOGICAL(op_clgf, G1, MEM(32))
COMPARE_LOGICAL(op_clgfi, G1, IMM_U)
COMPARE_LOGICAL(op_clgrl, G1, MEM_REL(64))
COMPARE_LOGICAL(op_clgfrl, G1, MEM_REL(32))
COMPARE_LOGICAL(op_clghrl, G1, MEM_REL(16))
COMPARE_LOGICAL(op_clhhsi, MEM_BD(16), (uint16_t)IMM)
COMPARE_LOGICAL(op_clfhsi, MEM_BD(32), (uint16_t)IMM)
COMPARE_LOGICAL(op_clghsi, MEM_BD(64), (uint16_t)IMM)
COMPARE_LOGICAL(op_cli, MEM_BD(8), insn->r1)
COMPARE_LOGICAL(op_clih, H1, IMM_U)
COMPARE_LOGICAL(op_clhhr, H1, H2)
COMPARE_LOGICAL(op_clhlr, H1, W2)
COMPARE_LOGICAL(op_clhf, H1, MEM(32))

// --- and trap -----------------------------------------------------------------------

// The mask's first three bits stand for equal, low, high.
static inline void trap_if(struct cpu *cpu, const struct insn *insn, unsigned mask, uint8_t cc)
{
    if (UNLIKELY(mask << cc & 8))
        data_exception(cpu, insn, DXC_TRAP);
}

#define TRAP(name, mask, compare, a, b)          \
    OPERATION(name)                              \
    {                                            \
        trap_if(cpu, insn, mask, compare(a, b)); \
        NEXT;                                    \
    }
TRAP(op_crt, insn->m3, cc_compare, SW1, SW2)
TRAP(op_cgrt, insn->m3, cc_compare, SG1, SG2)
TRAP(op_clrt, insn->m3, cc_compare_logical, W1, W2)
TRAP(op_clgrt, insn->m3, cc_compare_logical, G1, G2)
TRAP(op_cit, insn->m3, cc_compare, SW1, IMM)
TRAP(op_cgit, insn->m3, cc_compare, SG1, IMM)
TRAP(op_clfit, insn->m3, cc_compare_logical, W1, (uint16_t)IMM)
TRAP(op_clgit, insn->m3, cc_compare_logical, G1, (uint16_t)IMM)
TRAP(op_clt, insn->r2, cc_compare_logical, W1, MEM_BD(32))
TRAP(op_clgt, insn->r2, cc_compare_logical, G1, MEM_BD(64))

// --- under mask -----------------------------------------------------------------------

// The mask (in r2) selects bytes of one word of R1; the storage operand is as many bytes.
static void insert_under_mask(struct cpu *cpu, const struct insn *insn, unsigned shift)
{
    uint64_t address = address_bd(cpu, insn);
    uint8_t bytes[4] = {0};
    unsigned mask = insn->r2, n = (unsigned)__builtin_popcount(mask), at = 0;
    // A zero mask still accesses one byte.
    guest_fetch(cpu, insn->b, address, bytes, n ? n : 1);
    uint32_t word = (uint32_t)(G1 >> shift), all = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (!(mask & 8 >> i))
            continue;
        unsigned place = 24 - i * 8;
        word = (word & ~(UINT32_C(0xFF) << place)) | (uint32_t)bytes[at] << place;
        all |= bytes[at++];
    }
    G1 = (G1 & ~(UINT64_C(0xFFFFFFFF) << shift)) | (uint64_t)word << shift;
    cpu->psw.cc = n == 0 || all == 0 ? 0 : bytes[0] & 0x80 ? 1 : 2;
}

static unsigned selected_bytes(const struct insn *insn, uint32_t word, uint8_t bytes[4])
{
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (insn->r2 & 8 >> i)
            bytes[n++] = (uint8_t)(word >> (24 - i * 8));
    }
    return n;
}

static void store_under_mask(struct cpu *cpu, const struct insn *insn, uint32_t word)
{
    uint8_t bytes[4];
    unsigned n = selected_bytes(insn, word, bytes);
    if (n)
        guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n);
}

static void compare_under_mask(struct cpu *cpu, const struct insn *insn, uint32_t word)
{
    uint8_t bytes[4], other[4] = {0};
    unsigned n = selected_bytes(insn, word, bytes);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), other, n ? n : 1);
    int order = n ? memcmp(bytes, other, n) : 0;
    cpu->psw.cc = order == 0 ? 0 : order < 0 ? 1 : 2;
}

PLAIN(do_icm)
{
    insert_under_mask(cpu, insn, 0);
}

PLAIN(do_icmh)
{
    insert_under_mask(cpu, insn, 32);
}

PLAIN(do_stcm)
{
    store_under_mask(cpu, insn, W1);
}

PLAIN(do_stcmh)
{
    store_under_mask(cpu, insn, H1);
}

PLAIN(do_clm)
{
    compare_under_mask(cpu, insn, W1);
}

PLAIN(do_clmh)
{
    compare_under_mask(cpu, insn, H1);
}
