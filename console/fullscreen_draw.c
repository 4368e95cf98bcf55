// SPDX-License-Identifier: MIT
// The CP full screen as 3270 data stream: only what changed, unless everything is new.
#include "console/fullscreen_inside.h"

#include <stdio.h>
#include <string.h>

static unsigned cells(const struct fullscreen *fs)
{
    return fs->rows * fs->cols;
}

// Colours say nothing that the text does not say as well.
static uint8_t colour_of(enum line_kind kind)
{
    static const uint8_t colour[] = {
        [LINE_CP] = 0, [LINE_VM] = 0, [LINE_MESSAGE] = PS_WHITE, [LINE_ECHO] = PS_TURQUOISE};
    return colour[kind];
}

static void draw_row(struct fullscreen *fs, unsigned i, struct text *out)
{
    const struct page_row *row = &fs->row[i];
    if (!row->n)
        return;
    ds_sba(out, cells(fs), i * fs->cols);
    ds_set_attribute(out, XA_HIGHLIGHT, 0xF0);
    ds_set_attribute(out, XA_COLOUR, colour_of(row->kind));
    text_add(out, (const char *)row->data, row->n);
    ds_set_attribute(out, XA_RESET, 0);
}

// State in 10 columns, the system's name in 8; NOT ACCEPTED takes what it needs of both.
static void status_text(struct fullscreen *fs, char out[24])
{
    const char *word = fullscreen_status(fs);
    if (strlen(word) > 10)
        snprintf(out, 24, "%-18.18s", word);
    else
        snprintf(out, 24, "%-10s%-8.8s", word, endicott_name(fs->sys));
}

static void draw_status(struct fullscreen *fs, struct text *out)
{
    char text[24];
    status_text(fs, text);
    if (!fs->fresh && strcmp(text, fs->shown_status) == 0)
        return;
    memcpy(fs->shown_status, text, sizeof text);
    ds_sba(out, cells(fs), fs_status_at(fs));
    ds_start_field_colour(out, PS_PROTECTED, 0, 0xF0);
    ds_text(out, fs->page, text);
}

// The tag of the input field is always on, so that what CP puts there is sent as well.
static void draw_input_attribute(struct fullscreen *fs, bool conceal, struct text *out)
{
    ds_sba(out, cells(fs), fs_input_at(fs) - 1);
    ds_start_field(out, PS_MDT | (conceal ? PS_HIDDEN : 0));
    fs->shown_conceal = conceal;
}

static void draw_input(struct fullscreen *fs, struct text *out)
{
    ds_sba(out, cells(fs), fs_input_at(fs));
    if (!fs->fresh) {
        ds_repeat(out, cells(fs), fs_status_at(fs), PS_NUL);
        ds_sba(out, cells(fs), fs_input_at(fs));
    }
    struct text line = {0};
    ds_text(&line, fs->page, fs->input);
    size_t room = fs_status_at(fs) - fs_input_at(fs);
    text_add(out, text_get(&line), line.len < room ? line.len : room - 1);
    text_free(&line);
    ds_put_byte(out, ORDER_IC);
}

static bool concealed(struct fullscreen *fs)
{
    pthread_mutex_lock(&fs->lock);
    bool conceal = fs->conceal;
    pthread_mutex_unlock(&fs->lock);
    return conceal;
}

static void compose_lines(struct fullscreen *fs, struct text *out)
{
    bool conceal = concealed(fs);
    unsigned start = (unsigned)out->len;
    uint8_t wcc =
        WCC_BASE | (fs->unlock || fs->fresh ? WCC_RESTORE : 0) | (fs->alarm ? WCC_ALARM : 0);
    ds_put_byte(out, fs->fresh ? DS_ERASE_WRITE_ALT : DS_WRITE);
    ds_put_byte(out, wcc);
    size_t head = out->len;
    if (fs->fresh) {
        ds_sba(out, cells(fs), cells(fs) - 2); // this field goes round to the output area
        ds_start_field(out, PS_PROTECTED);
        fs->drawn = 0;
    } else if (fs->cleared) {
        ds_sba(out, cells(fs), 0);
        ds_repeat(out, cells(fs), fs_input_at(fs) - 1, PS_NUL);
    }
    for (; fs->drawn < fs->used; fs->drawn++)
        draw_row(fs, fs->drawn, out);
    if (fs->fresh || conceal != fs->shown_conceal)
        draw_input_attribute(fs, conceal, out);
    draw_status(fs, out);
    if (fs->fresh || fs->new_input)
        draw_input(fs, out);
    if (out->len == head && wcc == WCC_BASE)
        out->len = start; // nothing to say
}

void fs_draw(struct fullscreen *fs)
{
    struct text out = {0};
    if (fs->mode == SCREEN_LINES)
        compose_lines(fs, &out);
    else if (fs->mode == SCREEN_LOGO && (fs->fresh || fs->unlock))
        fs_compose_logo(fs, &out);
    if (fs->mode != SCREEN_GUEST) {
        fs->fresh = fs->cleared = fs->alarm = fs->unlock = fs->new_input = false;
        fs->input[0] = '\0';
    }
    if (out.len)
        fs->display->ops->outbound(fs->display, (const uint8_t *)out.s, out.len);
    text_free(&out);
}
