// SPDX-License-Identifier: MIT
// endicott report: performance reports from a MONWRITE file.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "endicott.h"

#define DAY 86400.0

// 90, 90s, 15m, 1h
static bool take_span(const char *s, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}};
    char *end;
    double n = strtod(s, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (end != s && n > 0 && n <= DAY && strcmp(end, units[i].unit) == 0) {
            *seconds = n * units[i].seconds;
            return true;
        }
    return false;
}

// HH:MM[:SS] of the first day, or YYYY-MM-DD HH:MM[:SS], with T for the blank too; UTC. Midnight is
// the beginning of the day for --from, its end for --to.
static bool take_time(const char *s, bool to, double *seconds)
{
    static const char *const forms[] = {"%H:%M:%S",          "%H:%M",
                                        "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M",
                                        "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct tm tm = {.tm_mday = 1, .tm_year = 70};
        const char *end = strptime(s, forms[i], &tm);
        if (!end || (*end && strcmp(end, "Z") != 0))
            continue;
        *seconds = (double)timegm(&tm);
        if (i < 2 && *seconds <= 0)
            *seconds = to ? DAY - 0.001 : 0.001;
        return true;
    }
    return false;
}

static int list(void)
{
    const char *name, *title;
    unsigned fcx;
    for (unsigned i = 0; endicott_report_name(i, &fcx, &name, &title); i++)
        printf("%3u  %-12s %s\n", fcx, name, title);
    return EXIT_OK;
}

struct request {
    struct endicott_report_options what;
    const char *output;
    bool fcx_given;
};

// A number, or a report's name.
static bool take_report(const char *s, unsigned *fcx)
{
    const char *name, *title;
    uint64_t number;
    char upper[32];
    if (text_to_u64(s, 10, 999, &number)) {
        *fcx = (unsigned)number;
        return true;
    }
    snprintf(upper, sizeof upper, "%s", s);
    text_upper(upper);
    for (unsigned i = 0, n; endicott_report_name(i, &n, &name, &title); i++)
        if (strcmp(name, upper) == 0) {
            *fcx = n;
            return true;
        }
    return false;
}

// One option; EXIT_OK, or what to end with.
static int take(struct request *r, int c, const char *value)
{
    switch (c) {
    case 'f':
        r->fcx_given = true;
        return take_report(value, &r->what.fcx)
                   ? EXIT_OK
                   : cli_usage("report: '%s' is not a report number", value);
    case 'b':
        return take_span(value, &r->what.by)
                   ? EXIT_OK
                   : cli_usage("report: '%s' is not a length of time, as 90s, 15m, 1h", value);
    case 'F':
    case 'T':
        return take_time(value, c == 'T', c == 'F' ? &r->what.from : &r->what.to)
                   ? EXIT_OK
                   : cli_usage("report: '%s' is not a time, as 13:30 or 2026-01-01T13:30", value);
    case 'u':
        r->what.user = value;
        return EXIT_OK;
    case 'i':
        r->what.interim = true;
        return EXIT_OK;
    case 'l':
        r->what.log = true;
        return EXIT_OK;
    case 'H':
        r->what.html = true;
        return EXIT_OK;
    case 'o':
        r->output = value;
        return EXIT_OK;
    default:
        return EXIT_USAGE;
    }
}

static int print_report(const struct request *r, const char *path)
{
    char *error = NULL;
    FILE *out = r->output && strcmp(r->output, "-") != 0 ? fopen(r->output, "w") : stdout;
    if (!out)
        return cli_failed("%s: cannot be written", r->output);
    int rc = endicott_report(path, &r->what, out, &error);
    if (out != stdout && fclose(out) != 0)
        rc = -1;
    if (rc != 0)
        cli_failed("%s: %s", path, error ? error : "the report cannot be written");
    free(error);
    return rc == 0 ? EXIT_OK : EXIT_FAILED;
}

static int report(int argc, char **argv)
{
    static const struct option options[] = {{"fcx", required_argument, NULL, 'f'},
                                            {"by", required_argument, NULL, 'b'},
                                            {"user", required_argument, NULL, 'u'},
                                            {"from", required_argument, NULL, 'F'},
                                            {"to", required_argument, NULL, 'T'},
                                            {"interim", no_argument, NULL, 'i'},
                                            {"log", no_argument, NULL, 'l'},
                                            {"html", no_argument, NULL, 'H'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"list", no_argument, NULL, 'L'},
                                            {0}};
    struct request request = {0};
    int c;
    while ((c = options_next(argc, argv, "f:b:u:ilo:", options)) != -1) {
        if (c == 'L')
            return list();
        int code = take(&request, c, optarg);
        if (code != EXIT_OK)
            return code;
    }
    if (optind + 1 != argc)
        return cli_usage("report: exactly one MONWRITE file, please");
    if (!request.fcx_given && !request.what.html)
        request.what.fcx = 155;
    else if (request.fcx_given && request.what.fcx == 0)
        return cli_usage("report: '0' is not a report number");
    return print_report(&request, argv[optind]);
}

const struct subcommand cli_report = {
    "report",
    "[--fcx N] [--by TIME] [--user ID] [--html] ... FILE",
    "performance reports from a MONWRITE file",
    "  endicott report --fcx 155 monwrite.mondata\n"
    "  endicott report --fcx USER --by 15m --from 13:00 --to 14:00 monwrite.mondata\n"
    "  endicott report --html -o page.html monwrite.mondata\n\n"
    "  -f, --fcx N         report by number or name (default 155 MONDATA)\n"
    "  -b, --by TIME       in stretches of that length: 90s, 15m, 1h\n"
    "  -i, --interim       a report for each sample (or stretch)\n"
    "  -l, --log           one table, a line for each sample (or stretch)\n"
    "  -u, --user ID       only that user; * and ? stand for any letters, any one\n"
    "      --from, --to T  only samples between: 13:30, 2026-01-01T13:30:00, in UTC\n"
    "      --html          one page with charts; without --fcx all reports\n"
    "  -o, --output FILE   instead of standard output\n"
    "      --list          which reports there are\n\n"
    "FILE may be -, standard input. Exit code 1 when the file is damaged; what could\n"
    "be read is reported.\n",
    false,
    report,
};
