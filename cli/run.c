// SPDX-License-Identifier: MIT
// endicott run: a scenario without a screen.
#include <stdbool.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "lua/run.h"

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"real", no_argument, NULL, 'r'}, {0}};
    bool real = false;
    int c;
    // '+': what follows the script is the script's.
    while ((c = options_next(argc, argv, "+r", options)) != -1) {
        if (c != 'r')
            return EXIT_USAGE;
        real = true;
    }
    if (optind == argc)
        return cli_usage("run: which script?");
    return lua_run_script(argv[optind], argc - optind - 1, argv + optind + 1, real);
}

const struct subcommand cli_run = {
    "run",
    "[--real] SCRIPT.lua [ARGUMENT...]",
    "run a Lua scenario headless: TAP on standard output",
    "  endicott run examples/two-speed.lua\n"
    "  endicott run --real my-test.lua LNX00085\n\n"
    "  -r, --real   real time instead of virtual time\n\n"
    "Exit code 0 when the script ended and every check passed, 1 otherwise.\n",
    true,
    run,
};
