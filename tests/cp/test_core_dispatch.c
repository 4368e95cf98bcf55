// SPDX-License-Identifier: MIT
// The dispatcher: shares and limits, what a guest's time is made of, virtual time that jumps over
// idleness, and real processors as threads.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <time.h>

#include "base/bytes.h"
#include "cp/rig.h"

#define USERS 60

static char directory[16384];

static void make_directory(void)
{
    struct text text = {0};
    text_puts(&text, "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n");
    for (unsigned i = 1; i <= USERS; i++)
        text_printf(&text, "USER U%02u U 1M 32M G\n MACHINE Z 4\n CONSOLE 009 3215\n", i);
    snprintf(directory, sizeof directory, "%s", text_get(&text));
    text_free(&text);
}

static void start(struct rig *rig, enum clock_mode mode, unsigned processors)
{
    char config[100];
    snprintf(config, sizeof config, "System_Identifier * * TESTSYS\nProcessors %u IFL\n",
             processors);
    rig_new(rig, mode, config, directory);
    rig->cp->instruction_cost = 1024; // a slow machine: there is less to execute
}

static struct vm *log_on(struct rig *rig, unsigned number)
{
    char userid[9];
    snprintf(userid, sizeof userid, "U%02u", number);
    return rig_log_on(rig, userid);
}

// Programs of a few instructions, at X'1000', in z/Architecture mode.
static const uint8_t loop[] = {0x07, 0x00, 0xA7, 0xF4, 0xFF, 0xFF}; // BCR 0,0; BRC 15,*-2
// STIDP 2000; BRC 15,*-4
static const uint8_t privileged[] = {0xB2, 0x02, 0x20, 0x00, 0xA7, 0xF4, 0xFF, 0xFE};
// STCK 3000(0) twice, AHI-free: sets a clock comparator 1 ms ahead and waits for it, again and
// again.
static const uint8_t sleeper[] = {
    0xB2, 0x05, 0x30, 0x00,             // STCK  0(R3)
    0xE3, 0x10, 0x30, 0x00, 0x00, 0x04, // LG    R1,0(R3)
    0xB9, 0x08, 0x00, 0x14,             // AGR   R1,R4
    0xE3, 0x10, 0x30, 0x08, 0x00, 0x24, // STG   R1,8(R3)
    0xB2, 0x06, 0x30, 0x08,             // SCKC  8(R3)
    0xB2, 0xB2, 0x30, 0x10,             // LPSWE 16(R3): enabled wait
};

static void begin_program(struct vm *vm, const uint8_t *program, size_t n)
{
    struct cpu *cpu = vm->vcpu[0]->cpu;
    uint8_t psw[16] = {0};

    machine_reset(vm->machine, true);
    assert_true(storage_write(vm->machine->storage, 0x1000, program, n));
    assert_int_equal(machine_start_at(vm->machine, 0x1000, true), 0);
    cpu->gr[2] = 0x2000;
    cpu->gr[3] = 0x3000;
    cpu->gr[4] = TOD_MILLISECOND;
    // The wait PSW, and the external new PSW that goes back to the program.
    be64_store(psw, UINT64_C(0x0102000180000000));
    storage_write(vm->machine->storage, 0x3010, psw, 16);
    be64_store(psw, UINT64_C(0x0000000180000000));
    be64_store(psw + 8, 0x1000);
    storage_write(vm->machine->storage, 0x1B0, psw, 16);
    cpu->cr[0] = 0x8E0; // clock comparator
    vm_begin(vm);
}

static double seconds(tod_t span)
{
    return tod_to_seconds(span);
}

static tod_t sum_of_costs(const struct vcpu *vcpu)
{
    tod_t sum = 0;
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++)
        sum += vcpu->intercept[i].cost;
    return sum;
}

// --- what time is made of -----------------------------------------------------------------

static void a_loop_shows_nothing_but_dispatching(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig, CLOCK_VIRTUAL, 1);
    struct vm *vm = log_on(&rig, 1);
    begin_program(vm, loop, sizeof loop);
    rig_run(&rig, 2);
    const struct vcpu *v = vm->vcpu[0];
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++)
        if (i != INTERCEPT_DISPATCH && i != INTERCEPT_TIMESLICE)
            assert_int_equal(v->intercept[i].count, 0);
    assert_int_equal(v->intercept[INTERCEPT_DISPATCH].count, 1);
    // 2 s in slices of 5 ms, of which CP takes a microsecond each.
    assert_in_range(v->intercept[INTERCEPT_TIMESLICE].count, 398, 400);
    assert_true(seconds(v->guest_time) > 1.998);
    rig_free(&rig);
}

