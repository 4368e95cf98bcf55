// SPDX-License-Identifier: MIT
// Responses, line by line, as the real system words and spaces them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *maint;

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    cmd_logon(&sys, "OPERATOR", 0);
    maint = cmd_logon(&sys, "MAINT", 1);
    cmd_logon(&sys, "USER1", 2);
    cmd_logon(&sys, "USER2", -1);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

static void expect(const char *line, const char *answer)
{
    assert_int_equal(cmd(&sys, maint, line), 0);
    assert_string_equal(text_get(&sys.out), answer);
}

static void who(void **state)
{
    (void)state;
    expect("QUERY NAMES", "OPERATOR - 0020, MAINT    - 0021, USER1    - 0022, USER2    - DSC ");
    expect("QUERY USERS", "    4 USERS,      0 DIALED,      0 NET");
    expect("QUERY USER USER2", "USER2    - DSC ");
    expect("QUERY OPERATOR", "OPERATOR - 0020");
    expect("QUERY USERID", "MAINT    AT ZVMTEST");
}

static void more_than_four_names_take_lines_of_four(void **state)
{
    (void)state;
    snprintf(maint->terminal->name, sizeof maint->terminal->name, "L0003");
    expect("QUERY N", "OPERATOR - 0020, MAINT    -L0003, USER1    - 0022, USER2    - DSC ");
}

static void when(void **state)
{
    (void)state;
    clock_set(&sys.world.clock, clock_now(&sys.world.clock) + 751 * TOD_SECOND);
    maint->vcpu[0]->guest_time = 1200 * TOD_MILLISECOND;
    maint->vcpu[0]->cp_time = 230 * TOD_MILLISECOND;
    expect("QUERY TIME", "TIME IS 10:42:31 EDT MONDAY 2026-01-05\n"
                         "CONNECT= 00:12:31 VIRTCPU= 000:01.20 TOTCPU= 000:01.43");
    expect("QUERY TIMEZONE", "Zone  Direction   Offset   Status\n"
                             "UTC     ----     00.00.00  Inactive\n"
                             "EDT     West     04.00.00  Active");
    assert_int_equal(cmd(&sys, maint, "QUERY CPLEVEL"), 0);
    assert_ptr_equal(
        strstr(text_get(&sys.out), "z/VM Version 7 Release 3.0, service level 2401 (64-bit)\n"),
        text_get(&sys.out));
    assert_non_null(strstr(text_get(&sys.out), "\nIPL at 2026-01-05 10:30:00 EDT"));
}

static void log_message(void **state)
{
    (void)state;
    expect("QUERY LOGMSG", "There is no logmsg data");
    expect("SET LOGMSG Service on Sunday", "");
    expect("SET LOGMSG 2 * All day", "");
    expect("QUERY LOGMSG", "* Service on Sunday\n* All day");
    expect("SET LOGMSG 1", "");
    expect("QUERY LOGMSG", "* All day");
    expect("SET LOGMSG NULL", "");
    expect("QUERY LOGMSG", "There is no logmsg data");
}

static void switches(void **state)
{
    (void)state;
    expect("SET MSG OFF", "");
    expect("SET EMSG TEXT", "");
    expect("SET RUN ON", "");
    assert_int_equal(cmd(&sys, maint, "QUERY SET"), 0);
    assert_ptr_equal(
        strstr(text_get(&sys.out), "MSG OFF   , WNG ON    , EMSG TEXT, ACNT ON , RUN ON \n"),
        text_get(&sys.out));
    assert_non_null(
        strstr(text_get(&sys.out), "IMSG ON   , SMSG OFF   , AFFINITY NONE   , NOTRAN OFF"));
    assert_non_null(strstr(text_get(&sys.out), "MACHINE ESA, SVC76 CP, NOPDATA OFF, IOASSIST OFF"));
}

static void terminal_settings(void **state)
{
    (void)state;
    expect("TERMINAL MORE 5 7 HOLD OFF TIMESTAMP ON BRKKEY NONE", "");
    expect("QUERY TERMINAL", "LINEND # , LINEDEL ¢ , CHARDEL @ , ESCAPE \" , TABCHAR OFF\n"
                             "LINESIZE 080, ATTN ON, APL OFF, TEXT OFF, MODE VM, HILIGHT OFF\n"
                             "CONMODE 3215, BREAKIN IMMED , BRKKEY NONE, SCRNSAVE OFF\n"
                             "AUTOCR OFF, MORE 005 007, HOLD OFF, TIMESTAMP ON, SYS3270 OFF");
    expect("TERMINAL LINEND ! CHARDEL OFF BREAKIN GUESTCTL MODE CP", "");
    assert_string_equal(maint->console->terminal.line_end, "!");
    assert_string_equal(maint->console->terminal.character_delete, "");
    expect("TERMINAL CHARDEL ON", "");
    assert_string_equal(maint->console->terminal.character_delete, "@");
}

