// SPDX-License-Identifier: MIT
// Storage order: CPUs as threads run small programs (programs/litmus.S) over and over, and no
// outcome may be seen that the architecture rules out. Only a store followed by a fetch from
// elsewhere may appear the other way round, and serialization forbids that, too.
// ENDICOTT_CASES changes how often all of them are run; `make check-tsan` runs them under
// ThreadSanitizer.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>

#include "cpu/bare.h"

#define ITERATIONS 2048u
#define STRETCH    2000u // instructions
#define SHARED     0x3000u
#define LOCATIONS  0x100000u
#define SEEN       0x400000u // 64 KiB for each thread
#define THREADS    4

// One iteration's outcome: the two locations at the end, and what each thread has seen.
struct outcome {
    uint64_t x, y, seen[THREADS][2];
};

static bool message_passing(const struct outcome *o)
{
    return o->seen[1][0] == 1 && o->seen[1][1] == 0;
}

static bool load_buffering(const struct outcome *o)
{
    return o->seen[0][0] == 1 && o->seen[1][0] == 1;
}

static bool store_buffering(const struct outcome *o)
{
    return o->seen[0][0] == 0 && o->seen[1][0] == 0;
}

static bool one_location(const struct outcome *o)
{
    return o->seen[1][0] > o->seen[1][1];
}

static bool two_stores(const struct outcome *o)
{
    return o->x == 1 && o->y == 1;
}

static bool store_before_seen(const struct outcome *o)
{
    return o->seen[1][0] == 1 && o->x == 2;
}

static bool independent_reads(const struct outcome *o)
{
    return o->seen[2][0] == 1 && o->seen[2][1] == 0 && o->seen[3][0] == 1 && o->seen[3][1] == 0;
}

static bool passed_on(const struct outcome *o)
{
    return o->seen[2][0] == 1 && o->seen[2][1] == 0;
}

static bool torn(const struct outcome *o)
{
    return o->seen[1][0] != o->seen[1][1];
}

static bool nothing(const struct outcome *o)
{
    (void)o;
    return false;
}

static const struct litmus {
    const char *name;
    bool (*forbidden)(const struct outcome *o);
    unsigned threads, code[THREADS]; // numbers in litmus.S
} litmus[] = {
    {"message passing", message_passing, 2, {0, 1}},
    {"load buffering", load_buffering, 2, {2, 3}},
    {"store buffering with BCR", store_buffering, 2, {4, 5}},
    {"store buffering with CS", store_buffering, 2, {6, 7}},
    {"one location", one_location, 2, {8, 9}},
    {"two stores each", two_stores, 2, {10, 11}},
    {"a store before one that was seen", store_before_seen, 2, {12, 13}},
    {"independent reads of independent writes", independent_reads, 4, {14, 15, 16, 17}},
    {"passed on", passed_on, 3, {14, 18, 1}},
    {"doublewords", torn, 2, {19, 20}},
    {"quadwords", torn, 2, {21, 22}},
    {"interlocked updates", nothing, 2, {23, 24}},
};

struct thread {
    struct bare bare; // its CPU; storage is shared
    pthread_t thread;
    enum cpu_exit end;
};

static void *run(void *arg)
{
    struct thread *t = arg;
    while ((t->end = cpu_run(t->bare.cpu, STRETCH)) == CPU_EXIT_BUDGET)
        sched_yield(); // it may be waiting for a thread that has no processor
    return NULL;
}

static void start(struct thread *t, struct storage *storage, const struct litmus *l, unsigned n)
{
    clock_init(&t->bare.clock, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
    t->bare.storage = storage;
    struct cpu *cpu = t->bare.cpu =
        cpu_new((uint16_t)n, storage, &t->bare.clock, &bare_host, &t->bare);
    cpu_set_architecture(cpu, ARCH_Z);
    cpu->psw.ea = cpu->psw.ba = true;
    cpu->psw.address = 0x4000 + 0x100 * l->code[n];
    atomic_store(&cpu->state, CPU_OPERATING);
    cpu->gr[1] = 1;
    cpu->gr[2] = LOCATIONS;
    cpu->gr[3] = SEEN + 0x10000 * n;
    cpu->gr[4] = ITERATIONS;
    cpu->gr[12] = l->threads;
    cpu->gr[13] = SHARED;
}

static struct outcome outcome_of(const struct bare *bare, const struct litmus *l, unsigned i)
{
    struct outcome o = {
        bare_get64(bare, LOCATIONS + 256 * i), bare_get64(bare, LOCATIONS + 256 * i + 128), {{0}}};
    for (unsigned n = 0; n < l->threads; n++) {
        uint64_t seen = SEEN + 0x10000 * n + 16 * i;
        o.seen[n][0] = bare_get64(bare, seen);
        o.seen[n][1] = bare_get64(bare, seen + 8);
    }
    return o;
}

static void counters(const struct bare *bare)
{
    static const unsigned doublewords[] = {0x900, 0x908, 0x918, 0x920, 0x928};
    for (unsigned i = 0; i < sizeof doublewords / sizeof doublewords[0]; i++)
        assert_int_equal(bare_get64(bare, SHARED + doublewords[i]), 2 * ITERATIONS);
    assert_int_equal(bare_get32(bare, SHARED + 0x910), 2 * ITERATIONS);
    assert_int_equal(bare_get32(bare, SHARED + 0x914), 2 * ITERATIONS);
    assert_int_equal(bare_get32(bare, SHARED + 0x930), 0);
}

static unsigned run_litmus(const struct litmus *l)
{
    struct bare *bare = bare_new(8);
    static struct thread threads[THREADS];
    bare_load(bare, "programs/litmus");
    memset(threads, 0, sizeof threads);
    for (unsigned n = 0; n < l->threads; n++)
        start(&threads[n], bare->storage, l, n);
    for (unsigned n = 0; n < l->threads; n++)
        assert_int_equal(pthread_create(&threads[n].thread, NULL, run, &threads[n]), 0);
    for (unsigned n = 0; n < l->threads; n++) {
        pthread_join(threads[n].thread, NULL);
        assert_int_equal(threads[n].end, CPU_EXIT_DISABLED_WAIT);
        assert_int_equal(threads[n].bare.cpu->psw.address, 0x600D);
        cpu_free(threads[n].bare.cpu);
    }
    unsigned bad = 0;
    for (unsigned i = 0; i < ITERATIONS; i++) {
        struct outcome o = outcome_of(bare, l, i);
        bad += l->forbidden(&o);
    }
    if (l->forbidden == nothing)
        counters(bare);
    bare_free(bare);
    return bad;
}

static void test_order(void **state)
{
    (void)state;
    const char *text = getenv("ENDICOTT_CASES");
    unsigned long rounds = text ? strtoul(text, NULL, 0) : 2;
    unsigned bad = 0;
    for (unsigned long round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < sizeof litmus / sizeof litmus[0]; i++) {
            unsigned seen = run_litmus(&litmus[i]);
            if (seen)
                print_error("%s: %u times\n", litmus[i].name, seen);
            bad += seen;
        }
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests_name("storage order", tests, NULL, NULL);
}
