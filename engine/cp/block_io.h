// SPDX-License-Identifier: MIT
// A minidisk as numbered blocks of one size, as DIAGNOSE X'250' sees it: an ECKD minidisk whose
// tracks hold records of that size, or a virtual disk in storage.
#ifndef ENDICOTT_CP_BLOCK_IO_H
#define ENDICOTT_CP_BLOCK_IO_H

#include <stdbool.h>
#include <stdint.h>

struct vdev;

struct block_disk {
    struct vdev *vdev;
    uint32_t size;      // of a block: 512, 1024, 2048 or 4096
    uint32_t per_track; // ECKD
    uint64_t blocks;
};

// False when `vdev` is no disk, or has no blocks of that size.
bool block_disk_open(struct block_disk *disk, struct vdev *vdev, uint32_t size);
// Block numbers begin with 1. False when there is no such block, its record has another length, or
// the host failed.
bool block_disk_read(struct block_disk *disk, uint64_t block, uint8_t *to);
bool block_disk_write(struct block_disk *disk, uint64_t block, const uint8_t *from);

#endif
