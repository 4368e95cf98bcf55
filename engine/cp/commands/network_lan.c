// SPDX-License-Identifier: MIT
// Guest LANs: DEFINE LAN, SET LAN, DETACH LAN, QUERY LAN.
#include <string.h>

#include "cp/commands/network.h"
#include "cp/vswitch.h"

#define MAX_GRANTS 32

struct lan_definition {
    struct lan_policy policy;
    enum adapter_type type;
    char owner[NETWORK_NAME_SIZE];
    bool said_mfs, said_transport;
    char grant[MAX_GRANTS][USERID_SIZE];
    unsigned grants;
};

static bool has_class_b(const struct command_call *call)
{
    return (call->version & CLASS('B')) != 0;
}

// The owner of a LAN that the issuer may handle: class B any, others themselves.
static int take_owner(struct command_call *call, char owner[NETWORK_NAME_SIZE])
{
    int rc = take_user(call, owner);
    if (rc == 0 && !has_class_b(call) && strcmp(owner, call->vm->userid) != 0)
        return call_error(call, MESSAGE_invalid_operand, owner);
    return rc;
}

// --- DEFINE -----------------------------------------------------------------

static int define_owner(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    return take_owner(call, d->owner);
}

static int define_maxconn(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    d->policy.max_connections = 0;
    if (call_keyword(call, "INFINITE", 3))
        return 0;
    return take_between(call, 1, 1024, &d->policy.max_connections);
}

static int define_restricted(struct command_call *call, void *into, int restricted)
{
    struct lan_definition *d = into;
    (void)call;
    d->policy.restricted = restricted;
    return 0;
}

static int define_accounting(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    if (!has_class_b(call))
        return call_error(call, MESSAGE_invalid_option, "ACCOUNTING");
    return take_switch(call, &d->policy.accounting);
}

static int define_type(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!adapter_type_parse(word, &d->type))
        return call_error(call, MESSAGE_invalid_operand, word);
    return 0;
}

static int define_mfs(struct command_call *call, void *into, int value)
{
    static const unsigned sizes[] = {16, 24, 40, 64};
    struct lan_definition *d = into;
    (void)value;
    const char *word = call_take(call);
    d->said_mfs = true;
    for (unsigned i = 0; word && i < sizeof sizes / sizeof *sizes; i++) {
        char name[8];
        snprintf(name, sizeof name, "%uK", sizes[i]);
        if (strcmp(word, name) == 0) {
            d->policy.mfs = sizes[i] * 1024;
            return 0;
        }
    }
    return word ? call_error(call, MESSAGE_invalid_operand, word)
                : call_error(call, MESSAGE_operand_missing);
}

static int define_transport(struct command_call *call, void *into, int transport)
{
    struct lan_definition *d = into;
    (void)call;
    d->policy.transport = (enum lan_transport)transport;
    d->said_transport = true;
    return 0;
}

static int define_grant(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    if (d->grants == MAX_GRANTS)
        return call_error(call, MESSAGE_extra_option, call_peek(call) ? call_peek(call) : "GRANT");
    return take_user(call, d->grant[d->grants++]);
}

static int define_ip_timeout(struct command_call *call, void *into, int value)
{
    struct lan_definition *d = into;
    (void)value;
    return take_between(call, 1, 240, &d->policy.ip_timeout);
}

// clang-format off
static const struct operand define_operands[] = {
    {"OWNERID",      5, define_owner},
    {"MAXCONN",      7, define_maxconn},
    {"UNRESTRICTED", 6, define_restricted, false},
    {"RESTRICTED",   4, define_restricted, true},
    {"ACCOUNTING",   7, define_accounting},
    {"TYPE",         4, define_type},
    {"MFS",          3, define_mfs},
    {"IP",           2, define_transport, TRANSPORT_IP},
    {"ETHERNET",     3, define_transport, TRANSPORT_ETHERNET},
    {"GRANT",        3, define_grant},
    {"IPTIMEOUT",    3, define_ip_timeout},
};
// clang-format on

static int create(struct command_call *call, const struct lan_definition *d, const char *name)
{
    struct network *network = cp_network(call->cp);
    bool persistent = strcmp(d->owner, "SYSTEM") == 0;
    struct lan *lan = network_find(network, d->owner, name);
    if (lan)
        return call_error(call, MESSAGE_lan_exists, lan_kind_name(lan), lan->owner, lan->name);
    if (network_count(network, persistent) >=
        (persistent ? network->persistent_limit : network->transient_limit))
        return call_error(call, MESSAGE_lan_limit, persistent ? "PERSISTENT" : "TRANSIENT");
    lan = network_define(network, LAN_GUEST, d->type, d->owner, name);
    lan->policy = d->policy;
    lan_limit_frames(lan, 0);
    for (unsigned i = 0; i < d->grants; i++)
        access_add(lan, d->grant[i], 0);
    lan_refresh(lan);
    call_line(call, "LAN %s %s is created", lan->owner, lan->name);
    return 0;
}

