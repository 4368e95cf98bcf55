// SPDX-License-Identifier: MIT
// endicott cp: one CP command on a running system, with the manners of Linux's vmcp.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/cli.h"
#include "cli/client.h"
#include "cli/options.h"
#include "cli/runtime.h"

// vmcp's exit codes and limits.
enum { CP_NONZERO = 1, CP_TRUNCATED = 2, CP_CONNECTION = 3, CP_OPTIONS = 4 };
enum { COMMAND_MAX = 240, BUFFER_MIN = 4096, BUFFER_DEFAULT = 8192, BUFFER_MAX = 1048576 };

struct request {
    const char *name;
    char user[9];
    bool keep_case;
    uint64_t buffer;
    struct text command;
};

static int join_command(struct request *request, char **words)
{
    for (; *words; words++) {
        if (request->command.len)
            text_puts(&request->command, " ");
        text_puts(&request->command, *words);
    }
    if (!request->command.len) {
        cli_usage("cp: which command?");
        return CP_OPTIONS;
    }
    if (request->command.len > COMMAND_MAX) {
        fprintf(stderr, "Error: Command too long (cannot be longer than %d characters)\n",
                COMMAND_MAX);
        return CP_OPTIONS;
    }
    if (!request->keep_case)
        text_upper(request->command.s);
    return 0;
}

static int take_user(struct request *request, const char *userid)
{
    if (!userid[0] || strlen(userid) >= sizeof request->user) {
        cli_usage("cp: '%s' is not a userid", userid);
        return CP_OPTIONS;
    }
    snprintf(request->user, sizeof request->user, "%s", userid);
    text_upper(request->user);
    return 0;
}

static int take_buffer(struct request *request, const char *size)
{
    if (text_to_size(size, &request->buffer) && request->buffer >= BUFFER_MIN &&
        request->buffer <= BUFFER_MAX)
        return 0;
    fprintf(stderr, "Error: Invalid buffersize (needs to be between %d and %d)\n", BUFFER_MIN,
            BUFFER_MAX);
    return CP_OPTIONS;
}

static int parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {{"name", required_argument, NULL, 'n'},
                                            {"user", required_argument, NULL, 'u'},
                                            {"keepcase", no_argument, NULL, 'k'},
                                            {"buffer", required_argument, NULL, 'b'},
                                            {0}};
    int c, code = 0;
    while (code == 0 && (c = options_next(argc, argv, "+n:u:kb:", options)) != -1) {
        if (c == 'n')
            request->name = optarg;
        else if (c == 'u')
            code = take_user(request, optarg);
        else if (c == 'k')
            request->keep_case = true;
        else
            code = c == 'b' ? take_buffer(request, optarg) : CP_OPTIONS;
    }
    return code ? code : join_command(request, argv + optind);
}

// Lines end with a newline, the last one too.
static void print_part(const struct frame *frame, size_t buffer, size_t before)
{
    size_t room = before < buffer ? buffer - before : 0;
    size_t n = frame->n < room ? frame->n : room;
    fwrite(frame->data, 1, n, stdout);
    if (n && n == frame->n && frame->n < FRAME_MAX && frame->data[n - 1] != '\n')
        putchar('\n');
}

// The response as it comes, up to the size of the buffer; its real size in *size.
static bool transact(struct client *client, const struct request *request, int *rc, size_t *size)
{
    struct text payload = {0};
    struct frame frame;
    text_add(&payload, request->user, strlen(request->user) + 1);
    text_puts(&payload, request->command.s);
    frame_put(&client->out, FRAME_COMMAND, payload.s, payload.len);
    text_free(&payload);
    *size = 0;
    if (!client_send(client, true))
        return false;
    while (client_next(client, &frame) && frame.type != FRAME_GOODBYE) {
        if (frame.type == FRAME_TEXT) {
            print_part(&frame, request->buffer, *size);
            *size += frame.n;
        } else if (frame.type == FRAME_RESULT && frame.n == 4) {
            *rc = (int)be32_load(frame.data);
            return true;
        }
    }
    return false;
}

static int execute(struct client *client, const struct request *request)
{
    int rc;
    size_t size;
    if (!transact(client, request, &rc, &size)) {
        cli_failed("the system hung up");
        return CP_CONNECTION;
    }
    fflush(stdout);
    if (rc < 0) {
        cli_failed("cp: %s is not logged on", request->user[0] ? request->user : "the operator");
        return CP_CONNECTION;
    }
    if (size > request->buffer) {
        fprintf(stderr, "Error: output (%zu bytes) was truncated, try --buffer to increase size\n",
                size);
        return CP_TRUNCATED;
    }
    if (rc == 0)
        return EXIT_OK;
    fprintf(stderr, "Error: non-zero CP response for command '%s': #%d\n", request->command.s, rc);
    return CP_NONZERO;
}

static int cp(int argc, char **argv)
{
    struct request request = {.name = RUNTIME_DEFAULT_NAME, .buffer = BUFFER_DEFAULT};
    struct client client;
    int code = parse(argc, argv, &request);
    if (code == 0) {
        code = CP_CONNECTION;
        if (client_open(&client, request.name)) {
            code = execute(&client, &request);
            client_close(&client);
        }
    }
    text_free(&request.command);
    return code;
}

const struct subcommand cli_cp = {
    "cp",
    "[OPTIONS] COMMAND...",
    "one CP command on a running system",
    "  endicott cp query names\n"
    "  endicott cp --user LNX00085 couple 6200 to system testsw1\n\n"
    "  -n, --name NAME     which system, default endicott\n"
    "  -u, --user USERID   in the name of a user who is logged on, not the operator's\n"
    "  -k, --keepcase      do not fold the command to upper case\n"
    "  -b, --buffer SIZE   bytes for the response, 4096 (4k) to 1048576 (1M)\n\n"
    "Exit codes as vmcp's: 0 fine, 1 CP's return code was not 0, 2 the response was\n"
    "cut, 3 the system cannot be reached, 4 wrong options.\n",
    true,
    cp,
};
