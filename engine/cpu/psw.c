// SPDX-License-Identifier: MIT
// The program-status word in its two formats, and what makes one invalid.
// (Principles of Operation, "Program-Status Word" and "Early Exception Recognition".)
#include "cpu/psw.h"

#include "base/bytes.h"

// High word, both formats (bits 0-31):
//
//  0 1 2    5 6 7 8    12 13 14 15 16 18 20    24 25    31
// |0|R|000|T|I|E|key  |12| M| W| P|AS|CC|mask |RI|000000|EA|
#define RESERVED_HIGH 0xB800007Eu

static void unpack_high(struct psw *psw, uint32_t w)
{
    psw->per = w >> 30 & 1;
    psw->dat = w >> 26 & 1;
    psw->io = w >> 25 & 1;
    psw->external = w >> 24 & 1;
    psw->key = w >> 20 & 15;
    psw->bit12 = w >> 19 & 1;
    psw->machine_check = w >> 18 & 1;
    psw->wait = w >> 17 & 1;
    psw->problem = w >> 16 & 1;
    psw->as = w >> 14 & 3;
    psw->cc = w >> 12 & 3;
    psw->mask = w >> 8 & 15;
    psw->ri = w >> 7 & 1;
    psw->ea = w & 1;
    psw->reserved = (uint64_t)(w & RESERVED_HIGH) << 32;
}

static uint32_t pack_high(const struct psw *psw)
{
    uint32_t w = (uint32_t)(psw->reserved >> 32) & RESERVED_HIGH;
    w |= (uint32_t)psw->per << 30 | (uint32_t)psw->dat << 26 | (uint32_t)psw->io << 25;
    w |= (uint32_t)psw->external << 24 | (uint32_t)(psw->key & 15) << 20;
    w |= (uint32_t)psw->bit12 << 19 | (uint32_t)psw->machine_check << 18;
    w |= (uint32_t)psw->wait << 17 | (uint32_t)psw->problem << 16;
    w |= (uint32_t)(psw->as & 3) << 14 | (uint32_t)(psw->cc & 3) << 12;
    w |= (uint32_t)(psw->mask & 15) << 8 | (uint32_t)psw->ri << 7 | psw->ea;
    return w;
}

void psw_unpack_z(struct psw *psw, const uint8_t in[16])
{
    uint32_t low = be32_load(in + 4);
    unpack_high(psw, be32_load(in));
    psw->ba = low >> 31;
    psw->reserved |= low & 0x7FFFFFFF;
    psw->address = be64_load(in + 8);
}

void psw_unpack_esa(struct psw *psw, const uint8_t in[8])
{
    uint32_t low = be32_load(in + 4);
    unpack_high(psw, be32_load(in));
    psw->ba = low >> 31;
    psw->address = low & 0x7FFFFFFF;
}

void psw_pack_z(const struct psw *psw, uint8_t out[16])
{
    be32_store(out, pack_high(psw));
    be32_store(out + 4, (uint32_t)psw->ba << 31 | ((uint32_t)psw->reserved & 0x7FFFFFFF));
    be64_store(out + 8, psw->address);
}

void psw_pack_esa(const struct psw *psw, uint8_t out[8])
{
    be32_store(out, pack_high(psw));
    be32_store(out + 4, (uint32_t)psw->ba << 31 | ((uint32_t)psw->address & 0x7FFFFFFF));
}

bool psw_valid(const struct psw *psw, enum architecture arch)
{
    if (psw->reserved || psw->ri)
        return false;
    if (!psw->ba && psw->address >> 24)
        return false;
    if (arch == ARCH_ESA390)
        return psw->bit12 && !psw->ea;
    if (psw->bit12 || (psw->ea && !psw->ba))
        return false;
    return psw->ea || psw->address >> 31 == 0;
}

uint64_t psw_address_mask(const struct psw *psw)
{
    if (psw->ea)
        return ~UINT64_C(0);
    return psw->ba ? 0x7FFFFFFF : 0xFFFFFF;
}

void cpu_psw_pack(const struct cpu *cpu, uint8_t out[16])
{
    if (cpu->arch == ARCH_Z)
        psw_pack_z(&cpu->psw, out);
    else
        psw_pack_esa(&cpu->psw, out);
}

void cpu_psw_unpack(struct cpu *cpu, const uint8_t in[16])
{
    if (cpu->arch == ARCH_Z)
        psw_unpack_z(&cpu->psw, in);
    else
        psw_unpack_esa(&cpu->psw, in);
}

void cpu_psw_unpack_short(struct cpu *cpu, const uint8_t in[8])
{
    psw_unpack_esa(&cpu->psw, in);
    // In z/Architecture mode the operand's bit 12 must be one and is stored as zero; inverted
    // here, a wrong one is found by the early check.
    if (cpu->arch == ARCH_Z)
        cpu->psw.bit12 = !cpu->psw.bit12;
}
