// SPDX-License-Identifier: MIT
#include "console/keyboard.h"

#include <stdlib.h>
#include <string.h>
#include <termkey.h>

#include "base/memory.h"
#include "console/datastream.h"
#include "console/input_filter.h"
#include "console/presentation.h"

// One key: its name as libtermkey reads it (C- control, A- Alt, S- shift), whether it follows the
// Ctrl-A prefix. c3270's defaults where it has one, since people have them in the fingers.
struct binding {
    bool prefix;
    const char *name;
    enum key_action action;
    uint32_t value;
};

// clang-format off
static const struct binding bindings[] = {
    {false, "Enter",     KEY_AID, AID_ENTER},
    {false, "KPEnter",   KEY_AID, AID_ENTER},
    {false, "C-c",       KEY_AID, AID_CLEAR},
    {true,  "c",         KEY_AID, AID_CLEAR},
    {true,  "1",         KEY_AID, AID_PA1},
    {true,  "2",         KEY_AID, AID_PA2},
    {true,  "3",         KEY_AID, AID_PA3},
    {false, "A-1",       KEY_AID, AID_PA1},
    {false, "A-2",       KEY_AID, AID_PA2},
    {false, "A-3",       KEY_AID, AID_PA3},
    {true,  "a",         KEY_ATTENTION, 0},
    {false, "A-a",       KEY_ATTENTION, 0},
    {false, "C-r",       KEY_RESET, 0},
    {true,  "r",         KEY_RESET, 0},
    {false, "A-r",       KEY_RESET, 0},
    {false, "Escape",    KEY_RESET, 0},
    {false, "Tab",       KEY_FIELD, PS_KEY_TAB},
    {false, "S-Tab",     KEY_FIELD, PS_KEY_BACKTAB},
    {true,  "Tab",       KEY_FIELD, PS_KEY_BACKTAB},
    {false, "Home",      KEY_FIELD, PS_KEY_HOME},
    {false, "End",       KEY_FIELD, PS_KEY_END},
    {false, "C-j",       KEY_FIELD, PS_KEY_NEWLINE},
    {false, "Up",        KEY_FIELD, PS_KEY_UP},
    {false, "Down",      KEY_FIELD, PS_KEY_DOWN},
    {false, "Left",      KEY_FIELD, PS_KEY_LEFT},
    {false, "Right",     KEY_FIELD, PS_KEY_RIGHT},
    {false, "Backspace", KEY_FIELD, PS_KEY_BACKSPACE},
    {false, "DEL",       KEY_FIELD, PS_KEY_BACKSPACE},
    {false, "Delete",    KEY_FIELD, PS_KEY_DELETE},
    {false, "C-w",       KEY_FIELD, PS_KEY_DELETE_WORD},
    {false, "C-u",       KEY_FIELD, PS_KEY_DELETE_FIELD},
    {true,  "C-f",       KEY_FIELD, PS_KEY_ERASE_EOF},
    {true,  "End",       KEY_FIELD, PS_KEY_ERASE_EOF},
    {false, "A-e",       KEY_FIELD, PS_KEY_ERASE_EOF},
    {true,  "x",         KEY_FIELD, PS_KEY_ERASE_INPUT},
    {false, "Insert",    KEY_FIELD, PS_KEY_INSERT},
    {true,  "i",         KEY_FIELD, PS_KEY_INSERT},
    {false, "A-i",       KEY_FIELD, PS_KEY_INSERT},
    {false, "C-d",       KEY_FIELD, PS_KEY_DUP},
    {false, "C-f",       KEY_FIELD, PS_KEY_FIELD_MARK},
    {false, "PageUp",    KEY_SCROLL_BACK, 0},
    {false, "PageDown",  KEY_SCROLL_FORWARD, 0},
    {false, "C-l",       KEY_REDRAW, 0},
    {false, "C-k",       KEY_HELP, 0},
    {true,  "?",         KEY_HELP, 0},
    {false, "C-p",       KEY_VIEW, 0},
    {true,  "p",         KEY_VIEW, 0},
    {true,  "q",         KEY_QUIT, 0},
    {false, "C-z",       KEY_SUSPEND, 0},
    {false, "C-a",       KEY_PREFIX, 0},
};

// For people; the order is theirs. COUPLED to the table above.
static const char *const help[] = {
    "PF1-PF12    F1-F12             PF13-PF24     Shift-F1-F12, Ctrl-A F1-F12",
    "Enter       Return             Clear         Ctrl-C, Ctrl-A c",
    "PA1 PA2 PA3 Alt-1 2 3          or            Ctrl-A 1 2 3",
    "Reset       Ctrl-R, Esc        Attn          Alt-a, Ctrl-A a",
    "Tab         Tab                Backtab       Shift-Tab, Ctrl-A Tab",
    "Newline     Ctrl-J             Home          Home",
    "Erase EOF   Alt-e, Ctrl-A End  Erase input   Ctrl-A x",
    "Insert      Insert, Ctrl-A i   Delete        Delete",
    "Delete word Ctrl-W             Delete field  Ctrl-U",
    "Dup         Ctrl-D             Field mark    Ctrl-F",
    "",
    "Scroll back and forward  PgUp, PgDn",
    "Live panel and back      Ctrl-P, Ctrl-A p",
    "Redraw                   Ctrl-L",
    "Leave the program        Ctrl-A q      (SHUTDOWN ends the system)",
};
// clang-format on

