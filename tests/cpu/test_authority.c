// SPDX-License-Identifier: MIT
// BRANCH IN SUBSPACE GROUP, BRANCH AND SET AUTHORITY, TRAP, RESUME PROGRAM, space-switch events of
// SET ADDRESS SPACE CONTROL, and subspaces behind access lists.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/spaces.h"

#define GROUP 0x200u

// ASN 41 is the base of a group, ASN 42 a subspace of it; access-list entry 1 leads to 42, 2 to 41.
static struct bare *group(const char *code)
{
    struct bare *bare = spaces_new(code);
    bare_put32(bare, DUCT, ASTE_41);
    bare_put32(bare, DUCT + 16, ACCESSES);
    bare_put32(bare, ASTE_41, AUTHORITY | 1);
    bare_put64(bare, ASTE_41 + 8, ASCE_41 | GROUP);
    bare_put64(bare, ASTE_42 + 8, ASCE_42 | GROUP);
    for (unsigned n = 1; n <= 2; n++) {
        bare_put32(bare, ACCESSES + n * 16 + 8, n == 1 ? ASTE_42 : ASTE_41);
        bare_put32(bare, ACCESSES + n * 16 + 12, n == 1 ? 0x42 : 0x41);
    }
    bare->cpu->cr[1] = bare->cpu->cr[7] = ASCE_41 | GROUP | 0x40;
    bare->cpu->gr[2] = PROGRAM;
    return bare;
}

static void test_subspace(void **state)
{
    (void)state;
    struct bare *bare = group("B258 0012"); // BSG 1,2
    bare->cpu->ar[2] = 1u;
    bare_put32(bare, DUCT + 4, ASTE_42);
    bare_put32(bare, DUCT + 12, 0x42);
    assert_true(rig_good(bare)); // ALET 1: the last subspace, though none is active
    assert_int_equal(bare->cpu->cr[1], ASCE_42 | GROUP | 0x40); // the event bit stays
    assert_int_equal(bare->cpu->cr[7], ASCE_42 | GROUP | 0x40);
    assert_int_equal(bare->cpu->gr[1], CODE + 4);
    assert_int_equal(bare_get32(bare, DUCT + 4), 0x80000000u | ASTE_42);
    bare_free(bare);
    bare = group("B258 0012");
    bare->cpu->ar[2] = 0x00000002u; // by the access list to the base space
    bare_put32(bare, DUCT + 4, 0x80000000u | ASTE_42);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[1], ASCE_41 | GROUP); // all of the base space's ASCE
    assert_int_equal(bare_get32(bare, DUCT + 4), ASTE_42);
    bare_free(bare);
}

static void test_subspace_exceptions(void **state)
{
    (void)state;
    struct bare *bare = group("B258 0012");
    bare->cpu->ar[2] = 1;
    assert_int_equal(rig_fault(bare), 0x13); // there is no last subspace
    bare_free(bare);
    bare = group("B258 0012");
    bare->cpu->cr[5] = ASTE_42;
    assert_int_equal(rig_fault(bare), 0x13); // not at home in this group
    bare_free(bare);
    bare = group("B258 0012");
    bare->cpu->ar[2] = 1;
    bare_put32(bare, DUCT + 4, ASTE_42);
    bare_put32(bare, DUCT + 12, 0x99);
    assert_int_equal(rig_fault(bare), 0x2C);
    assert_int_equal(bare_get32(bare, 0xA0) >> 24, 2);
    bare_free(bare);
}

// SET SECONDARY ASN to the base space of a unit that is in a subspace gets the subspace.
static void test_replacement(void **state)
{
    (void)state;
    struct bare *bare = group("B225 0030");
    bare->cpu->cr[4] = 0x00050043; // another primary than 41
    bare->cpu->gr[3] = 0x41;
    bare_put32(bare, DUCT + 4, 0x80000000u | ASTE_42);
    bare_put32(bare, DUCT + 12, 0x42);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[7], ASCE_42 | GROUP);
    bare_free(bare);
    bare = group("B225 0030");
    bare->cpu->cr[4] = 0x00050043;
    bare->cpu->gr[3] = 0x41;
    bare_put32(bare, DUCT + 4, 0x80000000u | ASTE_42);
    bare_put32(bare, DUCT + 12, 0x99);
    assert_int_equal(rig_fault(bare), 0x2C);
    bare_free(bare);
}

