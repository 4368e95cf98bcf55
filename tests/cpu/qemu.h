// SPDX-License-Identifier: MIT
// An independent CPU for comparison: qemu-system-s390x, whose storage is ours to read and write
// while it does not run. Every instruction is carried out by the code that also runs programs of
// Linux in qemu-s390x, and each interruption shows all that the architecture says of it.
#ifndef ENDICOTT_TESTS_CPU_QEMU_H
#define ENDICOTT_TESTS_CPU_QEMU_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"

#define QEMU "qemu-system-s390x"

struct qemu {
    int storage_file, program_file;
    size_t size;
    uint8_t *storage;
};

static inline void qemu_elf_header(uint8_t *h, uint64_t at, uint64_t size)
{
    static const uint8_t ident[] = {0x7F, 'E', 'L', 'F', 2, 2, 1};
    memset(h, 0, 4096);
    memcpy(h, ident, sizeof ident);
    be16_store(h + 16, 2);  // executable
    be16_store(h + 18, 22); // s390
    be32_store(h + 20, 1);
    be64_store(h + 24, at); // entry
    be64_store(h + 32, 64); // program headers
    be16_store(h + 52, 64);
    be16_store(h + 54, 56);
    be16_store(h + 56, 1);
    be32_store(h + 64, 1); // PT_LOAD, all rights, file offset 4096
    be32_store(h + 68, 7);
    be64_store(h + 72, 4096);
    be64_store(h + 80, at);
    be64_store(h + 88, at);
    be64_store(h + 96, size);
    be64_store(h + 104, size);
    be64_store(h + 112, 4096);
}

// Storage of `mib` MiB, all zero, of which its firmware takes some near the end, and a program of
// one page at `entry`, where the machine starts.
static inline bool qemu_open(struct qemu *q, unsigned mib, uint64_t entry, const uint8_t *program)
{
    uint8_t header[4096];
    q->size = (size_t)mib << 20;
    q->storage_file = memfd_create("storage", 0);
    q->program_file = memfd_create("program", 0);
    if (q->storage_file < 0 || q->program_file < 0 ||
        ftruncate(q->storage_file, (off_t)q->size) != 0)
        return false;
    qemu_elf_header(header, entry, 4096);
    if (write(q->program_file, header, 4096) != 4096 ||
        write(q->program_file, program, 4096) != 4096)
        return false;
    q->storage = mmap(NULL, q->size, PROT_READ | PROT_WRITE, MAP_SHARED, q->storage_file, 0);
    return q->storage != MAP_FAILED;
}

static inline void qemu_close(struct qemu *q)
{
    munmap(q->storage, q->size);
    close(q->storage_file);
    close(q->program_file);
}

static inline pid_t qemu_start(const struct qemu *q)
{
    char backend[128], size[16], program[64];
    snprintf(backend, sizeof backend,
             "memory-backend-file,id=ram,share=on,size=%zuM,mem-path=/proc/self/fd/%d",
             q->size >> 20, q->storage_file);
    snprintf(size, sizeof size, "%zu", q->size >> 20);
    snprintf(program, sizeof program, "/proc/self/fd/%d", q->program_file);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        // Its own messages would look like ours; a difference is told by what it did.
        if (!getenv("ENDICOTT_QEMU_MESSAGES") && !freopen("/dev/null", "w", stderr))
            _exit(126);
        execlp(QEMU, QEMU, "-M", "s390-ccw-virtio,accel=tcg,memory-backend=ram", "-object", backend,
               "-m", size, "-nodefaults", "-display", "none", "-cpu", "max", "-no-reboot",
               "-kernel", program, (char *)NULL);
        _exit(127);
    }
    return child;
}

enum qemu_end {
    QEMU_DONE,  // a disabled wait, or it ended itself: what is in storage tells
    QEMU_STUCK, // ended by us, since the counter at `progress` stood still
};

// Waits until the machine of `child` is in a disabled wait or its process has ended otherwise, or
// the doubleword at `progress` of its storage has not changed for `seconds`.
static inline enum qemu_end qemu_wait(const struct qemu *q, pid_t child, unsigned progress,
                                      unsigned seconds)
{
    uint64_t last = be64_load(q->storage + progress);
    unsigned still = 0;
    const struct timespec pause = {0, 5000000};
    while (waitpid(child, NULL, WNOHANG) == 0) {
        nanosleep(&pause, NULL);
        uint64_t now = be64_load(q->storage + progress);
        still = now == last ? still + 1 : 0;
        last = now;
        if (still > seconds * 200) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return QEMU_STUCK;
        }
    }
    return QEMU_DONE;
}

#endif
