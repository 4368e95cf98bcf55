// SPDX-License-Identifier: MIT
// Floating-point registers moved, loaded and stored without arithmetic; the FPC register.
// (Principles of Operation, "Floating-Point Overview and Support Instructions".)
#include "cpu/float.h"
#include "cpu/operands.h"

// Registers other than 0, 2, 4, 6 are there under AFP-register control only.
static inline void check_afp(struct cpu *cpu, const struct insn *insn, unsigned r)
{
    if (UNLIKELY(r & 9) && !(cpu->cr[0] & CR0_AFP))
        data_exception(cpu, insn, DXC_AFP_REGISTER);
}

#define F1        (cpu->vr[insn->r1].high)
#define F2        (cpu->vr[insn->r2].high)
#define SHORT(v)  ((uint64_t)(uint32_t)(v) << 32)
#define LEFT_HALF UINT64_C(0xFFFFFFFF00000000)

#define FLOAT_LOAD(name, value)         \
    OPERATION(name)                     \
    {                                   \
        check_afp(cpu, insn, insn->r1); \
        F1 = (value);                   \
        NEXT;                           \
    }
#define FLOAT_STORE(name, bits, value)  \
    OPERATION(name)                     \
    {                                   \
        check_afp(cpu, insn, insn->r1); \
        STORE(bits, value);             \
        NEXT;                           \
    }
#define FLOAT_MOVE(name, value)                    \
    OPERATION(name)                                \
    {                                              \
        check_afp(cpu, insn, insn->r1 | insn->r2); \
        F1 = (value);                              \
        NEXT;                                      \
    }
FLOAT_LOAD(op_ld, MEM(64))
FLOAT_LOAD(op_le, (F1 & 0xFFFFFFFF) | SHORT(MEM(32)))
FLOAT_STORE(op_std, 64, F1)
FLOAT_STORE(op_ste, 32, (uint32_t)(F1 >> 32))
FLOAT_MOVE(op_ldr, F2)
FLOAT_MOVE(op_ler, (F1 & 0xFFFFFFFF) | (F2 & LEFT_HALF))
FLOAT_LOAD(op_lzer, F1 & 0xFFFFFFFF)
FLOAT_LOAD(op_lzdr, 0)
FLOAT_LOAD(op_ldgr, G2)
FLOAT_MOVE(op_lpdfr, F2 & ~SIGN64)
FLOAT_MOVE(op_lndfr, F2 | SIGN64)
FLOAT_MOVE(op_lcdfr, F2 ^ SIGN64)

OPERATION(op_lgdr)
{
    check_afp(cpu, insn, insn->r2);
    G1 = F2;
    NEXT;
}

// COPY SIGN: R3's sign on R2's number.
OPERATION(op_cpsdr)
{
    check_afp(cpu, insn, insn->r1 | insn->r2 | insn->r3);
    F1 = (F2 & ~SIGN64) | (cpu->vr[insn->r3].high & SIGN64);
    NEXT;
}

PLAIN(do_lxr)
{
    check_pair(cpu, insn->r1);
    check_pair(cpu, insn->r2);
    cpu->vr[insn->r1 + 2].high = cpu->vr[insn->r2 + 2].high;
    F1 = F2;
}

PLAIN(do_lzxr)
{
    check_pair(cpu, insn->r1);
    F1 = cpu->vr[insn->r1 + 2].high = 0;
}

// --- the FPC register ---------------------------------------------------------------------
//
//  0      6 8     14 16    24 25 28 29  31
// |masks   | flags   | DXC   |  |DRM | |BRM |
//
// Valid contents: unassigned bits zero, and a rounding mode that exists. The sixth mask and flag
// are the quantum exception's.
void set_fpc(struct cpu *cpu, uint32_t value)
{
    unsigned brm = value & 7;
    bool extended = cpu_facility(cpu, 37), decimal = extended || cpu_facility(cpu, 42);
    uint32_t unassigned = extended ? 0x03030088 : decimal ? 0x07070088 : 0x070700F8;
    bool valid = !(value & unassigned) && (extended ? brm < 4 || brm == 7 : brm < 4);
    check(cpu, valid, PIC_SPECIFICATION);
    cpu->fpc = value;
}

PLAIN(do_lfpc)
{
    set_fpc(cpu, guest_read32(cpu, NULL, insn->b, address_bd(cpu, insn)));
}

PLAIN(do_stfpc)
{
    guest_write32(cpu, NULL, insn->b, address_bd(cpu, insn), cpu->fpc);
}

PLAIN(do_sfpc)
{
    set_fpc(cpu, W1);
}

PLAIN(do_efpc)
{
    set_low(cpu, insn->r1, cpu->fpc);
}

PLAIN(do_srnm)
{
    cpu->fpc = (cpu->fpc & ~UINT32_C(7)) | (uint32_t)(address_bd(cpu, insn) & 3);
}

PLAIN(do_srnmb)
{
    uint64_t mode = address_bd(cpu, insn) & 0xFF; // the rest of the address does not matter
    check(cpu, !(mode & ~UINT64_C(7)) && (mode < 4 || mode == 7), PIC_SPECIFICATION);
    cpu->fpc = (cpu->fpc & ~UINT32_C(7)) | (uint32_t)mode;
}

// LOAD FPC AND SIGNAL, SET FPC AND SIGNAL: exceptions whose flags the old FPC has on and whose
// masks the new one enables are simulated: a data exception with three added to the code.
static void load_and_signal(struct cpu *cpu, uint32_t value)
{
    uint32_t flags = cpu->fpc >> 16 & (cpu_facility(cpu, 37) ? 0xFC : 0xF8);
    set_fpc(cpu, value);
    cpu->fpc |= flags << 16;
    uint32_t enabled = flags & value >> 24;
    if (!enabled)
        return;
    uint8_t first = (uint8_t)(0x80 >> (__builtin_clz(enabled) - 24));
    if (first == BFP_OVERFLOW || first == BFP_UNDERFLOW)
        first |= enabled & BFP_INEXACT;
    data_exception(cpu, NULL, first | 3);
}

PLAIN(do_lfas)
{
    load_and_signal(cpu, guest_read32(cpu, NULL, insn->b, address_bd(cpu, insn)));
}

PLAIN(do_sfasr)
{
    load_and_signal(cpu, W1);
}
