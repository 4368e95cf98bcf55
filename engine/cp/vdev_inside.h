// SPDX-License-Identifier: MIT
// What vdev.c and minidisk.c share.
#ifndef ENDICOTT_CP_VDEV_INSIDE_H
#define ENDICOTT_CP_VDEV_INSIDE_H

#include "cp/vdev.h"

// Gives the link of a virtual device back; the last one of a temporary disk frees it.
void mdisk_unlink(struct vdev *vdev);
// A real volume as a device of the virtual machine, all of it.
int vdev_dedicate(struct vm *vm, const struct directory_dedicate *entry, struct response *out);
void notify_vdev_on(struct vm *vm, uint16_t number);

#endif
