// SPDX-License-Identifier: MIT
// Real tape drives in the hands of virtual machines.
#include <stdlib.h>

#include "cp/command.h"
#include "cp/copy.h"
#include "cp/vdev_inside.h"
#include "devices/channel.h"
#include "devices/tape_3490.h"

int vdev_attach_tape(struct vm *vm, struct rdev *rdev, uint16_t number, struct response *out)
{
    if (rdev->attached)
        return message_send(out, MESSAGE_already_attached, rdev->type, rdev->number,
                            rdev->attached_to);
    if (css_device(vm->machine->css, number))
        return message_send(out, MESSAGE_vdev_defined, rdev->type, number);
    tape_image_rewind(rdev->tape);
    struct device *dev = tape_3490_new(number, rdev->tape);
    if (css_attach(vm->machine->css, dev, true) != 0) {
        free(dev);
        return message_send(out, MESSAGE_vdev_defined, rdev->type, number);
    }
    struct vdev *vdev = vdev_add(vm, number, VDEV_TAPE, rdev->model);
    vdev->rdev = rdev;
    vdev->writable = !tape_image_read_only(rdev->tape);
    rdev->attached = true;
    rdev->attached_vdev = number;
    copy_text(rdev->attached_to, sizeof rdev->attached_to, vm->userid);
    cp_notify(vm->cp, CP_EVENT_ATTACH, vm, rdev, NULL);
    return 0;
}

void vdev_detach_tape(struct vdev *vdev)
{
    struct rdev *rdev = vdev->rdev;

    rdev->attached = false;
    rdev->attached_vdev = 0;
    rdev->attached_to[0] = '\0';
    cp_notify(vdev->vm->cp, CP_EVENT_DETACH, vdev->vm, rdev, NULL);
}
