// SPDX-License-Identifier: MIT
// Branches in a loop (BCR 15,0 serialises) and nothing else: a hypervisor must not be seen in it.
// Parameters: the word at 10010 or n=, the number of passes (100,000,000).
#include "runtime/guest.h"

unsigned long guest_main(void)
{
    uint64_t n = parameter_number("n", parameter_word ? parameter_word : 100000000);
    uint64_t left = n, start, end;

    if (!n)
        return END_PARAMETER;
    start = tod_clock();
    __asm__ volatile("0:\tbcr 15,0\n\tbrctg %0,0b" : "+d"(left));
    end = tod_clock();
    print("bcrloop: %lu passes in %lu microseconds", n, (end - start) >> 12);
    return END_OK;
}
