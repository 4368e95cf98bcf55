// SPDX-License-Identifier: MIT
// Real devices in the hands of users.
#ifndef ENDICOTT_CP_COMMANDS_ATTACH_H
#define ENDICOTT_CP_COMMANDS_ATTACH_H

#include "cp/command.h"
#include "cp/vdev.h"

// DETACH rdev [FROM] {userid | * | SYSTEM}, from the device number on.
int detach_real(struct command_call *call);
// The user that has a volume which is not the system's, by ATTACH or DEDICATE; NULL: nobody.
const struct mdisk *rdev_holder(const struct cp *cp, const struct rdev *rdev);

#endif