static void program_function_keys(void **state)
{
    (void)state;
    expect("SET PF3 text", "");
    expect("SET PF08 IMMED b", "");
    expect("SET PF5 NODISP ..", "");
    expect("SET PF11 RETRIEVE FORWARD", "");
    expect("SET PF12 RETR", "");
    expect("QUERY PF3", "PF03 DELAYED  text");
    expect("QUERY PF8", "PF08 IMMED    b");
    expect("QUERY PF05", "PF05 NODISP   ..");
    expect("QUERY PF11", "PF11 RETRIEVE FORWARD");
    expect("QUERY PF12", "PF12 RETRIEVE BACKWARD");
    expect("SET PF3", "");
    expect("QUERY PF3", "PF03 UNDEFINED");
    expect("QUERY RETRIEVE", "20 buffers available. Maximum of 255 buffers may be selected.");
}

static void share(void **state)
{
    (void)state;
    expect("QUERY SHARE USER1", "USER USER1   : RELATIVE SHARE =   100\n"
                                "               MAXIMUM SHARE = NOLIMIT");
    expect("SET SHARE USER1 RELATIVE 200 ABSOLUTE 10% LIMITHARD",
           "USER USER1   : RELATIVE SHARE =   200\n"
           "               MAXIMUM SHARE = LIMITHARD ABSOLUTE 10%");
    expect("SET SHARE USER1 ABS 2.5", "USER USER1   : ABSOLUTE SHARE = 2.5%\n"
                                      "               MAXIMUM SHARE = LIMITHARD ABSOLUTE 10%");
    expect("SET SHARE USER1 REL 300 REL 400 LIMITS",
           "USER USER1   : RELATIVE SHARE =   300\n"
           "               MAXIMUM SHARE = LIMITSOFT RELATIVE 400");
    expect("SET SHARE USER1 INITIAL NOLIMIT", "USER USER1   : RELATIVE SHARE =   100\n"
                                              "               MAXIMUM SHARE = NOLIMIT");
}

static void privilege_classes(void **state)
{
    (void)state;
    expect("SET PRIVCLASS USER1 +BE", "Privilege classes for user USER1\n"
                                      "         Currently: BEG\n"
                                      "         Directory: G");
    expect("SET PRIVCLASS USER1 =G", "Privilege classes for user USER1\n"
                                     "         Currently: G\n"
                                     "         Directory: G");
    // One's own: only what the directory has.
    struct vm *user1 = cp_user(sys.cp, "USER1");
    assert_int_equal(cmd(&sys, user1, "SET PRIVCLASS * +A"), 2);
    assert_int_equal(user1->classes, CLASS('G'));
}

static void secondary_users(void **state)
{
    (void)state;
    expect("QUERY SECUSER USER1", "SECUSER OF USER1 IS MAINT");
    expect("QUERY OBSERVER", "OBSERVER IS UNDEFINED");
    expect("SET OBSERVER USER1 USER2", "OBSERVER of USER1 initiated.");
    expect("QUERY OBSERVER USER1", "OBSERVER USER2 IS DISCONNECTED");
    expect("SET OBSERVER USER1 OFF", "OBSERVER of USER1 terminated.");
    expect("QUERY BYUSER", "There is currently no BYUSER for MAINT");
}

static void host(void **state)
{
    (void)state;
    expect("QUERY PROCESSORS", "PROCESSOR 00 MASTER CP\nPROCESSOR 01 ALTERNATE CP");
    expect("QUERY STORAGE", "STORAGE = 1G CONFIGURED = 1G INC = 1M STANDBY = 0  RESERVED = 0");
    expect("SET SIGNAL SHUTDOWNTIME 300", "Command complete");
    expect("QUERY SIGNAL SHUTDOWNTIME", "System default shutdown signal timeout: 300 seconds");
    expect("SET SRM DSPSLICE 10", "DISPATCHING MINOR TIMESLICE = 10 MS");
    assert_int_equal(sys.cp->time_slice, 10 * TOD_MILLISECOND);
}

