// SPDX-License-Identifier: MIT
// Entries of the trace table, those of TRACE and TRACG and implicit ones, and when there is none.
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

#define BRANCHES UINT64_C(0x8000000000000000)
#define MODES    UINT64_C(0x4000000000000000)

// Runs `code` with CR12's controls; the entry must be these bytes, and the next one start behind.
static void implicit(const char *code, uint64_t controls, uint64_t r2, const char *entry)
{
    struct bare *bare = rig_new(code), *wanted = rig_new("");
    bare->cpu->cr[12] = TABLE | controls;
    bare->cpu->gr[2] = r2;
    rig_hex(bare, 0x3000, "B2B2 0E00");
    uint64_t n = rig_hex(wanted, TABLE, entry) - TABLE;
    assert_true(rig_good(bare));
    for (unsigned i = 0; i < n; i += 4)
        assert_int_equal(bare_get32(bare, TABLE + i), bare_get32(wanted, TABLE + i));
    assert_int_equal(bare->cpu->cr[12], (TABLE + n) | controls);
    bare_free(bare);
    bare_free(wanted);
}

static void test_branches(void **state)
{
    (void)state;
    implicit("0D12", BRANCHES, 0x3000, "80003000");      // BASR, 64-bit mode, low address
    implicit("010D 0D12", BRANCHES, 0x3000, "80003000"); // 31-bit mode
    implicit("010C 0512", BRANCHES, 0x3000, "00003000"); // BALR, 24-bit mode
    implicit("0D10", BRANCHES, 0x3000, "");              // no branch
    implicit("0D12", MODES, 0x3000, "");                 // other controls
    implicit("07F2", BRANCHES, 0x3000, "");              // not one of the traced
    implicit("0C12", BRANCHES, 0x80003000, "80003000");  // BASSM to 31-bit mode
}

static void test_modes(void **state)
{
    (void)state;
    implicit("010D", MODES, 0, "51200000 00002002");
    implicit("010D 010C", MODES, 0, "51200000 00002002"); // 31 to 24 is no change of this kind
    implicit("010D 010E", MODES, 0, "51200000 00002002 51300000 80002004");
    implicit("0B02", MODES, 0x80003000, "51200000 00002002");            // BSM
    implicit("0C12", MODES | BRANCHES, 0x80003000, "51A00000 80003000"); // BASSM, one entry
    implicit("010D 0C12", MODES, 0x3001, "51200000 00002002 51300000 80002004");
    implicit("010D 0C12", MODES | BRANCHES, 0x3001, "51200000 00002002 51B00000 00003000");
}

// An entry that cannot be made nullifies the branch.
static void test_branch_exception(void **state)
{
    (void)state;
    struct bare *bare = rig_new("0D12");
    bare->cpu->cr[12] = BRANCHES | 0x5FFC;
    bare->cpu->gr[2] = 0x3000;
    assert_int_equal(rig_fault(bare), 0x16);
    assert_int_equal(bare_get64(bare, 0x158), CODE);
    assert_int_equal(bare->cpu->gr[1], 0);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace),      cmocka_unit_test(test_none),
        cmocka_unit_test(test_exceptions), cmocka_unit_test(test_branches),
        cmocka_unit_test(test_modes),      cmocka_unit_test(test_branch_exception)};
    return cmocka_run_group_tests_name("TRACE", tests, NULL, NULL);
}
