// SPDX-License-Identifier: MIT
// Storage access: spaces, the checks of one access, and the lookaside tables that remember them.
// (Principles of Operation, "Protection", "Dynamic Address Translation", "Prefixing".)
#include "cpu/lookaside.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/access.h"
#include "cpu/art.h"
#include "cpu/block.h"
#include "cpu/codes.h"
#include "cpu/dat.h"
#include "cpu/execute.h"
#include "cpu/per.h"

// All ones is no page with any context.
static void clear_tables(struct lookaside *l)
{
    memset(l->read, 0xFF, sizeof l->read);
    memset(l->write, 0xFF, sizeof l->write);
    memset(l->fetch, 0xFF, sizeof l->fetch);
}

struct lookaside *lookaside_new(void)
{
    struct lookaside *lookaside = mem_zero(1, sizeof *lookaside);
    clear_tables(lookaside);
    return lookaside;
}

void lookaside_free(struct lookaside *lookaside)
{
    free(lookaside);
}

void lookaside_flush(struct lookaside *lookaside)
{
    memset(lookaside->context, 0, sizeof lookaside->context);
    // Old numbers match nothing from here on; the tables are cleared when numbers run out.
    if (lookaside->context_last >= CONTEXT_LAST - CONTEXT_SLOTS) {
        clear_tables(lookaside);
        lookaside->context_last = 0;
    }
}

uint32_t space_context(struct cpu *cpu, uint64_t asce, uint8_t key)
{
    struct lookaside *l = cpu->lookaside;
    unsigned slot =
        (unsigned)(asce >> 12 ^ asce >> 17 ^ asce >> 31 ^ key * 5u) & (CONTEXT_SLOTS - 1);
    if (l->context[slot].number && l->context[slot].asce == asce && l->context[slot].key == key)
        return l->context[slot].number;
    if (l->context_last >= CONTEXT_LAST) {
        lookaside_flush(l);
        // Whoever holds a number from before must not meet it again.
        cpu->context = cpu->context_fetch = 0;
        cpu_pend(cpu, PEND_FLUSH);
    }
    l->context[slot].asce = asce;
    l->context[slot].key = key;
    l->context[slot].number = ++l->context_last;
    return l->context_last;
}

// --- spaces -------------------------------------------------------------------

struct space space_real(struct cpu *cpu)
{
    return (struct space){.asce = SPACE_REAL, .context = space_context(cpu, SPACE_REAL, 0)};
}

struct space space_select(struct cpu *cpu, unsigned as, uint8_t key)
{
    struct space s = {.asce = dat_space(cpu, as), .key = key, .id = (uint8_t)as};
    s.context = space_context(cpu, s.asce, key);
    return s;
}

uint16_t space_find(struct cpu *cpu, unsigned b, unsigned as, struct space *space)
{
    *space = (struct space){.key = cpu->psw.key, .id = (uint8_t)as};
    uint16_t code = 0;
    if (as == 1) {
        space->ar = b & 15;
        uint32_t alet = b == NO_REGISTER || b == 0 ? 0 : cpu->ar[b];
        code = art_translate(cpu, alet, &space->asce, &space->fetch_only);
        cpu->fault.access_id = space->ar;
    } else {
        space->asce = dat_space(cpu, as);
    }
    if (!code)
        space->context = space_context(cpu, space->asce, space->key);
    return code;
}

static struct space space_by_psw(struct cpu *cpu, unsigned b)
{
    struct space space;
    if (!cpu->psw.dat) {
        space = (struct space){.asce = SPACE_REAL, .key = cpu->psw.key};
        space.context = space_context(cpu, space.asce, space.key);
        return space;
    }
    if (cpu->psw.as != 1)
        return space_select(cpu, cpu->psw.as, cpu->psw.key);
    uint16_t code = space_find(cpu, b, 1, &space);
    if (code)
        cpu_program_interruption(cpu, code);
    return space;
}

struct space space_operand(struct cpu *cpu, unsigned b)
{
    struct space space = space_by_psw(cpu, b);
    space.operand = (uint8_t)(b + 1);
    return space;
}

// --- one access ---------------------------------------------------------------

static bool low_protected(const struct cpu *cpu, const struct space *space, uint64_t address)
{
    if (!(cpu->cr[0] & CR0_LOW_PROTECTION) || address >> 13 || dat_private(cpu, space->asce))
        return false;
    unsigned offset = (unsigned)address & 0xFFF;
    if (cpu->arch == ARCH_ESA390 && address >> 12)
        return false;
    return offset < 512; // an access that begins at 512 or above touches no protected byte
}

static bool key_allows(const struct cpu *cpu, const struct space *space, uint64_t address,
                       uint8_t key, enum access kind)
{
    unsigned acc = key >> 4;
    if (space->key == 0 || acc == space->key)
        return true;
    if (acc == 9 && cpu->cr[0] & CR0_STORAGE_OVERRIDE)
        return true;
    if (kind == ACCESS_WRITE)
        return false;
    if (!(key & KEY_F))
        return true;
    return cpu->cr[0] & CR0_FETCH_OVERRIDE && address < 2048 && !dat_private(cpu, space->asce);
}

