// SPDX-License-Identifier: MIT
// Operands of the network commands: keywords in any order, by table.
#include "cp/commands/network.h"

#include <string.h>

#define VALUE_QUEUE_MAX 256u

static const struct operand *find(const struct operand *table, unsigned count, const char *word)
{
    for (unsigned i = 0; i < count; i++)
        if (text_abbreviates(word, table[i].name, table[i].min))
            return &table[i];
    return NULL;
}

int operand_take(struct command_call *call, const struct operand *table, unsigned count, void *into)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    const struct operand *row = find(table, count, word);
    return row ? row->take(call, into, row->value) : call_error(call, MESSAGE_invalid_option, word);
}

int operands_take(struct command_call *call, const struct operand *table, unsigned count,
                  void *into)
{
    int rc = 0;
    while (rc == 0 && call_peek(call))
        rc = operand_take(call, table, count, into);
    return rc;
}

int operands_take_some(struct command_call *call, const struct operand *table, unsigned count,
                       void *into)
{
    int rc = 0;
    while (rc == 0 && call_peek(call) && find(table, count, call_peek(call)))
        rc = operand_take(call, table, count, into);
    return rc;
}

// The next word as a value, or NULL after message 026.
static const char *take_value(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        call_error(call, MESSAGE_operand_missing);
    return word;
}

int take_switch(struct command_call *call, bool *on)
{
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    if (strcmp(word, "ON") != 0 && strcmp(word, "OFF") != 0)
        return call_error(call, MESSAGE_invalid_operand, word);
    *on = strcmp(word, "ON") == 0;
    return 0;
}

int take_tristate(struct command_call *call, enum tristate *value)
{
    bool on = false;
    if (call_keyword(call, "UNSPECIFIED", 6)) {
        *value = UNSPECIFIED;
        return 0;
    }
    int rc = take_switch(call, &on);
    if (rc == 0)
        *value = on ? SWITCHED_ON : SWITCHED_OFF;
    return rc;
}

int take_between(struct command_call *call, unsigned min, unsigned max, unsigned *value)
{
    uint64_t number;
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    if (!text_to_u64(word, 10, max, &number) || number < min)
        return call_error(call, MESSAGE_invalid_operand, word);
    *value = (unsigned)number;
    return 0;
}

int take_name(struct command_call *call, char name[NETWORK_NAME_SIZE])
{
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    return parse_userid(word, name) ? 0 : call_error(call, MESSAGE_invalid_operand, word);
}

int take_user(struct command_call *call, char userid[USERID_SIZE])
{
    const char *word = call_take(call);
    if (word && strcmp(word, "*") == 0 && call->vm)
        word = call->vm->userid;
    return parse_userid(word, userid) ? 0 : call_error(call, MESSAGE_userid_missing);
}

int revoke_access(struct command_call *call, struct lan *lan, const char *kind)
{
    char userid[USERID_SIZE];
    int rc = take_user(call, userid);
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    struct access_entry *entry = access_grant_of(lan, userid);
    if (!entry)
        return call_error(call, MESSAGE_access_not_found, userid, kind, lan->owner, lan->name);
    access_remove(lan, entry);
    return 0;
}

int take_device(struct command_call *call, uint16_t *vdev)
{
    return parse_vdev(call_take(call), vdev) ? 0 : call_error(call, MESSAGE_vdev_missing);
}

int take_port_type(struct command_call *call, enum port_type *type)
{
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    if (strcmp(word, "ACCESS") != 0 && strcmp(word, "TRUNK") != 0)
        return call_error(call, MESSAGE_invalid_operand, word);
    *type = strcmp(word, "TRUNK") == 0 ? PORT_TRUNK : PORT_ACCESS;
    return 0;
}

int take_vlans(struct command_call *call, struct vlan_set *vlans)
{
    memset(vlans, 0, sizeof *vlans);
    if (call_keyword(call, "ANY", 3)) {
        vlan_add_all(vlans);
        return 0;
    }
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    if (!vlan_parse(vlans, word))
        return call_error(call, MESSAGE_invalid_operand, word);
    while (call_peek(call) && vlan_parse(vlans, call_peek(call)))
        call_take(call);
    return 0;
}

// --- GRANT and PORTNUMBER ---------------------------------------------------

static int option_type(struct command_call *call, void *into, int value)
{
    struct port_options *options = into;
    (void)value;
    options->has_type = true;
    return take_port_type(call, &options->type);
}

static int option_promiscuous(struct command_call *call, void *into, int on)
{
    struct port_options *options = into;
    (void)call;
    options->has_promiscuous = true;
    options->promiscuous = on;
    return 0;
}

static int option_priority(struct command_call *call, void *into, int value)
{
    static const char *const names[] = {"NORMAL", "LOW", "HIGH"};
    struct port_options *options = into;
    (void)value;
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(word, names[i]) == 0) {
            options->has_priority = true;
            options->priority = (enum uplink_priority)i;
            return 0;
        }
    return call_error(call, MESSAGE_invalid_operand, word);
}

static int option_vlan(struct command_call *call, void *into, int value)
{
    struct port_options *options = into;
    (void)value;
    options->has_vlans = true;
    return take_vlans(call, &options->vlans);
}

