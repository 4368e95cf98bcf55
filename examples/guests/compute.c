// SPDX-License-Identifier: MIT
// Integer work: a sieve, a matrix product and arithmetic, with a checksum that is known elsewhere.
// Parameters: n=, the rounds (10).
#include "runtime/guest.h"

#include "compute_kernel.h"

unsigned long guest_main(void)
{
    static uint8_t composite[SIEVE_SIZE];
    uint64_t n = parameter_number("n", 10);
    uint64_t start = now_us(), sum = compute_checksum(n, composite);

    print("compute: %lu rounds, checksum %lx, %lu microseconds", n, sum, now_us() - start);
    return END_OK;
}
