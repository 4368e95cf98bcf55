// SPDX-License-Identifier: MIT
// Channel programs of MONWRITE: SET FILE MASK, SEEK, SEARCH ID EQUAL for the record before, WRITE
// COUNT, KEY AND DATA for each block.
#include "monitor/monwrite_disk.h"

#include "base/bytes.h"
#include "cp/cp.h"
#include "cp/vdev.h"
#include "devices/channel.h"
#include "devices/dasd_volume.h"
#include "monitor/reader.h"

#define SET_FILE_MASK   0x1Fu
#define SEEK            0x07u
#define SEARCH_ID_EQUAL 0x31u
#define TIC             0x08u
#define WRITE_CKD       0x1Du
#define ALL_WRITES      0xC0u // file mask
#define DATA_CHAIN      0x80u
#define COMMAND_CHAIN   0x40u

// Where things are in the virtual machine's storage, which has no program of its own.
#define PROGRAM  0x10000u // CCWs
#define MASK     0x10800u
#define PLACE    0x10808u // 0 0 CC HH R, for SEEK and SEARCH
#define COUNTS   0x10810u // of 8 bytes
#define BUFFERS  0x20000u
#define REQUIRED 0x40000u

bool monwrite_disk_open(struct monwrite_disk *disk, struct vm *vm, uint16_t number)
{
    const struct vdev *vdev = vdev_find(vm, number);
    const struct mdisk *mdisk = vdev ? vdev->mdisk : NULL;
    disk->vm = vm;
    disk->number = 0;
    disk->next = 0;
    if (!mdisk || !mdisk->volume || !vdev->writable || vm->storage < REQUIRED)
        return false;
    const struct dasd_model *model = mdisk->volume->model;
    disk->number = number;
    disk->heads = model->heads;
    disk->per_track = dasd_records_per_track(model, 0, FRAME_SIZE);
    disk->blocks = (uint64_t)mdisk->cylinders * disk->heads * disk->per_track;
    return disk->per_track > 0;
}

static void put(struct vm *vm, uint32_t at, const void *bytes, size_t n)
{
    storage_write(vm->machine->storage, at, bytes, n);
}

// CCHHR of a record on the track of the next block.
static void place(const struct monwrite_disk *disk, unsigned record, uint8_t to[5])
{
    uint64_t track = disk->next / disk->per_track;
    be16_store(to, (uint16_t)(track / disk->heads));
    be16_store(to + 2, (uint16_t)(track % disk->heads));
    to[4] = (uint8_t)record;
}

static uint32_t ccw(struct vm *vm, uint32_t at, unsigned code, unsigned flags, unsigned count,
                    uint32_t address)
{
    uint8_t bytes[8] = {(uint8_t)code, (uint8_t)flags};
    be16_store(bytes + 2, (uint16_t)count);
    be32_store(bytes + 4, address);
    put(vm, at, bytes, sizeof bytes);
    return at + sizeof bytes;
}

// Up to the record before the next block.
static uint32_t orient(struct monwrite_disk *disk)
{
    static const uint8_t mask = ALL_WRITES;
    uint8_t at[7] = {0};
    struct vm *vm = disk->vm;
    place(disk, (unsigned)(disk->next % disk->per_track), at + 2);
    put(vm, MASK, &mask, 1);
    put(vm, PLACE, at, sizeof at);
    uint32_t next = ccw(vm, PROGRAM, SET_FILE_MASK, COMMAND_CHAIN, 1, MASK);
    next = ccw(vm, next, SEEK, COMMAND_CHAIN, 6, PLACE);
    uint32_t search = next;
    next = ccw(vm, next, SEARCH_ID_EQUAL, COMMAND_CHAIN, 5, PLACE + 2);
    return ccw(vm, next, TIC, 0, 0, search);
}

const char *monwrite_disk_write(struct monwrite_disk *disk, const uint8_t *const *blocks,
                                unsigned n)
{
    struct vm *vm = disk->vm;
    unsigned on_track = (unsigned)(disk->next % disk->per_track), left = disk->per_track - on_track;
    if (disk->next == disk->blocks)
        return "the minidisk is full";
    n = n < left ? n : left;
    n = n < MONWRITE_PROGRAM ? n : MONWRITE_PROGRAM;
    uint32_t next = orient(disk);
    for (unsigned i = 0; i < n; i++) {
        uint8_t count[8] = {0};
        uint32_t buffer = BUFFERS + i * FRAME_SIZE, head = COUNTS + i * (uint32_t)sizeof count;
        place(disk, on_track + i + 1, count);
        be16_store(count + 6, FRAME_SIZE);
        put(vm, head, count, sizeof count);
        put(vm, buffer, blocks[i], FRAME_SIZE);
        next = ccw(vm, next, WRITE_CKD, DATA_CHAIN, sizeof count, head);
        next = ccw(vm, next, 0, i + 1 < n ? COMMAND_CHAIN : 0, FRAME_SIZE, buffer);
    }
    disk->next += n;
    disk->writing = n;
    int rc = css_run(vm->machine->css, disk->number, PROGRAM, disk->done, disk->arg);
    return rc ? "the minidisk is busy or gone" : NULL;
}

void monwrite_disk_stop(struct monwrite_disk *disk)
{
    if (disk->number)
        css_forget(disk->vm->machine->css, disk->number, disk->arg);
}
