// SPDX-License-Identifier: MIT
// Outbound data applied to a presentation space: commands, WCC, orders, structured fields.
#include "console/datastream.h"

#include <limits.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "console/datastream_query.h"

// A write in progress.
struct writer {
    struct presentation *ps;
    const uint8_t *p, *end;
    uint8_t colour, highlight, charset; // of Set Attribute
    bool after_data;                    // Program Tab erases the rest of a field only behind data
};

unsigned ds_get_address(const uint8_t *two)
{
    switch (two[0] >> 6) {
    case 0:
        return (two[0] & 0x3Fu) << 8 | two[1];
    case 2:
        return UINT_MAX;
    default:
        return (two[0] & 0x3Fu) << 6 | (two[1] & 0x3Fu);
    }
}

static size_t left(const struct writer *w)
{
    return (size_t)(w->end - w->p);
}

static bool take_address(struct writer *w, unsigned *at, enum ds_result *why)
{
    *why = DS_BAD_ORDER;
    if (left(w) < 2)
        return false;
    *at = ds_get_address(w->p);
    w->p += 2;
    *why = DS_BAD_ADDRESS;
    return *at < ps_size(w->ps);
}

// Codes below blank that are no orders: null, DUP and field mark are stored, format controls show
// as blanks, anything else as a hyphen, like a display that does not know it.
static uint8_t control_code(uint8_t code)
{
    switch (code) {
    case PS_NUL:
    case PS_DUP:
    case PS_FM:
        return code;
    case 0x0C: // FF
    case 0x0D: // CR
    case 0x15: // NL
    case 0x19: // EM
    case 0x3F: // SUB
        return 0x40;
    default:
        return code < 0x40 ? 0x60 : code;
    }
}

static void put(struct writer *w, unsigned at, uint8_t code)
{
    struct ps_cell *c = &w->ps->cell[at];
    ps_put(w->ps, at, control_code(code));
    c->colour = w->colour;
    c->highlight = w->highlight;
    c->charset = w->charset;
}

static void step(struct writer *w)
{
    w->ps->address = ps_next(w->ps, w->ps->address);
}

static enum ds_result order_sba(struct writer *w)
{
    unsigned at;
    enum ds_result why;
    if (!take_address(w, &at, &why))
        return why;
    w->ps->address = at;
    return DS_OK;
}

static enum ds_result order_sf(struct writer *w)
{
    if (!left(w))
        return DS_BAD_ORDER;
    ps_start_field(w->ps, w->ps->address, *w->p++);
    step(w);
    return DS_OK;
}

// Types this display does not have (outlining, transparency, background) are accepted unused.
static void extend(struct ps_cell *c, uint8_t type, uint8_t value)
{
    switch (type) {
    case XA_FIELD:
        c->attribute = value & 0x3D;
        break;
    case XA_HIGHLIGHT:
        c->highlight = value == 0xF0 ? 0 : value;
        break;
    case XA_COLOUR:
        c->colour = value;
        break;
    case XA_CHARSET:
        c->charset = value;
        break;
    }
}

static enum ds_result order_sfe(struct writer *w)
{
    unsigned count = left(w) ? *w->p : 0;
    if (left(w) < 1 + 2 * (size_t)count)
        return DS_BAD_ORDER;
    w->p++;
    ps_start_field(w->ps, w->ps->address, 0);
    for (; count; count--, w->p += 2)
        extend(&w->ps->cell[w->ps->address], w->p[0], w->p[1]);
    step(w);
    return DS_OK;
}

static enum ds_result order_mf(struct writer *w)
{
    struct ps_cell *c = &w->ps->cell[w->ps->address];
    unsigned count = left(w) ? *w->p : 0;
    if (left(w) < 1 + 2 * (size_t)count || !c->start)
        return DS_BAD_ORDER;
    w->p++;
    for (; count; count--, w->p += 2)
        extend(c, w->p[0], w->p[1]);
    step(w);
    return DS_OK;
}

static enum ds_result order_sa(struct writer *w)
{
    if (left(w) < 2)
        return DS_BAD_ORDER;
    uint8_t type = w->p[0], value = w->p[1];
    w->p += 2;
    if (type == XA_RESET)
        w->colour = w->highlight = w->charset = 0;
    else if (type == XA_HIGHLIGHT)
        w->highlight = value == 0xF0 ? 0 : value;
    else if (type == XA_COLOUR)
        w->colour = value;
    else if (type == XA_CHARSET)
        w->charset = value;
    return DS_OK;
}

