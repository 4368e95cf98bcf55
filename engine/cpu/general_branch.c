// SPDX-License-Identifier: MIT
// Branches, linkage in the addressing modes, EXECUTE, SUPERVISOR CALL.
// (Principles of Operation, "General Instructions", "Branching".)
#include <string.h>

#include "cpu/interlocked.h"
#include "cpu/interruptions.h"
#include "cpu/operands.h"
#include "cpu/per.h"
#include "cpu/trace_table.h"

// The address of the next instruction, as a virtual address.
#define NEXT_ADDRESS ((cpu->block_address + insn->offset + insn->ilc) & cpu->address_mask)

#define BRANCH_IF(condition, offset_) \
    if (condition)                    \
        BRANCH_RELATIVE(offset_);     \
    NEXT

// --- on condition -------------------------------------------------------------------

HANDLER(op_brc)
{
    BRANCH_IF(cc_selected(cpu, insn->r1), insn->target);
}

HANDLER(op_bc)
{
    if (cc_selected(cpu, insn->r1))
        return branch_to(cpu, insn, address_bxd(cpu, insn));
    NEXT;
}

HANDLER(op_bcr)
{
    if (insn->r2 && cc_selected(cpu, insn->r1))
        return branch_to(cpu, insn, G2);
    if (insn->r2 == 0 && insn->r1 >= 14)
        serialize(cpu);
    NEXT;
}

// BRANCH INDIRECT ON CONDITION: the target's address is in storage.
OPERATION(op_bic)
{
    if (cc_selected(cpu, insn->r1))
        return branch_to(cpu, insn, MEM(64));
    NEXT;
}

// --- on count and index ---------------------------------------------------------------

HANDLER(op_brct)
{
    uint32_t r = W1 - 1;
    set_low(cpu, insn->r1, r);
    BRANCH_IF(r != 0, insn->target);
}

HANDLER(op_brctg)
{
    uint64_t r = --G1;
    BRANCH_IF(r != 0, insn->target);
}

HANDLER(op_brcth)
{
    uint32_t r = H1 - 1;
    set_high(cpu, insn->r1, r);
    BRANCH_IF(r != 0, insn->target);
}

#define BRANCH_COUNT(name, target_, count)   \
    HANDLER(name)                            \
    {                                        \
        uint64_t to = (target_);             \
        count;                               \
        if (r != 0)                          \
            return branch_to(cpu, insn, to); \
        NEXT;                                \
    }
#define COUNT32          \
    uint32_t r = W1 - 1; \
    set_low(cpu, insn->r1, r)
#define COUNT64 uint64_t r = --G1
BRANCH_COUNT(op_bct, address_bxd(cpu, insn), COUNT32)
BRANCH_COUNT(op_bctg, address_bxd(cpu, insn), COUNT64)

HANDLER(op_bctr)
{
    uint64_t to = G2; // before counting: R1 and R2 may be the same
    COUNT32;
    if (r != 0 && insn->r2)
        return branch_to(cpu, insn, to);
    NEXT;
}

HANDLER(op_bctgr)
{
    uint64_t to = G2;
    COUNT64;
    if (r != 0 && insn->r2)
        return branch_to(cpu, insn, to);
    NEXT;
}

// R3 (in r2) names the increment; the comparand is the odd register of R3 or the pair from it. It
// is read before R1 changes.
#define INDEX_STEP32                                      \
    int32_t comparand = (int32_t)low(cpu, insn->r2 | 1u); \
    uint32_t sum = W1 + W2;                               \
    int32_t value = (int32_t)sum;                         \
    set_low(cpu, insn->r1, sum)
#define INDEX_STEP64                                    \
    int64_t comparand = (int64_t)cpu->gr[insn->r2 | 1]; \
    int64_t value = (int64_t)(G1 + G2);                 \
    G1 = (uint64_t)value
#define BRANCH_INDEX(name, step, comparison) \
    HANDLER(name)                            \
    {                                        \
        uint64_t to = address_bd(cpu, insn); \
        step;                                \
        if (value comparison comparand)      \
            return branch_to(cpu, insn, to); \
        NEXT;                                \
    }
#define BRANCH_RELATIVE_INDEX(name, step, comparison)        \
    HANDLER(name)                                            \
    {                                                        \
        step;                                                \
        BRANCH_IF(value comparison comparand, insn->target); \
    }
