// SPDX-License-Identifier: MIT
// endicott dasd: DASD images on the host.
#include <errno.h>
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

// A volume with one Linux partition that has the contents of the file `contents`.
static int create_linux(const char *path, const char *model, unsigned cylinders, const char *volser,
                        const char *contents)
{
    char *error = NULL;
    FILE *in = fopen(contents, "rb");
    if (!in)
        return cli_failed("%s: %s", contents, strerror(errno)), EXIT_FAILED;
    long blocks = endicott_dasd_create_linux(path, model, cylinders, volser, in, &error);
    fclose(in);
    return done(blocks < 0 ? -1 : 0, &error);
}

// VOLUME, a partition's number (1 without it): to standard output.
static int export_partition(int argc, char **argv)
{
    uint64_t partition = 1;
    char *error = NULL;
    if (argc < 2 || argc > 3)
        return cli_usage("dasd export: a file, and the partition's number if it is not 1");
    if (argc == 3 && (!text_to_u64(argv[2], 10, 3, &partition) || !partition))
        return cli_usage("dasd export: '%s' is not the number of a partition (1-3)", argv[2]);
    long blocks = endicott_dasd_export(argv[1], (unsigned)partition, stdout, &error);
    return done(blocks < 0 || fflush(stdout) ? -1 : 0, &error);
}

static int create(int argc, char **argv)
{
    static const struct option options[] = {{"model", required_argument, NULL, 'm'},
                                            {"cylinders", required_argument, NULL, 'c'},
                                            {"volser", required_argument, NULL, 'v'},
                                            {"linux", required_argument, NULL, 'l'},
                                            {0}};
    const char *model = "3390", *volser = "SCRTCH", *contents = NULL;
    uint64_t cylinders = 1113;
    char *error = NULL;
    int c;
    while ((c = options_next(argc, argv, "m:c:v:l:", options)) != -1) {
        if (c == 'm')
            model = optarg;
        else if (c == 'v')
            volser = optarg;
        else if (c == 'l')
            contents = optarg;
        else if (c != 'c')
            return EXIT_USAGE;
        else if (!text_to_u64(optarg, 10, 65520, &cylinders) || !cylinders)
            return cli_usage("dasd create: '%s' is not a number of cylinders (1-65520)", optarg);
    }
    if (optind + 1 != argc)
        return cli_usage("dasd create: exactly one file, please");
    if (contents)
        return create_linux(argv[optind], model, (unsigned)cylinders, volser, contents);
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
    if (argc > 1 && strcmp(argv[1], "export") == 0)
        return export_partition(argc - 1, argv + 1);
    return cli_usage("dasd: create, list, check or export, and a file");
}

const struct subcommand cli_dasd = {
    "dasd",
    "{create [OPTIONS] | list | check | export} FILE [PARTITION]",
    "make, list, check and export DASD images",
    "  endicott dasd create --cylinders 100 --volser USR001 usr001.ckd\n"
    "  endicott dasd list usr001.ckd\n"
    "  endicott dasd check usr001.ckd\n"
    "  endicott dasd create -c 100 -v LNX001 --linux ext4.img lnx001.ckd\n"
    "  endicott dasd export lnx001.ckd 1 >ext4.img\n\n"
    "  -m, --model TYPE      3390 (default) or 3380\n"
    "  -c, --cylinders N     default 1113\n"
    "  -v, --volser NAME     volume label, default SCRTCH\n"
    "  -l, --linux FILE      as dasdfmt and fdasd of Linux make it, with one\n"
    "                        partition of (15 N - 2) * 49152 bytes, filled with FILE\n\n"
    "Images are uncompressed CKD in the format that Hercules uses. Export writes a\n"
    "partition of a Linux volume to standard output.\n",
    false,
    dasd,
};