static int define_lan(struct command_call *call)
{
    const struct network *network = cp_network(call->cp);
    char name[NETWORK_NAME_SIZE];
    struct lan_definition d = {.type = ADAPTER_HIPERSOCKETS,
                               .policy = {.mfs = 16384, .ip_timeout = 5, .queue_storage = 8}};
    strcpy(d.owner, call->vm->userid);
    d.policy.accounting = network->account_user;
    int rc = take_name(call, name);
    if (rc == 0)
        rc = operands_take(call, OPERANDS(define_operands), &d);
    if (rc != 0)
        return rc;
    if (d.said_mfs && d.type != ADAPTER_HIPERSOCKETS)
        return call_error(call, MESSAGE_conflicting_option, "MFS");
    if (d.said_transport && d.type == ADAPTER_HIPERSOCKETS)
        return call_error(call, MESSAGE_conflicting_option,
                          d.policy.transport == TRANSPORT_IP ? "IP" : "ETHERNET");
    if (d.grants > 0 && !d.policy.restricted)
        return call_error(call, MESSAGE_conflicting_option, "GRANT");
    return create(call, &d, name);
}

// --- SET and DETACH ---------------------------------------------------------

// "lanname [OWNERID owner]" of an existing LAN; NULL after a message.
static struct lan *take_lan(struct command_call *call)
{
    char name[NETWORK_NAME_SIZE], owner[NETWORK_NAME_SIZE];
    strcpy(owner, call->vm->userid);
    if (take_name(call, name) != 0 ||
        (call_keyword(call, "OWNERID", 5) && take_owner(call, owner) != 0))
        return NULL;
    struct lan *lan = network_find(cp_network(call->cp), owner, name);
    if (lan && lan->kind == LAN_GUEST)
        return lan;
    call_error(call, MESSAGE_lan_not_found, "LAN", owner, name);
    return NULL;
}

struct lan_change {
    struct lan *lan;
    struct lan_policy policy;
};

static int set_grant(struct command_call *call, void *into, int value)
{
    struct lan_change *c = into;
    struct port_options options = {0};
    char userid[USERID_SIZE];
    (void)value;
    int rc = take_user(call, userid);
    if (rc == 0)
        rc = take_port_options(call, c->lan, &options);
    if (rc == 0)
        access_add(c->lan, userid, 0)->options = options;
    return rc;
}

static int set_revoke(struct command_call *call, void *into, int value)
{
    const struct lan_change *c = into;
    (void)value;
    return revoke_access(call, c->lan, "LAN");
}

static int set_flag(struct command_call *call, void *into, int isolation)
{
    struct lan_change *c = into;
    if (!isolation && !has_class_b(call))
        return call_error(call, MESSAGE_invalid_option, "ACCOUNTING");
    return take_switch(call, isolation ? &c->policy.isolation : &c->policy.accounting);
}

static int set_mac_protect(struct command_call *call, void *into, int value)
{
    struct lan_change *c = into;
    (void)value;
    return take_tristate(call, &c->policy.mac_protection);
}

static int set_lan(struct command_call *call)
{
    static const struct operand table[] = {
        {"GRANT", 3, set_grant},
        {"REVOKE", 3, set_revoke},
        {"ACCOUNTING", 7, set_flag, false},
        {"ISOLATION", 3, set_flag, true},
        {"MACPROTECT", 7, set_mac_protect},
    };
    struct lan_change c = {.lan = take_lan(call)};
    if (!c.lan)
        return call->out->rc;
    c.policy = c.lan->policy;
    int rc = operand_take(call, OPERANDS(table), &c);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    c.lan->policy = c.policy;
    lan_refresh(c.lan);
    return call_complete(call);
}

static int detach_lan(struct command_call *call)
{
    struct lan *lan = take_lan(call);
    int rc = lan ? call_end(call) : call->out->rc;
    if (rc != 0)
        return rc;
    char owner[NETWORK_NAME_SIZE], name[NETWORK_NAME_SIZE];
    strcpy(owner, lan->owner);
    strcpy(name, lan->name);
    network_remove(lan);
    call_line(call, "LAN %s %s is destroyed", owner, name);
    return 0;
}

