// SPDX-License-Identifier: MIT
// What binary floating-point instructions share: operands, rounding modes, IEEE exceptions.
// (Principles of Operation, "Binary-Floating-Point Instructions".)
#include "cpu/float.h"
#include "cpu/operands.h"

// --- registers ------------------------------------------------------------------------------

void float_check_registers(struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    if (f == &bfp_extended)
        check_pair(cpu, r);
}

uint128 float_register_bits(const struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    if (f == &bfp_short)
        return cpu->vr[r].high >> 32;
    if (f == &bfp_long)
        return cpu->vr[r].high;
    return (uint128)cpu->vr[r].high << 64 | cpu->vr[r + 2].high;
}

void float_set_register(struct cpu *cpu, const struct bfp_format *f, unsigned r, uint128 bits)
{
    if (f == &bfp_short) {
        cpu->vr[r].high = (cpu->vr[r].high & 0xFFFFFFFF) | (uint64_t)bits << 32;
    } else if (f == &bfp_long) {
        cpu->vr[r].high = (uint64_t)bits;
    } else {
        cpu->vr[r].high = (uint64_t)(bits >> 64);
        cpu->vr[r + 2].high = (uint64_t)bits;
    }
}

struct bfp float_number(struct cpu *cpu, const struct bfp_format *f, unsigned r)
{
    float_check_registers(cpu, f, r);
    return bfp_unpack(f, float_register_bits(cpu, f, r));
}

struct bfp float_memory_number(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    uint64_t address = address_bxd(cpu, insn);
    return bfp_unpack(f, f == &bfp_short ? guest_read32(cpu, NULL, insn->b, address)
                                         : guest_read64(cpu, NULL, insn->b, address));
}

// --- rounding modes and exceptions --------------------------------------------------------------

static enum bfp_rounding current_mode(const struct cpu *cpu)
{
    static const uint8_t modes[8] = {BFP_EVEN, BFP_TO_ZERO, BFP_UP,   BFP_DOWN,
                                     BFP_EVEN, BFP_EVEN,    BFP_EVEN, BFP_ODD};
    return modes[cpu->fpc & 7];
}

struct bfp_context float_context(const struct cpu *cpu)
{
    return (struct bfp_context){.mode = current_mode(cpu), .masks = (uint8_t)(cpu->fpc >> 24)};
}

// The M3 field of conversions: 0 as the FPC says, 1 nearest away, 3 prepare for shorter precision,
// 4-7 the four directions.
struct bfp_context float_context_m3(struct cpu *cpu, unsigned m3)
{
    static const int8_t modes[16] = {-1,     BFP_AWAY, -2, BFP_ODD, BFP_EVEN, BFP_TO_ZERO,
                                     BFP_UP, BFP_DOWN, -2, -2,      -2,       -2,
                                     -2,     -2,       -2, -2};
    struct bfp_context c = float_context(cpu);
    check(cpu, modes[m3] != -2 && (m3 != 3 || cpu_facility(cpu, 37)), PIC_SPECIFICATION);
    if (modes[m3] >= 0)
        c.mode = (enum bfp_rounding)modes[m3];
    return c;
}

// M4's second bit: no inexact exception.
void float_apply_m4(struct cpu *cpu, struct bfp_context *c, unsigned m4)
{
    if (m4 & 4 && cpu_facility(cpu, 37))
        c->raised &= (uint8_t)~BFP_INEXACT;
}

// Invalid operation and division by zero suppress when their mask is on: before the result is
// stored.
void float_signal_before(struct cpu *cpu, const struct bfp_context *c)
{
    uint8_t early = c->raised & (BFP_INVALID | BFP_DIVIDE);
    if (early & c->masks)
        data_exception(cpu, NULL, early & c->masks);
    cpu->fpc |= (uint32_t)early << 16;
}

// The others complete: the result is there when the interruption comes. A trapped exception leaves
// its flag alone.
void float_signal_after(struct cpu *cpu, const struct bfp_context *c)
{
    uint8_t late = c->raised & (BFP_OVERFLOW | BFP_UNDERFLOW | BFP_INEXACT);
    uint8_t range = late & (BFP_OVERFLOW | BFP_UNDERFLOW);
    unsigned inexact = !(late & BFP_INEXACT) ? 0 : c->incremented ? 0x0C : 0x08;
    if (range & c->masks)
        data_exception(cpu, NULL, (uint8_t)((range & c->masks) | inexact));
    cpu->fpc |= (uint32_t)range << 16;
    if (late & BFP_INEXACT & c->masks)
        data_exception(cpu, NULL, (uint8_t)inexact);
    cpu->fpc |= (uint32_t)(late & BFP_INEXACT) << 16;
}

uint8_t float_cc(struct bfp x)
{
    if (x.class >= BFP_QNAN)
        return 3;
    return x.class == BFP_ZERO ? 0 : x.negative ? 1 : 2;
}

// Rounds, stores, signals. `cc` when the instruction sets the condition code.
void float_deliver(struct cpu *cpu, struct bfp_context *c, const struct bfp_format *f, unsigned r,
                   struct bfp x, bool cc)
{
    float_signal_before(cpu, c);
    uint128 bits = bfp_round(c, f, x);
    float_set_register(cpu, f, r, bits);
    if (cc)
        cpu->psw.cc = float_cc(bfp_unpack(f, bits));
    float_signal_after(cpu, c);
}
