// SPDX-License-Identifier: MIT
// NICs and guest LANs: their commands, their devices, what authority decides, and how they end.
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
    net_rig_logon(rig, "LNX00085");
    net_rig_logon(rig, "LNX00090");
    return 0;
}

static int finish(void **state)
{
    (void)state;
    net_rig_free(rig);
    return 0;
}

static void expect(const char *userid, const char *line, int rc, const char *wanted)
{
    int got = net_rig_command(rig, userid, line);
    if (got != rc || strncmp(text_get(&rig->text), wanted, strlen(wanted)) != 0)
        fail_msg("%s: %s: %d %s", userid, line, got, text_get(&rig->text));
}

static void has(const char *part)
{
    if (!strstr(text_get(&rig->text), part))
        fail_msg("no \"%s\" in:\n%s", part, text_get(&rig->text));
}

static const char *const U = "LNX00085", *const V = "LNX00090", *const OP = "OPERATOR";

static void a_nic_has_three_devices(void **state)
{
    (void)state;
    struct vm *vm = cp_user(rig->cp, U);
    expect(U, "DEFINE NIC 0600 TYPE QDIO", 0, "NIC 0600 is created; devices 0600-0602 defined\n");
    for (uint16_t n = 0x600; n < 0x603; n++) {
        const struct device *dev = css_device(vm->machine->css, n);
        assert_non_null(dev);
        assert_int_equal(dev->cu_type, 0x1731);
        assert_int_equal(dev->dev_type, 0x1732);
        assert_int_equal(dev->ciw[1], 0x431B1000);
    }
    assert_null(css_device(vm->machine->css, 0x603));
    expect(U, "QUERY NIC", 0,
           "Adapter 0600.P00 Type: QDIO      Name: UNASSIGNED  Devices: 3\n"
           "  MAC: 02-00-00-00-00-01         LAN: * None\n");
    expect(U, "QUERY VIRTUAL 601", 0, "OSA  0601 ON NIC  0600  UNIT 001 SUBCHANNEL = ");
    has("     0601 DEVTYPE OSA         VIRTUAL CHPID 00 OSD\n"
        "     0601 MAC 02-00-00-00-00-01 CURRENT\n"
        "     0601 QDIO-ELIGIBLE       QIOASSIST-ELIGIBLE\n");
    expect(U, "DETACH NIC 600", 0, "NIC 0600 is destroyed; devices 0600-0602 detached\n");
    assert_null(css_device(vm->machine->css, 0x600));
    expect(U, "QUERY NIC", 40, "HCPNDF040E No NIC found\n");
}

static void devices_answer_sense_id_and_reject_qdio(void **state)
{
    (void)state;
    uint8_t data[32];
    struct device_command cmd = {.code = 0xE4, .data = data, .count = sizeof data};
    expect(U, "DEFINE NIC 600 QDIO", 0, "NIC 0600");
    struct device *dev = css_device(cp_user(rig->cp, U)->machine->css, 0x601);
    struct device_reply reply = dev->ops->command(dev, &cmd);
    assert_int_equal(reply.status, STATUS_NORMAL);
    static const uint8_t identity[] = {0xFF, 0x17, 0x31, 0x01, 0x17, 0x32, 0x01, 0x00,
                                       0x40, 0xFA, 0x00, 0x80, 0x43, 0x1B, 0x10, 0x00};
    assert_memory_equal(data, identity, sizeof identity);
    cmd.code = 0x1B; // establish queues
    reply = dev->ops->command(dev, &cmd);
    assert_true(reply.status & STATUS_UNIT_CHECK);
    assert_int_equal(dev->sense[0], SENSE_COMMAND_REJECT);
}

static void forms_of_define_nic(void **state)
{
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"DEFINE NIC 600", "NIC 0600 is created; devices 0600-0602 defined\n"},
        {"DEF NIC 600 HIPERS", "NIC 0600 is created"},
        {"DEFINE NIC 600 TYPE HIPERSOCKETS CHPID 1F", "NIC 0600 is created"},
        {"DEFINE NIC 600 QDIO DEVICES 12", "NIC 0600 is created; devices 0600-060B defined\n"},
        {"DEFINE NIC 600 DEV 3 TYPE QDIO CHPID *", "NIC 0600 is created"},
        {"DEFINE NIC 600 IEDN", "NIC 0600 is created"},
        {"DEFINE NIC 600 TYPE INMN", "NIC 0600 is created"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(U, cases[i].line, 0, cases[i].answer);
        expect(U, "DETACH NIC 600", 0, "NIC 0600 is destroyed");
    }
}

