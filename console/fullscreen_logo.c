// SPDX-License-Identifier: MIT
// The logo screen, where a user logs on.
//
//   row 1        Endicott ONLINE
//   rows 4-10    the name in block letters
//   row 12       what it is
//   rows n-6     how to log on; n-4 USERID, n-3 PASSWORD, n-1 COMMAND
//   row n        status area
#include "console/fullscreen_inside.h"

#include <stdio.h>
#include <string.h>

static const char *const art[] = {
    "EEEEEEE  N     N  DDDDDD   III   CCCCC    OOOOO   TTTTTTT  TTTTTTT",
    "E        NN    N  D     D   I   C     C  O     O     T        T   ",
    "E        N N   N  D     D   I   C        O     O     T        T   ",
    "EEEEE    N  N  N  D     D   I   C        O     O     T        T   ",
    "E        N   N N  D     D   I   C        O     O     T        T   ",
    "E        N    NN  D     D   I   C     C  O     O     T        T   ",
    "EEEEEEE  N     N  DDDDDD   III   CCCCC    OOOOO      T        T   ",
};
#define ART_ROWS (sizeof art / sizeof *art)

#define LABEL_WIDTH   14
#define USERID_SIZE   8
#define PASSWORD_SIZE 8

static unsigned label_row(const struct fullscreen *fs, unsigned from_bottom)
{
    return (fs->rows - from_bottom) * fs->cols;
}

unsigned fs_logo_userid(const struct fullscreen *fs)
{
    return label_row(fs, 5) + LABEL_WIDTH;
}

unsigned fs_logo_password(const struct fullscreen *fs)
{
    return label_row(fs, 4) + LABEL_WIDTH;
}

unsigned fs_logo_command(const struct fullscreen *fs)
{
    return label_row(fs, 2) + LABEL_WIDTH;
}

static void put_at(struct fullscreen *fs, struct text *out, unsigned at, const char *text)
{
    ds_sba(out, fs->rows * fs->cols, at);
    ds_text(out, fs->page, text);
}

static void centre(struct fullscreen *fs, struct text *out, unsigned row, const char *text)
{
    size_t n = strlen(text);
    put_at(fs, out, row * fs->cols + (fs->cols - (unsigned)n) / 2, text);
}

// A label and an input field of `size` behind it; protected from there on.
static void field(struct fullscreen *fs, struct text *out, unsigned at, const char *label,
                  uint8_t attribute, unsigned size)
{
    put_at(fs, out, at - LABEL_WIDTH, label);
    ds_sba(out, fs->rows * fs->cols, at - 1);
    ds_start_field_colour(out, attribute, PS_TURQUOISE, attribute == PS_HIDDEN ? 0 : PS_UNDERSCORE);
    ds_sba(out, fs->rows * fs->cols, at + size);
    ds_start_field(out, PS_PROTECTED); // no autoskip: a userid of 8 is followed by Tab as well
}

static void art_rows(struct fullscreen *fs, struct text *out)
{
    unsigned top = 3 + (fs->rows - 24) / 3;
    ds_set_attribute(out, XA_COLOUR, PS_TURQUOISE);
    for (unsigned i = 0; i < ART_ROWS; i++)
        centre(fs, out, top + i, art[i]);
    ds_set_attribute(out, XA_RESET, 0);
    centre(fs, out, top + ART_ROWS + 1, "an open system in the spirit of z/VM");
}

void fs_compose_logo(struct fullscreen *fs, struct text *out)
{
    char status[24];
    unsigned cells = fs->rows * fs->cols;
    ds_put_byte(out, DS_ERASE_WRITE_ALT);
    ds_put_byte(out, WCC_BASE | WCC_RESTORE | WCC_RESET | (fs->alarm ? WCC_ALARM : 0));
    ds_sba(out, cells, cells - 1);
    ds_start_field(out, PS_PROTECTED);
    put_at(fs, out, 0, "Endicott ONLINE");
    art_rows(fs, out);
    put_at(fs, out, label_row(fs, 7), "Fill in your USERID and PASSWORD and press ENTER");
    put_at(fs, out, label_row(fs, 6), "(Your password will not appear when you type it)");
    field(fs, out, fs_logo_userid(fs), "USERID   ===>", 0, USERID_SIZE);
    field(fs, out, fs_logo_password(fs), "PASSWORD ===>", PS_HIDDEN, PASSWORD_SIZE);
    field(fs, out, fs_logo_command(fs), "COMMAND  ===>", 0, fs->cols - LABEL_WIDTH - 1);
    snprintf(status, sizeof status, "%-10s%-8.8s", "RUNNING", endicott_name(fs->sys));
    put_at(fs, out, fs_status_at(fs) + 1, status);
    ds_sba(out, cells, fs_logo_userid(fs));
    ds_put_byte(out, ORDER_IC);
}
