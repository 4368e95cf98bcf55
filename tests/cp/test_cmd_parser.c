// SPDX-License-Identifier: MIT
// The command parser: abbreviations, classes, several commands on a line, what SET EMSG leaves.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *operator, * user1;

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    operator= cmd_logon(&sys, "OPERATOR", 0);
    user1 = cmd_logon(&sys, "USER1", 1);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

static const char *found(const char *under, const char *word)
{
    const struct command *row = command_find(under, word, CLASS_ANY, true);
    return row ? row->alias_of ? row->alias_of : row->name : "-";
}

static void abbreviations_follow_the_table(void **state)
{
    static const struct {
        const char *under, *word, *name;
    } rows[] = {
        {NULL, "Q", "QUERY"},
        {NULL, "QUE", "QUERY"},
        {NULL, "D", "DISPLAY"},
        {NULL, "I", "IPL"},
        {NULL, "B", "BEGIN"},
        {NULL, "M", "MESSAGE"},
        {NULL, "MSG", "MESSAGE"},
        {NULL, "MESSA", "MESSAGE"},
        {NULL, "L", "LOGON"},
        {NULL, "LOG", "LOGOFF"},
        {NULL, "LOGOF", "LOGOFF"},
        {NULL, "ST", "STORE"},
        {NULL, "STO", "STORE"},
        {NULL, "STOP", "STOP"},
        {NULL, "SE", "-"},
        {NULL, "SET", "SET"},
        {NULL, "SHUTDOW", "-"},
        {NULL, "SHUTDOWN", "SHUTDOWN"},
        {NULL, "W", "WARNING"},
        {NULL, "IND", "INDICATE"},
        {NULL, "IN", "-"},
        {NULL, "DIS", "-"},
        {NULL, "DISC", "DISCONNECT"},
        {NULL, "DISCO", "DISCONNECT"},
        {NULL, "DISCONN", "DISCONNECT"},
        {NULL, "DEF", "DEFINE"},
        {NULL, "DET", "DETACH"},
        {NULL, "DE", "-"},
        {NULL, "LIN", "-"},
        {NULL, "LINK", "LINK"},
        {NULL, "SP", "SPOOL"},
        {NULL, "C", "CLOSE"},
        {NULL, "CP", "CP"},
        {NULL, "TERM", "TERMINAL"},
        {NULL, "TR", "TRACE"},
        {NULL, "TRAN", "TRANSFER"},
        {NULL, "FORC", "-"},
        {NULL, "QUERYX", "-"},
        {NULL, "REQ", "ATTN"},
        {NULL, "PUR", "PURGE"},
        {"QUERY", "N", "NAMES"},
        {"QUERY", "U", "USERS"},
        {"QUERY", "USERI", "-"},
        {"QUERY", "USERID", "USERID"},
        {"QUERY", "T", "TIME"},
        {"QUERY", "V", "VIRTUAL"},
        {"QUERY", "DA", "DASD"},
        {"QUERY", "ST", "STORAGE"},
        {"QUERY", "PROC", "PROCESSORS"},
        {"QUERY", "F", "FILES"},
        {"QUERY", "CPLEVE", "-"},
        {"QUERY", "SHAR", "-"},
        {"SET", "SM", "SMSG"},
        {"SET", "SEC", "SECUSER"},
        {"SET", "PRIV", "-"},
        {"SET", "PRIVC", "PRIVCLASS"},
        {"DEFINE", "ST", "STORAGE"},
        {"DEFINE", "STOR", "STORAGE"},
        {"TERMINAL", "LINEN", "LINEND"},
        {"TERMINAL", "ES", "ESCAPE"},
        {"TRACE", "I", "INSTRUCT"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(found(rows[i].under, rows[i].word), rows[i].name) != 0)
            fail_msg("%s %s: %s, not %s", rows[i].under ? rows[i].under : "", rows[i].word,
                     found(rows[i].under, rows[i].word), rows[i].name);
}

// Every name finds its own row: no earlier abbreviation hides a later command of another name.
static void no_name_is_hidden(void **state)
{
    (void)state;
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; i < t->count; i++) {
            const struct command *row = command_find(t->under, t->rows[i].name, CLASS_ANY, true);
            assert_non_null(row);
            assert_string_equal(row->name, t->rows[i].name);
        }
}

static void every_row_is_documented(void **state)
{
    (void)state;
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; i < t->count; i++) {
            const struct command *row = &t->rows[i];
            if (row->alias_of) {
                assert_non_null(command_find(t->under, row->alias_of, CLASS_ANY, true));
                continue;
            }
            if (!row->help || !*row->help || !row->syntax || row->classes == 0 ||
                row->min > strlen(row->name))
                fail_msg("row %s %s", t->under ? t->under : "", row->name);
        }
}

