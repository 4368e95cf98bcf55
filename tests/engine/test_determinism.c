// SPDX-License-Identifier: MIT
// Virtual time: the same system with the same commands twice in one process gives the same console
// output, the same counters and the same MONWRITE file, byte for byte.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "engine/busy.h"

#define USERS 16

struct outcome {
    struct text lines; // of all terminals, in the order in which they came
    struct endicott_user user[USERS];
    size_t users;
    tod_t end;
    char *file;
    size_t file_size;
    void *other; // what lies between the two runs on the heap
};

static char folder[] = "/tmp/endicott-same-XXXXXX";
static struct outcome *into; // what runs now

static void op_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    text_printf(&into->lines, "%s %d %s\n", term->name, (int)kind, utf8);
}

static void op_status(struct terminal *term, enum terminal_status status)
{
    text_printf(&into->lines, "%s status %d\n", term->name, (int)status);
}

static void op_ended(struct terminal *term)
{
    text_printf(&into->lines, "%s ended\n", term->name);
}

static const struct terminal_ops ops = {.line = op_line, .status = op_status, .ended = op_ended};

struct step {
    double after; // seconds, since the step before
    const char *user, *line;
};

static const struct step script[] = {
    {0, NULL, "MONITOR SAMPLE ENABLE ALL"},
    {0, NULL, "MONITOR SAMPLE INTERVAL 6 SECONDS"},
    {0, NULL, "MONITOR SAMPLE SUBINTERVAL 1 SECOND"},
    {0, NULL, "MONITOR SAMPLE RATE .05 SECONDS"},
    {0, NULL, "MONITOR EVENT ENABLE ALL"},
    {0, NULL, "XAUTOLOG WRITER"},
    {0, NULL, "MONITOR SAMPLE START"},
    {0, NULL, "MONITOR EVENT START"},
    {0.05, "COMPUTE1", "TRACE I RANGE 10000-100FF RUN"},
    {0.05, "DASDIO", "DISPLAY G"},
    {0.1, NULL, "SET SHARE COMPUTE1 RELATIVE 300"},
    {0.1, "CLIENT", "STOP"},
    {0.1, "CLIENT", "BEGIN"},
    {0.1, NULL, "INDICATE LOAD"},
    {0.2, NULL, "FORCE COMPUTE2"},
    {0.1, NULL, "XAUTOLOG COMPUTE2"},
    {0.1, "SMP", "IPL SMP"},
    {0.3, NULL, "INDICATE QUEUES"},
    {0, NULL, "QUERY NAMES"},
    {0, NULL, "MONITOR SAMPLE STOP"},
    {0, NULL, "SEND WRITER MONWSTOP"},
    {0.1, NULL, "QUERY TIME"},
};

static void logon(struct endicott *sys, struct terminal *term, const char *name, const char *user)
{
    *term = (struct terminal){.ops = &ops};
    snprintf(term->name, sizeof term->name, "%s", name);
    assert_int_equal(endicott_terminal_logon(sys, term, user), 0);
}

static void play(struct endicott *sys)
{
    for (unsigned i = 0; i < sizeof script / sizeof *script; i++) {
        char *text, *id;
        endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(script[i].after));
        int rc = endicott_command(sys, script[i].user, script[i].line, &text, &id);
        text_printf(&into->lines, "%s: %d %s\n%s\n", script[i].line, rc, id, text);
        free(text);
        free(id);
    }
}

static void read_file(struct outcome *out, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("%s is not there", path);
    fseek(in, 0, SEEK_END);
    out->file_size = (size_t)ftell(in);
    rewind(in);
    out->file = malloc(out->file_size + 1);
    assert_int_equal(fread(out->file, 1, out->file_size, in), out->file_size);
    fclose(in);
}

static void run(struct outcome *out, const char *name)
{
    static struct terminal operator, compute, ping;
    char path[200];
    into = out;
    struct endicott *sys = busy_new_at(CLOCK_VIRTUAL, 2);
    assert_non_null(sys);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    endicott_monwrite_folder(sys, path);
    logon(sys, &operator, "0020", "OPERATOR");
    busy_command(sys, NULL, "SET VSWITCH BUSYSW GRANT PING VLAN 1");
    busy_command(sys, NULL, "SET VSWITCH BUSYSW GRANT ECHO VLAN 1");
    logon(sys, &compute, "L0003", "COMPUTE1");
    logon(sys, &ping, "L0004", "PING");
    for (unsigned i = 0; i < BUSY_GUESTS; i++)
        busy_xautolog(sys, busy_guests[i]); // some are there already
    play(sys);
    out->users = endicott_users(sys, out->user, USERS);
    out->end = endicott_now(sys);
    endicott_free(sys);
    snprintf(path, sizeof path, "%s/%s/WRITER/BUSY.MONDATA", folder, name);
    read_file(out, path);
}

static void compare_users(const struct endicott_user *a, const struct endicott_user *b)
{
    assert_string_equal(a->userid, b->userid);
    assert_int_equal(a->instructions, b->instructions);
    assert_int_equal(a->ssch, b->ssch);
    assert_int_equal(a->messages, b->messages);
    assert_true(a->guest_time == b->guest_time && a->total_time == b->total_time);
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++) {
        assert_int_equal(a->intercept_count[i], b->intercept_count[i]);
        assert_true(a->intercept_seconds[i] == b->intercept_seconds[i]);
    }
}

static void twice_the_same(void **state)
{
    (void)state;
    static struct outcome first, second;
    run(&first, "first");
    first.other = malloc(123456); // addresses of the second run are others
    run(&second, "second");
    assert_string_equal(text_get(&first.lines), text_get(&second.lines));
    assert_true(first.end == second.end);
    assert_int_equal(first.users, second.users);
    assert_true(first.users > BUSY_GUESTS && first.users <= USERS);
    for (size_t i = 0; i < first.users; i++)
        compare_users(&first.user[i], &second.user[i]);
    assert_true(first.file_size > 40000);
    assert_int_equal(first.file_size, second.file_size);
    assert_memory_equal(first.file, second.file, first.file_size);
    // The scenario had something of everything.
    assert_non_null(strstr(text_get(&first.lines), "PING"));
    for (size_t i = 0; i < first.users; i++)
        if (strcmp(first.user[i].userid, "OPERATOR") != 0)
            assert_true(first.user[i].instructions > 1000 || first.user[i].service);
    text_free(&first.lines);
    text_free(&second.lines);
    free(first.file);
    free(second.file);
    free(first.other);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twice_the_same)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
