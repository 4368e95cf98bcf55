// SPDX-License-Identifier: MIT
// A display in memory.

#include "base/utf8.h"
#include "console/datastream.h"
#include "console/display.h"

static void answer(struct memory_display *md, struct text *inbound)
{
    if (inbound->len && md->display.host.inbound)
        md->display.host.inbound(md->display.host.arg, (const uint8_t *)inbound->s, inbound->len);
    text_free(inbound);
}

static void outbound(struct display *display, const uint8_t *data, size_t n)
{
    struct memory_display *md = (struct memory_display *)display;
    struct text inbound = {0};
    ds_outbound(&md->ps, data, n, &inbound);
    md->changes++;
    answer(md, &inbound);
}

static void size(const struct display *display, unsigned *rows, unsigned *cols)
{
    const struct memory_display *md = (const struct memory_display *)display;
    *rows = md->ps.alt_rows;
    *cols = md->ps.alt_cols;
}

void memory_display_init(struct memory_display *md, unsigned rows, unsigned cols)
{
    static const struct display_ops ops = {.outbound = outbound, .size = size};
    *md = (struct memory_display){.display = {.ops = &ops}};
    ps_init(&md->ps, rows, cols);
}

void memory_display_free(struct memory_display *md)
{
    ps_free(&md->ps);
}

void memory_display_resize(struct memory_display *md, unsigned rows, unsigned cols)
{
    ps_alternate(&md->ps, rows, cols);
    if (md->display.host.resized)
        md->display.host.resized(md->display.host.arg);
}

bool memory_display_press(struct memory_display *md, uint8_t aid)
{
    struct text inbound = {0};
    if (!ps_attention(&md->ps, aid))
        return false;
    ds_read_modified(&md->ps, false, &inbound);
    answer(md, &inbound);
    return true;
}

bool memory_display_type(struct memory_display *md, const char *utf8)
{
    while (*utf8)
        if (!ps_type(&md->ps, utf8_next(&utf8)))
            return false;
    return true;
}
