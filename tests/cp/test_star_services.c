// SPDX-License-Identifier: MIT
// *MSG with SMSG and SET ... IUCV; *ACCOUNT with RECORDING and ACNT.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/iucv.h"
#include "cp/recording.h"
#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\n";
static const char directory[] = "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n CONSOLE 0009 3215\n"
                                "USER LISTENER LISTENER 1M 1M G\n IUCV *ACCOUNT\n"
                                "USER TALKER TALKER 1M 1M G\n ACCOUNT DEPT42\n";

struct fixture {
    struct rig rig;
    struct vm *oper, *listener, *talker;
    struct iucv_user *program;
    struct iucv_end *end;
    struct text log;
    uint8_t last[256];
    uint32_t last_n;
};

static void on_severed(void *arg, struct iucv_end *end, const uint8_t data[IUCV_USER_DATA])
{
    struct fixture *f = arg;
    (void)end;
    text_printf(&f->log, "severed %02X;", data[0]);
}

static void on_message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                       const uint8_t *bytes, uint32_t n)
{
    struct fixture *f = arg;
    char text[256];
    (void)end, (void)id;
    assert_false(two_way);
    f->last_n = n < sizeof f->last ? n : (uint32_t)sizeof f->last;
    memcpy(f->last, bytes, f->last_n);
    ebcdic_to_utf8(codepage_default(), bytes, n < 60 ? n : 60, text, sizeof text);
    text_printf(&f->log, "%u[%s];", trgcls, n == 80 ? "record" : text);
}

static const struct iucv_ops ops = {.severed = on_severed, .message = on_message};

static int setup(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_new(&f->rig, CLOCK_VIRTUAL, config, directory);
    f->oper = cp_user(f->rig.cp, "OPERATOR");
    f->listener = rig_log_on(&f->rig, "LISTENER");
    f->talker = rig_log_on(&f->rig, "TALKER");
    f->program = iucv_program(f->listener, &ops, f);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    rig_free(&f->rig);
    text_free(&f->log);
    free(f);
    return 0;
}

static void connect_to(struct fixture *f, const char *service)
{
    static const uint8_t none[IUCV_USER_DATA];
    assert_int_equal(iucv_connect(f->program, service, 0, 255, none, &f->end), 0);
    rig_run(&f->rig, 0.001);
}

// The return code; what it said in `said`.
static int command(struct fixture *f, struct vm *vm, const char *line, const char *said)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    int rc = command_execute(f->rig.cp, vm, NULL, line, &out);
    rig_run(&f->rig, 0.001);
    assert_string_equal(text_get(&text), said);
    text_free(&text);
    return rc;
}

static void special_messages_need_a_listener(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(
        command(f, f->talker, "SMSG LISTENER hi", "HCPMSG057I LISTENER not receiving; SMSG off"),
        57);
    command(f, f->listener, "SET SMSG IUCV", "");
    assert_int_equal(command(f, f->talker, "SMSG LISTENER hi",
                             "HCPMSG057I LISTENER not receiving; not connected"),
                     57);
    connect_to(f, "*MSG");
    assert_int_equal(command(f, f->talker, "SMSG LISTENER Hello there", ""), 0);
    assert_string_equal(text_get(&f->log), "4[TALKER  Hello there];");
    assert_int_equal(
        command(f, f->talker, "SMSG LISTENER", "HCPCFC026E Operand missing or invalid"), 26);
}

