// SPDX-License-Identifier: MIT
// What CP does for virtual switches beyond forwarding: uplink devices, controllers, their status
// messages, and the end of LANs that nobody uses. Under the system lock.
#ifndef ENDICOTT_CP_VSWITCH_H
#define ENDICOTT_CP_VSWITCH_H

#include "cp/cp.h"
#include "network/network.h"

// Works out the uplink's state anew from its settings, the real devices and the controllers logged
// on, takes or gives back devices, and reports a change to the operator and to `issuer` (NULL:
// none).
//
// Until uplinks to the host exist an OSA port has no cable: what leaves by it is counted and lost.
void vswitch_update(struct cp *cp, struct lan *lan, struct vm *issuer);
// Gives its devices back, before the switch is removed.
void vswitch_release(struct cp *cp, struct lan *lan);
// Follows LOGON, LOGOFF and VARY for all switches of the system; the result is unwatch's.
struct vswitch_watch *vswitch_watch(struct cp *cp);
void vswitch_unwatch(struct vswitch_watch *watch);
// A logged-on user that can manage uplinks: DTCVSW1 to DTCVSW4, or named by a CONTROLLER operand.
bool vswitch_is_controller(const struct cp *cp, const char *userid);
// "Ready", "Defined", ...
const char *uplink_state_name(enum uplink_state state);
// A transient LAN goes with its last adapter when its owner is not logged on. The LAN may be freed.
void vswitch_lan_unused(struct cp *cp, struct lan *lan);

#endif
