// SPDX-License-Identifier: MIT
// Message digests of the message-security assist, one block at a time, by function code.
#ifndef ENDICOTT_CPU_CRYPTO_HASH_H
#define ENDICOTT_CPU_CRYPTO_HASH_H

#include <stdint.h>

#define HASH_BLOCK_MOST     128
#define HASH_PARAMETER_MOST 80

struct hash_kind {
    uint8_t function; // 1 SHA-1, 2 SHA-256, 3 SHA-512, 65 GHASH
    uint8_t block;    // bytes
    uint8_t value;    // of the chaining value
    uint8_t length;   // of the message bit length that KLMD wants behind it; 0: KLMD has it not
    uint8_t key;      // behind the chaining value (GHASH)
    // Takes one block into the chaining value, which is in guest order, with the key behind it.
    void (*block_in)(uint8_t *value, const uint8_t *block);
};

// NULL when there is no such function.
const struct hash_kind *hash_find(unsigned function);

#endif
