// SPDX-License-Identifier: MIT
// Binary addition, subtraction, multiplication and division.
// (Principles of Operation, "General Instructions"; condition codes in its Appendix C.)
#include "cpu/operands.h"
#include "cpu/wide.h"

// --- signed add and subtract ------------------------------------------------------

#define SIGNED32(name, builtin, a, b, assign)                                                      \
    CC_OPERATION(name, int32_t r; bool overflow = builtin((int32_t)(a), (int32_t)(b), &r); assign; \
                 unsigned cc = overflow ? 3 : cc_sign(r);                                          \
                 if (UNLIKELY(overflow)) fixed_overflow(cpu, insn))
#define TO_LOW         set_low(cpu, insn->r1, (uint32_t)r)
#define TO_HIGH        set_high(cpu, insn->r1, (uint32_t)r)
#define ADD32(name, b) SIGNED32(name, __builtin_add_overflow, W1, b, TO_LOW)
#define SUB32(name, b) SIGNED32(name, __builtin_sub_overflow, W1, b, TO_LOW)
ADD32(op_ar, W2)
ADD32(op_a, MEM(32))
ADD32(op_ah, (int16_t)MEM(16))
ADD32(op_ahi, IMM)
ADD32(op_afi, IMM)
SIGNED32(op_ark, __builtin_add_overflow, W2, W3, TO_LOW)
SIGNED32(op_ahik, __builtin_add_overflow, W2, IMM, TO_LOW)
SUB32(op_sr, W2)
SUB32(op_s, MEM(32))
SUB32(op_sh, (int16_t)MEM(16))
SIGNED32(op_srk, __builtin_sub_overflow, W2, W3, TO_LOW)
SIGNED32(op_aih, __builtin_add_overflow, H1, IMM, TO_HIGH)
SIGNED32(op_ahhhr, __builtin_add_overflow, H2, H3, TO_HIGH)
SIGNED32(op_ahhlr, __builtin_add_overflow, H2, W3, TO_HIGH)
SIGNED32(op_shhhr, __builtin_sub_overflow, H2, H3, TO_HIGH)
SIGNED32(op_shhlr, __builtin_sub_overflow, H2, W3, TO_HIGH)

#define SIGNED64(name, builtin, a, b)                                                      \
    CC_OPERATION(name, int64_t r; bool overflow = builtin((int64_t)(a), (int64_t)(b), &r); \
                 G1 = (uint64_t)r; unsigned cc = overflow ? 3 : cc_sign(r);                \
                 if (UNLIKELY(overflow)) fixed_overflow(cpu, insn))
#define ADD64(name, b) SIGNED64(name, __builtin_add_overflow, G1, b)
#define SUB64(name, b) SIGNED64(name, __builtin_sub_overflow, G1, b)
ADD64(op_agr, G2)
ADD64(op_agfr, SW2)
ADD64(op_ag, MEM(64))
ADD64(op_agf, (int32_t)MEM(32))
ADD64(op_agh, (int16_t)MEM(16))
ADD64(op_aghi, IMM)
ADD64(op_agfi, IMM)
SIGNED64(op_agrk, __builtin_add_overflow, G2, G3)
SIGNED64(op_aghik, __builtin_add_overflow, G2, IMM)
SUB64(op_sgr, G2)
SUB64(op_sgfr, SW2)
SUB64(op_sg, MEM(64))
SUB64(op_sgf, (int32_t)MEM(32))
SUB64(op_sgh, (int16_t)MEM(16))
SIGNED64(op_sgrk, __builtin_sub_overflow, G2, G3)

// --- logical add and subtract -------------------------------------------------------

#define LOGICAL(name, type, op, carry, a_, b_, assign)                                  \
    CC_OPERATION(name, type a = (type)(a_), b = (type)(b_), r = (type)(a op b); assign; \
                 unsigned cc = (unsigned)(carry) << 1 | (r != 0))
