// SPDX-License-Identifier: MIT
// Lines to files and sockets.
#include "cli/outlet.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/cli.h"

// HOST:PORT or [HOST]:PORT, in place.
static bool split(char *s, char **host, char **port)
{
    char *colon = strrchr(s, ':');
    if (!colon || colon == s || !colon[1])
        return false;
    *colon = '\0';
    *host = s;
    *port = colon + 1;
    size_t n = strlen(s);
    if (s[0] == '[' && s[n - 1] == ']') {
        s[n - 1] = '\0';
        *host = s + 1;
    }
    return true;
}

static bool connect_to(struct outlet *outlet, const char *where)
{
    char address[256], *host, *port;
    struct addrinfo hints = {.ai_socktype = outlet->datagrams ? SOCK_DGRAM : SOCK_STREAM}, *found;
    snprintf(address, sizeof address, "%s", where + 6);
    if (!split(address, &host, &port)) {
        cli_failed("%s: HOST:PORT is wanted", where);
        return false;
    }
    int rc = getaddrinfo(host, port, &hints, &found);
    if (rc != 0) {
        cli_failed("%s: %s", where, gai_strerror(rc));
        return false;
    }
    int failed = 0;
    for (struct addrinfo *a = found; a && outlet->socket < 0; a = a->ai_next) {
        outlet->socket = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (outlet->socket >= 0 && connect(outlet->socket, a->ai_addr, a->ai_addrlen) == 0)
            break;
        failed = errno;
        if (outlet->socket >= 0)
            close(outlet->socket);
        outlet->socket = -1;
    }
    freeaddrinfo(found);
    if (outlet->socket < 0)
        cli_failed("%s: %s", where, strerror(failed));
    return outlet->socket >= 0;
}

bool outlet_open(struct outlet *outlet, const char *where)
{
    outlet->file = NULL;
    outlet->socket = -1;
    outlet->filled = 0;
    outlet->datagrams = where && strncmp(where, "udp://", 6) == 0;
    if (outlet->datagrams || (where && strncmp(where, "tcp://", 6) == 0))
        return connect_to(outlet, where);
    outlet->file = where && strcmp(where, "-") != 0 ? fopen(where, "w") : stdout;
    if (!outlet->file)
        cli_failed("%s: %s", where, strerror(errno));
    return outlet->file != NULL;
}

static bool send_all(int fd, const char *s, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(fd, s, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        s += sent;
        n -= (size_t)sent;
    }
    return true;
}

// Nobody listening to a datagram is told with the next one.
static bool send_batch(struct outlet *outlet)
{
    bool good = outlet->filled == 0 || send_all(outlet->socket, outlet->batch, outlet->filled);
    outlet->filled = 0;
    return good;
}

static bool add_datagram(struct outlet *outlet, const char *lines, size_t n)
{
    if (outlet->filled + n > sizeof outlet->batch && !send_batch(outlet))
        return false;
    if (n > sizeof outlet->batch) // a long line goes alone
        return send_all(outlet->socket, lines, n);
    memcpy(outlet->batch + outlet->filled, lines, n);
    outlet->filled += n;
    return true;
}

bool outlet_write(void *arg, const char *lines, size_t n)
{
    struct outlet *outlet = arg;
    if (outlet->file)
        return fwrite(lines, 1, n, outlet->file) == n;
    return outlet->datagrams ? add_datagram(outlet, lines, n) : send_all(outlet->socket, lines, n);
}

bool outlet_close(struct outlet *outlet)
{
    bool good = true;
    errno = 0;
    if (outlet->socket >= 0) {
        good = send_batch(outlet);
        if (close(outlet->socket) != 0)
            good = false;
    } else if (outlet->file == stdout) {
        good = fflush(stdout) == 0;
    } else if (outlet->file) {
        good = !ferror(outlet->file);
        if (fclose(outlet->file) != 0)
            good = false;
    }
    if (!good)
        cli_failed("not all was written: %s", strerror(errno));
    return good;
}
