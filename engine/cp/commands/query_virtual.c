// SPDX-License-Identifier: MIT
// QUERY VIRTUAL: storage, CPUs and devices of the issuer's virtual machine.
#include <stdio.h>
#include <string.h>

#include "cp/commands/devices.h"
#include "cp/commands/format.h"
#include "cp/commands/query.h"
#include "cp/nic.h"
#include "cp/vdev.h"

static void show_storage(struct command_call *call)
{
    struct text size = {0};
    format_size(&size, call->vm->storage);
    call_line(call, "STORAGE = %s", text_get(&size));
    text_free(&size);
}

static int query_storage(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    show_storage(call);
    return 0;
}

static void show_cpus(struct command_call *call)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        struct vcpu *vcpu = vm_vcpu(call->vm, i);
        if (!vcpu)
            continue;
        bool stopped = atomic_load(&vcpu->cpu->state) != CPU_OPERATING;
        call_line(call, "CPU %02X  ID  %016llX %s%sCP   CPUAFF ON", i,
                  (unsigned long long)vcpu->cpu->cpu_id, i == 0 ? "(BASE) " : "",
                  stopped ? "STOPPED " : "");
    }
}

static int query_cpus(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    show_cpus(call);
    return 0;
}

static int query_cpuid(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "CPUID = %016llX",
              (unsigned long long)vm_vcpu(call->vm, call->vm->current_cpu)->cpu->cpu_id);
    return 0;
}

// --- devices -----------------------------------------------------------------

static unsigned subchannel(const struct vdev *vdev)
{
    return (unsigned)css_subchannel_number(vdev->vm->machine->css, vdev->number);
}

static void show_dasd(struct command_call *call, const struct vdev *vdev)
{
    const struct mdisk *mdisk = vdev->mdisk;
    const char *volser = !mdisk || mdisk->temporary ? "(TEMP)" : "";
    char rdev[5] = "TEMP";
    if (mdisk && mdisk->rdev) {
        snprintf(rdev, sizeof rdev, "%04X", mdisk->rdev->number);
        volser = mdisk->temporary ? volser : mdisk->rdev->volser;
    }
    call_line(call, "DASD %04X %-4s %-6s %s %10u CYL ON DASD  %s SUBCHANNEL = %04X", vdev->number,
              vdev->type, volser, vdev->writable ? "R/W" : "R/O", mdisk ? mdisk->cylinders : 0,
              rdev, subchannel(vdev));
}

static void show_device(struct command_call *call, struct vdev *vdev)
{
    switch (vdev->kind) {
    case VDEV_CONSOLE:
        show_console(call, vdev->number, subchannel(vdev));
        break;
    case VDEV_READER:
    case VDEV_PUNCH:
    case VDEV_PRINTER:
        show_unit_record(call, vdev, subchannel(vdev));
        break;
    case VDEV_DASD:
    case VDEV_TDISK:
        show_dasd(call, vdev);
        break;
    case VDEV_NIC:
        nic_show_virtual(call->vm, vdev->number, call->out);
        break;
    case VDEV_TAPE:
        call_line(call, "TAPE %04X ON DEV  %04X %s %s SUBCHANNEL = %04X", vdev->number,
                  vdev->rdev->number, vdev->type, vdev->writable ? "R/W" : "R/O", subchannel(vdev));
        break;
    case VDEV_OTHER:
        call_line(call, "%-4s %04X SUBCHANNEL = %04X", vdev->type, vdev->number, subchannel(vdev));
        break;
    }
}

// Devices of the kinds in `kinds` (a bit each) with numbers from first to last; how many.
static unsigned show_devices(struct command_call *call, unsigned kinds, uint16_t first,
                             uint16_t last)
{
    unsigned n = 0;
    for (struct vdev *v = call->vm->vdevs; v; v = v->next)
        if (kinds >> v->kind & 1 && v->number >= first && v->number <= last) {
            show_device(call, v);
            n++;
        }
    return n;
}

#define KIND(kind) (1u << VDEV_##kind)
#define ALL_KINDS  (~0u)

