// SPDX-License-Identifier: MIT
// What one guest may not do to another, to the system or to its host: cases that once went wrong.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "endicott.h"

static const char config[] = "System_Identifier * * TESTSYS\nProcessors 2 IFL\nStorage 64M\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n CONSOLE 009 3215\n"
    "USER OLD OLD 1M 1M G\n MACHINE Z\n CONSOLE 009 3215\n"
    "USER NEW NEW 1M 1M G\n MACHINE Z 2\n CPU 00\n CPU 01\n CONSOLE 009 3215\n";

static struct endicott *sys;

static int setup(void **state)
{
    char *error = NULL;
    (void)state;
    sys = endicott_new(
        &(struct endicott_options){
            .mode = CLOCK_VIRTUAL, .config_text = config, .directory_text = directory, .mips = 1},
        &error);
    return sys ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    endicott_free(sys);
    return 0;
}

static void command(const char *user, const char *line)
{
    char *text;
    int rc = endicott_command(sys, user, line, &text, NULL);
    if (rc != 0)
        fail_msg("%s: %d %s", line, rc, text);
    free(text);
}

static void run(double seconds)
{
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(seconds));
}

static double guest_time(const char *user)
{
    struct endicott_user info;
    assert_int_equal(endicott_user(sys, user, &info), 0);
    return info.guest_time;
}

static void logon(const char *user)
{
    char line[40];
    snprintf(line, sizeof line, "XAUTOLOG %s", user);
    command(NULL, line);
    command(user, "SYSTEM CLEAR");
}

static void loop(const char *user)
{
    command(user, "STORE S800 47F00800"); // BC 15,X'800'
    command(user, "STORE PSW 00080000 80000800");
}

// One that ran alone for long is not made to wait until a newcomer has had as much.
static void a_newcomer_gets_its_share_and_no_more(void **state)
{
    (void)state;
    logon("OLD");
    loop("OLD");
    command("OLD", "BEGIN");
    run(2);
    logon("NEW");
    loop("NEW");
    command("NEW", "CPU 01 STORE PSW 00080000 80000800");
    double before = guest_time("OLD");
    command("NEW", "BEGIN");
    command("NEW", "CPU 01 BEGIN");
    run(0.2);
    // Two processors, equal shares: half of them is one processor for each.
    double share = (guest_time("OLD") - before) / 0.2;
    assert_true(share > 0.8 && share <= 1.0);
    assert_true(guest_time("NEW") > 0.15);
}

static uint32_t word(const char *user, uint64_t at)
{
    uint8_t b[4] = {0};
    assert_int_equal(endicott_peek(sys, user, at, b, sizeof b), 4);
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// L 1,.; L 2,.; DIAG 1,2,8: a command from a program; its return code is stored at X'900'.
static void program_command(const char *user, const char *line)
{
    uint8_t text[64];
    char store[80];
    size_t n = ebcdic_from_utf8(codepage_default(), line, text, sizeof text);
    assert_int_equal(endicott_poke(sys, user, 0xA00, text, n), n);
    snprintf(store, sizeof store, "STORE S840 00000A00 %08X", (unsigned)n);
    command(user, store);
    command(user, "STORE S800 58100840 58200844 83120008 50200900 47F00810");
    command(user, "STORE S900 FFFFFFFF");
    command(user, "STORE PSW 00080000 80000800");
    command(user, "BEGIN");
    run(0.01);
}

// A guest's program may load systems that CP knows, but not read the files of the host; and what is
// not a file (once a request for all of the host's storage) is refused whoever asks.
static void programs_do_not_read_the_hosts_files(void **state)
{
    (void)state;
    logon("OLD");
    program_command("OLD", "IPL FILE /etc/passwd");
    assert_int_equal(word("OLD", 0x900), 3);
    assert_int_equal(word("OLD", 0x800), 0x58100840);
    assert_int_equal(endicott_command(sys, "OLD", "IPL FILE /", NULL, NULL), 44);
    assert_int_equal(endicott_command(sys, "OLD", "IPL FILE /dev/zero", NULL, NULL), 44);
}

// DIAGNOSE X'308' (load normal) by one CPU while the other one is running: both are reset, and the
// configuration goes on at the short PSW in absolute storage 0.
static void a_program_resets_its_own_machine(void **state)
{
    (void)state;
    logon("NEW");
    loop("NEW");
    command("NEW", "CPU 01 STORE PSW 00080000 80000800");
    command("NEW", "STORE S0 00080000 80000B00");
    command("NEW", "STORE S980 00000001");
    command("NEW", "STORE S900 58300980 83230308"); // L 3,.; DIAG 2,3,X'308'
    command("NEW", "STORE SB00 58100980 50100990 47F00B08");
    command("NEW", "CPU 00 STORE PSW 00080000 80000900");
    command("NEW", "BEGIN");
    command("NEW", "CPU 01 BEGIN");
    run(0.05);
    assert_int_equal(word("NEW", 0x990), 1);
    double before = guest_time("NEW");
    run(0.1);
    double processors = (guest_time("NEW") - before) / 0.1;
    assert_true(processors > 0.9 && processors < 1.1); // CPU 01 is stopped
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_newcomer_gets_its_share_and_no_more),
        TEST(programs_do_not_read_the_hosts_files),
        TEST(a_program_resets_its_own_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