static void a_class_that_is_missing_makes_the_command_unknown(void **state)
{
    (void)state;
    assert_int_equal(cmd(&sys, user1, "force operator"), 1);
    assert_string_equal(text_get(&sys.out), "HCPCMD001E Unknown CP command: FORCE");
    assert_string_equal(sys.response.message_id, "HCPCMD001E");
    assert_int_equal(cmd(&sys, user1, "query processors"), 3);
    assert_string_equal(text_get(&sys.out), "HCPCQV003E Invalid option - PROCESSORS");
    assert_int_equal(cmd(&sys, operator, "query processors"), 0);
}

// The class E version of INDICATE LOAD shows more than G's.
static void the_class_chooses_the_version(void **state)
{
    (void)state;
    assert_null(strstr(cmd_out(&sys, user1, "indicate"), "LIMITED-"));
    assert_non_null(strstr(cmd_out(&sys, operator, "indicate"), "LIMITED-00000"));
    assert_int_equal(cmd(&sys, user1, "indicate queues"), 3);
}

static void blanks_case_and_comments_do_not_matter(void **state)
{
    (void)state;
    assert_string_equal(cmd_out(&sys, user1, "   qUeRy    UseriD  "), "USER1    AT ZVMTEST");
    assert_string_equal(cmd_out(&sys, user1, "query\tuserid"), "USER1    AT ZVMTEST");
    assert_int_equal(cmd(&sys, user1, "* a comment that is no command"), 0);
    assert_string_equal(text_get(&sys.out), "");
    assert_int_equal(cmd(&sys, user1, ""), 0);
    assert_int_equal(cmd(&sys, user1, "     "), 0);
}

static void newlines_separate_until_the_first_error(void **state)
{
    (void)state;
    assert_string_equal(cmd_out(&sys, user1, "query userid\nquery userid"),
                        "USER1    AT ZVMTEST\nUSER1    AT ZVMTEST");
    assert_int_equal(cmd(&sys, user1, "query userid\nnonsense\nquery userid"), 1);
    assert_string_equal(text_get(&sys.out),
                        "USER1    AT ZVMTEST\nHCPCMD001E Unknown CP command: NONSENSE");
}

static int at_terminal(const char *line)
{
    text_clear(&sys.out);
    sys.response = response_to_text(&sys.out);
    return command_execute(sys.cp, user1, &sys.term[1].terminal, line, &sys.response);
}

static void linend_separates_at_a_terminal_only(void **state)
{
    (void)state;
    assert_int_equal(at_terminal("query userid#query userid"), 0);
    assert_string_equal(text_get(&sys.out), "USER1    AT ZVMTEST\nUSER1    AT ZVMTEST");
    assert_int_equal(cmd(&sys, user1, "query userid#query userid"), 3);
    assert_int_equal(cmd(&sys, user1, "terminal linend %"), 0);
    assert_int_equal(at_terminal("query userid%query userid"), 0);
    assert_string_equal(text_get(&sys.out), "USER1    AT ZVMTEST\nUSER1    AT ZVMTEST");
    assert_int_equal(at_terminal("set pf5 immed q time\"%q names"), 0);
    cmd(&sys, user1, "query pf5");
    assert_string_equal(text_get(&sys.out), "PF05 IMMED    q time%q names");
    assert_int_equal(cmd(&sys, user1, "set linedit off"), 0);
    assert_int_equal(at_terminal("query userid%query userid"), 3);
}

static void emsg_shows_all_id_text_or_nothing(void **state)
{
    static const struct {
        const char *set, *shown;
    } rows[] = {{"ON", "HCPCMD001E Unknown CP command: BAD"},
                {"CODE", "HCPCMD001E"},
                {"TEXT", "Unknown CP command: BAD"},
                {"OFF", ""}};
    char line[40];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "set emsg %s", rows[i].set);
        assert_int_equal(cmd(&sys, user1, line), 0);
        assert_int_equal(cmd(&sys, user1, "bad"), 1);
        assert_string_equal(text_get(&sys.out), rows[i].shown);
        assert_string_equal(sys.response.message_id, "HCPCMD001E");
    }
    assert_int_equal(cmd(&sys, user1, "set emsg maybe"), 2);
    assert_int_equal(user1->set.emsg, EMSG_OFF); // a refused SET changes nothing
}

