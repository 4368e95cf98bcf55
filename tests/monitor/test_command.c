// SPDX-License-Identifier: MIT
// MONITOR and QUERY MONITOR.
#include "system.h"

static const struct {
    const char *line;
    int rc;
} commands[] = {
    // Forms that are accepted, all of the published ones among them.
    {"MONITOR SAMPLE ENABLE ALL", 0},
    {"MON SAMP EN PROC", 0},
    {"MONITOR SAMPLE PROCESSOR", 0},
    {"MONITOR SAMPLE ENABLE USER", 0},
    {"MONITOR SAMPLE ENABLE USER ALL", 0},
    {"MONITOR SAMPLE ENABLE USER USERID OPERATOR WRITER", 0},
    {"MONITOR SAMPLE DISABLE SUBINTERVAL USER", 0},
    {"MONITOR SAMPLE ENABLE SUBINTERVAL ALL", 0},
    {"MONITOR SAMPLE INTERVAL 1 MINUTE", 0},
    {"MONITOR SAMPLE INTERVAL 60 SECONDS", 0},
    {"MONITOR SAMPLE INT 5 MIN", 0},
    {"MONITOR SAMPLE SUBINTERVAL 15 SECOND", 0},
    {"MONITOR SAMPLE SUBINT 6 SEC", 0},
    {"MONITOR SAMPLE RATE .03 SECONDS", 0},
    {"MONITOR SAMPLE RATE 2.00 SECONDS", 0},
    {"MONITOR SAMPLE RATE 2 SEC", 0},
    {"MONITOR SAMPLE RATE STOP", 0},
    {"MONITOR SAMPLE CONFIG SIZE 241", 0},
    {"MONITOR SAMPLE CONFIG LIMIT 2 MINUTES", 0},
    {"MONITOR EVENT CONFIG LIMIT 90 SECONDS", 0},
    {"MONITOR SAMPLE ENABLE I/O DEVICE 0200-02FF 0300 VOLUME VOL200", 0},
    {"MONITOR SAMPLE ENABLE I/O CLASS DASD TYPE 3390", 0},
    {"MONITOR SAMPLE DISABLE I/O VOLUME CPVOL", 0},
    {"MONITOR SAMPLE DISABLE PROCESSOR CPUMFC", 0},
    {"MONITOR SAMPLE DISABLE ALL", 0},
    {"MONITOR EVENT ENABLE SEEKS ALL", 0},
    {"MONITOR EVENT ENABLE SCHEDULER USERID OPERATOR", 0},
    {"MONITOR EVENT DISABLE ALL", 0},
    {"MONITOR EVENT START BLOCK 8 PARTITION 324", 0},
    {"MONITOR EVENT STOP", 0},
    {"MONITOR STOP", 0},
    // What is refused.
    {"MONITOR", 26},
    {"MONITOR X", 2},
    {"MO SAMPLE START", 1},
    {"MONITOR SAMPLE", 26},
    {"MONITOR SAMPLE X", 2},
    {"MONITOR SAMPLE ENABLE", 26},
    {"MONITOR SAMPLE ENABLE X", 2},
    {"MONITOR SAMPLE ENABLE MONITOR", 2},
    {"MONITOR SAMPLE ENABLE SYSTEM", 2},
    {"MONITOR SAMPLE ENABLE SEEKS ALL", 2},
    {"MONITOR SAMPLE ENABLE ALL X", 3},
    {"MONITOR SAMPLE ENABLE STORAGE X", 3},
    {"MONITOR SAMPLE ENABLE PROCESSOR CPUMFC", 3},
    {"MONITOR SAMPLE ENABLE USER X", 2},
    {"MONITOR SAMPLE ENABLE USER USERID", 26},
    {"MONITOR SAMPLE ENABLE USER USERID TOOLONGNAME", 7},
    {"MONITOR SAMPLE ENABLE USER ALL X", 3},
    {"MONITOR SAMPLE ENABLE I/O DEVICE", 26},
    {"MONITOR SAMPLE ENABLE I/O DEVICE XYZ", 2},
    {"MONITOR SAMPLE ENABLE I/O DEVICE 0300-0200", 2},
    {"MONITOR SAMPLE ENABLE I/O DEVICE 10000", 2},
    {"MONITOR SAMPLE ENABLE I/O VOLUME TOOLONGNAME", 2},
    {"MONITOR SAMPLE ENABLE I/O USERID OPERATOR", 2},
    {"MONITOR SAMPLE ENABLE SUBINTERVAL", 26},
    {"MONITOR SAMPLE ENABLE SUBINTERVAL USER ALL", 3},
    {"MONITOR SAMPLE ENABLE SUBINTERVAL X", 2},
    {"MONITOR EVENT ENABLE SUBINTERVAL ALL", 2},
    {"MONITOR SAMPLE INTERVAL", 26},
    {"MONITOR SAMPLE INTERVAL 0 MINUTES", 2},
    {"MONITOR SAMPLE INTERVAL X MINUTES", 2},
    {"MONITOR SAMPLE INTERVAL 1", 26},
    {"MONITOR SAMPLE INTERVAL 1 HOUR", 2},
    {"MONITOR SAMPLE INTERVAL 1 MINUTES X", 3},
    {"MONITOR SAMPLE INTERVAL 5 SECONDS", 2},
    {"MONITOR SAMPLE INTERVAL 61 MINUTES", 2},
    {"MONITOR SAMPLE INTERVAL 99999999999999999999 MINUTES", 2},
    {"MONITOR SAMPLE SUBINTERVAL", 26},
    {"MONITOR SAMPLE SUBINTERVAL 6", 26},
    {"MONITOR SAMPLE SUBINTERVAL 1 MINUTE", 2},
    {"MONITOR SAMPLE SUBINTERVAL -1 SECONDS", 2},
    {"MONITOR SAMPLE SUBINTERVAL 0 SECONDS", 2},
    {"MONITOR SAMPLE RATE", 26},
    {"MONITOR SAMPLE RATE 2", 26},
    {"MONITOR SAMPLE RATE 0 SECONDS", 2},
    {"MONITOR SAMPLE RATE .001 SECONDS", 2},
    {"MONITOR SAMPLE RATE 61 SECONDS", 2},
    {"MONITOR SAMPLE RATE . SECONDS", 2},
    {"MONITOR SAMPLE RATE 1.2.3 SECONDS", 2},
    {"MONITOR SAMPLE RATE 99999999999999 SECONDS", 2},
    {"MONITOR SAMPLE RATE STOP X", 3},
    {"MONITOR SAMPLE CONFIG", 26},
    {"MONITOR SAMPLE CONFIG X", 2},
    {"MONITOR SAMPLE CONFIG SIZE", 26},
    {"MONITOR SAMPLE CONFIG SIZE 0", 2},
    {"MONITOR SAMPLE CONFIG SIZE 65536", 2},
    {"MONITOR SAMPLE CONFIG LIMIT 1", 26},
    {"MONITOR SAMPLE START X", 3},
    {"MONITOR SAMPLE STOP X", 3},
    {"MONITOR EVENT INTERVAL 1 MINUTES", 2},
    {"MONITOR EVENT START BLOCK", 26},
    {"MONITOR EVENT START BLOCK X", 2},
    {"MONITOR EVENT START X", 3},
    {"QUERY MONITOR X", 3},
    {"QUERY MONITOR SAMPLE EVENT", 3},
};

