// SPDX-License-Identifier: MIT
// DIAGNOSE codes, each by one instruction in a virtual machine.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/appldata.h"
#include "cp/dcss.h"
#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\n"
                             "RDevice 0200 Type DASD Volume TEST01 Cylinders 50\n";
static const char directory[] = "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n"
                                "USER GUEST GUEST 4M 8M G\n"
                                " MACHINE Z 2\n"
                                " OPTION APPLMON\n"
                                " NAMESAVE SECRET\n"
                                " CONSOLE 0009 3215 T\n"
                                " SPOOL 000C 2540 READER *\n"
                                " MDISK 0191 3390 1 10 TEST01 MR ALL\n"
                                "USER PLAIN PLAIN 4M 8M G\n";

#define PROGRAM 0x1000u
#define DATA    0x2000u
#define AREA    0x4000u

struct fixture {
    struct rig rig;
    struct vm *vm;
    struct cpu *cpu;
    int program_check; // of the last run, 0 none
    unsigned cc;
};

static int setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    struct text text = {0};
    struct response out = response_to_text(&text);
    struct logon_options options = {.autolog = true};
    rig_new(&f->rig, CLOCK_VIRTUAL, config, directory);
    assert_int_equal(vm_logon(f->rig.cp, "GUEST", &options, &out), 0);
    f->vm = cp_user(f->rig.cp, "GUEST");
    f->cpu = f->vm->vcpu[0]->cpu;
    machine_reset(f->vm->machine, true);
    text_free(&text);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    free(f);
    return 0;
}

static void put(struct fixture *f, uint64_t at, const void *bytes, size_t n)
{
    assert_true(storage_write(f->vm->machine->storage, at, bytes, n));
}

static void get(struct fixture *f, uint64_t at, void *bytes, size_t n)
{
    assert_true(storage_read(f->vm->machine->storage, at, bytes, n));
}

static size_t put_text(struct fixture *f, uint64_t at, const char *utf8)
{
    uint8_t bytes[300];
    size_t n = ebcdic_from_utf8(codepage_default(), utf8, bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++)
        if (utf8[i] == '\n')
            bytes[i] = 0x15;
    put(f, at, bytes, n);
    return n;
}

static void get_text(struct fixture *f, uint64_t at, size_t n, char *out, size_t size)
{
    uint8_t bytes[8192];
    get(f, at, bytes, n);
    ebcdic_to_utf8(codepage_default(), bytes, n, out, size);
}

// DIAG R2,R4,code; IPM R9; LPSWE X'800', a disabled wait. 31-bit addressing unless `wide`.
static void diagnose(struct fixture *f, uint16_t code, bool wide)
{
    uint64_t saved[16];
    uint8_t program[12] = {0x83, 0x24, 0, 0, 0xB2, 0x22, 0x00, 0x90, 0xB2, 0xB2, 0x08, 0x00};
    uint8_t psw[16] = {0};
    uint8_t check[2];
    memcpy(saved, f->cpu->gr, sizeof saved);
    be16_store(program + 2, code); // as a displacement
    put(f, PROGRAM, program, sizeof program);
    be64_store(psw, UINT64_C(0x0002000180000000));
    put(f, 0x800, psw, 16);
    be64_store(psw + 8, 0xBAD);
    put(f, 0x1D0, psw, 16); // program new PSW: a disabled wait too
    put(f, 0x8E, "\0\0", 2);
    machine_start_at(f->vm->machine, PROGRAM, true);
    f->cpu->psw.ea = wide;
    memcpy(f->cpu->gr, saved, sizeof saved);
    vm_begin(f->vm);
    rig_run(&f->rig, 0.01);
    get(f, 0x8E, check, 2);
    f->program_check = be16_load(check);
    f->cc = (unsigned)(f->cpu->gr[9] >> 28) & 3;
}

static void identification(void **state)
{
    struct fixture *f = *state;
    char name[40];
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = 100;
    diagnose(f, 0x00, false);
    assert_int_equal(f->program_check, 0);
    assert_int_equal(f->cpu->gr[4], 60);
    get_text(f, DATA + 16, 8, name, sizeof name);
    assert_string_equal(name, "GUEST   ");
    f->cpu->gr[2] = DATA + 4; // not on a doubleword
    diagnose(f, 0x00, false);
    assert_int_equal(f->program_check, 6);
}

