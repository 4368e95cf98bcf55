// SPDX-License-Identifier: MIT
// Guarded storage: what is guarded and what not, the event's parameter list and handler, control.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define CONTROL   0x3000u
#define POINTER   0x3100u
#define LIST      0x3200u
#define HANDLER   0x4000u
#define LGG       "E320 3000 004C" // 2,0(3)
#define LLGFSG    "E320 3000 0048"
#define LGSC      "E300 4000 004D" // 0(4)
#define STGSC     "E300 5000 0049" // 0(5)
#define SIZE_LOG2 25u
#define REGION    UINT64_C(0x7A000000) // a multiple of 32 MB

// LGSC and what follows; the handler stops at X'6660'.
static struct bare *start(const char *code, uint64_t designation, uint64_t mask)
{
    char text[80];
    snprintf(text, sizeof text, LGSC "%s", code);
    struct bare *bare = rig_new(text);
    rig_hex(bare, HANDLER, "B2B2 0E10"); // LPSWE
    bare_put64(bare, 0xE10, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0xE18, 0x6660);
    bare_put64(bare, CONTROL + 8, designation);
    bare_put64(bare, CONTROL + 16, mask);
    bare_put64(bare, CONTROL + 24, LIST);
    bare_put64(bare, LIST + 8, HANDLER);
    bare->cpu->cr[2] |= 0x10;
    bare->cpu->gr[2] = 0x1234;
    bare->cpu->gr[3] = POINTER;
    bare->cpu->gr[4] = CONTROL;
    bare->cpu->gr[5] = 0x3300;
    return bare;
}

static bool handled(struct bare *bare)
{
    rig_run(bare);
    assert_true(bare->cpu->psw.address == 0x6660 || bare->cpu->psw.address == 0x600D);
    return bare->cpu->psw.address == 0x6660;
}

