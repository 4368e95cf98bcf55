// SPDX-License-Identifier: MIT
// Program-event recording: each event, its ranges and controls, what the interruption tells.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define BRANCH  0x80000000u
#define FETCH   0x40000000u
#define STORE   0x20000000u
#define REAL    0x08000000u
#define ZERO    0x04000000u
#define NULLIFY 0x01000000u
#define TARGETS 0x00800000u // branch-address control
#define SPACES  0x00200000u // storage-alteration-space control

static struct bare *start(const char *code, uint32_t events, uint64_t first, uint64_t last)
{
    struct bare *bare = rig_new(code);
    bare->cpu->psw.per = true;
    bare->cpu->cr[9] = events;
    bare->cpu->cr[10] = first;
    bare->cpu->cr[11] = last;
    return bare;
}

// One event: code byte, address of the instruction, where the old PSW points, length.
static void expect(struct bare *bare, unsigned per, uint64_t address, uint64_t old, unsigned ilc)
{
    assert_int_equal(rig_fault(bare), 0x80);
    assert_int_equal(bare_get32(bare, 0x94) >> 8 & 0xFF, per);
    assert_int_equal(bare_get64(bare, 0x98), address);
    assert_int_equal(bare_get64(bare, 0x158), old);
    assert_int_equal(rig_ilc(bare), ilc);
    bare_free(bare);
}

static void test_fetch(void **state)
{
    (void)state;
    expect(start("1812 1B11", FETCH, CODE + 2, CODE + 2), 0x40, CODE + 2, CODE + 4, 2);
    expect(start("1812 1B11", FETCH | NULLIFY, CODE + 2, CODE + 2), 0x41, CODE + 2, CODE + 2, 2);
    // A range that wraps; the second instruction is in neither of its ends.
    struct bare *bare = start("1812 1B11", FETCH, CODE + 4, CODE - 2);
    expect(bare, 0x40, CODE + 4, 0x600D, 4); // the LPSWE, which turns PER off as well
    // EXECUTE counts for its target's place, too, and is told by its own address.
    bare = start("4400 0F00", FETCH, 0xF00, 0xF01);
    rig_hex(bare, 0xF00, "1812");
    expect(bare, 0x40, CODE, CODE + 4, 4);
}

// A new PSW that lets the event happen again: no instruction is ever executed, yet the run ends.
static void test_fetch_loop(void **state)
{
    (void)state;
    struct bare *bare = start("1812", FETCH | NULLIFY, 0, UINT64_MAX);
    bare_put64(bare, 0x1D0, UINT64_C(0x4000000180000000));
    bare_put64(bare, 0x1D8, CODE);
    assert_int_equal(rig_run(bare), CPU_EXIT_BUDGET);
    bare_free(bare);
}

static void test_branch(void **state)
{
    (void)state;
    expect(start("A7F4 0003 0000 1812", BRANCH, 0, 0), 0x80, CODE, CODE + 6, 4);
    expect(start("A7F4 0002", BRANCH, 0, 0), 0x80, CODE, CODE + 4, 4); // to the next instruction
    struct bare *bare = start("A704 0003 1812", BRANCH, 0, 0);         // not taken
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("A7F4 0003 0000 1812", BRANCH | TARGETS, 0x3000, 0x4000);
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("A7F4 0003 0000 1812", BRANCH | TARGETS, CODE + 6, CODE + 6);
    expect(bare, 0x80, CODE, CODE + 6, 4);
}

static void test_store(void **state)
{
    (void)state;
    expect(start("5010 0F00", STORE, 0xF03, 0xF03), 0x20, CODE, CODE + 4, 4);
    struct bare *bare = start("5010 0F00", STORE, 0xF04, 0xF10);
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("D2FF 0F00 0D00", STORE, 0xFFF, 0xFFF);
    expect(bare, 0x20, CODE, CODE + 6, 6);
    bare = start("B246 0012", STORE, 0xF00, 0xF10); // STURA is not a storage alteration
    bare->cpu->gr[2] = 0xF00;
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("B246 0012", STORE | REAL, 0, 0); // but an event without a range
    bare->cpu->gr[2] = 0xF00;
    expect(bare, 0x28, CODE, CODE + 4, 4);
}