static void command_without_buffer(void **state)
{
    struct fixture *f = *state;
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = put_text(f, DATA, "NONSENSE");
    diagnose(f, 0x08, false);
    assert_int_equal(f->program_check, 0);
    assert_int_equal(f->cpu->gr[4], 1);
    assert_int_equal(f->vm->vcpu[0]->intercept[INTERCEPT_DIAG_08].count, 1);
}

static void command_with_buffer(void **state)
{
    struct fixture *f = *state;
    char text[1000];
    f->cpu->gr[2] = DATA;
    f->cpu->gr[3] = AREA;
    f->cpu->gr[4] = 0x40000000u | put_text(f, DATA, "QUERY USERID");
    f->cpu->gr[5] = 200;
    diagnose(f, 0x08, false);
    assert_int_equal(f->cpu->gr[4], 0);
    assert_int_equal(f->cc, 0);
    get_text(f, AREA, f->cpu->gr[5], text, sizeof text);
    assert_string_equal(text, "GUEST    AT TESTSYS "); // X'15' shows as a blank
    // Too small: nothing of a line that does not fit, and how much is missing.
    f->cpu->gr[4] = 0x40000000u | 12;
    f->cpu->gr[5] = 5;
    diagnose(f, 0x08, true);
    assert_int_equal(f->cc, 1);
    assert_int_equal(f->cpu->gr[5], 20);
    // Far more room than a page or two, as vmcp gives by default.
    f->cpu->gr[4] = 0x40000000u | 12;
    f->cpu->gr[5] = 1024 * 1024;
    diagnose(f, 0x08, true);
    assert_int_equal(f->program_check, 0);
    assert_int_equal(f->cpu->gr[5], 20);
    f->cpu->gr[4] = 0x40000000u | 12;
    f->cpu->gr[5] = 1024 * 1024 + 1;
    diagnose(f, 0x08, true);
    assert_int_equal(f->program_check, 6);
}

static void several_commands_stop_at_the_first_error(void **state)
{
    struct fixture *f = *state;
    char text[1000];
    f->cpu->gr[2] = DATA;
    f->cpu->gr[3] = AREA;
    f->cpu->gr[4] = 0x40000000u | put_text(f, DATA, "SET RUN ON\nFROB\nSET RUN OFF");
    f->cpu->gr[5] = 200;
    diagnose(f, 0x08, false);
    assert_int_equal(f->cpu->gr[4], 1);
    assert_true(f->vm->set.run);
    get_text(f, AREA, f->cpu->gr[5], text, sizeof text);
    assert_string_equal(text, "HCPCMD001E Unknown CP command: FROB ");
}

static void bad_command_parameters(void **state)
{
    struct fixture *f = *state;
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = 241;
    diagnose(f, 0x08, false);
    assert_int_equal(f->program_check, 6);
    f->cpu->gr[4] = 0x01000010;
    diagnose(f, 0x08, false);
    assert_int_equal(f->program_check, 6);
    f->cpu->gr[2] = 0x7FFFF000; // not there
    f->cpu->gr[4] = 4;
    diagnose(f, 0x08, false);
    assert_int_equal(f->program_check, 5);
    f->cpu->gr[4] = 0; // length 0: CP READ
    diagnose(f, 0x08, false);
    assert_int_equal(f->program_check, 0);
    assert_true(f->vm->cp_read);
}

static void a_guest_may_reset_itself(void **state)
{
    struct fixture *f = *state;
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = put_text(f, DATA, "SYSTEM CLEAR");
    diagnose(f, 0x08, false);
    uint8_t byte;
    assert_true(f->vm->cp_read);
    get(f, PROGRAM, &byte, 1);
    assert_int_equal(byte, 0);
    assert_int_equal(atomic_load(&f->cpu->state), CPU_STOPPED);
}

