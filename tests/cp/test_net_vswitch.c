// SPDX-License-Identifier: MIT
// DEFINE, SET, QUERY and DETACH VSWITCH, and the published session word for word.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "net_rig.h"

static struct net_rig *rig;

static int start(void **state)
{
    (void)state;
    rig = net_rig_new();
    return 0;
}

static int finish(void **state)
{
    (void)state;
    net_rig_free(rig);
    return 0;
}

// The operator's command must work.
static const char *good(const char *line)
{
    int rc = net_rig_command(rig, "OPERATOR", line);
    if (rc != 0)
        fail_msg("%s: %d %s", line, rc, text_get(&rig->text));
    return text_get(&rig->text);
}

static void expect_lines(const char *line, const char *wanted)
{
    assert_string_equal(good(line), wanted);
}

static void has(const char *part)
{
    if (!strstr(text_get(&rig->text), part))
        fail_msg("no \"%s\" in:\n%s", part, text_get(&rig->text));
}

// The two long lines come as one each, as a continued line reaches the parser.
static const char *const published[] = {
    "DEF VSWITCH testsw1 RDEV none CONNECT VLAN 1 PORTTYPE ACCESS CONTROLLER DTCVSW1 "
    "PRIROUTER PORTNAME PORT30",
    "SET VSWITCH testsw1 GRANT DTCVSW1 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00085 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00090 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00091 vlan 1",
    "DEF VSWITCH testsw2 RDEV none CONNECT VLAN 2 PORTTYPE ACCESS CONTROLLER DTCVSW1 "
    "PRIROUTER PORTNAME PORT30",
    "SET VSWITCH testsw2 GRANT DTCVSW1 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00080 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00081 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00082 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00083 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00084 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00086 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00090 vlan 2",
};

static void the_published_session_works(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const char *answer = good(published[i]);
        if (strncmp(published[i], "SET", 3) == 0)
            assert_string_equal(answer, "Command complete\n");
    }
    net_rig_logon(rig, "LNX00090");
    assert_int_equal(net_rig_command(rig, "LNX00090", "DEFINE NIC 6200 QDIO"), 0);
    has("NIC 6200 is created; devices 6200-6202 defined");
    assert_int_equal(net_rig_command(rig, "LNX00090", "COUPLE 6200 TO SYSTEM testsw1"), 0);
    has("NIC 6200 is connected to VSWITCH SYSTEM TESTSW1");
    assert_int_equal(net_rig_command(rig, "LNX00090", "DEFINE NIC 6203 QDIO"), 0);
    has("NIC 6203 is created; devices 6203-6205 defined");
    assert_int_equal(net_rig_command(rig, "LNX00090", "COUPLE 6203 TO SYSTEM testsw2"), 0);
    has("NIC 6203 is connected to VSWITCH SYSTEM TESTSW2");
    const struct nic *nic = nic_find(cp_user(rig->cp, "LNX00090"), 0x6203);
    assert_int_equal(nic->port->pvid, 2);
    good("QUERY VSWITCH TESTSW2 ACCESSLIST");
    has("  Authorized userids:\n    SYSTEM\n    DTCVSW1  Porttype: Access  VLAN: 0002\n");
    has("    LNX00090 Porttype: Access  VLAN: 0002\n");
}

static void a_switch_is_shown_in_columns(void **state)
{
    (void)state;
    expect_lines("DEFINE VSWITCH VSICICA ETHERNET VLAN AWARE GVRP",
                 "VSWITCH SYSTEM VSICICA is created\n");
    expect_lines("Q VSWITCH VSICICA",
                 "VSWITCH SYSTEM VSICICA    Type: QDIO    Connected: 0    Maxconn: INFINITE\n"
                 "  PERSISTENT  RESTRICTED    ETHERNET                  Accounting: OFF\n"
                 "  USERBASED LOCAL\n"
                 "  VLAN Aware  Default VLAN: NONE    Default Porttype: Access  GVRP: Enabled\n"
                 "              Native  VLAN: 0001    VLAN Counters: OFF\n"
                 "  MAC address: 02-00-00-00-00-01    MAC Protection: Unspecified\n"
                 "  IPTimeout: 5         QueueStorage: 8\n"
                 "  Isolation Status: OFF        VEPA Status: OFF\n"
                 " Uplink Port:\n"
                 "  State: Defined                       PriQueuing: OFF\n"
                 "  PMTUD setting: EXTERNAL   PMTUD value: 9000     Trace Pages: 8\n");
}

