// SPDX-License-Identifier: MIT
// Every bundled guest in a virtual machine, from its first instruction to its disabled wait.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\nProcessors 2 IFL\nStorage 1G\n"
                             "RDevice 0200 Type DASD Volume TEST01 Cylinders 50\n";
static const char directory[] = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
                                " CONSOLE 0009 3215 T\n"
                                "USER GUEST GUEST 32M 64M G\n"
                                " MACHINE Z 4\n"
                                " IUCV ANY\n"
                                " IUCV ALLOW\n"
                                " CONSOLE 0009 3215 T\n"
                                " SPOOL 000C 2540 READER *\n"
                                " MDISK 0191 3390 1 10 TEST01 MR ALL\n"
                                "USER PEER PEER 32M 64M G\n"
                                " MACHINE Z\n"
                                " IUCV ANY\n"
                                " IUCV ALLOW\n"
                                " CONSOLE 0009 3215 T\n"
                                " MDISK 0191 3390 11 10 TEST01 MR ALL\n";

struct fixture {
    struct rig rig;
    struct rig_terminal guest, peer;
};

static int setup_in(void **state, enum clock_mode mode)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    struct text text = {0};
    struct response out = response_to_text(&text);

    rig_new(&f->rig, mode, config, directory);
    world_lock(&f->rig.world);
    rig_terminal_init(&f->guest, "L0003");
    rig_terminal_init(&f->peer, "L0004");
    assert_int_equal(terminal_logon_trusted(f->rig.cp, &f->guest.term, "GUEST", NULL, &out), 0);
    assert_int_equal(terminal_logon_trusted(f->rig.cp, &f->peer.term, "PEER", NULL, &out), 0);
    world_unlock(&f->rig.world);
    text_free(&text);
    text_clear(&f->guest.text);
    *state = f;
    return 0;
}

static int setup(void **state)
{
    return setup_in(state, CLOCK_VIRTUAL);
}

static int setup_real(void **state)
{
    return setup_in(state, CLOCK_REAL);
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    text_free(&f->guest.text);
    text_free(&f->peer.text);
    free(f);
    return 0;
}

static struct vm *guest(struct fixture *f)
{
    return cp_user(f->rig.cp, "GUEST");
}

static void ipl(struct fixture *f, const char *system, const char *parameters, double seconds)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    int rc = vm_ipl(guest(f), system, parameters, true, &out);
    if (rc)
        print_error("%s\n", text_get(&text));
    assert_int_equal(rc, 0);
    text_free(&text);
    rig_run(&f->rig, seconds);
}

// Ended well: a disabled wait at address 0.
static void assert_ended(struct fixture *f)
{
    static const char wait[] = "HCPGIR450W CP entered; disabled wait PSW ";
    const char *line = strstr(text_get(&f->guest.text), wait);
    const char *end = line ? strchr(line, '\n') : NULL;
    if (!line || !end || strncmp(end - 8, "00000000", 8) != 0)
        print_error("%s\n", text_get(&f->guest.text));
    assert_non_null(line);
    assert_int_equal(strncmp(end - 8, "00000000", 8), 0);
    assert_true(guest(f)->cp_read);
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
}

static void hello(void **state)
{
    struct fixture *f = *state;
    ipl(f, "HELLO", NULL, 1);
    assert_ended(f);
    assert_true(guest(f)->vcpu[0]->ssch[2] > 0);
}

static void interrupts(void **state)
{
    ipl(*state, "INTERRUPTS", NULL, 5);
    assert_ended(*state);
}

static void dasdio(void **state)
{
    struct fixture *f = *state;
    ipl(f, "DASDIO", "n=20", 60);
    assert_ended(f);
    assert_true(guest(f)->vcpu[0]->ssch[0] > 20);
    assert_int_equal(guest(f)->io_outstanding, 0);
}

static void ioloop(void **state)
{
    ipl(*state, "IOLOOP", "n=100", 60);
    assert_ended(*state);
}

static void privop(void **state)
{
    ipl(*state, "PRIVOP", "n=100", 60);
    assert_ended(*state);
}

static void compute(void **state)
{
    ipl(*state, "COMPUTE", "n=1", 60);
    assert_ended(*state);
}

static void smp(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(vm_define_cpu(guest(f), 1), 0);
    ipl(f, "SMP", NULL, 10);
    assert_ended(f);
}

static void console(void **state)
{
    struct fixture *f = *state;
    ipl(f, "CONSOLE", NULL, 1);
    assert_int_equal(f->guest.status, TERMINAL_RUNNING);
    terminal_input(f->rig.cp, &f->guest.term, "quit");
    rig_run(&f->rig, 1);
    assert_ended(f);
}

static void client_and_server(void **state)
{
    struct fixture *f = *state;
    struct text text = {0};
    assert_int_equal(rig_command(&f->rig, "PEER", "IPL SERVER", &text), 0);
    rig_run(&f->rig, 1);
    ipl(f, "CLIENT", "servers=PEER n=20 think=10ms", 60);
    assert_ended(f);
    const struct intercept_counter *in = guest(f)->vcpu[0]->intercept;
    assert_int_equal(in[INTERCEPT_IUCV_SEND].count, 20);
    assert_int_equal(in[INTERCEPT_IUCV_CONNECT].count, 1);
    text_free(&text);
}

// --- real mode: the processors are threads -----------------------------------------------

static void wait_for_end(struct fixture *f)
{
    struct machine_world *world = &f->rig.world;
    tod_t until = clock_now(&world->clock) + 60 * TOD_SECOND;
    world_lock(world);
    while (!guest(f)->cp_read && clock_now(&world->clock) < until)
        world_wait(world, clock_now(&world->clock) + 20 * TOD_MILLISECOND);
    assert_ended(f);
    world_unlock(world);
}

static void start_real(struct fixture *f, const char *userid, const char *system,
                       const char *parameters)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    world_lock(&f->rig.world);
    assert_int_equal(vm_ipl(cp_user(f->rig.cp, userid), system, parameters, true, &out), 0);
    world_unlock(&f->rig.world);
    text_free(&text);
}

static void threads_smp(void **state)
{
    struct fixture *f = *state;
    world_lock(&f->rig.world);
    assert_int_equal(vm_define_cpu(guest(f), 1), 0);
    world_unlock(&f->rig.world);
    start_real(f, "GUEST", "SMP", NULL);
    wait_for_end(f);
}

static void threads_client_and_server(void **state)
{
    struct fixture *f = *state;
    start_real(f, "PEER", "SERVER", NULL);
    start_real(f, "GUEST", "CLIENT", "servers=PEER n=20 think=1ms");
    wait_for_end(f);
}

static void threads_dasdio(void **state)
{
    start_real(*state, "GUEST", "DASDIO", "n=20");
    wait_for_end(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hello, setup, teardown),
        cmocka_unit_test_setup_teardown(interrupts, setup, teardown),
        cmocka_unit_test_setup_teardown(dasdio, setup, teardown),
        cmocka_unit_test_setup_teardown(ioloop, setup, teardown),
        cmocka_unit_test_setup_teardown(privop, setup, teardown),
        cmocka_unit_test_setup_teardown(compute, setup, teardown),
        cmocka_unit_test_setup_teardown(smp, setup, teardown),
        cmocka_unit_test_setup_teardown(console, setup, teardown),
        cmocka_unit_test_setup_teardown(client_and_server, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_smp, setup_real, teardown),
        cmocka_unit_test_setup_teardown(threads_client_and_server, setup_real, teardown),
        cmocka_unit_test_setup_teardown(threads_dasdio, setup_real, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
