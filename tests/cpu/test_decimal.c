// SPDX-License-Identifier: MIT
// Decimal instructions: one line a case, operands and results as storage shows them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

// First operand at X'F00', second at X'F40'. `result` is the first operand afterwards (NULL: as
// before), `fault` a program-interruption code.
struct decimal_case {
    const char *code, *first, *second, *result;
    unsigned cc, fault;
};

static const struct decimal_case cases[] = {
    // AP, SP: carries, signs, zero results, overflow
    {"FA21 0F00 0F40", "00123C", "456C", "00579C", 2, 0},
    {"FA11 0F00 0F40", "123C", "456D", "333D", 1, 0},
    {"FA11 0F00 0F40", "456D", "456C", "000C", 0, 0},
    {"FA11 0F00 0F40", "999C", "001C", "000C", 3, 0},
    {"FA01 0F00 0F40", "5C", "123F", "8C", 3, 0},
    {"FB11 0F00 0F40", "100C", "101C", "001D", 1, 0},
    {"FB00 0F00 0F00", "7D", "", "0C", 0, 0},
    {"FA11 0F00 0F40", "1A3C", "001C", NULL, 0, 7},
    {"FA11 0F00 0F40", "1231", "001C", NULL, 0, 7},
    {"FAFF 0F00 0F40", "9999999999999999999999999999999C", "0000000000000000000000000000001C",
     "0000000000000000000000000000000C", 3, 0},
    // ZAP, CP
    {"F821 0F00 0F40", "FFFFFF", "123A", "00123C", 2, 0},
    {"F820 0F00 0F40", "FFFFFF", "0D", "00000C", 0, 0},
    {"F801 0F00 0F40", "FF", "129D", "9D", 3, 0},
    {"F911 0F00 0F40", "123C", "124C", NULL, 1, 0},
    {"F911 0F00 0F40", "000C", "000D", NULL, 0, 0},
    {"F921 0F00 0F40", "00001C", "999D", NULL, 2, 0},
    // MP, DP
    {"FC41 0F00 0F40", "000012345C", "123D", "001518435D", 0, 0},
    {"FC21 0F00 0F40", "12345C", "123C", NULL, 0, 7}, // no room for the product
    {"FC11 0F00 0F40", "001C", "123C", NULL, 0, 6},
    {"FD41 0F00 0F40", "000012345C", "123D", "00100D045C", 0, 0},
    {"FD41 0F00 0F40", "001234567C", "000C", NULL, 0, 0xB},
    {"FD41 0F00 0F40", "999999999C", "001C", NULL, 0, 0xB}, // quotient too long
    // SRP: left, right with and without rounding
    {"F030 0F00 0002", "0012345C", "", "1234500C", 2, 0},
    {"F025 0F00 003E", "12345C", "", "00123C", 2, 0},
    {"F025 0F00 003F", "12345D", "", "01235D", 1, 0},
    {"F020 0F00 003F", "12345D", "", "01234D", 1, 0},
    {"F020 0F00 0003", "12345C", "", "45000C", 3, 0},
    {"F02A 0F00 003F", "12345C", "", NULL, 0, 7},
    // TP
    {"EB10 0F00 00C0", "123C", "", NULL, 0, 0},
    {"EB10 0F00 00C0", "1234", "", NULL, 1, 0},
    {"EB10 0F00 00C0", "A23C", "", NULL, 2, 0},
    {"EB10 0F00 00C0", "A231", "", NULL, 3, 0},
    // PACK, UNPK, MVO
    {"F223 0F00 0F40", "FFFFFF", "F1F2F3C4", "01234C", 0, 0},
    {"F332 0F00 0F40", "FFFFFFFF", "01234D", "F1F2F3D4", 0, 0},
    {"F352 0F00 0F40", "FFFFFFFFFFFF", "12345C", "F0F1F2F3F4C5", 0, 0},
    {"F132 0F00 0F40", "7788990C", "123456", "0123456C", 0, 0},
    // PKA, UNPKA, PKU, UNPKU
    {"E904 0F00 0F40", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "3132333435",
     "0000000000000000000000000012345C", 0, 0},
    {"EA04 0F00 0F40", "FFFFFFFFFF", "0000000000000000000000000012345D", "3132333435", 1, 0},
    {"E105 0F00 0F40", "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "003100320033",
     "0000000000000000000000000000123C", 0, 0},
    {"E203 0F00 0F40", "FFFFFFFF", "0000000000000000000000000000045C", "00340035", 0, 0},
    // ED: the manual's sums of money, a credit, a zero, several fields, an early significance start
    {"DE0C 0F00 0F40", "4020206B2020214B202040C3D9", "0257426C", "4040F26BF5F7F44BF2F6404040", 2,
     0},
    {"DE0C 0F00 0F40", "4020206B2020214B202040C3D9", "0257426D", "4040F26BF5F7F44BF2F640C3D9", 1,
     0},
    {"DE0C 0F00 0F40", "4020206B2020214B202040C3D9", "0000000C", "404040404040404BF0F0404040", 0,
     0},
    {"DE04 0F00 0F40", "4020202120", "0005", "40404040F5", 1, 0},
    {"DE05 0F00 0F40", "5C2021204B20", "00012C", "5C5C5CF04BF1", 1, 0},
    {"DE07 0F00 0F40", "4020202240202020", "12C0000C", "40F1F2404040404040", 0, 7},
};

