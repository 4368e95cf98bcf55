// SPDX-License-Identifier: MIT
// One connection to a running system, without its socket: takes the client's bytes, works on the
// system, gathers the bytes for the client. A display that a client opens is one more display of
// CP's full screen; when the connection ends, its user is disconnected as by a line that dropped.
#ifndef ENDICOTT_CLI_SESSION_H
#define ENDICOTT_CLI_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "endicott.h"

struct session;

struct session_options {
    struct endicott *sys; // outlives the session
    const char *name;     // of the running system
    unsigned number;      // unique while the session lasts; names its terminal
    // Called from any thread when session_work() has something to do; must not block.
    void (*wake)(void *arg);
    void *arg;
};

struct session *session_new(const struct session_options *options);
void session_free(struct session *session);
void session_bytes(struct session *session, const void *bytes, size_t n); // from the client
void session_work(struct session *session);                               // after a wake
// Bytes for the client: whoever sends them takes them off with session_sent().
const struct text *session_output(const struct session *session);
void session_sent(struct session *session, size_t n);
// Nothing more is taken from the client: hang up when the output is sent.
bool session_over(const struct session *session);
// The client asked for the system's end.
bool session_shutdown(const struct session *session);
// Hangs up on the client, for `why`; `code` is the exit code of its program.
void session_goodbye(struct session *session, int code, const char *why);

#endif
