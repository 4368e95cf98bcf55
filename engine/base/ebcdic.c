// SPDX-License-Identifier: MIT
#include "base/ebcdic.h"

#include <iconv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

struct codepage {
    char name[24];
    struct codepage *next;
    uint32_t to_unicode[256];
    uint8_t from_latin[256]; // the whole of Latin-1; other code points are searched
};

static struct codepage *pages;
static pthread_mutex_t pages_lock = PTHREAD_MUTEX_INITIALIZER;

static uint8_t search(const struct codepage *page, uint32_t unicode)
{
    for (unsigned i = 0; i < 256; i++)
        if (page->to_unicode[i] == unicode)
            return (uint8_t)i;
    return 0x6F;
}

static struct codepage *build(const char *name)
{
    iconv_t cd = iconv_open("UTF-32LE", name);
    if (cd == (iconv_t)-1)
        return NULL;
    struct codepage *page = mem_zero(1, sizeof *page);
    strncpy(page->name, name, sizeof page->name - 1);
    for (unsigned i = 0; i < 256; i++) {
        char byte = (char)i, *in = &byte, *out = (char *)&page->to_unicode[i];
        size_t in_left = 1, out_left = sizeof page->to_unicode[i];
        iconv(cd, NULL, NULL, NULL, NULL);
        if (iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1 || out_left)
            page->to_unicode[i] = 0xFFFD;
    }
    iconv_close(cd);
    for (unsigned i = 0; i < 256; i++)
        page->from_latin[i] = search(page, i);
    return page;
}

const struct codepage *codepage_get(const char *name)
{
    struct codepage *page;
    pthread_mutex_lock(&pages_lock);
    for (page = pages; page && strcmp(page->name, name) != 0; page = page->next)
        ;
    if (!page && strlen(name) < sizeof page->name && (page = build(name))) {
        page->next = pages;
        pages = page;
    }
    pthread_mutex_unlock(&pages_lock);
    return page;
}

const struct codepage *codepage_default(void)
{
    static const struct codepage *page;
    if (!page)
        page = codepage_get("IBM037");
    INVARIANT(page); // every glibc has it
    return page;
}

uint32_t codepage_to_unicode(const struct codepage *page, uint8_t byte)
{
    return page->to_unicode[byte];
}

uint8_t codepage_from_unicode(const struct codepage *page, uint32_t unicode)
{
    return unicode < 256 ? page->from_latin[unicode] : search(page, unicode);
}

static size_t utf8_length(uint32_t c)
{
    return c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
}

size_t ebcdic_to_utf8(const struct codepage *page, const uint8_t *in, size_t n, char *out,
                      size_t size)
{
    size_t len = 0;
    INVARIANT(size > 0);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = page->to_unicode[in[i]];
        if (c < 0x20 || (c >= 0x7F && c < 0xA0))
            c = ' ';
        if (len + utf8_length(c) >= size)
            break;
        len += utf8_put(out + len, c);
    }
    out[len] = '\0';
    return len;
}

size_t ebcdic_from_utf8(const struct codepage *page, const char *in, uint8_t *out, size_t n)
{
    size_t len = 0;
    while (*in && len < n)
        out[len++] = codepage_from_unicode(page, utf8_next(&in));
    return len;
}

void ebcdic_field(uint8_t *out, size_t n, const char *utf8)
{
    size_t len = ebcdic_from_utf8(codepage_default(), utf8, out, n);
    memset(out + len, 0x40, n - len);
}

void ebcdic_field_text(const uint8_t *in, size_t n, char *out, size_t size)
{
    while (n && (in[n - 1] == 0x40 || in[n - 1] == 0))
        n--;
    ebcdic_to_utf8(codepage_default(), in, n, out, size);
}
