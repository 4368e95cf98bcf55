// SPDX-License-Identifier: MIT
#include "cli/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/cli.h"

static bool good_name(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strlen(name);
    return n >= 1 && n <= 32 && name[0] != '.' && name[0] != '-' && strspn(name, allowed) == n;
}

// The XDG variable, if it is an absolute path as the specification demands.
static const char *absolute(const char *variable)
{
    const char *path = getenv(variable);
    return path && path[0] == '/' ? path : NULL;
}

// In a folder that everybody can write to, someone else may have been first.
static bool is_ours(const char *folder)
{
    struct stat st;
    if (lstat(folder, &st) < 0)
        cli_failed("%s: %s", folder, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        cli_failed("%s: not a folder", folder);
    else if (st.st_uid != geteuid())
        cli_failed("%s: belongs to another user", folder);
    else if (st.st_mode & 077)
        cli_failed("%s: others may enter it (mode %03o, not 700)", folder, st.st_mode & 0777u);
    else
        return true;
    return false;
}

static bool make_private(const char *folder)
{
    if (mkdir(folder, 0700) < 0 && errno != EEXIST) {
        cli_failed("%s: %s", folder, strerror(errno));
        return false;
    }
    return is_ours(folder);
}

static void find_folder(struct text *folder)
{
    const char *base = absolute("XDG_RUNTIME_DIR");
    if (base) {
        text_printf(folder, "%s/endicott", base);
        return;
    }
    base = absolute("TMPDIR");
    text_printf(folder, "%s/endicott-%u", base ? base : "/tmp", (unsigned)geteuid());
}

static bool set_paths(struct runtime *runtime, const char *folder)
{
    size_t room = sizeof runtime->address.sun_path;
    int n = snprintf(runtime->address.sun_path, room, "%s/%s.sock", folder, runtime->name);
    if (n < 0 || (size_t)n >= room) {
        cli_failed("%s: too long a path for a socket", folder);
        return false;
    }
    snprintf(runtime->lock, sizeof runtime->lock, "%.*s.lock", n - 5, runtime->address.sun_path);
    return true;
}

bool runtime_find(struct runtime *runtime, const char *name)
{
    struct text folder = {0};
    *runtime = (struct runtime){.address = {.sun_family = AF_UNIX}};
    if (!good_name(name)) {
        cli_failed("'%s' is not a name for a system: letters, digits, '.', '_', '-', at most 32",
                   name);
        return false;
    }
    snprintf(runtime->name, sizeof runtime->name, "%s", name);
    find_folder(&folder);
    bool found = make_private(text_get(&folder)) && set_paths(runtime, text_get(&folder));
    text_free(&folder);
    return found;
}

// Every folder above the file.
static void make_folders(const char *path)
{
    char *copy = mem_string(path);
    for (char *slash = copy; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(copy, 0700); // a failure shows when the file is opened
        *slash = '/';
    }
    free(copy);
}

int runtime_log(const struct runtime *runtime, char **path)
{
    struct text file = {0};
    const char *state = absolute("XDG_STATE_HOME"), *home = absolute("HOME");
    if (state)
        text_printf(&file, "%s/endicott/%s.log", state, runtime->name);
    else
        text_printf(&file, "%s/.local/state/endicott/%s.log", home ? home : "", runtime->name);
    make_folders(file.s);
    int fd = open(file.s, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC, 0600);
    if (fd < 0)
        cli_failed("%s: %s", file.s, strerror(errno));
    *path = file.s;
    return fd;
}
