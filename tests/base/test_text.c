// SPDX-License-Identifier: MIT
// Text helpers and TOD arithmetic.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/text.h"

static void abbreviations_have_a_minimum(void **state)
{
    (void)state;
    assert_true(text_abbreviates("q", "QUERY", 1));
    assert_true(text_abbreviates("QUERY", "QUERY", 1));
    assert_false(text_abbreviates("QUERYX", "QUERY", 1));
    assert_false(text_abbreviates("SE", "SET", 3));
    assert_false(text_abbreviates("", "SET", 1));
}

static void numbers_are_whole_and_bounded(void **state)
{
    (void)state;
    uint64_t v;
    assert_true(text_to_u64("18446744073709551615", 10, UINT64_MAX, &v));
    assert_true(v == UINT64_MAX);
    assert_false(text_to_u64("18446744073709551616", 10, UINT64_MAX, &v));
    assert_true(text_to_u64("fF", 16, 255, &v));
    assert_int_equal(v, 255);
    assert_false(text_to_u64("100", 16, 255, &v));
    assert_false(text_to_u64("", 10, 10, &v));
    assert_false(text_to_u64("1x", 10, 10, &v));
}

static void sizes_have_units(void **state)
{
    (void)state;
    uint64_t v;
    assert_true(text_to_size("64M", &v));
    assert_int_equal(v, 64u << 20);
    assert_true(text_to_size("15E", &v));
    assert_false(text_to_size("16E", &v));
    assert_false(text_to_size("M", &v));
    assert_false(text_to_size("1MB", &v));
}

static void tod_follows_the_calendar(void **state)
{
    (void)state;
    struct tod_calendar c = tod_calendar(tod_from_unix(1767225600, 500000000));
    assert_int_equal(c.year, 2026);
    assert_int_equal(c.month, 1);
    assert_int_equal(c.day, 1);
    assert_int_equal(c.weekday, 4);
    assert_int_equal(c.microsecond, 500000);
    assert_true(tod_from_unix(0, 0) == TOD_UNIX_EPOCH);
    uint32_t ns;
    assert_int_equal(tod_to_unix(TOD_UNIX_EPOCH - TOD_MICROSECOND, &ns), -1);
    assert_int_equal(ns, 999999000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abbreviations_have_a_minimum),
        cmocka_unit_test(numbers_are_whole_and_bounded),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(tod_follows_the_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
