// SPDX-License-Identifier: MIT
// endicott start: a system without a screen, in real time, that other commands reach by its name.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/client.h"
#include "cli/metrics.h"
#include "cli/options.h"
#include "cli/system.h"
#include "cli/runtime.h"
#include "cli/server.h"

static void log_event(struct endicott *sys, const char *name, const char *what)
{
    char stamp[32] = "";
    uint32_t ns;
    time_t seconds = (time_t)tod_to_unix(endicott_now(sys), &ns);
    struct tm tm;
    if (gmtime_r(&seconds, &tm))
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &tm);
    fprintf(stderr, "%s %s (%s, process %ld) %s\n", stamp, name, endicott_name(sys), (long)getpid(),
            what);
}

// What is to be started.
struct startup {
    struct runtime runtime;
    struct endicott_options system;
    bool metrics;
    unsigned metrics_port;
};

// Metrics, if wanted; false when they cannot be had.
static bool open_metrics(const struct startup *startup, struct endicott *sys,
                         struct metrics_server **metrics)
{
    *metrics = startup->metrics ? metrics_open(sys, startup->metrics_port) : NULL;
    return *metrics || !startup->metrics;
}

static void log_metrics(struct endicott *sys, const char *name,
                        const struct metrics_server *metrics)
{
    char what[64];
    snprintf(what, sizeof what, "has http://127.0.0.1:%u/metrics", metrics_port(metrics));
    log_event(sys, name, what);
}

// IPLs, listens, calls `ready` and runs to the end. Exit code.
static int serve(const struct startup *startup, void (*ready)(void *arg), void *arg)
{
    const struct runtime *runtime = &startup->runtime;
    struct metrics_server *metrics;
    struct server *server = server_open(runtime);
    if (!server)
        return EXIT_FAILED;
    struct endicott *sys = cli_system_start(&startup->system);
    if (!sys || !open_metrics(startup, sys, &metrics)) {
        endicott_free(sys);
        server_close(server);
        return EXIT_FAILED;
    }
    ready(arg);
    log_event(sys, runtime->name, "is up");
    if (metrics)
        log_metrics(sys, runtime->name, metrics);
    server_run(server, sys);
    log_event(sys, runtime->name, "is down");
    metrics_close(metrics);
    endicott_free(sys);
    server_close(server);
    return EXIT_OK;
}

// --- in the background ------------------------------------------------------

struct background {
    int ready_fd; // the parent waits for a byte
    int log_fd;
};

// Until now errors went to whoever started us; from here on to the log.
static void leave_terminal(void *arg)
{
    const struct background *background = arg;
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_fd >= 0) {
        dup2(null_fd, STDIN_FILENO);
        dup2(null_fd, STDOUT_FILENO);
        close(null_fd);
    }
    dup2(background->log_fd, STDERR_FILENO);
    close(background->log_fd);
    if (write(background->ready_fd, "", 1) < 0)
        cli_failed("whoever started the system is gone");
    close(background->ready_fd);
}

static int in_child(const struct startup *startup, struct background *background)
{
    setsid();
    signal(SIGHUP, SIG_IGN);
    return serve(startup, leave_terminal, background);
}

// Returns when the system answers at its socket, or has failed with its reasons on standard error.
static int wait_until_up(const char *name, int ready_fd, pid_t pid)
{
    char byte;
    ssize_t n;
    struct client client;
    do {
        n = read(ready_fd, &byte, 1);
    } while (n < 0 && errno == EINTR);
    if (n != 1) {
        int status;
        waitpid(pid, &status, 0);
        if (WIFSIGNALED(status))
            cli_failed("the system ended by signal %d", WTERMSIG(status));
        return EXIT_FAILED;
    }
    if (!client_open(&client, name))
        return EXIT_FAILED;
    client_close(&client);
    return EXIT_OK;
}

static int start_in_background(const struct startup *startup)
{
    const struct runtime *runtime = &startup->runtime;
    int pipe_fd[2];
    char *log = NULL;
    struct background background = {.log_fd = runtime_log(runtime, &log)};
    free(log);
    if (background.log_fd < 0)
        return EXIT_FAILED;
    if (pipe2(pipe_fd, O_CLOEXEC) < 0)
        return cli_failed("pipe: %s", strerror(errno));
    background.ready_fd = pipe_fd[1];
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return cli_failed("fork: %s", strerror(errno));
    if (pid == 0) {
        close(pipe_fd[0]);
        exit(in_child(startup, &background));
    }
    close(pipe_fd[1]);
    close(background.log_fd);
    int code = wait_until_up(runtime->name, pipe_fd[0], pid);
    close(pipe_fd[0]);
    return code;
}

static void nobody_waits(void *arg)
{
    (void)arg;
}

static int start(int argc, char **argv)
{
    static const struct option options[] = {
        {"system", required_argument, NULL, 's'},  {"name", required_argument, NULL, 'n'},
        {"model", required_argument, NULL, 'M'},   {"foreground", no_argument, NULL, 'f'},
        {"metrics", required_argument, NULL, 'm'}, {0}};
    struct startup startup = {.system = {.mode = CLOCK_REAL}};
    const char *name = RUNTIME_DEFAULT_NAME;
    bool foreground = false;
    uint64_t port;
    int c;
    while ((c = options_next(argc, argv, "s:n:fm:M:", options)) != -1) {
        if (c == 'm' && !text_to_u64(optarg, 10, 65535, &port))
            return cli_usage("start: '%s' is not a port", optarg);
        if (c == 's')
            startup.system.folder = optarg;
        else if (c == 'n')
            name = optarg;
        else if (c == 'M')
            startup.system.model = optarg;
        else if (c == 'f')
            foreground = true;
        else if (c == 'm')
            startup.metrics = true, startup.metrics_port = (unsigned)port;
        else
            return EXIT_USAGE;
    }
    if (optind != argc)
        return cli_usage("start: '%s' is too much", argv[optind]);
    if ((startup.system.folder && !cli_is_folder(startup.system.folder)) ||
        !runtime_find(&startup.runtime, name))
        return EXIT_FAILED;
    return foreground ? serve(&startup, nobody_waits, NULL) : start_in_background(&startup);
}

const struct subcommand cli_start = {
    "start",
    "[--system DIR] [--name NAME] [--metrics PORT] ...",
    "IPL a system without a screen, to be reached by its name",
    "  endicott start\n"
    "  endicott cp query names\n"
    "  endicott attach\n"
    "  endicott stop\n\n"
    "  -s, --system DIR   system folder; without it the embedded default system\n"
    "  -n, --name NAME    default endicott; several systems have several names\n"
    "  -M, --model MODEL  CPUs of that model, z900 to z14, and facilities with a sign\n"
    "                     (z13,-vector); without it as system.config says\n"
    "  -f, --foreground   stay in the foreground, log to standard error\n"
    "  -m, --metrics PORT http://127.0.0.1:PORT/metrics in OpenMetrics; starts\n"
    "                     MONITOR SAMPLE unless it is on (0: any free port, see log)\n\n"
    "Returns when the system answers. Its socket is below $XDG_RUNTIME_DIR/endicott,\n"
    "its log $XDG_STATE_HOME/endicott/NAME.log (default ~/.local/state).\n",
    false,
    start,
};
