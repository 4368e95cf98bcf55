// SPDX-License-Identifier: MIT
// EBCDIC by code page. Tables are built once from the C library's iconv; the default is 037, CP's
// own; IBM-1047 is what Linux on Z and the C compilers use.
#ifndef ENDICOTT_BASE_EBCDIC_H
#define ENDICOTT_BASE_EBCDIC_H

#include <stddef.h>
#include <stdint.h>

struct codepage;

// `name` as iconv knows it ("IBM1047", "IBM037", "IBM273"...). NULL when the host does not know
// it. The result is shared and lives until the process ends.
const struct codepage *codepage_get(const char *name);
const struct codepage *codepage_default(void); // IBM037

// One EBCDIC byte as a Unicode code point, and back (0x6F '?' where the page has no such one).
uint32_t codepage_to_unicode(const struct codepage *page, uint8_t byte);
uint8_t codepage_from_unicode(const struct codepage *page, uint32_t unicode);

// `n` EBCDIC bytes to a NUL-terminated UTF-8 text of at most `size` bytes including the NUL;
// control characters become blanks. Returns the length without the NUL.
size_t ebcdic_to_utf8(const struct codepage *page, const uint8_t *in, size_t n, char *out,
                      size_t size);
// UTF-8 to EBCDIC, at most `n` bytes; returns how many were stored. Bad UTF-8 becomes '?'.
size_t ebcdic_from_utf8(const struct codepage *page, const char *in, uint8_t *out, size_t n);
// A fixed field of `n` bytes, padded with blanks (X'40') or cut.
void ebcdic_field(uint8_t *out, size_t n, const char *utf8);
// A fixed field to text without trailing blanks; `out` holds n + 1 bytes at least (ASCII only).
void ebcdic_field_text(const uint8_t *in, size_t n, char *out, size_t size);

#endif
