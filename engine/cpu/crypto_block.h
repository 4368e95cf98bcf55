// SPDX-License-Identifier: MIT
// Block ciphers of the message-security assist: DEA, TDEA and AES by function code.
#ifndef ENDICOTT_CPU_CRYPTO_BLOCK_H
#define ENDICOTT_CPU_CRYPTO_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CIPHER_BLOCK_MOST 16
#define CIPHER_KEY_MOST   32

// The function codes all cipher instructions share.
struct cipher_kind {
    // 1-3 DEA, TDEA-128, TDEA-192; 18-20 AES-128, -192, -256; the same plus 8 with encrypted keys
    uint8_t function;
    uint8_t block; // bytes
    uint8_t key;
    bool encrypted; // the key is as PCKMO makes it, with its pattern behind (cpu/crypto_wrap.h)
};

struct cipher {
    const struct cipher_kind *kind;
    bool decipher;
    _Alignas(16) uint8_t schedule[512]; // of the library, any
};

// NULL when there is no such function.
const struct cipher_kind *cipher_find(unsigned function);
// The function codes as a query's 16 bytes of bits, with bit 0 for the query; `encrypted` too?
void cipher_query(uint8_t bits[16], bool encrypted);
void cipher_start(struct cipher *c, const struct cipher_kind *kind, const uint8_t *key,
                  bool decipher);
// One block; `in` and `out` may be the same.
void cipher_block(const struct cipher *c, const uint8_t *in, uint8_t *out);

#endif
