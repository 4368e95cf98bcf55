// SPDX-License-Identifier: MIT
// endicott document: coverage tables from the program's own tables.
#include <string.h>

#include "cli/cli.h"
#include "endicott.h"

static int document(int argc, char **argv)
{
    static const char *const tables[] = {"instructions", "commands", "records", "reports"};
    for (size_t i = 0; argc == 2 && i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(argv[1], tables[i]) == 0) {
            endicott_document(argv[1], stdout);
            return EXIT_OK;
        }
    return cli_usage("document: instructions, commands, records or reports");
}

const struct subcommand cli_document = {
    "document",
    "{instructions | commands | records | reports}",
    "print a coverage table as Markdown",
    "  endicott document commands >docs/commands.md\n\n"
    "The tables are the ones that the program itself works with.\n",
    false,
    document,
};
