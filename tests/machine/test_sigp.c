// SPDX-License-Identifier: MIT
// SIGP orders between stopped CPUs: condition codes, status bits and effects.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine/bare.h"

#define UNTOUCHED 0xDEADu

static struct bare bare;
static uint32_t status;

static int sigp(uint8_t order, uint16_t address, uint64_t parameter)
{
    status = UNTOUCHED;
    return machine_sigp(bare.machine, bare.machine->cpu[0], order, address, parameter, &status);
}

static int setup(void **state)
{
    (void)state;
    bare_open(&bare, 16, 2);
    atomic_store(&bare.machine->cpu[0]->state, CPU_OPERATING);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bare_close(&bare);
    return 0;
}

static void test_absent(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x01, 2, 0), 3);
    assert_int_equal(sigp(0x01, 0xFFFF, 0), 3);
    assert_int_equal(sigp(0x77, 2, 0), 3);
    assert_int_equal(status, UNTOUCHED);
}

static void test_invalid_order(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x77, 1, 0), 1);
    assert_int_equal(status, 0x002);
}

static void test_sense(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x01, 1, 0), 1);
    assert_int_equal(status, 0x040);
    assert_int_equal(sigp(0x01, 0, 0), 0);
    assert_int_equal(sigp(0x15, 1, 0), 1);
    assert_int_equal(status, 0x400);
    assert_int_equal(sigp(0x15, 0, 0), 0);
}

static void test_external_call_once(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x02, 1, 0), 0);
    assert_int_equal(sigp(0x02, 1, 0), 1);
    assert_int_equal(status, 0x080);
    assert_int_equal(sigp(0x01, 1, 0), 1);
    assert_int_equal(status, 0x0C0); // call pending, stopped
    assert_int_equal(atomic_load(&bare.machine->cpu[1]->external_call), 1);
}

static void test_emergency(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x03, 1, 0), 0);
    assert_int_equal(sigp(0x03, 1, 0), 0);
    assert_int_equal(atomic_load(&bare.machine->cpu[1]->emergency[0]), 1);
}

static void test_conditional_emergency(void **state)
{
    struct cpu *target = bare.machine->cpu[1];

    (void)state;
    // Stopped and enabled, in another address space: there is no need.
    target->psw.io = target->psw.external = true;
    target->cr[3] = 5;
    target->cr[4] = 6;
    assert_int_equal(sigp(0x13, 1, 7), 1);
    assert_int_equal(status, 0x200);
    assert_int_equal(atomic_load(&target->emergency[0]), 0);
    assert_int_equal(sigp(0x13, 1, 6), 0);
    assert_int_equal(atomic_load(&target->emergency[0]), 1);
}

static void test_prefix(void **state)
{
    struct cpu *target = bare.machine->cpu[1];

    (void)state;
    cpu_set_architecture(target, ARCH_Z);
    assert_int_equal(sigp(0x0D, 1, 0x40000000), 1);
    assert_int_equal(status, 0x100);
    assert_int_equal(sigp(0x0D, 1, 0x23456), 0);
    assert_int_equal(target->prefix, 0x22000); // 8 KiB
    assert_int_equal(sigp(0x0D, 0, 0x24000), 1);
    assert_int_equal(status, 0x200);
    assert_int_equal(bare.machine->cpu[0]->prefix, 0);
}

static void test_set_architecture(void **state)
{
    (void)state;
    assert_int_equal(sigp(0x12, 0, 3), 1);
    assert_int_equal(status, 0x100);
    assert_int_equal(sigp(0x12, 99, 1), 0); // the CPU address does not matter
    assert_int_equal(bare.machine->cpu[0]->arch, ARCH_Z);
    assert_int_equal(bare.machine->cpu[1]->arch, ARCH_Z);
    assert_int_equal(sigp(0x12, 0, 2), 1);
    assert_int_equal(status, 0x100);
    atomic_store(&bare.machine->cpu[1]->state, CPU_OPERATING);
    assert_int_equal(sigp(0x12, 0, 0), 1);
    assert_int_equal(status, 0x200);
    assert_int_equal(bare.machine->cpu[0]->arch, ARCH_Z);
}

