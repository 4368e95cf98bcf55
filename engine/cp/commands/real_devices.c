// SPDX-License-Identifier: MIT
// VARY, and ATTACH and DETACH of DASD volumes to and from the system.
#include <stdio.h>
#include <string.h>

#include "cp/commands/attach.h"
#include "cp/commands/operands.h"
#include "cp/commands/query.h"
#include "cp/commands/table.h"

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
    if (!on && (rdev->attached || volume_users(call->cp, rdev)))
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

static int attach_to_system(struct command_call *call, struct rdev *rdev)
{
    if (rdev->offline)
        return call_error(call, MESSAGE_device_offline, rdev->number);
    if (strcmp(rdev->type, "DASD") != 0)
        return call_error(call, MESSAGE_invalid_device_type, rdev->type);
    if (rdev->cp_owned || rdev->cp_system)
        return call_error(call, MESSAGE_already_attached, rdev->type, rdev->number, "SYSTEM");
    if (rdev->attached)
        return call_error(call, MESSAGE_already_attached, rdev->type, rdev->number,
                          rdev->attached_to);
    rdev->cp_system = true;
    call_line(call, "DASD %04X ATTACHED TO SYSTEM %s", rdev->number, rdev->volser);
    return 0;
}

static int attach(struct command_call *call)
{
    uint16_t first, last;
    if (!query_is_range(call_peek(call) ? call_take(call) : "", &first, &last))
        return call_error(call, MESSAGE_rdev_missing);
    call_keyword(call, "TO", 2);
    if (!call_keyword(call, "SYSTEM", 6))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_userid_missing);
    if (call_peek(call)) { // the volume's label, which must be right
        const struct rdev *rdev = cp_volume(call->cp, call_peek(call));
        if (!rdev || rdev->number != first || strlen(call_take(call)) > 6)
            return call_error(call, MESSAGE_volid_missing);
    }
    return call_end(call) ? call->out->rc : each_rdev(call, first, last, attach_to_system);
}

static int detach_from_system(struct command_call *call, struct rdev *rdev)
{
    unsigned users = volume_users(call->cp, rdev);
    if (rdev->cp_owned)
        return call_error(call, MESSAGE_attach_cp_owned, rdev->number);
    if (users)
        return call_error(call, MESSAGE_attach_system, rdev->number, users);
    if (!rdev->cp_system)
        return call_error(call, MESSAGE_device_not_attached, rdev->type, rdev->number);
    rdev->cp_system = false;
    call_line(call, "%-4s %04X DETACHED SYSTEM", rdev->type, rdev->number);
    return 0;
}

int detach_real(struct command_call *call)
{
    uint16_t first, last;
    if (!query_is_range(call_take(call), &first, &last))
        return call_error(call, MESSAGE_rdev_missing);
    call_keyword(call, "FROM", 4);
    if (!call_keyword(call, "SYSTEM", 6))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_userid_missing);
    return call_end(call) ? call->out->rc : each_rdev(call, first, last, detach_from_system);
}

#define B CLASS('B')
static const struct command rows[] = {
    {"ATTACH", 3, B, false, attach, "rdev[-rdev] [TO] SYSTEM [volid]",
     "Lets the system use a DASD volume for minidisks."},
    {"VARY", 4, B, false, vary, "{ONline | OFFline} rdev[-rdev] ...",
     "Makes real devices usable, or takes them from use. A device in use stays online."},
};
COMMAND_TABLE(real_device_commands, NULL, rows);
