// SPDX-License-Identifier: MIT
// Copying names into fixed fields. Inside CP.
#ifndef ENDICOTT_CP_COPY_H
#define ENDICOTT_CP_COPY_H

#include <stddef.h>
#include <string.h>

// As much of `from` as fits, always NUL-terminated; the rest of the field is zeroed. `from` may be
// within the field.
static inline void copy_text(char *to, size_t size, const char *from)
{
    size_t n = strlen(from);

    if (n >= size)
        n = size - 1;
    memmove(to, from, n);
    memset(to + n, 0, size - n);
}

#endif
