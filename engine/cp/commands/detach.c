// SPDX-License-Identifier: MIT
// DETACH: virtual devices and CPUs, and real devices from whoever has them.
#include <stdio.h>
#include <string.h>

#include "cp/commands/attach.h"
#include "cp/commands/devices.h"
#include "cp/commands/operands.h"
#include "cp/commands/query.h"
#include "cp/commands/table.h"
#include "cp/nic.h"
#include "cp/spool.h"
#include "cp/vdev.h"
#include "cp/vm_console.h"

static int detach_cpu(struct command_call *call)
{
    uint64_t cpus;
    if (take_cpus(call, &cpus) || call_end(call))
        return call->out->rc;
    if (strcmp(call->word[call->next - 1], "ALL") == 0)
        cpus &= ~UINT64_C(1);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!(cpus >> i & 1))
            continue;
        if (i == 0)
            return call_error(call, MESSAGE_base_cpu, i);
        if (vm_detach_cpu(call->vm, i) != 0)
            return call_error(call, MESSAGE_no_such_cpu, i);
        call_line(call, "CPU %02X detached", i);
    }
    if (cpus)
        call_line(call, "Storage cleared - system reset.");
    return 0;
}

// One device of a virtual adapter takes the adapter with it.
static int detach_nic(struct command_call *call, struct vdev *vdev)
{
    struct nic *nic = nic_of_device(call->vm, vdev->number);
    vm_quiesce(call->vm);
    nic_remove(nic, call->out);
    return 0;
}

static int detach_one(struct command_call *call, struct vdev *vdev)
{
    if (vdev->kind == VDEV_NIC)
        return detach_nic(call, vdev);
    struct text word = {0};
    uint16_t number = vdev->number;
    text_printf(&word, "%-4s", vdev_word(vdev));
    if (vdev->kind == VDEV_READER || vdev->kind == VDEV_PUNCH || vdev->kind == VDEV_PRINTER) {
        struct vm_spool_device *device = spool_device(call->vm, number);
        if (device)
            spool_device_close(device, call->out);
    }
    vm_quiesce(call->vm);
    vdev_remove(call->vm, number);
    call_line(call, "%s %04X DETACHED", text_get(&word), number);
    text_free(&word);
    return 0;
}

static int detach_range(struct command_call *call, uint16_t first, uint16_t last)
{
    bool any = false;
    for (unsigned number = first; number <= last; number++) {
        struct vdev *vdev = vdev_find(call->vm, (uint16_t)number);
        if (!vdev)
            continue;
        any = true;
        if (detach_one(call, vdev))
            return call->out->rc;
    }
    return any ? 0 : call_error(call, MESSAGE_no_such_vdev, first);
}

// "DETACH rdev ... FROM userid", "DETACH rdev *", "DETACH rdev SYSTEM": the class B form.
static bool is_real_form(const struct command_call *call)
{
    for (unsigned i = call->next; i < call->words; i++)
        if (strcmp(call->word[i], "FROM") == 0 || strcmp(call->word[i], "*") == 0 ||
            strcmp(call->word[i], "SYSTEM") == 0)
            return (call->classes & CLASS('B')) != 0;
    return false;
}

static int detach(struct command_call *call)
{
    const char *word = call_peek(call);
    uint16_t first, last;
    if (!word)
        return call_error(call, MESSAGE_vdev_missing);
    if (!query_is_range(word, &first, &last))
        return call_subcommand(call, "DETACH");
    if (is_real_form(call))
        return detach_real(call);
    do {
        word = call_take(call);
        if (!query_is_range(word, &first, &last))
            return call_error(call, MESSAGE_vdev_missing);
        if (detach_range(call, first, last))
            return call->out->rc;
    } while (call_peek(call));
    return 0;
}

static const struct command top_rows[] = {
    {"DETACH", 3, CLASS('B') | CLASS('G'), false, detach,
     "vdev[-vdev] ...\nrdev[-rdev] ... [FROM] {userid | * | SYSTEM}\noperand ...",
     "Takes virtual devices from your virtual machine; class B: takes real devices from a user or "
     "from the system. HELP DETACH lists what else can be detached."},
};
static const struct command rows[] = {
    {"CPU", 3, CLASS('G'), false, detach_cpu, "{ALL | n[-m] ...}",
     "Removes virtual CPUs other than the base one. The machine is reset and storage cleared."},
};
COMMAND_TABLE(detach_verb_commands, NULL, top_rows);
COMMAND_TABLE(detach_commands, "DETACH", rows);