static void causes_add_up_exactly(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig, CLOCK_VIRTUAL, 1);
    struct vm *vm = log_on(&rig, 1);
    begin_program(vm, privileged, sizeof privileged);
    tod_t began = clock_now(&rig.world.clock);
    rig_run(&rig, 1);
    const struct vcpu *v = vm->vcpu[0];
    const struct real_processor *p = &rig.cp->processor[0];
    // Elapsed = guest instructions + CP, to the unit.
    assert_int_equal(p->local - began, v->guest_time + v->cp_time + p->wait_time);
    assert_int_equal(v->cp_time, sum_of_costs(v));
    assert_int_equal(v->guest_time, v->cpu->instructions * v->cpu->instruction_cost);
    assert_int_equal(v->intercept[INTERCEPT_STIDP].cost,
                     v->intercept[INTERCEPT_STIDP].count * rig.cp->intercept_cost[INTERCEPT_STIDP]);
    assert_in_range(v->intercept[INTERCEPT_STIDP].count, v->cpu->instructions / 2 - 1,
                    v->cpu->instructions / 2 + 1);
    assert_int_equal(p->guest_time, v->guest_time);
    assert_int_equal(p->user_time, v->guest_time + v->cp_time);
    rig_free(&rig);
}

static void waiting_guests_wake_by_their_clock_comparator(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig, CLOCK_VIRTUAL, 2);
    struct vm *vm = log_on(&rig, 1);
    begin_program(vm, sleeper, sizeof sleeper);
    rig_run(&rig, 1);
    const struct vcpu *v = vm->vcpu[0];
    assert_in_range(v->intercept[INTERCEPT_WAIT].count, 985, 1000);
    assert_int_equal(v->intercept[INTERCEPT_DISPATCH].count, v->intercept[INTERCEPT_WAIT].count);
    assert_true(seconds(v->guest_time) < 0.01);
    rig_free(&rig);
}

// --- shares ----------------------------------------------------------------------------------

static void shares_divide_a_processor(void **state)
{
    (void)state;
    static const struct {
        struct share a, b, c;
        double want_a, want_b, want_c;
    } rows[] = {
        {{.value = 100}, {.value = 100}, {.value = 100}, 1.0 / 3, 1.0 / 3, 1.0 / 3},
        {{.value = 100}, {.value = 200}, {.value = 300}, 1.0 / 6, 2.0 / 6, 3.0 / 6},
        {{.absolute = true, .value = 500}, {.value = 100}, {.value = 100}, .5, .25, .25},
        {{.value = 100, .limited = true, .limit_hard = true, .limit_absolute = true, .limit = 100},
         {.value = 100},
         {.value = 100},
         .1,
         .45,
         .45},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        start(&rig, CLOCK_VIRTUAL, 1);
        struct vm *a = log_on(&rig, 1), *b = log_on(&rig, 2), *c = log_on(&rig, 3);
        a->share = rows[i].a;
        b->share = rows[i].b;
        c->share = rows[i].c;
        begin_program(a, loop, sizeof loop);
        begin_program(b, loop, sizeof loop);
        begin_program(c, loop, sizeof loop);
        rig_run(&rig, 6);
        assert_true(fabs(seconds(a->vcpu[0]->guest_time) / 6 - rows[i].want_a) < 0.02);
        assert_true(fabs(seconds(b->vcpu[0]->guest_time) / 6 - rows[i].want_b) < 0.02);
        assert_true(fabs(seconds(c->vcpu[0]->guest_time) / 6 - rows[i].want_c) < 0.02);
        rig_free(&rig);
    }
}

static void a_soft_limit_yields_only_to_others(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig, CLOCK_VIRTUAL, 1);
    struct vm *a = log_on(&rig, 1);
    a->share = (struct share){.value = 100, .limited = true, .limit_absolute = true, .limit = 100};
    begin_program(a, loop, sizeof loop);
    rig_run(&rig, 1);
    assert_true(seconds(a->vcpu[0]->guest_time) > 0.99);
    rig_free(&rig);
}

static void one_loop_gets_one_of_many_processors(void **state)
{
    (void)state;
    struct rig rig;
    start(&rig, CLOCK_VIRTUAL, 4);
    struct vm *vm[4];
    for (unsigned i = 0; i < 4; i++) {
        vm[i] = log_on(&rig, i + 1);
        begin_program(vm[i], loop, sizeof loop);
    }
    rig_run(&rig, 1);
    for (unsigned i = 0; i < 4; i++)
        assert_true(seconds(vm[i]->vcpu[0]->guest_time) > 0.99);
    rig_free(&rig);
}

// --- idleness costs nothing, and equal runs are equal -------------------------------------------

static void sixty_sleepers(struct rig *rig, struct vm *vm[USERS])
{
    start(rig, CLOCK_VIRTUAL, 9);
    for (unsigned i = 0; i < USERS; i++) {
        vm[i] = log_on(rig, i + 1);
        begin_program(vm[i], sleeper, sizeof sleeper);
        vm[i]->vcpu[0]->cpu->gr[4] = TOD_SECOND + i * TOD_MILLISECOND;
    }
}

