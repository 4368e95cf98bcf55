// SPDX-License-Identifier: MIT
// What the user does at the CP full screen: ENTER, CLEAR, PA and PF keys, the logo's fields.
#include "console/fullscreen_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

// CP's message that the guest has not taken the line before.
#define NOT_ACCEPTED 46
// How long NOT ACCEPTED shows.
#define REFUSED_TIME (3 * TOD_SECOND)

// --- RETRIEVE ---------------------------------------------------------------

void fs_forget_retrieve(struct fullscreen *fs)
{
    for (unsigned i = 0; i < fs->retrieves; i++)
        free(fs->retrieve[i]);
    fs->retrieves = 0;
    fs->retrieved = -1;
}

static void keep_for_retrieve(struct fullscreen *fs, const char *line)
{
    fs->retrieved = -1;
    if (!line[strspn(line, " ")] || (fs->retrieves && strcmp(fs->retrieve[0], line) == 0))
        return;
    if (fs->retrieves == RETRIEVE_BUFFERS)
        free(fs->retrieve[--fs->retrieves]);
    memmove(fs->retrieve + 1, fs->retrieve, fs->retrieves * sizeof *fs->retrieve);
    fs->retrieve[0] = mem_string(line);
    fs->retrieves++;
}

static void set_input(struct fullscreen *fs, const char *line)
{
    snprintf(fs->input, sizeof fs->input, "%s", line);
    fs->new_input = true;
}

// Backward is to older lines; both directions go round.
static void retrieve(struct fullscreen *fs, int step)
{
    int n = (int)fs->retrieves;
    if (!n)
        return;
    fs->retrieved = fs->retrieved < 0 && step < 0 ? n - 1 : (fs->retrieved + step + n) % n;
    set_input(fs, fs->retrieve[fs->retrieved]);
}

// --- lines to CP ------------------------------------------------------------

static bool concealed(struct fullscreen *fs)
{
    pthread_mutex_lock(&fs->lock);
    bool conceal = fs->conceal;
    pthread_mutex_unlock(&fs->lock);
    return conceal;
}

static void refuse(struct fullscreen *fs)
{
    fs->refused_until = endicott_now(fs->sys) + REFUSED_TIME;
}

static void mute_echo(struct fullscreen *fs, bool mute)
{
    pthread_mutex_lock(&fs->lock);
    fs->mute_echo = mute;
    pthread_mutex_unlock(&fs->lock);
}

// CP redisplays what it takes, passwords excepted.
static void accept_line(struct fullscreen *fs, const char *line)
{
    if (!concealed(fs))
        keep_for_retrieve(fs, line);
    set_input(fs, "");
    if (endicott_terminal_input(fs->sys, &fs->term, line) == NOT_ACCEPTED) {
        refuse(fs);
        set_input(fs, line); // to be entered again
    }
}

// Before anybody is logged on, empty input gets CP's list of commands.
static void welcome(struct fullscreen *fs)
{
    if (fs->mode != SCREEN_LINES)
        fs_set_lines_mode(fs);
    fs_clear_page(fs);
    endicott_terminal_input(fs->sys, &fs->term, "");
}

// --- the logo ---------------------------------------------------------------

static void field_text(struct fullscreen *fs, const struct ds_field *field, char *out, size_t size)
{
    size_t n = field->n;
    while (n && field->data[n - 1] == 0x40)
        n--;
    ebcdic_to_utf8(fs->page, field->data, n, out, size);
}

struct logo_input {
    char userid[64], password[64], command[INPUT_SIZE];
};

static void read_logo(struct fullscreen *fs, const struct ds_inbound *in, struct logo_input *logo)
{
    *logo = (struct logo_input){0};
    for (size_t i = 0; i < in->fields; i++) {
        const struct ds_field *f = &in->field[i];
        if (f->at == fs_logo_userid(fs))
            field_text(fs, f, logo->userid, sizeof logo->userid);
        else if (f->at == fs_logo_password(fs))
            field_text(fs, f, logo->password, sizeof logo->password);
        else if (f->at == fs_logo_command(fs))
            field_text(fs, f, logo->command, sizeof logo->command);
    }
}

// The password never stands on a command line: LOGON asks for it, and the logo answers; the
// prompt's lines are dropped, as nobody has to see them.
static void logo_logon(struct fullscreen *fs, const struct logo_input *logo)
{
    char line[80];
    snprintf(line, sizeof line, "LOGON %s", logo->userid);
    fs_set_lines_mode(fs);
    endicott_terminal_input(fs->sys, &fs->term, line);
    if (!logo->password[0] || !concealed(fs))
        return;
    fs->suppress = true;
    fullscreen_work(fs);
    fs->suppress = false;
    endicott_terminal_input(fs->sys, &fs->term, logo->password);
}

static void logo_enter(struct fullscreen *fs, const struct ds_inbound *in)
{
    struct logo_input logo;
    read_logo(fs, in, &logo);
    if (logo.command[0]) {
        fs_set_lines_mode(fs);
        accept_line(fs, logo.command);
    } else if (logo.userid[0]) {
        logo_logon(fs, &logo);
    } else {
        welcome(fs);
    }
    memset(&logo, 0, sizeof logo);
}

// --- line mode --------------------------------------------------------------

