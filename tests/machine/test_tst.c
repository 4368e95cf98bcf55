// SPDX-License-Identifier: MIT
// The runner of test scripts: what it passes, what it must fail, and what it may only skip.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

#include "machine/tst.h"

// z/Architecture restart and program new PSWs, the program at 200 and a good wait at 300.
#define PROLOGUE                               \
    "*Testcase t\n"                            \
    "sysclear\n"                               \
    "archlvl z\n"                              \
    "r 1A0=00000001800000000000000000000200\n" \
    "r 1D0=0002000180000000FFFFFFFFDEADDEAD\n" \
    "r 300=00020001800000000000000000000000\n"
#define END_WELL "B2B20300"     // LPSWE 300
#define LOAD_1   "A7290001"     // LGHI 2,1
#define STORE_1  "E32009000024" // STG 2,900

static char *output;

static struct tst_totals run(const char *script)
{
    struct tst_totals totals = {0};
    size_t n;
    free(output);
    FILE *out = open_memstream(&output, &n);
    tst_run_text(script, "script", ".", NULL, 0.01, out, &totals);
    fclose(out);
    return totals;
}

static void assert_totals(const char *script, unsigned passed, unsigned failed, unsigned skipped)
{
    struct tst_totals totals = run(script);
    if (totals.passed != passed || totals.failed != failed || totals.skipped != skipped)
        print_message("# %s\n", output);
    assert_int_equal(totals.passed, passed);
    assert_int_equal(totals.failed, failed);
    assert_int_equal(totals.skipped, skipped);
}

static void test_passes(void **state)
{
    (void)state;
    assert_totals(PROLOGUE "r 200=" LOAD_1 STORE_1 END_WELL "\n"
                           "runtest .1\n*Compare\nr 900.8\n*Want \"stored\" 00000000  00000001\n"
                           "gpr\n*Gpr 2 1\n*Done\n",
                  1, 0, 0);
    assert_string_equal(output, "ok 1 - script: t\n");
}

static void test_wrong_results_fail(void **state)
{
    (void)state;
    assert_totals(PROLOGUE "r 200=" LOAD_1 STORE_1 END_WELL "\n"
                           "runtest .1\nr 900.8\n*Want 00000000 00000002\n*Done\n",
                  0, 1, 0);
    assert_non_null(strstr(output, "# line 10: storage is 00000000 00000001, wanted"));
    assert_totals(PROLOGUE "r 200=" LOAD_1 END_WELL "\nruntest .1\n*Gpr 2 2\n*Done\n", 0, 1, 0);
    assert_totals(PROLOGUE "*Done\n", 0, 1, 0); // nothing ran
    assert_totals(PROLOGUE "r 200=A7F40000\nruntest .001\n*Done\n", 0, 1, 0);
}

static void test_program_checks(void **state)
{
    (void)state;
    assert_totals(PROLOGUE "r 200=0000\nruntest .1\n*Done\n", 0, 1, 0);
    assert_totals(PROLOGUE "r 200=0000\n*Program 1\nruntest .1\n*Done\n", 1, 0, 0);
    assert_totals(PROLOGUE "r 200=0000\n*Program 6\nruntest .1\n*Done\n", 0, 1, 0);
    assert_totals(PROLOGUE "r 200=A7F40000\n*Timeout\nruntest .001\n*Done nowait\n", 1, 0, 0);
}

static void test_skips_what_it_cannot_judge(void **state)
{
    (void)state;
    assert_totals(PROLOGUE "attach 9 3215\nruntest .1\n*Done\n", 0, 0, 1);
    assert_non_null(strstr(output, "# SKIP command attach"));
    assert_totals("*Testcase t\narchlvl s/370\nruntest .1\n*Done\n", 0, 0, 1);
    assert_totals(PROLOGUE "*Hmsg x\n*Done nowait\n", 0, 0, 1);
}

static void test_conditions_and_symbols(void **state)
{
    (void)state;
    assert_totals("defsym where 200\n*If $ptrsize = 8\n" PROLOGUE "r $(where)=" END_WELL
                  " # comment\nruntest .1\n*Done\n*Else\n*Testcase never\n*Done\n*Fi\n",
                  1, 0, 0);
    assert_totals("*If 0\n*If 1\n*Testcase a\n*Done\n*Else\n*Testcase b\n*Done\n*Fi\n*Fi\n", 0, 0,
                  0);
}

static void test_malformed_scripts(void **state)
{
    (void)state;
    run("*Fi\n*Else\n*Fi\nr\nr =\nr zz=1\nr 0=GG\nr FFFFFFFFFFFFFFFF=00\nr 0-FFFFFFFFFFFFFFFF\n"
        "r 10.0\nr 10-5\ncpu\ncpu 99 gpr\nnumcpu\nnumcpu 0\nmainsize\nmainsize 99999999g\n"
        "cr 99=1\ncr =\npr FFFFFFFF\nfac dis 300\nfac dis\nloadcore\nscript\ndefsym\n$(\n$()\n"
        "runtest nonsense\nruntest external .001\n*Gpr\n*Gpr 99 1\n*Key\n*Want\n*Program\n*Done\n"
        "*Want \"\n*\n**\n-\n- \n\"\n*If\n*If \n*If \\\n*If 1 <\n");
    assert_totals("*Testcase open at the end", 0, 1, 0);
    assert_totals("loadcore /nowhere\n", 0, 1, 0); // outside of any case
}

static int teardown(void **state)
{
    (void)state;
    free(output);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_wrong_results_fail),
        cmocka_unit_test(test_program_checks),
        cmocka_unit_test(test_skips_what_it_cannot_judge),
        cmocka_unit_test(test_conditions_and_symbols),
        cmocka_unit_test(test_malformed_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
