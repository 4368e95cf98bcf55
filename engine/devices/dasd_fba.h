// SPDX-License-Identifier: MIT
// Fixed-block DASD (9336): blocks of 512 bytes in a raw file of the host, or in memory. A device is
// a window of blocks on a volume.
#ifndef ENDICOTT_DEVICES_DASD_FBA_H
#define ENDICOTT_DEVICES_DASD_FBA_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/dasd_arm.h"
#include "devices/device.h"

#define FBA_BLOCK_BYTES 512u

struct fba_volume {
    char *path; // NULL: in memory
    int fd;
    uint8_t *memory;
    uint32_t blocks;
    bool read_only, unsynced;
    struct dasd_arm arm;
    // Counters since the volume was made.
    uint64_t ssch, seeks, reads, writes, bytes_read, bytes_written;
    tod_t connect, disconnect, pending;
};

// Opens a raw image whose size is a multiple of 512, or makes a new one of `blocks` zero blocks
// when `create` (an existing file is an error). `path` NULL: in memory. NULL with *error (to be
// freed).
struct fba_volume *fba_volume_new(const char *path, uint32_t blocks, bool create, bool read_only,
                                  char **error);
// Every device on it must be gone.
void fba_volume_free(struct fba_volume *volume);
// 0, or -1 when not all blocks exist or the host failed.
int fba_volume_read(struct fba_volume *volume, uint32_t block, void *to, uint32_t count);
int fba_volume_write(struct fba_volume *volume, uint32_t block, const void *from, uint32_t count);

// `blocks` from `first_block`; NULL when the window is empty or reaches beyond the volume.
struct device *dasd_fba_new(uint16_t devno, struct fba_volume *volume, uint32_t first_block,
                            uint32_t blocks, bool read_only);

#endif