static void test_space(void **state)
{
    (void)state;
    struct bare *bare = start("5010 0F00", STORE | SPACES, 0xF00, 0xF03);
    rig_dat(bare);
    assert_true(rig_good(bare));
    bare_free(bare);
    bare = start("5010 0F00", STORE | SPACES, 0xF00, 0xF03);
    rig_dat(bare);
    bare->cpu->cr[7] |= 0x80;
    bare->cpu->psw.as = 2;
    bare->cpu->cr[0] |= 0x04000000;
    assert_int_equal(rig_fault(bare), 0x80);
    // 64-bit, valid, 31-bit, DAT on, secondary space; alteration by the secondary ASCE.
    assert_int_equal(bare_get32(bare, 0x94) & 0xFFFF, 0x20FA);
    bare_free(bare);
    bare = start("5013 2000", STORE, 0xF00, 0xF03); // access-register mode names the register
    rig_dat(bare);
    bare->cpu->psw.as = 1;
    bare->cpu->gr[2] = 0xF00;
    assert_int_equal(rig_fault(bare), 0x80);
    assert_int_equal(bare_get32(bare, 0x94) & 0xFFFF, 0x20F5);
    assert_int_equal(bare_get32(bare, 0xA0) >> 16 & 0xFF, 2);
    bare_free(bare);
}

static void test_zero_address(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        unsigned ilc; // 0: no event
    } cases[] = {
        {"5801 3008", 4},                             // index and base zero
        {"5830 1008", 4},                             // base
        {"5831 0008", 4},                             // index without a base
        {"5834 1008", 4},                             // base zero, index not
        {"5831 4008", 0},                             // index zero, base not
        {"5830 0008", 0},                             // neither used
        {"4130 1008", 0},                             // LA does not access
        {"47F0 1E20", 0},                             // neither does a branch
        {"9108 1000", 4},                             // TM
        {"D200 1F00 4000", 6},                        // first operand
        {"D200 4F00 1000", 6},                        // second operand
        {"980F 1F00", 4},                             // LM
        {"B222 0010", 0},      {"EB12 1F00 0004", 6}, // LMG
        {"0E68", 0},                                  // MVCL with lengths zero
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = start(cases[i].code, ZERO, 0, 0);
        bare->cpu->gr[4] = 0x800;
        rig_hex(bare, 0xE20, "B2B2 0E00"); // where the branch leads
        if (cases[i].ilc) {
            expect(bare, 0x04, CODE, CODE + cases[i].ilc, cases[i].ilc);
        } else {
            assert_true(rig_good(bare));
            bare_free(bare);
        }
    }
}

// With another interruption, what did not happen is not told; with a completing one, it is.
static void test_together(void **state)
{
    (void)state;
    struct bare *bare = start("5010 0F00", FETCH | STORE, 0, UINT64_MAX);
    bare->cpu->psw.key = 3;
    assert_int_equal(rig_fault(bare), 0x84);
    assert_int_equal(bare_get32(bare, 0x94) >> 8 & 0xFF, 0x40);
    bare_free(bare);
    bare = start("1A11", FETCH, 0, UINT64_MAX);
    bare->cpu->gr[1] = 0x7FFFFFFF;
    bare->cpu->psw.mask = 8;
    assert_int_equal(rig_fault(bare), 0x88);
    assert_int_equal(bare_get64(bare, 0x158), CODE + 2);
    bare_free(bare);
    bare = start("5810 1000", ZERO, 0, 0); // the zero address is why the page is missing
    rig_dat(bare);
    bare_put64(bare, rig_pte(0), 0x400);
    assert_int_equal(rig_fault(bare), 0x91);
    assert_int_equal(bare_get32(bare, 0x94) >> 8 & 0xFF, 0x04);
    bare_free(bare);
}

// SUPERVISOR CALL: its interruption comes first, the event's then has the new PSW as old.
static void test_supervisor_call(void **state)
{
    (void)state;
    struct bare *bare = start("0A05", FETCH, CODE, CODE);
    bare_put64(bare, 0x1C0, UINT64_C(0x0000000180000000));
    bare_put64(bare, 0x1C8, 0x3000);
    assert_int_equal(rig_fault(bare), 0x80);
    assert_int_equal(bare_get64(bare, 0x158), 0x3000);
    assert_int_equal(bare_get64(bare, 0x98), CODE);
    assert_int_equal(bare_get64(bare, 0x148), CODE + 2);
    assert_int_equal(bare_get32(bare, 0x88), 0x00020005);
    bare_free(bare);
}

// The breaking-event address is that of the last branch before.
static void test_breaking_event(void **state)
{
    (void)state;
    struct bare *bare = start("A7F4 0002 1812 0000", FETCH, CODE + 6, CODE + 6);
    assert_int_equal(rig_fault(bare) & 0x7F, 1);
    assert_int_equal(bare_get64(bare, 0x110), CODE);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fetch),           cmocka_unit_test(test_branch),
        cmocka_unit_test(test_store),           cmocka_unit_test(test_space),
        cmocka_unit_test(test_zero_address),    cmocka_unit_test(test_together),
        cmocka_unit_test(test_supervisor_call), cmocka_unit_test(test_breaking_event),
        cmocka_unit_test(test_fetch_loop),
    };
    return cmocka_run_group_tests_name("PER", tests, NULL, NULL);
}
