// SPDX-License-Identifier: MIT
// Fuzzes the network commands: each input line is made of words from the commands' own vocabulary,
// chosen by its bytes, with a piece of the raw input here and there. Whatever it says, the system
// must answer with a return code and stay whole.
#include <stdint.h>

#include "net_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// clang-format off
static const char *const verbs[] = {
    "DEFINE VSWITCH", "SET VSWITCH", "QUERY VSWITCH", "DETACH VSWITCH", "DEFINE LAN", "SET LAN",
    "QUERY LAN", "DETACH LAN", "DEFINE NIC", "SET NIC", "QUERY NIC", "DETACH NIC", "COUPLE",
    "UNCOUPLE", "SET VMLAN", "QUERY VMLAN", "QUERY CONTROLLER",
};
static const char *const words[] = {
    "SW", "SW", "LN", "LN", "600", "600", "700", "SYSTEM", "OPERATOR", "LNX00085", "*", "TO", "FROM",
    "TYPE", "QDIO", "HIPERSOCKETS", "IVL", "RDEV", "A00", "B00.P1", "NONE", "CONNECT", "DISCONNECT",
    "VLAN", "1", "2", "10-20", "4094", "4095", "ANY", "AWARE", "UNAWARE", "NATIVE", "PORTTYPE",
    "ACCESS", "TRUNK", "GRANT", "REVOKE", "PORTNUMBER", "USERID", "MODIFY", "REMOVE", "VLANID", "ADD",
    "DELETE", "UPLINK", "NOUPLINK", "BRIDGEPORT", "IVLPORT", "CONTROLLER", "DTCVSW1", "MACPROTECT",
    "MACID", "00BEEF", "ON", "OFF", "VEPA", "ISOLATION", "VLAN_COUNTERS", "COUNTERS", "CLEAR", "ALL",
    "DATA", "QUEUESTORAGE", "8M", "ETHERNET", "IP", "PRIROUTER", "GROUP", "SWITCHOVER", "AVAILABLE",
    "NIC", "DETAILS", "ACCESSLIST", "PORTNUM", "PROMISCUOUS", "NOPROMISCUOUS", "OWNERID", "MAXCONN",
    "RESTRICTED", "MFS", "16K", "DEVICES", "12", "CHPID", "USER", "LIMIT", "TRANSIENT", "0",
    "MACIDRANGE", "000001-00FFFF", "MACPREFIX", "02000B", "DNA", "ENABLED", "PORTNAME", "PORTBASED",
};
// clang-format on

struct input {
    const uint8_t *at, *end;
};

static unsigned byte(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static void make_line(struct input *in, char *line, size_t room)
{
    size_t n = (size_t)snprintf(line, room, "%s", verbs[byte(in) % (sizeof verbs / sizeof *verbs)]);
    for (unsigned count = byte(in) % 8; count > 0 && n + 40 < room; count--) {
        unsigned b = byte(in);
        if (b < 250) {
            n += (size_t)snprintf(line + n, room - n, " %s",
                                  words[b % (sizeof words / sizeof *words)]);
            continue;
        }
        line[n++] = ' ';
        for (unsigned raw = byte(in) % 12; raw > 0; raw--)
            line[n++] = (char)(byte(in) | 1); // never NUL
        line[n] = '\0';
    }
}

static void check(const struct cp *cp)
{
    for (const struct lan *lan = cp->network->lans; lan; lan = lan->next) {
        unsigned ports = 0;
        for (const struct port *p = lan_next_port(lan, -1); p; p = lan_next_port(lan, p->slot))
            ports++;
        if (ports != lan->ports)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct net_rig *rig;
    struct input in = {data, data + size};
    char line[400];
    if (!rig) {
        rig = net_rig_new();
        net_rig_logon(rig, "LNX00085");
        net_rig_logon(rig, "DTCVSW1");
        cp_network(rig->cp);
    }
    while (in.at < in.end) {
        const char *user = byte(&in) & 1 ? "OPERATOR" : "LNX00085";
        make_line(&in, line, sizeof line);
        net_rig_command(rig, user, line);
        check(rig->cp);
    }
    return 0;
}
