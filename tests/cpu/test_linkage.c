// SPDX-License-Identifier: MIT
// The linkage stack: what BRANCH AND STACK saves, PROGRAM RETURN restores, the extracting
// instructions show, sections, and the exceptions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define SECTION 0x9000u // header entry; its descriptor at SECTION + 8
#define FIRST   (SECTION + 16u)
#define NEXT    0xA000u // another section
#define LSED(at, type, free, next)                                                      \
    bare_put64(bare, at,                                                                \
               (uint64_t)(type) << 56 | UINT64_C(0x77) << 48 | (uint64_t)(free) << 32 | \
                   (uint64_t)(next) << 16)

// A section with room for `n` entries and a trailer that leads nowhere.
static void section(struct bare *bare, uint64_t at, unsigned n)
{
    LSED(at + 8, 0x09, n * 296u, 0);
    LSED(at + 16 + n * 296u + 8, 0x0A, 0, 0);
}

static struct bare *start(const char *code)
{
    struct bare *bare = rig_new(code);
    rig_dat(bare);
    section(bare, SECTION, 2);
    bare->cpu->cr[15] = SECTION + 8;
    bare->cpu->cr[3] = 0x80000123;
    bare->cpu->cr[4] = 0x00050456;
    bare->cpu->cr[8] = 0x07770000;
    for (unsigned i = 0; i < 16; i++) {
        bare->cpu->gr[i] = UINT64_C(0x1000000020000000) * (i + 1);
        bare->cpu->ar[i] = 0x30000000 + i;
    }
    return bare;
}

static void test_branch_and_stack(void **state)
{
    (void)state;
    struct bare *bare = start("B240 0002"); // BAKR 0,2
    rig_hex(bare, 0x3000, "B2B2 0E00");
    bare->cpu->gr[2] = 0x3000;
    bare->cpu->psw.cc = 2;
    bare->cpu->psw.mask = 5;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[15], FIRST + 288);
    assert_int_equal(bare_get64(bare, FIRST + 8), UINT64_C(0x2000000040000000));
    assert_int_equal(bare_get64(bare, FIRST + 128), UINT64_C(0x8000012307770456));
    // DAT on, key 0, cc 2, mask 5, 64-bit mode; then where to go on, and where it went.
    assert_int_equal(bare_get64(bare, FIRST + 136), UINT64_C(0x0400250180000000));
    assert_int_equal(bare_get64(bare, FIRST + 168), CODE + 4);
    assert_int_equal(bare_get64(bare, FIRST + 144), 0x3001);
    assert_int_equal(bare_get64(bare, FIRST + 176), 0); // no instance numbers
    assert_int_equal(bare_get32(bare, FIRST + 224 + 5 * 4), 0x30000005);
    assert_int_equal(bare_get64(bare, FIRST + 288), UINT64_C(0x0C77012800000000));
    assert_int_equal(bare_get64(bare, SECTION + 8), UINT64_C(0x0977025001280000));
    bare_free(bare);
}

static void test_return(void **state)
{
    (void)state;
    // BAKR 0,2; behind it LGHI 0,7. At X'3000': change registers, key and cc; PR.
    struct bare *bare = start("B240 0002 A709 0007");
    rig_hex(bare, 0x3000, "A7F9 0001 A789 0001 A719 0002 B24E 0081 B20A 0030 1B55 0101");
    bare->cpu->gr[2] = 0x3000;
    bare->cpu->psw.cc = 3;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[0], 7);
    assert_int_equal(bare->cpu->gr[1], 2);  // not restored
    assert_int_equal(bare->cpu->gr[15], 1); // nor this
    assert_int_equal(bare->cpu->gr[8], UINT64_C(0x9000000120000000));
    assert_int_equal(bare->cpu->ar[8], 0x30000008);
    assert_int_equal(bare->cpu->cr[15], SECTION + 8);
    assert_int_equal(bare_get64(bare, SECTION + 8), UINT64_C(0x0977025000000000));
    bare_free(bare);
}

