// SPDX-License-Identifier: MIT
// The bundled ping and netecho guests over a virtual switch: frames arrive, wake who waits, and do
// not arrive where authority or VLAN forbid it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cp/nic.h"
#include "cp/rig.h"

static const char config[] = "System_Identifier * * TESTSYS\nProcessors 2 IFL\nStorage 1G\n";
static const char directory[] = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
                                " CONSOLE 0009 3215 T\n"
                                "USER PING PING 32M 64M G\n"
                                " MACHINE Z\n"
                                " CONSOLE 0009 3215 T\n"
                                "USER ECHO ECHO 32M 64M G\n"
                                " MACHINE Z\n"
                                " CONSOLE 0009 3215 T\n";

static struct rig rig;
static struct rig_terminal ping_terminal, echo_terminal;

static void command(const char *userid, const char *line, int wanted)
{
    struct text text = {0};
    int rc = rig_command(&rig, userid, line, &text);
    if (rc != wanted)
        fail_msg("%s: %s: %d %s", userid, line, rc, text_get(&text));
    text_free(&text);
}

static void logon(struct rig_terminal *terminal, const char *name, const char *userid)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    rig_terminal_init(terminal, name);
    assert_int_equal(terminal_logon_trusted(rig.cp, &terminal->term, userid, NULL, &out), 0);
    text_free(&text);
    command(userid, "DEFINE NIC 6200 QDIO", 0);
}

static int setup(void **state)
{
    (void)state;
    rig_new(&rig, CLOCK_VIRTUAL, config, directory);
    logon(&ping_terminal, "L0003", "PING");
    logon(&echo_terminal, "L0004", "ECHO");
    command("OPERATOR", "DEFINE VSWITCH TESTSW1 VLAN 1", 0);
    command("OPERATOR", "SET VSWITCH TESTSW1 GRANT PING VLAN 1", 0);
    command("OPERATOR", "SET VSWITCH TESTSW1 GRANT ECHO VLAN 1", 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    rig_free(&rig);
    text_free(&ping_terminal.text);
    text_free(&echo_terminal.text);
    return 0;
}

static void ipl(const char *userid, const char *system, const char *parameters, double seconds)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    assert_int_equal(vm_ipl(cp_user(rig.cp, userid), system, parameters, true, &out), 0);
    text_free(&text);
    rig_run(&rig, seconds);
}

static void run_both(void)
{
    ipl("ECHO", "NETECHO", NULL, 1);
    ipl("PING", "PING", "n=5", 5);
}

static void ping_says(const char *line)
{
    if (!strstr(text_get(&ping_terminal.text), line))
        fail_msg("no \"%s\" in:\n%s", line, text_get(&ping_terminal.text));
}

static void coupled_guests_exchange_frames(void **state)
{
    (void)state;
    command("PING", "COUPLE 6200 TO SYSTEM TESTSW1", 0);
    command("ECHO", "COUPLE 6200 TO SYSTEM TESTSW1", 0);
    run_both();
    ping_says("ping: 5 sent, 5 answered\n");
    const struct nic *nic = cp_user(rig.cp, "ECHO")->nics;
    struct adapter_counters c = port_adapter_counters(nic->port);
    assert_int_equal(c.rx_packets, 5);
    assert_int_equal(c.tx_packets, 5);
    assert_int_equal(c.rx_bytes, 5 * 64);
    // The echo guest slept in between: it was told of each frame.
    assert_true(cp_user(rig.cp, "ECHO")->vcpu[0]->external_interruptions >= 5);
}

static void another_vlan_gets_nothing(void **state)
{
    (void)state;
    command("OPERATOR", "SET VSWITCH TESTSW1 GRANT ECHO VLAN 2", 0);
    command("PING", "COUPLE 6200 TO SYSTEM TESTSW1", 0);
    command("ECHO", "COUPLE 6200 TO SYSTEM TESTSW1", 0);
    run_both();
    ping_says("ping: 5 sent, 0 answered\n");
    assert_int_equal(port_adapter_counters(cp_user(rig.cp, "ECHO")->nics->port).rx_packets, 0);
}

static void an_ungranted_guest_gets_nothing(void **state)
{
    (void)state;
    command("OPERATOR", "SET VSWITCH TESTSW1 REVOKE ECHO", 0);
    command("PING", "COUPLE 6200 TO SYSTEM TESTSW1", 0);
    command("ECHO", "COUPLE 6200 TO SYSTEM TESTSW1", 6011);
    run_both();
    ping_says("ping: 5 sent, 0 answered\n");
}

static void an_uncoupled_sender_is_told(void **state)
{
    (void)state;
    ipl("PING", "PING", "n=2", 2);
    ping_says("ping: frame 2 not sent, reason 4\n");
    ping_says("ping: 2 sent, 0 answered\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(coupled_guests_exchange_frames),
        TEST(another_vlan_gets_nothing),
        TEST(an_ungranted_guest_gets_nothing),
        TEST(an_uncoupled_sender_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
