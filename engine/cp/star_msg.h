// SPDX-License-Identifier: MIT
// *MSG, the message system service: a program that has a path to it gets what would otherwise be
// shown on its console, as far as SET ... IUCV says so, and special messages (SMSG)
// (CP Programming Services, "Message System Service").
#ifndef ENDICOTT_CP_STAR_MSG_H
#define ENDICOTT_CP_STAR_MSG_H

#include <stdbool.h>

struct cp;
struct vm;

// The target class of an IUCV message tells what it is.
enum message_class {
    MESSAGE_CLASS_MSG = 1,
    MESSAGE_CLASS_WNG = 2,
    MESSAGE_CLASS_CPCONIO = 3,
    MESSAGE_CLASS_SMSG = 4,
    MESSAGE_CLASS_VMCONIO = 5,
};

// Registers the service.
void star_msg_init(struct cp *cp);
// Sends `utf8` as a message of 8 bytes sender and the text (EBCDIC 037, at most 256 bytes of it) to
// the program of `vm`. False: it has no path to *MSG, or as many messages outstanding as the path
// allows.
bool star_msg_send(struct vm *vm, enum message_class kind, const char *sender, const char *utf8);

#endif