BRANCH_INDEX(op_bxh, INDEX_STEP32, >)
BRANCH_INDEX(op_bxle, INDEX_STEP32, <=)
BRANCH_INDEX(op_bxhg, INDEX_STEP64, >)
BRANCH_INDEX(op_bxleg, INDEX_STEP64, <=)
BRANCH_RELATIVE_INDEX(op_brxh, INDEX_STEP32, >)
BRANCH_RELATIVE_INDEX(op_brxle, INDEX_STEP32, <=)
BRANCH_RELATIVE_INDEX(op_brxhg, INDEX_STEP64, >)
BRANCH_RELATIVE_INDEX(op_brxlg, INDEX_STEP64, <=)

// --- compare and branch -----------------------------------------------------------------

#define COMPARE_BRANCH(name, compare, a, b)                \
    HANDLER(name)                                          \
    {                                                      \
        BRANCH_IF(insn->m3 << compare(a, b) & 8, insn->i); \
    }
COMPARE_BRANCH(op_crj, cc_compare, SW1, SW2)
COMPARE_BRANCH(op_cgrj, cc_compare, SG1, SG2)
COMPARE_BRANCH(op_clrj, cc_compare_logical, W1, W2)
COMPARE_BRANCH(op_clgrj, cc_compare_logical, G1, G2)
COMPARE_BRANCH(op_cij, cc_compare, SW1, insn->d)
COMPARE_BRANCH(op_cgij, cc_compare, SG1, insn->d)
COMPARE_BRANCH(op_clij, cc_compare_logical, W1, (uint8_t)insn->d)
COMPARE_BRANCH(op_clgij, cc_compare_logical, G1, (uint8_t)insn->d)

// RRS and RIS: the mask shares its place with the index register.
#define COMPARE_BRANCH_FAR(name, compare, a, b)                 \
    HANDLER(name)                                               \
    {                                                           \
        if (insn->m3 << compare(a, b) & 8)                      \
            return branch_to(cpu, insn, address_bd(cpu, insn)); \
        NEXT;                                                   \
    }
COMPARE_BRANCH_FAR(op_crb, cc_compare, SW1, SW2)
COMPARE_BRANCH_FAR(op_cgrb, cc_compare, SG1, SG2)
COMPARE_BRANCH_FAR(op_clrb, cc_compare_logical, W1, W2)
COMPARE_BRANCH_FAR(op_clgrb, cc_compare_logical, G1, G2)
COMPARE_BRANCH_FAR(op_cib, cc_compare, SW1, IMM)
COMPARE_BRANCH_FAR(op_cgib, cc_compare, SG1, IMM)
COMPARE_BRANCH_FAR(op_clib, cc_compare_logical, W1, (uint8_t)IMM)
COMPARE_BRANCH_FAR(op_clgib, cc_compare_logical, G1, (uint8_t)IMM)

// --- linkage --------------------------------------------------------------------------

// The link information of BRANCH AND SAVE: the next address, with the mode bit in 31-bit mode.
static inline void set_link(struct cpu *cpu, const struct insn *insn)
{
    if (LIKELY(cpu->psw.ea))
        G1 = NEXT_ADDRESS;
    else
        set_low(cpu, insn->r1, (uint32_t)cpu->psw.ba << 31 | (uint32_t)NEXT_ADDRESS);
}

// Branch tracing looks at the branches that keep a link and have their address in a register.
static void trace_link(struct cpu *cpu, const struct insn *insn, uint64_t to)
{
    if (!trace_branches(cpu))
        return;
    cpu->current = insn;
    trace_taken(cpu, to);
}

HANDLER(op_bras)
{
    set_link(cpu, insn);
    BRANCH_RELATIVE(insn->target);
}

HANDLER(op_bras_far)
{
    set_link(cpu, insn);
    return branch_to(cpu, insn, cpu->block_address + (uint64_t)insn->target);
}

HANDLER(op_bas)
{
    uint64_t to = address_bxd(cpu, insn);
    set_link(cpu, insn);
    return branch_to(cpu, insn, to);
}

HANDLER(op_basr)
{
    uint64_t to = G2;
    if (UNLIKELY(cpu->cr[12] != 0) && insn->r2)
        trace_link(cpu, insn, to);
    set_link(cpu, insn);
    if (insn->r2)
        return branch_to(cpu, insn, to);
    NEXT;
}