static void bad_nic_commands_are_refused(void **state)
{
    static const struct {
        const char *line;
        int rc;
        const char *text;
    } cases[] = {
        {"DEFINE NIC", 22, "HCPCMD022E"},
        {"DEFINE NIC XYZ", 22, "HCPCMD022E"},
        {"DEFINE NIC 12345", 22, "HCPCMD022E"},
        {"DEFINE NIC 700 TYPE", 26, "HCPCFC026E"},
        {"DEFINE NIC 700 TYPE TOKEN", 2, "HCPCMD002E Invalid operand - TOKEN\n"},
        {"DEFINE NIC 700 TOKEN", 3, "HCPCMD003E Invalid option - TOKEN\n"},
        {"DEFINE NIC 700 QDIO DEVICES 2", 2, "HCPCMD002E Invalid operand - 2\n"},
        {"DEFINE NIC 700 QDIO DEVICES 3073", 2, "HCPCMD002E"},
        {"DEFINE NIC 700 QDIO CHPID 100", 2, "HCPCMD002E"},
        {"DEFINE NIC FFFE QDIO", 22, "HCPCMD022E"},
        {"DEFINE NIC 600 QDIO", 92, "HCPDFN092E NIC 0600 not defined; device already defined\n"},
        {"DEFINE NIC 5FE QDIO", 92, "HCPDFN092E NIC 0600 not defined"},
        {"DEFINE NIC 0009 QDIO", 92, "HCPDFN092E NIC 0009 not defined"},
        {"DETACH NIC", 22, "HCPCMD022E"},
        {"DETACH NIC 601", 40, "HCPNDF040E Device 0601 does not exist\n"},
        {"SET NIC", 22, "HCPCMD022E"},
        {"SET NIC 600", 26, "HCPCFC026E"},
        {"SET NIC 600 MACID 000005", 3, "HCPCMD003E Invalid option - MACID\n"},
        {"SET NIC USER LNX00090 600 PROMISCUOUS", 3, "HCPCMD003E Invalid option - USER\n"},
        {"QUERY NIC 700", 40, "HCPNDF040E Device 0700 does not exist\n"},
        {"QUERY NIC 600 ALL", 3, "HCPCMD003E"},
        {"QUERY NIC USER LNX00090 600", 3, "HCPCMD003E"},
        {"COUPLE", 22, "HCPCMD022E"},
        {"COUPLE 700 TO SYSTEM SW", 40, "HCPNDF040E Device 0700 does not exist\n"},
        {"COUPLE 601 TO SYSTEM SW", 6, "HCPCMD006E Invalid device type - 601\n"},
        {"COUPLE 0009 TO SYSTEM SW", 6, "HCPCMD006E Invalid device type - 0009\n"},
        {"COUPLE 600 TO", 26, "HCPCFC026E"},
        {"COUPLE 600 TO SYSTEM", 26, "HCPCFC026E"},
        {"COUPLE 600 TO SYSTEM NONE", 2783, "HCPSWU2783E LAN SYSTEM NONE does not exist\n"},
        {"COUPLE 600 TO SYSTEM SW", 6011,
         "HCPCPL6011E You are not authorized to COUPLE to SYSTEM SW\n"},
        {"COUPLE 600 TO SYSTEM SW PORTNUMBER X", 2, "HCPCMD002E"},
        {"COUPLE 600 TO SYSTEM HL", 2780,
         "HCPCPL2780E NIC 0600 not connected; adapter and LAN type mismatch\n"},
        {"COUPLE 600", 2797,
         "HCPCPL2797E NIC 0600 not connected; its directory entry names no network\n"},
        {"UNCOUPLE 600", 2797, "HCPCPL2797E NIC 0600 is not connected\n"},
        {"UNCOUPLE 600 FROM SYSTEM SW", 2797, "HCPCPL2797E"},
        {"UNCOUPLE", 22, "HCPCMD022E"},
    };
    (void)state;
    expect(OP, "DEFINE VSWITCH SW", 0, "");
    expect(OP, "DEFINE LAN HL OWNERID SYSTEM", 0, "LAN SYSTEM HL is created\n");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(U, cases[i].line, cases[i].rc, cases[i].text);
    assert_int_equal(cp_user(rig->cp, U)->nics->devices, 3);
    assert_null(cp_user(rig->cp, U)->nics->next);
    assert_null(cp_user(rig->cp, U)->nics->port);
}

