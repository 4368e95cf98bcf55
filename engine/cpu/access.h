// SPDX-License-Identifier: MIT
// Loads and stores of storage operands, as instruction handlers make them.
//
// `insn` is the running instruction for a fast handler, which does not set cpu->current by itself;
// NULL in plain functions, for which that was done. `b` is the base register number: in
// access-register mode it names the space.
#ifndef ENDICOTT_CPU_ACCESS_H
#define ENDICOTT_CPU_ACCESS_H

#include "base/bytes.h"
#include "cpu/cpu.h"
#include "cpu/lookaside.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// Slow paths, 1, 2, 4 or 8 bytes, may cross a page.
uint64_t access_read_slow(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                          unsigned n);
void access_write_slow(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                       unsigned n, uint64_t value);
// Host address of [address, address + n), which lies in one page.
uint8_t *access_pointer(struct cpu *cpu, const struct insn *insn, unsigned b, uint64_t address,
                        unsigned n, enum access kind);

// The last byte's page is compared with the first byte's entry, so an access that crosses a page
// never hits.
static inline const struct lookaside_entry *access_read_hit(struct cpu *cpu, uint64_t address,
                                                            unsigned n)
{
    const struct lookaside_entry *e = &cpu->lookaside->read[lookaside_slot(address)];
    return LIKELY(e->tag == (((address + (n - 1)) & PAGE_MASK) | cpu->context)) ? e : NULL;
}

static inline const struct lookaside_write *access_write_hit(struct cpu *cpu, uint64_t address,
                                                             unsigned n)
{
    const struct lookaside_write *e = &cpu->lookaside->write[lookaside_slot(address)];
    return LIKELY(e->tag == (((address + (n - 1)) & PAGE_MASK) | cpu->context)) ? e : NULL;
}

#define GUEST_READ(name, type, load)                                                   \
    static inline type name(struct cpu *cpu, const struct insn *insn, unsigned b,      \
                            uint64_t address)                                          \
    {                                                                                  \
        const struct lookaside_entry *e = access_read_hit(cpu, address, sizeof(type)); \
        if (LIKELY(e != NULL))                                                         \
            return load((const void *)(e->addend + address));                          \
        return (type)access_read_slow(cpu, insn, b, address, sizeof(type));            \
    }

#define GUEST_WRITE(name, type, store)                                                  \
    static inline void name(struct cpu *cpu, const struct insn *insn, unsigned b,       \
                            uint64_t address, type value)                               \
    {                                                                                   \
        const struct lookaside_write *e = access_write_hit(cpu, address, sizeof(type)); \
        if (LIKELY(e != NULL)) {                                                        \
            store((void *)(e->addend + address), value);                                \
            if (UNLIKELY(*e->code_lines != 0))                                          \
                access_code_written(cpu, insn, e, address, sizeof(type));               \
            return;                                                                     \
        }                                                                               \
        access_write_slow(cpu, insn, b, address, sizeof(type), value);                  \
    }

static inline uint8_t byte_load(const void *p)
{
    return *(const uint8_t *)p;
}

static inline void byte_store(void *p, uint8_t value)
{
    *(uint8_t *)p = value;
}

GUEST_READ(guest_read8, uint8_t, byte_load)
GUEST_READ(guest_read16, uint16_t, be16_load)
GUEST_READ(guest_read32, uint32_t, be32_load)
GUEST_READ(guest_read64, uint64_t, be64_load)
GUEST_WRITE(guest_write8, uint8_t, byte_store)
GUEST_WRITE(guest_write16, uint16_t, be16_store)
GUEST_WRITE(guest_write32, uint32_t, be32_store)
GUEST_WRITE(guest_write64, uint64_t, be64_store)

// Bytes from `address` to the end of its page.
static inline unsigned page_rest(uint64_t address)
{
    return 4096 - (unsigned)(address & 0xFFF);
}

// Whole operands of plain functions, any length; stores are checked before the first byte changes.
void guest_fetch(struct cpu *cpu, unsigned b, uint64_t address, void *to, unsigned n);
void guest_store(struct cpu *cpu, unsigned b, uint64_t address, const void *from, unsigned n);
// Host address of an operand that lies in one page and needs no further checks, or NULL. The bytes
// of the first are about to change: decoded code there is dropped.
uint8_t *guest_place(struct cpu *cpu, uint64_t address, unsigned n);
const uint8_t *guest_source(struct cpu *cpu, uint64_t address, unsigned n);
// Raises what storing [address, address + n) would raise, without storing.
void guest_probe_store(struct cpu *cpu, unsigned b, uint64_t address, unsigned n);

#endif
