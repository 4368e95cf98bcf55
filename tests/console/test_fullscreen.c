// SPDX-License-Identifier: MIT
// The CP full screen: logo, lines, MORE, keys, input.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "screen_rig.h"

static void test_logo(void **state)
{
    (void)state;
    assert_row(0, "Endicott ONLINE");
    assert_row(17, "Fill in your USERID and PASSWORD and press ENTER");
    assert_row(18, "(Your password will not appear when you type it)");
    assert_row(19, "USERID   ===>");
    assert_row(20, "PASSWORD ===>");
    assert_row(22, "COMMAND  ===>");
    assert_status("RUNNING");
    assert_int_equal(md.ps.cursor, 19 * 80 + 14);
}

static void cp_logon(struct terminal *t, const char *text)
{
    if (!text[0]) {
        t->ops->line(t, LINE_CP, "Enter one of the following commands:");
    } else if (strncmp(text, "LOGON ", 6) == 0) {
        fake.password = true;
        t->ops->line(t, LINE_CP, "ENTER PASSWORD  (IT WILL NOT APPEAR WHEN TYPED):");
        t->ops->conceal(t, true);
    } else if (strcmp(text, "sesame") == 0) {
        fake.password = false;
        t->ops->conceal(t, false);
        t->ops->line(t, LINE_CP, "LOGON AT 10:04:53 UTC");
        t->ops->status(t, TERMINAL_RUNNING);
    }
}

static void test_logo_logon(void **state)
{
    (void)state;
    fake.on_input = cp_logon;
    memory_display_type(&md, "maint");
    ps_key(&md.ps, PS_KEY_TAB);
    memory_display_type(&md, "sesame");
    assert_row(20, "PASSWORD ===>");
    memory_display_press(&md, AID_ENTER);
    assert_int_equal(fake.inputs, 2);
    assert_string_equal(fake.input[0], "LOGON maint");
    assert_string_equal(fake.input[1], "sesame");
    assert_row(0, "LOGON AT 10:04:53 UTC");
    assert_status("RUNNING");
    for (size_t i = 0; i < fullscreen_history(fs); i++) {
        char text[256];
        fullscreen_history_line(fs, i, text, sizeof text);
        assert_null(strstr(text, "sesame"));
    }
}

static void test_password_prompt(void **state)
{
    (void)state;
    fake.on_input = cp_logon;
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, "Enter one of the following commands:");
    assert_status("CP READ");
    enter("LOGON maint");
    assert_row(1, "LOGON maint");
    assert_row(2, "ENTER PASSWORD  (IT WILL NOT APPEAR WHEN TYPED):");
    memory_display_type(&md, "sesame");
    assert_row(22, "");
    memory_display_press(&md, AID_ENTER);
    assert_string_equal(fake.input[2], "sesame");
    assert_row(3, "LOGON AT 10:04:53 UTC");
    memory_display_type(&md, "x");
    assert_row(22, "x"); // no longer hidden
    // and RETRIEVE does not bring it back
    fake.pf[12].mode = 'R';
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "LOGON maint");
}

static void test_logo_command(void **state)
{
    (void)state;
    ps_key(&md.ps, PS_KEY_TAB);
    ps_key(&md.ps, PS_KEY_TAB);
    enter("msg op hello");
    assert_string_equal(fake.input[0], "msg op hello");
    assert_row(0, "msg op hello");
}

static void test_line_mode(void **state)
{
    (void)state;
    line(LINE_CP, "FILES:   NO RDR,   NO PRT,   NO PUN");
    work();
    assert_row(0, "FILES:   NO RDR,   NO PRT,   NO PUN");
    assert_status("RUNNING");
    enter("query names");
    assert_string_equal(fake.input[0], "query names");
    assert_row(1, "query names");
    assert_row(22, "");
    assert_int_equal(md.ps.cursor, 22 * 80);
    enter("");
    assert_string_equal(fake.input[1], "");
    term->ops->status(term, TERMINAL_VM_READ);
    work();
    assert_status("VM READ");
}

static void test_output_keeps_what_is_being_typed(void **state)
{
    (void)state;
    memory_display_type(&md, "half a com");
    lines(1, 3);
    assert_row(2, "line 3");
    assert_row(22, "half a com");
    enter("mand");
    assert_string_equal(fake.input[0], "half a command");
}

static void test_input_area_holds_139(void **state)
{
    char text[140];
    (void)state;
    memset(text, 'x', 139);
    text[139] = '\0';
    memory_display_type(&md, text);
    assert_false(memory_display_type(&md, "y"));
    assert_int_equal(md.ps.lock, PS_LOCK_PROTECTED);
    ps_reset(&md.ps);
    memory_display_press(&md, AID_ENTER);
    assert_string_equal(fake.input[0], text);
}

