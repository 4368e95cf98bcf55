// SPDX-License-Identifier: MIT
// Starts the system that a person works with: configuration messages, places for its files.
#ifndef ENDICOTT_CLI_SYSTEM_H
#define ENDICOTT_CLI_SYSTEM_H

#include "endicott.h"

// endicott_new(), with its messages on standard error. Without a system folder, MONWRITE writes
// below the user's data folder ($XDG_DATA_HOME/endicott, ~/.local/share/endicott). NULL on error.
struct endicott *cli_system_start(const struct endicott_options *options);

#endif
