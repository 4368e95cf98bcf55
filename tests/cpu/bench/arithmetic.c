// SPDX-License-Identifier: MIT
// Benchmark: 64-bit integer arithmetic in registers.
#include <stdint.h>

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x = x << 23 | x >> 41;
    return x + 12345;
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x277135CCCA962209);

uint64_t kernel(void);
uint64_t kernel(void)
{
    uint64_t a = 1, b = 2, c = 3;
    for (unsigned i = 0; i < 1000; i++) {
        a = mix(a + b);
        b ^= (uint64_t)((unsigned __int128)a * c >> 64);
        c += b / (a >> 40 | 1) + (a & 0xFFFF) * (b >> 48);
        if ((int64_t)(a ^ c) < 0)
            b -= c << 3;
    }
    return a ^ b ^ c;
}
