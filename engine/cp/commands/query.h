// SPDX-License-Identifier: MIT
// What the QUERY families share.
#ifndef ENDICOTT_CP_COMMANDS_QUERY_H
#define ENDICOTT_CP_COMMANDS_QUERY_H

#include "cp/commands/table.h"

// QUERY <userid> and QUERY USERS <userid>: the user's line, or message 003, 045 or 361.
int query_user(struct command_call *call, const char *word);
// "200" or "300-30F".
bool query_is_range(const char *word, uint16_t *first, uint16_t *last);

#endif