#define ADDL32(name, x, y) LOGICAL(name, uint32_t, +, r < a, x, y, set_low(cpu, insn->r1, r))
#define SUBL32(name, x, y) LOGICAL(name, uint32_t, -, a >= b, x, y, set_low(cpu, insn->r1, r))
#define ADDL64(name, x, y) LOGICAL(name, uint64_t, +, r < a, x, y, G1 = r)
#define SUBL64(name, x, y) LOGICAL(name, uint64_t, -, a >= b, x, y, G1 = r)
ADDL32(op_alr, W1, W2)
ADDL32(op_al, W1, MEM(32))
ADDL32(op_alfi, W1, IMM_U)
ADDL32(op_alrk, W2, W3)
ADDL32(op_alhsik, W2, IMM)
SUBL32(op_slr, W1, W2)
SUBL32(op_sl, W1, MEM(32))
SUBL32(op_slfi, W1, IMM_U)
SUBL32(op_slrk, W2, W3)
ADDL64(op_algr, G1, G2)
ADDL64(op_algfr, G1, W2)
ADDL64(op_alg, G1, MEM(64))
ADDL64(op_algf, G1, MEM(32))
ADDL64(op_algfi, G1, IMM_U)
ADDL64(op_algrk, G2, G3)
ADDL64(op_alghsik, G2, (int64_t)IMM)
SUBL64(op_slgr, G1, G2)
SUBL64(op_slgfr, G1, W2)
SUBL64(op_slg, G1, MEM(64))
SUBL64(op_slgf, G1, MEM(32))
SUBL64(op_slgfi, G1, IMM_U)
SUBL64(op_slgrk, G2, G3)
LOGICAL(op_alhhhr, uint32_t, +, r < a, H2, H3, set_high(cpu, insn->r1, r))
LOGICAL(op_alhhlr, uint32_t, +, r < a, H2, W3, set_high(cpu, insn->r1, r))
LOGICAL(op_slhhhr, uint32_t, -, a >= b, H2, H3, set_high(cpu, insn->r1, r))
LOGICAL(op_slhhlr, uint32_t, -, a >= b, H2, W3, set_high(cpu, insn->r1, r))
LOGICAL(op_alsih, uint32_t, +, r < a, H1, IMM, set_high(cpu, insn->r1, r))

OPERATION(op_alsihn)
{
    set_high(cpu, insn->r1, H1 + IMM_U);
    NEXT;
}

// With carry and borrow: the first bit of the condition code is the carry.
#define ADD_CARRY(name, type, a_, b_, assign)                                \
    OPERATION(name)                                                          \
    {                                                                        \
        type a = (a_), b = (b_), part, r;                                    \
        bool carry = __builtin_add_overflow(a, b, &part);                    \
        carry |= __builtin_add_overflow(part, (type)(cpu->psw.cc >> 1), &r); \
        assign;                                                              \
        cpu->psw.cc = (uint8_t)(carry << 1 | (r != 0));                      \
        NEXT;                                                                \
    }
#define SUB_BORROW(name, type, a_, b_, assign)                                   \
    OPERATION(name)                                                              \
    {                                                                            \
        type a = (a_), b = (b_), part, r;                                        \
        bool borrow = __builtin_sub_overflow(a, b, &part);                       \
        borrow |= __builtin_sub_overflow(part, (type)(!(cpu->psw.cc >> 1)), &r); \
        assign;                                                                  \
        cpu->psw.cc = (uint8_t)(!borrow << 1 | (r != 0));                        \
        NEXT;                                                                    \
    }
