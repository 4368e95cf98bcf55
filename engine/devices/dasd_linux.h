// SPDX-License-Identifier: MIT
// Volumes in the layout that dasdfmt and fdasd of Linux make (compatible disk layout), with one
// partition over all of the volume but its first two tracks.
//
//   track 0: IPL1, IPL2, label (with keys), blocks | track 1: VTOC | tracks 2...: blocks of 4 KB
//
// Linux numbers the blocks of a volume through, 12 a track, whatever is in the first two tracks.
#ifndef ENDICOTT_DEVICES_DASD_LINUX_H
#define ENDICOTT_DEVICES_DASD_LINUX_H

#include <stdio.h>

#define DASD_LINUX_BLOCK 4096u

// Lays out a volume that dasd_image_create() made with a label, and fills the partition with `in`;
// what is behind its end is zeros. The number of blocks of the partition, or -1 with *error (to be
// freed).
long dasd_linux_create(const char *path, FILE *in, char **error);
// Writes partition `number` (1 to 3) to `out`. The number of blocks, or -1 with *error.
long dasd_linux_export(const char *path, unsigned number, FILE *out, char **error);

#endif
