// SPDX-License-Identifier: MIT
// The presentation space: fields, keys, operator errors.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "console/datastream.h"
#include "console/presentation.h"

// Row 0: "Name" and an input field of 5 behind it; row 1 a numeric field of 8; row 2 a hidden one.
static int setup(void **state)
{
    static struct presentation ps;
    ps_init(&ps, 24, 80);
    ps_start_field(&ps, 0, PS_PROTECTED);
    ps_start_field(&ps, 9, 0);
    ps_start_field(&ps, 15, PS_PROTECTED | PS_NUMERIC);
    ps_start_field(&ps, 89, PS_NUMERIC);
    ps_start_field(&ps, 98, PS_PROTECTED);
    ps_start_field(&ps, 169, PS_HIDDEN);
    ps.cell[169].highlight = PS_UNDERSCORE;
    ps_start_field(&ps, 178, PS_PROTECTED);
    ps_key(&ps, PS_KEY_HOME);
    *state = &ps;
    return 0;
}

static int teardown(void **state)
{
    ps_free(*state);
    return 0;
}

static void type(struct presentation *ps, const char *s)
{
    for (; *s; s++)
        ps_type(ps, (unsigned char)*s);
}

static void assert_row(const struct presentation *ps, unsigned row, const char *want)
{
    char text[400];
    ps_row(ps, row, text, sizeof text);
    assert_string_equal(text, want);
}

static void test_typing_sets_mdt_and_skips(void **state)
{
    struct presentation *ps = *state;
    assert_int_equal(ps->cursor, 10);
    type(ps, "abcde");
    assert_row(ps, 0, "          abcde");
    assert_true(ps->cell[9].attribute & PS_MDT);
    assert_false(ps->cell[89].attribute & PS_MDT);
    assert_int_equal(ps->cursor, 90); // the field behind is autoskip
}

static void test_protected_locks_until_reset(void **state)
{
    struct presentation *ps = *state;
    ps->cursor = 3;
    assert_false(ps_type(ps, 'x'));
    assert_int_equal(ps->lock, PS_LOCK_PROTECTED);
    ps->cursor = 10;
    assert_false(ps_type(ps, 'x'));
    assert_string_equal(ps_lock_text(ps->lock), "X Protected");
    ps_reset(ps);
    assert_true(ps_type(ps, 'x'));
    assert_row(ps, 0, "          x");
}

static void test_attribute_position_refuses(void **state)
{
    struct presentation *ps = *state;
    ps->cursor = 9;
    assert_false(ps_type(ps, 'x'));
    assert_int_equal(ps->lock, PS_LOCK_PROTECTED);
    assert_true(ps->cell[9].start);
}

static void test_numeric_field(void **state)
{
    struct presentation *ps = *state;
    ps->cursor = 90;
    type(ps, "2,3-+.5a");
    assert_row(ps, 1, "          2,3-+.5");
    assert_int_equal(ps->lock, PS_LOCK_NUMERIC);
    ps_reset(ps);
    ps->numeric_lock = false;
    assert_true(ps_type(ps, 'a'));
}

static void test_insert_and_overflow(void **state)
{
    struct presentation *ps = *state;
    type(ps, "bcd");
    ps_key(ps, PS_KEY_HOME);
    ps_key(ps, PS_KEY_INSERT);
    type(ps, "a");
    assert_row(ps, 0, "          abcd");
    type(ps, "-");
    assert_row(ps, 0, "          a-bcd");
    assert_false(ps_type(ps, '!'));
    assert_int_equal(ps->lock, PS_LOCK_OVERFLOW);
    assert_row(ps, 0, "          a-bcd");
    ps_reset(ps);
    assert_false(ps->insert);
}

static void test_delete_keys(void **state)
{
    struct presentation *ps = *state;
    type(ps, "ab cd");
    ps->cursor = 11;
    ps_key(ps, PS_KEY_DELETE);
    assert_row(ps, 0, "          a cd");
    ps->cursor = 14;
    ps_key(ps, PS_KEY_DELETE_WORD);
    assert_row(ps, 0, "          a");
    assert_int_equal(ps->cursor, 12);
    ps_key(ps, PS_KEY_BACKSPACE);
    ps_key(ps, PS_KEY_BACKSPACE);
    assert_row(ps, 0, "");
    assert_int_equal(ps->cursor, 10);
    assert_false(ps_key(ps, PS_KEY_BACKSPACE)); // before the field
    ps_reset(ps);
    type(ps, "vwxyz");
    ps->cursor = 12;
    ps_key(ps, PS_KEY_ERASE_EOF);
    assert_row(ps, 0, "          vw");
    ps_key(ps, PS_KEY_ERASE_INPUT);
    assert_row(ps, 0, "");
    assert_false(ps->cell[9].attribute & PS_MDT);
}