static enum ds_result order_ic(struct writer *w)
{
    w->ps->cursor = w->ps->address;
    return DS_OK;
}

// To the first position of the next unprotected field; the end of the buffer stops the search at
// address 0. Behind data, the rest of the field is erased on the way.
static enum ds_result order_pt(struct writer *w)
{
    struct presentation *ps = w->ps;
    unsigned at = ps->address;
    if (w->after_data) {
        for (unsigned i = at; i < ps_size(ps) && !ps->cell[i].start; i++)
            put(w, i, PS_NUL);
    }
    for (; at < ps_size(ps); at++) {
        if (ps->cell[at].start && !(ps->cell[at].attribute & PS_PROTECTED)) {
            ps->address = ps_next(ps, at);
            return DS_OK;
        }
    }
    ps->address = 0;
    return DS_OK;
}

static enum ds_result order_ra(struct writer *w)
{
    unsigned to;
    enum ds_result why;
    if (!take_address(w, &to, &why))
        return why;
    bool graphic = left(w) && *w->p == ORDER_GE;
    if (left(w) < 1u + graphic)
        return DS_BAD_ORDER;
    w->p += graphic;
    uint8_t code = *w->p++;
    do {
        put(w, w->ps->address, code);
        step(w);
    } while (w->ps->address != to);
    return DS_OK;
}

static enum ds_result order_eua(struct writer *w)
{
    unsigned to;
    enum ds_result why;
    if (!take_address(w, &to, &why))
        return why;
    uint8_t attribute = ps_attribute(w->ps, w->ps->address);
    do {
        struct ps_cell *c = &w->ps->cell[w->ps->address];
        if (c->start)
            attribute = c->attribute;
        else if (!(attribute & PS_PROTECTED))
            c->code = PS_NUL;
        step(w);
    } while (w->ps->address != to);
    return DS_OK;
}

static enum ds_result order_ge(struct writer *w)
{
    if (!left(w))
        return DS_BAD_ORDER;
    put(w, w->ps->address, *w->p++);
    step(w);
    return DS_OK;
}

static enum ds_result (*const orders[0x40])(struct writer *) = {
    [ORDER_PT] = order_pt, [ORDER_GE] = order_ge, [ORDER_SBA] = order_sba, [ORDER_EUA] = order_eua,
    [ORDER_IC] = order_ic, [ORDER_SF] = order_sf, [ORDER_SA] = order_sa,   [ORDER_SFE] = order_sfe,
    [ORDER_MF] = order_mf, [ORDER_RA] = order_ra,
};

static enum ds_result write_orders(struct presentation *ps, const uint8_t *p, size_t n)
{
    struct writer w = {.ps = ps, .p = p, .end = p + n};
    while (w.p < w.end) {
        uint8_t code = *w.p++;
        if (code < 0x40 && orders[code]) {
            enum ds_result result = orders[code](&w);
            if (result != DS_OK)
                return result;
            w.after_data = false;
            continue;
        }
        put(&w, ps->address, code);
        step(&w);
        w.after_data = true;
    }
    return DS_OK;
}

static enum ds_result write_data(struct presentation *ps, const uint8_t *p, size_t n)
{
    if (!n)
        return DS_OK;
    uint8_t wcc = *p;
    if (wcc & WCC_RESET)
        ps_reset_mdt(ps);
    enum ds_result result = write_orders(ps, p + 1, n - 1);
    if (wcc & WCC_ALARM)
        ps->alarm = true;
    if (wcc & WCC_RESTORE) {
        ps->lock = PS_UNLOCKED;
        ps->aid = AID_NONE;
    }
    return result;
}

static void erase_unprotected(struct presentation *ps)
{
    ps_erase_all_unprotected(ps);
    ps->lock = PS_UNLOCKED;
    ps->aid = AID_NONE;
}

