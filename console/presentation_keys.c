// SPDX-License-Identifier: MIT
// What the operator's keys do to a presentation space (GA23-0059, "Keyboard Functions").
#include "console/presentation.h"

#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"

static bool refuse(struct presentation *ps, enum ps_lock why)
{
    ps->lock = why;
    return false;
}

// Last position of the field (of the whole buffer when unformatted).
static unsigned field_end(const struct presentation *ps, unsigned at)
{
    if (ps_field(ps, at) < 0)
        return ps_size(ps) - 1;
    while (!ps->cell[ps_next(ps, at)].start)
        at = ps_next(ps, at);
    return at;
}

static unsigned field_first(const struct presentation *ps, unsigned at)
{
    int field = ps_field(ps, at);
    return field < 0 ? 0 : ps_next(ps, (unsigned)field);
}

static void modified(struct presentation *ps, unsigned at)
{
    int field = ps_field(ps, at);
    if (field >= 0)
        ps->cell[field].attribute |= PS_MDT;
}

// Behind the last character of an input field: over an attribute, and over autoskip fields.
static void advance(struct presentation *ps)
{
    unsigned at = ps_next(ps, ps->cursor);
    if (ps->cell[at].start) {
        uint8_t skip = PS_PROTECTED | PS_NUMERIC;
        int input = (ps->cell[at].attribute & skip) == skip ? ps_next_input(ps, at) : -1;
        at = input < 0 ? ps_next(ps, at) : (unsigned)input;
    }
    ps->cursor = at;
}

// Moves the rest of the field one to the right into its first null; false when there is none.
static bool make_room(struct presentation *ps, unsigned at)
{
    unsigned end = field_end(ps, at), hole = at;
    while (ps->cell[hole].code != PS_NUL) {
        if (hole == end)
            return false;
        hole = ps_next(ps, hole);
    }
    while (hole != at) {
        unsigned before = ps_previous(ps, hole);
        ps->cell[hole] = ps->cell[before];
        hole = before;
    }
    return true;
}

static bool store(struct presentation *ps, uint8_t code)
{
    unsigned at = ps->cursor;
    if (ps_protected(ps, at))
        return refuse(ps, PS_LOCK_PROTECTED);
    if (ps->insert && ps->cell[at].code != PS_NUL && !make_room(ps, at))
        return refuse(ps, PS_LOCK_OVERFLOW);
    ps->cell[at] = (struct ps_cell){.code = code};
    modified(ps, at);
    return true;
}

static bool numeric_character(uint32_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == ',';
}

bool ps_type(struct presentation *ps, uint32_t unicode)
{
    if (ps->lock != PS_UNLOCKED)
        return false;
    uint8_t code = codepage_from_unicode(ps->page, unicode);
    if (code < 0x40 || code == 0xFF)
        code = 0x6F;
    if (ps->numeric_lock && !ps_protected(ps, ps->cursor) &&
        (ps_attribute(ps, ps->cursor) & PS_NUMERIC) && !numeric_character(unicode))
        return refuse(ps, PS_LOCK_NUMERIC);
    if (!store(ps, code))
        return false;
    advance(ps);
    return true;
}

static bool move(struct presentation *ps, int by)
{
    int size = (int)ps_size(ps);
    ps->cursor = (unsigned)(((int)ps->cursor + by + size) % size);
    return true;
}

static bool left(struct presentation *ps)
{
    return move(ps, -1);
}

static bool right(struct presentation *ps)
{
    return move(ps, 1);
}

static bool up(struct presentation *ps)
{
    return move(ps, -(int)ps->cols);
}

static bool down(struct presentation *ps)
{
    return move(ps, (int)ps->cols);
}

static bool home(struct presentation *ps)
{
    int input = ps_next_input(ps, ps_size(ps) - 1);
    ps->cursor = input < 0 ? 0 : (unsigned)input;
    return true;
}

static bool end(struct presentation *ps)
{
    if (ps_protected(ps, ps->cursor))
        return true;
    unsigned first = field_first(ps, ps->cursor), at = field_end(ps, ps->cursor);
    if (ps->cell[at].code == PS_NUL) {
        while (at != first && ps->cell[ps_previous(ps, at)].code == PS_NUL)
            at = ps_previous(ps, at);
    }
    ps->cursor = at;
    return true;
}

static bool tab(struct presentation *ps)
{
    int input = ps_next_input(ps, ps->cursor);
    ps->cursor = input < 0 ? 0 : (unsigned)input;
    return true;
}

// To the start of this field, or of the one before when the cursor is there already.
static bool backtab(struct presentation *ps)
{
    unsigned at = ps_previous(ps, ps->cursor);
    for (unsigned n = ps_size(ps); n; n--, at = ps_previous(ps, at)) {
        const struct ps_cell *c = &ps->cell[at];
        unsigned first = ps_next(ps, at);
        if (c->start && !(c->attribute & PS_PROTECTED) && !ps->cell[first].start &&
            first != ps->cursor) {
            ps->cursor = first;
            return true;
        }
    }
    return home(ps);
}

static bool newline(struct presentation *ps)
{
    unsigned line = (ps->cursor / ps->cols + 1) % ps->rows * ps->cols;
    if (ps_field(ps, 0) < 0 || !ps_protected(ps, line)) {
        ps->cursor = line;
        return true;
    }
    int input = ps_next_input(ps, line);
    ps->cursor = input < 0 ? 0 : (unsigned)input;
    return true;
}

