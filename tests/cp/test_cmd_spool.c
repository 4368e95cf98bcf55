// SPDX-License-Identifier: MIT
// Spooling commands over files that virtual devices or the test made.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cp/spool.h"
#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *maint, *user1;

static void make_file(const char *owner, const char *origin, enum spool_queue queue, char class,
                      const char *name, unsigned records)
{
    struct spool *spool = sys.cp->spool;
    struct spool_file *file = spool_create(spool, owner, origin, queue, "PUN", class,
                                           tod_to_unix(clock_now(&sys.world.clock), NULL));
    snprintf(file->name, sizeof file->name, "%s", name);
    snprintf(file->type, sizeof file->type, "DATA");
    file->copies = 1;
    for (unsigned i = 0; i < records; i++)
        spool_append(spool, file, 0x41, "\xC1\xC2\xC3", 3);
    spool_close(spool, file);
    free(file);
}

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    maint = cmd_logon(&sys, "MAINT", 0);
    user1 = cmd_logon(&sys, "USER1", 1);
    make_file("MAINT", "USER1", SPOOL_RDR, 'A', "ONE", 1);
    make_file("MAINT", "USER1", SPOOL_RDR, 'B', "TWO", 12);
    make_file("USER1", "MAINT", SPOOL_RDR, 'A', "THREE", 3);
    make_file("MAINT", "MAINT", SPOOL_PRT, 'A', "LISTING", 2);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

static void expect(struct vm *vm, const char *line, const char *answer)
{
    assert_int_equal(cmd(&sys, vm, line), 0);
    assert_string_equal(text_get(&sys.out), answer);
}

static void files_are_counted(void **state)
{
    (void)state;
    expect(maint, "QUERY FILES *", "FILES: 0002 RDR, 0001 PRT,   NO PUN");
    expect(maint, "QUERY FILES", "FILES: 0000003 RDR, 0000001 PRT,      NO PUN");
    expect(maint, "QUERY FILES USERID USER1", "FILES: 0001 RDR,   NO PRT,   NO PUN");
    expect(user1, "QUERY FILES", "FILES: 0001 RDR,   NO PRT,   NO PUN");
    assert_int_equal(cmd(&sys, user1, "QUERY FILES USERID MAINT"), 2);
}

static void files_are_listed(void **state)
{
    (void)state;
    expect(maint, "QUERY RDR * ALL",
           "ORIGINID FILE CLASS RECORDS  CPY HOLD DATE  TIME     NAME      TYPE     DIST\n"
           "USER1    0001 A PUN 00000001 001 NONE 01/05 10:30:00 ONE       DATA     MAINT\n"
           "USER1    0002 B PUN 00000012 001 NONE 01/05 10:30:00 TWO       DATA     MAINT");
    expect(maint, "QUERY RDR * CLASS B ALL",
           "ORIGINID FILE CLASS RECORDS  CPY HOLD DATE  TIME     NAME      TYPE     DIST\n"
           "USER1    0002 B PUN 00000012 001 NONE 01/05 10:30:00 TWO       DATA     MAINT");
    assert_int_equal(cmd(&sys, maint, "QUERY RDR"), 0);
    assert_ptr_equal(strstr(text_get(&sys.out),
                            "OWNERID  FILE CLASS RECORDS  CPY HOLD FORM     DEST     KEEP MSG\n"),
                     text_get(&sys.out));
    expect(user1, "QUERY PUN", "NO PUN FILES");
    expect(user1, "QUERY PRINTER ALL", "NO PRT FILES");
}

static void files_are_purged(void **state)
{
    (void)state;
    expect(maint, "PURGE RDR CLASS B", "0000001 FILE  PURGED");
    expect(maint, "QUERY FILES *", "FILES: 0001 RDR, 0001 PRT,   NO PUN");
    assert_int_equal(cmd(&sys, maint, "PURGE RDR 1 2"), 42);
    expect(maint, "QUERY FILES *", "FILES: 0001 RDR, 0001 PRT,   NO PUN"); // nothing was purged
    expect(maint, "PURGE ALL", "0000002 FILES PURGED");
    expect(maint, "PURGE RDR ALL", "NO FILES PURGED");
    expect(maint, "PURGE USER1 RDR ALL", "0000001 FILE  PURGED");
    assert_int_equal(cmd(&sys, user1, "PURGE MAINT RDR ALL"), 2);
}

