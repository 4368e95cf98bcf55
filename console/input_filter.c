// SPDX-License-Identifier: MIT
#include "console/input_filter.h"

#include <string.h>

#define STRING_LIMIT 4096
#define PASTE_LIMIT  65536

#define ESC '\x1b'
#define BEL '\x07'

static const char paste_end[] = "\x1b[201~";

static void release(struct input_filter *f, struct text *keys)
{
    text_add(keys, f->held, f->held_n);
    f->held_n = 0;
    f->state = FILTER_GROUND;
}

static void hold(struct input_filter *f, char c, enum filter_state state)
{
    f->held[f->held_n++] = c;
    f->state = state;
}

static void end_paste(struct input_filter *f)
{
    f->state = FILTER_GROUND;
    if (f->pasted)
        f->pasted(f->arg, text_get(&f->paste));
    text_free(&f->paste);
}

// Bytes that follow the first one of a UTF-8 character, in the old long forms as well.
static unsigned followers(unsigned char c)
{
    return c < 0xC0   ? 0
           : c < 0xE0 ? 1
           : c < 0xF0 ? 2
           : c < 0xF8 ? 3
           : c < 0xFC ? 4
           : c < 0xFE ? 5
                      : 0;
}

static void ground(struct input_filter *f, char c, struct text *keys)
{
    unsigned char byte = (unsigned char)c;
    bool continues = byte >= 0x80 && byte < 0xC0 && f->more;
    if (byte >= 0x80 && byte < 0xA0 && !continues)
        return; // a C1 control: no key sends one
    f->more = continues ? f->more - 1 : followers(byte);
    if (c == ESC)
        hold(f, c, FILTER_ESCAPE);
    else
        text_add(keys, &c, 1);
}

static void escape(struct input_filter *f, char c, struct text *keys)
{
    if (c == ESC) {
        release(f, keys);
        hold(f, c, FILTER_ESCAPE);
    } else if (c == '[') {
        hold(f, c, FILTER_CSI);
        f->bad = false;
    } else if (strchr("]P_^X", c) && c) {
        hold(f, c, FILTER_STRING);
        f->string_n = 0;
    } else { // Alt and a key
        release(f, keys);
        ground(f, c, keys);
    }
}

// ESC [, perhaps one of <=>?, then numbers, separators and a final byte.
static void csi(struct input_filter *f, char c, struct text *keys)
{
    bool last = c >= 0x40 && c <= 0x7E;
    bool first = f->held_n == 2;
    if (f->held_n == sizeof f->held)
        f->bad = true;
    else
        hold(f, c, FILTER_CSI);
    if (!last)
        f->bad |= !((c >= '0' && c <= ';') || (first && c >= '<' && c <= '?'));
    if (c == ESC) { // cut off by the next one
        f->held_n = 0;
        hold(f, c, FILTER_ESCAPE);
    } else if (f->held_n == 6 && memcmp(f->held, "\x1b[200~", 6) == 0) {
        f->held_n = 0;
        f->state = FILTER_PASTE;
    } else if (last && f->bad) {
        f->held_n = 0;
        f->state = FILTER_GROUND;
    } else if (last) {
        release(f, keys);
    }
}

// A control string is dropped whole; a runaway one gives the keyboard back.
static void string(struct input_filter *f, char c)
{
    if (c == BEL || ++f->string_n > STRING_LIMIT) {
        f->held_n = 0;
        f->state = FILTER_GROUND;
    } else if (c == ESC) {
        f->state = FILTER_STRING_END;
    }
}

static void string_end(struct input_filter *f, char c, struct text *keys)
{
    f->held_n = 0;
    f->state = FILTER_GROUND;
    if (c == '\\')
        return;
    hold(f, ESC, FILTER_ESCAPE);
    escape(f, c, keys);
}

static void paste(struct input_filter *f, char c)
{
    size_t end = sizeof paste_end - 1;
    if (f->paste.len < PASTE_LIMIT + end) {
        text_add(&f->paste, &c, 1);
    } else { // full: only its end is still looked for
        memmove(f->paste.s + PASTE_LIMIT, f->paste.s + PASTE_LIMIT + 1, end - 1);
        f->paste.s[PASTE_LIMIT + end - 1] = c;
    }
    if (f->paste.len >= end && memcmp(f->paste.s + f->paste.len - end, paste_end, end) == 0) {
        f->paste.len -= end;
        f->paste.s[f->paste.len] = '\0';
        end_paste(f);
    }
}

void input_filter(struct input_filter *f, const char *bytes, size_t n, struct text *keys)
{
    for (; n; n--, bytes++) {
        switch (f->state) {
        case FILTER_GROUND:
            ground(f, *bytes, keys);
            break;
        case FILTER_ESCAPE:
            escape(f, *bytes, keys);
            break;
        case FILTER_CSI:
            csi(f, *bytes, keys);
            break;
        case FILTER_STRING:
            string(f, *bytes);
            break;
        case FILTER_STRING_END:
            string_end(f, *bytes, keys);
            break;
        case FILTER_PASTE:
            paste(f, *bytes);
            break;
        }
    }
}

int input_filter_wait(const struct input_filter *f)
{
    switch (f->state) {
    case FILTER_GROUND:
        return -1;
    case FILTER_ESCAPE:
    case FILTER_CSI:
        return 25;
    case FILTER_STRING:
        return f->string_n ? 500 : 25; // Alt-] looks like the start of one
    default:
        return 1000;
    }
}

void input_filter_timeout(struct input_filter *f, struct text *keys)
{
    if (f->state == FILTER_PASTE)
        end_paste(f);
    else if (f->held_n <= 2 && !(f->state == FILTER_STRING && f->string_n))
        release(f, keys); // ESC, or Alt and a key that looked like an introducer
    f->held_n = 0;
    f->state = FILTER_GROUND;
}

void input_filter_free(struct input_filter *f)
{
    text_free(&f->paste);
}
