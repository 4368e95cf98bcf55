// SPDX-License-Identifier: MIT
// What vdev.c and minidisk.c share.
#ifndef ENDICOTT_CP_VDEV_INSIDE_H
#define ENDICOTT_CP_VDEV_INSIDE_H

#include "cp/vdev.h"

// Gives the link of a virtual device back; the last one of a temporary disk frees it.
void mdisk_unlink(struct vdev *vdev);
// A real volume as a device of the virtual machine, all of it.
int vdev_dedicate(struct vm *vm, const struct directory_dedicate *entry, struct response *out);
// A real tape drive, likewise (tape.c): with its tape mounted and rewound. And gives it back.
int vdev_attach_tape(struct vm *vm, struct rdev *rdev, uint16_t number, struct response *out);
void vdev_detach_tape(struct vdev *vdev);
void notify_vdev_on(struct vm *vm, uint16_t number);

#endif
