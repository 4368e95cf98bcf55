// SPDX-License-Identifier: MIT
// EBCDIC: round trips, buffers that just fit, bad UTF-8.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/ebcdic.h"

static void every_byte_comes_back(void **state)
{
    (void)state;
    const struct codepage *page = codepage_get("IBM1047");
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(codepage_from_unicode(page, codepage_to_unicode(page, (uint8_t)i)), i);
}

static void a_field_fits_exactly(void **state)
{
    (void)state;
    uint8_t field[8];
    char text[9];
    ebcdic_field(field, sizeof field, "OPERATOR");
    assert_int_equal(field[0], 0xD6);
    ebcdic_field_text(field, sizeof field, text, sizeof text);
    assert_string_equal(text, "OPERATOR");
    ebcdic_field(field, sizeof field, "MAINT");
    assert_int_equal(field[7], 0x40);
    ebcdic_field_text(field, sizeof field, text, sizeof text);
    assert_string_equal(text, "MAINT");
}

static void a_short_buffer_is_cut_between_characters(void **state)
{
    (void)state;
    const uint8_t pound[] = {0xC1, 0x4A, 0x4A}; // A and two cent signs of two bytes each
    char text[5];
    assert_int_equal(ebcdic_to_utf8(codepage_get("IBM037"), pound, 3, text, sizeof text), 3);
    assert_string_equal(text, "A\xC2\xA2");
}

static void bad_utf8_becomes_a_question_mark(void **state)
{
    (void)state;
    uint8_t out[4];
    assert_int_equal(ebcdic_from_utf8(codepage_default(),
                                      "A\xFF"
                                      "B",
                                      out, sizeof out),
                     3);
    assert_int_equal(out[1], 0x6F);
}

static void unknown_pages_are_refused(void **state)
{
    (void)state;
    assert_null(codepage_get("NO-SUCH-PAGE"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_comes_back),
        cmocka_unit_test(a_field_fits_exactly),
        cmocka_unit_test(a_short_buffer_is_cut_between_characters),
        cmocka_unit_test(bad_utf8_becomes_a_question_mark),
        cmocka_unit_test(unknown_pages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
