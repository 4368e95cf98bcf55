// SPDX-License-Identifier: MIT
// Virtual devices as responses name and show them.
#ifndef ENDICOTT_CP_COMMANDS_DEVICES_H
#define ENDICOTT_CP_COMMANDS_DEVICES_H

#include "cp/command.h"

struct vdev;

// "RDR", "CONS", "DASD": the word a response begins with.
const char *vdev_word(const struct vdev *vdev);
// The blocks of QUERY VIRTUAL.
void show_console(struct command_call *call, uint16_t number, unsigned subchannel);
void show_unit_record(struct command_call *call, const struct vdev *vdev, unsigned subchannel);

#endif