ADD_CARRY(op_alcr, uint32_t, W1, W2, set_low(cpu, insn->r1, r))
ADD_CARRY(op_alc, uint32_t, W1, MEM(32), set_low(cpu, insn->r1, r))
ADD_CARRY(op_alcgr, uint64_t, G1, G2, G1 = r)
ADD_CARRY(op_alcg, uint64_t, G1, MEM(64), G1 = r)
SUB_BORROW(op_slbr, uint32_t, W1, W2, set_low(cpu, insn->r1, r))
SUB_BORROW(op_slb, uint32_t, W1, MEM(32), set_low(cpu, insn->r1, r))
SUB_BORROW(op_slbgr, uint64_t, G1, G2, G1 = r)
SUB_BORROW(op_slbg, uint64_t, G1, MEM(64), G1 = r)

// --- multiply ---------------------------------------------------------------------

#define MULTIPLY_SINGLE32(name, b)                 \
    OPERATION(name)                                \
    {                                              \
        set_low(cpu, insn->r1, W1 *(uint32_t)(b)); \
        NEXT;                                      \
    }
#define MULTIPLY_SINGLE64(name, b) \
    OPERATION(name)                \
    {                              \
        G1 = G1 * (uint64_t)(b);   \
        NEXT;                      \
    }
MULTIPLY_SINGLE32(op_msr, W2)
MULTIPLY_SINGLE32(op_ms, MEM(32))
MULTIPLY_SINGLE32(op_msfi, IMM)
MULTIPLY_SINGLE32(op_mh, (int32_t)(int16_t)MEM(16))
MULTIPLY_SINGLE32(op_mhi, IMM)
MULTIPLY_SINGLE64(op_msgr, G2)
MULTIPLY_SINGLE64(op_msgfr, (int64_t)SW2)
MULTIPLY_SINGLE64(op_msg, MEM(64))
MULTIPLY_SINGLE64(op_msgf, (int64_t)(int32_t)MEM(32))
MULTIPLY_SINGLE64(op_msgfi, (int64_t)IMM)
MULTIPLY_SINGLE64(op_mghi, (int64_t)IMM)
MULTIPLY_SINGLE64(op_mgh, (int64_t)(int16_t)MEM(16))

SIGNED32(op_msrkc, __builtin_mul_overflow, W2, W3, TO_LOW)
SIGNED32(op_msc, __builtin_mul_overflow, W1, MEM(32), TO_LOW)
SIGNED64(op_msgrkc, __builtin_mul_overflow, G2, G3)
SIGNED64(op_msgc, __builtin_mul_overflow, G1, MEM(64))

static inline void check_even(struct cpu *cpu, const struct insn *insn, unsigned r)
{
    if (UNLIKELY(r & 1))
        program_check(cpu, insn, PIC_SPECIFICATION);
}

// A 64-bit product over the low halves of a register pair.
static inline void set_pair32(struct cpu *cpu, unsigned r, uint64_t value)
{
    set_low(cpu, r, (uint32_t)(value >> 32));
    set_low(cpu, r + 1, (uint32_t)value);
}

static inline void set_pair64(struct cpu *cpu, unsigned r, uint128 value)
{
    cpu->gr[r] = (uint64_t)(value >> 64);
    cpu->gr[r + 1] = (uint64_t)value;
}

#define MULTIPLY_PAIR(name, set, product) \
    OPERATION(name)                       \
    {                                     \
        check_even(cpu, insn, insn->r1);  \
        set(cpu, insn->r1, product);      \
        NEXT;                             \
    }
#define ODD32 low(cpu, insn->r1 + 1u)
#define ODD64 (cpu->gr[insn->r1 + 1])
MULTIPLY_PAIR(op_mr, set_pair32, (uint64_t)((int64_t)(int32_t)ODD32 *SW2))
MULTIPLY_PAIR(op_m, set_pair32, (uint64_t)((int64_t)(int32_t)ODD32 *(int32_t)MEM(32)))
MULTIPLY_PAIR(op_mlr, set_pair32, (uint64_t)ODD32 *W2)
MULTIPLY_PAIR(op_ml, set_pair32, (uint64_t)ODD32 *MEM(32))
MULTIPLY_PAIR(op_mlgr, set_pair64, (uint128)ODD64 *G2)
MULTIPLY_PAIR(op_mlg, set_pair64, (uint128)ODD64 *MEM(64))
MULTIPLY_PAIR(op_mgrk, set_pair64, (uint128)((int128)SG2 *(int64_t)G3))
MULTIPLY_PAIR(op_mg, set_pair64, (uint128)((int128)(int64_t)ODD64 *(int64_t)MEM(64)))

