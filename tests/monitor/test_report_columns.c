// SPDX-License-Identifier: MIT
// Columns of reports: expressions, and that each finds its fields in the tables.
#include "monitor/report.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "monitor/record.h"
#include "monitor/report_expression.h"
#include "monitor/report_set.h"

static void expressions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        double value; // with every term 6, t 2, T 3
    } cases[] = {
        {"1 + 2 * 3", true, 7},
        {"(1 + 2) * 3", true, 9},
        {"8 / 2 / 2", true, 2},
        {"7 - 2 - 1", true, 4},
        {"d(PFXUTIME) / t", true, 3},
        {"100 * d(PFXUTIME) / T", true, 200},
        {"d(D0R1.PLSCTSS) + v(PFXCPUTY)", true, 12},
        {"d(NOSUCH) | 5", true, 5},
        {"d(D12R60.NOSUCH) | d(PFXUTIME) | 5", true, 6},
        {"1 / 0 | 4", true, 4},
        {"0.128 * 1000", true, 128},
        {"1 +", false, 0},
        {"(1", false, 0},
        {"d()", false, 0},
        {"d(PFXUTIME", false, 0},
        {"x", false, 0},
        {"1 2", false, 0},
        {"", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct report_terms terms = {0};
        struct report_expression e;
        bool good = expression_compile(cases[i].text, D0R2, &terms, &e);
        if (good != cases[i].good)
            fail_msg("%s", cases[i].text);
        double value[8] = {6, 6, 6, 6, 6, 6, 6, 6};
        bool there[8] = {true, true, true, true, true, true, true, true};
        if (good && fabs(expression_value(&e, value, there, 2, 3) - cases[i].value) > 1e-9)
            fail_msg("%s: %g", cases[i].text, expression_value(&e, value, there, 2, 3));
        free(terms.term);
    }
    struct report_terms terms = {0};
    struct report_expression e;
    bool there[1] = {false};
    assert_true(expression_compile("1 + d(NOSUCH)", D0R2, &terms, &e));
    assert_true(isnan(expression_value(&e, NULL, there, 1, 1)));
    free(terms.term);
}

// What a column is computed from is in the tables, or it is empty on purpose.
static void every_column_has_its_fields(void **state)
{
    (void)state;
    for (unsigned i = 0; i < report_count; i++)
        for (unsigned b = 0; b < reports[i].blocks; b++) {
            const struct report_block *block = &reports[i].block[b];
            const struct record_layout *layout = record_layout(block->domain, block->number);
            assert_non_null(layout);
            for (unsigned c = 0; c < block->columns; c++) {
                struct report_terms terms = {0};
                struct report_expression e = {.steps = 0};
                const char *text = block->column[c].expression;
                if (block->column[c].format != FORMAT_NUMBER)
                    continue;
                assert_true(!*text || expression_compile(text, (unsigned)(layout - record_layouts),
                                                         &terms, &e));
                for (unsigned k = 0; k < e.steps; k++)
                    if (e.step[k].op == '?')
                        fail_msg("FCX%u: %s", reports[i].fcx, text);
                free(terms.term);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),
        cmocka_unit_test(every_column_has_its_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
