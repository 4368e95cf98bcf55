// SPDX-License-Identifier: MIT
// Special handlers for the operand shapes that make up most of what is executed, and comparisons
// joined with the branch that follows them.
#include "cpu/operands.h"

// D(B) alone: no index register, the shape of most loads and stores.
#define PLACE address_bd(cpu, insn)

static HANDLER(l_base)
{
    set_low(cpu, insn->r1, guest_read32(cpu, insn, insn->b, PLACE));
    NEXT;
}

static HANDLER(lg_base)
{
    G1 = guest_read64(cpu, insn, insn->b, PLACE);
    NEXT;
}

static HANDLER(llgf_base)
{
    G1 = guest_read32(cpu, insn, insn->b, PLACE);
    NEXT;
}

static HANDLER(llgc_base)
{
    G1 = guest_read8(cpu, insn, insn->b, PLACE);
    NEXT;
}

static HANDLER(st_base)
{
    guest_write32(cpu, insn, insn->b, PLACE, W1);
    NEXT;
}

static HANDLER(stg_base)
{
    guest_write64(cpu, insn, insn->b, PLACE, G1);
    NEXT;
}

static HANDLER(la_base)
{
    set_address(cpu, insn->r1, PLACE);
    NEXT;
}

// Shift amounts without a register.
static HANDLER(sllg_constant)
{
    G1 = G2 << (insn->d & 63);
    NEXT;
}

static HANDLER(srlg_constant)
{
    G1 = G2 >> (insn->d & 63);
    NEXT;
}

static HANDLER(brc_always)
{
    BRANCH_RELATIVE(insn->target);
}

static const struct {
    insn_fn *general, *special;
    bool no_base; // wants no base register either
} shapes[] = {
    {op_l, l_base, false},       {op_lg, lg_base, false},        {op_llgf, llgf_base, false},
    {op_llgc, llgc_base, false}, {op_st, st_base, false},        {op_stg, stg_base, false},
    {op_la, la_base, false},     {op_sllg, sllg_constant, true}, {op_srlg, srlg_constant, true},
};

void insn_specialise(struct insn *insn)
{
    if (insn->run == op_brc) {
        if (insn->r1 == 15)
            insn->run = brc_always;
        else if (insn->r1 == 0)
            insn->run = op_hint;
        return;
    }
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (insn->run != shapes[i].general)
            continue;
        if (insn->x == NO_REGISTER && (!shapes[i].no_base || insn->b == NO_REGISTER))
            insn->run = shapes[i].special;
        return;
    }
}

// --- joined pairs -------------------------------------------------------------------------

// The condition code is set as the comparison says, then the branch is taken with the second
// instruction's fields. Not taken, the run goes on behind both.
#define FUSED(name, compute)               \
    static HANDLER(name)                   \
    {                                      \
        unsigned cc = (compute);           \
        cpu->psw.cc = (uint8_t)cc;         \
        insn++;                            \
        if (insn->r1 << cc & 8)            \
            BRANCH_RELATIVE(insn->target); \
        NEXT;                              \
    }
FUSED(fused_cr, cc_compare(SW1, SW2))
FUSED(fused_cgr, cc_compare(SG1, SG2))
FUSED(fused_clr, cc_compare_logical(W1, W2))
FUSED(fused_clgr, cc_compare_logical(G1, G2))
FUSED(fused_chi, cc_compare(SW1, IMM))
FUSED(fused_cghi, cc_compare(SG1, IMM))
FUSED(fused_clfi, cc_compare_logical(W1, IMM_U))
FUSED(fused_clgfi, cc_compare_logical(G1, IMM_U))
FUSED(fused_cl, cc_compare_logical(W1, MEM(32)))
FUSED(fused_clg, cc_compare_logical(G1, MEM(64)))
FUSED(fused_c, cc_compare(SW1, (int32_t)MEM(32)))
FUSED(fused_cg, cc_compare(SG1, (int64_t)MEM(64)))
FUSED(fused_cli, cc_compare_logical(MEM_BD(8), insn->r1))

static HANDLER(fused_ltr)
{
    uint32_t v = W2;
    set_low(cpu, insn->r1, v);
    unsigned cc = cc_sign((int32_t)v);
    cpu->psw.cc = (uint8_t)cc;
    insn++;
    if (insn->r1 << cc & 8)
        BRANCH_RELATIVE(insn->target);
    NEXT;
}

static HANDLER(fused_ltgr)
{
    uint64_t v = G2;
    G1 = v;
    unsigned cc = cc_sign((int64_t)v);
    cpu->psw.cc = (uint8_t)cc;
    insn++;
    if (insn->r1 << cc & 8)
        BRANCH_RELATIVE(insn->target);
    NEXT;
}

static HANDLER(fused_tm)
{
    uint8_t selected = MEM_BD(8) & insn->r1;
    unsigned cc = selected == 0 ? 0 : selected == insn->r1 ? 3 : 1;
    cpu->psw.cc = (uint8_t)cc;
    insn++;
    if (insn->r1 << cc & 8)
        BRANCH_RELATIVE(insn->target);
    NEXT;
}

static const struct {
    insn_fn *alone, *fused;
} pairs[] = {
    {op_cr, fused_cr},   {op_cgr, fused_cgr},   {op_clr, fused_clr},   {op_clgr, fused_clgr},
    {op_chi, fused_chi}, {op_cghi, fused_cghi}, {op_clfi, fused_clfi}, {op_clgfi, fused_clgfi},
    {op_cl, fused_cl},   {op_clg, fused_clg},   {op_c, fused_c},       {op_cg, fused_cg},
    {op_cli, fused_cli}, {op_ltr, fused_ltr},   {op_ltgr, fused_ltgr}, {op_tm, fused_tm},
};

void insn_fuse(struct insn *first, const struct insn *second)
{
    if (second->run != op_brc)
        return;
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (first->run == pairs[i].alone) {
            first->run = pairs[i].fused;
            return;
        }
    }
}
