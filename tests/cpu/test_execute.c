// SPDX-License-Identifier: MIT
// EXECUTE, code that changes itself, budgets, instructions across pages.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

static void test_execute(void **state)
{
    (void)state;
    // EX R1,0(R3) of an MVC whose length comes from R1, twice with different lengths.
    struct bare *bare = rig_new("4410 3000 4470 3000");
    rig_hex(bare, 0x3000, "D200 0F00 0F10");
    rig_hex(bare, 0xF10, "0102030405060708");
    bare->cpu->gr[1] = 1;
    bare->cpu->gr[3] = 0x3000;
    bare->cpu->gr[7] = 4;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF00), UINT64_C(0x0102030405000000));
    bare_free(bare);
    bare = rig_new("C640 0000 0800 A7F4 0000"); // EXRL of BRC at CODE + X'1000': relative to itself
    rig_hex(bare, CODE + 0x1000, "A7F4 0010");
    rig_hex(bare, CODE + 0x1020, "B2B2 0E00");
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = rig_new("4400 3000"); // a fault in the target has EX's length and address
    rig_hex(bare, 0x3000, "5810 0000");
    bare->cpu->gr[3] = 0x3000;
    rig_hex(bare, 0x3000, "E310 4000 0004");
    bare->cpu->gr[4] = UINT64_C(1) << 40;
    assert_int_equal(rig_fault(bare), 5);
    assert_int_equal(rig_ilc(bare), 4);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 4);
    bare_free(bare);
}

// Stores into the very next instructions are seen, also in a block that was run before.
static void test_code_that_changes(void **state)
{
    (void)state;
    //  loop: MVC target(2),0(R5)  target: AHI/LHI...: LHI R1,n with n from a table
    struct bare *bare = rig_new("D201 200A 5000" // MVC CODE+10+... (R2 = CODE)
                                "A718 0001"      // CODE+6 LHI R1,1 -> its immediate at CODE+8
                                "1A61"           // CODE+10
                                "A757 FFF8");    // placeholder, replaced below
    // Written out: each pass stores a new immediate into the LHI that follows at once.
    rig_hex(bare, CODE, "D201 2008 5000 A718 0001 1A61 A75A 0002 A787 FFF6");
    rig_hex(bare, CODE + 0x14, "B2B2 0E00");
    bare_put64(bare, 0x5000, UINT64_C(0x000A001400280050));
    bare->cpu->gr[2] = CODE;
    bare->cpu->gr[5] = 0x5000;
    bare->cpu->gr[8] = 4;
    // BRCTG R8 back to CODE: at CODE + X'10', -8 halfwords
    rig_hex(bare, CODE + 0x10, "A787 FFF8");
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[6] & 0xFFFFFFFF, 10 + 20 + 40 + 80);
    bare_free(bare);
}

// Data next to code in one page costs no invalidation; a channel program's store does.
static void test_code_lines(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5010 2800 A787 FFFE"); // ST into the same page, far from the code
    bare->cpu->gr[2] = CODE;
    bare->cpu->gr[8] = 1000;
    uint32_t before = bare->storage->extent[0].code_version[CODE >> 12];
    assert_true(rig_good(bare));
    assert_int_equal(bare->storage->extent[0].code_version[CODE >> 12], before);
    bare_put32(bare, CODE, 0x07000700);
    assert_int_equal(bare->storage->extent[0].code_version[CODE >> 12], before + 1);
    bare_free(bare);
}

static void test_budget(void **state)
{
    (void)state;
    struct bare *bare = rig_new("1811 1811 1811 1811 1811 A7F4 FFFB"); // six in a loop
    for (unsigned budget = 1; budget < 40; budget++) {
        uint64_t before = bare->cpu->instructions;
        assert_int_equal(cpu_run(bare->cpu, budget), CPU_EXIT_BUDGET);
        assert_in_range(bare->cpu->instructions - before, budget, budget + 47);
    }
    cpu_request_exit(bare->cpu);
    assert_int_equal(cpu_run(bare->cpu, 1000), CPU_EXIT_REQUEST);
    bare_free(bare);
}

static void test_instruction_across_pages(void **state)
{
    (void)state;
    struct bare *bare = rig_new("A7F4 07FD"); // to CODE + X'FFA'
    rig_hex(bare, CODE + 0xFFA, "1812 E330 2000 0004 B2B2 0E00");
    bare->cpu->gr[2] = 0xE08;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[3], 0x600D);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_code_that_changes),
        cmocka_unit_test(test_code_lines),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_instruction_across_pages),
    };
    return cmocka_run_group_tests_name("the instruction stream", tests, NULL, NULL);
}
