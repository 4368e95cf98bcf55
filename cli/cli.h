// SPDX-License-Identifier: MIT
// The command line: one row for each subcommand (cli/main.c), one file each.
#ifndef ENDICOTT_CLI_CLI_H
#define ENDICOTT_CLI_CLI_H

#include <stdbool.h>

// Exit codes of the program; `endicott cp` has vmcp's own list.
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct subcommand {
    const char *name;
    const char *operands; // after "endicott NAME"
    const char *purpose;  // one line
    const char *help;     // examples first, then options; 80 columns
    bool in_order;        // what follows the first operand is not ours: no options there
    // argv[0] is the subcommand's name. Exit code.
    int (*run)(int argc, char **argv);
};

extern const struct subcommand cli_console, cli_start, cli_attach, cli_stop, cli_cp, cli_run,
    cli_panel, cli_report, cli_export, cli_dasd, cli_document, cli_tst;

// "endicott: text" and "try --help" on standard error; returns EXIT_USAGE.
int cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
// "endicott: text" on standard error; returns EXIT_FAILED.
int cli_failed(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
// The same for lines that the engine made, whether or not the last one ends with a newline.
int cli_failed_text(const char *lines);
// True when `path` is a folder; says on standard error why not.
bool cli_is_folder(const char *path);

#endif