static void test_tabs(void **state)
{
    struct presentation *ps = *state;
    ps_key(ps, PS_KEY_TAB);
    assert_int_equal(ps->cursor, 90);
    ps_key(ps, PS_KEY_TAB);
    assert_int_equal(ps->cursor, 170);
    ps_key(ps, PS_KEY_TAB);
    assert_int_equal(ps->cursor, 10);
    ps_key(ps, PS_KEY_BACKTAB);
    assert_int_equal(ps->cursor, 170);
    ps_key(ps, PS_KEY_RIGHT);
    ps_key(ps, PS_KEY_BACKTAB);
    assert_int_equal(ps->cursor, 170);
    ps->cursor = 12;
    ps_key(ps, PS_KEY_NEWLINE);
    assert_int_equal(ps->cursor, 90);
}

static void test_hidden_shows_nothing(void **state)
{
    struct presentation *ps = *state;
    ps->cursor = 170;
    type(ps, "SECRET");
    assert_row(ps, 2, "");
    assert_int_equal(ps_highlight(ps, 170), 0);
    assert_int_equal(ps_character(ps, 170), ' ');
    assert_int_equal(ps->cell[170].code, 0xE2);
}

static void test_dup_and_field_mark(void **state)
{
    struct presentation *ps = *state;
    ps_key(ps, PS_KEY_FIELD_MARK);
    ps_key(ps, PS_KEY_DUP);
    assert_row(ps, 0, "          ;*");
    assert_int_equal(ps->cell[11].code, PS_DUP);
    assert_int_equal(ps->cursor, 90);
}

static void test_attention_locks(void **state)
{
    struct presentation *ps = *state;
    assert_true(ps_attention(ps, AID_ENTER));
    assert_int_equal(ps->lock, PS_LOCK_WAIT);
    ps_reset(ps);
    assert_int_equal(ps->lock, PS_LOCK_WAIT);
    assert_false(ps_type(ps, 'x'));
    assert_false(ps_attention(ps, AID_PA1));
}

static void test_unformatted_wraps(void **state)
{
    struct presentation *ps = *state;
    ps_erase(ps, false);
    ps->cursor = 24 * 80 - 1;
    type(ps, "ab");
    assert_int_equal(ps->cell[24 * 80 - 1].code, 0x81);
    assert_int_equal(ps->cell[0].code, 0x82);
    assert_int_equal(ps->cursor, 1);
}

static void test_sizes_are_brought_into_range(void **state)
{
    struct presentation *ps = *state;
    ps_alternate(ps, 1000, 1000);
    assert_true(ps->alt_rows * ps->alt_cols <= PS_MAX_CELLS && ps->alt_rows >= 24);
    ps_alternate(ps, 1, 1);
    assert_int_equal(ps->alt_rows * ps->alt_cols, 1920);
    ps_alternate(ps, 43, 132);
    ps_erase(ps, true);
    assert_int_equal(ps_size(ps), 43 * 132);
}

static void test_code_page_round_trip(void **state)
{
    struct presentation *ps = *state;
    static const uint32_t chars[] = {'|', 0xA6, 0xAC, '^', '['};
    for (size_t i = 0; i < 5; i++)
        ps_type(ps, chars[i]);
    assert_row(ps, 0, "          |\xC2\xA6\xC2\xAC^[");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(test_typing_sets_mdt_and_skips),
        T(test_protected_locks_until_reset),
        T(test_attribute_position_refuses),
        T(test_numeric_field),
        T(test_insert_and_overflow),
        T(test_delete_keys),
        T(test_tabs),
        T(test_hidden_shows_nothing),
        T(test_dup_and_field_mark),
        T(test_attention_locks),
        T(test_unformatted_wraps),
        T(test_sizes_are_brought_into_range),
        T(test_code_page_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
