// SPDX-License-Identifier: MIT
// The file that MONWRITE writes: blocks of 4096 bytes, whole sets, a closing block of zeros.
#ifndef ENDICOTT_MONITOR_MONWRITE_FILE_H
#define ENDICOTT_MONITOR_MONWRITE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "monitor/mondcss.h"

struct monwrite_file {
    FILE *out;
    struct text path, part; // final name, name while it is written
    uint64_t blocks;
    bool failed;
};

// Makes the folders that `path` needs. False with a text (static or errno's) in *reason.
bool monwrite_file_open(struct monwrite_file *file, const char *path, const char **reason);
// What a message says: the interruption as it came (40 bytes), the control area in the segment.
struct monwrite_set {
    const uint8_t *interruption;
    uint32_t area_start, area_end;
};
// Writes one set: control record and data blocks. Returns the number of blocks, 0 when something is
// wrong with the set (an address outside the segment) or the host cannot write (file->failed).
unsigned monwrite_file_set(struct monwrite_file *file, const uint8_t *segment, uint64_t address,
                           uint64_t size, const struct monwrite_set *set);
// Ends and renames it; false when the host cannot. The struct is empty afterwards.
bool monwrite_file_close(struct monwrite_file *file);
// Forgets a file that nothing was written to.
void monwrite_file_discard(struct monwrite_file *file);

#endif
