// SPDX-License-Identifier: MIT
// What the terminal is to show, as cells: theme, notices, small and plain terminals.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "console/datastream.h"
#include "console/picture.h"

static struct memory_display md;
static struct cells cells;

static void begin(unsigned rows, unsigned cols, bool utf8)
{
    unsigned r = rows, c = cols;
    picture_size(&r, &c);
    cells_init(&cells, rows, cols, utf8);
    memory_display_init(&md, r, c);
}

static void end(void)
{
    cells_free(&cells);
    memory_display_free(&md);
}

static void outbound(const uint8_t *data, size_t n)
{
    md.display.ops->outbound(&md.display, data, n);
}

static const char *row(unsigned i)
{
    static char text[400];
    unsigned n = 0;
    for (unsigned col = 0; col < cells.cols && n < 390; col++) {
        uint32_t ch = cells.cell[i * cells.cols + col].ch;
        if (ch && ch < 0x80)
            text[n++] = (char)ch;
        else if (ch)
            text[n++] = '?';
    }
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return text;
}

static const uint8_t screen[] = {DS_ERASE_WRITE_ALT,
                                 0xC3,
                                 0x1D,
                                 0xE8,
                                 0xC1,
                                 0xC2, // intense
                                 0x29,
                                 0x03,
                                 0xC0,
                                 0x4C,
                                 0x41,
                                 0xF4,
                                 0x42,
                                 0xF2, // hidden
                                 0xE2,
                                 0x1D,
                                 0x60,
                                 0x28,
                                 0x42,
                                 0xF5,
                                 0x4A,
                                 0x5F};

static void test_fields(void **state)
{
    (void)state;
    begin(24, 80, true);
    outbound(screen, sizeof screen);
    picture_3270(&cells, &md.ps, "0009");
    assert_int_equal(cells.cell[1].attributes, CELL_BOLD);
    assert_int_equal(cells.cell[4].ch, ' ');       // the hidden field: no character,
    assert_int_equal(cells.cell[4].attributes, 0); // no underscore
    assert_int_equal(cells.cell[4].colour, 0);
    assert_int_equal(cells.cell[6].ch, 0xA2); // cent
    assert_int_equal(cells.cell[6].colour, CELL_CYAN);
    end();
}

static void test_plain_terminal_gets_ascii(void **state)
{
    (void)state;
    begin(24, 80, false);
    outbound(screen, sizeof screen);
    picture_3270(&cells, &md.ps, "0009");
    for (size_t i = 0; i < (size_t)cells.rows * cells.cols; i++)
        assert_true(cells.cell[i].ch < 0x80);
    end();
}

static void test_small_terminal_says_what_it_needs(void **state)
{
    (void)state;
    begin(10, 30, true);
    assert_false(picture_fits(&cells));
    assert_string_equal(row(0), "80x24 needed, this is 30x10");
    end();
    begin(1, 3, true);
    assert_false(picture_fits(&cells));
    end();
}

static void test_lock_is_told_in_words(void **state)
{
    (void)state;
    begin(24, 80, true);
    outbound(screen, sizeof screen);
    md.ps.cursor = 1;
    assert_false(ps_type(&md.ps, 'x'));
    picture_3270(&cells, &md.ps, "0009");
    assert_string_equal(row(23), " X Protected  Reset: Ctrl-R");
    end();
    begin(30, 90, true);
    outbound(screen, sizeof screen);
    assert_int_equal(md.ps.rows, 29);
    md.ps.cursor = 1;
    ps_type(&md.ps, 'x');
    picture_3270(&cells, &md.ps, "0009");
    assert_non_null(strstr(row(29), "0009   X Protected  Reset: Ctrl-R"));
    assert_non_null(strstr(row(29), "29x90  01/002"));
    end();
}

static void test_default_size_in_a_large_terminal(void **state)
{
    static const uint8_t small[] = {DS_ERASE_WRITE, 0xC3, 0x11, 0x5D, 0x7F, 0xC1};
    (void)state;
    begin(50, 132, true);
    outbound(small, sizeof small);
    assert_int_equal(md.ps.cols, 80);
    picture_3270(&cells, &md.ps, "0009");
    assert_int_equal(strlen(row(23)), 80);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_plain_terminal_gets_ascii),
        cmocka_unit_test(test_small_terminal_says_what_it_needs),
        cmocka_unit_test(test_lock_is_told_in_words),
        cmocka_unit_test(test_default_size_in_a_large_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
