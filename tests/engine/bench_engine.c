// SPDX-License-Identifier: MIT
// What a whole system costs: monitor samples, reading MONWRITE files, real processors as threads,
// idling. Figures, not a test: scripts/bench runs it.
#include <sys/resource.h>

#include "engine/busy.h"

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static double elapsed(void)
{
    return (double)host_monotonic_ns() / 1e9;
}

static void run(struct endicott *sys, double seconds)
{
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(seconds));
}

// --- the monitor --------------------------------------------------------------------

#define GUESTS  100
#define SECONDS 600

static unsigned long samples, records, bytes;

static void count_record(void *arg, const struct endicott_record *record)
{
    (void)arg;
    records++;
    bytes += record->length;
}

static void count_sample(void *arg, tod_t time, bool subinterval)
{
    (void)arg;
    (void)time;
    (void)subinterval;
    samples++;
}

static struct endicott *many_guests(void)
{
    static char directory[GUESTS * 80 + 400];
    char *at = directory, *error = NULL, line[40];
    at += sprintf(at, "USER OPERATOR OPERATOR 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n"
                      "USER WRITER WRITER 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n"
                      " NAMESAVE MONDCSS\n CONSOLE 0009 3215 T\n");
    for (unsigned i = 0; i < GUESTS; i++)
        at += sprintf(at, "USER G%03u G 1M 1M G\n MACHINE Z\n CONSOLE 0009 3215\n", i);
    struct endicott *sys = endicott_new(
        &(struct endicott_options){.mode = CLOCK_VIRTUAL, .directory_text = directory}, &error);
    for (unsigned i = 0; sys && i < GUESTS; i++) {
        snprintf(line, sizeof line, "XAUTOLOG G%03u", i);
        busy_command(sys, NULL, line);
    }
    return sys;
}

static void set_monitor(struct endicott *sys)
{
    busy_command(sys, NULL, "MONITOR SAMPLE ENABLE ALL");
    busy_command(sys, NULL, "MONITOR SAMPLE INTERVAL 6 SECONDS");
    busy_command(sys, NULL, "MONITOR SAMPLE SUBINTERVAL 1 SECOND");
}