static void lines_have_their_return_codes(void **state)
{
    (void)state;
    struct system *sys = system_new();
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        int rc = system_command(sys, "OPERATOR", commands[i].line);
        if (rc != commands[i].rc)
            fail_msg("%s: %d instead of %d: %s", commands[i].line, rc, commands[i].rc,
                     text_get(&sys->answer));
        assert_int_equal(sys->id[0] != '\0' && rc != 0, rc != 0);
    }
    system_free(sys);
}

static void a_refused_command_changes_nothing(void **state)
{
    (void)state;
    struct system *sys = system_new();
    struct text before = {0};
    system_command(sys, "OPERATOR", "QUERY MONITOR");
    text_puts(&before, text_get(&sys->answer));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].rc)
            system_command(sys, "OPERATOR", commands[i].line);
    system_command(sys, "OPERATOR", "QUERY MONITOR");
    assert_string_equal(text_get(&sys->answer), text_get(&before));
    text_free(&before);
    system_free(sys);
}

static void only_classes_a_and_e_may(void **state)
{
    (void)state;
    struct system *sys = system_new();
    system_good(sys, "OPERATOR", "XAUTOLOG NOSAVE");
    assert_int_not_equal(system_command(sys, "NOSAVE", "MONITOR SAMPLE START"), 0);
    assert_int_not_equal(system_command(sys, "NOSAVE", "QUERY MONITOR"), 0);
    system_free(sys);
}

