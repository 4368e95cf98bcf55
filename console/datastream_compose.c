// SPDX-License-Identifier: MIT
// Composing data streams in both directions, and taking inbound ones apart.
#include "console/datastream.h"

#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

// Six bits as a graphic character: GA23-0059, appendix "I/O codes".
// clang-format off
static const uint8_t graphic[64] = {
    0x40, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F,
    0x50, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F,
    0x60, 0x61, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F,
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F,
};
static const uint8_t pf_aid[24] = {
    0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x7B, 0x7C,
    0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0x4A, 0x4B, 0x4C,
};
// clang-format on

uint8_t ds_aid_of_pf(unsigned pf)
{
    INVARIANT(pf >= 1 && pf <= 24);
    return pf_aid[pf - 1];
}

unsigned ds_pf_of_aid(uint8_t aid)
{
    for (unsigned i = 0; i < 24; i++)
        if (pf_aid[i] == aid)
            return i + 1;
    return 0;
}

void ds_put_byte(struct text *out, uint8_t byte)
{
    char c = (char)byte;
    text_add(out, &c, 1);
}

void ds_put_address(struct text *out, unsigned cells, unsigned at)
{
    bool short_form = cells <= 4096;
    ds_put_byte(out, short_form ? graphic[at >> 6 & 0x3F] : (uint8_t)(at >> 8 & 0x3F));
    ds_put_byte(out, short_form ? graphic[at & 0x3F] : (uint8_t)at);
}

void ds_sba(struct text *out, unsigned cells, unsigned at)
{
    ds_put_byte(out, ORDER_SBA);
    ds_put_address(out, cells, at);
}

void ds_start_field(struct text *out, uint8_t attribute)
{
    ds_put_byte(out, ORDER_SF);
    ds_put_byte(out, graphic[attribute & 0x3F]);
}

void ds_start_field_colour(struct text *out, uint8_t attribute, uint8_t colour, uint8_t highlight)
{
    const uint8_t order[] = {ORDER_SFE,    3,         XA_FIELD,  graphic[attribute & 0x3F],
                             XA_HIGHLIGHT, highlight, XA_COLOUR, colour};
    text_add(out, (const char *)order, sizeof order);
}

void ds_set_attribute(struct text *out, uint8_t type, uint8_t value)
{
    const uint8_t order[] = {ORDER_SA, type, value};
    text_add(out, (const char *)order, sizeof order);
}

void ds_repeat(struct text *out, unsigned cells, unsigned to, uint8_t code)
{
    ds_put_byte(out, ORDER_RA);
    ds_put_address(out, cells, to);
    ds_put_byte(out, code);
}

void ds_text(struct text *out, const struct codepage *page, const char *utf8)
{
    size_t size = strlen(utf8) + 1;
    uint8_t *code = mem_alloc(size);
    size_t n = ebcdic_from_utf8(page, utf8, code, size);
    for (size_t i = 0; i < n; i++)
        if (code[i] < 0x40 || code[i] == 0xFF)
            code[i] = 0x40;
    text_add(out, (const char *)code, n);
    free(code);
}

static void compose_field(const struct ps_cell *c, struct text *out)
{
    if (c->colour || c->highlight)
        ds_start_field_colour(out, c->attribute, c->colour, c->highlight);
    else
        ds_start_field(out, c->attribute);
}

void ds_compose(const struct presentation *ps, struct text *out)
{
    bool alternate = ps->rows == ps->alt_rows && ps->cols == ps->alt_cols;
    uint8_t colour = 0, highlight = 0;
    unsigned cells = ps_size(ps);
    ds_put_byte(out, alternate ? DS_ERASE_WRITE_ALT : DS_ERASE_WRITE);
    ds_put_byte(out, WCC_BASE | WCC_RESTORE);
    for (unsigned at = 0; at < cells; at++) {
        const struct ps_cell *c = &ps->cell[at];
        bool empty = !c->start && c->code == PS_NUL;
        if (empty)
            continue;
        if (at && !ps->cell[at - 1].start && ps->cell[at - 1].code == PS_NUL)
            ds_sba(out, cells, at);
        if (c->start) {
            compose_field(c, out);
            continue;
        }
        if (c->colour != colour)
            ds_set_attribute(out, XA_COLOUR, colour = c->colour);
        if (c->highlight != highlight)
            ds_set_attribute(out, XA_HIGHLIGHT, highlight = c->highlight);
        ds_put_byte(out, c->code);
    }
    ds_sba(out, cells, ps->cursor);
    ds_put_byte(out, ORDER_IC);
}

// --- inbound ----------------------------------------------------------------

static void put_character(struct text *out, uint8_t code)
{
    if (code != PS_NUL)
        ds_put_byte(out, code);
}

// From `at` to the end of its field, nulls suppressed.
static void read_field(const struct presentation *ps, unsigned at, struct text *out)
{
    for (unsigned n = ps_size(ps); n && !ps->cell[at].start; n--, at = ps_next(ps, at))
        put_character(out, ps->cell[at].code);
}

void ds_read_modified(const struct presentation *ps, bool all, struct text *out)
{
    unsigned cells = ps_size(ps);
    bool brief =
        ps->aid == AID_CLEAR || ps->aid == AID_PA1 || ps->aid == AID_PA2 || ps->aid == AID_PA3;
    ds_put_byte(out, ps->aid);
    if (brief && !all)
        return;
    ds_put_address(out, cells, ps->cursor);
    if (!ps->fields) {
        for (unsigned at = 0; at < cells; at++)
            put_character(out, ps->cell[at].code);
        return;
    }
    for (unsigned at = 0; at < cells; at++) {
        if (ps->cell[at].start && (ps->cell[at].attribute & PS_MDT)) {
            unsigned first = ps_next(ps, at);
            ds_sba(out, cells, first);
            read_field(ps, first, out);
        }
    }
}

void ds_read_buffer(const struct presentation *ps, struct text *out)
{
    unsigned cells = ps_size(ps);
    ds_put_byte(out, ps->aid);
    ds_put_address(out, cells, ps->cursor);
    for (unsigned at = 0; at < cells; at++) {
        if (ps->cell[at].start)
            ds_start_field(out, ps->cell[at].attribute);
        else
            ds_put_byte(out, ps->cell[at].code);
    }
}

bool ds_parse_inbound(const uint8_t *data, size_t n, struct ds_inbound *in)
{
    *in = (struct ds_inbound){0};
    if (!n || data[0] == AID_SF)
        return false;
    in->aid = data[0];
    if (n < 3)
        return n == 1;
    in->cursor = ds_get_address(data + 1);
    for (size_t i = 3; i < n; i++) {
        if (data[i] == ORDER_SBA && n - i >= 3) {
            if (in->fields == sizeof in->field / sizeof in->field[0])
                break;
            in->field[in->fields++] =
                (struct ds_field){.at = ds_get_address(data + i + 1), .data = data + i + 3};
            i += 2;
        } else if (in->fields) {
            in->field[in->fields - 1].n++;
        }
    }
    return true;
}
