// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"

static void text_reserve(struct text *t, size_t more)
{
    size_t need = t->len + more + 1;
    if (need <= t->cap)
        return;
    size_t cap = t->cap ? t->cap : 64;
    while (cap < need)
        cap *= 2;
    t->s = mem_resize(t->s, cap, 1);
    t->cap = cap;
}

void text_add(struct text *t, const char *s, size_t n)
{
    text_reserve(t, n);
    memcpy(t->s + t->len, s, n);
    t->len += n;
    t->s[t->len] = '\0';
}

void text_puts(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_vprintf(struct text *t, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    INVARIANT(n >= 0);
    text_reserve(t, (size_t)n);
    vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
    t->len += (size_t)n;
}

void text_printf(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(t, fmt, ap);
    va_end(ap);
}

const char *text_get(const struct text *t)
{
    return t->s ? t->s : "";
}

void text_clear(struct text *t)
{
    t->len = 0;
    if (t->s)
        t->s[0] = '\0';
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

void text_upper(char *s)
{
    for (; *s; s++)
        *s = (char)toupper((unsigned char)*s);
}

bool text_abbreviates(const char *word, const char *full, size_t min)
{
    size_t n = strlen(word);
    return n >= min && n <= strlen(full) && strncasecmp(word, full, n) == 0;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    int l = tolower((unsigned char)c);
    return l >= 'a' && l <= 'z' ? l - 'a' + 10 : 99;
}

bool text_to_u64(const char *s, unsigned base, uint64_t max, uint64_t *value)
{
    uint64_t v = 0;
    if (!*s)
        return false;
    for (; *s; s++) {
        unsigned d = (unsigned)digit_value(*s);
        if (d >= base || d > max || v > (max - d) / base)
            return false;
        v = v * base + d;
    }
    *value = v;
    return true;
}

bool text_to_size(const char *s, uint64_t *bytes)
{
    static const char units[] = "KMGTPE";
    char digits[24];
    size_t n = strspn(s, "0123456789");
    unsigned shift = 0;
    uint64_t v;
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, s, n);
    digits[n] = '\0';
    if (s[n]) {
        const char *u = strchr(units, toupper((unsigned char)s[n]));
        if (!u || s[n + 1])
            return false;
        shift = 10 * (unsigned)(u - units + 1);
    }
    if (!text_to_u64(digits, 10, UINT64_MAX >> shift, &v))
        return false;
    *bytes = v << shift;
    return true;
}
