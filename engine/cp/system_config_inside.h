// SPDX-License-Identifier: MIT
// What the system_config*.c files share among themselves.
#ifndef ENDICOTT_CP_SYSTEM_CONFIG_INSIDE_H
#define ENDICOTT_CP_SYSTEM_CONFIG_INSIDE_H

#include "cp/statement.h"
#include "cp/system_config.h"

struct config_reader {
    struct statement_source source;
    struct system_config *config;
    unsigned start; // index of the statement's first word, after a system name
};

struct config_statement {
    const char *name;
    unsigned min;
    void (*read)(struct config_reader *reader, struct statement *st);
};
extern const struct config_statement config_statements[]; // ends with NULL name

#endif
