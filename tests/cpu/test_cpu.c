// SPDX-License-Identifier: MIT
// The CPU around its instructions: ESA/390 mode, PER, what is behind the door, what debuggers and
// STORE STATUS see.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

// --- ESA/390 -------------------------------------------------------------------------------------

static void test_esa390(void **state)
{
    (void)state;
    struct bare *bare = bare_new(4);
    cpu_reset(bare->cpu, CPU_RESET_CLEAR);
    static const uint8_t ipl[8] = {0, 0x08, 0, 0, 0x80, 0, 0x20, 0};
    cpu_psw_unpack_short(bare->cpu, ipl);
    atomic_store(&bare->cpu->state, CPU_OPERATING);
    // SIGP SET ARCHITECTURE turns into z/Architecture; SAM64; LGHI; LPSWE.
    rig_hex(bare, CODE, "A718 0001 1700 AE00 0012 010E A759 FFFF B2B2 0E00");
    bare_put64(bare, 0xE00, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0xE08, 0x600D);
    assert_int_equal(bare->cpu->arch, ARCH_ESA390);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->arch, ARCH_Z);
    assert_int_equal(bare->cpu->gr[5], UINT64_MAX);
    bare_free(bare);
    // What is only in z/Architecture is an operation exception before, with short PSWs.
    bare = bare_new(4);
    cpu_reset(bare->cpu, CPU_RESET_CLEAR);
    cpu_psw_unpack_short(bare->cpu, ipl);
    atomic_store(&bare->cpu->state, CPU_OPERATING);
    rig_hex(bare, CODE, "010E");
    bare_put64(bare, 0x68, UINT64_C(0x000A000080000BAD));
    assert_int_equal(rig_run(bare), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0xBAD);
    assert_int_equal(bare_get32(bare, 0x8C), 0x00020001);
    assert_int_equal(bare_get64(bare, 0x28), UINT64_C(0x0008000080002002));
    bare_free(bare);
}

// --- PER and tracing -----------------------------------------------------------------------------

static void test_per(void **state)
{
    (void)state;
    struct bare *bare = rig_new("1811 5010 0F00 A7F4 0002 B2B2 0E00");
    bare->cpu->psw.per = true;
    bare->cpu->cr[9] = 0x20000000; // storage alteration
    bare->cpu->cr[10] = 0xF02;
    bare->cpu->cr[11] = 0xF03;
    assert_int_equal(rig_fault(bare), 0x80);
    assert_int_equal(bare_get32(bare, 0x94) & 0xFFFF, 0x20E0); // storing, 64-bit, DAT off
    assert_int_equal(bare_get64(bare, 0x98), CODE + 2);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 6);
    bare_free(bare);
    bare = rig_new("1811 A7F4 0004 B2B2 0E00 B2B2 0E00");
    bare->cpu->psw.per = true;
    bare->cpu->cr[9] = 0x80000000; // branches
    assert_int_equal(rig_fault(bare), 0x80);
    assert_int_equal(bare_get64(bare, 0x98), CODE + 2);
    bare_free(bare);
}

// --- bare semantics behind the door --------------------------------------------------------------

static void test_system_instructions(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B202 0F00 B212 0F08 B211 0F0C B2B1 0000 B2B0 0F10");
    bare->cpu->cpu_id = UINT64_C(0xFF00012328170000);
    bare->cpu->address = 3;
    bare->cpu->gr[0] = 0;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF00), UINT64_C(0xFF00012328170000));
    assert_int_equal(bare_get32(bare, 0xF08) >> 16, 3);
    assert_int_equal(bare_get64(bare, 0xF10), bare->cpu->facilities[0]);
    assert_int_equal(bare_get32(bare, 0xC8), bare->cpu->facilities[0] >> 32);
    assert_int_equal(bare->intercepts, 3);
    bare_free(bare);
    bare = rig_new("8300 0044"); // DIAGNOSE with nobody to handle it
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    bare = rig_new("B2F0 0000"); // IUCV is the hypervisor's
    assert_int_equal(rig_fault(bare), 1);
    bare_free(bare);
}

static void test_io_instructions(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B233 0F00 B222 0020 B234 0F80");
    bare->cpu->gr[1] = 0x00010000;
    bare_put64(bare, 0xF00, UINT64_C(0xDEADBEEF01020304));
    assert_true(rig_good(bare));
    assert_int_equal(be64_load(bare->orb), UINT64_C(0xDEADBEEF01020304));
    assert_int_equal(bare_get32(bare, 0xF80), 0x5A5A5A5A);
    assert_int_equal(bare->io_calls, 2);
    bare_free(bare);
    bare = rig_new("B233 0F00");
    bare->cpu->gr[1] = 7; // not a subsystem identification
    assert_int_equal(rig_fault(bare), 0x15);
    bare_free(bare);
    bare = rig_new("B233 0F02");
    bare->cpu->gr[1] = 0x00010000;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

static void test_translate_for_debuggers(void **state)
{
    (void)state;
    struct bare *bare = rig_new("");
    uint64_t absolute;
    rig_dat(bare);
    bare_put64(bare, rig_pte(0x81000), 0x92000);
    assert_int_equal(cpu_translate(bare->cpu, 0x81234, &absolute), 0);
    assert_int_equal(absolute, 0x92234);
    bare_put64(bare, rig_pte(0x81000), 0x400);
    assert_int_equal(cpu_translate(bare->cpu, 0x81234, &absolute), 0x11);
    bare_free(bare);
}

static void test_store_status(void **state)
{
    (void)state;
    struct bare *bare = rig_new("");
    bare->cpu->gr[7] = 777;
    bare->cpu->cr[3] = 333;
    bare->cpu->ar[15] = 15;
    bare->cpu->vr[2].high = 222;
    cpu_store_status(bare->cpu, 0x1200);
    assert_int_equal(bare_get64(bare, 0x1280 + 7 * 8), 777);
    assert_int_equal(bare_get64(bare, 0x1380 + 3 * 8), 333);
    assert_int_equal(bare_get32(bare, 0x1340 + 15 * 4), 15);
    assert_int_equal(bare_get64(bare, 0x1200 + 2 * 8), 222);
    assert_int_equal(bare_get64(bare, 0x1308), CODE);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_esa390),
        cmocka_unit_test(test_per),
        cmocka_unit_test(test_system_instructions),
        cmocka_unit_test(test_io_instructions),
        cmocka_unit_test(test_translate_for_debuggers),
        cmocka_unit_test(test_store_status),
    };
    return cmocka_run_group_tests_name("the CPU around its instructions", tests, NULL, NULL);
}
