// SPDX-License-Identifier: MIT
// I/O instructions: operand checks and blocks; the channel subsystem does the rest (host->io).
// (Principles of Operation, "I/O Instructions".)
#include <string.h>

#include "cpu/operands.h"

static uint8_t ask(struct cpu *cpu, enum io_instruction op, uint64_t address, uint8_t *block)
{
    check(cpu, cpu->host->io != NULL, PIC_OPERAND);
    int cc = cpu->host->io(cpu, op, low(cpu, 1), address, block);
    check(cpu, cc >= 0, PIC_OPERAND);
    return (uint8_t)cc & 3;
}

// An operand on a word boundary.
static uint64_t word_operand(struct cpu *cpu, const struct door_call *call)
{
    check(cpu, !(call->address2 & 3), PIC_SPECIFICATION);
    return call->address2;
}

static void block_in(struct cpu *cpu, const struct door_call *call, enum io_instruction op,
                     unsigned n)
{
    uint8_t block[64];
    uint64_t address = word_operand(cpu, call);
    cpu_fetch(cpu, address, block, n);
    cpu->psw.cc = ask(cpu, op, address, block);
}

// Storing must be possible before the function is performed; nothing is stored unless `stored`.
static void block_out(struct cpu *cpu, const struct door_call *call, enum io_instruction op,
                      unsigned n, unsigned stored)
{
    uint8_t block[96] = {0};
    uint64_t address = word_operand(cpu, call);
    guest_probe_store(cpu, NO_REGISTER, address, n);
    cpu->psw.cc = ask(cpu, op, address, block);
    if (stored >> cpu->psw.cc & 1)
        cpu_store(cpu, address, block, n);
}

#define CC(n) (1u << (n))

void sim_ssch(struct cpu *cpu, const struct door_call *call)
{
    block_in(cpu, call, IO_SSCH, 32);
}

void sim_msch(struct cpu *cpu, const struct door_call *call)
{
    block_in(cpu, call, IO_MSCH, 52);
}

void sim_tsch(struct cpu *cpu, const struct door_call *call)
{
    block_out(cpu, call, IO_TSCH, 64, CC(0) | CC(1));
}

void sim_stsch(struct cpu *cpu, const struct door_call *call)
{
    block_out(cpu, call, IO_STSCH, 52, CC(0));
}

void sim_stcrw(struct cpu *cpu, const struct door_call *call)
{
    block_out(cpu, call, IO_STCRW, 4, CC(0) | CC(1));
}

void sim_stcps(struct cpu *cpu, const struct door_call *call)
{
    check(cpu, !(call->address2 & 31), PIC_SPECIFICATION);
    block_out(cpu, call, IO_STCPS, 32, CC(0));
}

// With a zero address the whole code goes to the lowcore, otherwise its first two words.
void sim_tpi(struct cpu *cpu, const struct door_call *call)
{
    uint8_t block[12] = {0};
    uint64_t address = word_operand(cpu, call);
    if (address)
        guest_probe_store(cpu, NO_REGISTER, address, 8);
    cpu->psw.cc = ask(cpu, IO_TPI, address, block);
    if (cpu->psw.cc != 1)
        return;
    if (address)
        cpu_store(cpu, address, block, 8);
    else
        cpu_store_real(cpu, 0xB8, block, cpu->arch == ARCH_Z ? 12 : 8);
}

#define NO_BLOCK(name, op)                                   \
    void name(struct cpu *cpu, const struct door_call *call) \
    {                                                        \
        cpu->psw.cc = ask(cpu, op, call->address2, NULL);    \
    }
NO_BLOCK(sim_hsch, IO_HSCH)
NO_BLOCK(sim_csch, IO_CSCH)
NO_BLOCK(sim_rsch, IO_RSCH)
NO_BLOCK(sim_xsch, IO_XSCH)
NO_BLOCK(sim_rchp, IO_RCHP)
NO_BLOCK(sim_siga, IO_SIGA)

// These two have no condition code. The address limit lies on a 64 KiB boundary below 2 GiB; what
// SCHM does not know in R1 must be zero, and the measurement block be aligned when it is set.
void sim_sal(struct cpu *cpu, const struct door_call *call)
{
    check(cpu, !(low(cpu, 1) & 0x8000FFFF), PIC_OPERAND);
    ask(cpu, IO_SAL, call->address2, NULL);
}

void sim_schm(struct cpu *cpu, const struct door_call *call)
{
    (void)call;
    check(cpu, !(low(cpu, 1) & 0x0FFFFFFC), PIC_OPERAND);
    check(cpu, !(low(cpu, 1) & 2) || !(cpu->gr[2] & 31), PIC_OPERAND);
    ask(cpu, IO_SCHM, cpu->gr[2], NULL);
}

// CHANNEL SUBSYSTEM CALL: R1 addresses a page, request and response in one.
void sim_chsc(struct cpu *cpu, const struct door_call *call)
{
    uint8_t block[FRAME_SIZE];
    uint64_t address = cpu_wrap(cpu, cpu->gr[call->r1]);
    check(cpu, !(address & 0xFFF), PIC_SPECIFICATION);
    cpu_fetch(cpu, address, block, sizeof block);
    check(cpu, be16_load(block) >= 16 && be16_load(block) <= 4088 && !(be16_load(block) & 7),
          PIC_OPERAND);
    guest_probe_store(cpu, NO_REGISTER, address, sizeof block);
    cpu->psw.cc = ask(cpu, IO_CHSC, address, block);
    if (cpu->psw.cc == 0)
        cpu_store(cpu, address, block, sizeof block);
}
