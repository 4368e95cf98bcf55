// SPDX-License-Identifier: MIT
// UTF-8, one code point at a time.
#ifndef ENDICOTT_CONSOLE_UTF8_H
#define ENDICOTT_CONSOLE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// The next code point of a NUL-terminated text; a malformed byte is U+FFFD. 0 at the end.
uint32_t utf8_next(const char **s);
// Stores up to 4 bytes, no NUL; returns how many.
size_t utf8_put(char *out, uint32_t c);
// Columns that a code point takes: 0 combining, 1, or 2 wide. From a table of our own, not the
// locale's, so that the same text is laid out alike everywhere.
unsigned utf8_width(uint32_t c);

#endif
