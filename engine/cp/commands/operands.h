// SPDX-License-Identifier: MIT
// Operands that many commands have.
#ifndef ENDICOTT_CP_COMMANDS_OPERANDS_H
#define ENDICOTT_CP_COMMANDS_OPERANDS_H

#include "cp/command.h"

// ON or OFF; message 026 or 002 when it is neither.
int take_on_off(struct command_call *call, bool *on);
// A decimal number from `min` to `max`; message 026 or 002.
int take_number(struct command_call *call, uint64_t min, uint64_t max, uint64_t *value);
// A virtual device number; message 022.
int take_vdev(struct command_call *call, uint16_t *vdev);
// A user that is logged on or in the directory, "*" for the issuer; message 020 or 053.
int take_known_user(struct command_call *call, char userid[USERID_SIZE]);
// CPU addresses and ranges, or ALL for those there are, as one bit each; message 026 or 002.
int take_cpus(struct command_call *call, uint64_t *cpus);
// Message 094 with the size that is allowed.
int storage_exceeds(struct command_call *call, uint64_t max);
// ON and OFF, as they are shown.
const char *on_off(bool on);

#endif
