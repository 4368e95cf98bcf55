// SPDX-License-Identifier: MIT
// Writes the sets that MONWRITE is sent, one after the other: to the minidisk, if there is one,
// then to the file; or to a tape.
#ifndef ENDICOTT_MONITOR_MONWRITE_WRITER_H
#define ENDICOTT_MONITOR_MONWRITE_WRITER_H

#include "monitor/monwrite_disk.h"
#include "monitor/monwrite_file.h"
#include "monitor/monwrite_tape.h"

#define MONWRITE_WAITING 255u // messages that *MONITOR may have outstanding

struct vm;
struct dcss;

enum monwrite_result {
    MONWRITE_WRITTEN,
    MONWRITE_LEFT_OUT, // something is wrong with the set
    MONWRITE_FAILED,   // nothing can be written any more
};

struct monwrite_writer {
    struct vm *vm;
    struct dcss *dcss;
    struct monwrite_file *file; // as long as there is one, the caller's
    struct monwrite_disk disk;
    struct monwrite_tape tape;
    unsigned marks;  // the tape's file is to be ended with so many, 0: it is not
    bool ending;     // by the program that runs
    bool torn;       // by half a set, which goes
    uint64_t blocks; // of whole sets in the tape's file
    struct monwrite_waiting {
        uint32_t id;
        uint8_t interruption[CONTROL_HEADER];
    } waiting[MONWRITE_WAITING]; // oldest first; the first one is being written
    unsigned count;
    bool busy;
    struct monwrite_set set;
    unsigned at; // blocks of it that are on the disk
    // One is over; `reason` unless it is written. Set once, before monwrite_writer_start().
    void (*done)(void *arg, uint32_t id, enum monwrite_result result, const char *reason);
    // The tape's file has its end; `reason` when it has not. Set once, too.
    void (*ended)(void *arg, uint64_t blocks, const char *reason);
    void *arg;
};

void monwrite_writer_start(struct monwrite_writer *writer, struct vm *vm, struct dcss *dcss,
                           struct monwrite_file *file);
// To a tape, or false.
bool monwrite_writer_start_tape(struct monwrite_writer *writer, struct vm *vm, struct dcss *dcss,
                                uint16_t number);
// Ends the tape's file, when the set that is being written is done; `ended` follows.
void monwrite_writer_end(struct monwrite_writer *writer, unsigned marks);
// A message came; `done` may be called from inside.
void monwrite_writer_add(struct monwrite_writer *writer, uint32_t id,
                         const uint8_t interruption[CONTROL_HEADER]);
bool monwrite_writer_busy(const struct monwrite_writer *writer);
// Forgets what waits and is being written.
void monwrite_writer_stop(struct monwrite_writer *writer);
void monwrite_writer_free(struct monwrite_writer *writer);

#endif
