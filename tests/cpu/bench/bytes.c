// SPDX-License-Identifier: MIT
// Benchmark: storage to storage: MVC, XC, TR, CLC, SRST, MVCL.
#include <stdint.h>

static uint8_t table[256], text[4096], copy[4096];

static uint64_t one(uint8_t *from, uint8_t *to)
{
    uint64_t cc;
    __asm__ volatile("mvc 0(160,%2),0(%1)\n\t"
                     "xc 160(48,%2),160(%2)\n\t"
                     "tr 8(40,%2),0(%3)\n\t"
                     "clc 0(120,%1),0(%2)\n\t"
                     "ipm %0"
                     : "=&d"(cc)
                     : "a"(from), "a"(to), "a"(table)
                     : "cc", "memory");
    register uint64_t wanted __asm__("0") = 0;
    uint8_t *start = to, *end = to + 256;
    __asm__ volatile("0: srst %0,%1\n\tjo 0b"
                     : "+a"(end), "+a"(start)
                     : "d"(wanted)
                     : "cc", "memory");
    return (cc >> 28 & 3) + (uint64_t)(end - to) + to[20];
}

static void move_long(void)
{
    register uint64_t to __asm__("2") = (uint64_t)(uintptr_t)copy;
    register uint64_t to_n __asm__("3") = 2000;
    register uint64_t from __asm__("4") = (uint64_t)(uintptr_t)text;
    register uint64_t from_n __asm__("5") = 1500;
    __asm__ volatile("mvcl 2,4"
                     : "+d"(to), "+d"(to_n), "+d"(from), "+d"(from_n)
                     :
                     : "cc", "memory");
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x4D88ABAE9A61C7C0);

uint64_t kernel(void);
uint64_t kernel(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 256; i++)
        table[i] = (uint8_t)(i * 3 + 1);
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i % 251 + 1);
    for (unsigned i = 0; i < 100; i++)
        sum = sum * 33 + one(text + i * 29, copy + i * 31);
    move_long();
    return sum + copy[1499] + copy[1500];
}
