// SPDX-License-Identifier: MIT
// What a typed line means: to CP, to the guest, after #CP; attention; status words; secondary
// users; console spooling.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/ebcdic.h"
#include "cp/rig.h"
#include "cp/spool.h"
#include "cp/vm_console.h"

static const char config[] = "System_Identifier * * TESTSYS\n";
static const char directory[] = "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n"
                                "USER GUEST NOPASS 32M 64M G\n"
                                " MACHINE Z\n"
                                " IPL CONSOLE\n"
                                " COMMAND SET PF03 IMMED QUERY &USERID\n"
                                " CONSOLE 0009 3215 T WATCHER\n"
                                "USER PROMPT NOPASS 1M 1M G\n"
                                " CONSOLE 0009 3215 T\n"
                                "USER WATCHER NOPASS 1M 1M G\n"
                                "USER DISKUSER NOPASS 1M 1M G\n"
                                " IPL 0191\n";

struct fixture {
    struct rig rig;
    struct rig_terminal guest, watcher;
};

static int setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_new(&f->rig, CLOCK_VIRTUAL, config, directory);
    rig_terminal_init(&f->guest, "L0003");
    rig_terminal_init(&f->watcher, "L0004");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    text_free(&f->guest.text);
    text_free(&f->watcher.text);
    free(f);
    return 0;
}

static void type(struct fixture *f, struct rig_terminal *t, const char *line)
{
    text_clear(&t->text);
    terminal_input(f->rig.cp, &t->term, line);
    rig_run(&f->rig, 0.1);
}

static void assert_has(const struct rig_terminal *t, const char *what)
{
    if (!strstr(text_get(&t->text), what))
        print_error("not found: %s\nin: %s\n", what, text_get(&t->text));
    assert_non_null(strstr(text_get(&t->text), what));
}

static void log_on(struct fixture *f)
{
    type(f, &f->guest, "LOGON GUEST");
    assert_int_equal(f->guest.status, TERMINAL_RUNNING); // IPL by the directory
}

static void lines_go_to_the_guest(void **state)
{
    struct fixture *f = *state;
    log_on(f);
    type(f, &f->guest, "some words");
    assert_has(&f->guest, "some words");
    assert_int_equal(f->guest.status, TERMINAL_RUNNING);
}

static void after_number_sign_cp_they_go_to_cp(void **state)
{
    struct fixture *f = *state;
    log_on(f);
    type(f, &f->guest, "#cp query userid");
    assert_string_equal(text_get(&f->guest.text), "GUEST    AT TESTSYS\n");
    assert_int_equal(f->guest.status, TERMINAL_RUNNING);
    type(f, &f->guest, "#CP QUERY USERID#FROB#QUERY USERID"); // up to the first error
    assert_string_equal(text_get(&f->guest.text),
                        "GUEST    AT TESTSYS\nHCPCMD001E Unknown CP command: FROB\n");
    type(f, &f->guest, "#CP"); // to CP READ
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
    type(f, &f->guest, "QUERY USERID");
    assert_string_equal(text_get(&f->guest.text), "GUEST    AT TESTSYS\n");
    type(f, &f->guest, "BEGIN");
    assert_int_equal(f->guest.status, TERMINAL_RUNNING);
}

static void pa1_stops_and_begin_goes_on(void **state)
{
    struct fixture *f = *state;
    log_on(f);
    terminal_attention(f->rig.cp, &f->guest.term, true);
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
    uint64_t before = cp_user(f->rig.cp, "GUEST")->vcpu[0]->cpu->instructions;
    rig_run(&f->rig, 1);
    assert_int_equal(cp_user(f->rig.cp, "GUEST")->vcpu[0]->cpu->instructions, before);
    type(f, &f->guest, "begin");
    assert_int_equal(f->guest.status, TERMINAL_RUNNING);
    type(f, &f->guest, "hello again");
    assert_has(&f->guest, "hello again");
}

static void line_editing(void **state)
{
    struct fixture *f = *state;
    type(f, &f->guest, "LOGON GUEST NOIPL");
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
    type(f, &f->guest, "QUX@ERY USERIDD@"); // character delete
    assert_string_equal(text_get(&f->guest.text), "GUEST    AT TESTSYS\n");
    type(f, &f->guest, "rubbish\u00a2QUERY USERID"); // line delete
    assert_string_equal(text_get(&f->guest.text), "GUEST    AT TESTSYS\n");
    type(f, &f->guest, "FROB\"@X"); // escaped
    assert_string_equal(text_get(&f->guest.text), "HCPCMD001E Unknown CP command: FROB@X\n");
    type(f, &f->guest, "SET LINEDIT OFF");
    type(f, &f->guest, "FROB@X");
    assert_string_equal(text_get(&f->guest.text), "HCPCMD001E Unknown CP command: FROB@X\n");
}

