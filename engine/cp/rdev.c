// SPDX-License-Identifier: MIT
// Real devices: DASD volumes on images in the system folder or in memory, and what else SYSTEM
// CONFIG names.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/inside.h"
#include "cp/system_config.h"
#include "devices/dasd_volume.h"
#include "devices/tape_image.h"

struct rdev *cp_rdev(const struct cp *cp, uint16_t number)
{
    for (struct rdev *r = cp->rdevs; r; r = r->next)
        if (r->number == number)
            return r;
    return NULL;
}

struct rdev *cp_volume(const struct cp *cp, const char *volser)
{
    for (struct rdev *r = cp->rdevs; r; r = r->next)
        if (r->volume && strcasecmp(r->volser, volser) == 0)
            return r;
    return NULL;
}

static struct rdev *add(struct cp *cp, uint16_t number, const char *type, const char *model)
{
    struct rdev *rdev = mem_zero(1, sizeof *rdev), **at = &cp->rdevs;

    rdev->number = number;
    rdev->type = type;
    rdev->model = model;
    while (*at && (*at)->number < number)
        at = &(*at)->next;
    rdev->next = *at;
    *at = rdev;
    return rdev;
}

static struct dasd_image *open_or_create(const char *path, const char *volser, unsigned cylinders,
                                         char **error)
{
    if (path && access(path, F_OK) == 0)
        return dasd_image_open(path, access(path, W_OK) != 0, error);
    return dasd_image_create(path, dasd_model("3390"), cylinders, volser, error);
}

// `image` is a file name within the folder, NULL: <volser>.ckd.
static struct rdev *add_dasd(struct cp *cp, uint16_t number, const char *volser, unsigned cylinders,
                             const char *image, struct text *errors)
{
    struct text path = {0};
    char *error = NULL;

    if (cp_rdev(cp, number)) {
        text_printf(errors, "device %04X is defined twice\n", number);
        return NULL;
    }
    if (image && image[0] == '/')
        text_puts(&path, image);
    else if (image && cp->folder)
        text_printf(&path, "%s/%s", cp->folder, image);
    else if (cp->folder)
        text_printf(&path, "%s/%s.ckd", cp->folder, volser);
    struct dasd_image *opened = open_or_create(path.len ? path.s : NULL, volser, cylinders, &error);
    if (!opened) {
        text_printf(errors, "DASD %04X, volume %s: %s\n", number, volser,
                    error ? error : "no image");
        free(error);
        text_free(&path);
        return NULL;
    }
    text_free(&path);
    struct rdev *rdev = add(cp, number, "DASD", "3390");
    rdev->volume = dasd_volume_new(opened);
    copy_text(rdev->volser, sizeof rdev->volser,
              rdev->volume->volser[0] ? rdev->volume->volser : volser);
    return rdev;
}

struct rdev *cp_define_dasd(struct cp *cp, uint16_t number, const char *volser, unsigned cylinders,
                            struct text *errors)
{
    struct rdev *rdev = add_dasd(cp, number, volser, cylinders, NULL, errors);

    if (rdev) {
        rdev->cp_system = true;
        cp_notify(cp, CP_EVENT_RDEV_ON, NULL, rdev, NULL);
    }
    return rdev;
}

// `image` is a file name as for DASD; without one the tape is gone with the process. One that may
// not be written is protected.
static struct rdev *add_tape(struct cp *cp, uint16_t number, const char *image, struct text *errors)
{
    struct text path = {0};
    struct tape_image *tape;
    char *error = NULL;

    if (image && image[0] != '/' && cp->folder)
        text_printf(&path, "%s/", cp->folder);
    text_puts(&path, image ? image : "");
    const char *name = text_get(&path);
    bool protected = image && access(name, F_OK) == 0 && access(name, W_OK) != 0;
    tape = image ? tape_image_open(name, protected, &error) : tape_image_scratch();
    text_free(&path);
    if (!tape) {
        text_printf(errors, "tape %04X: %s\n", number, error);
        free(error);
        return NULL;
    }
    struct rdev *rdev = add(cp, number, "TAPE", "3490");
    rdev->tape = tape;
    return rdev;
}

// --- from SYSTEM CONFIG ---------------------------------------------------------------

static bool listed(const struct system_config *config, const char *volser, bool *owned)
{
    *owned = false;
    for (unsigned i = 1; i <= CONFIG_SLOTS; i++)
        if (strcmp(config->owned[i], volser) == 0)
            return *owned = true;
    for (unsigned i = 0; i < config->user_volumes.count; i++)
        if (strcmp(config->user_volumes.volser[i], volser) == 0)
            return true;
    return false;
}

// Keeps the type's text, which others only point to.
static const char *known_type(const char *type)
{
    static const char *const types[] = {"DASD", "OSA",  "GRAF", "RDR", "PUN",
                                        "PRT",  "TAPE", "CTCA", "FCP"};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return types[i];
    return NULL;
}

static int from_statement(struct cp *cp, const struct config_rdev *entry, struct text *errors)
{
    const char *type = known_type(entry->type);
    struct text trouble = {0};
    struct rdev *rdev = NULL;

    if (!type)
        text_printf(&trouble, "RDevice: unknown type %s\n", entry->type);
    else if (strcmp(type, "DASD") == 0)
        rdev = add_dasd(cp, entry->number, entry->volser, entry->cylinders, entry->image, &trouble);
    else if (cp_rdev(cp, entry->number))
        text_printf(&trouble, "device %04X is defined twice\n", entry->number);
    else if (strcmp(type, "TAPE") == 0)
        rdev = add_tape(cp, entry->number, entry->image, &trouble);
    else
        rdev = add(cp, entry->number, type, entry->model);
    if (!rdev)
        text_printf(errors, "system.config:%u: %s", entry->line, text_get(&trouble));
    text_free(&trouble);
    if (rdev && rdev->volume)
        rdev->cp_system = listed(cp->config, rdev->volser, &rdev->cp_owned);
    return rdev ? 0 : -1;
}

int rdevs_from_config(struct cp *cp, struct text *errors)
{
    int rc = 0;

    for (unsigned i = 0; i < cp->config->rdevs; i++)
        if (from_statement(cp, &cp->config->rdev[i], errors))
            rc = -1;
    return rc;
}

void rdevs_free(struct cp *cp)
{
    while (cp->rdevs) {
        struct rdev *rdev = cp->rdevs;
        cp->rdevs = rdev->next;
        if (rdev->volume)
            dasd_volume_free(rdev->volume);
        tape_image_free(rdev->tape);
        free(rdev);
    }
}