static const char initial[] = "MONITOR EVENT INACTIVE  BLOCK    4     PARTITION        0\n"
                              "MONITOR DCSS NAME - NO DCSS NAME DEFINED\n"
                              "CONFIGURATION SIZE       68 LIMIT         1 MINUTES\n"
                              "CONFIGURATION AREA IS FREE\n"
                              "USERS CONNECTED TO *MONITOR - NO USERS CONNECTED\n"
                              "MONITOR   DOMAIN ENABLED\n"
                              "PROCESSOR DOMAIN DISABLED\n"
                              "STORAGE   DOMAIN DISABLED\n"
                              "SCHEDULER DOMAIN DISABLED\n"
                              "SEEKS     DOMAIN DISABLED\n"
                              "USER      DOMAIN DISABLED\n"
                              "I/O       DOMAIN DISABLED\n"
                              "NETWORK   DOMAIN DISABLED\n"
                              "ISFC      DOMAIN DISABLED\n"
                              "APPLDATA  DOMAIN DISABLED\n"
                              "SSI       DOMAIN DISABLED\n"
                              "MONITOR SAMPLE INACTIVE\n"
                              "                  INTERVAL  1 MINUTES\n"
                              "                  RATE  2.00 SECONDS\n"
                              "                  SUBINTERVAL 60 SECONDS\n"
                              "MONITOR DCSS NAME - NO DCSS NAME DEFINED\n"
                              "CONFIGURATION SIZE     4096 LIMIT         1 MINUTES\n"
                              "CONFIGURATION AREA IS FREE\n"
                              "USERS CONNECTED TO *MONITOR - NO USERS CONNECTED\n"
                              "   WITH SUBINTERVAL DATA - NONE\n"
                              "   WITH INTERVAL DATA ONLY - NONE\n"
                              "MONITOR   DOMAIN ENABLED\n"
                              "SYSTEM    DOMAIN ENABLED\n"
                              "PROCESSOR DOMAIN DISABLED\n"
                              "STORAGE   DOMAIN DISABLED\n"
                              "USER      DOMAIN DISABLED\n"
                              "I/O       DOMAIN DISABLED\n"
                              "NETWORK   DOMAIN DISABLED\n"
                              "ISFC      DOMAIN DISABLED\n"
                              "APPLDATA  DOMAIN DISABLED\n"
                              "SSI       DOMAIN DISABLED\n"
                              "DOMAINS LEFT OUT OF SUBINTERVAL - NONE\n";

// Answers with and without a closing newline are equal.
static void assert_answer(const struct system *sys, const char *expected)
{
    struct text got = {0};
    text_puts(&got, text_get(&sys->answer));
    if (got.len && got.s[got.len - 1] != '\n')
        text_puts(&got, "\n");
    assert_string_equal(text_get(&got), expected);
    text_free(&got);
}

static void query_shows_the_initial_state(void **state)
{
    (void)state;
    struct system *sys = system_new();
    system_good(sys, "OPERATOR", "QUERY MONITOR");
    assert_answer(sys, initial);
    system_free(sys);
}

