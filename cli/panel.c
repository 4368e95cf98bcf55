// SPDX-License-Identifier: MIT
// endicott panel: a panel on its own, from the demonstration system or a MONWRITE file.
#include "cli/cli.h"
#include "lua/run.h"

static int panel(int argc, char **argv)
{
    return lua_run_module("panelcmd", "main", argc - 1, argv + 1);
}

const struct subcommand cli_panel = {
    "panel",
    "NAME [--once] [--width N] [--height N] [--ascii] [FILE]",
    "a panel on its own, as text",
    "  endicott panel overview --once\n"
    "  endicott panel overview --once monwrite.mondata\n\n"
    "  --once       print the panel once, as text, and end (a panel that stays is\n"
    "               Ctrl-P at the console)\n"
    "  --width N    columns (default 80)\n"
    "  --height N   rows (default 24)\n"
    "  --ascii      no characters beyond ASCII\n\n"
    "Without FILE it shows two minutes (virtual time) of the default system with\n"
    "two-speed monitoring and its demonstration guests.\n",
    false,
    panel,
};
