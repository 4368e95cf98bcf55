// SPDX-License-Identifier: MIT
// Load inside of a Linux guest that checks itself: stress SECONDS FOLDER
//
// For so long, at once: arithmetic, processes that come and go, memory that is mapped, filled,
// protected and given back, threads that add to one counter, and files written, copied and read
// again. Prints a line for each worker and exits with 1 when one saw something wrong.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static time_t end;

static bool time_left(void)
{
    return time(NULL) < end;
}

// xorshift64*; the same seed gives the same bytes again.
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

// --- workers: one round each, false when something was wrong ------------------------

// Primes below 20000, and the sum of a series.
static bool compute(unsigned seed)
{
    (void)seed;
    static uint8_t composite[20000];
    unsigned primes = 0;
    double sum = 0;
    memset(composite, 0, sizeof composite);
    for (unsigned i = 2; i < sizeof composite; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned j = 2 * i; j < sizeof composite; j += i)
            composite[j] = 1;
    }
    for (unsigned i = 0; i < 100000; i++)
        sum += (i % 2 ? -4.0 : 4.0) / (2 * i + 1);
    return primes == 2262 && sum > 3.14158 && sum < 3.14160;
}

// A child that makes a child; its bytes are its own.
static bool make_processes(unsigned seed)
{
    static uint8_t bytes[3 * 4096];
    int status;
    memset(bytes, (int)seed, sizeof bytes);
    pid_t child = fork();
    if (child == 0) {
        memset(bytes, 1, sizeof bytes);
        pid_t other = fork();
        if (other == 0) {
            memset(bytes, 2, sizeof bytes);
            _exit(bytes[4096] == 2 ? 5 : 6);
        }
        bool right = waitpid(other, &status, 0) == other && WEXITSTATUS(status) == 5;
        _exit(right && bytes[8192] == 1 ? 7 : 8);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7 &&
           bytes[0] == (uint8_t)seed && bytes[2 * 4096] == (uint8_t)seed;
}

#define AREA (4u << 20)
static bool use_memory(unsigned seed)
{
    uint64_t state = seed + 1;
    uint64_t *at = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return false;
    for (unsigned i = 0; i < AREA / 8; i++)
        at[i] = next(&state);
    bool right = mprotect(at, AREA, PROT_READ) == 0;
    // The middle is given back and reads as zeros.
    right = right && mprotect(at, AREA, PROT_READ | PROT_WRITE) == 0 &&
            madvise((uint8_t *)at + AREA / 4, AREA / 4, MADV_DONTNEED) == 0;
    state = seed + 1;
    for (unsigned i = 0; i < AREA / 8; i++) {
        uint64_t expected = next(&state);
        if (i >= AREA / 32 && i < AREA / 16)
            expected = 0;
        right = right && at[i] == expected;
    }
    return munmap(at, AREA) == 0 && right;
}

#define THREADS 4
#define ADDS    20000
static atomic_ulong added;
static unsigned long guarded;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused)
{
    for (unsigned i = 0; i < ADDS; i++) {
        atomic_fetch_add(&added, 1);
        pthread_mutex_lock(&mutex);
        guarded++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static bool use_threads(unsigned seed)
{
    (void)seed;
    pthread_t threads[THREADS];
    added = guarded = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, add, NULL))
            return false;
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return added == THREADS * ADDS && guarded == THREADS * ADDS;
}

#define BLOCK  65536u
#define BLOCKS 16u

static bool write_file(const char *path, unsigned seed)
{
    static uint64_t block[BLOCK / 8];
    uint64_t state = seed + 1;
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    bool right = fd >= 0;
    for (unsigned i = 0; right && i < BLOCKS; i++) {
        for (unsigned j = 0; j < BLOCK / 8; j++)
            block[j] = next(&state);
        right = write(fd, block, BLOCK) == (ssize_t)BLOCK;
    }
    right = right && fsync(fd) == 0;
    close(fd);
    return right;
}

static bool copy_file(const char *from, const char *to)
{
    static uint8_t buffer[10000];
    int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    ssize_t n = 0;
    bool right = in >= 0 && out >= 0;
    while (right && (n = read(in, buffer, sizeof buffer)) > 0)
        right = write(out, buffer, (size_t)n) == n;
    right = right && n == 0 && fsync(out) == 0;
    // So that reading it again asks the device.
    posix_fadvise(out, 0, 0, POSIX_FADV_DONTNEED);
    close(in);
    close(out);
    return right;
}

static bool check_file(const char *path, unsigned seed)
{
    static uint64_t block[BLOCK / 8];
    uint64_t state = seed + 1;
    int fd = open(path, O_RDONLY);
    bool right = fd >= 0;
    for (unsigned i = 0; right && i < BLOCKS; i++) {
        right = read(fd, block, BLOCK) == (ssize_t)BLOCK;
        for (unsigned j = 0; right && j < BLOCK / 8; j++)
            right = block[j] == next(&state);
    }
    close(fd);
    return right;
}

static bool use_files(unsigned seed)
{
    char from[256], to[256];
    snprintf(from, sizeof from, "%s/from.%d", folder, (int)getpid());
    snprintf(to, sizeof to, "%s/to.%d", folder, (int)getpid());
    bool right = write_file(from, seed) && copy_file(from, to) && check_file(to, seed);
    unlink(from);
    unlink(to);
    return right;
}

// --- all of them ---------------------------------------------------------------------

static const struct worker {
    const char *name;
    bool (*round)(unsigned seed);
} workers[] = {
    {"compute", compute},     {"processes", make_processes}, {"memory", use_memory},
    {"threads", use_threads}, {"files", use_files},          {"files", use_files},
};
#define WORKERS (sizeof workers / sizeof *workers)

static int work(const struct worker *worker, unsigned number)
{
    unsigned rounds = 0;
    bool right = true;
    do {
        right = worker->round(number * 1000003u + rounds);
        rounds++;
    } while (right && time_left());
    printf("stress %s rounds=%u %s\n", worker->name, rounds, right ? "ok" : "WRONG");
    fflush(stdout);
    return right ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: stress SECONDS FOLDER\n");
        return 2;
    }
    folder = argv[2];
    end = time(NULL) + (time_t)strtoul(argv[1], NULL, 10);
    for (unsigned i = 0; i < WORKERS; i++) {
        if (fork() == 0)
            exit(work(&workers[i], i));
    }
    int wrong = 0, status;
    while (wait(&status) > 0)
        wrong += status != 0;
    printf("stress ends wrong=%d\n", wrong);
    return wrong != 0;
}