static void a_guest_lan_is_shown_in_columns(void **state)
{
    (void)state;
    expect(OP, "DEFINE LAN GLAN1 OWNERID SYSTEM TYPE QDIO", 0, "LAN SYSTEM GLAN1 is created\n");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    expect(U, "COUPLE 600 TO SYSTEM GLAN1", 0, "NIC 0600 is connected to LAN SYSTEM GLAN1\n");
    expect(U, "QUERY LAN", 0,
           "LAN SYSTEM GLAN1        Type: QDIO    Connected: 1    Maxconn: INFINITE\n"
           "  PERSISTENT  UNRESTRICTED  IP                        Accounting: OFF\n"
           "  IPTimeout: 5                 MAC Protection: Unspecified\n"
           "  Isolation Status: OFF\n");
    expect(U, "QUERY NIC 600 DETAILS", 0,
           "Adapter 0600.P00 Type: QDIO      Name: UNASSIGNED  Devices: 3\n"
           "  MAC: 02-00-00-00-00-01         LAN: SYSTEM GLAN1\n"
           "      RX Packets: 0          Discarded: 0          Errors: 0\n"
           "      TX Packets: 0          Discarded: 0          Errors: 0\n"
           "      RX Bytes: 0                    TX Bytes: 0\n");
    has("    Device: 0602  Unit: 002   Role: DATA      Port: 0065\n");
    expect(OP, "QUERY LAN SYSTEM GLAN1 DETAILS", 0, "LAN SYSTEM GLAN1");
    has("Adapter Connections:         Connected: 1\n"
        "  Adapter Owner: LNX00085 NIC: 0600.P00 Name: UNASSIGNED Type: QDIO\n");
    expect(U, "UNCOUPLE 600", 0, "NIC 0600 is disconnected from LAN SYSTEM GLAN1\n");
}

