// SPDX-License-Identifier: MIT
// Exceptions are exact: what was suppressed or nullified changed nothing, the old PSW and the
// instruction-length code say where, and of several exceptions the right one comes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "cpu/rig.h"

#define END 0x400000u // of storage

struct program {
    const char *code; // the first instruction is the one that fails
    unsigned fault, ilc;
};

static uint64_t pattern(unsigned i)
{
    return UINT64_C(0x1122334455667700) + i;
}

// GR 1 is 8 bytes before the end of storage, GR 2 a place within; the others have a pattern.
static struct bare *prepare(const struct program *p)
{
    struct bare *bare = rig_new(p->code);

    for (unsigned i = 0; i < 16; i++)
        bare->cpu->gr[i] = pattern(i);
    bare->cpu->gr[1] = END - 8;
    bare->cpu->gr[2] = 0x5000;
    for (unsigned i = 0; i < 8; i++) {
        bare_put64(bare, 0x5000 + 8 * i, pattern(0x80 + i));
        bare_put64(bare, END - 8 * (i + 1), pattern(0x40 + i));
    }
    return bare;
}

static void assert_unchanged(const struct program *p, const struct bare *bare)
{
    for (unsigned i = 3; i < 16; i++)
        if (bare->cpu->gr[i] != pattern(i))
            fail_msg("%s: GR %u is %016llX", p->code, i, (unsigned long long)bare->cpu->gr[i]);
    for (unsigned i = 0; i < 8; i++) {
        if (bare_get64(bare, END - 8 * (i + 1)) != pattern(0x40 + i))
            fail_msg("%s: storage before the end changed", p->code);
        if (bare_get64(bare, 0x5000 + 8 * i) != pattern(0x80 + i))
            fail_msg("%s: storage changed", p->code);
    }
}

static void assert_fault(const struct program *p)
{
    struct bare *bare = prepare(p);
    unsigned fault = rig_fault(bare);

    if (fault != p->fault || rig_ilc(bare) != p->ilc)
        fail_msg("%s: fault %X, ILC %u", p->code, fault, rig_ilc(bare));
    if (bare_get64(bare, 0x158) != CODE + p->ilc)
        fail_msg("%s: old PSW at %llX", p->code, (unsigned long long)bare_get64(bare, 0x158));
    assert_unchanged(p, bare);
    bare_free(bare);
}

