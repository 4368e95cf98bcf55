// SPDX-License-Identifier: MIT
// endicott export: monitor data for other programs.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/outlet.h"
#include "endicott.h"

// A database and a folder of CSV files are made by the engine; all else is lines.
static bool makes_files(const char *format, const char *records, const char *output)
{
    if (strcmp(format, "sqlite") == 0)
        return true;
    bool one_kind = records && !strchr(records, ',');
    return strcmp(format, "csv") == 0 && output && strcmp(output, "-") != 0 &&
           !strstr(output, "://") && (!one_kind || output[strlen(output) - 1] == '/');
}

static int finish(int rc, const char *what, char *error)
{
    if (rc != 0)
        cli_failed("%s: %s", what, error ? error : "cannot be exported");
    free(error);
    return rc == 0 ? EXIT_OK : EXIT_FAILED;
}

static int to_lines(struct endicott_export_options *options, const char *input, const char *output)
{
    struct outlet outlet;
    char *error = NULL;
    if (!outlet_open(&outlet, output))
        return EXIT_FAILED;
    options->write = outlet_write;
    options->arg = &outlet;
    int rc =
        input ? endicott_export(input, options, &error) : endicott_export_schema(options, &error);
    int code = finish(rc, input ? input : "schema", error);
    return outlet_close(&outlet) ? code : EXIT_FAILED;
}

static int export(int argc, char **argv)
{
    static const struct option table[] = {{"format", required_argument, NULL, 'f'},
                                          {"record", required_argument, NULL, 'r'},
                                          {"output", required_argument, NULL, 'o'},
                                          {0}};
    struct endicott_export_options options = {.format = "jsonl"};
    const char *output = NULL;
    int c;
    while ((c = options_next(argc, argv, "f:r:o:", table)) != -1) {
        if (c == 'f')
            options.format = optarg;
        else if (c == 'r')
            options.records = optarg;
        else if (c == 'o')
            output = optarg;
        else
            return EXIT_USAGE;
    }
    bool schema = strcmp(options.format, "schema") == 0;
    if (optind + !schema != argc)
        return cli_usage(schema ? "export: the schema needs no file"
                                : "export: exactly one MONWRITE file, please");
    if (schema || !makes_files(options.format, options.records, output))
        return to_lines(&options, schema ? NULL : argv[optind], output);
    if (!output)
        return cli_usage("export: sqlite needs --output FILE");
    char *error = NULL;
    options.path = output;
    int rc = endicott_export(argv[optind], &options, &error);
    return finish(rc, argv[optind], error);
}

const struct subcommand cli_export = {
    "export",
    "[--format F] [--record R,...] [--output WHERE] FILE",
    "monitor data from a MONWRITE file for other programs",
    "  endicott export --format sqlite -o data.db monwrite.mondata\n"
    "  endicott export --format csv --record D4R3 monwrite.mondata >users.csv\n"
    "  endicott export --format influx -o udp://localhost:8089 monwrite.mondata\n\n"
    "  -f, --format F      jsonl (default), csv, sqlite, influx (line protocol),\n"
    "                      openmetrics (all samples, with their times), prometheus\n"
    "                      (the last sample), schema (every field with its unit)\n"
    "  -r, --record R,...  only these records: D4R3 or MRUSEACT; default all\n"
    "  -o, --output WHERE  a file, tcp://HOST:PORT or udp://HOST:PORT; for several\n"
    "                      records in CSV a folder, which gets a file for each\n\n"
    "Lengths of time are seconds, points of time RFC 3339; counters are as CP counts\n"
    "them. Exit code 1 when the file is damaged; what could be read is exported.\n",
    false,
    export,
};
