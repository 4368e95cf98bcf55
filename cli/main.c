// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/cli.h"

static const struct subcommand *const subcommands[] = {
    &cli_start,  &cli_attach, &cli_stop, &cli_cp,       &cli_run, &cli_panel,
    &cli_report, &cli_export, &cli_dasd, &cli_document, &cli_tst,
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static int print_help(void)
{
    puts("Endicott, an open system in the spirit of z/VM.\n");
    puts("  endicott                       IPL the default system, open its console");
    puts("  endicott start                 the same without a screen: attach, cp, stop");
    puts("  endicott run examples/two-speed.lua");
    puts("  endicott report --fcx 155 FILE\n");
    printf("usage: endicott %s\n", cli_console.operands);
    for (int i = 0; i < SUBCOMMANDS; i++)
        printf("       endicott %s %s\n", subcommands[i]->name, subcommands[i]->operands);
    puts("");
    fputs(cli_console.help, stdout);
    puts("  --log CHANNEL,...   write log channels to standard error (all: every one)");
    puts("  --version, --help   (every subcommand has its own --help)\n");
    for (int i = 0; i < SUBCOMMANDS; i++)
        printf("  %-9s %s\n", subcommands[i]->name, subcommands[i]->purpose);
    return EXIT_OK;
}

static int print_version(void)
{
    puts("Endicott " ENDICOTT_VERSION);
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    puts("sanitizers");
#endif
    return EXIT_OK;
}

static int run_subcommand(const struct subcommand *sub, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (sub->in_order && argv[i][0] != '-')
            break;
        if (strcmp(argv[i], "--help") == 0) {
            if (!sub->name[0])
                return print_help();
            printf("usage: endicott %s %s\n\n%s", sub->name, sub->operands, sub->help);
            return EXIT_OK;
        }
    }
    return sub->run(argc, argv);
}

// --log SPEC or --log=SPEC anywhere before the subcommand; returns how many arguments it took.
static int take_log(int argc, char **argv, int *code)
{
    const char *spec = NULL, *bad;
    int taken = 0;
    if (argc == 2 && strcmp(argv[1], "--log") == 0) {
        *code = cli_usage("option --log wants a list of channels");
    } else if (argc > 2 && strcmp(argv[1], "--log") == 0) {
        spec = argv[2];
        taken = 2;
    } else if (argc > 1 && strncmp(argv[1], "--log=", 6) == 0) {
        spec = argv[1] + 6;
        taken = 1;
    }
    if (spec && !log_enable(spec, &bad))
        *code = cli_usage("unknown log channel '%s'", bad);
    return taken;
}

// The arguments without --log; argv[0] is the program's name.
static int dispatch(int argc, char **argv)
{
    static char nothing[1];
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return print_help();
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return print_version();
    if (argc < 2 || argv[1][0] == '-') {
        argv[0] = nothing;
        return run_subcommand(&cli_console, argc, argv);
    }
    for (int i = 0; i < SUBCOMMANDS; i++)
        if (strcmp(argv[1], subcommands[i]->name) == 0)
            return run_subcommand(subcommands[i], argc - 1, argv + 1);
    return cli_usage("unknown subcommand '%s'", argv[1]);
}

// What was printed must have arrived; a reader that went away is no news.
static int close_output(int code)
{
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && errno != EPIPE && code == EXIT_OK)
        return cli_failed("standard output: %s", errno ? strerror(errno) : "not all was written");
    return code;
}

int main(int argc, char **argv)
{
    int code = EXIT_OK;
    signal(SIGPIPE, SIG_IGN);
    int taken = take_log(argc, argv, &code);
    if (code)
        return code;
    argv[taken] = argv[0];
    return close_output(dispatch(argc - taken, argv + taken));
}
