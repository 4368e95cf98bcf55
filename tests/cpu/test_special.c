// SPDX-License-Identifier: MIT
// Instructions that the comparison with another CPU leaves out: locked operations, moves between
// spaces and keys, access registers, addressing modes, Unicode, time.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

static void test_compare_swap_and_store(void **state)
{
    (void)state;
    struct bare *bare = rig_new("C832 0F00 0F10 B222 0050"); // CSST R3; IPM
    bare->cpu->gr[0] = 0x0201;                               // doubleword swap, word store
    bare->cpu->gr[1] = 0xF20;
    bare->cpu->gr[3] = 111;
    bare_put64(bare, 0xF00, 111);
    bare_put64(bare, 0xF20, 222);
    bare_put64(bare, 0xF30, UINT64_C(0x3333333344444444));
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF00), 222);
    assert_int_equal(bare_get64(bare, 0xF10), UINT64_C(0x3333333300000000));
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 0);
    bare_free(bare);
    bare = rig_new("C832 0F00 0F10 B222 0050");
    bare->cpu->gr[0] = 0x0201;
    bare->cpu->gr[1] = 0xF20;
    bare->cpu->gr[3] = 111;
    bare_put64(bare, 0xF00, 999);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[3], 999);
    assert_int_equal(bare_get64(bare, 0xF10), 0);
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 1);
    bare_free(bare);
}

static void test_locked_operation(void **state)
{
    (void)state;
    struct bare *bare = rig_new("EE24 0F00 0F10 B222 0080"); // PLO R2,D2,R4,D4: compare and swap
    bare->cpu->gr[0] = 4;
    bare->cpu->gr[2] = 10;
    bare->cpu->gr[3] = 20;
    bare_put32(bare, 0xF00, 10);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, 0xF00), 20);
    assert_int_equal(bare->cpu->gr[8] >> 28 & 3, 0);
    bare_free(bare);
    bare = rig_new("EE24 0F00 0F10 B222 0080"); // double compare and swap, second one unequal
    bare->cpu->gr[0] = 8;
    bare->cpu->gr[2] = 10;
    bare->cpu->gr[3] = 20;
    bare->cpu->gr[4] = 30;
    bare_put32(bare, 0xF00, 10);
    bare_put32(bare, 0xF10, 31);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, 0xF00), 10);
    assert_int_equal(bare->cpu->gr[4], 31);
    assert_int_equal(bare->cpu->gr[8] >> 28 & 3, 2);
    bare_free(bare);
    bare = rig_new("EE24 0F00 0F10 B222 0080"); // compare and swap and store
    bare->cpu->gr[0] = 12;
    bare->cpu->gr[2] = 10;
    bare->cpu->gr[3] = 20;
    bare->cpu->gr[4] = 77;
    bare_put32(bare, 0xF00, 10);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, 0xF00), 20);
    assert_int_equal(bare_get32(bare, 0xF10), 77);
    bare_free(bare);
    bare =
        rig_new("EE24 0F00 0F10"); // a store that is refused changes nothing and lets the lock go
    bare->cpu->gr[0] = 12;
    bare->cpu->gr[2] = 10;
    bare->cpu->psw.key = 3;
    bare_put32(bare, 0xF00, 10);
    assert_int_equal(rig_fault(bare), 4);
    bare->cpu->psw.wait = false;
    bare->cpu->psw.key = 0;
    bare->cpu->psw.address = CODE;
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = rig_new("EE24 0F00 0F10 B222 0080"); // test for a function that there is not
    bare->cpu->gr[0] = 0x100 | 24;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[8] >> 28 & 3, 3);
    bare_free(bare);
}

// MVCOS from the secondary space, as Linux reads user storage.
static void test_move_between_spaces(void **state)
{
    (void)state;
    struct bare *bare = rig_new("C830 0F00 4000 B222 0080"); // MVCOS 0F00,0(R4),R3
    rig_dat(bare);
    for (unsigned i = 0; i < 512; i++)
        bare_put64(bare, 0x120000 + i * 8, i ? 0x20 : 0x130000);
    for (unsigned p = 0; p < 256; p++)
        bare_put64(bare, 0x130000 + p * 8, 0x400);
    bare_put64(bare, 0x130000 + 0x50 * 8, 0x90000);
    bare->cpu->cr[7] = 0x120000;
    bare->cpu->cr[0] |= UINT64_C(1) << 26;
    bare->cpu->gr[0] = 0x00000081;
    bare->cpu->gr[3] = 8;
    bare->cpu->gr[4] = 0x50010;
    bare_put64(bare, 0x90010, UINT64_C(0xABCDEF0123456789));
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF00), UINT64_C(0xABCDEF0123456789));
    assert_int_equal(bare->cpu->gr[8] >> 28 & 3, 0);
    bare_free(bare);
    bare = rig_new("C830 0F00 4000");
    rig_dat(bare);
    bare->cpu->cr[7] = 0x120000;
    for (unsigned i = 0; i < 512; i++)
        bare_put64(bare, 0x120000 + i * 8, 0x20);
    bare->cpu->gr[0] = 0x00000081;
    bare->cpu->gr[3] = 8;
    bare->cpu->gr[4] = 0x50010;
    assert_int_equal(rig_fault(bare), 0x10);
    assert_int_equal(bare_get64(bare, 0xA8) & 3, 2); // in the secondary space
    bare_free(bare);
}