static void query_shows_what_was_set(void **state)
{
    (void)state;
    struct system *sys = system_new();
    static const char *const lines[] = {
        "MONITOR SAMPLE ENABLE USER ALL",     "MONITOR SAMPLE DISABLE USER USERID WRITER",
        "MONITOR SAMPLE ENABLE I/O DEV 200",  "MONITOR SAMPLE ENABLE I/O TYPE 3390",
        "MONITOR SAMPLE INTERVAL 90 SECONDS", "MONITOR SAMPLE SUBINTERVAL 15 SECOND",
        "MONITOR SAMPLE RATE .03 SECONDS",    "MONITOR SAMPLE DISABLE SUBINTERVAL I/O"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        system_good(sys, "OPERATOR", lines[i]);
    system_good(sys, "OPERATOR", "Q MON SAM");
    const char *text = text_get(&sys->answer);
    assert_non_null(strstr(text, "                  INTERVAL 90 SECONDS\n"
                                 "                  RATE  0.03 SECONDS\n"
                                 "                  SUBINTERVAL 15 SECONDS\n"));
    assert_non_null(strstr(text, "USER      DOMAIN ENABLED\n"
                                 "   ALL USERS ENABLED EXCEPT:\n"
                                 "    WRITER\n"
                                 "I/O       DOMAIN ENABLED\n"
                                 "   THE FOLLOWING DEVICES ARE ENABLED:\n"
                                 "    0200 TYPE 3390\n"));
    assert_non_null(strstr(text, "DOMAINS LEFT OUT OF SUBINTERVAL - I/O"));
    assert_null(strstr(text, "MONITOR EVENT"));
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 7 SECONDS"); // does not divide 90
    system_good(sys, "OPERATOR", "QUERY MONITOR SAMPLE");
    assert_non_null(strstr(text_get(&sys->answer), "SUBINTERVAL 90 SECONDS"));
    system_free(sys);
}

static void start_without_users_is_pending(void **state)
{
    (void)state;
    struct system *sys = system_new();
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    assert_non_null(strstr(text_get(&sys->answer),
                           "HCPMNC6224I Sample recording is pending because there are no users "
                           "connected to *MONITOR for this data."));
    assert_int_equal(system_command(sys, "OPERATOR", "MONITOR SAMPLE START"), 6229);
    assert_int_equal(system_command(sys, "OPERATOR", "MONITOR START"), 6229);
    system_good(sys, "OPERATOR", "QUERY MONITOR");
    assert_non_null(strstr(text_get(&sys->answer), "MONITOR EVENT PENDING"));
    assert_non_null(strstr(text_get(&sys->answer), "MONITOR SAMPLE PENDING"));
    system_good(sys, "OPERATOR", "MONITOR STOP");
    system_good(sys, "OPERATOR", "QUERY MONITOR");
    assert_non_null(strstr(text_get(&sys->answer), "MONITOR SAMPLE INACTIVE"));
    system_good(sys, "OPERATOR", "MONITOR STOP");
    assert_non_null(strstr(text_get(&sys->answer), "HCPMNC6225I Sample recording is stopped"));
    system_free(sys);
}

static void refused(struct system *sys, const char *line, int rc, const char *text)
{
    assert_int_equal(system_command(sys, "OPERATOR", line), rc);
    if (!strstr(text_get(&sys->answer), text))
        fail_msg("%s: %s", line, text_get(&sys->answer));
}

// MONDCSS as shipped has 16384 pages, 8192 of them for events; a set takes two pages at least.
static void sizes_that_do_not_fit_are_refused_with_the_limits(void **state)
{
    (void)state;
    struct system *sys = system_new();
    struct text before = {0};
    system_good(sys, "OPERATOR", "QUERY MONITOR");
    text_puts(&before, text_get(&sys->answer));
    refused(sys, "MONITOR SAMPLE CONFIG SIZE 8191", 6237,
            "The sample configuration area of 8191 pages does not fit the monitor segment; it may "
            "have 1 "
            "to 8190 pages");
    refused(sys, "MONITOR EVENT CONFIG SIZE 8191", 6237, "event configuration area of 8191");
    refused(sys, "MONITOR EVENT START PARTITION 69", 6230, "it may have 70 to 12286 pages");
    refused(sys, "MONITOR EVENT START PARTITION 12287", 6230, "it may have 70 to 12286 pages");
    system_good(sys, "OPERATOR", "QUERY MONITOR"); // nothing has changed
    assert_string_equal(text_get(&sys->answer), text_get(&before));
    text_free(&before);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 8190");
    refused(sys, "MONITOR START PARTITION 8193", 6230, "it may have 70 to 8192 pages");
    system_good(sys, "OPERATOR", "MONITOR STOP"); // samples had been started
    system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 241");
    system_good(sys, "OPERATOR", "MONITOR EVENT START PARTITION 324");
    refused(sys, "MONITOR EVENT CONFIG SIZE 323", 6237, "it may have 1 to 322 pages");
    system_good(sys, "OPERATOR", "MONITOR EVENT CONFIG SIZE 322");
    // A smaller segment, and none.
    system_good(sys, "OPERATOR", "MONITOR EVENT STOP");
    system_good(sys, "OPERATOR", "MONITOR EVENT CONFIG SIZE 68");
    system_good(sys, "OPERATOR", "PURGE NSS NAME MONDCSS");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 60000"); // nobody knows yet
    system_good(sys, "OPERATOR", "DEFSEG MONDCSS 9000-9FFF SC RSTD");
    system_good(sys, "OPERATOR", "SAVESEG MONDCSS");
    refused(sys, "MONITOR SAMPLE CONFIG SIZE 4096", 6237, "it may have 1 to 3770 pages");
    system_free(sys);
}

static void help_explains_both(void **state)
{
    (void)state;
    struct system *sys = system_new();
    system_good(sys, "OPERATOR", "HELP MONITOR");
    assert_non_null(strstr(text_get(&sys->answer), "SUBINTerval"));
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_have_their_return_codes),
        cmocka_unit_test(a_refused_command_changes_nothing),
        cmocka_unit_test(only_classes_a_and_e_may),
        cmocka_unit_test(query_shows_the_initial_state),
        cmocka_unit_test(query_shows_what_was_set),
        cmocka_unit_test(start_without_users_is_pending),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused_with_the_limits),
        cmocka_unit_test(help_explains_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
