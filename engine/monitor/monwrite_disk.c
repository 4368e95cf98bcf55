// SPDX-License-Identifier: MIT
// Channel programs of MONWRITE: DEFINE EXTENT, LOCATE RECORD for the record before, WRITE COUNT,
// KEY AND DATA for each block.
#include "monitor/monwrite_disk.h"

#include <string.h>

#include "base/bytes.h"
#include "cp/cp.h"
#include "cp/vdev.h"
#include "devices/channel.h"
#include "devices/dasd_volume.h"
#include "monitor/monwrite_ccw.h"
#include "monitor/reader.h"

#define DEFINE_EXTENT 0x63u
#define LOCATE_RECORD 0x47u
#define WRITE_CKD     0x1Du

#define ALL_WRITES   0xC2u // mask of DEFINE EXTENT: all writes, with authority
#define ECKD         0xC0u // its attributes
#define FORMAT_WRITE 0x03u // operation of LOCATE RECORD

// Behind MONWRITE_COMMAND.
#define EXTENT   MONWRITE_COMMAND // 16 bytes
#define LOCATION (EXTENT + 16)    // 16 bytes
#define COUNTS   (LOCATION + 16)  // of 8 bytes

bool monwrite_disk_open(struct monwrite_disk *disk, struct vm *vm, uint16_t number)
{
    const struct vdev *vdev = vdev_find(vm, number);
    const struct mdisk *mdisk = vdev ? vdev->mdisk : NULL;
    disk->vm = vm;
    disk->number = 0;
    disk->next = 0;
    if (!mdisk || !mdisk->volume || !vdev->writable || vm->storage < MONWRITE_STORAGE)
        return false;
    const struct dasd_model *model = mdisk->volume->model;
    disk->number = number;
    disk->heads = model->heads;
    disk->per_track = dasd_records_per_track(model, 0, FRAME_SIZE);
    disk->blocks = (uint64_t)mdisk->cylinders * disk->heads * disk->per_track;
    return disk->per_track > 0;
}

// CCHHR of a record on the track of the next block.
static void place(const struct monwrite_disk *disk, unsigned record, uint8_t to[5])
{
    uint64_t track = disk->next / disk->per_track;
    be16_store(to, (uint16_t)(track / disk->heads));
    be16_store(to + 2, (uint16_t)(track % disk->heads));
    to[4] = (uint8_t)record;
}

// To behind the record before the next block, for `n` records on its track.
static uint32_t orient(struct monwrite_disk *disk, unsigned n)
{
    uint8_t at[5], extent[16] = {ALL_WRITES, ECKD}, location[16] = {FORMAT_WRITE};
    struct vm *vm = disk->vm;
    place(disk, (unsigned)(disk->next % disk->per_track), at);
    memcpy(extent + 8, at, 4); // first and last track
    memcpy(extent + 12, at, 4);
    location[3] = (uint8_t)n;
    memcpy(location + 4, at, 4);
    memcpy(location + 8, at, 5);
    location[13] = 0xFF; // sector: to be found
    monwrite_put(vm, EXTENT, extent, sizeof extent);
    monwrite_put(vm, LOCATION, location, sizeof location);
    uint32_t next =
        monwrite_ccw(vm, MONWRITE_PROGRAM, DEFINE_EXTENT, CCW_COMMAND, sizeof extent, EXTENT);
    return monwrite_ccw(vm, next, LOCATE_RECORD, CCW_COMMAND, sizeof location, LOCATION);
}

const char *monwrite_disk_write(struct monwrite_disk *disk, const uint8_t *const *blocks,
                                unsigned n)
{
    struct vm *vm = disk->vm;
    unsigned on_track = (unsigned)(disk->next % disk->per_track), left = disk->per_track - on_track;
    if (disk->next == disk->blocks)
        return "the minidisk is full";
    n = n < left ? n : left;
    n = n < MONWRITE_BLOCKS ? n : MONWRITE_BLOCKS;
    uint32_t next = orient(disk, n);
    for (unsigned i = 0; i < n; i++) {
        uint8_t count[8] = {0};
        uint32_t buffer = MONWRITE_BUFFERS + i * FRAME_SIZE,
                 head = COUNTS + i * (uint32_t)sizeof count;
        place(disk, on_track + i + 1, count);
        be16_store(count + 6, FRAME_SIZE);
        monwrite_put(vm, head, count, sizeof count);
        monwrite_put(vm, buffer, blocks[i], FRAME_SIZE);
        next = monwrite_ccw(vm, next, WRITE_CKD, CCW_DATA, sizeof count, head);
        next = monwrite_ccw(vm, next, 0, i + 1 < n ? CCW_COMMAND : 0, FRAME_SIZE, buffer);
    }
    disk->next += n;
    disk->writing = n;
    int rc = css_run(vm->machine->css, disk->number, MONWRITE_PROGRAM, disk->done, disk->arg);
    return rc ? "the minidisk is busy or gone" : NULL;
}

void monwrite_disk_stop(struct monwrite_disk *disk)
{
    if (disk->number)
        css_forget(disk->vm->machine->css, disk->number, disk->arg);
}
