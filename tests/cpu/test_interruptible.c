// SPDX-License-Identifier: MIT
// Interruptible instructions: what an interruption in their middle leaves, and that going on ends
// as if there had been none.
//
// The interruption comes at a known place: the host page of one operand there is taken away, and
// whoever touches it makes the interruption pending and gives the page back.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/rig.h"

#define FROM  0x100000u
#define TO    0x200000u
#define BYTES 0x80000u
#define AFTER 0x1A00u // where the external new PSW leads: X'E20' has a wait state's PSW

static struct bare *the_bare;
static uint8_t *trap_page;
static volatile sig_atomic_t traps;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_addr < (void *)trap_page || info->si_addr >= (void *)(trap_page + 4096)) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL);
        return; // a fault of ours: it comes again
    }
    traps++;
    mprotect(trap_page, 4096, PROT_READ | PROT_WRITE);
    the_bare->has_external = true;
    cpu_pend(the_bare->cpu, PEND_EXTERNAL);
}

// cmocka has a handler of its own during a test.
static void trap_at(struct bare *bare, uint64_t absolute)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
    assert_int_equal(sysconf(_SC_PAGESIZE), 4096);
    the_bare = bare;
    traps = 0;
    trap_page = bare->storage->extent[0].bytes + absolute;
    assert_int_equal(mprotect(trap_page, 4096, PROT_NONE), 0);
}

static struct bare *start(const char *code)
{
    struct bare *bare = rig_new(code);
    struct cpu *cpu = bare->cpu;
    for (uint64_t i = 0; i < BYTES; i += 8)
        bare_put64(bare, FROM + i, i * UINT64_C(0x9E3779B97F4A7C15));
    cpu->gr[2] = TO;
    cpu->gr[4] = FROM;
    cpu->gr[3] = cpu->gr[5] = BYTES;
    cpu->psw.external = true;
    cpu->cr[0] |= 0x200;
    bare->external.code = 0x2401;
    rig_hex(bare, AFTER, "B2B2 0E20");
    bare_put64(bare, 0x1B0, UINT64_C(0x0000000180000000));
    bare_put64(bare, 0x1B8, AFTER);
    bare_put64(bare, 0xE20, UINT64_C(0x0002000180000000));
    bare_put64(bare, 0xE28, 0xE7E);
    return bare;
}

// Goes on with the old PSW.
static void resume(struct bare *bare)
{
    uint8_t psw[16];
    storage_read(bare->storage, 0x130, psw, 16);
    cpu_psw_unpack(bare->cpu, psw);
}

static void check_moved(struct bare *bare)
{
    static uint8_t from[BYTES], to[BYTES];
    storage_read(bare->storage, FROM, from, BYTES);
    storage_read(bare->storage, TO, to, BYTES);
    assert_memory_equal(from, to, BYTES);
    assert_int_equal(bare->cpu->gr[2], TO + BYTES);
    assert_int_equal(bare->cpu->gr[3], 0);
    assert_int_equal(bare->cpu->gr[4], FROM + BYTES);
    assert_int_equal(bare->cpu->gr[5], 0);
}

// Runs until the interruption at `at`, checks what it left, and to the end.
static void interrupted(struct bare *bare, uint64_t at, unsigned done)
{
    rig_run(bare);
    assert_int_equal(traps, 1);
    assert_int_equal(bare->cpu->psw.address, 0xE7E);
    assert_int_equal(bare_get32(bare, 0x84) & 0xFFFF, 0x2401);
    assert_int_equal(bare_get64(bare, 0x138), at);
    assert_int_equal(bare->cpu->gr[2], TO + done);
    assert_int_equal(bare->cpu->gr[3], BYTES - done);
    assert_int_equal(bare->cpu->gr[4], FROM + done);
    assert_int_equal(bare->cpu->gr[5], BYTES - done);
    resume(bare);
    assert_true(rig_good(bare));
}

static void test_move(void **state)
{
    (void)state;
    struct bare *bare = start("1A00 0E24"); // AR 0,0; MVCL 2,4
    trap_at(bare, TO + 0x7000);
    interrupted(bare, CODE + 2, 0x8000); // the unit that met it was done
    check_moved(bare);
    bare_free(bare);
}

static void test_move_executed(void **state)
{
    (void)state;
    struct bare *bare = start("1A00 4400 7000"); // EX 0,0(7)
    rig_hex(bare, 0x3000, "0E24");
    bare->cpu->gr[7] = 0x3000;
    trap_at(bare, FROM + 0x10000);
    interrupted(bare, CODE + 2, 0x11000);
    check_moved(bare);
    bare_free(bare);
}

// Interruptions that are not enabled do not stop it.
static void test_disabled(void **state)
{
    (void)state;
    struct bare *bare = start("0E24");
    bare->cpu->psw.external = false;
    trap_at(bare, TO + 0x7000);
    assert_true(rig_good(bare));
    assert_int_equal(traps, 1);
    check_moved(bare);
    bare_free(bare);
    bare = start("0E24"); // behind the last unit there is nothing to go on with
    trap_at(bare, TO + BYTES - 0x1000);
    rig_run(bare);
    assert_int_not_equal(bare_get64(bare, 0x138), CODE);
    check_moved(bare);
    bare_free(bare);
}

static void test_compare(void **state)
{
    static const char *const codes[] = {"0F24 B222 0090", "4400 7000 B222 0090"}; // CLCL, EX; IPM 9
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bare *bare = start(codes[i]);
        uint8_t bytes[256];
        rig_hex(bare, 0x3000, "0F24");
        bare->cpu->gr[7] = 0x3000;
        for (unsigned at = 0; at < BYTES; at += sizeof bytes) {
            storage_read(bare->storage, FROM + at, bytes, sizeof bytes);
            bare_put(bare, TO + at, bytes, sizeof bytes);
        }
        bare_put64(bare, TO + 0x60008, ~UINT64_C(0));
        trap_at(bare, TO + 0x20000);
        interrupted(bare, CODE, 0x21000);
        assert_int_equal(bare->cpu->gr[9] >> 28 & 3, 2);
        assert_int_equal(bare->cpu->gr[2], TO + 0x60008);
        assert_int_equal(bare->cpu->gr[5], BYTES - 0x60008);
        bare_free(bare);
    }
}

// PERFORM FRAME MANAGEMENT FUNCTION clears a megabyte, frame by frame.
static void test_frames(void **state)
{
    (void)state;
    struct bare *bare = start("B9AF 0012"); // PFMF 1,2
    for (uint64_t at = TO; at < TO + 0x100000; at += 4096)
        bare_put64(bare, at, 1);
    bare->cpu->gr[1] = 0x11000; // clear, 1 MB
    trap_at(bare, TO + 0x40000);
    rig_run(bare);
    assert_int_equal(bare->cpu->psw.address, 0xE7E);
    assert_int_equal(bare_get64(bare, 0x138), CODE);
    assert_int_equal(bare->cpu->gr[2], TO + 0x41000);
    assert_int_equal(bare_get64(bare, TO + 0x40000), 0);
    assert_int_equal(bare_get64(bare, TO + 0x41000), 1);
    resume(bare);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[2], TO + 0x100000);
    for (uint64_t at = TO; at < TO + 0x100000; at += 4096)
        assert_int_equal(bare_get64(bare, at), 0);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_move),     cmocka_unit_test(test_move_executed),
        cmocka_unit_test(test_disabled), cmocka_unit_test(test_compare),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests_name("interruptible instructions", tests, NULL, NULL);
}