// BRANCH AND LINK in 24-bit mode keeps length, condition code and program mask beside the address.
static inline void set_link_bal(struct cpu *cpu, const struct insn *insn)
{
    if (cpu->psw.ba) {
        set_link(cpu, insn);
        return;
    }
    uint32_t info =
        (uint32_t)insn->ilc / 2 << 30 | (uint32_t)cpu->psw.cc << 28 | (uint32_t)cpu->psw.mask << 24;
    set_low(cpu, insn->r1, info | (uint32_t)NEXT_ADDRESS);
}

HANDLER(op_bal)
{
    uint64_t to = address_bxd(cpu, insn);
    set_link_bal(cpu, insn);
    return branch_to(cpu, insn, to);
}

HANDLER(op_balr)
{
    uint64_t to = G2;
    if (UNLIKELY(cpu->cr[12] != 0) && insn->r2)
        trace_link(cpu, insn, to);
    set_link_bal(cpu, insn);
    if (insn->r2)
        return branch_to(cpu, insn, to);
    NEXT;
}

// --- addressing modes: OP_END, so the PSW is exact ----------------------------------------

static void set_mode(struct cpu *cpu, bool ea, bool ba)
{
    cpu->psw.ea = ea;
    cpu->psw.ba = ba;
    cpu->address_mask = ea ? ~UINT64_C(0) : ba ? 0x7FFFFFFF : 0xFFFFFF;
}

// The next instruction's address must fit the mode that is set.
static void change_mode(struct cpu *cpu, bool ea, bool ba)
{
    uint64_t limit = ea ? ~UINT64_C(0) : ba ? 0x7FFFFFFF : 0xFFFFFF;
    check(cpu, cpu->instruction_address <= limit && cpu->psw.address <= limit, PIC_SPECIFICATION);
    if (trace_modes(cpu) && ea != cpu->psw.ea)
        cpu->cr[12] = trace_mode(cpu, cpu->cr[12]);
    set_mode(cpu, ea, ba);
}

PLAIN(do_sam24)
{
    (void)insn;
    change_mode(cpu, false, false);
}

PLAIN(do_sam31)
{
    (void)insn;
    change_mode(cpu, false, true);
}

PLAIN(do_sam64)
{
    (void)insn;
    change_mode(cpu, true, true);
}

PLAIN(do_tam)
{
    (void)insn;
    cpu->psw.cc = cpu->psw.ea ? 3 : cpu->psw.ba ? 1 : 0;
}

// Branch address in a register whose rightmost bit (64-bit mode) or bit 32 says the mode.
static struct psw mode_target(const struct cpu *cpu, uint64_t value)
{
    struct psw psw = cpu->psw;
    psw.ea = value & 1 && cpu->arch == ARCH_Z;
    psw.ba = psw.ea || value >> 31 & 1;
    psw.address = psw.ea ? value & ~UINT64_C(1) : value & (psw.ba ? 0x7FFFFFFF : 0xFFFFFF);
    return psw;
}

static void branch_with_mode(struct cpu *cpu, const struct psw *to)
{
    set_mode(cpu, to->ea, to->ba);
    cpu->psw.address = to->address;
    cpu->breaking_event = cpu->instruction_address;
}

PLAIN(do_bsm)
{
    struct psw to = mode_target(cpu, G2);
    if (insn->r2 && trace_modes(cpu) && to.ea != cpu->psw.ea)
        cpu->cr[12] = trace_mode(cpu, cpu->cr[12]);
    if (insn->r1 && cpu->psw.ea)
        G1 |= 1;
    else if (insn->r1)
        set_low(cpu, insn->r1, (W1 & 0x7FFFFFFF) | (uint32_t)cpu->psw.ba << 31);
    if (insn->r2)
        branch_with_mode(cpu, &to);
}

// A branch that changes the mode makes one entry for both when both are traced.
static void trace_bassm(struct cpu *cpu, const struct psw *to)
{
    uint64_t cr12 = cpu->cr[12];
    bool branches = trace_branches(cpu);
    if (trace_modes(cpu) && to->ea != cpu->psw.ea)
        cr12 = branches ? trace_mode_branch(cpu, cr12, to->address, to->ea, to->ba)
                        : trace_mode(cpu, cr12);
    else if (branches)
        cr12 = trace_branch(cpu, cr12, to->address, to->ea, to->ba);
    cpu->cr[12] = cr12;
}

