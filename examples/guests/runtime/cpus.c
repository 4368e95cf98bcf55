// SPDX-License-Identifier: MIT
// Other CPUs of the configuration.
#include "guest.h"
#include "runtime.h"

#define ORDER_RESTART       0x06
#define ORDER_INITIAL_RESET 0x0B
#define ORDER_SET_PREFIX    0x0D

extern char second_cpu_entry[];

int sigp(unsigned order, unsigned cpu, uint64_t parameter, uint32_t *status)
{
    // An even register takes the status, the odd one behind it has the parameter.
    register uint64_t r2 __asm__("2") = 0;
    register uint64_t r3 __asm__("3") = parameter;
    int cc;

    __asm__ volatile("sigp %1,%4,0(%3)\n\tipm %0\n\tsrl %0,28"
                     : "=d"(cc), "+d"(r2), "+d"(r3)
                     : "a"((unsigned long)order), "d"((unsigned long)cpu)
                     : "cc", "memory");
    if (status)
        *status = (uint32_t)r2;
    return cc;
}

unsigned this_cpu(void)
{
    uint16_t address;
    __asm__ volatile("stap %0" : "=Q"(address));
    return address;
}

static int retry(unsigned order, unsigned cpu, uint64_t parameter)
{
    int cc;

    do
        cc = sigp(order, cpu, parameter, NULL);
    while (cc == 2);
    return cc;
}

bool second_cpu_start(unsigned cpu, void (*function)(void))
{
    static uint8_t prefix[2][8192] __attribute__((aligned(8192)));
    static uint8_t stack[2][4096] __attribute__((aligned(8)));
    uint8_t *area = prefix[cpu % 2];

    memset(area, 0, sizeof prefix[0]);
    memcpy(area + LC_NEW_PSW, real(LC_NEW_PSW), 16 * CLASSES);
    ((uint64_t *)(void *)(area + LC_NEW_PSW))[1] = (uint64_t)second_cpu_entry;
    *(uint64_t *)(void *)(area + LC_CPU_STACK) = (uint64_t)(stack[cpu % 2] + sizeof stack[0] - 160);
    *(uint64_t *)(void *)(area + LC_CPU_FUNCTION) = (uint64_t)function;
    __asm__ volatile("stctg 0,15,%0"
                     : "=Q"(*(uint64_t(*)[16])(void *)(area + LC_CPU_CONTROL))
                     :
                     : "memory");
    return !retry(ORDER_INITIAL_RESET, cpu, 0) && !retry(ORDER_SET_PREFIX, cpu, (uint64_t)area) &&
           !retry(ORDER_RESTART, cpu, 0);
}