static void directory_commands_run_before_ipl(void **state)
{
    struct fixture *f = *state;
    log_on(f);
    const struct pf_key *pf = &cp_user(f->rig.cp, "GUEST")->console->pf[3];
    assert_int_equal(pf->mode, 'I');
    assert_string_equal(pf->text, "QUERY GUEST");
}

static void a_failing_ipl_leaves_cp_read(void **state)
{
    struct fixture *f = *state;
    type(f, &f->guest, "LOGON DISKUSER");
    assert_has(&f->guest, "HCPIPL040E Device 0191 does not exist\n");
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
    type(f, &f->guest, "IPL NOSUCH");
    assert_has(&f->guest, "HCPIPL044E NOSUCH does not exist\n");
    assert_int_equal(f->guest.status, TERMINAL_CP_READ);
}

static void the_secondary_user_sees_a_disconnected_ones_lines(void **state)
{
    struct fixture *f = *state;
    type(f, &f->watcher, "LOGON WATCHER");
    log_on(f);
    text_clear(&f->watcher.text);
    type(f, &f->guest, "seen here only");
    assert_string_equal(text_get(&f->watcher.text), "");
    type(f, &f->guest, "#CP DISCONNECT");
    text_clear(&f->watcher.text);
    vm_console_input(cp_user(f->rig.cp, "GUEST"), "from afar");
    rig_run(&f->rig, 0.1);
    assert_has(&f->watcher, "GUEST   : ");
    assert_has(&f->watcher, "from afar");
}

static void hangup_disconnects(void **state)
{
    struct fixture *f = *state;
    log_on(f);
    terminal_hangup(f->rig.cp, &f->guest.term);
    assert_non_null(cp_user(f->rig.cp, "GUEST"));
    assert_null(cp_user(f->rig.cp, "GUEST")->terminal);
}

static void console_spooling_keeps_the_lines(void **state)
{
    struct fixture *f = *state;
    struct spool_file file;
    uint8_t record[200];
    log_on(f);
    struct vm *vm = cp_user(f->rig.cp, "GUEST");
    vm_console_spool(vm, true);
    type(f, &f->guest, "#CP QUERY USERID");
    vm_console_spool(vm, false);
    unsigned id = vm_console_close(vm);
    assert_int_equal(id, 1);
    assert_true(spool_find(f->rig.cp->spool, "GUEST", SPOOL_PRT, id, &file));
    assert_int_equal(file.records, 2); // what was typed, and the answer
    assert_int_equal(spool_read(f->rig.cp->spool, &file, 1, NULL, record, sizeof record), 19);
    assert_int_equal(record[0], 0xC7); // "G"
}

static void write_console(struct fixture *f, const char *utf8)
{
    struct device *dev = f->guest.term.vm->console->device;
    uint8_t text[40];
    struct device_command cmd = {.code = 0x01, .data = text};
    cmd.count = (uint32_t)ebcdic_from_utf8(codepage_default(), utf8, text, sizeof text - 1);
    if (strchr(utf8, '\n'))
        text[cmd.count - 1] = 0x15; // new line
    dev->ops->command(dev, &cmd);
}

// Output without a line end waits a moment for more, and is shown all the same: before an answer,
// or when nothing comes.
static void prompts_are_shown(void **state)
{
    struct fixture *f = *state;
    type(f, &f->guest, "LOGON PROMPT");
    text_clear(&f->guest.text);
    write_console(f, "log");
    rig_run(&f->rig, 0.05);
    write_console(f, "in:");
    rig_run(&f->rig, 0.05);
    assert_string_equal(text_get(&f->guest.text), "");
    rig_run(&f->rig, 0.06);
    assert_string_equal(text_get(&f->guest.text), "login:\n");
    text_clear(&f->guest.text);
    write_console(f, "a whole");
    write_console(f, " line\n");
    rig_run(&f->rig, 0.2);
    assert_string_equal(text_get(&f->guest.text), "a whole line\n");
    write_console(f, "Password:");
    type(f, &f->guest, "QUERY USERID");
    assert_string_equal(text_get(&f->guest.text), "Password:\nPROMPT   AT TESTSYS\n");
    write_console(f, "gone"); // and a logoff with text that waits
    type(f, &f->guest, "LOGOFF");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(lines_go_to_the_guest),
        TEST(after_number_sign_cp_they_go_to_cp),
        TEST(pa1_stops_and_begin_goes_on),
        TEST(line_editing),
        TEST(prompts_are_shown),
        TEST(directory_commands_run_before_ipl),
        TEST(a_failing_ipl_leaves_cp_read),
        TEST(the_secondary_user_sees_a_disconnected_ones_lines),
        TEST(hangup_disconnects),
        TEST(console_spooling_keeps_the_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
