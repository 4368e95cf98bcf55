// SPDX-License-Identifier: MIT
// Writes the sets that MONWRITE is sent, one after the other: to the minidisk, if there is one,
// then to the file.
#ifndef ENDICOTT_MONITOR_MONWRITE_WRITER_H
#define ENDICOTT_MONITOR_MONWRITE_WRITER_H

#include "monitor/monwrite_disk.h"
#include "monitor/monwrite_file.h"

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
    void *arg;
};

void monwrite_writer_start(struct monwrite_writer *writer, struct vm *vm, struct dcss *dcss,
                           struct monwrite_file *file);
// A message came; `done` may be called from inside.
void monwrite_writer_add(struct monwrite_writer *writer, uint32_t id,
                         const uint8_t interruption[CONTROL_HEADER]);
bool monwrite_writer_busy(const struct monwrite_writer *writer);
// Forgets what waits and is being written.
void monwrite_writer_stop(struct monwrite_writer *writer);
void monwrite_writer_free(struct monwrite_writer *writer);

#endif
