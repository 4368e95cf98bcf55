// SPDX-License-Identifier: MIT
// CP's messages: one row each in the messages_*.def files, by family:
//
//   MESSAGE(id, module, number, severity, text)
//
// `id` names it in the code (MESSAGE_id), `text` is a printf format of %s, %u, %04X insertions. A
// message shows as HCP<module><number, at least three digits><severity> <text>; a command that
// gives it returns its number.
#ifndef ENDICOTT_CP_MESSAGES_H
#define ENDICOTT_CP_MESSAGES_H

#include <stdarg.h>

struct text;
struct response;

enum message {
#define MESSAGE(id, module, number, severity, text) MESSAGE_##id,
#include "cp/messages_general.def"
#include "cp/messages_session.def"
#include "cp/messages_machine.def"
#include "cp/messages_network.def"
#include "cp/messages_monitor.def"
#undef MESSAGE
    MESSAGE_COUNT
};

struct message_row {
    const char *name, *module;
    unsigned number;
    char severity;
    const char *text;
};

extern const struct message_row message_rows[MESSAGE_COUNT];

// Sends the message to `out` under its EMSG setting, records its id and rc there, and returns its
// number (error messages) or 0 (severities I, R and A).
int message_send(struct response *out, enum message id, ...);
int message_vsend(struct response *out, enum message id, va_list ap);
// "HCPCMD001E Unknown CP command: X" into `text`.
void message_format(struct text *text, enum message id, va_list ap);

#endif
