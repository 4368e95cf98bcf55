// SPDX-License-Identifier: MIT
// The CPU around its instructions: PSWs, interruptions, translation, protection, keys, prefixing,
// timers, EXECUTE, code that changes itself, budgets.
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

// --- program interruptions
// --------------------------------------------------------------------------

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

// --- external, I/O, restart
// ----------------------------------------------------------------------------

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

// --- timers
// ------------------------------------------------------------------------------------------

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

// --- translation
// -----------------------------------------------------------------------------------------

static void test_dat_maps(void **state)
{
    (void)state;
    struct bare *bare = rig_new("E310 2000 0104 E310 2008 0124"); // LG R1,X'1000'(R2); STG 8(R2)...
    rig_dat(bare);
    bare->cpu->gr[2] = 0x80000;
    bare_put64(bare, rig_pte(0x81000), 0x92000);
    bare_put64(bare, 0x92000, UINT64_C(0x1122334455667788));
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], UINT64_C(0x1122334455667788));
    assert_int_equal(bare_get64(bare, 0x92008), UINT64_C(0x1122334455667788));
    bare_free(bare);
}

static void test_dat_exceptions(void **state)
{
    (void)state;
    static const struct {
        uint64_t pte, ste, address;
        unsigned expect, teid;
    } cases[] = {
        {0x400, 0, 0x81000, 0x11, 0},   {0, 0x20, 0x300000, 0x10, 0}, {0x800, 0, 0x81000, 0x12, 0},
        {0x92200, 0, 0x81000, 4, 4},    {0, 0, 0x40000000, 0x10, 0},  {0, 0, 0x80000000, 0x38, 0},
        {0x10000000, 0, 0x81000, 5, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new("5010 2000"); // ST
        rig_dat(bare);
        bare->cpu->gr[2] = cases[i].address;
        if (cases[i].pte)
            bare_put64(bare, rig_pte(0x81000), cases[i].pte);
        if (cases[i].ste)
            bare_put64(bare, 0x100000 + (cases[i].address >> 20) * 8, cases[i].ste);
        assert_int_equal(rig_fault(bare), cases[i].expect);
        bool nullified = cases[i].expect >= 0x10 && cases[i].expect != 0x12;
        assert_int_equal(bare_get64(bare, 0x158), nullified ? CODE : CODE + 4);
        if (cases[i].expect != 5 && cases[i].expect != 0x12)
            assert_int_equal(bare_get64(bare, 0xA8), cases[i].address | cases[i].teid | 0x400);
        bare_free(bare);
    }
}

// A store across two pages of which the second is not there changes nothing.
static void test_page_crossing(void **state)
{
    (void)state;
    struct bare *bare = rig_new("E310 2000 0024");
    rig_dat(bare);
    bare_put64(bare, rig_pte(0x82000), 0x400);
    bare_put64(bare, 0x81FF8, 0x5555);
    bare->cpu->gr[1] = UINT64_MAX;
    bare->cpu->gr[2] = 0x81FFC;
    assert_int_equal(rig_fault(bare), 0x11);
    assert_int_equal(bare_get64(bare, 0xA8), 0x82400);
    assert_int_equal(bare_get64(bare, 0x81FF8), 0x5555);
    bare_free(bare);
    bare = rig_new("E310 2000 0024");
    rig_dat(bare);
    bare_put64(bare, rig_pte(0x82000), 0x95000);
    bare->cpu->gr[1] = UINT64_C(0x0102030405060708);
    bare->cpu->gr[2] = 0x81FFC;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, 0x81FFC), 0x01020304);
    assert_int_equal(bare_get32(bare, 0x95000), 0x05060708);
    bare_free(bare);
}

// A page that may be read but not executed, with the control on and off.
static void test_execution_protection(void **state)
{
    (void)state;
    for (unsigned on = 0; on < 2; on++) {
        struct bare *bare = rig_new("07F2"); // BR R2
        rig_dat(bare);
        bare_put64(bare, rig_pte(0x81000), 0x81100);
        rig_hex(bare, 0x81000, "B2B2 0E00");
        bare->cpu->gr[2] = 0x81000;
        if (on)
            bare->cpu->cr[0] |= UINT64_C(1) << 20;
        assert_int_equal(rig_fault(bare), on ? 4 : 0);
        if (on)
            assert_int_equal(bare_get64(bare, 0xA8), 0x81884);
        bare_free(bare);
    }
}

