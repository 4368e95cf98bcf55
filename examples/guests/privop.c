// SPDX-License-Identifier: MIT
// A loop of privileged instructions that a hypervisor has to simulate, each timed on its own.
// Parameters: n=, how often each (1000).
#include "runtime/guest.h"

static uint8_t block[4096] __attribute__((aligned(4096)));

static void stidp(void)
{
    __asm__ volatile("stidp %0" : "=Q"(*(uint64_t *)(void *)block));
}

static void stap(void)
{
    __asm__ volatile("stap %0" : "=Q"(*(uint16_t *)(void *)block));
}

static void stsi(void)
{
    register uint32_t r0 __asm__("0") = 0x10000001; // 1.1.1
    register uint32_t r1 __asm__("1") = 1;
    __asm__ volatile("stsi %2" : "+d"(r0), "+d"(r1), "=Q"(block) : : "cc", "memory");
}

static void stpx(void)
{
    __asm__ volatile("stpx %0" : "=Q"(*(uint32_t *)(void *)block));
}

static void spx(void)
{
    static const uint32_t prefix = 0;
    __asm__ volatile("spx %0" : : "Q"(prefix) : "memory");
}

static const struct {
    const char *name;
    void (*operation)(void);
} operations[] = {{"STIDP", stidp}, {"STAP", stap}, {"STSI", stsi}, {"STPX", stpx}, {"SPX", spx}};
#define OPERATIONS (sizeof operations / sizeof *operations)

unsigned long guest_main(void)
{
    uint64_t n = parameter_number("n", 1000), us[OPERATIONS], total = 0;

    for (unsigned i = 0; i < OPERATIONS; i++) {
        uint64_t start = now_us();
        for (uint64_t k = 0; k < n; k++)
            operations[i].operation();
        us[i] = now_us() - start;
        total += us[i];
        transactions += n;
    }
    for (unsigned i = 0; i < OPERATIONS; i++)
        print("privop: %lu %s in %lu microseconds", n, operations[i].name, us[i]);
    print("privop: %lu microseconds in all", total);
    return END_OK;
}
