// SPDX-License-Identifier: MIT
// Uplinks of virtual switches: which real device, which controller, and who is told.
#include "cp/vswitch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/nic.h"

// Virtual device numbers at the controller, three for each uplink device.
#define CONTROLLER_VDEV 0x0600u

static const struct {
    const char *shown, *status; // in QUERY VSWITCH, in message 2830
} states[] = {
    [UPLINK_DEFINED] = {"Defined", "defined"},
    [UPLINK_DISCONNECTED] = {"Disconnected", "disconnected"},
    [UPLINK_NO_CONTROLLER] = {"Controller not available", "controller not available"},
    [UPLINK_ERROR] = {"Disconnected", "disconnected following error"},
    [UPLINK_READY] = {"Ready", "ready"},
};

const char *uplink_state_name(enum uplink_state state)
{
    return states[state].shown;
}

// --- telling ----------------------------------------------------------------

// The message to the operator and, when he is somebody else, to the issuer.
static void report(struct cp *cp, struct vm *issuer, enum message id, ...)
{
    struct text line = {0};
    va_list ap;
    va_start(ap, id);
    message_format(&line, id, ap);
    va_end(ap);
    if (issuer && issuer != cp->operator)
        vm_line(issuer, LINE_CP, text_get(&line));
    cp_operator_line(cp, "%s", text_get(&line));
    text_free(&line);
}

// --- controllers ------------------------------------------------------------

static bool is_default_controller(const char *userid)
{
    return strncmp(userid, "DTCVSW", 6) == 0 && userid[6] >= '1' && userid[6] <= '4' &&
           userid[7] == '\0';
}

static bool is_named(const struct lan *lan, const char *userid)
{
    for (unsigned i = 0; i < lan->uplink.controllers; i++)
        if (strcmp(lan->uplink.controller[i], userid) == 0)
            return true;
    return false;
}

bool vswitch_is_controller(const struct cp *cp, const char *userid)
{
    const struct vm *vm = cp_user(cp, userid);
    if (!vm || vm->logging_off)
        return false;
    for (const struct lan *lan = cp->network ? cp->network->lans : NULL; lan; lan = lan->next)
        if (is_named(lan, userid))
            return true;
    return is_default_controller(userid);
}

// Who can manage this switch's uplink now: the first named one that is logged on, or with * the
// first default one. NULL: nobody.
static const char *find_controller(const struct cp *cp, const struct lan *lan)
{
    for (unsigned i = 0; i < lan->uplink.controllers; i++)
        if (vswitch_is_controller(cp, lan->uplink.controller[i]))
            return lan->uplink.controller[i];
    if (lan->uplink.controllers > 0)
        return NULL;
    for (const struct vm *vm = cp->users; vm; vm = vm->next)
        if (is_default_controller(vm->userid) && !vm->logging_off)
            return vm->userid;
    return NULL;
}

// --- devices ----------------------------------------------------------------

static bool is_osa(const struct rdev *rdev)
{
    return rdev && strcmp(rdev->type, "OSA") == 0;
}

static bool usable(const struct cp *cp, const struct uplink_device *device)
{
    const struct rdev *rdev = cp_rdev(cp, device->rdev);
    return is_osa(rdev) && !rdev->offline && (!rdev->attached || device->vdev != 0);
}

// Read, write and data device, as far as they exist.
static void attach(struct cp *cp, struct uplink_device *device, const char *controller,
                   uint16_t vdev)
{
    for (unsigned i = 0; i < 3; i++) {
        struct rdev *rdev = cp_rdev(cp, (uint16_t)(device->rdev + i));
        if (!is_osa(rdev))
            continue;
        rdev->attached = controller != NULL;
        rdev->attached_vdev = controller ? (uint16_t)(vdev + i) : 0;
        strcpy(rdev->attached_to, controller ? controller : "");
    }
    device->vdev = controller ? vdev : 0;
    strcpy(device->controller, controller ? controller : "");
}

static bool vdev_in_use(const struct cp *cp, const char *controller, uint16_t vdev)
{
    for (const struct lan *lan = cp->network->lans; lan; lan = lan->next)
        for (unsigned i = 0; i < lan->uplink.devices; i++)
            if (lan->uplink.device[i].vdev == vdev &&
                strcmp(lan->uplink.device[i].controller, controller) == 0)
                return true;
    return false;
}

static void attach_to(struct cp *cp, struct uplink_device *device, const char *controller)
{
    uint16_t vdev = CONTROLLER_VDEV;
    while (vdev_in_use(cp, controller, vdev))
        vdev = (uint16_t)(vdev + 3);
    attach(cp, device, controller, vdev);
}

void vswitch_release(struct cp *cp, struct lan *lan)
{
    for (unsigned i = 0; i < lan->uplink.devices; i++)
        if (lan->uplink.device[i].vdev != 0)
            attach(cp, &lan->uplink.device[i], NULL, 0);
    lan->uplink.active = -1;
    lan_close_uplink(lan);
}

// --- state ------------------------------------------------------------------

static bool to_the_cable(struct port *port, const uint8_t *frame, size_t n)
{
    (void)port;
    (void)frame;
    (void)n;
    return true;
}

