// SPDX-License-Identifier: MIT
// A 3270 presentation space: the character buffer with its fields and attributes, the cursor, and
// what the operator's keys do to them. EBCDIC inside; nothing here knows of terminals or of CP.
// Facts: GA23-0059, 3270 Data Stream Programmer's Reference, "The Presentation Space".
#ifndef ENDICOTT_CONSOLE_PRESENTATION_H
#define ENDICOTT_CONSOLE_PRESENTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codepage;

// Field attribute byte:
//   bit   0 1   2     3     4 5        6  7
//       |  -  | prot | num | display | - | MDT |
// Bits 0 and 1 only make the byte a graphic one in transit. Protected and numeric together:
// autoskip.
#define PS_PROTECTED 0x20
#define PS_NUMERIC   0x10
#define PS_DISPLAY   0x0C // mask of the next three
#define PS_DETECT    0x04
#define PS_INTENSE   0x08
#define PS_HIDDEN    0x0C
#define PS_MDT       0x01 // modified data tag

// Extended highlighting and colour, as they are in the data stream; 0 is the default.
#define PS_BLINK      0xF1
#define PS_REVERSE    0xF2
#define PS_UNDERSCORE 0xF4
#define PS_BLUE       0xF1
#define PS_RED        0xF2
#define PS_PINK       0xF3
#define PS_GREEN      0xF4
#define PS_TURQUOISE  0xF5
#define PS_YELLOW     0xF6
#define PS_WHITE      0xF7

#define PS_NUL 0x00
#define PS_DUP 0x1C // shown as *
#define PS_FM  0x1E // field mark, shown as ;

// Largest buffer: what 14 bits address.
#define PS_MAX_CELLS 16384

struct ps_cell {
    uint8_t code;      // EBCDIC, PS_NUL when empty
    bool start;        // a field starts here; the position itself shows a blank
    uint8_t attribute; // of the field that starts here
    uint8_t colour, highlight, charset;
};

// Why the keyboard does not take input.
enum ps_lock {
    PS_UNLOCKED,
    PS_LOCK_WAIT,      // an AID was sent, the host has not restored the keyboard
    PS_LOCK_PROTECTED, // operator errors: reset clears them
    PS_LOCK_NUMERIC,
    PS_LOCK_OVERFLOW,
    PS_LOCK_FUNCTION, // the key has no meaning here
};

struct presentation {
    unsigned rows, cols;         // in use
    unsigned alt_rows, alt_cols; // what Erase/Write Alternate switches to; default is 24 by 80
    struct ps_cell *cell;        // rows * cols, row by row
    unsigned fields;             // how many field attributes there are
    unsigned cursor, address;    // buffer addresses of the cursor and of the next order
    enum ps_lock lock;
    bool insert, numeric_lock;
    uint8_t aid; // the last one, 0x60 none
    bool alarm;  // the host asked for it; whoever sounds it clears it
    const struct codepage *page;
};

// `alt_rows` by `alt_cols` is the alternate size, the default 24 by 80 is used first. A size beyond
// PS_MAX_CELLS or below 24 by 80 is brought into range.
void ps_init(struct presentation *ps, unsigned alt_rows, unsigned alt_cols);
void ps_free(struct presentation *ps);
// Another alternate size, taken by the next Erase/Write Alternate.
void ps_alternate(struct presentation *ps, unsigned rows, unsigned cols);
// Clears all to nulls, cursor and address to 0, in the default or the alternate size.
void ps_erase(struct presentation *ps, bool alternate);

// --- fields -----------------------------------------------------------------

static inline unsigned ps_size(const struct presentation *ps)
{
    return ps->rows * ps->cols;
}
static inline unsigned ps_next(const struct presentation *ps, unsigned at)
{
    return at + 1 < ps_size(ps) ? at + 1 : 0;
}
static inline unsigned ps_previous(const struct presentation *ps, unsigned at)
{
    return at ? at - 1 : ps_size(ps) - 1;
}
// Position of the attribute that governs `at`; -1 on an unformatted screen.
int ps_field(const struct presentation *ps, unsigned at);
// The governing attribute byte, 0 (unprotected) on an unformatted screen.
uint8_t ps_attribute(const struct presentation *ps, unsigned at);
bool ps_protected(const struct presentation *ps, unsigned at); // true on an attribute position
bool ps_hidden(const struct presentation *ps, unsigned at);
// First position of the first unprotected field behind `at`, cyclic; -1 when there is none.
int ps_next_input(const struct presentation *ps, unsigned at);
void ps_put(struct presentation *ps, unsigned at, uint8_t code); // removes a field attribute there
void ps_start_field(struct presentation *ps, unsigned at, uint8_t attribute);
// All unprotected positions to nulls, MDTs off, cursor to the first input field.
void ps_erase_all_unprotected(struct presentation *ps);
void ps_reset_mdt(struct presentation *ps);
// An EBCDIC code as the display shows it.
uint32_t ps_glyph(const struct presentation *ps, uint8_t code);
// What the position shows, as a Unicode character: blank for attributes, hidden fields and nulls.
uint32_t ps_character(const struct presentation *ps, unsigned at);
// Colour and highlight that apply at a position: the character's own, else its field's; 0 hidden.
uint8_t ps_colour(const struct presentation *ps, unsigned at);
uint8_t ps_highlight(const struct presentation *ps, unsigned at);
bool ps_intense(const struct presentation *ps, unsigned at);
// One row as UTF-8 without trailing blanks; `out` should hold 3 * cols + 1 bytes.
void ps_row(const struct presentation *ps, unsigned row, char *out, size_t size);

// --- the operator's keys (presentation_keys.c) ------------------------------
// Each is refused (false) while the keyboard is locked, and may lock it with an operator error.

enum ps_key {
    PS_KEY_LEFT,
    PS_KEY_RIGHT,
    PS_KEY_UP,
    PS_KEY_DOWN,
    PS_KEY_HOME,
    PS_KEY_END, // behind the last character of the field
    PS_KEY_TAB,
    PS_KEY_BACKTAB,
    PS_KEY_NEWLINE,
    PS_KEY_BACKSPACE,
    PS_KEY_DELETE,
    PS_KEY_DELETE_WORD,
    PS_KEY_DELETE_FIELD,
    PS_KEY_ERASE_EOF,
    PS_KEY_ERASE_INPUT,
    PS_KEY_INSERT, // toggles
    PS_KEY_DUP,
    PS_KEY_FIELD_MARK,
    PS_KEY_COUNT
};
bool ps_key(struct presentation *ps, enum ps_key key);
// Types a Unicode character; one that the code page does not have becomes a question mark.
bool ps_type(struct presentation *ps, uint32_t unicode);
// RESET: ends an operator error and insert mode; a wait for the host stays.
void ps_reset(struct presentation *ps);
// ENTER, PF, PA, CLEAR: notes the AID and locks until the host restores the keyboard. CLEAR also
// erases. False when locked; an operator error does not stop CLEAR and PA keys from working.
bool ps_attention(struct presentation *ps, uint8_t aid);
// The lock's reason in words for a status line, "" when unlocked.
const char *ps_lock_text(enum ps_lock lock);

#endif
