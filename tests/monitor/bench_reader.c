// SPDX-License-Identifier: MIT
// Reads a MONWRITE file from the page cache and counts its records: bench_reader FILE. Prints MB/s
// by elapsed time, beside what plain reads of the same file reach (as `cat FILE >/dev/null` does
// them) in the same run, each the best of five.
#include <endicott-monitor.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct counts {
    uint64_t records, bytes;
};

static void on_record(void *arg, const struct endicott_monitor_record *record)
{
    struct counts *c = arg;
    c->records++;
    c->bytes += record->length;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// As cat(1) of coreutils 9: 128 KiB at a time. Returns the bytes.
static uint64_t plain(const char *path)
{
    static char buffer[128 * 1024];
    uint64_t bytes = 0;
    ssize_t n;
    int in = open(path, O_RDONLY), out = open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0)
        exit(1);
    while ((n = read(in, buffer, sizeof buffer)) > 0) {
        if (write(out, buffer, (size_t)n) != n)
            exit(1);
        bytes += (uint64_t)n;
    }
    close(in);
    close(out);
    return bytes;
}

int main(int argc, char **argv)
{
    static const struct endicott_monitor_events events = {.record = on_record};
    double cat = 1e9, read = 1e9;
    uint64_t bytes = 0, damages = 0;
    struct counts c = {0};
    if (argc != 2)
        return 2;
    for (int i = 0; i < 5; i++) {
        double t = now();
        bytes = plain(argv[1]);
        double taken = now() - t;
        cat = taken < cat ? taken : cat;
        c = (struct counts){0};
        t = now();
        if (endicott_monitor_file(argv[1], &events, &c, &damages) != 0)
            return 1;
        taken = now() - t;
        read = taken < read ? taken : read;
    }
    printf("%.0f MB, %" PRIu64 " records, %" PRIu64 " damages: read %.0f MB/s, %.1f M records/s; "
           "as cat does %.0f MB/s; ratio %.2f\n",
           (double)bytes / 1e6, c.records, damages, (double)bytes / read / 1e6,
           (double)c.records / read / 1e6, (double)bytes / cat / 1e6, cat / read);
    return 0;
}
