// SPDX-License-Identifier: MIT
// Strings, and EBCDIC (code page 037) for the printable ASCII characters.
#include "guest.h"

static const uint8_t ebcdic[95] = {
    0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61,
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F,
    0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6,
    0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xBA, 0xE0, 0xBB, 0xB0, 0x6D,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1,
};

void to_ebcdic(const char *ascii, uint8_t *out, size_t n)
{
    bool end = false;

    for (size_t i = 0; i < n; i++) {
        end |= !ascii[i];
        uint8_t c = end ? ' ' : (uint8_t)ascii[i];
        out[i] = c >= 0x20 && c < 0x7F ? ebcdic[c - 0x20] : 0x6F;
    }
}

static char ascii_of(uint8_t c)
{
    for (unsigned i = 0; i < sizeof ebcdic; i++)
        if (ebcdic[i] == c)
            return (char)(i + 0x20);
    return '?';
}

void to_ascii(const uint8_t *from, char *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = ascii_of(from[i]);
    out[n] = '\0';
}

void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = (char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            return ((const uint8_t *)a)[i] - ((const uint8_t *)b)[i];
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

bool same(const char *a, const char *b)
{
    size_t n = strlen(a);
    return n == strlen(b) && memcmp(a, b, n) == 0;
}
