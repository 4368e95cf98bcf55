// SPDX-License-Identifier: MIT
// What a machine says of itself: STIDP and STSI by CPU model, level 3 by its identity, SERVICE CALL
// with a block that is too short; programs that use what the model lacks.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "machine/bare.h"

#define CHECK 0xBAD

static struct bare bare;
static uint8_t block[4096];

static int setup(void **state)
{
    (void)state;
    bare_open(&bare, 1, 2);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bare_close(&bare);
    return 0;
}

static void choose(const char *text)
{
    struct cpu_model model;
    char error[200];

    assert_int_equal(cpu_model_parse(&model, text, error, sizeof error), 0);
    machine_set_model(bare.machine, &model);
}

static int stsi(unsigned fc, unsigned s1, unsigned s2)
{
    return machine_stsi(bare.machine, bare.machine->cpu[0], fc, s1, s2, block);
}

static void assert_ebcdic(const uint8_t *at, size_t n, const char *text)
{
    uint8_t wanted[256];
    ebcdic_field(wanted, n, text);
    assert_memory_equal(at, wanted, n);
}

static void test_models(void **state)
{
    static const struct {
        const char *model;
        uint64_t type;
        const char *shown, *capacity;
    } rows[] = {
        {"z900", 0x2064, "2064", "116"},
        {"z13,-129", 0x2964, "2964", "N30"},
        {"", 0x3906, "3906", "M01"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        choose(rows[i].model);
        for (unsigned n = 0; n < 2; n++)
            assert_int_equal(bare.machine->cpu[n]->cpu_id >> 16 & 0xFFFF, rows[i].type);
        assert_int_equal(stsi(1, 1, 1), 0);
        assert_ebcdic(block + 48, 4, rows[i].shown);
        assert_ebcdic(block + 64, 16, rows[i].capacity);
        assert_ebcdic(block + 100, 16, rows[i].capacity);
    }
    machine_add_cpu(bare.machine, 7); // comes as what the others are
    assert_memory_equal(bare.machine->cpu[7]->facilities, bare.machine->model.facilities, 32);
}

static void test_level_3(void **state)
{
    (void)state;
    assert_int_equal(machine_cpu_host.current_level(bare.machine->cpu[0]), 2);
    assert_int_equal(stsi(3, 2, 2), 3);
    strcpy(bare.machine->identity.hypervisor, "KVM/Linux");
    strcpy(bare.machine->identity.name, "long-name-of-it");
    memset(bare.machine->identity.uuid, 0xAB, 16);
    assert_int_equal(machine_cpu_host.current_level(bare.machine->cpu[0]), 3);
    assert_int_equal(stsi(3, 2, 2), 0);
    assert_int_equal(block[31], 1);
    assert_int_equal(be16_load(block + 36), 2); // CPUs, configured
    assert_int_equal(be16_load(block + 38), 2);
    assert_ebcdic(block + 44, 8, "long-nam");
    assert_ebcdic(block + 56, 16, "KVM/Linux");
    assert_int_equal(block[80], 0xAB);
    assert_string_equal((const char *)block + 2048, "long-name-of-it");
}

// Runs two instructions from 1000 on CPU 0, the second LPSWE to a wait of 0; where it ended.
static int64_t run(const uint8_t *text, size_t n, uint64_t gr2, uint64_t gr4)
{
    static const uint8_t end[4] = {0xB2, 0xB2, 0x00, 0x20};
    uint8_t psw[16] = {0};

    be64_store(psw, 0x0002000180000000);
    assert_true(storage_write(bare.machine->storage, 0x20, psw, sizeof psw));
    be64_store(psw + 8, CHECK);
    assert_true(storage_write(bare.machine->storage, 0x1D0, psw, sizeof psw));
    assert_true(storage_write(bare.machine->storage, 0x1000, text, n));
    assert_true(storage_write(bare.machine->storage, 0x1000 + n, end, sizeof end));
    assert_int_equal(machine_start_at(bare.machine, 0x1000, true), 0);
    bare.machine->cpu[0]->gr[2] = gr2;
    bare.machine->cpu[0]->gr[4] = gr4;
    assert_true(bare_run(&bare, 1));
    return bare_end(&bare);
}

static unsigned program_code(void)
{
    uint8_t code[2];
    assert_true(storage_read(bare.machine->storage, 0x8E, code, sizeof code));
    return be16_load(code);
}

// LOCHI is of the z13; a block that was decoded before the model changed is decoded again.
static void test_absent_instruction(void **state)
{
    static const uint8_t lochi[6] = {0xEC, 0x18, 0x00, 0x05, 0x00, 0x42};

    (void)state;
    assert_int_equal(run(lochi, sizeof lochi, 0, 0), 0);
    choose("zEC12");
    assert_int_equal(run(lochi, sizeof lochi, 0, 0), CHECK);
    assert_int_equal(program_code(), 0x0001);
    choose("zEC12,+loc2");
    assert_int_equal(run(lochi, sizeof lochi, 0, 0), 0);
}

// SERVICE CALL: a block shorter than its header is a specification exception.
static void test_short_block(void **state)
{
    static const uint8_t servc[4] = {0xB2, 0x20, 0x00, 0x24}; // R2 the command, R4 the block
    uint8_t length[2] = {0, 7};

    (void)state;
    assert_true(storage_write(bare.machine->storage, 0x4000, length, 2));
    assert_int_equal(run(servc, sizeof servc, 0x00020001, 0x4000), CHECK);
    assert_int_equal(program_code(), 0x0006);
    length[1] = 8;
    assert_true(storage_write(bare.machine->storage, 0x4000, length, 2));
    assert_int_equal(run(servc, sizeof servc, 0x00020001, 0x4000), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_models),
        TEST(test_level_3),
        TEST(test_absent_instruction),
        TEST(test_short_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
