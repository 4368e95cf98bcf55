// SPDX-License-Identifier: MIT
// DISPLAY's operands that are registers.
#ifndef ENDICOTT_CP_COMMANDS_DISPLAY_H
#define ENDICOTT_CP_COMMANDS_DISPLAY_H

#include "cp/command.h"

#define DISPLAY_NO_REGISTER (-1)

// Shows what `word` names, or a message; DISPLAY_NO_REGISTER when it is an address.
int display_register(struct command_call *call, struct cpu *cpu, const char *word);
// "PSW = 07060000 00000000", in the format of the CPU's mode.
void format_psw(struct text *text, const struct cpu *cpu);

#endif
