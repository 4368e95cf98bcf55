// SPDX-License-Identifier: MIT
// Sixteen digits at once against one at a time.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <string.h>
#include <cmocka.h>

#include "cpu/bcd.h"
#include "cpu/snippets.h"

static uint128 magnitude(struct random *r, unsigned digits)
{
    uint128 m = 0;
    for (unsigned i = 0; i < digits; i++)
        m = m * 10 + (random_below(r, 4) ? random_below(r, 10) : 9);
    return m;
}

// Digits of `m`, the last one at the left of the sign.
static void by_digits(uint128 m, unsigned sign, uint8_t bytes[16])
{
    memset(bytes, 0, 16);
    bytes[15] = (uint8_t)sign;
    for (unsigned i = 31; i-- > 0; m /= 10)
        bytes[i / 2] |= (uint8_t)((unsigned)(m % 10) << (i % 2 ? 0 : 4));
}

static void test_there_and_back(void **state)
{
    (void)state;
    struct random r = {7};
    for (unsigned n = 0; n < 20000; n++) {
        unsigned digits = random_below(&r, 33);
        uint128 m = magnitude(&r, digits);
        uint8_t expected[16], got[16];
        by_digits(m, 12, expected);
        struct packed p;
        uint128 most = (uint128)TEN_TO_16 * (TEN_TO_16 / 10); // 10 to the 31st
        assert_int_equal(packed_make(m, 12, &p), m >= most);
        assert_false(packed_store(p, got, 16));
        assert_memory_equal(got, expected, 16);
        assert_true(packed_magnitude(p) == m % most);
        // Shorter fields: the rightmost bytes, and whether digits before them are lost.
        unsigned bytes = 1 + random_below(&r, 16);
        bool lost = false;
        for (unsigned i = 0; i < 16 - bytes; i++)
            lost |= expected[i] != 0;
        assert_int_equal(packed_store(p, got, bytes), lost);
        assert_memory_equal(got, expected + 16 - bytes, bytes);
        struct packed again = packed_load(got, bytes);
        memset(expected, 0, 16 - bytes);
        assert_int_equal(again.left, be64_load(expected));
        assert_int_equal(again.right, be64_load(expected + 8));
    }
}

static void test_validity(void **state)
{
    (void)state;
    for (unsigned digit = 0; digit < 16; digit++)
        for (unsigned place = 0; place < 64; place += 4)
            assert_int_equal(bcd_valid((uint64_t)digit << place), digit < 10);
    assert_true(bcd_valid(UINT64_C(0x9999999999999999)));
    assert_int_equal(bcd_to_binary(UINT64_C(0x9999999999999999)), TEN_TO_16 - 1);
    assert_int_equal(bcd_from_binary(TEN_TO_16 - 1), UINT64_C(0x9999999999999999));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_validity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
