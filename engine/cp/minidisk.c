// SPDX-License-Identifier: MIT
// Minidisks: extents of volumes, and who has links to them in what mode (CP Planning and
// Administration, "Link modes").
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/vdev_inside.h"
#include "devices/channel.h"
#include "devices/dasd_ckd.h"
#include "devices/dasd_fba.h"

// --- minidisks in use -------------------------------------------------------------------

static struct mdisk *mdisk_find(const struct cp *cp, const char *owner, uint16_t vdev)
{
    for (struct mdisk *m = cp->mdisks; m; m = m->next)
        if (m->vdev == vdev && strcasecmp(m->owner, owner) == 0)
            return m;
    return NULL;
}

static struct mdisk *mdisk_new(struct cp *cp, const char *owner, uint16_t vdev)
{
    struct mdisk *m = mem_zero(1, sizeof *m);

    copy_text(m->owner, sizeof m->owner, owner);
    m->vdev = vdev;
    m->next = cp->mdisks;
    cp->mdisks = m;
    return m;
}

static void mdisk_drop(struct cp *cp, struct mdisk *m)
{
    struct mdisk **at = &cp->mdisks;

    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    if (m->blocks)
        fba_volume_free(m->blocks);
    else if (m->temporary)
        dasd_volume_free(m->volume);
    free(m);
}

void mdisk_unlink(struct vdev *vdev)
{
    struct mdisk *m = vdev->mdisk;

    if (vdev->writable)
        m->writers--;
    else
        m->readers--;
    vdev->mdisk = NULL;
    if (m->readers || m->writers)
        return;
    if (m->rdev && !m->rdev->cp_system)
        cp_notify(vdev->vm->cp, CP_EVENT_DETACH, vdev->vm, m->rdev, NULL);
    mdisk_drop(vdev->vm->cp, m);
}

unsigned mdisk_users(const struct mdisk *mdisk, bool writers)
{
    return writers ? mdisk->writers : mdisk->readers;
}

struct vm *mdisk_user(const struct cp *cp, const struct mdisk *mdisk, bool writer,
                      const struct vm *except)
{
    for (struct vm *vm = cp->users; vm; vm = vm->next)
        for (const struct vdev *v = vm == except ? NULL : vm->vdevs; v; v = v->next)
            if (v->mdisk == mdisk && v->writable == writer)
                return vm;
    return NULL;
}

// A virtual disk in storage; NULL when the host has none.
static struct mdisk *vdisk_new(struct cp *cp, const char *owner, uint16_t vdev, uint32_t blocks)
{
    char *error = NULL;
    struct fba_volume *volume = fba_volume_new(NULL, blocks, true, false, &error);
    struct mdisk *m;

    free(error);
    if (!volume)
        return NULL;
    m = mdisk_new(cp, owner, vdev);
    m->temporary = true;
    m->blocks = volume;
    return m;
}

// The minidisk of the directory, made known to CP; NULL with a message when it is not to be had.
static struct mdisk *mdisk_open(struct cp *cp, const char *owner, uint16_t vdev,
                                struct response *out)
{
    const struct directory_user *user = directory_find(cp->directory, owner);
    const struct directory_mdisk *entry = user ? directory_mdisk(user, vdev) : NULL;
    struct mdisk *m = mdisk_find(cp, owner, vdev);
    struct rdev *rdev;

    if (m)
        return m;
    if (!user) {
        message_send(out, MESSAGE_not_in_directory, owner);
        return NULL;
    }
    if (!entry || entry->kind == MDISK_TDISK) {
        message_send(out, MESSAGE_link_no_disk, owner, vdev);
        return NULL;
    }
    if (entry->kind == MDISK_VDISK) {
        m = vdisk_new(cp, user->userid, vdev, (uint32_t)entry->blocks);
        if (!m)
            message_send(out, MESSAGE_link_invalid_device, owner, vdev);
        return m;
    }
    rdev =
        entry->kind == MDISK_FULL_DEVNO ? cp_rdev(cp, entry->rdev) : cp_volume(cp, entry->volser);
    if (!rdev || !rdev->volume) {
        message_send(out, MESSAGE_link_not_mounted, owner, vdev, entry->volser);
        return NULL;
    }
    unsigned all = dasd_image_cylinders(rdev->volume->image);
    unsigned cylinders = entry->cylinders     ? entry->cylinders
                         : all > entry->start ? all - entry->start
                                              : 0;
    if (!cylinders || entry->start + cylinders > all) {
        message_send(out, MESSAGE_link_invalid_device, owner, vdev);
        return NULL;
    }
    m = mdisk_new(cp, user->userid, vdev);
    m->rdev = rdev;
    m->volume = rdev->volume;
    m->start = entry->start;
    m->cylinders = cylinders;
    return m;
}