// --- divide -----------------------------------------------------------------------

// 64-bit dividend in the low halves of a pair: remainder, quotient. A quotient that does not fit,
// or a zero divisor, is a fixed-point-divide exception.
static void divide32(struct cpu *cpu, const struct insn *insn, int32_t divisor)
{
    unsigned r = insn->r1;
    int64_t dividend = (int64_t)((uint64_t)low(cpu, r) << 32 | low(cpu, r + 1));
    if (divisor == 0 || (divisor == -1 && dividend == INT64_MIN))
        program_check(cpu, insn, PIC_FIXED_DIVIDE);
    int64_t quotient = dividend / divisor;
    if (quotient != (int32_t)quotient)
        program_check(cpu, insn, PIC_FIXED_DIVIDE);
    set_low(cpu, r, (uint32_t)(dividend % divisor));
    set_low(cpu, r + 1, (uint32_t)quotient);
}

static void divide64(struct cpu *cpu, const struct insn *insn, int64_t divisor)
{
    unsigned r = insn->r1;
    int64_t dividend = (int64_t)cpu->gr[r + 1];
    if (divisor == 0 || (divisor == -1 && dividend == INT64_MIN))
        program_check(cpu, insn, PIC_FIXED_DIVIDE);
    cpu->gr[r + 1] = (uint64_t)(dividend / divisor);
    cpu->gr[r] = (uint64_t)(dividend % divisor);
}

static void divide_logical32(struct cpu *cpu, const struct insn *insn, uint32_t divisor)
{
    unsigned r = insn->r1;
    uint64_t dividend = (uint64_t)low(cpu, r) << 32 | low(cpu, r + 1);
    if (divisor == 0 || dividend / divisor > UINT32_MAX)
        program_check(cpu, insn, PIC_FIXED_DIVIDE);
    set_low(cpu, r, (uint32_t)(dividend % divisor));
    set_low(cpu, r + 1, (uint32_t)(dividend / divisor));
}

static void divide_logical64(struct cpu *cpu, const struct insn *insn, uint64_t divisor)
{
    unsigned r = insn->r1;
    if (divisor <= cpu->gr[r]) // includes zero: the quotient has more than 64 bits
        program_check(cpu, insn, PIC_FIXED_DIVIDE);
    uint128 dividend = (uint128)cpu->gr[r] << 64 | cpu->gr[r + 1];
    cpu->gr[r] = (uint64_t)(dividend % divisor);
    cpu->gr[r + 1] = (uint64_t)(dividend / divisor);
}

#define DIVIDE(name, function, divisor)  \
    OPERATION(name)                      \
    {                                    \
        check_even(cpu, insn, insn->r1); \
        function(cpu, insn, divisor);    \
        NEXT;                            \
    }
DIVIDE(op_dr, divide32, SW2)
DIVIDE(op_d, divide32, (int32_t)MEM(32))
DIVIDE(op_dlr, divide_logical32, W2)
DIVIDE(op_dl, divide_logical32, MEM(32))
DIVIDE(op_dlgr, divide_logical64, G2)
DIVIDE(op_dlg, divide_logical64, MEM(64))
DIVIDE(op_dsgr, divide64, SG2)
DIVIDE(op_dsg, divide64, (int64_t)MEM(64))
DIVIDE(op_dsgfr, divide64, SW2)
DIVIDE(op_dsgf, divide64, (int32_t)MEM(32))
