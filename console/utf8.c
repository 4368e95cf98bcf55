// SPDX-License-Identifier: MIT
#include "console/utf8.h"

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

struct range {
    uint32_t first, last;
};

static int in_ranges(uint32_t c, const struct range *r, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (c >= r[i].first && c <= r[i].last)
            return 1;
    return 0;
}

// Unicode 14, whole blocks where nearly all of the block is alike.
static const struct range combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x06D6, 0x06DC}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
    {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x2064},   {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};
static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

unsigned utf8_width(uint32_t c)
{
    if (c < 0x300)
        return 1;
    if (in_ranges(c, combining, sizeof combining / sizeof *combining))
        return 0;
    return in_ranges(c, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}