static void messages_go_where_set_says(void **state)
{
    struct fixture *f = *state;
    connect_to(f, "*MSG");
    command(f, f->listener, "SET MSG IUCV", "");
    assert_int_equal(command(f, f->talker, "MSG LISTENER one", ""), 0);
    command(f, f->listener, "SET WNG IUCV", "");
    assert_int_equal(command(f, f->oper, "WNG LISTENER two", ""), 0);
    assert_string_equal(text_get(&f->log), "1[TALKER  one];2[OPERATORtwo];");
    text_clear(&f->log);
    command(f, f->listener, "SET VMCONIO IUCV", "");
    vm_line(f->listener, LINE_VM, "from the guest");
    command(f, f->listener, "SET CPCONIO IUCV", "");
    vm_line(f->listener, LINE_CP, "from CP");
    rig_run(&f->rig, 0.001);
    assert_string_equal(text_get(&f->log), "5[LISTENERfrom the guest];3[LISTENERfrom CP];");
    assert_int_equal(command(f, f->listener, "SET CPCONIO ON", "HCPCMD002E Invalid operand - ON"),
                     2);
}

static void a_second_path_is_severed(void **state)
{
    struct fixture *f = *state;
    connect_to(f, "*MSG");
    connect_to(f, "*MSG");
    assert_string_equal(text_get(&f->log), "severed 01;");
}

static void accounting_records_wait_and_are_received(void **state)
{
    struct fixture *f = *state;
    struct recording_view view;
    char text[32];
    rig_run(&f->rig, 90);
    command(f, f->oper, "ACNT TALKER", "Command complete");
    view = recording_view(f->rig.cp, RECORDING_ACCOUNT);
    assert_int_equal(view.queued, 1);
    connect_to(f, "*ACCOUNT");
    assert_string_equal(text_get(&f->log), "0[record];");
    assert_int_equal(recording_view(f->rig.cp, RECORDING_ACCOUNT).queued, 0);
    ebcdic_to_utf8(codepage_default(), f->last, 28, text, sizeof text);
    assert_memory_equal(text, "TALKER  DEPT42  010126000130", 28);
    assert_int_equal(be32_load(f->last + 28), 90);
    assert_int_equal(be16_load(f->last + 78), 0xF0F1);
    // The next one counts from there, and comes at LOGOFF.
    rig_run(&f->rig, 10);
    vm_logoff(f->talker, NULL);
    rig_run(&f->rig, 0.001);
    assert_int_equal(be32_load(f->last + 28), 10);
}

static void recording_can_be_stopped_and_purged(void **state)
{
    struct fixture *f = *state;
    command(f, f->oper, "RECORDING ACCOUNT OFF", "Command complete");
    command(f, f->oper, "ACNT ALL", "Command complete");
    assert_int_equal(recording_view(f->rig.cp, RECORDING_ACCOUNT).queued, 0);
    command(f, f->oper, "RECORDING ACCOUNT ON LIMIT 5", "Command complete");
    command(f, f->oper, "ACNT ALL", "Command complete");
    command(f, f->oper, "QUERY RECORDING",
            "RECORDING    COUNT    LMT USERID   COMMUNICATION\n"
            "EREP ON      00000000 002          INACTIVE\n"
            "ACCOUNT ON   00000003 005          INACTIVE\n"
            "SYMPTOM ON   00000000 002          INACTIVE");
    command(f, f->oper, "RECORDING ACCOUNT PURGE QID TALKER",
            "HCPCRC8072I Recording entry not found\nCommand complete");
    assert_int_equal(recording_view(f->rig.cp, RECORDING_ACCOUNT).queued, 0);
    assert_int_equal(
        command(f, f->oper, "RECORDING BILLING ON", "HCPCMD002E Invalid operand - BILLING"), 2);
    assert_int_equal(
        command(f, f->oper, "RECORDING ACCOUNT", "HCPCFC026E Operand missing or invalid"), 26);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(special_messages_need_a_listener, setup, teardown),
        cmocka_unit_test_setup_teardown(messages_go_where_set_says, setup, teardown),
        cmocka_unit_test_setup_teardown(a_second_path_is_severed, setup, teardown),
        cmocka_unit_test_setup_teardown(accounting_records_wait_and_are_received, setup, teardown),
        cmocka_unit_test_setup_teardown(recording_can_be_stopped_and_purged, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