static void input_text(struct fullscreen *fs, const struct ds_inbound *in, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < in->fields; i++)
        if (in->field[i].at == fs_input_at(fs))
            field_text(fs, &in->field[i], out, size);
}

static bool logged_on(struct fullscreen *fs)
{
    return fs_cp_status(fs) != TERMINAL_LOGO;
}

// ENTER at HOLDING: back to MORE..., with its timers.
static void let_go(struct fullscreen *fs)
{
    fs->page_message = false;
    fs_hold(fs, HOLD_MORE);
}

static void enter(struct fullscreen *fs, const char *line)
{
    if (fs->hold == HOLD_MORE)
        fs_hold(fs, HOLD_HOLDING);
    else if (fs->hold == HOLD_HOLDING && line[0])
        refuse(fs);
    else if (fs->hold == HOLD_HOLDING)
        let_go(fs);
    else if (fs->ended)
        fs_set_logo(fs);
    else if (!line[0] && !logged_on(fs) && !concealed(fs))
        welcome(fs);
    else
        accept_line(fs, line);
}

static void clear(struct fullscreen *fs, bool erased)
{
    fs->fresh |= erased;
    if (fs->hold != HOLD_NONE)
        fs_release(fs);
    else if (fs->ended)
        fs_set_logo(fs);
    else if (!logged_on(fs) && !concealed(fs))
        welcome(fs);
    else
        fs_clear_page(fs);
}

static void pa1(struct fullscreen *fs)
{
    if (fs->hold != HOLD_NONE)
        fs_discard(fs);
    else if (logged_on(fs))
        endicott_terminal_attention(fs->sys, &fs->term, true);
}

// SET PFnn SUBSTITUTE: "&*" stands for the whole input, "&1", "&2" for its words.
static void substitute(const char *pattern, const char *input, struct text *out)
{
    for (const char *p = pattern; *p; p++) {
        if (p[0] == '&' && p[1] == '*') {
            text_puts(out, input);
            p++;
        } else if (p[0] == '&' && p[1] >= '1' && p[1] <= '9') {
            const char *word = input + strspn(input, " ");
            for (int n = *++p - '1'; n; n--) {
                word += strcspn(word, " ");
                word += strspn(word, " ");
            }
            text_add(out, word, strcspn(word, " "));
        } else {
            text_add(out, p, 1);
        }
    }
}

static void substituted(struct fullscreen *fs, const char *pattern, const char *input)
{
    struct text line = {0};
    substitute(pattern, input, &line);
    accept_line(fs, text_get(&line));
    text_free(&line);
}

static void undefined_key(struct fullscreen *fs, unsigned pf)
{
    char text[24];
    snprintf(text, sizeof text, "* PF%02u UNDEFINED", pf);
    fs_queue_line(fs, LINE_CP, text);
}

static void pf_key(struct fullscreen *fs, unsigned pf, const char *input)
{
    char mode = 0, text[INPUT_SIZE] = "";
    if (!logged_on(fs))
        return;
    endicott_pf_key(fs->sys, &fs->term, pf, &mode, text, sizeof text);
    if (mode == 'R' || mode == 'F') {
        retrieve(fs, mode == 'R' ? 1 : -1);
        return;
    }
    if (fs->hold != HOLD_NONE) {
        refuse(fs);
        return;
    }
    switch (mode) {
    case 'I':
        endicott_terminal_input(fs->sys, &fs->term, text);
        break;
    case 'N':
        mute_echo(fs, true);
        endicott_terminal_input(fs->sys, &fs->term, text);
        mute_echo(fs, false);
        break;
    case 'D':
        set_input(fs, text);
        break;
    case 'S':
        substituted(fs, text, input);
        break;
    default:
        undefined_key(fs, pf);
    }
}

static void lines_inbound(struct fullscreen *fs, const struct ds_inbound *in)
{
    char line[INPUT_SIZE];
    input_text(fs, in, line, sizeof line);
    switch (in->aid) {
    case AID_ENTER:
        enter(fs, line);
        break;
    case AID_CLEAR:
        clear(fs, true);
        break;
    case AID_PA1:
        pa1(fs);
        break;
    case AID_PA2:
        clear(fs, false);
        break;
    case AID_NONE: // the answer to our own read: the input area survives a new size
        set_input(fs, line);
        break;
    default:
        if (ds_pf_of_aid(in->aid))
            pf_key(fs, ds_pf_of_aid(in->aid), line);
    }
    memset(line, 0, sizeof line);
}

static void logo_inbound(struct fullscreen *fs, const struct ds_inbound *in)
{
    if (in->aid == AID_ENTER)
        logo_enter(fs, in);
    else if (in->aid == AID_CLEAR)
        welcome(fs);
}

void fs_inbound(void *arg, const uint8_t *data, size_t n)
{
    struct fullscreen *fs = arg;
    struct ds_inbound in;
    if (fs->mode == SCREEN_GUEST) {
        fs_guest_inbound(fs, data, n);
    } else if (ds_parse_inbound(data, n, &in)) {
        fs->unlock = in.aid != AID_NONE;
        if (fs->mode == SCREEN_LOGO)
            logo_inbound(fs, &in);
        else
            lines_inbound(fs, &in);
    }
    if (!fs->resizing)
        fullscreen_work(fs);
}
