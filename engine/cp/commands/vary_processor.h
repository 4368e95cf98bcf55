// SPDX-License-Identifier: MIT
// VARY of processors, a part of VARY.
#ifndef ENDICOTT_CP_COMMANDS_VARY_PROCESSOR_H
#define ENDICOTT_CP_COMMANDS_VARY_PROCESSOR_H

#include "cp/command.h"

// The operands after PROCESSOR. Return code.
int vary_processor(struct command_call *call, bool on);

#endif
