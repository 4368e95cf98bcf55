// SPDX-License-Identifier: MIT
// Operands that a verb recognises before the tables do.
#ifndef ENDICOTT_CP_COMMANDS_VERBS_H
#define ENDICOTT_CP_COMMANDS_VERBS_H

#include <stdbool.h>

// "PF1", "PF01" to "PF24".
bool operand_is_pf(const char *word, unsigned *pf);
// "ESA", "XA", "XC" or "Z".
bool operand_is_machine_mode(const char *word);

#endif
