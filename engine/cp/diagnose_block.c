// SPDX-License-Identifier: MIT
// DIAGNOSE X'250': block I/O to minidisks without channel programs, in its 64-bit format (CP
// Programming Services, "DIAGNOSE Code X'250' - Block I/O").
//
// Blocks are moved while the function is executed; an asynchronous request is told of its end by
// an external interruption at once.
#include "cp/diagnose_block.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cp/block_io.h"
#include "cp/diagnose.h"
#include "cp/vdev.h"

enum function { FUNCTION_INIT, FUNCTION_IO, FUNCTION_REMOVE };

// Return codes, in Rx+1. Published for 0, 4 and 8; the others say only that it failed.
enum return_code {
    RC_OK = 0,
    RC_READ_ONLY = 4,
    RC_STARTED = 8,
    RC_SOME_FAILED = 12,
    RC_NO_DEVICE = 16,
    RC_NOT_A_DISK = 20,
    RC_BLOCK_SIZE = 24,
    RC_NO_ENVIRONMENT = 28,
    RC_COUNT = 36,
};

#define FLAG_64BIT      0x80u
#define FLAG_ASYNC      0x02u
#define MOST_BLOCKS     256u
#define EXTERNAL_BLOCK  0x2603u
#define SUBCODE_64BIT   0x0700u
#define CR0_SERVICE     0x200u
#define PARAMETER_BLOCK 56u

// One block's entry in a request: 0 type | 1 status | 8 block number | 16 buffer.
#define ENTRY      24u
#define TYPE_WRITE 0x01u
#define TYPE_READ  0x02u
enum entry_status { ENTRY_OK, ENTRY_NO_BLOCK = 1, ENTRY_READ_ONLY = 4, ENTRY_TYPE = 9 };

struct block_environment {
    struct block_environment *next;
    uint16_t vdev;
    uint32_t size;
    int64_t offset; // of the program's block numbers to the disk's
};

void block_environments_end(struct vm *vm)
{
    while (vm->block_environments) {
        struct block_environment *e = vm->block_environments;
        vm->block_environments = e->next;
        free(e);
    }
}

static struct block_environment **find(struct vm *vm, uint16_t vdev)
{
    struct block_environment **at = &vm->block_environments;

    while (*at && (*at)->vdev != vdev)
        at = &(*at)->next;
    return at;
}

static void finish(struct diagnose_call *call, enum return_code rc)
{
    diagnose_set(call, (call->x + 1) & 15, rc);
    diagnose_cc(call, rc > RC_STARTED ? 2 : 0);
}

// 0 device | 2 flags | 24 block size | 32 offset | 40 first block, answered | 48 last block,
// answered
static void initialise(struct diagnose_call *call, uint64_t at, uint8_t *p)
{
    uint16_t number = be16_load(p);
    struct vdev *vdev = vdev_find(call->vm, number);
    struct block_environment **old = find(call->vm, number), *e;
    struct block_disk disk;

    if (!vdev || !vdev->mdisk) {
        finish(call, vdev ? RC_NOT_A_DISK : RC_NO_DEVICE);
        return;
    }
    if (!block_disk_open(&disk, vdev, be32_load(p + 24))) {
        finish(call, RC_BLOCK_SIZE);
        return;
    }
    e = *old;
    if (!e) {
        e = mem_zero(1, sizeof *e);
        *old = e;
    }
    e->vdev = number;
    e->size = disk.size;
    e->offset = (int64_t)be64_load(p + 32);
    be64_store(p + 40, (uint64_t)(1 - e->offset));
    be64_store(p + 48, disk.blocks - (uint64_t)e->offset);
    cpu_store_real(call->cpu, at, p, PARAMETER_BLOCK);
    finish(call, vdev->writable ? RC_OK : RC_READ_ONLY);
}

static enum entry_status move_block(struct diagnose_call *call, struct block_disk *disk,
                                    const struct block_environment *e, const uint8_t *entry)
{
    uint64_t block = be64_load(entry + 8) + (uint64_t)e->offset, buffer = be64_load(entry + 16);
    uint8_t bytes[4096];

    switch (entry[0]) {
    case TYPE_READ:
        if (!block_disk_read(disk, block, bytes))
            return ENTRY_NO_BLOCK;
        cpu_store_real(call->cpu, buffer, bytes, disk->size);
        return ENTRY_OK;
    case TYPE_WRITE:
        if (!disk->vdev->writable)
            return ENTRY_READ_ONLY;
        cpu_fetch_real(call->cpu, buffer, bytes, disk->size);
        return block_disk_write(disk, block, bytes) ? ENTRY_OK : ENTRY_NO_BLOCK;
    default:
        return ENTRY_TYPE;
    }
}

// Moves all blocks of the list; how many could not be moved.
static uint32_t move_all(struct diagnose_call *call, struct block_disk *disk,
                         const struct block_environment *e, uint64_t list, uint32_t count)
{
    uint32_t failed = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint8_t entry[ENTRY];
        cpu_fetch_real(call->cpu, list + (uint64_t)i * ENTRY, entry, sizeof entry);
        entry[1] = (uint8_t)move_block(call, disk, e, entry);
        cpu_store_real(call->cpu, list + (uint64_t)i * ENTRY + 1, entry + 1, 1);
        failed += entry[1] != ENTRY_OK;
    }
    disk->vdev->ios++;
    return failed;
}

// 0 device | 2 flags | 24 key | 25 more flags | 28 count | 40 interruption parameter | 48 list
static void transfer(struct diagnose_call *call, const uint8_t *p)
{
    struct block_environment *e = *find(call->vm, be16_load(p));
    uint32_t count = be32_load(p + 28), failed;
    struct block_disk disk;

    if (!e || !block_disk_open(&disk, vdev_find(call->vm, e->vdev), e->size)) {
        finish(call, RC_NO_ENVIRONMENT);
        return;
    }
    if (count == 0 || count > MOST_BLOCKS) {
        finish(call, RC_COUNT);
        return;
    }
    failed = move_all(call, &disk, e, be64_load(p + 48), count);
    if (!(p[25] & FLAG_ASYNC)) {
        finish(call, failed ? RC_SOME_FAILED : RC_OK);
        return;
    }
    vm_external(call->vm, CR0_SERVICE,
                &(struct external_interruption){
                    .code = EXTERNAL_BLOCK,
                    .cpu_address = (uint16_t)(SUBCODE_64BIT | (failed ? RC_SOME_FAILED : RC_OK)),
                    .parameter64 = be64_load(p + 40),
                    .has_parameter64 = true});
    finish(call, RC_STARTED);
}

static void terminate(struct diagnose_call *call, uint16_t vdev)
{
    struct block_environment **at = find(call->vm, vdev), *e = *at;

    if (!e) {
        finish(call, RC_NO_ENVIRONMENT);
        return;
    }
    *at = e->next;
    free(e);
    finish(call, RC_OK);
}

void diagnose_250(struct diagnose_call *call)
{
    uint64_t at = diagnose_register(call, call->x);
    uint8_t p[PARAMETER_BLOCK];

    if (at % 8)
        diagnose_specification(call);
    cpu_fetch_real(call->cpu, at, p, sizeof p);
    if (!(p[2] & FLAG_64BIT))
        diagnose_specification(call);
    switch ((uint32_t)call->cpu->gr[call->y]) {
    case FUNCTION_INIT:
        initialise(call, at, p);
        return;
    case FUNCTION_IO:
        transfer(call, p);
        return;
    case FUNCTION_REMOVE:
        terminate(call, be16_load(p));
        return;
    default:
        diagnose_specification(call);
    }
}
