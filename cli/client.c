// SPDX-License-Identifier: MIT
#include "cli/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/runtime.h"

// A system that does not greet within this time is not answering.
enum { GREETING_SECONDS = 10 };

bool client_send(struct client *client, bool block)
{
    while (client->out.len) {
        ssize_t n = send(client->fd, client->out.s, client->out.len,
                         MSG_NOSIGNAL | (block ? 0 : MSG_DONTWAIT));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN;
        client->out.len -= (size_t)n;
        memmove(client->out.s, client->out.s + n, client->out.len);
    }
    return true;
}

bool client_receive(struct client *client, bool block)
{
    char bytes[16384];
    ssize_t n;
    do {
        n = recv(client->fd, bytes, sizeof bytes, block ? 0 : MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR && block);
    if (n > 0)
        frame_reader_add(&client->reader, bytes, (size_t)n);
    return n > 0 || (n < 0 && !block && (errno == EAGAIN || errno == EINTR));
}

bool client_next(struct client *client, struct frame *frame)
{
    while (!frame_next(&client->reader, frame))
        if (client->reader.broken || !client_receive(client, true))
            return false;
    return true;
}

static void set_patience(int fd, time_t seconds)
{
    struct timeval time = {.tv_sec = seconds};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

static void say_why(const struct frame *frame)
{
    char why[200];
    frame_goodbye(frame, why, sizeof why);
    cli_failed("%s", why);
}

static bool greet(struct client *client, const char *name)
{
    struct frame frame;
    set_patience(client->fd, GREETING_SECONDS);
    frame_put_hello(&client->out, "");
    if (!client_send(client, true) || !client_next(client, &frame))
        cli_failed("system '%s' does not answer", name);
    else if (frame.type == FRAME_GOODBYE)
        say_why(&frame);
    else if (!frame_is_hello(&frame))
        cli_failed("system '%s' speaks another version of the protocol", name);
    else {
        set_patience(client->fd, 0);
        return true;
    }
    return false;
}

bool client_open(struct client *client, const char *name)
{
    struct runtime runtime;
    *client = (struct client){.fd = -1};
    if (!runtime_find(&runtime, name))
        return false;
    const struct sockaddr_un *address = &runtime.address;
    client->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client->fd < 0 ||
        connect(client->fd, (const struct sockaddr *)address, sizeof *address) < 0) {
        if (errno == ENOENT || errno == ECONNREFUSED)
            cli_failed("no system named '%s' is running (endicott start)", name);
        else
            cli_failed("%s: %s", address->sun_path, strerror(errno));
    } else if (greet(client, name)) {
        return true;
    }
    client_close(client);
    return false;
}

void client_close(struct client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    frame_reader_free(&client->reader);
    text_free(&client->out);
    client->fd = -1;
}
