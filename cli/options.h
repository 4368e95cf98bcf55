// SPDX-License-Identifier: MIT
// Options in the manner of getopt_long, with our own words when one is wrong.
#ifndef ENDICOTT_CLI_OPTIONS_H
#define ENDICOTT_CLI_OPTIONS_H

#include <getopt.h>

enum { OPTION_BAD = '?' };

// As getopt_long(argc, argv, ...), where argv[0] is the subcommand's name ("" for the console) and
// `letters` begins with neither ':' nor '-'. On a wrong option it says so on standard error, with
// a hint, and returns OPTION_BAD: the caller ends with its exit code for bad usage.
int options_next(int argc, char **argv, const char *letters, const struct option *table);

#endif
