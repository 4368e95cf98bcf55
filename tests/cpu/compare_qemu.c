// SPDX-License-Identifier: MIT
// The long differential run (make fuzz-cpu): compare_qemu [--seed N] [--cases N] [--first BATCH]
// [--only MNEMONIC]. With --first it goes on where another run ended; with --cases 1 as well it
// repeats one batch.
#include "cpu/differ.h"
#include "cpu/tool.h"

static const char *option(int argc, char **argv, const char *name)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    }
    return NULL;
}

static uint64_t number(int argc, char **argv, const char *name, uint64_t value)
{
    const char *text = option(argc, argv, name);
    return text && *text ? strtoull(text, NULL, 0) : value;
}

int main(int argc, char **argv)
{
    uint64_t seed = number(argc, argv, "--seed", 1);
    uint64_t cases = number(argc, argv, "--cases", 1000000);
    unsigned batch = (unsigned)number(argc, argv, "--first", 1);
    if (tool_missing(QEMU))
        return 1;
    printf("# seed %llu, %llu cases from batch %u\n", (unsigned long long)seed,
           (unsigned long long)cases, batch);
    struct differ *d = differ_new(seed, option(argc, argv, "--only"));
    if (!d)
        return 1;
    bool good = true;
    uint64_t before = d->cases;
    for (; good && d->cases - before < cases; batch++) {
        good = differ_batch(d, batch, CASE_MOST) && d->batch.blocks;
        if (batch % 20 == 0)
            printf("# %llu cases, %llu differences; next batch %u\n", (unsigned long long)d->cases,
                   (unsigned long long)d->differences, batch + 1);
        fflush(stdout);
    }
    differ_report(d);
    good = good && d->differences == 0;
    differ_free(d);
    return good ? 0 : 1;
}
