// SPDX-License-Identifier: MIT
// *MONITOR, the system service by which virtual machines get monitor data (CP Programming Services,
// "Monitor System Service"). User data of CONNECT:
//
//   0  X'01' shared mode  X'00' exclusive: nobody else may be connected then
//   1  X'80' samples  X'40' events  X'20' subinterval samples as well (our bit: the real one is not
//      published; an older program leaves it zero)
//   2  not looked at (the Linux driver sends X'FF')
//   8  segment name, 8 characters
//
// A shared user beside an exclusive one, or the other way round, is severed; panels inside the
// process do not count. ACCEPT's: 0 as in CONNECT, 1 state of event recording, 2 of sample
// recording (0 inactive, 1 pending, 2 active, 3 suspended), 3 echo of byte 1. Messages are two-way
// with data in the parameter list: first and last byte of the control area. The reply, whatever it
// says, frees the set. On a path that its user has quiesced, and beyond its message limit, nothing
// is sent: sets wait, in order, and count as not answered.
#ifndef ENDICOTT_MONITOR_STAR_MONITOR_H
#define ENDICOTT_MONITOR_STAR_MONITOR_H

#define CONNECT_EXCLUSIVE   0x00u
#define CONNECT_SHARED      0x01u
#define CONNECT_SAMPLE      0x80u
#define CONNECT_EVENT       0x40u
#define CONNECT_SUBINTERVAL 0x20u
#define CONNECT_SEGMENT     8 // where its name is

// Byte 0 of the user data of a SEVER. X'2C' is published, the others are ours.
enum sever_code {
    SEVER_BAD_REQUEST = 0x04,   // neither mode, or neither kind of data
    SEVER_NO_SEGMENT = 0x08,    // not defined, not saved, or not of type SC
    SEVER_OTHER_SEGMENT = 0x0C, // another one is in use
    SEVER_NO_REPLY = 0x10,      // sets were not answered
    SEVER_CONFIG_LIMIT = 0x14,  // configuration records were not answered in time
    SEVER_SHUTDOWN = 0x18,
    SEVER_EXCLUSIVE = 0x1C,   // somebody has *MONITOR alone, or exclusive mode beside somebody
    SEVER_CONFIG_SIZE = 0x2C, // configuration area does not fit the segment
};

struct monitor;
void star_monitor_start(struct monitor *monitor);
void star_monitor_stop(struct monitor *monitor);

#endif
