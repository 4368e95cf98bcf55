// SPDX-License-Identifier: MIT
// Control instructions on the PSW, the control registers and the address-space control.
// (Principles of Operation, "Control Instructions".) Plain functions here are OP_END: the PSW is
// exact.
#include "cpu/asn.h"
#include "cpu/derive.h"
#include "cpu/interlocked.h"
#include "cpu/operands.h"
#include "cpu/psw.h"

// After these the interruption code's ILC is zero if the new PSW is invalid.
static void loaded(struct cpu *cpu)
{
    cpu->breaking_event = cpu->instruction_address;
    cpu->ilc = 0;
    serialize(cpu);
}

PLAIN(do_lpswe)
{
    uint8_t image[16];
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    guest_fetch(cpu, insn->b, address, image, 16);
    psw_unpack_z(&cpu->psw, image);
    loaded(cpu);
}

PLAIN(do_lpsw)
{
    uint8_t image[8];
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    guest_fetch(cpu, insn->b, address, image, 8);
    cpu_psw_unpack_short(cpu, image);
    loaded(cpu);
}

// The system mask is the PSW's first byte; its unassigned bits are kept to be found early.
static void set_system_mask(struct cpu *cpu, uint8_t mask)
{
    cpu->psw.per = mask >> 6 & 1;
    cpu->psw.dat = mask >> 2 & 1;
    cpu->psw.io = mask >> 1 & 1;
    cpu->psw.external = mask & 1;
    cpu->psw.reserved = (cpu->psw.reserved & ~(UINT64_C(0xB8) << 56)) | (uint64_t)(mask & 0xB8)
                                                                            << 56;
}

static uint8_t system_mask(const struct cpu *cpu)
{
    return (uint8_t)(cpu->psw.per << 6 | cpu->psw.dat << 2 | cpu->psw.io << 1 | cpu->psw.external);
}

PLAIN(do_ssm)
{
    check(cpu, !(cpu->cr[0] & CR0_SSM_SUPPRESSION), PIC_SPECIAL_OPERATION);
    set_system_mask(cpu, guest_read8(cpu, NULL, insn->b, address_bd(cpu, insn)));
}

// Kernels change the I/O and external masks all the time: when nothing else changes and nothing is
// pending, the block goes on.
static bool set_interruption_masks(struct cpu *cpu, uint8_t from, uint8_t to)
{
    if ((from ^ to) & 0xFC || to & 0xB8)
        return false;
    cpu->psw.io = to >> 1 & 1;
    cpu->psw.external = to & 1;
    cpu->notice = (cpu->notice & ~(uint32_t)(PEND_EXTERNAL | PEND_IO)) |
                  (cpu->psw.external ? PEND_EXTERNAL : 0) | (cpu->psw.io ? PEND_IO : 0);
    return true;
}

static const struct insn *store_then_mask(struct cpu *cpu, const struct insn *insn, uint8_t new)
{
    uint8_t mask = system_mask(cpu);
    if (UNLIKELY(cpu->psw.problem))
        program_check(cpu, insn, PIC_PRIVILEGED);
    guest_write8(cpu, insn, insn->b, address_bd(cpu, insn), mask);
    if (LIKELY(set_interruption_masks(cpu, mask, new)) && !must_leave(cpu))
        RUN(insn + 1);
    cpu_sync(cpu, insn);
    set_system_mask(cpu, new);
    return NULL;
}

HANDLER(op_stnsm)
{
    return store_then_mask(cpu, insn, system_mask(cpu) & insn->r1);
}

HANDLER(op_stosm)
{
    return store_then_mask(cpu, insn, system_mask(cpu) | insn->r1);
}

// A key may be set or used in the problem state when the PSW-key mask (CR3) has its bit.
static bool key_permitted(const struct cpu *cpu, unsigned key)
{
    return !cpu->psw.problem || cpu->cr[3] >> (31 - key) & 1;
}

PLAIN(do_spka)
{
    unsigned key = address_bd(cpu, insn) >> 4 & 15;
    check(cpu, key_permitted(cpu, key), PIC_PRIVILEGED);
    cpu->psw.key = (uint8_t)key;
}

