// SPDX-License-Identifier: MIT
// Message digests of the message-security assist, one block at a time, by function code.
#ifndef ENDICOTT_CPU_CRYPTO_HASH_H
#define ENDICOTT_CPU_CRYPTO_HASH_H

#include <stdbool.h>
#include <stdint.h>

#define HASH_BLOCK_MOST     168
#define KECCAK_STATE        200
#define HASH_PARAMETER_MOST KECCAK_STATE
#define SHA512_BYTES        64

struct hash_kind {
    // 1 SHA-1, 2 SHA-256, 3 SHA-512, 32-35 SHA3-224 to -512, 36-37 SHAKE-128 and -256, 65 GHASH
    uint8_t function;
    uint8_t block;  // bytes
    uint8_t value;  // of the chaining value
    uint8_t length; // of the message bit length that KLMD wants behind it
    uint8_t key;    // behind the chaining value (GHASH)
    uint8_t suffix; // what begins the padding of SHA-3 and SHAKE
    // Takes one block into the chaining value, which is in guest order, with the key behind it.
    void (*block_in)(const struct hash_kind *kind, uint8_t *value, const uint8_t *block);
};

// NULL when there is no such function.
const struct hash_kind *hash_find(unsigned function);
// Has it a last block, so that KLMD has the function, too?
static inline bool hash_has_last(const struct hash_kind *kind)
{
    return kind->length || kind->suffix;
}

// Its output is as long as wanted.
static inline bool hash_is_extendable(const struct hash_kind *kind)
{
    return kind->suffix == 0x1F;
}

void keccak_permute(uint8_t state[KECCAK_STATE]);
// One block of GHASH: `value` has 16 bytes, and behind them the hash subkey.
void ghash_block(uint8_t value[32], const uint8_t block[16]);

#endif