static void test_wrap(void **state)
{
    char text[200];
    (void)state;
    memset(text, 'a', 199);
    text[199] = '\0';
    line(LINE_VM, text);
    line(LINE_VM, "");
    line(LINE_VM, "after");
    work();
    assert_int_equal(strlen(row(0)), 80);
    assert_int_equal(strlen(row(2)), 39);
    assert_row(3, "");
    assert_row(4, "after");
}

static void test_more_clear(void **state)
{
    (void)state;
    lines(1, 22);
    assert_status("RUNNING");
    lines(23, 30);
    assert_row(21, "line 22");
    assert_status("MORE...");
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, "line 23");
    assert_row(8, "");
    assert_status("RUNNING");
    lines(31, 60);
    assert_status("MORE...");
    memory_display_press(&md, AID_PA2);
    assert_row(0, "line 45");
    assert_status("RUNNING");
}

static void test_empty_line_is_not_lost(void **state)
{
    (void)state;
    lines(1, 22);
    line(LINE_CP, "");
    line(LINE_CP, "behind");
    work();
    assert_status("MORE...");
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, "");
    assert_row(1, "behind");
}

static void test_full_width_line_waits_for_the_next_page(void **state)
{
    char text[81];
    (void)state;
    memset(text, 'b', 80);
    text[80] = '\0';
    lines(1, 21);
    line(LINE_CP, text);
    work();
    assert_status("MORE...");
    assert_row(21, "");
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, text);
}

static void test_more_timers(void **state)
{
    (void)state;
    lines(1, 30);
    assert_status("MORE...");
    md.ps.alarm = false;
    advance(49.9);
    assert_false(md.ps.alarm);
    advance(0.2);
    assert_true(md.ps.alarm);
    assert_status("MORE...");
    advance(9.8);
    assert_status("MORE...");
    advance(0.2);
    assert_status("RUNNING");
    assert_row(0, "line 23");
}

static void test_more_0_0_never_stops(void **state)
{
    (void)state;
    fake.more1 = fake.more2 = 0;
    lines(1, 100);
    assert_status("RUNNING");
    assert_row(0, "line 89");
    assert_row(11, "line 100");
}

static void test_holding(void **state)
{
    (void)state;
    lines(1, 30);
    memory_display_press(&md, AID_ENTER);
    assert_status("HOLDING");
    advance(600);
    assert_status("HOLDING");
    assert_row(0, "line 1");
    enter("too early");
    assert_status("NOT ACCEPTED");
    assert_row(22, "too early");
    assert_int_equal(fake.inputs, 0);
    advance(3.1);
    assert_status("HOLDING");
    ps_key(&md.ps, PS_KEY_DELETE_FIELD);
    memory_display_press(&md, AID_ENTER);
    assert_status("MORE...");
    advance(61);
    assert_row(0, "line 23");
}

static void test_pa1_discards_at_more(void **state)
{
    (void)state;
    lines(1, 90);
    memory_display_press(&md, AID_PA1);
    assert_status("RUNNING");
    assert_row(0, "");
    assert_int_equal(fake.breaks, 0);
    memory_display_press(&md, AID_PA1);
    assert_int_equal(fake.breaks, 1);
}

static void test_message_sounds_and_holds(void **state)
{
    (void)state;
    md.ps.alarm = false;
    line(LINE_MESSAGE, " 17:33:25  * MSG FROM MAINT   : HELLO");
    work();
    assert_true(md.ps.alarm);
    assert_row(0, " 17:33:25  * MSG FROM MAINT   : HELLO");
    lines(1, 30);
    assert_status("HOLDING");
    advance(600);
    assert_row(0, " 17:33:25  * MSG FROM MAINT   : HELLO");
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, "line 22");
    // with HOLD OFF the timers run as for any page
    fake.hold = false;
    line(LINE_MESSAGE, "  * MSG FROM MAINT   : AGAIN");
    lines(31, 60);
    assert_status("MORE...");
}

static void test_pf_keys(void **state)
{
    (void)state;
    fake.pf[1].mode = 'I', fake.pf[1].text = "query time";
    fake.pf[2].mode = 'D', fake.pf[2].text = "msg op ";
    fake.pf[3].mode = 'N', fake.pf[3].text = "indicate";
    fake.pf[4].mode = 'S', fake.pf[4].text = "msg &1 re &*: &2";
    memory_display_press(&md, ds_aid_of_pf(6));
    assert_row(0, "* PF06 UNDEFINED");
    memory_display_press(&md, ds_aid_of_pf(1));
    assert_row(1, "query time");
    assert_string_equal(fake.input[0], "query time");
    memory_display_press(&md, ds_aid_of_pf(2));
    assert_row(22, "msg op");
    assert_int_equal(md.ps.cursor, 22 * 80 + 7);
    enter("hi");
    assert_string_equal(fake.input[1], "msg op hi");
    memory_display_press(&md, ds_aid_of_pf(3));
    assert_string_equal(fake.input[2], "indicate");
    assert_row(3, "");
    memory_display_type(&md, "joe now");
    memory_display_press(&md, ds_aid_of_pf(4));
    assert_string_equal(fake.input[3], "msg joe re joe now: now");
}

