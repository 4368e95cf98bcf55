// SPDX-License-Identifier: MIT
// DETACH of real devices, which DETACH finds out that it is.
#ifndef ENDICOTT_CP_COMMANDS_ATTACH_H
#define ENDICOTT_CP_COMMANDS_ATTACH_H

#include "cp/command.h"
#include "cp/vdev.h"

// DETACH rdev [FROM] {userid | * | SYSTEM}, from the device number on.
int detach_real(struct command_call *call);

#endif
