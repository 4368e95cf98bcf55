// SPDX-License-Identifier: MIT
// Time by the TOD clock and the clock comparator.
#include "guest.h"
#include "runtime.h"

volatile bool alarm_rang;

uint64_t tod_clock(void)
{
    uint64_t tod;
    __asm__ volatile("stck %0" : "=Q"(tod) : : "cc");
    return tod;
}

uint64_t now_us(void)
{
    return tod_clock() >> 12;
}

// The comparator stays due until it is set anew: far away.
void alarm_interruption(const struct interruption *interruption)
{
    uint64_t never = ~0ul;

    (void)interruption;
    alarm_rang = true;
    __asm__ volatile("sckc %0" : : "Q"(never));
}

void alarm_at(uint64_t tod)
{
    alarm_rang = false;
    __asm__ volatile("sckc %0" : : "Q"(tod));
    control_set(0, CR0_CLOCK_COMPARATOR);
}

void sleep_until(uint64_t tod)
{
    alarm_at(tod);
    while (!alarm_rang)
        wait_for(PSW_EXTERNAL);
}

void sleep_us(uint64_t us)
{
    sleep_until(tod_clock() + (us << 12));
}