static void test_access_registers(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B24E 0021 B24D 0032 B24F 0043"); // SAR 2,1; CPYA 3,2; EAR 4,3
    bare->cpu->gr[1] = 0x12345678;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[4], 0x12345678);
    assert_int_equal(bare->cpu->ar[2], 0x12345678);
    bare_free(bare);
    bare = rig_new("5810 2000"); // L in access-register mode, ALET 1: the secondary space
    rig_dat(bare);
    for (unsigned i = 0; i < 512; i++)
        bare_put64(bare, 0x120000 + i * 8, i ? 0x20 : 0x130000);
    for (unsigned p = 0; p < 256; p++)
        bare_put64(bare, 0x130000 + p * 8, 0x90000);
    bare->cpu->cr[7] = 0x120000;
    bare->cpu->psw.as = 1;
    bare->cpu->ar[2] = 1;
    bare->cpu->gr[2] = 0x81000;
    bare_put32(bare, 0x90000, 0x5555);
    bare_put32(bare, 0x81000, 0x4444);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0x5555);
    bare_free(bare);
    bare = rig_new("5810 2000"); // an ALET that designates nothing
    rig_dat(bare);
    bare->cpu->psw.as = 1;
    bare->cpu->ar[2] = 0x02000000;
    assert_int_equal(rig_fault(bare), 0x28);
    uint8_t id;
    storage_read(bare->storage, 0xA0, &id, 1);
    assert_int_equal(id, 2);
    bare_free(bare);
}

static void test_addressing_modes(void **state)
{
    (void)state;
    // TAM in each mode by SAM24, SAM31, SAM64; IPM keeps each condition code.
    struct bare *bare = rig_new("010C 010B B222 0010 010D 010B B222 0020 010E 010B B222 0030");
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1] >> 28 & 3, 0);
    assert_int_equal(bare->cpu->gr[2] >> 28 & 3, 1);
    assert_int_equal(bare->cpu->gr[3] >> 28 & 3, 3);
    bare_free(bare);
    bare = rig_new("0C12"); // BASSM to 31-bit mode: the link remembers 64
    rig_hex(bare, 0x3000, "5840 5000 B2B2 0E00");
    bare->cpu->gr[2] = 0x80003000;
    bare->cpu->gr[5] = UINT64_C(0xFFFFFFFF00000F00); // cut to 31 bits there
    bare_put32(bare, 0xF00, 99);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], CODE + 3);
    assert_int_equal(bare->cpu->gr[4], 99);
    bare_free(bare);
}

static void test_unicode(void **state)
{
    (void)state;
    static const struct {
        const char *code, *from, *to;
        unsigned n, cc;
    } cases[] = {
        {"B2A7 0024 B222 00A0", "41C3A4E282ACF09D849E", "004100E420ACD834DD1E", 10, 0}, // CU12
        {"B2A6 0024 B222 00A0", "004100E420ACD834DD1E", "41C3A4E282ACF09D849E", 10, 0}, // CU21
        {"B9B0 0024 B222 00A0", "41E282AC", "00000041000020AC", 4, 0},                  // CU14
        {"B9B2 0024 B222 00A0", "00000041000020AC", "41E282AC", 8, 0},                  // CU41
        {"B9B3 0024 B222 00A0", "0001D11E", "D834DD1E", 4, 0},                          // CU42
        {"B9B2 0024 B222 00A0", "00000041FFFFFFFF", "41", 8, 2}, // no character
        {"B2A7 0024 B222 00A0", "41E282", "0041", 3, 0},         // cut off
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new(cases[i].code);
        rig_hex(bare, 0x5000, cases[i].from);
        rig_hex(bare, 0x7000, cases[i].to);
        bare->cpu->gr[2] = 0x6000;
        bare->cpu->gr[3] = 64;
        bare->cpu->gr[4] = 0x5000;
        bare->cpu->gr[5] = cases[i].n;
        assert_true(rig_good(bare));
        uint8_t got[32], want[32];
        storage_read(bare->storage, 0x6000, got, 32);
        storage_read(bare->storage, 0x7000, want, 32);
        assert_memory_equal(got, want, 32);
        assert_int_equal(bare->cpu->gr[3], 64 - strlen(cases[i].to) / 2);
        assert_int_equal(bare->cpu->gr[10] >> 28 & 3, cases[i].cc);
        bare_free(bare);
    }
}

