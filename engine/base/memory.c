// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong allocations;

static const char out_of_memory[] = "endicott: out of memory\n";

static void *checked(void *p)
{
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    if (!p) {
        // Nothing may allocate here, so neither stdio nor a formatted text.
        ssize_t ignored = write(STDERR_FILENO, out_of_memory, sizeof out_of_memory - 1);
        (void)ignored;
        abort();
    }
    return p;
}

void *mem_alloc(size_t size)
{
    return checked(malloc(size ? size : 1));
}

void *mem_zero(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *mem_resize(void *p, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        checked(NULL);
    size_t bytes = count * size;
    return checked(realloc(p, bytes ? bytes : 1));
}

char *mem_string(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(mem_alloc(n), s, n);
}

unsigned long mem_allocations(void)
{
    return atomic_load_explicit(&allocations, memory_order_relaxed);
}

void broken_invariant(const char *file, int line, const char *text)
{
    fprintf(stderr,
            "endicott: internal error at %s:%d: %s\n"
            "Please report this line with what you did before.\n",
            file, line, text);
    abort();
}