static void a_guest_may_log_itself_off(void **state)
{
    struct fixture *f = *state;
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = put_text(f, DATA, "LOGOFF");
    uint8_t program[] = {0x83, 0x24, 0x00, 0x08};
    put(f, PROGRAM, program, sizeof program);
    uint64_t r2 = f->cpu->gr[2], r4 = f->cpu->gr[4];
    machine_start_at(f->vm->machine, PROGRAM, true);
    f->cpu->gr[2] = r2;
    f->cpu->gr[4] = r4;
    vm_begin(f->vm);
    rig_run(&f->rig, 0.01);
    assert_null(cp_user(f->rig.cp, "GUEST"));
}

static void pseudo_timer(void **state)
{
    struct fixture *f = *state;
    char text[80];
    f->cpu->gr[2] = DATA;
    diagnose(f, 0x0C, false);
    get_text(f, DATA, 16, text, sizeof text);
    assert_string_equal(text, "01/01/2600:00:00");
    f->cpu->gr[4] = 64;
    diagnose(f, 0x270, false);
    get_text(f, DATA + 48, 10, text, sizeof text);
    assert_string_equal(text, "2026-01-01");
}

static void released_pages_are_zero(void **state)
{
    struct fixture *f = *state;
    uint8_t byte = 1;
    put(f, 0x5000, &byte, 1);
    f->cpu->gr[2] = 0x5000;
    f->cpu->gr[4] = 0x6000;
    diagnose(f, 0x10, false);
    assert_int_equal(f->program_check, 0);
    get(f, 0x5000, &byte, 1);
    assert_int_equal(byte, 0);
    f->cpu->gr[2] = 0x7000; // behind the last
    diagnose(f, 0x10, false);
    assert_int_equal(f->program_check, 6);
}

static void devices(void **state)
{
    struct fixture *f = *state;
    uint8_t block[12];
    f->cpu->gr[2] = UINT32_MAX;
    diagnose(f, 0x24, false);
    assert_int_equal(f->cpu->gr[2] & 0xFFFF, 0x0009);
    assert_int_equal(f->cpu->gr[4] >> 24, 0x80);
    f->cpu->gr[2] = 0x191;
    diagnose(f, 0x24, false);
    assert_int_equal(f->cc, 0);
    assert_int_equal(f->cpu->gr[4] >> 24, 0x04);
    f->cpu->gr[2] = 0x222;
    diagnose(f, 0x24, false);
    assert_int_equal(f->cc, 3);
    memset(block, 0, sizeof block);
    be16_store(block, 0x000C);
    be16_store(block + 2, 12);
    put(f, DATA, block, sizeof block);
    f->cpu->gr[2] = DATA;
    diagnose(f, 0x210, false);
    assert_int_equal(f->cc, 2); // nothing real behind a spooled reader
    get(f, DATA, block, sizeof block);
    assert_int_equal(block[4], 0x20);
    diagnose(f, 0x210, true);
    assert_int_equal(f->program_check, 6); // 31-bit addressing only
}

static void sizes_and_extents(void **state)
{
    struct fixture *f = *state;
    uint8_t pair[16];
    diagnose(f, 0x60, false);
    assert_int_equal(f->cpu->gr[2], 4 << 20);
    f->cpu->gr[2] = DATA;
    f->cpu->gr[3] = 16;
    f->cpu->gr[4] = 0x10;
    diagnose(f, 0x260, true);
    assert_int_equal(f->cpu->gr[4], 1);
    get(f, DATA, pair, sizeof pair);
    assert_int_equal(be64_load(pair + 8), (4 << 20) - 1);
    f->cpu->gr[4] = 0x44;
    diagnose(f, 0x260, true);
    assert_int_equal(f->program_check, 6);
}

static void segments(void **state)
{
    struct fixture *f = *state;
    struct dcss *dcss = dcss_define(f->rig.cp, "SHARED", 0x1000, 0x100F, DCSS_SC, false);
    dcss->bytes[5] = 0x77;
    uint8_t byte;
    put_text(f, DATA, "SHARED  ");
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = 0x20;
    diagnose(f, 0x64, true);
    assert_int_equal(f->cc, 0);
    assert_int_equal(f->cpu->gr[2], 0x1000000);
    assert_int_equal(f->cpu->gr[4], 0x100FFFF);
    get(f, 0x1000005, &byte, 1);
    assert_int_equal(byte, 0x77);
    put_text(f, DATA, "ABSENT  ");
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = 0x20;
    diagnose(f, 0x64, true);
    assert_int_equal(f->cc, 2);
    assert_int_equal(f->cpu->gr[4], 44);
    // A restricted one needs NAMESAVE, which this user has for it.
    dcss_define(f->rig.cp, "SECRET", 0x1100, 0x1100, DCSS_SR, true);
    put_text(f, DATA, "SECRET  ");
    f->cpu->gr[2] = DATA;
    f->cpu->gr[4] = 0x20;
    diagnose(f, 0x64, true);
    assert_int_equal(f->cc, 0);
}

