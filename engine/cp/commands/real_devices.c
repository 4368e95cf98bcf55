// SPDX-License-Identifier: MIT
// VARY, and ATTACH and DETACH of DASD volumes to and from the system.
#include <stdio.h>
#include <string.h>

#include "cp/commands/attach.h"
#include "cp/commands/operands.h"
#include "cp/commands/query.h"
#include "cp/commands/table.h"
#include "cp/commands/vary_processor.h"
#include "cp/vdev_inside.h"

static int each_rdev(struct command_call *call, uint16_t first, uint16_t last,
                     int (*fn)(struct command_call *call, struct rdev *rdev))
{
    bool any = false;
    int rc = 0;
    for (struct rdev *r = call->cp->rdevs; r && rc == 0; r = r->next)
        if (r->number >= first && r->number <= last) {
            any = true;
            rc = fn(call, r);
        }
    return any ? rc : call_error(call, MESSAGE_no_such_atr_rdev, first);
}

// Is anybody using the volume?
static unsigned volume_users(const struct cp *cp, const struct rdev *rdev)
{
    unsigned n = 0;
    for (const struct mdisk *m = cp->mdisks; m; m = m->next)
        if (m->rdev == rdev)
            n += m->readers + m->writers;
    return n;
}

// --- VARY --------------------------------------------------------------------

static int vary_one(struct command_call *call, struct rdev *rdev, bool on)
{
    if (!on && (volume_users(call->cp, rdev) || (rdev->tape && rdev->attached)))
        return call_error(call, MESSAGE_device_in_use, rdev->number);
    if (rdev->offline == on) {
        rdev->offline = !on;
        cp_notify(call->cp, on ? CP_EVENT_RDEV_ON : CP_EVENT_RDEV_OFF, NULL, rdev, NULL);
    }
    call_line(call, "%04X varied %s", rdev->number, on ? "online" : "offline");
    return 0;
}

static int vary_online(struct command_call *call, struct rdev *rdev)
{
    return vary_one(call, rdev, true);
}

static int vary_offline(struct command_call *call, struct rdev *rdev)
{
    return vary_one(call, rdev, false);
}

static int vary(struct command_call *call)
{
    bool on = call_keyword(call, "ONLINE", 2);
    uint16_t first, last;
    unsigned n = 0;
    if (!on && !call_keyword(call, "OFFLINE", 3))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    if (!call_peek(call))
        return call_error(call, MESSAGE_rdev_missing);
    if (call_keyword(call, "PROCESSOR", 4))
        return vary_processor(call, on);
    for (; call_peek(call); n++) {
        if (!query_is_range(call_take(call), &first, &last))
            return call_error(call, MESSAGE_rdev_missing);
        if (each_rdev(call, first, last, on ? vary_online : vary_offline))
            return call->out->rc;
    }
    call_line(call, "%u device(s) specified; %u device(s) successfully varied %s", n, n,
              on ? "online" : "offline");
    return 0;
}

// --- ATTACH and DETACH -------------------------------------------------------

const struct mdisk *rdev_holder(const struct cp *cp, const struct rdev *rdev)
{
    for (const struct mdisk *m = cp->mdisks; m && !rdev->cp_system; m = m->next)
        if (m->rdev == rdev)
            return m;
    return NULL;
}

static int check_free(struct command_call *call, const struct rdev *rdev)
{
    const struct mdisk *holder = rdev_holder(call->cp, rdev);
    if (rdev->offline)
        return call_error(call, MESSAGE_device_offline, rdev->number);
    if (!rdev->volume && !rdev->tape)
        return call_error(call, MESSAGE_invalid_device_type, rdev->type);
    if (rdev->cp_owned || rdev->cp_system || holder || rdev->attached)
        return call_error(call, MESSAGE_already_attached, rdev->type, rdev->number,
                          holder           ? holder->owner
                          : rdev->attached ? rdev->attached_to
                                           : "SYSTEM");
    return 0;
}

static int attach_to_system(struct command_call *call, struct rdev *rdev)
{
    if (rdev->tape)
        return call_error(call, MESSAGE_invalid_device_type, rdev->type);
    if (check_free(call, rdev))
        return call->out->rc;
    rdev->cp_system = true;
    call_line(call, "DASD %04X ATTACHED TO SYSTEM %s", rdev->number, rdev->volser);
    return 0;
}

