// SPDX-License-Identifier: MIT
// The list of the network command families.
#include "cp/commands/network.h"

void network_commands_register(void)
{
    static struct command_table *const families[] = {
        &network_couple_commands,         &network_define_vswitch_commands,
        &network_detach_vswitch_commands, &network_set_vswitch_commands,
        &network_query_vswitch_commands,  &network_define_lan_commands,
        &network_set_lan_commands,        &network_detach_lan_commands,
        &network_query_lan_commands,      &network_define_nic_commands,
        &network_set_nic_commands,        &network_detach_nic_commands,
        &network_query_nic_commands,      &network_set_vmlan_commands,
        &network_query_vmlan_commands,    &network_modify_commands,
        &network_vmlan_commands,
    };
    for (unsigned i = 0; i < sizeof families / sizeof *families; i++)
        command_register(families[i]);
}
