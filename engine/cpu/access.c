// SPDX-License-Identifier: MIT
// Storage operands beyond the inline lookaside hit: page crossings, misses, access registers, and
// the public access functions of cpu.h.
#include "cpu/access.h"

#include <string.h>

#include "cpu/block.h"
#include "cpu/codes.h"
#include "cpu/dat.h"
#include "cpu/execute.h"
#include "cpu/psw.h"

// Host places of an operand of at most 4096 bytes: one part, or two when it crosses a page.
struct parts {
    uint8_t *host[2];
    unsigned n[2];
};

static struct parts operand_parts(struct cpu *cpu, const struct space *space, uint64_t address,
                                  unsigned n, enum access kind)
{
    struct parts p = {.n = {n, 0}};
    unsigned rest = page_rest(address);
    if (n > rest) {
        p.n[0] = rest;
        p.n[1] = n - rest;
    }
    p.host[0] = access_host(cpu, space, address, p.n[0], kind);
    if (p.n[1])
        p.host[1] = access_host(cpu, space, cpu_wrap(cpu, address + rest), p.n[1], kind);
    return p;
}

void space_read(struct cpu *cpu, const struct space *space, uint64_t address, void *to, uint32_t n)
{
    uint8_t *out = to;
    while (n > 0) {
        unsigned part = n < 4096 ? n : 4096;
        struct parts p = operand_parts(cpu, space, address, part, ACCESS_READ);
        memcpy(out, p.host[0], p.n[0]);
        if (p.n[1])
            memcpy(out + p.n[0], p.host[1], p.n[1]);
        out += part;
        n -= part;
        address = cpu_wrap(cpu, address + part);
    }
}

void space_write(struct cpu *cpu, const struct space *space, uint64_t address, const void *from,
                 uint32_t n)
{
    const uint8_t *in = from;
    for (uint32_t done = 0; n > 4096 && done < n; done += 4096) // all pages first
        access_host(cpu, space, cpu_wrap(cpu, address + done), 1, ACCESS_WRITE);
    while (n > 0) {
        unsigned part = n < 4096 ? n : 4096;
        struct parts p = operand_parts(cpu, space, address, part, ACCESS_WRITE);
        memcpy(p.host[0], in, p.n[0]);
        if (p.n[1])
            memcpy(p.host[1], in + p.n[0], p.n[1]);
        in += part;
        n -= part;
        address = cpu_wrap(cpu, address + part);
    }
}

static void note_current(struct cpu *cpu, const struct insn *insn)
{
    if (insn)
        cpu->current = insn;
}

uint64_t access_read_slow(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                          unsigned n)
{
    note_current(cpu, insn);
    struct space space = space_operand(cpu, b);
    struct parts p = operand_parts(cpu, &space, address, n, ACCESS_READ);
    uint8_t bytes[8];
    memcpy(bytes, p.host[0], p.n[0]);
    if (p.n[1])
        memcpy(bytes + p.n[0], p.host[1], p.n[1]);
    switch (n) {
    case 1:
        return bytes[0];
    case 2:
        return be16_load(bytes);
    case 4:
        return be32_load(bytes);
    default:
        return be64_load(bytes);
    }
}

// One store of the whole operand, so that others never see half.
static void store_whole(uint8_t *place, uint64_t value, unsigned n)
{
    if (n == 8)
        be64_store(place, value);
    else if (n == 4)
        be32_store(place, (uint32_t)value);
    else if (n == 2)
        be16_store(place, (uint16_t)value);
    else
        *place = (uint8_t)value;
}

// Where a store hits a page of the lowcore beyond what low-address protection covers, which is what
// kernels do there all the time; NULL when that is not sure.
static uint8_t *guarded_store(struct cpu *cpu, uint64_t address, unsigned n)
{
    const struct lookaside_write *e = &cpu->lookaside->write[lookaside_slot(address)];
    unsigned offset = (unsigned)address & 0xFFF;
    if (!cpu->context || e->tag != ((address & PAGE_MASK) | cpu->context | GUARD) || offset < 512 ||
        offset + n > 4096)
        return NULL;
    if (*e->code_lines)
        access_code_written(cpu, NULL, e, address, n);
    return (uint8_t *)(e->addend + (uintptr_t)address);
}

void access_write_slow(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                       unsigned n, uint64_t value)
{
    note_current(cpu, insn);
    uint8_t *place = guarded_store(cpu, address, n);
    if (place) {
        store_whole(place, value, n);
        return;
    }
    struct space space = space_operand(cpu, b);
    struct parts p = operand_parts(cpu, &space, address, n, ACCESS_WRITE);
    if (p.n[1] == 0) {
        store_whole(p.host[0], value, n);
        return;
    }
    uint8_t bytes[8];
    be64_store(bytes, value << (64 - 8 * n));
    memcpy(p.host[0], bytes, p.n[0]);
    memcpy(p.host[1], bytes + p.n[0], p.n[1]);
}

