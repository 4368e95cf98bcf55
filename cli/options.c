// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

// The option as it was written, without its value.
static void written(char **argv, char *out, size_t size)
{
    const char *word = argv[optind > 0 ? optind - 1 : 0];
    if (optopt && strncmp(word, "--", 2) != 0)
        snprintf(out, size, "-%c", optopt);
    else
        snprintf(out, size, "%.*s", (int)strcspn(word, "="), word);
}

static void complain(char **argv, bool missing, bool known)
{
    char option[64];
    const char *problem = missing ? "wants a value" : known ? "takes no value" : "is not known";
    written(argv, option, sizeof option);
    cli_usage("%s%soption %s %s", argv[0], argv[0][0] ? ": " : "", option, problem);
}

static bool is_name(const struct option *table, const char *word)
{
    size_t n = strcspn(word + 2, "=");
    for (; table->name; table++)
        if (strncmp(table->name, word + 2, n) == 0 && table->name[n] == '\0')
            return true;
    return false;
}

int options_next(int argc, char **argv, const char *letters, const struct option *table)
{
    char own[64];
    bool in_order = letters[0] == '+';
    snprintf(own, sizeof own, "%s:%s", in_order ? "+" : "", letters + in_order);
    opterr = 0;
    int c = getopt_long(argc, argv, own, table, NULL);
    if (c != ':' && c != '?')
        return c;
    const char *word = argv[optind > 0 ? optind - 1 : 0];
    complain(argv, c == ':', strncmp(word, "--", 2) == 0 && is_name(table, word));
    return OPTION_BAD;
}
