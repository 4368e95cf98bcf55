// SPDX-License-Identifier: MIT
// An independent CPU for comparison: runs a program in qemu-system-s390x.
#ifndef ENDICOTT_TESTS_CPU_QEMU_H
#define ENDICOTT_TESTS_CPU_QEMU_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"

#define QEMU "qemu-system-s390x"

// Reads CPU_PROGRAMS/`name`.bin, which runs `count` cases, into `image`. False when it is not
// there.
static inline bool qemu_load_driver(const char *name, uint8_t *image, size_t size, uint32_t count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/programs/%s.bin", CPU_PROGRAMS, name);
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    bool whole = fread(image, 1, size, f) > 0x2010;
    fclose(f);
    be64_store(image + 0x2008, count);
    return whole;
}

static inline void qemu_elf_header(uint8_t *h, uint32_t size)
{
    static const uint8_t ident[] = {0x7F, 'E', 'L', 'F', 2, 2, 1};
    memset(h, 0, 4096);
    memcpy(h, ident, sizeof ident);
    be16_store(h + 16, 2);  // executable
    be16_store(h + 18, 22); // s390
    be32_store(h + 20, 1);
    be64_store(h + 24, 0x2010); // entry
    be64_store(h + 32, 64);     // program headers
    be16_store(h + 52, 64);
    be16_store(h + 54, 56);
    be16_store(h + 56, 1);
    be32_store(h + 64, 1); // PT_LOAD, all rights, file offset 4096, address 0
    be32_store(h + 68, 7);
    be64_store(h + 72, 4096);
    be64_store(h + 96, size);
    be64_store(h + 104, size);
    be64_store(h + 112, 4096);
}

static inline void qemu_write_elf(const char *path, const uint8_t *image, unsigned image_size,
                                  const uint8_t *blocks, unsigned size)
{
    uint8_t header[4096];
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    qemu_elf_header(header, image_size + size);
    fwrite(header, 1, sizeof header, f);
    fwrite(image, 1, image_size, f);
    fwrite(blocks, 1, size, f);
    fclose(f);
}

// Reads lines of the machine protocol until one holds `word`; false at its end.
static inline bool qemu_wait_for(FILE *in, const char *word)
{
    char line[4096];
    while (fgets(line, sizeof line, in)) {
        if (strstr(line, word))
            return true;
    }
    return false;
}

// Runs `image` at absolute 0 with `blocks` behind it, from 0x2010 until the disabled wait, and
// fetches the blocks as they are then. False when qemu did not get there.
static inline bool qemu_run(const uint8_t *image, unsigned image_size, uint8_t *blocks,
                            unsigned size)
{
    char elf[64], dump[64];
    snprintf(elf, sizeof elf, "/tmp/endicott-snippets-%d.elf", (int)getpid());
    snprintf(dump, sizeof dump, "/tmp/endicott-snippets-%d.bin", (int)getpid());
    qemu_write_elf(elf, image, image_size, blocks, size);
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execlp(QEMU, QEMU, "-M", "s390-ccw-virtio,accel=tcg", "-nodefaults", "-display", "none",
               "-m", "64", "-cpu", "max", "-no-shutdown", "-action", "panic=pause", "-qmp", "stdio",
               "-kernel", elf, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    FILE *out = fdopen(to[1], "w"), *in = fdopen(from[0], "r");
    fprintf(out, "{\"execute\":\"qmp_capabilities\"}\n");
    fflush(out);
    bool good = qemu_wait_for(in, "\"STOP\"");
    if (good) {
        fprintf(out,
                "{\"execute\":\"pmemsave\",\"arguments\":{\"val\":%u,\"size\":%u,\"filename\":\"%"
                "s\"}}\n"
                "{\"execute\":\"quit\"}\n",
                image_size, size, dump);
        fflush(out);
        qemu_wait_for(in, "no such line"); // until it ends
    }
    fclose(out);
    fclose(in);
    waitpid(child, NULL, 0);
    FILE *f = good ? fopen(dump, "rb") : NULL;
    if (f) {
        good = fread(blocks, 1, size, f) == size;
        fclose(f);
    }
    if (!getenv("ENDICOTT_KEEP"))
        remove(elf);
    remove(dump);
    return good && f;
}

#endif
