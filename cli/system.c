// SPDX-License-Identifier: MIT
#include "cli/system.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/cli.h"

// Makes `path` and what is above it; false when that cannot be.
static bool make_folders(char *path)
{
    for (char *at = path + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *at = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static void use_data_folder(struct endicott *sys)
{
    struct text path = {0};
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        text_printf(&path, "%s/endicott", data);
    else if (home && home[0] == '/')
        text_printf(&path, "%s/.local/share/endicott", home);
    if (path.len && make_folders(path.s))
        endicott_monwrite_folder(sys, path.s);
    text_free(&path);
}

struct endicott *cli_system_start(const struct endicott_options *options)
{
    char *messages = NULL;
    struct endicott *sys = endicott_new(options, &messages);
    if (messages)
        cli_failed_text(messages);
    free(messages);
    if (sys && !options->folder)
        use_data_folder(sys);
    return sys;
}
