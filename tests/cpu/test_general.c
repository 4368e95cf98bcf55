// SPDX-License-Identifier: MIT
// PERFORM LOCKED OPERATION with all its functions, COMPARE AND FORM CODEWORD, UPDATE TREE, COMPARE
// UNTIL SUBSTRING EQUAL, Unicode conversion: one line a case where they are alike.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define OP2  0x3000u
#define LIST 0x3100u
#define OP4  0x3200u // and 6, 8: 32 bytes apart

static struct bare *start(const char *code)
{
    char text[64];
    snprintf(text, sizeof text, "%s B222 00F0", code); // IPM keeps the condition code
    return rig_new(text);
}

static unsigned cc(const struct bare *bare)
{
    return (unsigned)bare->cpu->gr[15] >> 28 & 3;
}

// --- PERFORM LOCKED OPERATION
// ---------------------------------------------------------------------

static const unsigned sizes[4] = {4, 8, 8, 16};

// A value whose bytes are all `byte`, `size` of them, at the right of a slot or plainly.
static void put_bytes(struct bare *bare, uint64_t at, uint8_t byte, unsigned size)
{
    uint8_t bytes[16];
    memset(bytes, byte, size);
    bare_put(bare, at, bytes, size);
}

static bool holds(const struct bare *bare, uint64_t at, uint8_t byte, unsigned size)
{
    uint8_t bytes[16], want[16];
    memset(want, byte, size);
    storage_read(bare->storage, at, bytes, size);
    return memcmp(bytes, want, size) == 0;
}

#define REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

// R1 = 2, R3 = 4. Comparison values are 11 and 33, replacements 22 and 44, values to store 55, 66,
// 77; the second operand holds `second`, the fourth `fourth`.
static struct bare *plo(unsigned function, uint8_t second, uint8_t fourth)
{
    unsigned operation = function / 4, size = sizes[function % 4], right = 16 - size;
    bool list = function & 1 || operation >= 4;
    struct bare *bare = start("EE24 9000 A000");
    bare->cpu->gr[9] = OP2;
    bare->cpu->gr[10] = list ? LIST : OP4;
    bare->cpu->gr[0] = function;
    bare->cpu->gr[2] = REPEATED(0x11);
    bare->cpu->gr[3] = REPEATED(0x22);
    bare->cpu->gr[4] = REPEATED(operation == 3 ? 0x55 : 0x33);
    bare->cpu->gr[5] = REPEATED(0x44);
    put_bytes(bare, OP2, second, size);
    put_bytes(bare, OP4, fourth, size);
    put_bytes(bare, LIST + right, 0x11, size);
    put_bytes(bare, LIST + 16 + right, 0x22, size);
    put_bytes(bare, LIST + 32 + right, 0x33, size);
    put_bytes(bare, LIST + 48 + right, operation >= 3 ? 0x55 : 0x44, size);
    put_bytes(bare, LIST + 80 + right, 0x66, size);
    put_bytes(bare, LIST + 112 + right, 0x77, size);
    for (unsigned i = 0; i < 3; i++)
        bare_put64(bare, LIST + 72 + 32 * i, OP4 + 32 * i);
    return bare;
}

// Register or slot holds this byte throughout.
static bool operand_is(const struct bare *bare, unsigned function, unsigned r, unsigned slot,
                       uint8_t byte)
{
    unsigned size = sizes[function % 4];
    if (function & 1)
        return holds(bare, LIST + slot + 16 - size, byte, size);
    return size == 4 ? (uint32_t)bare->cpu->gr[r] == (uint32_t)REPEATED(byte)
                     : bare->cpu->gr[r] == REPEATED(byte);
}

static void test_plo(void **state)
{
    (void)state;
    for (unsigned function = 0; function < 24; function++) {
        unsigned operation = function / 4, size = sizes[function % 4];
        struct bare *bare = plo(function, 0x99, 0xAA); // unequal
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), 1);
        assert_true(operand_is(bare, function, 2, 0, 0x99));
        assert_true(holds(bare, OP2, 0x99, size) && holds(bare, OP4, 0xAA, size));
        bare_free(bare);

        bare = plo(function, 0x11, 0x33); // equal
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), 0);
        assert_true(holds(bare, OP2, operation == 0 ? 0x11 : 0x22, size));
        if (operation == 0)
            assert_true(operand_is(bare, function, 4, 32, 0x33));
        if (operation == 2)
            assert_true(holds(bare, OP4, 0x44, size));
        if (operation >= 3)
            assert_true(holds(bare, OP4, 0x55, size));
        if (operation >= 4)
            assert_true(holds(bare, OP4 + 32, 0x66, size));
        assert_true(holds(bare, OP4 + 64, operation == 5 ? 0x77 : 0, size));
        bare_free(bare);

        bare = plo(function, 0x11, 0x33); // not on its boundary
        bare->cpu->gr[9] += size / 2;
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
}

