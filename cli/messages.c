// SPDX-License-Identifier: MIT
// What the program says to people when something is wrong.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

static void say(const char *fmt, va_list ap)
{
    fflush(stdout);
    fputs("endicott: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
}

int cli_usage(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    fputs("Try 'endicott --help', or 'endicott SUBCOMMAND --help'.\n", stderr);
    return EXIT_USAGE;
}

int cli_failed(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
    return EXIT_FAILED;
}

int cli_failed_text(const char *lines)
{
    size_t n = strlen(lines);
    while (n && lines[n - 1] == '\n')
        n--;
    return cli_failed("%.*s", (int)n, lines);
}

bool cli_is_folder(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        cli_failed("%s: %s", path, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        cli_failed("%s: not a folder", path);
    else
        return true;
    return false;
}
