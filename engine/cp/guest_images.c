// SPDX-License-Identifier: MIT
#include "cp/guest_images.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

// Folder of the running program, "." when the host does not tell.
static void program_folder(char *folder, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    char *slash;
    folder[n > 0 ? n : 0] = '\0';
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        memcpy(folder, ".", 2);
}

static bool try_folder(const char *folder, const char *below, const char *name, struct text *path)
{
    text_clear(path);
    text_printf(path, "%s%s/%s.elf", folder, below, name);
    return access(text_get(path), R_OK) == 0;
}

bool guest_image_find(const char *name, struct text *path)
{
    char lower[33], folder[4096];
    const char *set = getenv("ENDICOTT_GUESTS");
    size_t n = strlen(name);
    if (n >= sizeof lower || strspn(name, name_characters) != n)
        return false;
    for (size_t i = 0; i <= n; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    program_folder(folder, sizeof folder);
    return (set && try_folder(set, "", lower, path)) || try_folder(folder, "/guests", lower, path) ||
           try_folder(folder, "/../share/endicott/guests", lower, path);
}
