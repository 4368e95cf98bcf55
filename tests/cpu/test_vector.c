// SPDX-License-Identifier: MIT
// What a comparison with qemu does not show of the vector facility: control bits, exceptions and
// their codes, the checksum, sums of extended products, machine checks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/bare.h"
#include "cpu/block.h"

#define AT 0x2000u

static struct bare *machine(void)
{
    struct bare *bare = bare_new(1);
    cpu_facility_set(bare->cpu, 129, true);
    cpu_facility_set(bare->cpu, 135, true);
    bare->cpu->cr[0] |= UINT64_C(3) << 17;                 // AFP-register and vector control
    bare_put64(bare, 0x1D0, UINT64_C(0x0000000180000000)); // program new PSW
    bare_put64(bare, 0x1D8, AT + 6);
    return bare;
}

// Executes one instruction; the interruption code, 0 when there was none.
static unsigned execute(struct bare *bare, uint64_t text)
{
    uint64_t before = bare->cpu->program_checks;
    bare_put64(bare, AT, text << 16 | 0xA7F4); // and a branch to itself
    bare->cpu->psw.address = AT;
    cpu_run(bare->cpu, 1);
    return bare->cpu->program_checks == before ? 0 : bare_get32(bare, 0x8C) & 0xFFFF;
}

static void test_control(void **state)
{
    (void)state;
    struct bare *bare = machine();
    bare->cpu->vr[2] = (struct vector_register){1, 2};
    assert_int_equal(execute(bare, 0xE71200000056), 0); // VLR 1,2
    assert_int_equal(bare->cpu->vr[1].low, 2);
    bare->cpu->cr[0] &= ~(UINT64_C(1) << 17);
    assert_int_equal(execute(bare, 0xE73200000056), 7);
    assert_int_equal(bare_get32(bare, 0x90), 0xFE);
    assert_int_equal(bare->cpu->vr[3].low, 0);
    assert_int_equal(execute(bare, 0xE71020000027), 0); // LCBB needs no vector control
    cpu_facility_set(bare->cpu, 129, false);
    bare->cpu->cr[0] |= UINT64_C(1) << 17;
    block_cache_flush(bare->cpu->blocks);
    assert_int_equal(execute(bare, 0xE73200000056), 1);
    bare_free(bare);
}

static void test_checksum(void **state)
{
    (void)state;
    struct bare *bare = machine();
    bare->cpu->vr[2] = (struct vector_register){UINT64_C(0xFFFFFFFF00000001), UINT64_C(0x80000000)};
    bare->cpu->vr[3] = (struct vector_register){UINT64_C(0x1234567880000000), 5};
    assert_int_equal(execute(bare, 0xE71230000066), 0); // VCKSM 1,2,3
    // 80000000 + FFFFFFFF -> 80000000; + 1; + 80000000 -> 1 and a carry
    assert_int_equal(bare->cpu->vr[1].high, 2);
    assert_int_equal(bare->cpu->vr[1].low, 0);
    bare_free(bare);
}

// 1/0 in the second element, division by zero trapped: nothing is stored, no flag raised.
static void test_vector_processing(void **state)
{
    (void)state;
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    cpu->vr[1] = (struct vector_register){7, 8};
    cpu->vr[2] =
        (struct vector_register){UINT64_C(0x3FF0000000000000), UINT64_C(0x3FF0000000000000)};
    cpu->vr[3] = (struct vector_register){UINT64_C(0x4008000000000000), 0};
    cpu->fpc = 0x40000000;
    assert_int_equal(execute(bare, 0xE712300030E5), 0x1B); // VFDDB 1,2,3
    assert_int_equal(bare_get32(bare, 0x90), 0x12);
    assert_int_equal(bare_get64(bare, 0x158), AT + 6);
    assert_int_equal(cpu->fpc, 0x40001200);
    assert_int_equal(cpu->vr[1].high, 7);
    cpu->fpc = 0;
    assert_int_equal(execute(bare, 0xE712300030E5), 0);
    assert_int_equal(cpu->fpc, 0x00480000); // and 1/3 is inexact
    assert_int_equal(cpu->vr[1].high, UINT64_C(0x3FD5555555555555));
    assert_int_equal(cpu->vr[1].low, UINT64_C(0x7FF0000000000000));
    bare_free(bare);
}

// (1 + e)(1 - e) - 1 = -e*e for e = 2^-100: lost unless the product is kept whole.
static void test_extended_product(void **state)
{
    (void)state;
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    uint64_t one = UINT64_C(0x3FFF000000000000);
    cpu->vr[2] = (struct vector_register){one, UINT64_C(1) << 12};
    cpu->vr[3] = (struct vector_register){UINT64_C(0x3FFEFFFFFFFFFFFF), 0 - (UINT64_C(1) << 13)};
    cpu->vr[4] = (struct vector_register){one | UINT64_C(1) << 63, 0};
    assert_int_equal(execute(bare, 0xE7123408408F), 0);              // WFMAXB 1,2,3,4
    assert_int_equal(cpu->vr[1].high, UINT64_C(0xBF37000000000000)); // 3FFF - 200
    assert_int_equal(cpu->vr[1].low, 0);
    assert_int_equal(cpu->fpc, 0);
    bare_free(bare);
}

static bool channel_report(struct cpu *cpu, uint64_t *code)
{
    (void)cpu;
    *code = UINT64_C(0x00400F1D40330000);
    return true;
}

static void test_machine_check(void **state)
{
    (void)state;
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    struct cpu_host host = bare_host;
    host.take_machine_check = channel_report;
    cpu->host = &host;
    cpu->cr[14] |= UINT64_C(1) << 28;
    cpu->psw.machine_check = true;
    cpu->psw.address = AT;
    cpu->vr[31] = (struct vector_register){0x1122, 0x3344};
    bare_put64(bare, 0x11B0, 0x5000);
    cpu_pend(cpu, PEND_MCHECK);
    cpu_run(cpu, 1);
    assert_int_equal(bare_get64(bare, 0xE8), UINT64_C(0x00400F5D40330000));
    assert_int_equal(bare_get64(bare, 0x5000 + 31 * 16), 0x1122);
    assert_int_equal(bare_get64(bare, 0x5000 + 31 * 16 + 8), 0x3344);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control),           cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_vector_processing), cmocka_unit_test(test_extended_product),
        cmocka_unit_test(test_machine_check),
    };
    return cmocka_run_group_tests_name("vector facility", tests, NULL, NULL);
}
