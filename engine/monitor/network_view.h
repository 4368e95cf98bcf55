// SPDX-License-Identifier: MIT
// What records say of switches and NICs, copied out of the network layer.
#ifndef ENDICOTT_MONITOR_NETWORK_VIEW_H
#define ENDICOTT_MONITOR_NETWORK_VIEW_H

#include "monitor/record_encode.h"

struct network;

// Calls fn for each virtual switch, in order of definition.
void network_view_switches(const struct network *network,
                           void (*fn)(void *arg, const struct network_view *view), void *arg);
// For each NIC that is coupled, switch by switch, by port.
void network_view_nics(const struct network *network,
                       void (*fn)(void *arg, const struct network_view *view), void *arg);

struct port;
// One of them.
struct network_view network_view_port(const struct port *port);

#endif
