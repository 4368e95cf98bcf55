// SPDX-License-Identifier: MIT
// The command line: one row for each subcommand (cli/main.c), one file each.
#ifndef ENDICOTT_CLI_CLI_H
#define ENDICOTT_CLI_CLI_H

// Exit codes of the program; `endicott cp` has vmcp's own list.
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct subcommand {
    const char *name;
    const char *operands; // after "endicott NAME"
    const char *purpose;  // one line
    const char *help;     // examples first, then options; 80 columns
    // argv[0] is the subcommand's name. Exit code.
    int (*run)(int argc, char **argv);
};

extern const struct subcommand cli_console, cli_run, cli_panel, cli_report, cli_dasd, cli_document;

// "endicott: text" and "try --help" on standard error; returns EXIT_USAGE.
int cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
// "endicott: text" on standard error; returns EXIT_FAILED.
int cli_failed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