// Kinds of protection as the TEID tells them (bits 56, 60 and 61); key and low-address protection
// only with the enhanced suppression-on-protection facility 2.
#define BY_DAT         0x04u
#define BY_KEY         0x08u
#define BY_ACCESS_LIST 0x0Cu
#define BY_LOW_ADDRESS 0x80u
#define BY_EXECUTION   0x84u

static uint16_t refuse(struct cpu *cpu, const struct space *space, uint64_t address,
                       enum access kind, uint16_t code, unsigned extra)
{
    if ((extra == BY_KEY || extra == BY_LOW_ADDRESS) && !cpu_facility(cpu, 131))
        extra = 0;
    cpu->fault.teid = (address & PAGE_MASK) | space->id | extra;
    if (cpu_facility(cpu, 75))
        cpu->fault.teid |= kind == ACCESS_WRITE ? 0x400 : 0x800;
    cpu->fault.access_id = space->ar;
    return code;
}

// Everything about one access that the tables do not remember.
struct access_result {
    struct storage_extent *extent;
    uint64_t absolute;
    uint8_t *key;
};

// All checks of one access; changes nothing but cpu->fault.
static uint16_t access_check(struct cpu *cpu, const struct space *space, uint64_t address,
                             enum access kind, struct access_result *out)
{
    if (kind == ACCESS_WRITE && low_protected(cpu, space, address))
        return refuse(cpu, space, address, kind, PIC_PROTECTION, BY_LOW_ADDRESS);
    struct translation t;
    uint16_t code = dat_translate(cpu, space->asce, address, &t);
    if (code)
        return refuse(cpu, space, address, kind, code, 0);
    if (kind == ACCESS_WRITE && space->fetch_only)
        return refuse(cpu, space, address, kind, PIC_PROTECTION, BY_ACCESS_LIST);
    if (kind == ACCESS_WRITE && t.protected)
        return refuse(cpu, space, address, kind, PIC_PROTECTION, BY_DAT);
    if (kind == ACCESS_FETCH && t.no_execute)
        return refuse(cpu, space, address, kind, PIC_PROTECTION, BY_EXECUTION);
    out->absolute = cpu_real_to_absolute(cpu, t.real);
    out->extent = storage_find(cpu->storage, out->absolute, 1);
    if (!out->extent)
        return refuse(cpu, space, address, kind, PIC_ADDRESSING, 0);
    out->key = &out->extent->keys[(out->absolute - out->extent->start) >> FRAME_SHIFT];
    uint8_t key = __atomic_load_n(out->key, __ATOMIC_RELAXED); // others note accesses, too
    if (!key_allows(cpu, space, address, key, kind) ||
        (kind == ACCESS_WRITE && out->extent->read_only))
        return refuse(cpu, space, address, kind, PIC_PROTECTION, BY_KEY);
    return 0;
}

