// SPDX-License-Identifier: MIT
// Models of CPU: which facilities each has, single facilities, dependencies, refusals.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/model.h"
#include "cpu/opcode.h"

static bool on(const struct cpu_model *model, unsigned bit)
{
    return model->facilities[bit / 64] >> (63 - bit % 64) & 1;
}

static struct cpu_model parsed(const char *text)
{
    struct cpu_model model;
    char error[200] = "";

    if (cpu_model_parse(&model, text, error, sizeof error) < 0)
        fail_msg("%s: %s", text, error);
    return model;
}

static void assert_refused(const char *text, const char *reason)
{
    struct cpu_model model, before;
    char error[200] = "";

    cpu_model_default(&before);
    model = before;
    assert_int_equal(cpu_model_parse(&model, text, error, sizeof error), -1);
    assert_string_equal(error, reason);
    assert_memory_equal(&model, &before, sizeof model);
}

static void test_machines(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint16_t type;
        uint8_t has, lacks;
    } rows[] = {
        {"z900", 0x2064, 16, 18}, {"z990", 0x2084, 18, 21}, {"z9", 0x2094, 21, 34},
        {"z10", 0x2097, 34, 45},  {"z196", 0x2817, 45, 49}, {"zEC12", 0x2827, 49, 53},
        {"z13", 0x2964, 129, 58}, {"z14", 0x3906, 135, 61}, {"max", 0x3906, 61, 255},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cpu_model model = parsed(rows[i].name);
        assert_string_equal(model.name, rows[i].name);
        assert_int_equal(model.type, rows[i].type);
        assert_true(on(&model, rows[i].has));
        assert_false(on(&model, rows[i].lacks));
        assert_true(on(&model, 1));
    }
}

// Each machine has all that the one before has.
static void test_machines_grow(void **state)
{
    (void)state;
    static const char *const names[] = {"z900",  "z990", "z9",  "z10", "z196",
                                        "zEC12", "z13",  "z14", "max"};
    struct cpu_model before = parsed(names[0]);
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        struct cpu_model model = parsed(names[i]);
        for (unsigned w = 0; w < 4; w++)
            assert_int_equal(before.facilities[w] & ~model.facilities[w], 0);
        before = model;
    }
}

// Decimal floating point came in five steps.
static void test_decimal_floating_point(void **state)
{
    (void)state;
    static const struct {
        uint8_t bit;
        const char *first, *before;
    } steps[] = {{42, "z9", "z990"},  {44, "z9", "z990"},    {43, "z10", "z9"},
                 {37, "z196", "z10"}, {48, "zEC12", "z196"}, {80, "z13", "zEC12"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct cpu_model first = parsed(steps[i].first), before = parsed(steps[i].before);
        assert_true(on(&first, steps[i].bit));
        assert_false(on(&before, steps[i].bit));
    }
}

static void test_single_facilities(void **state)
{
    (void)state;
    struct cpu_model model = parsed("z14,-135,-Vxpd -vector");
    assert_false(on(&model, 129));
    assert_true(on(&model, 58));
    model = parsed("z10 +45");
    assert_true(on(&model, 45));
    assert_int_equal(model.type, 0x2097);
    model = parsed("-exrl");
    assert_false(on(&model, 35));
    assert_string_equal(model.name, "max");
    model = parsed("");
    assert_string_equal(model.name, "max");
    model = parsed("Z13");
    assert_string_equal(model.name, "z13");
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused("z13,-17,-57,-77", "facility 76 (msa3) needs 17 (msa), which is off");
    assert_refused("z900,+19", "facility 19 (ldispfast) needs 18 (ldisp), which is off");
    assert_refused("z17",
                   "model z17 is not known: z900, z990, z9, z10, z196, zEC12, z13, z14 or max");
    assert_refused("z14,+tx", "facility 73 (tx) is not implemented");
    assert_refused("z14,-999", "facility 999 is not known");
    assert_refused("-", "facility  is not known");
    char text[400];
    memset(text, 'z', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_refused(text, "the model is more than 199 characters");
}

// Whatever is implemented has a row, so that a model can leave it out; and all of it together is
// consistent.
static void test_all_rows(void **state)
{
    (void)state;
    struct cpu_model all = parsed("max");
    struct cpu_facility_row row;

    for (size_t i = 0; cpu_facility_row(i, &row); i++) {
        assert_true(row.name[0] && row.title[0]);
        all.facilities[row.bit / 64] &= ~(UINT64_C(1) << (63 - row.bit % 64));
    }
    for (unsigned w = 0; w < 4; w++)
        assert_int_equal(all.facilities[w], 0);
    for (unsigned i = 0; i < opcode_count; i++) {
        bool found = opcode_table[i].facility == FACILITY_NONE;
        for (size_t r = 0; !found && cpu_facility_row(r, &row); r++)
            found = row.bit == opcode_table[i].facility;
        if (!found)
            fail_msg("%s: facility %u has no row", opcode_table[i].mnemonic,
                     opcode_table[i].facility);
    }
}

// What a model lacks is not decoded.
static void test_operation_exception(void **state)
{
    (void)state;
    static const uint8_t lay[6] = {0xE3, 0x10, 0x20, 0x00, 0x00, 0x71}, lr[2] = {0x18, 0x12};
    struct cpu *cpu = mem_zero(1, sizeof *cpu);
    struct cpu_model model = parsed("z900");

    cpu->arch = ARCH_Z;
    cpu_model_apply(cpu, &model);
    assert_null(opcode_for_cpu(cpu, lay));
    assert_non_null(opcode_for_cpu(cpu, lr));
    model = parsed("z990");
    cpu_model_apply(cpu, &model);
    assert_non_null(opcode_for_cpu(cpu, lay));
    free(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_machines_grow),
        cmocka_unit_test(test_decimal_floating_point),
        cmocka_unit_test(test_single_facilities),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_all_rows),
        cmocka_unit_test(test_operation_exception),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
