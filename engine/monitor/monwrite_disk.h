// SPDX-License-Identifier: MIT
// The minidisk that MONWRITE writes on, where its virtual machine has one: records of 4096 bytes,
// by channel programs on the disk's subchannel. They take the time that they take there, and are
// counted where everybody's are.
#ifndef ENDICOTT_MONITOR_MONWRITE_DISK_H
#define ENDICOTT_MONITOR_MONWRITE_DISK_H

#include <stdbool.h>
#include <stdint.h>

#define MONWRITE_DISK 0x0191u // the A disk

struct vm;

struct monwrite_disk {
    struct vm *vm;
    uint16_t number; // 0: none
    unsigned heads, per_track;
    uint64_t blocks, next; // on the disk; begun to be written since it was opened
    unsigned writing;      // by the program that runs, or was the last
    // The program that was started is over.
    void (*done)(void *arg, bool ok, const char *reason);
    void *arg;
};

// False when the user has no CKD minidisk of that number to write on, or no storage for the
// programs. Writing begins at its first track.
bool monwrite_disk_open(struct monwrite_disk *disk, struct vm *vm, uint16_t number);
// Starts writing the first of `n` blocks of 4096 bytes: as many as one program takes, which is
// disk->writing. NULL, or why it cannot be started. `done` is called when they are written.
const char *monwrite_disk_write(struct monwrite_disk *disk, const uint8_t *const *blocks,
                                unsigned n);
// Gives up what is being written; `done` will not be called.
void monwrite_disk_stop(struct monwrite_disk *disk);

#endif