static uint16_t access_walk(struct cpu *cpu, const struct space *space, uint64_t address,
                            enum access kind, struct access_result *out)
{
    uint16_t code = access_check(cpu, space, address, kind, out);
    if (code)
        return code;
    uint8_t bits = kind == ACCESS_WRITE ? KEY_R | KEY_C : KEY_R;
    if ((__atomic_load_n(out->key, __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(out->key, bits, __ATOMIC_RELAXED);
    return 0;
}

bool access_may_store(struct cpu *cpu, const struct space *space, uint64_t address)
{
    struct access_result r;
    return access_check(cpu, space, address, ACCESS_WRITE, &r) == 0;
}

// May the next access to this page, anywhere in it, pass without a look?
static uint32_t guard_for(const struct cpu *cpu, const struct space *space, uint64_t address,
                          enum access kind)
{
    if (kind == ACCESS_WRITE && address >> 13 == 0 && cpu->cr[0] & CR0_LOW_PROTECTION)
        return GUARD;
    if (kind != ACCESS_WRITE && address >> 12 == 0 && space->key && cpu->cr[0] & CR0_FETCH_OVERRIDE)
        return GUARD;
    return 0;
}

static void fill(struct cpu *cpu, const struct space *space, uint64_t address, enum access kind,
                 const struct access_result *r, uint8_t *host)
{
    struct lookaside *l = cpu->lookaside;
    unsigned slot = lookaside_slot(address);
    uint64_t tag = (address & PAGE_MASK) | space->context | guard_for(cpu, space, address, kind);
    uintptr_t addend = (uintptr_t)host - (uintptr_t)address;
    if (kind == ACCESS_READ) {
        l->read[slot] = (struct lookaside_entry){tag, addend};
    } else if (kind == ACCESS_WRITE) {
        uint64_t frame = (r->absolute - r->extent->start) >> FRAME_SHIFT;
        l->write[slot] = (struct lookaside_write){tag, addend, &r->extent->code_lines[frame],
                                                  r->absolute & PAGE_MASK};
    }
}

static void code_written(struct cpu *cpu, const uint64_t *lines, uint64_t absolute, unsigned n)
{
    if (*(const volatile uint64_t *)lines == 0)
        return;
    struct lookaside_write e = {.code_lines = lines, .absolute = absolute & PAGE_MASK};
    access_code_written(cpu, NULL, &e, absolute, n);
}

// The tables' answer when it needs no more checks, or NULL.
static uint8_t *probe(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                      enum access kind)
{
    unsigned slot = lookaside_slot(address);
    uint64_t tag = (address & PAGE_MASK) | space->context;
    if (kind == ACCESS_READ) {
        const struct lookaside_entry *e = &cpu->lookaside->read[slot];
        return e->tag == tag ? (uint8_t *)(e->addend + (uintptr_t)address) : NULL;
    }
    const struct lookaside_write *e = &cpu->lookaside->write[slot];
    if ((e->tag & ~(uint64_t)GUARD) != tag || space->fetch_only)
        return NULL;
    if (e->tag & GUARD && low_protected(cpu, space, address))
        return NULL;
    code_written(cpu, e->code_lines, e->absolute | (address & 0xFFF), n);
    return (uint8_t *)(e->addend + (uintptr_t)address);
}

uint16_t access_try(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                    enum access kind, uint8_t **host)
{
    if (UNLIKELY(cpu->psw.per))
        per_note_access(cpu, space, address, n, kind);
    *host = probe(cpu, space, address, n, kind);
    if (*host)
        return 0;
    struct access_result r;
    uint16_t code = access_walk(cpu, space, address, kind, &r);
    if (code)
        return code;
    uint64_t offset = r.absolute - r.extent->start;
    *host = r.extent->bytes + offset;
    if (kind == ACCESS_WRITE)
        code_written(cpu, &r.extent->code_lines[offset >> FRAME_SHIFT], r.absolute, n);
    if (!space->fetch_only)
        fill(cpu, space, address, kind, &r, *host);
    return 0;
}

uint8_t *access_host(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                     enum access kind)
{
    uint8_t *host;
    uint16_t code = access_try(cpu, space, address, n, kind, &host);
    if (code)
        cpu_program_interruption(cpu, code);
    return host;
}

// --- decoded code is overwritten -----------------------------------------------

// The running block is stale: leave it after the current instruction. Its contents no longer
// matter to anybody, so the way out is written into it.
static void leave_after(struct cpu *cpu, const struct insn *insn)
{
    const struct insn *in_block = insn;
    for (unsigned i = 0; i < EXECUTE_SLOTS; i++) {
        if (insn == &cpu->blocks->execute[i].insn[0])
            in_block = cpu->blocks->execute[i].from;
    }
    const struct insn *first = in_block - (in_block->done - 1);
    const struct block *block =
        (const struct block *)((const char *)first - offsetof(struct block, insn));
    if (!block_valid(block))
        ((struct insn *)insn)[1].run = op_stale;
}

void access_code_written(struct cpu *cpu, const struct insn *insn, const struct lookaside_write *e,
                         uint64_t address, unsigned n)
{
    uint64_t offset = address & 0xFFF;
    unsigned first = (unsigned)offset >> 6, last = (unsigned)(offset + n - 1) >> 6;
    if (last > 63)
        last = 63;
    uint64_t mask = (~UINT64_C(0) << first) & (~UINT64_C(0) >> (63 - last));
    if (!(__atomic_load_n(e->code_lines, __ATOMIC_RELAXED) & mask))
        return;
    if (!storage_code_changed(cpu->storage, e->absolute + offset, n))
        return;
    if (!insn)
        insn = cpu->current;
    if (insn)
        leave_after(cpu, insn);
}

// --- instruction fetch ----------------------------------------------------------

const struct lookaside_fetch *access_fetch(struct cpu *cpu, uint64_t address)
{
    struct lookaside_fetch *e = &cpu->lookaside->fetch[lookaside_slot(address)];
    if (LIKELY(e->tag == ((address & PAGE_MASK) | cpu->context_fetch)) && cpu->context_fetch)
        return e;
    struct space space = {.asce = SPACE_REAL, .key = cpu->psw.key};
    if (cpu->psw.dat) {
        space.id = cpu->psw.as == 3 ? 3 : 0;
        space.asce = dat_space(cpu, space.id);
    }
    space.context = cpu->context_fetch;
    struct access_result r;
    uint16_t code = access_walk(cpu, &space, address, ACCESS_FETCH, &r);
    if (code)
        cpu_program_interruption(cpu, code);
    // Context 0 (numbers have run out) must not be remembered.
    e->tag =
        (address & PAGE_MASK) | cpu->context_fetch | guard_for(cpu, &space, address, ACCESS_FETCH);
    if (!cpu->context_fetch)
        e->tag = ~UINT64_C(0);
    e->absolute = r.absolute & PAGE_MASK;
    e->host = r.extent->bytes + ((r.absolute & PAGE_MASK) - r.extent->start);
    return e;
}
