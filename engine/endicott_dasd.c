// SPDX-License-Identifier: MIT
// DASD images behind endicott.h.
#include <unistd.h>

#include "devices/dasd_linux.h"
#include "devices/dasd_tool.h"
#include "endicott_private.h"

int endicott_dasd_create(const char *path, const char *model, unsigned cylinders,
                         const char *volser, char **error)
{
    const struct dasd_model *known = dasd_model(model);
    if (!known) {
        *error = endicott_text("%s: not a DASD model known here", model);
        return -1;
    }
    struct dasd_image *image = dasd_image_create(path, known, cylinders, volser, error);
    if (!image)
        return -1;
    dasd_image_close(image);
    return 0;
}

int endicott_dasd_list(const char *path, FILE *out, char **error)
{
    return dasd_tool_list(path, out, error);
}

int endicott_dasd_check(const char *path, FILE *out, char **error)
{
    int damaged = dasd_tool_check(path, out, error);
    if (damaged > 0)
        *error = endicott_text("%s: %d damaged tracks", path, damaged);
    return damaged ? -1 : 0;
}

long endicott_dasd_create_linux(const char *path, const char *model, unsigned cylinders,
                                const char *volser, FILE *in, char **error)
{
    if (endicott_dasd_create(path, model, cylinders, volser, error) != 0)
        return -1;
    long blocks = dasd_linux_create(path, in, error);
    if (blocks < 0)
        unlink(path);
    return blocks;
}

long endicott_dasd_export(const char *path, unsigned partition, FILE *out, char **error)
{
    return dasd_linux_export(path, partition, out, error);
}
