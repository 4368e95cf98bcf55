// SPDX-License-Identifier: MIT
// Dynamic address translation and protection: tables, exceptions, keys, prefixing.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

// --- translation ---------------------------------------------------------------------------------

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

// --- protection ----------------------------------------------------------------------------------

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("translation and protection", tests, NULL, NULL);
}