static void test_cases(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct decimal_case *c = &cases[i];
        struct bare *bare = rig_new(c->code);
        rig_hex(bare, 0xF00, c->first);
        rig_hex(bare, 0xF40, c->second);
        unsigned n = (unsigned)strlen(c->first) / 2;
        uint8_t before[64], after[64], want[64];
        storage_read(bare->storage, 0xF00, before, n);
        unsigned fault = rig_fault(bare);
        storage_read(bare->storage, 0xF00, after, n);
        memcpy(want, before, n);
        if (c->result && !c->fault)
            for (unsigned k = 0; k < n; k++)
                sscanf(c->result + 2 * k, "%2hhX", &want[k]);
        if (fault != c->fault || memcmp(after, want, n) != 0 || (!fault && bare->intercepts != 0)) {
            printf("# case %u, %s: fault %X, result ", i, c->code, fault);
            for (unsigned k = 0; k < n; k++)
                printf("%02X", after[k]);
            printf("\n");
            fail();
        }
        bare_free(bare);
    }
}

// The condition code, by an instruction behind that keeps it.
static void test_condition_codes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct decimal_case *c = &cases[i];
        unsigned op = (unsigned)strtoul((char[3]){c->code[0], c->code[1], 0}, NULL, 16);
        bool sets = op == 0xF0 || op == 0xF8 || op == 0xF9 || op == 0xFA || op == 0xFB ||
                    op == 0xEB || op == 0xEA || op == 0xDE;
        if (!sets || c->fault)
            continue;
        char code[64];
        snprintf(code, sizeof code, "%s B222 0050", c->code); // IPM
        struct bare *bare = rig_new(code);
        rig_hex(bare, 0xF00, c->first);
        rig_hex(bare, 0xF40, c->second);
        assert_true(rig_good(bare));
        if ((bare->cpu->gr[5] >> 28 & 3) != c->cc)
            printf("# case %u, %s\n", i, c->code);
        assert_int_equal(bare->cpu->gr[5] >> 28 & 3, c->cc);
        bare_free(bare);
    }
}

static void test_overflow_interruption(void **state)
{
    (void)state;
    struct bare *bare = rig_new("FA00 0F00 0F00");
    rig_hex(bare, 0xF00, "7C");
    bare->cpu->psw.mask = 4;
    assert_int_equal(rig_fault(bare), 0xA);
    assert_int_equal(bare_get32(bare, 0xF00) >> 24, 0x4C); // completed
    bare_free(bare);
}

static void test_binary(void **state)
{
    (void)state;
    static const struct {
        const char *packed;
        uint32_t value;
        unsigned fault;
    } convert[] = {
        {"000000000000000C", 0, 0},          {"000000000000123D", (uint32_t)-123, 0},
        {"000002147483647C", 0x7FFFFFFF, 0}, {"000002147483648D", 0x80000000, 0},
        {"000002147483648C", 0x80000000, 9}, {"00000000000012A4", 0, 7},
    };
    for (unsigned i = 0; i < sizeof convert / sizeof convert[0]; i++) {
        struct bare *bare = rig_new("4F50 0F00");
        rig_hex(bare, 0xF00, convert[i].packed);
        assert_int_equal(rig_fault(bare), convert[i].fault);
        assert_int_equal(bare->cpu->gr[5], convert[i].value);
        bare_free(bare);
        if (convert[i].fault)
            continue;
        bare = rig_new("4E50 0F08"); // and back
        bare->cpu->gr[5] = convert[i].value;
        rig_hex(bare, 0xF00, convert[i].packed);
        assert_true(rig_good(bare));
        assert_int_equal(bare_get64(bare, 0xF00), bare_get64(bare, 0xF08));
        bare_free(bare);
    }
    struct bare *bare = rig_new("E350 0F00 002E E360 0F00 000E"); // CVDG, CVBG
    bare->cpu->gr[5] = UINT64_C(0x8000000000000000);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0xF00), 0x9223);
    assert_int_equal(bare->cpu->gr[6], UINT64_C(0x8000000000000000));
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_condition_codes),
        cmocka_unit_test(test_overflow_interruption),
        cmocka_unit_test(test_binary),
    };
    return cmocka_run_group_tests_name("decimal instructions", tests, NULL, NULL);
}
