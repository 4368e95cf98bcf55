// SPDX-License-Identifier: MIT
// Query replies (GA23-0059, chapter 6): summary, usable area, colour, highlighting, reply modes,
// implicit partition.
#include "console/datastream_query.h"

#include "base/bytes.h"
#include "console/datastream.h"

#define QCODE_SUMMARY   0x80
#define QCODE_USABLE    0x81
#define QCODE_COLOUR    0x86
#define QCODE_HIGHLIGHT 0x87
#define QCODE_MODES     0x88
#define QCODE_IMPLICIT  0xA6

static void put16(struct text *out, unsigned v)
{
    ds_put_byte(out, (uint8_t)(v >> 8));
    ds_put_byte(out, (uint8_t)v);
}

// One reply: length, X'81', code, data.
static void reply(struct text *out, uint8_t qcode, const uint8_t *data, size_t n)
{
    put16(out, (unsigned)n + 4);
    ds_put_byte(out, 0x81);
    ds_put_byte(out, qcode);
    text_add(out, (const char *)data, n);
}

// Bytes 0-1 12/14-bit addressing, 2-5 width and height in cells, 6 units (mm), 7-10 and 11-14
// distance between points as fractions, 15-16 points per cell, 17-18 buffer size.
static void usable_area(const struct presentation *ps, struct text *out)
{
    uint8_t d[19] = {0x01, 0x00, 0, 0, 0, 0, 0x01, 0, 10, 2, 229, 0, 2, 0, 111, 9, 12};
    unsigned cells = ps->alt_rows * ps->alt_cols;
    be16_store(d + 2, (uint16_t)ps->alt_cols);
    be16_store(d + 4, (uint16_t)ps->alt_rows);
    be16_store(d + 17, (uint16_t)cells);
    reply(out, QCODE_USABLE, d, sizeof d);
}

// One self-defining parameter: default size, alternate size.
static void implicit_partition(const struct presentation *ps, struct text *out)
{
    uint8_t d[13] = {0, 0, 0x0B, 0x01, 0, 0, 80, 0, 24};
    be16_store(d + 9, (uint16_t)ps->alt_cols);
    be16_store(d + 11, (uint16_t)ps->alt_rows);
    reply(out, QCODE_IMPLICIT, d, sizeof d);
}

void ds_query_reply(const struct presentation *ps, struct text *inbound)
{
    static const uint8_t summary[] = {QCODE_SUMMARY,   QCODE_USABLE, QCODE_COLOUR,
                                      QCODE_HIGHLIGHT, QCODE_MODES,  QCODE_IMPLICIT};
    static const uint8_t colour[] = {0x00, 8,    0x00, 0xF4, 0xF1, 0xF1, 0xF2, 0xF2, 0xF3,
                                     0xF3, 0xF4, 0xF4, 0xF5, 0xF5, 0xF6, 0xF6, 0xF7, 0xF7};
    static const uint8_t highlight[] = {4, 0x00, 0xF0, 0xF1, 0xF1, 0xF2, 0xF2, 0xF4, 0xF4};
    static const uint8_t modes[] = {0x00};
    ds_put_byte(inbound, AID_SF);
    reply(inbound, QCODE_SUMMARY, summary, sizeof summary);
    usable_area(ps, inbound);
    reply(inbound, QCODE_COLOUR, colour, sizeof colour);
    reply(inbound, QCODE_HIGHLIGHT, highlight, sizeof highlight);
    reply(inbound, QCODE_MODES, modes, sizeof modes);
    implicit_partition(ps, inbound);
}
