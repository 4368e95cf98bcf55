// SPDX-License-Identifier: MIT
// IUCV between C programs, system services and authority; guests' own use is in test_core_guests.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cp/iucv.h"
#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\n";
static const char directory[] = "USER OPERATOR OPERATOR 1M\n"
                                "USER ONE ONE 1M 1M G\n IUCV ANY\n IUCV *TEST MSGLIMIT 3\n"
                                "USER TWO TWO 1M 1M G\n"
                                "USER THREE THREE 1M 1M G\n IUCV ALLOW\n";

// A program that notes what it is told.
struct program {
    struct text log;
    struct iucv_end *end;
    bool accept, reply;
    uint8_t limit_flags;
};

static void on_pending(void *arg, struct iucv_end *end, const uint8_t data[IUCV_USER_DATA])
{
    struct program *p = arg;
    text_printf(&p->log, "pending %s %02X;", iucv_end_userid(end), data[0]);
    p->end = end;
    if (p->accept)
        assert_int_equal(iucv_accept(end, p->limit_flags, 0, (const uint8_t *)"accepted........"),
                         0);
}

static void on_complete(void *arg, struct iucv_end *end, const uint8_t data[IUCV_USER_DATA])
{
    struct program *p = arg;
    assert_ptr_equal(p->end, end);
    text_printf(&p->log, "complete %.8s;", (const char *)data);
}

static void on_severed(void *arg, struct iucv_end *end, const uint8_t data[IUCV_USER_DATA])
{
    struct program *p = arg;
    (void)end;
    text_printf(&p->log, "severed %02X;", data[0]);
    p->end = NULL;
}

static void on_message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                       const uint8_t *bytes, uint32_t n)
{
    struct program *p = arg;
    text_printf(&p->log, "message %u %.*s%s;", trgcls, (int)n, (const char *)bytes,
                two_way ? " two-way" : "");
    if (two_way && p->reply)
        assert_int_equal(iucv_reply(end, id, 0, "answer", 6), 0);
    else if (two_way)
        assert_int_equal(iucv_reject(end, id), 0);
}

static void on_done(void *arg, struct iucv_end *end, uint32_t id, uint32_t tag, uint32_t audit,
                    const uint8_t *answer, uint32_t n)
{
    struct program *p = arg;
    (void)end;
    (void)id;
    text_printf(&p->log, "done %u %X %.*s;", tag, audit, (int)n, (const char *)answer);
}

static const struct iucv_ops ops = {.pending = on_pending,
                                    .complete = on_complete,
                                    .severed = on_severed,
                                    .message = on_message,
                                    .done = on_done};

struct fixture {
    struct rig rig;
    struct vm *one, *two, *three;
    struct iucv_user *user_one, *user_two;
    struct program service, a, b;
};

static int setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_new(&f->rig, CLOCK_VIRTUAL, config, directory);
    f->one = rig_log_on(&f->rig, "ONE");
    f->two = rig_log_on(&f->rig, "TWO");
    f->three = rig_log_on(&f->rig, "THREE");
    iucv_register_service(f->rig.cp, "*TEST", &ops, &f->service);
    f->user_one = iucv_program(f->one, &ops, &f->a);
    f->user_two = iucv_program(f->two, &ops, &f->b);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    text_free(&f->service.log);
    text_free(&f->a.log);
    text_free(&f->b.log);
    free(f);
    return 0;
}

static const uint8_t hello[IUCV_USER_DATA] = {0xC1};

static void settle(struct fixture *f)
{
    rig_run(&f->rig, 0.001);
}

static void connect_to(struct fixture *f, const char *target)
{
    assert_int_equal(iucv_connect(f->user_one, target, IUCV_PRMDATA, 0, hello, &f->a.end), 0);
    settle(f);
}

static void a_service_serves(void **state)
{
    struct fixture *f = *state;
    f->service.accept = f->service.reply = true;
    connect_to(f, "*TEST");
    assert_string_equal(text_get(&f->service.log), "pending ONE C1;");
    assert_string_equal(text_get(&f->a.log), "complete accepted;");
    text_clear(&f->service.log);
    text_clear(&f->a.log);
    assert_int_equal(iucv_send(f->a.end, 0, 7, 99, "question", 8, 100, NULL), 0);
    assert_int_equal(iucv_end_outstanding(f->a.end), 1);
    settle(f);
    assert_string_equal(text_get(&f->service.log), "message 7 question two-way;");
    assert_string_equal(text_get(&f->a.log), "done 99 0 answer;");
    assert_int_equal(iucv_end_outstanding(f->a.end), 0);
}

