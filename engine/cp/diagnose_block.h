// SPDX-License-Identifier: MIT
// What programs have set up with DIAGNOSE X'250'.
#ifndef ENDICOTT_CP_DIAGNOSE_BLOCK_H
#define ENDICOTT_CP_DIAGNOSE_BLOCK_H

struct vm;

// Reset and logoff: forgets all of the user's block I/O environments.
void block_environments_end(struct vm *vm);

#endif