// IPTE makes a translation that was in use invalid.
static void test_ipte(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000 B221 0032 5810 2000"); // L, IPTE R3,R2, L
    rig_dat(bare);
    bare->cpu->gr[2] = 0x81000;
    bare->cpu->gr[3] = 0x110000;
    assert_int_equal(rig_fault(bare), 0x11);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 8);
    assert_int_equal(bare_get64(bare, rig_pte(0x81000)), 0x81400);
    assert_int_equal(bare->flushes, 1);
    bare_free(bare);
}

// Switching control register 1 and back keeps both spaces apart.
static void test_two_spaces(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000 EB11 0F00 002F 5830 2000 EB11 0F08 002F 5840 2000");
    rig_dat(bare);
    for (unsigned i = 0; i < 512; i++)
        bare_put64(bare, 0x120000 + i * 8, bare_get64(bare, 0x100000 + i * 8));
    bare_put64(bare, 0x120000, 0x130000); // its first segment has pages of its own
    for (unsigned p = 0; p < 256; p++)
        bare_put64(bare, 0x130000 + p * 8, p << 12);
    bare_put64(bare, 0x130000 + 0x81 * 8, 0x91000);
    bare_put64(bare, 0xF00, 0x120000);
    bare_put64(bare, 0xF08, 0x100000);
    bare_put32(bare, 0x81000, 111);
    bare_put32(bare, 0x91000, 222);
    bare->cpu->gr[2] = 0x81000;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 111);
    assert_int_equal(bare->cpu->gr[3], 222);
    assert_int_equal(bare->cpu->gr[4], 111);
    bare_free(bare);
}

static void test_large_page(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000");
    rig_dat(bare);
    cpu_facility_set(bare->cpu, 8, true);
    bare->cpu->cr[0] |= UINT64_C(1) << 23;
    bare_put64(bare, 0x100000 + 3 * 8, 0x200000 | 0x400); // segment 3 is frame 2
    bare_put32(bare, 0x2ABCD0, 0x77);
    bare->cpu->gr[2] = 0x3ABCD0;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0x77);
    bare_free(bare);
}

// Three levels of region tables and their lengths.
static void test_region_tables(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000");
    rig_dat(bare);
    bare_put64(bare, 0x140000, 0x100000 | 4);  // region third, one entry: TT 01, TL 0
    bare_put64(bare, 0x148000, 0x140000 | 8);  // region second
    bare_put64(bare, 0x150000, 0x148000 | 12); // region first
    bare->cpu->cr[1] = 0x150000 | 12;
    bare->cpu->gr[2] = 0x81000;
    bare_put32(bare, 0x81000, 0x1234);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0x1234);
    bare_free(bare);
    for (unsigned level = 0; level < 3; level++) {
        static const unsigned codes[] = {0x3B, 0x3A, 0x39};
        bare = rig_new("5810 2000");
        rig_dat(bare);
        bare_put64(bare, 0x140000, 0x100000 | 4);
        bare_put64(bare, 0x148000, 0x140000 | 8);
        bare_put64(bare, 0x150000, 0x148000 | 12);
        bare->cpu->cr[1] = 0x150000 | 12;
        bare->cpu->gr[2] = UINT64_C(0x81000) | UINT64_C(1) << (31 + 11 * level + 9); // index 512
        assert_int_equal(rig_fault(bare), codes[level]);
        bare_free(bare);
    }
}

// --- protection
// ------------------------------------------------------------------------------------------

static void test_low_address_protection(void **state)
{
    (void)state;
    static const struct {
        unsigned address;
        bool refused;
    } cases[] = {{0x1F8, true}, {0x200, false}, {0x11F8, true}, {0x1200, false}, {0x1000, true}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new("5010 2000");
        bare->cpu->cr[0] |= UINT64_C(1) << 28;
        bare->cpu->gr[2] = cases[i].address;
        assert_int_equal(rig_fault(bare), cases[i].refused ? 4 : 0);
        bare_free(bare);
    }
}

