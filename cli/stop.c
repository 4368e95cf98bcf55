// SPDX-License-Identifier: MIT
// endicott stop: SHUTDOWN of a running system, and waits for its end.
#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/client.h"
#include "cli/options.h"
#include "cli/runtime.h"

// CP's answer to SHUTDOWN, then silence until the system is gone and hangs up.
static int shut_down(struct client *client)
{
    struct frame frame;
    bool answered = false;
    frame_put(&client->out, FRAME_SHUTDOWN, NULL, 0);
    if (!client_send(client, true))
        return cli_failed("the system hung up");
    while (client_next(client, &frame))
        answered |= frame.type == FRAME_RESULT;
    return answered ? EXIT_OK : cli_failed("the system hung up before it answered");
}

static int stop(int argc, char **argv)
{
    static const struct option options[] = {{"name", required_argument, NULL, 'n'}, {0}};
    const char *name = RUNTIME_DEFAULT_NAME;
    struct client client;
    int c;
    while ((c = options_next(argc, argv, "n:", options)) != -1) {
        if (c != 'n')
            return EXIT_USAGE;
        name = optarg;
    }
    if (optind != argc)
        return cli_usage("stop: '%s' is too much", argv[optind]);
    if (!client_open(&client, name))
        return EXIT_FAILED;
    int code = shut_down(&client);
    client_close(&client);
    return code;
}

const struct subcommand cli_stop = {
    "stop",
    "[--name NAME]",
    "shut a running system down",
    "  endicott stop\n"
    "  endicott stop --name test\n\n"
    "  -n, --name NAME   default endicott\n\n"
    "Returns when the system is down and its name is free again.\n",
    false,
    stop,
};
