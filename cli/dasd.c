// SPDX-License-Identifier: MIT
// endicott dasd: DASD images on the host.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "endicott.h"

// Says what `error` holds now, after the call that set it, and frees it.
static int done(int rc, char **error)
{
    if (rc != 0)
        cli_failed("%s", *error ? *error : "failed");
    free(*error);
    return rc == 0 ? EXIT_OK : EXIT_FAILED;
}

static int create(int argc, char **argv)
{
    static const struct option options[] = {{"model", required_argument, NULL, 'm'},
                                            {"cylinders", required_argument, NULL, 'c'},
                                            {"volser", required_argument, NULL, 'v'},
                                            {0}};
    const char *model = "3390", *volser = "SCRTCH";
    uint64_t cylinders = 1113;
    char *error = NULL;
    int c;
    while ((c = options_next(argc, argv, "m:c:v:", options)) != -1) {
        if (c == 'm')
            model = optarg;
        else if (c == 'v')
            volser = optarg;
        else if (c != 'c')
            return EXIT_USAGE;
        else if (!text_to_u64(optarg, 10, 65520, &cylinders) || !cylinders)
            return cli_usage("dasd create: '%s' is not a number of cylinders (1-65520)", optarg);
    }
    if (optind + 1 != argc)
        return cli_usage("dasd create: exactly one file, please");
    int rc = endicott_dasd_create(argv[optind], model, (unsigned)cylinders, volser, &error);
    return done(rc, &error);
}

static int dasd(int argc, char **argv)
{
    char *error = NULL;
    if (argc > 1 && strcmp(argv[1], "create") == 0)
        return create(argc - 1, argv + 1);
    if (argc == 3 && strcmp(argv[1], "list") == 0)
        return done(endicott_dasd_list(argv[2], stdout, &error), &error);
    if (argc == 3 && strcmp(argv[1], "check") == 0)
        return done(endicott_dasd_check(argv[2], stdout, &error), &error);
    return cli_usage("dasd: create, list or check, and a file");
}

const struct subcommand cli_dasd = {
    "dasd",
    "{create [OPTIONS] | list | check} FILE",
    "make, list and check DASD images",
    "  endicott dasd create --cylinders 100 --volser USR001 usr001.ckd\n"
    "  endicott dasd list usr001.ckd\n"
    "  endicott dasd check usr001.ckd\n\n"
    "  -m, --model TYPE      3390 (default) or 3380\n"
    "  -c, --cylinders N     default 1113\n"
    "  -v, --volser NAME     volume label, default SCRTCH\n\n"
    "Images are uncompressed CKD in the format that Hercules uses.\n",
    false,
    dasd,
};