PLAIN(do_bassm)
{
    struct psw to = mode_target(cpu, G2);
    if (insn->r2)
        trace_bassm(cpu, &to);
    if (cpu->psw.ea)
        G1 = cpu->psw.address | 1;
    else
        set_low(cpu, insn->r1, (uint32_t)cpu->psw.ba << 31 | (uint32_t)cpu->psw.address);
    if (insn->r2)
        branch_with_mode(cpu, &to);
}

// --- program mask ---------------------------------------------------------------------

HANDLER(op_ipm)
{
    uint32_t byte = (uint32_t)cpu->psw.cc << 4 | cpu->psw.mask;
    set_low(cpu, insn->r1, (W1 & 0x00FFFFFF) | byte << 24);
    NEXT;
}

HANDLER(op_spm)
{
    cpu->psw.cc = W1 >> 28 & 3;
    cpu->psw.mask = W1 >> 24 & 15;
    NEXT;
}

// --- EXECUTE --------------------------------------------------------------------------

// The target's text: two bytes are fetched first, they tell the length.
static void fetch_target(struct cpu *cpu, uint64_t address, uint8_t text[6])
{
    unsigned length = 2, have = 0;
    while (have < length) {
        uint64_t at = (address + have) & cpu->address_mask;
        const struct lookaside_fetch *e = access_fetch(cpu, at);
        unsigned rest = page_rest(at), n = length - have;
        if (n > rest)
            n = rest;
        memcpy(text + have, e->host + (at & 0xFFF), n);
        if (have == 0)
            length = opcode_length(text[0]);
        have += n;
    }
}

static bool is_relative(const struct opcode *row)
{
    switch (row ? row->format : FORMAT_COUNT) {
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RIL_B:
    case FORMAT_RIL_C:
    case FORMAT_RSI:
    case FORMAT_RIE_B:
    case FORMAT_RIE_C:
    case FORMAT_RIE_E:
        return true;
    default:
        return false;
    }
}

static const struct insn *execute(struct cpu *cpu, const struct insn *insn, uint64_t address)
{
    uint8_t text[8] = {0};
    cpu->current = insn;
    check(cpu, !(address & 1), PIC_SPECIFICATION);
    fetch_target(cpu, address, text);
    if (insn->r1)
        text[1] |= (uint8_t)W1;
    check(cpu, text[0] != 0x44 && !(text[0] == 0xC6 && (text[1] & 15) == 0), PIC_EXECUTE);
    memset(text + opcode_length(text[0]), 0, 8 - opcode_length(text[0]));
    uint64_t key = be64_load(text) | 1; // the last two bytes are free: never zero
    struct execute_slot *slot =
        &cpu->blocks->execute[(key >> 16 ^ key >> 32 ^ key >> 48) & (EXECUTE_SLOTS - 1)];
    if (slot->text != key) {
        int64_t offset = (int64_t)(address - cpu->block_address);
        insn_decode(opcode_for_cpu(cpu, text), text, offset, &slot->insn[0]);
        // A relative operand counts from the target's own place: decoded for this once.
        slot->text = is_relative(opcode_find(text)) ? 0 : key;
    }
    if (UNLIKELY(cpu->psw.per))
        per_note_target(cpu, address, &slot->insn[0], text);
    slot->from = insn;
    slot->insn[0].offset = insn->offset;
    slot->insn[0].ilc = insn->ilc;
    slot->insn[0].done = insn->done;
    slot->insn[1] = (struct insn){.run = op_execute_return,
                                  .offset = (uint16_t)(insn->offset + insn->ilc),
                                  .done = (uint8_t)(insn->done + 1)};
    return slot->insn;
}

HANDLER(op_ex)
{
    RUN(execute(cpu, insn, address_bxd(cpu, insn)));
}

HANDLER(op_exrl)
{
    RUN(execute(cpu, insn, address_relative(cpu, insn)));
}

// --- supervisor call: OP_END --------------------------------------------------

PLAIN(do_svc)
{
    interruption_svc(cpu, insn->r1);
}

// Hints: branch prediction, prefetch, next-instruction access intent, performance assist.
HANDLER(op_hint)
{
    NEXT;
}