static void rejected_and_one_way(void **state)
{
    struct fixture *f = *state;
    f->service.accept = true;
    connect_to(f, "*TEST");
    text_clear(&f->a.log);
    assert_int_equal(iucv_send(f->a.end, 0, 1, 5, "x", 1, 10, NULL), 0);
    assert_int_equal(iucv_send(f->a.end, IUCV_NORPY, 2, 6, "y", 1, 0, NULL), 0);
    settle(f);
    assert_string_equal(text_get(&f->a.log), "done 5 800000 ;done 6 0 ;");
}

static void data_in_the_list_only_where_wanted(void **state)
{
    struct fixture *f = *state;
    f->service.accept = true;
    connect_to(f, "*TEST");
    assert_int_equal(iucv_send(f->a.end, IUCV_PRMDATA | IUCV_NORPY, 0, 0, "12345678", 8, 0, NULL),
                     IUCV_NO_PRMDATA);
    // We said that we take such data.
    assert_int_equal(
        iucv_send(f->service.end, IUCV_PRMDATA | IUCV_NORPY, 0, 0, "12345678", 8, 0, NULL), 0);
    text_clear(&f->a.log);
    settle(f);
    assert_string_equal(text_get(&f->a.log), "message 0 12345678;");
}

static void the_message_limit_holds(void **state)
{
    struct fixture *f = *state;
    f->service.accept = true;
    connect_to(f, "*TEST"); // MSGLIMIT 3
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(iucv_send(f->a.end, IUCV_NORPY, 0, i, "m", 1, 0, NULL), 0);
    assert_int_equal(iucv_send(f->a.end, IUCV_NORPY, 0, 3, "m", 1, 0, NULL), IUCV_LIMIT);
    settle(f);
    assert_int_equal(iucv_send(f->a.end, IUCV_NORPY, 0, 3, "m", 1, 0, NULL), 0);
}

static void authority(void **state)
{
    struct fixture *f = *state;
    struct iucv_end *end;
    assert_int_equal(iucv_connect(f->user_two, "*TEST", 0, 0, hello, &end), IUCV_NOT_AUTHORISED);
    assert_int_equal(iucv_connect(f->user_two, "ONE", 0, 0, hello, &end), IUCV_NOT_AUTHORISED);
    assert_int_equal(iucv_connect(f->user_two, "THREE", 0, 0, hello, &end), IUCV_NO_BUFFER);
    assert_int_equal(iucv_connect(f->user_two, "NOBODY", 0, 0, hello, &end), IUCV_NOT_LOGGED_ON);
    assert_int_equal(iucv_connect(f->user_two, "*NONE", 0, 0, hello, &end), IUCV_NOT_LOGGED_ON);
    assert_int_equal(iucv_connect(f->user_one, "TWO", 0, 0, hello, &f->a.end), 0); // IUCV ANY
}

static void severed_from_either_side(void **state)
{
    struct fixture *f = *state;
    static const uint8_t bye[IUCV_USER_DATA] = {0xBB};
    f->b.accept = true;
    connect_to(f, "TWO");
    assert_int_equal(iucv_vm_paths(f->one), 1);
    assert_int_equal(iucv_send(f->a.end, 0, 0, 0, "lost", 4, 10, NULL), 0);
    iucv_sever(f->a.end, bye);
    settle(f);
    assert_string_equal(text_get(&f->b.log), "pending ONE C1;severed BB;"); // and no message
    assert_int_equal(iucv_vm_paths(f->one), 0);
    assert_int_equal(iucv_vm_paths(f->two), 0);
    // A user that goes severs what it had.
    text_clear(&f->a.log);
    connect_to(f, "TWO");
    vm_logoff(f->two, NULL);
    settle(f);
    assert_string_equal(text_get(&f->a.log), "complete accepted;severed 00;");
    assert_int_equal(iucv_vm_paths(f->one), 0);
}

static void a_purged_message_never_comes(void **state)
{
    struct fixture *f = *state;
    uint32_t id;
    f->b.accept = true;
    connect_to(f, "TWO");
    text_clear(&f->b.log);
    assert_int_equal(iucv_send(f->a.end, 0, 0, 0, "gone", 4, 10, &id), 0);
    assert_true(iucv_purge(f->a.end, id));
    assert_false(iucv_purge(f->a.end, id));
    settle(f);
    assert_string_equal(text_get(&f->b.log), "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_service_serves),
        TEST(rejected_and_one_way),
        TEST(data_in_the_list_only_where_wanted),
        TEST(the_message_limit_holds),
        TEST(authority),
        TEST(severed_from_either_side),
        TEST(a_purged_message_never_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