static void test_store_status_at_address(void **state)
{
    struct cpu *target = bare.machine->cpu[1];
    uint8_t area[8];

    (void)state;
    cpu_set_architecture(target, ARCH_Z);
    target->gr[5] = UINT64_C(0x1122334455667788);
    assert_int_equal(sigp(0x0E, 1, 0x7FFFF000), 1);
    assert_int_equal(status, 0x100);
    assert_int_equal(sigp(0x0E, 1, 0x8000), 0);
    assert_true(storage_read(bare.machine->storage, 0x8080 + 5 * 8, area, sizeof area));
    assert_int_equal(be64_load(area), target->gr[5]);
}

// A running CPU is stopped first; until then it is busy, and afterwards its status is there.
static void test_stop_and_store_status(void **state)
{
    struct cpu *target = bare.machine->cpu[1];
    uint8_t area[8];

    (void)state;
    cpu_set_architecture(target, ARCH_Z);
    target->psw.ea = target->psw.ba = target->psw.wait = target->psw.external = true;
    target->gr[3] = 42;
    atomic_store(&bare.machine->cpu[0]->state, CPU_STOPPED);
    assert_int_equal(sigp(0x04, 1, 0), 0);
    assert_int_equal(atomic_load(&target->state), CPU_OPERATING);
    assert_int_equal(sigp(0x09, 1, 0), 0);
    assert_int_equal(sigp(0x01, 1, 0), 2);
    assert_true(bare_run(&bare, 1));
    assert_int_equal(sigp(0x01, 1, 0), 1);
    assert_int_equal(status, 0x040);
    assert_true(storage_read(bare.machine->storage, 0x1280 + 3 * 8, area, sizeof area));
    assert_int_equal(be64_load(area), 42);
    assert_true(storage_read(bare.machine->storage, 0xA3, area, 1));
    assert_int_equal(area[0], 1);
}

static void test_initial_reset(void **state)
{
    struct cpu *target = bare.machine->cpu[1];

    (void)state;
    target->cr[6] = 1;
    target->gr[6] = 1;
    assert_int_equal(sigp(0x0C, 1, 0), 0); // CPU reset leaves control registers
    assert_int_equal(target->cr[6], 1);
    assert_int_equal(sigp(0x0B, 1, 0), 0);
    assert_int_equal(target->cr[6], 0);
    assert_int_equal(target->cr[0], 0xE0);
    assert_int_equal(target->gr[6], 1);
}

// The last bits of the address say how much room there is: guarded-storage controls need 2 KB.
static void test_additional_status(void **state)
{
    struct cpu *target = bare.machine->cpu[1];
    uint8_t area[2048];

    (void)state;
    target->vr[31].low = 0x31;
    target->guarded.designation = 0x7A000019;
    for (unsigned power = 0; power <= 13; power++) {
        bool good = power == 0 || (power >= 10 && power <= 12);

        memset(area, 0xFF, sizeof area);
        assert_true(storage_write(bare.machine->storage, 0x10000, area, sizeof area));
        assert_int_equal(sigp(0x17, 1, 0x10000 | power), good ? 0 : 1);
        if (!good)
            assert_int_equal(status, 0x100);
        assert_true(storage_read(bare.machine->storage, 0x10000, area, sizeof area));
        assert_int_equal(be64_load(area + 504), good ? 0x31 : UINT64_MAX);
        assert_int_equal(be64_load(area + 1032), good && power > 10 ? 0x7A000019 : UINT64_MAX);
        assert_int_equal(be64_load(area + 1056), UINT64_MAX);
    }
    assert_int_equal(sigp(0x17, 1, 0x10400 | 11), 1); // not on a boundary of 2 KB
    assert_int_equal(status, 0x100);
    cpu_facility_set(target, 133, false);
    assert_int_equal(sigp(0x17, 1, 0x10000 | 11), 1);
    assert_int_equal(sigp(0x17, 1, 0x10400), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_additional_status),     TEST(test_absent),
        TEST(test_invalid_order),         TEST(test_sense),
        TEST(test_external_call_once),    TEST(test_emergency),
        TEST(test_conditional_emergency), TEST(test_prefix),
        TEST(test_set_architecture),      TEST(test_store_status_at_address),
        TEST(test_stop_and_store_status), TEST(test_initial_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
