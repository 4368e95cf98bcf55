// SPDX-License-Identifier: MIT
// The file that MONWRITE writes: blocks of 4096 bytes, whole sets, a closing block of zeros. Under
// its name with ".part" until it is closed; whatever happens, what is in it ends with a whole set.
#ifndef ENDICOTT_MONITOR_MONWRITE_FILE_H
#define ENDICOTT_MONITOR_MONWRITE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "monitor/mondcss.h"

struct monwrite_file {
    int fd;                 // 0: no file
    struct text path, part; // final name, name while it is written
    uint64_t blocks;        // of whole sets
    bool failed;
};

// What a message says: the interruption as it came (40 bytes), the control area in the segment; and
// what follows from it: the control record, and the pages of records.
struct monwrite_set {
    uint8_t interruption[CONTROL_HEADER];
    uint32_t area_start, area_end;
    uint8_t control[FRAME_SIZE];
    const uint8_t **block; // the control record first
    unsigned blocks, cap;
};
// Follows the addresses through a segment of `size` bytes at `address`. False when something is
// wrong with the set: an address outside the segment, a control area that is none.
bool monwrite_set_gather(struct monwrite_set *set, const uint8_t *segment, uint64_t address,
                         uint64_t size);
void monwrite_set_free(struct monwrite_set *set);

// Makes the folders that `path` needs. False with a text (static or errno's) in *reason; it is an
// error that the file exists.
bool monwrite_file_open(struct monwrite_file *file, const char *path, const char **reason);
// Is there a file of that name, closed or not?
bool monwrite_file_exists(const char *path);
// Writes all of a set, or nothing: false, with file->failed, when the host cannot.
bool monwrite_file_set(struct monwrite_file *file, const struct monwrite_set *set,
                       const char **reason);
// Ends and renames it; false when the host cannot. The struct is empty afterwards.
bool monwrite_file_close(struct monwrite_file *file);
// Forgets a file that nothing was written to.
void monwrite_file_discard(struct monwrite_file *file);
// Ends files of a folder that were left open when the process that wrote them ended: what comes
// after the last whole set goes, the file gets its name. `told` hears of each, in order of names.
void monwrite_file_recover(const char *folder,
                           void (*told)(void *arg, const char *path, uint64_t blocks), void *arg);

#endif