// --- QUERY ------------------------------------------------------------------

struct lan_query {
    char owner[NETWORK_NAME_SIZE], name[NETWORK_NAME_SIZE]; // "" any
    bool active, details;
};

static int query_operands(struct command_call *call, struct lan_query *q)
{
    if (!call_keyword(call, "ALL", 3) && call_peek(call) &&
        !text_abbreviates(call_peek(call), "DETAILS", 3)) {
        if (call_keyword(call, "ACTIVE", 3)) {
            q->active = true;
        } else {
            int rc = take_name(call, q->name);
            if (rc != 0)
                return rc;
            if (call_peek(call) && !text_abbreviates(call_peek(call), "DETAILS", 3)) {
                strcpy(q->owner, q->name); // the first of two names is the owner
                if (strcmp(call->word[call->next - 1], "*") == 0)
                    strcpy(q->owner, call->vm->userid);
                if ((rc = take_name(call, q->name)) != 0)
                    return rc;
            }
        }
    }
    q->details = call_keyword(call, "DETAILS", 3);
    return call_end(call);
}

static bool wanted(const struct lan_query *q, const struct lan *lan)
{
    return (!q->name[0] || strcmp(q->name, lan->name) == 0) &&
           (!q->owner[0] || strcmp(q->owner, lan->owner) == 0) && (!q->active || lan->ports > 0);
}

static int query_lan(struct command_call *call)
{
    struct lan_query q = {.name = ""};
    unsigned found = 0;
    int rc = query_operands(call, &q);
    if (rc != 0)
        return rc;
    for (const struct lan *lan = cp_network(call->cp)->lans; lan; lan = lan->next) {
        if (!wanted(&q, lan) || !may_see(call, lan))
            continue;
        if (lan->kind == LAN_VSWITCH)
            show_vswitch(call, lan, q.details);
        else
            show_lan(call, lan, q.details);
        found++;
    }
    if (found > 0)
        return 0;
    return q.name[0] ? call_error(call, MESSAGE_lan_not_found, "LAN",
                                  q.owner[0] ? q.owner : call->vm->userid, q.name)
                     : call_error(call, MESSAGE_no_networks, "LAN");
}

// clang-format off
static const struct command define_rows[] = {
    {"LAN", 3, CLASS('B') | CLASS('G'), false, define_lan,
     "lanname [OWNERID {* | userid | SYSTEM}] [MAXCONN {INFINITE | n}] [UNRESTRICTED | RESTRICTED]\n"
     "[ACCOUNTING {ON | OFF}] [TYPE {HIPERSOCKETS [MFS {16K | 24K | 40K | 64K}] | QDIO [IP | ETHERNET]}]\n"
     "[GRANT userid] ... [IPTIMEOUT minutes]",
     "Defines a guest LAN. One that SYSTEM owns (class B) is persistent; any other is transient and "
     "goes at its owner's logoff, or with the last adapter after that. OWNERID of somebody else and "
     "ACCOUNTING need class B."},
};
static const struct command set_rows[] = {
    {"LAN", 3, CLASS('B') | CLASS('G'), false, set_lan,
     "lanname [OWNERID {* | userid | SYSTEM}]\n"
     "{GRANT userid | REVOKE userid | ACCOUNTING {ON | OFF} | ISOLATION {ON | OFF}\n"
     "| MACPROTECT {UNSPECIFIED | OFF | ON}}",
     "Changes a guest LAN: who may couple to it while it is restricted, and how its adapters are "
     "kept apart."},
};
static const struct command detach_rows[] = {
    {"LAN", 3, CLASS('B') | CLASS('G'), false, detach_lan, "lanname [OWNERID {* | userid | SYSTEM}]",
     "Destroys a guest LAN; connected adapters are disconnected and their owners told."},
};
static const struct command query_rows[] = {
    {"LAN", 3, CLASS('B') | CLASS('G'), false, query_lan,
     "[ALL | lanname | owner lanname | ACTIVE] [DETAILS]",
     "Shows guest LANs and virtual switches; ACTIVE those with connected adapters, DETAILS also the "
     "adapters. Without class B only those you own, may couple to or are connected to."},
};
// clang-format on
COMMAND_TABLE(network_define_lan_commands, "DEFINE", define_rows);
COMMAND_TABLE(network_set_lan_commands, "SET", set_rows);
COMMAND_TABLE(network_detach_lan_commands, "DETACH", detach_rows);
COMMAND_TABLE(network_query_lan_commands, "QUERY", query_rows);