static void test_what_is_guarded(void **state)
{
    static const struct {
        uint64_t pointer, mask;
        bool guarded;
    } rows[] = {
        {REGION, UINT64_C(1) << 63, true},
        {REGION, ~(UINT64_C(1) << 63), false},
        {REGION + 0x7FFFF, UINT64_C(1) << 63, true}, // the section's last byte
        {REGION + 0x80000, UINT64_C(1) << 63, false},
        {REGION + 0x80000, UINT64_C(1) << 62, true},
        {REGION + 0x1FFFFFF, 1, true},
        {REGION + 0x2000000, ~UINT64_C(0), false}, // behind the region
        {REGION - 1, ~UINT64_C(0), false},
        {REGION | UINT64_C(1) << 40, ~UINT64_C(0), false},
        {0, ~UINT64_C(0), false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bare *bare = start(LGG, REGION | SIZE_LOG2, rows[i].mask);
        bare_put64(bare, POINTER, rows[i].pointer);
        assert_int_equal(handled(bare), rows[i].guarded);
        assert_int_equal(bare->cpu->gr[2], rows[i].guarded ? 0x1234 : rows[i].pointer);
        bare_free(bare);
    }
}

static void test_event(void **state)
{
    (void)state;
    struct bare *bare = start(LGG, REGION | SIZE_LOG2, ~UINT64_C(0));
    uint64_t load = CODE + 6;
    bare_put64(bare, POINTER, REGION + 0x18);
    bare_put64(bare, LIST, ~UINT64_C(0));
    assert_true(handled(bare));
    assert_int_equal(bare_get64(bare, LIST), UINT64_C(0xFF030000FFFFFFFF));
    assert_int_equal(bare_get64(bare, LIST + 8), HANDLER);
    assert_int_equal(bare_get64(bare, LIST + 16), load);
    assert_int_equal(bare_get64(bare, LIST + 24), POINTER);
    assert_int_equal(bare_get64(bare, LIST + 32), REGION + 0x18);
    assert_int_equal(bare_get64(bare, LIST + 40), load);
    bare_free(bare);
    bare = start(LGG, REGION | SIZE_LOG2, ~UINT64_C(0));
    rig_hex(bare, HANDLER, "0000");
    bare_put64(bare, POINTER, REGION);
    assert_int_equal(rig_fault(bare), 1);
    assert_int_equal(bare_get64(bare, 0x110), load); // a break in the sequence
    bare_free(bare);

    // Four bytes shifted by three; DAT on; under EXECUTE, whose address is told.
    bare = start("44003010", REGION | 3 << 8 | SIZE_LOG2, ~UINT64_C(0)); // EX 0,16(3)
    rig_hex(bare, POINTER + 16, LLGFSG);
    rig_dat(bare);
    bare_put64(bare, POINTER, (REGION + 0x18) >> 3 << 32 | 0xFFFF);
    assert_true(handled(bare));
    assert_int_equal(bare_get32(bare, LIST), 0x00030140);
    assert_int_equal(bare_get64(bare, LIST + 16), load);
    assert_int_equal(bare_get64(bare, LIST + 24), POINTER);
    assert_int_equal(bare_get64(bare, LIST + 32), REGION + 0x18);
    bare_free(bare);

    bare = start(LLGFSG, REGION | 3 << 8 | SIZE_LOG2,
                 0); // not guarded: the pointer is made all the same
    bare_put64(bare, POINTER, UINT64_C(0xF000000100000000));
    assert_false(handled(bare));
    assert_int_equal(bare->cpu->gr[2], UINT64_C(0x780000008));
    bare_free(bare);

    // Where the list cannot be stored nothing happens.
    bare = start(LGG, REGION | SIZE_LOG2, ~UINT64_C(0));
    rig_dat(bare);
    bare_put64(bare, POINTER, REGION);
    bare_put64(bare, CONTROL + 24, 0x7FD8);
    bare_put64(bare, rig_pte(0x8000), 0x8000 | 0x200);
    assert_int_equal(rig_fault(bare), 4);
    assert_int_equal(bare->cpu->gr[2], 0x1234);
    assert_int_equal(bare_get64(bare, 0x7FE8), 0);
    bare_free(bare);
}

static void test_control(void **state)
{
    static const struct {
        uint64_t designation;
        unsigned fault;
    } rows[] = {{24, 6}, {25, 0}, {56, 0}, {57, 6}, {0, 6}, {25 | 4 << 8, 0}, {25 | 5 << 8, 6}};
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bare *bare = start(STGSC, rows[i].designation, UINT64_C(0xFEEDC0FFE));
        bare_put64(bare, CONTROL, 1);
        assert_int_equal(rig_fault(bare), rows[i].fault);
        if (!rows[i].fault) {
            assert_int_equal(bare_get64(bare, 0x3300), 0);
            assert_int_equal(bare_get64(bare, 0x3308), rows[i].designation);
            assert_int_equal(bare_get64(bare, 0x3310), UINT64_C(0xFEEDC0FFE));
            assert_int_equal(bare_get64(bare, 0x3318), LIST);
        }
        bare_free(bare);
    }
    struct bare *bare = start("", REGION | SIZE_LOG2, ~UINT64_C(0));
    bare->cpu->cr[2] = 0;
    assert_int_equal(rig_fault(bare), 0x13);
    bare_free(bare);
    bare = start("EB22 0E20 002F" LGG, REGION | SIZE_LOG2, ~UINT64_C(0)); // LCTLG 2,2,X'E20'
    bare_put64(bare, POINTER, REGION);
    assert_false(handled(bare)); // off: a load
    assert_int_equal(bare->cpu->gr[2], REGION);
    cpu_reset(bare->cpu, CPU_RESET_CLEAR);
    assert_int_equal(bare->cpu->guarded.designation, 0);
    bare_free(bare);
    bare = start(LGG, REGION | SIZE_LOG2, 0);
    cpu_facility_set(bare->cpu, 133, false);
    assert_int_equal(rig_fault(bare), 1);
    bare_free(bare);
}

static bool channel_report(struct cpu *cpu, uint64_t *code)
{
    (void)cpu;
    *code = UINT64_C(0x00400F1D00330000);
    return true;
}

// The extended save area says how long it is.
static void test_machine_check(void **state)
{
    (void)state;
    for (unsigned power = 10; power <= 12; power++) {
        struct cpu_host host = bare_host;
        struct bare *bare = start("", REGION | SIZE_LOG2, 1);
        struct cpu *cpu = bare->cpu;
        assert_true(rig_good(bare));
        host.take_machine_check = channel_report;
        cpu->host = &host;
        cpu->cr[14] |= UINT64_C(1) << 28;
        bare_put64(bare, 0x11B0, 0x10000 | power);
        bare_put64(bare, 0x1E0, UINT64_C(0x0002000180000000));
        cpu->psw.machine_check = true;
        cpu_pend(cpu, PEND_MCHECK);
        rig_run(bare);
        assert_int_equal(bare_get64(bare, 0x10000 + 1024 + 8),
                         power == 10 ? 0 : REGION | SIZE_LOG2);
        assert_int_equal(bare_get64(bare, 0xE8) >> 27 & 1, power > 10);
        bare_free(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_guarded),
        cmocka_unit_test(test_event),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_machine_check),
    };
    return cmocka_run_group_tests_name("guarded storage", tests, NULL, NULL);
}