static void numbers_have_three_digits_or_four(void **state)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    (void)state;
    assert_int_equal(message_send(&out, MESSAGE_not_logged_on, "LINUX2"), 45);
    assert_string_equal(text_get(&text), "HCPUSO045E LINUX2 not logged on");
    text_clear(&text);
    out = response_to_text(&text);
    assert_int_equal(message_send(&out, MESSAGE_base_cpu, 0u), 1456);
    assert_string_equal(text_get(&text), "HCPCPU1456E The base CPU 00 cannot be detached.");
    text_clear(&text);
    out = response_to_text(&text);
    assert_int_equal(message_send(&out, MESSAGE_sigp_stop, 1u), 0);
    assert_string_equal(text_get(&text), "HCPGSP2629I The virtual machine is placed in CP mode due "
                                         "to a SIGP stop from CPU 01.");
    assert_string_equal(out.message_id, "HCPGSP2629I");
    text_free(&text);
}

static void before_logon_only_some_commands_exist(void **state)
{
    (void)state;
    assert_int_equal(cmd(&sys, NULL, "query names"), 3);
    assert_int_equal(cmd(&sys, NULL, "ipl cms"), 15);
    assert_string_equal(text_get(&sys.out), "HCPCFC015E Command not valid before LOGON: IPL");
    assert_int_equal(cmd(&sys, NULL, "nonsense"), 15);
    assert_int_equal(cmd(&sys, NULL, "query time"), 0);
    assert_string_equal(text_get(&sys.out), "TIME IS 10:30:00 EDT MONDAY 2026-01-05");
    assert_int_equal(cmd(&sys, NULL, "msg operator hello"), 0);
}

static void cp_and_silently_pass_the_rest_on(void **state)
{
    (void)state;
    assert_string_equal(cmd_out(&sys, user1, "cp cp query userid"), "USER1    AT ZVMTEST");
    assert_int_equal(cmd(&sys, user1, "silently query userid"), 0);
    assert_string_equal(text_get(&sys.out), "");
    assert_int_equal(cmd(&sys, user1, "silently query user nosuch"), 45);
    assert_string_equal(text_get(&sys.out), "");
    assert_string_equal(sys.response.message_id, "HCPCQU045E");
}

static void overlong_lines_are_refused(void **state)
{
    static char line[4000];
    (void)state;
    memset(line, 'A', sizeof line - 1);
    assert_int_equal(cmd(&sys, user1, line), 25);
    // More words than there is room for: the rest is one word, which is no operand.
    for (size_t i = 0; i < 2000; i++)
        line[i] = "D 0 "[i % 4];
    line[2000] = '\0';
    assert_int_not_equal(cmd(&sys, user1, line), 0);
}

static void help_is_made_from_the_tables(void **state)
{
    (void)state;
    assert_int_equal(cmd(&sys, operator, "help msg"), 0);
    assert_non_null(strstr(text_get(&sys.out), "Message {userid | * | OPerator | ALL} text"));
    assert_int_equal(cmd(&sys, operator, "help set emsg"), 0);
    assert_non_null(strstr(text_get(&sys.out), "SET EMSG {ON | OFF | CODE | TEXT}"));
    assert_int_equal(cmd(&sys, operator, "help q v"), 0);
    assert_non_null(strstr(text_get(&sys.out), "\nALL         CONSOLE     CPUS"));
    assert_int_equal(cmd(&sys, operator, "help nonsense"), 1);
    assert_int_equal(cmd(&sys, operator, "help set nonsense"), 3);
    assert_int_equal(cmd(&sys, operator, "help"), 0);
}

static void the_document_lists_every_command(void **state)
{
    char *document = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&document, &size);
    (void)state;
    command_document(out);
    fclose(out);
    assert_non_null(strstr(document, "| QUERY Names |"));
    assert_non_null(strstr(document, "| SHUTDOWN |"));
    assert_non_null(strstr(document, "\\|"));
    assert_null(strstr(document, "| MSG |"));
    free(document);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(abbreviations_follow_the_table),
        TEST(no_name_is_hidden),
        TEST(every_row_is_documented),
        TEST(a_class_that_is_missing_makes_the_command_unknown),
        TEST(the_class_chooses_the_version),
        TEST(blanks_case_and_comments_do_not_matter),
        TEST(newlines_separate_until_the_first_error),
        TEST(linend_separates_at_a_terminal_only),
        TEST(emsg_shows_all_id_text_or_nothing),
        TEST(numbers_have_three_digits_or_four),
        TEST(before_logon_only_some_commands_exist),
        TEST(cp_and_silently_pass_the_rest_on),
        TEST(overlong_lines_are_refused),
        TEST(help_is_made_from_the_tables),
        TEST(the_document_lists_every_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