static void test_plo_rest(void **state)
{
    (void)state;
    struct bare *bare = plo(8, 0x11, 0x99); // the second comparison fails
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 2);
    assert_int_equal((uint32_t)bare->cpu->gr[4], 0x99999999);
    assert_true(holds(bare, OP2, 0x11, 4));
    bare_free(bare);
    for (unsigned function = 22; function < 26; function++) {
        bare = plo(0, 0, 0);
        bare->cpu->gr[0] = 0x100 | function;
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), function < 24 ? 0 : 3);
        bare_free(bare);
    }
    bare = plo(0, 0, 0);
    bare->cpu->gr[0] = 24;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    // The last store's target does not exist: nothing has changed.
    bare = plo(23, 0x11, 0x33);
    bare_put64(bare, LIST + 136, UINT64_C(0x7FFFFFF0));
    assert_int_equal(rig_fault(bare), 5);
    assert_true(holds(bare, OP2, 0x11, 16) && holds(bare, OP4, 0x33, 16));
    bare_free(bare);
}

// --- Unicode
// --------------------------------------------------------------------------------------

static const struct {
    const char *code, *from, *to;
    unsigned room, cc, left;
} unicode[] = {
    {"B2A70024", "41C3A4E282ACF09F9880", "004100E420ACD83DDE00", 32, 0, 0},
    {"B2A70024", "41C3A4E282", "004100E4", 32, 0, 2}, // incomplete
    {"B2A70024", "4180", "0041", 32, 2, 1},           // no first byte
    {"B2A70024", "F09F9880", "", 2, 1, 4},            // no room for both surrogates
    {"B2A70024", "C081", "0001", 32, 0, 0},           // overlong passes unchecked
    {"B2A70024", "F0818081", "DBC4DC01", 32, 0, 0},   // to a pair in any case, modulo 2^20
    {"B2A71024", "C081", "", 32, 2, 2},               // but not checked
    {"B2A71024", "EDA080", "", 32, 2, 3},
    {"B2A71024", "E28241", "", 32, 2, 3},
    {"B9B01024", "F48FBFBF", "0010FFFF", 32, 0, 0},
    {"B9B01024", "F4908080", "", 32, 2, 4},
    {"B2A60024", "004100E420ACD83DDE00", "41C3A4E282ACF09F9880", 32, 0, 0},
    {"B2A61024", "D83D0041", "", 32, 2, 4},
    {"B2A60024", "0041D83D", "41", 32, 0, 2},
    {"B9B10024", "0041D83DDE00", "000000410001F600", 32, 0, 0},
    {"B9B20024", "000000410001F600", "41F09F9880", 32, 0, 0},
    {"B9B20024", "0000D800", "", 32, 2, 4},
    {"B9B30024", "000000410001F600", "0041D83DDE00", 32, 0, 0},
    {"B9B30024", "00110000", "", 32, 2, 4},
};

static void test_unicode(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof unicode / sizeof unicode[0]; i++) {
        struct bare *bare = start(unicode[i].code);
        unsigned n = (unsigned)strlen(unicode[i].from) / 2, m = (unsigned)strlen(unicode[i].to) / 2;
        rig_hex(bare, OP4, unicode[i].from);
        bare->cpu->gr[2] = OP2;
        bare->cpu->gr[3] = unicode[i].room;
        bare->cpu->gr[4] = OP4;
        bare->cpu->gr[5] = n;
        assert_true(rig_good(bare));
        rig_hex(bare, LIST, unicode[i].to);
        uint8_t got[64], want[64];
        storage_read(bare->storage, OP2, got, 64);
        storage_read(bare->storage, LIST, want, 64);
        if (memcmp(got, want, m) != 0 || cc(bare) != unicode[i].cc ||
            bare->cpu->gr[5] != unicode[i].left || bare->cpu->gr[3] != unicode[i].room - m ||
            bare->cpu->gr[2] != OP2 + m || bare->cpu->gr[4] != OP4 + n - unicode[i].left)
            fail_msg("case %u: cc %u, %u left", i, cc(bare), (unsigned)bare->cpu->gr[5]);
        bare_free(bare);
    }
}

// --- sorting
// ----------------------------------------------------------------------------------------

static struct bare *cfc(const char *first, const char *third, bool descending)
{
    struct bare *bare = start(descending ? "B21A 0021" : "B21A 0020");
    bare->cpu->psw.ea = false;
    rig_hex(bare, OP2, first);
    rig_hex(bare, OP4, third);
    bare->cpu->gr[1] = OP2;
    bare->cpu->gr[2] = 0;
    bare->cpu->gr[3] = OP4;
    assert_true(rig_good(bare));
    return bare;
}

