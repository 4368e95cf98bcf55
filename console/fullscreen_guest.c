// SPDX-License-Identifier: MIT
// A guest's full-screen program at a CP terminal: its data stream passes through to the display; a
// presentation space follows it, so that its screen can come back after lines covered it.
#include "console/fullscreen_inside.h"

void fs_guest_show(struct fullscreen *fs)
{
    struct text out = {0};
    ds_compose(&fs->guest, &out);
    fs->mode = SCREEN_GUEST;
    fs->covers_guest = false;
    fs_clear_page(fs);
    fs->display->ops->outbound(fs->display, (const uint8_t *)out.s, out.len);
    text_free(&out);
}

void fs_guest_stream(struct fullscreen *fs, const uint8_t *data, size_t n)
{
    struct text inbound = {0};
    if (fs->ended)
        return;
    ds_outbound(&fs->guest, data, n, &inbound);
    fs->guest_active = true;
    if (fs->mode == SCREEN_GUEST)
        fs->display->ops->outbound(fs->display, data, n);
    else if (inbound.len) // its screen is covered: the answer comes from what it would show
        endicott_terminal_data_stream(fs->sys, &fs->term, (const uint8_t *)inbound.s, inbound.len);
    else if (!fs->covers_guest && fs_cp_status(fs) != TERMINAL_CP_READ)
        fs_guest_show(fs);
    text_free(&inbound);
}

// PA1 is CP's break key: the guest does not see it.
void fs_guest_inbound(struct fullscreen *fs, const uint8_t *data, size_t n)
{
    if (n && data[0] == AID_PA1) {
        fs_set_lines_mode(fs);
        endicott_terminal_attention(fs->sys, &fs->term, true);
        return;
    }
    if (n && data[0] == AID_CLEAR)
        ps_erase(&fs->guest, fs->guest.rows == fs->guest.alt_rows);
    endicott_terminal_data_stream(fs->sys, &fs->term, data, n);
}

void fs_guest_end(struct fullscreen *fs)
{
    fs->guest_active = fs->covers_guest = false;
    ps_erase(&fs->guest, false);
    if (fs->mode == SCREEN_GUEST)
        fs_set_lines_mode(fs);
}
