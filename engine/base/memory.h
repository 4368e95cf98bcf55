// SPDX-License-Identifier: MIT
// Allocation that never returns NULL: out of memory ends the process with a text made beforehand.
#ifndef ENDICOTT_BASE_MEMORY_H
#define ENDICOTT_BASE_MEMORY_H

#include <stddef.h>

// Uninitialised storage of `size` bytes; free() releases it.
void *mem_alloc(size_t size);
// Zeroed array of `count` elements of `size` bytes; overflow of the product ends the process.
void *mem_zero(size_t count, size_t size);
// Resized copy of `p` (NULL allowed), as realloc.
void *mem_resize(void *p, size_t count, size_t size);
// Copy of the string `s`; free() releases it.
char *mem_string(const char *s);
// Calls of the functions above since the process began, by all threads: for tests of what must
// not allocate.
unsigned long mem_allocations(void);

// A broken invariant of our own: prints where, asks for a report, aborts. Never for guest input.
_Noreturn void broken_invariant(const char *file, int line, const char *text);
#define INVARIANT(cond) ((cond) ? (void)0 : broken_invariant(__FILE__, __LINE__, #cond))

#endif
