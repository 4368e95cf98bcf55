// SPDX-License-Identifier: MIT
// Benchmark: loads that depend on each other, all over 4 MiB.
#include <stdint.h>

#define CELLS (1u << 20)

static uint32_t cells[CELLS];
static uint32_t at;

static void prepare(void)
{
    uint32_t seed = 99;
    for (uint32_t i = 0; i < CELLS; i++)
        cells[i] = i;
    for (uint32_t i = CELLS - 1; i > 0; i--) { // one cycle through all cells
        seed = seed * 1664525u + 1013904223u;
        uint32_t j = (uint32_t)((uint64_t)seed * i >> 32), t = cells[i];
        cells[i] = cells[j];
        cells[j] = t;
    }
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x1);

uint64_t kernel(void);
uint64_t kernel(void)
{
    static uint32_t ready;
    if (!ready) {
        prepare();
        ready = 1;
    }
    for (unsigned i = 0; i < 20000; i++)
        at = cells[at];
    return ready;
}