// ATTACH rdev TO userid [AS] vdev [R/O]
static int attach_to_user(struct command_call *call, uint16_t number)
{
    struct directory_dedicate entry = {.vdev = number, .rdev = number};
    struct rdev *rdev = cp_rdev(call->cp, number);
    struct vm *vm = call_user(call);
    if (!vm)
        return call->out->rc;
    call_keyword(call, "AS", 2);
    if (parse_vdev(call_peek(call), &entry.vdev))
        call->next++;
    entry.read_only = call_keyword(call, "R/O", 3);
    if (!entry.read_only)
        call_keyword(call, "R/W", 3);
    if (call_end(call))
        return call->out->rc;
    if (!rdev)
        return call_error(call, MESSAGE_no_such_atr_rdev, number);
    if (check_free(call, rdev))
        return call->out->rc;
    int rc = vdev_dedicate(vm, &entry, call->out);
    if (rc == 0)
        call_line(call, "%s %04X ATTACHED TO %s %04X%s", rdev->type, number, vm->userid, entry.vdev,
                  rdev->tape ? "" : " WITH DEVCTL");
    return rc;
}

static int attach(struct command_call *call)
{
    uint16_t first, last;
    if (!query_is_range(call_peek(call) ? call_take(call) : "", &first, &last))
        return call_error(call, MESSAGE_rdev_missing);
    call_keyword(call, "TO", 2);
    if (!call_keyword(call, "SYSTEM", 6)) {
        if (first != last)
            return call_error(call, MESSAGE_invalid_range, call->word[0]);
        return attach_to_user(call, first);
    }
    if (call_peek(call)) { // the volume's label, which must be right
        const struct rdev *rdev = cp_volume(call->cp, call_take(call));
        if (!rdev || rdev->number != first)
            return call_error(call, MESSAGE_volid_missing);
    }
    return call_end(call) ? call->out->rc : each_rdev(call, first, last, attach_to_system);
}

static int detach_from_system(struct command_call *call, struct rdev *rdev)
{
    unsigned users = volume_users(call->cp, rdev);
    if (rdev->cp_owned)
        return call_error(call, MESSAGE_attach_cp_owned, rdev->number);
    if (!rdev->cp_system)
        return call_error(call, MESSAGE_device_not_attached, rdev->type, rdev->number);
    if (users)
        return call_error(call, MESSAGE_attach_system, rdev->number, users);
    rdev->cp_system = false;
    call_line(call, "%-4s %04X DETACHED SYSTEM", rdev->type, rdev->number);
    return 0;
}

static int detach_from_user(struct command_call *call, struct rdev *rdev, struct vm *vm)
{
    const struct mdisk *holder = rdev_holder(call->cp, rdev);
    const char *owner = holder ? holder->owner : rdev->attached_to;
    if (strcmp(owner, vm->userid) != 0)
        return call_error(call, MESSAGE_device_not_attached, rdev->type, rdev->number);
    vm_quiesce(vm);
    vdev_remove(vm, holder ? holder->vdev : rdev->attached_vdev);
    if (vm == call->vm) {
        call_line(call, "%s %04X DETACHED", rdev->type, rdev->number);
        return 0;
    }
    struct text line = {0};
    text_printf(&line, "%s %04X DETACHED BY %s", rdev->type, rdev->number, call->vm->userid);
    vm_line(vm, LINE_CP, text_get(&line));
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

int detach_real(struct command_call *call)
{
    uint16_t first, last;
    struct vm *vm;
    if (!query_is_range(call_take(call), &first, &last))
        return call_error(call, MESSAGE_rdev_missing);
    call_keyword(call, "FROM", 4);
    if (call_keyword(call, "SYSTEM", 6))
        return call_end(call) ? call->out->rc : each_rdev(call, first, last, detach_from_system);
    vm = call_user(call);
    if (!vm || call_end(call))
        return call->out->rc;
    struct rdev *rdev = cp_rdev(call->cp, first);
    if (!rdev || first != last)
        return call_error(call, MESSAGE_no_such_atr_rdev, first);
    return detach_from_user(call, rdev, vm);
}

#define B CLASS('B')
static const struct command rows[] = {
    {"ATTACH", 3, B, false, attach,
     "rdev[-rdev] [TO] SYSTEM [volid]\nrdev [TO] {userid | *} [[AS] vdev] [R/O | R/W]",
     "Lets the system use a DASD volume for minidisks, or gives a user all of a volume, or a tape "
     "drive, as a virtual device."},
    {"VARY", 4, B, false, vary, "{ONline | OFFline} {rdev[-rdev] ... | PROCessor nnnn}",
     "Makes real devices or processors usable, or takes them from use. A device in use and the last "
     "processor stay online."},
};
COMMAND_TABLE(real_device_commands, NULL, rows);