int take_port_options(struct command_call *call, const struct lan *lan,
                      struct port_options *options)
{
    static const struct operand table[] = {
        {"PORTTYPE", 5, option_type},
        {"PROMISCUOUS", 4, option_promiscuous, true},
        {"NOPROMISCUOUS", 6, option_promiscuous, false},
        {"PQUPLINKTX", 10, option_priority},
        {"VLAN", 4, option_vlan},
    };
    int rc = operands_take(call, OPERANDS(table), options);
    if (rc != 0)
        return rc;
    if (options->has_vlans && !lan->policy.vlan_aware)
        return call_error(call, MESSAGE_vlan_unaware, lan->owner, lan->name);
    enum port_type type = options->has_type ? options->type : lan->policy.port_type;
    if (type == PORT_ACCESS && vlan_count(&options->vlans) > 1)
        return call_error(call, MESSAGE_conflicting_option, "VLAN"); // one VLAN, or a trunk
    return 0;
}

// --- switches ---------------------------------------------------------------

bool parse_uplink_device(const char *word, struct uplink_device *device)
{
    char number[5];
    uint64_t value;
    const char *dot = strchr(word, '.');
    size_t n = dot ? (size_t)(dot - word) : strlen(word);
    memset(device, 0, sizeof *device);
    if (n == 0 || n > 4)
        return false;
    memcpy(number, word, n);
    number[n] = '\0';
    if (!parse_vdev(number, &device->rdev))
        return false;
    if (!dot)
        return true;
    if (dot[1] == 'P' && text_to_u64(dot + 2, 10, 15, &value)) {
        device->osa_port = (unsigned)value;
        return true;
    }
    return parse_userid(dot + 1, device->port_name);
}

int take_rdevs(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    struct uplink_device device, devices[UPLINK_DEVICES] = {0};
    unsigned count = 0;
    (void)value;
    if (!call_keyword(call, "NONE", 4)) {
        if (!call_peek(call) || !parse_uplink_device(call_peek(call), &device))
            return call_error(call, MESSAGE_rdev_missing);
        while (call_peek(call) && parse_uplink_device(call_peek(call), &device)) {
            if (count == (s->bridge_last ? 1 : UPLINK_DEVICES))
                return call_error(call, MESSAGE_extra_option, call_peek(call));
            devices[count++] = device;
            call_take(call);
        }
    }
    if (s->bridge_last) {
        s->bridge.rdev = devices[0].rdev;
        s->bridge.defined = count > 0;
        return 0;
    }
    memcpy(s->uplink.device, devices, sizeof devices);
    s->uplink.devices = count;
    s->uplink.none = false;
    return 0;
}

int take_connection(struct command_call *call, void *into, int connect)
{
    struct vswitch_settings *s = into;
    (void)call;
    *(s->bridge_last ? &s->bridge.connect : &s->uplink.connect) = connect;
    return 0;
}

// "8" or "8M".
static bool parse_mebibytes(const char *word, unsigned *value)
{
    char digits[8];
    uint64_t number;
    size_t n = word ? strlen(word) : 0;
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, word, n + 1);
    if (digits[n - 1] == 'M')
        digits[n - 1] = '\0';
    if (!text_to_u64(digits, 10, VALUE_QUEUE_MAX, &number) || number == 0)
        return false;
    *value = (unsigned)number;
    return true;
}

int take_queue_storage(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    unsigned max;
    (void)value;
    const char *word = take_value(call);
    if (!word)
        return call->out->rc;
    if (!parse_mebibytes(word, &s->policy.queue_storage))
        return call_error(call, MESSAGE_invalid_operand, word);
    s->policy.queue_storage_max = 0;
    if (parse_mebibytes(call_peek(call), &max)) {
        if (max < s->policy.queue_storage)
            return call_error(call, MESSAGE_invalid_operand, call_peek(call));
        s->policy.queue_storage_max = max;
        call_take(call);
    }
    return 0;
}

int take_ip_timeout(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    return take_between(call, 1, 240, &s->policy.ip_timeout);
}

int take_router(struct command_call *call, void *into, int primary)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.primary_router = primary;
    s->said_router = true;
    return 0;
}

int take_gvrp(struct command_call *call, void *into, int on)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->policy.gvrp = on;
    return 0;
}

// Deprecated and therefore last: takes the rest of the line. Today's adapters ignore the names.
int take_port_names(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    s->policy.port_names = 0;
    do {
        if (s->policy.port_names == UPLINK_DEVICES)
            return call_error(call, MESSAGE_extra_option, call_peek(call));
        int rc = take_name(call, s->policy.port_name[s->policy.port_names]);
        if (rc != 0)
            return rc;
        s->policy.port_names++;
    } while (call_peek(call));
    return 0;
}

int take_group(struct command_call *call, void *into, int named)
{
    struct vswitch_settings *s = into;
    s->uplink.group[0] = '\0';
    return named ? take_name(call, s->uplink.group) : 0;
}

int take_priority_queuing(struct command_call *call, void *into, int value)
{
    struct vswitch_settings *s = into;
    (void)value;
    return take_switch(call, &s->uplink.priority_queuing);
}

int take_bridge_role(struct command_call *call, void *into, int primary)
{
    struct vswitch_settings *s = into;
    (void)call;
    s->bridge.primary = primary;
    return 0;
}
