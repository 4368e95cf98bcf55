// SPDX-License-Identifier: MIT
// TRACE over a small program: what is shown, where it stops, and that tracing changes nothing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *maint;

//  1000  BALR 1,0            100A  BCT 2,1006
//  1002  LA   2,3            100E  SVC 5
//  1006  ST   2,1100         1020  LPSW 300: disabled wait
static const char *const program[] = {
    "STORE S1000 0510 41200003 502010FE 46201004 0A05",
    "STORE S1020 82000300",
    "STORE S60 00080000 00001020",
    "STORE S300 000A0000 00000FFF",
    "STORE PSW 00080000 00001000",
};

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    maint = cmd_logon(&sys, "MAINT", 0);
    for (size_t i = 0; i < sizeof program / sizeof *program; i++)
        assert_int_equal(cmd(&sys, maint, program[i]), 0);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

// Begins, runs for a second, and gives what the terminal showed.
static const char *go(void)
{
    text_clear(&sys.term[0].lines);
    assert_int_equal(cmd(&sys, maint, "BEGIN"), 0);
    cp_run(sys.cp, clock_now(&sys.world.clock) + TOD_SECOND);
    return text_get(&sys.term[0].lines);
}

static void set(const char *line)
{
    if (cmd(&sys, maint, line) != 0)
        fail_msg("%s: %s", line, text_get(&sys.out));
}

#define END "HCPGIR450W CP entered; disabled wait PSW 000A0000 00000FFF\n"

static void every_instruction_is_shown(void **state)
{
    (void)state;
    set("TRACE INSTRUCT RUN");
    assert_string_equal(go(), " -> 00001000  BALR    0510        CC 0\n"
                              "    00001002  LA      41200003  = 00000003    CC 0\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "    0000100A  BCT     46201004 -> 00001006    CC 0\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "    0000100A  BCT     46201004 -> 00001006    CC 0\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "    0000100A  BCT     46201004    00001006    CC 0\n"
                              "    0000100E  SVC     0A05     -> 00001020    CC 0\n" END);
}

static void it_stops_before_the_next_one(void **state)
{
    (void)state;
    set("TRACE I");
    assert_string_equal(go(), " -> 00001000  BALR    0510        CC 0\n");
    assert_true(maint->cp_read);
    assert_int_equal(maint->vcpu[0]->cpu->psw.address, 0x1002);
    assert_int_equal(maint->vcpu[0]->cpu->gr[2], 0);
    assert_string_equal(go(), " -> 00001002  LA      41200003  = 00000003    CC 0\n");
    assert_int_equal(maint->vcpu[0]->cpu->gr[2], 3);
    set("TRACE END");
    assert_string_equal(go(), END);
}

static void branches_that_are_taken(void **state)
{
    (void)state;
    set("TRACE BRANCH RUN");
    assert_string_equal(go(), "    0000100A  BCT     46201004 -> 00001006    CC 0\n"
                              "    0000100A  BCT     46201004 -> 00001006    CC 0\n" END);
}

static void ranges_and_targets(void **state)
{
    (void)state;
    set("TRACE I RANGE 1006-1009 RUN");
    set("TRACE BRANCH INTO 1000-1005 RUN");
    assert_string_equal(go(), "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n" END);
}

static void counts_choose_among_the_hits(void **state)
{
    static const struct {
        const char *options;
        unsigned shown; // of nine
        bool ends;      // in the program's wait, rather than at a stop
    } rows[] = {
        {"RUN SKIP 7", 2, true},  {"RUN PASS 2", 3, true}, {"RUN STOP 4", 4, false},
        {"RUN STEP 5", 5, false}, {"SKIP 3", 1, false},    {"RUN SKIP 9", 0, true},
    };
    char line[60];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(program[4]);
        snprintf(line, sizeof line, "TRACE I %s", rows[i].options);
        set(line);
        const char *lines = go();
        unsigned n = 0;
        for (const char *p = lines; (p = strchr(p, '\n')); p++)
            n++;
        assert_int_equal(n, rows[i].shown + (rows[i].ends ? 1 : 0));
        assert_int_equal(strstr(lines, "HCPGIR450W") != NULL, rows[i].ends);
        set("TRACE END");
    }
}

