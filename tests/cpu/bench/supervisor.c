// SPDX-License-Identifier: MIT
// Benchmark: supervisor calls, with a handler that saves and counts in the lowcore page, next to
// the LPSWE that returns: as kernels do.
#include <stdint.h>

__asm__(".text\n"
        "handler:\n\t"
        "stmg 8,15,0x200(0)\n\t"
        "stpt 0x248(0)\n\t"
        "mvc 0x250(16),0x140(0)\n\t"
        "lg 8,0x260(0)\n\t"
        "la 8,1(8)\n\t"
        "stg 8,0x260(0)\n\t"
        "lgr 2,8\n\t"
        "lmg 8,15,0x200(0)\n\t"
        "j leave\n\t"
        ".globl leave_text\n"
        "leave_text: lpswe 0x250(0)\n"
        "leave = 0x268\n");

extern const uint8_t handler[], leave_text[];

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x1F4);

uint64_t kernel(void);
uint64_t kernel(void)
{
    // The compiler takes addresses near zero for mistakes: this one is the lowcore.
    uint8_t *volatile lowcore_address = 0;
    uint8_t *lowcore = lowcore_address;
    for (unsigned i = 0; i < 4; i++)
        lowcore[0x268 + i] = leave_text[i];
    *(volatile uint64_t *)(lowcore + 0x260) = 0;
    *(volatile uint64_t *)(lowcore + 0x1C0) = UINT64_C(0x0000000180000000);
    *(volatile uint64_t *)(lowcore + 0x1C8) = (uint64_t)(uintptr_t)handler;
    register uint64_t count __asm__("2") = 0;
    for (unsigned i = 0; i < 500; i++)
        __asm__ volatile("svc 1" : "+d"(count) : : "cc", "memory");
    return count;
}
