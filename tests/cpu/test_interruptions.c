// SPDX-License-Identifier: MIT
// PSWs, program, external and I/O interruptions, restart, timers.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/psw.h"
#include "cpu/rig.h"

// --- PSW -----------------------------------------------------------------------------------------

static void test_psw_images(void **state)
{
    (void)state;
    struct psw psw;
    uint8_t out[16];
    static const uint8_t z[16] = {0x47, 0x36, 0xFF, 1, 0x80, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    psw_unpack_z(&psw, z);
    assert_true(psw.per && psw.dat && psw.io && psw.external && psw.machine_check && psw.wait);
    assert_false(psw.problem || psw.bit12);
    assert_int_equal(psw.key, 3);
    assert_int_equal(psw.as, 3);
    assert_int_equal(psw.cc, 3);
    assert_int_equal(psw.mask, 15);
    assert_true(psw.ea && psw.ba);
    assert_int_equal(psw.address, UINT64_C(0x0102030405060708));
    assert_true(psw_valid(&psw, ARCH_Z));
    psw_pack_z(&psw, out);
    assert_memory_equal(out, z, 16);
    static const uint8_t esa[8] = {0x03, 0x0D, 0x10, 0, 0x80, 1, 0, 0};
    psw_unpack_esa(&psw, esa);
    assert_true(psw.bit12 && psw.io && psw.external && psw.ba && psw.machine_check && psw.problem);
    assert_int_equal(psw.address, 0x10000);
    assert_true(psw_valid(&psw, ARCH_ESA390));
    psw_pack_esa(&psw, out);
    assert_memory_equal(out, esa, 8);
}

static void test_psw_validity(void **state)
{
    (void)state;
    static const struct {
        uint64_t high, low;
        bool valid;
    } cases[] = {
        {0x0000000180000000, 0x123456789, true}, {0x0000000080000000, 0x7FFFFFFF, true},
        {0x0000000000000000, 0xFFFFFF, true},    {0x0000000100000000, 0, false}, // EA without BA
        {0x0008000180000000, 0, false},          {0x8000000180000000, 0, false},
        {0x0000000180000001, 0, false},          {0x0000000080000000, 0x80000000, false},
        {0x0000000000000000, 0x1000000, false},  {0x0000000280000000, 0, false},
        {0x0000007E80000000, 0, false},          {0x3800000180000000, 0, false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t image[16];
        struct psw psw;
        be64_store(image, cases[i].high);
        be64_store(image + 8, cases[i].low);
        psw_unpack_z(&psw, image);
        assert_int_equal(psw_valid(&psw, ARCH_Z), cases[i].valid);
    }
}

// An invalid PSW that LPSWE loads is an early specification exception with ILC 0 and that PSW as
// old.
static void test_early_specification(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B2B2 0F00");
    bare_put64(bare, 0xF00, UINT64_C(0x0008000180000000));
    bare_put64(bare, 0xF08, 0x4444);
    assert_int_equal(rig_fault(bare), 6);
    assert_int_equal(rig_ilc(bare), 0);
    assert_int_equal(bare_get64(bare, 0x150), UINT64_C(0x0008000180000000));
    assert_int_equal(bare_get64(bare, 0x158), 0x4444);
    bare_free(bare);
    bare = rig_new("AD80 0F00"); // STOSM of bit 0: ILC of the instruction
    assert_int_equal(rig_fault(bare), 6);
    assert_int_equal(rig_ilc(bare), 4);
    bare_free(bare);
}

// --- program interruptions -----------------------------------------------------------------------

// Code, ILC and old PSW address: suppressed behind, nullified at the instruction.
static void test_program_interruptions(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        unsigned expect, ilc, address;
        bool problem;
    } cases[] = {
        {"0000", 1, 2, CODE + 2, false},
        {"1822 B204 0F00", 2, 4, CODE + 6, true},  // LR, then SCK in the problem state
        {"4400 2010", 3, 4, CODE + 4, false},      // EX of an EX (CODE + X'10')
        {"E310 0F01 0004", 0, 0, 0, false},        // LG needs no boundary
        {"E330 FFFF 7F04", 5, 6, CODE + 6, false}, // beyond storage
        {"B982 0021 1D20", 9, 2, CODE + 6, false}, // R2 / R0 = anything / 0
        {"1D30", 6, 2, CODE + 2, false},           // DR with an odd register
        {"AF00 0F00", 0, 0, 0, false},             // MC of a class that is off
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new(cases[i].code);
        if (i == 2)
            rig_hex(bare, CODE + 0x10, "4400 2010");
        bare->cpu->gr[2] = i == 2 ? CODE : 0;
        bare->cpu->psw.problem = cases[i].problem;
        bare->cpu->gr[15] = UINT64_C(0x1000000);
        assert_int_equal(rig_fault(bare), cases[i].expect);
        if (cases[i].expect) {
            assert_int_equal(rig_ilc(bare), cases[i].ilc);
            assert_int_equal(bare_get64(bare, 0x158), cases[i].address);
        }
        bare_free(bare);
    }
}

static void test_fixed_overflow(void **state)
{
    (void)state;
    struct bare *bare = rig_new("1A12");
    bare->cpu->gr[1] = 0x7FFFFFFF;
    bare->cpu->gr[2] = 1;
    bare->cpu->psw.mask = 8;
    assert_int_equal(rig_fault(bare), 8);
    assert_int_equal(bare->cpu->gr[1], 0x80000000); // completed
    assert_int_equal(bare_get64(bare, 0x150) >> 44 & 3, 3);
    bare_free(bare);
}

static void test_data_exception(void **state)
{
    (void)state;
    struct bare *bare = rig_new("F810 0F00 0F10"); // ZAP of an invalid digit
    bare_put32(bare, 0xF10, 0xAB0C0000);
    assert_int_equal(rig_fault(bare), 7);
    assert_int_equal(bare_get32(bare, 0x90), 0);
    bare_free(bare);
    bare = rig_new("2810"); // LDR with an additional register and AFP control off
    bare->cpu->cr[0] &= ~UINT64_C(0x40000);
    assert_int_equal(rig_fault(bare), 7);
    assert_int_equal(bare_get32(bare, 0x90), 1);
    bare_free(bare);
    bare = rig_new("B31A 0002"); // ADBR
    assert_int_equal(rig_fault(bare), 7);
    assert_int_equal(bare_get32(bare, 0x90), 2);
    bare_free(bare);
    bare = rig_new("B960 8012"); // CGRT, equal
    bare->cpu->cr[0] |= 0x40000;
    assert_int_equal(rig_fault(bare), 7);
    assert_int_equal(bare_get32(bare, 0x90), 0xFF);
    assert_int_equal(bare->cpu->fpc >> 8 & 0xFF, 0xFF);
    bare_free(bare);
}

static void test_monitor_and_supervisor_call(void **state)
{
    (void)state;
    struct bare *bare = rig_new("AF03 0123");
    bare->cpu->cr[8] = 0x8000 >> 3;
    assert_int_equal(rig_fault(bare), 0x40);
    assert_int_equal(bare_get32(bare, 0x94) >> 16, 3);
    assert_int_equal(bare_get64(bare, 0xB0), 0x123);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 4);
    bare_free(bare);
    bare = rig_new("0A4D");
    bare_put64(bare, 0x1C0, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0x1C8, 0x5C0);
    rig_run(bare);
    assert_int_equal(bare->cpu->psw.address, 0x5C0);
    assert_int_equal(bare_get32(bare, 0x88), 0x0002004D);
    assert_int_equal(bare_get64(bare, 0x148), CODE + 2);
    assert_int_equal(bare->cpu->interruptions[1], 1);
    bare_free(bare);
}