static void ten_idle_minutes_take_no_time(void **state)
{
    (void)state;
    struct rig rig;
    struct vm *vm[USERS];
    sixty_sleepers(&rig, vm);
    uint64_t began = host_monotonic_ns();
    rig_run(&rig, 600);
    uint64_t took = host_monotonic_ns() - began;
    assert_in_range(vm[0]->vcpu[0]->intercept[INTERCEPT_WAIT].count, 598, 600);
    print_message("# 60 guests, 600 s of virtual time: %u ms\n", (unsigned)(took / 1000000));
    rig_free(&rig);
}

static void equal_runs_are_equal(void **state)
{
    (void)state;
    tod_t times[2][USERS];
    for (unsigned run = 0; run < 2; run++) {
        struct rig rig;
        struct vm *vm[USERS];
        sixty_sleepers(&rig, vm);
        begin_program(vm[5], loop, sizeof loop);
        begin_program(vm[6], privileged, sizeof privileged);
        rig_run(&rig, 3);
        for (unsigned i = 0; i < USERS; i++)
            times[run][i] = vm_total_time(vm[i]);
        rig_free(&rig);
    }
    assert_memory_equal(times[0], times[1], sizeof times[0]);
}

// --- real mode
// ------------------------------------------------------------------------------------

static void wait_real(struct rig *rig, double span)
{
    tod_t until = clock_now(&rig->world.clock) + tod_from_seconds(span);
    world_lock(&rig->world);
    while (clock_now(&rig->world.clock) < until)
        world_wait(&rig->world, until);
    world_unlock(&rig->world);
}

static void threads_run_guests(void **state)
{
    (void)state;
    struct rig rig;
    struct text text = {0};
    start(&rig, CLOCK_REAL, 2);
    struct vm *a = log_on(&rig, 1), *b = log_on(&rig, 2), *c = log_on(&rig, 3);
    world_lock(&rig.world);
    begin_program(a, loop, sizeof loop);
    begin_program(b, privileged, sizeof privileged);
    begin_program(c, sleeper, sizeof sleeper);
    world_unlock(&rig.world);
    // All three get on, however slow the host is.
    bool on = false;
    for (unsigned i = 0; i < 400 && !on; i++) {
        wait_real(&rig, 0.05);
        world_lock(&rig.world);
        on = a->vcpu[0]->guest_time > 0 && b->vcpu[0]->cp_time > 0 &&
             b->vcpu[0]->intercept[INTERCEPT_STIDP].count > 1000 &&
             c->vcpu[0]->intercept[INTERCEPT_WAIT].count > 10;
        world_unlock(&rig.world);
    }
    assert_true(on);
    // Each is stopped, reset and logged off while it runs.
    for (unsigned i = 0; i < 20; i++) {
        world_lock(&rig.world);
        vm_stop(a);
        vm_begin(a);
        vm_reset(b, true);
        begin_program(b, i & 1 ? loop : privileged, i & 1 ? sizeof loop : sizeof privileged);
        world_unlock(&rig.world);
        wait_real(&rig, 0.005);
    }
    assert_int_equal(rig_command(&rig, "OPERATOR", "FORCE U01", &text), 0);
    assert_int_equal(rig_command(&rig, "OPERATOR", "FORCE U02", &text), 0);
    for (unsigned i = 0; i < 400 && on; i++) {
        wait_real(&rig, 0.05);
        world_lock(&rig.world);
        on = cp_user(rig.cp, "U01") || cp_user(rig.cp, "U02");
        world_unlock(&rig.world);
    }
    assert_false(on);
    text_free(&text);
    rig_free(&rig);
}

static void idle_threads_sleep(void **state)
{
    (void)state;
    struct rig rig;
    struct timespec before, after;
    start(&rig, CLOCK_REAL, 4);
    log_on(&rig, 1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    wait_real(&rig, 0.5);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double used =
        (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    print_message("# idle for 0.5 s: %.1f ms of CPU time\n", used * 1e3);
    assert_true(used < 0.025); // a thread that polls would use all of it
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_shows_nothing_but_dispatching),
        cmocka_unit_test(causes_add_up_exactly),
        cmocka_unit_test(waiting_guests_wake_by_their_clock_comparator),
        cmocka_unit_test(shares_divide_a_processor),
        cmocka_unit_test(a_soft_limit_yields_only_to_others),
        cmocka_unit_test(one_loop_gets_one_of_many_processors),
        cmocka_unit_test(ten_idle_minutes_take_no_time),
        cmocka_unit_test(equal_runs_are_equal),
        cmocka_unit_test(threads_run_guests),
        cmocka_unit_test(idle_threads_sleep),
    };
    make_directory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