static void test_set_authority(void **state)
{
    (void)state;
    // BSA 1,2 to X'3000' in the problem state with key 4; there BSA 3,0 comes back.
    struct bare *bare = spaces_new("B25A 0012");
    bare->cpu->gr[1] = 0x30000040;
    bare->cpu->gr[2] = PROGRAM;
    rig_hex(bare, PROGRAM, "B25A 0030");
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[3], PROGRAM + 4);
    assert_int_equal(bare->cpu->cr[3], 0xF0000041);
    assert_int_equal(bare_get32(bare, DUCT + 20), 0xF0000000);
    assert_int_equal(bare_get64(bare, DUCT + 32), CODE + 4);
    bare_free(bare);
    bare = spaces_new("B25A 0012");
    bare->cpu->gr[1] = 0x30000040;
    bare->cpu->gr[2] = PROGRAM; // LPSWE there is not for the problem state
    assert_int_equal(rig_fault(bare), 0x02);
    assert_int_equal(bare_get64(bare, 0x150), UINT64_C(0x0441000180000000));
    assert_int_equal(bare->cpu->cr[3], 0x30000041);
    assert_int_equal(bare_get32(bare, DUCT + 20), 0xF0000008);
    bare_free(bare);
    bare = spaces_new("B25A 0010");
    assert_int_equal(rig_fault(bare), 0x13); // base authority needs an address
    bare_free(bare);
}

// --- TRAP and RESUME PROGRAM ----------------------------------------------------------------

#define CONTROL 0xC000u // trap control block
#define SAVE    0xC100u

static struct bare *trapping(const char *code, uint32_t options)
{
    struct bare *bare = spaces_new(code);
    bare_put32(bare, DUCT + 44, CONTROL | 1);
    bare_put32(bare, CONTROL, options);
    bare_put32(bare, CONTROL + 12, SAVE);
    bare_put32(bare, CONTROL + 20, PROGRAM);
    bare->cpu->ar[15] = 0x1515;
    bare->cpu->gr[15] = UINT64_C(0xABCDEF0123456789);
    bare->cpu->gr[3] = 0x333;
    return bare;
}

static void test_trap(void **state)
{
    (void)state;
    struct bare *bare = trapping("B2FF 3004", 0x00060000); // TRAP4 4(3), PSW and registers wide
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, SAVE), 0x40040000);
    assert_int_equal(bare_get64(bare, SAVE + 8), UINT64_C(0x0000033700001515));
    assert_int_equal(bare_get64(bare, SAVE + 16), UINT64_C(0x0400000180000000));
    assert_int_equal(bare_get64(bare, SAVE + 24), CODE + 4);
    assert_int_equal(bare_get64(bare, SAVE + 32 + 15 * 8), UINT64_C(0xABCDEF0123456789));
    assert_int_equal(bare->cpu->gr[15], CONTROL);
    bare_free(bare);
    bare = trapping("010D 01FF", 0); // 31-bit mode, TRAP2, PSW and registers narrow
    bare->cpu->psw.ea = false;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, SAVE), 0x00020000);
    assert_int_equal(bare_get64(bare, SAVE + 16), UINT64_C(0x0408000080002000) + 4);
    assert_int_equal(bare_get32(bare, SAVE + 32 + 3 * 4), 0x333);
    assert_int_equal(bare->cpu->gr[15], UINT64_C(0xABCDEF010000C000));
    bare_free(bare);
    bare = trapping("4400 0F00", 0x00040000); // executed
    rig_hex(bare, 0xF00, "01FF");
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, SAVE), 0x80040000);
    assert_int_equal(bare_get64(bare, SAVE + 24), CODE + 4);
    bare_free(bare);
    bare = trapping("01FF", 0); // a 64-bit PSW needs the wide form
    assert_int_equal(rig_fault(bare), 0x13);
    bare_free(bare);
    bare = trapping("01FF", 0x00040000);
    bare_put32(bare, DUCT + 44, CONTROL);
    assert_int_equal(rig_fault(bare), 0x13);
    bare_free(bare);
}

