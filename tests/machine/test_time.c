// SPDX-License-Identifier: MIT
// Time of a bare machine in virtual mode: interruptions of the clock come when they are due,
// waiting or computing, and nothing depends on where a run is cut into pieces.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine/bare.h"

// z/Architecture, register 1 is 2000:
//   1000 sckc 0(1)         clock comparator from 2000
//   1004 lctlg 0,0,8(1)    control register 0: the comparator's mask
//   100A lpswe 16(1)       wait, or go to 1100 to compute: ahi 5,1; j 1100
// External new PSW: 1200
//   1200 stck 48(1)        when it came
//   1204 lpswe 32(1)       the end
static const uint8_t set_up[] = {0xB2, 0x06, 0x10, 0x00, 0xEB, 0x00, 0x10,
                                 0x08, 0x00, 0x2F, 0xB2, 0xB2, 0x10, 0x10};
static const uint8_t compute[] = {0xA7, 0x5A, 0x00, 0x01, 0xA7, 0xF4, 0xFF, 0xFE};
static const uint8_t interrupted[] = {0xB2, 0x05, 0x10, 0x30, 0xB2, 0xB2, 0x10, 0x20};

static void put64(struct bare *bare, uint64_t address, uint64_t value)
{
    uint8_t bytes[8];
    be64_store(bytes, value);
    assert_true(storage_write(bare->machine->storage, address, bytes, sizeof bytes));
}

static uint64_t get64(struct bare *bare, uint64_t address)
{
    uint8_t bytes[8] = {0};
    assert_true(storage_read(bare->machine->storage, address, bytes, sizeof bytes));
    return be64_load(bytes);
}

static void start(struct bare *bare, tod_t due, bool waiting)
{
    struct storage *storage;

    bare_open(bare, 1, 1);
    storage = bare->machine->storage;
    storage_write(storage, 0x1000, set_up, sizeof set_up);
    storage_write(storage, 0x1100, compute, sizeof compute);
    storage_write(storage, 0x1200, interrupted, sizeof interrupted);
    put64(bare, 0x1B0, 0x0000000180000000); // external new PSW
    put64(bare, 0x1B8, 0x1200);
    put64(bare, 0x2000, due);
    put64(bare, 0x2008, 0x8E0);
    put64(bare, 0x2010, waiting ? 0x0102000180000000 : 0x0100000180000000);
    put64(bare, 0x2018, 0x1100);
    put64(bare, 0x2020, 0x0002000180000000);
    put64(bare, 0x2028, 0);
    assert_int_equal(machine_start_at(bare->machine, 0x1000, true), 0);
    bare->machine->cpu[0]->gr[1] = 0x2000; // base register of it all
}

#define INSTRUCTION 20u // TOD units

static void interrupted_in_time(bool waiting, tod_t span)
{
    struct bare bare;

    start(&bare, BARE_START + span, waiting);
    assert_true(bare_run(&bare, 3600));
    assert_int_equal(bare_end(&bare), 0);
    // Never early; late by no more than the instructions in between.
    assert_in_range(get64(&bare, 0x2030), BARE_START + span + 1,
                    BARE_START + span + 8 * INSTRUCTION);
    bare_close(&bare);
}

static void test_waiting(void **state)
{
    (void)state;
    interrupted_in_time(true, 123456 * TOD_MICROSECOND + 77);
    interrupted_in_time(true, 1000 * TOD_SECOND + 1);
}

static void test_computing(void **state)
{
    (void)state;
    interrupted_in_time(false, 3456 * TOD_MICROSECOND + 77);
    interrupted_in_time(false, 50 * TOD_MICROSECOND);
}

// A run in many pieces is the same run; each piece ends at its time or less than a block later.
static void test_pieces(void **state)
{
    struct bare whole, pieces;
    tod_t due = 20 * TOD_MILLISECOND;

    (void)state;
    start(&whole, BARE_START + due, false);
    assert_true(bare_run(&whole, 1));
    start(&pieces, BARE_START + due, false);
    for (int i = 0; i < 1000 && !bare_run(&pieces, 0.00017); i++)
        assert_true(clock_now(&pieces.world.clock) <= BARE_START + due + 200000);
    assert_int_equal(bare_end(&pieces), 0);
    assert_in_range(get64(&pieces, 0x2030), BARE_START + due + 1,
                    BARE_START + due + 8 * INSTRUCTION);
    assert_in_range(pieces.machine->cpu[0]->instructions, whole.machine->cpu[0]->instructions - 8,
                    whole.machine->cpu[0]->instructions + 8);
    bare_close(&whole);
    bare_close(&pieces);
}

// Time spent is instructions executed.
static void test_busy(void **state)
{
    struct bare bare;

    (void)state;
    start(&bare, BARE_START + 5 * TOD_MILLISECOND, false);
    assert_true(bare_run(&bare, 1));
    assert_int_equal(bare.machine->cpu_busy[0], bare.machine->cpu[0]->instructions * INSTRUCTION);
    assert_int_equal(clock_now(&bare.world.clock), BARE_START + bare.machine->cpu_busy[0]);
    bare_close(&bare);
}

// In real mode the same comes at the host's time, without a CPU that spins for it.
static void test_real_mode(void **state)
{
    struct bare bare;
    tod_t due;

    (void)state;
    start(&bare, 0, true);
    bare.world.clock.mode = CLOCK_REAL;
    due = clock_now(&bare.world.clock) + 5 * TOD_MILLISECOND;
    put64(&bare, 0x2000, due);
    assert_true(bare_run(&bare, 60));
    assert_int_equal(bare_end(&bare), 0);
    assert_true(get64(&bare, 0x2030) > due);
    assert_true(bare.machine->cpu[0]->instructions < 10);
    bare_close(&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waiting),   cmocka_unit_test(test_computing),
        cmocka_unit_test(test_pieces),    cmocka_unit_test(test_busy),
        cmocka_unit_test(test_real_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
