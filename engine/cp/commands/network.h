// SPDX-License-Identifier: MIT
// What the network command families share: operands in any order from a table, the operands of
// switches, and how things are shown.
#ifndef ENDICOTT_CP_COMMANDS_NETWORK_H
#define ENDICOTT_CP_COMMANDS_NETWORK_H

#include "cp/command.h"
#include "cp/commands/table.h"
#include "cp/nic.h"
#include "network/network.h"

// Registers all families below; idempotent.
void network_commands_register(void);

extern struct command_table network_couple_commands;         // network_couple.c
extern struct command_table network_define_vswitch_commands; // network_vswitch.c
extern struct command_table network_detach_vswitch_commands;
extern struct command_table network_set_vswitch_commands;   // network_set_vswitch.c
extern struct command_table network_query_vswitch_commands; // network_query_vswitch.c
extern struct command_table network_define_lan_commands;    // network_lan.c
extern struct command_table network_set_lan_commands;
extern struct command_table network_detach_lan_commands;
extern struct command_table network_query_lan_commands;
extern struct command_table network_define_nic_commands; // network_nic.c
extern struct command_table network_set_nic_commands;
extern struct command_table network_detach_nic_commands;
extern struct command_table network_query_nic_commands;
extern struct command_table network_set_vmlan_commands; // network_vmlan.c
extern struct command_table network_query_vmlan_commands;
// The spellings of SYSTEM CONFIG statements, which are executed as commands.
extern struct command_table network_modify_commands; // network_set_vswitch.c
extern struct command_table network_vmlan_commands;  // network_vmlan.c

// --- operands (network_operands.c) ------------------------------------------

// A keyword of a command and what takes its values into `into`; `value` tells rows with one
// function apart. Return value: 0, or the number of the message given.
struct operand {
    const char *name;
    unsigned min;
    int (*take)(struct command_call *call, void *into, int value);
    int value;
};

// Takes operands until the line ends; message 003 for a word that the table does not have.
int operands_take(struct command_call *call, const struct operand *table, unsigned count,
                  void *into);
// Takes one operand by the table; message 026 when there is none.
int operand_take(struct command_call *call, const struct operand *table, unsigned count,
                 void *into);
// Takes operands as long as the next word is in the table.
int operands_take_some(struct command_call *call, const struct operand *table, unsigned count,
                       void *into);
#define OPERANDS(table) table, sizeof(table) / sizeof *(table)

// These take one value; message 026 when it is missing, 002 when it is wrong.
int take_switch(struct command_call *call, bool *on);          // ON, OFF
int take_tristate(struct command_call *call, enum tristate *); // ON, OFF, UNSPECIFIED
int take_between(struct command_call *call, unsigned min, unsigned max, unsigned *value);
int take_name(struct command_call *call, char name[NETWORK_NAME_SIZE]); // 1-8 characters
int take_user(struct command_call *call, char userid[USERID_SIZE]);     // message 020; * allowed
// REVoke userid, the last operand: takes the user's grant away. `kind` is "LAN" or "VSWITCH".
int revoke_access(struct command_call *call, struct lan *lan, const char *kind);
int take_device(struct command_call *call, uint16_t *vdev);             // message 022
int take_port_type(struct command_call *call, enum port_type *type);
// Ids and ranges, or ANY; at least one.
int take_vlans(struct command_call *call, struct vlan_set *vlans);

// Options of GRANT and PORTNUMBER up to the end of the line, laid over `options`; checked against
// the LAN's policy.
int take_port_options(struct command_call *call, const struct lan *lan,
                      struct port_options *options);

// What DEFINE VSWITCH and SET VSWITCH change, in a copy that only a valid command gives back.
struct vswitch_settings {
    struct lan_policy policy;
    struct uplink uplink;
    struct bridge_port bridge;
    struct inter_vswitch_link ivl;
    bool bridge_last; // RDEV, CONNECT and DISCONNECT belong to BRIDGEPORT now
    bool said_ip, said_ethernet, said_router, said_vlan, said_vlan_option, said_port_based;
};
// The switch being set and the copy of its settings.
struct vswitch_change {
    struct vswitch_settings s; // first: shared operand functions take a pointer to it
    struct lan *lan;
};
// Operand functions over struct vswitch_change (network_set_uplink.c).
int vswitch_set_uplink(struct command_call *call, void *change, int value);
int vswitch_set_uplink_word(struct command_call *call, void *change, int value);
int vswitch_set_bridge(struct command_call *call, void *change, int value);
int vswitch_set_ivl(struct command_call *call, void *change, int value);
int vswitch_set_controller(struct command_call *call, void *change, int value);

// Functions of operand tables over struct vswitch_settings.
int take_rdevs(struct command_call *call, void *settings, int value);
int take_connection(struct command_call *call, void *settings, int connect);
int take_queue_storage(struct command_call *call, void *settings, int value);
int take_ip_timeout(struct command_call *call, void *settings, int value);
int take_router(struct command_call *call, void *settings, int primary);
int take_gvrp(struct command_call *call, void *settings, int on);
int take_port_names(struct command_call *call, void *settings, int value);
int take_group(struct command_call *call, void *settings, int named);
int take_priority_queuing(struct command_call *call, void *settings, int value);
int take_bridge_role(struct command_call *call, void *settings, int primary);
// "A00", "A00.P1", "A00.PORTNAME"; false when it is no such thing.
bool parse_uplink_device(const char *word, struct uplink_device *device);

// QUERY NIC from its first operand on; QUERY VIRTUAL NIC is the same.
int network_query_nic(struct command_call *call);

// --- showing (network_show.c) -----------------------------------------------

struct mac_text {
    char s[18]; // "02-00-00-00-00-0A"
};
struct mac_text show_mac(const uint8_t mac[MAC_SIZE]);
const char *show_on_off(bool on);
const char *show_tristate(enum tristate value); // ON, OFF, Unspecified
const char *show_port_type(enum port_type type);
// The first two lines of a LAN or VSWITCH.
void show_lan_head(struct command_call *call, const struct lan *lan);
void show_lan(struct command_call *call, const struct lan *lan, bool details);
void show_vswitch(struct command_call *call, const struct lan *lan, bool details);
// Its adapters, for DETAILS.
void show_connections(struct command_call *call, const struct lan *lan);
// RX and TX lines, indented.
void show_counters(struct command_call *call, const struct port *port, unsigned indent);
// "VLAN: 0010   Assigned by user" of a port on a VLAN aware switch.
void show_port_vlans(struct command_call *call, const struct port *port, unsigned indent);
// May the issuer see it? Class B all; others what they own, may use or are connected to.
bool may_see(const struct command_call *call, const struct lan *lan);

#endif
