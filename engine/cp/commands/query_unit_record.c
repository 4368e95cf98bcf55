// SPDX-License-Identifier: MIT
// QUERY VIRTUAL's blocks for the console and the unit record devices.
#include <stdio.h>
#include <string.h>

#include "cp/commands/devices.h"
#include "cp/directory.h"
#include "cp/spool.h"
#include "cp/vdev.h"
#include "cp/vm_console.h"

static const char *distribution_of(const struct vm *vm, const char *set)
{
    return set[0] ? set : vm->userid;
}

void show_console(struct command_call *call, uint16_t number, unsigned subchannel)
{
    const struct vm *vm = call->vm;
    const struct vm_console *console = vm->console;
    const char *spool = console->spooling ? "START" : "STOP";
    const char *blank = vm->terminal ? strrchr(vm->terminal->name, ' ') : NULL;
    const char *name = blank ? blank + 1 : vm->terminal ? vm->terminal->name : "";
    char class = vm->entry->console.spool_class ? vm->entry->console.spool_class : 'T';
    char open[12] = "CLOSED   ";
    if (console->file)
        snprintf(open, sizeof open, "OPEN %04u", console->file->id % 10000);
    if (vm->terminal)
        call_line(call, "CONS %04X ON %s %s TERM %s", number, name[0] == 'L' ? "LDEV" : "GRAF",
                  name, spool);
    else
        call_line(call, "CONS %04X DISCONNECTED TERM %s", number, spool);
    call_line(call, "     %04X CL %c NOCONT NOHOLD COPY 001    READY FORM STANDARD", number, class);
    call_line(call, "     %04X TO %-8s PRT DIST %-8s   FLASHC 000 DEST OFF", number, vm->userid,
              distribution_of(vm, vm->distribution));
    call_line(call, "     %04X FLASH      CHAR      MDFY      0 FCB      LPP OFF", number);
    call_line(call, "     %04X %s   NOEOF %s NOKEEP NOMSG NONAME", number,
              console->terminal.conmode_3270 ? "3270" : "3215", open);
    call_line(call, "     %04X SUBCHANNEL = %04X", number, subchannel);
}

static const char *yes(bool flag, const char *word, const char *negated)
{
    return flag ? word : negated;
}

static void state_of(const struct vm_spool_device *device, char state[12])
{
    if (device && device->file)
        snprintf(state, 12, "OPEN %04u", device->file->id % 10000);
    else
        snprintf(state, 12, "CLOSED   ");
}

static void show_reader(struct command_call *call, const struct vdev *vdev,
                        const struct vm_spool_device *d, unsigned subchannel)
{
    char state[12];
    state_of(d, state);
    call_line(call, "RDR  %04X CL %c %-6s %-6s %5s      READY", vdev->number, d->spool_class,
              yes(d->cont, "CONT", "NOCONT"), yes(d->hold, "HOLD", "NOHOLD"),
              yes(d->eof, "EOF", "NOEOF"));
    call_line(call, "     %04X %-6s %s %-6s NORESCAN  SUBCHANNEL = %04X", vdev->number, vdev->type,
              state, yes(d->keep, "KEEP", "NOKEEP"), subchannel);
}

static void show_output(struct command_call *call, const struct vdev *vdev,
                        const struct vm_spool_device *d, unsigned subchannel)
{
    const char *word = vdev_word(vdev);
    char state[12];
    state_of(d, state);
    call_line(call, "%s  %04X CL %c %-6s %-6s COPY %03u    READY FORM %-8s", word, vdev->number,
              d->spool_class, yes(d->cont, "CONT", "NOCONT"), yes(d->hold, "HOLD", "NOHOLD"),
              d->copies, d->form);
    call_line(call, "     %04X TO %-8s %s DIST %-8s   %sDEST OFF", vdev->number,
              d->to[0] ? d->to : call->vm->userid, word, distribution_of(call->vm, d->distribution),
              vdev->kind == VDEV_PRINTER ? "FLASHC 000 " : "");
    if (vdev->kind == VDEV_PRINTER)
        call_line(call, "     %04X FLASH      CHAR      MDFY      0 FCB      LPP OFF",
                  vdev->number);
    else
        call_line(call, "     %04X FLASH      000 CHAR      MDFY      0 FCB", vdev->number);
    call_line(call, "     %04X %-6s NOEOF %s %-6s NOMSG %s%s%s", vdev->number, vdev->type, state,
              yes(d->keep, "KEEP", "NOKEEP"), d->name[0] ? d->name : "NONAME",
              d->type[0] ? " " : "", d->type);
    call_line(call, "     %04X SUBCHANNEL = %04X", vdev->number, subchannel);
}

void show_unit_record(struct command_call *call, const struct vdev *vdev, unsigned subchannel)
{
    const struct vm_spool_device *device = spool_device(call->vm, vdev->number);
    if (!device)
        return;
    if (vdev->kind == VDEV_READER)
        show_reader(call, vdev, device, subchannel);
    else
        show_output(call, vdev, device, subchannel);
}