static void check_extraction(struct cpu *cpu)
{
    check(cpu, !cpu->psw.problem || cpu->cr[0] & CR0_EXTRACTION_AUTHORITY, PIC_PRIVILEGED);
}

PLAIN(do_ipk)
{
    (void)insn;
    check_extraction(cpu);
    cpu->gr[2] = (cpu->gr[2] & ~UINT64_C(0xFF)) | (uint64_t)cpu->psw.key << 4;
}

PLAIN(do_epsw)
{
    uint8_t image[16] = {0};
    cpu_psw_pack(cpu, image);
    set_low(cpu, insn->r1, be32_load(image));
    if (insn->r2)
        set_low(cpu, insn->r2, be32_load(image + 4) & (cpu->arch == ARCH_Z ? ~0u : 0x80000000));
}

// --- control registers -------------------------------------------------------------------

#define REGISTERS(insn) (((insn)->r2 - (insn)->r1) & 15u) + 1

PLAIN(do_lctlg)
{
    uint8_t bytes[128];
    unsigned n = REGISTERS(insn);
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    guest_fetch(cpu, insn->b, address, bytes, n * 8);
    uint64_t before = cpu->cr[0];
    for (unsigned i = 0; i < n; i++)
        cpu->cr[(insn->r1 + i) & 15] = be64_load(bytes + i * 8);
    cpu_control_changed(cpu, insn->r1, insn->r2, before);
}

PLAIN(do_lctl)
{
    uint8_t bytes[64];
    unsigned n = REGISTERS(insn);
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 3), PIC_SPECIFICATION);
    guest_fetch(cpu, insn->b, address, bytes, n * 4);
    uint64_t before = cpu->cr[0];
    for (unsigned i = 0; i < n; i++) {
        uint64_t *cr = &cpu->cr[(insn->r1 + i) & 15];
        *cr = (*cr & ~UINT64_C(0xFFFFFFFF)) | be32_load(bytes + i * 4);
    }
    cpu_control_changed(cpu, insn->r1, insn->r2, before);
}

PLAIN(do_stctg)
{
    uint8_t bytes[128];
    unsigned n = REGISTERS(insn);
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    for (unsigned i = 0; i < n; i++)
        be64_store(bytes + i * 8, cpu->cr[(insn->r1 + i) & 15]);
    guest_store(cpu, insn->b, address, bytes, n * 8);
}

PLAIN(do_stctl)
{
    uint8_t bytes[64];
    unsigned n = REGISTERS(insn);
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 3), PIC_SPECIFICATION);
    for (unsigned i = 0; i < n; i++)
        be32_store(bytes + i * 4, (uint32_t)cpu->cr[(insn->r1 + i) & 15]);
    guest_store(cpu, insn->b, address, bytes, n * 4);
}

// --- address-space control -----------------------------------------------------------------

// The instructions count primary, secondary, access register, home; the PSW swaps the middle two.
static const uint8_t as_of_code[4] = {0, 2, 1, 3};

static void set_address_space_control(struct cpu *cpu, const struct insn *insn)
{
    unsigned code = address_bd(cpu, insn) >> 8 & 15;
    check(cpu, cpu->psw.dat && cpu->cr[0] & CR0_SECONDARY_SPACE, PIC_SPECIAL_OPERATION);
    check(cpu, code != 3 || !cpu->psw.problem, PIC_PRIVILEGED);
    check(cpu, code != 2 || cpu->arch == ARCH_Z || cpu->cr[0] & CR0_ASF, PIC_SPECIAL_OPERATION);
    check(cpu, code < 4, PIC_SPECIFICATION);
    uint8_t old = cpu->psw.as;
    cpu->psw.as = as_of_code[code];
    home_space_event(cpu, old);
}

PLAIN(do_sac)
{
    set_address_space_control(cpu, insn);
}

PLAIN(do_iac)
{
    check(cpu, cpu->psw.dat, PIC_SPECIAL_OPERATION);
    check_extraction(cpu);
    uint32_t code = as_of_code[cpu->psw.as]; // the table is its own inverse
    set_low(cpu, insn->r1, (W1 & 0xFFFF00FF) | code << 8);
    cpu->psw.cc = (uint8_t)code;
}
