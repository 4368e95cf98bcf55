// SPDX-License-Identifier: MIT
// Virtual address to host address, with every check already made: the common load or store is a
// compare and a byte swap.
//
// Entries are direct-mapped by page, one table per kind of access. A tag is page address + context
// number. A context stands for one address space and access key; switching between them switches
// numbers and drops nothing. Dropping everything is: forget all numbers. A tag with GUARD set
// never hits inline; the slow path then finds what it needs there.
#ifndef ENDICOTT_CPU_LOOKASIDE_H
#define ENDICOTT_CPU_LOOKASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_FETCH };

#define LOOKASIDE_ENTRIES 2048
#define GUARD             0x800u // low-address protection: ranges of this page must be checked
#define CONTEXT_LAST      0x7FFu
#define CONTEXT_SLOTS     64
#define PAGE_MASK         (~UINT64_C(0xFFF))

struct lookaside_entry {
    uint64_t tag;
    uintptr_t addend; // host address = addend + virtual address
};

// Stores also look whether instructions were decoded from the frame.
struct lookaside_write {
    uint64_t tag;
    uintptr_t addend;
    const uint64_t *code_lines;
    uint64_t absolute; // of the frame
};

struct lookaside_fetch {
    uint64_t tag;
    uint64_t absolute; // of the frame
    const uint8_t *host;
};

struct lookaside {
    struct lookaside_entry read[LOOKASIDE_ENTRIES];
    struct lookaside_write write[LOOKASIDE_ENTRIES];
    struct lookaside_fetch fetch[LOOKASIDE_ENTRIES];
    struct {
        uint64_t asce;
        uint32_t number; // 0 = free
        uint8_t key;
    } context[CONTEXT_SLOTS];
    uint32_t context_last;
};

static inline unsigned lookaside_slot(uint64_t address)
{
    return (unsigned)(address >> 12) & (LOOKASIDE_ENTRIES - 1);
}

// How a storage operand is reached. For the current PSW use space_operand().
struct space {
    uint64_t asce; // or SPACE_REAL
    uint32_t context;
    uint8_t key;
    uint8_t id;      // 0-3 as in the TEID's last two bits
    uint8_t ar;      // access register number, for the exception access id
    uint8_t operand; // base or address register + 1 of a logical operand, for PER; 0: none
    bool fetch_only; // by the access-list entry
};

struct lookaside *lookaside_new(void);
void lookaside_free(struct lookaside *lookaside);
void lookaside_flush(struct lookaside *lookaside);

// Space of the operand whose base register is `b` (AR mode; NO_REGISTER = none) under the PSW.
struct space space_operand(struct cpu *cpu, unsigned b);
// The same for the address-space control `as` (0-3) with DAT taken as on: 0, or the code of an
// exception of access-register translation, with cpu->fault.access_id set.
uint16_t space_find(struct cpu *cpu, unsigned b, unsigned as, struct space *space);
// Space by selector (as in the PSW, but not 1) and key.
struct space space_select(struct cpu *cpu, unsigned as, uint8_t key);
struct space space_real(struct cpu *cpu);
uint32_t space_context(struct cpu *cpu, uint64_t asce, uint8_t key);

// Host address of `address` for one access that does not leave its page; raises what the access
// deserves. Stores: `n` bytes from there are about to change; decoded code there is dropped.
uint8_t *access_host(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                     enum access kind);
// The same, but gives the program-interruption code instead of raising (0 = done). Sets cpu->fault.
uint16_t access_try(struct cpu *cpu, const struct space *space, uint64_t address, unsigned n,
                    enum access kind, uint8_t **host);

// Would a store be allowed? (For TEST PROTECTION; changes nothing.)
bool access_may_store(struct cpu *cpu, const struct space *space, uint64_t address);

// Fetch entry for the page of `address` under the PSW; raises the fetch exceptions.
const struct lookaside_fetch *access_fetch(struct cpu *cpu, uint64_t address);

// Copies under any space, across pages; all of it is checked before the first byte changes.
void space_read(struct cpu *cpu, const struct space *space, uint64_t address, void *to, uint32_t n);
void space_write(struct cpu *cpu, const struct space *space, uint64_t address, const void *from,
                 uint32_t n);

// Called by stores that hit the lookaside when the frame holds decoded code.
void access_code_written(struct cpu *cpu, const struct insn *insn, const struct lookaside_write *e,
                         uint64_t address, unsigned n);

#endif
