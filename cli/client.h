// SPDX-License-Identifier: MIT
// A client's end of a running system's local socket.
#ifndef ENDICOTT_CLI_CLIENT_H
#define ENDICOTT_CLI_CLIENT_H

#include <stdbool.h>

#include "cli/protocol.h"

struct client {
    int fd;
    struct frame_reader reader;
    struct text out; // what is not sent yet
};

// Connects to system `name` and exchanges greetings. False after an error on standard error.
bool client_open(struct client *client, const char *name);
void client_close(struct client *client);
// Sends `out`, as far as the other side takes it now with `block` off. False when it hung up.
bool client_send(struct client *client, bool block);
// Takes what has come, for frame_next(); waits for it when `block` is on. False when the other side
// hung up.
bool client_receive(struct client *client, bool block);
// Waits for the next frame; false when the other side hung up.
bool client_next(struct client *client, struct frame *frame);

#endif
