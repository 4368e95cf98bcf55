// SPDX-License-Identifier: MIT
#include "cp/block_io.h"

#include <string.h>

#include "cp/vdev.h"
#include "devices/dasd_fba.h"
#include "devices/dasd_volume.h"

// Records of the given size in a row from R1 on.
static uint32_t records_of_size(struct dasd_volume *volume, unsigned track, uint32_t size)
{
    const uint8_t *bytes = dasd_volume_track(volume, track);
    size_t n = volume->model->track_size;
    struct track_record record;
    uint32_t count = 0;

    if (!bytes || !track_first(bytes, n, &record))
        return 0;
    while (track_next(bytes, n, &record) && record.data == size)
        count++;
    return count;
}

bool block_disk_open(struct block_disk *disk, struct vdev *vdev, uint32_t size)
{
    const struct mdisk *mdisk = vdev ? vdev->mdisk : NULL;

    *disk = (struct block_disk){.vdev = vdev, .size = size};
    if (!mdisk || size < FBA_BLOCK_BYTES || size > 4096 || (size & (size - 1)))
        return false;
    if (mdisk->blocks) {
        disk->blocks = mdisk->blocks->blocks / (size / FBA_BLOCK_BYTES);
        return disk->blocks > 0;
    }
    if (!mdisk->volume)
        return false;
    // The second track tells: the first one may begin with shorter label records.
    unsigned heads = mdisk->volume->model->heads;
    disk->per_track = records_of_size(mdisk->volume, mdisk->start * heads + 1, size);
    disk->blocks = (uint64_t)disk->per_track * heads * mdisk->cylinders;
    return disk->blocks > 0;
}

// Where the block's data are in its track, which becomes the volume's current one; NULL: not there.
static uint8_t *in_track(struct block_disk *disk, uint64_t block, unsigned *track)
{
    const struct mdisk *mdisk = disk->vdev->mdisk;
    struct dasd_volume *volume = mdisk->volume;
    struct track_record record;

    *track = mdisk->start * volume->model->heads + (unsigned)((block - 1) / disk->per_track);
    uint8_t *bytes = dasd_volume_track(volume, *track);
    unsigned index = (unsigned)((block - 1) % disk->per_track) + 1;
    if (!bytes || !track_find(bytes, volume->model->track_size, index, &record) ||
        record.data != disk->size)
        return NULL;
    return bytes + record.offset + TRACK_COUNT_BYTES + record.key;
}

bool block_disk_read(struct block_disk *disk, uint64_t block, uint8_t *to)
{
    uint32_t part = disk->size / FBA_BLOCK_BYTES;
    unsigned track;

    if (block == 0 || block > disk->blocks)
        return false;
    if (disk->vdev->mdisk->blocks)
        return fba_volume_read(disk->vdev->mdisk->blocks, (uint32_t)(block - 1) * part, to, part) ==
               0;
    const uint8_t *data = in_track(disk, block, &track);
    if (data)
        memcpy(to, data, disk->size);
    return data != NULL;
}

bool block_disk_write(struct block_disk *disk, uint64_t block, const uint8_t *from)
{
    uint32_t part = disk->size / FBA_BLOCK_BYTES;
    unsigned track;

    if (block == 0 || block > disk->blocks || !disk->vdev->writable)
        return false;
    if (disk->vdev->mdisk->blocks)
        return fba_volume_write(disk->vdev->mdisk->blocks, (uint32_t)(block - 1) * part, from,
                                part) == 0;
    uint8_t *data = in_track(disk, block, &track);
    if (!data)
        return false;
    memcpy(data, from, disk->size);
    return dasd_volume_write(disk->vdev->mdisk->volume, track) == 0;
}
