// SPDX-License-Identifier: MIT
// A growing string, and the small text helpers that parsers share.
#ifndef ENDICOTT_BASE_TEXT_H
#define ENDICOTT_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Always NUL-terminated once anything was added; `{0}` is an empty one.
struct text {
    char *s;
    size_t len, cap;
};

void text_add(struct text *t, const char *s, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
// "" instead of NULL when empty.
const char *text_get(const struct text *t);
void text_clear(struct text *t); // keeps the buffer
void text_free(struct text *t);  // and zeroes it

// Folds ASCII letters to upper case in place.
void text_upper(char *s);
// Case-blind: is `word` an abbreviation of `full` of at least `min` letters? (CP rule: any length
// between the minimum and the full spelling.)
bool text_abbreviates(const char *word, const char *full, size_t min);
// Whole-string numbers; false when `s` is not one or exceeds `max`.
bool text_to_u64(const char *s, unsigned base, uint64_t max, uint64_t *value);
// Storage size such as 64M, 2G, 512K (a bare number is bytes); false on bad syntax or overflow.
bool text_to_size(const char *s, uint64_t *bytes);

#endif
