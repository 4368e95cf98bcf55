// SPDX-License-Identifier: MIT
// Unpacks dictionary entries of COMPRESSION CALL.
#include "cpu/compression_dictionary.h"

#include <string.h>

// `n` bits from bit `first`, bit 0 leftmost.
static unsigned field(uint64_t bits, unsigned first, unsigned n)
{
    return (unsigned)(bits << first >> (64 - n));
}

static void characters(uint64_t bits, unsigned first, uint8_t *to, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (uint8_t)field(bits, first + 8 * i, 8);
}

bool character_entry(uint64_t bits, struct character_entry *out)
{
    unsigned count = field(bits, 0, 3), most = 1;
    memset(out, 0, sizeof *out);
    if (count < 2) {
        out->extensions = (uint8_t)field(bits, 8, 3);
    } else {
        out->extensions = (uint8_t)field(bits, 10, 1);
        out->examine_last = (uint16_t)(field(bits, 8, 2) << 14);
        most = 5u - out->extensions;
    }
    if (out->extensions > 4 || count > most + (count > 1))
        return false;
    out->more = count > 1 && count > most;
    out->characters = (uint8_t)(out->more ? most : count);
    out->child = (uint16_t)field(bits, 11, 13);
    out->examine = (uint16_t)(field(bits, 3, 5) << 11);
    characters(bits, 24, out->extension, out->extensions);
    characters(bits, 24 + 8u * out->extensions, out->character, out->characters);
    return true;
}

bool sibling_descriptor0(uint64_t bits, uint16_t examine_last, struct sibling_descriptor *out)
{
    memset(out, 0, sizeof *out);
    out->characters = (uint8_t)field(bits, 0, 3);
    out->more = out->characters == 7;
    out->examine = (uint16_t)(field(bits, 3, 5) << 11 | examine_last >> 5);
    characters(bits, 8, out->character, 7);
    return out->characters != 0;
}

bool sibling_descriptor1(uint64_t bits, uint64_t second, uint16_t examine_last,
                         struct sibling_descriptor *out)
{
    unsigned count = field(bits, 0, 4);
    memset(out, 0, sizeof *out);
    out->more = count == 15;
    out->characters = (uint8_t)(out->more ? 14 : count);
    out->examine = (uint16_t)(field(bits, 4, 12) << 4 | examine_last >> 12);
    characters(bits, 16, out->character, 6);
    characters(second, 0, out->character + 6, 8);
    return count != 0;
}

bool expansion_entry(uint64_t bits, struct expansion_entry *out)
{
    unsigned partial = field(bits, 0, 3);
    memset(out, 0, sizeof *out);
    out->preceded = partial != 0;
    if (!out->preceded) {
        out->characters = (uint8_t)field(bits, 5, 3);
        characters(bits, 8, out->character, 7);
        return out->characters != 0;
    }
    out->characters = (uint8_t)partial;
    out->predecessor = (uint16_t)field(bits, 3, 13);
    out->offset = (uint8_t)field(bits, 56, 8);
    characters(bits, 16, out->character, 5);
    return partial <= 5;
}