// The SNA command codes as channel command codes; others unchanged.
static uint8_t command_code(uint8_t command)
{
    static const uint8_t sna[][2] = {
        {0xF1, DS_WRITE},
        {0xF5, DS_ERASE_WRITE},
        {0x7E, DS_ERASE_WRITE_ALT},
        {0x6F, DS_ERASE_UNPROTECTED},
        {0xF3, DS_WRITE_STRUCTURED},
        {0xF2, DS_READ_BUFFER},
        {0xF6, DS_READ_MODIFIED},
        {0x6E, DS_READ_MODIFIED_ALL},
    };
    for (size_t i = 0; i < sizeof sna / sizeof sna[0]; i++)
        if (sna[i][0] == command)
            return sna[i][1];
    return command;
}

// --- structured fields ------------------------------------------------------

#define SF_READ_PARTITION 0x01
#define SF_ERASE_RESET    0x03
#define SF_OUTBOUND_DS    0x40

static enum ds_result read_partition(struct presentation *ps, const uint8_t *p, size_t n,
                                     struct text *inbound)
{
    if (n < 2)
        return DS_BAD_ORDER;
    if (p[1] == 0x02 || p[1] == 0x03) { // Query, Query List
        if (inbound)
            ds_query_reply(ps, inbound);
        return DS_OK;
    }
    uint8_t command = command_code(p[1]);
    if (command != DS_READ_BUFFER && command != DS_READ_MODIFIED && command != DS_READ_MODIFIED_ALL)
        return DS_BAD_ORDER;
    return ds_outbound(ps, &command, 1, inbound);
}

// Partition 0 is the only one; a Write Structured Field may not stand inside.
static enum ds_result outbound_ds(struct presentation *ps, const uint8_t *p, size_t n)
{
    if (n < 2 || p[0] != 0)
        return DS_BAD_ORDER;
    uint8_t command = command_code(p[1]);
    if (command != DS_WRITE && command != DS_ERASE_WRITE && command != DS_ERASE_WRITE_ALT &&
        command != DS_ERASE_UNPROTECTED)
        return DS_BAD_COMMAND;
    return ds_outbound(ps, p + 1, n - 1, NULL);
}

static enum ds_result structured_field(struct presentation *ps, const uint8_t *p, size_t n,
                                       struct text *inbound)
{
    switch (p[0]) {
    case SF_READ_PARTITION:
        return read_partition(ps, p + 1, n - 1, inbound);
    case SF_ERASE_RESET:
        ps_erase(ps, n > 1 && (p[1] & 0x80));
        return DS_OK;
    case SF_OUTBOUND_DS:
        return outbound_ds(ps, p + 1, n - 1);
    default: // reply mode and others: nothing to do here
        return DS_OK;
    }
}

// Each field: halfword length of all of it (0: the rest), identifier, data.
static enum ds_result write_structured(struct presentation *ps, const uint8_t *p, size_t n,
                                       struct text *inbound)
{
    while (n) {
        size_t length = n < 3 ? 0 : be16_load(p);
        if (n >= 3 && !length)
            length = n;
        if (length < 3 || length > n)
            return DS_BAD_ORDER;
        enum ds_result result = structured_field(ps, p + 2, length - 2, inbound);
        if (result != DS_OK)
            return result;
        p += length;
        n -= length;
    }
    return DS_OK;
}

enum ds_result ds_outbound(struct presentation *ps, const uint8_t *data, size_t n,
                           struct text *inbound)
{
    struct text nowhere = {0}, *answer = inbound ? inbound : &nowhere;
    enum ds_result result = DS_OK;
    switch (n ? command_code(data[0]) : 0) {
    case DS_WRITE:
        return write_data(ps, data + 1, n - 1);
    case DS_ERASE_WRITE:
        ps_erase(ps, false);
        return write_data(ps, data + 1, n - 1);
    case DS_ERASE_WRITE_ALT:
        ps_erase(ps, true);
        return write_data(ps, data + 1, n - 1);
    case DS_ERASE_UNPROTECTED:
        erase_unprotected(ps);
        break;
    case DS_WRITE_STRUCTURED:
        return write_structured(ps, data + 1, n - 1, inbound);
    case DS_READ_BUFFER:
        ds_read_buffer(ps, answer);
        break;
    case DS_READ_MODIFIED:
    case DS_READ_MODIFIED_ALL:
        ds_read_modified(ps, command_code(data[0]) == DS_READ_MODIFIED_ALL, answer);
        break;
    default:
        result = DS_BAD_COMMAND;
    }
    text_free(&nowhere);
    return result;
}
