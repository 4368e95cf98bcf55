// SPDX-License-Identifier: MIT
// COUPLE and UNCOUPLE.
#include <string.h>

#include "cp/commands/network.h"
#include "cp/vdev.h"

// Only NICs can be coupled: there are no channel-to-channel adapters yet.
static struct nic *take_nic(struct command_call *call)
{
    uint16_t vdev;
    if (take_device(call, &vdev) != 0)
        return NULL;
    struct nic *nic = nic_find(call->vm, vdev);
    if (nic)
        return nic;
    if (vdev_find(call->vm, vdev))
        call_error(call, MESSAGE_invalid_device_type, call->word[call->next - 1]);
    else
        call_error(call, MESSAGE_nic_not_found, vdev);
    return NULL;
}

static int take_target(struct command_call *call, char owner[USERID_SIZE],
                       char name[NETWORK_NAME_SIZE])
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strcmp(word, "*") == 0)
        word = call->vm->userid;
    if (!parse_userid(word, owner))
        return call_error(call, MESSAGE_invalid_userid, word);
    return take_name(call, name);
}

static int couple(struct command_call *call)
{
    struct nic *nic = take_nic(call);
    char owner[USERID_SIZE], name[NETWORK_NAME_SIZE];
    if (!nic)
        return call->out->rc;
    unsigned number = nic->port_number;
    bool to = call_keyword(call, "TO", 2);
    if (!call_peek(call) && !to) {
        if (!nic->lan_name[0])
            return call_error(call, MESSAGE_couple_no_network, nic->base);
        return nic_couple(nic, nic->lan_owner, nic->lan_name, number, call->out);
    }
    int rc = take_target(call, owner, name);
    if (rc == 0 && call_keyword(call, "PORTNUMBER", 7)) {
        number = 0;
        if (!call_keyword(call, "AUTO", 4))
            rc = take_between(call, 1, LAN_PORT_NUMBERS, &number);
    }
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    return nic_couple(nic, owner, name, number, call->out);
}

static int uncouple(struct command_call *call)
{
    struct nic *nic = take_nic(call);
    char owner[USERID_SIZE], name[NETWORK_NAME_SIZE];
    if (!nic)
        return call->out->rc;
    bool from = call_keyword(call, "FROM", 4), named = from || call_peek(call);
    int rc = named ? take_target(call, owner, name) : 0;
    if (rc != 0 || (rc = call_end(call)) != 0)
        return rc;
    if (named && (!nic->port || strcmp(nic->port->lan->owner, owner) != 0 ||
                  strcmp(nic->port->lan->name, name) != 0))
        return call_error(call, MESSAGE_nic_not_coupled, nic->base);
    return nic_uncouple(nic, call->out);
}

// clang-format off
static const struct command rows[] = {
    {"COUPLE", 6, CLASS('G'), false, couple,
     "vdev [[TO] {ownerid | *} lanname | [TO] SYSTEM switchname [PORTNUMBER {AUTO | n}]]",
     "Connects a virtual NIC, named by its first device, to a guest LAN or a virtual switch of the "
     "same type. Without a network it connects to the one that the NIC's directory entry names."},
    {"UNCOUPLE", 8, CLASS('G'), false, uncouple, "vdev [[FROM] ownerid lanname]",
     "Disconnects a virtual NIC from its guest LAN or virtual switch."},
};
// clang-format on
COMMAND_TABLE(network_couple_commands, NULL, rows);
