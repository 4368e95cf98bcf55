// SPDX-License-Identifier: MIT
// CP's own command families; table.c registers them in this order, which is the order in which
// abbreviations are looked up.
#ifndef ENDICOTT_CP_COMMANDS_TABLE_H
#define ENDICOTT_CP_COMMANDS_TABLE_H

#include "cp/command.h"

// A table over the rows in scope: COMMAND_TABLE(session_commands, NULL, rows).
#define COMMAND_TABLE(name, under_, rows_) \
    struct command_table name = {          \
        .rows = rows_, .count = sizeof rows_ / sizeof *rows_, .under = under_}

#endif