// Each form, and a piece of QUERY VSWITCH's answer that shows what it did.
static const struct {
    const char *define, *shown;
} forms[] = {
    {"DEFINE VSWITCH X", "  PERSISTENT  RESTRICTED    NONROUTER                 Accounting: OFF\n"},
    {"DEF VSWITCH X", "  VLAN Unaware\n"},
    {"DEFINE VSWITCH X PRIROUTER", "PRIROUTER"},
    {"DEFINE VSWITCH X IP NONROUTER", "NONROUTER"},
    {"DEFINE VSWITCH X ETHERNET", "ETHERNET"},
    {"DEFINE VSWITCH X ETH", "ETHERNET"},
    {"DEFINE VSWITCH X TYPE QDIO LOCAL", "USERBASED LOCAL"},
    {"DEFINE VSWITCH X TYPE QDIO GLOBAL", "USERBASED GLOBAL"},
    {"DEFINE VSWITCH X TYPE IVL DOMAIN C", "PORTBASED LOCAL"},
    {"DEFINE VSWITCH X TYPE IVL", "Type: IVL "},
    {"DEFINE VSWITCH X TYPE IVL", "PriQueuing: ON"},
    {"DEFINE VSWITCH X UPLINK RDEV NONE CONNECT PRIQUEUING ON", "PriQueuing: ON"},
    {"DEFINE VSWITCH X PRIQ OFF", "PriQueuing: OFF"},
    {"DEFINE VSWITCH X NOUPLINK", " Uplink Port: NONE"},
    {"DEFINE VSWITCH X RDEV A00 DISCONNECT", "State: Disconnected"},
    {"DEFINE VSWITCH X RDEV A00.P0 B00.P1 DISCON", "  RDEV: 0B00.P01 VDEV: NONE"},
    {"DEFINE VSWITCH X RDEV A00.PORT30 DISCONNECT", "  RDEV: 0A00.P00"},
    {"DEFINE VSWITCH X QUEUESTORAGE 4", "QueueStorage: 4\n"},
    {"DEFINE VSWITCH X QUEUESTORAGE 4M", "QueueStorage: 4\n"},
    {"DEFINE VSWITCH X QUE 8M 64M IPT 9", "  IPTimeout: 9         QueueStorage: 8\n"},
    {"DEFINE VSWITCH X CONTROLLER *", "State: Defined"},
    {"DEFINE VSWITCH X CONTR DTCVSW2 LOGON", "State: Defined"},
    {"DEFINE VSWITCH X LOGVERBOSE", "State: Defined"},
    {"DEFINE VSWITCH X ETHERNET GROUP ETHGRP", "  Group: ETHGRP\n"},
    {"DEFINE VSWITCH X ETHERNET NOGROUP", "ETHERNET"},
    {"DEFINE VSWITCH X ETHERNET BRIDGEPORT RDEV C00 DISCONNECT PRIMARY",
     "  RDEV: 0C00 VDEV: NONE Controller: NONE     PRIMARY\n"},
    {"DEFINE VSWITCH X ETHERNET BRIDGE RDEV C00 DISCONNECT UPLINK RDEV A00 DISCONNECT",
     "  RDEV: 0A00.P00 VDEV: NONE"},
    {"DEFINE VSWITCH X ETHERNET BRIDGEPORT NONE", "ETHERNET"},
    {"DEFINE VSWITCH X VLAN UNAWARE", "VLAN Unaware"},
    {"DEFINE VSWITCH X VLAN AWARE", "Default VLAN: NONE "},
    {"DEFINE VSWITCH X VLAN ANY", "Default VLAN: NONE "},
    {"DEFINE VSWITCH X VLAN 4094 PORTTYPE TRUNK", "Default VLAN: 4094    Default Porttype: Trunk "},
    {"DEFINE VSWITCH X PORTTYPE ACCESS VLAN 7", "Default VLAN: 0007    Default Porttype: Access"},
    {"DEFINE VSWITCH X VLAN 7 NATIVE 99 NOGVRP",
     "GVRP: Disabled\n              Native  VLAN: 0099"},
    {"DEFINE VSWITCH X NATIVE NONE VLAN AWARE", "Native  VLAN: NONE "},
    {"DEFINE VSWITCH X USERBASED", "USERBASED"},
    {"DEFINE VSWITCH X PORTBASED", "PORTBASED"},
    {"DEFINE VSWITCH X PORTNAME P1 P2 P3", "State: Defined"},
    {"DEFINE VSWITCH X PORT P1", "State: Defined"},
};

