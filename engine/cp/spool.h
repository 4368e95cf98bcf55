// SPDX-License-Identifier: MIT
// Spool files: what virtual punches and printers write and virtual readers read. They live in an
// SQLite database in the system folder (in memory without one), so a crash loses no closed file.
#ifndef ENDICOTT_CP_SPOOL_H
#define ENDICOTT_CP_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "cp/directory.h"

struct cp;
struct vm;
struct spool;
struct response;

enum spool_queue { SPOOL_RDR, SPOOL_PRT, SPOOL_PUN };

// A file's attributes; a copy, the file is in the database.
struct spool_file {
    unsigned id; // 1-9999, per owner
    char owner[9], origin[9];
    enum spool_queue queue;
    char origin_type[4]; // "PUN", "PRT", "CON", "RDR"
    char spool_class;
    unsigned records, record_length, copies;
    bool hold, keep, open, in_use;
    char form[9], distribution[9];
    char name[25], type[9];
    int64_t created; // seconds since 1970, UTC
    int64_t row;     // its key in the database
};

struct spool *spool_new(const char *folder, struct text *errors); // NULL: cannot open
void spool_free(struct spool *spool);
void spool_begin(struct spool *spool); // brackets many changes
void spool_commit(struct spool *spool);

// Makes an open file of `owner`'s; the caller frees the struct (free()), the file stays.
struct spool_file *spool_create(struct spool *spool, const char *owner, const char *origin,
                                enum spool_queue queue, const char *origin_type, char spool_class,
                                int64_t now);
// Adds a record of EBCDIC bytes, with its channel command (printers).
void spool_append(struct spool *spool, struct spool_file *file, uint8_t command, const void *bytes,
                  size_t n);
// Makes it readable under its final owner and queue, with the struct's attributes; the id may
// change (a number per owner).
void spool_close(struct spool *spool, struct spool_file *file);
// Files made and purged since IPL; zeros without a spool.
void spool_totals(const struct spool *spool, uint64_t *created, uint64_t *purged);
void spool_update(struct spool *spool, const struct spool_file *file); // CHANGE
void spool_purge(struct spool *spool, const struct spool_file *file);
void spool_order(struct spool *spool, const struct spool_file *file); // to the front of its queue
// Gives it to another user (TRANSFER); the new id.
unsigned spool_give(struct spool *spool, struct spool_file *file, const char *owner,
                    enum spool_queue queue);
// Calls fn for each closed file of `owner` (NULL: all) in `queue`, in queue order.
void spool_list(struct spool *spool, const char *owner, enum spool_queue queue,
                void (*fn)(void *arg, const struct spool_file *file), void *arg);
unsigned spool_count(struct spool *spool, const char *owner, enum spool_queue queue);
bool spool_find(struct spool *spool, const char *owner, enum spool_queue queue, unsigned id,
                struct spool_file *out);
// Record `number` (from 0) of a file: its length, copied to `bytes` (at most `size`), or -1.
int spool_read(struct spool *spool, const struct spool_file *file, unsigned number,
               uint8_t *command, void *bytes, size_t size);
// First file a reader of class `spool_class` ('*' all) would take.
bool spool_next_reader(struct spool *spool, const char *owner, char spool_class,
                       struct spool_file *out);

// --- virtual unit record devices (spool_device.c) ----------------------------

// SPOOL settings of a virtual unit record device.
struct vm_spool_device {
    struct vm_spool_device *next;
    struct vm *vm;
    uint16_t vdev;
    enum spool_queue kind; // RDR: reader, PUN: punch, PRT: printer
    char spool_class, to[9], form[9], distribution[9];
    char name[25], type[9];
    char tag[137]; // TAG
    unsigned copies;
    bool cont, hold, keep, eof;
    struct spool_file *file; // open output, or the file being read
    unsigned record;         // next one to read
};
struct vm_spool {
    struct vm_spool_device *devices;
};

void spool_vm_new(struct vm *vm);
void spool_vm_free(struct vm *vm); // closes
// Adds the device to vm->machine; 0 or a message number.
int spool_device_define(struct vm *vm, const struct directory_spool *entry);
struct vm_spool_device *spool_device(struct vm *vm, uint16_t vdev);
// A reader: opens the first file it may read unless one is open; false: there is none.
bool spool_device_open(struct vm_spool_device *device);
// Closes what is open at the device and tells the users concerned, its own one by `out` (a command's
// response) or, with NULL, at the console; the file's number, 0 none.
unsigned spool_device_close(struct vm_spool_device *device, struct response *out);
void spool_device_purge(struct vm_spool_device *device);
// Forgets the device (the machine's is detached by the caller).
void spool_device_remove(struct vm *vm, uint16_t vdev);
// A reader may have got a file: attention where it waits.
void spool_reader_ready(struct cp *cp, const char *owner);

#endif
