// SPDX-License-Identifier: MIT
// The tape that MONWRITE writes to: blocks of 4096 bytes by channel programs, a file being ended by
// the end-of-data block and a tape mark.
#ifndef ENDICOTT_MONITOR_MONWRITE_TAPE_H
#define ENDICOTT_MONITOR_MONWRITE_TAPE_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

struct monwrite_tape {
    struct vm *vm;
    uint16_t number;  // 0: none
    unsigned writing; // blocks, by the program that runs, or was the last
    // The program that was started is over.
    void (*done)(void *arg, bool ok, const char *reason);
    void *arg;
};

// False when the user has no tape of that number to write on, or no storage for the programs.
bool monwrite_tape_open(struct monwrite_tape *tape, struct vm *vm, uint16_t number);
// Starts writing the first of `n` blocks, tape->writing of them; with `first` the place is noted
// where they begin. NULL, or why it cannot be started. `done` is called when they are written.
const char *monwrite_tape_write(struct monwrite_tape *tape, const uint8_t *const *blocks,
                                unsigned n, bool first);
// Ends the file: end-of-data block and so many marks; with `back` where the place was noted.
const char *monwrite_tape_end(struct monwrite_tape *tape, unsigned marks, bool back);
void monwrite_tape_stop(struct monwrite_tape *tape); // `done` will not be called

#endif
