// SPDX-License-Identifier: MIT
// LOGON, DISCONNECT, reconnection, LOGOFF: what terminals and the operator see.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\nProcessors 2 IFL\nStorage 1G\n"
                             "RDevice 0200 Type DASD Volume TEST01 Cylinders 50\n";
static const char directory[] = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
                                " CONSOLE 0009 3215 T\n"
                                "USER MAINT SECRET 32M 64M BG\n"
                                " CONSOLE 0009 3215 T\n"
                                " SPOOL 000C 2540 READER *\n"
                                " SPOOL 000D 2540 PUNCH A\n"
                                " SPOOL 000E 1403 A\n"
                                " MDISK 0191 3390 1 10 TEST01 MR ALL\n"
                                "USER OTHER NOPASS 32M\n"
                                " LINK MAINT 191 291 RR\n"
                                "USER ROBOT AUTOONLY 32M\n"
                                "USER SHADOW NOLOG\n"
                                "USER TARGET LBYONLY 32M\n"
                                " LOGONBY MAINT\n";

struct fixture {
    struct rig rig;
    struct rig_terminal operator, a, b;
};

static int setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    struct text text = {0};
    struct response out = response_to_text(&text);

    rig_new(&f->rig, CLOCK_VIRTUAL, config, directory);
    rig_terminal_init(&f->operator, "0009");
    rig_terminal_init(&f->a, "L0003");
    rig_terminal_init(&f->b, "L0004");
    assert_int_equal(terminal_logon_trusted(f->rig.cp, &f->operator.term, "OPERATOR", NULL, &out),
                     0);
    text_free(&text);
    text_clear(&f->operator.text);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    text_free(&f->operator.text);
    text_free(&f->a.text);
    text_free(&f->b.text);
    free(f);
    return 0;
}

static void type(struct fixture *f, struct rig_terminal *t, const char *line)
{
    terminal_input(f->rig.cp, &t->term, line);
}

static void assert_has(const struct rig_terminal *t, const char *what)
{
    if (!strstr(text_get(&t->text), what))
        print_error("not found: %s\nin: %s\n", what, text_get(&t->text));
    assert_non_null(strstr(text_get(&t->text), what));
}

static void logon_shows_banner_and_files(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "logon maint");
    assert_true(f->a.concealed);
    assert_has(&f->a, "ENTER PASSWORD  (IT WILL NOT APPEAR WHEN TYPED):\n");
    text_clear(&f->a.text);
    type(f, &f->a, "secret");
    assert_false(f->a.concealed);
    assert_string_equal(text_get(&f->a.text),
                        "z/VM Version 7 Release 3.0, Service Level 2401 (64-bit),\n"
                        "built on IBM Virtualization Technology\n"
                        "There is no logmsg data\n"
                        "FILES:   NO RDR,   NO PRT,   NO PUN\n"
                        "LOGON AT 00:00:00 UTC THURSDAY 01/01/26\n");
    assert_int_equal(f->a.status, TERMINAL_CP_READ);
    assert_string_equal(text_get(&f->operator.text),
                        "00:00:00 LDEV L0003 LOGON  AS  MAINT    USERS = 2\n");
}

static void wrong_password_is_refused(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON MAINT");
    type(f, &f->a, "guess");
    assert_has(&f->a, "HCPLGA050E LOGON unsuccessful--incorrect userid and/or password\n");
    assert_null(cp_user(f->rig.cp, "MAINT"));
    text_clear(&f->a.text);
    type(f, &f->a, "LOGON NOBODY");
    assert_has(&f->a, "HCPLGA050E");
    text_clear(&f->a.text);
    type(f, &f->a, "LOGON ROBOT");
    assert_has(&f->a, "HCPLGA050E");
    text_clear(&f->a.text);
    type(f, &f->a, "LOGON SHADOW");
    assert_has(&f->a, "HCPLGA050E");
    text_clear(&f->a.text);
    type(f, &f->a, "BEGIN");
    assert_has(&f->a, "HCPCFC015E Command not valid before LOGON: BEGIN\n");
}

