// SPDX-License-Identifier: MIT
// DIAGNOSE X'24' and X'210': what a virtual device is.
#include <string.h>

#include "base/bytes.h"
#include "cp/diagnose.h"
#include "cp/vdev.h"
#include "cp/vm_console.h"
#include "devices/channel.h"

// Class and type bytes.
static const struct {
    uint16_t device_type;
    uint8_t class, type;
} types[] = {
    {0x3390, 0x04, 0x82}, {0x3380, 0x04, 0x20}, {0x9336, 0x01, 0x40}, {0x3215, 0x80, 0x00},
    {0x3270, 0x40, 0x04}, {0x3278, 0x40, 0x04}, {0x3279, 0x40, 0x04}, {0x2540, 0x20, 0x82},
    {0x3505, 0x20, 0x84}, {0x2501, 0x20, 0x81}, {0x3525, 0x10, 0x84}, {0x1403, 0x10, 0x41},
    {0x3203, 0x10, 0x43}, {0x3211, 0x10, 0x42}, {0x3490, 0x08, 0x81}, {0x1732, 0x02, 0x10},
    {0x3088, 0x02, 0x80},
};

struct device_info {
    const struct vdev *vdev; // NULL: CP keeps no entry of its own (NICs)
    uint8_t class, type, flags;
    bool real; // a real device is behind it
};

static bool find(const struct vm *vm, uint16_t number, struct device_info *info)
{
    const struct device *dev = css_device(vm->machine->css, number);

    if (!dev)
        return false;
    *info = (struct device_info){.vdev = vdev_find(vm, number)};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].device_type == dev->dev_type) {
            info->class = types[i].class;
            info->type = types[i].type;
        }
    if (info->vdev && info->vdev->kind == VDEV_PUNCH)
        info->class = 0x10;
    info->real = info->vdev && info->vdev->mdisk && info->vdev->mdisk->rdev;
    if (info->vdev && info->vdev->kind == VDEV_DASD && !info->vdev->writable)
        info->flags = 0x80;
    return true;
}

// X'24': Rx = device number or -1 for the console. Ry: virtual class, type, status, flags; Ry+1:
// real class, type, model, features (for a console: line length).
void diagnose_24(struct diagnose_call *call)
{
    uint32_t number = (uint32_t)call->cpu->gr[call->x];
    struct device_info info;

    if (call->cpu->psw.ea)
        diagnose_specification(call);
    if (number == UINT32_MAX) {
        if (!call->vm->console->device) {
            diagnose_cc(call, 3);
            return;
        }
        number = call->vm->console->vdev;
        diagnose_set(call, call->x, number);
    }
    if (number > 0xFFFF || !find(call->vm, (uint16_t)number, &info)) {
        diagnose_cc(call, 3);
        return;
    }
    uint32_t virtual = (uint32_t)info.class << 24 | (uint32_t)info.type << 16 | info.flags;
    bool console = call->vm->console->device && number == call->vm->console->vdev;
    diagnose_set(call, call->y, virtual);
    if (console)
        diagnose_set(call, (call->y + 1) & 15, 0x80000000u | 80);
    else if (info.real)
        diagnose_set(call, (call->y + 1) & 15, virtual & 0xFFFF0000);
    diagnose_cc(call, console || info.real ? 0 : 2);
}

// X'210': Rx addresses a block that begins with device number and length.
//
//   0 device | 2 length | 4 virtual class, type, status, flags | 8 real class, type, model,
//   features
#define BLOCK_MIN 8u
#define BLOCK_MAX 256u

void diagnose_210(struct diagnose_call *call)
{
    uint8_t block[BLOCK_MAX] = {0};
    uint64_t at = diagnose_register(call, call->x);
    struct device_info info;

    if (call->cpu->psw.ea || at % 4)
        diagnose_specification(call);
    cpu_fetch_real(call->cpu, at, block, 4);
    uint16_t length = be16_load(block + 2);
    if (length < BLOCK_MIN || length > BLOCK_MAX)
        diagnose_specification(call);
    if (!find(call->vm, be16_load(block), &info)) {
        diagnose_cc(call, 3);
        return;
    }
    block[4] = info.class;
    block[5] = info.type;
    block[7] = info.flags;
    if (info.real) {
        block[8] = info.class;
        block[9] = info.type;
        be16_store(block + 128, info.vdev->mdisk->rdev->number);
    }
    cpu_store_real(call->cpu, at, block, length);
    diagnose_cc(call, info.real ? 0 : 2);
}
