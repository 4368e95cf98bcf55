// SPDX-License-Identifier: MIT
// Where a running system keeps its socket and its log, by its name.
#ifndef ENDICOTT_CLI_RUNTIME_H
#define ENDICOTT_CLI_RUNTIME_H

#include <stdbool.h>
#include <sys/un.h>

#define RUNTIME_DEFAULT_NAME "endicott"

struct runtime {
    char name[33];
    struct sockaddr_un
        address; // $XDG_RUNTIME_DIR/endicott/NAME.sock, or below $TMPDIR/endicott-UID
    char lock[sizeof(struct sockaddr_un)]; // beside it: held while the system runs
};

// Fills in the paths of system `name` (1 to 32 letters, digits, '.', '_', '-') and makes the folder
// if it is missing. False after an error on standard error: a bad name, or a folder that others own
// or can enter.
bool runtime_find(struct runtime *runtime, const char *name);
// The log file, $XDG_STATE_HOME/endicott/NAME.log, open for appending; -1 after an error. Its path
// goes to *path (free it).
int runtime_log(const struct runtime *runtime, char **path);

#endif
