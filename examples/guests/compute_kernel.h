// SPDX-License-Identifier: MIT
// What the compute guest computes, in plain C: the host compiles the same file to know the answer.
#ifndef GUEST_COMPUTE_KERNEL_H
#define GUEST_COMPUTE_KERNEL_H

#include <stdint.h>

#define SIEVE_SIZE  20000u
#define MATRIX_SIZE 24u

// Sum and number of the primes below SIEVE_SIZE, mixed.
static uint64_t compute_sieve(uint8_t *composite)
{
    uint64_t count = 0, sum = 0;

    for (uint32_t i = 0; i < SIEVE_SIZE; i++)
        composite[i] = 0;
    for (uint32_t i = 2; i < SIEVE_SIZE; i++) {
        if (composite[i])
            continue;
        count++;
        sum += i;
        for (uint32_t k = i * 2; k < SIEVE_SIZE; k += i)
            composite[k] = 1;
    }
    return sum * 1000003u + count;
}

// Powers of a matrix of small numbers, modulo 2^64.
static uint64_t compute_matrix(uint64_t seed)
{
    static uint64_t a[MATRIX_SIZE][MATRIX_SIZE], b[MATRIX_SIZE][MATRIX_SIZE];
    uint64_t trace = 0;

    for (uint32_t i = 0; i < MATRIX_SIZE; i++)
        for (uint32_t k = 0; k < MATRIX_SIZE; k++)
            a[i][k] = (i * 31 + k * 17 + seed) % 97;
    for (uint32_t i = 0; i < MATRIX_SIZE; i++)
        for (uint32_t k = 0; k < MATRIX_SIZE; k++) {
            b[i][k] = 0;
            for (uint32_t m = 0; m < MATRIX_SIZE; m++)
                b[i][k] += a[i][m] * a[m][k];
        }
    for (uint32_t i = 0; i < MATRIX_SIZE; i++)
        trace += b[i][i] * (i + 1);
    return trace;
}

// Signed and unsigned division, shifts and the like, over a linear congruential sequence.
static uint64_t compute_mix(uint64_t seed)
{
    uint64_t x = seed | 1, sum = 0;

    for (uint32_t i = 0; i < 2000; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        int64_t signed_part = (int64_t)x >> 7;
        sum ^= (uint64_t)(signed_part / (int64_t)(i + 3)) + x % (i + 11);
        sum = (sum << 13 | sum >> 51) + (uint32_t)(x >> 32) / (i + 1);
    }
    return sum;
}

static uint64_t compute_checksum(uint64_t rounds, uint8_t *composite)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < rounds; i++)
        sum = sum * 31 + compute_sieve(composite) + compute_matrix(i) + compute_mix(sum + i);
    return sum;
}

#endif