static void test_key_protection(void **state)
{
    (void)state;
    static const struct {
        uint8_t key, psw_key;
        bool store;
        uint64_t cr0;
        bool refused;
    } cases[] = {
        {0x30, 3, true, 0, false}, {0x30, 4, true, 0, true},   {0x30, 4, false, 0, false},
        {0x38, 4, false, 0, true}, {0x38, 0, false, 0, false}, {0x90, 4, true, 1 << 24, false},
        {0x90, 4, true, 0, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new(cases[i].store ? "5010 2000" : "5810 2000");
        storage_set_key(bare->storage, 0x80000, cases[i].key);
        bare->cpu->cr[0] |= cases[i].cr0;
        bare->cpu->psw.key = cases[i].psw_key;
        bare->cpu->gr[2] = 0x80000;
        rig_run(bare);
        // The end of the program loads a PSW from key-0 storage, which anyone may fetch.
        assert_int_equal(bare->cpu->psw.address, cases[i].refused ? 0xBAD : 0x600D);
        if (!cases[i].refused)
            assert_int_equal(storage_key(bare->storage, 0x80000),
                             cases[i].key | (cases[i].store ? KEY_R | KEY_C : KEY_R));
        bare_free(bare);
    }
}

// SSKE changes what the lookaside table already knows.
static void test_key_instructions(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5010 2000 B22B 0032 B229 0042 B20A 0050 5010 2000");
    bare->cpu->gr[2] = 0x80000;
    bare->cpu->gr[3] = 0x30;
    assert_int_equal(rig_fault(bare), 4); // key 5 against 3
    assert_int_equal(bare->cpu->gr[4], 0x30);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 20);
    bare_free(bare);
    bare = rig_new("B22A 0002"); // RRBE: cc shows R and C
    bare->cpu->gr[2] = 0x80000;
    storage_set_key(bare->storage, 0x80000, 0x36);
    assert_true(rig_good(bare));
    assert_int_equal(storage_key(bare->storage, 0x80000), 0x32);
    bare_free(bare);
}

static void test_prefix(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B210 0F00 E310 0200 0004 E320 3200 0004");
    bare_put32(bare, 0xF00, 0x20000);
    bare_put64(bare, 0x20200, 111); // real X'200' now
    bare_put64(bare, 0x200, 222);   // real X'20200'
    // The code's page moves as well.
    uint8_t page[0x2000];
    storage_read(bare->storage, 0, page, sizeof page);
    bare_put(bare, 0x20000, page, 0x200);
    rig_hex(bare, 0x20E00, "0002000180000000 000000000000600D");
    bare->cpu->gr[3] = 0x20000;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 111);
    assert_int_equal(bare->cpu->gr[2], 222);
    assert_int_equal(bare->intercepts, 1);
    bare_free(bare);
}

// --- EXECUTE, changing code, budgets
// ---------------------------------------------------------------------

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

// --- ESA/390
// -------------------------------------------------------------------------------------------

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

// --- PER and tracing
// -------------------------------------------------------------------------------------

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

// --- bare semantics behind the door
// -----------------------------------------------------------------------

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
        cmocka_unit_test(test_dat_maps),
        cmocka_unit_test(test_dat_exceptions),
        cmocka_unit_test(test_page_crossing),
        cmocka_unit_test(test_execution_protection),
        cmocka_unit_test(test_ipte),
        cmocka_unit_test(test_two_spaces),
        cmocka_unit_test(test_large_page),
        cmocka_unit_test(test_region_tables),
        cmocka_unit_test(test_low_address_protection),
        cmocka_unit_test(test_key_protection),
        cmocka_unit_test(test_key_instructions),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_code_that_changes),
        cmocka_unit_test(test_code_lines),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_instruction_across_pages),
        cmocka_unit_test(test_esa390),
        cmocka_unit_test(test_per),
        cmocka_unit_test(test_system_instructions),
        cmocka_unit_test(test_io_instructions),
        cmocka_unit_test(test_translate_for_debuggers),
        cmocka_unit_test(test_store_status),
    };
    return cmocka_run_group_tests_name("the CPU around its instructions", tests, NULL, NULL);
}