static void test_resume(void **state)
{
    (void)state;
    // RP 0(5), parameters: PSW of 16 bytes at 16, AR at 8, 64-bit GR at 0.
    struct bare *bare = spaces_new("B277 5000 0006 0010 0008 0000");
    bare->cpu->gr[5] = 0xD000;
    bare_put64(bare, 0xD000, UINT64_C(0x1122334455667788));
    bare_put32(bare, 0xD008, 0x77);
    bare_put64(bare, 0xD010, UINT64_C(0xFFFF350180000000));
    bare_put64(bare, 0xD018, PROGRAM);
    rig_hex(bare, PROGRAM, "B98D 0060 B2B2 0E00");
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[5], UINT64_C(0x1122334455667788));
    assert_int_equal(bare->cpu->ar[5], 0x77);
    assert_int_equal(bare->cpu->gr[6] & 0xFFFFFFFF, 0x04003501); // cc 3, mask 5; the rest as it was
    bare_free(bare);
    bare = spaces_new("B277 5000 0000 0000 0008 000C"); // 8-byte PSW, 32-bit register
    bare->cpu->gr[5] = UINT64_C(0xD000);
    bare_put64(bare, 0xD000, UINT64_C(0x0000100180000000) | PROGRAM);
    bare_put64(bare, 0xD008, UINT64_C(0x0000007788888888));
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[5], 0x88888888);
    bare_free(bare);
    bare = spaces_new("B277 5000 0008 0000 0008 000C"); // an unassigned flag
    bare->cpu->gr[5] = 0xD000;
    assert_int_equal(rig_fault(bare), 0x06);
    bare_free(bare);
    bare = spaces_new("B277 5000 0000 0000 0008 000C"); // home space in the problem state
    bare->cpu->gr[5] = 0xD000;
    bare->cpu->psw.problem = true;
    bare_put64(bare, 0xD000, UINT64_C(0x0000C00180000000) | PROGRAM);
    assert_int_equal(rig_fault(bare), 0x02);
    bare_free(bare);
}

static void test_home_space_event(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B219 0300"); // to home
    bare->cpu->cr[0] |= 0x04000000;
    bare->cpu->cr[1] |= 0x40;
    assert_int_equal(rig_fault(bare), 0x1C);
    assert_int_equal(bare_get64(bare, 0xA8), 0x80000041);
    bare_free(bare);
    bare = spaces_new("B219 0000"); // from home
    bare->cpu->cr[0] |= 0x04000000;
    bare->cpu->cr[1] |= 0x40;
    bare->cpu->psw.as = 3;
    assert_int_equal(rig_fault(bare), 0x1C);
    assert_int_equal(bare_get64(bare, 0xA8), 0);
    bare_free(bare);
}

// An access list that leads to the base space while a subspace is active reads the subspace.
static void test_access_subspace(void **state)
{
    (void)state;
    struct bare *bare = group("5810 2000"); // L 1,0(2) in access-register mode
    bare_put64(bare, ASCE_42, 0x111000);    // segment 0 by another page table
    for (unsigned p = 0; p < 256; p++)
        bare_put64(bare, 0x111000 + p * 8, p == 0xD ? 0xE000 : p << 12);
    bare_put32(bare, DUCT + 4, 0x80000000u | ASTE_42);
    bare_put32(bare, DUCT + 12, 0x42);
    bare_put32(bare, 0xD000, 0x41);
    bare_put32(bare, 0xE000, 0x42);
    bare->cpu->psw.as = 1;
    bare->cpu->ar[2] = 2;
    bare->cpu->gr[2] = 0xD000;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0x42);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subspace),
        cmocka_unit_test(test_subspace_exceptions),
        cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_set_authority),
        cmocka_unit_test(test_trap),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_home_space_event),
        cmocka_unit_test(test_access_subspace),
    };
    return cmocka_run_group_tests_name("authority and traps", tests, NULL, NULL);
}
