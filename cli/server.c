// SPDX-License-Identifier: MIT
#include "cli/server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/session.h"

// More would be a mistake of someone's script.
enum { CONNECTIONS_MAX = 64, PARTING_MS = 1000 };

struct connection {
    int fd; // -1: free
    unsigned number;
    struct session *session;
};

struct server {
    struct runtime runtime;
    int lock_fd, listen_fd, wake_fd;
    struct endicott *sys;
    struct connection connection[CONNECTIONS_MAX];
    bool stop;
};

// What signal handlers look at.
static volatile sig_atomic_t ended_by;
static int signal_fd = -1;

static void wake_up(int fd)
{
    uint64_t one = 1;
    int error = errno;
    if (write(fd, &one, sizeof one) < 0)
        errno = error; // a full counter wakes as well
    errno = error;
}

static void on_end(int signal)
{
    ended_by = signal;
    wake_up(signal_fd);
}

static void wake(void *arg)
{
    wake_up(((struct server *)arg)->wake_fd);
}

// --- the name ---------------------------------------------------------------

static int take_lock(const struct runtime *runtime)
{
    int fd = open(runtime->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
    if (fd < 0) {
        cli_failed("%s: %s", runtime->lock, strerror(errno));
    } else if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
        cli_failed("a system named '%s' is running already", runtime->name);
        close(fd);
        return -1;
    }
    return fd;
}

// Whoever has the lock may remove a socket: nobody listens there any more.
static int listen_at(const struct runtime *runtime)
{
    const struct sockaddr_un *address = &runtime->address;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlink(address->sun_path);
    mode_t mask = umask(0177);
    bool good = fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 &&
                listen(fd, 16) == 0;
    umask(mask);
    if (good)
        return fd;
    cli_failed("%s: %s", address->sun_path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

struct server *server_open(const struct runtime *runtime)
{
    int lock_fd = take_lock(runtime);
    if (lock_fd < 0)
        return NULL;
    int listen_fd = listen_at(runtime);
    if (listen_fd < 0) {
        close(lock_fd);
        return NULL;
    }
    struct server *server = mem_zero(1, sizeof *server);
    server->runtime = *runtime;
    server->lock_fd = lock_fd;
    server->listen_fd = listen_fd;
    server->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    INVARIANT(server->wake_fd >= 0);
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        server->connection[i].fd = -1;
    return server;
}

void server_close(struct server *server)
{
    // The name is free before the clients hear of it. The lock's file stays: a system that starts
    // meanwhile may have it open.
    unlink(server->runtime.address.sun_path);
    close(server->lock_fd);
    close(server->listen_fd);
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        if (server->connection[i].fd >= 0)
            close(server->connection[i].fd);
    signal_fd = -1;
    close(server->wake_fd);
    free(server);
}

// --- connections ------------------------------------------------------------

static bool is_same_user(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

static struct connection *free_connection(struct server *server)
{
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        if (server->connection[i].fd < 0)
            return &server->connection[i];
    return NULL;
}

static void accept_one(struct server *server)
{
    int fd = accept4(server->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    struct connection *c = free_connection(server);
    if (!c || !is_same_user(fd)) {
        close(fd);
        return;
    }
    c->fd = fd;
    c->session = session_new(&(struct session_options){
        .sys = server->sys,
        .name = server->runtime.name,
        .number = (unsigned)(c - server->connection) + 1,
        .wake = wake,
        .arg = server,
    });
}

static void hang_up(struct connection *c)
{
    session_free(c->session);
    close(c->fd);
    *c = (struct connection){.fd = -1};
}

// False when the client is gone.
static bool receive(struct connection *c)
{
    char bytes[4096];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n > 0)
        session_bytes(c->session, bytes, (size_t)n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static bool send_output(struct connection *c)
{
    const struct text *out = session_output(c->session);
    while (out->len) {
        ssize_t n = send(c->fd, out->s, out->len, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        session_sent(c->session, (size_t)n);
    }
    return !session_over(c->session);
}

static void serve(struct server *server, struct connection *c, short events)
{
    bool good = true;
    if (events & (POLLIN | POLLHUP | POLLERR) && !session_over(c->session))
        good = receive(c);
    session_work(c->session);
    good = send_output(c) && good;
    server->stop |= session_shutdown(c->session);
    if (!good)
        hang_up(c);
}

// --- the loop ---------------------------------------------------------------

static int wait_time(struct endicott *sys)
{
    tod_t due = endicott_next_due(sys), now = endicott_now(sys);
    if (due == TOD_NEVER)
        return -1;
    double ms = due <= now ? 0 : tod_to_seconds(due - now) * 1000 + 1;
    return ms > 60000 ? 60000 : (int)ms;
}

static void clear(int fd)
{
    uint64_t count;
    if (read(fd, &count, sizeof count) < 0)
        INVARIANT(errno == EAGAIN || errno == EINTR);
}

static void wait_for_work(struct server *server)
{
    struct pollfd fds[3 + CONNECTIONS_MAX] = {
        {.fd = server->listen_fd, .events = POLLIN},
        {.fd = server->wake_fd, .events = POLLIN},
        {.fd = endicott_notify_fd(server->sys), .events = POLLIN},
    };
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++) {
        const struct connection *c = &server->connection[i];
        bool more = c->fd >= 0 && session_output(c->session)->len > 0;
        fds[3 + i] = (struct pollfd){.fd = c->fd, .events = (short)(POLLIN | (more ? POLLOUT : 0))};
    }
    if (poll(fds, 3 + CONNECTIONS_MAX, wait_time(server->sys)) < 0)
        return;
    if (fds[1].revents)
        clear(server->wake_fd);
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++)
        if (server->connection[i].fd >= 0)
            serve(server, &server->connection[i], fds[3 + i].revents);
    if (fds[0].revents)
        accept_one(server);
}

static void set_signals(const struct server *server)
{
    struct sigaction sa = {.sa_handler = on_end, .sa_flags = SA_RESTART};
    signal_fd = server->wake_fd;
    ended_by = 0;
    sigemptyset(&sa.sa_mask);
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGINT, &sa, NULL);
}

// Tells everybody, and waits a moment for those who read slowly.
static void say_goodbye(struct server *server)
{
    char why[80];
    snprintf(why, sizeof why, "system %s was shut down", server->runtime.name);
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++) {
        struct connection *c = &server->connection[i];
        if (c->fd < 0)
            continue;
        session_work(c->session); // CP's last lines
        session_goodbye(c->session, EXIT_OK, why);
        struct pollfd fd = {.fd = c->fd, .events = POLLOUT};
        while (send_output(c), session_output(c->session)->len > 0)
            if (poll(&fd, 1, PARTING_MS) <= 0 || fd.revents & (POLLERR | POLLHUP))
                break;
        session_free(c->session);
        c->session = NULL;
    }
}

void server_run(struct server *server, struct endicott *sys)
{
    server->sys = sys;
    set_signals(server);
    while (!server->stop && !ended_by && !endicott_is_down(sys)) {
        endicott_pump(sys);
        wait_for_work(server);
    }
    say_goodbye(server);
}