// --- external, I/O, restart ----------------------------------------------------------------------

static void set_new_psw(struct bare *bare, uint64_t place, uint64_t address)
{
    bare_put64(bare, place, UINT64_C(0x0002000180000000));
    bare_put64(bare, place + 8, address);
}

static void test_external(void **state)
{
    (void)state;
    struct bare *bare = rig_new("AD01 0F00 A7F4 0000"); // enable, then loop
    set_new_psw(bare, 0x1B0, 0xE4);
    bare->cpu->cr[0] |= 0x4200;
    bare->external = (struct external_interruption){.code = 0x2401, .parameter = 0x12345678};
    bare->has_external = true;
    cpu_pend(bare->cpu, PEND_EXTERNAL);
    assert_int_equal(rig_run(bare), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0xE4);
    assert_int_equal(bare_get32(bare, 0x80), 0x12345678);
    assert_int_equal(bare_get32(bare, 0x84), 0x2401);
    assert_int_equal(bare_get64(bare, 0x138), CODE + 4);
    // An emergency signal comes first and names its sender.
    atomic_fetch_or(&bare->cpu->emergency[0], UINT64_C(1) << 5);
    bare->has_external = true;
    bare->cpu->psw.wait = false;
    bare->cpu->psw.external = true;
    cpu_pend(bare->cpu, PEND_EXTERNAL);
    rig_run(bare);
    assert_int_equal(bare_get32(bare, 0x84), 0x00051201);
    bare_free(bare);
}