static void files_are_transferred(void **state)
{
    (void)state;
    expect(maint, "TRANSFER RDR ALL TO USER1", "0000002 FILES TRANSFERRED");
    expect(maint, "QUERY FILES USERID USER1", "FILES: 0003 RDR,   NO PRT,   NO PUN");
    expect(maint, "TRANSFER PRT ALL TO * RDR", "0000001 FILE  TRANSFERRED");
    expect(maint, "QUERY FILES *", "FILES: 0001 RDR,   NO PRT,   NO PUN");
}

static void files_are_changed(void **state)
{
    struct spool_file file;
    (void)state;
    expect(maint, "CHANGE RDR 1 CLASS Z COPY 7 HOLD NAME NEW NAME", "0000001 FILE  CHANGED");
    assert_true(spool_find(sys.cp->spool, "MAINT", SPOOL_RDR, 1, &file));
    assert_int_equal(file.spool_class, 'Z');
    assert_int_equal(file.copies, 7);
    assert_true(file.hold);
    assert_string_equal(file.name, "NEW");
    assert_string_equal(file.type, "NAME");
    assert_int_equal(cmd(&sys, maint, "CHANGE RDR 1 NOHOLD COPY 0"), 30);
    assert_true(spool_find(sys.cp->spool, "MAINT", SPOOL_RDR, 1, &file));
    assert_true(file.hold); // a refused CHANGE changed nothing
}

static void devices_are_set(void **state)
{
    struct vm_spool_device *prt = spool_device(maint, 0x00E), *pun = spool_device(maint, 0x00D);
    (void)state;
    expect(maint, "SPOOL PRT CLASS X COPY 3 HOLD KEEP CONT TO USER1 FORM NARROW DIST BIN7 NAME A B",
           "");
    assert_int_equal(prt->spool_class, 'X');
    assert_int_equal(prt->copies, 3);
    assert_true(prt->hold && prt->keep && prt->cont);
    assert_string_equal(prt->to, "USER1");
    assert_string_equal(prt->form, "NARROW");
    assert_string_equal(prt->distribution, "BIN7");
    assert_string_equal(prt->name, "A");
    assert_int_equal(pun->spool_class, 'A');
    assert_int_equal(cmd(&sys, maint, "SPOOL 00E NOHOLD CLASS ??"), 28);
    assert_true(prt->hold); // a refused SPOOL changed nothing
    expect(maint, "SPOOL 00E NOHOLD OFF NOCONT", "");
    assert_false(prt->hold || prt->cont);
    assert_string_equal(prt->to, "");
    expect(maint, "SPOOL PUNCH TO *", "");
    assert_string_equal(pun->to, "MAINT");
    expect(maint, "CLOSE PRT NAME C D", "");
    assert_string_equal(prt->name, "A"); // CLOSE's attributes are the file's alone
}

static void the_console_is_recorded(void **state)
{
    (void)state;
    expect(maint, "SPOOL CONSOLE START", "");
    assert_true(maint->console->spooling);
    vm_line(maint, LINE_CP, "for the record");
    expect(maint, "SPOOL CONSOLE STOP CLOSE", "");
    assert_false(maint->console->spooling);
    assert_int_equal(cmd(&sys, maint, "SPOOL CONSOLE"), 26);
    assert_int_equal(cmd(&sys, maint, "SPOOL CONSOLE NONSENSE"), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_are_counted),       TEST(files_are_listed),  TEST(files_are_purged),
        TEST(files_are_transferred),   TEST(files_are_changed), TEST(devices_are_set),
        TEST(the_console_is_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
