// SPDX-License-Identifier: MIT
// QUERY VMLAN and SET VMLAN: what holds for all networks of the system.
#include <string.h>

#include "cp/commands/network.h"

struct limit_text {
    char s[12];
};

static struct limit_text show_limit(unsigned limit)
{
    struct limit_text text = {"INFINITE"};
    if (limit != UINT32_MAX)
        snprintf(text.s, sizeof text.s, "%u", limit);
    return text;
}

static int query_vmlan(struct command_call *call)
{
    const struct network *n = cp_network(call->cp);
    int rc = call_end(call);
    if (rc != 0)
        return rc;
    call_line(call, "VMLAN maintenance level:");
    call_line(call, "  Latest Service: Base");
    call_line(call, "VMLAN MAC address assignment:");
    call_line(call, "  System MAC Protection: %s", show_on_off(n->mac_protection));
    call_line(call, "  MACADDR Prefix: %06X USER Prefix: %06X", n->mac_prefix, n->user_prefix);
    call_line(call, "  MACIDRANGE SYSTEM: %06X-%06X", n->system_low, n->system_high);
    call_line(call, "             USER:   %06X-%06X", n->user_low, n->user_high);
    call_line(call, "VMLAN default accounting status:");
    call_line(call, "  SYSTEM Accounting: %-9s USER Accounting: %s", show_on_off(n->account_system),
              show_on_off(n->account_user));
    call_line(call, "VMLAN general activity:");
    call_line(call, "  PERSISTENT Limit: %-10s Current: %u", show_limit(n->persistent_limit).s,
              network_count(n, true));
    call_line(call, "  TRANSIENT  Limit: %-10s Current: %u", show_limit(n->transient_limit).s,
              network_count(n, false));
    call_line(call, "Trace Pages: %u", n->trace_pages);
    call_line(call, "VMLAN Directory Network Authorization: %s",
              n->directory_authorisation ? "ENABLED" : "DISABLED");
    call_line(call, "IVL Domain: None");
    return 0;
}

// --- SET --------------------------------------------------------------------

// Operand functions get a copy of struct network, so that a refused command changes nothing.

static int set_accounting(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    (void)value;
    bool *flag;
    if (call_keyword(call, "SYSTEM", 6))
        flag = &n->account_system;
    else if (call_keyword(call, "USER", 4))
        flag = &n->account_user;
    else
        return call_error(call, MESSAGE_operand_missing);
    return take_switch(call, flag);
}

static int set_limit(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    unsigned *limit;
    (void)value;
    if (call_keyword(call, "PERSISTENT", 3))
        limit = &n->persistent_limit;
    else if (call_keyword(call, "TRANSIENT", 4))
        limit = &n->transient_limit;
    else
        return call_error(call, MESSAGE_operand_missing);
    if (!call_keyword(call, "INFINITE", 3))
        return take_between(call, 0, 65535, limit);
    *limit = UINT32_MAX;
    return 0;
}

static int set_mac_protect(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    (void)value;
    return take_switch(call, &n->mac_protection);
}

static int set_dna(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    (void)value;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strcmp(word, "ENABLED") != 0 && strcmp(word, "DISABLED") != 0)
        return call_error(call, MESSAGE_invalid_operand, word);
    n->directory_authorisation = strcmp(word, "ENABLED") == 0;
    return 0;
}

static int set_trace(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    (void)value;
    return take_between(call, 1, 256, &n->trace_pages);
}

// Three bytes of hexadecimal digits; the address must be a locally administered unicast one.
static int set_prefix(struct command_call *call, void *into, int user)
{
    struct network *n = into;
    uint64_t prefix;
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strlen(word) != 6 || !text_to_u64(word, 16, 0xFFFFFF, &prefix) || (prefix >> 16 & 3) != 2)
        return call_error(call, MESSAGE_invalid_operand, word);
    *(user ? &n->user_prefix : &n->mac_prefix) = (uint32_t)prefix;
    return 0;
}

static bool parse_range(const char *word, uint32_t *low, uint32_t *high)
{
    char first[7];
    uint64_t a, b;
    if (!word || strlen(word) != 13 || word[6] != '-')
        return false;
    memcpy(first, word, 6);
    first[6] = '\0';
    if (!text_to_u64(first, 16, 0xFFFFFF, &a) || !text_to_u64(word + 7, 16, 0xFFFFFF, &b) || a > b)
        return false;
    *low = (uint32_t)a;
    *high = (uint32_t)b;
    return true;
}

static int set_range(struct command_call *call, void *into, int value)
{
    struct network *n = into;
    uint32_t low, high;
    (void)value;
    if (!call_keyword(call, "SYSTEM", 6))
        return call_error(call, MESSAGE_operand_missing);
    const char *word = call_take(call);
    if (!parse_range(word, &low, &high) || low == 0)
        return call_error(call, MESSAGE_invalid_operand, word ? word : "SYSTEM");
    n->system_low = low;
    n->system_high = high;
    n->user_low = n->user_high = 0;
    if (!call_keyword(call, "USER", 4))
        return 0;
    word = call_take(call);
    if (!parse_range(word, &n->user_low, &n->user_high) || n->user_low < low || n->user_high > high)
        return call_error(call, MESSAGE_invalid_operand, word ? word : "USER");
    return 0;
}

static int set_vmlan(struct command_call *call)
{
    // clang-format off
    static const struct operand table[] = {
        {"ACCOUNTING", 7, set_accounting},
        {"ACNT",       4, set_accounting},
        {"LIMIT",      5, set_limit},
        {"MACPROTECT", 7, set_mac_protect},
        {"DNA",        3, set_dna},
        {"TRACESIZE",  5, set_trace},
        {"MACPREFIX",  6, set_prefix, false},
        {"USERPREFIX", 6, set_prefix, true},
        {"MACIDRANGE", 5, set_range},
    };
    // clang-format on
    struct network *network = cp_network(call->cp);
    struct network changed = *network;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    int rc = operands_take(call, OPERANDS(table), &changed);
    if (rc != 0)
        return rc;
    *network = changed;
    for (struct lan *lan = network->lans; lan; lan = lan->next)
        lan_refresh(lan);
    return call_complete(call);
}

// clang-format off
static const struct command set_rows[] = {
    {"VMLAN", 5, CLASS('B'), false, set_vmlan,
     "{ACCOUNTING {SYSTEM | USER} {ON | OFF} | LIMIT {PERSISTENT | TRANSIENT} {INFINITE | n}\n"
     "| MACPROTECT {ON | OFF} | DNA {ENABLED | DISABLED} | TRACESIZE pages\n"
     "| MACPREFIX xxxxxx | USERPREFIX xxxxxx | MACIDRANGE SYSTEM low-high [USER low-high]} ...",
     "Changes what holds for all networks: limits, defaults, MAC address assignment, and whether "
     "NICDEF statements authorise (DNA). Prefixes and ranges hold for addresses assigned later."},
};
static const struct command query_rows[] = {
    {"VMLAN", 5, CLASS_ANY, false, query_vmlan, "",
     "Shows what holds for all networks of the system: MAC address assignment, limits, defaults."},
};
// clang-format on
COMMAND_TABLE(network_set_vmlan_commands, "SET", set_rows);
COMMAND_TABLE(network_query_vmlan_commands, "QUERY", query_rows);

static const struct command config_rows[] = {
    {"VMLAN", 5, CLASS('B'), false, set_vmlan, "operand ...",
     "The SYSTEM CONFIG statement's spelling of SET VMLAN; HELP SET VMLAN tells the operands."},
};
COMMAND_TABLE(network_vmlan_commands, NULL, config_rows);
