// SPDX-License-Identifier: MIT
// Commands between users: messages, SEND, FOR, AUTOLOG, FORCE, DISCONNECT, SHUTDOWN.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *operator, * maint, *user1;

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    operator= cmd_logon(&sys, "OPERATOR", 0);
    maint = cmd_logon(&sys, "MAINT", 1);
    user1 = cmd_logon(&sys, "USER1", 2);
    for (unsigned i = 0; i < 4; i++)
        text_clear(&sys.term[i].lines);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

static void expect(struct vm *vm, const char *line, int rc, const char *answer)
{
    assert_int_equal(cmd(&sys, vm, line), rc);
    assert_string_equal(text_get(&sys.out), answer);
}

// What terminal `t` showed since last asked.
static void shown(unsigned t, const char *lines)
{
    assert_string_equal(text_get(&sys.term[t].lines), lines);
    text_clear(&sys.term[t].lines);
}

static void messages_keep_their_case_and_name_the_sender(void **state)
{
    (void)state;
    expect(maint, "msg user1 Hello,  there", 0, "");
    shown(2, " 10:30:00  * MSG FROM MAINT   : Hello,  there\n");
    expect(user1, "m * to myself", 0, "");
    shown(2, " 10:30:00  * MSG FROM USER1   : to myself\n");
    expect(maint, "warning user1 danger", 0, "");
    shown(2, " 10:30:00  * WNG FROM MAINT   : danger\n");
    expect(maint, "msgnoh user1 raw text", 0, "");
    shown(2, "raw text\n");
    expect(user1, "msg op help me", 0, "");
    assert_non_null(
        strstr(text_get(&sys.term[0].lines), "10:30:00  * MSG FROM USER1   : help me\n"));
}

static void messages_to_all_need_a_class(void **state)
{
    (void)state;
    expect(operator, "msg all Going down", 0, "");
    shown(1, " 10:30:00  * MSG FROM OPERATOR: Going down\n");
    shown(2, " 10:30:00  * MSG FROM OPERATOR: Going down\n");
    expect(user1, "msg all no", 45, "HCPUSO045E ALL not logged on");
}

static void messages_that_do_not_arrive(void **state)
{
    (void)state;
    cmd_logon(&sys, "USER2", -1);
    expect(maint, "msg user2 hello", 57, "HCPMFS057I USER2 not receiving; disconnected");
    cmd(&sys, user1, "set msg off");
    expect(maint, "msg user1 hello", 57, "HCPMSG057I USER1 not receiving; MSG off");
    expect(maint, "warning user1 hello", 0, "");
    cmd(&sys, user1, "set wng off");
    expect(maint, "warning user1 hello", 57, "HCPMSG057I USER1 not receiving; WNG off");
}

static void a_secondary_user_gets_the_messages(void **state)
{
    (void)state;
    expect(user1, "disconnect", 0, "");
    text_clear(&sys.term[1].lines);
    expect(operator, "msg user1 are you there", 0, "");
    assert_non_null(strstr(text_get(&sys.term[1].lines), "MSG FROM OPERATOR: are you there"));
}

static void send_types_for_another(void **state)
{
    (void)state;
    expect(maint, "send user1 query userid", 0, ""); // in CP READ: a command
    shown(2, "USER1    AT ZVMTEST\n");
    expect(maint, "send cp user1 set emsg code", 0, "");
    assert_int_equal(user1->set.emsg, EMSG_CODE);
    vm_begin(user1);
    expect(maint, "send user1 one line", 0, "");
    cmd(&sys, user1, "detach 9");
    expect(maint, "send user1 one line", 57, "HCPMFS057I USER1 not receiving; not accepted");
    // Class G: only to those whose secondary user one is.
    expect(user1, "send maint query userid", 7, "HCPUSR007E");
}

static void for_runs_with_the_others_authority(void **state)
{
    (void)state;
    expect(maint, "for user1 cmd query userid", 0, "USER1    AT ZVMTEST");
    expect(maint, "for user1 cmd query processors", 3, "HCPCQV003E Invalid option - PROCESSORS");
    expect(user1, "for maint cmd query userid", 1, "HCPCMD001E Unknown CP command: FOR");
}

static void xautolog(void **state)
{
    (void)state;
    expect(maint, "xautolog user2 noipl", 0, "Command accepted");
    assert_non_null(cp_user(sys.cp, "USER2"));
    assert_string_equal(cp_user(sys.cp, "USER2")->by, "MAINT");
    assert_non_null(strstr(text_get(&sys.term[0].lines),
                           "AUTO LOGON  ***       USER2    USERS = 4     BY MAINT\n"));
    expect(maint, "xautolog user2", 54, "HCPLGA054E Already logged on DISC");
}