static void test_guest_does_not_take_the_line(void **state)
{
    (void)state;
    fake.rc = 46;
    enter("one too many");
    assert_status("NOT ACCEPTED");
    assert_row(22, "one too many");
    fake.rc = 0;
    memory_display_press(&md, AID_ENTER);
    assert_row(22, "");
    advance(3.1);
    assert_status("RUNNING");
}

static void test_retrieve(void **state)
{
    (void)state;
    fake.pf[12].mode = 'R';
    fake.pf[11].mode = 'F';
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "");
    enter("one");
    enter("two");
    enter("two");
    enter("three");
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "three");
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "two");
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "one");
    memory_display_press(&md, ds_aid_of_pf(12));
    assert_row(22, "three");
    memory_display_press(&md, ds_aid_of_pf(11));
    assert_row(22, "one");
    memory_display_press(&md, AID_ENTER);
    assert_string_equal(fake.input[4], "one");
}

static void test_session_end(void **state)
{
    (void)state;
    enter("logoff");
    line(LINE_CP, "LOGOFF AT 12:16:39 UTC THURSDAY 01/01/26");
    line(LINE_CP, "");
    line(LINE_CP, "Press enter or clear key to continue");
    term->ops->status(term, TERMINAL_LOGO);
    term->ops->ended(term);
    work();
    assert_row(3, "Press enter or clear key to continue");
    memory_display_press(&md, AID_ENTER);
    assert_row(19, "USERID   ===>");
    assert_int_equal(fullscreen_history(fs), 0);
    assert_int_equal(fake.inputs, 1);
}

static void test_backlog_has_a_limit(void **state)
{
    char text[256];
    (void)state;
    lines(1, 22);
    lines(23, 2000); // the page takes none of these, 200 wait
    assert_status("MORE...");
    fake.more1 = fake.more2 = 0;
    memory_display_press(&md, AID_CLEAR);
    work();
    bool told = false;
    for (size_t i = 0; i < fullscreen_history(fs); i++) {
        fullscreen_history_line(fs, i, text, sizeof text);
        told |= strstr(text, "LINES WERE LOST") != NULL;
    }
    assert_true(told);
    lines(1, 1);
    assert_status("RUNNING");
}

static void test_control_characters_stay_text(void **state)
{
    (void)state;
    line(LINE_VM, "a\tb\x1d\x11\x1b[2J\xc2\x9b!");
    line(LINE_VM, "\xff\xfe wide \xe4\xb8\xad\xf0\x9f\x98\x80");
    work();
    assert_row(0, "a b   [2J !");
    assert_row(1, "?? wide ??");
    assert_status("RUNNING");
}

static void test_resize_keeps_page_and_input(void **state)
{
    (void)state;
    lines(1, 30);
    assert_status("MORE...");
    memory_display_type(&md, "typed");
    memory_display_resize(&md, 43, 100);
    assert_int_equal(md.ps.rows, 43);
    assert_row(0, "line 1");
    assert_row(29, "line 30"); // the larger page has room for what waited
    assert_row(41, "typed");
    assert_int_equal(fullscreen_status(fs)[0], 'R');
    memory_display_press(&md, AID_CLEAR);
    lines(31, 60);
    memory_display_resize(&md, 24, 80);
    assert_row(21, "line 60"); // the older rows went
    char text[256];
    fullscreen_history_line(fs, fullscreen_history(fs) - 60, text, sizeof text);
    assert_string_equal(text, "line 1");
}

static void test_only_changes_are_sent(void **state)
{
    (void)state;
    work();
    unsigned before = md.changes;
    work();
    term->ops->status(term, TERMINAL_RUNNING);
    work();
    assert_int_equal(md.changes, before);
    lines(1, 1);
    assert_int_equal(md.changes, before + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define L(name) cmocka_unit_test_setup_teardown(name, setup_logo, teardown)
        L(test_logo),
        L(test_logo_logon),
        L(test_password_prompt),
        L(test_logo_command),
        T(test_line_mode),
        T(test_output_keeps_what_is_being_typed),
        T(test_input_area_holds_139),
        T(test_wrap),
        T(test_more_clear),
        T(test_empty_line_is_not_lost),
        T(test_full_width_line_waits_for_the_next_page),
        T(test_more_timers),
        T(test_more_0_0_never_stops),
        T(test_holding),
        T(test_pa1_discards_at_more),
        T(test_message_sounds_and_holds),
        T(test_pf_keys),
        T(test_guest_does_not_take_the_line),
        T(test_retrieve),
        T(test_session_end),
        T(test_backlog_has_a_limit),
        T(test_control_characters_stay_text),
        T(test_resize_keeps_page_and_input),
        T(test_only_changes_are_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
