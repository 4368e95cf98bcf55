// SPDX-License-Identifier: MIT
// CPU models under CP: the system's, and what a guest's directory entry makes of it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cp/rig.h"

#define DIRECTORY                                         \
    "USER OPERATOR NOPASS 32M 32M ABCDEFG\n"              \
    "USER SAME NOPASS 32M 32M G\n"                        \
    "USER OLD NOPASS 32M 32M G\n CPUMODEL z900\n"         \
    "USER LESS NOPASS 32M 32M G\n CPUMODEL -stckf -34\n"  \
    "USER MORE NOPASS 32M 32M G\n CPUMODEL z14 +vector\n" \
    "PROFILE P\n CPUMODEL z9\nUSER PROFILED NOPASS 32M 32M G\n INCLUDE P\n"

// The CPU of `userid` after logon.
static const struct cpu *cpu_of(struct rig *rig, const char *userid)
{
    struct text text = {0};
    char line[40];

    snprintf(line, sizeof line, "XAUTOLOG %s", userid);
    rig_command(rig, "OPERATOR", line, &text);
    rig_run(rig, 1);
    struct vm *vm = cp_user(rig->cp, userid);
    if (!vm)
        fail_msg("%s: %s", userid, text_get(&text));
    text_free(&text);
    return vm->machine->cpu[0];
}

static void guests_within_the_system(void **state)
{
    static const struct {
        const char *userid;
        unsigned type, has, lacks;
    } rows[] = {
        {"SAME", 0x2097, 34, 45},  // the system is a z10
        {"OLD", 0x2064, 16, 18},   // an older machine
        {"LESS", 0x2097, 35, 34},  // without some
        {"LESS", 0x2097, 35, 25},  //
        {"MORE", 0x3906, 34, 129}, // never more than the system has
        {"PROFILED", 0x2094, 21, 34},
    };
    struct rig rig;

    (void)state;
    rig_new(&rig, CLOCK_VIRTUAL, "System_Identifier TEST\nCPU_Model z10\n", DIRECTORY);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cpu *cpu = cpu_of(&rig, rows[i].userid);
        assert_int_equal(cpu->cpu_id >> 16 & 0xFFFF, rows[i].type);
        assert_int_equal(cpu->cpu_id >> 56, 0xFF);
        assert_true(cpu_facility(cpu, rows[i].has));
        assert_false(cpu_facility(cpu, rows[i].lacks));
    }
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(guests_within_the_system)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