static void forms_of_define_lan(void **state)
{
    static const struct {
        const char *line, *shown;
    } cases[] = {
        {"DEFINE LAN L OWNERID SYSTEM", "Type: HIPERS  Connected: 0    Maxconn: INFINITE\n"},
        {"DEFINE LAN L OWNERID SYSTEM MFS 64K", "MFS: 65536"},
        {"DEFINE LAN L OWNERID SYSTEM TYPE HIPERS MFS 24K", "MFS: 24576"},
        {"DEFINE LAN L OWNERID SYSTEM TYPE QDIO ETHERNET", "ETHERNET"},
        {"DEFINE LAN L OWNERID SYSTEM MAXCONN 10 RESTRICTED",
         "Maxconn: 10\n  PERSISTENT  RESTRICTED "},
        {"DEFINE LAN L OWNER SYSTEM MAXCONN INF UNREST ACCOUNTING ON", "Accounting: ON"},
        {"DEFINE LAN L OWNER SYSTEM RESTRICTED GRANT LNX00085 GRANT LNX00090 IPT 9",
         "IPTimeout: 9 "},
        {"DEFINE LAN L", "LAN OPERATOR L          Type: HIPERS"},
        {"DEFINE LAN L OWNERID *", "  TRANSIENT   UNRESTRICTED "},
        {"DEFINE LAN L OWNERID LNX00085", "LAN LNX00085 L          Type: HIPERS"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect(OP, cases[i].line, 0, "LAN ");
        expect(OP, "QUERY LAN L", 0, "LAN ");
        has(cases[i].shown);
        const struct lan *lan = rig->cp->network->lans;
        char detach[60];
        snprintf(detach, sizeof detach, "DETACH LAN L OWNERID %s", lan->owner);
        expect(OP, detach, 0, "LAN ");
        has(" L is destroyed\n");
    }
}

static void bad_lan_commands_are_refused(void **state)
{
    static const struct {
        const char *line;
        int rc;
    } cases[] = {
        {"DEFINE LAN", 26},
        {"DEFINE LAN NAMETOOLONG", 2},
        {"DEFINE LAN L OWNERID SYSTEM", 2}, // class G: own ones only
        {"DEFINE LAN L OWNERID LNX00090", 2},
        {"DEFINE LAN L ACCOUNTING ON", 3},
        {"DEFINE LAN L MAXCONN 0", 2},
        {"DEFINE LAN L MAXCONN 1025", 2},
        {"DEFINE LAN L MFS 32K", 2},
        {"DEFINE LAN L TYPE QDIO MFS 16K", 13},
        {"DEFINE LAN L ETHERNET", 13},
        {"DEFINE LAN L GRANT LNX00090", 13},
        {"DEFINE LAN L TYPE", 26},
        {"DEFINE LAN L NONSENSE", 3},
        {"DEFINE LAN MINE", 2788},
        {"SET LAN NONE GRANT A", 2783},
        {"SET LAN MINE", 26},
        {"SET LAN MINE REVOKE A", 2799},
        {"SET LAN MINE ACCOUNTING ON", 3},
        {"SET LAN MINE GRANT A VLAN 3", 2799},
        {"DETACH LAN NONE", 2783},
        {"DETACH LAN MINE OWNERID LNX00090", 2},
        {"QUERY LAN NONE", 2783},
        {"QUERY LAN LNX00085 MINE DETAILS MORE", 3},
    };
    (void)state;
    expect(U, "DEFINE LAN MINE", 0, "LAN LNX00085 MINE is created\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(U, cases[i].line, cases[i].rc, "HCP");
    assert_null(rig->cp->network->lans->next);
}

static void restricted_lans_admit_the_granted(void **state)
{
    (void)state;
    expect(U, "DEFINE LAN L TYPE QDIO RESTRICTED", 0, "LAN LNX00085 L is created\n");
    expect(V, "DEFINE NIC 700 QDIO", 0, "");
    expect(V, "COUPLE 700 TO LNX00085 L", 6011, "HCPCPL6011E");
    expect(V, "QUERY LAN LNX00085 L", 2783, "HCP");
    expect(U, "SET LAN L GRANT LNX00090", 0, "Command complete\n");
    expect(V, "QUERY LAN LNX00085 L", 0, "LAN LNX00085 L");
    expect(V, "COUPLE 700 TO LNX00085 L", 0, "NIC 0700 is connected to LAN LNX00085 L\n");
    expect(V, "COUPLE 700 TO LNX00085 L", 2797,
           "HCPCPL2797E NIC 0700 not connected; it is connected already\n");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    expect(U, "COUPLE 600 * L", 0, "NIC 0600 is connected to LAN LNX00085 L\n");
    expect(U, "SET LAN L REVOKE LNX00090", 0, "Command complete\n");
    assert_false(nic_find(cp_user(rig->cp, V), 0x700)->port->authorised);
}

static void transient_lans_end_with_their_owner_or_last_user(void **state)
{
    (void)state;
    expect(U, "DEFINE LAN EMPTY", 0, "");
    expect(U, "DEFINE LAN USED TYPE QDIO", 0, "");
    expect(V, "DEFINE NIC 700 QDIO", 0, "");
    expect(V, "COUPLE 700 TO LNX00085 USED", 0, "");
    vm_logoff(cp_user(rig->cp, U), NULL);
    assert_null(network_find(rig->cp->network, U, "EMPTY"));
    assert_non_null(network_find(rig->cp->network, U, "USED"));
    expect(V, "UNCOUPLE 700 FROM LNX00085 USED", 0,
           "NIC 0700 is disconnected from LAN LNX00085 USED\n");
    assert_null(network_find(rig->cp->network, U, "USED"));
}

static void logoff_removes_the_nics(void **state)
{
    (void)state;
    expect(OP, "DEFINE LAN L OWNERID SYSTEM TYPE QDIO", 0, "");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    expect(U, "COUPLE 600 TO SYSTEM L", 0, "");
    vm_logoff(cp_user(rig->cp, U), NULL);
    assert_int_equal(rig->cp->network->lans->ports, 0);
    assert_int_equal(rig->cp->network->taken_count, 0);
}

static void nicdef_couples_at_logon(void **state)
{
    (void)state;
    expect(OP, "DEFINE VSWITCH DIRSW VLAN AWARE", 0, "");
    struct vm *vm = net_rig_logon(rig, "LNX00091");
    const struct nic *nic = nic_find(vm, 0x700);
    assert_non_null(nic);
    assert_non_null(nic->port); // no GRANT: the directory authorises
    assert_int_equal(nic->port->pvid, 8);
    expect("LNX00091", "UNCOUPLE 700", 0, "NIC 0700 is disconnected from VSWITCH SYSTEM DIRSW\n");
    expect("LNX00091", "COUPLE 700", 0, "NIC 0700 is connected to VSWITCH SYSTEM DIRSW\n");
    expect(OP, "SET VMLAN DNA DISABLED", 0, "Command complete\n");
    assert_false(nic->port->authorised);
    expect("LNX00091", "UNCOUPLE 700", 0, "");
    expect("LNX00091", "COUPLE 700", 6011, "HCPCPL6011E");
}

static void set_nic_changes_adapters(void **state)
{
    (void)state;
    expect(OP, "DEFINE VSWITCH SW", 0, "");
    expect(OP, "SET VSWITCH SW GRANT LNX00085", 0, "");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    expect(U, "COUPLE 600 SYSTEM SW", 0, "");
    struct nic *nic = cp_user(rig->cp, U)->nics;
    expect(U, "SET NIC 600 PROMISCUOUS", 0, "Command complete\n");
    assert_false(nic->port->promiscuous); // asked, not granted
    expect(OP, "SET VSWITCH SW GRANT LNX00085 PROMISCUOUS", 0, "");
    assert_true(nic->port->promiscuous);
    expect(U, "SET NIC 600 NOPROMISCUOUS", 0, "");
    assert_false(nic->port->promiscuous);
    expect(OP, "SET NIC USER LNX00085 600 MACPROTECT ON", 0, "Command complete\n");
    assert_true(nic->port->protect);
    expect(OP, "SET NIC USER LNX00085 600 MACID 00BEEF", 0, "Command complete\n");
    assert_int_equal(nic->port->mac_value, UINT64_C(0x02000000BEEF));
    expect(OP, "SET NIC USER LNX00085 600 MACID 00BEEF", 2796, "HCPNDF2796E");
    expect(OP, "SET NIC USER NOBODY 600 MACID 1", 45, "HCPUSO045E NOBODY not logged on\n");
    expect(OP, "QUERY NIC USER LNX00085 600", 0, "Adapter 0600.P00 Type: QDIO");
    has("  MAC: 02-00-00-00-BE-EF         VSWITCH: SYSTEM SW\n");
}

static void vmlan_shows_and_sets_what_holds_for_all(void **state)
{
    (void)state;
    expect(OP, "DEFINE VSWITCH SW", 0, "");
    expect(U, "QUERY VMLAN", 0,
           "VMLAN maintenance level:\n"
           "  Latest Service: Base\n"
           "VMLAN MAC address assignment:\n"
           "  System MAC Protection: OFF\n"
           "  MACADDR Prefix: 020000 USER Prefix: 020000\n"
           "  MACIDRANGE SYSTEM: 000001-FFFFFF\n"
           "             USER:   000000-000000\n"
           "VMLAN default accounting status:\n"
           "  SYSTEM Accounting: OFF       USER Accounting: OFF\n"
           "VMLAN general activity:\n"
           "  PERSISTENT Limit: INFINITE   Current: 1\n"
           "  TRANSIENT  Limit: INFINITE   Current: 0\n"
           "Trace Pages: 8\n"
           "VMLAN Directory Network Authorization: ENABLED\n"
           "IVL Domain: None\n");
    expect(OP, "SET VMLAN MACPREFIX 02000A MACIDRANGE SYSTEM 000001-00FFFF USER 00F000-00FFFF", 0,
           "Command complete\n");
    expect(OP, "SET VMLAN LIMIT TRANSIENT 0", 0, "Command complete\n");
    expect(OP, "SET VMLAN ACCOUNTING USER ON", 0, "Command complete\n");
    expect(U, "DEFINE LAN L", 2795,
           "HCPSWU2795E Create failed; the limit of TRANSIENT networks is reached\n");
    expect(U, "DEFINE NIC 600 QDIO", 0, "");
    expect(U, "QUERY NIC 600", 0, "Adapter");
    has("  MAC: 02-00-0A-00-00-02 ");
    expect(OP, "SET VMLAN", 26, "HCP");
    expect(OP, "SET VMLAN MACPREFIX 010000", 2, "HCP"); // a group address
    expect(OP, "SET VMLAN MACPREFIX 02", 2, "HCP");
    expect(OP, "SET VMLAN MACIDRANGE SYSTEM 000005-000001", 2, "HCP");
    expect(OP, "SET VMLAN LIMIT", 26, "HCP");
    expect(OP, "SET VMLAN DNA ON", 2, "HCP");
    expect(OP, "SET VMLAN MACPROTECT ON NONSENSE", 3, "HCP");
    assert_false(rig->cp->network->mac_protection);
    expect(U, "SET VMLAN DNA DISABLED", 3, "HCP");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_nic_has_three_devices),
        TEST(devices_answer_sense_id_and_reject_qdio),
        TEST(forms_of_define_nic),
        TEST(bad_nic_commands_are_refused),
        TEST(a_guest_lan_is_shown_in_columns),
        TEST(forms_of_define_lan),
        TEST(bad_lan_commands_are_refused),
        TEST(restricted_lans_admit_the_granted),
        TEST(transient_lans_end_with_their_owner_or_last_user),
        TEST(logoff_removes_the_nics),
        TEST(nicdef_couples_at_logon),
        TEST(set_nic_changes_adapters),
        TEST(vmlan_shows_and_sets_what_holds_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