static void test_external_masked(void **state)
{
    (void)state;
    struct bare *bare = rig_new("AD01 0F00");
    bare->has_external = true; // CR0 does not allow service signals
    bare->cpu->cr[0] &= ~UINT64_C(0x200);
    cpu_pend(bare->cpu, PEND_EXTERNAL);
    assert_true(rig_good(bare));
    assert_true(bare->has_external);
    bare_free(bare);
}

static void test_io_interruption(void **state)
{
    (void)state;
    struct bare *bare = rig_new("AD02 0F00 A7F4 0000");
    set_new_psw(bare, 0x1F0, 0x10);
    bare->cpu->cr[6] = 0xFF000000;
    bare->io = (struct io_interruption){0x00010003, 0xCAFE, 0x18000000};
    bare->has_io = true;
    cpu_pend(bare->cpu, PEND_IO);
    rig_run(bare);
    assert_int_equal(bare->cpu->psw.address, 0x10);
    assert_int_equal(bare_get32(bare, 0xB8), 0x00010003);
    assert_int_equal(bare_get32(bare, 0xBC), 0xCAFE);
    assert_int_equal(bare_get32(bare, 0xC0), 0x18000000);
    bare_free(bare);
}

static void test_restart_and_stop(void **state)
{
    (void)state;
    struct bare *bare = rig_new("");
    set_new_psw(bare, 0x1A0, 0x4E5);
    atomic_store(&bare->cpu->state, CPU_STOPPED);
    assert_int_equal(rig_run(bare), CPU_EXIT_STOPPED);
    cpu_pend(bare->cpu, PEND_RESTART);
    assert_int_equal(rig_run(bare), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0x4E5);
    assert_int_equal(bare_get64(bare, 0x128), CODE);
    cpu_pend(bare->cpu, PEND_STOP);
    assert_int_equal(rig_run(bare), CPU_EXIT_STOPPED);
    assert_int_equal(atomic_load(&bare->cpu->state), CPU_STOPPED);
    bare_free(bare);
}

// --- timers --------------------------------------------------------------------------------------

static void test_clock_comparator(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B206 0F00 AD01 0F08 A7F4 0000"); // SCKC, enable, loop
    set_new_psw(bare, 0x1B0, 0xCC);
    bare->cpu->cr[0] |= 0x800;
    bare_put64(bare, 0xF00, cpu_tod(bare->cpu) + 20 * 1000);
    assert_int_equal(rig_run(bare), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0xCC);
    assert_int_equal(bare_get32(bare, 0x84), 0x1004);
    // The instruction after which the clock passed the comparator, exactly.
    assert_int_equal(bare->cpu->instructions, 1001);
    bare_free(bare);
}

static void test_cpu_timer(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B208 0F00 AD01 0F08 A7F4 0000");
    set_new_psw(bare, 0x1B0, 0xCF);
    bare->cpu->cr[0] |= 0x400;
    bare_put64(bare, 0xF00, 20 * 500);
    assert_int_equal(rig_run(bare), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare_get32(bare, 0x84), 0x1005);
    assert_in_range(bare->cpu->instructions, 500, 503);
    assert_true(cpu_timer(bare->cpu) < 0);
    bare_free(bare);
}

static void test_enabled_wait(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B2B2 0F00");
    bare_put64(bare, 0xF00, UINT64_C(0x0302000180000000));
    bare->cpu->cr[0] |= 0x800;
    bare->cpu->clock_comparator = cpu_tod(bare->cpu) + TOD_SECOND;
    assert_int_equal(rig_run(bare), CPU_EXIT_WAIT);
    assert_false(cpu_may_run(bare->cpu));
    tod_t next = cpu_next_timer(bare->cpu);
    assert_int_equal(next, bare->cpu->clock_comparator + 1);
    clock_set(&bare->clock, next);
    assert_true(cpu_may_run(bare->cpu));
    set_new_psw(bare, 0x1B0, 0xCC);
    rig_run(bare);
    assert_int_equal(bare->cpu->psw.address, 0xCC);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_psw_images),
        cmocka_unit_test(test_psw_validity),
        cmocka_unit_test(test_early_specification),
        cmocka_unit_test(test_program_interruptions),
        cmocka_unit_test(test_fixed_overflow),
        cmocka_unit_test(test_data_exception),
        cmocka_unit_test(test_monitor_and_supervisor_call),
        cmocka_unit_test(test_external),
        cmocka_unit_test(test_external_masked),
        cmocka_unit_test(test_io_interruption),
        cmocka_unit_test(test_restart_and_stop),
        cmocka_unit_test(test_clock_comparator),
        cmocka_unit_test(test_cpu_timer),
        cmocka_unit_test(test_enabled_wait),
    };
    return cmocka_run_group_tests_name("PSWs and interruptions", tests, NULL, NULL);
}
