// SPDX-License-Identifier: MIT
// endicott report: performance reports from a MONWRITE file.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "endicott.h"

static int report(int argc, char **argv)
{
    static const struct option options[] = {
        {"fcx", required_argument, NULL, 'f'}, {"output", required_argument, NULL, 'o'}, {0}};
    struct endicott_report_options what = {.fcx = 155};
    const char *output = NULL;
    uint64_t number;
    int c;
    while ((c = options_next(argc, argv, "f:o:", options)) != -1) {
        if (c == 'f') {
            if (!text_to_u64(optarg, 10, 999, &number))
                return cli_usage("report: '%s' is not a report number", optarg);
            what.fcx = (unsigned)number;
        } else if (c == 'o') {
            output = optarg;
        } else {
            return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc)
        return cli_usage("report: exactly one MONWRITE file, please");
    FILE *out = output && strcmp(output, "-") != 0 ? fopen(output, "w") : stdout;
    if (!out)
        return cli_failed("%s: cannot be written", output);
    char *error = NULL;
    int rc = endicott_report(argv[optind], &what, out, &error);
    if (out != stdout && fclose(out) != 0)
        rc = -1;
    if (rc != 0)
        cli_failed("%s: %s", argv[optind], error ? error : "the report cannot be written");
    free(error);
    return rc == 0 ? EXIT_OK : EXIT_FAILED;
}

const struct subcommand cli_report = {
    "report",
    "[--fcx N] [--output FILE] FILE",
    "performance reports from a MONWRITE file",
    "  endicott report --fcx 155 monwrite.mondata\n\n"
    "  -f, --fcx N         report number: 155 records and bytes by domain and record\n"
    "  -o, --output FILE   instead of standard output\n\n"
    "Exit code 1 when the file is damaged; what could be read is reported.\n",
    false,
    report,
};