// Gives every usable device to the controller; the first one is active. False when there is none.
static bool bring_up(struct cp *cp, struct lan *lan, const char *controller)
{
    struct uplink *uplink = &lan->uplink;
    for (unsigned i = 0; i < uplink->devices; i++) {
        if (!usable(cp, &uplink->device[i]))
            continue;
        attach_to(cp, &uplink->device[i], controller);
        if (uplink->active < 0)
            uplink->active = (int)i;
    }
    if (uplink->active < 0)
        return false;
    lan_open_uplink(lan, uplink->device[uplink->active].rdev, to_the_cable, NULL);
    return true;
}

static enum uplink_state work_out(struct cp *cp, struct lan *lan)
{
    const struct uplink *uplink = &lan->uplink;
    if (uplink->none || uplink->devices == 0)
        return UPLINK_DEFINED;
    if (!uplink->connect)
        return UPLINK_DISCONNECTED;
    const char *controller = find_controller(cp, lan);
    if (!controller)
        return UPLINK_NO_CONTROLLER;
    return bring_up(cp, lan, controller) ? UPLINK_READY : UPLINK_ERROR;
}

static void report_error(struct cp *cp, const struct lan *lan, struct vm *issuer)
{
    const struct uplink *uplink = &lan->uplink;
    report(cp, issuer, MESSAGE_switch_not_active, lan->owner, lan->name);
    report(cp, issuer, MESSAGE_switch_no_device);
    for (unsigned i = 0; i < uplink->devices; i++)
        report(cp, issuer, MESSAGE_switch_device_offline, uplink->device[i].rdev,
               uplink->device[i].osa_port, lan->name);
}

static void report_ready(struct cp *cp, const struct lan *lan, struct vm *issuer)
{
    const struct uplink *uplink = &lan->uplink;
    for (unsigned i = 0; i < uplink->devices; i++) {
        const struct uplink_device *device = &uplink->device[i];
        if (device->vdev != 0)
            report(cp, issuer,
                   (int)i == uplink->active ? MESSAGE_switch_controller : MESSAGE_switch_backup,
                   device->controller, device->rdev, device->osa_port);
    }
}

void vswitch_update(struct cp *cp, struct lan *lan, struct vm *issuer)
{
    enum uplink_state old = lan->uplink.state;
    char old_controller[NETWORK_NAME_SIZE] = "";
    int old_active = lan->uplink.active;
    if (lan->kind != LAN_VSWITCH)
        return;
    if (old_active >= 0)
        strcpy(old_controller, lan->uplink.device[old_active].controller);
    vswitch_release(cp, lan);
    lan->uplink.state = work_out(cp, lan);
    if (lan->uplink.state == UPLINK_READY &&
        (old != UPLINK_READY ||
         strcmp(old_controller, lan->uplink.device[lan->uplink.active].controller) != 0))
        report_ready(cp, lan, issuer);
    if (lan->uplink.state == old)
        return;
    report(cp, issuer, MESSAGE_switch_status, lan->owner, lan->name,
           states[lan->uplink.state].status);
    if (lan->uplink.state == UPLINK_ERROR)
        report_error(cp, lan, issuer);
}

void vswitch_lan_unused(struct cp *cp, struct lan *lan)
{
    const struct vm *owner = cp_user(cp, lan->owner);
    if (!lan->persistent && lan->ports == 0 && (!owner || owner->logging_off))
        network_remove(lan);
}

// --- following the system ---------------------------------------------------

struct vswitch_watch {
    struct cp *cp;
    struct cp_listener listener;
};

// Is the uplink up, and nothing it depends on gone? Then it is left alone, with its counters.
static bool holds(const struct cp *cp, const struct lan *lan)
{
    const struct uplink *uplink = &lan->uplink;
    if (uplink->state != UPLINK_READY)
        return false;
    const struct uplink_device *active = &uplink->device[uplink->active];
    const struct rdev *rdev = cp_rdev(cp, active->rdev);
    return rdev && !rdev->offline && vswitch_is_controller(cp, active->controller);
}

static void notify(void *arg, const struct cp_event_data *event)
{
    struct vswitch_watch *watch = arg;
    bool matters = event->what == CP_EVENT_RDEV_ON || event->what == CP_EVENT_RDEV_OFF ||
                   event->what == CP_EVENT_LOGON || event->what == CP_EVENT_LOGOFF;
    if (!matters || !watch->cp->network || watch->cp->shutting_down)
        return;
    for (struct lan *lan = watch->cp->network->lans; lan; lan = lan->next)
        if (lan->uplink.devices > 0 && !holds(watch->cp, lan))
            vswitch_update(watch->cp, lan, NULL);
}

struct vswitch_watch *vswitch_watch(struct cp *cp)
{
    struct vswitch_watch *watch = mem_zero(1, sizeof *watch);
    watch->cp = cp;
    watch->listener = (struct cp_listener){.notify = notify, .arg = watch};
    cp_listen(cp, &watch->listener);
    return watch;
}

void vswitch_unwatch(struct vswitch_watch *watch)
{
    cp_unlisten(watch->cp, &watch->listener);
    free(watch);
}