static void every_form_of_define_works(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        good(forms[i].define);
        has("VSWITCH SYSTEM X is created\n");
        good("QUERY VSWITCH X");
        has(forms[i].shown);
        expect_lines("DETACH VSWITCH X", "VSWITCH SYSTEM X is destroyed\n");
    }
}

// Bad input: the line, the return code, the message's start.
static const struct {
    const char *line;
    int rc;
    const char *text;
} bad[] = {
    {"DEFINE VSWITCH", 26, "HCPCFC026E Operand missing or invalid\n"},
    {"DEFINE VSWITCH TOOLONGNAME", 2, "HCPCMD002E Invalid operand - TOOLONGNAME\n"},
    {"DEFINE VSWITCH A*B", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X NONSENSE", 3, "HCPCMD003E Invalid option - NONSENSE\n"},
    {"DEFINE VSWITCH X VLAN", 26, "HCPCFC026E"},
    {"DEFINE VSWITCH X VLAN 0", 2, "HCPCMD002E Invalid operand - 0\n"},
    {"DEFINE VSWITCH X VLAN 4095", 2, "HCPCMD002E Invalid operand - 4095\n"},
    {"DEFINE VSWITCH X VLAN -1", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X VLAN 1 PORTTYPE BOTH", 2, "HCPCMD002E Invalid operand - BOTH\n"},
    {"DEFINE VSWITCH X PORTTYPE TRUNK", 13, "HCPCMD013E Conflicting option - UNAWARE\n"},
    {"DEFINE VSWITCH X NATIVE 3", 13, "HCPCMD013E"},
    {"DEFINE VSWITCH X ETHERNET PRIROUTER", 13, "HCPCMD013E Conflicting option - PRIROUTER\n"},
    {"DEFINE VSWITCH X NONROUTER ETHERNET", 13, "HCPCMD013E Conflicting option - NONROUTER\n"},
    {"DEFINE VSWITCH X IP ETHERNET", 13, "HCPCMD013E Conflicting option - ETHERNET\n"},
    {"DEFINE VSWITCH X DOMAIN A", 13, "HCPCMD013E Conflicting option - DOMAIN\n"},
    {"DEFINE VSWITCH X TYPE IVL DOMAIN I", 2, "HCPCMD002E Invalid operand - I\n"},
    {"DEFINE VSWITCH X TYPE HIPER", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X TYPE", 26, "HCPCFC026E"},
    {"DEFINE VSWITCH X BRIDGEPORT RDEV A00", 13, "HCPCMD013E Conflicting option - BRIDGEPORT\n"},
    {"DEFINE VSWITCH X GROUP G", 13, "HCPCMD013E Conflicting option - GROUP\n"},
    {"DEFINE VSWITCH X RDEV A00 NOUPLINK", 13, "HCPCMD013E Conflicting option - NOUPLINK\n"},
    {"DEFINE VSWITCH X RDEV", 21, "HCPCMD021E"},
    {"DEFINE VSWITCH X RDEV XYZ", 21, "HCPCMD021E"},
    {"DEFINE VSWITCH X RDEV A00 A03 A06 A09", 3,
     "HCPCMD003E Invalid option - command contains extra option(s) starting with A09\n"},
    {"DEFINE VSWITCH X QUEUESTORAGE 0", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X QUEUESTORAGE 8M 4M", 2, "HCPCMD002E Invalid operand - 4M\n"},
    {"DEFINE VSWITCH X QUEUESTORAGE 999M", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X CONTROLLER", 20, "HCPUSR020E"},
    {"DEFINE VSWITCH X CONTROLLER ABCDEFGHI", 20, "HCPUSR020E"},
    {"DEFINE VSWITCH X IPTIMEOUT 0", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X IPTIMEOUT 241", 2, "HCPCMD002E"},
    {"DEFINE VSWITCH X PORTNAME", 26, "HCPCFC026E"},
    {"DEFINE VSWITCH X PORTNAME A B C D", 3, "HCPCMD003E"},
    {"DEFINE VSWITCH X PRIQUEUING MAYBE", 2, "HCPCMD002E Invalid operand - MAYBE\n"},
    {"DEFINE VSWITCH SW VLAN 3", 2788,
     "HCPSWU2788E Create failed; VSWITCH SYSTEM SW already exists\n"},
    {"SET VSWITCH", 26, "HCPCFC026E"},
    {"SET VSWITCH SW", 26, "HCPCFC026E"},
    {"SET VSWITCH NONE GRANT U", 2783, "HCPSWU2783E VSWITCH SYSTEM NONE does not exist\n"},
    {"SET VSWITCH SW NONSENSE", 3, "HCPCMD003E Invalid option - NONSENSE\n"},
    {"SET VSWITCH SW GRANT", 20, "HCPUSR020E Userid missing or invalid\n"},
    {"SET VSWITCH SW GRANT TOOLONGUSER", 20, "HCPUSR020E"},
    {"SET VSWITCH SW GRANT U VLAN", 26, "HCPCFC026E"},
    {"SET VSWITCH SW GRANT U VLAN 5000", 2, "HCPCMD002E Invalid operand - 5000\n"},
    {"SET VSWITCH SW GRANT U VLAN 30-20", 2, "HCPCMD002E Invalid operand - 30-20\n"},
    {"SET VSWITCH SW GRANT U VLAN 1 2", 13, "HCPCMD013E Conflicting option - VLAN\n"},
    {"SET VSWITCH SW GRANT U PORTTYPE ACCESS VLAN ANY", 13, "HCPCMD013E"},
    {"SET VSWITCH SW GRANT U PORTTYPE", 26, "HCPCFC026E"},
    {"SET VSWITCH SW GRANT U PQUPLINKTX FAST", 2, "HCPCMD002E Invalid operand - FAST\n"},
    {"SET VSWITCH SW REVOKE U", 2799, "HCPSWU2799E U has no access to VSWITCH SYSTEM SW\n"},
    {"SET VSWITCH SW REVOKE U EXTRA", 3, "HCPCMD003E Invalid option - EXTRA\n"},
    {"SET VSWITCH SW PORTNUMBER", 26, "HCPCFC026E"},
    {"SET VSWITCH SW PORTNUMBER 0 USERID U", 2, "HCPCMD002E"},
    {"SET VSWITCH SW PORTNUMBER 2049 USERID U", 2, "HCPCMD002E"},
    {"SET VSWITCH SW PORTNUMBER 5", 26, "HCPCFC026E"},
    {"SET VSWITCH SW PORTNUMBER 5 USER U", 3, "HCPCMD003E Invalid option - USER\n"},
    {"SET VSWITCH SW PORTNUMBER MODIFY 5 VLAN 3", 2799,
     "HCPSWU2799E Port 5 of VSWITCH SYSTEM SW is not defined\n"},
    {"SET VSWITCH SW PORTNUMBER REMOVE 5", 2799, "HCPSWU2799E"},
    {"SET VSWITCH SW VLANID 10 ADD 5", 2799,
     "HCPSWU2799E Port 5 of VSWITCH SYSTEM SW is not defined\n"},
    {"SET VSWITCH SW VLANID 10 ADD", 26, "HCPCFC026E"},
    {"SET VSWITCH SW VLANID 10", 26, "HCPCFC026E"},
    {"SET VSWITCH SW VLANID DELETE 10", 2799,
     "HCPSWU2799E VLAN 0010 of VSWITCH SYSTEM SW has no ports\n"},
    {"SET VSWITCH SW UPLINK", 26, "HCPCFC026E"},
    {"SET VSWITCH SW UPLINK RDEV", 21, "HCPCMD021E"},
    {"SET VSWITCH SW UPLINK SWITCHOVER AVAILABLE", 2832, "HCPSWU2832E"},
    {"SET VSWITCH SW UPLINK PATHMTUD VALUE 1", 2, "HCPCMD002E Invalid operand - 1\n"},
    {"SET VSWITCH SW UPLINK NIC U", 22, "HCPCMD022E"},
    {"SET VSWITCH SW BRIDGEPORT RDEV A00", 13, "HCPCMD013E Conflicting option - BRIDGEPORT\n"},
    {"SET VSWITCH SW IVLPORT VLAN 3", 13, "HCPCMD013E Conflicting option - IVLPORT\n"},
    {"SET VSWITCH SW CONTROLLER", 20, "HCPUSR020E"},
    {"SET VSWITCH SW CONTROLLER A B C D E F G H I", 3, "HCPCMD003E"},
    {"SET VSWITCH SW CONTROLLER * A", 3, "HCPCMD003E Invalid option - A\n"},
    {"SET VSWITCH SW MACPROTECT PERHAPS", 2, "HCPCMD002E Invalid operand - PERHAPS\n"},
    {"SET VSWITCH SW MACID 1000000", 2, "HCPCMD002E"},
    {"SET VSWITCH SW MACID ZZ", 2, "HCPCMD002E Invalid operand - ZZ\n"},
    {"SET VSWITCH SW MACID 000001", 2796,
     "HCPSWU2796E VSWITCH SYSTEM SW: MACID 000001 is not available\n"},
    {"SET VSWITCH SW VEPA", 26, "HCPCFC026E"},
    {"SET VSWITCH SW ISOLATION YES", 2, "HCPCMD002E Invalid operand - YES\n"},
    {"SET VSWITCH SW ISOLATION ON OFF", 3, "HCPCMD003E Invalid option - OFF\n"},
    {"SET VSWITCH SW COUNTERS CLEAR", 26, "HCPCFC026E"},
    {"SET VSWITCH SW COUNTERS CLEAR ALL SOME", 3, "HCPCMD003E Invalid option - SOME\n"},
    {"QUERY VSWITCH NONE", 2783, "HCPSWU2783E VSWITCH SYSTEM NONE does not exist\n"},
    {"QUERY VSWITCH SW NONSENSE", 3, "HCPCMD003E Invalid option - NONSENSE\n"},
    {"QUERY VSWITCH SYSTEM", 26, "HCPCFC026E"},
    {"DETACH VSWITCH", 26, "HCPCFC026E"},
    {"DETACH VSWITCH NONE", 2783, "HCPSWU2783E"},
    {"DETACH VSWITCH SW NOW", 3, "HCPCMD003E Invalid option - NOW\n"},
};

static void bad_input_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    good("DEFINE VSWITCH SW VLAN 1");
    char *before = strdup(good("QUERY VSWITCH ALL ACCESSLIST"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int rc = net_rig_command(rig, "OPERATOR", bad[i].line);
        if (rc != bad[i].rc || strncmp(text_get(&rig->text), bad[i].text, strlen(bad[i].text)) != 0)
            fail_msg("%s: %d %s", bad[i].line, rc, text_get(&rig->text));
        expect_lines("QUERY VSWITCH ALL ACCESSLIST", before);
    }
    free(before);
}

static void settings_are_shown(void **state)
{
    static const struct {
        const char *set, *shown;
    } cases[] = {
        {"SET VSWITCH SW ISOLATION ON", "  Isolation Status: ON         VEPA Status: OFF\n"},
        {"SET VSWITCH SW VEPA ON", "VEPA Status: ON\n"},
        {"SET VSWITCH SW MACPROTECT ON", "MAC Protection: ON\n"},
        {"SET VSWITCH SW MACPROTECT UNSPEC", "MAC Protection: Unspecified\n"},
        {"SET VSWITCH SW MACID 0000AA", "  MAC address: 02-00-00-00-00-AA "},
        {"SET VSWITCH SW IPTIMEOUT 30", "  IPTimeout: 30        QueueStorage: 8\n"},
        {"SET VSWITCH SW QUEUESTORAGE 2M", "QueueStorage: 2\n"},
        {"SET VSWITCH SW VLAN_COUNTERS ON", "VLAN Counters: ON\n"},
        {"SET VSWITCH SW VLAN_ OFF", "VLAN Counters: OFF\n"},
        {"SET VSWITCH SW GVRP", "GVRP: Enabled\n"},
        {"SET VSWITCH SW NOGVRP", "GVRP: Disabled\n"},
        {"SET VSWITCH SW PRIROUTER", "PRIROUTER"},
        {"SET VSWITCH SW NONROUTER", "NONROUTER"},
        {"SET VSWITCH SW PORTNAME A B C", "SW"},
        {"SET VSWITCH SW UPLINK PATHMTUDISCOVERY VALUE 1492",
         "  PMTUD setting: VALUE      PMTUD value: 1492     "},
        {"SET VSWITCH SW UPLINK PATHMTUD OFF", "  PMTUD setting: OFF "},
        {"SET VSWITCH SW UPLINK PATHMTUD EXT", "PMTUD value: 9000 "},
        {"SET VSWITCH SW UPLINK PRIQUEUING ON TRACESIZE 16", "PriQueuing: ON\n"},
        {"SET VSWITCH SW UPLINK GROUP G", "  Group: G\n"},
        {"SET VSWITCH SW UPLINK NOGROUP", "SW"},
        {"SET VSWITCH SW UPLINK NIC LNX00085 600 PORTNUM AUTO", "  NIC: LNX00085 0600\n"},
        {"SET VSWITCH SW UPLINK NONE", "State: Defined"},
        {"SET VSWITCH SW CONTROLLER DTCVSW1 DTCVSW2", "SW"},
        {"SET VSWITCH SW CONTROLLER *", "SW"},
        {"SET VSWITCH SW COUNTERS CLEAR ALL", "SW"},
        {"SET VSWITCH SW COUNTERS CLEAR UPLINK DISCARDED", "SW"},
        {"SET VSWITCH SW COUNTERS CLEAR BRIDGEPORT ERRORS", "SW"},
        {"SET VSWITCH SW ACCOUNTING ON", "Accounting: ON\n"},
        {"SET VSWITCH SW DISCONNECT", "SW"},
        {"SET VSWITCH SW CON", "SW"},
    };
    (void)state;
    good("DEFINE VSWITCH SW VLAN 1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_lines(cases[i].set, "Command complete\n");
        good("QUERY VSWITCH SW");
        has(cases[i].shown);
    }
    good("DEFINE VSWITCH E ETHERNET");
    expect_lines("SET VSWITCH E BRIDGEPORT RDEV C00 DISCONNECT BUFFERS 20 NICD ON PRIMARY",
                 "Command complete\n");
    good("QUERY VSWITCH E BRIDGEPORT");
    has(" Bridge Port:\n  State: Disconnected\n");
    expect_lines("SET VSWITCH E BRIDGEPORT NONE", "Command complete\n");
    good("DEFINE VSWITCH I TYPE IVL");
    expect_lines("SET VSWITCH I IVLPORT VLAN 20", "Command complete\n");
    expect_lines("SET VSWITCH I IVLPORT HEARTBEAT TIMEOUT 30", "Command complete\n");
    assert_int_equal(net_rig_command(rig, "OPERATOR", "SET VSWITCH I IVLPORT PING ALL"), 2832);
    good("QUERY VSWITCH I IVLPORT");
    has("Domain: A  VLAN: 0020");
}

static void port_numbers_and_vlan_ids_work_together(void **state)
{
    (void)state;
    good("DEFINE VSWITCH SW VLAN AWARE PORTBASED");
    expect_lines("SET VSWITCH SW PORTNUMBER 5 USERID LNX00085 PORTTYPE TRUNK VLAN 10 20-22",
                 "Command complete\n");
    good("SET VSWITCH SW PORTNUMBER 6 USERID LNX00090");
    good("SET VSWITCH SW VLANID 30 ADD 5-6");
    good("SET VSWITCH SW VLANID 10 REMOVE 5");
    good("QUERY VSWITCH SW PORTNUM");
    has("    Port  Userid    PType   Promis  VLAN\n"
        "    0005  LNX00085  Trunk   No      0020-0022 0030  (not connected)\n"
        "    0006  LNX00090  Access  No      0030  (not connected)\n");
    net_rig_logon(rig, "LNX00085");
    assert_int_equal(net_rig_command(rig, "LNX00085", "DEFINE NIC 600 TYPE QDIO"), 0);
    assert_int_equal(net_rig_command(rig, "LNX00085", "COUPLE 600 SYSTEM SW PORTNUMBER 6"), 6011);
    assert_int_equal(net_rig_command(rig, "LNX00085", "COUPLE 600 SYSTEM SW"), 0);
    const struct port *port = nic_find(cp_user(rig->cp, "LNX00085"), 0x600)->port;
    assert_int_equal(port->number, 5);
    good("QUERY VSWITCH SW VLAN");
    has("  VLAN ID: 0021\n    Port: 0005  LNX00085  0600  Trunk\n");
    good("SET VSWITCH SW PORTNUMBER MODIFY 5 PROMISCUOUS PQUPLINKTX HIGH");
    assert_int_equal(port->priority, PRIORITY_HIGH);
    good("SET VSWITCH SW VLANID DELETE 21");
    assert_false(vlan_has(&port->vlans, 21));
    assert_true(vlan_has(&port->vlans, 20));
    good("SET VSWITCH SW PORTNUMBER REMOVE 5");
    assert_false(port->authorised);
}

static void uplinks_need_a_controller_and_a_device(void **state)
{
    (void)state;
    good("DEFINE VSWITCH SW RDEV A00");
    has("VSWITCH SYSTEM SW is created\n");
    good("QUERY VSWITCH SW");
    has("  State: Controller not available      PriQueuing: OFF\n");
    assert_int_equal(net_rig_command(rig, "OPERATOR", "QUERY CONTROLLER"), 2783);
    net_rig_logon(rig, "DTCVSW1");
    good("QUERY VSWITCH SW");
    has("  State: Ready                         PriQueuing: OFF\n");
    has("  RDEV: 0A00.P00 VDEV: 0600 Controller: DTCVSW1  ACTIVE\n");
    assert_string_equal(cp_rdev(rig->cp, 0xA02)->attached_to, "DTCVSW1");
    good("SET VSWITCH SW UPLINK RDEV A00 B00.P1");
    good("QUERY VSWITCH SW DETAILS");
    has("  RDEV: 0B00.P01 VDEV: 0603 Controller: DTCVSW1  BACKUP\n");
    has("    Uplink Port Connection:\n      RX Packets: 0          Discarded: 0          Errors: "
        "0\n");
    good("QUERY CONTROLLER DTCVSW1");
    has("Controller DTCVSW1    Available: YES   VDEV Range: *       Level 730\n");
    has("  SYSTEM SW       Primary  Controller: *        VDEV: 0600\n");
    good("SET VSWITCH SW UPLINK SWITCHOVER RDEV B00.P1");
    good("QUERY VSWITCH SW");
    has("  RDEV: 0B00.P01 VDEV: 0600 Controller: DTCVSW1  ACTIVE\n");
    expect_lines("SET VSWITCH SW DISCONNECT", "Command complete\n");
    good("QUERY VSWITCH SW");
    has("State: Disconnected");
    assert_false(cp_rdev(rig->cp, 0xA00)->attached);
    expect_lines("SET VSWITCH SW UPLINK RDEV DEAD CONNECT", "Command complete\n");
    assert_int_equal(network_find(rig->cp->network, "SYSTEM", "SW")->uplink.state, UPLINK_ERROR);
    good("SET VSWITCH SW RDEV A00");
    vm_logoff(cp_user(rig->cp, "DTCVSW1"), NULL);
    good("QUERY VSWITCH SW");
    has("State: Controller not available");
}

static void the_uplink_keeps_its_counters_when_others_log_on(void **state)
{
    (void)state;
    net_rig_logon(rig, "DTCVSW1");
    good("DEFINE VSWITCH SW RDEV A00");
    struct lan *lan = network_find(rig->cp->network, "SYSTEM", "SW");
    struct port *uplink = lan->uplink.port;
    assert_non_null(uplink);
    uplink->counters.out.packets = 77;
    net_rig_logon(rig, "LNX00085");
    assert_ptr_equal(lan->uplink.port, uplink);
    good("SET VSWITCH SW ISOLATION ON");
    assert_int_equal(lan->uplink.port->counters.out.packets, 77);
    good("SET VSWITCH SW UPLINK PATHMTUDISCOVERY OFF");
    assert_ptr_equal(lan->uplink.port, uplink);
    good("SET VSWITCH SW COUNTERS CLEAR UPLINK DATA");
    assert_int_equal(lan->uplink.port->counters.out.packets, 0);
}

static void general_users_see_only_their_switches(void **state)
{
    (void)state;
    good("DEFINE VSWITCH ONE");
    good("DEFINE VSWITCH TWO");
    good("SET VSWITCH ONE GRANT LNX00085");
    net_rig_logon(rig, "LNX00085");
    assert_int_equal(net_rig_command(rig, "LNX00085", "QUERY VSWITCH"), 0);
    has("VSWITCH SYSTEM ONE ");
    assert_null(strstr(text_get(&rig->text), "TWO"));
    assert_int_equal(net_rig_command(rig, "LNX00085", "QUERY VSWITCH TWO"), 2783);
    assert_int_equal(net_rig_command(rig, "LNX00085", "DEFINE VSWITCH MINE"), 3);
    assert_int_equal(net_rig_command(rig, "LNX00085", "SET VSWITCH ONE REVOKE LNX00085"), 3);
}

static void detaching_tells_the_owners(void **state)
{
    (void)state;
    good("DEFINE VSWITCH SW");
    good("SET VSWITCH SW GRANT OPERATOR");
    good("DEFINE NIC 600 QDIO");
    good("COUPLE 600 TO SYSTEM SW");
    good("DETACH VSWITCH SW");
    assert_null(nic_find(cp_user(rig->cp, "OPERATOR"), 0x600)->port);
    good("QUERY NIC 600");
    has("LAN: * None");
    assert_int_equal(net_rig_command(rig, "OPERATOR", "QUERY VSWITCH"), 2783);
    has("No VSWITCH found");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_published_session_works),
        TEST(a_switch_is_shown_in_columns),
        TEST(every_form_of_define_works),
        TEST(bad_input_is_refused_and_changes_nothing),
        TEST(settings_are_shown),
        TEST(port_numbers_and_vlan_ids_work_together),
        TEST(uplinks_need_a_controller_and_a_device),
        TEST(the_uplink_keeps_its_counters_when_others_log_on),
        TEST(general_users_see_only_their_switches),
        TEST(detaching_tells_the_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
