// SPDX-License-Identifier: MIT
// The virtual devices of a virtual machine: made from its directory entry at LOGON and by DEFINE,
// LINK and ATTACH later.
#ifndef ENDICOTT_CP_VDEV_H
#define ENDICOTT_CP_VDEV_H

#include <stdbool.h>
#include <stdint.h>

#include "cp/directory.h"

struct cp;
struct vm;
struct rdev;
struct response;

enum vdev_kind {
    VDEV_CONSOLE,
    VDEV_READER,
    VDEV_PUNCH,
    VDEV_PRINTER,
    VDEV_DASD,
    VDEV_TDISK,
    VDEV_NIC,
    VDEV_TAPE,
    VDEV_OTHER
};

// CP's view of a virtual device; the device itself is in vm->machine->css.
struct vdev {
    struct vdev *next; // ascending number, of vm->vdevs
    struct vm *vm;
    uint16_t number;
    enum vdev_kind kind;
    char type[9]; // "3390", "3215", "2540", ...
    // Minidisks.
    struct mdisk *mdisk;
    bool writable;
    char mode[3]; // as it was asked for
    uint64_t ios; // start functions (monitor)
    struct rdev *rdev; // tapes
};

// A minidisk that someone has linked: extent of a volume, and its users.
struct mdisk {
    struct mdisk *next; // of cp->mdisks
    char owner[9];
    uint16_t vdev;     // owner's number
    struct rdev *rdev; // the volume, NULL for a T-disk or V-disk without one
    struct dasd_volume *volume;
    struct fba_volume *blocks; // a V-disk
    unsigned start, cylinders;
    unsigned readers, writers;
    bool temporary; // freed with its last link
};

struct vdev *vdev_find(const struct vm *vm, uint16_t number);
struct vdev *vdev_add(struct vm *vm, uint16_t number, enum vdev_kind kind, const char *type);
// Detaches from the machine and forgets it; links are given back.
int vdev_remove(struct vm *vm, uint16_t number);
void vdevs_remove_all(struct vm *vm);
// Everything the directory entry names; messages to `out` as LOGON shows them.
void vdevs_from_directory(struct vm *vm, struct response *out);
// LINK: 0 or the message number with its text in `out`. Authority is the caller's.
int vdev_link(struct vm *vm, const char *owner, uint16_t vdev, uint16_t as, const char *mode,
              struct response *out);
// DEFINE VFB-512 AS vdev BLK n.
int vdev_define_vdisk(struct vm *vm, uint16_t vdev, uint32_t blocks, struct response *out);
// DEFINE T3390 AS vdev CYL n.
int vdev_define_tdisk(struct vm *vm, uint16_t vdev, unsigned cylinders, struct response *out);
// "R/W BY MAINT; R/O BY 002 USERS"-like counts.
unsigned mdisk_users(const struct mdisk *mdisk, bool writers);
// A user with such a link, other than `except` (NULL allowed); NULL when none.
struct vm *mdisk_user(const struct cp *cp, const struct mdisk *mdisk, bool writer,
                      const struct vm *except);

#endif