static bool delete_at(struct presentation *ps, unsigned at)
{
    unsigned last = field_end(ps, at);
    for (; at != last; at = ps_next(ps, at))
        ps->cell[at] = ps->cell[ps_next(ps, at)];
    ps->cell[last] = (struct ps_cell){0};
    return true;
}

static bool delete_character(struct presentation *ps)
{
    if (ps_protected(ps, ps->cursor))
        return refuse(ps, PS_LOCK_PROTECTED);
    modified(ps, ps->cursor);
    return delete_at(ps, ps->cursor);
}

// A destructive backspace: what every other terminal's key does.
static bool backspace(struct presentation *ps)
{
    unsigned before = ps_previous(ps, ps->cursor);
    if (ps_protected(ps, before))
        return refuse(ps, PS_LOCK_PROTECTED);
    ps->cursor = before;
    return delete_character(ps);
}

static bool delete_word(struct presentation *ps)
{
    bool in_word = false;
    unsigned first;
    if (ps_protected(ps, ps->cursor))
        return refuse(ps, PS_LOCK_PROTECTED);
    first = field_first(ps, ps->cursor);
    while (ps->cursor != first) {
        uint8_t before = ps->cell[ps_previous(ps, ps->cursor)].code;
        bool blank = before == 0x40 || before == PS_NUL;
        if (blank && in_word)
            break;
        in_word |= !blank;
        backspace(ps);
    }
    return true;
}

static bool erase_eof(struct presentation *ps)
{
    if (ps_protected(ps, ps->cursor))
        return refuse(ps, PS_LOCK_PROTECTED);
    unsigned last = field_end(ps, ps->cursor);
    for (unsigned at = ps->cursor;; at = ps_next(ps, at)) {
        ps->cell[at] = (struct ps_cell){0};
        if (at == last)
            break;
    }
    modified(ps, ps->cursor);
    return true;
}

static bool delete_field(struct presentation *ps)
{
    if (ps_protected(ps, ps->cursor))
        return refuse(ps, PS_LOCK_PROTECTED);
    ps->cursor = field_first(ps, ps->cursor);
    return erase_eof(ps);
}

static bool erase_input(struct presentation *ps)
{
    ps_erase_all_unprotected(ps);
    return true;
}

static bool insert(struct presentation *ps)
{
    ps->insert = !ps->insert;
    return true;
}

static bool dup(struct presentation *ps)
{
    return store(ps, PS_DUP) && tab(ps);
}

static bool field_mark(struct presentation *ps)
{
    if (!store(ps, PS_FM))
        return false;
    advance(ps);
    return true;
}

static bool (*const key_functions[PS_KEY_COUNT])(struct presentation *) = {
    [PS_KEY_LEFT] = left,
    [PS_KEY_RIGHT] = right,
    [PS_KEY_UP] = up,
    [PS_KEY_DOWN] = down,
    [PS_KEY_HOME] = home,
    [PS_KEY_END] = end,
    [PS_KEY_TAB] = tab,
    [PS_KEY_BACKTAB] = backtab,
    [PS_KEY_NEWLINE] = newline,
    [PS_KEY_BACKSPACE] = backspace,
    [PS_KEY_DELETE] = delete_character,
    [PS_KEY_DELETE_WORD] = delete_word,
    [PS_KEY_DELETE_FIELD] = delete_field,
    [PS_KEY_ERASE_EOF] = erase_eof,
    [PS_KEY_ERASE_INPUT] = erase_input,
    [PS_KEY_INSERT] = insert,
    [PS_KEY_DUP] = dup,
    [PS_KEY_FIELD_MARK] = field_mark,
};

bool ps_key(struct presentation *ps, enum ps_key key)
{
    INVARIANT(key < PS_KEY_COUNT);
    return ps->lock == PS_UNLOCKED && key_functions[key](ps);
}

void ps_reset(struct presentation *ps)
{
    if (ps->lock != PS_LOCK_WAIT)
        ps->lock = PS_UNLOCKED;
    ps->insert = false;
}

// AIDs that send no fields: PA1-3 and CLEAR.
static bool short_read(uint8_t aid)
{
    return aid == 0x6C || aid == 0x6E || aid == 0x6B || aid == 0x6D;
}

bool ps_attention(struct presentation *ps, uint8_t aid)
{
    if (ps->lock == PS_LOCK_WAIT || (ps->lock != PS_UNLOCKED && !short_read(aid)))
        return false;
    if (aid == 0x6D)
        ps_erase(ps, ps->rows == ps->alt_rows && ps->cols == ps->alt_cols);
    ps->aid = aid;
    ps->lock = PS_LOCK_WAIT;
    ps->insert = false;
    return true;
}

const char *ps_lock_text(enum ps_lock lock)
{
    static const char *const text[] = {
        [PS_UNLOCKED] = "",
        [PS_LOCK_WAIT] = "X Wait",
        [PS_LOCK_PROTECTED] = "X Protected",
        [PS_LOCK_NUMERIC] = "X Numeric",
        [PS_LOCK_OVERFLOW] = "X Overflow",
        [PS_LOCK_FUNCTION] = "X -f",
    };
    return text[lock];
}
