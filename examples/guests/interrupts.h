// SPDX-License-Identifier: MIT
// Program interruptions brought about on purpose, for the interrupts guest.
#ifndef GUEST_INTERRUPTS_H
#define GUEST_INTERRUPTS_H

#include "runtime/guest.h"

// Takes each in turn; returns how many went wrong, *done: how many there were.
unsigned program_checks(unsigned *done);

#endif