static void test_cfc(void **state)
{
    (void)state;
    struct bare *bare = cfc("11112222", "11113333", false);
    assert_int_equal(cc(bare), 1);
    assert_int_equal(bare->cpu->gr[2], 0x33330004);
    assert_int_equal(bare->cpu->gr[1], OP2);
    bare_free(bare);
    bare = cfc("11114444", "11113333", false);
    assert_int_equal(cc(bare), 2);
    assert_int_equal(bare->cpu->gr[2], 0x44440004);
    assert_int_equal(bare->cpu->gr[1], OP4);
    assert_int_equal(bare->cpu->gr[3], OP2);
    bare_free(bare);
    bare = cfc("11114444", "11113333", true);
    assert_int_equal(cc(bare), 1);
    assert_int_equal(bare->cpu->gr[2], 0xCCCC0004);
    bare_free(bare);
    bare = cfc("1111", "1111", false); // zeros behind: equal to the limit
    assert_int_equal(cc(bare), 0);
    assert_int_equal(bare->cpu->gr[2], 0x80000000 | OP4);
    bare_free(bare);
}

// A tree of 16-byte nodes at OP4: from node 4 by 2 to 1, the root.
static void test_upt(void **state)
{
    (void)state;
    struct bare *bare = start("0102");
    bare->cpu->gr[0] = 5;
    bare->cpu->gr[1] = 0x50;
    bare->cpu->gr[4] = OP4;
    bare->cpu->gr[5] = 4 * 16;
    bare_put64(bare, OP4 + 32, 7); // node 2 is higher: exchanged
    bare_put64(bare, OP4 + 40, 0x70);
    bare_put64(bare, OP4 + 16, 6); // node 1 is lower than 7
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 1);
    assert_int_equal(bare->cpu->gr[0], 7);
    assert_int_equal(bare->cpu->gr[1], 0x70);
    assert_int_equal(bare->cpu->gr[5], 0);
    assert_int_equal(bare_get64(bare, OP4 + 32), 5);
    assert_int_equal(bare_get64(bare, OP4 + 40), 0x50);
    assert_int_equal(bare_get64(bare, OP4 + 16), 6);
    bare_free(bare);
    bare = start("0102"); // an equal one
    bare->cpu->gr[0] = 5;
    bare->cpu->gr[4] = OP4;
    bare->cpu->gr[5] = 4 * 16;
    bare_put64(bare, OP4 + 32, 5);
    bare_put64(bare, OP4 + 40, 0x70);
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 0);
    assert_int_equal(bare->cpu->gr[3], 0x70);
    assert_int_equal(bare->cpu->gr[5], 32);
    bare_free(bare);
    bare = start("0102"); // negative
    bare->cpu->gr[0] = UINT64_MAX;
    bare->cpu->gr[4] = OP4;
    bare->cpu->gr[5] = 4 * 16;
    assert_true(rig_good(bare));
    assert_int_equal(cc(bare), 3);
    bare_free(bare);
    bare = start("0102"); // not on a boundary
    bare->cpu->gr[4] = OP4 + 8;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

static const struct {
    const char *first, *second;
    unsigned length, cc, at1, at2;
} substrings[] = {
    {"0102030405", "0902030905", 2, 0, 1, 1},
    {"0102030405", "0902090905", 2, 1, 4, 4},
    {"010203", "010209", 3, 2, 3, 3},
    {"0102", "09024040", 3, 0, 1, 1},
    {"01", "02", 0, 0, 0, 0},
};

static void test_cuse(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof substrings / sizeof substrings[0]; i++) {
        struct bare *bare = start("B257 0024");
        rig_hex(bare, OP2, substrings[i].first);
        rig_hex(bare, OP4, substrings[i].second);
        bare->cpu->gr[0] = substrings[i].length;
        bare->cpu->gr[1] = 0x40;
        bare->cpu->gr[2] = OP2;
        bare->cpu->gr[3] = strlen(substrings[i].first) / 2;
        bare->cpu->gr[4] = OP4;
        bare->cpu->gr[5] = strlen(substrings[i].second) / 2;
        assert_true(rig_good(bare));
        assert_int_equal(cc(bare), substrings[i].cc);
        assert_int_equal(bare->cpu->gr[2], OP2 + substrings[i].at1);
        assert_int_equal(bare->cpu->gr[4], OP4 + substrings[i].at2);
        bare_free(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plo), cmocka_unit_test(test_plo_rest), cmocka_unit_test(test_unicode),
        cmocka_unit_test(test_cfc), cmocka_unit_test(test_upt),      cmocka_unit_test(test_cuse),
    };
    return cmocka_run_group_tests_name("locked operations, sorting, Unicode", tests, NULL, NULL);
}
