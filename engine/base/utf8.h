// SPDX-License-Identifier: MIT
// UTF-8, one code point at a time.
#ifndef ENDICOTT_BASE_UTF8_H
#define ENDICOTT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// The next code point of a NUL-terminated text; a malformed byte is U+FFFD. 0 at the end.
uint32_t utf8_next(const char **s);
// Stores up to 4 bytes, no NUL; returns how many.
size_t utf8_put(char *out, uint32_t c);

#endif
