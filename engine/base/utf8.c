// SPDX-License-Identifier: MIT
#include "base/utf8.h"

uint32_t utf8_next(const char **s)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*s;
    unsigned more = p[0] < 0x80 ? 0 : p[0] < 0xC2 ? 9 : p[0] < 0xE0 ? 1 : p[0] < 0xF0 ? 2 : 3;
    if (!p[0])
        return 0;
    ++*s;
    if (!more)
        return p[0];
    if (more == 9 || p[0] > 0xF4)
        return 0xFFFD;
    uint32_t c = p[0] & (0x3Fu >> more);
    for (unsigned i = 1; i <= more; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0xFFFD;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0xFFFD;
    *s += more;
    return c;
}

size_t utf8_put(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}
