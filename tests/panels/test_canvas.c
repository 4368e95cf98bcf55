// SPDX-License-Identifier: MIT
// Charts and tables as text, picture by picture.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "panels/canvas.h"

static struct cells cells;

static void begin(unsigned rows, unsigned cols, bool utf8)
{
    cells_init(&cells, rows, cols, utf8);
}

static void end(const char *want)
{
    struct text out = {0};
    cells_to_text(&cells, &out);
    assert_string_equal(text_get(&out), want);
    text_free(&out);
    cells_free(&cells);
}

static const double seconds[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const double ramp[] = {0, 10, 20, 30, 40, 50, 60, 100};

static struct canvas_history chart_of(const double *value)
{
    return (struct canvas_history){.title = "CPU",
                                   .min = NAN,
                                   .max = NAN,
                                   .from = NAN,
                                   .to = NAN,
                                   .series = 1,
                                   .one = {{"a", 8, seconds, value}}};
}

static void test_history_ascii(void **state)
{
    (void)state;
    struct canvas_history chart = chart_of(ramp);
    begin(7, 16, false);
    canvas_history(&cells, (struct rectangle){0, 0, 16, 7}, &chart);
    end("CPU\n"
        "    100+       *\n"
        "       |       *\n"
        "     50+    ****\n"
        "       |  ***\n"
        "      0+***\n"
        "        0 s  7 s\n");
}

static void test_history_braille(void **state)
{
    (void)state;
    struct canvas_history chart = chart_of(ramp);
    chart.area = true;
    begin(4, 16, true);
    canvas_history(&cells, (struct rectangle){0, 0, 16, 4}, &chart);
    end("CPU\n"
        "    100\u2524     \u2880\u28C0\u28FC\n"
        "      0\u2524\u28C0\u28E4\u28E4\u28F6\u28FF\u28FF\u28FF\u28FF\n"
        "        0 s  7 s\n");
}

static void test_history_gap_and_marks(void **state)
{
    (void)state;
    static const double gap[] = {1, 1, NAN, NAN, 1, 1, 1, INFINITY};
    static const double low[] = {0, 0, 0, 0, 0, 0, 0, 0};
    struct canvas_history chart = chart_of(gap);
    chart.series = 2;
    chart.one[1] = (struct canvas_series){"b", 8, seconds, low};
    begin(6, 16, false);
    canvas_history(&cells, (struct rectangle){0, 0, 16, 6}, &chart);
    end("CPU\n"
        "        * a  o b\n"
        "      1+**  ***\n"
        "       |\n"
        "      0+oooooooo\n"
        "        0 s  7 s\n");
}

static void test_history_of_nothing(void **state)
{
    (void)state;
    struct canvas_history chart = chart_of(ramp);
    chart.one[0].n = 0;
    begin(4, 20, false);
    canvas_history(&cells, (struct rectangle){0, 0, 20, 4}, &chart);
    end("CPU\n      1+\n      0+\n        0 s      1 s\n");
    begin(2, 5, false);
    canvas_history(&cells, (struct rectangle){0, 0, 5, 2}, &chart);
    end("\n\n");
}

static void test_bars(void **state)
{
    (void)state;
    const struct canvas_bar bar[] = {
        {.label = "LINUX1", .part = {30, 10}, .text = "40 %"},
        {.label = "LINUX2", .part = {19.9, 0.1}, .text = "20 %"},
        {.label = "IDLE", .part = {0, 0}, .text = "0 %"},
        {.label = "BAD", .part = {NAN, -5}, .text = "?"},
    };
    struct canvas_bars chart = {
        .parts = 2, .part_name = {"guest", "CP"}, .max = NAN, .bars = 4, .bar = bar};
    begin(5, 32, false);
    canvas_bars(&cells, (struct rectangle){0, 0, 32, 5}, &chart);
    end("# guest  = CP\n"
        "LINUX1 ###############===== 40 %\n"
        "LINUX2 ##########=          20 %\n"
        "IDLE                         0 %\n"
        "BAD                            ?\n");
}

static void test_table(void **state)
{
    (void)state;
    static const struct canvas_column column[] = {{"Cause", 0, 'l'}, {"count", 7, 'r'}};
    static const char *const text[] = {"SSCH", "100", "a very long cause", "7", "x", NULL};
    struct canvas_table table = {.columns = 2, .rows = 3, .column = column, .text = text};
    begin(3, 30, false);
    canvas_table(&cells, (struct rectangle){0, 0, 30, 3}, &table);
    end("Cause                count\n"
        "SSCH                   100\n"
        "2 more\n");
    begin(4, 12, false);
    canvas_table(&cells, (struct rectangle){0, 0, 12, 4}, &table);
    end("Cause\nSSCH\na very long+\nx\n");
}

static void test_wide_and_bad_text_keeps_columns(void **state)
{
    (void)state;
    begin(4, 12, true);
    canvas_text(&cells, 0, 0, 6, "\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87", 'l',
                canvas_style("normal"));
    cells_put(&cells, 0, 6, '|', 0, 0);
    canvas_text(&cells, 0, 1, 6,
                "a\xcc\x81\xcc\x81\xcc\x81"
                "b",
                'l', canvas_style("normal"));
    cells_put(&cells, 1, 6, '|', 0, 0);
    canvas_text(&cells, 0, 2, 6, "\xff\xfe\x1b", 'r', canvas_style("normal"));
    cells_put(&cells, 2, 6, '|', 0, 0);
    cells_put(&cells, 3, 0, 0x4E2D, 0, 0);
    cells_put(&cells, 3, 1, 'x', 0, 0); // half of a wide one does not stay
    end("\xe4\xb8\xad\xe6\x96\x87\xe2\x80\xa6 |\n"
        "ab    |\n"
        "   \xef\xbf\xbd\xef\xbf\xbd |\n"
        " x\n");
}

static void test_ascii_holds_nothing_else(void **state)
{
    (void)state;
    begin(2, 10, false);
    canvas_rule(&cells, 0, 0, 10, "\xc3\xa9t\xc3\xa9", canvas_style("title"));
    canvas_text(&cells, 0, 1, 4, "abcdef", 'l', canvas_style("nonsense"));
    end("- ?t? ----\nabc+\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_ascii),
        cmocka_unit_test(test_history_braille),
        cmocka_unit_test(test_history_gap_and_marks),
        cmocka_unit_test(test_history_of_nothing),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_wide_and_bad_text_keeps_columns),
        cmocka_unit_test(test_ascii_holds_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
