// SPDX-License-Identifier: MIT
// CPU measurement: what the counters count, and who may ask for them; samples and
// their buffers; monitor events.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

static unsigned condition(const struct bare *bare, unsigned r)
{
    return bare->cpu->gr[r] >> 28 & 3;
}

static struct bare *start(const char *code, uint64_t control)
{
    struct bare *bare = rig_new(code);
    bare_put64(bare, 0xF00, control);
    for (unsigned i = 0; i < 8; i++)
        bare->cpu->gr[i + 8] = i < 2 ? i : 32 + (i - 2); // numbers 0, 1, 32, 33 ...
    return bare;
}

static void test_counts(void **state)
{
    (void)state;
    // LCCTL; ECCTR 1,9; four instructions; ECCTR 2,9; ECCTR 3,8; ECCTR 4,10
    struct bare *bare = start("B284 0F00 B2E4 0019 1800 1800 1800 1800 B2E4 0029 B2E4 0038"
                              "B2E4 004A",
                              UINT64_C(0x0006000600000000));
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[2] - bare->cpu->gr[1], 5); // with ECCTR itself
    // Virtual time: each instruction costs what it costs, and a cycle is a unit of the clock.
    uint64_t cost = bare->cpu->instruction_cost;
    assert_int_equal(bare->cpu->gr[3], (bare->cpu->gr[2] + 1) * cost);
    assert_int_equal(bare->cpu->gr[4], 0); // no problem state yet
    bare_free(bare);
}

static void test_problem_state(void **state)
{
    (void)state;
    // LCCTL; LPSWE to X'3000' in the problem state: three instructions, ECCTR 4,11, SVC.
    struct bare *bare = start("B284 0F00 B2B2 0F10", UINT64_C(0x0006000600000000));
    bare->cpu->cr[0] |= UINT64_C(1) << 48;
    bare_put64(bare, 0xF10, UINT64_C(0x0001000180000000));
    bare_put64(bare, 0xF18, 0x3000);
    rig_hex(bare, 0x3000, "1800 1800 1800 B2E4 004B 0A00");
    bare_put64(bare, 0x1C0, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0x1C8, 0x600D);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[4], 4);
    bare_free(bare);
    bare = start("B284 0F00 B2B2 0F10", UINT64_C(0x0006000600000000)); // not allowed there
    bare_put64(bare, 0xF10, UINT64_C(0x0001000180000000));
    bare_put64(bare, 0xF18, 0x3000);
    rig_hex(bare, 0x3000, "B2E4 004B");
    assert_int_equal(rig_fault(bare), 2);
    bare_free(bare);
}

static void test_controls(void **state)
{
    (void)state;
    // SCCTR 5,8 while enabled and not active; ECCTR 6,8; disable; ECCTR again: cc 2; number 99: 3.
    struct bare *bare = start("B284 0F00 B2E0 0058 B2E4 0068 B284 0F08 B2E4 0078 B222 0010"
                              "A789 0063 B2E4 0078 B222 0020 B284 0F10 B222 0030",
                              UINT64_C(0x0002000000000000));
    bare_put64(bare, 0xF10, UINT64_C(0x0001000000000000)); // an extended set: there is none
    bare->cpu->gr[5] = 1234;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[6], 1234);
    assert_int_equal(condition(bare, 1), 2);
    assert_int_equal(condition(bare, 2), 3);
    assert_int_equal(condition(bare, 3), 3);
    bare_free(bare);
    bare = start("B284 0F00 B28E 0F20", UINT64_C(0x0006000200000000)); // QCTRI
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF20), UINT64_C(0x0003000600060002));
    bare_free(bare);
    bare = start("B284 0F04", 0);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

// --- sampling -----------------------------------------------------------------------------

#define TABLE   0x8000u
#define BUFFERS 0x9000u
#define CONTROL UINT64_C(0x202) // enabled and active

// Samples every 20,000 cycles, which are 1,000 instructions, of an endless loop.
static struct bare *sampled(uint64_t entry)
{
    struct bare *bare = rig_new("B287 0F00 B222 0010 A7F4 0000");
    bare_put64(bare, 0xF00, CONTROL);
    bare_put64(bare, 0xF08, 20000);
    bare_put64(bare, 0xF10, TABLE);
    bare_put64(bare, 0xF18, entry);
    bare_put64(bare, TABLE, BUFFERS);
    bare_put64(bare, TABLE + 8, TABLE + 0x101);
    bare_put64(bare, TABLE + 0x100, BUFFERS + 0x1000);
    bare_put64(bare, TABLE + 0x108, TABLE + 1);
    bare->cpu->program_parameter = 0x1234;
    bare->cpu->cr[4] = 0x00050041;
    return bare;
}