static void logon_by_takes_the_other_password(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON TARGET");
    assert_has(&f->a, "HCPLGA050E");
    type(f, &f->a, "LOGON TARGET BY OTHER");
    assert_null(cp_user(f->rig.cp, "TARGET"));
    type(f, &f->a, "LOGON TARGET BY MAINT");
    type(f, &f->a, "SECRET");
    assert_non_null(cp_user(f->rig.cp, "TARGET"));
    assert_string_equal(cp_user(f->rig.cp, "TARGET")->by, "MAINT");
}

static void disconnect_and_reconnect(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON MAINT SECRET");
    text_clear(&f->a.text);
    text_clear(&f->operator.text);
    type(f, &f->a, "DISCONN");
    assert_string_equal(text_get(&f->a.text), "DISCONNECT AT 00:00:00 UTC THURSDAY 01/01/26\n"
                                              "Press enter or clear key to continue\n");
    assert_true(f->a.ended);
    assert_non_null(cp_user(f->rig.cp, "MAINT"));
    rig_run(&f->rig, 61);
    type(f, &f->b, "LOGON MAINT SECRET");
    assert_has(&f->b, "RECONNECTED AT 00:01:01 UTC THURSDAY 01/01/26\n");
    assert_has(&f->operator, "LDEV L0003 DISCONNECT MAINT    USERS = 2\n");
    assert_has(&f->operator, "LDEV L0004 RECONNECT MAINT    USERS = 2\n");
}

static void logon_elsewhere_needs_here(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON MAINT SECRET");
    type(f, &f->b, "LOGON MAINT SECRET");
    assert_has(&f->b, "HCPLGA054E Already logged on");
    type(f, &f->b, "LOGON MAINT SECRET HERE");
    assert_has(&f->b, "RECONNECTED AT");
    assert_true(f->a.ended);
}

static void logoff_ends_the_session(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON MAINT SECRET");
    text_clear(&f->a.text);
    text_clear(&f->operator.text);
    type(f, &f->a, "LOGOFF");
    assert_string_equal(text_get(&f->a.text),
                        "CONNECT= 00:00:00 VIRTCPU= 000:00.00 TOTCPU= 000:00.00\n"
                        "LOGOFF AT 00:00:00 UTC THURSDAY 01/01/26\n\n"
                        "Press enter or clear key to continue\n");
    assert_true(f->a.ended);
    assert_null(cp_user(f->rig.cp, "MAINT"));
    assert_has(&f->operator, "LDEV L0003 LOGOFF AS  MAINT    USERS = 1\n");
}

static void a_link_shows_who_else_has_the_disk(void **state)
{
    struct fixture *f = *state;
    type(f, &f->a, "LOGON MAINT SECRET");
    type(f, &f->b, "LOGON OTHER");
    assert_has(&f->b, "DASD 0291 LINKED R/O; R/W BY MAINT\n");
}

static void autolog_only_by_others(void **state)
{
    struct fixture *f = *state;
    struct text text = {0};
    assert_int_equal(rig_command(&f->rig, "OPERATOR", "XAUTOLOG ROBOT", &text), 0);
    assert_has(&f->operator, "AUTO LOGON  ***       ROBOT    USERS = 2     BY OPERATOR\n");
    assert_int_equal(rig_command(&f->rig, "OPERATOR", "FORCE ROBOT", &text), 0);
    assert_has(&f->operator, "USER DSC   LOGOFF AS  ROBOT    USERS = 1     FORCED BY OPERATOR\n");
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(logon_shows_banner_and_files, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_password_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(logon_by_takes_the_other_password, setup, teardown),
        cmocka_unit_test_setup_teardown(disconnect_and_reconnect, setup, teardown),
        cmocka_unit_test_setup_teardown(logon_elsewhere_needs_here, setup, teardown),
        cmocka_unit_test_setup_teardown(logoff_ends_the_session, setup, teardown),
        cmocka_unit_test_setup_teardown(a_link_shows_who_else_has_the_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(autolog_only_by_others, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
