// SPDX-License-Identifier: MIT
// endicott without a subcommand: IPL a system and open the operator console.
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/system.h"
#include "console/console.h"
#include "lua/view.h"

static int run_system(const struct endicott_options *options, struct console_options *console)
{
    struct endicott *sys = cli_system_start(options);
    if (!sys)
        return EXIT_FAILED;
    struct lua_view *panel = lua_view_new(sys, "overview");
    struct console_view view = {"overview", lua_view_draw, panel};
    console->view = panel ? &view : NULL;
    int code = console_run(sys, console);
    lua_view_free(panel);
    endicott_free(sys);
    return code;
}

static int console(int argc, char **argv)
{
    static const struct option options[] = {{"system", required_argument, NULL, 's'},
                                            {"logon", required_argument, NULL, 'l'},
                                            {"ascii", no_argument, NULL, 'a'},
                                            {0}};
    struct endicott_options system = {.mode = CLOCK_REAL};
    struct console_options screen = {0};
    int c;
    while ((c = options_next(argc, argv, "s:l:a", options)) != -1) {
        if (c == 's')
            system.folder = optarg;
        else if (c == 'l')
            screen.logon = optarg;
        else if (c == 'a')
            screen.ascii = true;
        else
            return EXIT_USAGE;
    }
    if (optind != argc)
        return cli_usage("'%s' is too much", argv[optind]);
    if (system.folder && !cli_is_folder(system.folder))
        return EXIT_FAILED;
    return run_system(&system, &screen);
}

const struct subcommand cli_console = {
    "",
    "[--system DIR] [--logon USERID] [--ascii]",
    "IPL a system and open the operator console",
    "  -s, --system DIR     system folder with system.config and user.direct; without\n"
    "                       it the embedded default system starts\n"
    "  -l, --logon USERID   log on at once, without the logo and a password\n"
    "      --ascii          no characters beyond ASCII\n",
    false,
    console,
};
