// SPDX-License-Identifier: MIT
// How many columns a character takes on a screen.
#ifndef ENDICOTT_CONSOLE_WIDTH_H
#define ENDICOTT_CONSOLE_WIDTH_H

#include <stdint.h>

// Columns that a code point takes: 0 combining, 1, or 2 wide. From a table of our own, not the
// locale's, so that the same text is laid out alike everywhere.
unsigned character_width(uint32_t c);

#endif
