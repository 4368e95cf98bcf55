// SPDX-License-Identifier: MIT
// Bytes of a terminal to keys: the key map, and the three guards for libtermkey.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "console/datastream.h"
#include "console/keyboard.h"

static struct keyboard *kb;

static int setup(void **state)
{
    (void)state;
    kb = keyboard_new("xterm-256color", true);
    return kb ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    keyboard_free(kb);
    return 0;
}

static void bytes(const char *s)
{
    keyboard_bytes(kb, s, strlen(s));
}

static void expect_key(enum key_action action, uint32_t value)
{
    struct key_event key = keyboard_next(kb);
    assert_int_equal(key.action, action);
    assert_int_equal(key.value, value);
}

static void expect_none(void)
{
    expect_key(KEY_NONE, 0);
}

static void test_text(void **state)
{
    (void)state;
    bytes("a\xc3\xa9 \xe4\xb8\xad");
    expect_key(KEY_TEXT, 'a');
    expect_key(KEY_TEXT, 0xE9);
    expect_key(KEY_TEXT, ' ');
    expect_key(KEY_TEXT, 0x4E2D);
    expect_none();
    bytes("\xff");
    expect_key(KEY_TEXT, 0xFFFD);
}

static void test_3270_keys(void **state)
{
    static const struct {
        const char *bytes;
        enum key_action action;
        uint32_t value;
    } keys[] = {
        {"\r", KEY_AID, AID_ENTER},
        {"\x03", KEY_AID, AID_CLEAR},
        {"\x1bOP", KEY_AID, 0xF1},
        {"\x1b[24~", KEY_AID, 0x7C},   // F12
        {"\x1b[1;2P", KEY_AID, 0xC1},  // Shift-F1: PF13
        {"\x1b[24;2~", KEY_AID, 0x4C}, // Shift-F12: PF24
        {"\x1b"
         "1",
         KEY_AID, AID_PA1}, // Alt-1
        {"\t", KEY_FIELD, PS_KEY_TAB},
        {"\x1b[Z", KEY_FIELD, PS_KEY_BACKTAB},
        {"\n", KEY_FIELD, PS_KEY_NEWLINE},
        {"\x7f", KEY_FIELD, PS_KEY_BACKSPACE},
        {"\x1b[3~", KEY_FIELD, PS_KEY_DELETE},
        {"\x1b[A", KEY_FIELD, PS_KEY_UP},
        {"\x1bOB", KEY_FIELD, PS_KEY_DOWN},
        {"\x1b[H", KEY_FIELD, PS_KEY_HOME},
        {"\x15", KEY_FIELD, PS_KEY_DELETE_FIELD},
        {"\x12", KEY_RESET, 0},
        {"\x10", KEY_VIEW, 0},
        {"\x1a", KEY_SUSPEND, 0},
        {"\x1b[5~", KEY_SCROLL_BACK, 0},
        {"\x1b[6~", KEY_SCROLL_FORWARD, 0},
        {"\x1b[99~", KEY_UNKNOWN, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bytes(keys[i].bytes);
        struct key_event key = keyboard_next(kb);
        if (key.action != keys[i].action || key.value != keys[i].value)
            fail_msg("key %zu: action %d value %X", i, key.action, key.value);
        expect_none();
    }
}

static void test_prefix(void **state)
{
    (void)state;
    bytes("\x01"
          "1\x01"
          "c\x01q\x01\x1bOP\x01z"
          "1");
    expect_key(KEY_PREFIX, 0);
    expect_key(KEY_AID, AID_PA1);
    expect_key(KEY_PREFIX, 0);
    expect_key(KEY_AID, AID_CLEAR);
    expect_key(KEY_PREFIX, 0);
    expect_key(KEY_QUIT, 0);
    expect_key(KEY_PREFIX, 0);
    expect_key(KEY_AID, 0xC1); // Ctrl-A F1: PF13
    expect_key(KEY_PREFIX, 0);
    expect_key(KEY_UNKNOWN, 0);
    expect_key(KEY_TEXT, '1'); // the prefix is for one key only
}

static void test_lone_escape_waits(void **state)
{
    (void)state;
    bytes("\x1b");
    expect_none();
    assert_true(keyboard_wait(kb) > 0 && keyboard_wait(kb) <= 25);
    keyboard_timeout(kb);
    expect_key(KEY_RESET, 0);
    expect_none();
    assert_int_equal(keyboard_wait(kb), -1);
    // A sequence in two parts is one key.
    bytes("\x1b[");
    expect_none();
    bytes("A");
    expect_key(KEY_FIELD, PS_KEY_UP);
}

static void test_paste(void **state)
{
    (void)state;
    bytes("a\x1b[200~q names\nq time\x1b[20");
    expect_key(KEY_TEXT, 'a');
    expect_none();
    bytes("1~b");
    struct key_event key = keyboard_next(kb);
    assert_int_equal(key.action, KEY_PASTE);
    assert_string_equal(key.text, "q names\nq time");
    expect_key(KEY_TEXT, 'b');
    expect_none();
}

static void test_long_input_is_not_lost(void **state)
{
    char many[3000];
    (void)state;
    memset(many, 'x', sizeof many);
    keyboard_bytes(kb, many, sizeof many);
    for (size_t i = 0; i < sizeof many; i++)
        expect_key(KEY_TEXT, 'x');
    expect_none();
}

static void test_control_strings_do_not_swallow_keys(void **state)
{
    (void)state;
    bytes("\x1b]11;rgb:ffff/ffff/ffff\x07"
          "a");
    expect_key(KEY_TEXT, 'a');
    bytes("\x1bP1$r0m\x1b\\b");
    expect_key(KEY_TEXT, 'b');
    bytes("\x1b]never ends");
    expect_none();
    keyboard_timeout(kb);
    bytes("c");
    expect_key(KEY_TEXT, 'c');
}

static void test_sgr_mouse_is_no_text(void **state)
{
    (void)state;
    bytes("\x1b[<0;10;5M\x1b[<0;10;5mz");
    struct key_event key;
    while ((key = keyboard_next(kb)).action == KEY_UNKNOWN)
        ;
    assert_int_equal(key.action, KEY_TEXT);
    assert_int_equal(key.value, 'z');
}

// Each made libtermkey 0.22 read outside its tables.
static void test_sequences_that_crashed(void **state)
{
    static const char *const cases[] = {"\x1b[ A",
                                        "\x1b[1$A",
                                        "\x1b[-1B",
                                        "\x1b[!p",
                                        "\x9b A",
                                        "\x1b\x9b A",
                                        "\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13 ~"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct key_event key;
        bytes(cases[i]);
        while ((key = keyboard_next(kb)).action != KEY_NONE)
            assert_true(key.action == KEY_TEXT || key.action == KEY_UNKNOWN);
        keyboard_timeout(kb);
        keyboard_next(kb);
        bytes("k");
        expect_key(KEY_TEXT, 'k');
    }
}

static void test_unknown_terminal(void **state)
{
    (void)state;
    assert_true(keyboard_help(0) != NULL);
    struct keyboard *other = keyboard_new("vt100", false);
    assert_non_null(other);
    keyboard_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(test_text),
        T(test_3270_keys),
        T(test_prefix),
        T(test_lone_escape_waits),
        T(test_paste),
        T(test_long_input_is_not_lost),
        T(test_control_strings_do_not_swallow_keys),
        T(test_sgr_mouse_is_no_text),
        T(test_sequences_that_crashed),
        T(test_unknown_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
