// SPDX-License-Identifier: MIT
// DIAGNOSE X'308' and what a bare machine refuses.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/unit_record_file.h"
#include "machine/bare.h"

// A program check ends in a disabled wait of this address, the DIAGNOSE of 1000 in one of 0.
#define CHECK 0xBAD
#define BLOCK 0x3000u

static struct bare bare;

static void put(uint64_t address, const void *bytes, size_t n)
{
    assert_true(storage_write(bare.machine->storage, address, bytes, n));
}

static void put_psw(uint64_t at, uint64_t mask, uint64_t address)
{
    uint8_t psw[16];
    be64_store(psw, mask);
    be64_store(psw + 8, address);
    put(at, psw, sizeof psw);
}

// Runs DIAG 2,4,code with these registers; where it ended.
static int64_t diagnose_with(uint16_t code, uint64_t gr2, uint64_t gr3, uint64_t gr4)
{
    uint8_t text[8] = {0x83, 0x24, (uint8_t)(code >> 8), (uint8_t)code, 0xB2, 0xB2,
                       0x00, 0x20}; // LPSWE 20
    struct cpu *cpu = bare.machine->cpu[0];

    put(0x1000, text, sizeof text);
    put_psw(0x1D0, 0x0002000180000000, CHECK);
    put_psw(0x20, 0x0002000180000000, 0);
    assert_int_equal(machine_start_at(bare.machine, 0x1000, true), 0);
    cpu->gr[2] = gr2;
    cpu->gr[3] = gr3;
    cpu->gr[4] = gr4;
    machine_run(bare.machine, clock_now(&bare.world.clock) + 10 * TOD_SECOND);
    return bare_end(&bare);
}

static int64_t diagnose(uint16_t code, uint64_t gr2, uint64_t gr4)
{
    return diagnose_with(code, gr2, bare.machine->cpu[0]->gr[3], gr4);
}

