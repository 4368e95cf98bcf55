// SPDX-License-Identifier: MIT
// Making and dropping decoded blocks.
#include "cpu/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/execute.h"
#include "cpu/run.h"

#define ARENA_BYTES (UINT64_C(48) << 20)

struct block_cache *block_cache_new(void)
{
    struct block_cache *cache = mem_zero(1, sizeof *cache);
    cache->size = ARENA_BYTES;
    cache->arena = mem_alloc(cache->size); // touched only as blocks are made
    return cache;
}

void block_cache_free(struct block_cache *cache)
{
    if (!cache)
        return;
    free(cache->arena);
    free(cache);
}

void block_cache_flush(struct block_cache *cache)
{
    memset(cache->slot, 0, sizeof cache->slot);
    memset(cache->execute, 0, sizeof cache->execute);
    cache->used = 0;
    cache->flushes++;
}

static struct block *arena_block(struct block_cache *cache)
{
    size_t most = sizeof(struct block) + (BLOCK_INSNS + 1) * sizeof(struct insn);
    if (cache->size - cache->used < most)
        block_cache_flush(cache);
    return (struct block *)(void *)(cache->arena + cache->used);
}

static void add_end(struct block *block)
{
    struct insn *end = &block->insn[block->count];
    memset(end, 0, sizeof *end);
    end->run = op_end;
    end->offset = block->bytes;
    end->done = (uint8_t)(block->count + 1);
}

// Decodes `text`, of which `most` bytes are left in the page, until something ends the block.
static void decode_all(struct cpu *cpu, struct block *block, const uint8_t *text, unsigned most)
{
    unsigned at = 0;
    while (block->count < BLOCK_INSNS && at < most) {
        unsigned length = opcode_length(text[at]);
        if (at + length > most)
            break;
        struct insn *insn = &block->insn[block->count++];
        const struct opcode *row = opcode_for_cpu(cpu, text + at);
        insn_decode(row, text + at, at, insn);
        insn->done = (uint8_t)block->count;
        bool ends = insn_ends_block(row, text + at);
        at += length;
        block->bytes = (uint16_t)at;
        if (ends)
            break;
    }
}

// In front of its chain, in place of a stale one for the same address.
static void enter_slot(struct block_cache *cache, struct block *block)
{
    struct block **first = &cache->slot[block_slot(block->absolute)];
    for (struct block **p = first; *p; p = &(*p)->next) {
        if ((*p)->absolute == block->absolute) {
            *p = (*p)->next;
            break;
        }
    }
    block->next = *first;
    *first = block;
}

struct block *block_make(struct cpu *cpu, uint64_t absolute, const uint8_t *page)
{
    unsigned at = (unsigned)absolute & 0xFFF;
    if (at + opcode_length(page[at]) > FRAME_SIZE)
        return NULL;
    struct storage_extent *extent = storage_find(cpu->storage, absolute, 1);
    INVARIANT(extent != NULL);
    struct block_cache *cache = cpu->blocks;
    struct block *block = arena_block(cache);
    uint64_t offset = absolute - extent->start;
    *block = (struct block){.run = block_interpret, .absolute = absolute};
    // Version first, then lines, then a second look at the bytes: whoever stores there from now on
    // makes the block stale, and a store that came in between is seen.
    block->version_now = &extent->code_version[offset >> FRAME_SHIFT];
    uint8_t text[BLOCK_INSNS * 6 + 6] = {0};
    unsigned most = sizeof text < FRAME_SIZE - at ? (unsigned)sizeof text : FRAME_SIZE - at;
    do {
        block->version = __atomic_load_n(block->version_now, __ATOMIC_SEQ_CST);
        block->count = block->bytes = 0;
        memcpy(text, page + at, most);
        decode_all(cpu, block, text, FRAME_SIZE - at);
        storage_code_decoded(extent, offset, block->bytes);
    } while (memcmp(text, page + at, block->bytes) != 0);
    block_join(block->insn, block->count);
    block_pair(block->insn, block->count);
    for (unsigned i = 0; i < block->count; i++)
        insn_specialise(&block->insn[i]);
    add_end(block);
    cache->used += sizeof *block + (block->count + 1u) * sizeof(struct insn);
    enter_slot(cache, block);
    return block;
}

struct block *block_single(struct cpu *cpu, const uint8_t text[6])
{
    struct block_cache *cache = cpu->blocks;
    struct block *block = (struct block *)(void *)cache->single;
    *block = (struct block){.run = block_interpret, .absolute = ~UINT64_C(0)};
    block->version_now = &cache->single_version;
    block->version = cache->single_version;
    block->count = 1;
    block->bytes = (uint16_t)opcode_length(text[0]);
    insn_decode(opcode_for_cpu(cpu, text), text, 0, &block->insn[0]);
    block->insn[0].done = 1;
    add_end(block);
    return block;
}