static void a_command_runs_at_each_hit(void **state)
{
    (void)state;
    set("TRACE I PSWA 1006 RUN CMD DISPLAY G2");
    assert_string_equal(go(), "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "GPR  2 =  00000003\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "GPR  2 =  00000002\n"
                              "    00001006  ST      502010FE >> 00001100    CC 0\n"
                              "GPR  2 =  00000001\n" END);
}

static void a_command_may_end_the_trace(void **state)
{
    (void)state;
    set("TRACE I RUN CMD TRACE END");
    assert_string_equal(go(), " -> 00001000  BALR    0510        CC 0\nTrace ended\n" END);
    set(program[4]);
    set("TRACE I RUN CMD LOGOFF");
    text_clear(&sys.term[0].lines);
    set("BEGIN");
    cp_run(sys.cp, clock_now(&sys.world.clock) + TOD_SECOND);
    assert_null(cp_user(sys.cp, "MAINT"));
}

static void traps_are_listed_counted_and_deleted(void **state)
{
    (void)state;
    assert_string_equal(cmd_out(&sys, maint, "QUERY TRACE"), "No traces are in effect.");
    set("TRACE I PSWA 1F4E0 SKIP 1 PASS 2 STOP 3 STEP 4 CMD d g");
    set("TRACE BRANCH FROM 1000-1010 RUN");
    assert_string_equal(cmd_out(&sys, maint, "QUERY TRACE"),
                        "NAME  INITIAL   (ACTIVE)\n"
                        "  1  INSTR    PSWA 0001F4E0\n"
                        "     TERM    NOPRINT NORUN   SIM\n"
                        "     SKIP 00001    PASS 00002    STOP 00003    STEP 00004\n"
                        "     CMD  d g\n"
                        "  2  BRANCH   PSWA 00001000-00001010\n"
                        "     TERM    NOPRINT RUN     SIM\n"
                        "     SKIP 00000    PASS 00000    STOP 00000    STEP 00000\n"
                        "     CMD  NONE");
    set("TRACE OFF");
    assert_string_equal(go(), END);
    set(program[4]);
    set("TRACE ON");
    go();
    assert_string_equal(cmd_out(&sys, maint, "TRACE COUNT"), "  1  COUNT = 0\n  2  COUNT = 2");
    set("TRACE DELETE 1");
    assert_string_equal(cmd_out(&sys, maint, "TRACE COUNT"), "  1  COUNT = 2");
    assert_int_equal(cmd(&sys, maint, "TRACE DELETE 2"), 1507);
    assert_string_equal(cmd_out(&sys, maint, "TRACE CLEAR"), "Trace ended");
    assert_false(maint->vcpu[0]->cpu->tracing);
}

// The traced program computes the same in the same number of instructions.
static void tracing_changes_nothing(void **state)
{
    uint64_t before[16];
    (void)state;
    struct cpu *cpu = maint->vcpu[0]->cpu;
    go();
    memcpy(before, cpu->gr, sizeof before);
    uint64_t instructions = cpu->instructions;
    set(program[4]);
    set("TRACE I RUN");
    go();
    assert_memory_equal(before, cpu->gr, sizeof before);
    assert_int_equal(cpu->instructions, 2 * instructions);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_instruction_is_shown),   TEST(it_stops_before_the_next_one),
        TEST(branches_that_are_taken),      TEST(ranges_and_targets),
        TEST(counts_choose_among_the_hits), TEST(a_command_runs_at_each_hit),
        TEST(a_command_may_end_the_trace),  TEST(traps_are_listed_counted_and_deleted),
        TEST(tracing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