static const struct {
    const char *name;
    unsigned kinds;
} groups[] = {
    {"CONSOLE", KIND(CONSOLE)},
    {"DASD", KIND(DASD) | KIND(TDISK)},
    {"READER", KIND(READER)},
    {"RDR", KIND(READER)},
    {"PUNCH", KIND(PUNCH)},
    {"PCH", KIND(PUNCH)},
    {"PRINTER", KIND(PRINTER)},
    {"PRT", KIND(PRINTER)},
    {"UR", KIND(READER) | KIND(PUNCH) | KIND(PRINTER)},
    {"OSA", KIND(NIC)},
    {"TAPES", KIND(TAPE)},
};

static int query_group(struct command_call *call)
{
    const char *name = call->command->name;
    if (call_end(call))
        return call->out->rc;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp(name, groups[i].name) == 0 &&
            show_devices(call, groups[i].kinds, 0, UINT16_MAX) == 0)
            call_line(call, "%s %s was not found.", strchr("AEIOU", name[0]) ? "An" : "A", name);
    return 0;
}

static int query_all(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    show_storage(call);
    call_line(call, "XSTORE = none");
    show_cpus(call);
    for (unsigned kind = VDEV_CONSOLE; kind <= VDEV_OTHER; kind++)
        show_devices(call, 1u << kind, 0, UINT16_MAX);
    return 0;
}

// The network family's QUERY NIC by another name.
static int query_nic(struct command_call *call)
{
    const struct command *row = command_find("QUERY", "NIC", call->classes, true);
    if (!row)
        return call_error(call, MESSAGE_invalid_option, "NIC");
    call->command = row;
    call->version = row->classes & call->classes;
    return row->run(call);
}

static int query_numbers(struct command_call *call)
{
    uint16_t first, last;
    do {
        const char *word = call_take(call);
        if (!query_is_range(word, &first, &last))
            return call_error(call, MESSAGE_invalid_option, word);
        if (show_devices(call, ALL_KINDS, first, last) == 0)
            return call_error(call, MESSAGE_no_such_device, first);
    } while (call_peek(call));
    return 0;
}

static int query_virtual(struct command_call *call)
{
    const char *word = call_peek(call);
    uint16_t first, last;
    if (!word)
        return query_all(call);
    if (!command_find("QUERY VIRTUAL", word, call->classes, true) &&
        query_is_range(word, &first, &last))
        return query_numbers(call);
    return call_subcommand(call, "QUERY VIRTUAL");
}

#define G CLASS('G')
static const struct command query_rows[] = {
    {"VIRTUAL", 1, G, false, query_virtual, "[ALL | operand | vdev[-vdev] ...]",
     "Shows your virtual machine's storage, CPUs and devices: all, a kind of them, or by device "
     "number."},
    {"CPUS", 4, G, false, query_cpus, "", "Lists your virtual CPUs."},
    {"CPUID", 3, G, false, query_cpuid, "", "Shows what STIDP stores on your virtual CPU."},
};
static const struct command virtual_rows[] = {
    {"ALL", 3, G, false, query_all, "", "Everything."},
    {"STORAGE", 2, G, false, query_storage, "", "The storage size."},
    {"CPUS", 3, G, false, query_cpus, "", "The virtual CPUs."},
    {"CONSOLE", 3, G, false, query_group, "", "The virtual console."},
    {"DASD", 2, G, false, query_group, "", "Minidisks and temporary disks."},
    {"READER", 1, G, false, query_group, "", "Virtual card readers."},
    {"RDR", 3, G, false, query_group, "", "", "READER"},
    {"PUNCH", 2, G, false, query_group, "", "Virtual card punches."},
    {"PCH", 3, G, false, query_group, "", "", "PUNCH"},
    {"PRINTER", 1, G, false, query_group, "", "Virtual printers."},
    {"PRT", 3, G, false, query_group, "", "", "PRINTER"},
    {"UR", 2, G, false, query_group, "", "All virtual unit record devices."},
    {"TAPES", 2, G, false, query_group, "", "Tape drives."},
    {"OSA", 3, G, false, query_group, "", "Devices of virtual network adapters."},
    {"NIC", 3, G, false, query_nic, "[ALL | vdev] [DETails]",
     "Virtual network adapters, as QUERY NIC shows them."},
};
COMMAND_TABLE(query_machine_commands, "QUERY", query_rows);
COMMAND_TABLE(query_virtual_commands, "QUERY VIRTUAL", virtual_rows);