static int monitor(const char *folder)
{
    char path[400], *error = NULL;
    struct endicott *sys = many_guests();
    if (!sys)
        return 1;
    endicott_monwrite_folder(sys, folder);
    set_monitor(sys);
    double start = cpu_seconds();
    run(sys, SECONDS);
    double without = cpu_seconds() - start;
    struct endicott_subscription *sub =
        endicott_subscribe(sys, true, count_record, count_sample, 0);
    busy_command(sys, NULL, "MONITOR SAMPLE START");
    start = cpu_seconds();
    run(sys, SECONDS);
    double with = cpu_seconds() - start;
    printf("monitor: %u users, %lu samples, %lu records, %.1f MB: %.1f us a sample, %.2f us a "
           "record\n",
           GUESTS, samples, records, (double)bytes / 1e6, (with - without) * 1e6 / (double)samples,
           (with - without) * 1e6 / (double)records);
    endicott_unsubscribe(sub);
    busy_command(sys, NULL, "MONITOR SAMPLE STOP");
    busy_command(sys, NULL, "XAUTOLOG WRITER");
    busy_command(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK BENCH MONDATA SUBINT");
    busy_command(sys, NULL, "MONITOR SAMPLE START");
    start = cpu_seconds();
    run(sys, SECONDS);
    double writing = cpu_seconds() - start - without;
    endicott_free(sys);
    snprintf(path, sizeof path, "%s/WRITER/BENCH.MONDATA", folder);
    records = bytes = 0;
    start = cpu_seconds();
    if (endicott_read_monwrite(path, count_record, NULL, &error) != 0)
        return 1;
    double reading = cpu_seconds() - start;
    printf("monitor: the same to a MONWRITE file: %.1f us a sample; %lu records written, %.2f "
           "million records/s\n",
           writing * 1e6 / (double)samples, records, (double)records / 1e6 / writing);
    printf("reader: %lu records, %.1f MB in %.3f s: %.0f MB/s, %.2f million records/s\n", records,
           (double)bytes / 1e6, reading, (double)bytes / 1e6 / reading,
           (double)records / 1e6 / reading);
    return 0;
}

// --- processors ---------------------------------------------------------------------

// Millions of instructions a second of elapsed time, and, which a busy host disturbs less, a second
// of CPU time of the process.
struct throughput {
    double elapsed, cpu;
};

static struct throughput guests_on_two_processors(unsigned guests)
{
    struct endicott_options options = {.mode = CLOCK_REAL,
                                       .config_text = busy_config,
                                       .directory_text = busy_directory,
                                       .processors = 2};
    char *error = NULL, name[10];
    busy_find_guests();
    struct endicott *sys = endicott_new(&options, &error);
    uint64_t before = 0, after = 0;
    for (unsigned i = 1; i <= guests; i++) {
        snprintf(name, sizeof name, "COMPUTE%u", i);
        busy_xautolog(sys, name);
    }
    run(sys, 0.3);
    for (unsigned i = 1; i <= guests; i++) {
        snprintf(name, sizeof name, "COMPUTE%u", i);
        before += busy_instructions(sys, name);
    }
    double start = elapsed(), cpu_start = cpu_seconds();
    run(sys, 2);
    double seconds = elapsed() - start, cpu = cpu_seconds() - cpu_start;
    for (unsigned i = 1; i <= guests; i++) {
        snprintf(name, sizeof name, "COMPUTE%u", i);
        after += busy_instructions(sys, name);
    }
    endicott_free(sys);
    double millions = (double)(after - before) / 1e6;
    return (struct throughput){millions / seconds, millions / cpu};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define ROUNDS 5

static double median(double rounds[ROUNDS])
{
    qsort(rounds, ROUNDS, sizeof *rounds, by_size);
    return rounds[ROUNDS / 2];
}

// One guest and two in turns, since the host's own speed changes by a fifth.
static int processors(void)
{
    double one[ROUNDS], two[ROUNDS], one_cpu[ROUNDS], two_cpu[ROUNDS];
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct throughput t = guests_on_two_processors(1);
        one[i] = t.elapsed;
        one_cpu[i] = t.cpu;
        t = guests_on_two_processors(2);
        two[i] = t.elapsed;
        two_cpu[i] = t.cpu;
    }
    double alone = median(one), both = median(two);
    printf("processors: one guest %.0f MIPS, two guests on two processors %.0f MIPS: %.2f times\n",
           alone, both, both / alone);
    // What two cost each other, whatever else the host does: 2.00 is nothing.
    alone = median(one_cpu);
    both = median(two_cpu);
    printf("processors, by CPU time: %.0f MIPS alone, %.0f beside the other: %.2f times\n", alone,
           both, 2 * both / alone);
    return 0;
}

// --- idling -------------------------------------------------------------------------

static int idle(double seconds)
{
    char *error = NULL;
    struct endicott *sys = endicott_new(&(struct endicott_options){.mode = CLOCK_REAL}, &error);
    if (!sys)
        return 1;
    double start = cpu_seconds();
    run(sys, seconds);
    double used = cpu_seconds() - start;
    printf("idle: %.0f s of the default system: %.4f s of CPU time, %.3f %% of a core\n", seconds,
           used, used / seconds * 100);
    endicott_free(sys);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "monitor") == 0)
        return monitor(argv[2]);
    if (argc == 2 && strcmp(argv[1], "processors") == 0)
        return processors();
    if (argc == 3 && strcmp(argv[1], "idle") == 0)
        return idle(atof(argv[2]));
    fprintf(stderr, "usage: %s monitor FOLDER | processors | idle SECONDS\n", argv[0]);
    return 2;
}
