// SPDX-License-Identifier: MIT
// Loads, stores, and moves between registers and halves of registers.
// (Principles of Operation, "General Instructions".)
#include "cpu/operands.h"

#define LOAD64(name, value)     \
    OPERATION(name)             \
    {                           \
        G1 = (uint64_t)(value); \
        NEXT;                   \
    }
#define LOAD32(name, value)                        \
    OPERATION(name)                                \
    {                                              \
        set_low(cpu, insn->r1, (uint32_t)(value)); \
        NEXT;                                      \
    }
#define LOAD_HIGH(name, value)                      \
    OPERATION(name)                                 \
    {                                               \
        set_high(cpu, insn->r1, (uint32_t)(value)); \
        NEXT;                                       \
    }
#define STORE_OP(name, n, value)        \
    OPERATION(name)                     \
    {                                   \
        STORE(n, (uint##n##_t)(value)); \
        NEXT;                           \
    }

LOAD32(op_lr, W2)
LOAD64(op_lgr, G2)
LOAD64(op_lgfr, (int64_t)SW2)
LOAD64(op_llgfr, W2)
LOAD64(op_llgtr, W2 & 0x7FFFFFFF)
LOAD32(op_lbr, (int32_t)(int8_t)W2)
LOAD64(op_lgbr, (int64_t)(int8_t)W2)
LOAD32(op_lhr, (int32_t)(int16_t)W2)
LOAD64(op_lghr, (int64_t)(int16_t)W2)
LOAD32(op_llcr, (uint8_t)W2)
LOAD64(op_llgcr, (uint8_t)W2)
LOAD32(op_llhr, (uint16_t)W2)
LOAD64(op_llghr, (uint16_t)W2)
LOAD32(op_lrvr, __builtin_bswap32(W2))
LOAD64(op_lrvgr, __builtin_bswap64(G2))

LOAD32(op_l, MEM(32))
LOAD64(op_lg, MEM(64))
LOAD64(op_lgf, (int64_t)(int32_t)MEM(32))
LOAD64(op_llgf, MEM(32))
LOAD64(op_llgt, MEM(32) & 0x7FFFFFFF)
LOAD32(op_lh, (int32_t)(int16_t)MEM(16))
LOAD64(op_lgh, (int64_t)(int16_t)MEM(16))
LOAD32(op_llh, MEM(16))
LOAD64(op_llgh, MEM(16))
LOAD32(op_lb, (int32_t)(int8_t)MEM(8))
LOAD64(op_lgb, (int64_t)(int8_t)MEM(8))
LOAD32(op_llc, MEM(8))
LOAD64(op_llgc, MEM(8))
LOAD32(op_ic, (W1 & 0xFFFFFF00) | MEM(8))
LOAD32(op_lrv, __builtin_bswap32(MEM(32)))
LOAD64(op_lrvg, __builtin_bswap64(MEM(64)))
LOAD32(op_lrvh, (W1 & 0xFFFF0000) | __builtin_bswap16(MEM(16)))
LOAD32(op_lzrf, MEM(32) & 0xFFFFFF00)
LOAD64(op_lzrg, MEM(64) & ~UINT64_C(0xFF))
LOAD64(op_llzrgf, MEM(32) & 0xFFFFFF00)

LOAD_HIGH(op_lfh, MEM(32))
LOAD_HIGH(op_lbh, (int32_t)(int8_t)MEM(8))
LOAD_HIGH(op_lhh, (int32_t)(int16_t)MEM(16))
LOAD_HIGH(op_llch, MEM(8))
LOAD_HIGH(op_llhh, MEM(16))
LOAD_HIGH(op_iihf, IMM_U)

LOAD32(op_lhi, IMM)
LOAD64(op_lghi, (int64_t)IMM)
LOAD64(op_lgfi, (int64_t)IMM)
LOAD64(op_llihf, (uint64_t)IMM_U << 32)
LOAD64(op_llilf, IMM_U)
LOAD32(op_iilf, IMM_U)
LOAD64(op_llihh, (uint64_t)(uint16_t)IMM << 48)
LOAD64(op_llihl, (uint64_t)(uint16_t)IMM << 32)
LOAD64(op_llilh, (uint64_t)(uint16_t)IMM << 16)
LOAD64(op_llill, (uint16_t)IMM)
LOAD64(op_iihh, (G1 & ~(UINT64_C(0xFFFF) << 48)) | (uint64_t)(uint16_t)IMM << 48)
LOAD64(op_iihl, (G1 & ~(UINT64_C(0xFFFF) << 32)) | (uint64_t)(uint16_t)IMM << 32)
LOAD64(op_iilh, (G1 & ~(UINT64_C(0xFFFF) << 16)) | (uint64_t)(uint16_t)IMM << 16)
LOAD64(op_iill, (G1 & ~UINT64_C(0xFFFF)) | (uint16_t)IMM)

LOAD32(op_lhrl, (int32_t)(int16_t)MEM_REL(16))
LOAD64(op_lghrl, (int64_t)(int16_t)MEM_REL(16))
LOAD32(op_llhrl, MEM_REL(16))
LOAD64(op_llghrl, MEM_REL(16))
LOAD32(op_lrl, MEM_REL(32))
LOAD64(op_lgrl, MEM_REL(64))
LOAD64(op_lgfrl, (int64_t)(int32_t)MEM_REL(32))
LOAD64(op_llgfrl, MEM_REL(32))

STORE_OP(op_st, 32, W1)
STORE_OP(op_stg, 64, G1)
STORE_OP(op_sth, 16, W1)
STORE_OP(op_stc, 8, W1)
STORE_OP(op_strv, 32, __builtin_bswap32(W1))
STORE_OP(op_strvg, 64, __builtin_bswap64(G1))
STORE_OP(op_strvh, 16, __builtin_bswap16((uint16_t)W1))
STORE_OP(op_stfh, 32, H1)
STORE_OP(op_stch, 8, H1)
STORE_OP(op_sthh, 16, H1)

#define STORE_REL(name, n, value)                                \
    OPERATION(name)                                              \
    {                                                            \
        uint64_t address = aligned_relative(cpu, insn, (n) / 8); \
        STORE_AT(n, NO_REGISTER, address, (uint##n##_t)(value)); \
        NEXT;                                                    \
    }
STORE_REL(op_sthrl, 16, W1)
STORE_REL(op_strl, 32, W1)
STORE_REL(op_stgrl, 64, G1)

#define MOVE_IMMEDIATE(name, n)                                        \
    OPERATION(name)                                                    \
    {                                                                  \
        STORE_AT(n, insn->b, address_bd(cpu, insn), (uint##n##_t)IMM); \
        NEXT;                                                          \
    }
MOVE_IMMEDIATE(op_mvhhi, 16)
MOVE_IMMEDIATE(op_mvhi, 32)

OPERATION(op_mvghi)
{
    STORE_AT(64, insn->b, address_bd(cpu, insn), (uint64_t)(int64_t)IMM);
    NEXT;
}

OPERATION(op_mvi)
{
    STORE_AT(8, insn->b, address_bd(cpu, insn), insn->r1);
    NEXT;
}

// --- load address -----------------------------------------------------------------

OPERATION(op_la)
{
    set_address(cpu, insn->r1, address_bxd(cpu, insn));
    NEXT;
}

OPERATION(op_larl)
{
    set_address(cpu, insn->r1, address_relative(cpu, insn));
    NEXT;
}

// LOAD ADDRESS EXTENDED also loads the access register, by address-space control.
PLAIN(do_lae)
{
    set_address(cpu, insn->r1, address_bxd(cpu, insn));
    static const uint32_t alet[4] = {0, 0, 1, 2};
    uint32_t value = alet[cpu->psw.as];
    if (cpu->psw.as == 1)
        value = insn->b == NO_REGISTER || insn->b == 0 ? 0 : cpu->ar[insn->b];
    cpu->ar[insn->r1] = value;
}

// --- on condition -------------------------------------------------------------------

#define LOAD_ON_CONDITION(name, assign) \
    OPERATION(name)                     \
    {                                   \
        if (cc_selected(cpu, insn->m3)) \
            assign;                     \
        NEXT;                           \
    }
LOAD_ON_CONDITION(op_locr, set_low(cpu, insn->r1, W2))
LOAD_ON_CONDITION(op_locgr, G1 = G2)
LOAD_ON_CONDITION(op_locfhr, set_high(cpu, insn->r1, H2))
LOAD_ON_CONDITION(op_lochi, set_low(cpu, insn->r1, (uint32_t)IMM))
LOAD_ON_CONDITION(op_locghi, G1 = (uint64_t)(int64_t)IMM)
LOAD_ON_CONDITION(op_lochhi, set_high(cpu, insn->r1, (uint32_t)IMM))

// SELECT: M4 chooses between the second and the third operand.
#define SELECT(name, second, third, assign)                           \
    OPERATION(name)                                                   \
    {                                                                 \
        uint64_t v = cc_selected(cpu, insn->m4) ? (second) : (third); \
        assign;                                                       \
        NEXT;                                                         \
    }
SELECT(op_selr, W2, W3, set_low(cpu, insn->r1, (uint32_t)v))
SELECT(op_selgr, G2, G3, G1 = v)
SELECT(op_selfhr, H2, H3, set_high(cpu, insn->r1, (uint32_t)v))

// RSY-b: the mask is in r2. A storage operand is not touched when the condition is not met.
#define STORAGE_ON_CONDITION(name, action)            \
    OPERATION(name)                                   \
    {                                                 \
        if (cc_selected(cpu, insn->r2)) {             \
            uint64_t address = address_bd(cpu, insn); \
            action;                                   \
        }                                             \
        NEXT;                                         \
    }
STORAGE_ON_CONDITION(op_loc, set_low(cpu, insn->r1, MEM_AT(32, insn->b, address)))
STORAGE_ON_CONDITION(op_locg, G1 = MEM_AT(64, insn->b, address))
STORAGE_ON_CONDITION(op_locfh, set_high(cpu, insn->r1, MEM_AT(32, insn->b, address)))
STORAGE_ON_CONDITION(op_stoc, STORE_AT(32, insn->b, address, W1))
STORAGE_ON_CONDITION(op_stocg, STORE_AT(64, insn->b, address, G1))
STORAGE_ON_CONDITION(op_stocfh, STORE_AT(32, insn->b, address, H1))

// --- load and test, complement, positive, negative ----------------------------------

#define LOAD_TEST32(name, value)                                                          \
    CC_OPERATION(name, int32_t v = (int32_t)(value); set_low(cpu, insn->r1, (uint32_t)v); \
                 unsigned cc = cc_sign(v))
#define LOAD_TEST64(name, value) \
    CC_OPERATION(name, int64_t v = (int64_t)(value); G1 = (uint64_t)v; unsigned cc = cc_sign(v))
LOAD_TEST32(op_ltr, SW2)
LOAD_TEST32(op_lt, MEM(32))
LOAD_TEST64(op_ltgr, G2)
LOAD_TEST64(op_ltgfr, SW2)
LOAD_TEST64(op_ltg, MEM(64))
LOAD_TEST64(op_ltgf, (int32_t)MEM(32))

// Complement and absolute value overflow for the one number without a positive.
#define NEGATE32(name, when)                                  \
    OPERATION(name)                                           \
    {                                                         \
        int32_t v = SW2;                                      \
        bool overflow = (when) && v == INT32_MIN;             \
        uint32_t r = (when) ? 0u - (uint32_t)v : (uint32_t)v; \
        set_low(cpu, insn->r1, r);                            \
        cpu->psw.cc = overflow ? 3 : cc_sign((int32_t)r);     \
        if (UNLIKELY(overflow))                               \
            fixed_overflow(cpu, insn);                        \
        NEXT;                                                 \
    }
NEGATE32(op_lcr, true)
NEGATE32(op_lpr, v < 0)

#define NEGATE64(name, source, when)                          \
    OPERATION(name)                                           \
    {                                                         \
        int64_t v = (source);                                 \
        bool overflow = (when) && v == INT64_MIN;             \
        uint64_t r = (when) ? 0u - (uint64_t)v : (uint64_t)v; \
        G1 = r;                                               \
        cpu->psw.cc = overflow ? 3 : cc_sign((int64_t)r);     \
        if (UNLIKELY(overflow))                               \
            fixed_overflow(cpu, insn);                        \
        NEXT;                                                 \
    }
NEGATE64(op_lcgr, SG2, true)
NEGATE64(op_lpgr, SG2, v < 0)
NEGATE64(op_lcgfr, SW2, true)
NEGATE64(op_lpgfr, SW2, v < 0)
LOAD_TEST64(op_lngr, SG2 > 0 ? 0u - G2 : G2)
LOAD_TEST64(op_lngfr, SW2 > 0 ? -(int64_t)SW2 : (int64_t)SW2)

LOAD_TEST32(op_lnr, SW2 > 0 ? 0u - W2 : W2)

// --- load and trap ---------------------------------------------------------------

#define LOAD_TRAP(name, type, value, assign)     \
    OPERATION(name)                              \
    {                                            \
        type v = (type)(value);                  \
        assign;                                  \
        if (UNLIKELY(v == 0))                    \
            data_exception(cpu, insn, DXC_TRAP); \
        NEXT;                                    \
    }
LOAD_TRAP(op_lat, uint32_t, MEM(32), set_low(cpu, insn->r1, v))
LOAD_TRAP(op_lgat, uint64_t, MEM(64), G1 = v)
LOAD_TRAP(op_lfhat, uint32_t, MEM(32), set_high(cpu, insn->r1, v))
LOAD_TRAP(op_llgfat, uint64_t, MEM(32), G1 = v)
LOAD_TRAP(op_llgtat, uint64_t, MEM(32) & 0x7FFFFFFF, G1 = v)

// --- access registers ---------------------------------------------------------------

OPERATION(op_ear)
{
    set_low(cpu, insn->r1, cpu->ar[insn->r2]);
    NEXT;
}

OPERATION(op_sar)
{
    cpu->ar[insn->r1] = W2;
    NEXT;
}

OPERATION(op_cpya)
{
    cpu->ar[insn->r1] = cpu->ar[insn->r2];
    NEXT;
}