static void xautolog_by_a_general_user_needs_leave(void **state)
{
    (void)state;
    cmd_logon(&sys, "USER2", -1);
    vm_logoff(user1, NULL);
    struct vm *user2 = cp_user(sys.cp, "USER2");
    expect(user2, "xautolog user1 noipl", 0, "Command accepted"); // USER1's entry names USER2
    user1 = cp_user(sys.cp, "USER1");
    vm_logoff(user2, NULL);
    expect(user1, "xautolog user2 noipl", 59,
           "HCPAUT059E AUTOLOG failed for USER2 - not authorized");
    expect(user1, "xautolog user2 noipl password U2PASS", 0, "Command accepted");
}

static void autolog_with_password(void **state)
{
    (void)state;
    expect(maint, "autolog user2 U2PASS", 0, "Command accepted");
    assert_non_null(cp_user(sys.cp, "USER2"));
}

static void force_logs_off_or_disconnects(void **state)
{
    (void)state;
    expect(operator, "force user1 disconnect", 0, "");
    assert_null(user1->terminal);
    assert_true(sys.term[2].ended);
    expect(operator, "force user1", 0, "");
    assert_null(cp_user(sys.cp, "USER1"));
    assert_non_null(strstr(text_get(&sys.term[0].lines),
                           "USER DSC   LOGOFF AS  USER1    USERS = 2     FORCED BY OPERATOR\n"));
    text_clear(&sys.term[1].lines);
    expect(operator, "force maint logoff immediate", 0, "");
    assert_non_null(strstr(text_get(&sys.term[1].lines),
                           "LOGOFF AT 10:30:00 EDT MONDAY 01/05/26 BY "
                           "OPERATOR\n"));
    // A guest that does not listen for signals has nothing to wait for.
    expect(operator, "signal shutdown operator", 2113,
           "HCPSIG2113E User OPERATOR is not enabled for shutdown signals");
}

static void logoff_ends_the_line_it_stands_on(void **state)
{
    (void)state;
    expect(user1, "query userid\nlogoff\nquery userid", 0, "USER1    AT ZVMTEST");
    assert_null(cp_user(sys.cp, "USER1"));
    assert_true(sys.term[2].ended);
}

static void a_user_being_logged_off_is_told_apart(void **state)
{
    (void)state;
    user1->logging_off = true;
    expect(maint, "query user user1", 361, "HCPCQU361E LOGOFF/FORCE pending for user USER1");
    expect(operator, "force user1", 361, "HCPUSO361E LOGOFF/FORCE pending for user USER1");
    expect(operator, "xautolog user1", 361, "HCPLGA361E LOGOFF/FORCE pending for user USER1");
    user1->logging_off = false;
}

static void shutdown_can_be_planned_and_cancelled(void **state)
{
    tod_t now = clock_now(&sys.world.clock);
    (void)state;
    expect(operator, "shutdown within 10", 0, "SYSTEM SHUTDOWN STARTED");
    cp_run(sys.cp, now + 5 * TOD_SECOND);
    assert_false(sys.cp->down);
    expect(operator, "shutdown cancel", 0, "Command complete");
    cp_run(sys.cp, now + 20 * TOD_SECOND);
    assert_false(sys.cp->down);
    expect(operator, "shutdown within 10", 0, "SYSTEM SHUTDOWN STARTED");
    cp_run(sys.cp, now + 40 * TOD_SECOND);
    assert_true(sys.cp->down);
    assert_ptr_equal(sys.cp->users, operator); // who sees the end of it
    assert_int_equal(sys.cp->users_count, 1);
    assert_non_null(strstr(text_get(&sys.term[0].lines),
                           "HCPWRP961W SYSTEM SHUTDOWN COMPLETE FOR ZVMTEST ON 2026-01-05\n"));
}

static void shutdown_at_once(void **state)
{
    (void)state;
    expect(operator, "shutdown within 60", 0, "SYSTEM SHUTDOWN STARTED");
    expect(operator, "shutdown system zvmtest", 0, "SYSTEM SHUTDOWN STARTED");
    assert_true(sys.cp->down);
    assert_int_equal(sys.cp->users_count, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_keep_their_case_and_name_the_sender),
        TEST(messages_to_all_need_a_class),
        TEST(messages_that_do_not_arrive),
        TEST(a_secondary_user_gets_the_messages),
        TEST(send_types_for_another),
        TEST(for_runs_with_the_others_authority),
        TEST(xautolog),
        TEST(xautolog_by_a_general_user_needs_leave),
        TEST(autolog_with_password),
        TEST(force_logs_off_or_disconnects),
        TEST(logoff_ends_the_line_it_stands_on),
        TEST(a_user_being_logged_off_is_told_apart),
        TEST(shutdown_can_be_planned_and_cancelled),
        TEST(shutdown_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
