// SPDX-License-Identifier: MIT
// Control instructions on storage: prefix, tests, operands by real address.
// (Principles of Operation, "Control Instructions".)
#include "cpu/dat.h"
#include "cpu/derive.h"
#include "cpu/operands.h"
#include "cpu/per.h"

// --- prefix -------------------------------------------------------------------------------

void sim_spx(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[4];
    check(cpu, !(call->address2 & 3), PIC_SPECIFICATION);
    cpu_fetch(cpu, call->address2, bytes, 4);
    uint64_t prefix = be32_load(bytes) & (cpu->arch == ARCH_Z ? 0x7FFFE000 : 0x7FFFF000);
    uint64_t size = cpu->arch == ARCH_Z ? 0x2000 : 0x1000;
    check(cpu, storage_find(cpu->storage, prefix, size) != NULL, PIC_ADDRESSING);
    cpu->prefix = prefix;
    cpu_flush(cpu);
}

void sim_stpx(struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[4];
    check(cpu, !(call->address2 & 3), PIC_SPECIFICATION);
    be32_store(bytes, (uint32_t)cpu->prefix);
    cpu_store(cpu, call->address2, bytes, 4);
}

// --- test protection, test block -------------------------------------------------------------

// cc 0 store and fetch, 1 fetch only, 2 neither, 3 translation not available.
PLAIN(do_tprot)
{
    struct space space = {.asce = SPACE_REAL};
    uint64_t address = address_bd(cpu, insn);
    if (cpu->psw.dat) {
        uint16_t code = space_find(cpu, insn->b, cpu->psw.as, &space);
        check(cpu, code != PIC_ADDRESSING, code);
        if (code) {
            cpu->psw.cc = 3;
            return;
        }
    }
    space.key = address_bd2(cpu, insn) >> 4 & 15;
    space.context = space_context(cpu, space.asce, space.key);
    uint8_t *host;
    uint16_t fetch = access_try(cpu, &space, address, 1, ACCESS_READ, &host);
    struct translation t;
    uint16_t translated = dat_translate(cpu, space.asce, address, &t);
    if (translated == PIC_TRANSLATION_SPECIFICATION || translated == PIC_ADDRESSING)
        cpu_program_interruption(cpu, translated);
    if (translated) {
        cpu->psw.cc = 3;
        return;
    }
    if (fetch == PIC_ADDRESSING)
        cpu_program_interruption(cpu, fetch);
    if (fetch) {
        cpu->psw.cc = 2;
        return;
    }
    cpu->psw.cc = access_may_store(cpu, &space, address) ? 0 : 1;
}

PLAIN(do_tb)
{
    uint64_t real = cpu_wrap(cpu, G2) & PAGE_MASK;
    if (cpu->cr[0] & CR0_LOW_PROTECTION && real < 0x2000 && (real & 0x1000) <= 0x1000 &&
        (real == 0 || (real == 0x1000 && cpu->arch == ARCH_Z))) {
        cpu->fault.teid = real | (cpu_facility(cpu, 131) ? 0x80 : 0);
        cpu_program_interruption(cpu, PIC_PROTECTION);
    }
    static const uint8_t zeros[FRAME_SIZE];
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    check(cpu, storage_write(cpu->storage, absolute, zeros, FRAME_SIZE), PIC_ADDRESSING);
    cpu->gr[0] = 0;
    cpu->psw.cc = 0;
}

// --- real-address operands ---------------------------------------------------------------------

// A store by real address is no storage alteration; it is an event of its own.
static void store_real(struct cpu *cpu, const struct insn *insn, unsigned n, uint64_t value)
{
    uint8_t events = cpu->fault.per_code;
    uint64_t address = cpu_wrap(cpu, G2);
    check(cpu, !(address & (n - 1)), PIC_SPECIFICATION);
    struct space space = space_real(cpu);
    space.key = cpu->psw.key;
    space.context = space_context(cpu, space.asce, space.key);
    uint8_t *host = access_host(cpu, &space, address, n, ACCESS_WRITE);
    if (n == 4)
        be32_store(host, (uint32_t)value);
    else
        be64_store(host, value);
    cpu->fault.per_code = events;
    per_note_store_real(cpu);
}

PLAIN(do_stura)
{
    store_real(cpu, insn, 4, W1);
}

PLAIN(do_sturg)
{
    store_real(cpu, insn, 8, G1);
}

static uint64_t load_real(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint64_t address = cpu_wrap(cpu, G2);
    check(cpu, !(address & (n - 1)), PIC_SPECIFICATION);
    struct space space = space_real(cpu);
    space.key = cpu->psw.key;
    space.context = space_context(cpu, space.asce, space.key);
    const uint8_t *host = access_host(cpu, &space, address, n, ACCESS_READ);
    return n == 4 ? be32_load(host) : be64_load(host);
}

PLAIN(do_lura)
{
    set_low(cpu, insn->r1, (uint32_t)load_real(cpu, insn, 4));
}

PLAIN(do_lurag)
{
    G1 = load_real(cpu, insn, 8);
}