// --- link modes --------------------------------------------------------------------------

enum access { REFUSED, READ_ONLY, READ_WRITE };

static const struct link_mode {
    const char *name;
    enum access none, readers, writer; // by what links there are already
} modes[] = {
    // clang-format off
    {"R",  READ_ONLY,  READ_ONLY,  REFUSED},
    {"RR", READ_ONLY,  READ_ONLY,  READ_ONLY},
    {"W",  READ_WRITE, REFUSED,    REFUSED},
    {"WR", READ_WRITE, READ_ONLY,  READ_ONLY},
    {"M",  READ_WRITE, READ_WRITE, REFUSED},
    {"MR", READ_WRITE, READ_WRITE, READ_ONLY},
    {"MW", READ_WRITE, READ_WRITE, READ_WRITE},
    {"SR", READ_ONLY,  READ_ONLY,  REFUSED},
    {"SW", READ_WRITE, REFUSED,    REFUSED},
    {"SM", READ_WRITE, READ_WRITE, REFUSED},
    {"ER", READ_ONLY,  REFUSED,    REFUSED},
    {"EW", READ_WRITE, REFUSED,    REFUSED},
    // clang-format on
};

static const struct link_mode *find_mode(const char *mode)
{
    size_t n = strlen(mode);

    if (n > 1 && (mode[n - 1] == 'V' || mode[n - 1] == 'v')) // virtual reserve/release
        n--;
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strlen(modes[i].name) == n && strncasecmp(modes[i].name, mode, n) == 0)
            return &modes[i];
    return NULL;
}

static enum access granted(const struct link_mode *mode, const struct mdisk *m)
{
    return m->writers ? mode->writer : m->readers ? mode->readers : mode->none;
}

static int refuse(struct cp *cp, const struct mdisk *m, struct response *out)
{
    struct vm *user = mdisk_user(cp, m, m->writers != 0, NULL);
    const char *name = user ? user->userid : "SYSTEM";

    if (m->writers)
        return message_send(out, MESSAGE_link_writer, m->owner, m->vdev, name);
    if (m->readers == 1)
        return message_send(out, MESSAGE_link_reader, m->owner, m->vdev, name);
    return message_send(out, MESSAGE_link_users, m->owner, m->vdev, m->readers);
}

// "; R/W BY MAINT" or "; R/O BY 003 USERS"
static void others(struct cp *cp, const struct mdisk *m, bool writers, struct text *text)
{
    unsigned count = mdisk_users(m, writers);
    struct vm *user = mdisk_user(cp, m, writers, NULL);

    if (count == 1 && user)
        text_printf(text, "; R/%c BY %s", writers ? 'W' : 'O', user->userid);
    else if (count)
        text_printf(text, "; R/%c BY %03u USERS", writers ? 'W' : 'O', count);
}

// What a successful LINK says when it is not alone, or got less than it asked for first.
static void say_linked(struct vm *vm, const struct mdisk *m, uint16_t as, enum access access,
                       bool wanted_write, struct response *out)
{
    struct text text = {0};

    if (!m->readers && !m->writers)
        return;
    if (wanted_write && access == READ_ONLY) {
        struct vm *user = mdisk_user(vm->cp, m, m->writers != 0, NULL);
        if (m->writers)
            message_send(out, MESSAGE_link_forced_writer, as, user ? user->userid : "SYSTEM");
        else
            message_send(out, MESSAGE_link_forced_readers, as, m->readers);
        out->rc = 0;
        return;
    }
    text_printf(&text, "DASD %04X LINKED R/%c", as, access == READ_WRITE ? 'W' : 'O');
    others(vm->cp, m, true, &text);
    others(vm->cp, m, false, &text);
    response_line(out, "%s", text_get(&text));
    text_free(&text);
}

static struct device *new_device(const struct mdisk *m, uint16_t devno, bool read_only)
{
    if (m->blocks)
        return dasd_fba_new(devno, m->blocks, 0, m->blocks->blocks, read_only);
    return dasd_ckd_new(devno, m->volume, m->start, m->cylinders,
                        read_only || dasd_image_read_only(m->volume->image));
}

// Attaches the minidisk; counts the link. A running guest learns of it by a channel report.
static int attach(struct vm *vm, struct mdisk *m, uint16_t as, const char *mode, bool writable,
                  enum vdev_kind kind)
{
    struct device *dev = new_device(m, as, !writable);
    struct vdev *vdev;