// Return addresses in registers: their form says the mode.
static void test_return_address(void **state)
{
    (void)state;
    static const struct {
        uint64_t value, psw, address;
    } forms[] = {
        {0x5001, UINT64_C(0x0400000180000000), 0x5000},
        {0x80005000, UINT64_C(0x0400000080000000), 0x5000},
        {UINT64_C(0xFFFFFFFF7F005000), UINT64_C(0x0400000000000000), 0x5000},
    };
    for (unsigned i = 0; i < 3; i++) {
        struct bare *bare = start("B240 0010"); // BAKR 1,0
        bare->cpu->gr[1] = forms[i].value;
        assert_true(rig_good(bare));
        assert_int_equal(bare_get64(bare, FIRST + 136), forms[i].psw);
        assert_int_equal(bare_get64(bare, FIRST + 168), forms[i].address);
        assert_int_equal(bare_get64(bare, FIRST + 144), CODE + 5); // no branch: the next, 64-bit
        bare_free(bare);
    }
}

static void test_extract(void **state)
{
    (void)state;
    // BAKR 0,0; clear 2 and 3; MSTA 4; EREG 14,2; EREGG 3,3; LGHI 5,3; ESTA 6,5; IPM 10
    struct bare *bare = start("B240 0000 A729 0000 A739 0000 B247 0040 B249 00E2 B90E 0033"
                              "A759 0003 B24A 0065 B222 00A0 A759 0001 B24A 0085 A759 0004"
                              "B24A 00C5");
    bare->cpu->gr[4] = UINT64_C(0xFFFFFFFF11111111);
    bare->cpu->gr[5] = UINT64_C(0xFFFFFFFF22222222);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, FIRST + 152), UINT64_C(0x1111111122222222));
    assert_int_equal(bare->cpu->gr[2], 0x60000000);                   // low half only
    assert_int_equal(bare->cpu->gr[3], UINT64_C(0x4000000080000000)); // all of it
    assert_int_equal(bare->cpu->gr[6] & 0xFFFFFFFF, 0x11111111);
    assert_int_equal(bare->cpu->gr[7] & 0xFFFFFFFF, 0x22222222);
    assert_int_equal(bare->cpu->gr[6] >> 32, 0x70000000);
    assert_int_equal(bare->cpu->gr[10] >> 28 & 3, 0); // a branch state entry
    assert_int_equal(bare->cpu->gr[8] & 0xFFFFFFFF, 0x04080001);
    assert_int_equal(bare->cpu->gr[9] & 0xFFFFFFFF, 0x80002004);
    assert_int_equal(bare->cpu->gr[12], UINT64_C(0x0400000180000000));
    assert_int_equal(bare->cpu->gr[13], CODE + 4);
    bare_free(bare);
}

// The third entry goes to the next section, whose header leads back.
static void test_sections(void **state)
{
    (void)state;
    struct bare *bare = start("B240 0000 B240 0000 B240 0000");
    section(bare, NEXT, 1);
    bare_put64(bare, FIRST + 2 * 296, NEXT + 8 + 1);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[15], NEXT + 16 + 288);
    assert_int_equal(bare_get64(bare, NEXT), FIRST + 296 + 288 + 1);
    assert_int_equal(bare_get64(bare, NEXT + 8) >> 16 & 0xFFFF, 296);
    bare_free(bare);
}

static void test_return_across_sections(void **state)
{
    (void)state;
    // BAKR 0,2 leads to X'3000': LCTLG 15,15,X'F00'; PR.
    struct bare *bare = start("B240 0002 A709 0007");
    section(bare, NEXT, 1);
    bare_put64(bare, NEXT, FIRST + 288 + 1);
    bare_put64(bare, 0xF00, NEXT + 8);
    rig_hex(bare, 0x3000, "EBFF 0F00 002F 0101");
    bare->cpu->gr[2] = 0x3000;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[0], 7);
    assert_int_equal(bare->cpu->cr[15], SECTION + 8);
    bare_free(bare);
}

