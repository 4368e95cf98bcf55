// SPDX-License-Identifier: MIT
// endicott document: coverage tables from the program's own tables.
#include <string.h>

#include "cli/cli.h"
#include "endicott.h"

static int document(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "instructions") != 0 && strcmp(argv[1], "commands") != 0 &&
                      strcmp(argv[1], "records") != 0))
        return cli_usage("document: instructions, commands or records");
    endicott_document(argv[1], stdout);
    return EXIT_OK;
}

const struct subcommand cli_document = {
    "document",
    "{instructions | commands | records}",
    "print a coverage table as Markdown",
    "  endicott document commands >docs/commands.md\n\n"
    "The tables are the ones that the program itself works with.\n",
    false,
    document,
};
