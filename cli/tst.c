// SPDX-License-Identifier: MIT
// endicott tst: Hercules test scripts on a bare machine.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "endicott.h"

static int run(int argc, char **argv)
{
    static const struct option options[] = {{"model", required_argument, NULL, 'm'}, {0}};
    struct tst_totals totals = {0};
    struct cpu_model model;
    char reason[200];
    int code = EXIT_OK;

    cpu_model_default(&model);
    for (int c; (c = options_next(argc, argv, "m:", options)) != -1;) {
        if (c != 'm')
            return EXIT_USAGE;
        if (cpu_model_parse(&model, optarg, reason, sizeof reason) < 0)
            return cli_usage("tst: %s", reason);
    }
    if (optind == argc)
        return cli_usage("tst: which scripts?");
    puts("TAP version 13");
    for (int i = optind; i < argc; i++) {
        char *error = NULL;
        if (tst_run_file(argv[i], &model, stdout, &totals, &error) < 0)
            code = cli_failed_text(error);
        free(error);
        fflush(stdout);
    }
    printf("1..%u\n", totals.passed + totals.failed + totals.skipped);
    printf("# passed %u, failed %u, skipped %u\n", totals.passed, totals.failed, totals.skipped);
    return totals.failed ? EXIT_FAILED : code;
}

const struct subcommand cli_tst = {
    "tst",
    "[--model MODEL] FILE.tst...",
    "run Hercules test scripts on a bare machine: TAP on standard output",
    "  endicott tst hyperion/tests/*.tst\n\n"
    "Each test case is a line of TAP. A case that needs what is not here (devices,\n"
    "S/370 mode, messages of another console) is skipped, with the reason.\n"
    "  -m, --model MODEL   CPUs of that model: z900 to z14, facilities with a sign\n"
    "                      (z13,-vector); default max, all there is\n\n"
    "Exit code 1 when a case failed or a file cannot be read.\n\n",
    false,
    run,
};