static void real_devices(void **state)
{
    (void)state;
    expect("QUERY 0200", "DASD 0200 CP OWNED  TSTRES    0");
    expect("QUERY DASD ALL", "An active DASD was not found.\n"
                             "DASD 0200 CP OWNED  TSTRES    0\n"
                             "DASD 0201 CP SYSTEM TSTVOL    3\n"
                             "DASD 0202 TSTFRE\n"
                             "An offline DASD was not found.");
    expect("ATTACH 0202 TO USER1 0300", "DASD 0202 ATTACHED TO USER1 0300 WITH DEVCTL");
    expect("QUERY 202", "DASD 0202 ATTACHED TO USER1    0300 R/W TSTFRE");
    expect("DETACH 0202 FROM USER1", "DASD 0202 DETACHED BY MAINT");
    assert_non_null(strstr(text_get(&sys.term[2].lines), "DASD 0202 DETACHED BY MAINT\n"));
    expect("ATTACH 0202 SYSTEM TSTFRE", "DASD 0202 ATTACHED TO SYSTEM TSTFRE");
    expect("DETACH 0202 SYSTEM", "DASD 0202 DETACHED SYSTEM");
    expect("VARY OFF 0202", "0202 varied offline\n"
                            "1 device(s) specified; 1 device(s) successfully varied offline");
    expect("QUERY 202", "DASD 0202 OFFLINE");
}

static void indicate_load(void **state)
{
    (void)state;
    expect("INDICATE LOAD", "AVGPROC-000% 02\n"
                            "MDC READS-000000/SEC WRITES-000000/SEC HIT RATIO-000%\n"
                            "PAGING-0/SEC\n"
                            "Q0-00000(00000)                           DORMANT-00004\n"
                            "Q1-00000(00000)           E1-00000(00000)\n"
                            "Q2-00000(00000) EXPAN-001 E2-00000(00000)\n"
                            "Q3-00000(00000) EXPAN-001 E3-00000(00000)\n"
                            "\n"
                            "PROC 0000-000% CP   HZ     PROC 0001-000% CP   HZ\n"
                            "\n"
                            "LIMITED-00000");
    expect("INDICATE ACTIVE", "    4 USERS,     0 DISP,     4 NONDISP");
    expect("INDICATE I/O", "No users in I/O wait");
    expect("INDICATE PAGING WAIT", "No users in page wait");
}

static void indicate_user(void **state)
{
    (void)state;
    expect("INDICATE USER USER2", "USERID=USER2    MACH=Z   STOR=16M VIRT=V XSTORE=---\n"
                                  "IPLSYS=NONE     DEVNUM=00001\n"
                                  "PAGES: RES=4096  WS=4096  LOCKEDREAL=0  RESVD=0\n"
                                  "       INSTAN=4096\n"
                                  "NPREF=0  PREF=0  READS=0  WRITES=0\n"
                                  "CPU 00: CTIME=00:00 VTIME=000:00 TTIME=000:00 IO=000000\n"
                                  "        RDR=000000 PRT=000000 PCH=000000 TYPE=CP   CPUAFFIN=ON");
}

static void commands_that_may_be_used(void **state)
{
    (void)state;
    expect("COMMANDS MSG", "MESSAGE IBMCLASS=Any");
    expect("QUERY COMMANDS FORCE", "FORCE IBMCLASS=A");
    assert_int_equal(cmd(&sys, maint, "COMMANDS SET"), 0);
    assert_non_null(strstr(text_get(&sys.out), "\nAUTHORIZED SET OPERANDS:\n"));
    struct vm *user1 = cp_user(sys.cp, "USER1");
    assert_int_equal(cmd(&sys, user1, "COMMANDS"), 0);
    assert_null(strstr(text_get(&sys.out), "FORCE"));
    assert_non_null(strstr(text_get(&sys.out), "DIAG08"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(who),
        TEST(more_than_four_names_take_lines_of_four),
        TEST(when),
        TEST(log_message),
        TEST(switches),
        TEST(terminal_settings),
        TEST(program_function_keys),
        TEST(share),
        TEST(privilege_classes),
        TEST(secondary_users),
        TEST(host),
        TEST(real_devices),
        TEST(indicate_load),
        TEST(indicate_user),
        TEST(commands_that_may_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
