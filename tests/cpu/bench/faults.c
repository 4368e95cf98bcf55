// SPDX-License-Identifier: MIT
// Benchmark: page faults: dynamic address translation with one segment, whose pages are invalidated
// by IPTE and made valid again by the handler when they are touched.
#include <stdint.h>

#define PAGES   64 // of the segment's 256, beyond the program itself
#define FIRST   128
#define INVALID 0x400

static uint64_t segments[2048] __attribute__((aligned(16384)));
static uint64_t pages[256] __attribute__((aligned(2048)));

__asm__(".text\n"
        "fault:\n\t"
        "stmg 1,3,0x200(0)\n\t"
        "lg 1,0xA8(0)\n\t" // the page's address
        "srlg 2,1,12\n\t"
        "sllg 2,2,3\n\t"
        "lg 3,0x268(0)\n\t" // the page table
        "srlg 1,1,12\n\t"
        "sllg 1,1,12\n\t"
        "stg 1,0(2,3)\n\t"
        "lg 1,0x260(0)\n\t"
        "la 1,1(1)\n\t"
        "stg 1,0x260(0)\n\t"
        "lmg 1,3,0x200(0)\n\t"
        "lpswe 0x150(0)\n");

extern const uint8_t fault[];

static void prepare(uint8_t *lowcore)
{
    for (unsigned i = 0; i < 2048; i++)
        segments[i] = 0x20;
    for (unsigned i = 0; i < 256; i++)
        pages[i] = (uint64_t)i << 12;
    segments[0] = (uint64_t)(uintptr_t)pages;
    *(volatile uint64_t *)(lowcore + 0x1D0) = UINT64_C(0x0000000180000000);
    *(volatile uint64_t *)(lowcore + 0x1D8) = (uint64_t)(uintptr_t)fault;
    *(volatile uint64_t *)(lowcore + 0x268) = (uint64_t)(uintptr_t)pages;
    uint64_t asce = (uint64_t)(uintptr_t)segments | 3;
    __asm__ volatile("lctlg 1,1,%0" : : "Q"(asce));
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x2820);

uint64_t kernel(void);
uint64_t kernel(void)
{
    static int ready;
    uint8_t *volatile lowcore_address = 0;
    uint8_t *lowcore = lowcore_address;
    if (!ready)
        prepare(lowcore);
    ready = 1;
    *(volatile uint64_t *)(lowcore + 0x260) = 0;
    for (uint64_t i = FIRST; i < FIRST + PAGES; i++)
        __asm__ volatile(".insn rrf,0xb2210000,%0,%1,0,0" // IPTE
                         :
                         : "a"((uint64_t)(uintptr_t)pages), "a"(i << 12)
                         : "memory");
    __asm__ volatile("stosm 0x270(0),4" : : : "memory");
    uint64_t sum = 0;
    for (uint64_t i = FIRST; i < FIRST + PAGES; i++) {
        volatile uint8_t *p = (uint8_t *)(uintptr_t)(i << 12);
        *p = (uint8_t)i;
        sum += *p;
    }
    __asm__ volatile("stnsm 0x270(0),0xFB" : : : "memory");
    return sum + *(volatile uint64_t *)(lowcore + 0x260);
}