#define BINDINGS (sizeof bindings / sizeof *bindings)

struct keyboard {
    TermKey *tk;
    TermKeyKey key[BINDINGS]; // parsed names
    struct input_filter filter;
    struct text queue; // filtered bytes that did not fit yet
    struct text paste;
    bool prefix, waiting, force, pasted;
};

const char *keyboard_help(unsigned i)
{
    return i < sizeof help / sizeof *help ? help[i] : NULL;
}

// Third guard: terminfo's kmous is the prefix of SGR mouse reports, which libtermkey 0.22 takes
// for the old mouse's.
static const char *no_mouse(const char *name, const char *value, void *data)
{
    (void)data;
    return strcmp(name, "key_mouse") == 0 ? NULL : value;
}

static void pasted(void *arg, const char *text)
{
    struct keyboard *kb = arg;
    text_clear(&kb->paste);
    text_puts(&kb->paste, text);
    kb->pasted = true;
}

struct keyboard *keyboard_new(const char *term, bool utf8)
{
    int flags = TERMKEY_FLAG_NOSTART | (utf8 ? TERMKEY_FLAG_UTF8 : TERMKEY_FLAG_RAW);
    TermKey *tk = termkey_new_abstract(term, flags);
    if (!tk)
        return NULL;
    termkey_hook_terminfo_getstr(tk, no_mouse, NULL);
    if (!termkey_start(tk)) {
        termkey_destroy(tk);
        return NULL;
    }
    struct keyboard *kb = mem_zero(1, sizeof *kb);
    kb->tk = tk;
    kb->filter.pasted = pasted;
    kb->filter.arg = kb;
    for (size_t i = 0; i < BINDINGS; i++)
        INVARIANT(termkey_strpkey(tk, bindings[i].name, &kb->key[i], 0));
    return kb;
}

void keyboard_free(struct keyboard *kb)
{
    if (!kb)
        return;
    termkey_destroy(kb->tk);
    input_filter_free(&kb->filter);
    text_free(&kb->queue);
    text_free(&kb->paste);
    free(kb);
}

// libtermkey's buffer is small: it takes what fits, the rest waits.
static void feed(struct keyboard *kb)
{
    size_t room = termkey_get_buffer_remaining(kb->tk);
    size_t n = kb->queue.len < room ? kb->queue.len : room;
    if (!n)
        return;
    size_t taken = termkey_push_bytes(kb->tk, kb->queue.s, n);
    if (taken == (size_t)-1)
        return;
    memmove(kb->queue.s, kb->queue.s + taken, kb->queue.len - taken);
    kb->queue.len -= taken;
}

void keyboard_bytes(struct keyboard *kb, const char *bytes, size_t n)
{
    input_filter(&kb->filter, bytes, n, &kb->queue);
    kb->waiting = false;
}

int keyboard_wait(const struct keyboard *kb)
{
    int wait = input_filter_wait(&kb->filter);
    return kb->waiting && wait < 0 ? 25 : wait;
}

void keyboard_timeout(struct keyboard *kb)
{
    if (kb->filter.state != FILTER_GROUND)
        input_filter_timeout(&kb->filter, &kb->queue);
    kb->force = true; // what libtermkey still holds is a key of its own: a lone ESC
    kb->waiting = false;
}

static struct key_event function_key(const TermKeyKey *key, bool prefix)
{
    int pf = key->code.number + (prefix ? 12 : 0);
    if (key->modifiers & TERMKEY_KEYMOD_SHIFT)
        pf += 12;
    if (pf < 1 || pf > 24)
        return (struct key_event){.action = KEY_UNKNOWN};
    return (struct key_event){.action = KEY_AID, .value = ds_aid_of_pf((unsigned)pf)};
}

static struct key_event translate(struct keyboard *kb, TermKeyKey *key)
{
    bool prefix = kb->prefix;
    kb->prefix = false;
    if (key->type == TERMKEY_TYPE_FUNCTION)
        return function_key(key, prefix);
    for (size_t i = 0; i < BINDINGS; i++) {
        if (bindings[i].prefix == prefix && termkey_keycmp(kb->tk, key, &kb->key[i]) == 0) {
            kb->prefix = bindings[i].action == KEY_PREFIX;
            return (struct key_event){.action = bindings[i].action, .value = bindings[i].value};
        }
    }
    if (key->type == TERMKEY_TYPE_UNICODE && !key->modifiers && !prefix)
        return (struct key_event){.action = KEY_TEXT, .value = (uint32_t)key->code.codepoint};
    return (struct key_event){.action = KEY_UNKNOWN};
}

struct key_event keyboard_next(struct keyboard *kb)
{
    TermKeyKey key;
    if (kb->pasted) {
        kb->pasted = false;
        return (struct key_event){.action = KEY_PASTE, .text = text_get(&kb->paste)};
    }
    feed(kb);
    TermKeyResult result =
        kb->force ? termkey_getkey_force(kb->tk, &key) : termkey_getkey(kb->tk, &key);
    kb->force = false;
    switch (result) {
    case TERMKEY_RES_KEY:
        return translate(kb, &key);
    case TERMKEY_RES_AGAIN:
        kb->waiting = true;
        break;
    default:
        break;
    }
    return (struct key_event){.action = KEY_NONE};
}