// Operands that begin in storage and end outside.
static void test_across_the_end(void **state)
{
    static const struct program programs[] = {
        {"983F 1000", 5, 4},      // LM 3,15
        {"EB3F 1000 0004", 5, 6}, // LMG
        {"EB3F 1000 0096", 5, 6}, // LMH
        {"903F 1000", 5, 4},      // STM
        {"EB3F 1000 0024", 5, 6}, // STMG
        {"EB3F 1000 0026", 5, 6}, // STMH
        {"E340 1004 0004", 5, 6}, // LG of four bytes that are there
        {"E340 1004 0024", 5, 6}, // STG
        {"5040 1006", 5, 4},      // ST
        {"4040 1007", 5, 4},      // STH
        {"BE4F 1006", 5, 4},      // STCM
        {"BF4F 1006", 5, 4},      // ICM
        {"D20F 1000 2000", 5, 6}, // MVC to it
        {"D20F 2000 1000", 5, 6}, // from it
        {"D40F 1000 2000", 5, 6}, // NC
        {"D70F 1000 2000", 5, 6}, // XC
        {"D10F 1000 2000", 5, 6}, // MVN
        {"D30F 1000 2000", 5, 6}, // MVZ
        {"DC0F 1000 2000", 5, 6}, // TR
        {"F3F1 1000 2000", 5, 6}, // UNPK
        {"F2F1 1000 2000", 5, 6}, // PACK
        {"F1F1 1000 2000", 5, 6}, // MVO
        {"E80F 1000 200F", 5, 6}, // MVCIN
        {"D50F 1000 1000", 5, 6}, // CLC
        {"4E40 1004", 5, 4},      // CVD
        {"E548 1004 0001", 5, 6}, // MVGHI
        {"E340 1004 002F", 5, 6}, // STRVG
        {"E340 1004 000F", 5, 6}, // LRVG
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (programs[i].fault == 5)
            assert_fault(&programs[i]);
}

#define BORDER 0x6000u
#define FETCH  0x800u // in the identification
#define STORE  0x400u

// The page at BORDER is not there: nothing changes, the old PSW designates the instruction, and the
// identification tells page and kind of access. GR 1 is 8 bytes before it.
static void test_across_a_page_that_is_not_there(void **state)
{
    static const struct {
        const char *code;
        unsigned ilc, kind;
    } programs[] = {
        {"983F 1000", 4, FETCH},      // LM
        {"EB3F 1000 0004", 6, FETCH}, // LMG
        {"903F 1000", 4, STORE},      // STM
        {"EB3F 1000 0024", 6, STORE}, // STMG
        {"E340 1004 0004", 6, FETCH}, // LG
        {"5040 1006", 4, STORE},      // ST
        {"D20F 1000 2000", 6, STORE}, // MVC
        {"D20F 2000 1000", 6, FETCH}, //
        {"D70F 1000 2000", 6, STORE}, // XC
        {"DC0F 1000 2000", 6, STORE}, // TR
        {"F3F1 1000 2000", 6, STORE}, // UNPK
        {"4E40 1004", 4, STORE},      // CVD
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct program p = {programs[i].code, 0x11, programs[i].ilc};
        struct bare *bare = prepare(&p);
        rig_dat(bare);
        bare_put64(bare, rig_pte(BORDER), 0x400);
        bare->cpu->gr[1] = BORDER - 8;
        bare_put64(bare, BORDER - 8, pattern(0x90));
        unsigned fault = rig_fault(bare);
        uint64_t teid = bare_get64(bare, 0xA8);
        if (fault != 0x11 || rig_ilc(bare) != p.ilc || bare_get64(bare, 0x158) != CODE ||
            (teid & ~UINT64_C(0xFFF)) != BORDER || (teid & 3) != 0 ||
            (teid & (FETCH | STORE)) != programs[i].kind)
            fail_msg("%s: fault %X, ILC %u, identification %llX", p.code, fault, rig_ilc(bare),
                     (unsigned long long)teid);
        assert_int_equal(bare_get64(bare, BORDER - 8), pattern(0x90));
        assert_unchanged(&p, bare);
        bare_free(bare);
    }
}

// The same with a page that may not be stored into: suppressed, the old PSW is behind.
static void test_across_a_protected_page(void **state)
{
    static const struct program programs[] = {
        {"903F 1000", 4, 4},      {"EB3F 1000 0024", 4, 6}, {"5040 1006", 4, 4},
        {"D20F 1000 2000", 4, 6}, {"D70F 1000 2000", 4, 6}, {"DC0F 1000 2000", 4, 6},
        {"F3F1 1000 2000", 4, 6}, {"E8FF 1000 20FF", 4, 6}, {"9601 1008", 4, 4},
        {"BA34 1008", 4, 4}, // CS that does not compare equal stores nothing, and may not either
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const struct program *p = &programs[i];
        struct bare *bare = prepare(p);
        rig_dat(bare);
        bare_put64(bare, rig_pte(BORDER), BORDER | 0x200);
        bare->cpu->gr[1] = BORDER - 8;
        bare_put64(bare, BORDER - 8, pattern(0x90));
        unsigned fault = rig_fault(bare);
        uint64_t teid = bare_get64(bare, 0xA8);
        if (fault != 4 || rig_ilc(bare) != p->ilc || bare_get64(bare, 0x158) != CODE + p->ilc ||
            (teid & ~UINT64_C(0xFFF)) != BORDER)
            fail_msg("%s: fault %X, ILC %u, identification %llX", p->code, fault, rig_ilc(bare),
                     (unsigned long long)teid);
        assert_int_equal(bare_get64(bare, BORDER - 8), pattern(0x90));
        assert_unchanged(p, bare);
        bare_free(bare);
    }
}

// Which exception comes when there are several, and where the PSW points.
static void test_priorities(void **state)
{
    static const struct program programs[] = {
        {"BA34 1001", 6, 4},      // CS: alignment before access
        {"EB34 1001 003E", 6, 6}, // CDSG: an even place that is no multiple of 16
        {"EB35 1000 003E", 6, 6}, // odd register
        {"5D30 2000", 6, 4},      // D of an odd pair
        {"4430 2001", 6, 4},      // EX of an odd address
        {"1D3F", 6, 2},           // DR
        {"0E35", 6, 2},           // MVCL
        {"B2B2 1001", 6, 4},      // LPSWE from an odd place
        {"0000", 1, 2},           // no such instruction
        {"B2EF 0000", 1, 4},      //
        {"E300 0000 0001", 1, 6}, //
        {"C63F 0020 0000", 5, 6}, // CLRL of what is not there
        {"B900 0000 07FE", 0, 0}, // LPGR: ends
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (programs[i].fault)
            assert_fault(&programs[i]);
}

// In the problem state the privileged-operation exception comes before those of the operand.
static void test_privileged_first(void **state)
{
    static const char *const codes[] = {
        "B70F 1001", "B60F 1001", "8200 1001", "8000 1001", "B2B2 1001", "B221 0034", "B20A 1001",
        "B210 1001", "B211 1001", "B204 1001", "B206 1001", "B22C 0034", "AD00 1001",
    };

    (void)state;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct program p = {codes[i], 2, 4};
        struct bare *bare = prepare(&p);
        bare->cpu->psw.problem = true;
        if (rig_fault(bare) != 2 || rig_ilc(bare) != 4)
            fail_msg("%s: fault %X", codes[i], rig_fault(bare));
        assert_unchanged(&p, bare);
        bare_free(bare);
    }
}

// EXECUTE: the exceptions of its target are its own, with its length.
static void test_execute(void **state)
{
    static const struct program programs[] = {
        {"4400 2100", 5, 4},      // of MVC across the end, at 5100
        {"C600 0000 1880", 5, 6}, // EXRL of the same
        {"4400 2108", 3, 4},      // of EX
        {"4400 2110", 6, 4},      // of D with an odd register
        {"4400 2118", 1, 4},      // of no instruction
    };

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const struct program *p = &programs[i];
        struct bare *bare = prepare(p);
        rig_hex(bare, 0x5100, "D20F 1000 2000");
        rig_hex(bare, 0x5108, "4400 2100");
        rig_hex(bare, 0x5110, "5D30 2000");
        rig_hex(bare, 0x5118, "0000");
        unsigned fault = rig_fault(bare);
        if (fault != p->fault || rig_ilc(bare) != p->ilc ||
            bare_get64(bare, 0x158) != CODE + p->ilc)
            fail_msg("%s: fault %X, ILC %u", p->code, fault, rig_ilc(bare));
        assert_unchanged(p, bare);
        bare_free(bare);
    }
}