static int setup(void **state)
{
    (void)state;
    bare_open(&bare, 1, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bare_close(&bare);
    return 0;
}

static unsigned program_code(void)
{
    uint8_t code[2];
    assert_true(storage_read(bare.machine->storage, 0x8E, code, sizeof code));
    return be16_load(code);
}

static void test_unknown(void **state)
{
    (void)state;
    assert_int_equal(diagnose(0x008, 0, 0), CHECK);
    assert_int_equal(program_code(), 0x0006);
    assert_int_equal(diagnose(0x2A8, BLOCK, 0), CHECK);
    assert_int_equal(program_code(), 0x0006);
}

// The watchdog of X'288' needs an action that exists, 15 seconds at least, and to be armed before
// it is changed or cancelled. CPU 0 waits in an endless loop until it bites.
static void test_watchdog(void **state)
{
    static const uint8_t loop[4] = {0xA7, 0xF4, 0x00, 0x00};
    struct cpu *cpu = bare.machine->cpu[0];

    (void)state;
    cpu->instruction_cost = 10 * TOD_MICROSECOND; // so that the loop costs the host little
    cpu->gr[3] = 15;
    assert_int_equal(diagnose_with(0x288, 2, 15, 0), CHECK);  // nothing to cancel
    assert_int_equal(diagnose_with(0x288, 1, 15, 0), CHECK);  // nor to change
    assert_int_equal(diagnose_with(0x288, 0, 14, 0), CHECK);  // too soon
    assert_int_equal(diagnose_with(0x288, 0, 15, 42), CHECK); // no such action
    assert_int_equal(diagnose_with(0x288, 7, 15, 0), CHECK);  // no such function
    assert_int_equal(program_code(), 0x0006);
    assert_int_equal(diagnose_with(0x288, 0, 20, 0), 0);
    assert_true(event_pending(&bare.machine->watchdog));
    assert_int_equal(bare.machine->watchdog.due - clock_now(&bare.world.clock) < 20 * TOD_SECOND,
                     1);
    put_psw(0x1A0, 0x0002000180000000, 0x5EC0); // restart new PSW
    put(0x2000, loop, sizeof loop);
    tod_t due = bare.machine->watchdog.due;
    cpu->psw.address = 0x2000;
    cpu->psw.wait = false;
    assert_true(bare_run(&bare, 30));
    assert_int_equal(bare_end(&bare), 0x5EC0);
    assert_true(clock_now(&bare.world.clock) >= due);
    // A reset disarms it.
    assert_int_equal(diagnose_with(0x288, 0, 20, 0), 0);
    machine_reset(bare.machine, true);
    assert_false(event_pending(&bare.machine->watchdog));
}

static void test_yield(void **state)
{
    (void)state;
    assert_int_equal(diagnose(0x044, 0, 0), 0);
    assert_int_equal(diagnose(0x09C, 0, 0), 0);
}

static void test_bad_subcode(void **state)
{
    (void)state;
    assert_int_equal(diagnose(0x308, BLOCK, 99), CHECK);
    assert_int_equal(program_code(), 0x0006);
    assert_int_equal(diagnose(0x308, BLOCK + 8, 6), CHECK); // not on a page
    assert_int_equal(diagnose(0x308, BLOCK, 3), CHECK);     // nothing to load from
}

static void test_no_block(void **state)
{
    (void)state;
    assert_int_equal(diagnose(0x308, BLOCK, 6), 0);
    assert_int_equal(bare.machine->cpu[0]->gr[3], 0x0102);
}

// What is set is stored, with the LOADPARM.
static void test_set_and_store(void **state)
{
    uint8_t block[200] = {0};

    (void)state;
    be32_store(block, sizeof block);
    be32_store(block + 8, sizeof block - 8);
    block[12] = 2;
    block[13] = 0x80;
    memcpy(block + 16, "\xD7\xC1\xD9\xD4\x40\x40\x40\x40", 8);
    be16_store(block + 110, 0x0191);
    block[112] = 0x40; // parameters
    be32_store(block + 116, 3);
    memcpy(block + 128, "\xC1\xC2\xC3", 3);
    put(BLOCK, block, sizeof block);
    assert_int_equal(diagnose(0x308, BLOCK, 5), 0);
    assert_int_equal(bare.machine->cpu[0]->gr[3], 1);
    assert_int_equal(bare.machine->ipl_device, 0x0191);
    assert_int_equal(bare.machine->ipl_parm_length, 3);
    assert_memory_equal(bare.machine->loadparm, block + 16, 8);
    assert_int_equal(diagnose(0x308, 2 * BLOCK, 6), 0);
    assert_int_equal(bare.machine->cpu[0]->gr[3], 1);
    uint8_t stored[200];
    assert_true(storage_read(bare.machine->storage, 2 * BLOCK, stored, sizeof stored));
    assert_memory_equal(stored, block, sizeof block);
    // A block of another type changes nothing.
    block[12] = 0;
    be16_store(block + 110, 0x0999);
    put(BLOCK, block, sizeof block);
    assert_int_equal(diagnose(0x308, BLOCK, 5), 0);
    assert_int_equal(bare.machine->cpu[0]->gr[3], 0x0402);
    assert_int_equal(bare.machine->ipl_device, 0x0191);
}

// Load-normal reset: the short PSW at absolute 0, in ESA/390 mode.
static void test_restart(void **state)
{
    static const uint8_t psw[8] = {0x00, 0x0A, 0, 0, 0x80, 0, 0x07, 0x77};

    (void)state;
    put(0, psw, sizeof psw);
    assert_int_equal(diagnose(0x308, 1, 1), 0x777);
    assert_int_equal(bare.machine->cpu[0]->arch, ARCH_ESA390);
}

// A 64-bit short PSW goes on in z/Architecture mode.
static void test_restart_64(void **state)
{
    static const uint8_t psw[8] = {0x00, 0x0A, 0, 1, 0x80, 0, 0x07, 0x77};

    (void)state;
    put(0, psw, sizeof psw);
    assert_int_equal(diagnose(0x308, 1, 1), 0x777);
    assert_int_equal(bare.machine->cpu[0]->arch, ARCH_Z);
    assert_true(bare.machine->cpu[0]->psw.ea);
}

// Modified clear reset: the same with registers cleared; storage stays.
static void test_clear(void **state)
{
    static const uint8_t psw[8] = {0x00, 0x0A, 0, 0, 0x80, 0, 0x07, 0x77};
    uint8_t byte = 1;

    (void)state;
    put(0, psw, sizeof psw);
    put(0x5000, &byte, 1);
    assert_int_equal(diagnose(0x308, 1, 0), 0x777);
    assert_int_equal(bare.machine->cpu[0]->arch, ARCH_ESA390);
    assert_int_equal(bare.machine->cpu[0]->gr[2], 0);
    assert_true(storage_read(bare.machine->storage, 0x5000, &byte, 1));
    assert_int_equal(byte, 1);
}

// The same device is loaded again by subcode `subcode`: the deck ends in a disabled wait of 246.
static void load_again(unsigned subcode)
{
    static const uint8_t card[80] = {0x00, 0x0A, 0, 0, 0x80, 0, 0x02, 0x46, // PSW
                                     0x03, 0,    0, 0, 0x20, 0, 0,    1};   // NO-OPERATION
    struct card_hopper *hopper = card_hopper_new();
    struct unit_record_source source = card_hopper_source(hopper);

    card_hopper_add(hopper, card, sizeof card);
    css_attach(bare.machine->css, card_reader_new(0x000C, 0x2540, &source), false);
    bare.machine->ipl_device = 0x000C;
    bare.machine->ipl_device_valid = true;
    assert_int_equal(diagnose(0x308, 1, subcode), 0x246);
    assert_false(bare.machine->ipl_failed);
    css_detach(bare.machine->css, 0x000C, false);
    card_hopper_free(hopper);
}

static void test_load_again(void **state)
{
    (void)state;
    load_again(3);
}

// Load normal keeps storage, and resets the CPU all the same. The parameters are in the registers.
static void test_load_normal(void **state)
{
    const struct cpu *cpu = bare.machine->cpu[0];
    uint8_t byte = 1;
    char parameters[IPL_PARM_BYTES + 2];

    (void)state;
    memset(parameters, 'x', sizeof parameters - 1);
    parameters[sizeof parameters - 1] = '\0';
    assert_false(machine_set_ipl_parm(bare.machine, parameters));
    assert_true(machine_set_ipl_parm(bare.machine, "abcde"));
    put(0x5000, &byte, 1);
    bare.machine->cpu[0]->cr[0] |= 0x10000000u; // low-address protection
    load_again(4);
    assert_int_equal(cpu->cr[0], 0xE0);
    assert_int_equal(cpu->gr[0], 0x81828384);
    assert_int_equal(cpu->gr[1], 0x85000000);
    assert_int_equal(cpu->gr[15], 0);
    assert_true(storage_read(bare.machine->storage, 0x5000, &byte, 1));
    assert_int_equal(byte, 1);
}

static void test_device_gone(void **state)
{
    (void)state;
    bare.machine->ipl_device = 0x0777;
    bare.machine->ipl_device_valid = true;
    diagnose(0x308, 1, 4);
    assert_true(bare.machine->ipl_failed);
    assert_string_equal(bare.machine->ipl_reason, "no such device");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_unknown),     TEST(test_watchdog),    TEST(test_yield),
        TEST(test_bad_subcode), TEST(test_no_block),    TEST(test_set_and_store),
        TEST(test_restart),     TEST(test_restart_64),  TEST(test_clear),
        TEST(test_load_again),  TEST(test_load_normal), TEST(test_device_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
