// SPDX-License-Identifier: MIT
// A system without a screen: its time, and whoever comes to its local socket.
#ifndef ENDICOTT_CLI_SERVER_H
#define ENDICOTT_CLI_SERVER_H

#include <stdbool.h>

#include "cli/runtime.h"
#include "endicott.h"

struct server;

// Takes the name (its lock is held until server_close) and listens at its socket; a socket that a
// dead system left behind goes. NULL after an error on standard error: the name is in use.
struct server *server_open(const struct runtime *runtime);
// Runs until the system is down, SIGTERM, SIGINT or a client's request; clients are told, and stay
// connected until server_close().
void server_run(struct server *server, struct endicott *sys);
void server_close(struct server *server);

#endif