static void test_samples(void **state)
{
    (void)state;
    struct bare *bare = sampled(BUFFERS);
    cpu_run(bare->cpu, 10500);
    assert_int_equal(condition(bare, 1), 0);
    assert_int_equal(bare_get64(bare, BUFFERS), UINT64_C(0x0001010000000041));
    assert_int_equal(bare_get64(bare, BUFFERS + 8), CODE + 8);
    assert_int_equal(bare_get64(bare, BUFFERS + 16), 0x1234);
    assert_true(bare_get64(bare, BUFFERS + 9 * 32) != 0); // ten of them
    assert_int_equal(bare_get64(bare, BUFFERS + 10 * 32), 0);
    assert_int_equal(bare->cpu->sampling.entry, BUFFERS + 10 * 32);
    bare_free(bare);
}

// At the end of a buffer the next one is taken, by a link; then a full one loses samples.
static void test_buffers(void **state)
{
    (void)state;
    struct bare *bare = sampled(BUFFERS + 4032 - 32);
    bare_put64(bare, BUFFERS + 4032, UINT64_C(1) << 62); // an alert is wanted
    bare_put64(bare, BUFFERS + 0x1000 + 4032, UINT64_C(1) << 63);
    bare->cpu->cr[0] |= 0x20;
    bare->cpu->psw.external = true;
    bare_put64(bare, 0x1B0, UINT64_C(0x0000000180000000));
    bare_put64(bare, 0x1B8, 0x3000);
    rig_hex(bare, 0x3000, "A7F4 0000");
    cpu_run(bare->cpu, 5500);
    assert_int_equal(bare_get64(bare, BUFFERS + 4032) >> 61, 7);
    assert_int_equal(bare_get64(bare, BUFFERS + 4032) >> 16 & 0xFFFF, 32);
    assert_true(bare_get64(bare, BUFFERS + 4032 + 17) != 0); // when
    assert_int_equal(bare_get32(bare, 0x84) & 0xFFFF, 0x1407);
    assert_int_equal(bare_get32(bare, 0x80), 0x20000000);
    assert_int_equal(bare->cpu->sampling.table, TABLE + 0x100);
    assert_int_equal(bare_get64(bare, BUFFERS + 0x1000 + 4032 + 8), 4); // lost
    bare_free(bare);
    bare = sampled(0x10000000); // a buffer that is not there stops it
    cpu_run(bare->cpu, 3000);
    assert_false(bare->cpu->sampling.active);
    assert_int_equal(bare->cpu->measurement_alert, 0x80000000);
    bare_free(bare);
}

static void test_sampling_controls(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B287 0F00 B222 0010 B286 0F40");
    bare_put64(bare, 0xF00, CONTROL);
    bare_put64(bare, 0xF08, 100); // too often
    assert_true(rig_good(bare));
    assert_int_equal(condition(bare, 1), 3);
    assert_int_equal(bare_get64(bare, 0xF40), UINT64_C(0x0002000000200000));
    assert_int_equal(bare_get64(bare, 0xF48), 20000);
    assert_int_equal(bare_get32(bare, 0xF40 + 44), 4096);
    bare_free(bare);
}

// --- MONITOR CALL that counts -----------------------------------------------------------------

static struct bare *monitored(const char *code, uint64_t cr8)
{
    struct bare *bare = rig_new(code);
    rig_dat(bare);
    bare->cpu->psw.dat = false; // the home space is translated all the same
    bare->cpu->cr[8] = cr8;
    bare_put64(bare, 0x100, 0x9000);
    bare_put64(bare, 0x108, UINT64_C(0x0000000400000007)); // four codes, seven exceptions
    return bare;
}

static void test_monitor_counters(void **state)
{
    (void)state;
    struct bare *bare = monitored("AF05 0002 AF05 0002 AF05 0003", UINT64_C(0x0000040000000400));
    bare_put64(bare, 0x9000, UINT64_C(0x000000010002FFFF));
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0x9000), UINT64_C(0x0000000100040000));
    assert_int_equal(bare_get32(bare, 0x9008 + 3 * 4), 1); // what the halfword could not hold
    assert_int_equal(bare_get32(bare, 0x10C), 7);
    bare_free(bare);
    bare = monitored("AF05 0004", UINT64_C(0x0000040000000400)); // no such code
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, 0x10C), 8);
    bare_free(bare);
    bare = monitored("AF05 0002", 0x400); // interruption as ever
    assert_int_equal(rig_fault(bare), 0x40);
    bare_free(bare);
    bare = monitored("AF05 0002", UINT64_C(0x0000040000000000)); // masked
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0x9000), 0);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_problem_state),
        cmocka_unit_test(test_controls),         cmocka_unit_test(test_samples),
        cmocka_unit_test(test_buffers),          cmocka_unit_test(test_sampling_controls),
        cmocka_unit_test(test_monitor_counters),
    };
    return cmocka_run_group_tests_name("CPU measurement", tests, NULL, NULL);
}
