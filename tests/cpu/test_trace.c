// SPDX-License-Identifier: MIT
// TRACE and TRACG: entries in the trace table, and when there is none.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define TABLE 0x5000u

static struct bare *start(const char *code, uint32_t operand, uint64_t cr12)
{
    struct bare *bare = rig_new(code);
    bare->cpu->cr[12] = cr12;
    bare->cpu->gr[2] = UINT64_C(0x1111111122222222);
    bare->cpu->gr[3] = UINT64_C(0x3333333344444444);
    bare_put32(bare, 0xF00, operand);
    return bare;
}

static void test_trace(void **state)
{
    (void)state;
    struct bare *bare = start("9923 0F00", 0x12345678, TABLE | 1);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, TABLE) >> 16, 0x7100);
    assert_true((bare_get64(bare, TABLE) & UINT64_C(0xFFFFFFFFFFFF)) != 0);
    assert_int_equal(bare_get32(bare, TABLE + 8), 0x12345678);
    assert_int_equal(bare_get64(bare, TABLE + 12), UINT64_C(0x2222222244444444));
    assert_int_equal(bare->cpu->cr[12], (TABLE + 20) | 1);
    bare_free(bare);
    bare = start("EB23 0F00 000F", 0x12345678, TABLE | 1);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, TABLE) >> 16, 0x7180);
    assert_true(bare_get64(bare, TABLE + 2) >= TOD_UNIX_EPOCH);
    assert_int_equal(bare_get32(bare, TABLE + 12), 0x12345678);
    assert_int_equal(bare_get64(bare, TABLE + 16), UINT64_C(0x1111111122222222));
    assert_int_equal(bare_get64(bare, TABLE + 24), UINT64_C(0x3333333344444444));
    assert_int_equal(bare->cpu->cr[12], (TABLE + 32) | 1);
    bare_free(bare);
}

static void test_none(void **state)
{
    (void)state;
    static const struct {
        uint32_t operand;
        uint64_t cr12;
    } none[] = {{0x12345678, TABLE}, {0x80000000, TABLE | 1}};
    for (unsigned i = 0; i < 2; i++) {
        struct bare *bare = start("9923 0F00", none[i].operand, none[i].cr12);
        assert_true(rig_good(bare));
        assert_int_equal(bare_get64(bare, TABLE), 0);
        assert_int_equal(bare->cpu->cr[12], none[i].cr12);
        bare_free(bare);
    }
}

static void test_exceptions(void **state)
{
    (void)state;
    struct bare *bare = start("9923 0F00", 0, 0x5FB4 | 1); // the longest entry would reach 6000
    assert_int_equal(rig_fault(bare), 0x16);
    assert_int_equal(bare_get64(bare, 0x158), CODE); // nullified
    assert_int_equal(bare->cpu->cr[12], 0x5FB4 | 1);
    bare_free(bare);
    bare = start("9923 0F00", 0, 0x5FB0 | 1);
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("9923 0F02", 0, TABLE | 1);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    bare = start("9923 0F00", 0, 0x100 | 1);
    bare->cpu->cr[0] |= 0x10000000; // low-address protection
    assert_int_equal(rig_fault(bare), 4);
    bare_free(bare);
    bare = start("9923 0F00", 0, TABLE | 1);
    bare->cpu->psw.problem = true;
    assert_int_equal(rig_fault(bare), 2);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trace), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_exceptions)};
    return cmocka_run_group_tests_name("TRACE", tests, NULL, NULL);
}