// Addresses wrap at 16 MiB in the 24-bit mode: the index brings the sum back to the start.
static void test_wrap(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5834 5000"); // L 3,0(4,5)
    bare->cpu->psw.ea = bare->cpu->psw.ba = false;
    bare->cpu->gr[4] = 0xFFFFF0;
    bare->cpu->gr[5] = UINT64_C(0xFFFFFFFF00000F10);
    bare_put32(bare, 0xF00, 0xCAFE);
    assert_true(rig_good(bare));
    assert_int_equal((uint32_t)bare->cpu->gr[3], 0xCAFE);
    bare_free(bare);
    // LA: 24 bits of the sum, the rest of the right half zero, the left half as it was.
    bare = rig_new("4134 5000");
    bare->cpu->psw.ea = bare->cpu->psw.ba = false;
    bare->cpu->gr[3] = UINT64_MAX;
    bare->cpu->gr[4] = 0xFFFFF0;
    bare->cpu->gr[5] = 0xF10;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[3], UINT64_C(0xFFFFFFFF00000F00));
    bare_free(bare);
    // 31 bits.
    bare = rig_new("4134 5000");
    bare->cpu->psw.ea = false;
    bare->cpu->gr[3] = 0;
    bare->cpu->gr[4] = 0xFFFFFFF0;
    bare->cpu->gr[5] = 0x80000F10;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[3], 0xF00);
    bare_free(bare);
}

// Completion with an interruption: the result is there, and the condition code is 3.
static void test_overflow_completes(void **state)
{
    (void)state;
    struct bare *bare = rig_new("1A34"); // AR
    bare->cpu->psw.mask = 8;
    bare->cpu->gr[3] = 0x7FFFFFFF;
    bare->cpu->gr[4] = 1;
    assert_int_equal(rig_fault(bare), 8);
    assert_int_equal(bare->cpu->gr[3], 0x80000000);
    assert_int_equal(bare_get64(bare, 0x150) >> 44 & 3, 3);
    bare_free(bare);
    // Divide: suppressed.
    bare = rig_new("1D34");
    bare->cpu->gr[2] = 7;
    bare->cpu->gr[3] = 8;
    bare->cpu->gr[4] = 0;
    rig_hex(bare, CODE, "1D24");
    assert_int_equal(rig_fault(bare), 9);
    assert_int_equal(bare->cpu->gr[2], 7);
    assert_int_equal(bare->cpu->gr[3], 8);
    bare_free(bare);
}

// Fields of R0 and of the FPC that must be zero, with the facilities that give them a meaning and
// without.
static void test_fields_that_must_be_zero(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B92C 0000"); // PCC, its query, with the modifier bit
    bare->cpu->gr[0] = 0x80;
    bare->cpu->gr[1] = 0x5000;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    for (unsigned on = 0; on < 2; on++) {
        bare = rig_new("B384 0030"); // SFPC with a decimal rounding mode
        bare->cpu->cr[0] |= 0x40000;
        bare->cpu->gr[3] = 0x70;
        cpu_facility_set(bare->cpu, 42, false);
        cpu_facility_set(bare->cpu, 37, on);
        assert_int_equal(rig_fault(bare), on ? 0 : 6);
        assert_int_equal(bare->cpu->fpc, on ? 0x70 : 0);
        bare_free(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_across_the_end),
        cmocka_unit_test(test_across_a_page_that_is_not_there),
        cmocka_unit_test(test_across_a_protected_page),
        cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_privileged_first),
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_overflow_completes),
        cmocka_unit_test(test_fields_that_must_be_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