    if (!dev || css_attach(vm->machine->css, dev, true))
        return -1;
    vdev = vdev_add(vm, as, kind, m->blocks ? "FB-512" : "3390");
    vdev->mdisk = m;
    vdev->writable = writable;
    copy_text(vdev->mode, sizeof vdev->mode, mode);
    if (writable)
        m->writers++;
    else
        m->readers++;
    return 0;
}

int vdev_link(struct vm *vm, const char *owner, uint16_t vdev, uint16_t as, const char *mode,
              struct response *out)
{
    const struct link_mode *row = find_mode(mode);
    struct mdisk *m;

    if (css_device(vm->machine->css, as))
        return message_send(out, MESSAGE_link_vdev_defined, owner, vdev, "VDEV", as);
    if (!row)
        return message_send(out, MESSAGE_link_incorrect, owner, vdev);
    m = mdisk_open(vm->cp, owner, vdev, out);
    if (!m)
        return out->rc;
    enum access access = granted(row, m);
    if (access == REFUSED)
        return refuse(vm->cp, m, out);
    say_linked(vm, m, as, access, row->none == READ_WRITE, out);
    if (attach(vm, m, as, mode, access == READ_WRITE, VDEV_DASD)) {
        if (!m->readers && !m->writers)
            mdisk_drop(vm->cp, m);
        return message_send(out, MESSAGE_link_invalid_device, owner, vdev);
    }
    return 0;
}

// --- temporary disks, dedicated volumes ------------------------------------------------------

int vdev_define_tdisk(struct vm *vm, uint16_t vdev, unsigned cylinders, struct response *out)
{
    char *error = NULL;
    struct dasd_image *image;
    struct mdisk *m;

    if (css_device(vm->machine->css, vdev))
        return message_send(out, MESSAGE_vdev_defined, "DASD", vdev);
    image = dasd_image_create(NULL, dasd_model("3390"), cylinders, NULL, &error);
    free(error);
    if (!image)
        return message_send(out, MESSAGE_no_tdisk_space, vdev);
    m = mdisk_new(vm->cp, vm->userid, vdev);
    m->temporary = true;
    m->volume = dasd_volume_new(image);
    m->cylinders = cylinders;
    if (attach(vm, m, vdev, "MR", true, VDEV_TDISK)) {
        mdisk_drop(vm->cp, m);
        return message_send(out, MESSAGE_no_tdisk_space, vdev);
    }
    return 0;
}

int vdev_define_vdisk(struct vm *vm, uint16_t vdev, uint32_t blocks, struct response *out)
{
    struct mdisk *m;

    if (css_device(vm->machine->css, vdev))
        return message_send(out, MESSAGE_vdev_defined, "DASD", vdev);
    m = vdisk_new(vm->cp, vm->userid, vdev, blocks);
    if (!m)
        return message_send(out, MESSAGE_no_tdisk_space, vdev);
    if (attach(vm, m, vdev, "MR", true, VDEV_TDISK)) {
        mdisk_drop(vm->cp, m);
        return message_send(out, MESSAGE_no_tdisk_space, vdev);
    }
    return 0;
}

int vdev_dedicate(struct vm *vm, const struct directory_dedicate *entry, struct response *out)
{
    struct cp *cp = vm->cp;
    struct rdev *rdev = entry->volser[0] ? cp_volume(cp, entry->volser) : cp_rdev(cp, entry->rdev);
    struct mdisk *m;

    if (rdev && rdev->tape)
        return vdev_attach_tape(vm, rdev, entry->vdev, out);
    if (!rdev || !rdev->volume)
        return message_send(out, MESSAGE_no_such_atr_rdev, entry->rdev);
    if (rdev->cp_system || rdev->attached)
        return message_send(out, MESSAGE_already_attached, rdev->type, rdev->number,
                            rdev->attached ? rdev->attached_to : "SYSTEM");
    if (css_device(vm->machine->css, entry->vdev))
        return message_send(out, MESSAGE_vdev_defined, "DASD", entry->vdev);
    m = mdisk_new(cp, vm->userid, entry->vdev);
    m->rdev = rdev;
    m->volume = rdev->volume;
    m->cylinders = dasd_image_cylinders(rdev->volume->image);
    if (attach(vm, m, entry->vdev, entry->read_only ? "R" : "W", !entry->read_only, VDEV_DASD)) {
        mdisk_drop(cp, m);
        return message_send(out, MESSAGE_link_invalid_device, vm->userid, entry->vdev);
    }
    cp_notify(cp, CP_EVENT_ATTACH, vm, rdev, NULL);
    return 0;
}
