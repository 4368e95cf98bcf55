// SPDX-License-Identifier: MIT
// Benchmark inside of a Linux guest: the kernels of tests/cpu/bench as processes, and what an
// operating system does for them: system calls, page faults, switches between processes.
//
//   bench NAME MILLISECONDS     passes until so much of the guest's time is over, at least one
//   bench check                 one pass of each, in a process each
//
// prints "NAME passes=N ok" or "... BAD"; every pass checks its result.
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KERNELS(k) k(core) k(records) k(arithmetic) k(floating) k(chase) k(bytes) k(decimal)
#define DECLARE(name)             \
    uint64_t kernel_##name(void); \
    extern const uint64_t expected_##name;
KERNELS(DECLARE)
#define PASS(name)                                 \
    static bool name##_pass(void)                  \
    {                                              \
        return kernel_##name() == expected_##name; \
    }
KERNELS(PASS)

// --- the operating system's -------------------------------------------------------

static bool syscall_pass(void)
{
    pid_t parent = getppid();
    for (unsigned i = 0; i < 1000; i++) {
        if (syscall(SYS_getppid) != parent)
            return false;
    }
    return true;
}

#define PAGES 256
static bool fault_pass(void)
{
    unsigned char *at = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool zero = at != MAP_FAILED;
    for (unsigned i = 0; zero && i < PAGES; i++) {
        zero = at[i * 4096 + i] == 0;
        at[i * 4096 + i] = 1;
    }
    return munmap(at, PAGES * 4096) == 0 && zero;
}

// A byte to the other process and back, 200 times.
static int to_other[2], from_other[2];

static void echo(void)
{
    unsigned char byte;
    close(to_other[1]);
    while (read(to_other[0], &byte, 1) == 1) {
        byte = (unsigned char)(byte * 5 + 1);
        if (write(from_other[1], &byte, 1) != 1)
            break;
    }
    _exit(0);
}

static bool switch_pass(void)
{
    static bool started;
    if (!started) {
        if (pipe(to_other) || pipe(from_other))
            return false;
        pid_t other = fork();
        if (other == 0)
            echo();
        started = other > 0;
    }
    for (unsigned i = 0; i < 200; i++) {
        unsigned char byte = (unsigned char)i, answer;
        if (write(to_other[1], &byte, 1) != 1 || read(from_other[0], &answer, 1) != 1 ||
            answer != (unsigned char)(byte * 5 + 1))
            return false;
    }
    return true;
}

static bool fork_pass(void)
{
    pid_t child = fork();
    int status;
    if (child == 0)
        _exit(42);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

// --- passes ---------------------------------------------------------------------------

static const struct program {
    const char *name;
    bool (*pass)(void);
} programs[] = {
#define ROW(name) {#name, name##_pass},
    KERNELS(ROW) ROW(syscall) ROW(fault) ROW(switch) ROW(fork)};
#define PROGRAMS (sizeof programs / sizeof *programs)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int run(const struct program *program, double milliseconds)
{
    unsigned long passes = 0;
    bool right = true;
    double end = now() + milliseconds;
    do {
        right = program->pass();
        passes++;
    } while (right && now() < end);
    printf("%s passes=%lu %s\n", program->name, passes, right ? "ok" : "BAD");
    fflush(stdout);
    return right ? 0 : 1;
}

// In a process each, since an emulator may lack an instruction.
static int check(void)
{
    int bad = 0, status;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        pid_t child = fork();
        if (child == 0)
            exit(run(&programs[i], 0));
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            printf("%s died BAD\n", programs[i].name);
            fflush(stdout);
        }
        bad += status != 0;
    }
    return bad != 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "check") == 0)
        return check();
    for (unsigned i = 0; argc == 3 && i < PROGRAMS; i++) {
        if (strcmp(argv[1], programs[i].name) == 0)
            return run(&programs[i], strtod(argv[2], NULL));
    }
    fprintf(stderr, "usage: bench NAME MILLISECONDS | bench check\n");
    return 2;
}
