// SPDX-License-Identifier: MIT
// Speed of the interpreter: runs the loops of tests/cpu/bench/loops.S and prints millions of guest
// instructions a second. Figures, not a test: `make bench-cpu`.
#include "cpu/bare.h"

#include "base/clock.h"

static const char *const names[] = {"count", "registers", "mixed",      "moves",
                                    "calls", "masks",     "supervisor", "floats"};

static void run(struct bare *bare, unsigned which, uint64_t passes)
{
    struct cpu *cpu = bare->cpu;
    cpu->psw.address = bare_get64(bare, 0x1000 + which * 16);
    cpu->psw.wait = false;
    cpu->gr[12] = passes;
    cpu->gr[3] = 3;
    cpu->cr[0] |= 0x40000; // floating point
    uint64_t before = cpu->instructions, start = host_thread_ns();
    enum cpu_exit why = cpu_run(cpu, passes * 20 + 1000);
    double ns = (double)(host_thread_ns() - start);
    double n = (double)(cpu->instructions - before);
    printf("%-10s %8.1f MIPS  (%.0f instructions%s)\n", names[which], n * 1000 / ns, n,
           why == CPU_EXIT_DISABLED_WAIT ? "" : ", did not end");
}

int main(int argc, char **argv)
{
    uint64_t passes = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000000;
    struct bare *bare = bare_new(1);
    bare_load(bare, "bench/loops");
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        run(bare, i, passes);
    bare_free(bare);
    return 0;
}