static void expect(const char *code, void (*change)(struct bare *bare), unsigned fault)
{
    struct bare *bare = start(code);
    change(bare);
    assert_int_equal(rig_fault(bare), fault);
    bool nullified = fault >= 0x30 || fault == 0x11;
    uint64_t psw = bare_get64(bare, 0x158);
    assert_int_equal(psw, nullified ? CODE : CODE + (bare_get32(bare, 0x8C) >> 16));
    bare_free(bare);
}

static void nothing(struct bare *bare)
{
    (void)bare;
}

static void no_room(struct bare *bare)
{
    LSED(SECTION + 8, 0x09, 288, 0);
}

static void odd_room(struct bare *bare)
{
    LSED(SECTION + 8, 0x09, 12, 0);
}

static void small_next(struct bare *bare)
{
    LSED(SECTION + 8, 0x09, 0, 0);
    bare_put64(bare, SECTION + 16, NEXT + 8 + 1);
}

static void suppressed(struct bare *bare)
{
    LSED(SECTION + 8, 0x89, 592, 0);
}

static void double_header(struct bare *bare)
{
    bare_put64(bare, SECTION, NEXT + 8 + 1);
    section(bare, NEXT, 1);
}

static void wrong_type(struct bare *bare)
{
    LSED(SECTION + 8, 0x11, 592, 0);
}

static void without_dat(struct bare *bare)
{
    bare->cpu->psw.dat = false;
}

static void secondary_mode(struct bare *bare)
{
    bare->cpu->psw.as = 2;
}

static void home_mode(struct bare *bare)
{
    bare->cpu->psw.as = 3;
}

static void page_gone(struct bare *bare)
{
    bare_put64(bare, rig_pte(SECTION), 0x400);
}

static void test_exceptions(void **state)
{
    (void)state;
    expect("B240 0000", no_room, 0x30);
    expect("B240 0000", odd_room, 0x32);
    expect("B240 0000", small_next, 0x32);
    expect("0101", nothing, 0x31);
    expect("0101", suppressed, 0x34);
    expect("0101", double_header, 0x32);
    expect("0101", wrong_type, 0x33);
    expect("B249 0033", nothing, 0x31);
    expect("B240 0000", without_dat, 0x13);
    expect("B240 0000", secondary_mode, 0x13);
    expect("B240 0000", home_mode, 0x13);
    expect("0101", home_mode, 0x13);
    expect("B249 0033", secondary_mode, 0x13);
    expect("B249 0033", home_mode, 0x31); // allowed there
    expect("B24A 0032", nothing, 0x06);   // odd register
    expect("B247 0030", nothing, 0x06);
    expect("B240 0000", page_gone, 0x11);
}

// A page exception in the stack names the home space, and nothing has changed.
static void test_nullified(void **state)
{
    (void)state;
    struct bare *bare = start("B240 0000");
    section(bare, 0x9F80, 2); // the entry crosses into the next page, which is not there
    bare->cpu->cr[15] = 0x9F88;
    bare_put64(bare, rig_pte(0xA000), 0x400);
    assert_int_equal(rig_fault(bare), 0x11);
    assert_int_equal(bare_get64(bare, 0xA8) & ~UINT64_C(0xC00), 0xA003);
    assert_int_equal(bare->cpu->cr[15], 0x9F88);
    assert_int_equal(bare_get64(bare, 0x9F90), 0);
    assert_int_equal(bare_get64(bare, 0x9F88) & 0xFFFFFFFF, 0);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch_and_stack), cmocka_unit_test(test_return),
        cmocka_unit_test(test_return_address),   cmocka_unit_test(test_extract),
        cmocka_unit_test(test_sections),         cmocka_unit_test(test_return_across_sections),
        cmocka_unit_test(test_exceptions),       cmocka_unit_test(test_nullified),
    };
    return cmocka_run_group_tests_name("linkage stack", tests, NULL, NULL);
}
