// SPDX-License-Identifier: MIT
// Identification, signalling and service instructions: what stands behind the door, and facilities.
// (Principles of Operation, "Control Instructions".)
#include <string.h>

#include "cpu/operands.h"

void sim_stidp(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[8];
    check(cpu, !(call->address2 & 7), PIC_SPECIFICATION);
    be64_store(bytes, cpu->cpu_id);
    cpu_store(cpu, call->address2, bytes, 8);
}

void sim_stap(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[2];
    check(cpu, !(call->address2 & 1), PIC_SPECIFICATION);
    be16_store(bytes, cpu->address);
    cpu_store(cpu, call->address2, bytes, 2);
}

// R1 takes the status; the parameter is in R1 or the next register, whichever is odd.
void sim_sigp(struct cpu *cpu, const struct door_call *call)
{
    uint32_t status = 0;
    uint64_t parameter = cpu->gr[call->r1 | 1];
    if (!cpu->host->sigp) {
        cpu->psw.cc = 3;
        return;
    }
    int cc = cpu->host->sigp(cpu, (uint8_t)call->address2, (uint16_t)cpu->gr[call->r3], parameter,
                             &status);
    if (cc == 1)
        set_low(cpu, call->r1, status);
    cpu->psw.cc = (uint8_t)cc & 3;
}

// R1 the command word, R2 the SCCB's real address: a doubleword below 2 GiB, outside the lowcore.
void sim_servc(struct cpu *cpu, const struct door_call *call)
{
    uint64_t sccb = cpu->gr[call->r2];
    check(cpu, !(sccb & ~UINT64_C(0x7FFFFFF8)), PIC_SPECIFICATION);
    uint64_t absolute = cpu_real_to_absolute(cpu, sccb);
    check(cpu, (sccb & ~UINT64_C(0x1FFF)) != 0 && (sccb & ~UINT64_C(0x1FFF)) != cpu->prefix,
          PIC_SPECIFICATION);
    check(cpu, storage_find(cpu->storage, absolute, 8) != NULL, PIC_ADDRESSING);
    cpu->psw.cc = cpu->host->service_call
                      ? (uint8_t)cpu->host->service_call(cpu, low(cpu, call->r1), absolute) & 3
                      : 3;
}

void sim_stsi(struct cpu *cpu, const struct door_call *call)
{
    uint32_t r0 = low(cpu, 0), r1 = low(cpu, 1);
    unsigned fc = r0 >> 28;
    if (fc > 3 && fc != 15) {
        cpu->psw.cc = 3;
        return;
    }
    check(cpu, !(r0 & 0x0FFFFF00) && !(r1 & 0xFFFF0000), PIC_SPECIFICATION);
    if (fc == 0) {
        unsigned level = cpu->host->current_level ? cpu->host->current_level(cpu) : 1;
        set_low(cpu, 0, level << 28);
        cpu->psw.cc = 0;
        return;
    }
    check(cpu, !(call->address2 & 0xFFF), PIC_SPECIFICATION);
    uint8_t block[4096] = {0};
    if (!cpu->host->stsi || cpu->host->stsi(cpu, fc, r0 & 0xFF, r1 & 0xFFFF, block) != 0) {
        cpu->psw.cc = 3;
        return;
    }
    cpu_store(cpu, call->address2, block, sizeof block);
    cpu->psw.cc = 0;
}

void sim_diag(struct cpu *cpu, const struct door_call *call)
{
    if (!cpu->host->diagnose || !cpu->host->diagnose(cpu, call))
        cpu_program_interruption(cpu, PIC_SPECIFICATION);
}

// IUCV is CP's alone: a bare machine has no such instruction.
void sim_iucv(struct cpu *cpu, const struct door_call *call)
{
    (void)call;
    cpu_program_interruption(cpu, PIC_OPERATION);
}

// PERFORM TOPOLOGY FUNCTION: 0 and 1 ask for a polarisation (cc 1, nothing changes; 2 with a
// reason: it is in effect already), 2 asks whether a change report is pending (cc 0: no).
void sim_ptf(struct cpu *cpu, const struct door_call *call)
{
    unsigned function = (unsigned)cpu->gr[call->r1] & 0xFF;
    check(cpu, !(cpu->gr[call->r1] & ~UINT64_C(0xFF)) && function <= 2, PIC_SPECIFICATION);
    if (function == 2) {
        cpu->psw.cc = 0;
        return;
    }
    cpu->gr[call->r1] = (function == 0 ? 1 : 0) << 8 | function; // 1: already so; 0: no reason
    cpu->psw.cc = 2;
}

// --- facilities -----------------------------------------------------------------------------

PLAIN(do_stfl)
{
    (void)insn;
    uint8_t bytes[4];
    be32_store(bytes, (uint32_t)(cpu->facilities[0] >> 32));
    cpu_store_real(cpu, 0xC8, bytes, 4);
}

PLAIN(do_stfle)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    unsigned room = ((unsigned)cpu->gr[0] & 0xFF) + 1, have = 4;
    while (have > 1 && cpu->facilities[have - 1] == 0)
        have--;
    uint8_t bytes[32];
    unsigned n = room < have ? room : have;
    for (unsigned i = 0; i < n; i++)
        be64_store(bytes + i * 8, cpu->facilities[i]);
    guest_store(cpu, insn->b, address, bytes, n * 8);
    cpu->gr[0] = (cpu->gr[0] & ~UINT64_C(0xFF)) | (have - 1);
    cpu->psw.cc = room < have ? 3 : 0;
}

// EXTRACT CPU ATTRIBUTE: no cache levels to tell of; every attribute is unknown (all ones).
PLAIN(do_ecag)
{
    unsigned attribute = address_bd(cpu, insn) >> 4 & 15;
    G1 = attribute == 0 ? 0 : ~UINT64_C(0);
}

PLAIN(do_lpp)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    cpu->program_parameter = guest_read64(cpu, NULL, insn->b, address);
}
