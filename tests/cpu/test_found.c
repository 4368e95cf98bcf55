// SPDX-License-Identifier: MIT
// One program for each fault that the comparison with QEMU (test_differ.c) has found.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define OP1 0x5000u
#define OP2 0x6F80u // its page's successor is not there

static struct bare *start(const char *code, unsigned cc)
{
    struct bare *bare = rig_new(code);
    rig_dat(bare);
    bare_put64(bare, rig_pte(0x7000), 0x400);
    bare->cpu->cr[0] |= UINT64_C(1) << 26; // secondary-space control
    bare->cpu->cr[3] = 0xFFFF0000;
    bare->cpu->psw.cc = (uint8_t)cc;
    bare->cpu->gr[4] = OP1;
    bare->cpu->gr[6] = OP2;
    return bare;
}

// A page fault, whose old PSW has the condition code from before.
static void assert_fault_keeps(struct bare *bare, unsigned cc)
{
    assert_int_equal(rig_fault(bare), 0x11);
    assert_int_equal(bare_get64(bare, 0x150) >> 44 & 3, cc);
    bare_free(bare);
}

// Moves with a true length had set condition code 3 before the access exception.
static void test_true_length_cc(void **state)
{
    (void)state;
    static const char *const moves[] = {"DA23 4000 6000", "DB23 4000 6000", "D923 4000 6000",
                                        "C820 4000 6000"};
    for (unsigned i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct bare *bare = start(moves[i], 1);
        bare->cpu->gr[2] = 5000; // the length
        bare->cpu->gr[0] = bare->cpu->gr[3] = 0;
        assert_fault_keeps(bare, 1);
    }
}

static void test_move_long_cc(void **state)
{
    (void)state;
    struct bare *bare = start("0E46", 2);
    bare->cpu->gr[5] = 0x200;
    bare->cpu->gr[7] = 0x300;
    assert_fault_keeps(bare, 2);
}

// The end may be one byte before the next character, which is no reason to leave one out.
static void test_search_unicode_end(void **state)
{
    (void)state;
    static const struct {
        unsigned end, cc;
    } searches[] = {{OP1 + 1, 1}, {OP1 - 1, 2}, {OP1, 2}, {OP1 + 2, 1}};
    for (unsigned i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        struct bare *bare = start("B9BE 0024", 0);
        rig_hex(bare, OP1, "0041 0042");
        bare->cpu->gr[0] = 0x41;
        bare->cpu->gr[2] = searches[i].end;
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[2], searches[i].cc == 1 ? OP1 : searches[i].end);
        bare_free(bare);
    }
}

// UTF-32: only high surrogates are no characters.
static void test_low_surrogate(void **state)
{
    (void)state;
    struct bare *bare = start("B9B2 0024", 0);
    bare->cpu->gr[2] = OP1 + 0x100;
    bare->cpu->gr[3] = 16;
    bare->cpu->gr[5] = 8;
    rig_hex(bare, OP1, "0000DC00 0000D800");
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, OP1 + 0x100), 0xEDB08000);
    assert_int_equal(bare->cpu->gr[5], 4); // stopped at the second one
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_true_length_cc),
        cmocka_unit_test(test_move_long_cc),
        cmocka_unit_test(test_search_unicode_end),
        cmocka_unit_test(test_low_surrogate),
    };
    return cmocka_run_group_tests_name("faults found by comparison", tests, NULL, NULL);
}
