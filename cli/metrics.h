// SPDX-License-Identifier: MIT
// http://127.0.0.1:PORT/metrics of a running system.
#ifndef ENDICOTT_CLI_METRICS_H
#define ENDICOTT_CLI_METRICS_H

#include "endicott.h"

struct metrics_server;

// Becomes a monitor user and answers on the loopback interface; port 0 takes a free one. Starts
// sampling, of all domains, unless it is on already. NULL after an error on standard error.
struct metrics_server *metrics_open(struct endicott *sys, unsigned port);
unsigned metrics_port(const struct metrics_server *server);
void metrics_close(struct metrics_server *server); // NULL allowed

#endif
