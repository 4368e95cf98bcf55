// SPDX-License-Identifier: MIT
// Benchmark: packed decimal: CVD, ZAP, AP, SP, MP, DP, CP, CVB.
#include <stdint.h>

static uint8_t a[16], b[16], price[2] = {0x12, 0x5C}, scale[4] = {0x00, 0x01, 0x00, 0x0C};

static uint64_t one(int64_t value)
{
    uint64_t back, cc;
    __asm__ volatile("cvdg %2,0(%3)\n\t"
                     "zap 0(16,%4),0(16,%3)\n\t"
                     "mp 0(16,%4),0(2,%5)\n\t"
                     "ap 0(16,%4),0(16,%3)\n\t"
                     "sp 0(16,%4),0(2,%5)\n\t"
                     "dp 0(16,%4),0(4,%6)\n\t"
                     "zap 0(16,%3),0(12,%4)\n\t"
                     "cp 0(16,%3),12(4,%4)\n\t"
                     "ipm %1\n\t"
                     "cvbg %0,0(%3)"
                     : "=&d"(back), "=&d"(cc)
                     : "d"(value), "a"(a), "a"(b), "a"(price), "a"(scale)
                     : "cc", "memory");
    return back + (cc >> 28 & 3);
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x5AD800E00254267D);

uint64_t kernel(void);
uint64_t kernel(void)
{
    uint64_t sum = 0;
    for (int64_t i = 0; i < 200; i++)
        sum = sum * 31 + one(i * 987654321 - 50000000000);
    return sum;
}
