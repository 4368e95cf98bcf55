// SPDX-License-Identifier: MIT
// Decoded instructions, and blocks of them, cached by absolute address.
//
// A block is a run of instructions within one page that is entered at its first one. It goes on
// past conditional branches that are not taken and ends at an unconditional branch, at an
// instruction that may change what follows (OP_END), at the page's end or when it is full. Decoding
// does not depend on PSW modes, so a block serves every address space and addressing mode.
//
// A block is valid while its frame's code_version is what it was when the bytes were read. Blocks
// and their chain pointers live in an arena that is dropped as a whole, so no pointer dangles.
#ifndef ENDICOTT_CPU_BLOCK_H
#define ENDICOTT_CPU_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "cpu/opcode.h"

#define NO_REGISTER 16 // cpu->base[16] is zero

struct block;

// Fields are named after the formats; decode.c says which format fills which.
struct insn {
    insn_fn *run;
    uint8_t r1; // R1; L, L1 of SS; I1, I2 of SI
    uint8_t r2; // R2; R3 or M3 of RS; L2, I3 of SS
    union {
        uint8_t x;  // index register
        uint8_t r3; // R3 of RRF, RRD
        uint8_t m3; // a mask that is not in r1 or r2
        uint8_t b2; // second base register
    };
    union {
        uint8_t b;  // base register of the (first) storage operand
        uint8_t m4; // second mask of RRF
    };
    uint8_t ilc;     // bytes
    uint8_t done;    // instructions of the block executed when this one has ended
    uint16_t offset; // of this instruction from the block's first byte
    union {
        struct {
            int32_t d; // displacement
            union {
                int32_t i;  // immediate, or branch target of RIE, RRS formats as offset in block
                int32_t d2; // second displacement
            };
        };
        int64_t target; // relative operand: offset from the block's first byte
        uint64_t mask;  // RIE-f: the selected bits
    };
    union {
        struct block *chain;      // branches: the successor met last
        const struct opcode *row; // others
    };
};

struct block {
    const struct insn *(*run)(struct cpu *cpu, struct block *block); // how it is executed
    uint64_t absolute;
    const uint32_t *version_now;
    uint32_t version;
    uint16_t bytes;
    uint16_t count;
    struct block *next; // in the same slot of the cache
    struct insn insn[];
};

#define BLOCK_INSNS 48

// Under EXECUTE the target is decoded into a slot of this cache by its final text.
#define EXECUTE_SLOTS 64
struct execute_slot {
    uint64_t text;       // 6 bytes, left-aligned; 0 = empty
    struct insn insn[2]; // the target, and what leads back
    const struct insn *from;
};

#define BLOCK_SLOTS 32768

struct block_cache {
    struct block *slot[BLOCK_SLOTS]; // chains, by absolute address
    uint8_t *arena;
    size_t used, size;
    uint64_t flushes;
    struct execute_slot execute[EXECUTE_SLOTS];
    // A block for one instruction that cannot be cached (page crossing) or must not (tracing, PER).
    _Alignas(16) uint8_t single[sizeof(struct block) + 3 * sizeof(struct insn)];
    uint32_t single_version;
};

struct block_cache *block_cache_new(void);
void block_cache_free(struct block_cache *cache);
void block_cache_flush(struct block_cache *cache);

static inline unsigned block_slot(uint64_t absolute)
{
    // Mixed, so that code at like offsets of different frames does not share slots.
    return (unsigned)(absolute >> 1 ^ absolute >> 13 ^ absolute >> 18) & (BLOCK_SLOTS - 1);
}

static inline bool block_valid(const struct block *block)
{
    return *block->version_now == block->version;
}

// The valid block at `absolute`, or NULL.
static inline struct block *block_find(const struct block_cache *cache, uint64_t absolute)
{
    struct block *block = cache->slot[block_slot(absolute)];
    while (block && block->absolute != absolute)
        block = block->next;
    return block && block_valid(block) ? block : NULL;
}

// Decodes a new block at `absolute`, whose page lies at `page` (host); NULL when the first
// instruction crosses the page's end. May drop the whole cache.
struct block *block_make(struct cpu *cpu, uint64_t absolute, const uint8_t *page);
// Decodes the one instruction `text` into the cache's single block.
struct block *block_single(struct cpu *cpu, const uint8_t text[6]);

// Decodes `text`, which lies `offset` bytes from the block's start, into *insn (all but `done`).
// `row` is what opcode_for_cpu() has for it, NULL for an operation exception.
void insn_decode(const struct opcode *row, const uint8_t *text, int64_t offset, struct insn *insn);
// The operands of the vector formats, which are the last of enum opcode_format (decode_vector.c).
void insn_decode_vector(const uint8_t *text, unsigned format, struct insn *insn);
// True when no instruction may follow this one in a block.
bool insn_ends_block(const struct opcode *row, const uint8_t *text);
// Picks a special handler for common operand shapes.
void insn_specialise(struct insn *insn);
// The handler that takes this relative branch to another page, NULL when there is no special one.
insn_fn *insn_far(const struct insn *insn);
// Joins operations with conditional branches behind them, and drops condition codes that nobody can
// see. Before insn_specialise().
void block_join(struct insn *insn, unsigned count);
// Makes one handler of two simple instructions. Between those two.
void block_pair(struct insn *insn, unsigned count);

#endif