uint8_t *access_pointer(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                        unsigned n, enum access kind)
{
    note_current(cpu, insn);
    if (kind == ACCESS_READ) {
        const struct lookaside_entry *e = access_read_hit(cpu, address, n);
        if (LIKELY(e != NULL))
            return (uint8_t *)(e->addend + (uintptr_t)address);
    } else {
        const struct lookaside_write *e = access_write_hit(cpu, address, n);
        if (LIKELY(e != NULL)) {
            if (UNLIKELY(*e->code_lines != 0))
                access_code_written(cpu, NULL, e, address, n);
            return (uint8_t *)(e->addend + (uintptr_t)address);
        }
    }
    struct space space = space_operand(cpu, b);
    return access_host(cpu, &space, address, n, kind);
}

void guest_fetch(struct cpu *cpu, unsigned b, uint64_t address, void *to, unsigned n)
{
    const struct lookaside_entry *e = n ? access_read_hit(cpu, address, n) : NULL;
    if (e) {
        memcpy(to, (const void *)(e->addend + (uintptr_t)address), n);
        return;
    }
    struct space space = space_operand(cpu, b);
    space_read(cpu, &space, address, to, n);
}

uint8_t *guest_place(struct cpu *cpu, uint64_t address, unsigned n)
{
    const struct lookaside_write *e = n ? access_write_hit(cpu, address, n) : NULL;
    if (!e)
        return NULL;
    if (UNLIKELY(*e->code_lines != 0))
        access_code_written(cpu, NULL, e, address, n);
    return (uint8_t *)(e->addend + (uintptr_t)address);
}

const uint8_t *guest_source(struct cpu *cpu, uint64_t address, unsigned n)
{
    const struct lookaside_entry *e = n ? access_read_hit(cpu, address, n) : NULL;
    return e ? (const uint8_t *)(e->addend + (uintptr_t)address) : NULL;
}

void guest_store(struct cpu *cpu, unsigned b, uint64_t address, const void *from, unsigned n)
{
    uint8_t *place = guest_place(cpu, address, n);
    if (place) {
        memcpy(place, from, n);
        return;
    }
    struct space space = space_operand(cpu, b);
    space_write(cpu, &space, address, from, n);
}

void guest_probe_store(struct cpu *cpu, unsigned b, uint64_t address, unsigned n)
{
    if (guest_place(cpu, address, n))
        return;
    struct space space = space_operand(cpu, b);
    while (n > 0) {
        unsigned part = n < page_rest(address) ? n : page_rest(address);
        access_host(cpu, &space, address, part, ACCESS_WRITE);
        address = cpu_wrap(cpu, address + part);
        n -= part;
    }
}

void cpu_fetch(struct cpu *cpu, uint64_t address, void *to, uint32_t n)
{
    struct space space = space_operand(cpu, NO_REGISTER);
    space_read(cpu, &space, cpu_wrap(cpu, address), to, n);
}

void cpu_store(struct cpu *cpu, uint64_t address, const void *from, uint32_t n)
{
    struct space space = space_operand(cpu, NO_REGISTER);
    space_write(cpu, &space, cpu_wrap(cpu, address), from, n);
}

// Prefixing works on blocks, so a real operand is moved in parts that do not leave a frame.
static void real_access(struct cpu *cpu, uint64_t real, uint8_t *to, const uint8_t *from,
                        uint32_t n)
{
    while (n > 0) {
        uint32_t part = page_rest(real) < n ? page_rest(real) : n;
        uint64_t absolute = cpu_real_to_absolute(cpu, real);
        if (!(to ? storage_read(cpu->storage, absolute, to, part)
                 : storage_write(cpu->storage, absolute, from, part)))
            cpu_program_interruption(cpu, PIC_ADDRESSING);
        if (to)
            to += part;
        else
            from += part;
        real += part;
        n -= part;
    }
}

void cpu_fetch_real(struct cpu *cpu, uint64_t real, void *to, uint32_t n)
{
    real_access(cpu, real, to, NULL, n);
}

void cpu_store_real(struct cpu *cpu, uint64_t real, const void *from, uint32_t n)
{
    real_access(cpu, real, NULL, from, n);
}

uint64_t cpu_real_to_absolute(const struct cpu *cpu, uint64_t real)
{
    uint64_t mask = cpu->arch == ARCH_Z ? ~UINT64_C(0x1FFF) : ~UINT64_C(0xFFF);
    uint64_t block = real & mask;
    if (block == 0)
        return real | cpu->prefix;
    return block == cpu->prefix ? real & ~mask : real;
}

uint64_t cpu_wrap(const struct cpu *cpu, uint64_t address)
{
    return address & psw_address_mask(&cpu->psw);
}

int cpu_translate(struct cpu *cpu, uint64_t address, uint64_t *absolute)
{
    struct translation t;
    uint64_t asce = cpu->psw.dat ? dat_space(cpu, cpu->psw.as) : SPACE_REAL;
    uint16_t code = dat_translate(cpu, asce, cpu_wrap(cpu, address), &t);
    if (code)
        return code;
    uint64_t result = cpu_real_to_absolute(cpu, t.real);
    if (!storage_find(cpu->storage, result, 1))
        return PIC_ADDRESSING;
    *absolute = result;
    return 0;
}