static void test_clocks(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B204 0F00 B205 0F08 0107 B278 0F10 B27C 0F28");
    bare_put64(bare, 0xF00, UINT64_C(0x1234567800000000));
    bare->cpu->gr[0] = 0xBEEF;
    assert_true(rig_good(bare));
    uint64_t first = bare_get64(bare, 0xF08), last = bare_get64(bare, 0xF28);
    assert_true(first >= UINT64_C(0x1234567800000000) && first < UINT64_C(0x1234567800001000));
    assert_true(last >= first && last < first + 4096);
    assert_int_equal(bare_get64(bare, 0xF10) >> 56, 0); // epoch index
    assert_int_equal(bare_get64(bare, 0xF18) & 0xFFFF, 0xBEEF);
    bare_free(bare);
}

static void test_move_page(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B254 0023 B222 0040");
    rig_dat(bare);
    bare->cpu->gr[0] = 0x100;
    bare->cpu->gr[2] = 0x81000;
    bare->cpu->gr[3] = 0x82000;
    bare_put64(bare, 0x82FF8, 0x1234);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0x81FF8), 0x1234);
    bare_free(bare);
    for (unsigned second = 0; second < 2; second++) { // cc instead of a page-translation exception
        bare = rig_new("B254 0023 B222 0040");
        rig_dat(bare);
        bare->cpu->gr[0] = 0x100;
        bare->cpu->gr[2] = 0x81000;
        bare->cpu->gr[3] = 0x82000;
        bare_put64(bare, rig_pte(second ? 0x82000 : 0x81000), 0x400);
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[4] >> 28 & 3, second ? 2 : 1);
        bare_free(bare);
    }
}

// A segment with code is replaced by another at the same address.
static void test_segment_replaced(void **state)
{
    (void)state;
    struct bare *bare = rig_new("07F2");                                     // BR R2
    static uint8_t first[4096] = {0xA7, 0x18, 0, 1, 0xB2, 0xB2, 0x0E, 0x00}; // LHI R1,1; LPSWE
    static uint8_t second[4096] = {0xA7, 0x18, 0, 2, 0xB2, 0xB2, 0x0E, 0x00};
    bare->cpu->gr[2] = 0x800000;
    assert_int_equal(storage_map(bare->storage, 0x800000, 4096, first, true), 0);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 1);
    storage_unmap(bare->storage, 0x800000);
    cpu_pend(bare->cpu, PEND_FLUSH);
    assert_int_equal(storage_map(bare->storage, 0x800000, 4096, second, true), 0);
    bare->cpu->psw.wait = false;
    bare->cpu->psw.address = CODE;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 2);
    storage_unmap(bare->storage, 0x800000);
    cpu_pend(bare->cpu, PEND_FLUSH);
    bare->cpu->psw.wait = false;
    bare->cpu->psw.address = CODE;
    assert_int_equal(rig_fault(bare), 5);
    bare_free(bare);
}

// PERFORM TIMING FACILITY FUNCTION: queries, and control functions that are not there.
static void test_timing_facility(void **state)
{
    static const struct {
        unsigned function, cc, bytes;
    } rows[] = {{0, 0, 16}, {1, 0, 32}, {2, 0, 56}, {3, 0, 8}, {4, 3, 0}, {0x40, 3, 0}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bare *bare = rig_new("0104 B222 0050"); // PTFF; IPM 5
        bare->cpu->gr[0] = rows[i].function;
        bare->cpu->gr[1] = 0xF00;
        bare->cpu->epoch = 0x123456;
        for (unsigned at = 0; at <= 56; at += 8)
            bare_put64(bare, 0xF00 + at, ~UINT64_C(0));
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[5] >> 28 & 3, rows[i].cc);
        assert_int_equal(bare_get64(bare, 0xF00 + rows[i].bytes), ~UINT64_C(0));
        if (rows[i].bytes)
            assert_int_not_equal(bare_get64(bare, 0xF00 + rows[i].bytes - 8), ~UINT64_C(0));
        if (rows[i].function == 0)
            assert_int_equal(bare_get64(bare, 0xF00), UINT64_C(0xF000000000000000));
        if (rows[i].function == 1)
            assert_int_equal(bare_get64(bare, 0xF18), 0x123456);
        bare_free(bare);
    }
    struct bare *bare = rig_new("0104");
    bare->cpu->gr[0] = 0x40;
    bare->cpu->psw.problem = true;
    assert_int_equal(rig_fault(bare), 2);
    bare_free(bare);
    bare = rig_new("0104");
    bare->cpu->gr[0] = 0x80;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare_swap_and_store),
        cmocka_unit_test(test_locked_operation),
        cmocka_unit_test(test_move_between_spaces),
        cmocka_unit_test(test_access_registers),
        cmocka_unit_test(test_addressing_modes),
        cmocka_unit_test(test_unicode),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_timing_facility),
        cmocka_unit_test(test_move_page),
        cmocka_unit_test(test_segment_replaced),
    };
    return cmocka_run_group_tests_name("special instructions", tests, NULL, NULL);
}
