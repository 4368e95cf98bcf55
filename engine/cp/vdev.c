// SPDX-License-Identifier: MIT
// The list of a virtual machine's devices, and making them from the directory.
#include "cp/vdev.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/command.h"
#include "cp/nic.h"
#include "cp/spool.h"
#include "cp/vdev_inside.h"
#include "cp/vm_console.h"
#include "devices/channel.h"

struct vdev *vdev_find(const struct vm *vm, uint16_t number)
{
    for (struct vdev *v = vm->vdevs; v; v = v->next)
        if (v->number == number)
            return v;
    return NULL;
}

struct vdev *vdev_add(struct vm *vm, uint16_t number, enum vdev_kind kind, const char *type)
{
    struct vdev *vdev = mem_zero(1, sizeof *vdev), **at = &vm->vdevs;

    vdev->vm = vm;
    vdev->number = number;
    vdev->kind = kind;
    copy_text(vdev->type, sizeof vdev->type, type);
    while (*at && (*at)->number < number)
        at = &(*at)->next;
    vdev->next = *at;
    *at = vdev;
    return vdev;
}

static void drop(struct vdev *vdev)
{
    struct vm *vm = vdev->vm;
    struct vdev **at = &vm->vdevs;

    if (vdev->kind == VDEV_CONSOLE)
        vm->console->device = NULL;
    css_detach(vm->machine->css, vdev->number, !vm->logging_off);
    if (vdev->kind == VDEV_READER || vdev->kind == VDEV_PUNCH || vdev->kind == VDEV_PRINTER)
        spool_device_remove(vm, vdev->number);
    if (vdev->mdisk)
        mdisk_unlink(vdev);
    if (vdev->kind == VDEV_TAPE)
        vdev_detach_tape(vdev);
    while (*at != vdev)
        at = &(*at)->next;
    *at = vdev->next;
    free(vdev);
}

int vdev_remove(struct vm *vm, uint16_t number)
{
    struct vdev *vdev = vdev_find(vm, number);

    if (!vdev)
        return 40;
    drop(vdev);
    return 0;
}

void vdevs_remove_all(struct vm *vm)
{
    while (vm->vdevs)
        drop(vm->vdevs);
}

// --- from the directory -----------------------------------------------------------------

static void own_disks(struct vm *vm, struct response *out)
{
    const struct directory_user *entry = vm->entry;

    for (unsigned i = 0; i < entry->mdisks; i++) {
        const struct directory_mdisk *m = &entry->mdisk[i];
        if (m->kind == MDISK_TDISK)
            vdev_define_tdisk(vm, m->vdev, m->cylinders, out);
        else
            vdev_link(vm, vm->userid, m->vdev, m->vdev, m->mode, out);
        notify_vdev_on(vm, m->vdev);
    }
    for (unsigned i = 0; i < entry->links; i++) {
        const struct directory_link *l = &entry->link[i];
        vdev_link(vm, l->userid, l->vdev, l->as, l->mode, out);
    }
}

void notify_vdev_on(struct vm *vm, uint16_t number)
{
    if (vdev_find(vm, number))
        cp_notify(vm->cp, CP_EVENT_VDEV_ON, vm, NULL, NULL);
}

// SPECIAL makes consoles and adapters; other kinds need hardware that is not there yet.
static void special(struct vm *vm, const struct directory_special *s, struct response *out)
{
    if (text_abbreviates(s->type, "QDIO", 4) || text_abbreviates(s->type, "HIPERSOCKETS", 4)) {
        uint64_t devices = 3;
        char first[8] = "";
        size_t n = strcspn(s->operands, " ");
        if (n && n < sizeof first) {
            memcpy(first, s->operands, n);
            text_to_u64(first, 10, 3072, &devices);
        }
        nic_define(vm, s->vdev, s->type, (unsigned)devices, out);
        return;
    }
    if (text_abbreviates(s->type, "3270", 4) && !vm->console->device) {
        vm_console_define(vm, s->vdev);
        return;
    }
    message_send(out, MESSAGE_invalid_device_type, s->type);
}

void vdevs_from_directory(struct vm *vm, struct response *out)
{
    const struct directory_user *entry = vm->entry;

    if (entry->console.present)
        vm_console_define(vm, entry->console.vdev);
    for (unsigned i = 0; i < entry->spools; i++)
        spool_device_define(vm, &entry->spool[i]);
    own_disks(vm, out);
    for (unsigned i = 0; i < entry->dedicates; i++)
        vdev_dedicate(vm, &entry->dedicate[i], out);
    for (unsigned i = 0; i < entry->specials; i++)
        special(vm, &entry->special[i], out);
    for (unsigned i = 0; i < entry->nics; i++)
        nic_from_directory(vm, &entry->nic[i], out);
}
