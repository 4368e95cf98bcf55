// SPDX-License-Identifier: MIT
// Metrics over HTTP: GET /metrics, on the loopback interface alone. Whoever accepts OpenMetrics
// gets it, others Prometheus's older text.
#include "cli/metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

struct metrics_server {
    struct endicott_metrics *metrics;
    struct MHD_Daemon *daemon;
    unsigned port;
};

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status, char *body,
                               size_t size, const char *type)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, body, MHD_RESPMEM_MUST_FREE);
    if (!response) {
        free(body);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result respond_text(struct MHD_Connection *connection, unsigned status,
                                    const char *text)
{
    return respond(connection, status, strdup(text), strlen(text), "text/plain; charset=utf-8");
}

static bool accepts_openmetrics(struct MHD_Connection *connection)
{
    const char *accept =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
    return accept && strstr(accept, "application/openmetrics-text");
}

// A page elsewhere that makes a browser ask under a name of its own must not read this.
static bool asks_loopback(struct MHD_Connection *connection)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    const char *host =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    if (!host)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t n = strlen(names[i]);
        if (strncasecmp(host, names[i], n) == 0 && (host[n] == ':' || host[n] == '\0'))
            return true;
    }
    return false;
}

static enum MHD_Result answer(void *arg, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    const struct metrics_server *server = arg;
    (void)version;
    (void)data;
    (void)state;
    if (*size) { // nothing that is sent to us is of interest
        *size = 0;
        return MHD_YES;
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return respond_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET /metrics\n");
    if (!asks_loopback(connection))
        return respond_text(connection, MHD_HTTP_FORBIDDEN, "ask for localhost\n");
    if (strcmp(url, "/metrics") != 0)
        return respond_text(connection, MHD_HTTP_NOT_FOUND, "see /metrics\n");
    size_t n;
    bool open = accepts_openmetrics(connection);
    char *text = endicott_metrics_text(server->metrics, open, &n);
    return respond(connection, MHD_HTTP_OK, text, n,
                   open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                        : "text/plain; version=0.0.4; charset=utf-8");
}

static void start_sampling(struct endicott *sys)
{
    static const char *const commands[] = {"MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE START"};
    char *text = NULL;
    endicott_command(sys, NULL, "QUERY MONITOR SAMPLE", &text, NULL);
    bool off = text && strncmp(text, "MONITOR SAMPLE INACTIVE", 23) == 0;
    free(text);
    for (size_t i = 0; off && i < sizeof commands / sizeof commands[0]; i++)
        endicott_command(sys, NULL, commands[i], NULL, NULL);
}

static bool listen_on(struct metrics_server *server, unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    errno = 0;
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)port, NULL, NULL, answer, server,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)(void *)&address, MHD_OPTION_CONNECTION_LIMIT, 16u,
        MHD_OPTION_CONNECTION_TIMEOUT, 10u, MHD_OPTION_END);
    if (!server->daemon) {
        cli_failed("metrics: port %u: %s", port, errno ? strerror(errno) : "cannot be used");
        return false;
    }
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = info && info->port ? info->port : port;
    return true;
}

struct metrics_server *metrics_open(struct endicott *sys, unsigned port)
{
    struct metrics_server *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->metrics = endicott_metrics_new(sys);
    if (!server->metrics)
        cli_failed("metrics: *MONITOR does not accept the connection");
    if (!server->metrics || !listen_on(server, port)) {
        metrics_close(server);
        return NULL;
    }
    start_sampling(sys);
    return server;
}

unsigned metrics_port(const struct metrics_server *server)
{
    return server->port;
}

void metrics_close(struct metrics_server *server)
{
    if (!server)
        return;
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    endicott_metrics_free(server->metrics);
    free(server);
}