static void application_data(void **state)
{
    struct fixture *f = *state;
    uint8_t list[32] = {0x00, 0xDC, APPLDATA_START, 32}, bytes[8] = "ABCDEFG", copy[8];
    be16_store(list + 10, 8);
    be64_store(list + 16, DATA + 64);
    be64_store(list + 24, AREA);
    put(f, DATA, list, sizeof list);
    put(f, AREA, bytes, sizeof bytes);
    f->cpu->gr[2] = DATA;
    diagnose(f, 0xDC, true);
    assert_int_equal(f->cpu->gr[4], 0);
    assert_int_equal(f->vm->appldata_buffers, 1);
    assert_true(appldata_read(f->vm, f->vm->appldata, copy));
    assert_memory_equal(copy, bytes, 8);
    list[2] = APPLDATA_STOP;
    put(f, DATA, list, sizeof list);
    diagnose(f, 0xDC, true);
    assert_int_equal(f->cpu->gr[4], 0);
    assert_int_equal(f->vm->appldata_buffers, 0);
    diagnose(f, 0xDC, true);
    assert_int_not_equal(f->cpu->gr[4], 0);
}

// R2 function, R3 seconds, R4 and R5 the command.
static void watchdog(struct fixture *f, uint64_t function, uint64_t seconds, const char *command)
{
    f->cpu->gr[2] = function;
    f->cpu->gr[3] = seconds;
    f->cpu->gr[4] = DATA;
    f->cpu->gr[5] = put_text(f, DATA, command);
    diagnose(f, 0x288, true);
}

static void a_watchdog_executes_its_command(void **state)
{
    struct fixture *f = *state;
    watchdog(f, 2, 15, "SET MSG OFF"); // nothing to cancel
    assert_int_equal(f->program_check, 6);
    watchdog(f, 0, 14, "SET MSG OFF");
    assert_int_equal(f->program_check, 6);
    watchdog(f, 0, 15, "");
    assert_int_equal(f->program_check, 6);
    watchdog(f, 3, 15, "SET MSG OFF");
    assert_int_equal(f->program_check, 6);
    watchdog(f, 0, 15, "SET MSG OFF");
    assert_int_equal(f->program_check, 0);
    rig_run(&f->rig, 10);
    watchdog(f, 1, 20, ""); // renewed
    assert_int_equal(f->program_check, 0);
    rig_run(&f->rig, 19);
    assert_true(f->vm->set.msg);
    rig_run(&f->rig, 2);
    assert_false(f->vm->set.msg);
    // Cancelled, nothing happens; neither after a reset.
    watchdog(f, 0x80000000, 15, "SET MSG ON");
    watchdog(f, 2, 0, "");
    assert_int_equal(f->program_check, 0);
    watchdog(f, 0, 15, "SET MSG ON");
    machine_reset(f->vm->machine, true);
    rig_run(&f->rig, 20);
    assert_false(f->vm->set.msg);
}

static void unknown_codes_are_specification_exceptions(void **state)
{
    struct fixture *f = *state;
    diagnose(f, 0x7F4, true);
    assert_int_equal(f->program_check, 6);
    diagnose(f, 0x003, true);
    assert_int_equal(f->program_check, 6);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(identification),
        TEST(command_without_buffer),
        TEST(command_with_buffer),
        TEST(several_commands_stop_at_the_first_error),
        TEST(bad_command_parameters),
        TEST(a_guest_may_reset_itself),
        TEST(a_guest_may_log_itself_off),
        TEST(pseudo_timer),
        TEST(released_pages_are_zero),
        TEST(devices),
        TEST(sizes_and_extents),
        TEST(segments),
        TEST(application_data),
        TEST(a_watchdog_executes_its_command),
        TEST(unknown_codes_are_specification_exceptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
