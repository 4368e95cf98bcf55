// SPDX-License-Identifier: MIT
// Every bundled guest on a bare machine: what it prints and how it ends.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine/bare.h"

#include "../examples/guests/compute_kernel.h"

static void run(struct bare *bare, const char *guest, const char *parameters, double seconds)
{
    bare_open(bare, 16, 1);
    assert_int_equal(bare_load(bare, guest, parameters), 0);
    assert_true(bare_run(bare, seconds));
}

static void test_hello(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "hello", NULL, 10);
    assert_string_equal(text_get(&bare.output), "Hello from a guest\n");
    assert_int_equal(bare_end(&bare), 0);
    assert_int_equal(bare.stops, 1);
    bare_close(&bare);
}

// The loop's time is that of its instructions, to the microsecond; nothing else happens in it.
static void test_bcrloop(void **state)
{
    struct bare bare;
    unsigned long us;

    (void)state;
    run(&bare, "bcrloop", "n=1000000", 10);
    assert_int_equal(sscanf(text_get(&bare.output), "bcrloop: 1000000 passes in %lu", &us), 1);
    assert_in_range(us, 2 * 1000000 * 20 / 4096, 2 * 1000000 * 20 / 4096 + 2);
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

static void test_parameter_word(void **state)
{
    struct bare bare;
    uint8_t word[4];

    (void)state;
    bare_open(&bare, 16, 1);
    assert_int_equal(bare_load(&bare, "bcrloop", NULL), 0);
    be32_store(word, 777);
    assert_true(storage_write(bare.machine->storage, 0x10010, word, sizeof word));
    assert_true(bare_run(&bare, 10));
    assert_true(bare_said(&bare, "bcrloop: 777 passes"));
    bare_close(&bare);
}

static void test_compute(void **state)
{
    static uint8_t composite[SIEVE_SIZE];
    struct bare bare;
    char expected[64];

    (void)state;
    run(&bare, "compute", "n=3", 60);
    snprintf(expected, sizeof expected, "compute: 3 rounds, checksum %lX",
             (unsigned long)compute_checksum(3, composite));
    assert_true(bare_said(&bare, expected));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

struct typist {
    struct event event;
    struct bare *bare;
    const char *const *lines;
};

static void type_next(struct event *event, void *arg)
{
    struct typist *typist = arg;

    console_3215_input(typist->bare->console, *typist->lines++);
    if (*typist->lines)
        event_schedule(&typist->bare->world.events, event, event->due + TOD_SECOND);
}

static void test_console(void **state)
{
    static const char *const lines[] = {"Good day", "abc", "quit", NULL};
    struct bare bare;
    struct typist typist = {.bare = &bare, .lines = lines};

    (void)state;
    bare_open(&bare, 16, 1);
    assert_int_equal(bare_load(&bare, "console", NULL), 0);
    event_init(&typist.event, type_next, &typist);
    event_schedule(&bare.world.events, &typist.event, BARE_START + TOD_SECOND);
    assert_true(bare_run(&bare, 60));
    assert_string_equal(text_get(&bare.output), "console: type a line, or quit\n"
                                                "console: you typed Good day\n"
                                                "console: backwards yad dooG\n"
                                                "console: you typed abc\n"
                                                "console: backwards cba\n"
                                                "console: 2 lines answered, good bye\n");
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

// Waiting for the operator costs nothing: time jumps, and the machine can go on later.
static void test_console_idle(void **state)
{
    struct bare bare;
    uint64_t instructions;

    (void)state;
    bare_open(&bare, 16, 1);
    assert_int_equal(bare_load(&bare, "console", NULL), 0);
    assert_false(bare_run(&bare, 1));
    instructions = bare.machine->cpu[0]->instructions;
    assert_false(bare_run(&bare, 3600));
    assert_int_equal(bare.machine->cpu[0]->instructions, instructions);
    console_3215_input(bare.console, "quit");
    assert_true(bare_run(&bare, 1));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

static void test_interrupts(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "interrupts", NULL, 60);
    assert_true(bare_said(&bare, "program 16 of 16 codes ok"));
    assert_true(bare_said(&bare, "supervisor call ok"));
    assert_true(bare_said(&bare, "clock comparator ok"));
    assert_true(bare_said(&bare, "CPU timer ok"));
    assert_true(bare_said(&bare, "emergency signal ok"));
    assert_true(bare_said(&bare, "external call ok"));
    assert_true(bare_said(&bare, "I/O ok"));
    assert_true(bare_said(&bare, "restart ok"));
    assert_true(bare_said(&bare, "interrupts: 0 wrong"));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

static void test_privop(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "privop", "n=50", 10);
    assert_true(bare_said(&bare, "privop: 50 STSI in"));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

static void test_ioloop(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "ioloop", "n=20", 60);
    assert_true(bare_said(&bare, "ioloop: 20 starts in"));
    assert_int_equal(bare_end(&bare), 0);
    bare_close(&bare);
}

// What only CP offers is found missing, and that is no fault.
static void test_without_cp(void **state)
{
    static const char *const guests[][2] = {
        {"ping", "ping: no NIC\n"},
        {"netecho", "netecho: no NIC\n"},
        {"server", "server: there is no IUCV here\n"},
        {"client", "client: there is no IUCV here\n"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof guests / sizeof *guests; i++) {
        struct bare bare;
        run(&bare, guests[i][0], NULL, 10);
        assert_string_equal(text_get(&bare.output), guests[i][1]);
        assert_int_equal(bare_end(&bare), 0);
        bare_close(&bare);
    }
}

static void test_bad_parameter(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "compute", "n=12x", 10);
    assert_string_equal(text_get(&bare.output), "bad parameter n\n");
    assert_int_equal(bare_end(&bare), 2);
    bare_close(&bare);
}

static void test_two_cpus(void **state)
{
    struct bare bare;

    (void)state;
    bare_open(&bare, 16, 2);
    assert_int_equal(bare_load(&bare, "smp", NULL), 0);
    assert_true(bare_run(&bare, 10));
    assert_string_equal(text_get(&bare.output), "smp: 100 calls answered, sum 2000, end 0\n");
    assert_int_equal(bare_end(&bare), 0);
    assert_int_equal(atomic_load(&bare.machine->cpu[1]->state), CPU_STOPPED);
    bare_close(&bare);
}

static void test_one_cpu(void **state)
{
    struct bare bare;

    (void)state;
    run(&bare, "smp", NULL, 10);
    assert_string_equal(text_get(&bare.output), "smp: there is no second CPU\n");
    bare_close(&bare);
}

// Two runs are the same run.
static void test_deterministic(void **state)
{
    uint64_t instructions[2][2];
    tod_t end[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bare bare;
        bare_open(&bare, 16, 2);
        assert_int_equal(bare_load(&bare, "smp", NULL), 0);
        assert_true(bare_run(&bare, 10));
        instructions[i][0] = bare.machine->cpu[0]->instructions;
        instructions[i][1] = bare.machine->cpu[1]->instructions;
        end[i] = clock_now(&bare.world.clock);
        bare_close(&bare);
    }
    assert_true(instructions[0][0] > 1000 && instructions[0][1] > 1000);
    assert_int_equal(instructions[0][0], instructions[1][0]);
    assert_int_equal(instructions[0][1], instructions[1][1]);
    assert_int_equal(end[0], end[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hello),          cmocka_unit_test(test_bcrloop),
        cmocka_unit_test(test_parameter_word), cmocka_unit_test(test_compute),
        cmocka_unit_test(test_console),        cmocka_unit_test(test_console_idle),
        cmocka_unit_test(test_interrupts),     cmocka_unit_test(test_privop),
        cmocka_unit_test(test_ioloop),         cmocka_unit_test(test_without_cp),
        cmocka_unit_test(test_bad_parameter),  cmocka_unit_test(test_two_cpus),
        cmocka_unit_test(test_one_cpu),        cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
