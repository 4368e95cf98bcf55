// SPDX-License-Identifier: MIT
// Runs a fuzz harness over a fixed pseudo-random corpus, so that `make check` exercises each parser
// under sanitizers without libFuzzer: PROGRAM [RUNS [SEED]], or PROGRAM FILE... to replay inputs.
// Prints TAP.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 4096, DEFAULT_RUNS = 1000 };

static uint64_t state;

static uint32_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

// Three kinds of input in turn: noise, printable text, and a mutation of the one before.
static size_t make_input(uint8_t *data, size_t before, unsigned run)
{
    size_t size = next_random() % (run % 7 == 0 ? MAX_INPUT : 256);
    if (run % 3 == 2 && before) {
        for (unsigned i = 0; i < 4; i++)
            data[next_random() % before] = (uint8_t)next_random();
        return before;
    }
    for (size_t i = 0; i < size; i++)
        data[i] = run % 3 == 1 ? (uint8_t)(next_random() % 12 ? ' ' + next_random() % 95 : '\n')
                               : (uint8_t)next_random();
    return size;
}

static int replay(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 1;
    }
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    LLVMFuzzerTestOneInput(data, n);
    return 0;
}

int main(int argc, char **argv)
{
    static uint8_t data[MAX_INPUT];
    static char nothing[1];
    char *end = nothing;
    unsigned long runs = argc > 1 ? strtoul(argv[1], &end, 10) : DEFAULT_RUNS;
    if (*end) {
        for (int i = 1; i < argc; i++)
            if (replay(argv[i]))
                return 1;
        return 0;
    }
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    size_t size = 0;
    state = seed;
    for (unsigned run = 0; run < runs; run++) {
        size = make_input(data, size, run);
        // An exact-size copy, so that a read past the end is seen.
        uint8_t *copy = malloc(size ? size : 1);
        if (!copy)
            return 1;
        memcpy(copy, data, size);
        LLVMFuzzerTestOneInput(copy, size);
        free(copy);
    }
    printf("ok 1 - %lu inputs, seed %lu\n1..1\n", runs, seed);
    return 0;
}
