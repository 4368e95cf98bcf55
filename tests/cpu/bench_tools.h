// SPDX-License-Identifier: MIT
// What the benchmarks share: emulators as child processes whose CPU time is taken, medians, means.
#ifndef ENDICOTT_TESTS_CPU_BENCH_TOOLS_H
#define ENDICOTT_TESTS_CPU_BENCH_TOOLS_H

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum emulator { ENDICOTT, QEMU, HERCULES, EMULATORS };
static const char *const emulator_names[EMULATORS] = {"Endicott", "QEMU TCG", "Hercules"};

#define ROUNDS 5

static inline bool installed(const char *program)
{
    char path[512], *list = getenv("PATH"), *save = NULL;
    char *copy = strdup(list ? list : "");
    bool found = false;
    for (char *dir = strtok_r(copy, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
        snprintf(path, sizeof path, "%s/%s", dir, program);
        found = access(path, X_OK) == 0;
    }
    free(copy);
    return found;
}

static inline bool emulator_present(enum emulator e)
{
    return e == ENDICOTT || installed(e == QEMU ? "qemu-system-s390x" : "hercules");
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(const double *values, unsigned n)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, by_size);
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

// Rates of one program in each emulator; 0 where it did not run.
struct row {
    char name[16];
    double rate[EMULATORS];
};

static inline void print_ratio(const struct row *row, enum emulator than)
{
    if (row->rate[than] > 0 && row->rate[ENDICOTT] > 0)
        printf(" %8.2f", row->rate[ENDICOTT] / row->rate[than]);
    else
        printf(" %8s", "-");
}

static inline void print_rate(double rate)
{
    if (rate > 0)
        printf(" %10.1f", rate);
    else
        printf(" %10s", "-");
}

static inline void print_row(const struct row *row)
{
    printf("%-12s", row->name);
    for (enum emulator e = 0; e < EMULATORS; e++)
        print_rate(row->rate[e]);
    print_ratio(row, QEMU);
    print_ratio(row, HERCULES);
    printf("\n");
    fflush(stdout);
}

static inline void print_header(const char *unit)
{
    printf("%-12s %10s %10s %10s   : QEMU   : Herc\n", unit, emulator_names[0], emulator_names[1],
           emulator_names[2]);
}

static inline void print_mean(const struct row *rows, unsigned n, enum emulator than)
{
    double sum = 0, least = INFINITY;
    unsigned seen = 0;
    const char *weakest = "";
    for (unsigned i = 0; i < n; i++) {
        if (!(rows[i].rate[than] > 0 && rows[i].rate[ENDICOTT] > 0))
            continue;
        double ratio = rows[i].rate[ENDICOTT] / rows[i].rate[than];
        sum += log(ratio);
        seen++;
        if (ratio < least) {
            least = ratio;
            weakest = rows[i].name;
        }
    }
    if (seen)
        printf("geometric mean of %u against %s: %.2f (least: %s, %.2f)\n", seen,
               emulator_names[than], exp(sum / seen), weakest, least);
    fflush(stdout);
}

// Rows in a file, for the mean over several programs' tables. Writing ends the program if it fails.
static inline void write_rows(const char *path, const struct row *rows, unsigned n)
{
    FILE *f = fopen(path, "w");
    for (unsigned i = 0; f && i < n; i++)
        fprintf(f, "%s %.9g %.9g %.9g\n", rows[i].name, rows[i].rate[ENDICOTT], rows[i].rate[QEMU],
                rows[i].rate[HERCULES]);
    if (!f || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

// How many rows were read, at most `most`; none where there is no such file.
static inline unsigned read_rows(const char *path, struct row *rows, unsigned most)
{
    FILE *f = fopen(path, "r");
    unsigned n = 0;
    while (f && n < most &&
           fscanf(f, "%15s %lf %lf %lf", rows[n].name, &rows[n].rate[ENDICOTT], &rows[n].rate[QEMU],
                  &rows[n].rate[HERCULES]) == 4)
        n++;
    if (f)
        fclose(f);
    return n;
}

// --- child processes ----------------------------------------------------------------------------

struct child {
    pid_t pid;
    FILE *output;
};

// Starts a command in `directory`.
static inline struct child child_start(const char *directory, const char *command)
{
    int out[2], in[2];
    struct child child = {-1, NULL};
    if (pipe(out) || pipe(in))
        return child;
    child.pid = fork();
    if (child.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(out[1], 2);
        close(out[0]);
        if (chdir(directory) == 0)
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    child.output = fdopen(out[0], "r");
    return child; // in[1] is left open: Hercules ends when its input does
}

// Ends it, if it has not ended; gives its CPU seconds and, in *code, its exit code or -1.
static inline double child_end(struct child *child, bool stop, int *code)
{
    struct rusage used;
    int status = 0;
    *code = -1;
    if (stop)
        kill(child->pid, SIGKILL);
    if (wait4(child->pid, &status, 0, &used) < 0)
        return 0;
    if (child->output)
        fclose(child->output);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// CPU seconds of a process that runs.
static inline double child_time(const struct child *child)
{
    clockid_t clock;
    struct timespec now;
    if (clock_getcpuclockid(child->pid, &clock) || clock_gettime(clock, &now))
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline void write_text(const char *directory, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

// Hercules' configuration: z/Architecture, a console on standard output.
static inline void write_hercules(const char *directory, unsigned megabytes, const char *set)
{
    char text[512];
    snprintf(text, sizeof text,
             "ARCHMODE ESAME\nCPUMODEL 2097\nMAINSIZE %u\nNUMCPU 1\nCNSLPORT 127.0.0.1:%u\n"
             "OSTAILOR QUIET\nPGMPRDOS LICENSED\n0009 3215-C /\n",
             megabytes, 20000 + (unsigned)getpid() % 10000);
    write_text(directory, "bench.cnf", text);
    snprintf(text, sizeof text, "ipl %s\n", set);
    write_text(directory, "bench.rc", text);
    setenv("HERCULES_RC", "bench.rc", 1);
}

#endif
